/* SPDX-License-Identifier: BSD-2-Clause */
#include "host_facts.h"

#include "mmc_command.h"
#include "mmc_ios.h"
#include "cardassay/host.h"

#include <ctype.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static bool is_live(const char *root)
{
	return !root || !root[0];
}

static void set_fact(struct ca_fact *fact, int64_t number, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void set_fact(struct ca_fact *fact, int64_t number, const char *format, ...)
{
	va_list args;

	fact->present = true;
	fact->number = number;
	va_start(args, format);
	(void)vsnprintf(fact->text, sizeof(fact->text), format, args); /* cut is fine */
	va_end(args);
}

/* ---- the machine ---------------------------------------------------------------------------- */

static void machine_name(const char *root, struct ca_fact *fact)
{
	char vendor[40] = "", product[40] = "", model[80];

	if (ca_sysfs_text(root, model, sizeof(model), "proc/device-tree/model") == 0 ||
	    ca_sysfs_text(root, model, sizeof(model), "sys/firmware/devicetree/base/model") == 0) {
		set_fact(fact, 0, "%s", model);
		return;
	}
	(void)ca_sysfs_text(root, vendor, sizeof(vendor), "sys/class/dmi/id/sys_vendor");
	(void)ca_sysfs_text(root, product, sizeof(product), "sys/class/dmi/id/product_name");
	if (vendor[0] || product[0])
		set_fact(fact, 0, "%s%s%s", vendor, vendor[0] && product[0] ? " " : "", product);
}

static void kernel_and_arch(const char *root, struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	struct utsname names;
	char text[80];

	if (is_live(root) && uname(&names) == 0) {
		set_fact(&facts[CA_HOST_KERNEL], 0, "%s", names.release);
		set_fact(&facts[CA_HOST_ARCH], 0, "%s", names.machine);
		return;
	}
	if (ca_sysfs_text(root, text, sizeof(text), "proc/sys/kernel/osrelease") == 0)
		set_fact(&facts[CA_HOST_KERNEL], 0, "%s", text);
	if (ca_sysfs_text(root, text, sizeof(text), "proc/sys/kernel/arch") == 0)
		set_fact(&facts[CA_HOST_ARCH], 0, "%s", text);
}

/* The Raspberry Pi firmware's flags: undervoltage, frequency capped, throttled; now and ever. */
static void throttled(const char *root, struct ca_fact *fact)
{
	static const char *const places[] = {"sys/devices/platform/soc*/*firmware*/get_throttled",
					     "sys/devices/platform/*firmware*/get_throttled"};

	for (size_t i = 0; i < CA_ARRAY_LEN(places) && !fact->present; i++) {
		char pattern[CA_PATH_BYTES], text[24];
		glob_t found = {0};

		if (ca_sysfs_path(root, pattern, sizeof(pattern), "%s", places[i]) == 0 &&
		    glob(pattern, 0, NULL, &found) == 0 &&
		    ca_sysfs_text("", text, sizeof(text), "%s", found.gl_pathv[0]) == 0) {
			unsigned long bits = strtoul(text, NULL, 16);

			set_fact(fact, (int64_t)(bits & 0xffffffffUL), "0x%lx", bits);
		}
		globfree(&found);
	}
}

static void machine_facts(const char *root, struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	char text[80];

	kernel_and_arch(root, facts);
	machine_name(root, &facts[CA_HOST_MACHINE]);
	throttled(root, &facts[CA_HOST_THROTTLED]);
	if (ca_sysfs_text(root, text, sizeof(text),
			  "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor") == 0)
		set_fact(&facts[CA_HOST_CPU_GOVERNOR], 0, "%s", text);
}

/* ---- the queue ------------------------------------------------------------------------------ */

static void scheduler(const char *root, const char *name, struct ca_fact *fact)
{
	char text[120];
	char *open, *close;

	if (ca_sysfs_text(root, text, sizeof(text), "sys/block/%s/queue/scheduler", name) < 0)
		return;
	open = strchr(text, '[');
	close = open ? strchr(open, ']') : NULL;
	if (close)
		*close = '\0';
	set_fact(fact, 0, "%s", close ? open + 1 : text);
}

static void queue_facts(const char *root, const char *name,
			struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	uint64_t number;
	char text[80];

	if (ca_sysfs_text(root, text, sizeof(text), "sys/block/%s/queue/write_cache", name) == 0)
		set_fact(&facts[CA_HOST_CACHE], strcmp(text, "write back") == 0, "%s", text);
	if (ca_sysfs_u64(root, &number, "sys/block/%s/queue/max_sectors_kb", name) == 0 &&
	    number <= INT64_MAX / 1024)
		set_fact(&facts[CA_HOST_MAX_REQUEST_BYTES], (int64_t)(number * 1024),
			 "%" PRIu64 " KiB", number);
	if (ca_sysfs_u64(root, &number, "sys/block/%s/queue/nr_requests", name) == 0 &&
	    number <= INT32_MAX)
		set_fact(&facts[CA_HOST_NR_REQUESTS], (int64_t)number, "%" PRIu64, number);
	scheduler(root, name, &facts[CA_HOST_SCHEDULER]);
}

/* ---- SD and eMMC ---------------------------------------------------------------------------- */

/*
 * Nothing says directly whether SD command queueing runs. Without it the driver has 64 tags, with
 * it 31; the queue shows the tags (no scheduler) or twice as many.
 */
static void sd_command_queue(const struct ca_fact *nr_requests, struct ca_fact *fact)
{
	int64_t requests = nr_requests->number;

	if (!nr_requests->present)
		return;
	if (requests == 31 || requests == 62)
		set_fact(fact, 1, "nr_requests %" PRId64 ": 31 tags, the queue runs", requests);
	else if (requests == 64 || requests == 128)
		set_fact(fact, 0, "nr_requests %" PRId64 ": 64 tags, no queue", requests);
}

static void mmc_command_queue(const char *root, const struct ca_disk *disk,
			      const struct ca_fact *nr_requests, struct ca_fact *fact)
{
	uint64_t enabled;

	if (ca_sysfs_u64(root, &enabled, "sys/block/%s/device/cmdq_en", disk->name) == 0)
		set_fact(fact, enabled != 0, "cmdq_en %" PRIu64, enabled);
	else if (strcmp(disk->kind, "sd") == 0)
		sd_command_queue(nr_requests, fact);
}

static void bus_facts(const char *root, const char *host, struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	struct ca_mmc_ios ios;
	char text[2048];
	size_t len;

	if (ca_sysfs_bytes(root, text, sizeof(text) - 1, &len, "sys/kernel/debug/%s/ios", host) < 0)
		return; /* debugfs is for root, and not everywhere */
	text[len] = '\0';
	ca_mmc_ios_parse(text, &ios);
	if (ios.timing[0])
		set_fact(&facts[CA_HOST_BUS_TIMING], 0, "%s", ios.timing);
	if (ios.clock_hz && ios.clock_hz <= INT64_MAX)
		set_fact(&facts[CA_HOST_BUS_CLOCK_HZ], (int64_t)ios.clock_hz, "%" PRIu64 " Hz",
			 ios.clock_hz);
	if (ios.width)
		set_fact(&facts[CA_HOST_BUS_WIDTH], ios.width, "%" PRIu32 " bits", ios.width);
	if (ios.voltage[0])
		set_fact(&facts[CA_HOST_SIGNAL_VOLTAGE], ios.voltage_mv, "%s", ios.voltage);
}

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
static void power_limit(const struct ca_disk *disk, struct ca_fact *fact)
{
	CA_CLEANUP_CLOSE int fd = open(disk->node, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct ca_mmc_command command = ca_mmc_check_function();
	uint8_t status[CA_MMC_SWITCH_BYTES];
	uint32_t milliwatts;

	if (fd < 0 || ca_mmc_execute(fd, &command, status, sizeof(status)) < 0)
		return; /* no privilege, or no answer */
	milliwatts = ca_mmc_switch_power_mw(status);
	if (milliwatts)
		set_fact(fact, milliwatts, "%" PRIu32 ".%02" PRIu32 " W", milliwatts / 1000,
			 milliwatts % 1000 / 10);
}

static void mmc_facts(const char *root, const struct ca_disk *disk,
		      struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	char host[CA_NAME_BYTES];

	if (ca_host_facts_mmc_host(root, disk->name, host) == 0)
		bus_facts(root, host, facts);
	mmc_command_queue(root, disk, &facts[CA_HOST_NR_REQUESTS], &facts[CA_HOST_COMMAND_QUEUE]);
	/* a card older than CMD6 would leave it to a timeout */
	if (is_live(root) && strcmp(disk->kind, "sd") == 0 && can_switch(root, disk))
		power_limit(disk, &facts[CA_HOST_POWER_LIMIT_MW]);
}

/* ---- NVMe and USB --------------------------------------------------------------------------- */

int ca_host_facts_pci_dir(const char *root, const char *name, char ret_dir[CA_PATH_BYTES])
{
	size_t digits;

	if (strncmp(name, "nvme", 4) != 0)
		return -1;
	digits = strspn(name + 4, "0123456789");
	/* a namespace on its controller; with multipath the controller has to be looked up */
	(void)snprintf(ret_dir, CA_PATH_BYTES, "sys/block/%s/device/device", name);
	if (!ca_sysfs_exists(root, "%s/vendor", ret_dir))
		(void)snprintf(ret_dir, CA_PATH_BYTES, "sys/class/nvme/nvme%.*s/device",
			       (int)digits, name + 4);
	return ca_sysfs_exists(root, "%s/vendor", ret_dir) ? 0 : -1;
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

static void nvme_facts(const char *root, const char *name, struct ca_fact facts[CA_HOST_FACT_COUNT])
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

	set_fact(&facts[CA_HOST_COMMAND_QUEUE], 1, "NVMe always queues");
	if (ca_host_facts_pci_dir(root, name, dir) < 0)
		return;
	for (size_t i = 0; i < CA_ARRAY_LEN(links); i++) {
		int64_t number;

		if (ca_sysfs_text(root, text, sizeof(text), "%s/%s", dir, links[i].file) < 0)
			continue;
		number = links[i].speed ? link_megatransfers(text) : strtol(text, NULL, 10);
		if (number > 0)
			set_fact(&facts[links[i].fact], number, "%s", text);
	}
}

static void usb_facts(const char *root, const char *name, struct ca_fact *fact)
{
	char dir[CA_PATH_BYTES], text[24];
	int64_t number;

	if (ca_disk_parent_with(root, name, "idVendor", dir) < 0 ||
	    ca_sysfs_text(root, text, sizeof(text), "%s/speed", dir) < 0)
		return;
	number = strtol(text, NULL, 10); /* "480"; low speed's "1.5" is no mass storage */
	if (number > 0)
		set_fact(fact, number, "%s Mbit/s", text);
}

/* ---- all together --------------------------------------------------------------------------- */

void ca_host_facts_read(const char *root, const struct ca_disk *disk,
			struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	memset(facts, 0, CA_HOST_FACT_COUNT * sizeof(*facts));
	machine_facts(root, facts);
	if (!disk)
		return;
	queue_facts(root, disk->name, facts);
	if (strcmp(disk->bus, "mmc") == 0)
		mmc_facts(root, disk, facts);
	else if (strcmp(disk->bus, "nvme") == 0)
		nvme_facts(root, disk->name, facts);
	else if (strcmp(disk->bus, "usb") == 0)
		usb_facts(root, disk->name, &facts[CA_HOST_USB_SPEED]);
}

void ca_host_collect_facts(const char *root, const char *target,
			   struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	char name[CA_NAME_BYTES], partition[CA_NAME_BYTES];
	struct ca_disk disk;

	if (strncmp(target, "/dev/", 5) == 0 &&
	    ca_disk_resolve(root, target, name, partition, NULL) == 0 &&
	    ca_disk_read(root, name, &disk) == 0)
		ca_host_facts_read(root, &disk, facts);
	else
		ca_host_facts_read(root, NULL, facts);
}
