/* SPDX-License-Identifier: BSD-2-Clause */
#include "guard.h"

#include "slot.h"
#include "cardassay/host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* One entry while the list is made. */
struct row {
	struct ca_device_entry entry;
	const char *reader; /* what it shares with the other slots of its reader; "" = nothing */
	size_t first;	    /* index of the first row with this reader, before sorting */
};

/* The udev name of the slot, if udev runs here. */
static void find_by_path(const char *root, const struct ca_names *links, const char *name,
			 char *ret_path, size_t size)
{
	for (size_t i = 0; i < links->count; i++) {
		char to[CA_NAME_BYTES];
		struct ca_text path;

		if (ca_sysfs_link_name(root, to, sizeof(to), "dev/disk/by-path/%s", links->at[i]) <
			    0 ||
		    strcmp(to, name) != 0)
			continue;
		ca_text_init(&path, ret_path, size);
		ca_text_add(&path, "/dev/disk/by-path/");
		ca_text_add(&path, links->at[i]);
		return;
	}
}

static void set_use(const char *root, const struct ca_disk *disk, const struct ca_disk *all,
		    size_t count, struct ca_device_entry *entry)
{
	enum ca_guard_answer answer;

	answer = ca_guard_examine(root, disk, entry->refused_because,
				  sizeof(entry->refused_because));
	entry->in_use = answer == CA_GUARD_VOLUMES || answer == CA_GUARD_IN_USE ||
			answer == CA_GUARD_UNKNOWN;
	if (answer == CA_GUARD_FREE || answer == CA_GUARD_VOLUMES)
		ca_guard_word(disk, all, count, entry->confirm, sizeof(entry->confirm));
	entry->empty = answer == CA_GUARD_EMPTY && disk->removable;
	if (entry->empty)
		(void)ca_string_copy(entry->refused_because, sizeof(entry->refused_because),
				     "there is no card in this slot, or none that answers (the "
				     "reader reports a size of 0)");
}

static void fill_row(const char *root, const struct ca_disk *disk, const struct ca_names *links,
		     struct row *row)
{
	struct ca_device_entry *entry = &row->entry;

	(void)ca_string_copy(entry->node, sizeof(entry->node), disk->node);
	(void)ca_string_copy(entry->kind, sizeof(entry->kind), disk->kind);
	(void)ca_string_copy(entry->model, sizeof(entry->model), disk->model);
	(void)ca_string_copy(entry->serial, sizeof(entry->serial), disk->serial);
	(void)ca_string_copy(entry->host_path, sizeof(entry->host_path), disk->host_path);
	find_by_path(root, links, disk->name, entry->by_path, sizeof(entry->by_path));
	ca_disk_hidden_because(disk, entry->hidden_because, sizeof(entry->hidden_because));
	entry->bytes = disk->bytes;
	entry->diskseq = disk->diskseq;
	entry->removable = disk->removable;
	entry->read_only = disk->read_only;
	entry->registers_visible = disk->card_registers;
	/* the disks of other buses share a controller, but no reader */
	row->reader =
		strcmp(disk->bus, "usb") == 0 || strcmp(disk->bus, "mmc") == 0 ? disk->reader : "";
}

/* A slot that the kernel has no disk for. */
static void fill_bare(const struct ca_bare_slot *bare, struct row *row)
{
	struct ca_device_entry *entry = &row->entry;

	(void)ca_string_copy(entry->kind, sizeof(entry->kind), "sd");
	(void)ca_string_copy(entry->host_path, sizeof(entry->host_path), bare->slot.path);
	entry->removable = true;
	entry->empty = !bare->has_card;
	(void)ca_string_copy(entry->hidden_because, sizeof(entry->hidden_because),
			     entry->empty ? "no card is in the slot; one would show its registers"
					  : "the kernel made no disk of the card");
	(void)ca_string_copy(entry->refused_because, sizeof(entry->refused_because),
			     entry->empty ? "there is no card in this slot"
					  : "the kernel made no disk of the card in this slot: "
					    "'dmesg' says why (is the module mmc_block there?)");
	row->reader = bare->slot.reader;
}

/* The slots of one reader stand together, in their order. */
static int compare_rows(const void *a, const void *b)
{
	const struct row *one = a, *two = b;

	if (one->first != two->first)
		return one->first < two->first ? -1 : 1;
	return strverscmp(one->entry.host_path, two->entry.host_path);
}

static void order_rows(struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		rows[i].first = i;
		for (size_t j = 0; rows[i].reader[0] && j < i; j++)
			if (strcmp(rows[i].reader, rows[j].reader) == 0) {
				rows[i].first = j;
				break;
			}
	}
	if (count)
		qsort(rows, count, sizeof(*rows), compare_rows);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i; end < count && rows[end].first == rows[i].first; end++)
			rows[end].entry.slot = (unsigned int)(end - i + 1);
		for (size_t j = i; j < end; j++)
			rows[j].entry.slot_count = (unsigned int)(end - i);
	}
}

/* Rows point into all and bare. *ret_rows is malloc'ed. */
static int make_rows(const char *root, const struct ca_disk *all, size_t count,
		     const struct ca_bare_slot *bare, size_t bare_count, struct row **ret_rows,
		     size_t *ret_count)
{
	struct ca_names links = {0};
	struct row *rows = calloc(count + bare_count + 1, sizeof(*rows));
	size_t shown = 0;

	if (!rows)
		return -ENOMEM;
	if (ca_sysfs_list(root, &links, "dev/disk/by-path") < 0)
		links = (struct ca_names){0}; /* no udev here */
	for (size_t i = 0; i < count; i++) {
		if (!ca_disk_is_shown(root, &all[i]))
			continue;
		fill_row(root, &all[i], &links, &rows[shown]);
		set_use(root, &all[i], all, count, &rows[shown++].entry);
	}
	for (size_t i = 0; i < bare_count; i++)
		fill_bare(&bare[i], &rows[shown++]);
	ca_names_done(&links);
	order_rows(rows, shown);
	*ret_rows = rows;
	*ret_count = shown;
	return 0;
}

int ca_host_list(const char *root, struct ca_device_entry **ret_entries, size_t *ret_count,
		 struct ca_error *error)
{
	CA_CLEANUP_FREE struct ca_disk *all = NULL;
	CA_CLEANUP_FREE struct ca_bare_slot *bare = NULL;
	CA_CLEANUP_FREE struct row *rows = NULL;
	struct ca_device_entry *entries;
	size_t count = 0, bare_count = 0, shown = 0;
	int rc;

	rc = ca_disk_read_all(root, &all, &count);
	if (rc < 0)
		return ca_error_set(error, rc, "cannot list the disks in /sys/block: %s",
				    strerror(-rc));
	rc = ca_slot_list_bare(root, &bare, &bare_count);
	if (rc < 0)
		return ca_error_set(error, rc, "cannot list the slots in /sys/class/mmc_host: %s",
				    strerror(-rc));
	rc = make_rows(root, all, count, bare, bare_count, &rows, &shown);
	entries = rc < 0 ? NULL : calloc(shown + 1, sizeof(*entries));
	if (!entries)
		return ca_error_set(error, -ENOMEM, "out of memory");
	for (size_t i = 0; i < shown; i++)
		entries[i] = rows[i].entry;
	*ret_entries = entries;
	*ret_count = shown;
	return 0;
}
