/* SPDX-License-Identifier: BSD-2-Clause */
/* Every register of fixtures/ decodes to what its source printed, or fails as it must. */
#include "cardassay/claims.h"
#include "card_fixture.h"

#include <dirent.h>
#include <errno.h>

/* PNM as the tables write it: \0 for a NUL, trailing blanks and NULs left out. */
static void write_pnm(const struct ca_cid *cid, char *ret, size_t size)
{
	struct ca_text text;
	size_t len = cid->pnm_len;

	ca_text_init(&text, ret, size);
	while (len > 0 && cid->pnm[len - 1] == ' ')
		len--;
	for (size_t i = 0; i < len; i++) {
		if (cid->pnm[i])
			ca_text_add_len(&text, &cid->pnm[i], 1);
		else
			ca_text_add(&text, "\\0");
	}
}

struct origin {
	const char *id;
	char text[4096];
};

/* True when ORIGIN has the key and it says `expected` differs from `got`: fails with both. */
static void same(const struct origin *origin, const char *key, const char *got)
{
	char value[512];

	if (*fixture_origin_value(origin->text, key, value, sizeof(value)))
		ck_assert_msg(strcmp(value, got) == 0, "%s: %s: source says '%s', decoded '%s'",
			      origin->id, key, value, got);
}

static void check_cid(const struct origin *origin, const struct ca_raw_registers *raw)
{
	struct ca_cid cid;
	char got[64];

	ck_assert_int_eq(ca_cid_decode(raw->type, raw->cid, sizeof(raw->cid), &cid), 0);
	(void)snprintf(got, sizeof(got), "%02x", cid.mid);
	same(origin, "mid", got);
	(void)snprintf(got, sizeof(got), "%04x", cid.oid);
	same(origin, "oid", got);
	write_pnm(&cid, got, sizeof(got));
	same(origin, "pnm", got);
	(void)snprintf(got, sizeof(got), "%02x", cid.prv);
	same(origin, "prv", got);
	(void)snprintf(got, sizeof(got), "0x%08x", cid.psn);
	same(origin, "serial", got);
	if (raw->type == CA_CARD_TYPE_SD)
		(void)snprintf(got, sizeof(got), "%02u/%04u", cid.mdt_month, cid.mdt_year);
	else
		(void)snprintf(got, sizeof(got), "raw %x%x", cid.mdt_month, cid.mdt_year - 1997U);
	same(origin, "mdt", got);
}

static void check_csd(const struct origin *origin, const struct ca_raw_registers *raw)
{
	struct ca_csd csd;
	char got[64];

	ck_assert_int_eq(ca_csd_decode(raw->type, raw->csd, sizeof(raw->csd), &csd), 0);
	(void)snprintf(got, sizeof(got), "%llu", (unsigned long long)csd.capacity_bytes);
	same(origin, "csd_bytes", got);
	(void)snprintf(got, sizeof(got), "%llu", (unsigned long long)csd.capacity_bytes / 512);
	/* eMMC keeps its size in EXT_CSD */
	if (raw->type == CA_CARD_TYPE_SD)
		same(origin, "sectors", got);
}

START_TEST(every_card_decodes_to_its_origin)
{
	static struct ca_raw_registers raw;
	struct fixture_row row;
	bool header = false;
	size_t cards = 0, csds = 0;
	FILE *index = fixture_open("cards/INDEX.tsv");

	while (fixture_next_row(index, &row, &header)) {
		struct origin origin = {.id = row.cells[0]};
		char path[64];
		size_t len;

		ck_assert_uint_eq(row.cell_count, 5);
		(void)snprintf(path, sizeof(path), "cards/%s/ORIGIN", row.cells[0]);
		ck_assert(fixture_read(path, origin.text, sizeof(origin.text), &len));
		same(&origin, "id", row.cells[0]);
		same(&origin, "verdict", row.cells[2]);
		same(&origin, "evidence", row.cells[3]);
		same(&origin, "label", row.cells[4]);
		fixture_load_card(row.cells[0], &raw);
		ck_assert_msg(raw.has[CA_REGISTER_CID], "%s: no CID", row.cells[0]);
		check_cid(&origin, &raw);
		if (raw.has[CA_REGISTER_CSD]) {
			check_csd(&origin, &raw);
			csds++;
		}
		cards++;
	}
	(void)fclose(index);
	ck_assert_uint_ge(cards, 74);
	ck_assert_uint_ge(csds, 50);
}
END_TEST

/* A directory that INDEX.tsv does not name would never be tested. */
START_TEST(every_card_is_in_the_index)
{
	size_t directories = 0, rows = 0;
	struct fixture_row row;
	bool header = false;
	struct dirent *entry;
	FILE *index = fixture_open("cards/INDEX.tsv");
	DIR *cards = opendir(CA_FIXTURES "/cards");

	ck_assert_ptr_nonnull(cards);
	while ((entry = readdir(cards)) != NULL)
		if (entry->d_name[0] != '.' && !strstr(entry->d_name, ".tsv"))
			directories++;
	(void)closedir(cards);
	while (fixture_next_row(index, &row, &header))
		rows++;
	(void)fclose(index);
	ck_assert_uint_eq(rows, directories);
}
END_TEST

