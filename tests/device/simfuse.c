/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A simulated card as a file: a FUSE file system with one file, "card". With a loop device over it,
 * or as the card of an emulated machine, the kernel sees a block device that lies as the recipe
 * says (docs/cardassay.1, SIMULATED CARDS).
 *
 *   simfuse MOUNTPOINT SETTINGS       SETTINGS: what follows "sim:"
 *
 * It stays in the foreground until unmounted, and serves one request at a time.
 */
#define FUSE_USE_VERSION 31
#include "cardassay/host.h"

#include <errno.h>
#include <fuse.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static struct ca_device *card;

/* A fault of the card is an error of the whole request: the kernel asks for its parts. */
static int result_of(int result, const struct ca_io_fault *fault, size_t size)
{
	if (result < 0)
		return result;
	return fault->status == CA_IO_OK ? (int)size : -EIO;
}

static int card_read(const char *path, char *buffer, size_t size, off_t offset,
		     struct fuse_file_info *info)
{
	struct ca_io_fault fault = {.status = CA_IO_OK};
	uint64_t at = (uint64_t)offset;

	(void)path; /* there is one file */
	(void)info;
	if (at >= card->geometry.bytes)
		return 0;
	if (size > card->geometry.bytes - at)
		size = (size_t)(card->geometry.bytes - at);
	return result_of(ca_device_read(card, at, size, buffer, &fault), &fault, size);
}

static int card_write(const char *path, const char *data, size_t size, off_t offset,
		      struct fuse_file_info *info)
{
	struct ca_io_fault fault = {.status = CA_IO_OK};
	uint64_t at = (uint64_t)offset;

	(void)path; /* there is one file */
	(void)info;
	if (at > card->geometry.bytes || size > card->geometry.bytes - at)
		return -ENOSPC;
	return result_of(ca_device_write(card, at, size, data, &fault), &fault, size);
}

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
		ret->st_size = (off_t)card->geometry.bytes;
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
	(void)path; /* a simulated card stores at once */
	(void)data_only;
	(void)info;
	return 0;
}

int main(int argc, char **argv)
{
	static const struct fuse_operations operations = {
		.getattr = card_getattr,
		.readdir = card_readdir,
		.open = card_open,
		.read = card_read,
		.write = card_write,
		.fsync = card_fsync,
	};
	char foreground[] = "-f", single[] = "-s";
	char *fuse_argv[] = {argv[0], foreground, single, NULL, NULL};
	struct ca_error error = {0};
	struct ca_sim_spec spec;
	int status;

	if (argc != 3) {
		(void)fprintf(stderr, "usage: simfuse MOUNTPOINT SETTINGS\n");
		return 2;
	}
	if (ca_sim_parse(argv[2], &spec, &error) < 0 || ca_sim_open(&spec, &card, &error) < 0) {
		(void)fprintf(stderr, "simfuse: %s\n", error.text);
		return 2;
	}
	fuse_argv[3] = argv[1];
	status = fuse_main(4, fuse_argv, &operations, NULL);
	ca_device_close(card);
	return status;
}
