/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Directories of cards in a tar archive (ustar, pax, GNU), read where it lies: nothing is unpacked,
 * names are only names and open nothing, links are not followed. Files of sysfs come with the 4096
 * bytes that the kernel claims they have, filled up with zeros.
 */
#include "input.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define BLOCK	   512U
#define NAME_BYTES 4096U

/* Fields of a header: offset, bytes. */
#define NAME_LEN	100U
#define SIZE_OFFSET	124U
#define SUM_OFFSET	148U
#define TYPE_OFFSET	156U
#define MAGIC_OFFSET	257U
#define EXTENDED_OFFSET 482U
#define PREFIX_OFFSET	345U
#define PREFIX_LEN	155U

struct archive {
	const char *data;
	size_t len, at;
	unsigned int number;   /* of the entry, from 1 */
	char name[NAME_BYTES]; /* of the next entry, from a header of its own; "" = none */
	bool has_size, sparse; /* of the next entry, from a pax header */
	uint64_t size;
};

/* Octal, or binary behind a byte with its top bit set. */
static bool parse_number(const char *field, size_t len, uint64_t *ret_value)
{
	uint64_t value = 0;
	bool any = false;

	if ((unsigned char)field[0] == 0x80) {
		for (size_t i = 1; i < len; i++) {
			if (value >> 55)
				return false;
			value = value << 8 | (unsigned char)field[i];
		}
		*ret_value = value;
		return true;
	}
	for (size_t i = 0; i < len && field[i] && (field[i] != ' ' || !any); i++) {
		if (field[i] == ' ')
			continue;
		if (field[i] < '0' || field[i] > '7' || value >> 60)
			return false;
		value = value << 3 | (uint64_t)(field[i] - '0');
		any = true;
	}
	*ret_value = value;
	return any;
}

/* The sum counts its own field as spaces. */
static bool is_header(const char *block)
{
	uint64_t sum, found = 0;

	if (!parse_number(block + SUM_OFFSET, 8, &sum))
		return false;
	for (size_t i = 0; i < BLOCK; i++)
		found += i >= SUM_OFFSET && i < SUM_OFFSET + 8 ? ' ' : (unsigned char)block[i];
	return found == sum;
}

bool ca_input_is_tar(const char *data, size_t len)
{
	return len >= BLOCK && data[0] && is_header(data);
}

/* ---- names ---------------------------------------------------------------------------------- */

static void header_name(const char *header, char ret_name[NAME_BYTES])
{
	bool ustar = memcmp(header + MAGIC_OFFSET, "ustar\0", 6) == 0;
	size_t prefix = ustar ? strnlen(header + PREFIX_OFFSET, PREFIX_LEN) : 0;

	(void)snprintf(ret_name, NAME_BYTES, "%.*s%s%.*s", (int)prefix, header + PREFIX_OFFSET,
		       prefix ? "/" : "", (int)strnlen(header, NAME_LEN), header);
}

/* "LENGTH KEY=VALUE\n" records; those of use are path and size. */
static void read_pax(struct archive *archive, struct ca_span text)
{
	uint64_t len;

	while (text.len && ca_span_number(text, false, &len) && len && len <= text.len) {
		struct ca_span record = ca_span_behind((struct ca_span){text.at, (size_t)len}, " "),
			       value;

		if (!record.at || !record.len)
			return;
		record.len--; /* the newline */
		value = ca_span_behind(record, "=");
		if (ca_span_starts_with(record, "path=") && value.len < NAME_BYTES)
			(void)snprintf(archive->name, NAME_BYTES, "%.*s", (int)value.len, value.at);
		else if (ca_span_starts_with(record, "size="))
			archive->has_size = ca_span_number(value, false, &archive->size);
		else if (ca_span_starts_with(record, "GNU.sparse."))
			archive->sparse = true; /* its data are not the file's */
		text.at += len;
		text.len -= (size_t)len; /* at most text.len, see above */
	}
}

/* ---- entries -------------------------------------------------------------------------------- */

static bool is_printable(struct ca_span data)
{
	for (size_t i = 0; i < data.len; i++)
		if (!isprint((unsigned char)data.at[i]) && !isspace((unsigned char)data.at[i]))
			return false;
	return true;
}

static int add_file(struct archive *archive, const char *name, struct ca_span data,
		    struct ca_inputs *inputs)
{
	const char *slash = strrchr(name, '/');
	struct ca_input input = {.value = data, .number = archive->number};
	size_t directory = slash ? (size_t)(slash - name) : 0;
	struct ca_span text = data, last;
	int rc;

