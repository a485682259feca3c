/* SPDX-License-Identifier: BSD-2-Clause */
#include "view.h"

#include "test_certificate_sample.h"

static struct ca_evidence evidence;
static char *text;

static void set_up(void)
{
	memset(&evidence, 0, sizeof(evidence));
	sample_survey(&evidence.survey);
	text = NULL;
}

static void tear_down(void)
{
	free(text);
}

static void show(bool all)
{
	const struct ca_view_options options = {.columns = 400, .all = all};
	struct ca_view view;

	ck_assert_int_eq(ca_view_begin(&view, &options), 0);
	ca_view_survey(&view, &evidence);
	ck_assert_int_eq(ca_view_finish(&view, &text), 0);
}

static void says(const char *words)
{
	ck_assert_msg(strstr(text, words) != NULL, "not said: %s\nin: %s", words, text);
}

static bool is_said(const char *words)
{
	return strstr(text, words) != NULL;
}

START_TEST(a_cell_is_whole)
{
	show(false);
	says("Random write");
	says("4 KiB             5.1 MB/s, 1,245 IOPS; 2 runs, 5.0 MB/s to 5.2 MB/s; half within "
	     "0.80 ms, 99 % within 2.10 ms, 99.9 % within 5.00 ms, longest 900 ms; 1 errors");
	says("interrupted");
	ck_assert(!is_said("98.6 %"));
	ck_assert(!is_said("command queue"));
}
END_TEST

START_TEST(all_shows_the_histogram)
{
	show(true);
	says("98.6 % 0.52 ms to 1.05 ms, 1.4 % 2.10 ms to 4.19 ms");
}
END_TEST

START_TEST(a_card_says_why_its_queue_was_not_compared)
{
	static const char *const words[] = {[CA_UNKNOWN] = "Not known whether it runs",
					    [CA_NO] = "It does not run.",
					    [CA_YES] = "It runs."};

	evidence.device.media = CA_MEDIA_SD;
	evidence.speed.command_queue_on = (enum ca_tristate)_i;
	show(false);
	says(words[_i]);
	says("Linux has no switch for it");
}
END_TEST

START_TEST(the_strip_counts_tenths)
{
	show(false);
	says("4 places of 4 MiB, 9.0 MB/s to 20.0 MB/s");
	says("\n  94x8\n");
}
END_TEST

START_TEST(every_tool_has_its_reason)
{
	evidence.survey.likes[0].part = (enum ca_like_part)_i;
	show(false);
	says(ca_like_part_name((enum ca_like_part)_i));
	says("549.0 MB/s, 1,072 IOPS (524.3 MB in 955 ms, through the page cache); our figure: "
	     "20.1 MB/s, 39 IOPS");
	says("    why             It");
}
END_TEST

START_TEST(without_ours_it_says_so)
{
	evidence.survey.likes[0].own_bytes_per_second = 0;
	evidence.survey.likes[0].errors = 2;
	show(false);
	says("our figure: not measured; 2 errors");
}
END_TEST

START_TEST(nothing_is_nothing)
{
	memset(&evidence.survey, 0, sizeof(evidence.survey));
	show(true);
	ck_assert_str_eq(text, "");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("view_survey");
	TCase *tcase = tcase_create("view_survey");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, a_cell_is_whole);
	tcase_add_test(tcase, all_shows_the_histogram);
	tcase_add_loop_test(tcase, a_card_says_why_its_queue_was_not_compared, 0, 3);
	tcase_add_test(tcase, the_strip_counts_tenths);
	tcase_add_loop_test(tcase, every_tool_has_its_reason, 0, (int)CA_LIKE_PART_COUNT);
	tcase_add_test(tcase, without_ours_it_says_so);
	tcase_add_test(tcase, nothing_is_nothing);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
