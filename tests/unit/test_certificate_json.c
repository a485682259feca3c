/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_certificate_sample.h"
#include "text_clean.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>

static int parse(const char *text, size_t len, struct ca_certificate **ret, struct ca_error *error)
{
	size_t unknown = 0;
	int r;

	*ret = calloc(1, sizeof(**ret));
	ck_assert_ptr_nonnull(*ret);
	r = ca_certificate_from_json(text, len, *ret, &unknown, error);
	if (r < 0) {
		ck_assert_msg(error->text[0], "no message for %d", r);
		free(*ret);
		*ret = NULL;
	}
	return r;
}

static void check_round_trip(const struct ca_certificate *certificate)
{
	struct ca_certificate *again;
	struct ca_error error = {0};
	size_t len, again_len;
	char *text = sample_json(certificate, &len), *again_text;
	int r = parse(text, len, &again, &error);

	ck_assert_msg(r == 0, "%s", error.text);
	again_text = sample_json(again, &again_len);
	ck_assert_str_eq(again_text, text);
	ck_assert_uint_eq(len, again_len);
	ck_assert_uint_eq(len, strlen(text));
	ck_assert_int_eq(text[len - 1], '\n');
	free(again_text);
	free(text);
	sample_free(again);
}

START_TEST(written_read_and_written_is_the_same)
{
	struct ca_certificate *certificate = sample_certificate();

	check_round_trip(certificate);
	sample_free(certificate);
}
END_TEST

START_TEST(everything_comes_back)
{
	struct ca_certificate *certificate = sample_certificate(), *again;
	const struct ca_evidence *a = &certificate->evidence, *b;
	struct ca_error error = {0};
	size_t len;
	char *text = sample_json(certificate, &len);

	ck_assert_int_eq(parse(text, len, &again, &error), 0);
	b = &again->evidence;
	ck_assert_str_eq(again->label, certificate->label);
	ck_assert_str_eq(again->operator_name, certificate->operator_name);
	ck_assert_uint_eq(again->option_count, 1);
	ck_assert_str_eq(again->options[0], "class=A2");
	ck_assert_str_eq(again->require[0], "retention");
	ck_assert(again->issued == certificate->issued && b->collected_at == a->collected_at);
	ck_assert_mem_eq(&b->device, &a->device, sizeof(a->device));
	ck_assert_mem_eq(&b->registers, &a->registers, sizeof(a->registers));
	ck_assert_mem_eq(b->host, a->host, sizeof(a->host));
	ck_assert_mem_eq(&b->speed, &a->speed, sizeof(a->speed));
	ck_assert_mem_eq(&b->survey, &a->survey, sizeof(a->survey));
	ck_assert_uint_eq(b->capacity.run_count, 2);
	ck_assert_mem_eq(b->capacity.runs, a->capacity.runs, 2 * sizeof(struct ca_run));
	ck_assert_mem_eq(b->capacity.key, a->capacity.key, 32);
	ck_assert_uint_eq(b->capacity.key_bytes, 16);
	ck_assert_mem_eq(b->capacity.found, a->capacity.found, 32);
	ck_assert_uint_eq(again->judgement.finding_count, 4);
	ck_assert_ptr_eq(again->judgement.findings[0].rule,
			 certificate->judgement.findings[0].rule);
	ck_assert_ptr_eq(again->judgement.identity.maker, certificate->judgement.identity.maker);
	ck_assert_str_eq(again->judgement.identity.maker_name,
			 certificate->judgement.identity.maker_name);
	ck_assert_uint_eq(again->judgement.identity.candidate_count,
			  certificate->judgement.identity.candidate_count);
	ck_assert_uint_eq(again->judgement.claims.count, certificate->judgement.claims.count);
	ck_assert_ptr_eq(again->judgement.claims.brand, certificate->judgement.claims.brand);
	ck_assert(again->judgement.registers.has[CA_REGISTER_CID]);
	free(text);
	sample_free(again);
	sample_free(certificate);
}
END_TEST

