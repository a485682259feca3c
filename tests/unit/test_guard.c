/* SPDX-License-Identifier: BSD-2-Clause */
#include "guard.h"

#include "device_test.h"
#include "disk_use.h"
#include "loop_device.h"
#include "mounts.h"
#include "cardassay/host.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NOMOUNTS CA_FIXTURES "/sysfs/nomounts"

/* What the guard answers without and with a word. */
static const struct {
	const char *root, *target, *word;
	int result;
	const char *says; /* part of the error, or the confirm word */
} cases[] = {
	/* no serial: name and size */
	{PC, "/dev/loop2", NULL, 0, "loop2-4294967296"},
	{PC, "/dev/loop2", "loop2-4294967296", 0, "loop2-4294967296"},
	{PC, "/dev/loop2", "LOOP2-4294967296", -EINVAL, "upper and lower case matter"},
	{PC, "/dev/loop2", "", -EINVAL, "not the confirm word of /dev/loop2"},
	{PC, "/dev/loop2", "loop2-429496729", -EINVAL, "not the confirm word"},
	{PC, "/dev/loop2", "loop10-4294967296", -EINVAL,
	 "is the confirm word of /dev/loop10, not of /dev/loop2"},
	/* a serial that is unique; the by-path link leads to the same card */
	{PC, "/dev/mmcblk1", "0x0badcafe", 0, "0x0badcafe"},
	{PC, "/dev/disk/by-path/pci-0000:00:1a.0", "0x0badcafe", 0, "0x0badcafe"},
	{PC, "/dev/loop2", "0x0badcafe", -EINVAL, "is the confirm word of /dev/mmcblk1"},
	/* in use, each way there is */
	{PC, "/dev/nvme0n1", NULL, -EBUSY, "the system works on it: mounted at"},
	{PC, "/dev/nvme0n1", NULL, -EBUSY, "/boot/efi"},
	{PC, "/dev/nvme0n1", NULL, -EBUSY, "held by dm-0 (vg-root)"},
	{PC, "/dev/dm-0", NULL, -EBUSY, "mounted at /home, /"},
	{PC, "/dev/mapper/vg-root", NULL, -EBUSY, "refused to erase /dev/dm-0"},
	{PC, "/dev/sda", NULL, -EBUSY, "held by md0"},
	{PC, "/dev/sdc", NULL, -EBUSY, "held by loop0 (/dev/sdc)"},
	{PC, "/dev/sdb", NULL, -EBUSY, "/media/user/CARD"},
	{PC, "/dev/sdb", NULL, -EBUSY, "/home/user/My Pictures"},
	{PC, "/dev/sdb", NULL, -EBUSY, "held by loop1 (/media/user/CARD/disk.img)"},
	{BUSY, "/dev/mmcblk0", NULL, -EBUSY, "swap on /dev/mmcblk0p1"},
	{BUSY, "/dev/mmcblk1", NULL, -EBUSY, "the working directory is there"},
	{BUSY, "/dev/mmcblk2", NULL, -EBUSY, "mounted at /media/a (--unmount unmounts it)"},
	{BUSY, "/dev/mmcblk2", "0x00000033", -EBUSY, "mounted at /media/a"},
	/* the word is checked first, so that a wrong one unmounts nothing */
	{BUSY, "/dev/mmcblk2", "0x00000011", -EINVAL, "confirm word of /dev/mmcblk0"},
	{BUSY, "/dev/mmcblk2", "nonsense", -EINVAL, "not the confirm word"},
	{PI4, "/dev/mmcblk0", "0x1a2b3c4d", -EBUSY, "the system works on it"},
	/* not a whole disk, nothing to write on, not writable */
	{PC, "/dev/sdb1", NULL, -EBUSY, "/dev/sdb1 is a partition"},
	{PC, "/dev/sdb1", NULL, -EBUSY, "which is /dev/sdb"},
	{PC, "/dev/disk/by-id/usb-Generic_STORAGE_DEVICE_000000001536-0:0-part1", NULL, -EBUSY,
	 "which is /dev/sdb"},
	{PC, "/dev/sdd", NULL, -EBUSY, "size of 0"},
	{PC, "/dev/mmcblk0", NULL, -EROFS, "read-only"},
	{PC, "/dev/mmcblk1boot0", NULL, -EBUSY, "an area of the eMMC mmcblk1"},
	{PC, "/dev/sdz", NULL, -ENOENT, "there is no /dev/sdz"},
	/* slots of one reader, and two readers, that share a serial number */
	{READER4, "/dev/sde", "058F312D81B-sde-31914983424", 0, "058F312D81B-sde-31914983424"},
	{READER4, "/dev/sde", "058F312D81B-sdb-31914983424", -EINVAL,
	 "is the confirm word of /dev/sdb, not of /dev/sde"},
	{READER4, "/dev/sde", "058F312D81B", -EINVAL, "is ambiguous"},
	{READER4, "/dev/sdc", "058F312D81B-sdc-0", -EBUSY, "size of 0"},
	{TWINS, "/dev/sdb", "058F63666485-sdb-31914983424", 0, "058F63666485-sdb-31914983424"},
	{TWINS, "/dev/sdc", "058F63666485-sdb-31914983424", -EINVAL,
	 "is the confirm word of /dev/sdb, not of /dev/sdc"},
	/* nobody can say what is mounted: refused */
	{NOMOUNTS, "/dev/loop3", NULL, -EBUSY, "cannot be found out"},
};

