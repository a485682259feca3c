/* SPDX-License-Identifier: BSD-2-Clause */
#include "label_internal.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define GB UINT64_C(1000000000)

static const struct {
	const char *text;
	size_t len; /* characters of the number, 0: none */
	uint64_t scale;
	bool decimal;
	uint64_t value; /* 0: does not fit or is nothing */
} numbers[] = {
	{"128", 3, 1, false, 128},
	{"0,5", 3, GB, false, GB / 2},
	{"1.5", 3, GB, false, GB * 3 / 2},
	{"1.600", 5, 1, false, 1600},
	{"1.600", 5, 1000, true, 1600},
	{"40,000", 6, 1, false, 40000},
	{"0.125", 5, 1000, false, 125},
	{"1234.567", 8, 1000, false, 1234567},
	{"1,024,000", 9, 1, false, 1024000},
	{"1'024'000", 9, 1, false, 1024000},
	{"1,024.5", 7, 10, false, 10245},
	{"1.024,25", 8, 100, false, 102425},
	{"12.", 2, 1, false, 12},
	{"12,x", 2, 1, false, 12},
	{"999999999999999", 15, 1, false, 999999999999999},
	{"9999999999999999", 0, 1, false, 0},
	{"999999999999999", 15, GB, false, 0},
	{"0", 1, GB, false, 0},
	{"0.0", 3, GB, false, 0},
	{"1.2.3", 0, 1, false, 0},
	{"1,02,400", 0, 1, false, 0},
	{"1234,567,890", 0, 1, false, 0},
	{"1,024.5.6", 0, 1, false, 0},
	{"1,024.5,6", 0, 1, false, 0},
	{"", 0, 1, false, 0},
	{"x1", 0, 1, false, 0},
	{".5", 0, 1, false, 0},
};

START_TEST(number)
{
	struct label_number read;
	const char *end = ca_label_eat_number(numbers[_i].text, &read);
	uint64_t value = 4711;

	if (numbers[_i].len == 0) {
		ck_assert_ptr_null(end);
		return;
	}
	ck_assert_ptr_nonnull(end);
	ck_assert_uint_eq((size_t)(end - numbers[_i].text), numbers[_i].len);
	ck_assert(ca_label_number_scale(&read, numbers[_i].scale, numbers[_i].decimal, &value) ==
		  (numbers[_i].value != 0));
	ck_assert(value == (numbers[_i].value ? numbers[_i].value : 4711));
}
END_TEST

static const struct {
	const char *text, *phrase;
	size_t len; /* 0: no match */
} phrases[] = {
	{"UHS-I x", "uhs_i", 5},
	{"UHS I", "uhs_i", 5},
	{"uhsi", "uhs_i", 4},
	{"UHS-II", "uhs_i", 0},
	{"up to", "up to", 5},
	{"upto", "up to", 0},
	{"micro - SD", "micro_sd", 10},
	{"SD.", "sd", 2},
	{"SD.2", "sd", 0},
	{"SD-X", "sd", 0},
	{"SD- x", "sd", 2},
	{"SD\xc2\xae", "sd", 2},
	{"SD\xc3\xa9", "sd", 0},
	{"", "sd", 0},
	{"S", "sd", 0},
};

START_TEST(phrase)
{
	const char *end = ca_label_eat(phrases[_i].text, phrases[_i].phrase);

	ck_assert_uint_eq(end ? (size_t)(end - phrases[_i].text) : 0, phrases[_i].len);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("label_number");
	TCase *tcase = tcase_create("label_number");
	SRunner *runner;
	int failed;

	tcase_add_loop_test(tcase, number, 0, (int)CA_ARRAY_LEN(numbers));
	tcase_add_loop_test(tcase, phrase, 0, (int)CA_ARRAY_LEN(phrases));
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
