/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge_case.h"
#include "judge_rule.h"

#include <ctype.h>

START_TEST(table_and_specs_are_in_one_order)
{
	ck_assert_uint_eq(ca_judge_rules_count, ca_spec_rules_count);
	ck_assert_uint_le(ca_spec_rules_count, CA_RULES_MAX);
	for (size_t i = 0; i < ca_judge_rules_count; i++) {
		ck_assert_str_eq(ca_judge_rules[i].id, ca_spec_rules[i].id);
		for (size_t j = 0; j < i; j++) {
			ck_assert_str_ne(ca_judge_rules[i].id, ca_judge_rules[j].id);
			ck_assert_msg(ca_judge_rules[i].judge != ca_judge_rules[j].judge,
				      "%s and %s", ca_judge_rules[i].id, ca_judge_rules[j].id);
		}
	}
}
END_TEST

START_TEST(each_row_is_complete)
{
	for (size_t i = 0; i < ca_spec_rules_count; i++) {
		const struct ca_spec_rule *rule = &ca_spec_rules[i];
		enum ca_verdict verdict;

		ck_assert_msg(ca_verdict_parse(rule->severity, &verdict) == 0, "%s", rule->id);
		ck_assert_msg(rule->title[0] && rule->why[0] && rule->todo[0] && rule->reg[0] &&
				      rule->clause[0] && rule->sources[0],
			      "%s", rule->id);
		ck_assert_msg(rule->cards_hit <= rule->cards_checked, "%s", rule->id);
		/* what a finding is made of fits into it */
		ck_assert_msg(strlen(rule->title) < sizeof(((struct ca_finding *)0)->says), "%s",
			      rule->id);
		ck_assert_msg(strlen(rule->why) + strlen(rule->todo) + 1 <
				      sizeof(((struct ca_finding *)0)->why),
			      "%s", rule->id);
		ck_assert_msg(strlen(rule->claim) < sizeof(((struct ca_finding *)0)->claim), "%s",
			      rule->id);
	}
}
END_TEST

START_TEST(each_page_begins_with_its_rule)
{
	for (size_t i = 0; i < ca_spec_rules_count; i++) {
		char heading[256];

		(void)snprintf(heading, sizeof(heading), "# %s: %s\n", ca_spec_rules[i].id,
			       ca_spec_rules[i].title);
		ck_assert_msg(strncmp(ca_spec_rule_pages[i], heading, strlen(heading)) == 0, "%s",
			      ca_spec_rules[i].id);
	}
}
END_TEST

/* A rule that no real card stands behind never fails a card for what its registers say. */
START_TEST(no_untried_identity_rule_fails)
{
	for (size_t i = 0; i < ca_spec_rules_count; i++) {
		const struct ca_spec_rule *rule = &ca_spec_rules[i];

		if (strcmp(rule->claim, "identity") == 0 && strcmp(rule->severity, "fail") == 0)
			ck_assert_msg(rule->cards_checked > 0 && rule->cards_hit == 0, "%s",
				      rule->id);
	}
}
END_TEST

START_TEST(ids_are_found_in_any_case)
{
	ck_assert_ptr_eq(ca_spec_rule_find("cid-crc"), &ca_spec_rules[0]);
	ck_assert_ptr_null(ca_spec_rule_find("CID"));
	for (size_t i = 0; i < ca_spec_rules_count; i++)
		for (const char *p = ca_spec_rules[i].id; *p; p++)
			ck_assert_msg(isupper((unsigned char)*p) || isdigit((unsigned char)*p) ||
					      *p == '-',
				      "%s", ca_spec_rules[i].id);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rule_table");
	TCase *tcase = tcase_create("rule_table");

	tcase_add_test(tcase, table_and_specs_are_in_one_order);
	tcase_add_test(tcase, each_row_is_complete);
	tcase_add_test(tcase, each_page_begins_with_its_rule);
	tcase_add_test(tcase, no_untried_identity_rule_fails);
	tcase_add_test(tcase, ids_are_found_in_any_case);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