START_TEST(empty_certificate_round_trip)
{
	struct ca_certificate *certificate = calloc(1, sizeof(*certificate));

	ck_assert_ptr_nonnull(certificate);
	memset(certificate->id, '0', 32);
	memset(certificate->specs_sha256, '0', 64);
	check_round_trip(certificate);
	free(certificate);
}
END_TEST

START_TEST(nvme_and_masked_round_trip)
{
	struct ca_certificate *certificate = sample_certificate();
	struct ca_raw_registers *raw = &certificate->evidence.registers;
	struct ca_certificate *again;
	struct ca_error error = {0};
	size_t len;
	char *text;

	memset(raw->has, 0, sizeof(raw->has));
	raw->has[CA_REGISTER_CID] = raw->has[CA_REGISTER_NVME_CTRL] = true;
	raw->has[CA_REGISTER_NVME_NS] = raw->has[CA_REGISTER_NVME_SMART] = true;
	for (size_t i = 0; i < CA_NVME_ID_BYTES; i++) {
		raw->nvme_ctrl[i] = (uint8_t)(i * 7);
		raw->nvme_ns[i] = (uint8_t)(i * 11);
	}
	memset(raw->nvme_smart, 0xff, sizeof(raw->nvme_smart));
	raw->pci_vid = 0x144d;
	certificate->evidence.has_smart_after = true;
	certificate->evidence.nvme_smart_after[5] = 9;
	ca_evidence_mask(&certificate->evidence);
	check_round_trip(certificate);
	text = sample_json(certificate, &len);
	ck_assert_int_eq(parse(text, len, &again, &error), 0);
	ck_assert(again->evidence.masked && again->evidence.registers.masked);
	ck_assert_int_eq(again->evidence.registers.masked_cid_crc, raw->masked_cid_crc);
	ck_assert_uint_eq(again->evidence.nvme_smart_after[5], 9);
	ck_assert_ptr_nonnull(strstr(text, "\"cid.psn\""));
	ck_assert_ptr_nonnull(strstr(text, "\"id_ctrl.sn\""));
	ck_assert_ptr_nonnull(strstr(text, "\"psn\": null"));
	free(text);
	sample_free(again);
	sample_free(certificate);
}
END_TEST

/* Most kernels show none of these: a file without them is read, and none is written. */
START_TEST(extension_registers_round_trip)
{
	struct ca_certificate *certificate = sample_certificate(), *again;
	struct ca_raw_registers *raw = &certificate->evidence.registers;
	struct ca_error error = {0};
	size_t len;
	char *text = sample_json(certificate, &len);

	ck_assert_ptr_null(strstr(text, "\"ext_perf_set\""));
	ck_assert_ptr_nonnull(strstr(text, "\"ext_power\": null")); /* decoded */
	free(text);
	for (unsigned int i = CA_REGISTER_EXT_PERF; i <= CA_REGISTER_EXT_PERF_SET; i++) {
		raw->has[i] = true;
		memset(ca_register_data_mutable(raw, (enum ca_register)i), (int)(0x10 + i),
		       ca_register_bytes((enum ca_register)i));
	}
	check_round_trip(certificate);
	text = sample_json(certificate, &len);
	ck_assert_int_eq(parse(text, len, &again, &error), 0);
	ck_assert_mem_eq(&again->evidence.registers, raw, sizeof(*raw));
	free(text);
	sample_free(again);
	sample_free(certificate);
}
END_TEST

static void set_runs(struct ca_certificate *certificate, size_t count)
{
	struct ca_run *runs = calloc(count, sizeof(*runs));

	ck_assert_ptr_nonnull(runs);
	for (size_t i = 0; i < count; i++)
		runs[i] = (struct ca_run){
			.lba = i * 3, .sectors = 1 + i % 3, .reads = (enum ca_run_reads)(i % 3)};
	free(certificate->evidence.capacity.runs);
	certificate->evidence.capacity.runs = runs;
	certificate->evidence.capacity.run_count = count;
}

