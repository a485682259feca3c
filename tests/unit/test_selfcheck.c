/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/host.h"

#include "device_test.h"
#include "loop_device.h"

#include <errno.h>
#include <string.h>

static struct ca_check checks[CA_CHECK_MAX];
static size_t count;

static const struct ca_check *find(const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(checks[i].name, name) == 0)
			return &checks[i];
	ck_abort_msg("no check %s", name);
	return NULL;
}

static void run(const char *root, const char *target)
{
	struct ca_error error = {0};

	count = 0;
	ck_assert_msg(ca_host_selfcheck(root, target, checks, &count, &error) == 0, "%s",
		      error.text);
	ck_assert_uint_gt(count, 0);
	for (size_t i = 0; i < count; i++) {
		ck_assert_ptr_eq(find(checks[i].name), &checks[i]); /* said once */
		ck_assert(checks[i].text[0]);
	}
}

static const struct {
	const char *root, *target, *name;
	enum ca_check_state state;
} recorded[] = {
	{PI4, "/dev/mmcblk0", "cid", CA_CHECK_WORKS},
	{PI4, "/dev/mmcblk0", "scr", CA_CHECK_WORKS},
	{PI4, "/dev/mmcblk0", "ocr", CA_CHECK_WORKS},
	{PI4, "/dev/mmcblk0", "ext_csd", CA_CHECK_NOT_APPLICABLE},
	{PI4, "/dev/mmcblk0", "acmd13", CA_CHECK_NOT_APPLICABLE}, /* no one to ask */
	{PI4, "/dev/mmcblk0", "identify", CA_CHECK_NOT_APPLICABLE},
	{PI4, "/dev/mmcblk0", "debugfs", CA_CHECK_WORKS},
	{PI4, "/dev/mmcblk0", "kernel-log", CA_CHECK_WORKS},
	{PI4, "/dev/mmcblk0", "o_direct", CA_CHECK_NOT_APPLICABLE},
	{PI4, "/dev/mmcblk0", "uevents", CA_CHECK_NOT_APPLICABLE},
	{PC, "/dev/mmcblk0", "cid", CA_CHECK_ABSENT}, /* not recorded */
	{PC, "/dev/mmcblk0", "debugfs", CA_CHECK_ABSENT},
	{PC, "/dev/mmcblk1", "scr", CA_CHECK_NOT_APPLICABLE}, /* an eMMC */
	{PC, "/dev/mmcblk1", "ext_csd", CA_CHECK_ABSENT},
	{PC, "/dev/nvme0n1", "cid", CA_CHECK_NOT_APPLICABLE},
	{PC, "/dev/nvme0n1", "identify", CA_CHECK_NOT_APPLICABLE},
	{PC, "/dev/sdc", "cid", CA_CHECK_NOT_APPLICABLE},
};

START_TEST(recorded_machines)
{
	run(recorded[_i].root, recorded[_i].target);
	ck_assert_int_eq(find(recorded[_i].name)->state, recorded[_i].state);
}
END_TEST

/* No host stands between: one line says so. */
START_TEST(no_host)
{
	run(NULL, "sim:genuine-4g");
	ck_assert_uint_eq(count, 1);
	ck_assert_int_eq(checks[0].state, CA_CHECK_NOT_APPLICABLE);
	run(NULL, "image:anything");
	ck_assert_uint_eq(count, 1);
}
END_TEST

static const struct {
	const char *target;
	int rc;
} bad[] = {
	{"/dev/no-such-card", -ENOENT},
	{"", -EINVAL},
	{PI4, -EINVAL}, /* a directory: registers, not a device */
	{"/dev/null", -EINVAL},
};

START_TEST(no_device)
{
	struct ca_error error = {0};

	ck_assert_int_eq(ca_host_selfcheck(NULL, bad[_i].target, checks, &count, &error),
			 bad[_i].rc);
	ck_assert(error.text[0]);
}
END_TEST

START_TEST(loop_device)
{
	struct loop_device loop;

	ck_assert(loop_attach(&loop, CA_MIB, false));
	run(NULL, loop.node);
	ck_assert_int_eq(find("o_direct")->state, CA_CHECK_WORKS);
	ck_assert_int_eq(find("size")->state, CA_CHECK_WORKS);
	ck_assert_int_eq(find("write-protect")->state, CA_CHECK_WORKS);
	ck_assert_int_eq(find("cid")->state, CA_CHECK_NOT_APPLICABLE);
	ck_assert_int_ne(find("reinit")->state, CA_CHECK_WORKS); /* there is no controller */
	loop_detach(&loop);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("selfcheck");

	tcase_add_loop_test(tests, recorded_machines, 0, (int)CA_ARRAY_LEN(recorded));
	tcase_add_test(tests, no_host);
	tcase_add_loop_test(tests, no_device, 0, (int)CA_ARRAY_LEN(bad));
	if (loop_missing())
		(void)printf("the loop device is left out: %s is missing\n", loop_missing());
	else
		tcase_add_test(tests, loop_device);
	return run_tests(tests);
}
