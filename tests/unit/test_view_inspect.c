/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_certificate_sample.h"

static char *inspect(const struct ca_certificate *certificate, bool all)
{
	struct ca_view_options options = {.all = all};
	char *text;

	ck_assert_int_eq(ca_certificate_inspect_text(certificate, &options, &text), 0);
	for (const char *p = text; *p; p++)
		ck_assert_msg(*p == '\n' || (unsigned char)*p >= 0x20, "control byte");
	return text;
}

static void has(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part) != NULL, "\"%s\" is not in:\n%s", part, text);
}

static void has_not(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part) == NULL, "\"%s\" is in:\n%s", part, text);
}

START_TEST(memory_card)
{
	struct ca_certificate *certificate = sample_certificate();
	char *text = inspect(certificate, false);

	has(text, "SIMULATED CARD: ");
	has(text, "  raw         ad4c5355534430301012345678018747\n");
	has(text, "  MID maker         0xad Longsys\n");
	has(text, "  OID sold by       0x4c53 \"LS\"\n");
	has(text, "  PNM name          \"USD00\"\n");
	has(text, "  PRV revision      1.0\n");
	has(text, "  PSN serial        0x12345678\n");
	has(text, "  MDT made          2024-07\n");
	has(text, "  CRC7 checksum     good\n");
	has(text, "  card type         SDXC, layout 2.0\n");
	has(text, "  size              63,864,569,856 bytes, 63.9 GB (59.5 GiB)\n");
	has(text, "  bus widths        1 bit, 4 bit\n");
	has(text, "CMD20 (speed class control), CMD23 (block count)\n");
	has(text, "  classes claimed   C10 U3 V30 A2\n");
	has(text, "  A2                label: A2; ssr: A2\n");
	has(text, "\nsim:announced=64G,real=1G:cid[7:1]: warning: the sum is wrong [CID-CRC]\n");
	has(text, "\nsim:announced=64G,real=1G:cid[7:1]: fail: 1 GiB is real [CID-CRC]\n");
	has_not(text, "[127:120]");
	free(text);
	text = inspect(certificate, true);
	has(text, "      [127:120] MID = 0xad");
	has(text, "      [103:64] PNM = 0x5553443030");
	has(text, "      [7:1] CRC = 0x23");
	free(text);
	sample_free(certificate);
}
END_TEST

START_TEST(masked_serial_is_not_shown)
{
	struct ca_certificate *certificate = sample_certificate();
	char *text;

	ca_evidence_mask(&certificate->evidence);
	text = inspect(certificate, true);
	has(text, "  PSN serial        masked on request\n");
	has(text, "  CRC7 checksum     good\n");
	has_not(text, "12345678");
	free(text);
	sample_free(certificate);
}
END_TEST

START_TEST(hostile_name_is_escaped)
{
	struct ca_certificate *certificate = sample_certificate();
	char *text;

	memcpy(certificate->evidence.registers.cid + 1, "\x1b[\0\n\xff\\\x7f", 7);
	text = inspect(certificate, false);
	has(text, "  OID sold by       0x1b5b \"\\x1b[\"\n");
	has(text, "  PNM name          \"\\x00\\x0a\\xff\\\\\\x7f\"\n");
	has(text, "  CRC7 checksum     BAD");
	free(text);
	sample_free(certificate);
}
END_TEST

START_TEST(absent_and_undecodable_registers)
{
	struct ca_certificate *certificate = sample_certificate();
	struct ca_raw_registers *raw = &certificate->evidence.registers;
	char *text;

	raw->has[CA_REGISTER_SCR] = raw->has[CA_REGISTER_SSR] = false;
	raw->csd[0] = 0xc0; /* structure 3 is no layout */
	strcpy(certificate->evidence.device.hidden_because, "this host hides them");
	text = inspect(certificate, false);
	has(text, "Not observable here\n  scr, ssr: this host hides them\n");
	has(text, "  not decoded: ");
	has_not(text, "SCR: which");
	free(text);
	raw->has[CA_REGISTER_SSR] = true;
	memset(raw->ssr, 0, sizeof(raw->ssr));
	text = inspect(certificate, false);
	has(text, "All zero: this host could not read it.");
	free(text);
	sample_free(certificate);
}
END_TEST

