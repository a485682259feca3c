/* SPDX-License-Identifier: BSD-2-Clause */
#include "uevent.h"

#include "device_test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Recorded messages. */
static const struct {
	const char *file, *devpath, *name, *subsystem, *devtype, *devname;
	enum ca_uevent_action action;
	uint64_t major, minor, diskseq, seqnum;
	bool disk, media_change, synthetic;
} recorded[] = {
	{"loop-attach", "/devices/virtual/block/loop0", "loop0", "block", "disk", "loop0",
	 CA_UEVENT_CHANGE, 7, 0, 2745, 6243, true, false, false},
	{"loop-resize", "/devices/virtual/block/loop0", "loop0", "block", "disk", "loop0",
	 CA_UEVENT_CHANGE, 7, 0, 2745, 6246, true, false, false},
	{"loop-detach", "/devices/virtual/block/loop0", "loop0", "block", "disk", "loop0",
	 CA_UEVENT_CHANGE, 7, 0, 2745, 6248, true, true, false},
	{"synthetic", "/devices/virtual/block/loop0", "loop0", "block", "disk", "loop0",
	 CA_UEVENT_ADD, 7, 0, 2745, 6245, true, false, true},
	{"mmc-add", "/devices/pci0000:00/0000:00:10.0/mmc_host/mmc0/mmc0:4567/block/mmcblk0",
	 "mmcblk0", "block", "disk", "mmcblk0", CA_UEVENT_ADD, 179, 0, 1, 666, true, false, false},
	{"nvme-remove", "/devices/pci0000:00/0000:00:14.0/nvme/nvme0/nvme0n1", "nvme0n1", "block",
	 "disk", "nvme0n1", CA_UEVENT_REMOVE, 259, 0, 2, 751, true, false, false},
	{"usb-media-change",
	 "/devices/pci0000:00/0000:00:16.0/usb2/2-1/2-1:1.0/host0/target0:0:0/0:0:0:0/block/sda",
	 "sda", "block", "disk", "sda", CA_UEVENT_CHANGE, 8, 0, 5, 739, true, true, false},
	{"usb-bind", "/devices/pci0000:00/0000:00:16.0/usb1/1-0:1.0", "1-0:1.0", "usb",
	 "usb_interface", "", CA_UEVENT_OTHER, 0, 0, 0, 705, false, false, false},
};

static size_t load(const char *name, char *ret_message, size_t size)
{
	char path[512];
	size_t len;
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/uevents/%s", CA_FIXTURES, name);
	file = fopen(path, "rb");
	ck_assert_msg(file != NULL, "%s", path);
	len = fread(ret_message, 1, size, file);
	(void)fclose(file);
	return len;
}

START_TEST(recorded_messages)
{
	char message[CA_UEVENT_BYTES_MAX];
	size_t len = load(recorded[_i].file, message, sizeof(message));
	struct ca_uevent event;

	ck_assert_int_eq(ca_uevent_parse(message, len, &event), 0);
	ck_assert_int_eq(event.action, recorded[_i].action);
	ck_assert_str_eq(event.devpath, recorded[_i].devpath);
	ck_assert_str_eq(event.name, recorded[_i].name);
	ck_assert_str_eq(event.subsystem, recorded[_i].subsystem);
	ck_assert_str_eq(event.devtype, recorded[_i].devtype);
	ck_assert_str_eq(event.devname, recorded[_i].devname);
	ck_assert_uint_eq(event.major, recorded[_i].major);
	ck_assert_uint_eq(event.minor, recorded[_i].minor);
	ck_assert_uint_eq(event.diskseq, recorded[_i].diskseq);
	ck_assert_uint_eq(event.seqnum, recorded[_i].seqnum);
	ck_assert_int_eq(event.media_change, recorded[_i].media_change);
	ck_assert_int_eq(event.synthetic, recorded[_i].synthetic);
	ck_assert_int_eq(ca_uevent_is_disk(&event), recorded[_i].disk);
}
END_TEST

#define HEAD	"change@/devices/x/block/sda\0ACTION=change\0DEVPATH=/devices/x/block/sda\0"
#define TAIL	"SUBSYSTEM=block\0SEQNUM=1\0"
#define CASE(s) s, sizeof(s) - 1

