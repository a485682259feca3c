/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a paste carries from its way here: foreign signs (input_signs.c), frames (input_frame.c),
 * quotation marks of mail and the time before each line of a log. Lines stay lines wherever they
 * can, so that their numbers are those of the file.
 */
#include "input.h"

#include <ctype.h>
#include <string.h>

struct cleaner {
	struct ca_input_frame frame;
	char *text; /* each line is put where the one before it ends: it only gets shorter */
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
	return (len == text.len || text.at[len] == ' ') && (len == 8 || text.at[8] != ':') ? len
											   : 0;
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
static size_t sender_len(struct ca_span text, bool sure)
{
	size_t host = 0, len;
	struct ca_span program;

	while (host < text.len && (isalnum((unsigned char)text.at[host]) ||
				   (text.at[host] && strchr("._-", text.at[host]))))
		host++;
	if (!host || host + 2 > text.len || text.at[host] != ' ')
		return 0;
	len = host + 1;
	while (len < text.len && text.at[len] != ' ' && text.at[len] != ':')
		len++;
	if (len == host + 1 || len + 1 >= text.len || text.at[len] != ':' ||
	    text.at[len + 1] != ' ')
		return 0;
	/* "Model Number: ..." looks the same; only a system log is sure to name its sender */
	program = (struct ca_span){text.at + host + 1, len - host - 1};
	return sure || program.at[program.len - 1] == ']' || ca_span_is(program, "kernel") ? len + 2
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
	rest = behind(rest, sender_len(rest, month > 0));
	return ca_span_trim(behind(rest, bracket_len(rest)), " ");
}

/* ---- lines ----------------------------------------------------------------------------------- */

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

/* "[code]cid: ..." of a forum. */
static struct ca_span without_mark(struct ca_span line)
{
	static const char *const marks[] = {"[code]", "[CODE]", "[quote]",   "[QUOTE]",
					    "[pre]",  "{code}", "{noformat}"};

	for (size_t i = 0; i < CA_ARRAY_LEN(marks); i++)
		if (ca_span_starts_with(line, marks[i]))
			return behind(line, strlen(marks[i]));
	return line;
}

/* "0x27, 0x50, ...": the comma of an array between bytes. */
static bool ends_byte(const char *out, size_t len)
{
	return len > 3 && out[len - 4] == '0' && (out[len - 3] == 'x' || out[len - 3] == 'X') &&
	       isxdigit((unsigned char)out[len - 2]) && isxdigit((unsigned char)out[len - 1]);
}

static void add_line(struct cleaner *cleaner, struct ca_span line)
{
	char *out = cleaner->text + cleaner->len;
	size_t len = 0;

	line = ca_input_frame_strip(&cleaner->frame, without_quotes(line));
	line = without_mark(without_quotes(ca_span_trim(line, " \t\r\v\f\b")));
	line = without_time(line);
	for (size_t i = 0; i < line.len; i++) {
		char c = line.at[i];

		/* in a list of strings what was a quotation mark is escaped */
		if (cleaner->frame.quote == '"' && i + 1 < line.len && line.at[i + 1] == '"' &&
		    (c == '\\' || c == '"'))
			c = line.at[++i];
		out[len] = c == ',' && ends_byte(out, len) ? ' ' : c;
		len++;
	}
	cleaner->len += len;
}

/* ---- the text ------------------------------------------------------------------------------- */

int ca_input_clean(const char *text, size_t len, char **ret_text, size_t *ret_len)
{
	struct cleaner cleaner = {.text = NULL};
	struct ca_span rest;
	int rc = ca_input_signs(text, len, &cleaner.text, &len);

	if (rc < 0)
		return rc;
	rest = (struct ca_span){cleaner.text, len};
	ca_input_frame_find(rest, &cleaner.frame);
	while (rest.len) {
		bool ends = memchr(rest.at, '\n', rest.len) != NULL;
		struct ca_span line = ca_span_take_line(&rest);

		if (cleaner.frame.spaced && !ca_span_trim(line, " \t\r").len)
			continue;
		add_line(&cleaner, line);
		if (ends)
			cleaner.text[cleaner.len++] = '\n';
	}
	*ret_text = cleaner.text;
	*ret_len = cleaner.len;
	return 0;
}
