/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge_case.h"

static const struct bits_case rows[] = {
	{"CID-CRC", "warning", NULL, {{CA_REGISTER_CID, 7, 0, 0x03}}, 1},
	{"CID-CRC", "none", NULL, {{CA_REGISTER_CID, 7, 0, 0x01}}, 1},
	{"CID-ALL",
	 "warning",
	 NULL,
	 {{CA_REGISTER_CID, 127, 64, 0}, {CA_REGISTER_CID, 63, 8, 0}},
	 2},
	{"CID-ALL",
	 "warning",
	 NULL,
	 {{CA_REGISTER_CID, 127, 64, UINT64_MAX}, {CA_REGISTER_CID, 63, 8, 0xffffffffffffff}},
	 2},
	{"CID-ALL", "none", NULL, {{CA_REGISTER_CID, 127, 64, 0}}, 1},
	{"CID-MID0", "warning", NULL, {{CA_REGISTER_CID, 127, 120, 0}}, 1},
	{"CID-MID0", "none", NULL, {{CA_REGISTER_CID, 127, 64, 0}, {CA_REGISTER_CID, 63, 8, 0}}, 2},
	{"CID-OID", "warning", NULL, {{CA_REGISTER_CID, 119, 104, 0x0303}}, 1},
	{"CID-OID", "warning", NULL, {{CA_REGISTER_CID, 119, 104, 0x417f}}, 1},
	{"CID-OID", "none", NULL, {{CA_REGISTER_CID, 119, 104, 0x207e}}, 1},
	{"CID-PNM-FILLER", "warning", NULL, {{CA_REGISTER_CID, 103, 64, 0x4150505344}}, 1},
	{"CID-PNM-FILLER", "warning", NULL, {{CA_REGISTER_CID, 103, 64, 0x6173646667}}, 1},
	{"CID-PNM-FILLER", "warning", NULL, {{CA_REGISTER_CID, 103, 64, 0}}, 1},
	{"CID-PNM-FILLER", "none", NULL, {{CA_REGISTER_CID, 103, 64, 0x4150505345}}, 1},
	{"CID-PNM", "note", NULL, {{CA_REGISTER_CID, 71, 64, 0}}, 1},
	{"CID-PNM", "note", NULL, {{CA_REGISTER_CID, 71, 64, 0x80}}, 1},
	{"CID-PNM", "none", NULL, {{CA_REGISTER_CID, 103, 64, 0}}, 1},
	{"CID-PNM", "none", NULL, {{CA_REGISTER_CID, 71, 64, 0x20}}, 1},
	{"CID-PNM-00000", "note", NULL, {{CA_REGISTER_CID, 103, 64, 0x3030303030}}, 1},
	{"CID-PNM-00000",
	 "none",
	 NULL,
	 {{CA_REGISTER_CID, 127, 120, 0x1b}, {CA_REGISTER_CID, 103, 64, 0x3030303030}},
	 2},
	{"CID-PNM-SMI", "note", NULL, {{CA_REGISTER_CID, 103, 64, 0x534d490000}}, 1},
	{"CID-PNM-SMI", "none", NULL, {{CA_REGISTER_CID, 103, 64, 0x534d493332}}, 1},
	{"CID-PNM-AS",
	 "warning",
	 NULL,
	 {{CA_REGISTER_CID, 127, 104, 0x035344}, {CA_REGISTER_CID, 103, 64, 0x4153000000}},
	 2},
	{"CID-PNM-AS",
	 "warning",
	 NULL,
	 {{CA_REGISTER_CID, 127, 104, 0x035344}, {CA_REGISTER_CID, 103, 64, 0x4153202020}},
	 2},
	{"CID-PNM-AS", "none", NULL, {{CA_REGISTER_CID, 103, 64, 0x4153000000}}, 1},
	{"CID-PNM-AS",
	 "none",
	 NULL,
	 {{CA_REGISTER_CID, 127, 104, 0x035344}, {CA_REGISTER_CID, 103, 64, 0x4153363447}},
	 2},
	{"CID-OID-42", "warning", NULL, {{CA_REGISTER_CID, 119, 104, 0x3432}}, 1},
	{"CID-OID-42", "none", NULL, {{CA_REGISTER_CID, 127, 104, 0x413432}}, 1},
	{"CID-PRV", "note", NULL, {{CA_REGISTER_CID, 63, 56, 0xa0}}, 1},
	{"CID-PRV", "note", NULL, {{CA_REGISTER_CID, 63, 56, 0x0a}}, 1},
	{"CID-PRV", "none", NULL, {{CA_REGISTER_CID, 63, 56, 0x99}}, 1},
	{"CID-PSN", "note", NULL, {{CA_REGISTER_CID, 55, 24, 0}}, 1},
	{"CID-PSN", "note", NULL, {{CA_REGISTER_CID, 55, 24, 0xffffffff}}, 1},
	{"CID-PSN", "none", NULL, {{CA_REGISTER_CID, 55, 24, 1}}, 1},
	{"CID-PSN-LOW", "note", NULL, {{CA_REGISTER_CID, 55, 24, 0xffff}}, 1},
	{"CID-PSN-LOW", "none", NULL, {{CA_REGISTER_CID, 55, 24, 0x10000}}, 1},
	{"CID-PSN-LOW", "none", NULL, {{CA_REGISTER_CID, 55, 24, 0}}, 1},
	{"CID-RESERVED", "note", NULL, {{CA_REGISTER_CID, 23, 20, 0xa}}, 1},
	{"CID-MONTH", "warning", NULL, {{CA_REGISTER_CID, 11, 8, 0}}, 1},
	{"CID-MONTH", "warning", NULL, {{CA_REGISTER_CID, 11, 8, 13}}, 1},
	{"CID-MONTH", "none", NULL, {{CA_REGISTER_CID, 11, 8, 12}}, 1},
	{"CID-FUTURE",
	 "none",
	 NULL,
	 {{CA_REGISTER_CID, 19, 12, 26}, {CA_REGISTER_CID, 11, 8, 2}},
	 2},
	{"CID-FUTURE",
	 "warning",
	 NULL,
	 {{CA_REGISTER_CID, 19, 12, 26}, {CA_REGISTER_CID, 11, 8, 3}},
	 2},
	{"CID-FUTURE",
	 "warning",
	 NULL,
	 {{CA_REGISTER_CID, 19, 12, 27}, {CA_REGISTER_CID, 11, 8, 1}},
	 2},
	{"CID-FUTURE",
	 "inconclusive",
	 NULL,
	 {{CA_REGISTER_CID, 19, 12, 0x22}, {CA_REGISTER_CID, 11, 8, 1}},
	 2},
	{"CID-FUTURE",
	 "warning",
	 NULL,
	 {{CA_REGISTER_CID, 19, 12, 0x2a}, {CA_REGISTER_CID, 11, 8, 1}},
	 2},
	{"CID-FUTURE",
	 "warning",
	 NULL,
	 {{CA_REGISTER_CID, 19, 12, 0x99}, {CA_REGISTER_CID, 11, 8, 1}},
	 2},
	{"CID-PAST", "warning", NULL, {{CA_REGISTER_CID, 19, 12, 16}}, 1},
	{"CID-PAST", "none", NULL, {{CA_REGISTER_CID, 19, 12, 17}}, 1},
	{"CID-PAST",
	 "warning",
	 NULL,
	 {{CA_REGISTER_CID, 19, 12, 15}, {CA_REGISTER_SSR, 339, 336, 1}},
	 2},
	{"CID-PAST",
	 "none",
	 NULL,
	 {{CA_REGISTER_CID, 19, 12, 16}, {CA_REGISTER_SSR, 339, 336, 1}},
	 2},
	{"CID-PAST",
	 "warning",
	 NULL,
	 {{CA_REGISTER_CID, 19, 12, 9},
	  {CA_REGISTER_SSR, 339, 336, 0},
	  {CA_REGISTER_SCR, 42, 38, 0}},
	 3},
	{"CID-PAST",
	 "none",
	 NULL,
	 {{CA_REGISTER_CID, 19, 12, 10},
	  {CA_REGISTER_SSR, 339, 336, 0},
	  {CA_REGISTER_SCR, 42, 38, 0}},
	 3},
	{"CID-PAST",
	 "warning",
	 NULL,
	 {{CA_REGISTER_CID, 19, 12, 8},
	  {CA_REGISTER_SSR, 339, 336, 0},
	  {CA_REGISTER_SSR, 399, 396, 0},
	  {CA_REGISTER_SCR, 42, 38, 0}},
	 4},
	{"CID-PAST",
	 "none",
	 NULL,
	 {{CA_REGISTER_CID, 19, 12, 9},
	  {CA_REGISTER_SSR, 339, 336, 0},
	  {CA_REGISTER_SSR, 399, 396, 0},
	  {CA_REGISTER_SCR, 42, 38, 0}},
	 4},
	{"CID-PAST",
	 "warning",
	 NULL,
	 {{CA_REGISTER_CID, 19, 12, 5},
	  {CA_REGISTER_SSR, 339, 336, 0},
	  {CA_REGISTER_SSR, 399, 396, 0},
	  {CA_REGISTER_SCR, 47, 38, 0},
	  {CA_REGISTER_CSD, 69, 48, 0x7fff}},
	 5},
	{"CID-PAST",
	 "none",
	 NULL,
	 {{CA_REGISTER_CID, 19, 12, 6},
	  {CA_REGISTER_SSR, 339, 336, 0},
	  {CA_REGISTER_SSR, 399, 396, 0},
	  {CA_REGISTER_SCR, 47, 38, 0},
	  {CA_REGISTER_CSD, 69, 48, 0x7fff}},
	 5},
	{"CID-PAST",
	 "warning",
	 NULL,
	 {{CA_REGISTER_CID, 19, 12, 14},
	  {CA_REGISTER_SSR, 339, 336, 0},
	  {CA_REGISTER_SSR, 399, 396, 0}},
	 3},
	{"CID-PAST",
	 "none",
	 NULL,
	 {{CA_REGISTER_CID, 19, 12, 15},
	  {CA_REGISTER_SSR, 339, 336, 0},
	  {CA_REGISTER_SSR, 399, 396, 0}},
	 3},
	{"CID-PAST", "none", NULL, {{CA_REGISTER_CID, 19, 8, 0}}, 1},
};

