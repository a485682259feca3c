/* SPDX-License-Identifier: BSD-2-Clause */
#include "input.h"

#include "register_parse.h"
#include "vendor_dir.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* 20,000 cards with all their attributes; a Raspberry Pi Zero can still hold them. */
#define PIECES_MAX 600000U

struct ca_span ca_span_trim(struct ca_span span, const char *drop)
{
	while (span.len && span.at[0] && strchr(drop, span.at[0])) {
		span.at++;
		span.len--;
	}
	while (span.len && span.at[span.len - 1] && strchr(drop, span.at[span.len - 1]))
		span.len--;
	return span;
}

bool ca_span_is(struct ca_span span, const char *text)
{
	return span.len == strlen(text) && (!span.len || memcmp(span.at, text, span.len) == 0);
}

bool ca_span_starts_with(struct ca_span span, const char *text)
{
	return span.len >= strlen(text) && memcmp(span.at, text, strlen(text)) == 0;
}

struct ca_span ca_span_take_line(struct ca_span *rest)
{
	const char *end = memchr(rest->at, '\n', rest->len);
	struct ca_span line = {rest->at, end ? (size_t)(end - rest->at) : rest->len};
	size_t taken = line.len + (end != NULL);

	rest->at += taken;
	rest->len -= taken;
	return line;
}

struct ca_span ca_span_behind(struct ca_span span, const char *text)
{
	size_t len = strlen(text);
	const char *found = span.len ? memmem(span.at, span.len, text, len) : NULL;

	if (!found)
		return (struct ca_span){NULL, 0};
	return (struct ca_span){found + len, span.len - (size_t)(found - span.at) - len};
}

static unsigned int digit_of(char c)
{
	int lower = tolower((unsigned char)c);

	return (unsigned int)(isdigit(lower) ? lower - '0' : lower - 'a' + 10);
}

bool ca_span_number(struct ca_span span, bool hex, uint64_t *ret_value)
{
	uint64_t value = 0;
	size_t digits = 0;

	if (span.len > 2 && span.at[0] == '0' && tolower((unsigned char)span.at[1]) == 'x') {
		span.at += 2;
		span.len -= 2;
		hex = true;
	}
	for (; span.len; span.at++, span.len--) {
		unsigned int base = hex ? 16 : 10, digit;

		if (!hex && digits && span.at[0] == ',' && span.len > 1 &&
		    isdigit((unsigned char)span.at[1]))
			continue;
		if (!isxdigit((unsigned char)span.at[0]))
			break;
		digit = digit_of(span.at[0]);
		if (digit >= base || value > (UINT64_MAX - digit) / base)
			return false;
		value = value * base + digit;
		digits++;
	}
	if (!digits || (span.len && isalnum((unsigned char)span.at[0])))
		return false;
	*ret_value = value;
	return true;
}

void ca_inputs_done(struct ca_inputs *inputs)
{
	for (size_t i = 0; i < inputs->name_count; i++)
		free(inputs->names[i]);
	free(inputs->names);
	free(inputs->at);
	memset(inputs, 0, sizeof(*inputs));
}

