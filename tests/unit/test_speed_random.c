/* SPDX-License-Identifier: BSD-2-Clause */
#include "unit/ram_device.h"

#include "cardassay/speed.h"

#include <check.h>
#include <zlib.h>

#define SECOND CA_NS_PER_SECOND

static struct ram_device ram;
static struct ca_speed_options options;
static struct ca_speed_random_plan plan;
static struct ca_speed_random result;
static bool gone;

static uint64_t hits[16], lowest, highest, misaligned;
static uint8_t last[4096];
static uint64_t compressible, repeated;

static void look(enum ca_io_op op, uint64_t offset, uint64_t bytes, const uint8_t *out)
{
	uint8_t packed[8192];
	uLongf packed_bytes = sizeof(packed);

	lowest = offset < lowest ? offset : lowest;
	highest = offset + bytes > highest ? offset + bytes : highest;
	misaligned += (offset - plan.range_offset) % 4096 != 0;
	hits[(offset - plan.range_offset) * 16 / plan.range_bytes]++;
	if (op != CA_IO_WRITE)
		return;
	if (compress2(packed, &packed_bytes, out, (uLong)bytes, 1) == Z_OK && packed_bytes < bytes)
		compressible++;
	repeated += memcmp(last, out, (size_t)bytes) == 0;
	memcpy(last, out, (size_t)bytes);
}

static void set_up(void)
{
	ram_init(&ram, 8 * CA_MIB, 512, 16);
	ram.op_ns = 250000; /* 4000 a second */
	options = (struct ca_speed_options){.seed = 3, .fill_key = {1}};
	plan = (struct ca_speed_random_plan){
		.range_offset = 2 * CA_MIB,
		.range_bytes = 4 * CA_MIB,
		.block_bytes = 4096,
		.queue_depth = 1,
		.duration_ns = 2 * SECOND,
	};
	gone = false;
	memset(hits, 0, sizeof(hits));
	lowest = UINT64_MAX;
	highest = misaligned = compressible = repeated = 0;
}

static void tear_down(void)
{
	ca_device_close(&ram.device);
}

static void run(void)
{
	ck_assert_int_eq(ca_speed_random(&ram.device, &plan, &options, &result, &gone), 0);
}

START_TEST(average_is_exact)
{
	run();
	ck_assert_uint_eq(result.operations, 8000);
	ck_assert_uint_eq(result.milliiops, 4000000);
	ck_assert_uint_eq(result.duration_ns, 2 * SECOND);
	ck_assert_uint_eq(result.latency.p50_ns, 250000);
	ck_assert_uint_eq(result.latency.max_ns, 250000);
	ck_assert_uint_eq(result.errors, 0);
	ck_assert(!gone && !result.write);
}
END_TEST

/* A stall at the end belongs to the average: it is not cut off with its operation. */
START_TEST(stalls_count)
{
	ram.slow = (struct ram_range){4096, 8192};
	ram.slow_ns = SECOND / 2;
	run();
	ck_assert_uint_eq(result.duration_ns, 2 * SECOND);
	ck_assert_uint_le(result.operations, 4);
	ck_assert_uint_ge(result.latency.max_ns, SECOND / 2);
}
END_TEST

START_TEST(places_cover_the_range_evenly)
{
	ram.on_transfer = look;
	run();
	ck_assert_uint_eq(misaligned, 0);
	ck_assert_uint_ge(lowest, plan.range_offset);
	ck_assert_uint_le(highest, plan.range_offset + plan.range_bytes);
	for (size_t i = 0; i < CA_ARRAY_LEN(hits); i++) {
		ck_assert_uint_ge(hits[i], 400);
		ck_assert_uint_le(hits[i], 600);
	}
}
END_TEST

START_TEST(writes_are_incompressible_and_new)
{
	plan.write = true;
	plan.max_operations = 500;
	ram.on_transfer = look;
	run();
	ck_assert_uint_eq(result.operations, 500);
	ck_assert_uint_eq(compressible, 0);
	ck_assert_uint_eq(repeated, 0);
	ck_assert_uint_eq(result.duration_ns, 500 * 250000);
	ck_assert_uint_eq(result.milliiops, 4000000);
}
END_TEST

