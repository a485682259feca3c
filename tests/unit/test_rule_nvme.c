/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge_case.h"

static void put16(uint8_t *p, unsigned int value)
{
	p[0] = (uint8_t)(value & 0xff);
	p[1] = (uint8_t)(value >> 8);
}

/* The drive of a published review: a Samsung drive sold as Raspberry Pi SSD. */
static void case_drive(struct judge_case *t)
{
	uint8_t *ctrl = t->evidence.registers.nvme_ctrl, *ns = t->evidence.registers.nvme_ns;
	uint8_t *smart = t->evidence.registers.nvme_smart;

	case_bare(t);
	t->evidence.device.media = CA_MEDIA_NVME;
	t->evidence.device.bytes = UINT64_C(256060514304);
	t->evidence.registers.has[CA_REGISTER_NVME_CTRL] = true;
	t->evidence.registers.has[CA_REGISTER_NVME_NS] = true;
	t->evidence.registers.has[CA_REGISTER_NVME_SMART] = true;
	put16(ctrl, 0x144d);
	put16(ctrl + 2, 0x144d);
	memset(ctrl + 4, ' ', 68);
	memcpy(ctrl + 4, "S6XXNX0T123456", 14);
	memcpy(ctrl + 24, "SAMSUNG MZ9LQ256HBJD-00BVL", 26);
	memcpy(ctrl + 64, "FXM71V1Q", 8);
	memcpy(ctrl + 73, "\x38\x25\x00", 3);
	ca_put_le32(ctrl + 80, 0x10400);
	ctrl[111] = 1;
	ca_put_le64(ctrl + 280, UINT64_C(256060514304));
	memcpy(ctrl + 768, "nqn.1994-11.com.samsung:nvme:PM991a:S6XXNX0T123456", 50);
	ca_put_le64(ns, UINT64_C(500118192));
	ca_put_le64(ns + 8, UINT64_C(500118192));
	ca_put_le64(ns + 16, UINT64_C(1000));
	memcpy(ns + 112, "\x00\x25\x38", 3);
	ns[130] = 9;
	smart[3] = 100;
	smart[4] = 10;
	t->request.label = "Raspberry Pi SSD 256GB NVMe";
}

