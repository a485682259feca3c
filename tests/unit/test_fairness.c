/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * No card or drive of known good history fails, and no proven counterfeit goes without a warning,
 * when it is judged by its registers and its label. Prints what became of each kind, and which
 * good ones are warned of and why.
 */
#include "judge_case.h"
#include "card_fixture.h"

enum worst {
	WORST_NOTHING,
	WORST_NOTE,
	WORST_WARNING,
	WORST_INCONCLUSIVE,
	WORST_FAIL,
	WORST_COUNT,
};
static const char *const worst_names[WORST_COUNT] = {"nothing", "note", "warning", "inconclusive",
						     "fail"};
/* What a source only guessed (evidence H) is counted apart and asserted nothing of. */
static const char *const histories[] = {"genuine",     "relabelled",  "unknown",
					"counterfeit", "guessed bad", "guessed"};
#define HISTORIES CA_ARRAY_LEN(histories)

struct tally {
	unsigned int cells[HISTORIES][WORST_COUNT];
	unsigned int judged, good, good_warned;
};

static enum worst weigh(enum ca_verdict verdict)
{
	switch (verdict) {
	case CA_VERDICT_FAIL:
		return WORST_FAIL;
	case CA_VERDICT_INCONCLUSIVE:
		return WORST_INCONCLUSIVE;
	case CA_VERDICT_WARNING:
		return WORST_WARNING;
	case CA_VERDICT_NOTE:
		return WORST_NOTE;
	case CA_VERDICT_PASS:
	case CA_VERDICT_SCREENED:
	case CA_VERDICT_UNTESTED:
		break;
	}
	return WORST_NOTHING;
}

static size_t history_of(const char *verdict, char evidence)
{
	if (evidence == 'H')
		return strcmp(verdict, "counterfeit") == 0 ? 4 : 5;
	for (size_t i = 0; i < 4; i++)
		if (strcmp(verdict, histories[i]) == 0)
			return i;
	ck_abort_msg("verdict '%s'", verdict);
	return 0;
}

/* Judges, counts, and asserts what must hold for a card of this history. */
static void judge_record(struct judge_case *t, const char *id, size_t history, char evidence,
			 struct tally *tally)
{
	enum worst worst = WORST_NOTHING;
	bool good = history < 2, warned = false;

	case_judge(t);
	for (size_t i = 0; i < t->judgement.finding_count; i++) {
		const struct ca_finding *finding = &t->judgement.findings[i];

		if (weigh(finding->verdict) > worst)
			worst = weigh(finding->verdict);
		if (good)
			ck_assert_msg(finding->verdict != CA_VERDICT_FAIL, "%s (%s): %s: %s", id,
				      histories[history], finding->rule->id, finding->found);
		if (good && (finding->verdict == CA_VERDICT_WARNING ||
			     finding->verdict == CA_VERDICT_INCONCLUSIVE))
			printf("  %s %s: %s: %.60s\n", id, histories[history], finding->rule->id,
			       finding->found);
		warned |= finding->verdict == CA_VERDICT_WARNING;
	}
	if (history == 3 && evidence == 'T')
		ck_assert_msg(warned, "%s is a proven counterfeit without a warning", id);
	tally->cells[history][worst]++;
	tally->judged++;
	tally->good += good;
	tally->good_warned += good && warned;
	case_done(t);
}

static void print_tally(const char *title, const struct tally *tally)
{
	printf("%-14s", title);
	for (size_t j = 0; j < WORST_COUNT; j++)
		printf("%14s", worst_names[j]);
	for (size_t i = 0; i < HISTORIES; i++) {
		printf("\n%-14s", histories[i]);
		for (size_t j = 0; j < WORST_COUNT; j++)
			printf("%14u", tally->cells[i][j]);
	}
	printf("\n%u judged; %u of %u good ones are warned of\n\n", tally->judged,
	       tally->good_warned, tally->good);
}

/* A recording: nothing of a host, and the size only where the record has one. */
static void case_record(struct judge_case *t, const char *label)
{
	case_bare(t);
	t->evidence.origin = CA_ORIGIN_RECORDED;
	t->evidence.device.bytes = 0;
	t->request.label = label;
}

