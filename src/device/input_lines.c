/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lines that stand alone: grep's PATH/NAME:VALUE, "cid: HEX", udevadm's attributes, what cat
 * printed of a file named before, hex digits that nothing names, rows of a dump.
 */
#include "input_nvme.h"
#include "input_split.h"
#include "register_parse.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

/* What may stand around a value in a program, a table or a shell. */
#define AROUND " \t\r\"'`,;(){}[]|*\\"

/* What may stand around a line of nothing but digits. */
#define QUOTED "\"'`,;\\"

int ca_split_add(struct ca_splitter *splitter, const struct ca_input *input)
{
	int rc = ca_inputs_add(splitter->inputs, input);

	if (rc == -E2BIG)
		return ca_error_set(splitter->error, rc,
				    "line %u: more cards than can be read at once: split the text",
				    splitter->number);
	return rc < 0 ? ca_error_set(splitter->error, rc, "out of memory") : 0;
}

struct ca_input ca_split_input(const struct ca_splitter *splitter, unsigned int kind,
			       struct ca_span value)
{
	return (struct ca_input){.value = value, .number = splitter->number, .kind = kind};
}

static void set_directory(struct ca_input *input, struct ca_span directory)
{
	input->shown = directory;
	input->key = ca_input_key_of_directory(directory);
}

static size_t digits_of_register(unsigned int kind)
{
	return kind < CA_REGISTER_COUNT ? 2 * ca_register_bytes((enum ca_register)kind) : 0;
}

/* ---- hex digits ----------------------------------------------------------------------------- */

/* SCR_STRUCTURE 0 and both bus widths, as every card has them (5.6): half a CID or CSD, wrapped
 * over two lines, is as long. */
static bool looks_like_scr(struct ca_span hex)
{
	uint8_t data[CA_SCR_BYTES];
	size_t bytes;

	return ca_hex_decode(hex.at, hex.len, data, sizeof(data), &bytes) == 0 &&
	       bytes == sizeof(data) && data[0] >> 4 == 0 && (data[1] & 0x0f) == 5;
}

/* A register over several lines is put together: a terminal breaks them anywhere. */
static int join_lines(struct ca_splitter *splitter, struct ca_span *value)
{
	char joined[2 * CA_NVME_ID_BYTES + 1];
	size_t len = 0;
	int rc;

	if (!memchr(value->at, '\n', value->len) || splitter->run.digits >= sizeof(joined))
		return 0;
	for (size_t i = 0; i < value->len && len < sizeof(joined) - 1; i++)
		if (isxdigit((unsigned char)value->at[i]))
			joined[len++] = value->at[i];
	if (len != splitter->run.digits)
		return 0; /* with 0x before each byte: it is read as it stands */
	joined[len] = '\0';
	rc = ca_inputs_keep_name(splitter->inputs, joined, value);
	return rc < 0 ? ca_error_set(splitter->error, rc, "out of memory") : 0;
}

static int excuse_run(struct ca_splitter *splitter, int rc)
{
	splitter->inputs->nameless |= !splitter->inputs->trouble.code;
	return ca_inputs_excuse(splitter->inputs, rc, splitter->error);
}

/* The lines gathered so far are a register, or the first of them has a wrong length. */
static int end_run(struct ca_splitter *splitter)
{
	int rc = splitter->run.active ? join_lines(splitter, &splitter->run.input.value) : 0;
	struct ca_input run = splitter->run.input;

	if (!splitter->run.active || rc < 0)
		return rc;
	splitter->run.active = false;
	if (run.kind != CA_INPUT_NONE)
		return ca_split_add(splitter, &run);
	run.kind = ca_input_kind_of_hex(run.value);
	if (run.kind == CA_REGISTER_SCR && !looks_like_scr(run.value))
		return excuse_run(splitter,
				  ca_error_set(splitter->error, -EBADMSG,
					       "line %u: 16 hex digits that are no SCR: name it, "
					       "as in 'scr: HEX', or give the whole register",
					       run.number));
	if (run.kind != CA_INPUT_NONE)
		return ca_split_add(splitter, &run);
	return excuse_run(
		splitter,
		ca_error_set(splitter->error, -EBADMSG,
			     "line %u: %zu hex digits; a CID or CSD has 32, an SCR 16, an "
			     "SSR 128, an EXT_CSD 1024",
			     run.number, splitter->run.first_digits));
}

/* A register that goes on in the next lines, whose name is known (else CA_INPUT_NONE). */
static void begin_run(struct ca_splitter *splitter, const struct ca_input *input, size_t digits)
{
	splitter->run = (struct ca_split_run){*input, true, digits, digits};
}

