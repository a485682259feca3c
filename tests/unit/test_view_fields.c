/* SPDX-License-Identifier: BSD-2-Clause */
#include "card_fixture.h"
#include "test_certificate_sample.h"

#include <jansson.h>

static struct ca_evidence evidence;

static char *fields(bool json, bool named)
{
	struct ca_fields_options options = {.json = json, .named = named};
	char *text;

	ck_assert_int_eq(ca_certificate_fields(&evidence, &options, &text), 0);
	return text;
}

static void start(const char *node)
{
	memset(&evidence, 0, sizeof(evidence));
	(void)ca_string_copy(evidence.device.node, sizeof(evidence.device.node), node);
}

static void has(const char *text, const char *line)
{
	ck_assert_msg(strstr(text, line) != NULL, "no line '%s' in:\n%s", line, text);
}

/* Five columns, no control byte in any, the last in brackets. */
static size_t check_lines(const char *text)
{
	size_t lines = 0;

	for (const char *p = text; *p; p = strchr(p, '\n') + 1) {
		size_t len = strcspn(p, "\n"), tabs = 0;

		ck_assert(p[len] == '\n' && len > 0 && p[len - 1] == ')');
		for (size_t i = 0; i < len; i++) {
			tabs += p[i] == '\t';
			ck_assert_msg(p[i] == '\t' || (p[i] >= 0x20 && p[i] < 0x7f), "byte %02x",
				      (unsigned char)p[i]);
		}
		ck_assert_msg(tabs == 4, "%zu tabs: %.*s", tabs, (int)len, p);
		lines++;
	}
	return lines;
}

/* Real cards of fixtures/cards, and the lines that their sources bear out (ORIGIN). */
static const struct {
	const char *card, *line;
} lines[] = {
	{"C0070", "cid.MID\t[127:120]\t0x9f\t159, Taishin\t(S 5.2 T5-2)\n"},
	{"C0070", "cid.PNM\t[103:64]\t0x5344363447\t\"SD64G\"\t(S 5.2 T5-2)\n"},
	{"C0070", "cid.PRV\t[63:56]\t0x61\t6.1\t(S 5.2 T5-2)\n"},
	{"C0070", "cid.MDT_YEAR\t[19:12]\t0x13\t2019\t(S 5.2 T5-2)\n"},
	{"C0070", "cid.MDT_MONTH\t[11:8]\t0xb\tNovember\t(S 5.2 T5-2)\n"},
	{"C0070", "csd.C_SIZE\t[69:48]\t0x01cfff\t62277025792 bytes, 62.3 GB (58 GiB)\t("},
	{"C0070", "scr.SD_SPEC\t[59:56]\t0x2\t6.00\t(S 5.6 T5-19)\n"},
	{"C0070", "scr.MANUFACTURER\t[31:0]\t0x01006432\t-\t(S 5.6 T5-17)\n"},
	{"C0070", "ssr.APP_PERF_CLASS\t[339:336]\t0x2\tA2\t(S 4.10.2 T4-44)\n"},
	{"C0070", "ssr.PERFORMANCE_ENHANCE_CQ\t[335:331]\t0x1f\t32 commands\t("},
	{"C0070", "ssr.MANUFACTURER\t[311:0]\t0x0\t-\t("},
	{"C0067", "ssr.APP_PERF_CLASS\t[339:336]\t0x1\tA1\t("},
	{"C0061", "cid.PNM\t[103:56]\t0x"},
	{"C0061", "csd.SPEC_VERS\t[125:122]\t0x4\tMMC 4.0 or later\t("},
};

START_TEST(real_cards)
{
	char *text;

	start("card");
	fixture_load_card(lines[_i].card, &evidence.registers);
	text = fields(false, false);
	ck_assert_uint_ge(check_lines(text), 20);
	has(text, lines[_i].line);
	free(text);
}
END_TEST

/* Every card there is, in both forms: as many objects as lines. */
START_TEST(all_cards)
{
	struct fixture_row row;
	bool header = false;
	FILE *index = fixture_open("cards/INDEX.tsv");
	size_t cards = 0;

	while (fixture_next_row(index, &row, &header)) {
		char *text, *json, *array;
		json_t *parsed;

		start(row.cells[0]);
		fixture_load_card(row.cells[0], &evidence.registers);
		text = fields(false, true);
		json = fields(true, false);
		array = malloc(strlen(json) + 3);
		ck_assert_ptr_nonnull(array);
		(void)sprintf(array, "[%s]", json);
		parsed = json_loads(array, 0, NULL);
		ck_assert_ptr_nonnull(parsed);
		ck_assert_uint_eq(json_array_size(parsed), check_lines(text));
		ck_assert_int_eq(strncmp(text, row.cells[0], strlen(row.cells[0])), 0);
		json_decref(parsed);
		free(array);
		free(json);
		free(text);
		cards++;
	}
	(void)fclose(index);
	ck_assert_uint_ge(cards, 74);
}
END_TEST

