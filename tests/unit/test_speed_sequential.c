/* SPDX-License-Identifier: BSD-2-Clause */
#include "unit/ram_device.h"

#include "cardassay/speed.h"

#include <check.h>

static struct ram_device ram;
static struct ca_speed_options options;
static struct ca_speed_sequential_plan plan;
static struct ca_speed_sequential result;
static bool gone;

static void set_up(void)
{
	ram_init(&ram, 64 * CA_MIB, 512, 4);
	ram.op_ns = 0;
	ram.byte_ns_x1000 = 25000; /* 40 MB/s */
	options = (struct ca_speed_options){.seed = 3};
	plan = (struct ca_speed_sequential_plan){
		.write = true,
		.offset = 4 * CA_MIB,
		.bytes = 32 * CA_MIB,
		.request_bytes = 512 * 1024,
		.queue_depth = 1,
		.window_bytes = 4 * CA_MIB,
	};
	gone = false;
}

static void tear_down(void)
{
	ca_device_close(&ram.device);
}

static void run(void)
{
	ck_assert_int_eq(ca_speed_sequential(&ram.device, &plan, &options, &result, &gone), 0);
}

START_TEST(rate_is_exact)
{
	plan.queue_depth = _i ? 4 : 1;
	run();
	ck_assert_uint_eq(result.bytes_per_second, 40000000);
	ck_assert_uint_eq(result.min_window_bytes_per_second, 40000000);
	ck_assert_uint_eq(result.total_bytes, 32 * CA_MIB);
	ck_assert_uint_eq(result.duration_ns, 32 * CA_MIB * 25);
	ck_assert_uint_eq(ram.transfers, 64);
	ck_assert(result.write);
}
END_TEST

/* A second lost in one window: 4 MiB in 1.1048576 s is 3.796 MB/s, whatever the average says. */
START_TEST(the_slowest_window_is_kept)
{
	ram.slow = (struct ram_range){8 * CA_MIB / 512, 8};
	ram.slow_ns = CA_NS_PER_SECOND;
	run();
	ck_assert_uint_eq(result.min_window_bytes_per_second,
			  4 * CA_MIB * UINT64_C(10000000) / 11048576);
	ck_assert_uint_eq(result.bytes_per_second, 32 * CA_MIB * UINT64_C(10000000) / 18388608);
}
END_TEST

START_TEST(a_part_of_a_window_is_none)
{
	plan.bytes = 7 * CA_MIB;
	ram.slow = (struct ram_range){10 * CA_MIB / 512, 8};
	ram.slow_ns = CA_NS_PER_SECOND;
	run();
	ck_assert_uint_eq(result.min_window_bytes_per_second, 40000000);
	plan.window_bytes = 8 * CA_MIB;
	run();
	ck_assert_uint_eq(result.min_window_bytes_per_second, 0);
}
END_TEST

START_TEST(a_last_short_request)
{
	plan.bytes = CA_MIB + 512;
	run();
	ck_assert_uint_eq(result.total_bytes, CA_MIB + 512);
	ck_assert_uint_eq(ram.transfers, 3);
}
END_TEST

START_TEST(memory_bounds_the_depth)
{
	plan.request_bytes = (uint32_t)(64 * CA_MIB);
	plan.offset = 0;
	plan.bytes = 64 * CA_MIB;
	plan.queue_depth = 4;
	run();
	ck_assert_uint_eq(result.queue_depth, 2);
	ck_assert_uint_eq(result.total_bytes, 64 * CA_MIB);
}
END_TEST

START_TEST(errors_are_counted_and_not_as_bytes)
{
	ram.bad_write = (struct ram_range){20000, 1};
	run();
	ck_assert_uint_eq(result.errors, 1);
	ck_assert_uint_eq(result.total_bytes, 32 * CA_MIB - 512 * 1024);
	ck_assert_uint_lt(result.bytes_per_second, 40000000);
}
END_TEST

START_TEST(gone_ends_the_run)
{
	ram.gone_after = 10;
	run();
	ck_assert(gone);
	ck_assert_uint_eq(result.total_bytes, 10 * 512 * 1024);
}
END_TEST

static const struct {
	uint64_t offset, bytes;
	uint32_t request;
} refused[] = {
	{0, 0, 4096},
	{0, 4096, 0},
	{0, 4096, 1000},
	{100, 4096, 4096},
	{0, 4000, 4096},
	{64 * CA_MIB, 4096, 4096},
	{63 * CA_MIB, 2 * CA_MIB, 4096},
};

START_TEST(impossible_plans_are_refused)
{
	plan.offset = refused[_i].offset;
	plan.bytes = refused[_i].bytes;
	plan.request_bytes = refused[_i].request;
	ck_assert_int_eq(ca_speed_sequential(&ram.device, &plan, &options, &result, &gone),
			 -EINVAL);
	ck_assert_uint_eq(ram.transfers, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("speed_sequential");
	TCase *tcase = tcase_create("speed_sequential");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_loop_test(tcase, rate_is_exact, 0, 2);
	tcase_add_test(tcase, the_slowest_window_is_kept);
	tcase_add_test(tcase, a_part_of_a_window_is_none);
	tcase_add_test(tcase, a_last_short_request);
	tcase_add_test(tcase, memory_bounds_the_depth);
	tcase_add_test(tcase, errors_are_counted_and_not_as_bytes);
	tcase_add_test(tcase, gone_ends_the_run);
	tcase_add_loop_test(tcase, impossible_plans_are_refused, 0, (int)CA_ARRAY_LEN(refused));
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