int ca_inputs_add(struct ca_inputs *inputs, const struct ca_input *input)
{
	if (inputs->count == PIECES_MAX)
		return -E2BIG;
	if (inputs->count == inputs->room) {
		size_t room = inputs->room ? 2 * inputs->room : 64;
		struct ca_input *grown = realloc(inputs->at, room * sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		inputs->at = grown;
		inputs->room = room;
	}
	inputs->at[inputs->count] = *input;
	inputs->count++;
	inputs->at[inputs->count - 1].order = (unsigned int)inputs->count;
	return 0;
}

int ca_inputs_excuse(struct ca_inputs *inputs, int rc, struct ca_error *error)
{
	if (rc != -EBADMSG)
		return rc;
	if (!inputs->trouble.code && error)
		inputs->trouble = *error;
	if (error)
		memset(error, 0, sizeof(*error));
	return 0;
}

int ca_inputs_keep_name(struct ca_inputs *inputs, const char *name, struct ca_span *ret_name)
{
	char *copy;

	if (inputs->name_count == inputs->name_room) {
		size_t room = inputs->name_room ? 2 * inputs->name_room : 16;
		char **grown = realloc(inputs->names, room * sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		inputs->names = grown;
		inputs->name_room = room;
	}
	copy = strdup(name);
	if (!copy)
		return -ENOMEM;
	inputs->names[inputs->name_count++] = copy;
	*ret_name = (struct ca_span){copy, strlen(copy)};
	return 0;
}

unsigned int ca_input_kind_of_name(struct ca_span name)
{
	static const struct {
		const char *name;
		unsigned int kind;
	} others[] = {{"type", CA_INPUT_TYPE},
		      {"ocr", CA_INPUT_OCR},
		      {"prv", CA_INPUT_MMC_ONLY},
		      {"life_time", CA_INPUT_MMC_ONLY},
		      {"cmdq_en", CA_INPUT_MMC_ONLY},
		      {"pre_eol_info", CA_INPUT_MMC_ONLY},
		      {"size", CA_INPUT_SIZE},
		      {"vendor", CA_INPUT_VENDOR},
		      {"subsystem_vendor", CA_INPUT_SUBSYSTEM_VENDOR},
		      {"masked", CA_INPUT_MASKED},
		      {"host_facts", CA_INPUT_FACTS},
		      {"device_facts", CA_INPUT_DEVICE},
		      {"ios", CA_INPUT_IOS}};
	enum ca_register reg;
	unsigned int index;

	if (ca_register_find(name.at, name.len, &reg))
		return reg;
	for (size_t i = 0; i < CA_ARRAY_LEN(others); i++)
		if (strlen(others[i].name) == name.len &&
		    strncasecmp(others[i].name, name.at, name.len) == 0)
			return others[i].kind;
	return ca_vendor_dir_find(name.at, name.len, &index) ? CA_INPUT_CMD56 + index
							     : CA_INPUT_NONE;
}

/* "0" of mmcblk0: a partition's size and a queue's limits are not the card's. */
static bool is_whole_disk(const char *at, const char *end)
{
	while (at < end && isdigit((unsigned char)*at))
		at++;
	return at == end;
}

struct ca_span ca_input_key_of_directory(struct ca_span directory)
{
	static const char device[] = "/device";
	const char *block;

	if (!directory.len)
		return directory;
	block = memmem(directory.at, directory.len, "/block/mmcblk", 13);
	/* the disk below its card: ".../mmc0:aaaa/block/mmcblk0", not "/sys/block/mmcblk0" */
	if (block && memchr(directory.at, ':', (size_t)(block - directory.at)))
		return is_whole_disk(block + 13, directory.at + directory.len)
			       ? (struct ca_span){directory.at, (size_t)(block - directory.at)}
			       : directory;
	if (directory.len >= strlen(device) &&
	    memcmp(directory.at + directory.len - strlen(device), device, strlen(device)) == 0)
		directory.len -= strlen(device);
	return directory;
}

unsigned int ca_input_register(unsigned int kind)
{
	switch (kind) {
	case CA_INPUT_MMC_CID:
		return CA_REGISTER_CID;
	case CA_INPUT_MMC_CSD:
		return CA_REGISTER_CSD;
	case CA_INPUT_MMC_SCR:
		return CA_REGISTER_SCR;
	case CA_INPUT_MMC_EXTCSD:
		return CA_REGISTER_EXTCSD;
	case CA_INPUT_NVME_CTRL:
		return CA_REGISTER_NVME_CTRL;
	case CA_INPUT_NVME_NS:
		return CA_REGISTER_NVME_NS;
	case CA_INPUT_NVME_SMART:
		return CA_REGISTER_NVME_SMART;
	default:
		return kind < CA_REGISTER_COUNT ? kind : CA_REGISTER_COUNT;
	}
}
