/* SPDX-License-Identifier: BSD-2-Clause */
#include "register_parse.h"

#include <ctype.h>
#include <string.h>

enum field_form {
	FIELD_NUMBER, /* little-endian */
	FIELD_HEX,    /* hex as text, old nvme-cli leaves the 0x out; a number in JSON */
	FIELD_TEXT,   /* padded with spaces */
	FIELD_STRING, /* padded with zeros */
};

struct field {
	const char *name;
	uint16_t offset, bytes;
	enum field_form form;
};

/* Names as `nvme id-ctrl` prints them, offsets of the Identify Controller page. */
static const struct field fields[] = {
	{"vid", 0, 2, FIELD_NUMBER},	     {"ssvid", 2, 2, FIELD_NUMBER},
	{"sn", 4, 20, FIELD_TEXT},	     {"mn", 24, 40, FIELD_TEXT},
	{"fr", 64, 8, FIELD_TEXT},	     {"rab", 72, 1, FIELD_NUMBER},
	{"ieee", 73, 3, FIELD_HEX},	     {"cmic", 76, 1, FIELD_NUMBER},
	{"mdts", 77, 1, FIELD_NUMBER},	     {"cntlid", 78, 2, FIELD_HEX},
	{"ver", 80, 4, FIELD_HEX},	     {"rtd3r", 84, 4, FIELD_HEX},
	{"rtd3e", 88, 4, FIELD_HEX},	     {"oaes", 92, 4, FIELD_NUMBER},
	{"ctratt", 96, 4, FIELD_NUMBER},     {"rrls", 100, 2, FIELD_NUMBER},
	{"cntrltype", 111, 1, FIELD_NUMBER}, {"oacs", 256, 2, FIELD_NUMBER},
	{"acl", 258, 1, FIELD_NUMBER},	     {"aerl", 259, 1, FIELD_NUMBER},
	{"frmw", 260, 1, FIELD_NUMBER},	     {"lpa", 261, 1, FIELD_NUMBER},
	{"elpe", 262, 1, FIELD_NUMBER},	     {"npss", 263, 1, FIELD_NUMBER},
	{"avscc", 264, 1, FIELD_NUMBER},     {"apsta", 265, 1, FIELD_NUMBER},
	{"wctemp", 266, 2, FIELD_NUMBER},    {"cctemp", 268, 2, FIELD_NUMBER},
	{"mtfa", 270, 2, FIELD_NUMBER},	     {"hmpre", 272, 4, FIELD_NUMBER},
	{"hmmin", 276, 4, FIELD_NUMBER},     {"tnvmcap", 280, 8, FIELD_NUMBER},
	{"unvmcap", 296, 8, FIELD_NUMBER},   {"rpmbs", 312, 4, FIELD_NUMBER},
	{"edstt", 316, 2, FIELD_NUMBER},     {"dsto", 318, 1, FIELD_NUMBER},
	{"fwug", 319, 1, FIELD_NUMBER},	     {"kas", 320, 2, FIELD_NUMBER},
	{"hctma", 322, 2, FIELD_NUMBER},     {"mntmt", 324, 2, FIELD_NUMBER},
	{"mxtmt", 326, 2, FIELD_NUMBER},     {"sanicap", 328, 4, FIELD_NUMBER},
	{"hmminds", 332, 4, FIELD_NUMBER},   {"hmmaxd", 336, 2, FIELD_NUMBER},
	{"sqes", 512, 1, FIELD_NUMBER},	     {"cqes", 513, 1, FIELD_NUMBER},
	{"maxcmd", 514, 2, FIELD_NUMBER},    {"nn", 516, 4, FIELD_NUMBER},
	{"oncs", 520, 2, FIELD_NUMBER},	     {"fuses", 522, 2, FIELD_NUMBER},
	{"fna", 524, 1, FIELD_NUMBER},	     {"vwc", 525, 1, FIELD_NUMBER},
	{"awun", 526, 2, FIELD_NUMBER},	     {"awupf", 528, 2, FIELD_NUMBER},
	{"sgls", 536, 4, FIELD_NUMBER},	     {"mnan", 540, 4, FIELD_NUMBER},
	{"subnqn", 768, 256, FIELD_STRING},
};

/* A piece of the text, not terminated. */
struct span {
	const char *at;
	size_t len;
};