/* True when the line is part of the run. */
static bool goes_on(struct ca_split_run *run, struct ca_span line, size_t digits)
{
	size_t whole = digits_of_register(run->input.kind);

	if (!run->active || !digits || (whole && run->digits + digits > whole))
		return false;
	if (!run->digits) {
		run->input.value = line;
		run->first_digits = digits;
	}
	run->digits += digits;
	run->input.value.len = (size_t)(line.at + line.len - run->input.value.at);
	return true;
}

static int read_bare(struct ca_splitter *splitter, struct ca_span text)
{
	struct ca_span line = ca_span_trim(text, QUOTED);
	size_t digits = ca_input_count_hex(line);
	struct ca_input input;
	int rc;

	if (goes_on(&splitter->run, line, digits))
		return splitter->run.digits == digits_of_register(splitter->run.input.kind)
			       ? end_run(splitter)
			       : 0;
	rc = end_run(splitter);
	if (rc < 0 || digits < 16)
		return rc; /* a number, a word, an address: not meant as a register */
	input = ca_split_input(splitter, ca_input_kind_of_hex(line), line);
	if (input.kind != CA_INPUT_NONE &&
	    (input.kind != CA_REGISTER_SCR || looks_like_scr(input.value)))
		return ca_split_add(splitter, &input);
	input.kind = CA_INPUT_NONE;
	begin_run(splitter, &input, digits);
	return 0;
}

/* ---- dumps ---------------------------------------------------------------------------------- */

static bool is_text(const uint8_t *data, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isxdigit(data[i]) && !isspace(data[i]))
			return false;
	return true;
}

/* What bytes without a name are, by what they hold; CA_INPUT_NONE: something else. */
static unsigned int kind_of_dump(const struct ca_input_dump *dump)
{
	if (dump->len == CA_NVME_ID_BYTES && ca_input_is_controller(dump->data))
		return CA_REGISTER_NVME_CTRL;
	if (dump->len == CA_NVME_ID_BYTES && ca_input_is_namespace(dump->data))
		return CA_REGISTER_NVME_NS;
	if (dump->len == CA_EXTCSD_BYTES && ca_input_is_extcsd(dump->data))
		return CA_REGISTER_EXTCSD;
	if (dump->len == CA_NVME_SMART_BYTES && ca_input_is_smart(dump->data))
		return CA_REGISTER_NVME_SMART;
	return CA_INPUT_NONE;
}

static int keep_hex(struct ca_splitter *splitter, struct ca_input *input)
{
	const struct ca_input_dump *dump = &splitter->dump;
	char hex[2 * sizeof(dump->data) + 1];
	int rc;

	if (is_text(dump->data, dump->len)) { /* sysfs files hold digits */
		memcpy(hex, dump->data, dump->len);
		hex[dump->len] = '\0';
	} else {
		ca_hex_encode(dump->data, dump->len, hex);
	}
	rc = ca_inputs_keep_name(splitter->inputs, hex, &input->value);
	input->value = rc < 0 ? input->value : ca_span_trim(input->value, " \t\r\n");
	return rc < 0 ? ca_error_set(splitter->error, rc, "out of memory") : 0;
}

static int end_dump(struct ca_splitter *splitter)
{
	const struct ca_input_dump *dump = &splitter->dump;
	struct ca_input input = splitter->dump_input;
	int rc;

	if (!splitter->dumping)
		return 0;
	splitter->dumping = false;
	if (dump->words) {
		splitter->inputs->hint = "this dump shows words of 16 bits, in the byte order of "
					 "the machine: dump it with xxd or hexdump -C";
		return 0;
	}
	if (dump->len > sizeof(dump->data))
		return 0;
	rc = keep_hex(splitter, &input);
	if (rc < 0)
		return rc;
	if (input.kind == CA_INPUT_NONE)
		input.kind = is_text(dump->data, dump->len) ? ca_input_kind_of_hex(input.value)
							    : kind_of_dump(dump);
	if (input.kind != CA_INPUT_NONE)
		return ca_split_add(splitter, &input);
	splitter->inputs->hint = "a dump does not say which register it shows: write the name "
				 "before it, as in 'cid:', or paste the command as well";
	return 0;
}

/* The name that a label or a command gave to what follows. */
static struct ca_input take_name(struct ca_splitter *splitter)
{
	struct ca_input input = ca_split_input(splitter, CA_INPUT_NONE, (struct ca_span){NULL, 0});
	struct ca_input_files *files = &splitter->files;

	if (splitter->run.active && !splitter->run.digits) {
		input = splitter->run.input;
		splitter->run.active = false;
	} else if (files->next < files->count) {
		input.kind = files->at[files->next].kind;
		if (files->at[files->next].directory.len)
			set_directory(&input, files->at[files->next].directory);
		files->next++;
	}
	if (input.kind >= CA_REGISTER_COUNT)
		input.kind = CA_INPUT_NONE;
	return input;
}

