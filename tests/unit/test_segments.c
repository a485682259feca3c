/* SPDX-License-Identifier: BSD-2-Clause */
#include "segments.h"

#include <check.h>
#include <stdlib.h>

static void add(struct ca_segments *segments, uint64_t lba, uint64_t sectors,
		enum ca_sector_class class_of, int64_t delta)
{
	struct ca_segment segment = {
		.lba = lba, .sectors = sectors, .delta = delta, .class_of = (uint8_t)class_of};

	ck_assert_int_eq(ca_segments_add(segments, &segment), 0);
}

static void expect(const struct ca_segments *segments, size_t index, uint64_t lba, uint64_t sectors,
		   enum ca_sector_class class_of, int64_t delta)
{
	const struct ca_segment *segment = &segments->list[index];

	ck_assert_uint_lt(index, segments->count);
	ck_assert_uint_eq(segment->lba, lba);
	ck_assert_uint_eq(segment->sectors, sectors);
	ck_assert_uint_eq(segment->class_of, class_of);
	ck_assert_int_eq(segment->delta, delta);
}

START_TEST(neighbours_merge_in_any_order)
{
	struct ca_permutation order;
	struct ca_segments segments;

	ca_permutation_init(&order, 1000, (uint64_t)_i);
	ca_segments_init(&segments, 10000, 10);
	for (uint64_t i = 0; i < 1000; i++) {
		uint64_t place = ca_permutation_at(&order, i);

		add(&segments, place * 10, 10, place < 400 ? CA_SECTOR_GOOD : CA_SECTOR_ZEROS, 0);
	}
	ck_assert_int_eq(ca_segments_finish(&segments), 0);
	ck_assert_uint_eq(segments.unit, 0);
	ck_assert_uint_eq(segments.count, 2);
	expect(&segments, 0, 0, 4000, CA_SECTOR_GOOD, 0);
	expect(&segments, 1, 4000, 6000, CA_SECTOR_ZEROS, 0);
	ca_segments_done(&segments);
}
END_TEST

START_TEST(aliases_merge_by_distance_or_by_source)
{
	struct ca_segments segments;

	ca_segments_init(&segments, 1000, 10);
	add(&segments, 0, 10, CA_SECTOR_ALIAS, 100);
	add(&segments, 10, 10, CA_SECTOR_ALIAS, 100);
	add(&segments, 20, 5, CA_SECTOR_ALIAS, 200);
	for (uint64_t lba = 30; lba < 60; lba++)
		add(&segments, lba, 1, CA_SECTOR_ALIAS, 9 - (int64_t)lba);
	ck_assert_int_eq(ca_segments_finish(&segments), 0);
	ck_assert_uint_eq(segments.count, 3);
	expect(&segments, 0, 0, 20, CA_SECTOR_ALIAS, 100);
	expect(&segments, 1, 20, 5, CA_SECTOR_ALIAS, 200);
	expect(&segments, 2, 30, 30, CA_SECTOR_ALIAS, -21);
	ck_assert(segments.list[2].constant && !segments.list[0].constant);
	ca_segments_done(&segments);
}
END_TEST

START_TEST(gaps_stay_gaps)
{
	struct ca_segments segments;

	ca_segments_init(&segments, 1000, 10);
	add(&segments, 500, 10, CA_SECTOR_GOOD, 0);
	add(&segments, 0, 10, CA_SECTOR_GOOD, 0);
	ck_assert_int_eq(ca_segments_finish(&segments), 0);
	ck_assert_uint_eq(segments.count, 2);
	expect(&segments, 1, 500, 10, CA_SECTOR_GOOD, 0);
	ca_segments_done(&segments);
}
END_TEST

/* 2^31 sectors (1 TB), every sixteenth of some regions bad: far more runs than room */
START_TEST(too_many_runs_become_cells)
{
	enum { RUNS = 100000 };
	struct ca_segments segments;
	uint64_t total = UINT64_C(1) << 31;

	ca_segments_init(&segments, total, 1024);
	for (uint64_t i = 0; i < RUNS; i++) {
		uint64_t place = (i * 7919) % RUNS;

		add(&segments, place * 16, 8, CA_SECTOR_GOOD, 0);
		add(&segments, place * 16 + 8, 8, CA_SECTOR_NOISE, 0);
	}
	add(&segments, RUNS * 16, total - RUNS * 16 - 100, CA_SECTOR_GOOD, 0);
	ck_assert_int_eq(ca_segments_finish(&segments), 0);
	ck_assert_uint_eq(segments.unit, total / 1024);
	ck_assert_uint_le(segments.count, 1024);
	/* 1.6 million sectors lie in the first cell; the last cell was not seen to its end */
	expect(&segments, 0, 0, segments.unit, CA_SECTOR_NOISE, 0);
	expect(&segments, 1, segments.unit, total - 2 * segments.unit, CA_SECTOR_GOOD, 0);
	ck_assert_uint_eq(segments.count, 2);
	ca_segments_done(&segments);
}
END_TEST

START_TEST(a_cell_shows_its_worst)
{
	struct ca_segments segments;

	ca_segments_init(&segments, 64, 2);
	for (uint64_t lba = 0; lba < 64; lba++)
		add(&segments, lba, 1,
		    lba == 40	? CA_SECTOR_UNREADABLE
		    : lba == 41 ? CA_SECTOR_BITFLIP
		    : lba == 3	? CA_SECTOR_NOISE
				: CA_SECTOR_GOOD,
		    0);
	ck_assert_int_eq(ca_segments_finish(&segments), 0);
	ck_assert_uint_eq(segments.unit, 32);
	expect(&segments, 0, 0, 32, CA_SECTOR_NOISE, 0);
	expect(&segments, 1, 32, 32, CA_SECTOR_UNREADABLE, 0);
	ca_segments_done(&segments);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("segments");
	TCase *tcase = tcase_create("segments");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, neighbours_merge_in_any_order, 0, 5);
	tcase_add_test(tcase, aliases_merge_by_distance_or_by_source);
	tcase_add_test(tcase, gaps_stay_gaps);
	tcase_add_test(tcase, too_many_runs_become_cells);
	tcase_add_test(tcase, a_cell_shows_its_worst);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
