/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sysfs: typed readers of small kernel files below a root. Every path is printf-formatted and
 * relative to `root` ("" or NULL: the live machine; else a recorded tree). The size a kernel file
 * claims is never trusted: files are read until they end or the buffer is full.
 */
#ifndef CA_DEVICE_SYSFS_H
#define CA_DEVICE_SYSFS_H

#include "cardassay/base.h"

#define CA_PATH_BYTES 512U
#define CA_NAME_BYTES 64U

/* Sorted in natural order: mmcblk2 before mmcblk10. Owned; free with _done. */
struct ca_names {
	char (*at)[CA_NAME_BYTES];
	size_t count;
};
void ca_names_done(struct ca_names *names);

/* Is the machine itself looked at, and not a recorded tree? */
bool ca_sysfs_is_live(const char *root);

/* -ENAMETOOLONG when it does not fit. */
int ca_sysfs_path(const char *root, char *ret_path, size_t size, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* One text value: without trailing white space, cut at the first NUL. -ENODATA when empty. */
int ca_sysfs_text(const char *root, char *ret_text, size_t size, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Raw bytes, as many as there are up to `size`. */
int ca_sysfs_bytes(const char *root, void *ret_data, size_t size, size_t *ret_len,
		   const char *format, ...) __attribute__((format(printf, 5, 6)));

/* A whole decimal number, or hexadecimal behind 0x. -EINVAL when it is none. */
int ca_sysfs_u64(const char *root, uint64_t *ret_value, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The "MAJOR:MINOR" of a dev file; -EINVAL when it is none. */
int ca_sysfs_dev(const char *root, unsigned int *ret_major, unsigned int *ret_minor,
		 const char *format, ...) __attribute__((format(printf, 4, 5)));

bool ca_sysfs_exists(const char *root, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The last component of what a symbolic link points to. */
int ca_sysfs_link_name(const char *root, char *ret_name, size_t size, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Where the path really lies, links resolved, again relative to root and with a leading slash. */
int ca_sysfs_real(const char *root, char *ret_path, size_t size, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Names in a directory, without dot files; names too long to be a kernel's are left out. */
int ca_sysfs_list(const char *root, struct ca_names *ret_names, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