START_TEST(each_row_is_judged_as_expected)
{
	check_bits_case(&rows[_i]);
}
END_TEST

static const char *const silent[] = {
	"CID-ALL",     "CID-CRC",  "CID-FUTURE", "CID-MID0",	  "CID-MONTH",	 "CID-OID",
	"CID-OID-42",  "CID-PAST", "CID-PNM",	 "CID-PNM-00000", "CID-PNM-AS",	 "CID-PNM-FILLER",
	"CID-PNM-SMI", "CID-PRV",  "CID-PSN",	 "CID-PSN-LOW",	  "CID-RESERVED"};

START_TEST(a_good_card_and_no_card_are_silent)
{
	check_rules_silent(silent, CA_ARRAY_LEN(silent));
}
END_TEST

START_TEST(a_date_is_not_settled_by_an_untrusted_clock)
{
	struct judge_case t;

	case_good(&t);
	set_bits(&t, CA_REGISTER_CID, 19, 12, 40);
	t.evidence.clock_trusted = false;
	case_judge(&t);
	ck_assert_str_eq(rule_verdict(&t, "CID-FUTURE"), "inconclusive");
	case_done(&t);
	t.evidence.collected_at = 0;
	case_judge(&t);
	ck_assert_str_eq(rule_verdict(&t, "CID-FUTURE"), "none");
	case_done(&t);
}
END_TEST

