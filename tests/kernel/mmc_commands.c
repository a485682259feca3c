/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sends the commands of the inspect set to a real card through the kernel and prints what came
 * back: "NAME 0 HEX", or "NAME -ERRNO". Then one that the set does not have, which must not be
 * sent.
 */
#include "mmc_command.h"

#include <fcntl.h>
#include <stdio.h>

static void show(int fd, const char *name, struct ca_mmc_command command)
{
	uint8_t data[512];
	char hex[2 * sizeof(data) + 1] = "";
	int rc = ca_mmc_execute(fd, &command, data, command.block_bytes);

	if (rc == 0)
		ca_hex_encode(data, command.block_bytes, hex);
	(void)printf("%s %d %s\n", name, rc, hex);
}

int main(int argc, char **argv)
{
	CA_CLEANUP_CLOSE int fd = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
	struct ca_mmc_command switching = ca_mmc_check_function();

	if (fd < 0)
		return 1;
	show(fd, "sd-status", ca_mmc_sd_status());
	show(fd, "check-function", ca_mmc_check_function());
	show(fd, "general-read", ca_mmc_general_read(0));
	show(fd, "read-extension", ca_mmc_read_extension(0, 0, 512));
	show(fd, "sd-status-again", ca_mmc_sd_status());
	switching.argument |= 1U << 31;
	show(fd, "switch-function", switching);
	return 0;
}
