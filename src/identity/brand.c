/* SPDX-License-Identifier: BSD-2-Clause */
#include "identity_internal.h"

#include <string.h>
#include <strings.h>

/* ASCII letters and digits, and every byte of a UTF-8 letter: what a word is made of. */
static bool is_word_byte(char c)
{
	unsigned char u = (unsigned char)c;

	return (u >= '0' && u <= '9') || (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') ||
	       u >= 0x80;
}

/* ®, ™ and a no-break space stand after a name without belonging to it. */
static bool is_mark_after_name(const char *p)
{
	return strncmp(p, "\xc2\xae", 2) == 0 || strncmp(p, "\xc2\xa0", 2) == 0 ||
	       strncmp(p, "\xe2\x84\xa2", 3) == 0;
}

/* "microSD for Raspberry Pi" names a use, not a maker. */
static bool stands_after_for(const char *text, size_t at)
{
	size_t end = at;

	while (end > 0 && text[end - 1] == ' ')
		end--;
	return end < at && end >= 3 && strncasecmp(text + end - 3, "for", 3) == 0 &&
	       (end == 3 || !is_word_byte(text[end - 4]));
}

/* First place where alias[0 .. len) stands as whole words; SIZE_MAX = none. */
static size_t find_words(const char *text, const char *alias, size_t len)
{
	for (size_t at = 0; text[at]; at++) {
		if (strncasecmp(text + at, alias, len) != 0)
			continue;
		if (at > 0 && is_word_byte(text[at - 1]))
			continue;
		if (is_word_byte(text[at + len]) && !is_mark_after_name(text + at + len))
			continue;
		if (!stands_after_for(text, at))
			return at;
	}
	return SIZE_MAX;
}

struct brand_place {
	const struct ca_spec_brand *brand;
	size_t at, len;
};

/* Takes a longer alias, and of two equally long ones the earlier. */
static void look_for_brand(const char *text, const struct ca_spec_brand *brand,
			   struct brand_place *best)
{
	const char *alias = brand->aliases;

	while (*alias) {
		size_t len = strcspn(alias, ";");
		size_t at = find_words(text, alias, len);

		if (at != SIZE_MAX &&
		    (!best->brand || len > best->len || (len == best->len && at < best->at)))
			*best = (struct brand_place){.brand = brand, .at = at, .len = len};
		alias += len;
		alias += strspn(alias, "; ");
	}
}

const struct ca_spec_brand *ca_identity_find_brand(const char *text, size_t *ret_start,
						   size_t *ret_len)
{
	struct brand_place best = {0};

	for (size_t i = 0; i < ca_spec_brands_count; i++)
		look_for_brand(text, &ca_spec_brands[i], &best);
	if (!best.brand)
		return NULL;
	if (ret_start)
		*ret_start = best.at;
	if (ret_len)
		*ret_len = best.len;
	return best.brand;
}
