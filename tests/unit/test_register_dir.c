/* SPDX-License-Identifier: BSD-2-Clause */
#include "register_dir.h"

#include "device_test.h"
#include "register_parse.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[32];

static void setup(void)
{
	(void)strcpy(dir, "/tmp/ca-dir-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
}

static void teardown(void)
{
	char command[64];

	(void)snprintf(command, sizeof(command), "rm -rf %s", dir);
	ck_assert_int_eq(system(command), 0);
}

static void put(const char *name, const void *data, size_t len)
{
	char path[64];
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(data, 1, len, file), len);
	ck_assert_int_eq(fclose(file), 0);
}

START_TEST(fixture)
{
	struct ca_raw_registers registers;
	struct ca_error error = {0};

	ck_assert_msg(ca_host_read_register_dir(CA_FIXTURES "/cards/C0001", &registers, &error) ==
			      0,
		      "%s", error.text);
	ck_assert(registers.has[CA_REGISTER_CID] && registers.has[CA_REGISTER_CSD] &&
		  registers.has[CA_REGISTER_SCR] && !registers.has[CA_REGISTER_SSR]);
	ck_assert_uint_eq(registers.cid[0], 0x27);
	ck_assert_uint_eq(registers.cid[15], 0x01);
	ck_assert_int_eq(registers.type, CA_CARD_TYPE_SD);
}
END_TEST

/* Below a root, as sysfs has it, and by a relative path. */
START_TEST(sysfs_form)
{
	struct ca_raw_registers registers;

	ck_assert_int_eq(ca_register_dir_read(PI4, "sys/block/mmcblk0/device", &registers, NULL),
			 0);
	ck_assert_uint_eq(registers.cid[0], 0xad);
	ck_assert(registers.has_ocr && registers.ocr == 0x00300000);
	ck_assert_int_eq(chdir(CA_FIXTURES "/cards"), 0);
	ck_assert_int_eq(ca_host_read_register_dir("C0001", &registers, NULL), 0);
	ck_assert_uint_eq(registers.cid[0], 0x27);
}
END_TEST

static const struct {
	const char *file, *text;
	int result;
	const char *says;
} cases[] = {
	{"cid", "275048534431364760011a77d20147\n", -EBADMSG, "/cid: 15 bytes, a CID has 16"},
	{"cid", "275048534431364760011a77d2014701ff\n", -EBADMSG, "/cid: 17 bytes, a CID has 16"},
	{"cid", "", -EBADMSG, "/cid: empty, a CID has 16 bytes"},
	{"cid", "\n", -EBADMSG, "/cid: empty"},
	{"cid", "275048534431364760011a77d201470", -EBADMSG, "/cid: 31 hex digits, a CID has 32"},
	{"csd", "what is this", -EBADMSG, "/csd: not hexadecimal, a CSD is 16 bytes"},
	{"cid", "\xef\xbb\xbf", -EBADMSG, "/cid: 3 bytes, a CID has 16"},
	{"scr", "0205808301000000\n", 0, NULL},
	{"scr", " 02 05 80 83 01 00 00 00", 0, NULL},
	{"SCR", "0205808301000000\n", -ENOENT, "holds no registers"},
	{"type", "SD\n", -ENOENT, "holds no registers: expected files named cid, csd"},
};

START_TEST(one_file)
{
	struct ca_raw_registers registers = {.ocr = 77};
	struct ca_error error = {0};
	int r;

	put(cases[_i].file, cases[_i].text, strlen(cases[_i].text));
	r = ca_host_read_register_dir(dir, &registers, &error);
	ck_assert_int_eq(r, cases[_i].result);
	if (r < 0) {
		ck_assert_uint_eq(registers.ocr, 77);
		ck_assert_msg(strstr(error.text, cases[_i].says) != NULL, "%s", error.text);
		ck_assert_ptr_nonnull(strstr(error.text, dir));
	}
}
END_TEST

