/* SPDX-License-Identifier: BSD-2-Clause */
#include "unit/ram_device.h"

#include "cardassay/speed.h"

#include <check.h>

static const struct {
	uint64_t bytes;
	uint32_t sector_bytes;
} sizes[] = {
	{64 * CA_MIB, 512}, {64 * CA_MIB + 512, 512},
	{8 * CA_MIB, 4096}, {CA_MIB, 512},
	{40960, 4096},	    {4096, 512},
};

static struct ram_device ram;
static struct ca_speed_options options;
static struct ca_speed_class_plan plan;
static struct ca_speed_evidence speed;
static bool gone;

static struct step {
	enum ca_io_op op;
	uint64_t bytes;
} steps[16];
static size_t step_count;

/* Notes each change of direction or request size. */
static void follow(enum ca_io_op op, uint64_t offset, uint64_t bytes, const uint8_t *out)
{
	struct step *step = &steps[step_count ? step_count - 1 : 0];

	(void)offset;
	(void)out;
	if (step_count > 0 && step->op == op && step->bytes == bytes)
		return;
	if (step_count < CA_ARRAY_LEN(steps))
		steps[step_count++] = (struct step){op, bytes};
}

static void set_up(void)
{
	ram_init(&ram, 256 * CA_MIB, 512, 4);
	ram.op_ns = 100000;
	ram.byte_ns_x1000 = 10000;
	options = (struct ca_speed_options){.seed = 3};
	plan = (struct ca_speed_class_plan){
		.random_ns = CA_NS_PER_SECOND,
		.sequential_bytes = 32 * CA_MIB,
		.au_bytes = 4 * CA_MIB,
		.su_bytes = 8 * CA_MIB,
		.preconditioned_ppm = 750000,
	};
	speed = (struct ca_speed_evidence){0};
	step_count = 0;
	gone = false;
}

static void tear_down(void)
{
	ca_device_close(&ram.device);
}

static void run(void)
{
	ck_assert_int_eq(ca_speed_run_classes(&ram.device, &plan, &options, &speed, &gone), 0);
}

START_TEST(the_order_is_the_rule_s)
{
	static const struct step expected[] = {
		{CA_IO_WRITE, 4 * CA_MIB}, {CA_IO_WRITE, 512 * 1024}, {CA_IO_WRITE, 4 * CA_MIB},
		{CA_IO_WRITE, 4096},	   {CA_IO_READ, 4096},	      {CA_IO_READ, 4 * CA_MIB},
	};

	ram.on_transfer = follow;
	run();
	ck_assert_uint_eq(step_count, CA_ARRAY_LEN(expected));
	for (size_t i = 0; i < CA_ARRAY_LEN(expected); i++) {
		ck_assert_int_eq(steps[i].op, expected[i].op);
		ck_assert_uint_eq(steps[i].bytes, expected[i].bytes);
	}
	ck_assert_uint_ge(ram.flushes, 4);
}
END_TEST

START_TEST(by_the_rule_it_is_erased_and_the_recording_is_last)
{
	plan.by_rule = plan.announce = true;
	plan.windows = 3;
	plan.sequential_bytes = 16 * CA_MIB;
	run();
	ck_assert_uint_eq(ram.erases, 1);
	ck_assert_int_eq(speed.erased_before, CA_YES);
	ck_assert_int_eq(speed.erased_by, CA_ERASE_DISCARD);
	ck_assert_uint_eq(speed.sequential_count, 6); /* windows, reading, AU, SU */
	ck_assert_uint_ne(speed.sequential[0].offset, speed.sequential[1].offset);
	for (size_t i = 0; i < 2; i++) {
		ck_assert(speed.random[i].range_written);
		ck_assert_uint_eq(speed.random[i].preconditioned_ppm, 750000);
	}
	/* only what was written again is read */
	ck_assert(!speed.sequential[3].write);
	ck_assert_uint_le(speed.sequential[3].offset + speed.sequential[3].total_bytes,
			  192 * CA_MIB);
	ck_assert_uint_ge(speed.sequential[4].offset, 192 * CA_MIB);
	ck_assert_uint_eq(speed.recording.cycles, 8);
	ck_assert(speed.recording.announced);
	ck_assert_uint_eq(ram.commands[CA_CARD_ERASE_ALL], 0);
}
END_TEST

