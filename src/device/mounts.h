/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mounts: what is mounted where, and unmounting. The only file that knows libmount.
 */
#ifndef CA_DEVICE_MOUNTS_H
#define CA_DEVICE_MOUNTS_H

#include "cardassay/base.h"

struct ca_mount {
	char *source; /* "/dev/mmcblk0p1", "" when there is none */
	char *target; /* mount point, unescaped */
	unsigned int major, minor;
};

struct ca_mounts {
	struct ca_mount *at; /* in the order they were mounted */
	size_t count;
};

/* Reads ROOT/proc/self/mountinfo. A table that cannot be read is an error: nobody may then say
 * that something is not mounted. */
int ca_mounts_read(const char *root, struct ca_mounts *ret_mounts);
void ca_mounts_done(struct ca_mounts *mounts);

/* The mount that holds an absolute path: the longest mount point above it, the latest of equals. */
const struct ca_mount *ca_mounts_find(const struct ca_mounts *mounts, const char *path);

/* True when `path` is `dir` or lies below it. */
bool ca_path_is_below(const char *path, const char *dir);

/* -EBUSY, -EPERM ... */
int ca_mounts_unmount(const char *target);

#endif
