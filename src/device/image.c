/* SPDX-License-Identifier: BSD-2-Clause */
#include "block.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Some file systems take O_DIRECT at open and refuse 512-byte pieces later: try one. */
static bool takes_sectors(int fd)
{
	CA_CLEANUP_FREE void *sector = NULL;

	if (posix_memalign(&sector, CA_BUFFER_ALIGN, CA_SECTOR_BYTES) != 0)
		return false;
	return pread(fd, sector, CA_SECTOR_BYTES, 0) == (ssize_t)CA_SECTOR_BYTES;
}

static int open_file(const char *path, enum ca_open_mode mode)
{
	int flags = O_CLOEXEC | O_NOCTTY | (mode == CA_OPEN_WRITE ? O_RDWR : O_RDONLY);
	int fd = open(path, flags | O_DIRECT);

	if (fd >= 0 && takes_sectors(fd))
		return fd;
	if (fd >= 0)
		(void)close(fd); /* nothing was written through it */
	else if (errno != EINVAL)
		return -errno;
	fd = open(path, flags);
	return fd < 0 ? -errno : fd;
}

static int check_file(const char *path, const struct stat *st, struct ca_error *error)
{
	if (S_ISBLK(st->st_mode))
		return ca_error_set(error, -EINVAL,
				    "image: takes a file; to test the device write just %s", path);
	if (!S_ISREG(st->st_mode))
		return ca_error_set(error, -EINVAL, "image: %s is not a regular file", path);
	if (st->st_size <= 0 || st->st_size % (off_t)CA_SECTOR_BYTES != 0)
		return ca_error_set(error, -EINVAL,
				    "image: %s has %" PRIu64 " bytes; a card has a multiple of 512 "
				    "(truncate -s SIZE makes one)",
				    path, (uint64_t)st->st_size);
	return 0;
}

static int open_failed(const char *path, int rc, struct ca_error *error)
{
	if (rc == -ENOENT)
		return ca_error_set(error, rc, "there is no image file %s", path);
	if (rc == -EACCES)
		return ca_error_set(error, rc, "no permission to open the image file %s", path);
	return ca_error_set(error, rc, "cannot open the image file %s: %s", path, strerror(-rc));
}

int ca_image_open(const char *path, enum ca_open_mode mode, struct ca_device **ret_device,
		  struct ca_error *error)
{
	struct ca_block *block;
	struct stat st, opened;
	int fd, rc;

	/* Before open, which would wait for ever on a pipe. */
	if (stat(path, &st) < 0)
		return open_failed(path, -errno, error);
	rc = check_file(path, &st, error);
	if (rc < 0)
		return rc;
	fd = open_file(path, mode);
	if (fd < 0)
		return open_failed(path, fd, error);
	if (fstat(fd, &opened) < 0 || opened.st_dev != st.st_dev || opened.st_ino != st.st_ino ||
	    opened.st_size != st.st_size) {
		(void)close(fd); /* nothing was written through it */
		return ca_error_set(error, -EBUSY,
				    "refused: %s changed between the check and the opening", path);
	}
	if (flock(fd, (mode == CA_OPEN_WRITE ? LOCK_EX : LOCK_SH) | LOCK_NB) < 0 &&
	    errno == EWOULDBLOCK) {
		(void)close(fd); /* nothing was written through it */
		return ca_error_set(error, -EBUSY, "the image file %s is in use by another run",
				    path);
	}
	rc = ca_block_new(fd, true, &block);
	if (rc < 0)
		return ca_error_set(error, rc, "out of memory");
	block->device.geometry.bytes = (uint64_t)st.st_size;
	block->device.geometry.sector_bytes = CA_SECTOR_BYTES;
	block->device.geometry.read_only = mode == CA_OPEN_READ;
	*ret_device = &block->device;
	return 0;
}
