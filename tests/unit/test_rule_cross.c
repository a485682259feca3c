/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge_case.h"

static const struct bits_case rows[] = {
	{"X-LABEL-SIZE", "none", "Kingston 64GB", {{CA_REGISTER_CID, 0, 0, 0}}, 0},
	{"X-LABEL-SIZE", "warning", "Kingston 60GB", {{CA_REGISTER_CID, 0, 0, 0}}, 0},
	{"X-LABEL-SIZE", "warning", "Kingston 128GB", {{CA_REGISTER_CID, 0, 0, 0}}, 0},
	{"X-LABEL-SIZE", "none", "Kingston", {{CA_REGISTER_CID, 0, 0, 0}}, 0},
	{"X-LABEL-SIZE", "none", "61GB", {{CA_REGISTER_CID, 0, 0, 0}}, 0},
	{"X-LABEL-SIZE", "warning", "65 GB", {{CA_REGISTER_CID, 0, 0, 0}}, 0},
	/* another size on the label is not the card's; alone it is */
	{"X-LABEL-SIZE", "none", "64GB, for phones of 256GB", {{CA_REGISTER_CID, 0, 0, 0}}, 0},
	{"X-LABEL-SIZE", "warning", "256GB and 512GB", {{CA_REGISTER_CID, 0, 0, 0}}, 0},
	{"CAPACITY", "untested", "64GB, for phones of 256GB", {{CA_REGISTER_CID, 0, 0, 0}}, 0},
	/* a reserved code is neither better nor worse than the label */
	{"X-LABEL-CLASS", "none", "Kingston U3", {{CA_REGISTER_SSR, 399, 396, 5}}, 1},
	{"X-LABEL-CLASS", "none", "Kingston A2", {{CA_REGISTER_SSR, 339, 336, 3}}, 1},
	{"X-LABEL-CLASS", "none", "Kingston C10", {{CA_REGISTER_SSR, 447, 440, 7}}, 1},
	{"X-LABEL-CLASS", "none", "Kingston A2 V30", {{CA_REGISTER_CID, 0, 0, 0}}, 0},
	{"X-LABEL-CLASS", "none", "Kingston A1/A2 V30/V60", {{CA_REGISTER_CID, 0, 0, 0}}, 0},
	{"X-LABEL-CLASS", "warning", "Kingston V60/V90", {{CA_REGISTER_CID, 0, 0, 0}}, 0},
	{"X-LABEL-CLASS", "warning", "Kingston V60", {{CA_REGISTER_CID, 0, 0, 0}}, 0},
	{"X-LABEL-CLASS", "note", "Kingston A1", {{CA_REGISTER_CID, 0, 0, 0}}, 0},
	{"X-LABEL-CLASS", "warning", "Kingston A1", {{CA_REGISTER_SSR, 339, 336, 0}}, 1},
	{"X-LABEL-CLASS", "note", "Kingston C4", {{CA_REGISTER_CID, 0, 0, 0}}, 0},
	{"X-LABEL-CLASS", "warning", "Kingston U3", {{CA_REGISTER_SSR, 399, 396, 1}}, 1},
	{"X-SIZE", "fail", NULL, {{CA_REGISTER_CSD, 69, 48, 0x1cfa0}}, 1},
	{"X-SIZE",
	 "inconclusive",
	 NULL,
	 {{CA_REGISTER_CSD, 69, 48, 0x1cfa0}, {CA_REGISTER_CSD, 7, 0, 0x03}},
	 2},
	{"SIZE-ROUND", "note", NULL, {{CA_REGISTER_CSD, 69, 48, 0x1cfff}}, 1},
	{"SIZE-ROUND", "note", NULL, {{CA_REGISTER_CSD, 69, 48, 64 * 2000 - 1}}, 1},
	{"SIZE-ROUND", "none", NULL, {{CA_REGISTER_CSD, 69, 48, 0x1cffe}}, 1},
};

START_TEST(each_row_is_judged_as_expected)
{
	check_bits_case(&rows[_i]);
}
END_TEST

static const char *const silent[] = {"X-CAPACITY-TYPE", "X-SIZE",    "X-LABEL-SIZE",
				     "X-LABEL-CLASS",	"X-CHANGED", "X-EXPRESS",
				     "SIZE-ROUND",	"NVME-SIZE"};

START_TEST(a_good_card_and_no_card_are_silent)
{
	check_rules_silent(silent, CA_ARRAY_LEN(silent));
}
END_TEST

START_TEST(lent_registers_of_another_size_settle_nothing)
{
	struct judge_case t;

	case_good(&t);
	t.evidence.device.bytes += 512;
	t.evidence.device.registers_lent = true;
	case_judge(&t);
	ck_assert_str_eq(rule_verdict(&t, "X-SIZE"), "inconclusive");
	ck_assert_str_eq(rule_verdict(&t, "LENT"), "note");
	ck_assert_int_ne(t.judgement.verdict, CA_VERDICT_FAIL);
	case_done(&t);
}
END_TEST

