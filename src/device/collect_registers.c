/* SPDX-License-Identifier: BSD-2-Clause */
#include "collect.h"

#include "mmc_command.h"
#include "nvme_admin.h"
#include "register_dir.h"
#include "register_parse.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

static bool is_live(const char *root)
{
	return !root || !root[0];
}

/* EXT_CSD is one line of hex in debugfs, below the host and the card. */
static void read_extcsd(const char *root, const struct ca_disk *disk,
			struct ca_raw_registers *registers)
{
	char host[CA_NAME_BYTES], card[CA_NAME_BYTES], text[2 * CA_EXTCSD_BYTES + 2];
	size_t len;

	if (ca_host_facts_mmc_host(root, disk->name, host) < 0 ||
	    ca_sysfs_link_name(root, card, sizeof(card), "sys/block/%s/device", disk->name) < 0 ||
	    ca_sysfs_bytes(root, text, sizeof(text), &len, "sys/kernel/debug/%s/%s/ext_csd", host,
			   card) < 0)
		return; /* debugfs is for root, and not everywhere */
	(void)ca_register_set_hex(registers, CA_REGISTER_EXTCSD, "ext_csd", text, len, NULL);
}

/*
 * Kernels before 4.17 keep the SSR to themselves, and zeros are what others show when they failed
 * to read it, or of a card that claims no class: the card itself then answers with its bus width.
 */
static bool lacks_ssr(const struct ca_raw_registers *registers)
{
	return !registers->has[CA_REGISTER_SSR] ||
	       ca_bytes_is_all(registers->ssr, sizeof(registers->ssr), 0);
}

