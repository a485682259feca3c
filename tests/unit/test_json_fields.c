/* SPDX-License-Identifier: BSD-2-Clause */
#include "json_fields.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum colour {
	COLOUR_RED,
	COLOUR_BLUE,
};

struct thing {
	uint8_t small;
	uint16_t middle;
	uint32_t wide;
	uint64_t large;
	int64_t delta;
	bool flag;
	bool has_maybe;
	uint64_t maybe;
	char raw[8];
	char words[8];
	uint8_t hex[4];
	enum colour colour;
	uint64_t when;
};

static const char *colour_name(unsigned int value)
{
	return value ? "blue" : "red";
}

#define THING struct thing
static const struct ca_json_field fields[] = {
	CA_JSON_UINT(THING, small),
	CA_JSON_UINT(THING, middle),
	CA_JSON_UINT(THING, wide),
	CA_JSON_UINT(THING, large),
	{CA_JSON_FIELD(CA_JSON_SIGNED, THING, "delta", delta)},
	CA_JSON_BOOL(THING, flag),
	{CA_JSON_FIELD(CA_JSON_UNSIGNED, THING, "maybe", maybe),
	 .has_offset = offsetof(THING, has_maybe) + 1},
	CA_JSON_RAW(THING, raw),
	CA_JSON_OUR(THING, words),
	CA_JSON_HEX(THING, hex),
	CA_JSON_ENUM(THING, "colour", colour, colour_name, 2),
	{CA_JSON_FIELD(CA_JSON_TIME, THING, "when", when)},
};

#define GOOD                                                                                       \
	"{\"small\":255,\"middle\":65535,\"wide\":4294967295,\"large\":9223372036854775807,"       \
	"\"delta\":-5,\"flag\":true,\"maybe\":7,\"raw\":\"a\\\\xff\\\\\\\\b\",\"words\":"          \
	"\"h\xc3\xa9\","                                                                           \
	"\"hex\":\"00ff10ab\",\"colour\":\"blue\",\"when\":\"2026-01-31T12:00:00Z\"}"

static int read_text(const char *text, struct thing *thing, struct ca_error *error)
{
	json_t *object = json_loads(text, 0, NULL);
	int r;

	ck_assert_msg(object != NULL, "test text is no JSON: %s", text);
	memset(thing, 0, sizeof(*thing));
	memset(error, 0, sizeof(*error));
	r = ca_json_read_fields(object, "evidence.thing", fields, CA_ARRAY_LEN(fields), thing,
				error);
	json_decref(object);
	return r;
}

START_TEST(round_trip)
{
	struct thing thing;
	struct ca_error error;
	json_t *object = json_object();
	char *text;

	ck_assert_int_eq(read_text(GOOD, &thing, &error), 0);
	ck_assert_uint_eq(thing.small, 255);
	ck_assert_uint_eq(thing.middle, 65535);
	ck_assert(thing.large == INT64_MAX);
	ck_assert(thing.delta == -5);
	ck_assert(thing.flag && thing.has_maybe && thing.maybe == 7);
	ck_assert_str_eq(thing.raw, "a\xff\\b");
	ck_assert_str_eq(thing.words, "h\xc3\xa9");
	ck_assert_uint_eq(thing.hex[3], 0xab);
	ck_assert_int_eq(thing.colour, COLOUR_BLUE);
	ck_assert(thing.when == 1769860800);
	ck_assert_int_eq(ca_json_write_fields(object, fields, CA_ARRAY_LEN(fields), &thing), 0);
	text = json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER);
	ck_assert_str_eq(text, GOOD);
	free(text);
	json_decref(object);
}
END_TEST

START_TEST(absent_is_null_and_huge_is_clamped)
{
	struct thing thing = {.large = UINT64_MAX, .when = UINT64_MAX};
	json_t *object = json_object();

	ck_assert_int_eq(ca_json_write_fields(object, fields, CA_ARRAY_LEN(fields), &thing), 0);
	ck_assert(json_is_null(json_object_get(object, "maybe")));
	ck_assert(json_integer_value(json_object_get(object, "large")) == INT64_MAX);
	ck_assert_str_eq(json_string_value(json_object_get(object, "when")),
			 "9999-12-31T23:59:59Z");
	json_decref(object);
}
END_TEST

