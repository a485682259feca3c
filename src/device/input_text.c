/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A paste, line by line. Most lines stand alone (input_lines.c, and the kernel log); what a tool
 * prints of one register is a block of lines, known by how it begins and ended by whatever begins
 * next.
 */
#include "input_nvme.h"
#include "input_split.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

/* What may begin a block; BLOCK_OTHER is another device of lspci, of no use. */
enum {
	BLOCK_OTHER = CA_INPUT_NONE + 1,
	BLOCK_IDLE,
};

/* ---- blocks --------------------------------------------------------------------------------- */

static int end_type(struct ca_splitter *splitter)
{
	struct ca_input type = splitter->type;

	type.shown.len = 0;
	splitter->type.value.len = 0;
	return type.value.len ? ca_split_add(splitter, &type) : 0;
}

/* `end` is where the line behind the block begins. */
static int end_block(struct ca_splitter *splitter, const char *end)
{
	struct ca_input block = splitter->block;

	if (splitter->kind == BLOCK_IDLE)
		return 0;
	block.kind = splitter->kind;
	splitter->kind = BLOCK_IDLE;
	if (block.kind == BLOCK_OTHER)
		return 0;
	block.value.len = (size_t)(end - block.value.at);
	return ca_split_add(splitter, &block);
}

static bool is_nvme(unsigned int kind)
{
	return kind == CA_INPUT_NVME_CTRL || kind == CA_INPUT_NVME_NS ||
	       kind == CA_INPUT_NVME_SMART;
}

/* A drive whose name is not known is at least not the memory card beside it. */
static void name_drive(const struct ca_splitter *splitter, struct ca_input *input)
{
	input->shown = splitter->device;
	input->key = splitter->device.len ? splitter->device : (struct ca_span){"nvme", 4};
}

static unsigned int begins(struct ca_span line, struct ca_span rest, unsigned int *ret_marker)
{
	unsigned int kind = ca_nvme_text_begins(line);
	bool nvme = false;

	*ret_marker = 0;
	if (ca_nvme_smartctl_begins(line, rest))
		return CA_INPUT_NVME_CTRL;
	if (kind == CA_INPUT_NONE && ca_input_pci_begins(line, &nvme))
		kind = nvme ? CA_INPUT_PCI : (unsigned int)BLOCK_OTHER;
	return kind == CA_INPUT_NONE ? ca_input_mmc_begins(line, ret_marker) : kind;
}

static int begin_block(struct ca_splitter *splitter, unsigned int kind, unsigned int marker,
		       struct ca_span line)
{
	int rc;

