/* SPDX-License-Identifier: BSD-2-Clause */
#include "vendor_query.h"

#include "disk.h"
#include "mmc_command.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const char *cannot_ask_live(const struct ca_evidence *evidence)
{
	const struct ca_device_facts *device = &evidence->device;

	if (device->media == CA_MEDIA_NVME)
		return "CMD56 is a command of SD cards: an NVMe drive has none, and its SMART log "
		       "says how worn it is";
	if (device->media == CA_MEDIA_MMC)
		return "these queries are for SD cards: the EXT_CSD of an eMMC says how worn it is";
	if (device->media == CA_MEDIA_SD && strcmp(device->bus, "mmc") == 0)
		return NULL;
	if (strcmp(device->bus, "usb") == 0)
		return "a USB reader does not pass CMD56 on: put the card into a built-in slot "
		       "(/dev/mmcblk...)";
	return "this device takes no commands of SD cards";
}

const char *ca_vendor_cannot_ask(const char *root, const struct ca_evidence *evidence)
{
	switch (evidence->origin) {
	case CA_ORIGIN_LIVE:
		return root && root[0] ? "a recorded machine has no card to ask"
				       : cannot_ask_live(evidence);
	case CA_ORIGIN_VIRTUAL:
	case CA_ORIGIN_IMAGE:
		return "not observable: no card is behind this device";
	case CA_ORIGIN_SIMULATED:
		return "not observable: a simulated card has no health page";
	case CA_ORIGIN_RECORDED:
		break;
	}
	return "a recorded card cannot be asked: capture it again with --vendor-health";
}

/* Gone, so that no further query has anybody to go to. */
static bool is_gone(int rc)
{
	return rc == -ENODEV || rc == -ENXIO || rc == -ENOMEDIUM;
}

int ca_vendor_ask(ca_vendor_send *send, void *context, const uint8_t *sector0,
		  struct ca_vendor_health *health)
{
	const struct ca_vendor_query *row;
	uint8_t data[CA_VENDOR_BYTES];

	for (unsigned int i = 0; ca_vendor_argument_at(i); i++) {
		uint32_t argument = ca_vendor_argument_at(i);
		enum ca_vendor_result result = CA_VENDOR_ANSWER;
		int rc = send(context, argument, data);

		if (rc == -EPERM || rc == -EACCES)
			return -EPERM;
		if (rc < 0)
			result = rc == -ETIMEDOUT ? CA_VENDOR_TIMEOUT : CA_VENDOR_ERROR;
		else if (sector0 && memcmp(data, sector0, sizeof(data)) == 0 &&
			 !ca_bytes_is_all(data, sizeof(data), data[0]))
			result = CA_VENDOR_ECHO;
		if (!ca_vendor_add(health, argument, result, data) || is_gone(rc) ||
		    ca_vendor_weigh(health, health->count - 1, &row) == CA_VENDOR_KNOWN)
			break;
	}
	return 0;
}

static int send_to_card(void *context, uint32_t argument, uint8_t ret_data[CA_VENDOR_BYTES])
{
	struct ca_mmc_command command = ca_mmc_general_read(argument);

	return ca_mmc_execute(*(const int *)context, &command, ret_data, CA_VENDOR_BYTES);
}

static int open_card(const char *root, const char *target)
{
	char name[CA_NAME_BYTES], partition[CA_NAME_BYTES];
	struct ca_disk disk;
	int fd;

	if (ca_disk_resolve(root, target, name, partition, NULL) < 0 ||
	    ca_disk_read(root, name, &disk) < 0)
		return -ENODEV;
	fd = open(disk.node, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	return fd < 0 ? -errno : fd;
}

void ca_host_ask_vendor(const char *root, const char *target, struct ca_evidence *evidence)
{
	static const char not_permitted[] =
		"the kernel lets only root send commands to a card: run it with sudo";
	struct ca_vendor_health *health = &evidence->vendor;
	const char *why = ca_vendor_cannot_ask(root, evidence);
	uint8_t sector0[CA_VENDOR_BYTES];
	CA_CLEANUP_CLOSE int fd = -1;
	bool has_sector0;

	if (health->count)
		return;
	health->asked = true;
	if (!why) {
		fd = open_card(root, target);
		if (fd < 0)
			why = fd == -EACCES || fd == -EPERM ? not_permitted
							    : "the card could not be opened";
	}
	if (!why) {
		has_sector0 = pread(fd, sector0, sizeof(sector0), 0) == (ssize_t)sizeof(sector0);
		if (ca_vendor_ask(send_to_card, &fd, has_sector0 ? sector0 : NULL, health) < 0)
			why = not_permitted;
	}
	if (why)
		(void)ca_string_copy(health->not_asked_because, sizeof(health->not_asked_because),
				     why); /* fits */
}
