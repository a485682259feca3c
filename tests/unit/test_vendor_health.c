/* SPDX-License-Identifier: BSD-2-Clause */
#include "vendor_page.h"

#include <check.h>
#include <stdlib.h>

static struct ca_vendor_health health;
static uint8_t page[CA_VENDOR_BYTES];
static const struct ca_vendor_query *row;

static void reset(void)
{
	memset(&health, 0, sizeof(health));
	memset(page, 0, sizeof(page));
	row = NULL;
}

static const char *value_of(const char *layout, const char *name, const uint8_t *data)
{
	static char buf[128];
	struct ca_text text;

	ca_text_init(&text, buf, sizeof(buf));
	ca_vendor_field_text(page_field(layout, name), data, &text);
	return buf;
}

/* ---- the tables ----------------------------------------------------------------------------- */

START_TEST(every_query_only_reads)
{
	unsigned int count = 0;

	for (; ca_vendor_argument_at(count); count++)
		ck_assert(ca_vendor_argument_at(count) & 1);
	ck_assert_uint_eq(count, 6);
	ck_assert_uint_le(count, CA_VENDOR_ANSWERS_MAX);
	ck_assert(!ca_vendor_is_query(0x10)); /* the two steps of other makers */
	ck_assert(!ca_vendor_is_query(0x21));
	ck_assert(!ca_vendor_is_query(0));
	ck_assert(ca_vendor_is_query(1));
}
END_TEST

START_TEST(each_row_is_known_by_its_page)
{
	const struct ca_vendor_query *query = &ca_vendor_queries[_i];
	unsigned int index = 99;

	reset();
	ck_assert(ca_vendor_field_first(query->layout));
	page_make(query, page);
	ck_assert(ca_vendor_add(&health, query->argument, CA_VENDOR_ANSWER, page));
	ck_assert_int_eq(ca_vendor_weigh(&health, 0, &row), CA_VENDOR_KNOWN);
	ck_assert_ptr_eq(row, query);
	row = NULL;
	ck_assert(ca_vendor_find(&health, &index, &row));
	ck_assert_ptr_eq(row, query);
	ck_assert_uint_eq(index, 0);
}
END_TEST

START_TEST(a_signature_counts_only_for_its_own_query)
{
	const struct ca_vendor_query *query = &ca_vendor_queries[_i];
	uint32_t other = query->argument == 1 ? 0x110005fb : 1;

	reset();
	page_make(query, page);
	ck_assert(ca_vendor_add(&health, other, CA_VENDOR_ANSWER, page));
	ck_assert_int_eq(ca_vendor_weigh(&health, 0, &row), CA_VENDOR_UNKNOWN);
	ck_assert_ptr_null(row);
	ck_assert(!ca_vendor_find(&health, &(unsigned int){0}, &row));
}
END_TEST

/* Each numeric field with a limit, and each text and date, makes its page implausible. */
START_TEST(an_implausible_field_spoils_its_page)
{
	const struct ca_vendor_query *query = &ca_vendor_queries[_i];
	unsigned int spoilt = 0;

	for (const struct ca_vendor_field *field = ca_vendor_field_first(query->layout); field;
	     field = ca_vendor_field_next(field)) {
		reset();
		page_make(query, page);
		if (field->largest) {
			page_set(page, field, field->largest);
			ck_assert(ca_vendor_field_is_plausible(field, page));
			page_set(page, field, field->largest + 1);
		} else if (strcmp(field->decode, "date") == 0 ||
			   strcmp(field->decode, "text") == 0) {
			page[field->byte] = 0x1b;
		} else {
			continue;
		}
		spoilt++;
		ck_assert_msg(!ca_vendor_field_is_plausible(field, page), "%s.%s", field->layout,
			      field->name);
		ck_assert_ptr_nonnull(
			strstr(value_of(field->layout, field->name, page), "not plausible: 0x"));
		ck_assert(ca_vendor_add(&health, query->argument, CA_VENDOR_ANSWER, page));
		ck_assert_int_eq(ca_vendor_weigh(&health, 0, &row), CA_VENDOR_IMPLAUSIBLE);
		ck_assert(!ca_vendor_find(&health, &(unsigned int){0}, &row));
	}
	ck_assert_uint_gt(spoilt, 0);
}
END_TEST

/* ---- answers that are none ------------------------------------------------------------------ */

START_TEST(one_byte_throughout_is_no_answer)
{
	static const uint8_t bytes[] = {0x00, 0xff, 0xec, 0x70};

	reset();
	memset(page, bytes[_i], sizeof(page));
	ck_assert(ca_vendor_add(&health, 1, CA_VENDOR_ANSWER, page));
	ck_assert_int_eq(ca_vendor_weigh(&health, 0, &row), CA_VENDOR_BLANK);
	ck_assert_str_eq(ca_vendor_worth_text(&health, 0), "no answer: one byte throughout");
}
END_TEST

