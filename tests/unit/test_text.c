/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/base.h"

#include <check.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	uint64_t bytes;
	const char *text;
} sizes[] = {
	{0, "0 bytes"},
	{512, "512 bytes"},
	{1000, "1 kB (1000 bytes)"},
	{4096, "4.1 kB (4 KiB)"},
	{1073741824, "1.1 GB (1 GiB)"},
	{31914983424, "31.9 GB (29.7 GiB)"},
	{128000000000, "128 GB (119.2 GiB)"},
	{2199023255552, "2.2 TB (2 TiB)"},
	{999999999999, "1000.0 GB (931.3 GiB)"},
	{UINT64_MAX, "18446744.1 TB (16777216.0 TiB)"},
};

START_TEST(sizes_read_as_on_the_package)
{
	char buf[64];
	struct ca_text text;

	ca_text_init(&text, buf, sizeof(buf));
	ca_text_size(&text, sizes[_i].bytes);
	ck_assert_str_eq(buf, sizes[_i].text);
}
END_TEST

static const struct {
	uint64_t value, scale;
	unsigned int decimals;
	const char *text;
} fixed[] = {
	{1234, 1000, 1, "1.2"}, {1250, 1000, 1, "1.3"},		{1999, 1000, 2, "2.00"},
	{5, 1000, 2, "0.01"},	{4, 1000, 2, "0.00"},		{7, 1, 0, "7"},
	{1500, 1000, 0, "2"},	{1999999, 1000, 3, "1999.999"},
};

START_TEST(fixed_point)
{
	char buf[64];
	struct ca_text text;

	ca_text_init(&text, buf, sizeof(buf));
	ca_text_fixed(&text, fixed[_i].value, fixed[_i].scale, fixed[_i].decimals);
	ck_assert_str_eq(buf, fixed[_i].text);
}
END_TEST

START_TEST(numbers)
{
	char buf[128];
	struct ca_text text;

	ca_text_init(&text, buf, sizeof(buf));
	ca_text_u64(&text, UINT64_MAX);
	ca_text_add(&text, " ");
	ca_text_i64(&text, INT64_MIN);
	ca_text_add(&text, " ");
	ca_text_grouped(&text, 1234567);
	ca_text_add(&text, " ");
	ca_text_grouped(&text, 999);
	ca_text_add(&text, " ");
	ca_text_hex(&text, 0xad, 2);
	ca_text_add(&text, " ");
	ca_text_rate(&text, 18349999);
	ck_assert_str_eq(buf,
			 "18446744073709551615 -9223372036854775808 1,234,567 999 ad 18.3 MB/s");
}
END_TEST

START_TEST(what_does_not_fit_is_dropped_and_said)
{
	char buf[6];
	struct ca_text text;

	ca_text_init(&text, buf, sizeof(buf));
	ca_text_add(&text, "12345");
	ck_assert(!text.cut);
	ca_text_add(&text, "6");
	ck_assert(text.cut);
	ck_assert_str_eq(buf, "12345");
	ck_assert(!ca_string_copy(buf, sizeof(buf), "abcdefg"));
	ck_assert_str_eq(buf, "abcde");
	ck_assert(ca_string_copy(buf, sizeof(buf), "abc"));
}
END_TEST

START_TEST(hostile_bytes_are_escaped)
{
	char buf[64];
	struct ca_text text;

	ca_text_init(&text, buf, sizeof(buf));
	ca_text_escaped(&text, "A\x1b[31m\\\0\xff", 9);
	ck_assert_str_eq(buf, "A\\x1b[31m\\\\\\x00\\xff");
	ca_string_escape(buf, sizeof(buf), "a\n\\");
	ck_assert_str_eq(buf, "a\\x0a\\\\");
	ca_string_escape(buf, 4, "abcdef"); /* cut, and ended */
	ck_assert_str_eq(buf, "abc");
}
END_TEST

START_TEST(distance_finds_typing_mistakes)
{
	char long_word[70];

	memset(long_word, 'x', sizeof(long_word));
	long_word[69] = '\0';
	ck_assert_uint_eq(ca_string_distance("certify", "certify"), 0);
	ck_assert_uint_eq(ca_string_distance("certify", "cretify"), 1);
	ck_assert_uint_eq(ca_string_distance("certify", "certfy"), 1);
	ck_assert_uint_eq(ca_string_distance("verify", "certify"), 2);
	ck_assert_uint_eq(ca_string_distance("", "abc"), 3);
	ck_assert_uint_eq(ca_string_distance("a", long_word), UINT_MAX);
}
END_TEST

START_TEST(the_first_error_stays)
{
	struct ca_error error = {0};

	ck_assert_int_eq(ca_error_set(&error, -EIO, "first %d", 1), -EIO);
	ck_assert_int_eq(ca_error_set(&error, -EACCES, "second"), -EACCES);
	ck_assert_str_eq(error.text, "first 1");
	ck_assert_int_eq(error.code, -EIO);
	ck_assert_int_eq(ca_error_set(NULL, -EPERM, "nobody listens"), -EPERM);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("text");
	TCase *tcase = tcase_create("text");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, sizes_read_as_on_the_package, 0, (int)CA_ARRAY_LEN(sizes));
	tcase_add_loop_test(tcase, fixed_point, 0, (int)CA_ARRAY_LEN(fixed));
	tcase_add_test(tcase, numbers);
	tcase_add_test(tcase, what_does_not_fit_is_dropped_and_said);
	tcase_add_test(tcase, hostile_bytes_are_escaped);
	tcase_add_test(tcase, distance_finds_typing_mistakes);
	tcase_add_test(tcase, the_first_error_stays);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
