/* SPDX-License-Identifier: BSD-2-Clause */
#include "mmc_command.h"

#include <errno.h>
#include <linux/major.h>
#include <linux/mmc/ioctl.h>
#include <string.h>
#include <sys/ioctl.h>

/* Response R1 and an addressed command with data, as linux/mmc/core.h numbers them. */
#define RESPONSE_R1  (1U << 0 | 1U << 2 | 1U << 4)
#define COMMAND_ADTC (1U << 5)

int ca_mmc_execute(int fd, const struct ca_mmc_command *command, uint8_t *ret_data,
		   size_t data_bytes)
{
	uint8_t data[512] = {0};
	struct mmc_ioc_cmd ioc = {
		.write_flag = 0,
		.is_acmd = command->application,
		.opcode = command->opcode,
		.arg = command->argument,
		.flags = RESPONSE_R1 | COMMAND_ADTC,
		.blksz = command->block_bytes,
		.blocks = 1,
	};

	if (!ca_mmc_command_is_inspect(command) || data_bytes != command->block_bytes)
		return -EPERM;
	mmc_ioc_cmd_set_data(ioc, data);
	if (ioctl(fd, MMC_IOC_CMD, &ioc) < 0)
		return -errno;
	memcpy(ret_data, data, data_bytes);
	return 0;
}
