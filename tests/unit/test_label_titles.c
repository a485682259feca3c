/* SPDX-License-Identifier: BSD-2-Clause */
/* Every row of fixtures/labels.tsv is understood as it says, and neither more nor less. */
#include "label_words.h"
#include "card_fixture.h"

START_TEST(titles)
{
	struct fixture_row row;
	bool header = false;
	size_t rows = 0;
	FILE *table = fixture_open("labels.tsv");

	while (fixture_next_row(table, &row, &header)) {
		struct ca_claims claims = {0};
		struct ca_text text;
		char buf[1024];

		ck_assert_uint_eq(row.cell_count, 4);
		ca_claims_parse_label(row.cells[1], &claims);
		ca_text_init(&text, buf, sizeof(buf));
		label_words(&claims, &text);
		ck_assert_msg(strcmp(buf, row.cells[2]) == 0, "%s\nsays  %s\nnot   %s",
			      row.cells[1], buf, row.cells[2]);
		ck_assert_msg(strcmp(claims.not_understood, row.cells[3]) == 0,
			      "%s\nleaves %s\nnot    %s", row.cells[1], claims.not_understood,
			      row.cells[3]);
		rows++;
	}
	(void)fclose(table);
	ck_assert_uint_ge(rows, 280);
}
END_TEST

/* Blanks of any kind around a label change nothing. */
START_TEST(blanks_around_do_not_matter)
{
	struct fixture_row row;
	bool header = false;
	FILE *table = fixture_open("labels.tsv");

	while (fixture_next_row(table, &row, &header)) {
		static const char *const around[][2] = {{" \t", "\r\n"},
							{"\xc2\xa0", "\xe3\x80\x80"}};

		for (size_t i = 0; i < CA_ARRAY_LEN(around); i++) {
			struct ca_claims claims = {0}, plain = {0};
			char label[FIXTURE_LINE_MAX + 16];

			(void)snprintf(label, sizeof(label), "%s%s%s", around[i][0], row.cells[1],
				       around[i][1]); /* fits */
			ca_claims_parse_label(label, &claims);
			ca_claims_parse_label(row.cells[1], &plain);
			ck_assert_uint_eq(claims.count, plain.count);
			ck_assert_mem_eq(claims.claims, plain.claims, sizeof(plain.claims));
		}
	}
	(void)fclose(table);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("label_titles");
	TCase *tcase = tcase_create("label_titles");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, titles);
	tcase_add_test(tcase, blanks_around_do_not_matter);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
