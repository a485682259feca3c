/* SPDX-License-Identifier: BSD-2-Clause */
#include "vendor_dir.h"

#include "vendor_page.h"
#include "cardassay/host.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char dir[] = "/tmp/test_vendor_dir_XXXXXX";
static struct ca_vendor_health health;
static uint8_t page[CA_VENDOR_BYTES];

static void write_file(const char *name, const void *data, size_t len)
{
	char path[128];
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(data, 1, len, file), len);
	ck_assert_int_eq(fclose(file), 0);
}

static void begin(void)
{
	memcpy(dir + sizeof(dir) - 7, "XXXXXX", 6);
	ck_assert_ptr_nonnull(mkdtemp(dir));
	memset(&health, 0, sizeof(health));
	page_make(&ca_vendor_queries[2], page);
}

static void end(void)
{
	char command[160];

	(void)snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	ck_assert_int_eq(system(command), 0);
}

START_TEST(names_are_found)
{
	static const struct {
		const char *name;
		int index; /* -1: no such */
	} cases[] = {
		{"cmd56_00000001", 0}, {"cmd56_1", 0},
		{"CMD56_110005FB", 1}, {"cmd56_53420001", 2},
		{"cmd56_110005f9", 5}, {"cmd56_", -1},
		{"cmd56_21", -1},      {"cmd56_0000000001", -1},
		{"cmd56_1x", -1},      {"cmd56", -1},
		{"cid", -1},
	};
	char name[CA_VENDOR_NAME_BYTES];

	for (size_t i = 0; i < CA_ARRAY_LEN(cases); i++) {
		unsigned int index = 77;
		bool found = ca_vendor_dir_find(cases[i].name, strlen(cases[i].name), &index);

		ck_assert_msg(found == (cases[i].index >= 0), "%s", cases[i].name);
		ck_assert_uint_eq(index, found ? (unsigned int)cases[i].index : 77);
	}
	ca_vendor_dir_name(1, name);
	ck_assert_str_eq(name, "cmd56_110005fb");
}
END_TEST

START_TEST(hex_bytes_and_words_are_read)
{
	char hex[2 * CA_VENDOR_BYTES + 2];

	ca_hex_encode(page, sizeof(page), hex);
	strcat(hex, "\n");
	write_file("cmd56_1", hex, strlen(hex));
	page[511] = 0xff;
	write_file("cmd56_110005fb", page, sizeof(page));
	write_file("cmd56_53420001", "timeout\n", 8);
	write_file("cmd56_110005fd", "sector 0", 8);
	ck_assert_int_eq(ca_vendor_dir_read("", dir + 1, &health, NULL), 0);
	ck_assert_uint_eq(health.count, 4);
	ck_assert(health.asked);
	ck_assert_uint_eq(health.answers[0].argument, 1);
	ck_assert_uint_eq(health.answers[0].data[511], 0);
	ck_assert_mem_eq(health.answers[0].data, page, 511);
	ck_assert_uint_eq(health.answers[1].argument, 0x110005fb);
	ck_assert_mem_eq(health.answers[1].data, page, sizeof(page));
	ck_assert_int_eq(health.answers[2].result, CA_VENDOR_TIMEOUT);
	ck_assert_int_eq(health.answers[3].result, CA_VENDOR_ECHO);
}
END_TEST

START_TEST(what_is_no_answer_is_refused_by_name)
{
	static const struct {
		const char *data;
		size_t len;
	} bad[] = {{"7058", 4}, {"", 0}, {"answer", 6}, {"\x70\x58\0\1", 4}, {"timeouts", 8}};
	struct ca_error error = {0};

	write_file("cmd56_00000001", bad[_i].data, bad[_i].len);
	ck_assert_int_eq(ca_vendor_dir_read("", dir + 1, &health, &error), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(error.text, "cmd56_00000001: "));
	ck_assert_ptr_nonnull(strstr(error.text, "1024 hex digits"));
	ck_assert_ptr_nonnull(strstr(error.text, dir));
	ck_assert_uint_eq(health.count, 0);
}
END_TEST