START_TEST(what_cannot_be_erased_is_noted)
{
	plan.by_rule = plan.full_erase = true;
	ram.no_erase = true;
	run();
	ck_assert_int_eq(speed.erased_before, CA_NO);
	ck_assert_int_eq(speed.erased_by, CA_ERASE_NONE);
	ck_assert_uint_eq(speed.random_count, 2);
}
END_TEST

START_TEST(the_card_s_own_erase_is_used_where_it_obeys)
{
	plan.by_rule = plan.full_erase = true;
	run();
	ck_assert_uint_eq(ram.commands[CA_CARD_ERASE_ALL], 1);
	ck_assert_uint_eq(ram.erases, 0);
	ck_assert_int_eq(speed.erased_by, CA_ERASE_FULL);
}
END_TEST

START_TEST(figures_and_their_conditions)
{
	run();
	ck_assert_uint_eq(speed.random_count, 2);
	ck_assert_uint_eq(speed.sequential_count, 4);
	ck_assert(speed.random[0].write && !speed.random[1].write);
	for (size_t i = 0; i < 2; i++) {
		ck_assert(speed.random[i].range_written);
		ck_assert_uint_eq(speed.random[i].range_bytes, 128 * CA_MIB);
		ck_assert_uint_eq(speed.random[i].preconditioned_ppm, 750000);
		/* 100 us and 4096 x 10 ns */
		ck_assert_uint_eq(speed.random[i].milliiops / 1000, 1000000000 / 140960);
	}
	ck_assert_uint_eq(speed.sequential[0].window_bytes, 0);
	ck_assert_uint_eq(speed.sequential[1].window_bytes, 4 * CA_MIB);
	ck_assert_uint_eq(speed.sequential[2].window_bytes, 8 * CA_MIB);
	ck_assert_uint_gt(speed.sequential[1].min_window_bytes_per_second, 0);
	ck_assert_uint_gt(speed.sequential[2].min_window_bytes_per_second, 0);
	ck_assert_uint_eq(speed.sequential[1].request_bytes, 512 * 1024);
	ck_assert(!speed.sequential[3].write);
	ck_assert_uint_eq(speed.sequential[3].offset, speed.sequential[0].offset);
	for (size_t i = 0; i < 4; i++)
		ck_assert_uint_eq(speed.sequential[i].total_bytes, 32 * CA_MIB);
	ck_assert(!gone && !speed.interrupted);
}
END_TEST

START_TEST(without_a_video_class_there_is_no_second_window)
{
	plan.su_bytes = 0;
	run();
	ck_assert_uint_eq(speed.sequential_count, 3);
}
END_TEST

START_TEST(random_figures_are_taken_in_the_deep_queue_too)
{
	plan.deep_queue = 4;
	run();
	ck_assert_uint_eq(speed.random_count, 4);
	for (size_t i = 0; i < 4; i++) {
		ck_assert_uint_eq(speed.random[i].queue_depth, i < 2 ? 1 : 4);
		ck_assert(speed.random[i].write == (i % 2 == 0));
		ck_assert(speed.random[i].range_written);
	}
}
END_TEST

static const struct {
	uint64_t au, vsc_au, su; /* MiB */
} units[] = {{4, 8, 8}, {12, 21, 7}, {24, 27, 9}, {24, 30, 10}, {64, 63, 9}};

