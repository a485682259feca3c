/* SPDX-License-Identifier: BSD-2-Clause */
#include "speed_case.h"

static const struct {
	const char *label, *claim;
	bool random, write;
	uint64_t figure; /* 0 = not measured */
	const char *simulated, *live;
} rows[] = {
	{"read 90 MB/s", "sequential-read", false, false, 90000000, "pass", "pass"},
	{"read 90 MB/s", "sequential-read", false, false, 89999999, "inconclusive", "inconclusive"},
	/* a label does not say how: its figure can be reached here, and not refuted */
	{"read 90 MB/s", "sequential-read", false, false, 45000000, "inconclusive", "inconclusive"},
	{"read 90 MB/s", "sequential-read", false, false, 44999999, "inconclusive", "inconclusive"},
	{"read 90 MB/s", "sequential-read", false, false, 0, "untested", "untested"},
	{"write 60 MB/s", "sequential-write", false, true, 60000000, "pass", "pass"},
	{"write 60 MB/s", "sequential-write", false, true, 29999999, "inconclusive",
	 "inconclusive"},
	/* more than SDR104 carries */
	{"read 200 MB/s", "sequential-read", false, false, 90000000, "inconclusive",
	 "inconclusive"},
	{"read 90 MB/s", "sequential-read", false, false, 200000000, "pass", "inconclusive"},
	{"4K random read 3000 IOPS", "random-read", true, false, 3000000, "pass", "pass"},
	{"4K random read 3000 IOPS", "random-read", true, false, 2999999, "inconclusive",
	 "inconclusive"},
	{"4K random read 3000 IOPS", "random-read", true, false, 1199000, "inconclusive",
	 "inconclusive"},
	{"4K random write 1000 IOPS", "random-write", true, true, 1000000, "pass", "pass"},
};

START_TEST(stated_figures)
{
	for (unsigned int live = 0; live < 2; live++) {
		const char *expected = live ? rows[_i].live : rows[_i].simulated;
		struct judge_case t;

		case_good(&t);
		case_good_host(&t);
		if (!live)
			case_simulated(&t);
		t.request.label = rows[_i].label;
		if (rows[_i].figure && rows[_i].random)
			(void)add_random(&t, rows[_i].write, rows[_i].figure);
		else if (rows[_i].figure)
			(void)add_sequential(&t, rows[_i].write, rows[_i].figure);
		case_judge(&t);
		ck_assert_msg(strcmp(claim_verdict(&t, rows[_i].claim), expected) == 0,
			      "row %d %s: %s", _i, live ? "live" : "simulated",
			      claim_verdict(&t, rows[_i].claim));
		case_done(&t);
	}
}
END_TEST

START_TEST(the_best_queue_depth_counts_unless_one_is_named)
{
	struct judge_case t;

	case_bare(&t);
	case_simulated(&t);
	t.evidence.device.media = CA_MEDIA_NVME;
	t.request.option_count = 1;
	t.request.options[0] = "random-read=40000IOPS";
	(void)add_random(&t, false, 12000000);
	add_random(&t, false, 106246000)->queue_depth = 32;
	case_judge(&t);
	ck_assert_str_eq(claim_verdict(&t, "random-read"), "pass");
	case_done(&t);
	t.request.options[0] = "random-read=40000IOPS@1";
	case_judge(&t);
	ck_assert_str_eq(claim_verdict(&t, "random-read"), "inconclusive");
	case_done(&t);
	t.request.options[0] = "random-read=40000IOPS@4"; /* no such measurement */
	case_judge(&t);
	ck_assert_str_eq(claim_verdict(&t, "random-read"), "untested");
	case_done(&t);
}
END_TEST

START_TEST(what_nobody_claimed_is_noted)
{
	struct judge_case t;
	unsigned int notes = 0;

	case_bare(&t);
	case_simulated(&t);
	(void)add_random(&t, false, 3200000);
	(void)add_random(&t, true, 1200000);
	(void)add_sequential(&t, false, 88000000);
	case_judge(&t);
	for (size_t i = 0; i < t.judgement.finding_count; i++) {
		const struct ca_finding *finding = &t.judgement.findings[i];

		if (strcmp(finding->rule->id, "MEASURED") != 0)
			continue;
		ck_assert_int_eq(finding->verdict, CA_VERDICT_NOTE);
		if (strcmp(finding->where, "random-read") == 0)
			ck_assert_str_eq(finding->found, "random-read 3,200 IOPS");
		notes++;
	}
	ck_assert_uint_eq(notes, 3);
	case_done(&t);
	t.request.label = "A1"; /* all but the read rate are spoken for */
	case_judge(&t);
	ck_assert_str_eq(find_rule(&t, "MEASURED")->found, "sequential-read 88.0 MB/s");
	case_done(&t);
}
END_TEST

START_TEST(the_page_cache_screens_at_best)
{
	struct judge_case t;

	case_good(&t);
	case_good_host(&t);
	t.request.label = "read 90 MB/s";
	(void)add_sequential(&t, false, 95000000);
	t.evidence.speed.bypass_page_cache = CA_NO;
	case_judge(&t);
	ck_assert_str_eq(claim_verdict(&t, "sequential-read"), "screened");
	case_done(&t);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rule_rate");
	TCase *tcase = tcase_create("rule_rate");

	tcase_add_loop_test(tcase, stated_figures, 0, (int)CA_ARRAY_LEN(rows));
	tcase_add_test(tcase, the_best_queue_depth_counts_unless_one_is_named);
	tcase_add_test(tcase, what_nobody_claimed_is_noted);
	tcase_add_test(tcase, the_page_cache_screens_at_best);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
