/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/host.h"

#include "device_test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct {
	const char *root, *target;
	enum ca_origin origin;
	enum ca_media media;
	const char *bus, *model, *host_path, *hidden; /* hidden: part of it, "" = shown */
	uint64_t bytes;
	bool cid;
} cases[] = {
	{PI4, "/dev/mmcblk0", CA_ORIGIN_LIVE, CA_MEDIA_SD, "mmc", "",
	 "platform/emmc2bus/fe340000.mmc", "", 31914983424, true},
	{PI4, "/dev/mmcblk0p1", CA_ORIGIN_LIVE, CA_MEDIA_SD, "mmc", "",
	 "platform/emmc2bus/fe340000.mmc", "", 31914983424, true},
	{PC, "/dev/mmcblk1", CA_ORIGIN_LIVE, CA_MEDIA_MMC, "mmc", "", "pci0000:00/0000:00:1a.0",
	 "shows no registers", 62537072640, false},
	{PC, "/dev/disk/by-path/pci-0000:00:1a.0", CA_ORIGIN_LIVE, CA_MEDIA_MMC, "mmc", "",
	 "pci0000:00/0000:00:1a.0", "shows no registers", 62537072640, false},
	{PC, "/dev/nvme0n1", CA_ORIGIN_LIVE, CA_MEDIA_NVME, "nvme", "Samsung SSD 980 1TB",
	 "pci0000:00/0000:00:1b.0/0000:01:00.0", "no drive to ask", 1000204886016, false},
	{PC, "/dev/sdc", CA_ORIGIN_LIVE, CA_MEDIA_UNKNOWN, "usb", "Generic STORAGE DEVICE",
	 "pci0000:00/0000:00:14.0/usb1/1-2/1-2:1.0/lun1", "USB reader hides", 31914983424, false},
	{PC, "/dev/sda", CA_ORIGIN_LIVE, CA_MEDIA_UNKNOWN, "scsi", "ATA WDC WD10EZEX-08W",
	 "pci0000:00/0000:00:17.0/ata1", "a scsi disk has no card registers", 1000204886016, false},
	{PC, "/dev/loop2", CA_ORIGIN_VIRTUAL, CA_MEDIA_UNKNOWN, "loop", "/home/user/test.img",
	 "virtual/block/loop2", "a loop device is virtual", 4294967296, false},
	{PC, "/dev/dm-0", CA_ORIGIN_VIRTUAL, CA_MEDIA_UNKNOWN, "dm", "vg-root",
	 "virtual/block/dm-0", "virtual", 972800000000, false},
	{NULL, "sim:genuine-4g", CA_ORIGIN_SIMULATED, CA_MEDIA_SD, "sim", "", "", "", 0, true},
	{NULL, "sim:announced=64M", CA_ORIGIN_SIMULATED, CA_MEDIA_UNKNOWN, "sim", "", "",
	 "without a name", 67108864, false},
	{NULL, "image:" CA_FIXTURES "/cards/C0001/cid", CA_ORIGIN_IMAGE, CA_MEDIA_UNKNOWN, "image",
	 "", "", "image file has no", 33, false},
	{NULL, CA_FIXTURES "/cards/C0001", CA_ORIGIN_RECORDED, CA_MEDIA_SD, "files", "", "", "", 0,
	 true},
	{NULL, CA_FIXTURES "/cards/C0001/cid", CA_ORIGIN_RECORDED, CA_MEDIA_SD, "files", "", "", "",
	 0, true},
};

