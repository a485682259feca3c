/* SPDX-License-Identifier: BSD-2-Clause */
/* Commands that have no data, to a card whose node is open for writing: CMD20, and the erase. */
#include "block.h"
#include "mmc_command.h"

#include <errno.h>
#include <linux/major.h>
#include <linux/mmc/ioctl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>

/* Response R1 and R1b, and an addressed command without data, as linux/mmc/core.h numbers them. */
#define RESPONSE_R1  (1U << 0 | 1U << 2 | 1U << 4)
#define RESPONSE_R1B (RESPONSE_R1 | 1U << 3)
#define COMMAND_AC   (0U << 5)
#define BUSY_MS	     60000U /* generous: the rule grants a second */

static int send_all(int fd, const struct ca_mmc_command *commands, size_t count)
{
	CA_CLEANUP_FREE struct mmc_ioc_multi_cmd *multi =
		calloc(1, sizeof(*multi) + count * sizeof(multi->cmds[0]));

	if (!multi)
		return -ENOMEM;
	multi->num_of_cmds = count;
	for (size_t i = 0; i < count; i++) {
		bool waits =
			commands[i].opcode == CA_MMC_RECORD || commands[i].opcode == CA_MMC_ERASE;

		if (!ca_mmc_command_is_write_set(&commands[i]))
			return -EPERM;
		multi->cmds[i] = (struct mmc_ioc_cmd){
			.opcode = commands[i].opcode,
			.arg = commands[i].argument,
			.flags = (waits ? RESPONSE_R1B : RESPONSE_R1) | COMMAND_AC,
			.cmd_timeout_ms = waits ? BUSY_MS : 0,
		};
	}
	return ioctl(fd, MMC_IOC_MULTI_CMD, multi) < 0 ? -errno : 0;
}

int ca_record_block(struct ca_device *device, enum ca_card_command command)
{
	const struct ca_block *block = ca_block_of(device);
	struct ca_mmc_command commands[CA_MMC_ERASE_COMMANDS];
	size_t count;

	if (!block || block->image || major(block->identity.rdev) != MMC_BLOCK_MAJOR)
		return -EOPNOTSUPP;
	count = ca_mmc_card_command(command, device->geometry.bytes, commands);
	/* what it answers, an error included, is that it does not obey */
	return count && send_all(block->fd, commands, count) == 0 ? 0 : -EOPNOTSUPP;
}
