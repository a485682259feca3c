/* SPDX-License-Identifier: BSD-2-Clause */
/* A label in plain letters: what the rest of the reader sees. */
#include "label_internal.h"

#include <string.h>

/* One character of UTF-8 at p, U+FFFD for a byte that begins none. Returns its length. */
static size_t take_character(const char *p, uint32_t *ret_code)
{
	static const uint32_t lowest[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned char lead = (unsigned char)*p;
	size_t len = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
	uint32_t code = len == 1 ? lead : lead & (0xffU >> (len + 1));

	*ret_code = 0xfffd;
	if ((lead >= 0x80 && lead < 0xc2) || lead > 0xf4)
		return 1;
	for (size_t i = 1; i < len; i++) {
		unsigned char tail = (unsigned char)p[i];

		if ((tail & 0xc0) != 0x80)
			return 1;
		code = code << 6 | (tail & 0x3f);
	}
	if (code < lowest[len] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 1;
	*ret_code = code;
	return len;
}

/* Signs that stand for a plain one, in ranges. "" takes the character out. */
static const struct {
	uint32_t first, last;
	const char *plain;
} signs[] = {
	{0x01, 0x1f, " "},	    {0x7f, 0x9f, " "},	   {0xa0, 0xa0, " "},
	{0xad, 0xad, ""},  /* soft hyphen */
	{0xb2, 0xb3, " "}, /* footnote marks: "200 MB/s" with a raised 2 */
	{0xb9, 0xb9, " "},	    {0xd7, 0xd7, "x"},	  /* multiplication sign */
	{0x3bc, 0x3bc, "\xc2\xb5"},			  /* Greek mu as the micro sign */
	{0x2000, 0x200a, " "},	    {0x200b, 0x200f, ""}, /* no width, direction */
	{0x2010, 0x2011, "-"},	    {0x2018, 0x2019, "'"}, {0x2020, 0x2021, " "}, /* daggers */
	{0x2028, 0x2029, " "},	    {0x202a, 0x202e, ""},  {0x2044, 0x2044, "/"},
	{0x202f, 0x202f, " "},	    {0x205f, 0x205f, " "}, {0x2060, 0x206f, ""},
	{0x2070, 0x2079, " "},	    {0x2212, 0x2212, "-"}, {0x2215, 0x2215, "/"},
	{0x3000, 0x3000, " "},	    {0x3001, 0x3001, ","}, {0x3002, 0x3002, ";"},
	{0x3010, 0x3010, "["},	    {0x3011, 0x3011, "]"}, {0xfeff, 0xfeff, ""},
};

/* No-break, figure and thin spaces, which hold groups of digits together: "2 400". */
static bool is_hard_blank(uint32_t code)
{
	return code == 0xa0 || code == 0x2007 || code == 0x2009 || code == 0x202f;
}

static void add_character(struct ca_text *plain, uint32_t code, const char *bytes, size_t len)
{
	char ascii;

	if (is_hard_blank(code) && plain->len && ca_label_is_digit(plain->buf[plain->len - 1]) &&
	    ca_label_is_digit(bytes[len])) {
		ca_text_add(plain, "\xe2\x80\xaf");
		return;
	}

	if (code >= 0xff01 && code <= 0xff5e) { /* full width */
		ascii = (char)(code - 0xff01 + '!');
		ca_text_add_len(plain, &ascii, 1);
		return;
	}
	for (size_t i = 0; i < CA_ARRAY_LEN(signs); i++) {
		if (code >= signs[i].first && code <= signs[i].last) {
			ca_text_add(plain, signs[i].plain);
			return;
		}
	}
	if (code == 0xfffd)
		ca_text_add(plain, "\xef\xbf\xbd");
	else
		ca_text_add_len(plain, bytes, len);
}

void ca_label_make_plain(const char *label, char *ret_plain, size_t size)
{
	struct ca_text plain;

	ca_text_init(&plain, ret_plain, size);
	while (*label && plain.len + 4 < size) { /* the longest character fits as a whole */
		uint32_t code;
		size_t len = take_character(label, &code);

		add_character(&plain, code, label, len);
		label += len;
	}
}