START_TEST(targets)
{
	struct ca_evidence *evidence = calloc(1, sizeof(*evidence));
	const struct ca_device_facts *device = &evidence->device;
	struct ca_error error = {0};

	ck_assert_msg(ca_host_collect(cases[_i].root, cases[_i].target, evidence, &error) == 0,
		      "%s", error.text);
	ck_assert_str_eq(device->node, cases[_i].target);
	ck_assert_int_eq(evidence->origin, cases[_i].origin);
	ck_assert_int_eq(device->media, cases[_i].media);
	ck_assert_str_eq(device->bus, cases[_i].bus);
	ck_assert_str_eq(device->model, cases[_i].model);
	ck_assert_str_eq(device->host_path, cases[_i].host_path);
	if (cases[_i].bytes)
		ck_assert_uint_eq(device->bytes, cases[_i].bytes);
	if (cases[_i].hidden[0])
		ck_assert_msg(strstr(device->hidden_because, cases[_i].hidden) != NULL, "%s",
			      device->hidden_because);
	else
		ck_assert_str_eq(device->hidden_because, "");
	ck_assert_int_eq(evidence->registers.has[CA_REGISTER_CID], cases[_i].cid);
	ck_assert_int_eq(device->registers_from[0] != '\0', cases[_i].cid);
	ca_evidence_done(evidence);
	free(evidence);
}
END_TEST

START_TEST(pci_ids)
{
	struct ca_evidence *evidence = calloc(1, sizeof(*evidence));

	ck_assert_int_eq(ca_host_collect(PC, "/dev/nvme0n1", evidence, NULL), 0);
	ck_assert_uint_eq(evidence->registers.pci_vid, 0x144d);
	ck_assert_str_eq(evidence->device.serial, "S649NF0R000001");
	ck_assert(evidence->host[CA_HOST_PCIE_WIDTH].present);
	free(evidence);
}
END_TEST

static const struct {
	const char *root, *target;
	int result;
	const char *says;
} failing[] = {
	{NULL, "/dev/no-such-card", -ENOENT, "there is no /dev/no-such-card"},
	{PC, "/dev/sdz", -ENOENT, "there is no /dev/sdz"},
	{NULL, "image:no-such-file", -ENOENT, "cannot look at the image file"},
	{NULL, "sim:no-such-card", -EINVAL, ""},
	{NULL, CA_FIXTURES "/bad/dir-empty", -ENOENT, "holds no registers"},
	{NULL, CA_FIXTURES "/bad/dir-short-cid", -EBADMSG, "cid: 10 bytes, a CID has 16"},
	{NULL, CA_FIXTURES "/bad/cid-short", -EBADMSG, "hex digits"},
	{NULL, CA_FIXTURES "/cards/INDEX.tsv", -EBADMSG, ""},
};

START_TEST(failures)
{
	struct ca_evidence *evidence = calloc(1, sizeof(*evidence));
	struct ca_error error = {0};

	ck_assert_int_eq(ca_host_collect(failing[_i].root, failing[_i].target, evidence, &error),
			 failing[_i].result);
	ck_assert_msg(strstr(error.text, failing[_i].says) != NULL, "%s", error.text);
	ck_assert_int_eq(error.code, failing[_i].result);
	free(evidence);
}
END_TEST

/* Standard input, one card and two. */
START_TEST(standard_input)
{
	static const char line[] = "cid: 275048534431364760011a77d2014701\n";
	struct ca_evidence *evidence = calloc(1, sizeof(*evidence));
	struct ca_error error = {0};
	int fds[2];

	for (unsigned int cards = 1; cards <= 2; cards++) {
		ck_assert_int_eq(pipe(fds), 0);
		for (unsigned int i = 0; i < cards; i++)
			ck_assert_int_eq(write(fds[1], line, strlen(line)), (int)strlen(line));
		ck_assert_int_eq(close(fds[1]), 0);
		ck_assert_int_eq(dup2(fds[0], STDIN_FILENO), STDIN_FILENO);
		ck_assert_int_eq(close(fds[0]), 0);
		ck_assert_int_eq(ca_host_collect(NULL, "-", evidence, &error),
				 cards == 1 ? 0 : -EINVAL);
		ck_assert_uint_eq(evidence->registers.cid[0], 0x27);
		if (cards == 1)
			ck_assert_str_eq(evidence->device.registers_from, "standard input");
	}
	ck_assert_ptr_nonnull(strstr(error.text, "holds 2 cards"));
	free(evidence);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("collect");

	tcase_add_loop_test(tests, targets, 0, (int)CA_ARRAY_LEN(cases));
	tcase_add_test(tests, pci_ids);
	tcase_add_loop_test(tests, failures, 0, (int)CA_ARRAY_LEN(failing));
	tcase_add_test(tests, standard_input);
	return run_tests(tests);
}
