/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A paste, line by line. Most lines stand alone (grep's PATH/NAME:VALUE, "cid: HEX", bare hex, the
 * kernel log); what a tool prints of one register is a block of lines, known by how it begins and
 * ended by whatever begins next.
 */
#include "input.h"
#include "input_nvme.h"
#include "register_parse.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#define SPACES " \t\r\v\f\b>" /* '>' quotes in mail and bug reports */

/* What may begin a block; BLOCK_OTHER is another device of lspci, of no use. */
enum {
	BLOCK_OTHER = CA_INPUT_NONE + 1,
	BLOCK_IDLE,
};

struct splitter {
	struct ca_inputs *inputs;
	struct ca_error *error;
	struct ca_span rest;   /* behind the line at hand */
	unsigned int number;   /* of the line at hand, from 1 */
	struct ca_span device; /* the NVMe drive that the last command named */
	struct ca_span head;   /* "==> PATH <==": the path of the next line */
	/* the block being read */
	unsigned int kind;
	struct ca_input block;
	uint32_t markers; /* beginnings seen in it */
	/* "type: 'SD'": it may begin a block of mmc-utils or stand alone */
	struct ca_input type;
	/* lines of hex that only together may be a register */
	struct ca_input run;
	size_t run_digits, first_digits;
};

static int add(struct splitter *splitter, const struct ca_input *input)
{
	int rc = ca_inputs_add(splitter->inputs, input);

	if (rc == -E2BIG)
		return ca_error_set(splitter->error, rc,
				    "line %u: more cards than can be read at once: split the text",
				    splitter->number);
	return rc < 0 ? ca_error_set(splitter->error, rc, "out of memory") : 0;
}

static struct ca_input line_input(const struct splitter *splitter, unsigned int kind,
				  struct ca_span value)
{
	return (struct ca_input){.value = value, .number = splitter->number, .kind = kind};
}

/* ---- bare hex ------------------------------------------------------------------------------- */

/*
 * Digits of a line that is nothing but hex, in one piece or in equal pieces of whole bytes; 0 when
 * it is something else, such as a row of numbers.
 */
static size_t count_hex(struct ca_span line)
{
	size_t digits = 0, group = 0, groups = 0, first = 0;

	for (size_t i = 0; i <= line.len; i++) {
		char c = i < line.len ? line.at[i] : ' ';

		if (group == 1 && line.at[i - 1] == '0' && (c == 'x' || c == 'X')) {
			group = 0;
			digits--;
		} else if (isxdigit((unsigned char)c)) {
			digits++;
			group++;
		} else if (!c || !strchr(" \t:-", c)) {
			return 0;
		} else if (group) {
			first = groups++ ? first : group;
			if (groups > 1 && (group != first || group % 2))
				return 0;
			group = 0;
		}
	}
	return digits;
}

/* The register of so many bytes, CA_INPUT_NONE when none has that length. */
static unsigned int kind_of_hex(struct ca_span hex)
{
	uint8_t data[CA_NVME_ID_BYTES];
	size_t bytes;

	if (ca_hex_decode(hex.at, hex.len, data, sizeof(data), &bytes) < 0)
		return CA_INPUT_NONE;
	switch (bytes) {
	case CA_CID_BYTES:
		return CA_INPUT_BARE_16;
	case CA_SCR_BYTES:
		return CA_REGISTER_SCR;
	case CA_SSR_BYTES:
		return CA_REGISTER_SSR;
	case CA_EXTCSD_BYTES:
		return ca_input_is_smart(data) ? CA_REGISTER_NVME_SMART : CA_REGISTER_EXTCSD;
	case CA_NVME_ID_BYTES:
		return ca_input_is_namespace(data) ? CA_REGISTER_NVME_NS : CA_REGISTER_NVME_CTRL;
	default:
		return CA_INPUT_NONE;
	}
}

/* SCR_STRUCTURE 0 and both bus widths, as every card has them (5.6): half a CID or CSD, wrapped
 * over two lines, is as long. */
static bool looks_like_scr(struct ca_span hex)
{
	uint8_t data[CA_SCR_BYTES];
	size_t bytes;

	return ca_hex_decode(hex.at, hex.len, data, sizeof(data), &bytes) == 0 &&
	       bytes == sizeof(data) && data[0] >> 4 == 0 && (data[1] & 0x0f) == 5;
}

