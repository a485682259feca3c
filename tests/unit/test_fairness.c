/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * No card of known good history fails, and no proven counterfeit goes without a warning, when it is
 * judged by its registers and its label. Prints the table of what became of each kind.
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
static const char *const histories[] = {"genuine", "relabelled", "unknown", "counterfeit"};

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

struct outcome {
	enum worst worst;
	bool warned;
	char why[512]; /* what failed */
};

static void judge_card(struct judge_case *t, struct outcome *ret)
{
	memset(ret, 0, sizeof(*ret));
	case_judge(t);
	for (size_t i = 0; i < t->judgement.finding_count; i++) {
		const struct ca_finding *finding = &t->judgement.findings[i];

		if (weigh(finding->verdict) > ret->worst)
			ret->worst = weigh(finding->verdict);
		ret->warned |= finding->verdict == CA_VERDICT_WARNING;
		if (finding->verdict == CA_VERDICT_FAIL)
			(void)snprintf(ret->why, sizeof(ret->why), "%s: %s", finding->rule->id,
				       finding->found);
	}
	case_done(t);
}

static void check_card(const char *id, const char *verdict, const char *evidence,
		       const struct outcome *outcome)
{
	bool good = strcmp(verdict, "genuine") == 0 || strcmp(verdict, "relabelled") == 0;

	if (good)
		ck_assert_msg(outcome->worst != WORST_FAIL, "%s (%s): %s", id, verdict,
			      outcome->why);
	if (strcmp(verdict, "counterfeit") == 0 && evidence[0] == 'T')
		ck_assert_msg(outcome->warned, "%s is a proven counterfeit without a warning", id);
}

START_TEST(cards_of_known_history_are_treated_fairly)
{
	static unsigned int table[CA_ARRAY_LEN(histories)][WORST_COUNT];
	FILE *file = fixture_open("cards/INDEX.tsv");
	struct fixture_row row;
	bool header = false;
	unsigned int cards = 0;

	while (fixture_next_row(file, &row, &header)) {
		static struct judge_case t; /* large */
		struct outcome outcome;

		ck_assert_uint_eq(row.cell_count, 5);
		case_bare(&t);
		t.evidence.origin = CA_ORIGIN_RECORDED;
		t.evidence.device.bytes = 0;
		t.request.label = row.cells[4];
		fixture_load_card(row.cells[0], &t.evidence.registers);
		judge_card(&t, &outcome);
		check_card(row.cells[0], row.cells[2], row.cells[3], &outcome);
		for (size_t i = 0; i < CA_ARRAY_LEN(histories); i++)
			if (strcmp(row.cells[2], histories[i]) == 0)
				table[i][outcome.worst]++;
		cards++;
	}
	(void)fclose(file);
	ck_assert_uint_ge(cards, 60);
	printf("%-12s", "");
	for (size_t j = 0; j < WORST_COUNT; j++)
		printf("%14s", worst_names[j]);
	for (size_t i = 0; i < CA_ARRAY_LEN(histories); i++) {
		printf("\n%-12s", histories[i]);
		for (size_t j = 0; j < WORST_COUNT; j++)
			printf("%14u", table[i][j]);
	}
	printf("\n");
}
END_TEST

