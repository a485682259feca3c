/* SPDX-License-Identifier: BSD-2-Clause */
#include "json_parts.h"
#include "base64.h"
#include "digest.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define COUNT 3000U

static struct ca_run *make_runs(size_t count)
{
	struct ca_run *runs = calloc(count, sizeof(*runs));
	uint64_t lba = 0, state = 7;

	ck_assert_ptr_nonnull(runs);
	for (size_t i = 0; i < count; i++) {
		runs[i].lba = lba;
		runs[i].sectors = 1 + ca_rng_below(&state, 5000);
		runs[i].class_of = (enum ca_sector_class)(i % CA_SECTOR_CLASS_COUNT);
		runs[i].delta = i % 3 ? 0 : -(int64_t)ca_rng_below(&state, lba + 1);
		lba += runs[i].sectors;
	}
	return runs;
}

static json_t *pack(size_t count)
{
	struct ca_run *runs = make_runs(count);
	json_t *object = ca_json_write_packed_runs(runs, count);

	free(runs);
	ck_assert_ptr_nonnull(object);
	return object;
}

static int unpack(const json_t *object, struct ca_error *error)
{
	struct ca_run *runs = NULL;
	size_t count;
	int r = ca_json_read_packed_runs(object, &runs, &count, error);

	if (r < 0)
		ck_assert_ptr_null(runs);
	free(runs);
	return r;
}

START_TEST(round_trip)
{
	struct ca_run *runs = make_runs(COUNT), *again;
	json_t *object = ca_json_write_packed_runs(runs, COUNT);
	struct ca_error error = {0};
	size_t count;

	ck_assert_ptr_nonnull(object);
	ck_assert_int_eq(ca_json_read_packed_runs(object, &again, &count, &error), 0);
	ck_assert_uint_eq(count, COUNT);
	for (size_t i = 0; i < COUNT; i++) {
		ck_assert(runs[i].lba == again[i].lba && runs[i].sectors == again[i].sectors);
		ck_assert(runs[i].delta == again[i].delta);
		ck_assert_int_eq(runs[i].class_of, again[i].class_of);
	}
	json_decref(object);
	free(again);
	free(runs);
}
END_TEST

/* A member of a good object replaced. */
static const struct {
	const char *key, *json, *says;
} bad[] = {
	{"encoding", "\"gzip\"", "encoding is not known"},
	{"encoding", "null", "encoding must be a string"},
	{"runs", "2999", "does not unpack"},
	{"runs", "3001", "does not unpack"},
	{"runs", "1000", "out of range"},
	{"runs", "-1", "out of range"},
	{"runs", "1048577", "out of range"},
	{"runs", "9223372036854775807", "out of range"},
	{"runs", "1048576", "does not"},
	{"runs", "\"3000\"", "must be a whole number"},
	{"blake2b_256", "\"00\"", "wrong length"},
	{"blake2b_256", "\"0000000000000000000000000000000000000000000000000000000000000000\"",
	 "does not match"},
	{"data", "\"\"", "runs does not fit its data"},
	{"data", "\"AAAA\"", "runs does not fit"},
	{"data", "17", "data must be a string"},
};

START_TEST(bad_members_are_named)
{
	json_t *object = pack(COUNT);
	struct ca_error error = {0};

	ck_assert_int_eq(json_object_set_new(object, bad[_i].key,
					     json_loads(bad[_i].json, JSON_DECODE_ANY, NULL)),
			 0);
	ck_assert_int_eq(unpack(object, &error), -EBADMSG);
	ck_assert_msg(strstr(error.text, bad[_i].says) != NULL, "\"%s\" does not say \"%s\"",
		      error.text, bad[_i].says);
	json_decref(object);
}
END_TEST

START_TEST(damaged_data_is_refused)
{
	json_t *object = pack(COUNT);
	const char *data = json_string_value(json_object_get(object, "data"));
	CA_CLEANUP_FREE char *copy = strdup(data);

	ck_assert_ptr_nonnull(copy);
	for (size_t i = 0; i < strlen(copy); i += 97) {
		char saved = copy[i];
		struct ca_error error = {0};

		copy[i] = saved == 'Q' ? 'R' : 'Q';
		ck_assert_int_eq(json_object_set_new(object, "data", json_string(copy)), 0);
		ck_assert_int_eq(unpack(object, &error), -EBADMSG);
		copy[i] = saved;
	}
	copy[strlen(copy) / 2 / 4 * 4] = '\0';
	ck_assert_int_eq(json_object_set_new(object, "data", json_string(copy)), 0);
	ck_assert_int_eq(unpack(object, NULL), -EBADMSG);
	json_decref(object);
}
END_TEST