static const size_t run_counts[] = {0, 1, 999, 1000, 1001, 20000};

START_TEST(run_counts_round_trip)
{
	struct ca_certificate *certificate = sample_certificate();
	size_t count = run_counts[_i], len;
	struct ca_error error = {0};
	struct ca_certificate *again;
	json_t *object, *capacity;
	char *text;

	set_runs(certificate, count);
	check_round_trip(certificate);
	text = sample_json(certificate, &len);
	object = json_loads(text, 0, NULL);
	capacity = json_object_get(json_object_get(object, "evidence"), "capacity");
	ck_assert_uint_eq(json_array_size(json_object_get(capacity, "runs")),
			  count > 1000 ? 1000 : count);
	ck_assert_int_eq(json_is_null(json_object_get(capacity, "runs_packed")), count <= 1000);
	ck_assert_int_eq(parse(text, len, &again, &error), 0);
	ck_assert_uint_eq(again->evidence.capacity.run_count, count);
	if (count)
		ck_assert_mem_eq(again->evidence.capacity.runs, certificate->evidence.capacity.runs,
				 count * sizeof(struct ca_run));
	json_decref(object);
	free(text);
	sample_free(again);
	sample_free(certificate);
}
END_TEST

/* All of it is plain data, and the sample leaves nothing at 0; what no probe found is left out. */
START_TEST(probes_round_trip)
{
	struct ca_certificate *certificate = sample_certificate(), *again;
	struct ca_probe_evidence *probe = &certificate->evidence.probe;
	struct ca_error error = {0};
	size_t len;
	char *text = sample_json(certificate, &len);

	ck_assert_ptr_null(strstr(text, "\"probe\": {"));
	free(text);
	sample_probe(probe);
	if (_i == 1) {
		probe->has_alias = probe->has_first_bad = probe->has_real_capacity = false;
		probe->alias_offset = probe->alias_of_offset = 0;
		probe->first_bad_offset = probe->real_capacity_bytes = 0;
		memset(probe->expected, 0, sizeof(probe->expected));
		memset(probe->found, 0, sizeof(probe->found));
		probe->key_bytes = 16;
		memset(probe->key + 16, 0, 16);
	}
	check_round_trip(certificate);
	text = sample_json(certificate, &len);
	ck_assert_int_eq(parse(text, len, &again, &error), 0);
	ck_assert_mem_eq(&again->evidence.probe, probe, sizeof(*probe));
	free(text);
	sample_free(again);
	sample_free(certificate);
}
END_TEST

/* What is left out where it is not known comes back where it is. */
START_TEST(marks_round_trip)
{
	struct ca_certificate *certificate = sample_certificate(), *again;
	struct ca_capacity_evidence *capacity = &certificate->evidence.capacity;
	struct ca_error error = {0};
	size_t len;
	char *text;

	if (_i & 1)
		capacity->alias_period_sectors = 2097152;
	if (_i & 2) {
		capacity->has_errors = true;
		capacity->errors_offset = 512 * 7;
		capacity->errors_end_offset = 512 * 9000;
	}
	if (_i & 4) {
		capacity->has_rate_cliff = true;
		capacity->cliff_offset = CA_GIB;
		capacity->cliff_before_bytes_per_second = 80000000;
		capacity->cliff_after_bytes_per_second = 9000000;
	}
	check_round_trip(certificate);
	text = sample_json(certificate, &len);
	ck_assert((strstr(text, "\"marks\"") != NULL) == (_i != 0));
	ck_assert_int_eq(parse(text, len, &again, &error), 0);
	ck_assert_uint_eq(again->evidence.capacity.alias_period_sectors,
			  capacity->alias_period_sectors);
	ck_assert(again->evidence.capacity.has_errors == capacity->has_errors);
	ck_assert_uint_eq(again->evidence.capacity.errors_end_offset, capacity->errors_end_offset);
	ck_assert(again->evidence.capacity.has_rate_cliff == capacity->has_rate_cliff);
	ck_assert_uint_eq(again->evidence.capacity.cliff_after_bytes_per_second,
			  capacity->cliff_after_bytes_per_second);
	free(text);
	sample_free(again);
	sample_free(certificate);
}
END_TEST

