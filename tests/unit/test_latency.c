/* SPDX-License-Identifier: BSD-2-Clause */
#include "histogram.h"

#include <check.h>
#include <stdlib.h>

static struct ca_histogram *histogram;

static void set_up(void)
{
	histogram = calloc(1, sizeof(*histogram));
	ck_assert_ptr_nonnull(histogram);
}

static void tear_down(void)
{
	free(histogram);
}

START_TEST(empty_is_all_zero)
{
	struct ca_latency latency;

	ca_histogram_summary(histogram, &latency);
	ck_assert_uint_eq(latency.p50_ns, 0);
	ck_assert_uint_eq(latency.max_ns, 0);
}
END_TEST

START_TEST(equal_values_are_exact)
{
	struct ca_latency latency;

	for (int i = 0; i < 1000; i++)
		ca_histogram_add(histogram, 833333);
	ca_histogram_summary(histogram, &latency);
	ck_assert_uint_eq(latency.p50_ns, 833333);
	ck_assert_uint_eq(latency.p999_ns, 833333);
	ck_assert_uint_eq(latency.max_ns, 833333);
}
END_TEST

/* Every value from a nanosecond to two hours comes back at most 3 % too high, never too low. */
START_TEST(buckets_are_narrow)
{
	for (uint64_t ns = 1; ns < UINT64_C(7200000000000); ns += ns / 7 + 1) {
		uint64_t told;

		*histogram = (struct ca_histogram){0};
		ca_histogram_add(histogram, ns);
		ca_histogram_add(histogram, UINT64_C(8000000000000));
		told = ca_histogram_permille(histogram, 500);
		ck_assert_uint_ge(told, ns);
		ck_assert_uint_le(told - ns, ns * 3 / 100);
	}
}
END_TEST

START_TEST(percentiles_count_ranks)
{
	struct ca_latency latency;

	for (uint64_t i = 1; i <= 1000; i++)
		ca_histogram_add(histogram, i * 1000);
	ca_histogram_summary(histogram, &latency);
	ck_assert_uint_ge(latency.p50_ns, 500000);
	ck_assert_uint_le(latency.p50_ns, 515000);
	ck_assert_uint_ge(latency.p99_ns, 990000);
	ck_assert_uint_le(latency.p99_ns, 1000000);
	ck_assert_uint_eq(latency.max_ns, 1000000);
	/* one slow one in 2000 is behind 99.9 % */
	*histogram = (struct ca_histogram){0};
	for (int i = 0; i < 1999; i++)
		ca_histogram_add(histogram, 40);
	ca_histogram_add(histogram, 5000000);
	ca_histogram_summary(histogram, &latency);
	ck_assert_uint_eq(latency.p999_ns, 40);
	ck_assert_uint_eq(latency.max_ns, 5000000);
}
END_TEST

START_TEST(the_longest_still_count)
{
	struct ca_latency latency;

	ca_histogram_add(histogram, UINT64_MAX);
	ca_histogram_add(histogram, UINT64_C(1) << 50);
	ca_histogram_summary(histogram, &latency);
	ck_assert_uint_eq(latency.max_ns, UINT64_MAX);
	ck_assert_uint_eq(latency.p50_ns, UINT64_MAX);
}
END_TEST

START_TEST(octaves_hold_everything_once)
{
	static const struct {
		uint64_t ns;
		unsigned int octave;
	} values[] = {{0, 0},	       {1, 0},	   {2, 1},	  {3, 1},
		      {63, 5},	       {64, 6},	   {127, 6},	  {128, 7},
		      {1023, 9},       {1024, 10}, {1000000, 19}, {UINT64_C(1) << 43, 43},
		      {UINT64_MAX, 43}};
	uint64_t octaves[CA_LATENCY_OCTAVES], expected[CA_LATENCY_OCTAVES] = {0};

	for (size_t i = 0; i < CA_ARRAY_LEN(values); i++) {
		ca_histogram_add(histogram, values[i].ns);
		expected[values[i].octave]++;
		ca_histogram_octaves(histogram, octaves);
		ck_assert_mem_eq(octaves, expected, sizeof(expected));
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("latency");
	TCase *tcase = tcase_create("latency");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, empty_is_all_zero);
	tcase_add_test(tcase, equal_values_are_exact);
	tcase_add_test(tcase, buckets_are_narrow);
	tcase_add_test(tcase, percentiles_count_ranks);
	tcase_add_test(tcase, the_longest_still_count);
	tcase_add_test(tcase, octaves_hold_everything_once);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