static struct span trim(struct span span, const char *drop)
{
	while (span.len && strchr(drop, span.at[0]) && span.at[0]) {
		span.at++;
		span.len--;
	}
	while (span.len && strchr(drop, span.at[span.len - 1]) && span.at[span.len - 1])
		span.len--;
	return span;
}

/* Hex behind 0x (or always, when hex), else decimal; nothing from a white space on. */
static bool parse_number(struct span span, bool hex, uint64_t *ret_value)
{
	uint64_t value = 0;
	size_t digits = 0;

	if (span.len > 2 && span.at[0] == '0' && tolower((unsigned char)span.at[1]) == 'x') {
		span.at += 2;
		span.len -= 2;
		hex = true;
	}
	for (; span.len && isxdigit((unsigned char)span.at[0]); span.at++, span.len--) {
		int c = tolower((unsigned char)span.at[0]);
		unsigned int digit = (unsigned int)(isdigit(c) ? c - '0' : c - 'a' + 10);

		if (digit >= (hex ? 16U : 10U) || value > (UINT64_MAX - digit) / (hex ? 16 : 10))
			return false;
		value = value * (hex ? 16 : 10) + digit;
		digits++;
	}
	if (!digits || (span.len && !isspace((unsigned char)span.at[0])))
		return false;
	*ret_value = value;
	return true;
}

static bool set_field(uint8_t *page, const struct field *field, struct span value, bool json)
{
	uint64_t number;
	uint8_t little[8];

	if (field->form == FIELD_TEXT || field->form == FIELD_STRING) {
		if (value.len > field->bytes)
			return false;
		memset(page + field->offset, field->form == FIELD_TEXT ? ' ' : 0, field->bytes);
		memcpy(page + field->offset, value.at, value.len);
		return true;
	}
	if (!parse_number(value, field->form == FIELD_HEX && !json, &number) ||
	    (field->bytes < 8 && number >> 8 * field->bytes))
		return false;
	ca_put_le64(little, number);
	memcpy(page + field->offset, little, field->bytes);
	return true;
}

/* One "name : value" or "\"name\" : value,"; returns the index of the field + 1, 0 for none. */
static size_t parse_pair(uint8_t *page, struct span line, bool json)
{
	const char *colon = memchr(line.at, ':', line.len);
	struct span name, value;

	if (!colon)
		return 0;
	name = trim((struct span){line.at, (size_t)(colon - line.at)}, " \t\"{[,");
	value = trim((struct span){colon + 1, line.len - (size_t)(colon + 1 - line.at)},
		     json ? " \t\r\n\"" : " \t\r\n");
	for (size_t i = 0; i < CA_ARRAY_LEN(fields); i++)
		if (strlen(fields[i].name) == name.len &&
		    memcmp(fields[i].name, name.at, name.len) == 0)
			return set_field(page, &fields[i], value, json) ? i + 1 : 0;
	return 0;
}

/* JSON may come in one line: a comma or a brace outside a string ends a pair as well. */
static size_t pair_len(struct span rest, bool json)
{
	bool quoted = false;
	size_t len = 0;

	for (; len < rest.len && rest.at[len] != '\n'; len++) {
		if (json && rest.at[len] == '"')
			quoted = !quoted;
		if (json && !quoted && strchr(",{}[]", rest.at[len]) && rest.at[len])
			break;
	}
	return len;
}

bool ca_nvme_text_parse(const char *text, size_t len, uint8_t ret_page[CA_NVME_ID_BYTES])
{
	uint8_t page[CA_NVME_ID_BYTES] = {0};
	bool seen[CA_ARRAY_LEN(fields)] = {false};
	struct span rest = trim((struct span){text, len}, " \t\r\n");
	bool json = rest.len && rest.at[0] == '{';

	while (rest.len) {
		struct span line = {rest.at, pair_len(rest, json)};
		size_t found = parse_pair(page, line, json);

		if (found)
			seen[found - 1] = true;
		line.len += line.len < rest.len; /* the separator */
		rest.at += line.len;
		rest.len -= line.len;
	}
	/* vid, sn and mn, the head of the page, make it one. */
	if (!seen[0] || !seen[2] || !seen[3])
		return false;
	memcpy(ret_page, page, sizeof(page));
	return true;
}
