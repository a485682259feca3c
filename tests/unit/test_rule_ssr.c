/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge_case.h"

static const struct bits_case rows[] = {
	{"SSR-RESERVED", "warning", NULL, {{CA_REGISTER_SSR, 511, 510, 1}}, 1},
	{"SSR-RESERVED", "none", NULL, {{CA_REGISTER_SSR, 511, 510, 2}}, 1},
	{"SSR-RESERVED", "warning", NULL, {{CA_REGISTER_SSR, 447, 440, 5}}, 1},
	{"SSR-RESERVED", "warning", NULL, {{CA_REGISTER_SSR, 399, 396, 2}}, 1},
	{"SSR-RESERVED", "warning", NULL, {{CA_REGISTER_SSR, 399, 396, 4}}, 1},
	{"SSR-RESERVED", "warning", NULL, {{CA_REGISTER_SSR, 395, 392, 6}}, 1},
	{"SSR-RESERVED", "warning", NULL, {{CA_REGISTER_SSR, 391, 384, 20}}, 1},
	{"SSR-RESERVED", "none", NULL, {{CA_REGISTER_SSR, 391, 384, 90}}, 1},
	{"SSR-RESERVED", "warning", NULL, {{CA_REGISTER_SSR, 377, 368, 9}}, 1},
	{"SSR-RESERVED", "warning", NULL, {{CA_REGISTER_SSR, 339, 336, 3}}, 1},
	{"SSR-RESERVED", "warning", NULL, {{CA_REGISTER_SSR, 427, 424, 1}}, 1},
	{"SSR-RESERVED",
	 "inconclusive",
	 NULL,
	 {{CA_REGISTER_SSR, 339, 336, 3}, {CA_REGISTER_SCR, 41, 38, 6}},
	 2},
	{"SSR-TYPE", "warning", NULL, {{CA_REGISTER_SSR, 495, 480, 1}}, 1},
	{"SSR-MOVE", "warning", NULL, {{CA_REGISTER_SSR, 439, 432, 2}}, 1},
	{"SSR-MOVE",
	 "none",
	 NULL,
	 {{CA_REGISTER_SSR, 439, 432, 2}, {CA_REGISTER_CSD, 69, 48, 0x7fff}},
	 2},
	{"SSR-ERASE", "warning", NULL, {{CA_REGISTER_SSR, 423, 408, 0}}, 1},
	{"SSR-ERASE", "none", NULL, {{CA_REGISTER_SSR, 423, 402, 0}}, 1},
	{"SSR-ERASE", "warning", NULL, {{CA_REGISTER_SSR, 431, 428, 0}}, 1},
	{"SSR-AU",
	 "warning",
	 NULL,
	 {{CA_REGISTER_SSR, 431, 428, 10}, {CA_REGISTER_CSD, 69, 48, 0x7fff}},
	 2},
	{"SSR-AU",
	 "none",
	 NULL,
	 {{CA_REGISTER_SSR, 431, 428, 9}, {CA_REGISTER_CSD, 69, 48, 0x7fff}},
	 2},
	{"SSR-AU", "none", NULL, {{CA_REGISTER_SSR, 431, 428, 15}}, 1},
	{"X-SPEED-CLASS", "warning", NULL, {{CA_REGISTER_SCR, 59, 56, 1}}, 1},
	{"X-SPEED-CLASS",
	 "warning",
	 NULL,
	 {{CA_REGISTER_SSR, 447, 440, 0},
	  {CA_REGISTER_SCR, 41, 38, 0},
	  {CA_REGISTER_CSD, 69, 48, 0x7fff}},
	 3},
	{"X-SPEED-CLASS",
	 "none",
	 NULL,
	 {{CA_REGISTER_SSR, 447, 440, 0}, {CA_REGISTER_CSD, 69, 48, 0x7fff}},
	 2},
	{"X-SPEED-CLASS",
	 "none",
	 NULL,
	 {{CA_REGISTER_SSR, 447, 440, 0}, {CA_REGISTER_SCR, 41, 38, 0}},
	 2},
	{"X-UHS", "warning", NULL, {{CA_REGISTER_SCR, 47, 38, 0}}, 1},
	{"X-UHS", "warning", NULL, {{CA_REGISTER_SSR, 395, 392, 0}}, 1},
	{"X-UHS", "warning", NULL, {{CA_REGISTER_SSR, 447, 440, 3}}, 1},
	{"X-UHS", "warning", NULL, {{CA_REGISTER_CSD, 127, 126, 0}}, 1},
	{"X-UHS",
	 "none",
	 NULL,
	 {{CA_REGISTER_SSR, 399, 392, 0}, {CA_REGISTER_SSR, 447, 440, 3}},
	 2},
	{"X-U3", "warning", NULL, {{CA_REGISTER_SCR, 42, 38, 0}}, 1},
	{"X-U3", "none", NULL, {{CA_REGISTER_SCR, 42, 38, 16}}, 1},
	{"X-U3", "none", NULL, {{CA_REGISTER_SCR, 42, 38, 0}, {CA_REGISTER_SSR, 399, 396, 1}}, 2},
	{"X-VIDEO", "warning", NULL, {{CA_REGISTER_SCR, 41, 38, 0}}, 1},
	{"X-VIDEO", "warning", NULL, {{CA_REGISTER_SSR, 377, 368, 0}}, 1},
	{"X-VIDEO", "warning", NULL, {{CA_REGISTER_SSR, 391, 384, 0}}, 1},
	{"X-VIDEO",
	 "none",
	 NULL,
	 {{CA_REGISTER_SSR, 391, 384, 0}, {CA_REGISTER_SSR, 377, 368, 0}},
	 2},
	{"X-VIDEO",
	 "warning",
	 NULL,
	 {{CA_REGISTER_SSR, 377, 368, 512}, {CA_REGISTER_CSD, 69, 48, 0x13ffe}},
	 2},
	{"X-VIDEO",
	 "none",
	 NULL,
	 {{CA_REGISTER_SSR, 377, 368, 512}, {CA_REGISTER_CSD, 69, 48, 0x13fff}},
	 2},
	{"X-FAMILIES", "note", NULL, {{CA_REGISTER_SSR, 399, 396, 1}}, 1},
	{"X-FAMILIES",
	 "note",
	 NULL,
	 {{CA_REGISTER_SSR, 399, 396, 0}, {CA_REGISTER_SSR, 391, 384, 10}},
	 2},
	{"X-FAMILIES",
	 "none",
	 NULL,
	 {{CA_REGISTER_SSR, 399, 396, 0}, {CA_REGISTER_SSR, 391, 384, 6}},
	 2},
	{"X-APP", "warning", NULL, {{CA_REGISTER_SCR, 41, 38, 1}}, 1},
	{"X-APP",
	 "warning",
	 NULL,
	 {{CA_REGISTER_SCR, 41, 38, 0}, {CA_REGISTER_SSR, 339, 336, 1}},
	 2},
	{"X-APP", "none", NULL, {{CA_REGISTER_SCR, 41, 38, 1}, {CA_REGISTER_SSR, 339, 336, 1}}, 2},
	{"X-APP", "none", NULL, {{CA_REGISTER_SCR, 41, 38, 0}, {CA_REGISTER_SSR, 339, 336, 0}}, 2},
	{"X-A2", "warning", NULL, {{CA_REGISTER_SSR, 335, 331, 0}}, 1},
	{"X-A2", "warning", NULL, {{CA_REGISTER_SSR, 330, 330, 0}}, 1},
	{"X-A2", "warning", NULL, {{CA_REGISTER_SCR, 34, 34, 0}}, 1},
	{"X-A2", "none", NULL, {{CA_REGISTER_SSR, 335, 331, 0}, {CA_REGISTER_SSR, 339, 336, 1}}, 2},
	{"X-A2", "note", NULL, {{CA_REGISTER_SCR, 42, 42, 0}}, 1},
	{"X-A2", "none", NULL, {{CA_REGISTER_SSR, 335, 331, 0}, {CA_REGISTER_SCR, 41, 38, 3}}, 2},
	{"X-A2",
	 "warning",
	 NULL,
	 {{CA_REGISTER_SSR, 330, 330, 0}, {CA_REGISTER_SCR, 41, 38, 3}},
	 2},
	{"X-FAMILIES",
	 "note",
	 NULL,
	 {{CA_REGISTER_SSR, 447, 440, 3}, {CA_REGISTER_SSR, 391, 384, 0}},
	 2},
	{"SSR-AU",
	 "warning",
	 NULL,
	 {{CA_REGISTER_SSR, 431, 428, 10}, {CA_REGISTER_SCR, 47, 38, 0}},
	 2},
	{"SSR-AU", "none", NULL, {{CA_REGISTER_SSR, 431, 428, 9}, {CA_REGISTER_SCR, 47, 38, 0}}, 2},
	{"X-DISCARD", "warning", NULL, {{CA_REGISTER_SCR, 41, 38, 0}}, 1},
	{"X-DISCARD",
	 "none",
	 NULL,
	 {{CA_REGISTER_SCR, 41, 38, 0}, {CA_REGISTER_SSR, 313, 312, 0}},
	 2},
};