START_TEST(emmc)
{
	struct ca_certificate *certificate = sample_certificate();
	struct ca_raw_registers *raw = &certificate->evidence.registers;
	char *text;

	raw->type = CA_CARD_TYPE_MMC;
	raw->has[CA_REGISTER_SCR] = raw->has[CA_REGISTER_SSR] = false;
	raw->has[CA_REGISTER_EXTCSD] = true;
	raw->extcsd[192] = 8;
	raw->extcsd[215] = 1; /* SEC_COUNT 2^24 */
	raw->extcsd[226] = 32;
	memcpy(raw->extcsd + 254, "FW\x01", 3);
	raw->extcsd[267] = 1;
	raw->extcsd[268] = 2;
	raw->extcsd[269] = 11;
	text = inspect(certificate, true);
	has(text, "EXT_CSD: eMMC size and wear");
	has(text, "  size              8.6 GB (8 GiB)\n");
	has(text, "  life              10 to 20 % used (A), beyond its estimated life (B)\n");
	has(text, "  spare blocks      normal\n");
	has(text, "  boot areas        two of 4 MiB\n");
	has(text, "  RPMB area         none\n");
	has(text, "  firmware          \"FW\\x01\"\n");
	has(text, "      [192:192] EXT_CSD_REV = 0x08      eMMC 5.1; revision:");
	has_not(text, "RESERVED_485_309"); /* empty places are for --fields */
	has_not(text, "Not observable");
	free(text);
	sample_free(certificate);
}
END_TEST

START_TEST(extension_registers)
{
	struct ca_certificate *certificate = sample_certificate();
	struct ca_raw_registers *raw = &certificate->evidence.registers;
	char *text = inspect(certificate, false);

	has_not(text, "Extension registers");
	free(text);
	raw->has[CA_REGISTER_EXT_PERF] = raw->has[CA_REGISTER_EXT_POWER] = true;
	raw->ext_perf[0] = 0x18;
	text = inspect(certificate, false);
	has(text, "  performance       command queue, cache\n");
	has(text, "  power             nothing\n");
	free(text);
	raw->has[CA_REGISTER_EXT_PERF_SET] = true;
	raw->ext_perf_set[6] = 31;
	text = inspect(certificate, true);
	has(text, "  performance       command queue of 32\n");
	has(text, "      [4:4] COMMAND_QUEUE = 0x1         yes; ");
	has(text, "      [6:6] CQ_DEPTH = 0x1f             32 commands; ");
	free(text);
	sample_free(certificate);
}
END_TEST

