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

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Start of the word that ends before text[end]; what stands between words is skipped first. */
static size_t word_before(const char *text, size_t end, size_t *ret_end)
{
	while (end > 0 && !is_word_byte(text[end - 1]))
		end--;
	*ret_end = end;
	while (end > 0 && is_word_byte(text[end - 1]))
		end--;
	return end;
}

static bool is_one_of(const char *word, size_t len, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(words[i]) == len && strncasecmp(word, words[i], len) == 0)
			return true;
	return false;
}

static bool has_any(const char *text, size_t len, const char *signs)
{
	for (size_t i = 0; i < len; i++)
		if (strchr(signs, text[i]))
			return true;
	return false;
}

/* A list of uses is short: "for Nikon, Canon and Sony cameras". */
#define USES_MAX 6U

/*
 * "microSD for Raspberry Pi" names a use, not a maker; so does the last name of "for Canon, Sony".
 * A word with a digit, or the end of a clause, ends the list.
 */
static bool stands_after_for(const char *text, size_t at)
{
	static const char *const fors[] = {"for", "f\xc3\xbcr", "fuer", "pour",	     "para",
					   "per", "voor",	"dla",	"f\xc3\xb6r"};
	static const char *const ands[] = {"and", "und", "et", "y", "e", "en", "i", "och"};
	size_t start = at, end;

	for (unsigned int i = 0; i < USES_MAX; i++) {
		size_t from = start;

		start = word_before(text, start, &end);
		if (start == end || has_any(text + end, from - end, ":;(") ||
		    has_any(text + start, end - start, "0123456789"))
			return false;
		if (is_one_of(text + start, end - start, fors, CA_ARRAY_LEN(fors)))
			return true;
		if (i == 0 && !has_any(text + end, from - end, ",/&") &&
		    !is_one_of(text + start, end - start, ands, CA_ARRAY_LEN(ands)))
			return false;
	}
	return false;
}

/* "Raspberry Pi OS", "GoPro compatible": the name of something else. */
static bool stands_before_use(const char *after)
{
	static const char *const uses[] = {"os", "compatible", "kompatibel"};
	size_t len = 0;

	if (!is_blank(*after))
		return false;
	while (is_blank(*after))
		after++;
	while (is_word_byte(after[len]))
		len++;
	return is_one_of(after, len, uses, CA_ARRAY_LEN(uses));
}

/* First place where alias[0 .. len) stands as whole words; SIZE_MAX = none. */
static size_t find_words(const char *text, const char *alias, size_t len)
{
	/* Chinese, Japanese and Korean names touch the words around them. */
	bool whole = (unsigned char)*alias < 0xe3;

	for (size_t at = 0; text[at]; at++) {
		const char *after;

		if (strncasecmp(text + at, alias, len) != 0)
			continue;
		after = text + at + len;
		if (whole && at > 0 && is_word_byte(text[at - 1]))
			continue;
		if (whole && is_word_byte(*after) && !is_mark_after_name(after))
			continue;
		if (!stands_after_for(text, at) && !stands_before_use(after))
			return at;
	}
	return SIZE_MAX;
}

struct brand_place {
	const struct ca_spec_brand *brand;
	size_t at, len;
};

/* Takes the earlier alias, and of two at one place the longer. */
static void look_for_brand(const char *text, const struct ca_spec_brand *brand,
			   struct brand_place *best)
{
	const char *alias = brand->aliases;

	while (*alias) {
		size_t len = strcspn(alias, ";");
		size_t at = find_words(text, alias, len);

		if (at != SIZE_MAX &&
		    (!best->brand || at < best->at || (at == best->at && len > best->len)))
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
