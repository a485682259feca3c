/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_certificate_sample.h"
#include "vendor_page.h"

#include <errno.h>
#include <jansson.h>

static uint8_t page[CA_VENDOR_BYTES];

static char *to_json(const struct ca_certificate *certificate)
{
	char *text;
	size_t len;

	ck_assert_int_eq(ca_certificate_to_json(certificate, true, &text, &len), 0);
	return text;
}

static struct ca_certificate *begin(void)
{
	struct ca_certificate *certificate = sample_certificate();
	struct ca_vendor_health *health = &certificate->evidence.vendor;

	page_make(&ca_vendor_queries[2], page);
	ck_assert(ca_vendor_add(health, 0x110005fb, CA_VENDOR_TIMEOUT, NULL));
	ck_assert(ca_vendor_add(health, 1, CA_VENDOR_ANSWER, page));
	ck_assert(ca_vendor_add(health, 0x53420001, CA_VENDOR_ECHO, NULL));
	return certificate;
}

/* A document is read back, and what is read back is the same. */
static void check_round_trip(struct ca_certificate *certificate)
{
	struct ca_certificate *back = calloc(1, sizeof(*back));
	char *text = to_json(certificate), *again;
	struct ca_error error = {0};
	size_t unknown;

	ck_assert_ptr_nonnull(back);
	ck_assert_msg(ca_certificate_from_json(text, strlen(text), back, &unknown, &error) == 0,
		      "%s", error.text);
	ck_assert_mem_eq(&back->evidence.vendor, &certificate->evidence.vendor,
			 sizeof(back->evidence.vendor));
	again = to_json(back);
	ck_assert_str_eq(text, again);
	free(text);
	free(again);
	sample_free(back);
}

START_TEST(answers_come_back)
{
	struct ca_certificate *certificate = begin();

	check_round_trip(certificate);
	ca_evidence_mask(&certificate->evidence);
	check_round_trip(certificate);
	sample_free(certificate);
}
END_TEST

START_TEST(the_reason_comes_back)
{
	struct ca_certificate *certificate = sample_certificate();
	struct ca_vendor_health *health = &certificate->evidence.vendor;
	char *text = to_json(certificate);

	ck_assert_ptr_null(strstr(text, "vendor_health"));
	free(text);
	health->asked = true;
	memcpy(health->not_asked_because, "no such command", 16);
	check_round_trip(certificate);
	sample_free(certificate);
}
END_TEST

START_TEST(the_page_is_told_as_fields)
{
	struct ca_certificate *certificate = begin();
	char *text = to_json(certificate);
	json_t *top = json_loads(text, 0, NULL), *decoded, *fields, *field;
	bool found = false;
	size_t i;

	ck_assert_ptr_nonnull(top);
	decoded = json_object_get(json_object_get(top, "decoded"), "vendor_health");
	ck_assert_str_eq(json_string_value(json_object_get(decoded, "maker")), "Longsys");
	ck_assert_int_eq(json_integer_value(json_object_get(decoded, "argument")), 1);
	fields = json_object_get(decoded, "fields");
	json_array_foreach(fields, i, field)
	{
		const char *name = json_string_value(json_object_get(field, "name"));

		if (strcmp(name, "life_left") != 0)
			continue;
		ck_assert_str_eq(json_string_value(json_object_get(field, "value")), "100 %");
		found = true;
	}
	ck_assert(found);
	json_decref(top);
	free(text);
	sample_free(certificate);
}
END_TEST

/* One thing spoilt in the document: it is refused, and the member is named. */
static const struct {
	const char *from, *to, *named;
} spoilt[] = {
	{"\"result\": \"timeout\"", "\"result\": \"late\"", "result"},
	{"\"result\": \"timeout\"", "\"result\": \"answer\"", "data"},
	{"\"result\": \"answer\"", "\"result\": \"error\"", "data"},
	{"\"argument\": 285214203", "\"argument\": 1", "argument"},
	{"\"argument\": 285214203", "\"argument\": -1", "argument"},
	{"\"argument\": 285214203", "\"argument\": 4294967297", "argument"},
	{"\"data\": \"7058", "\"data\": \"70", "data"},
	{"\"answers\": [", "\"answer\": [", "answers"},
	{"\"not_asked_because\": \"\"", "\"not_asked_because\": 0", "not_asked_because"},
};

START_TEST(what_cannot_be_is_refused)
{
	struct ca_certificate *certificate = begin(), *back = calloc(1, sizeof(*back));
	char *text = to_json(certificate), *at, *edited;
	struct ca_error error = {0};
	size_t unknown, before;

	ck_assert_ptr_nonnull(back);
	at = strstr(text, spoilt[_i].from);
	ck_assert_ptr_nonnull(at);
	before = (size_t)(at - text);
	edited = malloc(strlen(text) + 64);
	ck_assert_ptr_nonnull(edited);
	memcpy(edited, text, before);
	strcpy(edited + before, spoilt[_i].to);
	strcat(edited, at + strlen(spoilt[_i].from));
	ck_assert_int_eq(ca_certificate_from_json(edited, strlen(edited), back, &unknown, &error),
			 -EBADMSG);
	ck_assert_msg(strstr(error.text, "vendor_health") != NULL, "%s", error.text);
	ck_assert_msg(strstr(error.text, spoilt[_i].named) != NULL, "%s", error.text);
	free(edited);
	free(text);
	sample_free(back);
	sample_free(certificate);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("json_vendor");
	TCase *tcase = tcase_create("json_vendor");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tcase, answers_come_back);
	tcase_add_test(tcase, the_reason_comes_back);
	tcase_add_test(tcase, the_page_is_told_as_fields);
	tcase_add_loop_test(tcase, what_cannot_be_is_refused, 0, (int)CA_ARRAY_LEN(spoilt));
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
