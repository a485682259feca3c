/* SPDX-License-Identifier: BSD-2-Clause */
#include "block.h"

#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#ifndef BLKGETDISKSEQ
#define BLKGETDISKSEQ _IOR(0x12, 128, uint64_t) /* Linux 5.15 */
#endif

#define OPEN_FLAGS (O_DIRECT | O_CLOEXEC | O_NOCTTY)

/* udev holds its shared lock for as long as it looks at a new device. */
#define LOCK_TRIES    50U
#define LOCK_PAUSE_NS 100000000L

uint64_t ca_linux_block_diskseq(int fd)
{
	uint64_t diskseq;

	return ioctl(fd, BLKGETDISKSEQ, &diskseq) == 0 ? diskseq : 0;
}

void ca_linux_block_identify(int fd, dev_t rdev, struct ca_block_identity *ret_identity)
{
	static const char *const names[] = {"cid", "csd", "scr"};
	struct ca_block_identity identity = {.rdev = rdev};

	_Static_assert(CA_ARRAY_LEN(names) == CA_ARRAY_LEN(identity.registers), "one text a name");
	identity.diskseq = ca_linux_block_diskseq(fd);
	for (size_t i = 0; i < CA_ARRAY_LEN(names); i++)
		(void)ca_sysfs_text("", identity.registers[i], sizeof(identity.registers[i]),
				    "sys/dev/block/%u:%u/device/%s", major(rdev), minor(rdev),
				    names[i]); /* absent on all but mmc: stays "" */
	*ret_identity = identity;
}

static int open_failed(const char *node, int rc, struct ca_error *error)
{
	switch (-rc) {
	case ENOENT:
	case ENXIO:
	case ENODEV:
		return ca_error_set(error, -ENOENT,
				    "there is no %s: 'cardassay list' shows what is there", node);
	case ENOMEDIUM:
		return ca_error_set(error, -ENOENT, "there is no card in %s", node);
	case EACCES:
	case EPERM:
		return ca_error_set(error, -EACCES, "no permission to read %s: run it with sudo",
				    node);
	case EBUSY:
		return ca_error_set(error, -EBUSY,
				    "%s is in use by another program or mounted in another "
				    "namespace: 'cardassay list' shows what is known",
				    node);
	case EROFS:
		return ca_error_set(error, -EROFS, "%s is read-only", node);
	default:
		return ca_error_set(error, rc, "cannot open %s: %s", node, strerror(-rc));
	}
}

/* An exclusive lock keeps udev and desktops from probing, mounting or formatting meanwhile. */
static int lock_exclusively(int fd)
{
	const struct timespec pause = {0, LOCK_PAUSE_NS};

	for (unsigned int i = 0; i < LOCK_TRIES; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return 0;
		if (errno != EWOULDBLOCK && errno != EINTR)
			return -errno;
		(void)nanosleep(&pause, NULL); /* an earlier end only means one more try */
	}
	return -EWOULDBLOCK;
}

int ca_linux_block_take(const char *node, dev_t rdev, bool writable)
{
	int flags = OPEN_FLAGS | (writable ? O_RDWR | O_EXCL : O_RDONLY);
	int fd = open(node, flags), rc = 0;
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0 || !S_ISBLK(st.st_mode) || st.st_rdev != rdev)
		rc = -ENOENT;
	else if (writable)
		rc = lock_exclusively(fd);
	if (rc < 0)
		(void)close(fd); /* nothing was written through it */
	return rc < 0 ? rc : fd;
}

static int read_geometry(int fd, struct ca_geometry *geometry)
{
	int sector_bytes = 0, read_only = 0;
	uint64_t bytes = 0;

	if (ioctl(fd, BLKGETSIZE64, &bytes) < 0 || ioctl(fd, BLKSSZGET, &sector_bytes) < 0 ||
	    ioctl(fd, BLKROGET, &read_only) < 0)
		return -errno;
	if (bytes == 0 || sector_bytes < 512)
		return -ENOMEDIUM;
	geometry->bytes = bytes;
	geometry->sector_bytes = (uint32_t)sector_bytes;
	geometry->read_only = read_only != 0;
	return 0;
}

/* What is open now must be what the guard looked at a moment ago. */
static bool is_same(const struct ca_block *block, const struct ca_disk *seen)
{
	const struct ca_block_identity *identity = &block->identity;

	return major(identity->rdev) == seen->major && minor(identity->rdev) == seen->minor &&
	       (!seen->diskseq || !identity->diskseq || identity->diskseq == seen->diskseq) &&
	       block->device.geometry.bytes == seen->bytes;
}

static int prepare(struct ca_block *block, const char *node, enum ca_open_mode mode,
		   const struct ca_disk *seen, struct ca_error *error)
{
	struct stat st;
	int rc;

	if (fstat(block->fd, &st) < 0)
		return open_failed(node, -errno, error);
	if (!S_ISBLK(st.st_mode))
		return ca_error_set(error, -EINVAL, "%s is not a block device", node);
	rc = read_geometry(block->fd, &block->device.geometry);
	if (rc < 0)
		return open_failed(node, rc, error);
	ca_linux_block_identify(block->fd, st.st_rdev, &block->identity);
	if (mode == CA_OPEN_READ) {
		block->device.geometry.read_only = true;
		return 0;
	}
	if (!is_same(block, seen))
		return ca_error_set(error, -EBUSY,
				    "refused: %s changed between the check and the opening", node);
	if (block->device.geometry.read_only)
		return open_failed(node, -EROFS, error);
	rc = lock_exclusively(block->fd);
	if (rc < 0)
		return ca_error_set(error, -EBUSY, "%s is locked by another program", node);
	return 0;
}

int ca_linux_block_open(const char *node, enum ca_open_mode mode, struct ca_device **ret_device,
			struct ca_error *error)
{
	struct ca_disk seen = {0};
	struct ca_block *block;
	int fd, rc;

	if (mode == CA_OPEN_WRITE) {
		rc = ca_guard_allow(NULL, node, &seen, error);
		if (rc < 0)
			return rc;
	}
	fd = open(node, OPEN_FLAGS | (mode == CA_OPEN_WRITE ? O_RDWR | O_EXCL : O_RDONLY));
	if (fd < 0)
		return open_failed(node, -errno, error);
	rc = ca_block_new(fd, false, &block);
	if (rc < 0)
		return ca_error_set(error, rc, "out of memory");
	rc = prepare(block, node, mode, &seen, error);
	if (rc < 0) {
		ca_device_close(&block->device);
		return rc;
	}
	*ret_device = &block->device;
	return 0;
}
