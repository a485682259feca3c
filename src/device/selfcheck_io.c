/* SPDX-License-Identifier: BSD-2-Clause */
/* The ways to the data of a disk, and what the kernel says of its size and protection. */
#include "selfcheck.h"

#include "block.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define FIRST_BYTES 4096U

static void check_direct(struct ca_selfcheck *selfcheck, int fd, void *buffer)
{
	ssize_t got = fd < 0 ? fd : pread(fd, buffer, FIRST_BYTES, 0);

	if (fd == -EINVAL)
		ca_selfcheck_add(selfcheck, "o_direct", CA_CHECK_ABSENT,
				 "this disk takes no direct I/O: the page cache is in between");
	else if (got < 0)
		ca_selfcheck_add_failure(selfcheck, "o_direct", fd < 0 ? fd : -errno);
	else if (got < (ssize_t)FIRST_BYTES)
		ca_selfcheck_add(selfcheck, "o_direct", CA_CHECK_ABSENT,
				 "only %zd of the first 4096 bytes came", got);
	else
		ca_selfcheck_add(selfcheck, "o_direct", CA_CHECK_WORKS,
				 "the first 4 KiB were read past the page cache");
}

static int read_by_uring(int fd, void *buffer, int64_t *ret_result)
{
	struct ca_io io = {.op = CA_IO_READ, .bytes = FIRST_BYTES, .buffer = buffer};
	struct ca_io *done;
	struct ca_uring *uring;
	int rc = ca_uring_new(fd, &uring);

	if (rc < 0)
		return rc;
	rc = ca_uring_submit(uring, &io);
	if (rc == 0)
		rc = ca_uring_wait(uring, &done, ret_result);
	ca_uring_free(uring);
	return rc;
}

static void check_uring(struct ca_selfcheck *selfcheck, int fd, void *buffer)
{
	int64_t result = 0;
	int rc;

	if (fd < 0) {
		ca_selfcheck_add_failure(selfcheck, "io_uring", fd);
		return;
	}
	rc = read_by_uring(fd, buffer, &result);
	if (rc == -ENOSYS || rc == -EPERM)
		ca_selfcheck_add(selfcheck, "io_uring", CA_CHECK_ABSENT,
				 "%s: data moves one request at a time, as queue depth 1",
				 rc == -ENOSYS ? "this kernel has none, or one older than 5.6"
					       : "switched off (sysctl kernel.io_uring_disabled)");
	else if (rc < 0 || result < 0)
		ca_selfcheck_add_failure(selfcheck, "io_uring", rc < 0 ? rc : (int)result);
	else
		ca_selfcheck_add(selfcheck, "io_uring", CA_CHECK_WORKS,
				 "queue depths above 1 can be measured");
}

static void check_size(struct ca_selfcheck *selfcheck, int fd)
{
	uint64_t bytes = 0;

	if (fd < 0 || ioctl(fd, BLKGETSIZE64, &bytes) < 0)
		ca_selfcheck_add_failure(selfcheck, "size", fd < 0 ? fd : -errno);
	else if (bytes != selfcheck->disk.bytes)
		ca_selfcheck_add(selfcheck, "size", CA_CHECK_ABSENT,
				 "BLKGETSIZE64 says %" PRIu64 " bytes, sysfs %" PRIu64
				 ": the device changed meanwhile, ask again",
				 bytes, selfcheck->disk.bytes);
	else
		ca_selfcheck_add(selfcheck, "size", CA_CHECK_WORKS,
				 "%" PRIu64 " bytes by BLKGETSIZE64 and by sysfs", bytes);
}

static void check_diskseq(struct ca_selfcheck *selfcheck, int fd)
{
	uint64_t diskseq = fd < 0 ? 0 : ca_linux_block_diskseq(fd);

	if (fd < 0)
		ca_selfcheck_add_failure(selfcheck, "diskseq", fd);
	else if (!diskseq) /* they are counted from 1 */
		ca_selfcheck_add(selfcheck, "diskseq", CA_CHECK_ABSENT,
				 "came with Linux 5.15: a card that was swapped is told by its "
				 "size and registers only");
	else
		ca_selfcheck_add(selfcheck, "diskseq", CA_CHECK_WORKS,
				 "%" PRIu64 ": a swapped card is noticed", diskseq);
}

static void check_protection(struct ca_selfcheck *selfcheck, int fd)
{
	int read_only = 0;

	if (fd < 0 || ioctl(fd, BLKROGET, &read_only) < 0)
		ca_selfcheck_add_failure(selfcheck, "write-protect", fd < 0 ? fd : -errno);
	else
		ca_selfcheck_add(selfcheck, "write-protect", CA_CHECK_WORKS, "%s (BLKROGET)",
				 read_only ? "the device is write-protected" : "it may be written");
}

void ca_selfcheck_io(struct ca_selfcheck *selfcheck)
{
	static const char *const names[] = {"o_direct", "io_uring", "size", "diskseq",
					    "write-protect"};
	CA_CLEANUP_CLOSE int fd = -1;
	CA_CLEANUP_CLOSE int direct = -1;
	CA_CLEANUP_FREE void *buffer = NULL;

	if (!ca_sysfs_is_live(selfcheck->root)) {
		for (size_t i = 0; i < CA_ARRAY_LEN(names); i++)
			(void)ca_selfcheck_is_recorded(selfcheck, names[i]); /* it is */
		return;
	}
	fd = open(selfcheck->disk.node, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		fd = -errno;
	direct = open(selfcheck->disk.node, O_RDONLY | O_DIRECT | O_CLOEXEC | O_NOCTTY);
	if (direct < 0)
		direct = -errno;
	if (posix_memalign(&buffer, CA_BUFFER_ALIGN, FIRST_BYTES) != 0) {
		buffer = NULL;
		ca_selfcheck_add_failure(selfcheck, "o_direct", -ENOMEM);
	} else {
		check_direct(selfcheck, direct, buffer);
		check_uring(selfcheck, direct, buffer);
	}
	check_size(selfcheck, fd);
	check_diskseq(selfcheck, fd);
	check_protection(selfcheck, fd);
}