START_TEST(check)
{
	char confirm[160] = "untouched";
	struct ca_error error = {0};
	int r = ca_guard_check(cases[_i].root, cases[_i].target, cases[_i].word, confirm,
			       sizeof(confirm), &error);

	ck_assert_msg(r == cases[_i].result, "%s: %d, %s", cases[_i].target, r, error.text);
	if (r == 0) {
		ck_assert_str_eq(confirm, cases[_i].says);
		return;
	}
	ck_assert_msg(strstr(error.text, cases[_i].says) != NULL, "%s", error.text);
	ck_assert_str_eq(confirm, "untouched");
	ck_assert_int_eq(error.code, r);
}
END_TEST

/* Words of disks that exist in the table only: each means one of them. */
static const struct {
	struct ca_disk disk;
	const char *word;
} words_of[] = {
	{{.name = "sda", .serial = "AB 12;x", .bytes = 1000}, "AB_12_x"},
	{{.name = "sdb", .serial = "0001", .bytes = 2000}, "0001-sdb-2000"},
	{{.name = "sdc", .serial = "0001", .bytes = 2000}, "0001-sdc-2000"},
	{{.name = "loop0", .bytes = 4294967296}, "loop0-4294967296"},
	/* two serials that a shell would need quotes for, and that are one without them */
	{{.name = "sdd", .serial = "S 9", .bytes = 3000}, "S_9-sdd-3000"},
	{{.name = "sde", .serial = "S_9", .bytes = 3000}, "S_9-sde-3000"},
	/* serials made to look like the word of another disk */
	{{.name = "sdf", .serial = "0001-sdc-2000", .bytes = 5}, "0001-sdc-2000-sdf-5"},
	{{.name = "sdg", .serial = "loop0-4294967296", .bytes = 5}, "loop0-4294967296-sdg-5"},
	/* an empty slot shares its reader's serial, and the boot area of an eMMC is no disk */
	{{.name = "sdh", .serial = "R1", .bytes = 64000}, "R1-sdh-64000"},
	{{.name = "sdi", .serial = "R1"}, "R1-sdi-0"},
	{{.name = "mmcblk1", .serial = "0x0badcafe", .bytes = 9}, "0x0badcafe"},
	{{.name = "mmcblk1boot0", .serial = "0x0badcafe", .part_of = "mmcblk1"},
	 "0x0badcafe-mmcblk1boot0-0"},
};

START_TEST(words)
{
	struct ca_disk disks[CA_ARRAY_LEN(words_of)];
	char word[160];

	for (size_t i = 0; i < CA_ARRAY_LEN(disks); i++)
		disks[i] = words_of[i].disk;
	for (size_t i = 0; i < CA_ARRAY_LEN(disks); i++) {
		ca_guard_word(&disks[i], disks, CA_ARRAY_LEN(disks), word, sizeof(word));
		ck_assert_str_eq(word, words_of[i].word);
	}
}
END_TEST

