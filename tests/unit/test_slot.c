/* SPDX-License-Identifier: BSD-2-Clause */
#include "slot.h"

#include "device_test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BUS1   "pci0000:00/0000:00:14.0/usb1/1-5/1-5:1.0"
#define BUS2   "pci0000:00/0000:00:1d.0/usb1/1-1/1-1.2/"
#define XHCI   "platform/soc/a600000.usb/xhci-hcd/usb1/1-1/1-1.4/1-1.4:1.0"
#define RTSX   "pci0000:00/0000:00:14.0/usb2/2-6/2-6:1.0/rtsx_usb_sdmmc"
#define NVME0  "pci0000:00/0000:00:1b.0/0000:01:00.0"
#define SDHCI2 "pci0000:00/0000:00:1c.3/0000:05:00.0"

static const struct {
	const char *root, *name, *path, *reader;
} recorded[] = {
	{PI4, "mmcblk0", "platform/emmc2bus/fe340000.mmc", "platform/emmc2bus/fe340000.mmc"},
	{PI4, "none", "", ""},
	{PC, "loop0", "virtual/block/loop0", "virtual/block/loop0"},
	{PC, "sda", "pci0000:00/0000:00:17.0/ata1", "pci0000:00/0000:00:17.0/ata1"},
	{READER4, "sdb", BUS1, BUS1},
	{READER4, "sdc", BUS1 "/lun1", BUS1},
	{READER4, "sde", BUS1 "/lun3", BUS1},
	/* bus 2 of the machine is the first and only one of its controller */
	{TWINS, "sdb", BUS2 "1-1.2.4/1-1.2.4:1.0", BUS2 "1-1.2.4/1-1.2.4:1.0"},
	{TWINS, "sdc", BUS2 "1-1.2.2/1-1.2.2:1.0", BUS2 "1-1.2.2/1-1.2.2:1.0"},
	{SLOTS2, "mmcblk2", SDHCI2 "/slot2", SDHCI2},
	{PATHS, "nvme0n1", NVME0, NVME0},
	{PATHS, "nvme0n2", NVME0 "/ns2", NVME0},
	/* below a subsystem, not below its controller */
	{PATHS, "nvme1n1", "pci0000:00/0000:00:1d.0/0000:02:00.0",
	 "pci0000:00/0000:00:1d.0/0000:02:00.0"},
	{PATHS, "mmcblk4", RTSX, RTSX},
	/* buses 9 and 10 */
	{PATHS, "sdb", "pci0000:00/0000:00:1c.0/0000:03:00.0/usb2/2-2/2-2:1.0",
	 "pci0000:00/0000:00:1c.0/0000:03:00.0/usb2/2-2/2-2:1.0"},
	{PATHS, "sdc", XHCI "/lun1", XHCI},
	{PATHS, "sde", "pci0000:00/0000:00:06.0/target3/lun17", "pci0000:00/0000:00:06.0"},
	{PATHS, "vda", "pci0000:00/0000:00:05.0", "pci0000:00/0000:00:05.0"},
};

START_TEST(paths)
{
	struct ca_slot slot = {"x", "y"};

	ca_slot_of_disk(recorded[_i].root, recorded[_i].name, &slot);
	ck_assert_str_eq(slot.path, recorded[_i].path);
	ck_assert_str_eq(slot.reader, recorded[_i].reader);
}
END_TEST

/* Two moments of one machine: is a disk there in the slot of the other? */
#define CARD(n, rca) "mmc_host/mmc" n "/mmc" n ":" rca "/block/mmcblk" n
#define LUN(h, c, l) "host" h "/target" h ":" c "/" h ":" c ":" l "/block/sdx"
static const struct {
	const char *before, *after;
	bool same;
} moments[] = {
	/* another card, another number of the host */
	{"platform/fe340000.mmc/" CARD("0", "aaaa"), "platform/fe340000.mmc/" CARD("7", "0001"),
	 true},
	{"platform/fe340000.mmc/" CARD("0", "aaaa"), "platform/fe300000.mmc/" CARD("0", "aaaa"),
	 false},
	/* the SCSI host, the bus and the helper device are counted on with each plugging in */
	{"pci0/usb1/1-4/1-4:1.0/" LUN("6", "0:0", "0"),
	 "pci0/usb1/1-4/1-4:1.0/" LUN("9", "0:0", "0"), true},
	{"pci0/usb1/1-4/1-4:1.0/" LUN("6", "0:0", "0"),
	 "pci0/usb12/12-4/12-4:1.0/" LUN("6", "0:0", "0"), true},
	{"pci0/usb1/1-4/1-4:1.0/" LUN("6", "0:0", "0"),
	 "pci1/usb1/1-4/1-4:1.0/" LUN("6", "0:0", "0"), false},
	{"pci0/usb1/1-4/1-4:1.0/" LUN("6", "0:0", "0"),
	 "pci0/usb1/1-5/1-5:1.0/" LUN("6", "0:0", "0"), false},
	{"pci0/usb1/1-4/1-4:1.0/" LUN("6", "0:0", "0"),
	 "pci0/usb1/1-4/1-4:1.0/" LUN("6", "0:0", "1"), false},
	{"pci0/usb1/1-4/1-4:1.0/" LUN("6", "0:0", "1"),
	 "pci0/usb1/1-4/1-4:1.0/" LUN("6", "0:1", "1"), false},
	{"pci0/x_sdmmc.3.auto/" CARD("1", "aaaa"), "pci0/x_sdmmc.4.auto/" CARD("1", "aaaa"), true},
	{"pci0/.auto/" CARD("1", "aaaa"), "pci0/3.auto/" CARD("1", "aaaa"), false},
	/* numbers that are an address */
	{"platform/sdhci.1/" CARD("1", "aaaa"), "platform/sdhci.2/" CARD("1", "aaaa"), false},
	{"pci0/virtio3/block/vda", "pci0/virtio5/block/vdb", true},
	{"pci0/nvme/nvme0/nvme0n1", "pci0/nvme/nvme3/nvme3n1", true},
};

