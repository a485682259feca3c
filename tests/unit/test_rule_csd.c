/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge_case.h"

static const struct bits_case rows[] = {
	{"CSD-CRC", "warning", NULL, {{CA_REGISTER_CSD, 7, 0, 0x03}}, 1},
	{"CSD-CRC", "none", NULL, {{CA_REGISTER_CSD, 7, 0, 0x01}}, 1},
	{"CSD-STRUCTURE", "fail", NULL, {{CA_REGISTER_CSD, 127, 126, 3}}, 1},
	{"CSD-STRUCTURE",
	 "inconclusive",
	 NULL,
	 {{CA_REGISTER_CSD, 127, 126, 3}, {CA_REGISTER_CSD, 7, 0, 0x03}},
	 2},
	{"CSD2-FIXED", "fail", NULL, {{CA_REGISTER_CSD, 119, 112, 0x0f}}, 1},
	{"CSD2-FIXED", "fail", NULL, {{CA_REGISTER_CSD, 111, 104, 1}}, 1},
	{"CSD2-FIXED", "fail", NULL, {{CA_REGISTER_CSD, 83, 80, 10}}, 1},
	{"CSD2-FIXED", "fail", NULL, {{CA_REGISTER_CSD, 79, 79, 1}}, 1},
	{"CSD2-FIXED", "fail", NULL, {{CA_REGISTER_CSD, 78, 78, 1}}, 1},
	{"CSD2-FIXED", "fail", NULL, {{CA_REGISTER_CSD, 77, 77, 1}}, 1},
	{"CSD2-FIXED", "fail", NULL, {{CA_REGISTER_CSD, 46, 46, 0}}, 1},
	{"CSD2-FIXED", "fail", NULL, {{CA_REGISTER_CSD, 45, 39, 0x7e}}, 1},
	{"CSD2-FIXED", "fail", NULL, {{CA_REGISTER_CSD, 38, 32, 1}}, 1},
	{"CSD2-FIXED", "fail", NULL, {{CA_REGISTER_CSD, 31, 31, 1}}, 1},
	{"CSD2-FIXED", "fail", NULL, {{CA_REGISTER_CSD, 28, 26, 3}}, 1},
	{"CSD2-FIXED", "fail", NULL, {{CA_REGISTER_CSD, 25, 22, 8}}, 1},
	{"CSD2-FIXED", "fail", NULL, {{CA_REGISTER_CSD, 21, 21, 1}}, 1},
	{"CSD2-FIXED", "fail", NULL, {{CA_REGISTER_CSD, 15, 15, 1}}, 1},
	{"CSD2-FIXED", "fail", NULL, {{CA_REGISTER_CSD, 11, 10, 1}}, 1},
	{"CSD2-FIXED", "warning", NULL, {{CA_REGISTER_CSD, 8, 8, 1}}, 1},
	{"CSD2-FIXED", "warning", NULL, {{CA_REGISTER_CSD, 30, 29, 1}}, 1},
	{"CSD2-FIXED", "warning", NULL, {{CA_REGISTER_CSD, 20, 16, 1}}, 1},
	{"CSD2-FIXED", "warning", NULL, {{CA_REGISTER_CSD, 47, 47, 1}}, 1},
	{"CSD2-FIXED", "none", NULL, {{CA_REGISTER_CSD, 76, 76, 1}}, 1},
	{"CSD2-FIXED", "none", NULL, {{CA_REGISTER_CSD, 9, 9, 1}}, 1},
	{"CSD2-FIXED",
	 "inconclusive",
	 NULL,
	 {{CA_REGISTER_CSD, 111, 104, 1}, {CA_REGISTER_CSD, 7, 0, 0x03}},
	 2},
	{"CSD2-FIXED", "none", NULL, {{CA_REGISTER_CSD, 127, 126, 0}}, 1},
	{"CSD1-BLOCK",
	 "none",
	 NULL,
	 {{CA_REGISTER_CSD, 127, 126, 0},
	  {CA_REGISTER_CSD, 79, 79, 1},
	  {CA_REGISTER_CSD, 49, 47, 0}},
	 3},
	{"CSD1-BLOCK",
	 "fail",
	 NULL,
	 {{CA_REGISTER_CSD, 127, 126, 0},
	  {CA_REGISTER_CSD, 79, 79, 1},
	  {CA_REGISTER_CSD, 83, 80, 8}},
	 3},
	{"CSD1-BLOCK",
	 "fail",
	 NULL,
	 {{CA_REGISTER_CSD, 127, 126, 0},
	  {CA_REGISTER_CSD, 79, 79, 1},
	  {CA_REGISTER_CSD, 25, 22, 10}},
	 3},
	{"CSD1-BLOCK",
	 "warning",
	 NULL,
	 {{CA_REGISTER_CSD, 127, 126, 0}, {CA_REGISTER_CSD, 79, 79, 0}},
	 2},
	{"CSD1-BLOCK", "none", NULL, {{CA_REGISTER_CSD, 127, 126, 1}}, 1},
	{"CSD-CCC", "fail", NULL, {{CA_REGISTER_CSD, 95, 84, 0x5b4}}, 1},
	{"CSD-CCC", "fail", NULL, {{CA_REGISTER_CSD, 95, 84, 0x5bd}}, 1},
	{"CSD-CCC", "none", NULL, {{CA_REGISTER_CSD, 95, 84, 0xdb7}}, 1},
	{"CSD-CCC",
	 "none",
	 NULL,
	 {{CA_REGISTER_CSD, 127, 126, 0},
	  {CA_REGISTER_CSD, 79, 79, 1},
	  {CA_REGISTER_CSD, 95, 84, 0x135}},
	 3},
	{"CSD-CCC",
	 "fail",
	 NULL,
	 {{CA_REGISTER_CSD, 127, 126, 0},
	  {CA_REGISTER_CSD, 79, 79, 1},
	  {CA_REGISTER_CSD, 95, 84, 0x134}},
	 3},
	{"CSD-CCC", "fail", NULL, {{CA_REGISTER_CSD, 95, 84, 0x135}}, 1},
	{"CSD-SPEED", "fail", NULL, {{CA_REGISTER_CSD, 103, 96, 0x33}}, 1},
	{"CSD-SPEED", "note", NULL, {{CA_REGISTER_CSD, 103, 96, 0x5a}}, 1},
	{"CSD-SPEED", "note", NULL, {{CA_REGISTER_CSD, 103, 96, 0x2b}}, 1},
	{"CSD-SPEED",
	 "warning",
	 NULL,
	 {{CA_REGISTER_CSD, 127, 126, 0},
	  {CA_REGISTER_CSD, 79, 79, 1},
	  {CA_REGISTER_CSD, 103, 96, 0x2a}},
	 3},
	{"CSD-SIZE", "fail", NULL, {{CA_REGISTER_CSD, 69, 48, 0xff60}}, 1},
	{"CSD-SIZE", "fail", NULL, {{CA_REGISTER_CSD, 69, 48, 0xfffe}}, 1},
	{"CSD-SIZE", "none", NULL, {{CA_REGISTER_CSD, 69, 48, 0xff5f}}, 1},
	{"CSD-SIZE", "none", NULL, {{CA_REGISTER_CSD, 69, 48, 0xffff}}, 1},
	{"CSD-SIZE", "warning", NULL, {{CA_REGISTER_CSD, 69, 48, 0x100f}}, 1},
	{"CSD-SIZE", "none", NULL, {{CA_REGISTER_CSD, 69, 48, 0x1010}}, 1},
	{"CSD-SIZE", "warning", NULL, {{CA_REGISTER_CSD, 69, 48, 0x3fff00}}, 1},
	{"CSD-SIZE", "none", NULL, {{CA_REGISTER_CSD, 69, 48, 0x3ffeff}}, 1},
	{"CSD-SIZE",
	 "none",
	 NULL,
	 {{CA_REGISTER_CSD, 127, 126, 2}, {CA_REGISTER_CSD, 75, 48, 0x400000}},
	 2},
	{"CSD-SIZE",
	 "warning",
	 NULL,
	 {{CA_REGISTER_CSD, 127, 126, 2}, {CA_REGISTER_CSD, 75, 48, 0x3fffff}},
	 2},
	{"CSD-COPY", "note", NULL, {{CA_REGISTER_CSD, 14, 14, 1}}, 1},
	{"CSD-WRITE-PROTECT", "warning", NULL, {{CA_REGISTER_CSD, 13, 13, 1}}, 1},
	{"CSD-WRITE-PROTECT", "warning", NULL, {{CA_REGISTER_CSD, 12, 12, 1}}, 1},
};

