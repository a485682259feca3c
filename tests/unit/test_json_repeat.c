/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_certificate_sample.h"

#include <jansson.h>

static bool repeats(json_t *object, const struct ca_certificate *certificate)
{
	char *text = json_dumps(object, 0);
	bool same = false;

	ck_assert_ptr_nonnull(text);
	ck_assert_int_eq(ca_certificate_repeats(text, strlen(text), certificate, &same), 0);
	free(text);
	return same;
}

/* What a forger would touch: the parts that people read and the judge does not. */
static const struct {
	const char *part, *key;
} touched[] = {
	{"identity", "relation"},
	{"claims", "outcome"},
	{"claims", "id"},
	{"decoded", "cid"},
};

START_TEST(each_lie_is_seen)
{
	struct ca_certificate *certificate = sample_certificate();
	size_t len;
	char *text = sample_json(certificate, &len);
	json_t *object = json_loads(text, 0, NULL), *part;

	ck_assert(repeats(object, certificate));
	part = json_object_get(object, touched[_i].part);
	if (json_is_array(part))
		part = json_array_get(part, 0);
	ck_assert_ptr_nonnull(json_object_get(part, touched[_i].key));
	ck_assert_int_eq(json_object_set_new(part, touched[_i].key, json_string("forged")), 0);
	ck_assert(!repeats(object, certificate));
	json_decref(object);
	free(text);
	sample_free(certificate);
}
END_TEST

START_TEST(added_and_dropped)
{
	struct ca_certificate *certificate = sample_certificate();
	size_t len;
	char *text = sample_json(certificate, &len);
	json_t *object = json_loads(text, 0, NULL), *part;

	/* an earlier version may have repeated less */
	part = json_object_get(json_object_get(object, "decoded"), "cid");
	ck_assert_int_eq(json_object_del(part, json_object_iter_key(json_object_iter(part))), 0);
	ck_assert(repeats(object, certificate));
	ck_assert_int_eq(json_object_set_new(part, "added", json_true()), 0);
	ck_assert(!repeats(object, certificate));
	ck_assert_int_eq(json_object_del(object, "decoded"), 0);
	ck_assert(repeats(object, certificate));
	ck_assert_int_eq(json_array_remove(json_object_get(object, "claims"), 0), 0);
	ck_assert(!repeats(object, certificate));
	json_decref(object);
	free(text);
	sample_free(certificate);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("json_repeat");
	TCase *tcase = tcase_create("json_repeat");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, each_lie_is_seen, 0, (int)CA_ARRAY_LEN(touched));
	tcase_add_test(tcase, added_and_dropped);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