static void slot_at(const char *device, struct ca_slot *ret_slot)
{
	char root[] = "/tmp/ca-slot-XXXXXX", command[1024];
	const char *name = strrchr(device, '/') + 1;

	ck_assert_ptr_nonnull(mkdtemp(root));
	(void)snprintf(command, sizeof(command),
		       "mkdir -p %s/sys/block %s/sys/devices/%s && ln -s ../devices/%s "
		       "%s/sys/block/%s",
		       root, root, device, device, root, name);
	ck_assert_int_eq(system(command), 0);
	ca_slot_of_disk(root, name, ret_slot);
	(void)snprintf(command, sizeof(command), "rm -rf %s", root);
	ck_assert_int_eq(system(command), 0);
	ck_assert_str_ne(ret_slot->path, "");
}

START_TEST(stay_or_differ)
{
	struct ca_slot before, after;

	slot_at(moments[_i].before, &before);
	slot_at(moments[_i].after, &after);
	ck_assert_msg((strcmp(before.path, after.path) == 0) == moments[_i].same, "%s, %s",
		      before.path, after.path);
}
END_TEST

/* A path that is too long keeps its end, which tells the slots apart. */
START_TEST(long_path)
{
	char device[400] = "";
	struct ca_slot slot;

	for (int i = 0; i < 18; i++)
		(void)snprintf(device + strlen(device), sizeof(device) - strlen(device),
			       "0000:%02d:00.0-bridge/", i);
	(void)strcat(device, LUN("6", "0:0", "2"));
	slot_at(device, &slot);
	ck_assert_uint_eq(strlen(slot.path), sizeof(slot.path) - 1);
	ck_assert_str_eq(strrchr(slot.path, '/'), "/lun2");
	ck_assert_str_eq(strrchr(slot.reader, '/'), "/0000:17:00.0-bridge");
}
END_TEST

static const struct {
	const char *root;
	size_t count;
	const char *path, *reader; /* of the first */
	bool has_card;
} bare_cases[] = {
	/* neither the Wi-Fi nor the host that the firmware says is soldered on */
	{PI_WIFI, 1, "platform/soc/fe204000.spi/spi_master/spi0/spi0.0",
	 "platform/soc/fe204000.spi/spi_master/spi0/spi0.0", false},
	{SLOTS2, 2, "pci0000:00/0000:00:12.0", "pci0000:00/0000:00:12.0", true},
	{PATHS, 0, "", "", false},
	{PC, 0, "", "", false}, /* no mmc_host class */
};

START_TEST(bare)
{
	struct ca_bare_slot *slots = NULL;
	size_t count = 77;

	ck_assert_int_eq(ca_slot_list_bare(bare_cases[_i].root, &slots, &count), 0);
	ck_assert_uint_eq(count, bare_cases[_i].count);
	if (count) {
		ck_assert_str_eq(slots[0].slot.path, bare_cases[_i].path);
		ck_assert_str_eq(slots[0].slot.reader, bare_cases[_i].reader);
		ck_assert_int_eq(slots[0].has_card, bare_cases[_i].has_card);
	}
	if (count > 1) {
		ck_assert_str_eq(slots[1].slot.path, SDHCI2);
		ck_assert(!slots[1].has_card);
	}
	free(slots);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("slot");

	tcase_add_loop_test(tests, paths, 0, (int)CA_ARRAY_LEN(recorded));
	tcase_add_loop_test(tests, stay_or_differ, 0, (int)CA_ARRAY_LEN(moments));
	tcase_add_test(tests, long_path);
	tcase_add_loop_test(tests, bare, 0, (int)CA_ARRAY_LEN(bare_cases));
	return run_tests(tests);
}
