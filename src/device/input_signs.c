/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The signs of a paste in those that the tools printed: two-byte letters of a Windows shell, the
 * spaces and quotation marks of a web page or word processor, tags, entities, a terminal's colours.
 */
#include "input.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Longer than any tag; the bound keeps hostile pages from taking long. */
#define TAG_BYTES 1024U
/* The commands that a terminal writes before a prompt name the window. */
#define TITLE_BYTES 256U

struct signs {
	bool coloured, html; /* only then are their signs no part of what was printed */
	char *out;
	size_t len;
};

static struct ca_span behind(struct ca_span span, size_t len)
{
	return (struct ca_span){span.at + len, span.len - len};
}

/* ---- two-byte letters ------------------------------------------------------------------------ */

static bool has_mark(const char *data, size_t len)
{
	return len > 3 && (memcmp(data, "\xff\xfe", 2) == 0 || memcmp(data, "\xfe\xff", 2) == 0);
}

/* Every other byte is zero and the rest printable: letters without a mark before them. */
static bool is_wide_ascii(const char *data, size_t len, size_t low)
{
	size_t end = len < 64 ? len : 64;

	for (size_t i = 0; i + 1 < end; i += 2) {
		unsigned char c = (unsigned char)data[i + low];

		if (data[i + 1 - low] || !(isprint(c) || isspace(c)))
			return false;
	}
	return len >= 16;
}

bool ca_input_is_utf16(const char *data, size_t len)
{
	return len % 2 == 0 &&
	       (has_mark(data, len) || is_wide_ascii(data, len, 0) || is_wide_ascii(data, len, 1));
}

/* Letters above U+FFFF, of which there are none in what tools print, become two signs '?'. */
static size_t narrow(const char *data, size_t len, char *out)
{
	bool mark = has_mark(data, len);
	size_t low = mark ? data[0] != '\xff' : !is_wide_ascii(data, len, 0), used = 0;

	for (size_t i = mark ? 2 : 0; i + 1 < len; i += 2) {
		unsigned int c = (unsigned char)data[i + low] |
				 (unsigned int)(unsigned char)data[i + 1 - low] << 8;

		if (c < 0x80) {
			out[used++] = c ? (char)c : '?';
		} else if (c < 0x800) {
			out[used++] = (char)(0xc0 | c >> 6);
			out[used++] = (char)(0x80 | (c & 0x3f));
		} else if (c >= 0xd800 && c < 0xe000) {
			out[used++] = '?';
		} else {
			out[used++] = (char)(0xe0 | c >> 12);
			out[used++] = (char)(0x80 | (c >> 6 & 0x3f));
			out[used++] = (char)(0x80 | (c & 0x3f));
		}
	}
	return used;
}

/* ---- a terminal ------------------------------------------------------------------------------ */

/* Bytes of a colour, an erased line, the mode of a prompt: ESC [ ... letter; ESC ] ... BEL. */
static size_t terminal_len(struct ca_span text)
{
	size_t len = 2;

	if (text.len < 3 || text.at[0] != '\033')
		return 0;
	if (text.at[1] == ']') {
		while (len < text.len && len < TITLE_BYTES && text.at[len] != '\a')
			len++;
		return len < text.len && text.at[len] == '\a' ? len + 1 : 0;
	}
	if (text.at[1] != '[')
		return 0;
	while (len < text.len && text.at[len] && strchr("0123456789;?", text.at[len]))
		len++;
	return len < text.len && isalpha((unsigned char)text.at[len]) ? len + 1 : 0;
}

/* A drive may have such bytes in its name. They are a terminal's where grep erased the line with
 * them or a line begins with them. */
static bool is_coloured(struct ca_span text)
{
	struct ca_span found;

	if (ca_span_behind(text, "\033[K").at || ca_span_starts_with(text, "\033["))
		return true;
	found = ca_span_behind(text, "\n\033[");
	return found.at || ca_span_behind(text, "\033]0;").at;
}

/* ---- a web page ------------------------------------------------------------------------------ */

static size_t tag_len(struct ca_span text)
{
	const char *end = text.at[0] != '<' ? NULL
					    : memchr(text.at, '>',
						     text.len < TAG_BYTES ? text.len : TAG_BYTES);

	if (!end || text.len < 3 || (!isalpha((unsigned char)text.at[1]) && text.at[1] != '/'))
		return 0;
	return (size_t)(end - text.at) + 1;
}

/* What a tag does to the text: '\n' ends the line, ' ' parts cells, '\0' is only a font. */
static char sign_of_tag(struct ca_span tag)
{
	static const char *const lines[] = {"br", "p",	"pre", "div",	  "li",	    "tr",
					    "ul", "ol", "h1",  "summary", "details"};
	static const char *const fonts[] = {"span", "a",    "b",  "i",	 "em",	 "strong", "font",
					    "code", "mark", "tt", "kbd", "samp", "u",	   "wbr"};
	struct ca_span name = behind(tag, tag.at[1] == '/' ? 2 : 1);
	size_t len = 0;

	while (len < name.len && isalnum((unsigned char)name.at[len]))
		len++;
	name.len = len;
	for (size_t i = 0; i < CA_ARRAY_LEN(lines); i++)
		if (ca_span_is(name, lines[i]))
			return '\n';
	for (size_t i = 0; i < CA_ARRAY_LEN(fonts); i++)
		if (ca_span_is(name, fonts[i]))
			return '\0';
	return ' ';
}

