/* SPDX-License-Identifier: BSD-2-Clause */
#include "speed_case.h"

#include <errno.h>

START_TEST(names_go_both_ways)
{
	static const char *const verdicts[] = {"pass",	   "screened", "inconclusive", "fail",
					       "untested", "warning",  "note"};
	static const char *const profiles[] = {"inspect", "quick", "standard",
					       "full",	  "fill",  "speed"};
	enum ca_verdict verdict = CA_VERDICT_NOTE;

	for (size_t i = 0; i < CA_ARRAY_LEN(verdicts); i++) {
		ck_assert_int_eq(ca_verdict_parse(verdicts[i], &verdict), 0);
		ck_assert_str_eq(ca_verdict_name(verdict), verdicts[i]);
	}
	for (size_t i = 0; i < CA_ARRAY_LEN(profiles); i++)
		ck_assert_str_eq(ca_profile_name((enum ca_profile)i), profiles[i]);
	ck_assert_int_eq(ca_verdict_parse("PASS", &verdict), -EINVAL);
	ck_assert_int_eq(ca_verdict_parse("", &verdict), -EINVAL);
	ck_assert_int_eq(verdict, CA_VERDICT_NOTE);
}
END_TEST

START_TEST(an_option_that_does_not_parse_is_refused)
{
	struct judge_case t;

	case_good(&t);
	memset(&t.judgement, 0xa5, sizeof(t.judgement));
	t.request.options[0] = "colour=red";
	t.request.option_count = 1;
	ck_assert_int_eq(ca_judge_run(&t.request, &t.judgement), -EINVAL);
	ck_assert(ca_bytes_is_all(&t.judgement, sizeof(t.judgement), 0xa5)); /* untouched */
}
END_TEST

START_TEST(an_option_is_a_claim)
{
	struct judge_case t;

	case_good(&t);
	t.request.label = NULL;
	t.request.options[0] = "capacity=128GB";
	t.request.option_count = 1;
	case_judge(&t);
	ck_assert_str_eq(claim_verdict(&t, "capacity"), "inconclusive");
	ck_assert_str_eq(find_claim(&t, "capacity")->source, "option");
	case_done(&t);
}
END_TEST

START_TEST(the_same_case_is_judged_the_same)
{
	static struct judge_case a, b; /* too large for one frame */

	case_good(&a);
	case_good_host(&a);
	(void)add_random(&a, false, 1234567);
	b = a;
	b.request.evidence = &b.evidence;
	case_judge(&a);
	case_judge(&b);
	ck_assert(ca_judgement_is_same(&a.judgement, &b.judgement));
	ck_assert_str_eq(a.judgement.headline, b.judgement.headline);
	ck_assert_uint_eq(a.judgement.finding_count, b.judgement.finding_count);
	case_done(&b);
	case_done(&a);
}
END_TEST

START_TEST(each_difference_is_seen)
{
	static struct judge_case a, b; /* too large for one frame */
	struct ca_finding *f;

	case_good(&a);
	case_good(&b);
	case_judge(&a);
	case_judge(&b);
	ck_assert(ca_judgement_is_same(&a.judgement, &b.judgement));
	f = &b.judgement.findings[1];
	f->found[0] ^= 1;
	ck_assert(!ca_judgement_is_same(&a.judgement, &b.judgement));
	f->found[0] ^= 1;
	f->why[0] ^= 1;
	ck_assert(!ca_judgement_is_same(&a.judgement, &b.judgement));
	f->why[0] ^= 1;
	f->rule = &ca_spec_rules[0];
	ck_assert(!ca_judgement_is_same(&a.judgement, &b.judgement));
	f->rule = a.judgement.findings[1].rule;
	ck_assert(ca_judgement_is_same(&a.judgement, &b.judgement));
	b.judgement.finding_count--;
	ck_assert(!ca_judgement_is_same(&a.judgement, &b.judgement));
	b.judgement.finding_count++;
	b.judgement.headline[0] ^= 1;
	ck_assert(!ca_judgement_is_same(&a.judgement, &b.judgement));
	b.judgement.headline[0] ^= 1;
	ck_assert(ca_judgement_is_same(&a.judgement, &b.judgement));
	b.judgement.verdict = CA_VERDICT_PASS;
	ck_assert(!ca_judgement_is_same(&a.judgement, &b.judgement));
	case_done(&b);
	case_done(&a);
}
END_TEST

