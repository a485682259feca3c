/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * disk_use: who uses a disk. Looks at the disk, its partitions and everything that is stacked on
 * them (dm, LVM, RAID, loop devices), so that a file system on a volume group counts as well.
 */
#ifndef CA_DEVICE_DISK_USE_H
#define CA_DEVICE_DISK_USE_H

#include "disk.h"

struct ca_disk_use {
	bool in_use;	   /* any of it */
	bool system;	   /* a system mount point or the working directory lies on it */
	bool only_volumes; /* in use by nothing but mounted volumes that may be unmounted */
	char because[256]; /* "mounted at /media/a, /media/b", "swap on /dev/sda3" ... */
	char (*volumes)[CA_PATH_BYTES]; /* mount points in the order to unmount them; owned */
	size_t volume_count;
};

/* A negative errno when it cannot be known; then nobody may write. */
int ca_disk_use_read(const char *root, const struct ca_disk *disk, struct ca_disk_use *ret_use);
void ca_disk_use_done(struct ca_disk_use *use);

/* Mount points nobody unmounts to test a card. */
bool ca_mount_point_is_system(const char *target);

#endif