START_TEST(image)
{
	char path[] = "/tmp/ca-guard-XXXXXX", target[64], word[64], confirm[160];
	struct ca_error error = {0};
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, 8192), 0);
	(void)snprintf(target, sizeof(target), "image:%s", path);
	(void)snprintf(word, sizeof(word), "%s-8192", path + 5);
	ck_assert_int_eq(ca_guard_check(NULL, target, NULL, confirm, sizeof(confirm), &error), 0);
	ck_assert_str_eq(confirm, word);
	ck_assert_int_eq(ca_guard_check(NULL, target, word, confirm, sizeof(confirm), &error), 0);
	ck_assert_int_eq(ca_guard_check(NULL, target, "no", NULL, 0, &error), -EINVAL);
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(ca_guard_check(NULL, target, word, NULL, 0, NULL), -ENOENT);
	(void)close(fd);
}
END_TEST

START_TEST(image_in_use_or_none)
{
	static const char *const none[] = {"/", "/dev/null"};
	struct loop_device loop;
	struct ca_error error = {0};
	char target[80];

	for (size_t i = 0; i < CA_ARRAY_LEN(none); i++) {
		(void)snprintf(target, sizeof(target), "image:%s", none[i]);
		ck_assert_int_eq(ca_guard_check(NULL, target, NULL, NULL, 0, &error), -EINVAL);
		ck_assert_ptr_nonnull(strstr(error.text, "not a regular file"));
	}
	if (loop_missing() || !loop_attach(&loop, 65536, false))
		return; /* needs root and a loop device */
	(void)snprintf(target, sizeof(target), "image:%s", loop.node);
	error = (struct ca_error){0};
	ck_assert_int_eq(ca_guard_check(NULL, target, NULL, NULL, 0, &error), -EINVAL);
	ck_assert_ptr_nonnull(strstr(error.text, "write just /dev/loop"));
	loop_detach(&loop);
}
END_TEST

START_TEST(system_mount_points)
{
	static const char *const yes[] = {"/",	   "/boot", "/boot/firmware", "/usr",  "/var/lib/x",
					  "/home", "/efi",  "/etc",	      "/media"};
	static const char *const no[] = {
		"/media/user/CARD", "/mnt",	 "/mnt/card", "/run/media/a/b",
		"/home/user/card",  "/bootcard", "/srv/card"};

	for (size_t i = 0; i < CA_ARRAY_LEN(yes); i++)
		ck_assert_msg(ca_mount_point_is_system(yes[i]), "%s", yes[i]);
	for (size_t i = 0; i < CA_ARRAY_LEN(no); i++)
		ck_assert_msg(!ca_mount_point_is_system(no[i]), "%s", no[i]);
}
END_TEST

START_TEST(longest_mount_wins)
{
	struct ca_mounts mounts = {0};

	ck_assert_int_eq(ca_mounts_read(PC, &mounts), 0);
	ck_assert_str_eq(ca_mounts_find(&mounts, "/home/user/x")->target, "/home");
	ck_assert_str_eq(ca_mounts_find(&mounts, "/homeless")->target, "/");
	ck_assert_str_eq(ca_mounts_find(&mounts, "/home/user/My Pictures/a.jpg")->target,
			 "/home/user/My Pictures");
	ca_mounts_done(&mounts);
}
END_TEST

START_TEST(volumes_in_unmounting_order)
{
	struct ca_disk_use use;
	struct ca_disk disk;

	ck_assert_int_eq(ca_disk_read(PC, "sdb", &disk), 0);
	ck_assert_int_eq(ca_disk_use_read(PC, &disk, &use), 0);
	ck_assert(use.in_use && !use.system && !use.only_volumes); /* a loop device is on it */
	ck_assert_uint_eq(use.volume_count, 2);
	ck_assert_str_eq(use.volumes[0], "/home/user/My Pictures");
	ck_assert_str_eq(use.volumes[1], "/media/user/CARD");
	ca_disk_use_done(&use);
	ck_assert_int_eq(ca_disk_read(BUSY, "mmcblk2", &disk), 0);
	ck_assert_int_eq(ca_disk_use_read(BUSY, &disk, &use), 0);
	ck_assert(use.only_volumes);
	ca_disk_use_done(&use);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("guard");

	tcase_add_loop_test(tests, check, 0, (int)CA_ARRAY_LEN(cases));
	tcase_add_test(tests, words);
	tcase_add_test(tests, image);
	tcase_add_test(tests, image_in_use_or_none);
	tcase_add_test(tests, system_mount_points);
	tcase_add_test(tests, longest_mount_wins);
	tcase_add_test(tests, volumes_in_unmounting_order);
	return run_tests(tests);
}