START_TEST(every_register_has_lines)
{
	size_t rows = 0;
	char *text;

	start("all");
	for (unsigned int i = 0; i < CA_REGISTER_COUNT; i++)
		evidence.registers.has[i] = true;
	evidence.registers.csd[0] = 0x40;
	evidence.registers.has_ocr = true;
	evidence.registers.ocr = 0xc0ff8000;
	evidence.registers.pci_vid = 0x144d;
	evidence.registers.pci_ssvid = 0x144d;
	evidence.host[CA_HOST_PCIE_SPEED] = (struct ca_fact){.present = true, .number = 8000};
	evidence.host[CA_HOST_PCIE_WIDTH_MAX] = (struct ca_fact){.present = true, .number = 4};
	text = fields(false, false);
	for (unsigned int i = 0; i < CA_REGISTER_COUNT; i++) {
		const char *layout = ca_register_layout(&evidence.registers, (enum ca_register)i);

		for (const struct ca_field *f = ca_field_first(layout); f; f = ca_field_next(f))
			rows++;
	}
	ck_assert_uint_eq(check_lines(text), rows + 11 + 4); /* the OCR, PCI */
	has(text, "ocr.CCS\t[30:30]\t0x1\tyes\t(S 5.1 T5-1)\n");
	has(text, "ocr.VDD_WINDOW\t[23:15]\t0x1ff\t2.7 to 2.8 V, 2.8 to 2.9 V,");
	has(text, "pci.VENDOR\t[1:0]\t0x144d\t5197\t(PCI configuration space)\n");
	has(text, "pci.LINK_SPEED\t[]\t0x1f40\t8000 MT/s\t(Linux sysfs)\n");
	has(text, "pci.LINK_WIDTH_MAX\t[]\t0x0004\t4 lanes\t(Linux sysfs)\n");
	has(text, "id_ctrl.PSD0\t[2079:2048]\t0x0\t0.00 W, working, entry 0 us, exit 0 us\t(");
	has(text, "ext_perf_set.CQ_DEPTH\t[6:6]\t0x00\tnone\t(");
	free(text);
	/* an eMMC has the other OCR */
	evidence.registers.type = CA_CARD_TYPE_MMC;
	text = fields(false, false);
	has(text, "ocr.ACCESS_MODE\t[30:29]\t0x2\tsectors\t(JESD84 7.1)\n");
	free(text);
}
END_TEST

START_TEST(what_has_no_layout_is_shown_whole)
{
	char *text;

	start("odd");
	evidence.registers.has[CA_REGISTER_CSD] = evidence.registers.has[CA_REGISTER_SCR] = true;
	evidence.registers.csd[0] = 0xc0;
	evidence.registers.scr[0] = 0x12;
	text = fields(false, false);
	ck_assert_str_eq(text, "csd\t[127:0]\t0xc0000000000000000000000000000000\tnot decoded: its "
			       "structure field names no known layout\t(-)\n"
			       "scr\t[63:0]\t0x1200000000000000\tnot decoded: its structure field "
			       "names no known layout\t(-)\n");
	free(text);
	text = fields(true, false);
	has(text, "\"field\":null,\"unit\":\"bit\",\"msb\":127,\"lsb\":0,\"raw\":\"0xc0");
	free(text);
}
END_TEST

START_TEST(masked_fields_say_so)
{
	char *text;

	start("masked");
	fixture_load_card("C0070", &evidence.registers);
	evidence.registers.has[CA_REGISTER_NVME_CTRL] = true;
	memcpy(evidence.registers.nvme_ctrl + 4, "S64ANS0T123456", 14);
	ca_registers_mask(&evidence.registers);
	text = fields(false, false);
	has(text, "cid.PSN\t[55:24]\t0x00000000\tmasked on request\t(");
	has(text, "cid.CRC\t[7:1]\t0x00\tgood\t("); /* what it said before */
	has(text, "id_ctrl.SN\t[23:4]\t0x0\tmasked on request\t(");
	has(text, "csd.CRC\t[7:1]\t0x7d\tgood\t(");
	ck_assert_ptr_null(strstr(text, "S64ANS0T"));
	ck_assert_ptr_null(strstr(text, "36980065"));
	free(text);
}
END_TEST

/* Names that try to steer a terminal, to end a column, a line or a JSON string. */
START_TEST(hostile_strings_are_inert)
{
	static const char evil[] = "\x1b]0;x\a\t\n\"\\</a>=1+1\x9b"
				   "\xc3\xa9";
	char *text, *array;
	json_t *parsed;

	start("a\tb\n\x1b[31m\"card\"");
	evidence.registers.has[CA_REGISTER_NVME_CTRL] = true;
	memcpy(evidence.registers.nvme_ctrl + 24, evil, sizeof(evil) - 1);
	text = fields(false, true);
	(void)check_lines(text);
	has(text, "a\\x09b\\x0a\\x1b[31m\"card\":id_ctrl.VID\t");
	has(text, "\t\"\\x1b]0;x\\x07\\x09\\x0a\"\\\\</a>=1+1\\x9b\\xc3\\xa9\"\t(");
	free(text);
	text = fields(true, true);
	array = malloc(strlen(text) + 3);
	ck_assert_ptr_nonnull(array);
	(void)sprintf(array, "[%s]", text);
	parsed = json_loads(array, 0, NULL);
	ck_assert_ptr_nonnull(parsed);
	ck_assert_str_eq(json_string_value(json_object_get(json_array_get(parsed, 0), "device")),
			 "a\\x09b\\x0a\\x1b[31m\"card\"");
	json_decref(parsed);
	free(array);
	free(text);
}
END_TEST

START_TEST(nothing_read_is_no_line)
{
	char *text;

	start("none");
	text = fields(false, true);
	ck_assert_str_eq(text, "");
	free(text);
	text = fields(true, false);
	ck_assert_str_eq(text, "");
	free(text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("view_fields");
	TCase *tcase = tcase_create("view_fields");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, real_cards, 0, CA_ARRAY_LEN(lines));
	tcase_add_test(tcase, all_cards);
	tcase_add_test(tcase, every_register_has_lines);
	tcase_add_test(tcase, what_has_no_layout_is_shown_whole);
	tcase_add_test(tcase, masked_fields_say_so);
	tcase_add_test(tcase, hostile_strings_are_inert);
	tcase_add_test(tcase, nothing_read_is_no_line);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
