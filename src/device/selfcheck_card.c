/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers and identify data: what of a card or drive this kernel lets be read. */
#include "selfcheck.h"

#include "host_facts.h"
#include "mmc_command.h"
#include "nvme_admin.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

static bool is_mmc(const struct ca_selfcheck *selfcheck)
{
	return strcmp(selfcheck->disk.bus, "mmc") == 0;
}

static bool is_sd(const struct ca_selfcheck *selfcheck)
{
	return is_mmc(selfcheck) && strcmp(selfcheck->disk.kind, "sd") == 0;
}

/* ---- registers ------------------------------------------------------------------------------ */

/* One register as sysfs shows it. -ENODATA when it is not the register's length. */
static int read_register(const struct ca_selfcheck *selfcheck, const char *name, size_t bytes,
			 uint8_t *ret_data)
{
	char text[2 * CA_SSR_BYTES + 8];
	size_t len;
	int rc = ca_sysfs_text(selfcheck->root, text, sizeof(text), "sys/block/%s/device/%s",
			       selfcheck->disk.name, name);

	if (rc < 0)
		return rc;
	rc = ca_hex_decode(text, strlen(text), ret_data, bytes, &len);
	return rc < 0 || len != bytes ? -ENODATA : 0;
}

static void check_register(struct ca_selfcheck *selfcheck, const char *name, size_t bytes)
{
	uint8_t data[CA_SSR_BYTES];
	int rc = read_register(selfcheck, name, bytes, data);

	if (rc == -ENOENT)
		ca_selfcheck_add(selfcheck, name, CA_CHECK_ABSENT,
				 "this kernel does not show it in sysfs");
	else if (rc == -ENODATA)
		ca_selfcheck_add(selfcheck, name, CA_CHECK_ABSENT,
				 "sysfs shows what cannot be this register");
	else if (rc < 0)
		ca_selfcheck_add_failure(selfcheck, name, rc);
	else if (ca_bytes_is_all(data, bytes, 0))
		ca_selfcheck_add(selfcheck, name, CA_CHECK_ABSENT,
				 "sysfs shows zeros only: the host could not read it, or the card "
				 "says nothing there");
	else
		ca_selfcheck_add(selfcheck, name, CA_CHECK_WORKS, "%zu bytes, from sysfs", bytes);
}

static void check_ext_csd(struct ca_selfcheck *selfcheck)
{
	char host[CA_NAME_BYTES], card[CA_NAME_BYTES], text[2 * CA_EXTCSD_BYTES + 2];
	size_t len;
	int rc = ca_host_facts_mmc_host(selfcheck->root, selfcheck->disk.name, host);

	if (rc == 0)
		rc = ca_sysfs_link_name(selfcheck->root, card, sizeof(card), "sys/block/%s/device",
					selfcheck->disk.name);
	if (rc == 0)
		rc = ca_sysfs_bytes(selfcheck->root, text, sizeof(text), &len,
				    "sys/kernel/debug/%s/%s/ext_csd", host, card);
	if (rc < 0)
		ca_selfcheck_add_failure(selfcheck, "ext_csd", rc);
	else
		ca_selfcheck_add(selfcheck, "ext_csd", CA_CHECK_WORKS, "from debugfs");
}

void ca_selfcheck_registers(struct ca_selfcheck *selfcheck)
{
	static const struct {
		const char *name;
		size_t bytes;
		bool sd_only;
	} registers[] = {{"cid", CA_CID_BYTES, false},
			 {"csd", CA_CSD_BYTES, false},
			 {"scr", CA_SCR_BYTES, true},
			 {"ssr", CA_SSR_BYTES, true}};
	uint64_t ocr;
	int rc;

	for (size_t i = 0; i < CA_ARRAY_LEN(registers); i++) {
		if (!is_mmc(selfcheck) || (registers[i].sd_only && !is_sd(selfcheck)))
			ca_selfcheck_add(selfcheck, registers[i].name, CA_CHECK_NOT_APPLICABLE,
					 "no register of such a device is seen here");
		else
			check_register(selfcheck, registers[i].name, registers[i].bytes);
	}
	if (!is_mmc(selfcheck)) {
		ca_selfcheck_add(selfcheck, "ocr", CA_CHECK_NOT_APPLICABLE, "not a card slot");
	} else {
		rc = ca_sysfs_u64(selfcheck->root, &ocr, "sys/block/%s/device/ocr",
				  selfcheck->disk.name);
		if (rc < 0)
			ca_selfcheck_add_failure(selfcheck, "ocr", rc);
		else
			ca_selfcheck_add(selfcheck, "ocr", CA_CHECK_WORKS, "from sysfs");
	}
	if (is_mmc(selfcheck) && !is_sd(selfcheck))
		check_ext_csd(selfcheck);
	else
		ca_selfcheck_add(selfcheck, "ext_csd", CA_CHECK_NOT_APPLICABLE, "only eMMC has it");
}

