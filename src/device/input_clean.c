/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a paste carries from its way here: the two-byte letters of a Windows shell, a byte order
 * mark, colours of grep, tags of a web page, quotation marks of mail and the time before each line
 * of a log. Lines stay lines, so that their numbers are those of the file.
 */
#include "input.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Longer than any tag; the bound keeps hostile pages from taking long. */
#define TAG_BYTES 1024U

struct cleaner {
	bool coloured, html; /* only then are their signs no part of what was printed */
	char *out;
	size_t len;
};

static bool is_digit(struct ca_span span, size_t at)
{
	return at < span.len && isdigit((unsigned char)span.at[at]);
}

static struct ca_span behind(struct ca_span span, size_t len)
{
	return (struct ca_span){span.at + len, span.len - len};
}

/* ---- time ----------------------------------------------------------------------------------- */

/* Bytes of "12:59:03", "12:59:03.125", "12:59:03,1+02:00", 0 when it is none. */
static size_t time_len(struct ca_span text)
{
	size_t len = 8;

	for (size_t i = 0; i < 8; i++)
		if (i % 3 == 2 ? i >= text.len || text.at[i] != ':' : !is_digit(text, i))
			return 0;
	while (len < text.len && text.at[len] && strchr("0123456789.,+:Z", text.at[len]))
		len++;
	/* colons part the bytes of a register too */
	return len < text.len && text.at[len] == ' ' && text.at[8] != ':' ? len : 0;
}

/* Bytes of "2024-05-18T" or "2024/05/18 ". */
static size_t date_len(struct ca_span text)
{
	for (size_t i = 0; i < 10; i++) {
		bool sign = i == 4 || i == 7;

		if (sign ? i >= text.len || (text.at[i] != '-' && text.at[i] != '/')
			 : !is_digit(text, i))
			return 0;
	}
	return text.len > 10 && (text.at[10] == 'T' || text.at[10] == ' ') ? 11 : 0;
}

/* Bytes of "May  8 ". */
static size_t month_len(struct ca_span text)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

	for (size_t i = 0; text.len > 7 && i < sizeof(months) - 1; i += 3)
		if (memcmp(months + i, text.at, 3) == 0 && text.at[3] == ' ' && is_digit(text, 5) &&
		    text.at[6] == ' ')
			return 7;
	return 0;
}

/* "[    2.344431] ", "[2024-05-18 11:39:36] ", but not the "[3:0] : " of a bit field. */
static size_t bracket_len(struct ca_span text)
{
	unsigned int points = 0, colons = 0, digits = 0;
	size_t len = 1;

	if (!text.len || text.at[0] != '[')
		return 0;
	for (; len < text.len && text.at[len] != ']'; len++) {
		char c = text.at[len];

		if (!c || !strchr("0123456789 .:-/TZ+,", c))
			return 0;
		points += c == '.';
		colons += c == ':';
		digits += isdigit((unsigned char)c) != 0;
	}
	return len < text.len && digits && (points == 1 || colons > 1) ? len + 1 : 0;
}

/* "host program[12]: " behind a time; 0 when it is something else. */
static size_t sender_len(struct ca_span text)
{
	size_t host = 0, len;

	while (host < text.len && (isalnum((unsigned char)text.at[host]) ||
				   (text.at[host] && strchr("._-", text.at[host]))))
		host++;
	if (!host || host + 2 > text.len || text.at[host] != ' ')
		return 0;
	len = host + 1;
	while (len < text.len && text.at[len] != ' ' && text.at[len] != ':')
		len++;
	return len > host + 1 && len + 1 < text.len && text.at[len] == ':' &&
			       text.at[len + 1] == ' '
		       ? len + 2
		       : 0;
}

static struct ca_span without_time(struct ca_span line)
{
	size_t bracket = bracket_len(line), date = date_len(line), month = month_len(line);
	struct ca_span rest = behind(line, date ? date : month), output;
	size_t time = time_len(rest);

	if (bracket)
		return ca_span_trim(behind(line, bracket), " ");
	if (!time)
		return line;
	rest = ca_span_trim(behind(rest, time), " ");
	/* test runners: "DEBUG| [stdout] " */
	output = ca_span_behind((struct ca_span){rest.at, rest.len < 32 ? rest.len : 32},
				"[stdout] ");
	if (output.at)
		return behind(rest, (size_t)(output.at - rest.at));
	rest = behind(rest, sender_len(rest));
	return ca_span_trim(behind(rest, bracket_len(rest)), " ");
}

/* ---- signs ---------------------------------------------------------------------------------- */

/* Bytes of a colour or of an erased line, as grep --color writes them. */
static size_t colour_len(struct ca_span text)
{
	size_t len = 2;

	if (text.len < 3 || text.at[0] != '\033' || text.at[1] != '[')
		return 0;
	while (len < text.len && text.at[len] && strchr("0123456789;", text.at[len]))
		len++;
	return len < text.len && (text.at[len] == 'm' || text.at[len] == 'K') ? len + 1 : 0;
}

static size_t tag_len(struct ca_span text)
{
	const char *end = text.at[0] != '<' ? NULL
					    : memchr(text.at, '>',
						     text.len < TAG_BYTES ? text.len : TAG_BYTES);

	if (!end || text.len < 3 || (!isalpha((unsigned char)text.at[1]) && text.at[1] != '/'))
		return 0;
	return (size_t)(end - text.at) + 1;
}