/* The first AU may take a second more (S 4.13.3): no window sees it, and all begin on AUs. */
START_TEST(the_recording_begins_after_one_allocation_unit)
{
	uint64_t au = units[_i].au * CA_MIB, vsc_au = units[_i].vsc_au * CA_MIB;

	ca_device_close(&ram.device);
	ram_init(&ram, 512 * CA_MIB, 512, 4);
	ram.op_ns = 0;
	ram.byte_ns_x1000 = 10000;
	plan.sequential_bytes = 128 * CA_MIB;
	plan.su_bytes = units[_i].su * CA_MIB;
	plan.align_bytes = au * units[_i].vsc_au; /* a multiple of both */
	plan.lead_bytes = au > vsc_au ? au : vsc_au;
	run();
	ck_assert_uint_eq((speed.sequential[1].offset - plan.lead_bytes) % plan.align_bytes, 0);
	ck_assert_uint_eq(speed.sequential[2].window_bytes, plan.su_bytes);
	ram.slow.lba = (speed.sequential[1].offset - plan.lead_bytes) / 512;
	ram.slow.sectors = 8;
	ram.slow_ns = CA_NS_PER_SECOND;
	speed = (struct ca_speed_evidence){0};
	run();
	ck_assert_uint_ge(speed.sequential[1].min_window_bytes_per_second, 100000000);
	ck_assert_uint_ge(speed.sequential[2].min_window_bytes_per_second, 100000000);
	ck_assert_uint_ge(speed.sequential[1].bytes_per_second, 100000000);
}
END_TEST

START_TEST(a_window_is_no_smaller_than_a_request)
{
	plan.au_bytes = 16 * 1024;
	run();
	ck_assert_uint_eq(speed.sequential[1].window_bytes, 512 * 1024);
}
END_TEST

START_TEST(small_devices_are_clipped)
{
	ca_device_close(&ram.device);
	ram_init(&ram, sizes[_i].bytes, sizes[_i].sector_bytes, 4);
	ram.op_ns = 1000000;
	plan.sequential_bytes = CA_GIB;
	plan.lead_bytes = 4 * CA_MIB;
	plan.align_bytes = 192 * CA_MIB;
	run();
	ck_assert_uint_eq(speed.random_count, 2);
	ck_assert_uint_eq(speed.sequential_count, 4);
	ck_assert_uint_eq(speed.random[0].errors + speed.sequential[0].errors, 0);
	ck_assert(speed.random[0].range_written);
	ck_assert_uint_le(speed.sequential[0].total_bytes, sizes[_i].bytes);
}
END_TEST

START_TEST(a_unit_with_errors_is_not_written)
{
	ram.bad_write = (struct ram_range){0, 524288};
	run();
	ck_assert(!speed.random[0].range_written);
	ck_assert_uint_gt(speed.random[0].errors, 0);
}
END_TEST

START_TEST(gone_ends_it_all)
{
	ram.gone_after = 20;
	run();
	ck_assert(gone);
	ck_assert_uint_eq(speed.random_count, 0);
	ck_assert_uint_eq(speed.sequential_count, 3);
}
END_TEST

static int stop(void *context, const struct ca_speed_progress *progress)
{
	(void)context;
	return progress->what[0] == 'r'; /* in the random write */
}

START_TEST(an_interrupt_keeps_the_figure_so_far)
{
	options.progress = stop;
	run();
	ck_assert(speed.interrupted && !gone);
	ck_assert_uint_eq(speed.random_count, 1);
	ck_assert_uint_gt(speed.random[0].operations, 0);
	ck_assert_uint_eq(speed.sequential_count, 3);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("speed_classes");
	TCase *tcase = tcase_create("speed_classes");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, the_order_is_the_rule_s);
	tcase_add_test(tcase, by_the_rule_it_is_erased_and_the_recording_is_last);
	tcase_add_test(tcase, what_cannot_be_erased_is_noted);
	tcase_add_test(tcase, the_card_s_own_erase_is_used_where_it_obeys);
	tcase_add_test(tcase, figures_and_their_conditions);
	tcase_add_test(tcase, without_a_video_class_there_is_no_second_window);
	tcase_add_test(tcase, random_figures_are_taken_in_the_deep_queue_too);
	tcase_add_loop_test(tcase, the_recording_begins_after_one_allocation_unit, 0,
			    (int)CA_ARRAY_LEN(units));
	tcase_add_test(tcase, a_window_is_no_smaller_than_a_request);
	tcase_add_loop_test(tcase, small_devices_are_clipped, 0, (int)CA_ARRAY_LEN(sizes));
	tcase_add_test(tcase, a_unit_with_errors_is_not_written);
	tcase_add_test(tcase, gone_ends_it_all);
	tcase_add_test(tcase, an_interrupt_keeps_the_figure_so_far);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
