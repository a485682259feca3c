/* SPDX-License-Identifier: BSD-2-Clause */
/* The slot: the host controller, the bus to the card or drive, the reader on USB. */
#include "host_facts.h"

#include "mmc_command.h"
#include "mmc_err_stats.h"
#include "mmc_ios.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- SD and eMMC ---------------------------------------------------------------------------- */

int ca_host_facts_mmc_host(const char *root, const char *name, char ret_host[CA_NAME_BYTES])
{
	char card[CA_NAME_BYTES];
	int rc;

	/* "mmc0:aaaa" is the card in the host mmc0 */
	rc = ca_sysfs_link_name(root, card, sizeof(card), "sys/block/%s/device", name);
	if (rc < 0)
		return rc;
	card[strcspn(card, ":")] = '\0';
	(void)ca_string_copy(ret_host, CA_NAME_BYTES, card);
	return 0;
}

int ca_host_facts_slot_host(const char *root, const char *host_path, char ret_host[CA_NAME_BYTES])
{
	struct ca_names hosts;
	int rc = ca_sysfs_list(root, &hosts, "sys/devices/%s/mmc_host", host_path);

	if (rc < 0)
		return rc;
	rc = -ENOENT;
	if (hosts.count == 1)
		rc = ca_string_copy(ret_host, CA_NAME_BYTES, hosts.at[0]) ? 0 : -ENOENT;
	ca_names_done(&hosts);
	return rc;
}

/* debugfs is for root, and not everywhere. False when the file cannot be read. */
static bool read_debugfs(const char *root, const char *host, const char *file, char *ret_text,
			 size_t size)
{
	size_t len;

	if (ca_sysfs_bytes(root, ret_text, size - 1, &len, "sys/kernel/debug/%s/%s", host, file) <
	    0)
		return false;
	ret_text[len] = '\0';
	return true;
}

void ca_host_slot_set_ios(const struct ca_mmc_ios *ios, struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	if (ios->timing[0])
		ca_host_fact_set(&facts[CA_HOST_BUS_TIMING], 0, "%s", ios->timing);
	if (ios->clock_hz && ios->clock_hz <= INT64_MAX)
		ca_host_fact_set(&facts[CA_HOST_BUS_CLOCK_HZ], (int64_t)ios->clock_hz,
				 "%" PRIu64 " Hz", ios->clock_hz);
	if (ios->width)
		ca_host_fact_set(&facts[CA_HOST_BUS_WIDTH], ios->width, "%" PRIu32 " bits",
				 ios->width);
	if (ios->voltage[0])
		ca_host_fact_set(&facts[CA_HOST_SIGNAL_VOLTAGE], ios->voltage_mv, "%s",
				 ios->voltage);
}

static void read_ios(const char *root, const char *host, struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	struct ca_mmc_ios ios;
	char text[2048];

	if (!read_debugfs(root, host, "ios", text, sizeof(text)))
		return;
	ca_mmc_ios_parse(text, &ios);
	ca_host_slot_set_ios(&ios, facts);
}

void ca_host_slot_err_stats(const char *root, const char *host, struct ca_fact *fact)
{
	struct ca_mmc_err_stats stats;
	char text[2048];

	if (!read_debugfs(root, host, "err_stats", text, sizeof(text)))
		return;
	ca_mmc_err_stats_parse(text, &stats);
	if (stats.counters && stats.sum <= INT64_MAX)
		ca_host_fact_set(fact, (int64_t)stats.sum, "%s",
				 stats.above_zero[0] ? stats.above_zero : "none");
}

static bool can_switch(const char *root, const struct ca_disk *disk)
{
	uint8_t csd[CA_CSD_BYTES];
	char text[2 * CA_CSD_BYTES + 2];
	size_t len;

	return ca_sysfs_text(root, text, sizeof(text), "sys/block/%s/device/csd", disk->name) ==
		       0 &&
	       ca_hex_decode(text, strlen(text), csd, sizeof(csd), &len) == 0 &&
	       len == sizeof(csd) && ca_mmc_can_switch(csd);
}

