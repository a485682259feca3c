/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/base.h"

#include <check.h>
#include <stdlib.h>

static const uint64_t counts[] = {1, 2, 3, 4, 5, 16, 17, 1000, 65537};

START_TEST(permutation_hits_every_place_once)
{
	uint64_t count = counts[_i], moved = 0;
	struct ca_permutation permutation;
	uint8_t *seen = calloc((size_t)count, 1);

	ck_assert_ptr_nonnull(seen);
	ca_permutation_init(&permutation, count, 42);
	for (uint64_t i = 0; i < count; i++) {
		uint64_t place = ca_permutation_at(&permutation, i);

		ck_assert(place < count);
		ck_assert_uint_eq(seen[place], 0);
		seen[place] = 1;
		moved += place != i;
	}
	if (count >= 16)
		ck_assert(moved > count / 2);
	free(seen);
}
END_TEST

START_TEST(permutation_depends_on_the_seed)
{
	struct ca_permutation a, b;
	unsigned int differ = 0;

	ca_permutation_init(&a, 1000, 1);
	ca_permutation_init(&b, 1000, 2);
	for (uint64_t i = 0; i < 1000; i++)
		differ += ca_permutation_at(&a, i) != ca_permutation_at(&b, i);
	ck_assert_uint_gt(differ, 900);
}
END_TEST

START_TEST(below_stays_below_and_covers)
{
	uint64_t state = 7;
	unsigned int seen[10] = {0};

	for (int i = 0; i < 10000; i++) {
		uint64_t value = ca_rng_below(&state, 10);

		ck_assert(value < 10);
		seen[value]++;
	}
	for (int i = 0; i < 10; i++)
		ck_assert_uint_gt(seen[i], 800);
}
END_TEST

START_TEST(a_virtual_clock_moves_only_when_told)
{
	struct ca_clock_virtual clock;

	ca_clock_virtual_init(&clock);
	ck_assert(ca_clock_now_ns(&clock.clock) == 0);
	clock.ns = 5;
	ck_assert(ca_clock_now_ns(&clock.clock) == 5);
	ck_assert(ca_clock_now_ns(ca_clock_real()) <= ca_clock_now_ns(ca_clock_real()));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rng");
	TCase *tcase = tcase_create("rng");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, permutation_hits_every_place_once, 0, (int)CA_ARRAY_LEN(counts));
	tcase_add_test(tcase, permutation_depends_on_the_seed);
	tcase_add_test(tcase, below_stays_below_and_covers);
	tcase_add_test(tcase, a_virtual_clock_moves_only_when_told);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