START_TEST(the_same_bytes_twice_are_no_answer)
{
	reset();
	page_make(&ca_vendor_queries[2], page);
	ck_assert_uint_eq(ca_vendor_queries[2].argument, 1);
	ck_assert(ca_vendor_add(&health, 1, CA_VENDOR_ANSWER, page));
	ck_assert_int_eq(ca_vendor_weigh(&health, 0, &row), CA_VENDOR_KNOWN);
	ck_assert(ca_vendor_add(&health, 0x110005fb, CA_VENDOR_ANSWER, page));
	ck_assert_int_eq(ca_vendor_weigh(&health, 0, &row), CA_VENDOR_REPEATED);
	ck_assert_int_eq(ca_vendor_weigh(&health, 1, &row), CA_VENDOR_REPEATED);
	ck_assert(!ca_vendor_find(&health, &(unsigned int){0}, &row));
	health.answers[1].data[511] ^= 1;
	ck_assert_int_eq(ca_vendor_weigh(&health, 0, &row), CA_VENDOR_KNOWN);
}
END_TEST

START_TEST(what_did_not_come_says_why)
{
	static const struct {
		enum ca_vendor_result result;
		const char *name, *words;
	} cases[] = {
		{CA_VENDOR_TIMEOUT, "timeout", "the card does not answer"},
		{CA_VENDOR_ERROR, "error", "the transfer failed"},
		{CA_VENDOR_ECHO, "sector 0", "no answer: the card sent its sector 0"},
		{CA_VENDOR_MASKED, "masked", "an answer that is not known, blanked on request"},
	};

	reset();
	ck_assert(ca_vendor_add(&health, 1, cases[_i].result, NULL));
	ck_assert(health.asked);
	ck_assert_int_eq(ca_vendor_weigh(&health, 0, &row), CA_VENDOR_NONE);
	ck_assert_str_eq(ca_vendor_result_name(cases[_i].result), cases[_i].name);
	ck_assert_str_eq(ca_vendor_worth_text(&health, 0), cases[_i].words);
	ck_assert(ca_bytes_is_all(health.answers[0].data, CA_VENDOR_BYTES, 0));
}
END_TEST

START_TEST(answers_are_kept_once_and_bounded)
{
	reset();
	for (uint32_t i = 0; i < CA_VENDOR_ANSWERS_MAX; i++) {
		ck_assert(ca_vendor_add(&health, i, CA_VENDOR_TIMEOUT, NULL));
		ck_assert(!ca_vendor_add(&health, i, CA_VENDOR_TIMEOUT, NULL));
	}
	ck_assert(!ca_vendor_add(&health, 77, CA_VENDOR_TIMEOUT, NULL));
	ck_assert_uint_eq(health.count, CA_VENDOR_ANSWERS_MAX);
}
END_TEST

/* A signature that names its maker counts before one that several makers give. */
START_TEST(a_maker_comes_before_a_shared_signature)
{
	static const unsigned int shared = 5, swissbit = 4;
	unsigned int index = 9;

	reset();
	ck_assert_str_eq(ca_vendor_queries[shared].standing, "shared");
	ck_assert_str_eq(ca_vendor_queries[swissbit].maker, "Swissbit");
	page_make(&ca_vendor_queries[shared], page);
	ck_assert(
		ca_vendor_add(&health, ca_vendor_queries[shared].argument, CA_VENDOR_ANSWER, page));
	ck_assert(ca_vendor_find(&health, &index, &row));
	ck_assert_ptr_eq(row, &ca_vendor_queries[shared]);
	page_make(&ca_vendor_queries[swissbit], page);
	ck_assert(ca_vendor_add(&health, ca_vendor_queries[swissbit].argument, CA_VENDOR_ANSWER,
				page));
	ck_assert(ca_vendor_find(&health, &index, &row));
	ck_assert_ptr_eq(row, &ca_vendor_queries[swissbit]);
	ck_assert_uint_eq(index, 1);
}
END_TEST

/* ---- values --------------------------------------------------------------------------------- */