START_TEST(an_empty_directory_was_not_asked)
{
	ck_assert_int_eq(ca_vendor_dir_read("", dir + 1, &health, NULL), 0);
	ck_assert(!health.asked);
}
END_TEST

static int keep(void *context, const struct ca_evidence *card)
{
	*(struct ca_vendor_health *)context = card->vendor;
	return 0;
}

/* What capture writes is read back the same: as a directory, and as lines of `grep . DIR/...`. */
START_TEST(a_capture_comes_back)
{
	static struct ca_evidence evidence, back;
	static struct ca_vendor_health pasted;
	static char paste[8192];
	char capture[64], command[256];
	FILE *out;
	size_t len;

	memset(&evidence, 0, sizeof(evidence));
	memcpy(evidence.registers.cid, "\x03SDSL16G\x80\x12\x34\x56\x78\x01\x23", 15);
	evidence.registers.has[CA_REGISTER_CID] = true;
	ck_assert(ca_vendor_add(&evidence.vendor, 1, CA_VENDOR_ANSWER, page));
	ck_assert(ca_vendor_add(&evidence.vendor, 0x110005fb, CA_VENDOR_TIMEOUT, NULL));
	ck_assert(ca_vendor_add(&evidence.vendor, 0x53420001, CA_VENDOR_MASKED, NULL));
	(void)snprintf(capture, sizeof(capture), "%s/card", dir);
	ck_assert_int_eq(ca_host_write_register_dir(capture, &evidence, NULL), 0);
	ck_assert_int_eq(ca_host_collect(NULL, capture, &back, NULL), 0);
	ck_assert_mem_eq(&back.vendor, &evidence.vendor, sizeof(back.vendor));
	(void)snprintf(command, sizeof(command), "cd '%s' && grep . card/cid card/cmd56_*", dir);
	out = popen(command, "r");
	ck_assert_ptr_nonnull(out);
	len = fread(paste, 1, sizeof(paste), out);
	ck_assert_int_eq(pclose(out), 0);
	ck_assert_int_eq(ca_host_read_register_text(paste, len, keep, &pasted, NULL), 0);
	ck_assert_uint_eq(pasted.count, evidence.vendor.count);
	ck_assert_mem_eq(pasted.answers[0].data, page, sizeof(page));
	/* another card into the same directory leaves nothing of the first */
	evidence.vendor.count = 0;
	ck_assert_int_eq(ca_host_write_register_dir(capture, &evidence, NULL), 0);
	memset(&back, 0, sizeof(back));
	ck_assert_int_eq(ca_host_collect(NULL, capture, &back, NULL), 0);
	ck_assert(!back.vendor.asked);
}
END_TEST

START_TEST(an_archive_keeps_raw_bytes)
{
	static struct ca_vendor_health packed;
	static char archive[65536];
	char command[256];
	FILE *out;
	size_t len;

	page[510] = 0x80; /* no text; ends in a zero, begins with a space where it is not trimmed */
	write_file("cid", "03534453443136478012345678012300", 32);
	write_file("cmd56_00000001", page, sizeof(page));
	(void)snprintf(command, sizeof(command), "tar -C '%s' -cf - .", dir);
	out = popen(command, "r");
	ck_assert_ptr_nonnull(out);
	len = fread(archive, 1, sizeof(archive), out);
	ck_assert_int_eq(pclose(out), 0);
	ck_assert_int_eq(ca_host_read_register_text(archive, len, keep, &packed, NULL), 0);
	ck_assert_uint_eq(packed.count, 1);
	ck_assert_mem_eq(packed.answers[0].data, page, sizeof(page));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("vendor_dir");
	TCase *tcase = tcase_create("vendor_dir");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, names_are_found);
	tcase_add_test(tcase, hex_bytes_and_words_are_read);
	tcase_add_loop_test(tcase, what_is_no_answer_is_refused_by_name, 0, 5);
	tcase_add_test(tcase, an_empty_directory_was_not_asked);
	tcase_add_test(tcase, a_capture_comes_back);
	tcase_add_test(tcase, an_archive_keeps_raw_bytes);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