/* What the kernel never writes. */
static const struct {
	const char *message;
	size_t len;
} bad[] = {
	{CASE("")},
	{CASE("\0")},
	{CASE("\0\0\0\0")},
	{CASE("libudev\0\xfe\xed\xca\xfe\0\0\0\x28\0")},
	{CASE("change@/devices/x/block/sda\0")},
	{CASE(HEAD)},
	{CASE(HEAD "SUBSYSTEM=block\0")},
	{CASE(HEAD "SEQNUM=1\0")},
	{CASE(HEAD "SUBSYSTEM=block\0SEQNUM=1")}, /* no NUL at its end */
	{CASE(HEAD TAIL "MAJOR")},
	{CASE(HEAD TAIL "MAJOR\0")},
	{CASE(HEAD TAIL "MAJOR=\0")},
	{CASE(HEAD TAIL "MAJOR=8x\0")},
	{CASE(HEAD TAIL "MAJOR=-8\0")},
	{CASE(HEAD TAIL "MAJOR=4294967296\0")},
	{CASE(HEAD TAIL "DISKSEQ=18446744073709551616\0")},
	{CASE(HEAD TAIL "=x\0")},
	{CASE(HEAD TAIL "\0")},
	{CASE(HEAD TAIL "SEQNUM=2\0")},
	{CASE(HEAD TAIL "DEVPATH=/devices/x/block/sda\0")},
	{CASE("add@/devices/x/block/sda\0ACTION=change\0DEVPATH=/devices/x/block/sda\0" TAIL)},
	{CASE("change@/devices/x/block/sdb\0ACTION=change\0DEVPATH=/devices/x/block/sda\0" TAIL)},
	{CASE("change/devices/x/block/sda\0ACTION=change\0DEVPATH=/devices/x/block/sda\0" TAIL)},
	{CASE("change@sda\0ACTION=change\0DEVPATH=sda\0" TAIL)},
	{CASE("@/devices/x/block/sda\0ACTION=\0DEVPATH=/devices/x/block/sda\0" TAIL)},
	{CASE("change@\0ACTION=change\0DEVPATH=\0" TAIL)},
	{CASE("change@/\0ACTION=change\0DEVPATH=/\0" TAIL)},
	{CASE("change@/x/..\0ACTION=change\0DEVPATH=/x/..\0" TAIL)},
	{CASE("change@/x/.\0ACTION=change\0DEVPATH=/x/.\0" TAIL)},
};

/* In a buffer of just its length, so that a step beyond its end is noticed. */
static int parse_exactly(const char *message, size_t len, struct ca_uevent *ret)
{
	char *copy = malloc(len ? len : 1);
	int rc;

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, message, len);
	rc = ca_uevent_parse(copy, len, ret);
	free(copy);
	return rc;
}

START_TEST(bad_messages)
{
	struct ca_uevent event = {.seqnum = 77};

	ck_assert_msg(parse_exactly(bad[_i].message, bad[_i].len, &event) == -EBADMSG, "case %d",
		      _i);
	ck_assert_uint_eq(event.seqnum, 77);
}
END_TEST

START_TEST(cut_anywhere)
{
	char message[CA_UEVENT_BYTES_MAX];
	struct ca_uevent event;
	size_t len = load("loop-attach", message, sizeof(message));

	ck_assert_uint_gt(len, 1);
	for (size_t cut = 0; cut < len; cut++)
		ck_assert_msg(parse_exactly(message, cut, &event) == -EBADMSG, "%zu bytes", cut);
}
END_TEST

START_TEST(other_kinds)
{
	static const struct {
		const char *message;
		size_t len;
		enum ca_uevent_action action;
		bool disk;
	} cases[] = {
		{CASE("remove@/d/b/sda\0ACTION=remove\0DEVPATH=/d/b/sda\0SUBSYSTEM=block\0"
		      "DEVTYPE=disk\0SEQNUM=1\0"),
		 CA_UEVENT_REMOVE, true},
		{CASE("add@/d/b/sda/sda1\0ACTION=add\0DEVPATH=/d/b/sda/sda1\0SUBSYSTEM=block\0"
		      "DEVTYPE=partition\0SEQNUM=1\0"),
		 CA_UEVENT_ADD, false},
		{CASE("bind@/d/usb1\0ACTION=bind\0DEVPATH=/d/usb1\0SUBSYSTEM=usb\0SEQNUM=1\0"
		      "DEVTYPE=disk\0UNKNOWN=a=b\0"),
		 CA_UEVENT_OTHER, false},
	};

	for (size_t i = 0; i < CA_ARRAY_LEN(cases); i++) {
		struct ca_uevent event;

		ck_assert_int_eq(ca_uevent_parse(cases[i].message, cases[i].len, &event), 0);
		ck_assert_int_eq(event.action, cases[i].action);
		ck_assert_int_eq(ca_uevent_is_disk(&event), cases[i].disk);
		ck_assert_uint_eq(event.diskseq, 0);
	}
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("uevent_parse");

	tcase_add_loop_test(tests, recorded_messages, 0, CA_ARRAY_LEN(recorded));
	tcase_add_loop_test(tests, bad_messages, 0, CA_ARRAY_LEN(bad));
	tcase_add_test(tests, cut_anywhere);
	tcase_add_test(tests, other_kinds);
	return run_tests(tests);
}