/* "&#39;", "&#x27;", "&#160;": what is not ASCII becomes '?'. */
static size_t number_entity_len(struct ca_span text, char *ret_sign)
{
	bool hex = text.len > 3 && (text.at[2] == 'x' || text.at[2] == 'X');
	size_t start = hex ? 3 : 2, len = start;
	uint64_t code;

	if (!ca_span_starts_with(text, "&#"))
		return 0;
	while (len < text.len && len < start + 6 && isxdigit((unsigned char)text.at[len]))
		len++;
	if (len == text.len || text.at[len] != ';' ||
	    !ca_span_number((struct ca_span){text.at + start, len - start}, hex, &code))
		return 0;
	*ret_sign = code == 160 ? ' ' : code >= ' ' && code < 0x7f ? (char)code : '?';
	return len + 1;
}

static size_t entity_len(struct ca_span text, char *ret_sign)
{
	static const struct {
		const char *entity;
		char sign;
	} entities[] = {{"&gt;", '>'},	  {"&lt;", '<'},   {"&amp;", '&'}, {"&quot;", '"'},
			{"&apos;", '\''}, {"&nbsp;", ' '}, {"&deg;", ' '}};

	for (size_t i = 0; i < CA_ARRAY_LEN(entities); i++) {
		if (ca_span_starts_with(text, entities[i].entity)) {
			*ret_sign = entities[i].sign;
			return strlen(entities[i].entity);
		}
	}
	return number_entity_len(text, ret_sign);
}

/* ---- letters --------------------------------------------------------------------------------- */

/* Signs that only a page, a mail or a word processor puts there. '\0': it is nothing to see. */
static size_t letter_len(struct ca_span text, char *ret_sign)
{
	static const struct {
		const char *letter;
		char sign;
	} letters[] = {
		{"\xc2\xa0", ' '},	/* no-break space */
		{"\xe2\x80\xaf", ' '},	/* narrow no-break space */
		{"\xe2\x80\x87", ' '},	/* figure space */
		{"\xe2\x80\x82", ' '},	/* en space */
		{"\xe2\x80\x83", ' '},	/* em space */
		{"\xe2\x80\x89", ' '},	/* thin space */
		{"\xe3\x80\x80", ' '},	/* ideographic space */
		{"\xe2\x80\x8b", '\0'}, /* zero width space */
		{"\xe2\x81\xa0", '\0'}, /* word joiner */
		{"\xef\xbb\xbf", '\0'}, /* byte order mark */
		{"\xc2\xad", '\0'},	/* soft hyphen */
		{"\xe2\x80\x98", '\''}, /* quotation marks of a word processor */
		{"\xe2\x80\x99", '\''}, {"\xe2\x80\x9c", '"'}, {"\xe2\x80\x9d", '"'},
		{"\xe2\x80\x9e", '"'},	{"\xc2\xab", '"'},     {"\xc2\xbb", '"'},
		{"\xef\xbc\x9a", ':'}, /* full width colon */
		{"\xe2\x94\x82", '|'}, /* frames */
	};

	if (!((unsigned char)text.at[0] & 0x80))
		return 0;
	for (size_t i = 0; i < CA_ARRAY_LEN(letters); i++) {
		if (ca_span_starts_with(text, letters[i].letter)) {
			*ret_sign = letters[i].sign;
			return strlen(letters[i].letter);
		}
	}
	return 0;
}

static bool ends_line(const struct signs *signs)
{
	return !signs->len || signs->out[signs->len - 1] == '\n';
}

/* The bytes that stand for one sign at the beginning of text, and what is kept of it: 0 nothing. */
static size_t take_sign(const struct signs *signs, struct ca_span text, char *ret_sign)
{
	size_t len = signs->coloured ? terminal_len(text) : 0;

	*ret_sign = '\0';
	if (len)
		return len;
	len = signs->html ? tag_len(text) : 0;
	if (len) {
		*ret_sign = sign_of_tag((struct ca_span){text.at, len});
		/* the line ends here anyway */
		if (*ret_sign == '\n' &&
		    (ends_line(signs) || (text.len > len && strchr("\r\n", text.at[len]))))
			*ret_sign = '\0';
		return len;
	}
	len = signs->html && text.at[0] == '&' ? entity_len(text, ret_sign) : 0;
	if (!len)
		len = letter_len(text, ret_sign);
	if (len)
		return len;
	/* a no-break space of one byte, where it is no part of another letter */
	*ret_sign = text.at[0] == '\xa0' && (!signs->len || !(signs->out[signs->len - 1] & '\x80'))
			    ? ' '
			    : text.at[0];
	return 1;
}

/* ---- the text -------------------------------------------------------------------------------- */

static bool is_html(struct ca_span text)
{
	static const char *const tags[] = {"<pre", "<code", "<br", "</p>", "</td>", "</span>"};

	for (size_t i = 0; i < CA_ARRAY_LEN(tags); i++)
		if (ca_span_behind(text, tags[i]).at)
			return true;
	return false;
}

int ca_input_signs(const char *text, size_t len, char **ret_text, size_t *ret_len)
{
	CA_CLEANUP_FREE char *wide = NULL;
	struct ca_span rest = {text, len};
	struct signs signs = {0};
	bool alone; /* a carriage return ends lines, as on old machines */

	if (ca_input_is_utf16(text, len)) {
		wide = malloc(len / 2 * 3 + 1);
		if (!wide)
			return -ENOMEM;
		rest = (struct ca_span){wide, narrow(text, len, wide)};
	}
	signs.out = malloc(rest.len + 1);
	if (!signs.out)
		return -ENOMEM;
	signs.coloured = is_coloured(rest);
	signs.html = is_html(rest);
	alone = rest.len && !memchr(rest.at, '\n', rest.len);
	while (rest.len) {
		char sign;
		size_t taken = take_sign(&signs, rest, &sign);

		if (sign)
			signs.out[signs.len++] = alone && sign == '\r' ? '\n' : sign;
		rest = behind(rest, taken);
	}
	*ret_text = signs.out;
	*ret_len = signs.len;
	return 0;
}
