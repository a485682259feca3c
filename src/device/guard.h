/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guard: may this disk be erased? One answer for `list`, for the check before a run and for the
 * moment of opening.
 */
#ifndef CA_DEVICE_GUARD_H
#define CA_DEVICE_GUARD_H

#include "disk.h"

enum ca_guard_answer {
	CA_GUARD_FREE,	  /* may be erased once it is confirmed */
	CA_GUARD_VOLUMES, /* as soon as its volumes are unmounted, which may be done */
	CA_GUARD_IN_USE,  /* mounted by the system, swap, holders */
	CA_GUARD_READ_ONLY,
	CA_GUARD_EMPTY,	  /* size 0 */
	CA_GUARD_AREA,	  /* an area of an eMMC, not a disk of its own */
	CA_GUARD_UNKNOWN, /* who uses it cannot be found out */
};

/* Says why in ret_because ("" for FREE), a clause without the disk's name. */
enum ca_guard_answer ca_guard_examine(const char *root, const struct ca_disk *disk,
				      char *ret_because, size_t size);

/* The confirm word of disk among all disks present. */
void ca_guard_word(const struct ca_disk *disk, const struct ca_disk *all, size_t count,
		   char *ret_word, size_t size);

/* As ca_guard_check without a word; gives the disk it looked at. */
int ca_guard_allow(const char *root, const char *target, struct ca_disk *ret_disk,
		   struct ca_error *error);

#endif
