/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/base.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>

static const struct {
	const char *text;
	int result;
	uint64_t bytes;
} sizes[] = {
	{"0", 0, 0},
	{"512", 0, 512},
	{"64G", 0, UINT64_C(64) << 30},
	{"64GiB", 0, UINT64_C(64) << 30},
	{"64GB", 0, UINT64_C(64000000000)},
	{"1T", 0, UINT64_C(1) << 40},
	{"16M", 0, 16 << 20},
	{"1kB", 0, 1000},
	{"18446744073709551615", 0, UINT64_MAX},
	{"18446744073709551616", -ERANGE, 0},
	{"99999999999T", -ERANGE, 0},
	{"", -EINVAL, 0},
	{"G", -EINVAL, 0},
	{"64 G", -EINVAL, 0},
	{"-1", -EINVAL, 0},
	{"64g", -EINVAL, 0},
	{"1.5G", -EINVAL, 0},
};

START_TEST(parse_size)
{
	uint64_t bytes = 0;

	ck_assert_int_eq(ca_parse_size(sizes[_i].text, &bytes), sizes[_i].result);
	ck_assert(bytes == sizes[_i].bytes);
}
END_TEST

START_TEST(parse_numbers_and_seconds)
{
	uint64_t value = 77;

	ck_assert_int_eq(ca_parse_u64("100", 100, &value), 0);
	ck_assert(value == 100);
	ck_assert_int_eq(ca_parse_u64("101", 100, &value), -ERANGE);
	ck_assert_int_eq(ca_parse_u64("1x", 100, &value), -EINVAL);
	ck_assert(value == 100);
	ck_assert_int_eq(ca_parse_seconds("10m", &value), 0);
	ck_assert(value == 600);
	ck_assert_int_eq(ca_parse_seconds("2h", &value), 0);
	ck_assert(value == 7200);
	ck_assert_int_eq(ca_parse_seconds("2d", &value), -EINVAL);
}
END_TEST

static const struct {
	uint64_t seconds;
	const char *text;
} times[] = {
	{0, "1970-01-01T00:00:00Z"},
	{951782400, "2000-02-29T00:00:00Z"},
	{951868800, "2000-03-01T00:00:00Z"},
	{1078012799, "2004-02-28T23:59:59Z"},
	{1796083200, "2026-12-01T00:00:00Z"},
	{4107542400, "2100-03-01T00:00:00Z"},
	{253402300799, "9999-12-31T23:59:59Z"},
};

START_TEST(times_round_trip)
{
	char text[CA_TIME_TEXT_MAX];
	uint64_t seconds = 0;

	ca_time_format(times[_i].seconds, text);
	ck_assert_str_eq(text, times[_i].text);
	ck_assert_int_eq(ca_time_parse(text, &seconds), 0);
	ck_assert(seconds == times[_i].seconds);
}
END_TEST

static const char *const bad_times[] = {
	"",
	"2026-01-01",
	"2026-13-01T00:00:00Z",
	"2026-02-30T00:00:00Z",
	"2026-01-01T24:00:00Z",
	"2026-01-01T00:60:00Z",
	"2026-01-00T00:00:00Z",
	"1969-12-31T23:59:59Z",
	"2026-01-01 00:00:00Z",
	"2026-01-01T00:00:00Zx",
};

START_TEST(times_that_do_not_exist)
{
	uint64_t seconds = 5;

	ck_assert_int_eq(ca_time_parse(bad_times[_i], &seconds), -EINVAL);
	ck_assert(seconds == 5);
}
END_TEST

START_TEST(year_and_month)
{
	unsigned int year, month;

	ca_time_year_month(1796083199, &year, &month);
	ck_assert_uint_eq(year, 2026);
	ck_assert_uint_eq(month, 11);
}
END_TEST

START_TEST(common_divisors)
{
	ck_assert_uint_eq(ca_gcd(12, 18), 6);
	ck_assert_uint_eq(ca_gcd(18, 12), 6);
	ck_assert_uint_eq(ca_gcd(7, 5), 1);
	ck_assert_uint_eq(ca_gcd(0, 9), 9);
	ck_assert_uint_eq(ca_gcd(9, 0), 9);
	ck_assert_uint_eq(ca_gcd(UINT64_MAX, UINT64_MAX - 1), 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("units");
	TCase *tcase = tcase_create("units");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, parse_size, 0, (int)CA_ARRAY_LEN(sizes));
	tcase_add_test(tcase, parse_numbers_and_seconds);
	tcase_add_loop_test(tcase, times_round_trip, 0, (int)CA_ARRAY_LEN(times));
	tcase_add_loop_test(tcase, times_that_do_not_exist, 0, (int)CA_ARRAY_LEN(bad_times));
	tcase_add_test(tcase, year_and_month);
	tcase_add_test(tcase, common_divisors);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
