/* SPDX-License-Identifier: BSD-2-Clause */
#include "disk.h"

#include "device_test.h"

#include <errno.h>
#include <string.h>

static const struct {
	const char *root, *target;
	int result;
	const char *name, *partition;
} resolve_cases[] = {
	{PC, "/dev/sdb", 0, "sdb", ""},
	{PC, "/dev/sdb1", 0, "sdb", "sdb1"},
	{PC, "/dev/nvme0n1p2", 0, "nvme0n1", "nvme0n1p2"},
	{PC, "/dev/mapper/vg-root", 0, "dm-0", ""},
	{PC, "/dev/disk/by-id/usb-Generic_STORAGE_DEVICE_000000001536-0:0", 0, "sdb", ""},
	{PC, "/dev/disk/by-id/usb-Generic_STORAGE_DEVICE_000000001536-0:0-part1", 0, "sdb", "sdb1"},
	{PC, "/dev/sdb2", -ENOENT, "", ""},
	{PC, "/dev/", -ENOENT, "", ""},
	{PC, "/dev/..", -ENOENT, "", ""},
	{NULL, "/dev/no-such-disk", -ENOENT, "", ""},
	{NULL, "/dev/null", -ENOTBLK, "", ""},
};

START_TEST(resolve)
{
	char name[CA_NAME_BYTES] = "x", partition[CA_NAME_BYTES] = "y";
	struct ca_error error = {0};
	int r = ca_disk_resolve(resolve_cases[_i].root, resolve_cases[_i].target, name, partition,
				&error);

	ck_assert_msg(r == resolve_cases[_i].result, "%d %s", r, error.text);
	if (r < 0) {
		ck_assert_int_eq(error.code, r);
		return;
	}
	ck_assert_str_eq(name, resolve_cases[_i].name);
	ck_assert_str_eq(partition, resolve_cases[_i].partition);
}
END_TEST

START_TEST(read_disk)
{
	struct ca_disk disk = {.bytes = 77};

	ck_assert_int_eq(ca_disk_read(PC, "none", &disk), -ENOENT);
	ck_assert_uint_eq(disk.bytes, 77);
	ck_assert_int_eq(ca_disk_read(PC, "mmcblk1boot0", &disk), 0);
	ck_assert_str_eq(disk.part_of, "mmcblk1");
	ck_assert(disk.major == 179 && disk.minor == 512);
	ck_assert_int_eq(ca_disk_read(PC, "mmcblk0", &disk), 0);
	ck_assert_str_eq(disk.part_of, "");
	ck_assert_str_eq(disk.serial, ""); /* zeros name nothing */
	ck_assert_uint_eq(disk.sector_bytes, 512);
	ck_assert_int_eq(ca_disk_read(PC, "sda", &disk), 0);
	ck_assert_str_eq(disk.serial, "WD-WCC6Y0000001"); /* from its vital product data */
	ck_assert_str_eq(disk.node, "/dev/sda");
	ck_assert(!disk.virtual_device && !disk.card_registers);
}
END_TEST

/* Slots come from the device tree, whatever udev calls them. */
START_TEST(slot)
{
	struct ca_disk disk;

	ck_assert_int_eq(ca_disk_read(PC, "mmcblk1", &disk), 0);
	ck_assert_str_eq(disk.host_path, "pci0000:00/0000:00:1a.0");
	ck_assert_int_eq(ca_disk_read(PC, "sdd", &disk), 0);
	ck_assert_str_eq(disk.host_path, "pci0000:00/0000:00:14.0/usb1/1-2/1-2:1.0/lun2");
	ck_assert_str_eq(disk.reader, "pci0000:00/0000:00:14.0/usb1/1-2/1-2:1.0");
}
END_TEST

static const struct {
	struct ca_disk disk;
	const char *because; /* how it begins, "" = shown */
} hidden[] = {
	{{.bus = "mmc", .kind = "sd", .card_registers = true}, ""},
	{{.bus = "mmc", .kind = "sd"}, "the kernel shows no registers"},
	{{.bus = "usb", .kind = "usb"}, "a USB reader hides the card's registers; a built-in"},
	{{.bus = "scsi", .kind = "disk"}, "a scsi disk has no card registers"},
	{{.bus = "zram", .kind = "zram", .virtual_device = true}, "a zram device is virtual"},
};

START_TEST(hidden_registers)
{
	const char *expected = hidden[_i].because;
	char because[160] = "x";

	ca_disk_hidden_because(&hidden[_i].disk, because, sizeof(because));
	ck_assert_msg(strncmp(because, expected, strlen(expected)) == 0, "%s", because);
	ck_assert_int_eq(because[0] == '\0', expected[0] == '\0');
	ck_assert_uint_lt(strlen(because), sizeof(because) - 1); /* not cut */
}
END_TEST

START_TEST(parents)
{
	char dir[CA_PATH_BYTES] = "x";

	ck_assert_int_eq(ca_disk_parent_with(PC, "sdc", "idVendor", dir), 0);
	ck_assert_str_eq(dir, "sys/devices/pci0000:00/0000:00:14.0/usb1/1-2");
	ck_assert_int_eq(ca_disk_parent_with(PC, "sda", "idVendor", dir), -ENOENT);
	ck_assert_int_eq(ca_disk_parent_with(PC, "none", "idVendor", dir), -ENOENT);
}
END_TEST

START_TEST(partitions)
{
	struct ca_names names;

	ck_assert_int_eq(ca_disk_partitions(PC, "nvme0n1", &names), 0);
	ck_assert_uint_eq(names.count, 2);
	ck_assert_str_eq(names.at[0], "nvme0n1p1");
	ck_assert_str_eq(names.at[1], "nvme0n1p2");
	ca_names_done(&names);
	ck_assert_int_eq(ca_disk_partitions(PC, "sdc", &names), 0);
	ck_assert_uint_eq(names.count, 0);
	ca_names_done(&names);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("disk");

	tcase_add_loop_test(tests, resolve, 0, (int)CA_ARRAY_LEN(resolve_cases));
	tcase_add_test(tests, read_disk);
	tcase_add_test(tests, slot);
	tcase_add_loop_test(tests, hidden_registers, 0, (int)CA_ARRAY_LEN(hidden));
	tcase_add_test(tests, parents);
	tcase_add_test(tests, partitions);
	return run_tests(tests);
}
