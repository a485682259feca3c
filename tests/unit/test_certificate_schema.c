/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * specs/certificate.schema.json against what is written: types, names and their order, both ways.
 * The checker knows the words that the schema uses, and fails on any other.
 */
#include "test_certificate_sample.h"

#include <jansson.h>

static json_t *schema;

static const json_t *resolve(const json_t *node)
{
	const char *reference = json_string_value(json_object_get(node, "$ref"));

	if (!reference)
		return node;
	ck_assert_int_eq(strncmp(reference, "#/$defs/", 8), 0);
	node = json_object_get(json_object_get(schema, "$defs"), reference + 8);
	ck_assert_msg(node != NULL, "no definition %s", reference);
	return node;
}

static bool type_matches(const char *type, const json_t *value)
{
	static const struct {
		const char *name;
		json_type type;
	} types[] = {
		{"object", JSON_OBJECT}, {"array", JSON_ARRAY},	    {"string", JSON_STRING},
		{"null", JSON_NULL},	 {"integer", JSON_INTEGER},
	};

	if (strcmp(type, "boolean") == 0)
		return json_is_boolean(value);
	for (size_t i = 0; i < CA_ARRAY_LEN(types); i++)
		if (strcmp(types[i].name, type) == 0)
			return json_typeof(value) == types[i].type;
	ck_abort_msg("unknown type %s", type);
	return false;
}

static void check_type(const json_t *type, const json_t *value, const char *path)
{
	const json_t *one;
	size_t i;
	bool fits = false;

	if (json_is_string(type))
		fits = type_matches(json_string_value(type), value);
	json_array_foreach(type, i, one) fits = fits || type_matches(json_string_value(one), value);
	ck_assert_msg(fits, "%s has the wrong type", path);
}

static void check_enum(const json_t *names, const json_t *value, const char *path)
{
	const json_t *one;
	size_t i;

	json_array_foreach(names, i, one) if (json_equal(one, value)) return;
	ck_abort_msg("%s: not in the schema's list", path);
}

static bool is_optional(const char *path, const char *key)
{
	static const char *const names[] = {"options",	    "require",	 "operator",
					    "organisation", "reference", "rules"};

	for (size_t i = 0; i < CA_ARRAY_LEN(names); i++)
		if (!*path && strcmp(names[i], key) == 0)
			return true;
	if (strcmp(path, ".evidence.registers") == 0)
		return strncmp(key, "ext_p", 5) == 0 || strcmp(key, "ext_general") == 0;
	if (strcmp(path, ".evidence") == 0 || strcmp(path, ".decoded") == 0)
		return strcmp(key, "vendor_health") == 0 || strcmp(key, "probe") == 0 ||
		       strcmp(key, "survey") == 0;
	/* files of earlier versions lack them */
	if (strcmp(path, ".identity") == 0)
		return strcmp(key, "conventions") == 0 || strcmp(key, "nvme_model") == 0 ||
		       strcmp(key, "evidence") == 0;
	if (strncmp(path, ".evidence.capacity", 18) == 0)
		return strcmp(key, "reads") == 0 || strcmp(key, "marks") == 0;
	if (strcmp(path, ".evidence.speed") == 0)
		return strcmp(key, "erased_by") == 0 || strcmp(key, "recording") == 0;
	if (strncmp(path, ".identity.candidates", 20) == 0)
		return strcmp(key, "note") == 0 || strcmp(key, "sources") == 0;
	return strcmp(path, ".evidence.host") == 0 && strcmp(key, "absent") != 0;
}

static bool is_listed(const json_t *array, const char *name)
{
	const json_t *one;
	size_t i;

	json_array_foreach(array, i,
			   one) if (strcmp(json_string_value(one), name) == 0) return true;
	return false;
}

static void check(const json_t *node, const json_t *value, const char *path);

