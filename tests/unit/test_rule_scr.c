/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge_case.h"

static const struct bits_case rows[] = {
	{"SCR-STRUCTURE", "fail", NULL, {{CA_REGISTER_SCR, 51, 48, 4}}, 1},
	{"SCR-STRUCTURE", "fail", NULL, {{CA_REGISTER_SCR, 51, 48, 1}}, 1},
	{"SCR-STRUCTURE", "warning", NULL, {{CA_REGISTER_SCR, 51, 48, 7}}, 1},
	{"SCR-STRUCTURE", "fail", NULL, {{CA_REGISTER_SCR, 63, 60, 1}}, 1},
	{"SCR-VERSION", "warning", NULL, {{CA_REGISTER_SCR, 59, 56, 1}}, 1},
	{"SCR-VERSION", "inconclusive", NULL, {{CA_REGISTER_SCR, 59, 56, 3}}, 1},
	{"SCR-VERSION", "inconclusive", NULL, {{CA_REGISTER_SCR, 41, 38, 6}}, 1},
	{"SCR-VERSION", "none", NULL, {{CA_REGISTER_SCR, 41, 38, 5}}, 1},
	{"SCR-VERSION", "none", NULL, {{CA_REGISTER_SCR, 41, 38, 0}}, 1},
	{"X-VERSION",
	 "fail",
	 NULL,
	 {{CA_REGISTER_SCR, 47, 47, 0}, {CA_REGISTER_SCR, 41, 38, 0}},
	 2},
	{"X-VERSION", "none", NULL, {{CA_REGISTER_SCR, 41, 38, 0}}, 1},
	{"X-VERSION",
	 "fail",
	 NULL,
	 {{CA_REGISTER_CSD, 69, 48, 0x7fff}, {CA_REGISTER_SCR, 59, 38, 0x10050 << 2}},
	 2},
	{"X-VERSION",
	 "none",
	 NULL,
	 {{CA_REGISTER_CSD, 69, 48, 0x7fff}, {CA_REGISTER_SCR, 47, 38, 0}},
	 2},
	{"X-VERSION",
	 "inconclusive",
	 NULL,
	 {{CA_REGISTER_SCR, 47, 47, 0},
	  {CA_REGISTER_SCR, 41, 38, 0},
	  {CA_REGISTER_CSD, 7, 0, 0x03}},
	 3},
	{"X-SECURITY", "warning", NULL, {{CA_REGISTER_SCR, 54, 52, 3}}, 1},
	{"X-SECURITY", "none", NULL, {{CA_REGISTER_SCR, 54, 52, 4}}, 1},
	{"X-SECURITY",
	 "none",
	 NULL,
	 {{CA_REGISTER_SCR, 54, 52, 3}, {CA_REGISTER_CSD, 69, 48, 0x7fff}},
	 2},
	{"X-SECURITY",
	 "warning",
	 NULL,
	 {{CA_REGISTER_SCR, 54, 52, 4}, {CA_REGISTER_CSD, 69, 48, 0x7fff}},
	 2},
	{"X-CMD20", "warning", NULL, {{CA_REGISTER_SCR, 32, 32, 0}}, 1},
	{"X-CMD20",
	 "none",
	 NULL,
	 {{CA_REGISTER_SCR, 32, 32, 0},
	  {CA_REGISTER_CSD, 69, 48, 0x7fff},
	  {CA_REGISTER_SSR, 391, 368, 0}},
	 3},
	{"X-CMD20",
	 "warning",
	 NULL,
	 {{CA_REGISTER_SCR, 32, 32, 0}, {CA_REGISTER_CSD, 69, 48, 0x7fff}},
	 2},
	{"X-CMD58", "warning", NULL, {{CA_REGISTER_SCR, 35, 34, 2}}, 1},
	{"X-CMD58", "none", NULL, {{CA_REGISTER_SCR, 35, 34, 3}}, 1},
	{"X-CMD58", "none", NULL, {{CA_REGISTER_SCR, 35, 34, 0}}, 1},
};

START_TEST(each_row_is_judged_as_expected)
{
	check_bits_case(&rows[_i]);
}
END_TEST

static const char *const silent[] = {"SCR-STRUCTURE", "SCR-VERSION", "X-CMD20",	 "X-CMD23",
				     "X-CMD58",	      "X-SECURITY",  "X-VERSION"};

START_TEST(a_good_card_and_no_card_are_silent)
{
	check_rules_silent(silent, CA_ARRAY_LEN(silent));
}
END_TEST

START_TEST(a_card_at_sdr104_needs_cmd23)
{
	struct judge_case t;

	case_good(&t);
	set_bits(&t, CA_REGISTER_SCR, 33, 33, 0);
	case_judge(&t);
	ck_assert_str_eq(rule_verdict(&t, "X-CMD23"), "none"); /* the mode is not known */
	case_done(&t);
	case_good_host(&t);
	case_judge(&t);
	ck_assert_str_eq(rule_verdict(&t, "X-CMD23"), "warning");
	case_done(&t);
	set_bits(&t, CA_REGISTER_SCR, 33, 33, 1);
	case_judge(&t);
	ck_assert_str_eq(rule_verdict(&t, "X-CMD23"), "none");
	case_done(&t);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rule_scr");
	TCase *tcase = tcase_create("rule_scr");

	tcase_add_loop_test(tcase, each_row_is_judged_as_expected, 0, (int)CA_ARRAY_LEN(rows));
	tcase_add_test(tcase, a_good_card_and_no_card_are_silent);
	tcase_add_test(tcase, a_card_at_sdr104_needs_cmd23);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
