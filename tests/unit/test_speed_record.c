/* SPDX-License-Identifier: BSD-2-Clause */
#include "unit/ram_device.h"

#include "cardassay/speed.h"

#include <check.h>

#define OFFSET (8 * CA_MIB)
#define RU     ((uint32_t)(512 * CA_KIB))

static struct ram_device ram;
static struct ca_speed_options options;
static struct ca_speed_recording_plan plan;
static struct ca_speed_recording found;
static bool gone, interrupted;
static uint64_t last_recorded, small;

/* Units come in order behind the file system, and nothing else is that large. */
static void follow(enum ca_io_op op, uint64_t offset, uint64_t bytes, const uint8_t *out)
{
	(void)out;
	ck_assert_int_eq(op, CA_IO_WRITE);
	if (bytes == RU) {
		ck_assert_uint_eq(offset, last_recorded);
		last_recorded += RU;
	} else {
		ck_assert_uint_lt(offset + bytes, 2 * CA_MIB);
		small++;
	}
}

static void set_up(void)
{
	ram_init(&ram, 64 * CA_MIB, 512, 1);
	ram.op_ns = 1000000;
	ram.byte_ns_x1000 = 0;
	ram.on_transfer = follow;
	options = (struct ca_speed_options){.seed = 5};
	plan = (struct ca_speed_recording_plan){
		.offset = OFFSET, .bytes = 56 * CA_MIB, .ru_bytes = RU};
	found = (struct ca_speed_recording){0};
	gone = interrupted = false;
	last_recorded = OFFSET;
	small = 0;
}

static void tear_down(void)
{
	ca_device_close(&ram.device);
}

static int run(void)
{
	return ca_speed_record(&ram.device, &plan, &options, &found, &gone, &interrupted);
}

START_TEST(an_update_follows_each_eight_units)
{
	ck_assert_int_eq(run(), 0);
	ck_assert_uint_eq(found.cycles, 14);
	ck_assert_uint_eq(small, 14 * 3);
	ck_assert_uint_eq(last_recorded, OFFSET + 56 * CA_MIB);
	ck_assert_uint_eq(found.mean_ns, 3000000);
	ck_assert_uint_eq(found.max_ns, 3000000);
	ck_assert(!found.announced && !gone && !interrupted && !found.errors);
	ck_assert_uint_eq(ram.commands[CA_CARD_START_RECORDING], 0);
}
END_TEST

/* The directory of every cycle is 40 ms slower. */
START_TEST(a_slow_update_shows_in_mean_and_maximum)
{
	ram.slow = (struct ram_range){2048, 1};
	ram.slow_ns = 40000000;
	ck_assert_int_eq(run(), 0);
	ck_assert_uint_eq(found.mean_ns, 43000000);
	ck_assert_uint_eq(found.max_ns, 43000000);
}
END_TEST

START_TEST(fewer_than_eight_have_no_mean)
{
	plan.bytes = 16 * CA_MIB;
	ck_assert_int_eq(run(), 0);
	ck_assert_uint_eq(found.cycles, 4);
	ck_assert_uint_eq(found.mean_ns, 0);
	ck_assert_uint_eq(found.max_ns, 3000000);
}
END_TEST

START_TEST(the_card_is_told_where_it_obeys)
{
	plan.announce = true;
	ck_assert_int_eq(run(), 0);
	ck_assert(found.announced);
	ck_assert_uint_eq(ram.commands[CA_CARD_START_RECORDING], 1);
	ck_assert_uint_eq(ram.commands[CA_CARD_UPDATE_CI], 28);
	ck_assert_uint_eq(ram.commands[CA_CARD_UPDATE_DIRECTORY], 14);
	ram.no_erase = true;
	last_recorded = OFFSET;
	ck_assert_int_eq(run(), 0);
	ck_assert(!found.announced);
	ck_assert_uint_eq(found.cycles, 14);
}
END_TEST

START_TEST(errors_are_counted_and_a_card_that_leaves_ends_it)
{
	ram.bad_write = (struct ram_range){2048, 1};
	ck_assert_int_eq(run(), 0);
	ck_assert_uint_eq(found.errors, 14);
	ram.gone_after = ram.transfers + 20;
	last_recorded = OFFSET;
	ck_assert_int_eq(run(), 0);
	ck_assert(gone);
	ck_assert_uint_eq(found.cycles, 1);
}
END_TEST

static int stop(void *context, const struct ca_speed_progress *progress)
{
	(void)context;
	return progress->done >= 8 * CA_MIB;
}

START_TEST(called_off_it_keeps_what_it_has)
{
	options.progress = stop;
	ck_assert_int_eq(run(), 0);
	ck_assert(interrupted);
	ck_assert_uint_eq(found.cycles, 2);
}
END_TEST

START_TEST(what_does_not_fit_is_refused)
{
	plan.bytes = 57 * CA_MIB;
	ck_assert_int_eq(run(), -EINVAL);
	plan.bytes = CA_MIB;
	plan.offset = CA_MIB;
	ck_assert_int_eq(run(), -EINVAL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("speed_record");
	TCase *tcase = tcase_create("speed_record");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, an_update_follows_each_eight_units);
	tcase_add_test(tcase, a_slow_update_shows_in_mean_and_maximum);
	tcase_add_test(tcase, fewer_than_eight_have_no_mean);
	tcase_add_test(tcase, the_card_is_told_where_it_obeys);
	tcase_add_test(tcase, errors_are_counted_and_a_card_that_leaves_ends_it);
	tcase_add_test(tcase, called_off_it_keeps_what_it_has);
	tcase_add_test(tcase, what_does_not_fit_is_refused);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
