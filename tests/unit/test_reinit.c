/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What may be let go of is decided on machines made up here: each case is a sound one with a
 * change. The letting go itself writes to two files of sysfs, which are plain files in those
 * machines.
 */
#include "reinit.h"

#include "block.h"
#include "device_test.h"
#include "retake.h"
#include "cardassay/host.h"

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SD_HOST	    "sys/devices/pci0000:00/0000:00:10.0"
#define SD_CARD	    SD_HOST "/mmc_host/mmc0/mmc0:aaaa"
#define SD_DISK	    SD_CARD "/block/mmcblk0"
#define SD_DRIVER   "sys/bus/pci/drivers/sdhci-pci"
#define NVME_HOST   "sys/devices/pci0000:00/0000:00:14.0"
#define NVME_DRIVE  NVME_HOST "/nvme/nvme0"
#define NVME_DISK   NVME_DRIVE "/nvme0n1"
#define NVME_DRIVER "sys/bus/pci/drivers/nvme"

static char root[] = "/tmp/ca-reinit-XXXXXX";

/* ---- a machine ------------------------------------------------------------------------------ */

static void make_parents(const char *path)
{
	char dir[512];

	(void)snprintf(dir, sizeof(dir), "%s/%s", root, path);
	for (char *slash = dir + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		(void)mkdir(dir, 0755); /* may be there */
		*slash = '/';
	}
}

static void put(const char *path, const char *text)
{
	char file[512];
	FILE *out;

	make_parents(path);
	(void)snprintf(file, sizeof(file), "%s/%s", root, path);
	out = fopen(file, "w");
	ck_assert_ptr_nonnull(out);
	ck_assert_int_ge(fputs(text, out), 0);
	ck_assert_int_eq(fclose(out), 0);
}

static void get(const char *path, char *ret_text, size_t size)
{
	ret_text[0] = '\0';
	(void)ca_sysfs_text(root, ret_text, size, "%s", path);
}

/* Links lead up from their directory as those of sysfs do, or they would leave the machine. */
static void link_to(const char *path, const char *to)
{
	char file[512], target[512] = "";

	make_parents(path);
	for (const char *slash = path; (slash = strchr(slash, '/')); slash++)
		(void)strcat(target, "../");
	(void)strcat(target, to);
	(void)snprintf(file, sizeof(file), "%s/%s", root, path);
	ck_assert_int_eq(symlink(target, file), 0);
}

static void drop(const char *path)
{
	char file[512];

	(void)snprintf(file, sizeof(file), "%s/%s", root, path);
	ck_assert_int_eq(remove(file), 0);
}

static void put_in(const char *dir, const char *name, const char *text)
{
	char path[512];

	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	put(path, text);
}

static void add_disk(const char *dir, const char *name, const char *dev, const char *card)
{
	char path[512];

	put_in(dir, "size", "65536\n");
	put_in(dir, "dev", dev);
	put_in(dir, "ro", "0\n");
	put_in(dir, "diskseq", "9\n");
	(void)snprintf(path, sizeof(path), "%s/device", dir);
	link_to(path, card);
	(void)snprintf(path, sizeof(path), "sys/block/%s", name);
	link_to(path, dir);
}

static void add_card(const char *card, const char *type, const char *serial)
{
	put_in(card, "type", type);
	put_in(card, "cid", "035344534331364780ecf4c851011b85\n");
	put_in(card, "csd", "400e00325b590000767f7f800a400000\n");
	put_in(card, "scr", "0235800300000000\n");
	put_in(card, "name", "SC16G\n");
	put_in(card, "serial", serial);
}