/* ---- commands to an SD card ----------------------------------------------------------------- */

static void check_command(struct ca_selfcheck *selfcheck, const char *name, int fd,
			  const struct ca_mmc_command *command)
{
	uint8_t data[512];
	int rc = fd < 0 ? fd : ca_mmc_execute(fd, command, data, command->block_bytes);

	if (rc < 0)
		ca_selfcheck_add_failure(selfcheck, name, rc);
	else
		ca_selfcheck_add(selfcheck, name, CA_CHECK_WORKS, "answered, %u bytes",
				 command->block_bytes);
}

static bool announces_cmd48(const struct ca_selfcheck *selfcheck)
{
	uint8_t data[CA_SCR_BYTES];
	struct ca_scr scr;

	return read_register(selfcheck, "scr", sizeof(data), data) == 0 &&
	       ca_scr_decode(data, sizeof(data), &scr) == 0 && scr.cmd48_49;
}

void ca_selfcheck_card_commands(struct ca_selfcheck *selfcheck)
{
	static const char *const names[] = {"acmd13", "cmd6", "cmd48"};
	const struct ca_mmc_command sd_status = ca_mmc_sd_status();
	const struct ca_mmc_command check_function = ca_mmc_check_function();
	const struct ca_mmc_command general_information = ca_mmc_read_extension(0, 0, 512);
	CA_CLEANUP_CLOSE int fd = -1;
	uint8_t csd[CA_CSD_BYTES];

	if (!is_sd(selfcheck)) {
		for (size_t i = 0; i < CA_ARRAY_LEN(names); i++)
			ca_selfcheck_add(selfcheck, names[i], CA_CHECK_NOT_APPLICABLE,
					 "a command to SD cards in a slot of this machine");
		return;
	}
	if (!ca_sysfs_is_live(selfcheck->root)) {
		for (size_t i = 0; i < CA_ARRAY_LEN(names); i++)
			(void)ca_selfcheck_is_recorded(selfcheck, names[i]); /* it is */
		return;
	}
	fd = open(selfcheck->node, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		fd = -errno;
	check_command(selfcheck, "acmd13", fd, &sd_status);
	if (read_register(selfcheck, "csd", sizeof(csd), csd) == 0 && ca_mmc_can_switch(csd))
		check_command(selfcheck, "cmd6", fd, &check_function);
	else
		ca_selfcheck_add(selfcheck, "cmd6", CA_CHECK_NOT_APPLICABLE,
				 "the CSD announces no switch command: not sent");
	if (announces_cmd48(selfcheck))
		check_command(selfcheck, "cmd48", fd, &general_information);
	else
		ca_selfcheck_add(selfcheck, "cmd48", CA_CHECK_NOT_APPLICABLE,
				 "the SCR announces no extension registers: not sent");
}

/* ---- NVMe ----------------------------------------------------------------------------------- */

static void check_admin(struct ca_selfcheck *selfcheck, const char *name, int fd,
			const struct ca_nvme_command *command)
{
	uint8_t data[CA_NVME_ID_BYTES];
	int rc = fd < 0 ? fd : ca_nvme_execute(fd, command, data, command->data_bytes);

	if (rc < 0)
		ca_selfcheck_add_failure(selfcheck, name, rc);
	else
		ca_selfcheck_add(selfcheck, name, CA_CHECK_WORKS, "answered, %u bytes",
				 command->data_bytes);
}

void ca_selfcheck_nvme(struct ca_selfcheck *selfcheck)
{
	static const char *const names[] = {"identify", "identify-ns", "smart"};
	struct ca_nvme_command commands[CA_ARRAY_LEN(names)];
	bool is_nvme = strcmp(selfcheck->disk.bus, "nvme") == 0;
	CA_CLEANUP_CLOSE int fd = -1;
	uint64_t nsid = 1;

	(void)ca_sysfs_u64(selfcheck->root, &nsid, "sys/block/%s/nsid",
			   selfcheck->disk.name); /* 1 is nearly always it */
	commands[0] = ca_nvme_identify_ctrl();
	commands[1] = ca_nvme_identify_ns((uint32_t)nsid);
	commands[2] = ca_nvme_smart_log();
	if (is_nvme && ca_sysfs_is_live(selfcheck->root)) {
		fd = open(selfcheck->node, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			fd = -errno;
	}
	for (size_t i = 0; i < CA_ARRAY_LEN(names); i++) {
		if (!is_nvme)
			ca_selfcheck_add(selfcheck, names[i], CA_CHECK_NOT_APPLICABLE,
					 "not an NVMe drive");
		else if (!ca_selfcheck_is_recorded(selfcheck, names[i]))
			check_admin(selfcheck, names[i], fd, &commands[i]);
	}
}
