/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge_case.h"
#include "judge_speed.h"

/* Up to two conditions, their ratios, and what the law makes of a figure against 1000. */
static const struct {
	const char *conditions[2];
	uint64_t ratios[2];
	uint64_t figure;
	enum ca_verdict expected;
	uint64_t best_case;
} rows[] = {
	{{NULL}, {0}, 1000, CA_VERDICT_PASS, 1000},
	{{NULL}, {0}, 999, CA_VERDICT_FAIL, 999},
	{{NULL}, {0}, 0, CA_VERDICT_FAIL, 0},
	/* something was worse: a lower figure may still be the card's, a higher one passes */
	{{"not-erased"}, {1000}, 499, CA_VERDICT_FAIL, 998},
	{{"not-erased"}, {1000}, 500, CA_VERDICT_INCONCLUSIVE, 1000},
	{{"not-erased"}, {1000}, 1000, CA_VERDICT_PASS, 2000},
	/* unknown without bound */
	{{"bus-unknown"}, {1000}, 1, CA_VERDICT_INCONCLUSIVE, UINT64_MAX},
	{{"bus-unknown"}, {1000}, 1000, CA_VERDICT_PASS, UINT64_MAX},
	/* something was easier: screened above, and below it still fails */
	{{"short-duration"}, {1000}, 1000, CA_VERDICT_SCREENED, 1000},
	{{"short-duration"}, {1000}, 999, CA_VERDICT_FAIL, 999},
	/* both */
	{{"short-duration", "not-erased"}, {1000, 1000}, 499, CA_VERDICT_FAIL, 998},
	{{"short-duration", "not-erased"}, {1000, 1000}, 501, CA_VERDICT_INCONCLUSIVE, 1002},
	{{"short-duration", "not-erased"}, {1000, 1000}, 1000, CA_VERDICT_SCREENED, 2000},
	/* factors multiply, with the ratio of the clocks, rounded up */
	{{"bus-clock", "not-erased"}, {1500, 1000}, 332, CA_VERDICT_FAIL, 996},
	{{"bus-clock", "not-erased"}, {1500, 1000}, 333, CA_VERDICT_INCONCLUSIVE, 1000},
	{{"bus-clock"}, {0}, 1, CA_VERDICT_INCONCLUSIVE, UINT64_MAX},
	{{"bus-clock"}, {UINT64_MAX}, 1, CA_VERDICT_INCONCLUSIVE, UINT64_MAX},
	/* failed requests cut both ways */
	{{"io-errors"}, {1000}, 1000, CA_VERDICT_SCREENED, UINT64_MAX},
	{{"io-errors"}, {1000}, 1, CA_VERDICT_INCONCLUSIVE, UINT64_MAX},
};

START_TEST(the_law_holds)
{
	struct ca_judge_figure figure = {.limit = 1000};
	struct ca_text why;
	char buf[400];

	figure.for_pass = figure.for_fail = rows[_i].figure;
	for (size_t i = 0; i < 2 && rows[_i].conditions[i]; i++)
		ca_judge_condition_add(&figure, rows[_i].conditions[i], rows[_i].ratios[i]);
	ck_assert_msg(ca_judge_weigh(&figure) == rows[_i].expected, "row %d: %s", _i,
		      ca_verdict_name(ca_judge_weigh(&figure)));
	if (rows[_i].best_case)
		ck_assert_uint_eq(ca_judge_best_case(&figure), rows[_i].best_case);
	ca_text_init(&why, buf, sizeof(buf));
	ca_judge_explain(&why, &figure, rows[_i].expected);
	ck_assert_uint_gt(why.len, 20);
	ck_assert(!why.cut);
}
END_TEST

START_TEST(a_void_figure_settles_nothing)
{
	struct ca_judge_figure figure = {
		.for_pass = 5000, .for_fail = 5000, .limit = 1000, .is_void = true};

	ck_assert_int_eq(ca_judge_weigh(&figure), CA_VERDICT_INCONCLUSIVE);
	figure.for_pass = figure.for_fail = 1;
	ck_assert_int_eq(ca_judge_weigh(&figure), CA_VERDICT_INCONCLUSIVE);
}
END_TEST

START_TEST(large_figures_do_not_overflow)
{
	struct ca_judge_figure figure = {
		.for_pass = UINT64_MAX - 1, .for_fail = UINT64_MAX - 1, .limit = UINT64_MAX};

	ca_judge_condition_add(&figure, "not-erased", 1000);
	ck_assert_uint_eq(ca_judge_best_case(&figure), UINT64_MAX);
	ck_assert_int_eq(ca_judge_weigh(&figure), CA_VERDICT_INCONCLUSIVE);
}
END_TEST

START_TEST(reasons_name_condition_and_remedy)
{
	struct ca_judge_figure figure = {.for_pass = 900, .for_fail = 900, .limit = 1000};
	struct ca_text why;
	char buf[400];

	ca_judge_condition_add(&figure, "not-erased", 1000);
	ca_judge_condition_add(&figure, "throttled", 1000);
	ca_judge_condition_add(&figure, "short-duration", 1000);
	ca_text_init(&why, buf, sizeof(buf));
	ca_judge_explain(&why, &figure, ca_judge_weigh(&figure));
	/* what has no bound comes first, and its remedy is the one to try */
	ck_assert_str_eq(
		buf, "Below the limit, but the host was throttled or its supply voltage was low; "
		     "the card was not erased first, as far as is known. To settle it: use a "
		     "better power supply and cooling.");
	figure.for_fail = figure.for_pass = 100;
	figure.count = 1;
	ca_text_init(&why, buf, sizeof(buf));
	ca_judge_explain(&why, &figure, ca_judge_weigh(&figure));
	ck_assert_ptr_nonnull(strstr(buf, "a factor of 2.0"));
}
END_TEST

START_TEST(a_slow_window_in_a_good_transfer_is_explained)
{
	struct ca_judge_figure figure = {.for_pass = 900, .for_fail = 1100, .limit = 1000};
	struct ca_text why;
	char buf[400];

	ck_assert_int_eq(ca_judge_weigh(&figure), CA_VERDICT_INCONCLUSIVE);
	ca_text_init(&why, buf, sizeof(buf));
	ca_judge_explain(&why, &figure, CA_VERDICT_INCONCLUSIVE);
	ck_assert_ptr_nonnull(strstr(buf, "Some window"));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("judge_law");
	TCase *tcase = tcase_create("judge_law");

	tcase_add_loop_test(tcase, the_law_holds, 0, (int)CA_ARRAY_LEN(rows));
	tcase_add_test(tcase, a_void_figure_settles_nothing);
	tcase_add_test(tcase, large_figures_do_not_overflow);
	tcase_add_test(tcase, reasons_name_condition_and_remedy);
	tcase_add_test(tcase, a_slow_window_in_a_good_transfer_is_explained);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