START_TEST(compact_says_the_same)
{
	struct ca_certificate *certificate = sample_certificate();
	size_t len, compact_len;
	char *text = sample_json(certificate, &len), *compact;
	json_t *a = json_loads(text, 0, NULL), *b;

	ck_assert_int_eq(ca_certificate_to_json(certificate, false, &compact, &compact_len), 0);
	ck_assert_uint_lt(compact_len, len);
	ck_assert_ptr_eq(strchr(compact, '\n'), compact + compact_len - 1);
	b = json_loads(compact, 0, NULL);
	ck_assert(json_equal(a, b));
	json_decref(a);
	json_decref(b);
	free(text);
	free(compact);
	sample_free(certificate);
}
END_TEST

START_TEST(top_level_names_in_order)
{
	static const char *const names[] = {
		"format",   "tool",	    "id",	 "issued",   "origin",
		"profile",  "scope",	    "label",	 "options",  "require",
		"operator", "organisation", "reference", "evidence", "identity",
		"claims",   "findings",	    "verdict",	 "headline", "decoded",
	};
	struct ca_certificate *certificate = sample_certificate();
	const char *key;
	size_t len, i = 0;
	char *text = sample_json(certificate, &len);
	json_t *object = json_loads(text, 0, NULL), *value;

	json_object_foreach(object, key, value)
	{
		ck_assert_uint_lt(i, CA_ARRAY_LEN(names));
		ck_assert_str_eq(key, names[i]);
		i++;
	}
	ck_assert_uint_eq(i, CA_ARRAY_LEN(names));
	json_decref(object);
	free(text);
	sample_free(certificate);
}
END_TEST

