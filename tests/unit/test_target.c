/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/host.h"

#include "device_test.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static const struct {
	const char *target;
	int result;
	enum ca_target_kind kind;
	const char *says;
} cases[] = {
	{"sim:genuine-4g", 0, CA_TARGET_SIMULATED, ""},
	{"sim:", 0, CA_TARGET_SIMULATED, ""},
	{"image:no-such-file", 0, CA_TARGET_IMAGE, ""},
	{"-", 0, CA_TARGET_FILE, ""},
	{CA_FIXTURES "/cards/C0001", 0, CA_TARGET_DIRECTORY, ""},
	{CA_FIXTURES "/cards/C0001/cid", 0, CA_TARGET_FILE, ""},
	{"", -EINVAL, CA_TARGET_FILE, "empty"},
	{"/dev/no-such-card", -ENOENT, CA_TARGET_FILE,
	 "there is no /dev/no-such-card: 'cardassay list' shows what is there"},
	{"no-such-directory", -ENOENT, CA_TARGET_FILE,
	 "there is no file or directory no-such-directory"},
	{"/dev/null", -EINVAL, CA_TARGET_FILE, "neither a block device"},
};

START_TEST(kinds)
{
	enum ca_target_kind kind = CA_TARGET_NVME_CHAR;
	struct ca_error error = {0};

	ck_assert_int_eq(ca_target_kind(cases[_i].target, &kind, &error), cases[_i].result);
	if (cases[_i].result < 0) {
		ck_assert_int_eq(kind, CA_TARGET_NVME_CHAR);
		ck_assert_msg(strstr(error.text, cases[_i].says) != NULL, "%s", error.text);
		ck_assert_int_eq(error.code, cases[_i].result);
	} else {
		ck_assert_int_eq(kind, cases[_i].kind);
	}
}
END_TEST

/* What this machine has: a loop device node is a block device, and can be named without /dev. */
START_TEST(block_device)
{
	enum ca_target_kind kind = CA_TARGET_FILE;
	struct ca_error error = {0};
	struct stat st;

	if (stat("/dev/loop0", &st) < 0)
		return;
	ck_assert_int_eq(ca_target_kind("/dev/loop0", &kind, NULL), 0);
	ck_assert_int_eq(kind, CA_TARGET_BLOCK);
	ck_assert_int_eq(ca_target_kind("loop0", &kind, &error), -ENOENT);
	ck_assert_ptr_nonnull(strstr(error.text, "the device is /dev/loop0"));
}
END_TEST

/* Only devices can be opened. */
START_TEST(not_for_io)
{
	struct ca_device *device = NULL;
	struct ca_error error = {0};

	ck_assert_int_eq(ca_host_open(CA_FIXTURES "/cards/C0001", CA_OPEN_READ, &device, &error),
			 -EINVAL);
	ck_assert_ptr_nonnull(strstr(error.text, "image:FILE"));
	ck_assert_ptr_null(device);
	ck_assert_int_eq(ca_host_open("sim:nonsense-card", CA_OPEN_READ, &device, NULL), -EINVAL);
}
END_TEST

START_TEST(simulated)
{
	struct ca_device *device = NULL;

	ck_assert_int_eq(ca_host_open("sim:announced=64M", CA_OPEN_WRITE, &device, NULL), 0);
	ck_assert_str_eq(ca_host_io_engine(device), "sim");
	ca_device_close(device);
	ca_device_close(NULL);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("target");

	tcase_add_loop_test(tests, kinds, 0, (int)CA_ARRAY_LEN(cases));
	tcase_add_test(tests, block_device);
	tcase_add_test(tests, not_for_io);
	tcase_add_test(tests, simulated);
	return run_tests(tests);
}
