/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge_case.h"

struct drive_case {
	const char *model, *firmware, *label;
	unsigned int vid, wants_pages;
	int64_t mts, lanes; /* 0: the link is not known */
	const char *link, *memory, *convention, *brand;
};

#define PRO_990 "Samsung SSD 990 PRO 2TB"
static const struct drive_case cases[] = {
	{PRO_990, "4B2QJXD7", "Samsung 990 PRO 2TB", 0x144d, 0, 16000, 4, "none", "none", "none",
	 "screened"},
	/* one contradiction settles nothing, two of different kinds do */
	{PRO_990, "4B2QJXD7", "Samsung 990 PRO 2TB", 0x144d, 0, 8000, 4, "warning", "none", "none",
	 "inconclusive"},
	{PRO_990, "4B2QJXD7", "Samsung 990 PRO 2TB", 0x144d, 0, 16000, 2, "warning", "none", "none",
	 "inconclusive"},
	{PRO_990, "4B2QJXD7", "Samsung 990 PRO 2TB", 0x144d, 16384, 16000, 4, "none", "warning",
	 "none", "inconclusive"},
	{PRO_990, "4B2QJXD7", "Samsung 990 PRO 2TB", 0x144d, 16384, 8000, 4, "warning", "warning",
	 "none", "fail"},
	/* a slower slot is no matter of the model, nor is a link that nobody read */
	{PRO_990, "4B2QJXD7", "", 0x144d, 0, 0, 0, "none", "none", "none", "none"},
	{PRO_990, "SN15299", "", 0x144d, 0, 16000, 4, "none", "none", "none", "none"},
	{PRO_990, "EXD70H1Q", "Samsung 990 PRO 2TB", 0x144d, 0, 16000, 4, "none", "none", "warning",
	 "screened"},
	/* the vendor of the table and of the drive differ: another rule's matter */
	{PRO_990, "4B2QJXD7", "", 0x1e4b, 16384, 8000, 4, "none", "none", "none", "none"},
	/* drives without DRAM are expected to ask */
	{"Samsung SSD 980 1TB", "1B4QFXO7", "", 0x144d, 16384, 8000, 4, "none", "none", "none",
	 "none"},
	{"SAMSUNG MZ9LQ256HBJD-00BVL", "FXM71V1Q", "Raspberry Pi SSD 256GB", 0x144d, 16384, 8000, 4,
	 "none", "none", "none", "screened"},
	/* parts of computer makers */
	{"SAMSUNG MZVLB256HAHQ-000H1", "EXD70H1Q", "HP", 0x144d, 0, 8000, 4, "none", "none", "none",
	 "screened"},
	{"SAMSUNG MZVLB256HAHQ-000H1", "4L7QCXB7", "", 0x144d, 0, 8000, 4, "none", "none", "note",
	 "none"},
	{"SAMSUNG MZVLB1T0HALR-000L7", "5L2QEXA7", "Lenovo", 0x144d, 0, 8000, 4, "none", "none",
	 "none", "screened"},
	{"WD_BLACK SN850X 1000GB", "620331WD", "WD", 0x15b7, 0, 16000, 4, "none", "none", "none",
	 "screened"},
	{"WD_BLACK SN850X 1000GB", "73116101", "", 0x15b7, 0, 16000, 4, "none", "none", "warning",
	 "none"},
	{"WD PC SN740 SDDQMQD-512G-1201", "73116101", "", 0x15b7, 16384, 16000, 4, "none", "none",
	 "none", "none"},
	{"NONAME", "1", "", 0x4242, 16384, 2500, 1, "none", "none", "none", "none"},
};

static void case_drive(const struct drive_case *row, struct judge_case *t)
{
	uint8_t *ctrl = t->evidence.registers.nvme_ctrl;

	case_bare(t);
	t->evidence.device.media = CA_MEDIA_NVME;
	t->evidence.registers.has[CA_REGISTER_NVME_CTRL] = true;
	ctrl[0] = ctrl[2] = (uint8_t)(row->vid & 0xff);
	ctrl[1] = ctrl[3] = (uint8_t)(row->vid >> 8);
	memset(ctrl + 4, ' ', 68);
	memcpy(ctrl + 4, "S6XXNX0T123456", 14);
	memcpy(ctrl + 24, row->model, strlen(row->model));
	memcpy(ctrl + 64, row->firmware, strlen(row->firmware));
	ca_put_le32(ctrl + 272, row->wants_pages);
	ctrl[512] = 0x66;
	if (row->mts) {
		set_fact(&t->evidence, CA_HOST_PCIE_SPEED_MAX, row->mts, "");
		set_fact(&t->evidence, CA_HOST_PCIE_WIDTH_MAX, row->lanes, "");
		/* what the slot gives does not matter */
		set_fact(&t->evidence, CA_HOST_PCIE_SPEED, 5000, "");
		set_fact(&t->evidence, CA_HOST_PCIE_WIDTH, 1, "");
	}
	t->request.label = row->label;
}

static void expect(const char *what, const char *seen, const char *expected)
{
	ck_assert_msg(strcmp(seen, expected) == 0, "row %s: %s, expected %s", what, seen, expected);
}

START_TEST(drives)
{
	const struct drive_case *row = &cases[_i];
	static struct judge_case t;
	char what[96];

	case_drive(row, &t);
	case_judge(&t);
	(void)snprintf(what, sizeof(what), "%d (%s, %s)", _i, row->model, row->firmware);
	expect(what, rule_verdict(&t, "NVME-MODEL-LINK"), row->link);
	expect(what, rule_verdict(&t, "NVME-MODEL-MEMORY"), row->memory);
	expect(what, rule_verdict(&t, "NVME-CONVENTION"), row->convention);
	expect(what, claim_verdict(&t, "brand"), row->brand);
	case_done(&t);
}
END_TEST

START_TEST(silent)
{
	static const char *const rules[] = {"NVME-MODEL-LINK", "NVME-MODEL-MEMORY",
					    "NVME-CONVENTION"};

	check_rules_silent(rules, CA_ARRAY_LEN(rules));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rule_nvme_model");
	TCase *tcase = tcase_create("rule_nvme_model");

	tcase_add_loop_test(tcase, drives, 0, (int)CA_ARRAY_LEN(cases));
	tcase_add_test(tcase, silent);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
