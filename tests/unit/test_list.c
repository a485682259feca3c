/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/host.h"

#include "device_test.h"

#include <errno.h>
#include <string.h>

#define SLOT "platform/soc/mmc0"

/* The PC fixture, in the order `list` shows it. */
static const struct {
	const char *node, *kind, *model, *serial, *host_path, *confirm, *refused;
	uint64_t bytes;
	bool in_use, removable, read_only, registers;
} expected[] = {
	{"/dev/dm-0", "dm", "vg-root", "", "virtual/block/dm-0", "", "mounted at /home, /",
	 972800000000, true, false, false, false},
	{"/dev/loop0", "loop", "/dev/sdc", "", "virtual/block/loop0", "loop0-31914983424", "",
	 31914983424, false, false, false, false},
	{"/dev/loop1", "loop", "/media/user/CARD/disk.img", "", "virtual/block/loop1",
	 "loop1-1048576", "", 1048576, false, false, false, false},
	{"/dev/loop2", "loop", "/home/user/test.img", "", "virtual/block/loop2", "loop2-4294967296",
	 "", 4294967296, false, false, false, false},
	{"/dev/loop10", "loop", "/home/user/other.img", "", "virtual/block/loop10",
	 "loop10-4294967296", "", 4294967296, false, false, false, false},
	{"/dev/md0", "md", "", "", "virtual/block/md0", "md0-1000069595136", "", 1000069595136,
	 false, false, false, false},
	{"/dev/mmcblk0", "sd", "SD32G", "", "pci0000:00/0000:00:1d.0/0000:02:00.0/rtsx_pci_sdmmc.0",
	 "", "read-only", 31914983424, false, true, true, false},
	{"/dev/mmcblk1", "mmc", "DF4064", "0x0badcafe", "pci-0000:00:1a.0", "0x0badcafe", "",
	 62537072640, false, false, false, false},
	{"/dev/nvme0n1", "nvme", "Samsung SSD 980 1TB", "S649NF0R000001",
	 "pci0000:00/0000:00:1b.0/0000:01:00.0", "", "the system works on it", 1000204886016, true,
	 false, false, true},
	{"/dev/sda", "disk", "ATA WDC WD10EZEX-08W", "WD-WCC6Y0000001",
	 "pci0000:00/0000:00:17.0/ata1", "", "held by md0", 1000204886016, true, false, false,
	 false},
	{"/dev/sdb", "usb", "Generic STORAGE DEVICE", "000000001536",
	 "pci0000:00/0000:00:14.0/usb1/1-2/1-2:1.0", "", "mounted at /home/user/My Pictures",
	 31914983424, true, true, false, false},
	{"/dev/sdc", "usb", "Generic STORAGE DEVICE", "000000001536",
	 "pci0000:00/0000:00:14.0/usb1/1-2/1-2:1.0", "", "held by loop0", 31914983424, true, true,
	 false, false},
	{"/dev/sdd", "usb", "Generic STORAGE DEVICE", "000000001536",
	 "pci0000:00/0000:00:14.0/usb1/1-2/1-2:1.0", "", "size of 0", 0, false, true, false, false},
};

START_TEST(pc)
{
	struct ca_device_entry *entries = NULL;
	struct ca_error error = {0};
	size_t count = 0;

	ck_assert_int_eq(ca_host_list(PC, &entries, &count, &error), 0);
	ck_assert_uint_eq(count, CA_ARRAY_LEN(expected)); /* no sr0, no mmcblk1boot0 */
	for (size_t i = 0; i < count; i++) {
		ck_assert_str_eq(entries[i].node, expected[i].node);
		ck_assert_str_eq(entries[i].kind, expected[i].kind);
		ck_assert_str_eq(entries[i].model, expected[i].model);
		ck_assert_str_eq(entries[i].serial, expected[i].serial);
		ck_assert_str_eq(entries[i].host_path, expected[i].host_path);
		ck_assert_str_eq(entries[i].confirm, expected[i].confirm);
		ck_assert_uint_eq(entries[i].bytes, expected[i].bytes);
		ck_assert_int_eq(entries[i].in_use, expected[i].in_use);
		ck_assert_int_eq(entries[i].removable, expected[i].removable);
		ck_assert_int_eq(entries[i].read_only, expected[i].read_only);
		ck_assert_int_eq(entries[i].registers_visible, expected[i].registers);
		if (expected[i].refused[0])
			ck_assert_msg(strstr(entries[i].refused_because, expected[i].refused) !=
					      NULL,
				      "%s", entries[i].refused_because);
		else
			ck_assert_str_eq(entries[i].refused_because, "");
	}
	free(entries);
}
END_TEST

START_TEST(pi)
{
	struct ca_device_entry *entries = NULL;
	size_t count = 0;

	ck_assert_int_eq(ca_host_list(PI4, &entries, &count, NULL), 0);
	ck_assert_uint_eq(count, 1); /* unused loop0 and zram0 are not shown */
	ck_assert_str_eq(entries[0].node, "/dev/mmcblk0");
	ck_assert_str_eq(entries[0].kind, "sd");
	ck_assert_str_eq(entries[0].host_path, "platform/emmc2bus/fe340000.mmc");
	ck_assert_uint_eq(entries[0].diskseq, 5);
	ck_assert(entries[0].registers_visible);
	free(entries);
}
END_TEST

/* A card that --unmount would free shows its word, since that has to be given with it. */
START_TEST(word_of_a_mounted_card)
{
	struct ca_device_entry *entries = NULL;
	size_t count = 0;

	ck_assert_int_eq(ca_host_list(BUSY, &entries, &count, NULL), 0);
	ck_assert_uint_eq(count, 3);
	ck_assert_str_eq(entries[0].confirm, "");
	ck_assert_str_eq(entries[0].host_path, SLOT);
	ck_assert_str_eq(entries[1].confirm, "");
	ck_assert_str_eq(entries[2].confirm, "0x00000033");
	ck_assert(entries[2].in_use);
	free(entries);
}
END_TEST

START_TEST(no_sysfs)
{
	struct ca_device_entry *entries = NULL;
	struct ca_error error = {0};
	size_t count = 7;

	ck_assert_int_eq(ca_host_list(CA_FIXTURES, &entries, &count, &error), -ENOENT);
	ck_assert_uint_eq(count, 7);
	ck_assert_ptr_null(entries);
	ck_assert_int_eq(error.code, -ENOENT);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("list");

	tcase_add_test(tests, pc);
	tcase_add_test(tests, pi);
	tcase_add_test(tests, word_of_a_mounted_card);
	tcase_add_test(tests, no_sysfs);
	return run_tests(tests);
}
