/* SPDX-License-Identifier: BSD-2-Clause */
/* Four published reviews, replayed: what their readers would have been told. */
#include "speed_case.h"

/* Random figures of a few seconds in a file of 256 MB, as reviewers take them. */
static void review_random(struct judge_case *t, bool write, uint64_t milliiops)
{
	struct ca_speed_random *r = add_random(t, write, milliiops);

	r->duration_ns = 5 * CA_NS_PER_SECOND;
	r->preconditioned_ppm = 0;
	r->range_bytes = 256 * CA_MIB;
}

/* A Raspberry Pi 4: DDR50 at 50 MHz, no command queue, requests of 512 KiB. */
static void host_pi4(struct judge_case *t)
{
	set_fact(&t->evidence, CA_HOST_BUS_TIMING, 7, "sd uhs DDR50");
	set_fact(&t->evidence, CA_HOST_BUS_CLOCK_HZ, 50000000, "50000000 Hz");
	set_fact(&t->evidence, CA_HOST_BUS_WIDTH, 4, "4 bits");
	set_fact(&t->evidence, CA_HOST_MAX_REQUEST_BYTES, 512 << 10, "512 KiB");
	set_fact(&t->evidence, CA_HOST_CPU_GOVERNOR, 0, "ondemand");
	t->evidence.speed.bypass_page_cache = CA_YES;
	t->evidence.speed.command_queue_on = CA_NO;
}

/* Are A2 cards A2? On a host without a command queue nobody can tell, but A1 was met by all. */
static const struct {
	const char *label;
	uint64_t read, write; /* IOPS */
} a2_cards[] = {
	{"SanDisk Extreme 64GB U3 V30 A2", 1882, 947},
	{"Samsung Pro Endurance 32GB A2", 2613, 724},
	{"Lexar Professional 128GB A2", 2470, 653},
};

START_TEST(a2_is_not_settled_without_a_queue)
{
	struct judge_case t;
	const struct ca_finding *a2;

	case_bare(&t);
	t.evidence.device.media = CA_MEDIA_SD;
	t.request.label = a2_cards[_i].label;
	t.request.profile = CA_PROFILE_SPEED;
	host_pi4(&t);
	review_random(&t, false, a2_cards[_i].read * 1000);
	review_random(&t, true, a2_cards[_i].write * 1000);
	case_judge(&t);
	a2 = find_claim(&t, "A2");
	ck_assert_str_eq(ca_verdict_name(a2->verdict), "inconclusive");
	ck_assert_ptr_nonnull(strstr(a2->why, "this host has no command queue"));
	ck_assert_ptr_nonnull(strstr(a2->why, "dtparam=sd_cqe"));
	ck_assert_str_eq(claim_verdict(&t, "A1"), "screened");
	ck_assert_ptr_nonnull(
		strstr(t.judgement.headline, "Not tested: A2 (this host has no command queue)"));
	case_done(&t);
}
END_TEST

/* dd and hdparm through the page cache of a 20 MB/s slot: 549 MB/s say nothing about any card. */
START_TEST(more_than_the_slot_carries_is_void)
{
	struct judge_case t;

	case_bare(&t);
	t.evidence.device.media = CA_MEDIA_SD;
	t.request.label = "SanDisk 32GB read 80 MB/s";
	t.evidence.device.bytes = UINT64_C(31914983424);
	set_fact(&t.evidence, CA_HOST_BUS_TIMING, 2, "sd high-speed");
	set_fact(&t.evidence, CA_HOST_BUS_CLOCK_HZ, 50000000, "50000000 Hz");
	set_fact(&t.evidence, CA_HOST_BUS_WIDTH, 4, "4 bits");
	t.evidence.speed.bypass_page_cache = CA_NO;
	(void)add_sequential(&t, false, 549000000);
	case_judge(&t);
	ck_assert_str_eq(claim_verdict(&t, "sequential-read"), "inconclusive");
	ck_assert_ptr_nonnull(
		strstr(find_claim(&t, "sequential-read")->why, "memory, not the card"));
	case_done(&t);
	/* and what the slot does carry does not fail a card marked 80 MB/s */
	t.evidence.speed.sequential[0].bytes_per_second = 17200000;
	t.evidence.speed.bypass_page_cache = CA_YES;
	case_judge(&t);
	ck_assert_str_eq(claim_verdict(&t, "sequential-read"), "inconclusive");
	ck_assert_ptr_nonnull(strstr(find_claim(&t, "sequential-read")->why, "bus of this host"));
	case_done(&t);
}
END_TEST