	last = (struct ca_span){slash ? slash + 1 : name, strlen(slash ? slash + 1 : name)};
	input.kind = ca_input_kind_of_name(last);
	if (input.kind == CA_INPUT_NONE)
		return 0;
	while (text.len && !text.at[text.len - 1])
		text.len--;
	input.bytes = (input.kind < CA_REGISTER_COUNT ||
		       (input.kind >= CA_INPUT_CMD56 && input.kind <= CA_INPUT_CMD56_LAST)) &&
		      !is_printable(text);
	if (!input.bytes)
		input.value = ca_span_trim(text, " \t\r\n");
	if (input.kind >= CA_REGISTER_COUNT && !input.value.len)
		return 0;
	if (directory) {
		rc = ca_inputs_keep_name(inputs, name, &input.shown);
		if (rc < 0)
			return rc;
		input.shown.len = directory;
		input.key = ca_input_key_of_directory(input.shown);
	}
	return ca_inputs_add(inputs, &input);
}

static int read_entry(struct archive *archive, const char *header, struct ca_span data,
		      struct ca_inputs *inputs)
{
	char name[NAME_BYTES];
	char type = header[TYPE_OFFSET];
	bool usual;
	int rc = 0;

	if (type == 'x') {
		read_pax(archive, data);
		return 0;
	}
	if (type == 'L') { /* GNU: the next name, when it is long */
		if (data.len < NAME_BYTES)
			(void)snprintf(archive->name, NAME_BYTES, "%.*s", (int)data.len, data.at);
		return 0;
	}
	if (type == 'g' || type == 'K') /* global pax header, long target of a link */
		return 0;
	usual = (type == '0' || type == '\0' || type == '7') && !archive->sparse;
	header_name(header, name);
	if (usual)
		rc = add_file(archive, archive->name[0] ? archive->name : name, data, inputs);
	archive->name[0] = '\0';
	archive->has_size = archive->sparse = false;
	return rc;
}

static int damaged(const struct archive *archive, const char *what, struct ca_error *error)
{
	return ca_error_set(error, -EBADMSG, "tar archive, offset %zu, entry %u: %s", archive->at,
			    archive->number, what);
}

/* Old GNU sparse files have more headers before their data. */
static bool skip_sparse_headers(struct archive *archive, const char *header)
{
	bool more = header[TYPE_OFFSET] == 'S' && header[EXTENDED_OFFSET];

	while (more) {
		if (archive->len - archive->at < BLOCK)
			return false;
		more = archive->data[archive->at + BLOCK - 8] != 0; /* isextended at 504 */
		archive->at += BLOCK;
	}
	return true;
}

static int next_entry(struct archive *archive, struct ca_inputs *inputs, struct ca_error *error)
{
	const char *header = archive->data + archive->at, type = header[TYPE_OFFSET];
	bool of_file = type != 'x' && type != 'g' && type != 'L' && type != 'K';
	bool link = type >= '1' && type <= '6'; /* links, devices, directories: no data */
	struct ca_span data;
	uint64_t size;
	int rc;

	if (!is_header(header))
		return damaged(archive, "no header here: the archive is damaged, copy it anew",
			       error);
	if (!parse_number(header + SIZE_OFFSET, 12, &size))
		return damaged(archive, "its size is no number", error);
	if (of_file && archive->has_size)
		size = archive->size;
	if (link)
		size = 0;
	archive->at += BLOCK;
	if (!skip_sparse_headers(archive, header) || size > archive->len - archive->at)
		return damaged(archive, "the archive ends inside of it: copy it anew", error);
	data = (struct ca_span){archive->data + archive->at, (size_t)size};
	rc = read_entry(archive, header, data, inputs);
	if (rc < 0)
		return ca_error_set(error, rc,
				    rc == -E2BIG ? "entry %u: too many cards at once"
						 : "entry %u: out of memory",
				    archive->number);
	size = (size + BLOCK - 1) / BLOCK * BLOCK;
	archive->at = size > archive->len - archive->at ? archive->len : archive->at + (size_t)size;
	return 0;
}

int ca_input_tar_split(const char *data, size_t len, struct ca_inputs *inputs,
		       struct ca_error *error)
{
	struct archive archive = {.data = data, .len = len};
	int rc;

	inputs->unit = "entry";
	for (;;) {
		archive.number++;
		if (len - archive.at < BLOCK)
			return damaged(&archive, "the archive ends early: copy it anew", error);
		if (ca_bytes_is_all(data + archive.at, BLOCK, 0))
			return 0; /* a block of zeros ends it */
		rc = next_entry(&archive, inputs, error);
		if (rc < 0)
			return rc;
	}
}
