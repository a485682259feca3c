/* SPDX-License-Identifier: BSD-2-Clause */
/* Bytes as xxd, hexdump -C, od -t x1 and nvme-cli dump them, an offset before each row. */
#include "input_dump.h"

#include <ctype.h>
#include <string.h>

#define ROW_BYTES_MAX 32U

struct row {
	uint64_t offset;
	size_t count;
	bool words; /* groups of 16 bits in the order of the machine */
	uint8_t bytes[ROW_BYTES_MAX];
};

static unsigned int digit(char c)
{
	return isdigit((unsigned char)c) ? (unsigned int)(c - '0')
					 : (unsigned int)(tolower((unsigned char)c) - 'a' + 10);
}

static size_t count_digits(struct ca_span text)
{
	size_t digits = 0;

	while (digits < text.len && isxdigit((unsigned char)text.at[digits]))
		digits++;
	return digits;
}

/* The offset and a colon behind it, if there is one. Its bytes, 0: it is no row. */
static size_t take_offset(struct ca_span line, struct row *row, bool *ret_colon)
{
	size_t digits = count_digits(line);

	*ret_colon = digits < line.len && line.at[digits] == ':';
	if (digits > 16 || digits < (*ret_colon ? 4U : 6U))
		return 0;
	/* od counts in octal, and alone writes seven digits before single bytes */
	for (size_t i = 0; i < digits; i++)
		row->offset = !*ret_colon && digits == 7
				      ? row->offset << 3 | (digit(line.at[i]) & 7U)
				      : row->offset << 4 | digit(line.at[i]);
	digits += *ret_colon;
	return digits == line.len || line.at[digits] == ' ' || line.at[digits] == '\t' ? digits : 0;
}

/* Digits of the group at the beginning of text; 0: the letters beside the bytes begin. */
static size_t group_digits(struct ca_span text, size_t usual, bool colon)
{
	size_t digits = count_digits(text);
	char next = digits < text.len ? text.at[digits] : ' ';

	if (next != ' ' && next != '\t')
		return 0;
	if (!usual)
		return digits == 2 || digits == 4 ? digits : 0;
	/* the last group of xxd may be half a one */
	return digits == usual || (colon && digits == 2 && usual == 4) ? digits : 0;
}

static bool parse_row(struct ca_span line, struct row *ret_row)
{
	struct row row = {0};
	bool colon;
	size_t at = take_offset(line, &row, &colon), usual = 0;

	if (!at)
		return false;
	while (row.count < ROW_BYTES_MAX) {
		struct ca_span rest = {line.at + at, line.len - at};
		size_t blanks = rest.len - ca_span_trim(rest, " \t").len, digits;

		/* trimmed at both ends: the line ends in no blank */
		if (row.count && colon && blanks > 1)
			break;
		rest = (struct ca_span){rest.at + blanks, rest.len - blanks};
		digits = group_digits(rest, usual, colon);
		if (!digits)
			break;
		for (size_t i = 0; i < digits; i += 2)
			row.bytes[row.count++] =
				(uint8_t)(digit(rest.at[i]) << 4 | digit(rest.at[i + 1]));
		usual = usual ? usual : digits;
		at += blanks + digits;
	}
	row.words = !colon && usual == 4;
	*ret_row = row;
	return true;
}

static void append(struct ca_input_dump *dump, const uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count && dump->len + i < sizeof(dump->data); i++)
		dump->data[dump->len + i] = bytes[i];
	dump->len += count;
}

/* hexdump's '*': the last row again, up to the offset that follows. */
static void repeat(struct ca_input_dump *dump, uint64_t until)
{
	uint8_t last[16];

	if (dump->len < sizeof(last) || dump->len > sizeof(dump->data))
		return;
	memcpy(last, dump->data + dump->len - sizeof(last), sizeof(last));
	while (dump->len < until && dump->len < sizeof(dump->data))
		append(dump, last, sizeof(last));
}

bool ca_input_dump_begins(struct ca_span line, struct ca_input_dump *dump)
{
	struct row row;

	if (!parse_row(line, &row) || !row.count)
		return false;
	memset(dump, 0, sizeof(*dump));
	dump->base = row.offset;
	dump->words = row.words;
	append(dump, row.bytes, row.count);
	/* words of bare hex may look like a row; only the first offset of a file is sure */
	return row.words ? row.offset == 0 && row.count == 16 : true;
}

bool ca_input_dump_goes_on(struct ca_span line, struct ca_input_dump *dump)
{
	struct row row;

	if (ca_span_is(line, "*")) {
		dump->repeats = true;
		return true;
	}
	if (!parse_row(line, &row))
		return false;
	if (dump->repeats)
		repeat(dump, row.offset - dump->base);
	dump->repeats = false;
	if (row.offset - dump->base != dump->len)
		return false;
	append(dump, row.bytes, row.count);
	return true;
}