/* Pages of cards that were published: the bytes at their places, not by the tables. */
START_TEST(published_values_are_read)
{
	reset();
	memcpy(page, "DS211122\x01\0\0\x1f\0\0\x05", 15);
	memcpy(page + 24, "\0\0\x0e", 3);
	memcpy(page + 49, "SanDisk                         ", 32);
	ck_assert_str_eq(value_of("sandisk", "made", page), "2021-11-22");
	ck_assert_str_eq(value_of("sandisk", "life_used", page), "1 %");
	ck_assert_str_eq(value_of("sandisk", "power_cycles", page), "14");
	ck_assert_str_eq(value_of("sandisk", "product", page), "SanDisk");
	reset();
	memcpy(page + 40, "\0\0\x01\x95", 4);
	memcpy(page + 64, "\0\0\xe9\x81", 4);
	memcpy(page + 80, "\x45\x3e\x98\x03\x76\x6c\x74", 7);
	memcpy(page + 88, "SM2706", 6);
	ck_assert_str_eq(value_of("adata", "total_erase_count", page), "405");
	ck_assert_str_eq(value_of("adata", "raw_capacity", page), "59,777 MB");
	ck_assert_str_eq(value_of("adata", "flash_id", page), "0x453e9803766c74");
	ck_assert_str_eq(value_of("adata", "controller", page), "SM2706");
	reset();
	memcpy(page + 36, "\x39\x30\0\0", 4); /* little-endian */
	memcpy(page + 24, "\0\0\0\0\x01\0\0\0", 8);
	ck_assert_str_eq(value_of("longsys", "wear", page), "12.35 cycles");
	ck_assert_str_eq(value_of("longsys", "sectors_written", page), "4,294,967,296 sectors");
	reset();
	memcpy(page + 48, "\0\x01\x86\xa0", 4);
	ck_assert_str_eq(value_of("swissbit", "rated_cycles", page), "100,000 cycles");
}
END_TEST

START_TEST(dates_and_texts_are_checked)
{
	static const struct {
		const char *date;
		bool plausible;
	} dates[] = {
		{"240403", true},
		{"240431", true},
		{"241301", false},
		{"240001", false},
		{"240132", false},
		{"240100", false},
		{"24\xff\xff\xff\xff", false},
	};

	for (size_t i = 0; i < CA_ARRAY_LEN(dates); i++) {
		reset();
		memcpy(page + 2, dates[i].date, 6);
		ck_assert_msg(ca_vendor_field_is_plausible(page_field("sandisk", "made"), page) ==
				      dates[i].plausible,
			      "%s", dates[i].date);
	}
	reset();
	memset(page + 49, 0xff, 32); /* erased: empty, not wrong */
	ck_assert_str_eq(value_of("sandisk", "product", page), "");
	memcpy(page + 49, "a\\b\"", 4);
	ck_assert_str_eq(value_of("sandisk", "product", page), "a\\\\b\"");
}
END_TEST

/* ---- masking -------------------------------------------------------------------------------- */

START_TEST(masking_keeps_the_known_fields_alone)
{
	static struct ca_vendor_health once;
	const struct ca_vendor_query *query = &ca_vendor_queries[2];

	reset();
	page_make(query, page);
	memcpy(page + 400, "SERIAL", 6);
	ck_assert(ca_vendor_add(&health, 1, CA_VENDOR_ANSWER, page));
	page[0] = 0x11;
	ck_assert(ca_vendor_add(&health, 0x53420001, CA_VENDOR_ANSWER, page));
	ck_assert(ca_vendor_add(&health, 0x110005fb, CA_VENDOR_TIMEOUT, NULL));
	ca_vendor_mask(&health);
	ck_assert_int_eq(ca_vendor_weigh(&health, 0, &row), CA_VENDOR_KNOWN);
	ck_assert_ptr_eq(row, query);
	ck_assert(ca_bytes_is_all(health.answers[0].data + 400, 6, 0));
	ck_assert_str_eq(value_of("longsys", "life_left", health.answers[0].data), "100 %");
	ck_assert_int_eq(health.answers[1].result, CA_VENDOR_MASKED);
	ck_assert(ca_bytes_is_all(health.answers[1].data, CA_VENDOR_BYTES, 0));
	ck_assert_int_eq(health.answers[2].result, CA_VENDOR_TIMEOUT);
	once = health;
	ca_vendor_mask(&health);
	ck_assert_mem_eq(&once, &health, sizeof(once));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("vendor_health");
	TCase *tcase = tcase_create("vendor_health");
	SRunner *runner = srunner_create(suite);
	int rows = (int)ca_vendor_queries_count, failed;

	tcase_add_test(tcase, every_query_only_reads);
	tcase_add_loop_test(tcase, each_row_is_known_by_its_page, 0, rows);
	tcase_add_loop_test(tcase, a_signature_counts_only_for_its_own_query, 0, rows);
	tcase_add_loop_test(tcase, an_implausible_field_spoils_its_page, 0, rows);
	tcase_add_loop_test(tcase, one_byte_throughout_is_no_answer, 0, 4);
	tcase_add_test(tcase, the_same_bytes_twice_are_no_answer);
	tcase_add_loop_test(tcase, what_did_not_come_says_why, 0, 4);
	tcase_add_test(tcase, answers_are_kept_once_and_bounded);
	tcase_add_test(tcase, a_maker_comes_before_a_shared_signature);
	tcase_add_test(tcase, published_values_are_read);
	tcase_add_test(tcase, dates_and_texts_are_checked);
	tcase_add_test(tcase, masking_keeps_the_known_fields_alone);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