START_TEST(each_row_is_judged_as_expected)
{
	check_bits_case(&rows[_i]);
}
END_TEST

static const char *const silent[] = {
	"SSR-AU", "SSR-ERASE", "SSR-MOVE",   "SSR-RESERVED",  "SSR-TYPE", "SSR-ZERO", "X-A2",
	"X-APP",  "X-DISCARD", "X-FAMILIES", "X-SPEED-CLASS", "X-U3",	  "X-UHS",    "X-VIDEO"};

START_TEST(a_good_card_and_no_card_are_silent)
{
	check_rules_silent(silent, CA_ARRAY_LEN(silent));
}
END_TEST

START_TEST(a_status_of_zeros_is_not_observable)
{
	struct judge_case t;

	case_good(&t);
	memset(t.evidence.registers.ssr, 0, CA_SSR_BYTES);
	case_judge(&t);
	ck_assert_str_eq(rule_verdict(&t, "SSR-ZERO"), "note");
	for (size_t i = 0; i < CA_ARRAY_LEN(rows); i++)
		ck_assert_msg(!find_rule(&t, rows[i].rule), "%s", rows[i].rule);
	case_done(&t);
}
END_TEST

START_TEST(command_classes_are_only_noted)
{
	struct judge_case t;

	case_good(&t); /* a genuine A2 card without classes 1 and 11 */
	case_judge(&t);
	ck_assert_str_eq(rule_verdict(&t, "X-CCC"), "note");
	case_done(&t);
	set_bits(&t, CA_REGISTER_CSD, 95, 84, 0xdb7);
	case_judge(&t);
	ck_assert_str_eq(rule_verdict(&t, "X-CCC"), "none");
	case_done(&t);
}
END_TEST

