/* SPDX-License-Identifier: BSD-2-Clause */
#include "checkpoint.h"

#include <check.h>
#include <stdlib.h>

#define PIECE	  (64 * CA_KIB)
#define PER_GIB	  (CA_GIB / PIECE)
#define PER_16MIB (16 * CA_MIB / PIECE)

static const struct {
	uint64_t announced, interval, first;
} cards[] = {
	{CA_MIB, 256 * CA_MIB, 16 * CA_MIB},
	{512 * CA_MIB, 256 * CA_MIB, 32 * CA_MIB},
	{4 * CA_GIB, 256 * CA_MIB, 256 * CA_MIB},
	{64 * CA_GIB, 256 * CA_MIB, 256 * CA_MIB},
	{UINT64_C(128000000000), 448 * CA_MIB, 448 * CA_MIB},
	{256 * CA_GIB, CA_GIB, CA_GIB},
	{128 * 1024 * CA_GIB, CA_GIB, CA_GIB},
};

START_TEST(pauses_come_in_time)
{
	uint64_t announced = cards[_i].announced, interval = cards[_i].interval;
	uint64_t written = ca_checkpoint_next(announced, 0);

	ck_assert_uint_eq(ca_checkpoint_interval(announced), interval);
	ck_assert_uint_eq(written, cards[_i].first);
	for (unsigned int i = 0; i < 1000; i++) {
		uint64_t next = ca_checkpoint_next(announced, written);

		ck_assert_uint_gt(next, written);
		ck_assert_uint_le(next - written, interval);
		if (written < interval) /* doublings first */
			ck_assert(next == 2 * written || next == interval);
		else
			ck_assert_uint_eq(next % interval, 0);
		written = next;
	}
	/* between allocation units */
	ck_assert_uint_eq(interval % (64 * CA_MIB), 0);
}
END_TEST

START_TEST(places_are_written_and_ascend)
{
	uint64_t places[CA_CHECKPOINT_PLACES];
	uint64_t announced = cards[_i].announced, index = 0;

	for (uint64_t written = PIECE; written < announced;
	     written = ca_checkpoint_next(announced, written)) {
		size_t count = ca_checkpoint_places(announced, written, PIECE, index++, 7, places);

		ck_assert_uint_gt(count, 0);
		for (size_t i = 0; i < count; i++) {
			ck_assert_uint_lt(places[i], written / PIECE);
			ck_assert(i == 0 || places[i] > places[i - 1]);
		}
		ck_assert_uint_eq(places[count - 1], written / PIECE - 1);
		if (index == 300)
			break;
	}
	ck_assert_uint_eq(ca_checkpoint_places(announced, PIECE - 1, PIECE, 0, 7, places), 0);
}
END_TEST

static int ascending(const void *a, const void *b)
{
	const uint64_t *left = a;
	const uint64_t *right = b;

	return (*left > *right) - (*left < *right);
}

/* Within [from, to), places at least 16 MiB apart. */
static unsigned int apart(const uint64_t *places, size_t count, uint64_t from, uint64_t to)
{
	unsigned int found = 0;
	uint64_t last = 0;

	for (size_t i = 0; i < count; i++) {
		if (places[i] < from || places[i] >= to ||
		    (found > 0 && places[i] - last < PER_16MIB))
			continue;
		found++;
		last = places[i];
	}
	return found;
}

/*
 * Whatever the real size and the cache: when a checkpoint lies behind R + C + I (and the last one
 * before R + C + 2 I does), two places far enough apart are lost behind R, and overwritten in
 * front.
 */
