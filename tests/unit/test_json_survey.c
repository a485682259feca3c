/* SPDX-License-Identifier: BSD-2-Clause */
#include "json_parts.h"

#include "test_certificate_sample.h"

#include <errno.h>

static struct ca_survey_evidence survey, again;
static json_t *object;

static void set_up(void)
{
	memset(&survey, 0, sizeof(survey));
	memset(&again, 0, sizeof(again));
	sample_survey(&survey);
	object = ca_json_write_survey(&survey);
	ck_assert_ptr_nonnull(object);
}

static void tear_down(void)
{
	json_decref(object);
}

START_TEST(what_is_written_is_read)
{
	ck_assert_int_eq(ca_json_read_survey(object, &again, NULL), 0);
	ck_assert_mem_eq(&again, &survey, sizeof(survey));
}
END_TEST

START_TEST(empty_octaves_at_the_end_are_left_out)
{
	const json_t *cell = json_array_get(json_object_get(object, "cells"), 0);

	ck_assert_uint_eq(json_array_size(json_object_get(cell, "octaves")), 22);
	ck_assert_uint_eq(json_array_size(json_object_get(cell, "rates")), 2);
}
END_TEST

/* What a certificate from elsewhere may hold instead. Each names its place. */
static const struct {
	const char *list; /* NULL: the survey itself */
	const char *key, *value, *says;
} wrong[] = {
	{NULL, "cells", "{}", "cells"},
	{NULL, "cells", "[7]", "cells[0]"},
	{NULL, "range_bytes", "-1", "range_bytes"},
	{NULL, "interrupted", "1", "interrupted"},
	{NULL, "lines", "[[]]", "lines[0]"},
	{"cells", "operation", "\"move\"", "operation"},
	{"cells", "rates", "[1,2,3,4,5,6]", "rates"},
	{"cells", "rates", "[-1]", "rates"},
	{"cells", "rates", "[\"1\"]", "rates"},
	{"cells", "octaves",
	 "[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"
	 "0,0,0,0,0,0,0,0,0,0,0,0]",
	 "octaves"},
	{"cells", "latency_ns", "[]", "latency_ns"},
	{"cells", "block_bytes", "\"4K\"", "block_bytes"},
	{"lines", "operation", "null", "operation"},
	{"lines", "step_bytes", "1.5", "step_bytes"},
	{"likes", "part", "\"hdparm\"", "part"},
	{"likes", "page_cache", "0", "page_cache"},
};

START_TEST(what_is_wrong_is_named)
{
	json_t *value = json_loads(wrong[_i].value, JSON_DECODE_ANY, NULL), *place = object;
	struct ca_error error = {0};

	ck_assert_ptr_nonnull(value);
	if (wrong[_i].list)
		place = json_array_get(json_object_get(object, wrong[_i].list), 0);
	ck_assert_int_eq(json_object_set_new(place, wrong[_i].key, value), 0);
	ck_assert_int_eq(ca_json_read_survey(object, &again, &error), -EBADMSG);
	ck_assert_msg(strstr(error.text, wrong[_i].says) != NULL, "%s", error.text);
}
END_TEST

START_TEST(too_many_are_refused)
{
	static const struct {
		const char *key;
		unsigned int max;
	} lists[] = {{"cells", CA_SURVEY_CELLS_MAX},
		     {"lines", CA_SURVEY_LINES_MAX},
		     {"likes", CA_SURVEY_LIKE_MAX}};

	for (size_t i = 0; i < CA_ARRAY_LEN(lists); i++) {
		json_t *list = json_object_get(object, lists[i].key);
		json_t *one = json_array_get(list, 0);
		struct ca_error error = {0};

		while (json_array_size(list) <= lists[i].max)
			ck_assert_int_eq(json_array_append(list, one), 0);
		ck_assert_int_eq(ca_json_read_survey(object, &again, &error), -EBADMSG);
		ck_assert_ptr_nonnull(strstr(error.text, lists[i].key));
		while (json_array_size(list) > 1)
			ck_assert_int_eq(json_array_remove(list, 1), 0);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("json_survey");
	TCase *tcase = tcase_create("json_survey");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, what_is_written_is_read);
	tcase_add_test(tcase, empty_octaves_at_the_end_are_left_out);
	tcase_add_loop_test(tcase, what_is_wrong_is_named, 0, (int)CA_ARRAY_LEN(wrong));
	tcase_add_test(tcase, too_many_are_refused);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