/* The lines gathered so far are a register, or the first of them has a wrong length. */
static int end_run(struct splitter *splitter)
{
	struct ca_input run = splitter->run;

	if (!splitter->run_digits)
		return 0;
	splitter->run_digits = 0;
	run.kind = kind_of_hex(run.value);
	if (run.kind == CA_REGISTER_SCR && !looks_like_scr(run.value))
		return ca_error_set(splitter->error, -EBADMSG,
				    "line %u: 16 hex digits that are no SCR: name it, as in "
				    "'scr: HEX', or give the whole register",
				    run.number);
	if (run.kind != CA_INPUT_NONE)
		return add(splitter, &run);
	return ca_error_set(splitter->error, -EBADMSG,
			    "line %u: %zu hex digits; a CID or CSD has 32, an SCR 16, an SSR 128, "
			    "an EXT_CSD 1024",
			    run.number, splitter->first_digits);
}

static int read_bare(struct splitter *splitter, struct ca_span line)
{
	size_t digits = count_hex(line);
	struct ca_input input;

	if (splitter->run_digits) {
		if (!digits)
			return end_run(splitter);
		splitter->run_digits += digits;
		splitter->run.value.len = (size_t)(line.at + line.len - splitter->run.value.at);
		return 0;
	}
	if (digits < 16)
		return 0; /* a number, a word, an address: not meant as a register */
	input = line_input(splitter, kind_of_hex(line), line);
	if (input.kind != CA_INPUT_NONE &&
	    (input.kind != CA_REGISTER_SCR || looks_like_scr(input.value)))
		return add(splitter, &input);
	splitter->run = input;
	splitter->run_digits = splitter->first_digits = digits;
	return 0;
}

/* ---- single lines --------------------------------------------------------------------------- */

static int add_attribute(struct splitter *splitter, struct ca_span path, struct ca_span value)
{
	const char *slash = memrchr(path.at, '/', path.len);
	struct ca_input input = line_input(splitter, CA_INPUT_NONE, value);

	if (!slash)
		return 0;
	input.kind = ca_input_kind_of_name(
		(struct ca_span){slash + 1, path.len - (size_t)(slash + 1 - path.at)});
	/* several lines each: only whole files of them are read */
	if (input.kind == CA_INPUT_NONE || input.kind == CA_INPUT_IOS)
		return 0;
	input.shown = (struct ca_span){path.at, (size_t)(slash - path.at)};
	input.key = ca_input_key_of_directory(input.shown);
	return add(splitter, &input);
}

/* PATH/NAME:VALUE, as grep prints a file's lines. */
static int read_path(struct splitter *splitter, struct ca_span line)
{
	const char *slash = memrchr(line.at, '/', line.len), *end = line.at + line.len, *colon;

	colon = slash ? memchr(slash, ':', (size_t)(end - slash)) : NULL;
	if (!colon)
		return 0;
	return add_attribute(splitter, (struct ca_span){line.at, (size_t)(colon - line.at)},
			     (struct ca_span){colon + 1, (size_t)(end - colon - 1)});
}

/* "NAME: VALUE", "NAME VALUE", "NAME = VALUE"; in prose a name is no label. */
static unsigned int split_label(struct ca_span line, struct ca_span *ret_value)
{
	size_t name = 0, at;
	bool sure = false;
	unsigned int kind;

	while (name < line.len && (isalnum((unsigned char)line.at[name]) || line.at[name] == '_'))
		name++;
	for (at = name; at < line.len && line.at[at] && strchr(" \t:=", line.at[at]); at++)
		sure |= line.at[at] == ':' || line.at[at] == '=';
	if (at == name)
		return CA_INPUT_NONE;
	kind = ca_input_kind_of_name((struct ca_span){line.at, name});
	*ret_value = (struct ca_span){line.at + at, line.len - at};
	if (!sure && kind < CA_REGISTER_COUNT && !count_hex(*ret_value))
		return CA_INPUT_NONE;
	/* what sysfs calls size, vendor ... is only that in a file of its name */
	return kind <= CA_INPUT_MMC_ONLY ? kind : CA_INPUT_NONE;
}

/* A line that gives a register by itself, whatever stands around it. */
static bool stands_alone(struct ca_span line)
{
	struct ca_span value = line;
	const char *slash = memrchr(line.at, '/', line.len), *colon = NULL;
	unsigned int kind = split_label(line, &value);

	if (slash) {
		colon = memchr(slash, ':', (size_t)(line.at + line.len - slash));
		kind = colon ? ca_input_kind_of_name(
				       (struct ca_span){slash + 1, (size_t)(colon - slash - 1)})
			     : CA_INPUT_NONE;
		return kind != CA_INPUT_NONE;
	}
	if (kind >= CA_REGISTER_COUNT)
		value = line;
	return !memchr(value.at, ' ', value.len) && !memchr(value.at, ':', value.len) &&
	       count_hex(value) >= 16 && kind_of_hex(value) != CA_INPUT_NONE;
}

