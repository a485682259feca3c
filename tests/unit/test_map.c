/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/fill.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct ca_map *make(uint64_t total, size_t max_runs)
{
	struct ca_map *map;

	ck_assert_int_eq(ca_map_new(total, max_runs, &map), 0);
	return map;
}

static void add(struct ca_map *map, uint64_t lba, uint64_t sectors, enum ca_sector_class class_of,
		int64_t delta)
{
	ck_assert_int_eq(ca_map_add(map, lba, sectors, class_of, CA_RUN_READS_ALIKE, delta), 0);
}

static struct ca_capacity_evidence finish(struct ca_map *map)
{
	struct ca_capacity_evidence capacity = {0};

	ck_assert_int_eq(ca_map_finish(map, &capacity), 0);
	ca_map_free(map);
	return capacity;
}

START_TEST(an_empty_map_knows_nothing)
{
	struct ca_capacity_evidence capacity = finish(make(1000, 16));

	ck_assert_int_eq(capacity.kind, CA_CAPACITY_KIND_NONE);
	ck_assert(!capacity.has_first_bad && !capacity.has_real_capacity);
	ck_assert_uint_eq(capacity.run_count, 0);
	free(capacity.runs);
}
END_TEST

START_TEST(sound_only_when_all_was_seen)
{
	struct ca_map *map = make(1000, 16);
	struct ca_capacity_evidence capacity;

	add(map, 0, 999 + (uint64_t)_i, CA_SECTOR_GOOD, 0);
	capacity = finish(map);
	ck_assert_int_eq(capacity.kind, _i ? CA_CAPACITY_KIND_SOUND : CA_CAPACITY_KIND_NONE);
	ck_assert_uint_eq(capacity.longest_good_run_bytes, (999 + (uint64_t)_i) * 512);
	free(capacity.runs);
}
END_TEST

/* What a card with the modulus keeps after `written` sectors: the newest writer of each place. */
static struct ca_capacity_evidence wrapped(uint64_t modulus, uint64_t written, uint64_t seed)
{
	struct ca_map *map = make(written, 4096);
	struct ca_permutation order;
	uint64_t blocks = (written + 63) / 64;

	ca_permutation_init(&order, blocks, seed);
	for (uint64_t i = 0; i < blocks; i++) {
		uint64_t lba = ca_permutation_at(&order, i) * 64;
		uint64_t end = lba + 64 < written ? lba + 64 : written;

		for (; lba < end; lba++) {
			uint64_t newest = lba + (written - 1 - lba) / modulus * modulus;

			add(map, lba, 1, newest == lba ? CA_SECTOR_GOOD : CA_SECTOR_ALIAS,
			    (int64_t)(newest - lba));
		}
	}
	return finish(map);
}

static const struct {
	uint64_t modulus, written;
} wraps[] = {
	{1000, 1001}, {1000, 1500}, {1000, 2000}, {1000, 2001},	   {1000, 9500},
	{997, 65536}, {8, 100000},  {1, 500},	  {65536, 131072}, {100003, 100004},
};

START_TEST(wrap_is_found_to_the_sector)
{
	uint64_t modulus = wraps[_i].modulus, written = wraps[_i].written;
	struct ca_capacity_evidence capacity = wrapped(modulus, written, 3);

	ck_assert_int_eq(capacity.kind, CA_CAPACITY_KIND_WRAP);
	ck_assert(capacity.has_real_capacity);
	ck_assert_uint_eq(capacity.real_capacity_bytes, modulus * 512);
	ck_assert_uint_eq(capacity.classes[CA_SECTOR_GOOD], modulus);
	ck_assert_uint_eq(capacity.classes[CA_SECTOR_ALIAS], written - modulus);
	ck_assert_uint_eq(capacity.first_bad_offset, 0);
	ck_assert_uint_ge(capacity.alias_count, 1);
	for (unsigned int i = 1; i < capacity.alias_count; i++)
		ck_assert_uint_ge(capacity.alias[i - 1].sectors, capacity.alias[i].sectors);
	free(capacity.runs);
}
END_TEST