/* A drive sold under another name that holds what it claims, on two PCIe generations. */
static const struct {
	int64_t link;
	uint64_t read, write; /* IOPS */
} drives[] = {{5000, 106246, 90264}, {8000, 196947, 151692}};

START_TEST(the_relabelled_drive_holds_its_claims)
{
	struct judge_case t;
	uint8_t *ctrl;

	case_bare(&t);
	ctrl = t.evidence.registers.nvme_ctrl;
	t.evidence.device.media = CA_MEDIA_NVME;
	t.evidence.device.bytes = UINT64_C(256060514304);
	t.evidence.registers.has[CA_REGISTER_NVME_CTRL] = true;
	memset(ctrl + 4, ' ', 68);
	memcpy(ctrl + 4, "S6XXNX0T123456", 14);
	memcpy(ctrl + 24, "SAMSUNG MZ9LQ256HBJD-00BVL", 26);
	memcpy(ctrl + 64, "FXM71V1Q", 8);
	ctrl[0] = 0x4d;
	ctrl[1] = 0x14;
	set_fact(&t.evidence, CA_HOST_PCIE_SPEED, drives[_i].link, "");
	set_fact(&t.evidence, CA_HOST_PCIE_WIDTH, 1, "1");
	set_fact(&t.evidence, CA_HOST_PCIE_SPEED_MAX, 8000, "");
	set_fact(&t.evidence, CA_HOST_PCIE_WIDTH_MAX, 4, "4");
	t.evidence.speed.bypass_page_cache = CA_YES;
	t.request.label = "Raspberry Pi SSD 256GB";
	t.request.options[0] = "random-read=40000IOPS";
	t.request.options[1] = "random-write=40000IOPS";
	t.request.option_count = 2;
	add_random(&t, false, drives[_i].read * 1000)->queue_depth = 32;
	add_random(&t, true, drives[_i].write * 1000)->queue_depth = 32;
	case_judge(&t);
	ck_assert_str_eq(claim_verdict(&t, "random-read"), "pass");
	ck_assert_str_eq(claim_verdict(&t, "random-write"), "pass");
	ck_assert_str_eq(rule_verdict(&t, "MAKER-OEM"), "note");
	ck_assert_str_eq(rule_verdict(&t, "NVME-LINK"), "note");
	ck_assert_str_eq(claim_verdict(&t, "brand"), "screened");
	case_done(&t);
}
END_TEST

/* One name, USD00, under two brands: both are known, and neither is taken for the other. */
static const char *const usd00_labels[] = {"Raspberry Pi 128GB A2", "Amazon Basics 128GB A2"};

START_TEST(one_name_under_two_brands)
{
	struct judge_case t;

	case_good(&t);
	set_bits(&t, CA_REGISTER_CID, 127, 104, 0xad4c53);
	set_bits(&t, CA_REGISTER_CID, 103, 64, 0x5553443030);
	t.request.label = usd00_labels[_i];
	t.evidence.device.bytes = UINT64_C(125627793408);
	set_bits(&t, CA_REGISTER_CSD, 69, 48, UINT64_C(125627793408) / 524288 - 1);
	t.evidence.device.bytes = UINT64_C(125627793408) / 524288 * 524288;
	case_judge(&t);
	ck_assert_str_eq(claim_verdict(&t, "brand"), "screened");
	ck_assert_str_eq(rule_verdict(&t, "MAKER-OEM"), "note");
	ck_assert_uint_ge(t.judgement.identity.candidate_count, 2);
	for (size_t i = 0; i < t.judgement.finding_count; i++)
		ck_assert_msg(t.judgement.findings[i].verdict != CA_VERDICT_WARNING, "%s",
			      t.judgement.findings[i].rule->id);
	case_done(&t);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("reviews");
	TCase *tcase = tcase_create("reviews");

	tcase_add_loop_test(tcase, a2_is_not_settled_without_a_queue, 0,
			    (int)CA_ARRAY_LEN(a2_cards));
	tcase_add_test(tcase, more_than_the_slot_carries_is_void);
	tcase_add_loop_test(tcase, the_relabelled_drive_holds_its_claims, 0,
			    (int)CA_ARRAY_LEN(drives));
	tcase_add_loop_test(tcase, one_name_under_two_brands, 0, (int)CA_ARRAY_LEN(usd00_labels));
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
