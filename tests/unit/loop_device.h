/* SPDX-License-Identifier: BSD-2-Clause */
/* A loop device over a file in memory, for tests of what only a kernel can show. */
#ifndef CA_TEST_LOOP_DEVICE_H
#define CA_TEST_LOOP_DEVICE_H

#include "cardassay/base.h"

#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct loop_device {
	char node[32], file[64];
	int fd, backing;
};

/* Why there can be none here, NULL when there can. */
static inline const char *loop_missing(void)
{
	if (geteuid() != 0)
		return "root";
	return access("/dev/loop-control", R_OK | W_OK) == 0 ? NULL : "/dev/loop-control";
}

static inline bool loop_attach(struct loop_device *loop, uint64_t bytes, bool read_only)
{
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	struct loop_info64 info = {.lo_flags = LO_FLAGS_AUTOCLEAR};
	int number, flags = (read_only ? O_RDONLY : O_RDWR) | O_CLOEXEC;

	(void)strcpy(loop->file, "/dev/shm/ca-loop-XXXXXX");
	loop->backing = mkostemp(loop->file, O_CLOEXEC);
	if (control < 0 || loop->backing < 0 || ftruncate(loop->backing, (off_t)bytes) < 0)
		return false;
	/* another test may take the free one first */
	for (int i = 0; i < 20; i++) {
		number = ioctl(control, LOOP_CTL_GET_FREE);
		(void)snprintf(loop->node, sizeof(loop->node), "/dev/loop%d", number);
		loop->fd = open(loop->node, flags);
		if (loop->fd >= 0 && ioctl(loop->fd, LOOP_SET_FD, loop->backing) == 0) {
			(void)close(control);
			/* both go by themselves, should the test end early */
			(void)unlink(loop->file);
			return ioctl(loop->fd, LOOP_SET_STATUS64, &info) == 0;
		}
		if (loop->fd >= 0)
			(void)close(loop->fd);
	}
	(void)close(control);
	return false;
}

static inline void loop_detach(struct loop_device *loop)
{
	(void)ioctl(loop->fd, LOOP_CLR_FD, 0);
	(void)close(loop->fd);
	(void)close(loop->backing);
}

/* Cuts or grows the file behind it and, when told, lets the kernel know. */
static inline bool loop_resize(struct loop_device *loop, uint64_t bytes, bool tell)
{
	return ftruncate(loop->backing, (off_t)bytes) == 0 &&
	       (!tell || ioctl(loop->fd, LOOP_SET_CAPACITY, 0) == 0);
}

#endif
