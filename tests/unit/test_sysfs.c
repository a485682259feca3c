/* SPDX-License-Identifier: BSD-2-Clause */
#include "sysfs.h"

#include "device_test.h"

#include <errno.h>
#include <string.h>

START_TEST(text)
{
	char value[64] = "untouched", small[5];

	ck_assert_int_eq(
		ca_sysfs_text(PC, value, sizeof(value), "sys/block/%s/device/model", "nvme0n1"), 0);
	ck_assert_str_eq(value, "Samsung SSD 980 1TB"); /* padding gone */
	ck_assert_int_eq(ca_sysfs_text(PI4, value, sizeof(value), "proc/device-tree/model"), 0);
	ck_assert_str_eq(value, "Raspberry Pi 4 Model B Rev 1.5"); /* NUL at its end */
	ck_assert_int_eq(ca_sysfs_text(PI4, small, sizeof(small), "proc/device-tree/model"), 0);
	ck_assert_str_eq(small, "Rasp");
	ck_assert_int_eq(ca_sysfs_text(PC, value, sizeof(value), "no/such"), -ENOENT);
	ck_assert_int_eq(ca_sysfs_text(PC, value, sizeof(value), "sys"), -EISDIR);
	ck_assert_str_eq(value, "Raspberry Pi 4 Model B Rev 1.5");
}
END_TEST

START_TEST(numbers)
{
	uint64_t value = 7;

	ck_assert_int_eq(ca_sysfs_u64(PC, &value, "sys/block/sda/size"), 0);
	ck_assert_uint_eq(value, 1953525168);
	ck_assert_int_eq(
		ca_sysfs_u64(PC, &value, "sys/class/../block/nvme0n1/device/device/vendor"), 0);
	ck_assert_uint_eq(value, 0x144d);
	ck_assert_int_eq(ca_sysfs_u64(PC, &value, "sys/block/sda/dev"), -EINVAL); /* "8:0" */
	ck_assert_int_eq(ca_sysfs_u64(PC, &value, "sys/block/none/size"), -ENOENT);
	ck_assert_uint_eq(value, 0x144d);
}
END_TEST

START_TEST(device_number)
{
	unsigned int major = 1, minor = 2;

	ck_assert_int_eq(ca_sysfs_dev(PC, &major, &minor, "sys/block/%s/dev", "mmcblk1boot0"), 0);
	ck_assert(major == 179 && minor == 512);
	ck_assert_int_eq(ca_sysfs_dev(PC, &major, &minor, "sys/block/sda/size"), -EINVAL);
	ck_assert_int_eq(ca_sysfs_dev(PC, &major, &minor, "proc/sys/kernel/arch"), -EINVAL);
	ck_assert_int_eq(ca_sysfs_dev(PC, &major, &minor, "none"), -ENOENT);
	ck_assert(major == 179 && minor == 512);
}
END_TEST

START_TEST(bytes)
{
	uint8_t data[64];
	size_t len = 0;

	ck_assert_int_eq(
		ca_sysfs_bytes(PC, data, sizeof(data), &len, "sys/block/sda/device/vpd_pg80"), 0);
	ck_assert_uint_eq(len, 24);
	ck_assert_uint_eq(data[1], 0x80);
	ck_assert_int_eq(ca_sysfs_bytes(PC, data, 4, &len, "sys/block/sda/device/vpd_pg80"), 0);
	ck_assert_uint_eq(len, 4);
}
END_TEST

START_TEST(links)
{
	char name[CA_PATH_BYTES];

	ck_assert_int_eq(ca_sysfs_link_name(PI4, name, sizeof(name), "sys/block/mmcblk0/device"),
			 0);
	ck_assert_str_eq(name, "mmc0:aaaa");
	ck_assert_int_eq(ca_sysfs_link_name(PI4, name, sizeof(name), "sys/block"), -EINVAL);
	ck_assert_int_eq(ca_sysfs_real(PC, name, sizeof(name), "sys/block/dm-0"), 0);
	ck_assert_str_eq(name, "/sys/devices/virtual/block/dm-0");
	ck_assert_int_eq(ca_sysfs_real(PC, name, sizeof(name), "sys/block/none"), -ENOENT);
	/* a link that leaves the recorded tree */
	ck_assert_int_eq(ca_sysfs_real(PC "/sys/block", name, sizeof(name), "dm-0"), -EXDEV);
	ck_assert(ca_sysfs_exists(PC, "sys/block/%s", "sda"));
	ck_assert(!ca_sysfs_exists(PC, "sys/block/%s", "sdz"));
}
END_TEST

START_TEST(natural_order)
{
	struct ca_names names = {0};
	size_t two = 99, ten = 99;

	ck_assert_int_eq(ca_sysfs_list(PC, &names, "sys/block"), 0);
	for (size_t i = 0; i < names.count; i++) {
		if (strcmp(names.at[i], "loop2") == 0)
			two = i;
		if (strcmp(names.at[i], "loop10") == 0)
			ten = i;
	}
	ck_assert_uint_eq(ten, two + 1);
	ca_names_done(&names);
	ck_assert_ptr_null(names.at);
	ck_assert_int_eq(ca_sysfs_list(PC, &names, "none"), -ENOENT);
}
END_TEST

START_TEST(too_long)
{
	char path[16] = "x", name[600];

	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	ck_assert_int_eq(ca_sysfs_path("/root", path, sizeof(path), "%s", name), -ENAMETOOLONG);
	ck_assert_str_eq(path, "x");
	ck_assert_int_eq(ca_sysfs_path(NULL, path, sizeof(path), "sys/%d", 5), 0);
	ck_assert_str_eq(path, "/sys/5");
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("sysfs");

	tcase_add_test(tests, text);
	tcase_add_test(tests, numbers);
	tcase_add_test(tests, device_number);
	tcase_add_test(tests, bytes);
	tcase_add_test(tests, links);
	tcase_add_test(tests, natural_order);
	tcase_add_test(tests, too_long);
	return run_tests(tests);
}
