/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli.h"

#include <jansson.h>
#include <string.h>

static void escape(const char *string, char *ret, size_t size)
{
	struct ca_text text;

	ca_text_init(&text, ret, size);
	ca_text_escaped(&text, string, strlen(string));
}

static json_t *entry_to_json(const struct ca_device_entry *entry)
{
	char model[260], serial[260], path[1030];

	escape(entry->model, model, sizeof(model));
	escape(entry->serial, serial, sizeof(serial));
	escape(entry->host_path, path, sizeof(path));
	return json_pack("{s:s, s:s, s:I, s:s, s:b, s:s, s:s, s:s, s:s, s:b, s:b, s:b}", "node",
			 entry->node, "kind", entry->kind, "bytes", (json_int_t)entry->bytes,
			 "confirm", entry->confirm, "in_use", entry->in_use, "refused_because",
			 entry->refused_because, "model", model, "serial", serial, "host_path",
			 path, "removable", entry->removable, "read_only", entry->read_only,
			 "registers_visible", entry->registers_visible);
}

static int print_json(const struct ca_device_entry *entries, size_t count)
{
	json_t *array = json_array();
	CA_CLEANUP_FREE char *text = NULL;
	struct ca_error error = {0};
	bool ok = array != NULL;
	int r;

	for (size_t i = 0; ok && i < count; i++)
		ok = json_array_append_new(array, entry_to_json(&entries[i])) == 0;
	if (ok)
		text = json_dumps(array, JSON_INDENT(2));
	json_decref(array);
	if (!text) {
		ca_report("out of memory.");
		return CA_EXIT_INTERNAL;
	}
	r = ca_stdout_write(text, strlen(text), &error);
	if (r == 0)
		r = ca_stdout_write("\n", 1, &error);
	return r < 0 ? ca_report_error(&error, r) : CA_EXIT_PASS;
}

static void print_entry(const struct ca_device_entry *entry)
{
	char model[260], path[1030], size[64];
	struct ca_text text;

	escape(entry->model, model, sizeof(model));
	escape(entry->host_path, path, sizeof(path));
	ca_text_init(&text, size, sizeof(size));
	ca_text_size(&text, entry->bytes);
	(void)printf("%-16s %-7s %s%s%s\n", entry->node, entry->kind, size, *model ? "  " : "",
		     model);
	if (*path)
		(void)printf("    slot     %s\n", path);
	(void)printf("    known    %s\n",
		     entry->registers_visible
			     ? "maker, capacity and speed: the registers can be read here"
			     : "capacity and speed; the registers that name the maker are hidden");
	if (*entry->refused_because)
		(void)printf("    erase    refused: %s\n", entry->refused_because);
	else
		(void)printf("    erase    with --erase=%s\n", entry->confirm);
}

int ca_cmd_list(const struct ca_options *options)
{
	CA_CLEANUP_FREE struct ca_device_entry *entries = NULL;
	struct ca_error error = {0};
	size_t count;
	int r = ca_host_list(options->root, &entries, &count, &error);

	if (r < 0)
		return ca_report_error(&error, r);
	if (options->format == CA_FORMAT_JSON)
		return print_json(entries, count);
	if (count == 0)
		(void)printf("No card, drive or other block device is here. A simulated one is "
			     "always at\n"
			     "hand: cardassay certify sim:fake-128g\n");
	for (size_t i = 0; i < count; i++)
		print_entry(&entries[i]);
	return fflush(stdout) ? CA_EXIT_HOST_IO : CA_EXIT_PASS;
}
