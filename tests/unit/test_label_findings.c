/* SPDX-License-Identifier: BSD-2-Clause */
/* Every claim that is understood of a label has a finding, whatever is inspected. */
#include "judge_case.h"
#include "card_fixture.h"

static bool has_finding(const struct ca_judgement *judgement, const struct ca_claim *claim)
{
	for (size_t i = 0; i < judgement->finding_count; i++) {
		const struct ca_finding *finding = &judgement->findings[i];

		if (strcmp(finding->claim, claim->id) == 0 && finding->verdict != CA_VERDICT_NOTE &&
		    finding->verdict != CA_VERDICT_WARNING)
			return true;
	}
	return false;
}

static void drive(struct judge_case *t)
{
	case_bare(t);
	t->evidence.device.media = CA_MEDIA_NVME;
}

static void (*const devices[])(struct judge_case *t) = {case_bare, case_good, drive};

/* Nothing is written or timed, so nothing can fail either: a label alone is no evidence. */
START_TEST(each_claim_has_a_finding)
{
	static struct fixture_row row;
	bool header = false;
	size_t claims = 0;
	FILE *table = fixture_open("labels.tsv");

	while (fixture_next_row(table, &row, &header)) {
		static struct judge_case t;

		devices[_i](&t);
		t.request.label = row.cells[1];
		t.request.profile = CA_PROFILE_INSPECT;
		case_judge(&t);
		for (size_t i = 0; i < t.judgement.claims.count; i++) {
			const struct ca_claim *claim = &t.judgement.claims.claims[i];

			if (claim->source != CA_SOURCE_LABEL)
				continue;
			ck_assert_msg(has_finding(&t.judgement, claim), "%s: %s", row.cells[1],
				      claim->id);
			claims++;
		}
		for (size_t i = 0; i < t.judgement.finding_count; i++)
			ck_assert_msg(t.judgement.findings[i].verdict != CA_VERDICT_FAIL, "%s: %s",
				      row.cells[1], t.judgement.findings[i].rule->id);
		case_done(&t);
	}
	(void)fclose(table);
	ck_assert_uint_ge(claims, 1000);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("label_findings");
	TCase *tcase = tcase_create("label_findings");

	tcase_add_loop_test(tcase, each_claim_has_a_finding, 0, (int)CA_ARRAY_LEN(devices));
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