START_TEST(nvme)
{
	struct ca_certificate *certificate = sample_certificate();
	struct ca_raw_registers *raw = &certificate->evidence.registers;
	char *text;

	memset(raw, 0, sizeof(*raw));
	raw->has[CA_REGISTER_NVME_CTRL] = raw->has[CA_REGISTER_NVME_NS] = true;
	raw->has[CA_REGISTER_NVME_SMART] = true;
	raw->nvme_ctrl[0] = 0x4d;
	raw->nvme_ctrl[1] = 0x14;
	memcpy(raw->nvme_ctrl + 4, "SERIAL              ", 20);
	memcpy(raw->nvme_ctrl + 24, "MODEL \x1b[31m          ", 21);
	memcpy(raw->nvme_ctrl + 64, "FW      ", 8);
	raw->nvme_ctrl[82] = 1;
	raw->nvme_ctrl[81] = 4;
	ca_put_le64(raw->nvme_ns, 1000000);
	raw->nvme_ns[130] = 12;
	raw->nvme_smart[5] = 3;
	ca_put_le64(raw->nvme_smart + 48, 2000);
	raw->nvme_ctrl[266] = 0x5d; /* 349 K */
	raw->nvme_ctrl[267] = 0x01;
	ca_put_le32(raw->nvme_ctrl + 272, 16384);
	raw->nvme_ctrl[2048] = 0x1e; /* 5.42 W */
	raw->nvme_ctrl[2049] = 0x02;
	raw->nvme_ctrl[263] = 4;
	raw->pci_vid = 0x144d;
	certificate->evidence.host[CA_HOST_PCIE_SPEED] =
		(struct ca_fact){.present = true, .number = 5000};
	certificate->evidence.host[CA_HOST_PCIE_WIDTH] =
		(struct ca_fact){.present = true, .number = 1};
	text = inspect(certificate, false);
	has(text, "  too warm from     76 degrees C\n");
	has_not(text, "critical from");
	has(text, "  host memory       wants 64 MiB: no DRAM of its own\n");
	has(text, "  power             5 states, at most 5.42 W\n");
	has(text, "  block sizes       4096 (in use)\n");
	has(text, "  vendor            0x144d\n");
	has(text, "  link              5.0 GT/s x1\n");
	certificate->evidence.host[CA_HOST_PCIE_SPEED_MAX] =
		(struct ca_fact){.present = true, .number = 8000};
	certificate->evidence.host[CA_HOST_PCIE_WIDTH_MAX] =
		(struct ca_fact){.present = true, .number = 4};
	free(text);
	text = inspect(certificate, true);
	has(text, "  link              5.0 GT/s x1, at best 8.0 GT/s x4\n");
	has(text,
	    "      [2079:2048] PSD0                  5.42 W, working, entry 0 us, exit 0 us;");
	has(text, "      [131:128] LBAF0 = 0x00000c00      4096 bytes, speed best, in use;");
	has_not(text, "PSD9");
	free(text);
	text = inspect(certificate, false);
	has(text, "  model MN          \"MODEL \\x1b[31m\"\n");
	has(text, "  serial SN         \"SERIAL\"\n");
	has(text, "  VID maker         0x144d\n");
	has(text, "  NVMe version      1.4\n");
	has(text, "  size              4,096,000,000 bytes, 4.1 GB (3.8 GiB)\n");
	has(text, "  life used         3 %\n");
	has(text, "  written           1.0 GB\n");
	has_not(text, "CID: who");
	free(text);
	memset(raw->nvme_ns, 0xff, 8); /* a size beyond 64 bits */
	text = inspect(certificate, false);
	has(text, "not a size");
	free(text);
	sample_free(certificate);
}
END_TEST

START_TEST(passes_are_only_listed_on_request)
{
	struct ca_certificate *certificate = sample_certificate();
	struct ca_judgement *judgement = &certificate->judgement;
	char *text;

	for (size_t i = 0; i < judgement->finding_count; i++)
		judgement->findings[i].verdict = i % 2 ? CA_VERDICT_PASS : CA_VERDICT_UNTESTED;
	text = inspect(certificate, false);
	has(text, "No finding: ");
	has_not(text, "[CID-CRC]");
	free(text);
	text = inspect(certificate, true);
	has(text, ":cid[7:1]: pass: ");
	has(text, ":cid[7:1]: untested: ");
	free(text);
	sample_free(certificate);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("view_inspect");
	TCase *tcase = tcase_create("view_inspect");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tcase, memory_card);
	tcase_add_test(tcase, masked_serial_is_not_shown);
	tcase_add_test(tcase, hostile_name_is_escaped);
	tcase_add_test(tcase, absent_and_undecodable_registers);
	tcase_add_test(tcase, emmc);
	tcase_add_test(tcase, extension_registers);
	tcase_add_test(tcase, nvme);
	tcase_add_test(tcase, passes_are_only_listed_on_request);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
