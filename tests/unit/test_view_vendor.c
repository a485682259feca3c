/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_certificate_sample.h"
#include "vendor_page.h"

static struct ca_certificate *certificate;
static uint8_t page[CA_VENDOR_BYTES];

static char *inspect(bool all)
{
	struct ca_view_options options = {.all = all};
	char *text;

	ck_assert_int_eq(ca_certificate_inspect_text(certificate, &options, &text), 0);
	for (const char *p = text; *p; p++)
		ck_assert_msg(*p == '\n' || (unsigned char)*p >= 0x20, "control byte");
	return text;
}

static char *fields(bool json)
{
	struct ca_fields_options options = {.json = json};
	char *text;

	ck_assert_int_eq(ca_certificate_fields(&certificate->evidence, &options, &text), 0);
	return text;
}

static void has(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part) != NULL, "\"%s\" is not there", part);
}

static void begin(void)
{
	certificate = sample_certificate();
}

static void end(void)
{
	sample_free(certificate);
}

START_TEST(nothing_is_shown_unasked)
{
	char *text = inspect(true), *lines = fields(false);

	ck_assert_ptr_null(strstr(text, "Health page"));
	ck_assert_ptr_null(strstr(lines, "cmd56"));
	free(text);
	free(lines);
}
END_TEST

START_TEST(a_page_is_shown)
{
	struct ca_vendor_health *health = &certificate->evidence.vendor;
	char *text;

	page_make(&ca_vendor_queries[4], page);
	ck_assert(ca_vendor_add(health, 1, CA_VENDOR_TIMEOUT, NULL));
	ck_assert(ca_vendor_add(health, 0x53420001, CA_VENDOR_ANSWER, page));
	text = inspect(false);
	has(text, "\nHealth page of the maker (vendor-defined: in no standard)\n");
	has(text, "  CMD56 00000001h   the card does not answer\n");
	has(text, "  page of           Swissbit\n");
	has(text, "  life left                 100 %\n");
	ck_assert_ptr_null(strstr(text, "life that is left"));
	free(text);
	text = inspect(true);
	has(text, "100 %; life that is left\n");
	free(text);
	text = fields(false);
	has(text, "\ncmd56.life_left\t[80:80]\t0x64\t100 %\t(vendor-defined)\n");
	has(text, "\ncmd56.spare_blocks\t[91:88]\t0x0000002e\t46\t(vendor-defined)\n");
	free(text);
	text = fields(true);
	has(text, "\"register\":\"cmd56\",\"field\":\"life_left\",\"unit\":\"byte\",\"msb\":80");
	free(text);
}
END_TEST

START_TEST(a_shared_signature_names_them_all)
{
	page_make(&ca_vendor_queries[6], page);
	ck_assert(ca_vendor_add(&certificate->evidence.vendor, 0x110005f1, CA_VENDOR_ANSWER, page));
	char *text = inspect(false);

	has(text, "  given by cards of ADATA; Transcend; PNY: ");
	free(text);
}
END_TEST

/* Implausible values and hostile texts are not shown as values. */
START_TEST(a_bad_page_is_no_page)
{
	char *text, *lines;

	page_make(&ca_vendor_queries[0], page);
	memcpy(page + 49, "\x1b[2Jhello", 9);
	ck_assert(ca_vendor_add(&certificate->evidence.vendor, 1, CA_VENDOR_ANSWER, page));
	text = inspect(true);
	lines = fields(false);
	has(text, "values that cannot be");
	ck_assert_ptr_null(strstr(text, "hello"));
	ck_assert_ptr_null(strstr(lines, "cmd56"));
	free(text);
	free(lines);
}
END_TEST

START_TEST(the_reason_is_shown)
{
	certificate->evidence.vendor.asked = true;
	memcpy(certificate->evidence.vendor.not_asked_because, "no such command", 16);
	char *text = inspect(false);

	has(text, "  not asked         no such command\n");
	free(text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("view_vendor");
	TCase *tcase = tcase_create("view_vendor");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, nothing_is_shown_unasked);
	tcase_add_test(tcase, a_page_is_shown);
	tcase_add_test(tcase, a_shared_signature_names_them_all);
	tcase_add_test(tcase, a_bad_page_is_no_page);
	tcase_add_test(tcase, the_reason_is_shown);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