/* Only the card knows which power limit was selected. */
static void read_power_limit(const struct ca_disk *disk, struct ca_fact *fact)
{
	CA_CLEANUP_CLOSE int fd = open(disk->node, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct ca_mmc_command command = ca_mmc_check_function();
	uint8_t status[CA_MMC_SWITCH_BYTES];
	uint32_t milliwatts;

	if (fd < 0 || ca_mmc_execute(fd, &command, status, sizeof(status)) < 0)
		return; /* no privilege, or no answer */
	milliwatts = ca_mmc_switch_power_mw(status);
	if (milliwatts)
		ca_host_fact_set(fact, milliwatts, "%" PRIu32 ".%02" PRIu32 " W", milliwatts / 1000,
				 milliwatts % 1000 / 10);
}

static void set_driver(const char *root, const char *device, struct ca_fact *fact)
{
	char driver[CA_NAME_BYTES];

	if (ca_sysfs_link_name(root, driver, sizeof(driver), "%s/driver", device) == 0)
		ca_host_fact_set(fact, 0, "%s", driver);
}

static void read_mmc(const char *root, const struct ca_disk *disk,
		     struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	char path[CA_PATH_BYTES], host[CA_NAME_BYTES];

	/* CONTROLLER/mmc_host/mmc0/mmc0:aaaa */
	(void)snprintf(path, sizeof(path), "sys/block/%s/device/../../..", disk->name);
	set_driver(root, path, &facts[CA_HOST_DRIVER]);
	if (ca_host_facts_mmc_host(root, disk->name, host) == 0) {
		read_ios(root, host, facts);
		ca_host_slot_err_stats(root, host, &facts[CA_HOST_ERR_STATS]);
	}
	/* a card older than CMD6 would leave it to a timeout */
	if (ca_sysfs_is_live(root) && strcmp(disk->kind, "sd") == 0 && can_switch(root, disk))
		read_power_limit(disk, &facts[CA_HOST_POWER_LIMIT_MW]);
}

/* ---- NVMe ----------------------------------------------------------------------------------- */

int ca_host_facts_pci_dir(const char *root, const char *name, char ret_dir[CA_PATH_BYTES])
{
	size_t digits;

	if (strncmp(name, "nvme", 4) != 0)
		return -ENOENT;
	digits = strspn(name + 4, "0123456789");
	/* a namespace on its controller; with multipath the controller has to be looked up */
	(void)snprintf(ret_dir, CA_PATH_BYTES, "sys/block/%s/device/device", name);
	if (!ca_sysfs_exists(root, "%s/vendor", ret_dir))
		(void)snprintf(ret_dir, CA_PATH_BYTES, "sys/class/nvme/nvme%.*s/device",
			       (int)digits, name + 4);
	return ca_sysfs_exists(root, "%s/vendor", ret_dir) ? 0 : -ENOENT;
}

/* "8.0 GT/s PCIe" -> 8000 MT/s */
static int64_t link_megatransfers(const char *text)
{
	char *end;
	int64_t whole = strtol(text, &end, 10);

	if (end == text || whole < 0 || whole > 1000)
		return 0;
	return whole * 1000 +
	       (*end == '.' && isdigit((unsigned char)end[1]) ? (end[1] - '0') * 100 : 0);
}

static void read_nvme(const char *root, const char *name, struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	static const struct {
		const char *file;
		enum ca_host_fact fact;
		bool speed;
	} links[] = {{"current_link_speed", CA_HOST_PCIE_SPEED, true},
		     {"current_link_width", CA_HOST_PCIE_WIDTH, false},
		     {"max_link_speed", CA_HOST_PCIE_SPEED_MAX, true},
		     {"max_link_width", CA_HOST_PCIE_WIDTH_MAX, false}};
	char dir[CA_PATH_BYTES], text[40];

	if (ca_host_facts_pci_dir(root, name, dir) < 0)
		return;
	set_driver(root, dir, &facts[CA_HOST_DRIVER]);
	for (size_t i = 0; i < CA_ARRAY_LEN(links); i++) {
		int64_t number;

		if (ca_sysfs_text(root, text, sizeof(text), "%s/%s", dir, links[i].file) < 0)
			continue;
		number = links[i].speed ? link_megatransfers(text) : strtol(text, NULL, 10);
		if (number > 0)
			ca_host_fact_set(&facts[links[i].fact], number, "%s", text);
	}
}

/* ---- USB and the others --------------------------------------------------------------------- */

/* Cuts "DEVICES/usb1/1-2" or "DEVICES/ata1/host0/..." before the part: "DEVICES". */
static bool cut_before(char *path, const char *part)
{
	size_t len = strlen(part);
	char *at = path;

	while ((at = strstr(at, part))) {
		if (isdigit((unsigned char)at[len])) {
			*at = '\0';
			return true;
		}
		at += len;
	}
	return false;
}

/* The controller is the nearest device with a driver above the bus that begins with `part`. */
static void read_controller(const char *root, const char *name, const char *part,
			    struct ca_fact *fact)
{
	char path[CA_PATH_BYTES], *slash;

	if (ca_sysfs_real(root, path, sizeof(path), "sys/block/%s", name) < 0 ||
	    !cut_before(path, part))
		return;
	while (!fact->present && (slash = strrchr(path, '/')) && strstr(path, "/devices/")) {
		set_driver(root, path + 1, fact);
		*slash = '\0';
	}
}

/* The disk lies below an interface of the USB device: "1-2:1.0". */
static void read_usb_driver(const char *root, const char *name, const char *usb,
			    struct ca_fact *fact)
{
	char path[CA_PATH_BYTES];
	size_t len = strlen(usb), end;

	if (ca_sysfs_real(root, path, sizeof(path), "sys/block/%s", name) < 0 ||
	    strncmp(path + 1, usb, len) != 0 || path[1 + len] != '/')
		return;
	end = 1 + len + 1 + strcspn(path + 1 + len + 1, "/");
	path[end] = '\0';
	set_driver(root, path + 1, fact);
}

static void read_usb_ids(const char *root, const char *usb, struct ca_fact *fact)
{
	char vendor[8], product[8];
	unsigned long vendor_id, product_id;

	if (ca_sysfs_text(root, vendor, sizeof(vendor), "%s/idVendor", usb) < 0 ||
	    ca_sysfs_text(root, product, sizeof(product), "%s/idProduct", usb) < 0)
		return;
	vendor_id = strtoul(vendor, NULL, 16);
	product_id = strtoul(product, NULL, 16);
	if (vendor_id <= UINT16_MAX && product_id <= UINT16_MAX)
		ca_host_fact_set(fact, (int64_t)(vendor_id << 16 | product_id), "%s:%s", vendor,
				 product);
}

/* "Generic MassStorageClass, revision 15.36": bcdDevice has two digits behind the point. */
static void read_bridge(const char *root, const char *usb, struct ca_fact *fact)
{
	char maker[40] = "", product[40] = "", revision[8] = "";

	(void)ca_sysfs_text(root, maker, sizeof(maker), "%s/manufacturer", usb);
	(void)ca_sysfs_text(root, product, sizeof(product), "%s/product", usb);
	(void)ca_sysfs_text(root, revision, sizeof(revision), "%s/bcdDevice", usb);
	if (!maker[0] && !product[0])
		return; /* the ids say who it is */
	if (strlen(revision) == 4)
		ca_host_fact_set(fact, 0, "%s%s%s, revision %.2s.%s", maker,
				 maker[0] && product[0] ? " " : "", product, revision,
				 revision + 2);
	else
		ca_host_fact_set(fact, 0, "%s%s%s", maker, maker[0] && product[0] ? " " : "",
				 product);
}

static void read_usb(const char *root, const char *name, struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	char usb[CA_PATH_BYTES], text[24];
	int64_t number;

	read_controller(root, name, "/usb", &facts[CA_HOST_DRIVER]);
	if (ca_disk_parent_with(root, name, "idVendor", usb) < 0)
		return;
	read_usb_ids(root, usb, &facts[CA_HOST_USB_ID]);
	read_bridge(root, usb, &facts[CA_HOST_USB_BRIDGE]);
	read_usb_driver(root, name, usb, &facts[CA_HOST_USB_DRIVER]);
	if (ca_sysfs_text(root, text, sizeof(text), "%s/speed", usb) < 0)
		return;
	number = strtol(text, NULL, 10); /* "480"; low speed's "1.5" is no mass storage */
	if (number > 0)
		ca_host_fact_set(&facts[CA_HOST_USB_SPEED], number, "%s Mbit/s", text);
}

void ca_host_slot_read(const char *root, const struct ca_disk *disk,
		       struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	if (strcmp(disk->bus, "mmc") == 0)
		read_mmc(root, disk, facts);
	else if (strcmp(disk->bus, "nvme") == 0)
		read_nvme(root, disk->name, facts);
	else if (strcmp(disk->bus, "usb") == 0)
		read_usb(root, disk->name, facts);
	else if (strcmp(disk->bus, "scsi") == 0)
		read_controller(root, disk->name, "/host", &facts[CA_HOST_DRIVER]);
}
