/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli.h"

#include <jansson.h>
#include <string.h>

enum {
	TEXT_COLUMNS = 80,
	HANG = 13, /* where the text of a line begins */
};

static json_t *entry_to_json(const struct ca_device_entry *entry)
{
	char model[260], serial[260], path[1030], by_path[1030];

	ca_string_escape(model, sizeof(model), entry->model);
	ca_string_escape(serial, sizeof(serial), entry->serial);
	ca_string_escape(path, sizeof(path), entry->host_path);
	ca_string_escape(by_path, sizeof(by_path), entry->by_path);
	return json_pack(
		"{s:s, s:s, s:I, s:s, s:b, s:s, s:s, s:s, s:s, s:b, s:b, s:b,"
		" s:i, s:i, s:b, s:s, s:s, s:I}",
		"node", entry->node, "kind", entry->kind, "bytes", (json_int_t)entry->bytes,
		"confirm", entry->confirm, "in_use", entry->in_use, "refused_because",
		entry->refused_because, "model", model, "serial", serial, "host_path", path,
		"removable", entry->removable, "read_only", entry->read_only, "registers_visible",
		entry->registers_visible, "slot", (int)entry->slot, "slot_count",
		(int)entry->slot_count, "empty", entry->empty, "by_path", by_path, "hidden_because",
		entry->hidden_because, "diskseq", (json_int_t)entry->diskseq);
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

/* A line "    LEAD text" that goes on below the text's beginning; words are never broken. */
static void print_line(const char *lead, const char *text)
{
	size_t column = (size_t)printf("    %-8s ", lead);

	for (const char *word = text; *word; word += strspn(word, " ")) {
		int len = (int)strcspn(word, " ");

		if (word != text && column + 1 + (size_t)len > TEXT_COLUMNS)
			column = (size_t)printf("\n%*s", HANG, "") - 1;
		else if (word != text)
			column += (size_t)printf(" ");
		column += (size_t)printf("%.*s", len, word);
		word += len;
	}
	(void)printf("\n");
}

/* What can be known of a card in this slot. */
static void print_known(const struct ca_device_entry *entry)
{
	char text[256];

	if (entry->registers_visible) {
		print_line("known", "maker, capacity and speed: the registers can be read here");
		return;
	}
	(void)snprintf(text, sizeof(text), "capacity and speed; %s", entry->hidden_because);
	print_line("known", text);
}

/* The same of every slot of a USB reader, so that it is said once. */
static bool is_usb(const struct ca_device_entry *entry)
{
	return strcmp(entry->kind, "usb") == 0;
}

/* Node, size and model, after whatever begins the line. */
static void print_card(const struct ca_device_entry *entry, const char *kind)
{
	char model[260], node[260], size[64] = "empty";
	struct ca_text text;

	ca_string_escape(model, sizeof(model), entry->model);
	ca_string_escape(node, sizeof(node), entry->node);
	if (!entry->empty) {
		ca_text_init(&text, size, sizeof(size));
		ca_text_size(&text, entry->bytes);
	}
	(void)printf("%-16s %s%s%s%s\n", *node ? node : "(no node)", kind,
		     *entry->node || entry->empty ? size : "a card", *model ? "  " : "", model);
}

static void print_erase(const struct ca_device_entry *entry)
{
	char text[340];

	(void)snprintf(text, sizeof(text),
		       *entry->refused_because ? "refused: %s" : "with --erase=%s",
		       *entry->refused_because ? entry->refused_because : entry->confirm);
	print_line("erase", text);
}

static void print_path(const struct ca_device_entry *entry)
{
	char path[1030];

	ca_string_escape(path, sizeof(path), entry->host_path);
	if (*path)
		print_line("slot", path);
}

/* One of the slots of a reader: an empty one has a line, so that all are seen at a glance. */
static void print_slot(const struct ca_device_entry *entry)
{
	if (entry->slot == 1) {
		(void)printf("%s with %u slots\n", is_usb(entry) ? "USB reader" : "built-in reader",
			     entry->slot_count);
		if (is_usb(entry))
			print_known(entry);
	}
	(void)printf("  slot %u of %u  ", entry->slot, entry->slot_count);
	print_card(entry, "");
	if (entry->empty)
		return;
	print_path(entry);
	if (!is_usb(entry) && *entry->node)
		print_known(entry);
	print_erase(entry);
}

static void print_entry(const struct ca_device_entry *entry)
{
	char kind[32];

	if (entry->slot_count > 1) {
		print_slot(entry);
		return;
	}
	(void)snprintf(kind, sizeof(kind), "%-7s ", entry->kind);
	print_card(entry, kind);
	print_path(entry);
	if (entry->empty)
		return;
	if (*entry->node)
		print_known(entry);
	print_erase(entry);
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
	return ca_stdout_finish();
}