/* Cards whose source printed decoded fields and the size of the device, not the raw registers. */
static const struct {
	const char *id, *verdict, *label;
	uint8_t mid;
	uint16_t oid;
	char pnm[6];
	uint8_t prv;
	uint32_t psn;
	uint16_t year;
	uint8_t month;
	uint64_t bytes;
} decoded[] = {
	{"C0120", "counterfeit", "Lenovo microSD 128GB UHS-I", 0x05, 0x000c, "asdfg", 0x22, 0x241c,
	 2024, 3, UINT64_C(134217728000)},
	{"C0121", "counterfeit", "Lenovo microSD 128GB UHS-I", 0x05, 0x000c, "asdfg", 0x22, 0x4453,
	 2024, 3, UINT64_C(134217728000)},
	{"C0122", "counterfeit", "Lenovo microSD 2TB", 0, 0, "", 0, 0x40a4, 2023, 8,
	 UINT64_C(2147483648000)},
	{"C0123", "counterfeit", "Lenovo microSD 2TB", 0x05, 0x000c, "asdfg", 0x22, 0x0654, 2024, 1,
	 UINT64_C(2147483648000)},
	{"C0124", "counterfeit", "Lenovo microSD 2TB", 0x05, 0x000c, "asdfg", 0x22, 0x14546, 2024,
	 1, UINT64_C(2147483648000)},
	{"C0125", "counterfeit", "Xiaomi microSD 16GB C10 U3 A1", 0, 0, "", 0, 0x48bd, 2023, 1,
	 UINT64_C(16106127360)},
	{"C0126", "counterfeit", "Xiaomi microSD 2TB C10 U3 A1", 0, 0, "", 0, 0x0ee2, 2023, 8,
	 UINT64_C(2147483648000)},
	{"C0128", "genuine", "QEEDNS microSD 8GB C10 U1", 0, 0, "SMI", 0, 0, 2023, 9,
	 UINT64_C(8053063680)},
	{"C0130", "genuine", "SanDisk Ultra 32GB C10 U1 A1", 0x03, 0x5344, "SD32G", 0x85,
	 0x5ce0bc8b, 2022, 12, UINT64_C(31914983424)},
	{"C0132", "genuine", "SanDisk Ultra 32GB C10 U1 A1", 0x03, 0x5344, "SD32G", 0x85,
	 0x6f65d36b, 2023, 8, UINT64_C(31914983424)},
	{"C0133", "genuine", "Samsung EVO Plus 32GB C10 U1", 0x1b, 0x534d, "EB1QT", 0x30,
	 0x1d4e67b6, 2020, 2, UINT64_C(32010928128)},
	{"C0135", "genuine", "Samsung EVO Plus 32GB C10 U1", 0x1b, 0x534d, "EB1QT", 0x30,
	 0x341d67e5, 2020, 2, UINT64_C(32010928128)},
	{"C0138", "relabelled", "Hiksemi NEO 8GB C10", 0x6f, 0x0303, "CBADS", 0x10, 0xaa009e75,
	 2023, 3, UINT64_C(7989624832)},
	{"C0149", "relabelled", "Raspberry Pi microSD card A2 128GB A2 V30 U3", 0xad, 0x4c53,
	 "USD00", 0x10, 0x12345678, 2024, 8, UINT64_C(125627793408)},
};

START_TEST(decoded_cards_are_treated_fairly)
{
	struct ca_cid cid = {
		.type = CA_CARD_TYPE_SD,
		.mid = decoded[_i].mid,
		.oid = decoded[_i].oid,
		.pnm_len = 5,
		.prv = decoded[_i].prv,
		.psn = decoded[_i].psn,
		.mdt_year = decoded[_i].year,
		.mdt_month = decoded[_i].month,
	};
	struct judge_case t;
	struct outcome outcome;

	case_bare(&t);
	memcpy(cid.pnm, decoded[_i].pnm, 5);
	ca_cid_encode(&cid, t.evidence.registers.cid);
	t.evidence.registers.has[CA_REGISTER_CID] = true;
	t.evidence.device.media = CA_MEDIA_SD;
	t.evidence.device.bytes = decoded[_i].bytes;
	t.request.label = decoded[_i].label;
	judge_card(&t, &outcome);
	check_card(decoded[_i].id, decoded[_i].verdict, "T", &outcome);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fairness");
	TCase *tcase = tcase_create("fairness");

	tcase_add_test(tcase, cards_of_known_history_are_treated_fairly);
	tcase_add_loop_test(tcase, decoded_cards_are_treated_fairly, 0, (int)CA_ARRAY_LEN(decoded));
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