START_TEST(full_width_hardware_text_needs_no_terminator)
{
	struct thing thing = {0};
	json_t *object = json_object();

	memset(thing.raw, 'x', sizeof(thing.raw));
	ck_assert_int_eq(ca_json_write_fields(object, fields, CA_ARRAY_LEN(fields), &thing), 0);
	ck_assert_str_eq(json_string_value(json_object_get(object, "raw")), "xxxxxxxx");
	json_decref(object);
}
END_TEST

/* One field of GOOD replaced, and what the message must name. */
static const struct {
	const char *from, *to, *says;
} bad[] = {
	{"\"small\":255", "\"small\":256", "evidence.thing.small is out of range"},
	{"\"small\":255", "\"small\":-1", "small is out of range"},
	{"\"small\":255", "\"small\":\"255\"", "small must be a whole number"},
	{"\"small\":255", "\"small\":1.0", "small must be a whole number"},
	{"\"small\":255", "\"small\":null", "small must be a whole number"},
	{"\"small\":255,", "", "evidence.thing.small is missing"},
	{"\"middle\":65535", "\"middle\":65536", "middle is out of range"},
	{"\"wide\":4294967295", "\"wide\":4294967296", "wide is out of range"},
	{"\"large\":9223372036854775807", "\"large\":-2", "large is out of range"},
	{"\"delta\":-5", "\"delta\":true", "delta must be a whole number"},
	{"\"flag\":true", "\"flag\":1", "flag must be true or false"},
	{"\"maybe\":7,", "", "maybe is missing"},
	{"\"maybe\":7", "\"maybe\":\"7\"", "maybe must be a whole number"},
	{"a\\\\xff\\\\\\\\b", "12345678", "raw is too long"},
	{"a\\\\xff\\\\\\\\b", "\\\\x00", "raw is too long or wrongly escaped"},
	{"a\\\\xff\\\\\\\\b", "\\\\xFF", "wrongly escaped"},
	{"a\\\\xff\\\\\\\\b", "\\\\x41", "wrongly escaped"},
	{"a\\\\xff\\\\\\\\b", "\\\\q", "wrongly escaped"},
	{"a\\\\xff\\\\\\\\b", "\\\\", "wrongly escaped"},
	{"a\\\\xff\\\\\\\\b", "\\\\x4", "wrongly escaped"},
	{"a\\\\xff\\\\\\\\b", "\\n", "wrongly escaped"},
	{"h\xc3\xa9", "12345678", "words is too long"},
	{"00ff10ab", "00ff10", "hex is hex of the wrong length"},
	{"00ff10ab", "00ff10abcd", "hex is hex of the wrong length"},
	{"00ff10ab", "00FF10AB", "hex must be lower-case hex"},
	{"00ff10ab", "00 ff 10", "hex must be lower-case hex"},
	{"\"blue\"", "\"green\"", "colour is none of the names"},
	{"\"blue\"", "1", "colour must be a string"},
	{"2026-01-31", "2026-02-30", "when must be a time"},
	{"12:00:00Z", "12:00:00", "when must be a time"},
};

START_TEST(bad_values_are_named)
{
	const char *at = strstr(GOOD, bad[_i].from);
	struct thing thing;
	struct ca_error error;
	char text[600];

	ck_assert_ptr_nonnull(at);
	(void)snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - GOOD), GOOD, bad[_i].to,
		       at + strlen(bad[_i].from));
	ck_assert_int_eq(read_text(text, &thing, &error), -EBADMSG);
	ck_assert_msg(strstr(error.text, bad[_i].says) != NULL, "\"%s\" does not say \"%s\"",
		      error.text, bad[_i].says);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("json_fields");
	TCase *tcase = tcase_create("json_fields");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tcase, round_trip);
	tcase_add_test(tcase, absent_is_null_and_huge_is_clamped);
	tcase_add_test(tcase, full_width_hardware_text_needs_no_terminator);
	tcase_add_loop_test(tcase, bad_values_are_named, 0, (int)CA_ARRAY_LEN(bad));
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