/* A text in a good certificate replaced, and what the message must say. */
static const struct {
	const char *from, *to, *says;
} bad[] = {
	{"cardassay-certificate-1", "cardassay-certificate-2", "later format"},
	{"cardassay-certificate-1", "something-else", "not a cardassay certificate"},
	{"\"format\"", "\"fromat\"", "not a cardassay certificate"},
	{"\"id\": \"00112233445566778899aabbccddeeff\"", "\"id\": \"0011\"", "id must be 32 hex"},
	{"00112233445566778899aabbccddeeff", "00112233445566778899aabbccddeefg", "32 hex digits"},
	{"aaaaaaaaaaaaaaaa\"", "aaaaaaaaaaaaaaa\"", "tool.specs_sha256 must be 64 hex"},
	{"\"issued\": \"2024", "\"issued\": \"20x4", "issued must be a time"},
	{"\"origin\": \"simulated\"", "\"origin\": \"real\"", "origin is none of the names"},
	{"\"profile\": \"full\"", "\"profile\": \"\"", "profile is none of the names"},
	{"\"scope\": [", "\"scope\": [1,", "scope must hold strings only"},
	{"\"scope\": [", "\"scope\": [\"a-name-that-is-much-too-long\",", "scope is too long"},
	{"\"label\": \"", "\"label\": null, \"x\": \"", "label must be a string"},
	{"\"options\": [",
	 "\"options\": [\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\",\"i\","
	 "\"j\",\"k\",\"l\",\"m\",\"n\",\"o\",\"p\",",
	 "options has too many"},
	{"\"operator\": \"J. ", "\"operator\": 1, \"x\": \"", "operator must be a string"},
	{"\"evidence\": {", "\"evidence\": [], \"x\": {", "evidence must be an object"},
	{"\"collected_at\"", "\"collected\"", "evidence.collected_at is missing"},
	{"\"good_bytes\"", "\"good\"", "evidence.capacity.good_bytes is missing"},
	{"\"good_bytes\": 1073741824", "\"good_bytes\": -1", "good_bytes is out of range"},
	{"\"good_bytes\": 1073741824", "\"good_bytes\": 1e9", "must be a whole number"},
	{"\"good_bytes\": 1073741824", "\"good_bytes\": 99999999999999999999", "not valid JSON"},
	{"\"good_bytes\": 1073741824", "\"good_bytes\": 1, \"good_bytes\": 1", "not valid JSON"},
	{"\"first_bad_offset\": 1073741824", "\"first_bad_offset\": null",
	 "expected does not go with first_bad_offset"},
	{"\"expected\": \"ab", "\"expected\": \"AB", "expected must be lower-case hex"},
	{"\"key\": \"33", "\"key\": \"", "key is hex of the wrong length"},
	{"\"zeros\": 0", "\"zeros\": -7", "classes.zeros is out of range"},
	{"\"unwritable\": 0", "\"other\": 0", "classes.unwritable is missing"},
	{"\"class\": \"alias\"", "\"class\": \"bad\"", "runs[1].class is none"},
	{"\"lba\": 2097152", "\"lba\": 2097151", "runs overlap"},
	{"\"sectors\": 14680064,\n          \"class\"", "\"sectors\": 0,\n          \"class\"",
	 "runs overlap"},
	{"\"runs\": [", "\"runs\": [7,", "runs[0] must be an object"},
	{"\"runs_total\": 2", "\"runs_total\": 3", "runs_total is not the number"},
	{"\"runs_packed\": null", "\"runs_packed\": {}", "runs_packed.encoding is missing"},
	{"\"alias\": [", "\"alias\": {}, \"x\": [", "alias must be an array"},
	{"\"cid\": \"ad", "\"cid\": \"", "cid is hex of the wrong length"},
	{"\"ocr\": 3237969920", "\"ocr\": 4294967296", "ocr is out of range"},
	{"\"masked_cid_crc\": null", "\"masked_cid_crc\": \"fine\"", "masked_cid_crc must be"},
	{"\"nvme\": null", "\"nvme\": {}", "evidence.nvme.pci_vid is missing"},
	{"\"kernel\": {", "\"kernel\": 1, \"x\": {", "evidence.host.kernel must be an object"},
	{"\"absent\"", "\"missing\"", "evidence.host.absent is missing"},
	{"\"operation\": \"write\"", "\"operation\": \"trim\"", "random[0].operation must be"},
	{"\"p999\"", "\"p998\"", "p999 is missing"},
	{"\"value\": \"unknown\"", "\"value\": \"maybe\"", "conditions.value must be"},
	{"\"random\": [", "\"random\": [1,", "random[0] must be an object"},
	{"\"interrupted\": false", "\"interrupted\": 0", "interrupted must be true or false"},
	{"\"masked\": [", "\"masked\": null, \"x\": [", "evidence.masked must be an array"},
	{"\"relation\": \"", "\"relation\": \"x", "identity.relation is none"},
	{"\"candidates\": [", "\"candidates\": [3,", "candidates.brand is missing"},
	{"\"claims\": [", "\"claims\": [3,", "claims[0] must be an object"},
	{"\"kind\": \"brand\"", "\"kind\": \"x\"", "claims[0].kind is none"},
	{"\"findings\": [", "\"findings\": [{}, ", "findings[0].rule is missing"},
	{"\"verdict\": \"inconclusive\"", "\"verdict\": \"fine\"", "findings[1].verdict is none"},
	{"\"headline\": \"", "\"headline\": [], \"x\": \"", "headline must be a string"},
	{"FAIL: ", "\\u0000", "not valid JSON"},
	{"FAIL: ", "\xff", "not valid JSON"},
	{"\"bus\": \"sim\"", "\"bus\": \"\\u0007\"", "evidence.device.bus is too long or wrongly"},
};