START_TEST(depth_is_clipped_and_kept_busy)
{
	plan.queue_depth = 64;
	run();
	ck_assert_uint_eq(result.queue_depth, 16);
	/* one server: 16 in the queue wait sixteen times as long */
	ck_assert_uint_eq(result.milliiops, 4000000);
	ck_assert_uint_ge(result.latency.p50_ns, 16 * 250000);
	ck_assert_uint_le(result.latency.p50_ns, 16 * 250000 * UINT64_C(103) / 100);
}
END_TEST

START_TEST(errors_are_counted_apart)
{
	ram.bad_read = (struct ram_range){4096, 4096}; /* the first half of the range */
	run();
	ck_assert_uint_eq(result.operations + result.errors, 8000);
	ck_assert_uint_ge(result.errors, 3800);
	ck_assert_uint_le(result.errors, 4200);
}
END_TEST

START_TEST(only_errors_end_the_run)
{
	ram.bad_read = (struct ram_range){0, 16384};
	ram.op_ns = 0; /* a clock that stands still */
	run();
	ck_assert_uint_eq(result.operations, 0);
	ck_assert_uint_eq(result.errors, 1000);
	ck_assert_uint_eq(result.milliiops, 0);
}
END_TEST

START_TEST(gone_ends_the_run)
{
	ram.gone_after = 100;
	run();
	ck_assert(gone);
	ck_assert_uint_eq(result.operations, 100);
}
END_TEST

static unsigned int calls, ends;

static int stop(void *context, const struct ca_speed_progress *progress)
{
	(void)context;
	ck_assert_str_eq(progress->what, "random read");
	ck_assert_uint_eq(progress->total, 2 * SECOND);
	ck_assert(progress->timed);
	ends += progress->finished;
	return !progress->finished && ++calls == 5;
}

START_TEST(progress_and_interrupt)
{
	calls = ends = 0;
	options.progress = stop;
	run();
	ck_assert_uint_eq(calls, 5);
	ck_assert_uint_eq(ends, 1);
	ck_assert_uint_eq(result.operations, 2000); /* five times 0.1 s */
	ck_assert_uint_eq(result.milliiops, 4000000);
}
END_TEST

static const struct {
	uint64_t offset, bytes, duration;
	uint32_t block;
} refused[] = {
	{0, 4096, 1, 0},
	{0, 2048, 1, 4096},
	{8 * CA_MIB, 4096, 1, 4096},
	{4 * CA_MIB, 8 * CA_MIB, 1, 4096},
	{0, 4096, 0, 4096},
	{0, 4096, 1, 1000},
};

START_TEST(impossible_plans_are_refused)
{
	plan.range_offset = refused[_i].offset;
	plan.range_bytes = refused[_i].bytes;
	plan.duration_ns = refused[_i].duration;
	plan.block_bytes = refused[_i].block;
	ck_assert_int_eq(ca_speed_random(&ram.device, &plan, &options, &result, &gone), -EINVAL);
	ck_assert_uint_eq(ram.transfers, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("speed_random");
	TCase *tcase = tcase_create("speed_random");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, average_is_exact);
	tcase_add_test(tcase, stalls_count);
	tcase_add_test(tcase, places_cover_the_range_evenly);
	tcase_add_test(tcase, writes_are_incompressible_and_new);
	tcase_add_test(tcase, depth_is_clipped_and_kept_busy);
	tcase_add_test(tcase, errors_are_counted_apart);
	tcase_add_test(tcase, only_errors_end_the_run);
	tcase_add_test(tcase, gone_ends_the_run);
	tcase_add_test(tcase, progress_and_interrupt);
	tcase_add_loop_test(tcase, impossible_plans_are_refused, 0, (int)CA_ARRAY_LEN(refused));
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