/* Each spoils one thing; the rule that must speak and how. */
static void nothing(struct judge_case *t)
{
	(void)t;
}
static void model_control(struct judge_case *t)
{
	t->evidence.registers.nvme_ctrl[30] = 7;
}
static void firmware_control(struct judge_case *t)
{
	t->evidence.registers.nvme_ctrl[65] = 0x80;
}
static void serial_blank(struct judge_case *t)
{
	memset(t->evidence.registers.nvme_ctrl + 4, ' ', 20);
}
static void serial_padded(struct judge_case *t)
{
	memset(t->evidence.registers.nvme_ctrl + 18, 0, 6);
}
static void set_serial(struct judge_case *t, const char *serial)
{
	memset(t->evidence.registers.nvme_ctrl + 4, ' ', 20);
	memcpy(t->evidence.registers.nvme_ctrl + 4, serial, strlen(serial));
}
static void serial_indented(struct judge_case *t)
{
	set_serial(t, "  S6XXNX0T123456");
}
static void model_indented(struct judge_case *t)
{
	t->evidence.registers.nvme_ctrl[24] = ' ';
}
static void serial_zeros(struct judge_case *t)
{
	set_serial(t, "00000000000000000000");
}
static void serial_counted(struct judge_case *t)
{
	set_serial(t, "0123456789ABCDEF");
}
static void serial_blanked(struct judge_case *t)
{
	set_serial(t, "XXXXXXXXXXXX");
}
static void serial_short(struct judge_case *t)
{
	set_serial(t, "123");
}
static void nqn_other(struct judge_case *t)
{
	memcpy(t->evidence.registers.nvme_ctrl + 768, "nqn.1994-11.com.samsung:nvme:X\0", 31);
}
static void nqn_nguid(struct judge_case *t)
{
	memcpy(t->evidence.registers.nvme_ctrl + 768, "nqn.2018-01.com.wdc:nguid:E8\0", 29);
}
static void oui_namespace(struct judge_case *t)
{
	t->evidence.registers.nvme_ns[112] = 0x64;
}
static void oui_namespace_zero(struct judge_case *t)
{
	memset(t->evidence.registers.nvme_ns + 104, 0, 16);
	t->evidence.registers.nvme_ns[104] = 1;
}
static void oui_eui64(struct judge_case *t)
{
	memcpy(t->evidence.registers.nvme_ns + 120, "\x64\x79\xa7\x01", 4);
}
static void model_wd(struct judge_case *t)
{
	memcpy(t->evidence.registers.nvme_ctrl + 24, "WD_BLACK SN770 250GB      ", 26);
}
static void model_wd_own(struct judge_case *t)
{
	model_wd(t);
	put16(t->evidence.registers.nvme_ctrl, 0x15b7);
}
static void total_shared(struct judge_case *t)
{
	ca_put_le64(t->evidence.registers.nvme_ns + 48, UINT64_C(256060514304));
	ca_put_le64(t->evidence.registers.nvme_ctrl + 296, UINT64_C(128000000000));
}
static void total_split(struct judge_case *t)
{
	ca_put_le64(t->evidence.registers.nvme_ns + 48, UINT64_C(128000000000));
	ca_put_le64(t->evidence.registers.nvme_ctrl + 296, UINT64_C(128000000000));
}
static void serial_masked(struct judge_case *t)
{
	ca_registers_mask(&t->evidence.registers);
}
static void ncap_large(struct judge_case *t)
{
	t->evidence.registers.nvme_ns[15] = 1;
}
static void flbas_beyond(struct judge_case *t)
{
	t->evidence.registers.nvme_ns[26] = 3;
}
static void lbads_small(struct judge_case *t)
{
	t->evidence.registers.nvme_ns[130] = 8;
}
static void nuse_large(struct judge_case *t)
{
	ca_put_le64(t->evidence.registers.nvme_ns + 16, UINT64_C(500118193));
}
static void total_small(struct judge_case *t)
{
	ca_put_le64(t->evidence.registers.nvme_ctrl + 280, UINT64_C(64000000000));
}
static void total_thin(struct judge_case *t)
{
	total_small(t);
	t->evidence.registers.nvme_ns[24] = 1;
}
static void total_absent(struct judge_case *t)
{
	ca_put_le64(t->evidence.registers.nvme_ctrl + 280, 0);
}
static void device_smaller(struct judge_case *t)
{
	t->evidence.device.bytes -= 512;
}
static void device_lent(struct judge_case *t)
{
	device_smaller(t);
	t->evidence.device.registers_lent = true;
}
static void pci_same(struct judge_case *t)
{
	t->evidence.registers.pci_vid = 0x144d;
	t->evidence.registers.pci_ssvid = 0x144d;
}
static void pci_other(struct judge_case *t)
{
	t->evidence.registers.pci_vid = 0x1e4b;
}
static void pci_subsystem(struct judge_case *t)
{
	t->evidence.registers.pci_vid = 0x144d;
	t->evidence.registers.pci_ssvid = 0x17aa;
}
static void oui_other(struct judge_case *t)
{
	memcpy(t->evidence.registers.nvme_ctrl + 73, "\x27\x5a\x3a", 3);
}
static void oui_white_label(struct judge_case *t)
{
	put16(t->evidence.registers.nvme_ctrl, 0x126f);
	oui_other(t);
	memcpy(t->evidence.registers.nvme_ctrl + 24, "GENERIC", 7);
}
static void vid_maxio(struct judge_case *t)
{
	put16(t->evidence.registers.nvme_ctrl, 0x1e4b);
}
static void firmware_forged(struct judge_case *t)
{
	memcpy(t->evidence.registers.nvme_ctrl + 64, "8888888 ", 8);
}
static void no_id(struct judge_case *t)
{
	memset(t->evidence.registers.nvme_ns + 104, 0, 16);
}
/* A text of the page that leaves SUBNQN out. */
static void nqn_unseen(struct judge_case *t)
{
	memset(t->evidence.registers.nvme_ctrl + 768, 0, 256);
	(void)ca_string_copy(t->evidence.device.hidden_because,
			     sizeof(t->evidence.device.hidden_because), "cut"); /* fits */
}

