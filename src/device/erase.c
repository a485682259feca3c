/* SPDX-License-Identifier: BSD-2-Clause */
#include "block.h"

#include <errno.h>
#include <linux/fs.h>
#include <sys/ioctl.h>

#define AT_ONCE CA_GIB /* so that a signal ends the program between two */

int ca_erase_block(struct ca_device *device, struct ca_io_fault *ret_fault)
{
	const struct ca_block *block = ca_block_of(device);
	uint64_t end = device->geometry.bytes;

	if (!block || block->image)
		return -EOPNOTSUPP;
	for (uint64_t offset = 0; offset < end; offset += AT_ONCE) {
		uint64_t left = end - offset;
		uint64_t range[2] = {offset, left < AT_ONCE ? left : AT_ONCE};

		if (ioctl(block->fd, BLKDISCARD, range) < 0)
			return -EOPNOTSUPP; /* not here, or not all: whatever the reason */
	}
	*ret_fault = (struct ca_io_fault){.status = CA_IO_OK};
	return 0;
}
