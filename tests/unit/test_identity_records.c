/* SPDX-License-Identifier: BSD-2-Clause */
/* Every real record of fixtures/ against the tables: who made it must come out as its verdict says.
 */
#include "cardassay/claims.h"
#include "cardassay/identity.h"
#include "card_fixture.h"

/*
 * Good cards whose maker stays unknown, and why. Whoever closes one of these takes it off the list.
 */
static const char *const unexplained[] = {
	"C0042", /* Gigastone on 00/"42": a blank MID that others call a counterfeit */
	"C0128", /* QEEDNS on 00/0000: full capacity, and yet nobody's numbers */
};

static bool is_unexplained(const char *id)
{
	for (size_t i = 0; i < CA_ARRAY_LEN(unexplained); i++)
		if (strcmp(unexplained[i], id) == 0)
			return true;
	return false;
}

static bool is_good(const char *verdict)
{
	return strcmp(verdict, "genuine") == 0 || strcmp(verdict, "relabelled") == 0;
}

static void check_relation(const char *id, const char *verdict, const struct ca_identity *identity)
{
	bool explained =
		identity->relation == CA_RELATION_OWN || identity->relation == CA_RELATION_OEM;
	const char *name = ca_relation_name(identity->relation);

	ck_assert_msg(identity->summary[0] != '\0', "%s: no summary", id);
	if (is_good(verdict) && is_unexplained(id))
		ck_assert_msg(identity->relation == CA_RELATION_UNKNOWN_MAKER, "%s: %s", id, name);
	else if (is_good(verdict) && identity->brand)
		ck_assert_msg(explained, "%s: %s: %s", id, name, identity->summary);
	else if (strcmp(verdict, "counterfeit") == 0)
		ck_assert_msg(!explained, "%s: %s: %s", id, name, identity->summary);
}

START_TEST(cards_with_registers)
{
	static struct ca_raw_registers raw;
	static struct ca_registers registers;
	struct fixture_row row;
	bool header = false;
	size_t cards = 0;
	FILE *index = fixture_open("cards/INDEX.tsv");

	while (fixture_next_row(index, &row, &header)) {
		struct ca_identity identity;

		ck_assert_uint_eq(row.cell_count, 5);
		fixture_load_card(row.cells[0], &raw);
		ca_registers_decode(&raw, &registers);
		ca_identity_resolve(&raw, &registers,
				    ca_identity_find_brand(row.cells[4], NULL, NULL), &identity);
		check_relation(row.cells[0], row.cells[2], &identity);
		cards++;
	}
	(void)fclose(index);
	ck_assert_uint_ge(cards, 74);
}
END_TEST

/* A CID made of the fields that were published. */
static void decoded_registers(const struct fixture_row *row, struct ca_registers *registers)
{
	memset(registers, 0, sizeof(*registers));
	registers->has[CA_REGISTER_CID] = true;
	registers->cid.mid = (uint8_t)strtoul(row->cells[2], NULL, 16);
	registers->cid.oid = (uint16_t)strtoul(row->cells[3], NULL, 16);
	if (row->cells[4][0] != '\\')
		(void)ca_string_copy(registers->cid.pnm, sizeof(registers->cid.pnm), row->cells[4]);
}

START_TEST(cards_with_decoded_fields)
{
	static struct ca_raw_registers raw;
	static struct ca_registers registers;
	struct fixture_row row;
	bool header = false;
	size_t cards = 0;
	FILE *table = fixture_open("cards/decoded.tsv");

	while (fixture_next_row(table, &row, &header)) {
		struct ca_identity identity;

		ck_assert_uint_eq(row.cell_count, 13);
		if (!row.cells[2][0])
			continue; /* only the product name is known */
		decoded_registers(&row, &registers);
		ca_identity_resolve(&raw, &registers,
				    ca_identity_find_brand(row.cells[1], NULL, NULL), &identity);
		check_relation(row.cells[0], row.cells[9], &identity);
		cards++;
	}
	(void)fclose(table);
	ck_assert_uint_ge(cards, 14);
}
END_TEST

START_TEST(drives)
{
	static struct ca_raw_registers raw;
	static struct ca_registers registers;
	struct fixture_row row;
	bool header = false;
	size_t explained = 0, seen = 0;
	FILE *table = fixture_open("nvme/records.tsv");

	while (fixture_next_row(table, &row, &header)) {
		struct ca_identity identity;

		ck_assert_uint_eq(row.cell_count, 12);
		if (!row.cells[1][0])
			continue; /* the vendor was not published */
		memset(&registers, 0, sizeof(registers));
		registers.has[CA_REGISTER_NVME_CTRL] = true;
		registers.nvme_ctrl.vid = (uint16_t)strtoul(row.cells[1], NULL, 16);
		(void)ca_string_copy(registers.nvme_ctrl.mn, sizeof(registers.nvme_ctrl.mn),
				     row.cells[3]);
		ca_identity_resolve(&raw, &registers,
				    ca_identity_find_brand(row.cells[9], NULL, NULL), &identity);
		seen++;
		ck_assert_msg(identity.maker_name[0], "%s: no maker", row.cells[0]);
		ck_assert_msg(identity.relation != CA_RELATION_CONTRADICTION, "%s: %s",
			      row.cells[0], identity.summary);
		if (identity.relation == CA_RELATION_OWN || identity.relation == CA_RELATION_OEM)
			explained++;
		else
			ck_assert_msg(!identity.brand || !is_good(row.cells[10]) ||
					      !row.cells[3][0],
				      "%s: %s: %s", row.cells[0],
				      ca_relation_name(identity.relation), identity.summary);
	}
	(void)fclose(table);
	ck_assert_uint_ge(seen, 35);
	ck_assert_uint_ge(explained, 30);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("identity_records");
	TCase *tcase = tcase_create("identity_records");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, cards_with_registers);
	tcase_add_test(tcase, cards_with_decoded_fields);
	tcase_add_test(tcase, drives);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