static void check_object(const json_t *node, const json_t *value, const char *path)
{
	const json_t *properties = json_object_get(node, "properties"), *member;
	void *written = json_object_iter((json_t *)(uintptr_t)value);
	const char *key;
	char inner[300];

	/* walked together: the schema gives the order of writing */
	json_object_foreach((json_t *)(uintptr_t)properties, key, member)
	{
		bool required = is_listed(json_object_get(node, "required"), key);

		ck_assert_msg(required != is_optional(path, key), "%s.%s: required or not?", path,
			      key);
		if (!written || strcmp(json_object_iter_key(written), key) != 0) {
			ck_assert_msg(!required, "%s: %s is not written, or not here", path, key);
			continue;
		}
		(void)snprintf(inner, sizeof(inner), "%s.%s", path, key);
		check(member, json_object_iter_value(written), inner);
		written = json_object_iter_next((json_t *)(uintptr_t)value, written);
	}
	ck_assert_msg(!written, "%s: the schema does not know %s", path,
		      json_object_iter_key(written));
}

static void check_limits(const json_t *node, const json_t *value, const char *path)
{
	const json_t *minimum = json_object_get(node, "minimum");
	const json_t *maximum = json_object_get(node, "maximum");
	const json_t *length = json_object_get(node, "maxLength");
	const json_t *items = json_object_get(node, "maxItems");
	const json_t *least = json_object_get(node, "minItems");

	if (minimum && json_is_integer(value))
		ck_assert_msg(json_integer_value(value) >= json_integer_value(minimum), "%s", path);
	if (maximum && json_is_integer(value))
		ck_assert_msg(json_integer_value(value) <= json_integer_value(maximum), "%s", path);
	if (length && json_is_string(value))
		ck_assert_msg((json_int_t)json_string_length(value) <= json_integer_value(length),
			      "%s", path);
	if (items)
		ck_assert_msg((json_int_t)json_array_size(value) <= json_integer_value(items), "%s",
			      path);
	if (least)
		ck_assert_msg((json_int_t)json_array_size(value) >= json_integer_value(least), "%s",
			      path);
}

static void check_words(const json_t *node, const char *path)
{
	static const char *const words[] = {
		"$ref",	       "$schema",  "$comment",	"$defs",    "title",
		"description", "type",	   "enum",	"const",    "pattern",
		"properties",  "required", "items",	"maxItems", "minItems",
		"minimum",     "maximum",  "maxLength", "anyOf",
	};
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)node, key, value)
	{
		size_t i = 0;

		while (i < CA_ARRAY_LEN(words) && strcmp(words[i], key) != 0)
			i++;
		ck_assert_msg(i < CA_ARRAY_LEN(words), "%s: the checker does not know %s", path,
			      key);
	}
}

static void check(const json_t *node, const json_t *value, const char *path)
{
	const json_t *any = json_object_get(node, "anyOf"), *one;
	size_t i;

	check_words(node, path);
	if (any && json_is_null(value))
		return; /* the only alternative that is used */
	if (any)
		node = json_array_get(any, 0);
	node = resolve(node);
	if (json_object_get(node, "type"))
		check_type(json_object_get(node, "type"), value, path);
	if (json_object_get(node, "enum"))
		check_enum(json_object_get(node, "enum"), value, path);
	if (json_object_get(node, "const"))
		ck_assert_msg(json_equal(json_object_get(node, "const"), value), "%s", path);
	check_limits(node, value, path);
	if (json_is_object(value))
		check_object(node, value, path);
	json_array_foreach((json_t *)(uintptr_t)value, i, one)
		check(json_object_get(node, "items"), one, path);
}

static void load_schema(void)
{
	json_error_t error;

	schema =
		json_load_file(CA_SPECS "/certificate.schema.json", JSON_REJECT_DUPLICATES, &error);
	ck_assert_msg(schema != NULL, "line %d: %s", error.line, error.text);
}

static void drop_schema(void)
{
	json_decref(schema);
}

static void check_text(char *text)
{
	json_t *value = json_loads(text, 0, NULL);

	ck_assert_ptr_nonnull(value);
	check(schema, value, "");
	json_decref(value);
	free(text);
}

