/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the kernel shows of two cards, an SD card in its own slot and one in a USB reader, with any
 * bytes in every file: listing, collecting and the guard. Who says that a card is mounted or
 * swapped on is not allowed to be missed.
 */
#include "fuzz_files.h"

#include "cardassay/host.h"

#define SD    "sys/devices/platform/soc/mmc0/mmc_host/mmc0/mmc0:0001"
#define BLOCK SD "/block/mmcblk0"
#define USB   "sys/devices/pci0000:00/0000:00:14.0/usb1/1-2"
#define LUN   USB "/1-2:1.0/host6/target6:0:0/6:0:0:0"
#define DISK  LUN "/block/sda"

static const char *const names[] = {
	"proc/self/mountinfo",
	"proc/swaps",
	"proc/device-tree/model",
	"proc/sys/kernel/osrelease",
	"sys/kernel/debug/mmc0/ios",
	"sys/kernel/debug/mmc0/err_stats",
	"sys/devices/platform/soc/soc:firmware/get_throttled",
	SD "/cid",
	SD "/csd",
	SD "/scr",
	SD "/ssr",
	SD "/type",
	SD "/name",
	SD "/serial",
	BLOCK "/size",
	BLOCK "/dev",
	BLOCK "/ro",
	BLOCK "/diskseq",
	BLOCK "/removable",
	BLOCK "/queue/nr_requests",
	BLOCK "/queue/scheduler",
	BLOCK "/queue/write_cache",
	BLOCK "/queue/max_sectors_kb",
	USB "/idVendor",
	USB "/idProduct",
	USB "/manufacturer",
	USB "/product",
	USB "/serial",
	USB "/speed",
	LUN "/vendor",
	LUN "/model",
	LUN "/vpd_pg80",
	DISK "/size",
	DISK "/dev",
	DISK "/ro",
	DISK "/removable",
};

static void link_to(const char *dir, const char *name, const char *target)
{
	char path[600];

	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	FUZZ_CHECK(symlink(target, path) == 0);
}

static const char *make_tree(void)
{
	const char *dir = fuzz_directory();

	for (size_t i = 0; i < CA_ARRAY_LEN(names); i++)
		fuzz_file_write(dir, names[i], "", 0);
	fuzz_file_write(dir, "sys/block/none", "", 0);
	fuzz_file_remove(dir, "sys/block/none");
	link_to(dir, "sys/block/mmcblk0", "../../" BLOCK);
	link_to(dir, "sys/block/sda", "../../" DISK);
	link_to(dir, BLOCK "/device", "../../../mmc0:0001");
	link_to(dir, DISK "/device", "../../../6:0:0:0");
	return dir;
}

static bool is_whole(const char *text, size_t size)
{
	return memchr(text, '\0', size) != NULL;
}

static void check_entry(const struct ca_device_entry *entry)
{
	FUZZ_CHECK(is_whole(entry->node, sizeof(entry->node)));
	FUZZ_CHECK(is_whole(entry->model, sizeof(entry->model)));
	FUZZ_CHECK(is_whole(entry->serial, sizeof(entry->serial)));
	FUZZ_CHECK(is_whole(entry->host_path, sizeof(entry->host_path)));
	FUZZ_CHECK(is_whole(entry->refused_because, sizeof(entry->refused_because)));
	FUZZ_CHECK(!entry->empty || (entry->bytes == 0 && entry->confirm[0] == '\0'));
	/* a word to type: one word, that a terminal shows as it is */
	for (const char *p = entry->confirm; *p; p++)
		FUZZ_CHECK(*p > 0x20 && *p < 0x7f);
	FUZZ_CHECK(entry->confirm[0] || entry->refused_because[0] || entry->empty);
	FUZZ_CHECK(!entry->in_use || entry->refused_because[0]);
}

/* What list offers, the guard accepts; what it refuses, the guard refuses. */
static void check_guard(const char *dir, const struct ca_device_entry *entry)
{
	char confirm[sizeof(entry->confirm)] = "";
	struct ca_error error = {0};
	int r;

	if (!entry->node[0])
		return;
	r = ca_guard_check(dir, entry->node, entry->confirm[0] ? entry->confirm : NULL, confirm,
			   sizeof(confirm), &error);
	FUZZ_CHECK(r <= 0 && (r == 0 || error.text[0]));
	FUZZ_CHECK((r == 0) == (entry->refused_because[0] == '\0'));
	FUZZ_CHECK(r < 0 || strcmp(confirm, entry->confirm) == 0);
	if (entry->confirm[0])
		FUZZ_CHECK(ca_guard_check(dir, entry->node, "no", confirm, sizeof(confirm),
					  &error) < 0 ||
			   strcmp(entry->confirm, "no") == 0);
}

static void check_list(const char *dir)
{
	struct ca_device_entry *entries = NULL;
	struct ca_error error = {0};
	size_t count = 0;
	int r = ca_host_list(dir, &entries, &count, &error);

	FUZZ_CHECK(r == 0 || error.text[0]);
	for (size_t i = 0; r == 0 && i < count; i++) {
		check_entry(&entries[i]);
		check_guard(dir, &entries[i]);
	}
	free(entries);
}

static void check_collect(const char *dir, const char *node)
{
	static struct ca_evidence evidence;
	struct ca_error error = {0};
	int r;

	memset(&evidence, 0, sizeof(evidence));
	r = ca_host_collect(dir, node, &evidence, &error);
	FUZZ_CHECK(r == 0 || error.text[0]);
	for (size_t i = 0; i < CA_HOST_FACT_COUNT; i++)
		FUZZ_CHECK(is_whole(evidence.host[i].text, sizeof(evidence.host[i].text)));
	ca_host_collect_after(dir, node, &evidence);
	ca_evidence_done(&evidence);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *dir;

	if (!dir)
		dir = make_tree();
	fuzz_files_lay_out(dir, names, CA_ARRAY_LEN(names), data, size);
	check_list(dir);
	check_collect(dir, "/dev/mmcblk0");
	check_collect(dir, "/dev/sda");
	return 0;
}
