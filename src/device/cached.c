/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The same device through the page cache, as programs that know no better see it. Opened by way of
 * the descriptor that is held: it cannot be another device, and needs no second confirmation.
 */
#include "block.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

int ca_host_open_cached(const struct ca_device *device, struct ca_device **ret_device,
			struct ca_error *error)
{
	const struct ca_block *block = ca_block_of(device);
	struct ca_block *cached;
	char path[40];
	int fd, rc;

	if (!block)
		return ca_error_set(error, -EOPNOTSUPP,
				    "a simulated card has no page cache to go through");
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", block->fd); /* fits */
	fd = open(path, O_CLOEXEC | O_NOCTTY | (device->geometry.read_only ? O_RDONLY : O_RDWR));
	if (fd < 0)
		return ca_error_set(error, -errno,
				    "cannot open the device through the page cache: %s",
				    strerror(errno));
	rc = ca_block_new(fd, block->image, &cached);
	if (rc < 0)
		return ca_error_set(error, rc, "out of memory");
	cached->device.geometry = device->geometry;
	cached->identity = block->identity;
	*ret_device = &cached->device;
	return 0;
}