START_TEST(cards_with_registers)
{
	static struct tally tally;
	FILE *file = fixture_open("cards/INDEX.tsv");
	struct fixture_row row;
	bool header = false;

	while (fixture_next_row(file, &row, &header)) {
		static struct judge_case t; /* large */

		ck_assert_uint_eq(row.cell_count, 5);
		case_record(&t, row.cells[4]);
		fixture_load_card(row.cells[0], &t.evidence.registers);
		judge_record(&t, row.cells[0], history_of(row.cells[2], row.cells[3][0]),
			     row.cells[3][0], &tally);
	}
	(void)fclose(file);
	ck_assert_uint_ge(tally.judged, 130);
	print_tally("raw registers", &tally);
}
END_TEST

enum decoded_cell {
	CELL_ID,
	CELL_KIND,
	CELL_LABEL,
	CELL_MID,
	CELL_OID,
	CELL_PNM,
	CELL_PRV,
	CELL_SERIAL,
	CELL_MDT,
	CELL_BYTES,
	CELL_VERDICT,
	CELL_EVIDENCE,
	CELL_SOURCE,
	CELL_COUNT,
};

/* "TO\0\0\0": what is not given is NUL too. */
static void read_name(const char *text, size_t len, char *ret)
{
	memset(ret, 0, len);
	for (size_t i = 0; i < len && *text; i++, text++) {
		if (strncmp(text, "\\0", 2) == 0)
			text++;
		else
			ret[i] = *text;
	}
}

static unsigned int hex_or(const char *text, unsigned int missing)
{
	return *text ? (unsigned int)strtoul(text, NULL, 16) : missing;
}

/* Fields that were not published get values that no rule minds. */
static void read_cid(const struct fixture_row *row, struct ca_cid *cid)
{
	*cid = (struct ca_cid){
		.type = CA_CARD_TYPE_SD,
		.mid = (uint8_t)hex_or(row->cells[CELL_MID], 0),
		.oid = (uint16_t)hex_or(row->cells[CELL_OID], 0),
		.pnm_len = 5,
		.prv = (uint8_t)hex_or(row->cells[CELL_PRV], 0x10),
		.psn = hex_or(row->cells[CELL_SERIAL], 0x5a5a5a5a),
		.mdt_year = 2020,
		.mdt_month = 1,
	};
	read_name(row->cells[CELL_PNM], 5, cid->pnm);
	if (*row->cells[CELL_MDT]) {
		cid->mdt_month = (uint8_t)strtoul(row->cells[CELL_MDT], NULL, 10);
		cid->mdt_year = (uint16_t)strtoul(row->cells[CELL_MDT] + 3, NULL, 10);
	}
}

/* Layout of eMMC: six characters, and the year since 1997 in four bits. */
static void encode_emmc(const struct fixture_row *row, const struct ca_cid *cid, uint8_t *ret)
{
	char name[6];

	read_name(row->cells[CELL_PNM], sizeof(name), name);
	memset(ret, 0, CA_CID_BYTES);
	ret[0] = cid->mid;
	ret[1] = (uint8_t)(cid->oid >> 8);
	ret[2] = (uint8_t)(cid->oid & 0xff);
	memcpy(ret + 3, name, sizeof(name));
	memset(ret + 10, 0x5a, 4);
	ret[14] = (uint8_t)(cid->mdt_month << 4 | ((cid->mdt_year - 1997) & 15));
	ret[15] = (uint8_t)(ca_crc7(ret, CA_CID_BYTES - 1) << 1 | 1);
}