START_TEST(chain_is_found_to_the_sector)
{
	const uint64_t modulus = 1009, real = 700, written = 9000;
	struct ca_map *map = make(written, 4096);
	struct ca_capacity_evidence capacity;

	for (uint64_t lba = written; lba-- > 0;) {
		uint64_t newest = lba + (written - 1 - lba) / modulus * modulus;

		if (lba % modulus >= real)
			add(map, lba, 1, CA_SECTOR_NOISE, 0);
		else
			add(map, lba, 1, newest == lba ? CA_SECTOR_GOOD : CA_SECTOR_ALIAS,
			    (int64_t)(newest - lba));
	}
	capacity = finish(map);
	ck_assert_int_eq(capacity.kind, CA_CAPACITY_KIND_CHAIN);
	ck_assert(capacity.has_real_capacity);
	ck_assert_uint_eq(capacity.real_capacity_bytes, real * 512);
	free(capacity.runs);
}
END_TEST

/* One block, or one page of eight sectors, shown everywhere behind the end. */
START_TEST(limbo_that_repeats_the_last_block)
{
	const uint64_t real = 5000, written = 20000;
	uint64_t page = _i ? 8 : 1;
	struct ca_map *map = make(written, 256);
	struct ca_capacity_evidence capacity;

	add(map, 0, real, CA_SECTOR_GOOD, 0);
	for (uint64_t lba = real; lba < written; lba++)
		add(map, lba, 1, CA_SECTOR_ALIAS,
		    (int64_t)(real - page + lba % page) - (int64_t)lba);
	capacity = finish(map);
	ck_assert_int_eq(capacity.kind, CA_CAPACITY_KIND_LIMBO);
	ck_assert(capacity.has_real_capacity);
	ck_assert_uint_eq(capacity.real_capacity_bytes, real * 512);
	ck_assert_uint_le(capacity.run_count, 256);
	if (page == 1) {
		ck_assert_uint_eq(capacity.alias_count, 1);
		ck_assert_int_eq(capacity.alias[0].delta, -1);
		ck_assert_uint_eq(capacity.alias[0].sectors, written - real);
		ck_assert_uint_eq(capacity.run_count, 2);
	}
	free(capacity.runs);
}
END_TEST

START_TEST(a_stray_alias_does_not_hide_the_modulus)
{
	struct ca_map *map = make(200000, 64);
	struct ca_capacity_evidence capacity;

	add(map, 0, 50000, CA_SECTOR_ALIAS, 100000);
	add(map, 50000, 1, CA_SECTOR_ALIAS, 77);
	add(map, 50001, 49999, CA_SECTOR_ALIAS, 100000);
	add(map, 100000, 100000, CA_SECTOR_GOOD, 0);
	capacity = finish(map);
	ck_assert_int_eq(capacity.kind, CA_CAPACITY_KIND_WRAP);
	ck_assert_uint_eq(capacity.real_capacity_bytes, UINT64_C(100000) * 512);
	free(capacity.runs);
}
END_TEST

START_TEST(a_terabyte_of_alternating_runs_stays_bounded_and_exact)
{
	enum { RUNS = 100000 };
	uint64_t total = UINT64_C(1) << 31;
	uint64_t step = total / RUNS;
	struct ca_map *map = make(total, 4096);
	struct ca_capacity_evidence capacity;
	uint64_t seen = 0;

	for (uint64_t i = 0; i < RUNS; i++) {
		uint64_t at = i * 7919 % RUNS * step;

		add(map, at, step / 2, CA_SECTOR_GOOD, 0);
		add(map, at + step / 2, step - step / 2,
		    i % 2 ? CA_SECTOR_ZEROS : CA_SECTOR_UNREADABLE, 0);
	}
	capacity = finish(map);
	ck_assert_uint_le(capacity.run_count, 4096);
	ck_assert_uint_gt(capacity.coarsened_to_bytes, 0);
	ck_assert_uint_eq(capacity.good_bytes, RUNS * (step / 2) * 512);
	ck_assert_uint_eq(capacity.classes[CA_SECTOR_ZEROS], RUNS / 2 * (step - step / 2));
	ck_assert_uint_eq(capacity.classes[CA_SECTOR_UNREADABLE], RUNS / 2 * (step - step / 2));
	ck_assert_uint_eq(capacity.first_bad_offset, step / 2 * 512);
	ck_assert(!capacity.has_real_capacity);
	for (size_t i = 0; i < capacity.run_count; i++) {
		ck_assert_uint_eq(capacity.runs[i].lba * 512 % capacity.coarsened_to_bytes, 0);
		ck_assert(capacity.runs[i].class_of != CA_SECTOR_GOOD);
		ck_assert_uint_ge(capacity.runs[i].lba, seen);
		seen = capacity.runs[i].lba + capacity.runs[i].sectors;
	}
	free(capacity.runs);
}
END_TEST