static int read_single(struct splitter *splitter, struct ca_span line)
{
	struct ca_span value;
	struct ca_input input;
	int rc;

	if (splitter->head.len) {
		struct ca_span head = splitter->head;

		splitter->head.len = 0;
		return add_attribute(splitter, head, line);
	}
	if (ca_span_starts_with(line, "==> ") && line.len > 8 &&
	    memcmp(line.at + line.len - 4, " <==", 4) == 0) {
		splitter->head = (struct ca_span){line.at + 4, line.len - 8};
		return end_run(splitter);
	}
	input = line_input(splitter, CA_INPUT_NONE, line);
	if (memchr(line.at, '/', line.len)) {
		rc = end_run(splitter);
		return rc < 0 ? rc : read_path(splitter, line);
	}
	input.kind = split_label(line, &value);
	if (input.kind == CA_INPUT_NONE)
		return read_bare(splitter, line);
	input.value = value;
	rc = end_run(splitter);
	return rc < 0 ? rc : add(splitter, &input);
}

/* ---- blocks --------------------------------------------------------------------------------- */

static int end_type(struct splitter *splitter)
{
	struct ca_input type = splitter->type;

	type.shown.len = 0;
	splitter->type.value.len = 0;
	return type.value.len ? add(splitter, &type) : 0;
}

/* `end` is where the line behind the block begins. */
static int end_block(struct splitter *splitter, const char *end)
{
	struct ca_input block = splitter->block;

	if (splitter->kind == BLOCK_IDLE)
		return 0;
	block.kind = splitter->kind;
	splitter->kind = BLOCK_IDLE;
	if (block.kind == BLOCK_OTHER)
		return 0;
	block.value.len = (size_t)(end - block.value.at);
	return add(splitter, &block);
}

static bool is_nvme(unsigned int kind)
{
	return kind == CA_INPUT_NVME_CTRL || kind == CA_INPUT_NVME_NS ||
	       kind == CA_INPUT_NVME_SMART;
}

/* A drive whose name is not known is at least not the memory card beside it. */
static void name_drive(const struct splitter *splitter, struct ca_input *input)
{
	input->shown = splitter->device;
	input->key = splitter->device.len ? splitter->device : (struct ca_span){"nvme", 4};
}

static unsigned int begins(struct ca_span line, unsigned int *ret_marker)
{
	unsigned int kind = ca_nvme_text_begins(line);
	bool nvme = false;

	*ret_marker = 0;
	if (kind == CA_INPUT_NONE && ca_input_pci_begins(line, &nvme))
		kind = nvme ? CA_INPUT_PCI : (unsigned int)BLOCK_OTHER;
	return kind == CA_INPUT_NONE ? ca_input_mmc_begins(line, ret_marker) : kind;
}

static int begin_block(struct splitter *splitter, unsigned int kind, unsigned int marker,
		       struct ca_span line)
{
	int rc;

	if (splitter->kind == kind && !(splitter->markers & UINT32_C(1) << marker)) {
		splitter->markers |= UINT32_C(1) << marker;
		return 0; /* one format may have several beginnings */
	}
	rc = end_block(splitter, line.at);
	if (rc == 0)
		rc = end_run(splitter);
	splitter->block = line_input(splitter, kind, line);
	if (is_nvme(kind))
		name_drive(splitter, &splitter->block);
	if (splitter->type.value.len &&
	    (kind == CA_INPUT_MMC_CID || kind == CA_INPUT_MMC_CSD || kind == CA_INPUT_MMC_SCR)) {
		splitter->block.value.at = splitter->type.shown.at;
		splitter->block.number = splitter->type.number;
		splitter->type.value.len = 0;
	} else if (rc == 0) {
		rc = end_type(splitter);
	}
	splitter->kind = kind;
	splitter->markers = UINT32_C(1) << marker;
	return rc;
}

/* "type: 'SD'" of mmc-utils begins what follows it. */
static bool is_quoted_type(struct ca_span line, struct ca_span *ret_value)
{
	if (!ca_span_starts_with(line, "type: '"))
		return false;
	*ret_value = (struct ca_span){line.at + 6, line.len - 6};
	return true;
}

/* Empty lines end what mmc-utils and lspci print of one thing. */
static bool ends_at_empty_line(unsigned int kind)
{
	return kind == CA_INPUT_MMC_CID || kind == CA_INPUT_MMC_CSD || kind == CA_INPUT_MMC_SCR ||
	       kind == CA_INPUT_PCI || kind == BLOCK_OTHER;
}

/* ---- commands and JSON ---------------------------------------------------------------------- */