/* True when the line was a dump's. */
static bool read_dump(struct ca_splitter *splitter, struct ca_span line, int *ret_rc)
{
	*ret_rc = 0;
	if (splitter->dumping && ca_input_dump_goes_on(line, &splitter->dump))
		return true;
	*ret_rc = end_dump(splitter);
	if (*ret_rc < 0)
		return true;
	if (!ca_input_dump_begins(line, &splitter->dump))
		return false;
	splitter->dumping = true;
	splitter->dump_input = take_name(splitter);
	*ret_rc = end_run(splitter);
	return true;
}

/* ---- names ---------------------------------------------------------------------------------- */

static int add_attribute(struct ca_splitter *splitter, struct ca_span directory,
			 struct ca_span name, struct ca_span value)
{
	struct ca_input input = ca_split_input(splitter, ca_input_kind_of_name(name), value);

	/* several lines each: only whole files of them are read */
	if (input.kind == CA_INPUT_NONE || input.kind == CA_INPUT_IOS)
		return 0;
	set_directory(&input, directory);
	if (input.kind < CA_REGISTER_COUNT) {
		size_t digits;

		input.value = ca_span_trim(value, AROUND);
		digits = ca_input_count_hex(input.value);
		if (digits && digits < digits_of_register(input.kind)) {
			begin_run(splitter, &input, digits); /* a terminal broke the line */
			return 0;
		}
	}
	return ca_split_add(splitter, &input);
}

static bool split_path(struct ca_span path, struct ca_span *ret_directory, struct ca_span *ret_name)
{
	const char *slash = memrchr(path.at, '/', path.len), *sys;

	if (!slash)
		return false;
	*ret_directory = (struct ca_span){path.at, (size_t)(slash - path.at)};
	/* what stands before an absolute path is no part of it */
	sys = memmem(path.at, ret_directory->len, "/sys/", 5);
	if (sys)
		*ret_directory = (struct ca_span){sys, (size_t)(slash - sys)};
	*ret_name = (struct ca_span){slash + 1, path.len - (size_t)(slash + 1 - path.at)};
	return true;
}

/* "cat: /sys/block/...: Permission denied" */
static bool is_message(struct ca_span line)
{
	size_t len = 0;

	while (len < line.len && isalnum((unsigned char)line.at[len]))
		len++;
	return len && ca_span_starts_with((struct ca_span){line.at + len, line.len - len}, ": /");
}

/* PATH/NAME:VALUE, as grep prints a file's lines; PATH/NAME HEX. False: another line. */
static bool split_path_line(struct ca_span line, struct ca_span *ret_directory,
			    struct ca_span *ret_name, struct ca_span *ret_value)
{
	struct ca_span name;
	size_t len = 0;
	unsigned int kind;
	const char *blank;

	if (!split_path(line, ret_directory, &name) || is_message(line))
		return false;
	while (len < name.len && !isspace((unsigned char)name.at[len]) && name.at[len] != ':' &&
	       name.at[len] != '=')
		len++;
	*ret_name = (struct ca_span){name.at, len};
	*ret_value = (struct ca_span){name.at + len, name.len - len};
	if (len < name.len && name.at[len] == ':') {
		*ret_value = (struct ca_span){name.at + len + 1, name.len - len - 1};
		return true;
	}
	kind = ca_input_kind_of_name(*ret_name);
	*ret_value = ca_span_trim(*ret_value, " \t=:");
	blank = memrchr(ret_directory->at, ' ', ret_directory->len);
	if (blank)
		*ret_directory = (struct ca_span){
			blank + 1, ret_directory->len - (size_t)(blank + 1 - ret_directory->at)};
	return kind < CA_REGISTER_COUNT &&
	       ca_input_count_hex(*ret_value) == digits_of_register(kind);
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
	if (kind < CA_REGISTER_COUNT)
		*ret_value = ca_span_trim(*ret_value, AROUND);
	if (!sure && kind < CA_REGISTER_COUNT && !ca_input_count_hex(*ret_value))
		return CA_INPUT_NONE;
	/* what sysfs calls size, vendor ... is only that in a file of its name */
	return kind <= CA_INPUT_MMC_ONLY ? kind : CA_INPUT_NONE;
}

bool ca_split_stands_alone(struct ca_span line)
{
	struct ca_span value = line, directory, name, rest = line;
	unsigned int kind = split_label(line, &value);

	if (ca_input_take_named(&rest, &kind, &value) ||
	    ca_input_udev_attribute(line, &name, &value))
		return true;
	if (memchr(line.at, '/', line.len))
		return split_path_line(line, &directory, &name, &value) &&
		       ca_input_kind_of_name(name) != CA_INPUT_NONE;
	if (kind >= CA_REGISTER_COUNT)
		value = line;
	return !memchr(value.at, ' ', value.len) && !memchr(value.at, ':', value.len) &&
	       ca_input_count_hex(value) >= 16 && ca_input_kind_of_hex(value) != CA_INPUT_NONE;
}

