/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge_case.h"

static void nothing(struct judge_case *t)
{
	(void)t;
}
static void sandisk(struct judge_case *t)
{
	set_bits(t, CA_REGISTER_CID, 127, 104, 0x035344);
}
static void samsung(struct judge_case *t)
{
	set_bits(t, CA_REGISTER_CID, 127, 104, 0x1b534d);
}
static void longsys(struct judge_case *t)
{
	set_bits(t, CA_REGISTER_CID, 127, 104, 0xad4c53);
	set_bits(t, CA_REGISTER_CID, 103, 64, 0x5553443030);
}
static void nobody(struct judge_case *t)
{
	set_bits(t, CA_REGISTER_CID, 127, 104, 0xeeeeee);
}
static void filler(struct judge_case *t)
{
	set_bits(t, CA_REGISTER_CID, 103, 64, 0);
}
static void filler_bad_crc(struct judge_case *t)
{
	filler(t);
	set_bits(t, CA_REGISTER_CID, 7, 0, 0x03);
}
static void filler_lent(struct judge_case *t)
{
	filler(t);
	t->evidence.device.registers_lent = true;
}
static void blank(struct judge_case *t)
{
	memset(t->evidence.registers.cid, 0, CA_CID_BYTES);
}
static void ones(struct judge_case *t)
{
	memset(t->evidence.registers.cid, 0xff, CA_CID_BYTES);
}
static void hidden(struct judge_case *t)
{
	memset(t->evidence.registers.has, 0, sizeof(t->evidence.registers.has));
	t->evidence.device.media = CA_MEDIA_UNKNOWN;
}
static void drive(struct judge_case *t)
{
	hidden(t);
	t->evidence.device.media = CA_MEDIA_NVME;
	set_fact(&t->evidence, CA_HOST_PCIE_SPEED_MAX, 8000, "8.0 GT/s");
}
static void uhs_running(struct judge_case *t)
{
	set_fact(&t->evidence, CA_HOST_BUS_TIMING, 6, "sd uhs SDR104");
}
static void no_grade(struct judge_case *t)
{
	set_bits(t, CA_REGISTER_SSR, 399, 396, 0);
}

static const struct {
	const char *label;
	void (*spoil)(struct judge_case *t);
	const char *claim, *expected;
} rows[] = {
	{"Kingston 64GB", nothing, "brand", "screened"},
	{"64GB", nothing, "brand", "none"},
	{"SanDisk 64GB", sandisk, "brand", "screened"},
	{"Samsung 64GB", samsung, "brand", "screened"},
	{"Raspberry Pi 64GB", longsys, "brand", "screened"},
	{"Kingston 64GB", nobody, "brand", "inconclusive"},
	{"Kingston 64GB", sandisk, "brand", "inconclusive"},
	{"Kingston 64GB", hidden, "brand", "untested"},
	/* one contradiction settles nothing, two do */
	{"SanDisk 64GB", nothing, "brand", "inconclusive"},
	{"Samsung 64GB", nothing, "brand", "inconclusive"},
	{"Kingston 64GB", filler, "brand", "inconclusive"},
	{"SanDisk 64GB", filler, "brand", "fail"},
	{"Samsung 64GB", blank, "brand", "fail"},
	{"Samsung 64GB", ones, "brand", "inconclusive"},
	/* unless the registers cannot be relied on */
	{"SanDisk 64GB", filler_bad_crc, "brand", "inconclusive"},
	{"SanDisk 64GB", filler_lent, "brand", "inconclusive"},
	{"SanDisk Extreme 64GB", sandisk, "product", "untested"},
	{"Kingston microSD 64GB", nothing, "form-factor", "screened"},
	{"Kingston M.2 2280 64GB", nothing, "form-factor", "inconclusive"},
	{"Kingston microSD 64GB", hidden, "form-factor", "untested"},
	{"Kingston M.2 2280 64GB", drive, "form-factor", "screened"},
	{"Kingston SSD 64GB", drive, "form-factor", "screened"},
	{"Kingston SSD 64GB", nothing, "form-factor", "inconclusive"},
	{"Kingston SDXC 64GB", nothing, "card-type", "pass"},
	{"Kingston SDHC 64GB", nothing, "card-type", "inconclusive"},
	{"Kingston microSDHC/SDXC 64GB", nothing, "card-type", "pass"},
	{"Kingston SDXC 64GB", hidden, "card-type", "untested"},
	{"64GB", nothing, "card-type", "pass"},
	{"Kingston UHS-I", uhs_running, "bus", "pass"},
	{"Kingston UHS-I", nothing, "bus", "screened"},
	{"Kingston UHS-I", no_grade, "bus", "untested"},
	{"Kingston UHS-II", uhs_running, "bus", "untested"},
	{"Kingston PCIe 3.0", drive, "bus", "pass"},
	{"Kingston PCIe 4.0", drive, "bus", "inconclusive"},
	{"Kingston NVMe PCIe 4.0", drive, "bus", "inconclusive"},
	{"Kingston PCIe x4", drive, "bus", "pass"},
	{"Kingston PCIe 4.0", hidden, "bus", "untested"},
};

START_TEST(each_row_is_judged_as_expected)
{
	struct judge_case t;

	case_good(&t);
	t.request.label = rows[_i].label;
	rows[_i].spoil(&t);
	case_judge(&t);
	ck_assert_msg(strcmp(claim_verdict(&t, rows[_i].claim), rows[_i].expected) == 0,
		      "row %d, %s, %s: %s", _i, rows[_i].label, rows[_i].claim,
		      claim_verdict(&t, rows[_i].claim));
	case_done(&t);
}
END_TEST

START_TEST(a_required_claim_that_nobody_makes_is_in_scope)
{
	struct judge_case t;

	case_good(&t);
	t.request.label = "Kingston 64GB";
	t.request.profile = CA_PROFILE_STANDARD;
	t.request.require[0] = "V90";
	t.request.require[1] = "a2"; /* of the SD status */
	t.request.require[2] = "V90";
	t.request.require_count = 3;
	case_judge(&t);
	ck_assert_str_eq(claim_verdict(&t, "V90"), "untested");
	ck_assert_str_eq(find_claim(&t, "V90")->rule->id, "REQUIRED");
	ck_assert_uint_eq(t.judgement.scope_count, 3);
	ck_assert_str_eq(t.judgement.scope[0], "capacity");
	ck_assert_str_eq(t.judgement.scope[1], "V90");
	ck_assert_str_eq(t.judgement.scope[2], "A2");
	ck_assert_int_eq(t.judgement.verdict, CA_VERDICT_INCONCLUSIVE);
	case_done(&t);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rule_label");
	TCase *tcase = tcase_create("rule_label");

	tcase_add_loop_test(tcase, each_row_is_judged_as_expected, 0, (int)CA_ARRAY_LEN(rows));
	tcase_add_test(tcase, a_required_claim_that_nobody_makes_is_in_scope);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