START_TEST(blanked_serials_are_not_held_against_the_card)
{
	struct judge_case t;

	case_good(&t);
	set_bits(&t, CA_REGISTER_CID, 7, 0, 0x03); /* a wrong checksum */
	ca_registers_mask(&t.evidence.registers);
	case_judge(&t);
	ck_assert_str_eq(rule_verdict(&t, "CID-PSN"), "none");
	ck_assert_str_eq(rule_verdict(&t, "CID-PSN-LOW"), "none");
	ck_assert_str_eq(rule_verdict(&t, "CID-CRC"), "warning");
	ck_assert_str_eq(rule_verdict(&t, "MASKED"), "note");
	case_done(&t);
}
END_TEST

START_TEST(an_emmc_is_not_read_as_a_card)
{
	struct judge_case t;

	case_bare(&t);
	t.evidence.registers.type = CA_CARD_TYPE_MMC;
	set_register(&t.evidence, CA_REGISTER_CID, "1501004d384731474303dc0db061506f");
	case_judge(&t);
	for (size_t i = 0; i < CA_ARRAY_LEN(silent); i++)
		ck_assert_msg(!find_rule(&t, silent[i]), "%s", silent[i]);
	case_done(&t);
}
END_TEST

START_TEST(a_name_is_shown_escaped)
{
	struct judge_case t;

	case_good(&t);
	set_bits(&t, CA_REGISTER_CID, 71, 64, 0x1b);
	case_judge(&t);
	ck_assert_str_eq(find_rule(&t, "CID-PNM")->found, "product name \"SD64\\x1b\"");
	ck_assert_str_eq(find_rule(&t, "CID-PNM")->where, "cid[103:64]");
	case_done(&t);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rule_cid");
	TCase *tcase = tcase_create("rule_cid");

	tcase_add_loop_test(tcase, each_row_is_judged_as_expected, 0, (int)CA_ARRAY_LEN(rows));
	tcase_add_test(tcase, a_good_card_and_no_card_are_silent);
	tcase_add_test(tcase, a_date_is_not_settled_by_an_untrusted_clock);
	tcase_add_test(tcase, blanked_serials_are_not_held_against_the_card);
	tcase_add_test(tcase, an_emmc_is_not_read_as_a_card);
	tcase_add_test(tcase, a_name_is_shown_escaped);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
