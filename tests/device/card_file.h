/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A FUSE file system with one file, "card": what does not depend on how that card behaves. Whoever
 * includes this defines card_bytes.
 */
#ifndef TESTS_DEVICE_CARD_FILE_H
#define TESTS_DEVICE_CARD_FILE_H

#define FUSE_USE_VERSION 31
#include <errno.h>
#include <fuse.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

/* The size that the file has now. */
static uint64_t card_bytes(void);

static int card_getattr(const char *path, struct stat *ret, struct fuse_file_info *info)
{
	(void)info;
	memset(ret, 0, sizeof(*ret));
	if (strcmp(path, "/") == 0) {
		ret->st_mode = S_IFDIR | 0700;
		ret->st_nlink = 2;
	} else if (strcmp(path, "/card") == 0) {
		ret->st_mode = S_IFREG | 0600;
		ret->st_nlink = 1;
		ret->st_size = (off_t)card_bytes();
	} else {
		return -ENOENT;
	}
	return 0;
}

static int card_readdir(const char *path, void *buffer, fuse_fill_dir_t add, off_t offset,
			struct fuse_file_info *info, enum fuse_readdir_flags flags)
{
	(void)path; /* there is one directory */
	(void)offset;
	(void)info;
	(void)flags;
	return add(buffer, "card", NULL, 0, 0) ? -ENOMEM : 0;
}

static int card_open(const char *path, struct fuse_file_info *info)
{
	if (strcmp(path, "/card") != 0)
		return -ENOENT;
	info->direct_io = 1; /* a page cache would hide every lie */
	return 0;
}

static int card_fsync(const char *path, int data_only, struct fuse_file_info *info)
{
	(void)path; /* what is written is stored at once */
	(void)data_only;
	(void)info;
	return 0;
}

#endif
