/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/host.h"

#include "device_test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[40];

static void setup(void)
{
	(void)strcpy(dir, "/tmp/ca-capture-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	(void)strcat(dir, "/card"); /* made by the capture */
}

static void teardown(void)
{
	char command[64];

	*strrchr(dir, '/') = '\0';
	(void)snprintf(command, sizeof(command), "rm -rf %s", dir);
	ck_assert_int_eq(system(command), 0);
}

static struct ca_evidence *collect(const char *root, const char *target)
{
	struct ca_evidence *evidence = calloc(1, sizeof(*evidence));
	struct ca_error error = {0};

	ck_assert_msg(ca_host_collect(root, target, evidence, &error) == 0, "%s", error.text);
	return evidence;
}

static void write_dir(const struct ca_evidence *evidence)
{
	struct ca_error error = {0};

	ck_assert_msg(ca_host_write_register_dir(dir, evidence, &error) == 0, "%s", error.text);
}

static bool has_file(const char *name)
{
	char path[80];
	struct stat st;

	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	return stat(path, &st) == 0;
}

/* What was captured is what comes back. */
START_TEST(round_trip)
{
	struct ca_evidence *first = collect(PI4, "/dev/mmcblk0"), *second;

	write_dir(first);
	second = collect(NULL, dir);
	ck_assert_mem_eq(&second->registers, &first->registers, sizeof(first->registers));
	ck_assert_mem_eq(second->host, first->host, sizeof(first->host));
	ck_assert_uint_eq(second->device.bytes, first->device.bytes);
	ck_assert_int_eq(second->origin, CA_ORIGIN_RECORDED);
	ck_assert(!second->masked);
	free(first);
	free(second);
}
END_TEST

/* Whatever bytes a device put into a fact, and all facts at once at their full length. */
START_TEST(hostile_facts)
{
	struct ca_evidence *first = collect(PI4, "/dev/mmcblk0"), *second;

	for (unsigned int i = 0; i < CA_HOST_FACT_COUNT; i++) {
		struct ca_fact *fact = &first->host[i];

		memset(fact, 0, sizeof(*fact));
		fact->present = true;
		fact->number = i % 2 ? INT64_MIN + i : INT64_MAX - i;
		for (unsigned int j = 0; j < sizeof(fact->text) - 1; j++)
			fact->text[j] = (char)((i * 119 + j) % 255 + 1);
	}
	(void)strcpy(first->host[CA_HOST_USB_BRIDGE].text, "a\tb\nc\\x41\\\\x0");
	first->host[CA_HOST_USB_DRIVER].text[0] = '\0';
	write_dir(first);
	second = collect(NULL, dir);
	for (unsigned int i = 0; i < CA_HOST_FACT_COUNT; i++) {
		ck_assert(second->host[i].present);
		ck_assert_int_eq(second->host[i].number, first->host[i].number);
		ck_assert_str_eq(second->host[i].text, first->host[i].text);
	}
	free(first);
	free(second);
}
END_TEST

START_TEST(masked)
{
	struct ca_evidence *first = collect(PI4, "/dev/mmcblk0"), *second;

	ck_assert_uint_eq(first->registers.cid[9], 0x1a);
	ca_evidence_mask(first);
	write_dir(first);
	second = collect(NULL, dir);
	ck_assert(second->masked && second->registers.masked);
	ck_assert_int_eq(second->registers.masked_cid_crc, CA_CRC_GOOD);
	ck_assert(ca_bytes_is_all(second->registers.cid + 9, 4, 0));
	ck_assert_mem_eq(&second->registers, &first->registers, sizeof(first->registers));
	free(first);
	free(second);
}
END_TEST

START_TEST(nvme)
{
	struct ca_evidence *first = collect(PC, "/dev/nvme0n1"), *second;

	for (unsigned int i = 0; i < CA_NVME_ID_BYTES; i++)
		first->registers.nvme_ctrl[i] = (uint8_t)(i * 7);
	first->registers.has[CA_REGISTER_NVME_CTRL] = true;
	first->registers.has[CA_REGISTER_NVME_SMART] = true;
	write_dir(first);
	ck_assert(!has_file("type") && !has_file("cid") && has_file("vendor"));
	second = collect(NULL, dir);
	ck_assert_int_eq(second->device.media, CA_MEDIA_NVME);
	ck_assert_mem_eq(&second->registers, &first->registers, sizeof(first->registers));
	free(first);
	free(second);
}
END_TEST

/* Extension registers are files like the others. */
START_TEST(extensions)
{
	struct ca_evidence *first = collect(PI4, "/dev/mmcblk0"), *second;

	for (unsigned int i = CA_REGISTER_EXT_PERF; i <= CA_REGISTER_EXT_PERF_SET; i++) {
		first->registers.has[i] = true;
		memset(ca_register_data_mutable(&first->registers, (enum ca_register)i),
		       (int)(0x10 + i), ca_register_bytes((enum ca_register)i));
	}
	write_dir(first);
	ck_assert(has_file("ext_perf") && has_file("ext_power_set"));
	second = collect(NULL, dir);
	ck_assert_mem_eq(&second->registers, &first->registers, sizeof(first->registers));
	free(first);
	free(second);
}
END_TEST

/* Another card into the same directory leaves nothing of the one before. */
START_TEST(nothing_stays_behind)
{
	struct ca_evidence *first = collect(PI4, "/dev/mmcblk0");
	struct ca_evidence *other = collect(NULL, CA_FIXTURES "/cards/C0001"), *again;

	write_dir(first);
	ck_assert(has_file("ssr") && has_file("ocr") && has_file("size") && has_file("host_facts"));
	write_dir(other);
	ck_assert(!has_file("ssr") && !has_file("ocr") && !has_file("size") &&
		  !has_file("host_facts"));
	again = collect(NULL, dir);
	ck_assert_mem_eq(&again->registers, &other->registers, sizeof(other->registers));
	free(first);
	free(other);
	free(again);
}
END_TEST

START_TEST(failures)
{
	struct ca_evidence *evidence = collect(PI4, "/dev/mmcblk0");
	struct ca_error error = {0};

	ck_assert_int_eq(ca_host_write_register_dir("/tmp/ca-none/such", evidence, &error),
			 -ENOENT);
	ck_assert_ptr_nonnull(strstr(error.text, "cannot make the directory /tmp/ca-none/such"));
	memset(&error, 0, sizeof(error));
	ck_assert_int_eq(ca_host_write_register_dir("/dev/null", evidence, &error), -ENOTDIR);
	memset(&error, 0, sizeof(error));
	ck_assert_int_eq(ca_host_write_register_dir("/proc", evidence, &error), -EEXIST);
	ck_assert_str_eq(error.text,
			 "refused: /proc holds files that are no capture; name a new directory");
	free(evidence);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("capture");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, round_trip);
	tcase_add_test(tests, hostile_facts);
	tcase_add_test(tests, masked);
	tcase_add_test(tests, nvme);
	tcase_add_test(tests, extensions);
	tcase_add_test(tests, nothing_stays_behind);
	tcase_add_test(tests, failures);
	return run_tests(tests);
}