static const struct {
	uint32_t ocr;
	const char *expected;
} ocrs[] = {
	{0xe0ff8000, "none"},	 /* UHS-II */
	{0xc0ff8000, "warning"}, /* the full answer, without UHS-II */
	{0x00300000, "none"},	 /* what sysfs shows: the voltage chosen */
};

START_TEST(v90_needs_uhs_ii)
{
	struct judge_case t;

	case_good(&t);
	set_bits(&t, CA_REGISTER_SSR, 391, 384, 90);
	t.evidence.registers.has_ocr = true;
	t.evidence.registers.ocr = ocrs[_i].ocr;
	case_judge(&t);
	ck_assert_str_eq(rule_verdict(&t, "X-VIDEO"), ocrs[_i].expected);
	case_done(&t);
}
END_TEST

/* ext_perf in short and as CMD48 reads it; the good card has queue 32, cache, both maintenances. */
static const struct {
	int short_form, maintenance, cache, depth; /* -1: not that form */
	uint64_t ssr;
	const char *expected, *found;
} performance[] = {
	{0x1e, -1, -1, -1, 0xff, "none", NULL},
	{-1, 3, 1, 31, 0xff, "none", NULL},
	/* what the kernel leaves out says nothing */
	{0x06, -1, -1, -1, 0xff, "none", NULL},
	{0x1e, -1, -1, -1, 0x07, "warning", "command queue in the extension register only"},
	{0x1e, -1, -1, -1, 0xfb, "warning", "cache in the extension register only"},
	{0x1c, -1, -1, -1, 0xff, "warning", "card maintenance in the SD status only"},
	{-1, 3, 0, 31, 0xff, "warning", "cache in the SD status only"},
	{-1, 3, 1, 0, 0xff, "warning", "command queue in the SD status only"},
	{-1, 3, 1, 15, 0xff, "warning",
	 "queue depth 32 in the SD status, 16 in the extension register"},
};

START_TEST(status_and_extension_agree)
{
	struct judge_case t;

	case_good(&t);
	set_bits(&t, CA_REGISTER_SSR, 335, 328, performance[_i].ssr);
	if (performance[_i].short_form >= 0) {
		t.evidence.registers.has[CA_REGISTER_EXT_PERF] = true;
		t.evidence.registers.ext_perf[0] = (uint8_t)performance[_i].short_form;
	} else {
		t.evidence.registers.has[CA_REGISTER_EXT_PERF_SET] = true;
		t.evidence.registers.ext_perf_set[2] = (uint8_t)performance[_i].maintenance;
		t.evidence.registers.ext_perf_set[4] = (uint8_t)performance[_i].cache;
		t.evidence.registers.ext_perf_set[6] = (uint8_t)performance[_i].depth;
	}
	case_judge(&t);
	ck_assert_str_eq(rule_verdict(&t, "X-CQSSR"), performance[_i].expected);
	if (performance[_i].found)
		ck_assert_str_eq(find_rule(&t, "X-CQSSR")->found, performance[_i].found);
	case_done(&t);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rule_ssr");
	TCase *tcase = tcase_create("rule_ssr");

	tcase_add_loop_test(tcase, each_row_is_judged_as_expected, 0, (int)CA_ARRAY_LEN(rows));
	tcase_add_test(tcase, a_good_card_and_no_card_are_silent);
	tcase_add_test(tcase, a_status_of_zeros_is_not_observable);
	tcase_add_test(tcase, command_classes_are_only_noted);
	tcase_add_loop_test(tcase, v90_needs_uhs_ii, 0, (int)CA_ARRAY_LEN(ocrs));
	tcase_add_loop_test(tcase, status_and_extension_agree, 0, (int)CA_ARRAY_LEN(performance));
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