/*
 * The same, and all that is exact in spite of it: distances and their divisor, the ends of the
 * errors, and a longest good run that is there, if perhaps not the longest.
 */
START_TEST(a_coarse_map_never_lies)
{
	enum { RUNS = 100000 };
	const uint64_t total = UINT64_C(1) << 31, step = total / RUNS, period = 77 * 1024;
	uint64_t longest = step / 2;
	struct ca_map *map = make(total, 4096);
	struct ca_capacity_evidence capacity;

	for (uint64_t i = 0; i < RUNS; i++) {
		uint64_t place = i * 7919 % RUNS, at = place * step;
		bool error = place == 777 || place == 98765;

		if (place >= 50000 && place < 51000) {
			add(map, at, step, CA_SECTOR_GOOD, 0);
			continue;
		}
		add(map, at, step / 2, CA_SECTOR_GOOD, 0);
		add(map, at + step / 2, step - step / 2,
		    error ? CA_SECTOR_UNREADABLE : CA_SECTOR_ALIAS,
		    error ? 0 : (int64_t)(period * (1 + place % 3)));
	}
	longest += 1000 * step;
	capacity = finish(map);
	ck_assert_uint_gt(capacity.coarsened_to_bytes, 0);
	ck_assert_uint_le(capacity.run_count, 4096);
	ck_assert_uint_eq(capacity.alias_period_sectors, period);
	ck_assert_uint_eq(capacity.alias_count, 3);
	for (unsigned int i = 0; i < 3; i++)
		ck_assert_int_eq(capacity.alias[i].delta % (int64_t)period, 0);
	ck_assert(capacity.has_errors);
	ck_assert_uint_eq(capacity.errors_offset, (777 * step + step / 2) * 512);
	ck_assert_uint_eq(capacity.errors_end_offset, 98766 * step * 512);
	ck_assert_uint_le(capacity.longest_good_run_bytes, longest * 512);
	ck_assert_uint_ge(capacity.longest_good_run_bytes,
			  longest * 512 - 2 * capacity.coarsened_to_bytes);
	ck_assert(!capacity.has_real_capacity);
	free(capacity.runs);
}
END_TEST

/* Two sorts of good, and of bad, are told apart where there is room for it. */
START_TEST(what_reads_said_is_kept)
{
	struct ca_map *map = make(1000, 16);
	struct ca_capacity_evidence capacity;

	add(map, 0, 100, CA_SECTOR_GOOD, 0);
	ck_assert_int_eq(ca_map_add(map, 100, 1, CA_SECTOR_GOOD, CA_RUN_READS_MIXED, 0), 0);
	add(map, 101, 99, CA_SECTOR_GOOD, 0);
	ck_assert_int_eq(ca_map_add(map, 200, 4, CA_SECTOR_NOISE, CA_RUN_READS_DIFFER, 0), 0);
	ck_assert_int_eq(ca_map_add(map, 204, 4, CA_SECTOR_NOISE, CA_RUN_READS_ALIKE, 0), 0);
	capacity = finish(map);
	ck_assert_uint_eq(capacity.run_count, 5);
	ck_assert_int_eq(capacity.runs[0].reads, CA_RUN_READS_ALIKE);
	ck_assert_int_eq(capacity.runs[1].reads, CA_RUN_READS_MIXED);
	ck_assert_int_eq(capacity.runs[3].reads, CA_RUN_READS_DIFFER);
	ck_assert_int_eq(capacity.runs[4].reads, CA_RUN_READS_ALIKE);
	ck_assert_uint_eq(capacity.longest_good_run_bytes, 200 * 512);
	free(capacity.runs);
}
END_TEST