START_TEST(no_real_size_escapes)
{
	uint64_t announced = cards[_i].announced, interval = cards[_i].interval, state = 5;
	uint64_t places[CA_CHECKPOINT_PLACES];

	for (unsigned int i = 0; i < 400; i++) {
		uint64_t real = ca_rng_below(&state, 40 * CA_GIB);
		uint64_t cache = i % 2 ? ca_rng_below(&state, CA_GIB + 1) : 0;
		uint64_t written = real + cache + interval;
		size_t count;

		written += interval - written % interval;
		ck_assert_uint_le(written, real + cache + 2 * interval);
		count = ca_checkpoint_places(announced, written, PIECE, written / interval, i,
					     places);
		ck_assert_msg(apart(places, count, real / PIECE + 1, (written - cache) / PIECE) >=
				      2,
			      "lost behind %llu of %llu", (unsigned long long)real,
			      (unsigned long long)written);
		ck_assert_msg(apart(places, count, 0, (written - cache - real) / PIECE) >= 2,
			      "overwritten before %llu of %llu", (unsigned long long)real,
			      (unsigned long long)written);
	}
}
END_TEST

/* Apart from the end of what was written, which is another each time. */
START_TEST(no_place_is_asked_twice)
{
	uint64_t announced = 64 * CA_GIB, written = CA_GIB, index = 4;
	uint64_t places[CA_CHECKPOINT_PLACES];
	uint8_t *seen = calloc(1, (size_t)(64 * PER_GIB));
	unsigned int again = 0, all = 0;

	ck_assert_ptr_nonnull(seen);
	for (; written < announced; written = ca_checkpoint_next(announced, written)) {
		size_t count = ca_checkpoint_places(announced, written, PIECE, index++, 9, places);

		for (size_t i = 0; i < count; i++, all++)
			again += seen[places[i]]++ != 0;
	}
	/* strata, head and ends of powers of two are chosen apart and may meet by chance */
	ck_assert_uint_lt(again, all / 200);
	free(seen);
}
END_TEST

/* Is the extent of this place lost? So many of 2^32 are, for a seed. */
static bool is_lost(uint64_t offset, uint64_t seed, uint64_t share)
{
	uint64_t state = seed ^ (offset / PIECE * UINT64_C(0x9e3779b97f4a7c15));

	return ca_rng_next(&state) >> 32 < share;
}

/*
 * Random eviction and tables, at the worst: the last checkpoint before 1.05 R + 1 GiB are written
 * comes when 1.05 R are, so that 1 in 21 of what was written is lost, anywhere. In 999 runs of 1000
 * three places 16 MiB apart must be met; earlier checkpoints are not even counted.
 */
START_TEST(chance_finds_in_999_runs_of_1000)
{
	enum { RUNS = 20000 };
	uint64_t written = 21 * CA_GIB, share = (UINT64_C(1) << 32) / 21;
	uint64_t sectors[CA_CHECKPOINT_RANDOM], places[CA_CHECKPOINT_PLACES], lost[512];
	unsigned int missed = 0;

	for (uint64_t seed = 0; seed < RUNS; seed++) {
		size_t count = ca_checkpoint_places(256 * CA_GIB, written, PIECE, 21, seed, places);
		size_t found = 0;

		for (size_t i = 0; i < count; i++)
			if (is_lost(places[i] * PIECE, seed, share))
				lost[found++] = places[i];
		ca_checkpoint_sectors(written, 512, seed, sectors);
		for (size_t i = 0; i < CA_CHECKPOINT_RANDOM; i++)
			if (is_lost(sectors[i], seed, share))
				lost[found++] = sectors[i] / PIECE;
		qsort(lost, found, sizeof(lost[0]), ascending);
		missed += apart(lost, found, 0, written / PIECE) < 3;
	}
	ck_assert_uint_le(missed, RUNS / 1000);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("checkpoint");
	TCase *tcase = tcase_create("checkpoint");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, pauses_come_in_time, 0, (int)CA_ARRAY_LEN(cards));
	tcase_add_loop_test(tcase, places_are_written_and_ascend, 0, (int)CA_ARRAY_LEN(cards));
	tcase_add_loop_test(tcase, no_real_size_escapes, 2, (int)CA_ARRAY_LEN(cards));
	tcase_add_test(tcase, no_place_is_asked_twice);
	tcase_add_test(tcase, chance_finds_in_999_runs_of_1000);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
