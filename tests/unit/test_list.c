/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/host.h"

#include "device_test.h"

#include <errno.h>
#include <string.h>

#define SLOT "platform/soc/mmc0"
#define BUS1 "pci0000:00/0000:00:14.0/usb1/1-5/1-5:1.0"

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
	{"/dev/mmcblk1", "mmc", "DF4064", "0x0badcafe", "pci0000:00/0000:00:1a.0", "0x0badcafe", "",
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
	 "pci0000:00/0000:00:14.0/usb1/1-2/1-2:1.0/lun1", "", "held by loop0", 31914983424, true,
	 true, false, false},
	{"/dev/sdd", "usb", "Generic STORAGE DEVICE", "000000001536",
	 "pci0000:00/0000:00:14.0/usb1/1-2/1-2:1.0/lun2", "", "size of 0", 0, false, true, false,
	 false},
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
		ck_assert_int_eq(entries[i].hidden_because[0] == '\0', expected[i].registers);
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

/* Slots of readers, with and without cards. */
static const struct {
	const char *root;
	size_t count, at; /* entries, and the one that is looked at */
	const char *node, *kind, *host_path, *by_path, *confirm, *refused, *hidden;
	unsigned int slot, slot_count;
	bool empty;
} slots[] = {
	/* one serial number for all slots, and cards of one size in two of them */
	{READER4, 4, 0, "/dev/sdb", "usb", BUS1,
	 "/dev/disk/by-path/pci-0000:00:14.0-usb-0:5:1.0-scsi-0:0:0:0",
	 "058F312D81B-sdb-31914983424", "", "a USB reader hides", 1, 4, false},
	{READER4, 4, 1, "/dev/sdc", "usb", BUS1 "/lun1",
	 "/dev/disk/by-path/pci-0000:00:14.0-usb-0:5:1.0-scsi-0:0:0:1", "",
	 "there is no card in this slot", "a USB reader hides", 2, 4, true},
	{READER4, 4, 3, "/dev/sde", "usb", BUS1 "/lun3",
	 "/dev/disk/by-path/pci-0000:00:14.0-usb-0:5:1.0-scsi-0:0:0:3",
	 "058F312D81B-sde-31914983424", "", "a USB reader hides", 4, 4, false},
	/* two readers with one serial number are two readers */
	{TWINS, 2, 0, "/dev/sdb", "usb",
	 "pci0000:00/0000:00:1d.0/usb1/1-1/1-1.2/1-1.2.4/1-1.2.4:1.0", "",
	 "058F63666485-sdb-31914983424", "", "a USB reader hides", 1, 1, false},
	{TWINS, 2, 1, "/dev/sdc", "usb",
	 "pci0000:00/0000:00:1d.0/usb1/1-1/1-1.2/1-1.2.2/1-1.2.2:1.0", "",
	 "058F63666485-sdc-31914983424", "", "a USB reader hides", 1, 1, false},
	{PI_WIFI, 2, 0, "/dev/mmcblk0", "sd", "platform/emmc2bus/fe340000.mmc", "", "0x1a2b3c4d",
	 "", "", 1, 1, false},
	{PI_WIFI, 2, 1, "", "sd", "platform/soc/fe204000.spi/spi_master/spi0/spi0.0", "", "",
	 "there is no card in this slot", "no card is in the slot", 1, 1, true},
	/* the empty slot comes before the one with the card, as in the reader */
	{SLOTS2, 3, 0, "", "sd", "pci0000:00/0000:00:1c.3/0000:05:00.0", "", "",
	 "there is no card in this slot", "no card is in the slot", 1, 2, true},
	{SLOTS2, 3, 1, "/dev/mmcblk2", "sd", "pci0000:00/0000:00:1c.3/0000:05:00.0/slot2", "",
	 "0x12345678", "", "the kernel shows no", 2, 2, false},
	{SLOTS2, 3, 2, "", "sd", "pci0000:00/0000:00:12.0", "", "", "the kernel made no disk",
	 "the kernel made no disk", 1, 1, false},
	/* namespaces and the disks of one controller are no slots of a reader */
	{PATHS, 9, 2, "/dev/nvme0n2", "nvme", "pci0000:00/0000:00:1b.0/0000:01:00.0/ns2", "",
	 "S649NF0R000001-nvme0n2-1024209543168", "", "", 1, 1, false},
	{PATHS, 9, 7, "/dev/sde", "disk", "pci0000:00/0000:00:06.0/target3/lun17", "",
	 "sde-31914983424", "", "a scsi disk has no", 1, 1, false},
};

static void starts_with(const char *text, const char *start)
{
	ck_assert_msg(strncmp(text, start, start[0] ? strlen(start) : strlen(text) + 1) == 0, "%s",
		      text);
}

START_TEST(readers)
{
	struct ca_device_entry *entries = NULL;
	const struct ca_device_entry *entry;
	size_t count = 0;

	ck_assert_int_eq(ca_host_list(slots[_i].root, &entries, &count, NULL), 0);
	ck_assert_uint_eq(count, slots[_i].count);
	entry = &entries[slots[_i].at];
	ck_assert_str_eq(entry->node, slots[_i].node);
	ck_assert_str_eq(entry->kind, slots[_i].kind);
	ck_assert_str_eq(entry->host_path, slots[_i].host_path);
	ck_assert_str_eq(entry->by_path, slots[_i].by_path);
	ck_assert_str_eq(entry->confirm, slots[_i].confirm);
	starts_with(entry->refused_because, slots[_i].refused);
	starts_with(entry->hidden_because, slots[_i].hidden);
	ck_assert_uint_eq(entry->slot, slots[_i].slot);
	ck_assert_uint_eq(entry->slot_count, slots[_i].slot_count);
	ck_assert_int_eq(entry->empty, slots[_i].empty);
	ck_assert_int_eq(entry->bytes == 0, entry->empty || !entry->node[0]);
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
	tcase_add_loop_test(tests, readers, 0, (int)CA_ARRAY_LEN(slots));
	tcase_add_test(tests, word_of_a_mounted_card);
	tcase_add_test(tests, no_sysfs);
	return run_tests(tests);
}