START_TEST(a_recording_without_a_device_has_no_size_to_compare)
{
	struct judge_case t;

	case_good(&t);
	t.evidence.device.bytes = 0;
	t.evidence.origin = CA_ORIGIN_RECORDED;
	case_judge(&t);
	ck_assert_str_eq(rule_verdict(&t, "X-SIZE"), "none");
	case_done(&t);
}
END_TEST

static const struct {
	uint32_t ocr;
	unsigned int structure;
	const char *expected;
} types[] = {
	{0xc0ff8000, 1, "none"}, {0x80ff8000, 1, "warning"}, {0x80ff8000, 0, "none"},
	{0xc8ff8000, 2, "none"}, {0xc8ff8000, 1, "warning"}, {0x00300000, 1, "none"},
};

START_TEST(ocr_and_csd_agree)
{
	struct judge_case t;

	case_good(&t);
	t.evidence.registers.has_ocr = true;
	t.evidence.registers.ocr = types[_i].ocr;
	set_bits(&t, CA_REGISTER_CSD, 127, 126, types[_i].structure);
	case_judge(&t);
	ck_assert_str_eq(rule_verdict(&t, "X-CAPACITY-TYPE"), types[_i].expected);
	case_done(&t);
}
END_TEST

START_TEST(a_card_that_changes_is_not_settled)
{
	struct judge_case t;

	case_good(&t);
	t.evidence.capacity.end = CA_FILL_CHANGED;
	case_judge(&t);
	ck_assert_str_eq(rule_verdict(&t, "X-CHANGED"), "inconclusive");
	case_done(&t);
}
END_TEST

/* Name, revision, serial and date of the good card as Identify has them, and each spoilt. */
static const struct {
	const char *model, *firmware, *serial, *expected;
} faces[] = {
	{"SD64G70", "61", "4b1004af174", "none"},    {"SD64G70", "61", "4B1004AF174", "none"},
	{"TD64G70", "61", "4b1004af174", "warning"}, {"SD64G70", "62", "4b1004af174", "warning"},
	{"SD64G70", "61", "4b1004ae174", "warning"}, {"SD64G70", "61", "4b1004af175", "warning"},
};

START_TEST(both_faces_of_an_express_card_agree)
{
	struct judge_case t;
	uint8_t *ctrl = t.evidence.registers.nvme_ctrl;

	case_good(&t);
	t.evidence.registers.has[CA_REGISTER_NVME_CTRL] = true;
	memcpy(ctrl + 24, faces[_i].model, strlen(faces[_i].model));
	memcpy(ctrl + 64, faces[_i].firmware, strlen(faces[_i].firmware));
	memcpy(ctrl + 4, faces[_i].serial, strlen(faces[_i].serial));
	case_judge(&t);
	ck_assert_str_eq(rule_verdict(&t, "X-EXPRESS"), faces[_i].expected);
	case_done(&t);
}
END_TEST

static const struct {
	const char *line;
	uint32_t c_size;
	bool lent;
	const char *expected;
} logged[] = {
	{"new ultra high speed SDR104 SDXC card at address 59b4", 0x1cf9f, false, "none"},
	{"new ultra high speed SDR104 SDHC card at address 59b4", 0x1cf9f, false, "warning"},
	{"new ultra high speed SDR104 SDHC card at address 59b4", 0x1cf9f, true, "none"},
	{"new high speed SDHC card at address 59b4", 0x7fff, false, "none"},
	{"new high speed SD card at address 59b4", 0x7fff, false, "warning"},
	{"card 59b4 removed", 0x7fff, false, "none"},
};

START_TEST(kernel_and_csd_agree)
{
	struct judge_case t;

	case_good(&t);
	set_bits(&t, CA_REGISTER_CSD, 69, 48, logged[_i].c_size);
	set_fact(&t.evidence, CA_HOST_LOG_CARD, 1, logged[_i].line);
	t.evidence.device.registers_lent = logged[_i].lent;
	case_judge(&t);
	ck_assert_str_eq(rule_verdict(&t, "X-CAPACITY-TYPE"), logged[_i].expected);
	case_done(&t);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rule_cross");
	TCase *tcase = tcase_create("rule_cross");

	tcase_add_loop_test(tcase, each_row_is_judged_as_expected, 0, (int)CA_ARRAY_LEN(rows));
	tcase_add_test(tcase, a_good_card_and_no_card_are_silent);
	tcase_add_test(tcase, lent_registers_of_another_size_settle_nothing);
	tcase_add_test(tcase, a_recording_without_a_device_has_no_size_to_compare);
	tcase_add_loop_test(tcase, ocr_and_csd_agree, 0, (int)CA_ARRAY_LEN(types));
	tcase_add_test(tcase, a_card_that_changes_is_not_settled);
	tcase_add_loop_test(tcase, both_faces_of_an_express_card_agree, 0,
			    (int)CA_ARRAY_LEN(faces));
	tcase_add_loop_test(tcase, kernel_and_csd_agree, 0, (int)CA_ARRAY_LEN(logged));
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
