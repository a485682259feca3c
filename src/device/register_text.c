/* SPDX-License-Identifier: BSD-2-Clause */
#include "register_parse.h"
#include "cardassay/host.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What a line gives: a register, or one of these. */
enum {
	LINE_TYPE = CA_REGISTER_COUNT,
	LINE_OCR,
	LINE_MMC_ONLY, /* an attribute that only eMMC has */
	LINE_BARE_16,  /* 16 bytes of bare hex: a CID or the CSD that follows it */
	LINE_KINDS,
};

struct line {
	const char *key; /* the card's directory; key_len 0: the line names none */
	size_t key_len;
	const char *value;
	size_t value_len;
	unsigned int number; /* from 1 */
	unsigned int card;   /* number of the first line of the same card */
	unsigned int kind;   /* enum ca_register or LINE_* */
};

struct lines {
	struct line *at;
	size_t count, room;
};

static int add_line(struct lines *lines, const struct line *line)
{
	if (lines->count == lines->room) {
		size_t room = lines->room ? 2 * lines->room : 64;
		struct line *grown = realloc(lines->at, room * sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		lines->at = grown;
		lines->room = room;
	}
	lines->at[lines->count++] = *line;
	return 0;
}

/* The kind of an attribute name, LINE_KINDS when it is of no use here. */
static unsigned int kind_of_name(const char *name, size_t len)
{
	static const struct {
		const char *name;
		unsigned int kind;
	} others[] = {{"type", LINE_TYPE},	  {"ocr", LINE_OCR},
		      {"prv", LINE_MMC_ONLY},	  {"life_time", LINE_MMC_ONLY},
		      {"cmdq_en", LINE_MMC_ONLY}, {"pre_eol_info", LINE_MMC_ONLY}};
	enum ca_register reg;

	if (ca_register_find(name, len, &reg))
		return reg;
	for (size_t i = 0; i < CA_ARRAY_LEN(others); i++)
		if (strlen(others[i].name) == len && strncasecmp(others[i].name, name, len) == 0)
			return others[i].kind;
	return LINE_KINDS;
}

/* PATH/NAME:VALUE, as grep prints a file's lines. */
static void split_path(const char *text, size_t len, const char *slash, struct line *line)
{
	const char *name = slash + 1, *end = text + len;
	const char *colon = memchr(name, ':', (size_t)(end - name));

	if (!colon)
		return;
	line->kind = kind_of_name(name, (size_t)(colon - name));
	line->key = text;
	line->key_len = (size_t)(slash - text);
	line->value = colon + 1;
	line->value_len = (size_t)(end - line->value);
}

/* "NAME: VALUE", "NAME VALUE", "NAME = VALUE". */
static void split_label(const char *text, size_t len, struct line *line)
{
	size_t name = 0, at;

	while (name < len && (isalnum((unsigned char)text[name]) || text[name] == '_'))
		name++;
	at = name;
	while (at < len && text[at] && strchr(" \t:=", text[at]))
		at++;
	line->kind = at > name ? kind_of_name(text, name) : LINE_KINDS;
	line->value = text + at;
	line->value_len = len - at;
}

/* Bare hex of a register's length. An error names the line when it is hex of any other length. */
static int read_bare(const char *text, size_t len, struct line *line, struct ca_error *error)
{
	uint8_t data[CA_NVME_ID_BYTES];
	size_t bytes = 0, digits = 0;
	int rc;

	for (size_t i = 0; i < len; i++) {
		if (isxdigit((unsigned char)text[i]))
			digits++;
		else if (!text[i] || !strchr(" \t:-xX", text[i]))
			return 0;
	}
	if (digits < 12)
		return 0; /* a number, a word: not meant as a register */
	rc = ca_hex_decode(text, len, data, sizeof(data), &bytes);
	line->value = text;
	line->value_len = len;
	if (rc == 0 && bytes == CA_CID_BYTES)
		line->kind = LINE_BARE_16;
	else if (rc == 0 && bytes == CA_SCR_BYTES)
		line->kind = CA_REGISTER_SCR;
	else if (rc == 0 && bytes == CA_SSR_BYTES)
		line->kind = CA_REGISTER_SSR;
	else if (rc == 0 && bytes == CA_EXTCSD_BYTES)
		line->kind = CA_REGISTER_EXTCSD;
	else if (rc == 0 && bytes == CA_NVME_ID_BYTES)
		line->kind = CA_REGISTER_NVME_CTRL;
	else
		return ca_error_set(error, -EBADMSG,
				    "line %u: %zu hex digits; a CID or CSD has 32, an SCR 16, an "
				    "SSR 128, an EXT_CSD 1024",
				    line->number, digits);
	return 0;
}

static int read_line(struct lines *lines, const char *text, size_t len, unsigned int number,
		     struct ca_error *error)
{
	struct line line = {.kind = LINE_KINDS, .number = number};
	const char *slash;
	int rc = 0;

	while (len && isspace((unsigned char)text[len - 1]))
		len--;
	while (len && isspace((unsigned char)text[0])) {
		text++;
		len--;
	}
	slash = memrchr(text, '/', len);
	if (slash)
		split_path(text, len, slash, &line);
	else
		split_label(text, len, &line);
	if (line.kind == LINE_KINDS && !slash)
		rc = read_bare(text, len, &line, error);
	return rc < 0 || line.kind == LINE_KINDS ? rc : add_line(lines, &line);
}

static int split_lines(const char *text, size_t len, struct lines *lines, struct ca_error *error)
{
	unsigned int number = 0;
	int rc = 0;

	while (len && rc == 0) {
		const char *end = memchr(text, '\n', len);
		size_t line_len = end ? (size_t)(end - text) : len;

		rc = read_line(lines, text, line_len, ++number, error);
		line_len += end != NULL;
		text += line_len;
		len -= line_len;
	}
	return rc;
}

static int compare_keys(const struct line *a, const struct line *b)
{
	size_t len = a->key_len < b->key_len ? a->key_len : b->key_len;
	int order = len ? memcmp(a->key, b->key, len) : 0;

	return order ? order : (a->key_len > b->key_len) - (a->key_len < b->key_len);
}

static int by_key(const void *one, const void *other)
{
	const struct line *a = one, *b = other;
	int order = compare_keys(a, b);

	return order ? order : (a->number > b->number) - (a->number < b->number);
}

static int by_card(const void *one, const void *other)
{
	const struct line *a = one, *b = other;

	if (a->card != b->card)
		return a->card > b->card ? 1 : -1;
	return (a->number > b->number) - (a->number < b->number);
}

/*
 * A bare second line is the CSD of the first only if it can be one: lists of nothing but CIDs are
 * common. Its TRAN_SPEED is one of few codes, and the low bits of its first byte are reserved.
 */
static bool can_be_csd(const struct line *line)
{
	static const uint8_t speeds[] = {0x32, 0x5a, 0x2b, 0x0b, 0x2a};
	uint8_t csd[CA_CSD_BYTES];
	size_t bytes;

	if (ca_hex_decode(line->value, line->value_len, csd, sizeof(csd), &bytes) < 0)
		return false;
	return !(csd[0] & 0x03) && memchr(speeds, csd[3], sizeof(speeds));
}

/* A CSD that stands alone: version 2.0 or 3.0 with its fixed beginning (S T5-16), which no CID has.
 */
static bool is_surely_csd(const struct line *line)
{
	uint8_t csd[CA_CSD_BYTES];
	size_t bytes;

	return ca_hex_decode(line->value, line->value_len, csd, sizeof(csd), &bytes) == 0 &&
	       (csd[0] == 0x40 || csd[0] == 0x80) && csd[1] == 0x0e && csd[2] == 0x00 &&
	       can_be_csd(line);
}

static unsigned int bare_register(const struct line *line, uint32_t seen)
{
	if (is_surely_csd(line))
		return CA_REGISTER_CSD;
	return seen & 1U << CA_REGISTER_CID && !(seen & 1U << CA_REGISTER_CSD) && can_be_csd(line)
		       ? CA_REGISTER_CSD
		       : CA_REGISTER_CID;
}

/*
 * Lines of one directory belong together wherever they stand; a register that comes again begins
 * the next card (the next one in the same slot, or the next block of lines without a directory).
 */
static void group(struct lines *lines)
{
	unsigned int card = 0;
	uint32_t seen = 0;

	if (!lines->count)
		return;
	qsort(lines->at, lines->count, sizeof(*lines->at), by_key);
	for (size_t i = 0; i < lines->count; i++) {
		struct line *line = &lines->at[i];
		bool first = i == 0 || compare_keys(line - 1, line) != 0;

		if (first)
			seen = 0;
		if (line->kind == LINE_BARE_16)
			line->kind = bare_register(line, seen);
		if (line->kind != LINE_MMC_ONLY && seen & 1U << line->kind) {
			first = true;
			seen = 0;
		}
		if (first)
			card = line->number;
		line->card = card;
		seen |= 1U << line->kind;
	}
	qsort(lines->at, lines->count, sizeof(*lines->at), by_card);
}

static int apply(const struct line *line, struct ca_raw_registers *registers, bool *ret_typed,
		 struct ca_error *error)
{
	char place[64];
	uint8_t ocr[4];
	size_t len;

	switch (line->kind) {
	case LINE_TYPE:
		*ret_typed |=
			ca_register_parse_type(line->value, line->value_len, &registers->type);
		return 0;
	case LINE_OCR:
		if (ca_hex_decode(line->value, line->value_len, ocr, sizeof(ocr), &len) == 0 &&
		    len == sizeof(ocr)) {
			registers->has_ocr = true;
			registers->ocr = (uint32_t)ocr[0] << 24 | (uint32_t)ocr[1] << 16 |
					 (uint32_t)ocr[2] << 8 | ocr[3];
		}
		return 0;
	case LINE_MMC_ONLY:
		registers->type = *ret_typed ? registers->type : CA_CARD_TYPE_MMC;
		return 0;
	default:
		(void)snprintf(place, sizeof(place), "line %u: %s", line->number,
			       ca_register_name((enum ca_register)line->kind));
		return ca_register_set_hex(registers, (enum ca_register)line->kind, place,
					   line->value, line->value_len, error);
	}
}

static bool has_any(const struct ca_raw_registers *registers)
{
	for (size_t i = 0; i < CA_REGISTER_COUNT; i++)
		if (registers->has[i])
			return true;
	return false;
}

/* A context with the caller's function and what was found so far. */
struct delivery {
	int (*each)(void *context, const char *name, const struct ca_raw_registers *registers);
	void *context;
	unsigned int cards;
};

/* Lines first .. last - 1 are one card. */
static int deliver(const struct line *first, size_t count, struct delivery *delivery,
		   struct ca_error *error)
{
	struct ca_raw_registers registers = {.type = CA_CARD_TYPE_SD};
	bool typed = false;
	char name[256];
	int rc;

	for (size_t i = 0; i < count; i++) {
		rc = apply(&first[i], &registers, &typed, error);
		if (rc < 0)
			return rc;
	}
	if (!has_any(&registers))
		return 0; /* a type alone is no card */
	if (!typed && registers.has[CA_REGISTER_EXTCSD])
		registers.type = CA_CARD_TYPE_MMC;
	delivery->cards++;
	if (first->key_len)
		(void)snprintf(name, sizeof(name), "%.*s", (int)first->key_len, first->key);
	else
		(void)snprintf(name, sizeof(name), "card %u", delivery->cards);
	return delivery->each(delivery->context, name, &registers);
}

static int deliver_all(const struct lines *lines, struct delivery *delivery, struct ca_error *error)
{
	size_t first = 0;
	int rc = 0;

	while (first < lines->count && rc == 0) {
		size_t end = first + 1;

		while (end < lines->count && lines->at[end].card == lines->at[first].card)
			end++;
		rc = deliver(&lines->at[first], end - first, delivery, error);
		first = end;
	}
	return rc;
}

/* Raw bytes: only an Identify Controller page has a length of its own. */
static int read_binary(const char *data, size_t len, struct delivery *delivery,
		       struct ca_error *error)
{
	struct ca_raw_registers registers = {0};

	if (len != CA_NVME_ID_BYTES)
		return ca_error_set(error, -EBADMSG,
				    "%zu bytes of binary data; known is Identify Controller of "
				    "4096 bytes. A disk image is written image:FILE",
				    len);
	memcpy(registers.nvme_ctrl, data, len);
	registers.has[CA_REGISTER_NVME_CTRL] = true;
	delivery->cards++;
	return delivery->each(delivery->context, "card 1", &registers);
}

static int read_text(const char *text, size_t len, struct delivery *delivery,
		     struct ca_error *error)
{
	struct ca_raw_registers registers = {0};
	struct lines lines = {0};
	int rc;

	rc = split_lines(text, len, &lines, error);
	if (rc == 0) {
		group(&lines);
		rc = deliver_all(&lines, delivery, error);
	}
	free(lines.at);
	if (rc || delivery->cards)
		return rc == -ENOMEM ? ca_error_set(error, rc, "out of memory") : rc;
	if (ca_nvme_text_parse(text, len, registers.nvme_ctrl)) {
		registers.has[CA_REGISTER_NVME_CTRL] = true;
		delivery->cards++;
		return delivery->each(delivery->context, "card 1", &registers);
	}
	return ca_error_set(error, -EBADMSG,
			    "no register in it: lines such as 'cid: 32 hex digits', the output of "
			    "grep . /sys/bus/mmc/devices/mmc*/*, or nvme id-ctrl are understood");
}

int ca_host_read_register_text(const char *text, size_t len,
			       int (*each)(void *context, const char *name,
					   const struct ca_raw_registers *registers),
			       void *context, struct ca_error *error)
{
	struct delivery delivery = {each, context, 0};

	if (memchr(text, '\0', len))
		return read_binary(text, len, &delivery, error);
	return read_text(text, len, &delivery, error);
}