START_TEST(each_row_is_judged_as_expected)
{
	check_bits_case(&rows[_i]);
}
END_TEST

static const char *const silent[] = {"CSD-CCC",		  "CSD-COPY",	  "CSD-CRC",
				     "CSD-SIZE",	  "CSD-SPEED",	  "CSD-STRUCTURE",
				     "CSD-WRITE-PROTECT", "CSD1-BLOCK",	  "CSD2-FIXED",
				     "EXTCSD-LIFE",	  "EXTCSD-SPARE", "EXTCSD-SIZE"};

START_TEST(a_good_card_and_no_card_are_silent)
{
	check_rules_silent(silent, CA_ARRAY_LEN(silent));
}
END_TEST

static const struct {
	uint8_t spare, life_a, life_b;
	const char *life_expected, *life_found, *spare_expected, *spare_found;
} lives[] = {
	{0, 0, 0, "none", NULL, "none", NULL},
	{1, 1, 1, "none", NULL, "none", NULL},
	{1, 2, 1, "warning", "at least 10 % of the rated life used", "none", NULL},
	{1, 1, 10, "warning", "at least 90 % of the rated life used", "none", NULL},
	{1, 11, 1, "warning", "rated life used up", "none", NULL},
	{1, 12, 1, "warning", "life estimate 0ch, which no version defines", "none", NULL},
	{2, 1, 1, "none", NULL, "warning", "80 % or more of the reserved blocks are used"},
	{3, 1, 1, "none", NULL, "warning", "90 % or more of the reserved blocks are used"},
	{4, 1, 1, "none", NULL, "warning", "the state is one that no version defines"},
};