/* "nvme id-ctrl /dev/nvme0", "Smart Log for NVME device:nvme0n1 ...": whose data follow. */
static bool takes_device(struct splitter *splitter, struct ca_span line)
{
	static const char *const commands[] = {"id-ctrl ", "id-ns ", "smart-log "};
	struct ca_span name = {NULL, 0};
	size_t len = 4;

	for (size_t i = 0; !name.at && i < CA_ARRAY_LEN(commands); i++)
		if (ca_span_behind(line, commands[i]).at && ca_span_behind(line, "nvme ").at)
			name = ca_span_behind(line, "/dev/nvme");
	if (!name.at && splitter->device.len && ca_span_starts_with(line, "Smart Log for NVME "))
		name = ca_span_behind(ca_span_behind(line, "device:"), "nvme");
	if (!name.at || !name.len || !isdigit((unsigned char)name.at[0]))
		return false;
	name.at -= 4; /* with its "nvme" */
	name.len += 4;
	while (len < name.len && isdigit((unsigned char)name.at[len]))
		len++;
	splitter->device = (struct ca_span){name.at, len};
	return true;
}

static bool may_be_json(struct ca_span text)
{
	text.at++;
	text.len--;
	while (text.len && isspace((unsigned char)text.at[0])) {
		text.at++;
		text.len--;
	}
	return text.len && text.at[0] == '"';
}

static int read_json(struct splitter *splitter, struct ca_span line)
{
	struct ca_span text = {line.at, (size_t)(splitter->rest.at + splitter->rest.len - line.at)};
	struct ca_span behind;
	struct ca_input input;
	size_t len = ca_json_walk(text, NULL, NULL);
	int rc;

	if (!len)
		return ca_error_set(splitter->error, -EBADMSG,
				    "line %u: the JSON object that begins here does not end, or is "
				    "none: paste all that the command printed",
				    splitter->number);
	text.len = len;
	input = line_input(splitter, ca_nvme_json_kind(text), text);
	name_drive(splitter, &input);
	if (input.kind == CA_INPUT_NONE) {
		splitter->inputs->last_json = text;
		rc = 0;
	} else {
		rc = add(splitter, &input);
	}
	for (size_t i = 0; i < len; i++)
		splitter->number += text.at[i] == '\n';
	splitter->rest.len -= (size_t)(text.at + len - splitter->rest.at);
	splitter->rest.at = text.at + len;
	/* the object's last line is counted: what ends it is no line of its own */
	behind = splitter->rest;
	if (!ca_span_trim(ca_span_take_line(&behind), SPACES).len)
		splitter->rest = behind;
	return rc;
}

/* ---- the text ------------------------------------------------------------------------------- */

/* What ends a block before it is looked at itself. */
static int end_all(struct splitter *splitter, const char *at)
{
	int rc = end_block(splitter, at);

	if (rc == 0)
		rc = end_type(splitter);
	return rc < 0 ? rc : end_run(splitter);
}

static int read_inside(struct splitter *splitter, struct ca_span line)
{
	struct ca_span value;
	int rc;

	if (splitter->kind != BLOCK_IDLE && (stands_alone(line) || is_quoted_type(line, &value) ||
					     (!line.len && ends_at_empty_line(splitter->kind)))) {
		rc = end_block(splitter, line.at);
		if (rc < 0)
			return rc;
	}
	if (splitter->kind != BLOCK_IDLE)
		return 0;
	rc = end_type(splitter);
	if (rc < 0)
		return rc;
	if (is_quoted_type(line, &value)) {
		splitter->type = line_input(splitter, CA_INPUT_TYPE, value);
		splitter->type.shown = line; /* its beginning; no path names a card here */
		return end_run(splitter);
	}
	return read_single(splitter, line);
}

static int read_line(struct splitter *splitter, struct ca_span line)
{
	struct ca_span log = ca_input_log_line(line);
	unsigned int kind, marker;
	struct ca_input input;
	int rc;

	if (log.at) {
		input = line_input(splitter, CA_INPUT_LOG, log);
		return add(splitter, &input);
	}
	if (line.len && line.at[0] == '{' &&
	    may_be_json((struct ca_span){
		    line.at, (size_t)(splitter->rest.at + splitter->rest.len - line.at)})) {
		rc = end_all(splitter, line.at);
		return rc < 0 ? rc : read_json(splitter, line);
	}
	if (takes_device(splitter, line))
		return end_all(splitter, line.at);
	kind = begins(line, &marker);
	if (kind != CA_INPUT_NONE)
		return begin_block(splitter, kind, marker, line);
	return read_inside(splitter, line);
}

int ca_input_text_split(const char *text, size_t len, struct ca_inputs *inputs,
			struct ca_error *error)
{
	struct splitter splitter = {
		.inputs = inputs, .error = error, .rest = {text, len}, .kind = BLOCK_IDLE};
	int rc = 0;

	while (splitter.rest.len && rc == 0) {
		struct ca_span line = ca_span_take_line(&splitter.rest);

		splitter.number++;
		rc = read_line(&splitter, ca_span_trim(line, SPACES));
	}
	return rc < 0 ? rc : end_all(&splitter, text + len);
}