START_TEST(bad_values_are_named)
{
	struct ca_certificate *certificate = sample_certificate(), *again;
	struct ca_error error = {0};
	size_t len;
	char *text = sample_json(certificate, &len), *at = strstr(text, bad[_i].from), *changed;

	ck_assert_msg(at != NULL, "the sample has no %s", bad[_i].from);
	ck_assert_int_ge(asprintf(&changed, "%.*s%s%s", (int)(at - text), text, bad[_i].to,
				  at + strlen(bad[_i].from)),
			 0);
	ck_assert_int_eq(parse(changed, strlen(changed), &again, &error), -EBADMSG);
	ck_assert_msg(strstr(error.text, bad[_i].says) != NULL, "\"%s\" does not say \"%s\"",
		      error.text, bad[_i].says);
	free(changed);
	free(text);
	sample_free(certificate);
}
END_TEST

/* Whether the document is still read without the member `key` of one of its objects. */
static bool may_be_missing(json_t *top, json_t *object, const char *key)
{
	json_t *value = json_incref(json_object_get(object, key));
	struct ca_certificate *again;
	struct ca_error error = {0};
	char *text;
	bool accepted;

	ck_assert_int_eq(json_object_del(object, key), 0);
	text = json_dumps(top, JSON_COMPACT);
	accepted = parse(text, strlen(text), &again, &error) == 0;
	if (accepted)
		sample_free(again);
	free(text);
	ck_assert_int_eq(json_object_set_new(object, key, value), 0);
	return accepted;
}

/* How many members may be missing, one at a time. */
static unsigned int drop_members(json_t *top, json_t *object)
{
	json_t *keys = json_array(), *value;
	unsigned int accepted = 0;
	const char *key;
	size_t i;

	json_object_foreach(object, key, value)
		ck_assert_int_eq(json_array_append_new(keys, json_string(key)), 0);
	json_array_foreach(keys, i, value) accepted +=
		may_be_missing(top, object, json_string_value(value));
	json_decref(keys);
	return accepted;
}

START_TEST(every_member_is_needed)
{
	struct ca_certificate *certificate = sample_certificate();
	size_t len;
	char *text = sample_json(certificate, &len);
	json_t *top = json_loads(text, 0, NULL), *evidence = json_object_get(top, "evidence");
	json_t *speed = json_object_get(evidence, "speed");
	json_t *survey = json_object_get(evidence, "survey");
	static const char *const lists[] = {"cells", "lines", "likes"};

	/* options, require, operator, organisation, reference, decoded */
	ck_assert_uint_eq(drop_members(top, top), 6);
	ck_assert_uint_eq(drop_members(top, evidence), 1); /* the survey: few runs have one */
	ck_assert_uint_eq(drop_members(top, json_object_get(evidence, "device")), 0);
	ck_assert_uint_eq(drop_members(top, json_object_get(evidence, "registers")), 0);
	ck_assert_uint_eq(drop_members(top, json_object_get(evidence, "capacity")), 0);
	/* erased_by and recording: of the full profile alone */
	ck_assert_uint_eq(drop_members(top, speed), 2);
	ck_assert_uint_eq(drop_members(top, json_object_get(speed, "recording")), 0);
	ck_assert_uint_eq(drop_members(top, json_array_get(json_object_get(speed, "random"), 0)),
			  0);
	ck_assert_uint_eq(
		drop_members(top, json_array_get(json_object_get(speed, "sequential"), 0)), 0);
	ck_assert_uint_eq(drop_members(top, survey), 0);
	for (size_t i = 0; i < CA_ARRAY_LEN(lists); i++)
		ck_assert_uint_eq(
			drop_members(top, json_array_get(json_object_get(survey, lists[i]), 0)), 0);
	/* "conventions", "nvme_model", "evidence": files of earlier versions lack them */
	ck_assert_uint_eq(drop_members(top, json_object_get(top, "identity")), 3);
	/* "outcome" and "reference" repeat what stands elsewhere; "name" of the tool is ours */
	ck_assert_uint_eq(drop_members(top, json_array_get(json_object_get(top, "claims"), 0)), 1);
	ck_assert_uint_eq(drop_members(top, json_array_get(json_object_get(top, "findings"), 0)),
			  1);
	ck_assert_uint_eq(drop_members(top, json_object_get(top, "tool")), 1);
	json_decref(top);
	free(text);
	sample_free(certificate);
}
END_TEST

