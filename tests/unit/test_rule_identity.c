/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge_case.h"

static const struct bits_case rows[] = {
	{"PNM-CAPACITY", "warning", "Kingston", {{CA_REGISTER_CSD, 69, 48, 0x7fff}}, 1},
	{"PNM-CAPACITY",
	 "none",
	 "Kingston",
	 {{CA_REGISTER_CID, 103, 64, 0x5553443030}, {CA_REGISTER_CSD, 69, 48, 0x7fff}},
	 2},
	{"MAKER-UNKNOWN", "warning", "Kingston", {{CA_REGISTER_CID, 127, 104, 0xeeeeee}}, 1},
	{"MAKER-UNKNOWN", "warning", "", {{CA_REGISTER_CID, 127, 104, 0xeeeeee}}, 1},
	{"MAKER-UNKNOWN", "none", "", {{CA_REGISTER_CID, 127, 104, 0x035344}}, 1},
	{"MAKER-STRICT", "warning", "SanDisk Ultra 64GB", {{CA_REGISTER_CID, 0, 0, 0}}, 1},
	{"MAKER-STRICT", "warning", "Samsung EVO 64GB", {{CA_REGISTER_CID, 0, 0, 0}}, 1},
	{"MAKER-STRICT", "none", "SanDisk", {{CA_REGISTER_CID, 127, 104, 0x035344}}, 1},
	{"MAKER-OTHER", "warning", "Kingston", {{CA_REGISTER_CID, 127, 104, 0x035344}}, 1},
	{"MAKER-OTHER", "none", "Kingston", {{CA_REGISTER_CID, 0, 0, 0}}, 1},
	{"MAKER-OEM",
	 "note",
	 "Raspberry Pi 64GB",
	 {{CA_REGISTER_CID, 127, 104, 0xad4c53}, {CA_REGISTER_CID, 103, 64, 0x5553443030}},
	 2},
	{"MAKER-OEM", "none", "SanDisk", {{CA_REGISTER_CID, 127, 104, 0x035344}}, 1},
	{"MAKER-CONTESTED", "none", "Kingston", {{CA_REGISTER_CID, 127, 104, 0x035344}}, 1},
	{"IDENTITY", "note", "SanDisk", {{CA_REGISTER_CID, 127, 104, 0x035344}}, 1},
	{"IDENTITY", "none", "SanDisk", {{CA_REGISTER_CID, 0, 0, 0}}, 1},
	/* the good card is the one of which Linux knows a broken flush, made in another month */
	{"KNOWN-ODD", "none", NULL, {{CA_REGISTER_CID, 0, 0, 0}}, 1},
	{"KNOWN-ODD",
	 "note",
	 NULL,
	 {{CA_REGISTER_CID, 127, 104, 0x9f5449}, {CA_REGISTER_CID, 19, 8, 0x13b}},
	 2},
	{"KNOWN-ODD", "none", NULL, {{CA_REGISTER_CID, 19, 8, 0x13a}}, 1},
	{"KNOWN-ODD", "note", NULL, {{CA_REGISTER_CID, 127, 104, 0x035344}}, 1},
	{"KNOWN-ODD",
	 "none",
	 NULL,
	 {{CA_REGISTER_CID, 127, 104, 0x035344}, {CA_REGISTER_SSR, 313, 313, 0}},
	 2},
};

START_TEST(each_row_is_judged_as_expected)
{
	check_bits_case(&rows[_i]);
}
END_TEST

static const char *const silent[] = {"PNM-CAPACITY", "MAKER-UNKNOWN", "MAKER-OTHER", "MAKER-STRICT",
				     "MASKED",	     "LENT",	      "KNOWN-ODD"};

START_TEST(a_good_card_and_no_card_are_silent)
{
	check_rules_silent(silent, CA_ARRAY_LEN(silent));
}
END_TEST

START_TEST(a_contested_maker_is_noted)
{
	const struct ca_spec_maker *contested = NULL;
	struct judge_case t;

	for (size_t i = 0; i < ca_spec_makers_count; i++)
		if (!ca_spec_makers[i].emmc && ca_spec_makers[i].oid >= 0 &&
		    strcmp(ca_spec_makers[i].standing, "contested") == 0)
			contested = &ca_spec_makers[i];
	if (!contested)
		return;
	case_good(&t);
	set_bits(&t, CA_REGISTER_CID, 127, 104,
		 (uint64_t)contested->mid << 16 | (uint64_t)contested->oid);
	case_judge(&t);
	ck_assert_str_eq(rule_verdict(&t, "MAKER-CONTESTED"), "note");
	case_done(&t);
}
END_TEST

START_TEST(hidden_registers_are_never_held_against_the_card)
{
	struct judge_case t;

	case_bare(&t);
	t.request.label = "SanDisk Ultra 64GB A1";
	(void)ca_string_copy(t.evidence.device.hidden_because,
			     sizeof(t.evidence.device.hidden_because), "a USB reader hides them");
	case_judge(&t);
	ck_assert_str_eq(rule_verdict(&t, "NOT-OBSERVABLE"), "note");
	ck_assert_str_eq(find_rule(&t, "NOT-OBSERVABLE")->found, "a USB reader hides them");
	ck_assert_str_eq(claim_verdict(&t, "brand"), "untested");
	ck_assert_int_eq(t.judgement.verdict, CA_VERDICT_UNTESTED);
	for (size_t i = 0; i < t.judgement.finding_count; i++)
		ck_assert_int_ne(t.judgement.findings[i].verdict, CA_VERDICT_WARNING);
	case_done(&t);
	case_good(&t);
	case_judge(&t);
	ck_assert_str_eq(rule_verdict(&t, "NOT-OBSERVABLE"), "none");
	case_done(&t);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rule_identity");
	TCase *tcase = tcase_create("rule_identity");

	tcase_add_loop_test(tcase, each_row_is_judged_as_expected, 0, (int)CA_ARRAY_LEN(rows));
	tcase_add_test(tcase, a_good_card_and_no_card_are_silent);
	tcase_add_test(tcase, a_contested_maker_is_noted);
	tcase_add_test(tcase, hidden_registers_are_never_held_against_the_card);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