/* Every register that the line names; false when it names none. */
static bool read_named(struct ca_splitter *splitter, struct ca_span line, int *ret_rc)
{
	struct ca_input input = ca_split_input(splitter, CA_INPUT_NONE, line);
	bool any = false;

	*ret_rc = 0;
	while (*ret_rc == 0 && ca_input_take_named(&line, &input.kind, &input.value)) {
		any = true;
		*ret_rc = ca_split_add(splitter, &input);
	}
	return any;
}

static int read_label(struct ca_splitter *splitter, struct ca_span line)
{
	struct ca_span value;
	struct ca_input input = ca_split_input(splitter, split_label(line, &value), line);
	size_t digits;
	int rc;

	if (input.kind == CA_INPUT_NONE)
		return read_bare(splitter, line);
	rc = end_run(splitter);
	if (rc < 0)
		return rc;
	input.value = value;
	digits = ca_input_count_hex(value);
	if (!digits && input.kind < CA_REGISTER_COUNT && memchr(value.at, ' ', value.len))
		return 0; /* words: a decoded register, or prose */
	if ((digits || !value.len) && digits < digits_of_register(input.kind)) {
		begin_run(splitter, &input, digits); /* the rest may stand in the next lines */
		return 0;
	}
	return ca_split_add(splitter, &input);
}

/* The next line of a file whose name is known; false when it is something else. */
static bool read_file(struct ca_splitter *splitter, struct ca_span line, int *ret_rc)
{
	struct ca_input_files *files = &splitter->files;
	const struct ca_input_file *file = &files->at[files->next];
	struct ca_input input = ca_split_input(splitter, CA_INPUT_NONE, line);
	size_t digits = ca_input_count_hex(line);

	if (files->next == files->count)
		return false;
	*ret_rc = 0;
	if (!line.len)
		return true;
	input.kind = file->kind;
	if (file->directory.len)
		set_directory(&input, file->directory);
	if (file->kind < CA_REGISTER_COUNT &&
	    (!digits || digits > digits_of_register(file->kind))) {
		files->count = files->next; /* an error message: what follows has no name */
		return false;
	}
	files->next++;
	*ret_rc = end_run(splitter);
	if (*ret_rc < 0 || file->kind == CA_INPUT_NONE || file->kind == CA_INPUT_IOS)
		return true;
	if (file->kind < CA_REGISTER_COUNT && digits < digits_of_register(file->kind))
		begin_run(splitter, &input, digits);
	else
		*ret_rc = ca_split_add(splitter, &input);
	return true;
}

/* "==> PATH <==" of head and tail: the next line is of that file. */
static bool takes_head(struct ca_splitter *splitter, struct ca_span line)
{
	struct ca_input_file *file = &splitter->files.at[0];
	struct ca_span path, name;

	if (!ca_span_starts_with(line, "==> ") || line.len <= 8 ||
	    memcmp(line.at + line.len - 4, " <==", 4) != 0)
		return false;
	path = (struct ca_span){line.at + 4, line.len - 8};
	splitter->files.next = splitter->files.count = 0;
	if (split_path(path, &file->directory, &name)) {
		file->kind = ca_input_kind_of_name(name);
		splitter->files.count = 1;
	}
	return true;
}

/* Lines about what follows them. */
static bool takes_context(struct ca_splitter *splitter, struct ca_span line)
{
	return takes_head(splitter, line) || ca_input_files_of_command(line, &splitter->files) ||
	       ca_input_udev_device(line, &splitter->udev);
}

int ca_split_line(struct ca_splitter *splitter, struct ca_span line)
{
	struct ca_span directory, name, value;
	int rc;

	if (read_dump(splitter, line, &rc))
		return rc;
	if (takes_context(splitter, line))
		return end_run(splitter);
	if (read_file(splitter, line, &rc))
		return rc;
	if (ca_input_udev_attribute(line, &name, &value)) {
		rc = end_run(splitter);
		return rc < 0 ? rc
			      : add_attribute(splitter, ca_input_key_of_directory(splitter->udev),
					      name, value);
	}
	if (memchr(line.at, '/', line.len) && split_path_line(line, &directory, &name, &value) &&
	    ca_input_kind_of_name(name) != CA_INPUT_NONE) {
		rc = end_run(splitter);
		return rc < 0 ? rc : add_attribute(splitter, directory, name, value);
	}
	if (read_named(splitter, line, &rc))
		return rc < 0 ? rc : end_run(splitter);
	if (memchr(line.at, '/', line.len))
		return end_run(splitter);
	return read_label(splitter, line);
}

int ca_split_end_lines(struct ca_splitter *splitter)
{
	int rc = end_dump(splitter);

	return rc < 0 ? rc : end_run(splitter);
}
