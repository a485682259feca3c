/* SPDX-License-Identifier: BSD-2-Clause */
#include "guard.h"

#include "cardassay/host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Unused loop, zram and ram devices are slots for nothing; eMMC areas are told by their eMMC. */
static bool is_shown(const char *root, const struct ca_disk *disk)
{
	uint64_t hidden;

	if (!disk->listed || disk->part_of[0])
		return false;
	if (ca_sysfs_u64(root, &hidden, "sys/block/%s/hidden", disk->name) == 0 && hidden)
		return false;
	return disk->bytes > 0 || !disk->virtual_device;
}

static void fill_entry(const char *root, const struct ca_disk *disk, const struct ca_disk *all,
		       size_t count, struct ca_device_entry *entry)
{
	enum ca_guard_answer answer;

	(void)ca_string_copy(entry->node, sizeof(entry->node), disk->node);
	(void)ca_string_copy(entry->kind, sizeof(entry->kind), disk->kind);
	(void)ca_string_copy(entry->model, sizeof(entry->model), disk->model);
	(void)ca_string_copy(entry->serial, sizeof(entry->serial), disk->serial);
	(void)ca_string_copy(entry->host_path, sizeof(entry->host_path), disk->host_path);
	entry->bytes = disk->bytes;
	entry->diskseq = disk->diskseq;
	entry->removable = disk->removable;
	entry->read_only = disk->read_only;
	entry->registers_visible = disk->card_registers;
	answer = ca_guard_examine(root, disk, entry->refused_because,
				  sizeof(entry->refused_because));
	entry->in_use = answer == CA_GUARD_VOLUMES || answer == CA_GUARD_IN_USE ||
			answer == CA_GUARD_UNKNOWN;
	if (answer == CA_GUARD_FREE || answer == CA_GUARD_VOLUMES)
		ca_guard_word(disk, all, count, entry->confirm, sizeof(entry->confirm));
}

int ca_host_list(const char *root, struct ca_device_entry **ret_entries, size_t *ret_count,
		 struct ca_error *error)
{
	CA_CLEANUP_FREE struct ca_disk *all = NULL;
	struct ca_device_entry *entries;
	size_t count = 0, shown = 0;
	int rc;

	rc = ca_disk_read_all(root, &all, &count);
	if (rc < 0)
		return ca_error_set(error, rc, "cannot list the disks in /sys/block: %s",
				    strerror(-rc));
	entries = calloc(count + 1, sizeof(*entries));
	if (!entries)
		return ca_error_set(error, -ENOMEM, "out of memory");
	for (size_t i = 0; i < count; i++)
		if (is_shown(root, &all[i]))
			fill_entry(root, &all[i], all, count, &entries[shown++]);
	*ret_entries = entries;
	*ret_count = shown;
	return 0;
}