START_TEST(an_emmc_says_how_worn_it_is)
{
	struct judge_case t;

	case_bare(&t);
	t.evidence.registers.type = CA_CARD_TYPE_MMC;
	t.evidence.registers.has[CA_REGISTER_EXTCSD] = true;
	t.evidence.registers.extcsd[267] = lives[_i].spare;
	t.evidence.registers.extcsd[268] = lives[_i].life_a;
	t.evidence.registers.extcsd[269] = lives[_i].life_b;
	case_judge(&t);
	ck_assert_str_eq(rule_verdict(&t, "EXTCSD-LIFE"), lives[_i].life_expected);
	if (lives[_i].life_found)
		ck_assert_str_eq(find_rule(&t, "EXTCSD-LIFE")->found, lives[_i].life_found);
	ck_assert_str_eq(rule_verdict(&t, "EXTCSD-SPARE"), lives[_i].spare_expected);
	if (lives[_i].spare_found)
		ck_assert_str_eq(find_rule(&t, "EXTCSD-SPARE")->found, lives[_i].spare_found);
	case_done(&t);
}
END_TEST

static const struct {
	uint32_t sectors;
	uint64_t device;
	bool lent;
	const char *expected;
} emmc_sizes[] = {
	{15269888, UINT64_C(7818182656), false, "none"},
	{15269888, UINT64_C(7818182144), false, "warning"},
	{15269888, UINT64_C(7818182144), true, "inconclusive"},
	{15269888, 0, false, "none"},
	{0, UINT64_C(7818182144), false, "none"},
};

START_TEST(an_emmc_has_the_size_it_states)
{
	struct judge_case t;

	case_bare(&t);
	t.evidence.registers.type = CA_CARD_TYPE_MMC;
	t.evidence.registers.has[CA_REGISTER_EXTCSD] = true;
	ca_put_le32(t.evidence.registers.extcsd + 212, emmc_sizes[_i].sectors);
	t.evidence.device.bytes = emmc_sizes[_i].device;
	t.evidence.device.registers_lent = emmc_sizes[_i].lent;
	case_judge(&t);
	ck_assert_str_eq(rule_verdict(&t, "EXTCSD-SIZE"), emmc_sizes[_i].expected);
	case_done(&t);
}
END_TEST

START_TEST(an_sdsc_card_of_4_gb_is_only_warned_of)
{
	struct judge_case t;

	case_good(&t);
	/* the layout of a 4 GB card of 2006: blocks of 2 KiB */
	set_register(&t.evidence, CA_REGISTER_CSD, "002f00325b5b83ffffffffff96c00000");
	case_judge(&t);
	ck_assert_str_eq(rule_verdict(&t, "CSD1-BLOCK"), "warning");
	case_done(&t);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rule_csd");
	TCase *tcase = tcase_create("rule_csd");

	tcase_add_loop_test(tcase, each_row_is_judged_as_expected, 0, (int)CA_ARRAY_LEN(rows));
	tcase_add_test(tcase, a_good_card_and_no_card_are_silent);
	tcase_add_loop_test(tcase, an_emmc_says_how_worn_it_is, 0, (int)CA_ARRAY_LEN(lives));
	tcase_add_loop_test(tcase, an_emmc_has_the_size_it_states, 0,
			    (int)CA_ARRAY_LEN(emmc_sizes));
	tcase_add_test(tcase, an_sdsc_card_of_4_gb_is_only_warned_of);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