static void setup(void)
{
	(void)strcpy(root + strlen(root) - 6, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
	put("proc/self/mountinfo", "");
	put("proc/swaps", "Filename Type Size Used Priority\n");
	add_card(SD_CARD, "SD\n", "0xecf4c851\n");
	add_disk(SD_DISK, "mmcblk0", "179:0\n", SD_CARD);
	put(SD_HOST "/mmc_host/mmc0/uevent", "");
	put(SD_DRIVER "/bind", "");
	put(SD_DRIVER "/unbind", "");
	link_to(SD_HOST "/driver", SD_DRIVER);
	put(NVME_DRIVE "/serial", "CA00001\n");
	put(NVME_DRIVE "/model", "QEMU NVMe Ctrl\n");
	put(NVME_DRIVE "/ng0n1/dev", "248:0\n");
	add_disk(NVME_DISK, "nvme0n1", "259:0\n", NVME_DRIVE);
	put(NVME_DRIVER "/bind", "");
	put(NVME_DRIVER "/unbind", "");
	link_to(NVME_HOST "/driver", NVME_DRIVER);
}

static int forget(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	return remove(path);
}

static void teardown(void)
{
	ck_assert_int_eq(nftw(root, forget, 16, FTW_DEPTH | FTW_PHYS), 0);
}

/* ---- may it be? ----------------------------------------------------------------------------- */

static void nothing(void)
{
}
static void empty_second_slot(void)
{
	put(SD_HOST "/mmc_host/mmc1/uevent", "");
}
static void second_card(void)
{
	add_card(SD_HOST "/mmc_host/mmc1/mmc1:1234", "SD\n", "0x1\n");
	add_disk(SD_HOST "/mmc_host/mmc1/mmc1:1234/block/mmcblk1", "mmcblk1", "179:8\n",
		 SD_HOST "/mmc_host/mmc1/mmc1:1234");
}
static void wifi_beside(void)
{
	put(SD_HOST "/mmc_host/mmc1/mmc1:0001/type", "SDIO\n");
}
static void combo_card(void)
{
	put(SD_CARD "/type", "SDcombo\n");
}
static void disk_of_another_kind(void)
{
	add_disk(SD_HOST "/memstick/mspblk0", "mspblk0", "180:0\n", SD_HOST);
}
static void boot_area(void)
{
	put(SD_CARD "/type", "MMC\n");
	add_disk(SD_CARD "/block/mmcblk0boot0", "mmcblk0boot0", "179:8\n", SD_CARD);
}
static void used_boot_area(void)
{
	boot_area();
	put("proc/self/mountinfo", "30 1 179:8 / /mnt/area rw - ext4 /dev/mmcblk0boot0 rw\n");
}
static void mounted(void)
{
	put("proc/self/mountinfo", "30 1 179:0 / / rw - ext4 /dev/mmcblk0 rw\n");
}
static void write_protected(void)
{
	put(SD_DISK "/ro", "1\n");
}
static void stubborn_driver(void)
{
	drop(SD_DRIVER "/unbind");
}
static void one_way_driver(void)
{
	drop(SD_DRIVER "/bind");
}
static void no_driver(void)
{
	drop(SD_HOST "/driver");
}
static void elsewhere(void)
{
	drop("sys/block/mmcblk0");
	link_to("sys/block/mmcblk0", "sys/devices/virtual/block/mmcblk0");
	put("sys/devices/virtual/block/mmcblk0/size", "65536\n");
}
static void second_namespace(void)
{
	add_disk(NVME_DRIVE "/nvme0n2", "nvme0n2", "259:1\n", NVME_DRIVE);
}
static void hidden_namespace(void)
{
	put(NVME_DRIVE "/ng0n2/dev", "248:1\n");
}
static void other_drive(void)
{
	drop(NVME_HOST "/driver");
	put("sys/bus/platform/drivers/nvme-apple/bind", "");
	put("sys/bus/platform/drivers/nvme-apple/unbind", "");
	link_to(NVME_HOST "/driver", "sys/bus/platform/drivers/nvme-apple");
}
static void no_serial(void)
{
	drop(NVME_DRIVE "/serial");
}
static void several_paths(void)
{
	drop("sys/block/nvme0n1");
	link_to("sys/block/nvme0n1", "sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1");
	put("sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1/size", "65536\n");
}

static const struct {
	const char *name;
	void (*change)(void);
	const char *disk, *because; /* NULL = it may */
} cases[] = {
	{"a card alone", nothing, "mmcblk0", NULL},
	{"a drive alone", nothing, "nvme0n1", NULL},
	{"an empty slot beside it", empty_second_slot, "mmcblk0", NULL},
	{"its own boot area", boot_area, "mmcblk0", NULL},
	{"a card beside it", second_card, "mmcblk0", "0000:00:10.0 also drives another card"},
	{"Wi-Fi beside it", wifi_beside, "mmcblk0", "SDIO"},
	{"a card that is more than memory", combo_card, "mmcblk0", "SDIO"},
	{"another disk", disk_of_another_kind, "mmcblk0", "also drives /dev/mspblk0"},
	{"its boot area in use", used_boot_area, "mmcblk0", "/mnt/area"},
	{"the boot area itself", boot_area, "mmcblk0boot0", "an area of the eMMC"},
	{"mounted", mounted, "mmcblk0", "the system works on it"},
	{"write protected", write_protected, "mmcblk0", "read-only"},
	{"no unbind", stubborn_driver, "mmcblk0", "cannot be made to let go"},
	{"no bind", one_way_driver, "mmcblk0", "cannot be made to let go"},
	{"no driver", no_driver, "mmcblk0", "driver of its host controller is not known"},
	{"no controller", elsewhere, "mmcblk0", "host controller is not known"},
	{"two namespaces", second_namespace, "nvme0n1", "another namespace|nvme0n2"},
	{"a namespace without a disk", hidden_namespace, "nvme0n1", "another namespace"},
	{"another driver", other_drive, "nvme0n1", "no drive in a PCIe slot"},
	{"no serial number", no_serial, "nvme0n1", "no serial number"},
	{"several paths", several_paths, "nvme0n1", "more than one controller"},
};

/* One of the words between bars. */
static bool says(const char *text, const char *words)
{
	char copy[128];
	char *rest = NULL;

	(void)ca_string_copy(copy, sizeof(copy), words);
	for (char *word = strtok_r(copy, "|", &rest); word; word = strtok_r(NULL, "|", &rest))
		if (strstr(text, word))
			return true;
	return false;
}

START_TEST(may_it_be)
{
	struct ca_reinit_plan plan = {.device = "untouched"};
	struct ca_error error = {0};
	char node[64], why[400] = "x", unbound[64];
	int rc;

	cases[_i].change();
	rc = ca_reinit_prepare(root, cases[_i].disk, &plan, &error);
	(void)snprintf(node, sizeof(node), "/dev/%s", cases[_i].disk);
	ck_assert_int_eq(ca_host_can_reinit(root, node, why, sizeof(why)), rc == 0);
	ck_assert_str_eq(why, error.text);
	get(SD_DRIVER "/unbind", unbound, sizeof(unbound));
	ck_assert_str_eq(unbound, "");
	if (cases[_i].because) {
		ck_assert_msg(rc == -EOPNOTSUPP, "%s: %d %s", cases[_i].name, rc, error.text);
		ck_assert_msg(says(error.text, cases[_i].because), "%s: %s", cases[_i].name,
			      error.text);
		ck_assert_str_eq(plan.device, "untouched");
		return;
	}
	ck_assert_msg(rc == 0, "%s: %s", cases[_i].name, error.text);
	ck_assert_str_eq(plan.disk.name, cases[_i].disk);
	ck_assert_str_eq(plan.device, cases[_i].disk[0] == 'm' ? "0000:00:10.0" : "0000:00:14.0");
	ck_assert_str_eq(plan.driver, cases[_i].disk[0] == 'm' ? SD_DRIVER : NVME_DRIVER);
}
END_TEST

START_TEST(a_gone_disk_is_no_refusal)
{
	struct ca_reinit_plan plan;
	struct ca_error error = {0};

	ck_assert_int_eq(ca_reinit_prepare(root, "mmcblk7", &plan, &error), -ENOENT);
}
END_TEST

static const struct {
	const char *root, *target, *because;
} others[] = {
	{NULL, "sim:announced=1M", NULL},
	{NULL, "image:card.img", "no host controller"},
	{PC, "/dev/sdb", "does not empty the cache"},
	{PC, "/dev/sdb1", "partition"},
	{PC, "/dev/loop0", "virtual device"},
	{PC, "/dev/sda", "only SD and MMC slots"},
	{PC, "/dev/none", "there is no"},
};

START_TEST(other_targets)
{
	char why[400] = "x";
	bool can = ca_host_can_reinit(others[_i].root, others[_i].target, why, sizeof(why));

	ck_assert_int_eq(can, !others[_i].because);
	if (others[_i].because)
		ck_assert_msg(strstr(why, others[_i].because) != NULL, "%s", why);
	else
		ck_assert_str_eq(why, "");
}
END_TEST

/* ---- letting go and taking again ------------------------------------------------------------ */

static unsigned int let_go_count;
static bool unbound_first, blocked;

static void let_go(void *context)
{
	char unbind[64], bind[64];
	sigset_t now;

	get(SD_DRIVER "/unbind", unbind, sizeof(unbind));
	get(SD_DRIVER "/bind", bind, sizeof(bind));
	unbound_first = strcmp(unbind, "0000:00:10.0") == 0 && !bind[0];
	ck_assert_int_eq(sigprocmask(SIG_BLOCK, NULL, &now), 0);
	blocked = sigismember(&now, SIGINT) && sigismember(&now, SIGTERM) &&
		  sigismember(&now, SIGHUP) && sigismember(&now, SIGTSTP);
	let_go_count++;
	if (context) { /* a directory cannot be written to */
		drop(context);
		put_in(context, "in-the-way", "");
	}
}

static void plan_for_card(struct ca_reinit_plan *plan)
{
	struct ca_error error = {0};

	let_go_count = 0;
	unbound_first = blocked = false;
	ck_assert_msg(ca_reinit_prepare(root, "mmcblk0", plan, &error) == 0, "%s", error.text);
}

START_TEST(lets_go_and_takes_again)
{
	struct ca_reinit_plan plan;
	struct ca_error error = {0};
	char bind[64];
	sigset_t now;

	plan_for_card(&plan);
	ck_assert_msg(ca_reinit_rebind(root, &plan, let_go, NULL, &error) == 0, "%s", error.text);
	get(SD_DRIVER "/bind", bind, sizeof(bind));
	ck_assert_str_eq(bind, "0000:00:10.0");
	ck_assert(let_go_count == 1 && unbound_first && blocked);
	ck_assert_int_eq(sigprocmask(SIG_BLOCK, NULL, &now), 0);
	ck_assert(!sigismember(&now, SIGINT));
}
END_TEST

START_TEST(a_driver_that_does_not_let_go)
{
	struct ca_reinit_plan plan;
	struct ca_error error = {0};
	char bind[64];

	plan_for_card(&plan);
	drop(SD_DRIVER "/unbind");
	ck_assert_int_eq(ca_reinit_rebind(root, &plan, let_go, NULL, &error), -EOPNOTSUPP);
	ck_assert_ptr_nonnull(strstr(error.text, "does not let go"));
	ck_assert_uint_eq(let_go_count, 0);
	get(SD_DRIVER "/bind", bind, sizeof(bind));
	ck_assert_str_eq(bind, "");
}
END_TEST

START_TEST(a_driver_that_does_not_come_back)
{
	struct ca_reinit_plan plan;
	struct ca_error error = {0};
	char file[] = SD_DRIVER "/bind";
	int rc;

	plan_for_card(&plan);
	rc = ca_reinit_rebind(root, &plan, let_go, file, &error);
	ck_assert_msg(rc == -EISDIR, "%d", rc);
	ck_assert_uint_eq(let_go_count, 1);
	ck_assert_ptr_nonnull(strstr(error.text, "sdhci-pci did not take"));
	ck_assert_ptr_nonnull(strstr(error.text, "loaded anew or the machine is restarted"));
}
END_TEST

/* ---- finding it again ----------------------------------------------------------------------- */

START_TEST(is_found_by_its_slot)
{
	struct ca_reinit_plan plan;
	struct ca_disk now = {.bytes = 7};

	plan_for_card(&plan);
	drop("sys/block/mmcblk0");
	ck_assert_int_eq(ca_retake_find(root, &plan.disk, &now), -ENOENT);
	ck_assert_uint_eq(now.bytes, 7);
	/* the kernel counts its names on */
	add_card(SD_HOST "/mmc_host/mmc0/mmc0:bbbb", "SD\n", "0xecf4c851\n");
	add_disk(SD_HOST "/mmc_host/mmc0/mmc0:bbbb/block/mmcblk3", "mmcblk3", "179:24\n",
		 SD_HOST "/mmc_host/mmc0/mmc0:bbbb");
	ck_assert_int_eq(ca_retake_find(root, &plan.disk, &now), 0);
	ck_assert_str_eq(now.name, "mmcblk3");
	ck_assert(ca_retake_is_same(&plan.disk, &now));
}
END_TEST

static const struct {
	const char *path, *text;
	bool same;
} returns[] = {
	{SD_DISK "/diskseq", "10\n", true},	    {SD_DISK "/dev", "179:8\n", true},
	{SD_DISK "/size", "65537\n", false},	    {SD_DISK "/ro", "1\n", false},
	{SD_CARD "/serial", "0xecf4c852\n", false}, {SD_CARD "/name", "SC32G\n", false},
	{SD_CARD "/type", "MMC\n", false},
};

START_TEST(what_comes_back_is_compared)
{
	struct ca_reinit_plan plan;
	struct ca_disk now;

	plan_for_card(&plan);
	put(returns[_i].path, returns[_i].text);
	ck_assert_int_eq(ca_retake_find(root, &plan.disk, &now), 0);
	ck_assert_msg(ca_retake_is_same(&plan.disk, &now) == returns[_i].same, "%s",
		      returns[_i].path);
}
END_TEST

/* ---- the op --------------------------------------------------------------------------------- */

START_TEST(an_image_is_left_alone)
{
	struct ca_io_fault fault = {.status = CA_IO_GONE};
	char target[64] = "image:";
	struct ca_device *device = NULL;
	uint8_t *sector = NULL;

	put("card.img", "");
	(void)snprintf(target, sizeof(target), "image:%s/card.img", root);
	ck_assert_int_eq(truncate(target + 6, 8192), 0);
	ck_assert_int_eq(ca_host_open(target, CA_OPEN_WRITE, &device, NULL), 0);
	for (unsigned int i = 0; i < 2; i++) {
		ck_assert_int_eq(ca_device_reinit(device, &fault), -EOPNOTSUPP);
		ck_assert_ptr_nonnull(strstr(device->failure.text, "no host controller"));
		ck_assert_int_eq(fault.status, CA_IO_GONE);
	}
	ck_assert_int_eq(posix_memalign((void **)&sector, CA_BUFFER_ALIGN, 4096), 0);
	ck_assert_int_eq(ca_device_read(device, 0, 4096, sector, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_OK);
	free(sector);
	ca_device_close(device);
}
END_TEST

/* A cache that lies goes on lying: the power stays on. */
START_TEST(a_simulated_cache_survives)
{
	struct ca_device *device = NULL;
	struct ca_io_fault fault;
	uint8_t *data = NULL;

	ck_assert_int_eq(ca_host_open("sim:announced=4M,real=1M,kind=limbo,cache=1M", CA_OPEN_WRITE,
				      &device, NULL),
			 0);
	ck_assert_int_eq(posix_memalign((void **)&data, CA_BUFFER_ALIGN, 4096), 0);
	memset(data, 0x5a, 4096);
	ck_assert_int_eq(ca_device_write(device, 2 * CA_MIB, 4096, data, &fault), 0);
	ck_assert_int_eq(ca_device_reinit(device, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_OK);
	ck_assert_int_eq(ca_device_read(device, 2 * CA_MIB, 4096, data, &fault), 0);
	ck_assert(ca_bytes_is_all(data, 4096, 0x5a));
	free(data);
	ca_device_close(device);
}
END_TEST

START_TEST(a_simulated_card_that_left_stays_away)
{
	struct ca_device *device = NULL;
	struct ca_io_fault fault;
	uint8_t *data = NULL;

	ck_assert_int_eq(
		ca_host_open("sim:announced=4M,gone-after=4K", CA_OPEN_WRITE, &device, NULL), 0);
	ck_assert_int_eq(posix_memalign((void **)&data, CA_BUFFER_ALIGN, 8192), 0);
	ck_assert_int_eq(ca_device_read(device, 0, 8192, data, &fault), 0);
	ck_assert_int_eq(ca_device_reinit(device, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_GONE);
	free(data);
	ca_device_close(device);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("reinit");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_loop_test(tests, may_it_be, 0, (int)CA_ARRAY_LEN(cases));
	tcase_add_test(tests, a_gone_disk_is_no_refusal);
	tcase_add_loop_test(tests, other_targets, 0, (int)CA_ARRAY_LEN(others));
	tcase_add_test(tests, lets_go_and_takes_again);
	tcase_add_test(tests, a_driver_that_does_not_let_go);
	tcase_add_test(tests, a_driver_that_does_not_come_back);
	tcase_add_test(tests, is_found_by_its_slot);
	tcase_add_loop_test(tests, what_comes_back_is_compared, 0, (int)CA_ARRAY_LEN(returns));
	tcase_add_test(tests, an_image_is_left_alone);
	tcase_add_test(tests, a_simulated_cache_survives);
	tcase_add_test(tests, a_simulated_card_that_left_stays_away);
	return run_tests(tests);
}