	if (splitter->kind == kind && !(splitter->markers & UINT32_C(1) << marker)) {
		splitter->markers |= UINT32_C(1) << marker;
		return 0; /* one format may have several beginnings */
	}
	rc = end_block(splitter, line.at);
	if (rc == 0)
		rc = ca_split_end_lines(splitter);
	splitter->block = ca_split_input(splitter, kind, line);
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
static bool takes_device(struct ca_splitter *splitter, struct ca_span line)
{
	static const char *const commands[] = {"id-ctrl ", "id ctrl ", "id-ns ", "smart-log "};
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

struct json_registers {
	struct ca_splitter *splitter;
	int rc;
};

/* "cid":"0353...", "cid":{"raw":"0353...", ...} */
static void add_json_register(void *context, const struct ca_json_value *value)
{
	struct json_registers *registers = context;
	struct ca_span name = ca_span_is(value->name, "raw") ? value->group : value->name;
	struct ca_input input =
		ca_split_input(registers->splitter, ca_input_kind_of_name(name), value->text);

	if (registers->rc == 0 && value->string && input.kind < CA_REGISTER_COUNT)
		registers->rc = ca_split_add(registers->splitter, &input);
}

static int add_json_registers(struct ca_splitter *splitter, struct ca_span text)
{
	struct json_registers registers = {splitter, 0};

	(void)ca_json_walk(text, add_json_register, &registers); /* walked before: it is whole */
	return registers.rc;
}

/* One object of smartctl -j tells of the drive and of its health. */
static int add_json_page(struct ca_splitter *splitter, struct ca_input *input)
{
	struct ca_span text = input->value;
	bool controller = ca_nvme_smartctl_is_json(text, CA_REGISTER_NVME_CTRL);
	bool smart = ca_nvme_smartctl_is_json(text, CA_REGISTER_NVME_SMART);
	int rc = 0;

	name_drive(splitter, input);
	if (!controller && !smart) {
		input->kind = ca_nvme_json_kind(text);
		return input->kind == CA_INPUT_NONE ? add_json_registers(splitter, text)
						    : ca_split_add(splitter, input);
	}
	if (controller) {
		input->kind = CA_INPUT_NVME_CTRL;
		rc = ca_split_add(splitter, input);
	}
	if (smart && rc == 0) {
		input->kind = CA_INPUT_NVME_SMART;
		rc = ca_split_add(splitter, input);
	}
	return rc;
}

/* The object does not end: of a page what stands before the cut is read; the lines of all else. */
static int read_cut_json(struct ca_splitter *splitter, struct ca_span text)
{
	struct ca_input input = ca_split_input(splitter, CA_INPUT_NONE, text);
	int rc = ca_inputs_excuse(
		splitter->inputs,
		ca_error_set(splitter->error, -EBADMSG,
			     "line %u: the JSON object that begins here does not end, or is none: "
			     "paste all that the command printed",
			     splitter->number),
		splitter->error);

	if (rc < 0 || (ca_nvme_json_kind(text) == CA_INPUT_NONE &&
		       !ca_nvme_smartctl_is_json(text, CA_REGISTER_NVME_CTRL)))
		return rc;
	splitter->rest.len = 0;
	return add_json_page(splitter, &input);
}

static int read_json(struct ca_splitter *splitter, struct ca_span line)
{
	struct ca_span text = {line.at, (size_t)(splitter->rest.at + splitter->rest.len - line.at)};
	struct ca_span behind;
	struct ca_input input;
	size_t len = ca_json_walk(text, NULL, NULL);
	int rc;

	if (!len)
		return read_cut_json(splitter, text);
	text.len = len;
	input = ca_split_input(splitter, CA_INPUT_NONE, text);
	rc = add_json_page(splitter, &input);
	for (size_t i = 0; i < len; i++)
		splitter->number += text.at[i] == '\n';
	splitter->rest.len -= (size_t)(text.at + len - splitter->rest.at);
	splitter->rest.at = text.at + len;
	/* the object's last line is counted: what ends it is no line of its own */
	behind = splitter->rest;
	if (!ca_span_trim(ca_span_take_line(&behind), CA_SPLIT_SPACES).len)
		splitter->rest = behind;
	return rc;
}

/* ---- the text ------------------------------------------------------------------------------- */

/* What ends a block before it is looked at itself. */
static int end_all(struct ca_splitter *splitter, const char *at)
{
	int rc = end_block(splitter, at);

	if (rc == 0)
		rc = end_type(splitter);
	return rc < 0 ? rc : ca_split_end_lines(splitter);
}

static int read_inside(struct ca_splitter *splitter, struct ca_span line)
{
	struct ca_span value;
	int rc;

	if (splitter->kind != BLOCK_IDLE &&
	    (ca_split_stands_alone(line) || is_quoted_type(line, &value) ||
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
		splitter->type = ca_split_input(splitter, CA_INPUT_TYPE, value);
		splitter->type.shown = line; /* its beginning; no path names a card here */
		return ca_split_end_lines(splitter);
	}
	return ca_split_line(splitter, line);
}

static int read_line(struct ca_splitter *splitter, struct ca_span line)
{
	struct ca_span log = ca_input_log_line(line);
	unsigned int kind, marker;
	struct ca_input input;
	int rc;

	if (log.at) {
		input = ca_split_input(splitter, CA_INPUT_LOG, log);
		return ca_split_add(splitter, &input);
	}
	if (line.len && line.at[0] == '{' &&
	    may_be_json((struct ca_span){
		    line.at, (size_t)(splitter->rest.at + splitter->rest.len - line.at)})) {
		rc = end_all(splitter, line.at);
		return rc < 0 ? rc : read_json(splitter, line);
	}
	if (takes_device(splitter, line))
		return end_all(splitter, line.at);
	kind = begins(line, splitter->rest, &marker);
	if (kind != CA_INPUT_NONE)
		return begin_block(splitter, kind, marker, line);
	return read_inside(splitter, line);
}

int ca_input_text_split(const char *text, size_t len, struct ca_inputs *inputs,
			struct ca_error *error)
{
	struct ca_splitter splitter = {
		.inputs = inputs, .error = error, .rest = {text, len}, .kind = BLOCK_IDLE};
	int rc = 0;

	while (splitter.rest.len && rc == 0) {
		struct ca_span line = ca_span_take_line(&splitter.rest);

		splitter.number++;
		rc = read_line(&splitter, ca_span_trim(line, CA_SPLIT_SPACES));
	}
	return rc < 0 ? rc : end_all(&splitter, text + len);
}