static void no_nqn(struct judge_case *t)
{
	t->evidence.registers.nvme_ctrl[768] = 0;
}
static void version_old(struct judge_case *t)
{
	ca_put_le32(t->evidence.registers.nvme_ctrl + 80, 0x10200);
}
static void version_early(struct judge_case *t)
{
	version_old(t);
	t->evidence.registers.nvme_ctrl[111] = 0;
	t->evidence.registers.nvme_ctrl[322] = 1;
}
static void version_unused(struct judge_case *t)
{
	version_old(t);
	t->evidence.registers.nvme_ctrl[111] = 0;
}
static void link_full(struct judge_case *t)
{
	set_fact(&t->evidence, CA_HOST_PCIE_SPEED, 8000, "8.0 GT/s");
	set_fact(&t->evidence, CA_HOST_PCIE_WIDTH, 4, "4");
	set_fact(&t->evidence, CA_HOST_PCIE_SPEED_MAX, 8000, "8.0 GT/s");
	set_fact(&t->evidence, CA_HOST_PCIE_WIDTH_MAX, 4, "4");
}
static void link_narrow(struct judge_case *t)
{
	link_full(t);
	set_fact(&t->evidence, CA_HOST_PCIE_WIDTH, 1, "1");
}
static void used_hours(struct judge_case *t)
{
	t->evidence.registers.nvme_smart[128] = 11;
}
static void used_little(struct judge_case *t)
{
	t->evidence.registers.nvme_smart[128] = 10;
	t->evidence.registers.nvme_smart[112] = 20;
	t->evidence.registers.nvme_smart[5] = 1;
}
static void used_writes(struct judge_case *t)
{
	ca_put_le64(t->evidence.registers.nvme_smart + 48, 97657);
}
static void health_spare(struct judge_case *t)
{
	t->evidence.registers.nvme_smart[3] = 9;
}
static void health_media(struct judge_case *t)
{
	t->evidence.registers.nvme_smart[160] = 1;
}

static const struct {
	void (*spoil)(struct judge_case *t);
	const char *rule, *expected;
} rows[] = {
	{nothing, "NVME-TEXT", "none"},
	{model_control, "NVME-TEXT", "warning"},
	{firmware_control, "NVME-TEXT", "warning"},
	{serial_blank, "NVME-TEXT", "warning"},
	{serial_padded, "NVME-TEXT", "none"},
	{serial_masked, "NVME-TEXT", "none"},
	{serial_indented, "NVME-TEXT", "warning"},
	{model_indented, "NVME-TEXT", "warning"},
	{serial_zeros, "NVME-TEXT", "warning"},
	{serial_counted, "NVME-TEXT", "warning"},
	{serial_blanked, "NVME-TEXT", "none"},
	{serial_short, "NVME-TEXT", "none"},
	{nqn_other, "NVME-NQN", "note"},
	{nqn_unseen, "NVME-NQN", "none"},
	{nqn_nguid, "NVME-NQN", "none"},
	{oui_namespace, "NVME-OUI", "note"},
	{oui_namespace_zero, "NVME-OUI", "none"},
	{oui_eui64, "NVME-OUI", "note"},
	{model_wd, "NVME-MODEL", "warning"},
	{model_wd_own, "NVME-MODEL", "none"},
	{total_shared, "NVME-CAPACITY", "warning"},
	{total_split, "NVME-CAPACITY", "none"},
	{serial_masked, "NVME-ID", "none"},
	{serial_masked, "NVME-NQN", "none"},
	{nothing, "NVME-NAMESPACE", "none"},
	{ncap_large, "NVME-NAMESPACE", "fail"},
	{flbas_beyond, "NVME-NAMESPACE", "fail"},
	{lbads_small, "NVME-NAMESPACE", "fail"},
	{nuse_large, "NVME-NAMESPACE", "warning"},
	{nothing, "NVME-CAPACITY", "none"},
	{total_small, "NVME-CAPACITY", "fail"},
	{total_thin, "NVME-CAPACITY", "none"},
	{total_absent, "NVME-CAPACITY", "none"},
	{nothing, "NVME-SIZE", "none"},
	{device_smaller, "NVME-SIZE", "fail"},
	{device_lent, "NVME-SIZE", "inconclusive"},
	{nothing, "NVME-VENDOR", "none"},
	{pci_same, "NVME-VENDOR", "none"},
	{pci_other, "NVME-VENDOR", "warning"},
	{pci_subsystem, "NVME-VENDOR", "warning"},
	{nothing, "NVME-OUI", "none"},
	{oui_other, "NVME-OUI", "warning"},
	{oui_white_label, "NVME-OUI", "note"},
	{nothing, "NVME-MODEL", "none"},
	{vid_maxio, "NVME-MODEL", "warning"},
	{nothing, "NVME-FIRMWARE", "none"},
	{firmware_forged, "NVME-FIRMWARE", "warning"},
	{nothing, "NVME-ID", "none"},
	{no_id, "NVME-ID", "note"},
	{nothing, "NVME-NQN", "none"},
	{no_nqn, "NVME-NQN", "note"},
	{nothing, "NVME-VERSION", "none"},
	{version_old, "NVME-VERSION", "warning"},
	{version_early, "NVME-VERSION", "note"},
	{version_unused, "NVME-VERSION", "none"},
	{nothing, "NVME-LINK", "none"},
	{link_full, "NVME-LINK", "none"},
	{link_narrow, "NVME-LINK", "note"},
	{nothing, "NVME-USED", "none"},
	{used_little, "NVME-USED", "none"},
	{used_hours, "NVME-USED", "warning"},
	{used_writes, "NVME-USED", "warning"},
	{nothing, "NVME-HEALTH", "none"},
	{health_spare, "NVME-HEALTH", "warning"},
	{health_media, "NVME-HEALTH", "warning"},
};

