/* SPDX-License-Identifier: BSD-2-Clause */
#include "mmc_err_stats.h"

#include "device_test.h"

#include <string.h>

static const struct {
	const char *text, *above_zero;
	unsigned int counters;
	uint64_t sum;
} cases[] = {
	{"# Command Timeout Occurred:\t 0\n# Data CRC Errors Occurred:\t 0\n", "", 2, 0},
	{"# Command Timeout Occurred:\t 2\n# Command CRC Errors Occurred:\t 0\n"
	 "# Data CRC Errors Occurred:\t 3\n",
	 "Command Timeout Occurred 2, Data CRC Errors Occurred 3", 3, 5},
	/* without an end of line, and the kernel's 32 bits printed as signed */
	{"# Tuning Error Occurred:\t -1", "Tuning Error Occurred 4294967295", 1, 4294967295},
	{"# Tuning Error Occurred:\t 4294967296", "", 0, 0},
	/* no counters */
	{"", "", 0, 0},
	{"#", "", 0, 0},
	{"# :", "", 0, 0},
	{"#: 5\n", "", 0, 0},
	{"Data CRC Errors Occurred:\t 3\n", "", 0, 0},
	{"# Data CRC Errors Occurred\t 3\n", "", 0, 0},
	{"# Data CRC Errors Occurred:\t three\n", "", 0, 0},
	{"# Data CRC Errors Occurred:\t 3x\n", "", 0, 0},
	{"# Data CRC Errors Occurred:\n# ADMA Error Occurred:\t 1\n", "ADMA Error Occurred 1", 1,
	 1},
	{"# Data CRC Errors Occurred:\t 99999999999999999999\n", "", 0, 0},
};

START_TEST(parse)
{
	struct ca_mmc_err_stats stats;

	memset(&stats, 0xff, sizeof(stats));
	ca_mmc_err_stats_parse(cases[_i].text, &stats);
	ck_assert_uint_eq(stats.counters, cases[_i].counters);
	ck_assert_uint_eq(stats.sum, cases[_i].sum);
	ck_assert_str_eq(stats.above_zero, cases[_i].above_zero);
}
END_TEST

/* More names than there is room for: the sum is still that of all. */
START_TEST(long_text_is_cut)
{
	char text[2048] = "";
	struct ca_mmc_err_stats stats;

	for (unsigned int i = 0; i < 15; i++)
		(void)strcat(text, "# Controller Timedout errors:\t 7\n");
	ca_mmc_err_stats_parse(text, &stats);
	ck_assert_uint_eq(stats.counters, 15);
	ck_assert_uint_eq(stats.sum, 105);
	ck_assert_uint_lt(strlen(stats.above_zero), sizeof(stats.above_zero));
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("mmc_err_stats");

	tcase_add_loop_test(tests, parse, 0, (int)CA_ARRAY_LEN(cases));
	tcase_add_test(tests, long_text_is_cut);
	return run_tests(tests);
}