static size_t entity_len(struct ca_span text, char *ret_sign)
{
	static const struct {
		const char *entity;
		char sign;
	} entities[] = {{"&gt;", '>'},	 {"&lt;", '<'},	 {"&amp;", '&'}, {"&quot;", '"'},
			{"&#39;", '\''}, {"&#34;", '"'}, {"&nbsp;", ' '}};

	for (size_t i = 0; i < CA_ARRAY_LEN(entities); i++) {
		if (ca_span_starts_with(text, entities[i].entity)) {
			*ret_sign = entities[i].sign;
			return strlen(entities[i].entity);
		}
	}
	return 0;
}

/* Quotation marks of mail, also as a web page writes them. */
static struct ca_span without_quotes(struct ca_span line)
{
	for (;;) {
		size_t before = line.len;

		while (line.len && line.at[0] && strchr(" \t>", line.at[0]))
			line = behind(line, 1);
		if (ca_span_starts_with(line, "&gt;"))
			line = behind(line, 4);
		if (line.len == before)
			return line;
	}
}

/* The bytes that stand for one sign at the beginning of text, and what is kept of it: 0 nothing. */
static size_t take_sign(const struct cleaner *cleaner, struct ca_span text, char *ret_sign)
{
	size_t len = cleaner->coloured ? colour_len(text) : 0;

	*ret_sign = '\0';
	if (len)
		return len;
	len = cleaner->html ? tag_len(text) : 0;
	if (len) {
		*ret_sign = ' ';
		return len;
	}
	len = cleaner->html && text.at[0] == '&' ? entity_len(text, ret_sign) : 0;
	if (len)
		return len;
	if (ca_span_starts_with(text, "\xc2\xa0")) { /* no-break space */
		*ret_sign = ' ';
		return 2;
	}
	*ret_sign = text.at[0];
	return 1;
}

/* "0x27, 0x50, ...": the comma of an array between bytes. */
static bool ends_byte(const char *out, size_t len)
{
	return len > 3 && out[len - 4] == '0' && (out[len - 3] == 'x' || out[len - 3] == 'X') &&
	       isxdigit((unsigned char)out[len - 2]) && isxdigit((unsigned char)out[len - 1]);
}

static void add_line(struct cleaner *cleaner, struct ca_span line)
{
	size_t start = cleaner->len;
	struct ca_span clean;

	while (line.len) {
		char sign;
		size_t len = take_sign(cleaner, line, &sign);

		if (sign == ',' && ends_byte(cleaner->out + start, cleaner->len - start))
			sign = ' ';
		if (sign)
			cleaner->out[cleaner->len++] = sign;
		line = behind(line, len);
	}
	clean = (struct ca_span){cleaner->out + start, cleaner->len - start};
	clean = without_time(without_quotes(ca_span_trim(clean, " \t\r\v\f\b")));
	memmove(cleaner->out + start, clean.at, clean.len);
	cleaner->len = start + clean.len;
}

/* ---- the text ------------------------------------------------------------------------------- */

bool ca_input_is_utf16(const char *data, size_t len)
{
	return len > 3 && len % 2 == 0 &&
	       (memcmp(data, "\xff\xfe", 2) == 0 || memcmp(data, "\xfe\xff", 2) == 0);
}

/* ASCII is all that the formats are made of; the rest of the letters becomes '?'. */
static size_t narrow(const char *data, size_t len, char *out)
{
	size_t low = data[0] == '\xff' ? 0 : 1, used = 0;

	for (size_t i = 2; i + 1 < len; i += 2) {
		char c = data[i + low];

		out[used++] = data[i + 1 - low] || c & '\x80' || !c ? '?' : c;
	}
	return used;
}

int ca_input_clean(const char *text, size_t len, char **ret_text, size_t *ret_len)
{
	static const char *const tags[] = {"<pre", "<code", "<br", "</p>", "</td>"};
	CA_CLEANUP_FREE char *wide = NULL;
	struct cleaner cleaner = {0};
	struct ca_span rest = {text, len};

	cleaner.out = malloc(len + 1);
	if (!cleaner.out)
		return -ENOMEM;
	if (ca_input_is_utf16(text, len)) {
		wide = malloc(len);
		if (!wide) {
			free(cleaner.out);
			return -ENOMEM;
		}
		rest = (struct ca_span){wide, narrow(text, len, wide)};
	}
	if (ca_span_starts_with(rest, "\xef\xbb\xbf"))
		rest = behind(rest, 3);
	cleaner.coloured = ca_span_behind(rest, "\033[K").at != NULL;
	for (size_t i = 0; i < CA_ARRAY_LEN(tags); i++)
		cleaner.html |= ca_span_behind(rest, tags[i]).at != NULL;
	while (rest.len) {
		bool ends = memchr(rest.at, '\n', rest.len) != NULL;

		add_line(&cleaner, ca_span_take_line(&rest));
		if (ends)
			cleaner.out[cleaner.len++] = '\n';
	}
	*ret_text = cleaner.out;
	*ret_len = cleaner.len;
	return 0;
}
