/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What stands around every line of a paste: numbers, a bar, quotation marks of a list, empty lines
 * between. It is only taken away where the whole text has it, for tools print such signs too.
 */
#include "input.h"

#include <ctype.h>
#include <string.h>

#define BLANKS	     " \t\r"
#define PREFIX_BYTES 64U

/* "  12\t", "12: ", "12. ", "12) ", "12|", "12 | ": its bytes, 0 when it is none. */
static size_t number_len(struct ca_span line, uint32_t *ret_number)
{
	size_t at = 0, digits = 0, sign;
	uint32_t number = 0;

	while (at < line.len && line.at[at] == ' ')
		at++;
	while (at < line.len && digits < 6 && isdigit((unsigned char)line.at[at])) {
		number = number * 10 + (uint32_t)(line.at[at++] - '0');
		digits++;
	}
	if (!digits)
		return 0;
	*ret_number = number;
	if (at == line.len)
		return at; /* of an empty line */
	sign = at;
	while (at < line.len && (line.at[at] == ' ' || line.at[at] == '\t'))
		at++;
	if (at < line.len && line.at[at] == '|')
		return at + 1;
	if (at > sign)
		return at;
	if (!line.at[at] || !strchr(":.)", line.at[at]))
		return 0;
	return at + 1 == line.len || line.at[at + 1] == ' ' || line.at[at + 1] == '\t' ? at + 1 : 0;
}

/* Bytes of a quoted line's content behind the first sign; 0: it is not one quoted string. */
static size_t quoted_len(struct ca_span line, char quote)
{
	size_t at = 1;

	if (line.len > 2 && line.at[line.len - 1] == ',')
		line.len--;
	if (line.len < 3 || line.at[0] != quote || line.at[line.len - 1] != quote)
		return 0;
	for (; at + 1 < line.len; at++) {
		bool pair = at + 2 < line.len && line.at[at + 1] == quote;

		if (line.at[at] == '\\' && quote == '"')
			at++;
		else if (line.at[at] == quote && !(quote == '"' && pair))
			return 0;
		else if (line.at[at] == quote)
			at++;
	}
	return line.len - 2;
}

struct census {
	size_t lines, empty, numbered, doubled; /* doubled: two lines with no empty one between */
	size_t strings, ticks;
	uint32_t number;
	bool after_line, has_number;
	struct ca_span prefix; /* that all lines so far begin with */
};

static void count_line(struct census *census, struct ca_span line)
{
	struct ca_span bare = ca_span_trim(line, BLANKS);
	uint32_t number = 0;
	size_t len = number_len(line, &number), common = 0;

	census->numbered += len && census->has_number && number == census->number + 1;
	census->has_number = len > 0;
	census->number = number;
	if (!bare.len) {
		census->empty++;
		census->after_line = false;
		return;
	}
	census->doubled += census->after_line;
	census->after_line = true;
	census->strings += quoted_len(bare, '"') > 0;
	census->ticks += quoted_len(bare, '`') > 0;
	if (!census->lines++) {
		census->prefix = line;
		census->prefix.len = line.len < PREFIX_BYTES ? line.len : PREFIX_BYTES;
	}
	while (common < census->prefix.len && common < line.len &&
	       census->prefix.at[common] == line.at[common])
		common++;
	census->prefix.len = common;
}

/* The common beginning up to a bar, or the sign of a comment, a list, a patch. */
static size_t prefix_len(struct ca_span prefix)
{
	const char *bar = prefix.len ? memrchr(prefix.at, '|', prefix.len) : NULL;

	if (bar)
		return (size_t)(bar - prefix.at) + 1;
	return prefix.len && prefix.at[0] && strchr("+#*", prefix.at[0]) ? 1 : 0;
}

void ca_input_frame_find(struct ca_span text, struct ca_input_frame *ret_frame)
{
	struct census census = {0};

	while (text.len)
		count_line(&census, ca_span_take_line(&text));
	*ret_frame = (struct ca_input_frame){
		.prefix_len = census.lines > 2 ? prefix_len(census.prefix) : 0,
		.numbered = census.numbered > 1 && census.numbered + 2 >= census.lines,
		.spaced = census.lines > 5 && !census.doubled && census.empty + 1 >= census.lines,
		.quote = census.strings > 1 && census.strings * 2 > census.lines ? '"'
			 : census.ticks > 1 && census.ticks * 2 > census.lines	 ? '`'
										 : '\0',
	};
}

struct ca_span ca_input_frame_strip(const struct ca_input_frame *frame, struct ca_span line)
{
	uint32_t number;
	size_t len = frame->prefix_len < line.len ? frame->prefix_len : 0;

	if (frame->numbered)
		len = number_len(line, &number);
	line = (struct ca_span){line.at + len, line.len - len};
	if (frame->quote) {
		struct ca_span bare = ca_span_trim(line, BLANKS);

		len = quoted_len(bare, frame->quote);
		if (len)
			line = (struct ca_span){bare.at + 1, len};
	}
	return line;
}