START_TEST(cards_with_decoded_fields)
{
	static struct tally tally;
	FILE *file = fixture_open("identity/cards.tsv");
	struct fixture_row row;
	bool header = false;

	while (fixture_next_row(file, &row, &header)) {
		static struct judge_case t;
		struct ca_raw_registers *raw = &t.evidence.registers;
		bool emmc = strcmp(row.cells[CELL_KIND], "emmc") == 0;
		struct ca_cid cid;

		ck_assert_uint_eq(row.cell_count, CELL_COUNT);
		case_record(&t, row.cells[CELL_LABEL]);
		t.evidence.device.media = emmc ? CA_MEDIA_MMC : CA_MEDIA_SD;
		t.evidence.device.bytes = strtoull(row.cells[CELL_BYTES], NULL, 10);
		raw->type = emmc ? CA_CARD_TYPE_MMC : CA_CARD_TYPE_SD;
		raw->has[CA_REGISTER_CID] = row.cells[CELL_MID][0] != '\0';
		read_cid(&row, &cid);
		if (emmc)
			encode_emmc(&row, &cid, raw->cid);
		else
			ca_cid_encode(&cid, raw->cid);
		judge_record(&t, row.cells[CELL_ID],
			     history_of(row.cells[CELL_VERDICT], row.cells[CELL_EVIDENCE][0]),
			     row.cells[CELL_EVIDENCE][0], &tally);
	}
	(void)fclose(file);
	ck_assert_uint_ge(tally.judged, 480);
	print_tally("decoded fields", &tally);
}
END_TEST

static void put_text(uint8_t *ret, size_t len, const char *text)
{
	memset(ret, ' ', len);
	memcpy(ret, text, strlen(text) < len ? strlen(text) : len);
}

static void put_hex(uint8_t *ret, const char *text, size_t bytes)
{
	unsigned long value = strtoul(text, NULL, 16);

	for (size_t i = 0; i < bytes; i++)
		ret[i] = (uint8_t)(value >> 8 * i & 0xff);
}

/* id vid ssvid mn fr oui tnvmcap nsze ver label verdict source */
static void case_drive(const struct fixture_row *row, struct judge_case *t)
{
	uint8_t *ctrl = t->evidence.registers.nvme_ctrl, *ns = t->evidence.registers.nvme_ns;
	uint64_t bytes = strtoull(row->cells[7], NULL, 10);
	char *minor = NULL;

	case_record(t, row->cells[9]);
	t->evidence.device.media = CA_MEDIA_NVME;
	t->evidence.registers.has[CA_REGISTER_NVME_CTRL] = true;
	put_hex(ctrl, row->cells[1], 2);
	put_hex(ctrl + 2, row->cells[2], 2);
	put_text(ctrl + 4, 20, "SN0123456789");
	put_text(ctrl + 24, 40, row->cells[3]);
	put_text(ctrl + 64, 8, row->cells[4]);
	put_hex(ctrl + 73, row->cells[5], 3);
	ca_put_le64(ctrl + 280, strtoull(row->cells[6], NULL, 10));
	if (*row->cells[8]) {
		ctrl[82] = (uint8_t)strtoul(row->cells[8], &minor, 10);
		ctrl[81] = *minor == '.' ? (uint8_t)strtoul(minor + 1, NULL, 10) : 0;
	}
	t->evidence.registers.has[CA_REGISTER_NVME_NS] = bytes != 0;
	ca_put_le64(ns, bytes / 512);
	ca_put_le64(ns + 8, bytes / 512);
	ns[130] = 9;
	t->evidence.device.bytes = bytes;
}

START_TEST(drives)
{
	static struct tally tally;
	FILE *file = fixture_open("nvme/records.tsv");
	struct fixture_row row;
	bool header = false;

	while (fixture_next_row(file, &row, &header)) {
		static struct judge_case t;
		size_t history;

		ck_assert_uint_eq(row.cell_count, 12);
		case_drive(&row, &t);
		history = history_of(row.cells[10], 'O');
		judge_record(&t, row.cells[0], history, 'T', &tally);
	}
	(void)fclose(file);
	ck_assert_uint_ge(tally.judged, 60);
	print_tally("drives", &tally);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fairness");
	TCase *tcase = tcase_create("fairness");

	tcase_add_test(tcase, cards_with_registers);
	tcase_add_test(tcase, cards_with_decoded_fields);
	tcase_add_test(tcase, drives);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