START_TEST(truncated_anywhere_is_refused)
{
	struct ca_certificate *certificate = sample_certificate(), *again;
	size_t len;
	char *text = sample_json(certificate, &len);

	for (size_t cut = 0; cut + 2 < len; cut += 101) {
		struct ca_error error = {0};

		ck_assert_int_eq(parse(text, cut, &again, &error), -EBADMSG);
	}
	free(text);
	sample_free(certificate);
}
END_TEST

START_TEST(size_attacks_are_refused_before_parsing)
{
	static const char *const units[] = {"[", "{\"a\":", "0,", "[],", "\"\",", "{},"};
	size_t bytes = CA_CERTIFICATE_BYTES_MAX;
	char *text = malloc(bytes + 2);
	struct ca_certificate *again;
	struct ca_error error = {0};
	size_t unit = strlen(units[_i]), len;

	ck_assert_ptr_nonnull(text);
	text[0] = '[';
	for (len = 1; len + unit <= bytes; len += unit)
		memcpy(text + len, units[_i], unit);
	ck_assert_int_eq(parse(text, len, &again, &error), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(error.text, "nested too deep or holds too many"));
	error = (struct ca_error){0};
	ck_assert_int_eq(parse(text, bytes + 1, &again, &error), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(error.text, "larger than 16 MiB"));
	free(text);
}
END_TEST

START_TEST(unknown_rules_are_dropped_and_counted)
{
	struct ca_certificate *certificate = sample_certificate();
	struct ca_certificate *again = calloc(1, sizeof(*again));
	size_t len, unknown = 77;
	char *text = sample_json(certificate, &len), *at = strstr(text, "CID-CRC");

	ck_assert_ptr_nonnull(at);
	ck_assert_ptr_nonnull(again);
	memcpy(at, "CID-XYZ", 7);
	ck_assert_int_eq(ca_certificate_from_json(text, len, again, &unknown, NULL), 0);
	ck_assert_uint_eq(unknown, 1);
	ck_assert_uint_eq(again->judgement.finding_count, 3);
	ck_assert_str_eq(again->judgement.findings[0].claim, "A2");
	free(text);
	sample_free(again);
	sample_free(certificate);
}
END_TEST

START_TEST(outputs_are_untouched_on_failure)
{
	struct ca_certificate *certificate = malloc(sizeof(*certificate));
	size_t unknown = 5;

	ck_assert_ptr_nonnull(certificate);
	memset(certificate, 0x5a, sizeof(*certificate));
	ck_assert_int_eq(ca_certificate_from_json("{}", 2, certificate, &unknown, NULL), -EBADMSG);
	ck_assert(ca_bytes_is_all(certificate, sizeof(*certificate), 0x5a));
	ck_assert_uint_eq(unknown, 5);
	free(certificate);
}
END_TEST

static char *read_fixture(const char *dir, const char *name, size_t *ret_len)
{
	char path[600], *text = calloc(1, 1 << 20);
	FILE *file;

	(void)snprintf(path, sizeof(path), CA_FIXTURES "/certificates/%s/%s", dir, name);
	file = fopen(path, "rb");
	ck_assert_msg(file != NULL, "cannot open %s", path);
	ck_assert_ptr_nonnull(text);
	*ret_len = fread(text, 1, (1 << 20) - 1, file);
	(void)fclose(file);
	return text;
}