START_TEST(raw_pages)
{
	uint8_t page[CA_NVME_ID_BYTES] = {0x4d, 0x14}, log[CA_NVME_SMART_BYTES] = {1, 2, 3};
	struct ca_raw_registers registers;
	struct ca_error error = {0};

	put("id_ctrl", page, sizeof(page));
	put("smart_log", log, sizeof(log));
	put("vendor", "0x144d\n", 7);
	put("subsystem_vendor", "0x1028\n", 7);
	ck_assert_int_eq(ca_host_read_register_dir(dir, &registers, NULL), 0);
	ck_assert(registers.has[CA_REGISTER_NVME_CTRL] && registers.has[CA_REGISTER_NVME_SMART]);
	ck_assert(registers.nvme_ctrl[0] == 0x4d && registers.nvme_smart[2] == 3);
	ck_assert(registers.pci_vid == 0x144d && registers.pci_ssvid == 0x1028);
	put("id_ns", page, 4095);
	ck_assert_int_eq(ca_host_read_register_dir(dir, &registers, &error), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(error.text, "id_ns: 4095 bytes, an Identify Namespace page"));
}
END_TEST

START_TEST(types)
{
	char ext[2 * CA_EXTCSD_BYTES + 1];
	struct ca_raw_registers registers;

	memset(ext, '0', sizeof(ext) - 1);
	ext[sizeof(ext) - 1] = '\n';
	put("ext_csd", ext, sizeof(ext));
	ck_assert_int_eq(ca_host_read_register_dir(dir, &registers, NULL), 0);
	ck_assert_int_eq(registers.type, CA_CARD_TYPE_MMC); /* only eMMC has one */
	put("type", "SD\n", 3);
	ck_assert_int_eq(ca_host_read_register_dir(dir, &registers, NULL), 0);
	ck_assert_int_eq(registers.type, CA_CARD_TYPE_SD);
	put("type", "MMC\n", 4);
	ck_assert_int_eq(ca_host_read_register_dir(dir, &registers, NULL), 0);
	ck_assert_int_eq(registers.type, CA_CARD_TYPE_MMC);
}
END_TEST

START_TEST(no_permission)
{
	struct ca_raw_registers registers;
	struct ca_error error = {0};
	char path[64];

	if (geteuid() != 0)
		return; /* needs to be root to become nobody */
	put("cid", "00", 2);
	(void)snprintf(path, sizeof(path), "%s/cid", dir);
	ck_assert_int_eq(chmod(dir, 0755), 0);
	ck_assert_int_eq(chmod(path, 0600), 0);
	ck_assert_int_eq(seteuid(65534), 0);
	ck_assert_int_eq(ca_host_read_register_dir(dir, &registers, &error), -EACCES);
	ck_assert_int_eq(seteuid(0), 0);
	ck_assert_ptr_nonnull(strstr(error.text, "run it with sudo"));
}
END_TEST

START_TEST(facts)
{
	static const char text[] = "kernel\t0\t6.12\nbus_clock_hz\t50000000\t50000000 Hz\n"
				   "nonsense\t1\tx\ncache\tmany\tx\nthrottled\nbus_width\t4";
	struct ca_fact all[CA_HOST_FACT_COUNT] = {0};

	put("host_facts", text, strlen(text));
	ca_register_dir_read_facts(dir, all);
	ck_assert(all[CA_HOST_KERNEL].present);
	ck_assert_str_eq(all[CA_HOST_KERNEL].text, "6.12");
	ck_assert_int_eq(all[CA_HOST_BUS_CLOCK_HZ].number, 50000000);
	ck_assert(!all[CA_HOST_CACHE].present && !all[CA_HOST_THROTTLED].present &&
		  !all[CA_HOST_BUS_WIDTH].present);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("register_dir");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, fixture);
	tcase_add_test(tests, sysfs_form);
	tcase_add_loop_test(tests, one_file, 0, (int)CA_ARRAY_LEN(cases));
	tcase_add_test(tests, raw_pages);
	tcase_add_test(tests, types);
	tcase_add_test(tests, no_permission);
	tcase_add_test(tests, facts);
	return run_tests(tests);
}
