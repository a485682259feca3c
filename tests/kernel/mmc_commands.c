/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sends the commands of the inspect set to a real card through the kernel and prints what came
 * back: "NAME 0 HEX", or "NAME -ERRNO". Then all that the set does not have, which must not be
 * sent: their number, and how many of them were refused before.
 */
#include "mmc_command.h"

#include <errno.h>
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

/* Every opcode as it is and behind CMD55, reading and writing, with an argument that none of the
 * set has. */
static void show_others(int fd)
{
	unsigned int others = 0, refused = 0;
	uint8_t data[512] = {0};

	for (uint32_t i = 0; i < 64 * 4; i++) {
		struct ca_mmc_command command = {.opcode = i / 4,
						 .argument = 0xfffffffe,
						 .application = (i & 1) != 0,
						 .write = (i & 2) != 0,
						 .block_bytes = sizeof(data)};

		others++;
		refused += ca_mmc_execute(fd, &command, data, sizeof(data)) == -EPERM;
	}
	(void)printf("others %u refused %u\n", others, refused);
}

int main(int argc, char **argv)
{
	CA_CLEANUP_CLOSE int fd = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
	struct ca_mmc_command switching = ca_mmc_check_function();

	if (fd < 0)
		return 1;
	show(fd, "sd-status", ca_mmc_sd_status());
	show(fd, "check-function", ca_mmc_check_function());
	show(fd, "general-read", ca_mmc_general_read(1));
	show(fd, "read-extension", ca_mmc_read_extension(0, 0, 512));
	show(fd, "sd-status-again", ca_mmc_sd_status());
	switching.argument |= 1U << 31;
	show(fd, "switch-function", switching);
	show_others(fd);
	return 0;
}
