/* SPDX-License-Identifier: BSD-2-Clause */
#include "nvme_admin.h"

#include <errno.h>
#include <linux/nvme_ioctl.h>
#include <string.h>
#include <sys/ioctl.h>

int ca_nvme_execute(int fd, const struct ca_nvme_command *command, uint8_t *ret_data,
		    size_t data_bytes)
{
	uint8_t data[4096] __attribute__((aligned(8))) = {0};
	struct nvme_admin_cmd ioc = {
		.opcode = command->opcode,
		.nsid = command->nsid,
		.addr = (uint64_t)(uintptr_t)data,
		.data_len = command->data_bytes,
		.cdw10 = command->cdw10,
		.cdw11 = command->cdw11,
	};
	int rc;

	if (!ca_nvme_command_is_inspect(command) || data_bytes != command->data_bytes)
		return -EPERM;
	rc = ioctl(fd, NVME_IOCTL_ADMIN_CMD, &ioc);
	if (rc < 0)
		return -errno;
	if (rc > 0)
		return -EIO; /* an NVMe status: the drive has no such data */
	memcpy(ret_data, data, data_bytes);
	return 0;
}
