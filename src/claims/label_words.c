/* SPDX-License-Identifier: BSD-2-Clause */
#include "label_internal.h"

#include <string.h>

bool ca_label_is_alnum(char c)
{
	return ca_label_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Length of a UTF-8 sign that stands between words at p, 0 = none. */
static size_t sign_bytes(const char *p, const char *const *signs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strncmp(p, signs[i], strlen(signs[i])) == 0)
			return strlen(signs[i]);
	return 0;
}

static size_t blank_bytes(const char *p)
{
	/* no-break space, narrow no-break space, (R), (TM) */
	static const char *const signs[] = {"\xc2\xa0", "\xe2\x80\xaf", "\xc2\xae", "\xe2\x84\xa2"};

	if (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')
		return 1;
	return sign_bytes(p, signs, CA_ARRAY_LEN(signs));
}

/* Separators that end a word wherever they stand. */
static size_t separator_bytes(const char *p)
{
	/* en and em dash, middle dot, bullet, greater-or-equal, quotes */
	static const char *const signs[] = {"\xe2\x80\x93", "\xe2\x80\x94", "\xc2\xb7",
					    "\xe2\x80\xa2", "\xe2\x89\xa5", "\xe2\x80\x9c",
					    "\xe2\x80\x9d", "\xe2\x80\x9e"};
	size_t bytes = blank_bytes(p);

	if (bytes)
		return bytes;
	if (*p && strchr(",;:()[]{}|/\"*", *p))
		return 1;
	return sign_bytes(p, signs, CA_ARRAY_LEN(signs));
}

const char *ca_label_skip_blank(const char *p)
{
	size_t bytes;

	while ((bytes = blank_bytes(p)) != 0)
		p += bytes;
	return p;
}

const char *ca_label_skip_gap(const char *p)
{
	for (;;) {
		size_t bytes = separator_bytes(p);

		if (bytes)
			p += bytes;
		else if (*p && strchr("-+&='<>~!", *p))
			p++;
		else if (*p == '.' && !ca_label_is_digit(p[1])) /* ".5 TB" must not become 5 TB */
			p++;
		else
			return p;
	}
}

bool ca_label_is_east_asian(const char *p)
{
	unsigned char lead = (unsigned char)*p;

	return lead >= 0xe3 && lead <= 0xed;
}

static bool is_utf8_tail(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

const char *ca_label_word_end(const char *p)
{
	bool east_asian = ca_label_is_east_asian(p);

	for (; *p && !separator_bytes(p); p++)
		if (!is_utf8_tail(*p) && ca_label_is_east_asian(p) != east_asian)
			break;
	return p;
}

/* "microSDXC-Karte", "U3-Card": the hyphen of a compound does not hide the word before it. */
static bool is_card_noun(const char *p)
{
	static const char *const nouns[] = {"karte", "card",	 "kaart",  "kort",    "karta",
					    "carte", "speicher", "memory", "adapter", "adaptor"};

	for (size_t i = 0; i < CA_ARRAY_LEN(nouns); i++) {
		size_t j = 0;

		while (nouns[i][j] && lower(p[j]) == nouns[i][j])
			j++;
		if (!nouns[i][j])
			return true;
	}
	return false;
}

bool ca_label_is_word_end(const char *p)
{
	unsigned char c = (unsigned char)*p;

	if (!c || separator_bytes(p) || ca_label_is_east_asian(p))
		return true;
	if (ca_label_is_alnum(*p) || *p == '_' || c >= 0x80)
		return false;
	/* A hyphen or full stop goes on with the word when more of it follows: "V30-X", "2.5". */
	if (*p == '-' || *p == '.')
		return !ca_label_is_alnum(p[1]) || (*p == '-' && is_card_noun(p + 1));
	return true;
}

static const char *eat_blanks_and_hyphens(const char *p)
{
	const char *next = ca_label_skip_blank(p);

	while (*next == '-')
		next = ca_label_skip_blank(next + 1);
	return next;
}

const char *ca_label_eat_prefix(const char *p, const char *phrase)
{
	for (; *phrase; phrase++) {
		if (*phrase == ' ' || *phrase == '_') {
			const char *next = eat_blanks_and_hyphens(p);

			if (*phrase == ' ' && next == p)
				return NULL;
			p = next;
		} else if (lower(*p) == *phrase) {
			p++;
		} else {
			return NULL;
		}
	}
	return p;
}

const char *ca_label_eat(const char *p, const char *phrase)
{
	const char *end = ca_label_eat_prefix(p, phrase);

	return end && ca_label_is_word_end(end) ? end : NULL;
}