START_TEST(foreign_data_alone_say_nothing_of_the_card)
{
	struct ca_map *map = make(1000, 16);
	struct ca_capacity_evidence capacity;

	add(map, 0, 500, CA_SECTOR_GOOD, 0);
	add(map, 500, 500, CA_SECTOR_FOREIGN, 0);
	capacity = finish(map);
	ck_assert_int_eq(capacity.kind, CA_CAPACITY_KIND_NONE);
	ck_assert_uint_eq(capacity.first_bad_offset, 500 * 512);
	free(capacity.runs);
}
END_TEST

START_TEST(a_damaged_card_has_no_size)
{
	struct ca_map *map = make(1000000, 64);
	struct ca_capacity_evidence capacity;

	add(map, 0, 4000, CA_SECTOR_GOOD, 0);
	add(map, 4000, 32, CA_SECTOR_NOISE, 0);
	add(map, 4032, 90000, CA_SECTOR_GOOD, 0);
	add(map, 94032, 1, CA_SECTOR_BITFLIP, 0);
	add(map, 94033, 1000000 - 94033, CA_SECTOR_GOOD, 0);
	capacity = finish(map);
	ck_assert_int_eq(capacity.kind, CA_CAPACITY_KIND_DAMAGED);
	ck_assert(!capacity.has_real_capacity);
	ck_assert_uint_eq(capacity.run_count, 5);
	ck_assert_uint_eq(capacity.longest_good_run_bytes, (UINT64_C(1000000) - 94033) * 512);
	free(capacity.runs);
}
END_TEST

START_TEST(the_strip_grows)
{
	struct ca_map *map = NULL;
	const uint8_t *strip;

	ck_assert_int_eq(ca_map_new(6400, 16, &map), 0);
	strip = ca_map_strip(map);
	ck_assert_int_eq(ca_map_add(map, 0, 100, CA_SECTOR_GOOD, CA_RUN_READS_ALIKE, 0), 0);
	ck_assert_uint_eq(strip[0], CA_MAP_STRIP_GOOD);
	ck_assert_uint_eq(strip[1], 0);
	/* a part that begins in one and ends in another is of both */
	ck_assert_int_eq(ca_map_add(map, 199, 2, CA_SECTOR_NOISE, CA_RUN_READS_ALIKE, 0), 0);
	ck_assert_uint_eq(strip[1], CA_MAP_STRIP_BAD);
	ck_assert_uint_eq(strip[2], CA_MAP_STRIP_BAD);
	ck_assert_int_eq(ca_map_add(map, 100, 99, CA_SECTOR_GOOD, CA_RUN_READS_ALIKE, 0), 0);
	ck_assert_uint_eq(strip[1], CA_MAP_STRIP_GOOD | CA_MAP_STRIP_BAD);
	ck_assert_int_eq(ca_map_add(map, 6399, 1, CA_SECTOR_UNREADABLE, CA_RUN_READS_ALIKE, 0), 0);
	ck_assert_uint_eq(strip[63], CA_MAP_STRIP_BAD);
	ck_assert_uint_eq(strip[62], 0);
	ca_map_free(map);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("map");
	TCase *tcase = tcase_create("map");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, an_empty_map_knows_nothing);
	tcase_add_loop_test(tcase, sound_only_when_all_was_seen, 0, 2);
	tcase_add_loop_test(tcase, wrap_is_found_to_the_sector, 0, (int)CA_ARRAY_LEN(wraps));
	tcase_add_test(tcase, chain_is_found_to_the_sector);
	tcase_add_loop_test(tcase, limbo_that_repeats_the_last_block, 0, 2);
	tcase_add_test(tcase, a_stray_alias_does_not_hide_the_modulus);
	tcase_add_test(tcase, a_terabyte_of_alternating_runs_stays_bounded_and_exact);
	tcase_add_test(tcase, a_coarse_map_never_lies);
	tcase_add_test(tcase, what_reads_said_is_kept);
	tcase_add_test(tcase, foreign_data_alone_say_nothing_of_the_card);
	tcase_add_test(tcase, a_damaged_card_has_no_size);
	tcase_add_test(tcase, the_strip_grows);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