static void check_certificate(const struct ca_certificate *certificate)
{
	size_t len;

	check_text(sample_json(certificate, &len));
}

START_TEST(sample)
{
	struct ca_certificate *certificate = sample_certificate();

	check_certificate(certificate);
	ck_assert_int_eq(ca_certificate_judge(certificate, NULL), 0);
	check_certificate(certificate);
	sample_free(certificate);
}
END_TEST

START_TEST(with_a_probe)
{
	struct ca_certificate *certificate = sample_certificate();

	sample_probe(&certificate->evidence.probe);
	check_certificate(certificate);
	sample_free(certificate);
}
END_TEST

START_TEST(inspection_tells_of_every_rule)
{
	struct ca_certificate *certificate = sample_certificate();
	const json_t *rules, *rule;
	char *text = NULL;
	json_t *value;
	size_t i, len;

	ck_assert_int_eq(ca_certificate_judge(certificate, NULL), 0);
	ck_assert_int_eq(ca_certificate_inspect_json(certificate, true, &text), 0);
	value = json_loads(text, 0, NULL);
	rules = json_object_get(value, "rules");
	ck_assert_uint_eq(json_array_size(rules), ca_spec_rules_count);
	json_array_foreach(rules, i, rule)
	{
		const char *state = json_string_value(json_object_get(rule, "state"));

		ck_assert_str_eq(json_string_value(json_object_get(rule, "id")),
				 ca_spec_rules[i].id);
		ck_assert_str_eq(state, ca_rule_state_name(certificate->judgement.rules[i]));
	}
	json_decref(value);
	check_text(text);
	/* a certificate stays what it is */
	text = sample_json(certificate, &len);
	value = json_loads(text, 0, NULL);
	ck_assert_ptr_null(json_object_get(value, "rules"));
	json_decref(value);
	free(text);
	sample_free(certificate);
}
END_TEST

START_TEST(every_register_and_every_fact)
{
	struct ca_certificate *certificate = sample_certificate();
	struct ca_evidence *evidence = &certificate->evidence;

	for (unsigned int i = 0; i < CA_REGISTER_COUNT; i++)
		evidence->registers.has[i] = true;
	for (unsigned int i = 0; i < CA_HOST_FACT_COUNT; i++)
		evidence->host[i].present = true;
	evidence->has_smart_after = true;
	evidence->vendor.asked = true;
	check_certificate(certificate);
	for (uint32_t i = 0; i < CA_VENDOR_RESULT_COUNT; i++)
		ck_assert(ca_vendor_add(&evidence->vendor, 2 * i + 1, (enum ca_vendor_result)i,
					evidence->registers.extcsd));
	memcpy(evidence->vendor.answers[0].data, "DS211122\1", 9); /* a page that is known */
	check_certificate(certificate);
	ca_evidence_mask(evidence);
	check_certificate(certificate);
	sample_free(certificate);
}
END_TEST

START_TEST(empty_and_packed)
{
	struct ca_certificate *certificate = calloc(1, sizeof(*certificate));
	struct ca_capacity_evidence *capacity;

	ck_assert_ptr_nonnull(certificate);
	memset(certificate->id, '0', 32);
	memset(certificate->specs_sha256, '0', 64);
	check_certificate(certificate);
	capacity = &certificate->evidence.capacity;
	capacity->run_count = 1200;
	capacity->runs = calloc(1200, sizeof(*capacity->runs));
	ck_assert_ptr_nonnull(capacity->runs);
	for (size_t i = 0; i < 1200; i++)
		capacity->runs[i] = (struct ca_run){.lba = i, .sectors = 1};
	check_certificate(certificate);
	sample_free(certificate);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("certificate_schema");
	TCase *tcase = tcase_create("certificate_schema");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, load_schema, drop_schema);
	tcase_add_test(tcase, sample);
	tcase_add_test(tcase, with_a_probe);
	tcase_add_test(tcase, inspection_tells_of_every_rule);
	tcase_add_test(tcase, every_register_and_every_fact);
	tcase_add_test(tcase, empty_and_packed);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