/* Calls `each` for the *.json files of a fixture directory; returns how many there were. */
static unsigned int for_fixtures(const char *dir,
				 void (*each)(const char *name, const char *text, size_t len))
{
	unsigned int count = 0;
	char path[600];
	struct dirent *entry;
	DIR *stream;

	(void)snprintf(path, sizeof(path), CA_FIXTURES "/certificates/%s", dir);
	stream = opendir(path);
	ck_assert_msg(stream != NULL, "cannot open %s", path);
	while ((entry = readdir(stream)) != NULL) {
		size_t len;
		char *text;

		if (!strstr(entry->d_name, ".json") || strstr(entry->d_name, ".minisig"))
			continue;
		text = read_fixture(dir, entry->d_name, &len);
		each(entry->d_name, text, len);
		free(text);
		count++;
	}
	(void)closedir(stream);
	return count;
}

static void must_be_refused(const char *name, const char *text, size_t len)
{
	struct ca_certificate *certificate;
	struct ca_error error = {0};
	int r = parse(text, len, &certificate, &error);

	ck_assert_msg(r == -EBADMSG, "%s: %d", name, r);
}

/* Its evidence comes back as it was; the rest follows the tables, which may grow. */
static void must_be_read(const char *name, const char *text, size_t len)
{
	struct ca_certificate *certificate;
	struct ca_error error = {0};
	int r = parse(text, len, &certificate, &error);
	char headline[512], *again;
	size_t again_len;
	json_t *a, *b;

	ck_assert_msg(r == 0, "%s: %s", name, error.text);
	again = sample_json(certificate, &again_len);
	a = json_loadb(text, len, 0, NULL);
	b = json_loadb(again, again_len, 0, NULL);
	ck_assert_msg(json_equal(json_object_get(a, "evidence"), json_object_get(b, "evidence")),
		      "%s: the evidence changed", name);
	(void)ca_string_copy(headline, sizeof(headline),
			     json_string_value(json_object_get(a, "headline")));
	(void)ca_text_clean(headline);
	ck_assert_str_eq(headline, json_string_value(json_object_get(b, "headline")));
	check_round_trip(certificate);
	json_decref(a);
	json_decref(b);
	free(again);
	sample_free(certificate);
}

START_TEST(fixtures)
{
	ck_assert_uint_ge(for_fixtures("valid", must_be_read), 3);
	ck_assert_uint_ge(for_fixtures("hostile", must_be_refused), 10);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("certificate_json");
	TCase *tcase = tcase_create("certificate_json");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, written_read_and_written_is_the_same);
	tcase_add_test(tcase, everything_comes_back);
	tcase_add_test(tcase, empty_certificate_round_trip);
	tcase_add_test(tcase, nvme_and_masked_round_trip);
	tcase_add_test(tcase, extension_registers_round_trip);
	tcase_add_loop_test(tcase, run_counts_round_trip, 0, (int)CA_ARRAY_LEN(run_counts));
	tcase_add_loop_test(tcase, probes_round_trip, 0, 2);
	tcase_add_loop_test(tcase, marks_round_trip, 0, 8);
	tcase_add_test(tcase, compact_says_the_same);
	tcase_add_test(tcase, top_level_names_in_order);
	tcase_add_loop_test(tcase, bad_values_are_named, 0, (int)CA_ARRAY_LEN(bad));
	tcase_add_test(tcase, every_member_is_needed);
	tcase_add_test(tcase, truncated_anywhere_is_refused);
	tcase_add_loop_test(tcase, size_attacks_are_refused_before_parsing, 0, 6);
	tcase_add_test(tcase, unknown_rules_are_dropped_and_counted);
	tcase_add_test(tcase, outputs_are_untouched_on_failure);
	tcase_add_test(tcase, fixtures);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
