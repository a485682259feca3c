/* SPDX-License-Identifier: BSD-2-Clause */
#include "unit/ram_device.h"

#include "cardassay/speed.h"

#include <check.h>

#define OP_NS UINT64_C(5000000)

static struct ram_device ram;
static struct ca_survey_evidence *survey;
static struct ca_speed_options options;
static const struct ca_speed_survey_plan plan = {.run_ns = CA_NS_PER_SECOND / 10, .queue_depth = 1};
static bool gone;
static uint64_t told, last_done, last_total;
static uint64_t end_after; /* words until it is called off */

static int listen(void *context, const struct ca_speed_progress *progress)
{
	(void)context;
	if (progress->timed) {
		ck_assert_uint_ge(progress->done, last_done);
		last_done = progress->done;
		last_total = progress->total;
	}
	return ++told == end_after;
}

static void set_up(void)
{
	ram_init(&ram, 32 * CA_MIB, 512, 16);
	ram.op_ns = OP_NS;
	ram.byte_ns_x1000 = 10000; /* 100 MB/s beside the millisecond */
	options = (struct ca_speed_options){.seed = 9, .progress = listen};
	survey = calloc(1, sizeof(*survey));
	ck_assert_ptr_nonnull(survey);
	gone = false;
	told = last_done = last_total = end_after = 0;
}

static void tear_down(void)
{
	free(survey);
	ca_device_close(&ram.device);
}

static void run(void)
{
	ck_assert_int_eq(ca_speed_run_survey(&ram.device, &plan, &options, survey, &gone), 0);
}

static uint64_t rate_of(uint64_t bytes)
{
	return bytes * CA_NS_PER_SECOND / (OP_NS + bytes * 10);
}

START_TEST(every_cell_is_as_fast_as_the_device)
{
	static const bool write[] = {false, true, false, true},
			  random[] = {false, false, true, true};
	static const uint32_t blocks[] = {4096, 8192, 65536, 524288, 1048576, 16777216};

	run();
	ck_assert(!gone && !survey->interrupted);
	ck_assert_uint_eq(survey->range_bytes, 32 * CA_MIB);
	ck_assert_uint_eq(survey->cell_count, 24);
	for (unsigned int i = 0; i < 24; i++) {
		const struct ca_survey_cell *cell = &survey->cells[i];
		uint64_t expected = rate_of(blocks[i % 6]), sum = 0;

		ck_assert(cell->write == write[i / 6] && cell->random == random[i / 6]);
		ck_assert_uint_eq(cell->block_bytes, blocks[i % 6]);
		ck_assert_uint_eq(cell->queue_depth, 1);
		ck_assert_uint_eq(cell->run_count, CA_SURVEY_RUNS);
		ck_assert_uint_ge(cell->bytes_per_second + expected / 1000, expected);
		ck_assert_uint_le(cell->bytes_per_second, expected + expected / 1000);
		ck_assert_uint_eq(cell->milliiops,
				  cell->bytes_per_second * 1000 / cell->block_bytes);
		for (unsigned int j = 0; j < CA_LATENCY_OCTAVES; j++)
			sum += cell->octaves[j];
		ck_assert_uint_ge(sum, cell->operations);
		ck_assert_uint_eq(cell->latency.max_ns, OP_NS + blocks[i % 6] * UINT64_C(10));
	}
}
END_TEST

START_TEST(the_line_shows_a_slow_place)
{
	ram.slow = (struct ram_range){20 * CA_MIB / 512, 8};
	ram.slow_ns = 500000000;
	run();
	ck_assert_uint_eq(survey->line_count, 2);
	for (unsigned int i = 0; i < 2; i++) {
		const struct ca_survey_line *line = &survey->lines[i];

		ck_assert(line->write == (i == 0));
		ck_assert_uint_eq(line->point_count, 64);
		ck_assert_uint_eq(line->step_bytes, 512 * CA_KIB);
		ck_assert_uint_eq(line->sample_bytes, 512 * CA_KIB);
		for (unsigned int j = 0; j < 64; j++)
			ck_assert((line->rates[j] < 2000000) == (j == 40));
	}
}
END_TEST

START_TEST(a_small_device_has_fewer_cells)
{
	ca_device_close(&ram.device);
	ram_init(&ram, 4 * CA_MIB, 512, 16);
	ram.op_ns = 5000000;
	run();
	ck_assert_uint_eq(survey->cell_count, 20); /* no 16 MiB */
	ck_assert_uint_eq(survey->lines[0].point_count, 64);
	ck_assert_uint_eq(survey->lines[0].sample_bytes, 64 * CA_KIB);
}
END_TEST

START_TEST(progress_is_that_of_the_whole)
{
	run();
	ck_assert_uint_eq(last_total, UINT64_C(120) * plan.run_ns);
	ck_assert_uint_ge(last_done * 100, last_total * 99);
}
END_TEST

/* What was measured until then stays, the cell that was begun among it. */
START_TEST(called_off_it_keeps_what_it_has)
{
	end_after = 60;
	run();
	ck_assert(survey->interrupted && !gone);
	ck_assert_uint_gt(survey->cell_count, 0);
	ck_assert_uint_lt(survey->cell_count, 24);
	ck_assert_uint_eq(survey->line_count, 0);
	ck_assert_uint_gt(survey->cells[survey->cell_count - 1].bytes_per_second, 0);
}
END_TEST

START_TEST(a_device_that_leaves_ends_it)
{
	ram.gone_after = 300;
	run();
	ck_assert(gone);
	ck_assert_uint_gt(survey->cell_count, 0);
	ck_assert_uint_eq(survey->line_count, 0);
}
END_TEST

START_TEST(errors_are_counted)
{
	ram.bad_read = (struct ram_range){0, 8};
	run();
	ck_assert_uint_gt(survey->cells[0].errors, 0);
	ck_assert_uint_gt(survey->cells[0].run_count, 0);
	ck_assert_uint_eq(survey->cells[6].errors, 0); /* writing works */
	ck_assert_uint_eq(survey->lines[1].rates[0], 0);
	ck_assert_uint_gt(survey->lines[1].rates[1], 0);
}
END_TEST

START_TEST(nothing_to_measure_is_refused)
{
	const struct ca_speed_survey_plan no_time = {.queue_depth = 1};

	ck_assert_int_eq(ca_speed_run_survey(&ram.device, &no_time, &options, survey, &gone),
			 -EINVAL);
	ram.device.geometry.bytes = 65536;
	ck_assert_int_eq(ca_speed_run_survey(&ram.device, &plan, &options, survey, &gone), -EINVAL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("speed_survey");
	TCase *tcase = tcase_create("speed_survey");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, every_cell_is_as_fast_as_the_device);
	tcase_add_test(tcase, the_line_shows_a_slow_place);
	tcase_add_test(tcase, a_small_device_has_fewer_cells);
	tcase_add_test(tcase, progress_is_that_of_the_whole);
	tcase_add_test(tcase, called_off_it_keeps_what_it_has);
	tcase_add_test(tcase, a_device_that_leaves_ends_it);
	tcase_add_test(tcase, errors_are_counted);
	tcase_add_test(tcase, nothing_to_measure_is_refused);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