/* What the tool would never write but anyone can: packed well, but with nonsense in it. */
static json_t *forge(const uint8_t *flat, size_t count)
{
	json_t *object = pack(COUNT);
	size_t bytes = count * 25;
	uLongf packed_bytes = compressBound((uLong)bytes);
	uint8_t *packed = malloc(packed_bytes), digest[32];
	char *text;

	ck_assert_ptr_nonnull(packed);
	ck_assert_int_eq(compress(packed, &packed_bytes, flat, (uLong)bytes), Z_OK);
	text = malloc(CA_BASE64_LEN(packed_bytes) + 1);
	ck_assert_ptr_nonnull(text);
	ca_base64_encode(packed, packed_bytes, text);
	ck_assert_int_eq(ca_digest_blake2b_256(flat, bytes, digest), 0);
	ck_assert_int_eq(json_object_set_new(object, "runs", json_integer((json_int_t)count)), 0);
	ck_assert_int_eq(json_object_set_new(object, "data", json_string(text)), 0);
	ck_assert_int_eq(json_object_set_new(object, "blake2b_256", ca_json_hex(digest, 32)), 0);
	free(text);
	free(packed);
	return object;
}

START_TEST(nonsense_in_good_packing_is_refused)
{
	uint8_t *flat = calloc(COUNT, 25);
	struct ca_error error = {0};
	json_t *object;

	ck_assert_ptr_nonnull(flat);
	for (size_t i = 0; i < COUNT; i++) {
		ca_put_le64(flat + i * 25, i);
		ca_put_le64(flat + i * 25 + 8, 1);
	}
	object = forge(flat, COUNT);
	ck_assert_int_eq(unpack(object, &error), 0);
	json_decref(object);

	flat[25 * 100 + 24] = CA_SECTOR_CLASS_COUNT;
	object = forge(flat, COUNT);
	ck_assert_int_eq(unpack(object, &error), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(error.text, "unknown class"));
	json_decref(object);
	flat[25 * 100 + 24] = 0;

	error = (struct ca_error){0};
	ca_put_le64(flat + 25 * 100 + 8, 2); /* overlaps the next */
	object = forge(flat, COUNT);
	ck_assert_int_eq(unpack(object, &error), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(error.text, "overlap"));
	json_decref(object);
	free(flat);
}
END_TEST

static const struct {
	struct ca_run runs[2];
	bool sane;
} orders[] = {
	{{{.lba = 0, .sectors = 5}, {.lba = 5, .sectors = 1}}, true},
	{{{.lba = 0, .sectors = 5}, {.lba = 9, .sectors = 1}}, true},
	{{{.lba = 0, .sectors = 5}, {.lba = 4, .sectors = 1}}, false},
	{{{.lba = 9, .sectors = 5}, {.lba = 0, .sectors = 1}}, false},
	{{{.lba = 0, .sectors = 0}, {.lba = 1, .sectors = 1}}, false},
	{{{.lba = 0, .sectors = 1}, {.lba = 1, .sectors = UINT64_MAX}}, false},
	{{{.lba = 0, .sectors = 1}, {.lba = 1, .sectors = INT64_MAX}}, false},
};

START_TEST(order_of_runs)
{
	ck_assert(ca_json_runs_are_sane(orders[_i].runs, 2) == orders[_i].sane);
	ck_assert(ca_json_runs_are_sane(NULL, 0));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("runs_pack");
	TCase *tcase = tcase_create("runs_pack");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tcase, round_trip);
	tcase_add_loop_test(tcase, bad_members_are_named, 0, (int)CA_ARRAY_LEN(bad));
	tcase_add_test(tcase, damaged_data_is_refused);
	tcase_add_test(tcase, nonsense_in_good_packing_is_refused);
	tcase_add_loop_test(tcase, order_of_runs, 0, (int)CA_ARRAY_LEN(orders));
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