START_TEST(each_row_is_judged_as_expected)
{
	struct judge_case t;

	case_drive(&t);
	rows[_i].spoil(&t);
	case_judge(&t);
	ck_assert_msg(strcmp(rule_verdict(&t, rows[_i].rule), rows[_i].expected) == 0,
		      "%s: %s, expected %s", rows[_i].rule, rule_verdict(&t, rows[_i].rule),
		      rows[_i].expected);
	case_done(&t);
}
END_TEST

START_TEST(rules_about_drives_say_nothing_about_cards)
{
	struct judge_case t;

	case_good(&t);
	case_judge(&t);
	for (size_t i = 0; i < t.judgement.finding_count; i++)
		ck_assert_int_ne(strncmp(t.judgement.findings[i].rule->id, "NVME", 4), 0);
	case_done(&t);
}
END_TEST

START_TEST(a_known_relabelled_drive_has_no_warning)
{
	struct judge_case t;

	case_drive(&t);
	case_judge(&t);
	ck_assert_str_eq(rule_verdict(&t, "MAKER-OEM"), "note");
	ck_assert_str_eq(claim_verdict(&t, "brand"), "screened");
	for (size_t i = 0; i < t.judgement.finding_count; i++)
		ck_assert_msg(t.judgement.findings[i].verdict != CA_VERDICT_WARNING, "%s",
			      t.judgement.findings[i].rule->id);
	case_done(&t);
}
END_TEST

static const struct {
	const char *label;
	void (*spoil)(struct judge_case *t);
	const char *expected;
} brands[] = {
	{"Samsung 256GB", nothing, "screened"},
	{"Samsung 256GB", vid_maxio, "inconclusive"}, /* one contradiction */
	{"Samsung 256GB", oui_other, "inconclusive"},
	{"Samsung 990 PRO 256GB", firmware_forged, "fail"},
};

START_TEST(a_brand_fails_on_two_contradictions_only)
{
	struct judge_case t;

	case_drive(&t);
	t.request.label = brands[_i].label;
	brands[_i].spoil(&t);
	case_judge(&t);
	ck_assert_str_eq(claim_verdict(&t, "brand"), brands[_i].expected);
	case_done(&t);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rule_nvme");
	TCase *tcase = tcase_create("rule_nvme");

	tcase_add_loop_test(tcase, each_row_is_judged_as_expected, 0, (int)CA_ARRAY_LEN(rows));
	tcase_add_test(tcase, rules_about_drives_say_nothing_about_cards);
	tcase_add_test(tcase, a_known_relabelled_drive_has_no_warning);
	tcase_add_loop_test(tcase, a_brand_fails_on_two_contradictions_only, 0,
			    (int)CA_ARRAY_LEN(brands));
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