static bool ask_ssr(const struct ca_disk *disk, struct ca_raw_registers *registers)
{
	CA_CLEANUP_CLOSE int fd = open(disk->node, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct ca_mmc_command command = ca_mmc_sd_status();

	if (fd < 0 || ca_mmc_execute(fd, &command, registers->ssr, sizeof(registers->ssr)) < 0)
		return false;
	registers->has[CA_REGISTER_SSR] = true;
	return true;
}

static bool ask_extension(int fd, struct ca_mmc_command command, enum ca_register reg,
			  struct ca_raw_registers *registers)
{
	registers->has[reg] = ca_mmc_execute(fd, &command, ca_register_data_mutable(registers, reg),
					     ca_register_bytes(reg)) == 0;
	return registers->has[reg];
}

/*
 * The extension registers, as the kernel itself reads them when it finds the card: only where the
 * SCR announces CMD48. A kernel that shows ext_perf may be using the queue, which the ioctl would
 * interrupt. No answer is an answer: the card is not asked twice.
 */
static bool ask_extensions(const struct ca_disk *disk, struct ca_raw_registers *registers)
{
	static const struct {
		uint16_t function;
		enum ca_register reg;
	} sets[] = {
		{CA_EXTENSION_POWER, CA_REGISTER_EXT_POWER_SET},
		{CA_EXTENSION_PERF, CA_REGISTER_EXT_PERF_SET},
	};
	CA_CLEANUP_CLOSE int fd = -1;
	struct ca_extension place;
	struct ca_scr scr;

	if (registers->has[CA_REGISTER_EXT_PERF] || !registers->has[CA_REGISTER_SCR] ||
	    ca_scr_decode(registers->scr, CA_SCR_BYTES, &scr) < 0 || !scr.cmd48_49)
		return false;
	fd = open(disk->node, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || !ask_extension(fd, ca_mmc_read_extension(0, 0, CA_EXT_SET_BYTES),
				     CA_REGISTER_EXT_GENERAL, registers))
		return false;
	for (size_t i = 0; i < CA_ARRAY_LEN(sets); i++) {
		if (ca_extension_find(registers->ext_general, sets[i].function, &place) < 0)
			continue;
		if (!ask_extension(
			    fd,
			    ca_mmc_read_extension(place.function, place.address, CA_EXT_SET_BYTES),
			    sets[i].reg, registers))
			break;
	}
	return true;
}

int ca_collect_mmc(const char *root, const struct ca_disk *disk, struct ca_evidence *evidence,
		   struct ca_error *error)
{
	struct ca_device_facts *device = &evidence->device;
	struct ca_raw_registers *registers = &evidence->registers;
	char dir[CA_PATH_BYTES];
	bool asked = false, extended = false;
	int rc;

	device->media = strcmp(disk->kind, "sd") == 0 ? CA_MEDIA_SD : CA_MEDIA_MMC;
	(void)snprintf(dir, sizeof(dir), "sys/block/%s/device", disk->name);
	rc = ca_register_dir_read(root ? root : "", dir, registers, error);
	if (rc == -ENOENT) {
		(void)ca_string_copy(device->hidden_because, sizeof(device->hidden_because),
				     "the kernel shows no registers of this card");
		return 0;
	}
	if (rc < 0)
		return rc;
	if (device->media == CA_MEDIA_MMC)
		read_extcsd(root, disk, registers);
	else
		asked = is_live(root) && lacks_ssr(registers) && ask_ssr(disk, registers);
	if (device->media == CA_MEDIA_SD && is_live(root))
		extended = ask_extensions(disk, registers);
	(void)ca_string_copy(device->registers_from, sizeof(device->registers_from),
			     asked && extended ? "sysfs, ssr and extensions by ioctl"
			     : asked	       ? "sysfs, ssr by ioctl"
			     : extended	       ? "sysfs, extensions by ioctl"
					       : "sysfs");
	return 0;
}

static void read_page(int fd, struct ca_nvme_command command, enum ca_register reg,
		      struct ca_raw_registers *registers)
{
	if (ca_nvme_execute(fd, &command, ca_register_data_mutable(registers, reg),
			    ca_register_bytes(reg)) == 0)
		registers->has[reg] = true;
}

static void ask_drive(const struct ca_disk *disk, const char *node, struct ca_evidence *evidence)
{
	CA_CLEANUP_CLOSE int fd = open(node, O_RDONLY | O_CLOEXEC);
	struct ca_device_facts *device = &evidence->device;
	struct ca_raw_registers *registers = &evidence->registers;
	uint64_t nsid = 1;

	if (fd < 0) {
		(void)snprintf(device->hidden_because, sizeof(device->hidden_because),
			       "the drive could not be asked: %s%s", strerror(errno),
			       errno == EACCES ? "; run it with sudo" : "");
		return;
	}
	(void)ca_sysfs_u64("", &nsid, "sys/block/%s/nsid", disk->name); /* 1 is nearly always it */
	read_page(fd, ca_nvme_identify_ctrl(), CA_REGISTER_NVME_CTRL, registers);
	read_page(fd, ca_nvme_identify_ns((uint32_t)nsid), CA_REGISTER_NVME_NS, registers);
	read_page(fd, ca_nvme_smart_log(), CA_REGISTER_NVME_SMART, registers);
	(void)ca_string_copy(device->registers_from, sizeof(device->registers_from),
			     registers->has[CA_REGISTER_NVME_CTRL] ? "ioctl" : "");
	if (!registers->has[CA_REGISTER_NVME_CTRL])
		(void)ca_string_copy(device->hidden_because, sizeof(device->hidden_because),
				     "the drive did not answer Identify");
}

void ca_collect_nvme(const char *root, const struct ca_disk *disk, const char *node,
		     struct ca_evidence *evidence)
{
	struct ca_raw_registers *registers = &evidence->registers;
	char dir[CA_PATH_BYTES];
	uint64_t id;

	evidence->device.media = CA_MEDIA_NVME;
	if (ca_host_facts_pci_dir(root, disk->name, dir) == 0) {
		if (ca_sysfs_u64(root, &id, "%s/vendor", dir) == 0)
			registers->pci_vid = (uint16_t)id;
		if (ca_sysfs_u64(root, &id, "%s/subsystem_vendor", dir) == 0)
			registers->pci_ssvid = (uint16_t)id;
	}
	if (is_live(root))
		ask_drive(disk, node, evidence);
	else
		(void)ca_string_copy(evidence->device.hidden_because,
				     sizeof(evidence->device.hidden_because),
				     "a recorded machine has no drive to ask");
}