/* Classes of the cards whose SSR is known. */
static const struct {
	const char *id;
	const char *classes; /* ids, in the order of the claims */
} ssr_cards[] = {
	{"C0067", "C10 U1 A1"},
	{"C0070", "C10 U3 V30 A2"},
	{"C0071", "C10 U3 V30 A2"},
};

START_TEST(claims_of_real_ssrs)
{
	static struct ca_raw_registers raw;
	static struct ca_registers registers;
	struct ca_claims claims = {0};
	struct ca_text text;
	char buf[128];

	fixture_load_card(ssr_cards[_i].id, &raw);
	ca_registers_decode(&raw, &registers);
	ca_claims_from_registers(&registers, 0, &claims);
	ca_text_init(&text, buf, sizeof(buf));
	for (size_t i = 0; i < claims.count; i++) {
		if (claims.claims[i].source != CA_SOURCE_SSR)
			continue;
		ca_text_add(&text, text.len ? " " : "");
		ca_text_add(&text, claims.claims[i].id);
	}
	ck_assert_str_eq(buf, ssr_cards[_i].classes);
}
END_TEST

/* The labels as sellers and owners wrote them: capacity and brand are found in nearly all. */
START_TEST(labels_of_real_cards)
{
	struct fixture_row row;
	bool header = false;
	size_t labels = 0, capacities = 0, brands = 0;
	FILE *index = fixture_open("cards/INDEX.tsv");

	while (fixture_next_row(index, &row, &header)) {
		struct ca_claims claims = {0};

		if (!row.cells[4][0])
			continue;
		ca_claims_parse_label(row.cells[4], &claims);
		labels++;
		brands += claims.brand != NULL;
		capacities += ca_claims_find(&claims, CA_CLAIM_CAPACITY, CA_SOURCE_LABEL) != NULL;
	}
	(void)fclose(index);
	ck_assert_uint_ge(labels, 40);
	ck_assert_uint_ge(brands, 36);
	ck_assert_uint_ge(capacities, 33);
}
END_TEST

static int errno_of(const char *name)
{
	static const struct {
		const char *name;
		int value;
	} names[] = {
		{"EMSGSIZE", EMSGSIZE}, {"ENODATA", ENODATA}, {"EOVERFLOW", EOVERFLOW},
		{"EINVAL", EINVAL},	{"EILSEQ", EILSEQ},   {"EPROTO", EPROTO},
	};

	for (size_t i = 0; i < CA_ARRAY_LEN(names); i++)
		if (strcmp(names[i].name, name) == 0)
			return names[i].value;
	ck_abort_msg("EXPECTED.tsv: %s", name);
	return 0;
}

static int decode(const char *reg, const uint8_t *data, size_t bytes)
{
	struct ca_cid cid;
	struct ca_csd csd;
	struct ca_scr scr;
	struct ca_ssr ssr;

	if (strcmp(reg, "cid") == 0)
		return ca_cid_decode(CA_CARD_TYPE_SD, data, bytes, &cid);
	if (strcmp(reg, "csd") == 0)
		return ca_csd_decode(CA_CARD_TYPE_SD, data, bytes, &csd);
	if (strcmp(reg, "scr") == 0)
		return ca_scr_decode(data, bytes, &scr);
	ck_assert_str_eq(reg, "ssr");
	return ca_ssr_decode(data, bytes, &ssr);
}

START_TEST(malformed_files_fail)
{
	struct fixture_row row;
	bool header = false;
	size_t files = 0;
	FILE *table = fixture_open("bad/EXPECTED.tsv");

	while (fixture_next_row(table, &row, &header)) {
		size_t max = strcmp(row.cells[1], "ssr") == 0 ? CA_SSR_BYTES : CA_CID_BYTES;
		uint8_t data[CA_SSR_BYTES];
		char path[128], text[256];
		size_t len, bytes = 0;
		int r;

		ck_assert_uint_eq(row.cell_count, 4);
		(void)snprintf(path, sizeof(path), "bad/%s", row.cells[0]);
		ck_assert_msg(fixture_read(path, text, sizeof(text), &len), "%s", path);
		r = ca_hex_decode(text, len, data, max, &bytes);
		if (r == 0)
			r = decode(row.cells[1], data, bytes);
		ck_assert_msg(r == -errno_of(row.cells[2]), "%s: %s, not %s", row.cells[0],
			      strerror(-r), row.cells[2]);
		files++;
	}
	(void)fclose(table);
	ck_assert_uint_ge(files, 13);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("card_fixtures");
	TCase *tcase = tcase_create("card_fixtures");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, every_card_decodes_to_its_origin);
	tcase_add_test(tcase, every_card_is_in_the_index);
	tcase_add_loop_test(tcase, claims_of_real_ssrs, 0, (int)CA_ARRAY_LEN(ssr_cards));
	tcase_add_test(tcase, labels_of_real_cards);
	tcase_add_test(tcase, malformed_files_fail);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