START_TEST(other_words_are_the_same_outcomes)
{
	static struct judge_case a, b; /* too large for one frame */
	struct ca_finding *f = NULL;

	case_good(&a);
	case_good(&b);
	case_judge(&a);
	case_judge(&b);
	for (size_t i = 0; i < b.judgement.finding_count && !f; i++)
		if (strcmp(b.judgement.findings[i].claim, "capacity") == 0)
			f = &b.judgement.findings[i];
	ck_assert_ptr_nonnull(f);
	f->why[0] ^= 1;
	b.judgement.headline[strlen(b.judgement.headline) - 1] ^= 1;
	ck_assert(!ca_judgement_is_same(&a.judgement, &b.judgement));
	ck_assert(ca_judgement_has_same_outcomes(&a.judgement, &b.judgement));
	b.judgement.headline[0] ^= 1;
	ck_assert(!ca_judgement_has_same_outcomes(&a.judgement, &b.judgement));
	b.judgement.headline[0] ^= 1;
	f->verdict = CA_VERDICT_FAIL;
	ck_assert(!ca_judgement_has_same_outcomes(&a.judgement, &b.judgement));
	ck_assert(!ca_judgement_has_same_outcomes(&b.judgement, &a.judgement));
	f->verdict = a.judgement.findings[f - b.judgement.findings].verdict;
	b.judgement.scope_count = 1;
	(void)snprintf(b.judgement.scope[0], sizeof(b.judgement.scope[0]), "bus");
	ck_assert(!ca_judgement_has_same_outcomes(&a.judgement, &b.judgement));
	case_done(&b);
	case_done(&a);
}
END_TEST

START_TEST(a_claim_has_its_worst_outcome)
{
	struct judge_case t;

	case_good(&t);
	case_judge(&t);
	ck_assert_int_eq(ca_judgement_claim_verdict(&t.judgement, "brand"), CA_VERDICT_SCREENED);
	ck_assert_int_eq(ca_judgement_claim_verdict(&t.judgement, "BRAND"), CA_VERDICT_SCREENED);
	ck_assert_int_eq(ca_judgement_claim_verdict(&t.judgement, "V90"), CA_VERDICT_UNTESTED);
	/* notes about identity are no outcome */
	ck_assert_int_eq(ca_judgement_claim_verdict(&t.judgement, "identity"), CA_VERDICT_UNTESTED);
	case_done(&t);
	set_bits(&t, CA_REGISTER_CSD, 28, 26, 0);
	case_judge(&t);
	ck_assert_int_eq(ca_judgement_claim_verdict(&t.judgement, "identity"), CA_VERDICT_FAIL);
	case_done(&t);
}
END_TEST

START_TEST(an_empty_evidence_is_judged)
{
	struct judge_case t;

	memset(&t, 0, sizeof(t));
	t.request.evidence = &t.evidence;
	case_judge(&t);
	ck_assert_int_eq(t.judgement.verdict, CA_VERDICT_UNTESTED);
	ck_assert_str_eq(rule_verdict(&t, "NOT-OBSERVABLE"), "note");
	case_done(&t);
	ca_judgement_done(&t.judgement); /* twice, and of nothing */
	ca_judgement_done(NULL);
}
END_TEST

/* Whatever the bits say, no text overflows, no rule crashes, and each finding is whole. */
START_TEST(random_evidence_is_survived)
{
	uint64_t state = 1;

	for (unsigned int round = 0; round < 300; round++) {
		struct ca_raw_registers *raw;
		struct judge_case t;

		case_good(&t);
		raw = &t.evidence.registers;
		for (unsigned int reg = 0; reg < CA_REGISTER_COUNT; reg++) {
			uint8_t *data = ca_register_data_mutable(raw, (enum ca_register)reg);

			raw->has[reg] = ca_rng_below(&state, 3) > 0;
			for (size_t i = 0; i < ca_register_bytes((enum ca_register)reg); i++)
				if (ca_rng_below(&state, 2))
					data[i] = (uint8_t)ca_rng_next(&state);
		}
		raw->type = round % 4 ? CA_CARD_TYPE_SD : CA_CARD_TYPE_MMC;
		raw->has_ocr = true;
		raw->ocr = (uint32_t)ca_rng_next(&state);
		(void)add_random(&t, round & 1, ca_rng_next(&state));
		(void)add_recording(&t, ca_rng_next(&state), ca_rng_next(&state),
				    ca_rng_next(&state));
		t.evidence.capacity.end = (enum ca_fill_end)ca_rng_below(&state, 7);
		t.evidence.capacity.announced_bytes = ca_rng_next(&state);
		t.evidence.capacity.classes[ca_rng_below(&state, 10)] = ca_rng_next(&state);
		t.request.profile = (enum ca_profile)ca_rng_below(&state, 6);
		case_judge(&t);
		for (size_t i = 0; i < t.judgement.finding_count; i++) {
			const struct ca_finding *finding = &t.judgement.findings[i];

			ck_assert(finding->rule && finding->says[0] && finding->found[0] &&
				  finding->why[0] && finding->where[0]);
			for (const char *p = finding->found; *p; p++)
				ck_assert_msg((unsigned char)*p >= 0x20 && *p != 0x7f, "%s",
					      finding->rule->id);
		}
		ck_assert(t.judgement.headline[0]);
		case_done(&t);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("judge");
	TCase *tcase = tcase_create("judge");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, names_go_both_ways);
	tcase_add_test(tcase, an_option_that_does_not_parse_is_refused);
	tcase_add_test(tcase, an_option_is_a_claim);
	tcase_add_test(tcase, the_same_case_is_judged_the_same);
	tcase_add_test(tcase, each_difference_is_seen);
	tcase_add_test(tcase, other_words_are_the_same_outcomes);
	tcase_add_test(tcase, a_claim_has_its_worst_outcome);
	tcase_add_test(tcase, an_empty_evidence_is_judged);
	tcase_add_test(tcase, random_evidence_is_survived);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
