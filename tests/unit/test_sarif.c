/* SPDX-License-Identifier: BSD-2-Clause */
/* The log as a reader sees it: what the standard asks for, and that hostile strings stay inert. */
#include "sarif_parts.h"
#include "test_certificate_sample.h"

#include <jansson.h>

static const struct ca_sarif_end done = {.exit_code = 1, .successful = true};

static json_t *parse(const char *text)
{
	json_error_t problem;
	json_t *log = json_loads(text, JSON_REJECT_DUPLICATES, &problem);

	ck_assert_msg(log != NULL, "line %d: %s", problem.line, problem.text);
	for (const char *p = text; *p; p++)
		ck_assert_msg(*p == '\n' || (unsigned char)*p >= 0x20, "control byte");
	return log;
}

static json_t *log_of(const struct ca_certificate *certificate, const char *artifact)
{
	char *text = NULL;
	json_t *log;

	ck_assert_int_eq(ca_certificate_to_sarif(certificate, artifact, "0.1.0", &done, &text), 0);
	log = parse(text);
	free(text);
	return log;
}

static const json_t *member(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	ck_assert_msg(value != NULL, "no %s", key);
	return value;
}

static const char *string(const json_t *object, const char *key)
{
	const char *value = json_string_value(member(object, key));

	ck_assert_msg(value != NULL, "%s is no string", key);
	return value;
}

static const json_t *run_of(const json_t *log)
{
	ck_assert_uint_eq(json_array_size(member(log, "runs")), 1);
	return json_array_get(member(log, "runs"), 0);
}

static const json_t *result_of(const json_t *log, size_t index)
{
	const json_t *result = json_array_get(member(run_of(log), "results"), index);

	ck_assert_msg(result != NULL, "no result %zu", index);
	return result;
}

static const char *text_of(const json_t *object, const char *key)
{
	return string(member(object, key), "text");
}

static const json_t *location_of(const json_t *result)
{
	ck_assert_uint_eq(json_array_size(member(result, "locations")), 1);
	return json_array_get(member(result, "locations"), 0);
}

static const char *uri_of(const json_t *result)
{
	const json_t *physical = member(location_of(result), "physicalLocation");

	return string(member(physical, "artifactLocation"), "uri");
}

static const json_t *logical_of(const json_t *result)
{
	return json_array_get(member(location_of(result), "logicalLocations"), 0);
}

static const char *fingerprint_of(const json_t *result)
{
	return string(member(result, "partialFingerprints"), "cardassayFinding/v1");
}

/* ---- the log ------------------------------------------------------------------------------- */

START_TEST(head_and_rules)
{
	struct ca_certificate *certificate = sample_certificate();
	json_t *log = log_of(certificate, "sim:announced=64G,real=1G");
	const json_t *driver = member(member(run_of(log), "tool"), "driver");
	const json_t *rules = member(driver, "rules"), *rule;
	size_t i;

	ck_assert_str_eq(string(log, "version"), "2.1.0");
	ck_assert_ptr_nonnull(strstr(string(log, "$schema"), "sarif-schema-2.1.0.json"));
	ck_assert_str_eq(string(driver, "name"), "cardassay");
	ck_assert_str_eq(string(driver, "version"), "0.1.0");
	ck_assert_uint_eq(json_array_size(rules), ca_spec_rules_count);
	json_array_foreach(rules, i, rule)
	{
		const char *level = string(member(rule, "defaultConfiguration"), "level");
		const json_t *properties = member(rule, "properties");
		const char *severity = string(properties, "severity");

		ck_assert_str_eq(string(rule, "id"), ca_spec_rules[i].id);
		ck_assert_ptr_null(strchr(string(rule, "name"), '-'));
		ck_assert_ptr_nonnull(
			strstr(text_of(rule, "shortDescription"), ca_spec_rules[i].title));
		ck_assert_ptr_nonnull(
			strstr(text_of(rule, "fullDescription"), ca_spec_rules[i].why));
		ck_assert_ptr_null(strstr(text_of(rule, "help"), "**"));
		ck_assert_int_ne(text_of(rule, "help")[0], '#');
		ck_assert_int_eq(string(member(rule, "help"), "markdown")[0], '#');
		ck_assert_str_eq(level, strcmp(severity, "fail") == 0	   ? "error"
					: strcmp(severity, "warning") == 0 ? "warning"
									   : "note");
		ck_assert_uint_gt(json_array_size(member(properties, "sources")), 0);
	}
	ck_assert_str_eq(string(json_array_get(rules, 4), "name"), "CidPnmFiller");
	ck_assert_str_eq(string(json_array_get(rules, ca_spec_rules_count - 1), "name"),
			 "MeasuredRule");
	json_decref(log);
	sample_free(certificate);
}
END_TEST

static const struct {
	enum ca_verdict verdict;
	const char *kind, *level;
} kinds[] = {
	{CA_VERDICT_PASS, "pass", "none"},	    {CA_VERDICT_FAIL, "fail", "error"},
	{CA_VERDICT_INCONCLUSIVE, "open", "none"},  {CA_VERDICT_UNTESTED, "open", "none"},
	{CA_VERDICT_SCREENED, "review", "none"},    {CA_VERDICT_WARNING, "review", "none"},
	{CA_VERDICT_NOTE, "informational", "none"},
};

/* Rules without a finding are results too, each once, and of two kinds. */
START_TEST(rules_that_found_nothing)
{
	struct ca_certificate *certificate = sample_certificate();
	const struct ca_judgement *judgement = &certificate->judgement;
	unsigned int holding = 0, idle = 0;
	const json_t *results, *result;
	json_t *log;
	size_t i;

	/* as read from a file, which does not tell */
	log = log_of(certificate, "sim:announced=64G,real=1G");
	ck_assert_uint_eq(json_array_size(member(run_of(log), "results")),
			  judgement->finding_count);
	json_decref(log);
	ck_assert_int_eq(ca_certificate_judge(certificate, NULL), 0);
	log = log_of(certificate, "sim:announced=64G,real=1G");
	results = member(run_of(log), "results");
	json_array_foreach(results, i, result)
	{
		const char *kind = string(result, "kind");
		json_int_t index = json_integer_value(member(result, "ruleIndex"));

		if (i < judgement->finding_count)
			continue;
		ck_assert_str_eq(string(result, "ruleId"), ca_spec_rules[index].id);
		ck_assert_str_eq(string(result, "level"), "none");
		ck_assert_str_eq(uri_of(result), "sim:announced=64G,real=1G");
		ck_assert_uint_gt(strlen(text_of(result, "message")), 0);
		ck_assert_str_eq(kind, judgement->rules[index] == CA_RULE_HOLDS ? "pass"
										: "notApplicable");
		holding += judgement->rules[index] == CA_RULE_HOLDS;
		idle += judgement->rules[index] == CA_RULE_NOT_APPLICABLE;
		for (size_t j = 0; j < judgement->finding_count; j++)
			ck_assert(judgement->findings[j].rule != &ca_spec_rules[index]);
	}
	ck_assert_uint_gt(holding, 0);
	ck_assert_uint_gt(idle, 0);
	ck_assert_uint_eq(holding + idle, json_array_size(results) - judgement->finding_count);
	json_decref(log);
	sample_free(certificate);
}
END_TEST

START_TEST(kind_and_level)
{
	struct ca_certificate *certificate = sample_certificate();
	const json_t *result;
	json_t *log;

	certificate->judgement.findings[0].verdict = kinds[_i].verdict;
	log = log_of(certificate, "sim:announced=64G,real=1G");
	result = result_of(log, 0);
	ck_assert_str_eq(string(result, "kind"), kinds[_i].kind);
	ck_assert_str_eq(string(result, "level"), kinds[_i].level);
	ck_assert_str_eq(string(member(result, "properties"), "verdict"),
			 ca_verdict_name(kinds[_i].verdict));
	json_decref(log);
	sample_free(certificate);
}
END_TEST

START_TEST(result_says_where_and_what)
{
	struct ca_certificate *certificate = sample_certificate();
	json_t *log = log_of(certificate, "sim:announced=64G,real=1G");
	const json_t *rules = member(member(member(run_of(log), "tool"), "driver"), "rules");
	const json_t *result = result_of(log, 0), *properties = member(result, "properties");
	size_t index = (size_t)json_integer_value(member(result, "ruleIndex"));

	ck_assert_uint_eq(json_array_size(member(run_of(log), "results")), 4);
	ck_assert_str_eq(string(result, "ruleId"), "CID-CRC");
	ck_assert_str_eq(string(json_array_get(rules, index), "id"), "CID-CRC");
	ck_assert_int_eq(strncmp(text_of(result, "message"),
				 "capacity: 1 GiB is real. the reason is given here", 49),
			 0);
	ck_assert_str_eq(uri_of(result), "sim:announced=64G,real=1G");
	ck_assert_str_eq(string(logical_of(result), "fullyQualifiedName"), "cid[7:1]");
	ck_assert_str_eq(string(logical_of(result), "kind"), "member");
	ck_assert_str_eq(string(properties, "register"), "cid");
	ck_assert_str_eq(string(properties, "bits"), "[7:1]");
	ck_assert_str_eq(string(properties, "origin"), "simulated");
	ck_assert_str_eq(string(properties, "cardVerdict"), "fail");
	json_decref(log);
	sample_free(certificate);
}
END_TEST

START_TEST(run_says_what_it_is_not)
{
	static const struct ca_sarif_end lost = {
		.exit_code = 5, .level = "error", .notice = "The card went away {0} [a](b)."};
	struct ca_certificate *certificate = sample_certificate();
	const json_t *invocation, *notices, *properties;
	char *text = NULL;
	json_t *log;

	ck_assert_int_eq(ca_certificate_to_sarif(certificate, "x", "0.1.0", &lost, &text), 0);
	log = parse(text);
	free(text);
	invocation = json_array_get(member(run_of(log), "invocations"), 0);
	notices = member(invocation, "toolExecutionNotifications");
	properties = member(run_of(log), "properties");
	ck_assert(json_is_false(member(invocation, "executionSuccessful")));
	ck_assert_int_eq(json_integer_value(member(invocation, "exitCode")), 5);
	ck_assert_uint_eq(json_array_size(notices), 2);
	ck_assert_int_eq(
		strncmp(text_of(json_array_get(notices, 0), "message"), "SIMULATED CARD", 14), 0);
	ck_assert_str_eq(text_of(json_array_get(notices, 1), "message"),
			 "The card went away {{0}} [a] (b).");
	ck_assert_str_eq(string(json_array_get(notices, 1), "level"), "error");
	ck_assert_str_eq(string(properties, "origin"), "simulated");
	ck_assert_str_eq(string(properties, "verdict"), "fail");
	json_decref(log);
	certificate->evidence.origin = CA_ORIGIN_LIVE;
	log = log_of(certificate, "/dev/mmcblk0");
	invocation = json_array_get(member(run_of(log), "invocations"), 0);
	ck_assert_uint_eq(json_array_size(member(invocation, "toolExecutionNotifications")), 0);
	ck_assert(json_is_true(member(invocation, "executionSuccessful")));
	json_decref(log);
	sample_free(certificate);
}
END_TEST

/* Pieces put one behind the other, as they come. */
static json_t *log_of_pieces(const struct ca_certificate *const *cards, size_t count)
{
	struct ca_sarif sarif;
	char *all = NULL;
	size_t bytes;
	FILE *file = open_memstream(&all, &bytes);
	json_t *log;

	ck_assert_ptr_nonnull(file);
	for (size_t i = 0; i < count + 2; i++) {
		char *piece = NULL;
		int r = i == 0	     ? ca_sarif_begin(&sarif, "0.1.0", &piece)
			: i <= count ? ca_sarif_add(&sarif, cards[i - 1], "a file", &piece)
				     : ca_sarif_finish(&sarif, &done, &piece);

		ck_assert_int_eq(r, 0);
		ck_assert_int_ge(fputs(piece, file), 0);
		free(piece);
	}
	ck_assert_int_eq(fclose(file), 0);
	log = parse(all);
	free(all);
	return log;
}

/* Of many cards only the first hundred are told in full, and that is said. */
START_TEST(many_cards_in_one_run)
{
	struct ca_certificate *card = sample_certificate();
	struct ca_sarif sarif;
	char *piece = NULL;

	card->judgement.rules[ca_spec_rules_count - 1] = CA_RULE_HOLDS;
	ck_assert_int_eq(ca_sarif_begin(&sarif, "0.1.0", &piece), 0);
	free(piece);
	for (unsigned int i = 0; i < 103; i++) {
		ck_assert_int_eq(ca_sarif_add(&sarif, card, "a file", &piece), 0);
		ck_assert_int_eq(strstr(piece, "\"notApplicable\"") != NULL, i < 100);
		free(piece);
	}
	ck_assert_int_eq(ca_sarif_finish(&sarif, &done, &piece), 0);
	ck_assert_ptr_nonnull(strstr(piece, "Of the last 3 of 103 cards"));
	ck_assert_ptr_null(strstr(piece, "results. Services"));
	free(piece);
	sarif.results = 25001;
	ck_assert_int_eq(ca_sarif_finish(&sarif, &done, &piece), 0);
	ck_assert_ptr_nonnull(strstr(piece, "This run has 25001 results. Services"));
	free(piece);
	sample_free(card);
}
END_TEST

START_TEST(several_cards_in_one_run)
{
	struct ca_certificate *first = sample_certificate(), *second = sample_certificate();
	const struct ca_certificate *const cards[] = {first, second};
	const json_t *properties;
	json_t *log;

	second->evidence.origin = CA_ORIGIN_RECORDED;
	second->judgement.verdict = CA_VERDICT_UNTESTED;
	strcpy(second->evidence.device.node, "card 2");
	log = log_of_pieces(cards, 2);
	properties = member(run_of(log), "properties");
	ck_assert_uint_eq(json_array_size(member(run_of(log), "results")), 8);
	ck_assert_str_eq(uri_of(result_of(log, 7)), "a%20file");
	ck_assert_str_eq(string(logical_of(result_of(log, 7)), "fullyQualifiedName"),
			 "card 2/cid[7:1]");
	ck_assert_int_eq(json_integer_value(member(properties, "cards")), 2);
	ck_assert_int_eq(json_integer_value(member(properties, "failed")), 1);
	ck_assert_str_eq(string(properties, "origin"), "mixed");
	ck_assert_ptr_null(json_object_get(properties, "verdict"));
	json_decref(log);
	log = log_of_pieces(cards, 0);
	ck_assert_uint_eq(json_array_size(member(run_of(log), "results")), 0);
	json_decref(log);
	sample_free(first);
	sample_free(second);
}
END_TEST

/* ---- fingerprints -------------------------------------------------------------------------- */

START_TEST(fingerprints_are_of_card_and_place)
{
	struct ca_certificate *certificate = sample_certificate();
	struct ca_finding *finding = certificate->judgement.findings;
	json_t *log = log_of(certificate, "x"), *other;

	/* two identical places are told apart */
	finding[3].verdict = CA_VERDICT_WARNING;
	ck_assert_str_ne(fingerprint_of(result_of(log, 2)), fingerprint_of(result_of(log, 3)));
	ck_assert_uint_eq(strlen(fingerprint_of(result_of(log, 0))), 32);
	/* another run: other figures, another sector, another name of the device */
	strcpy(finding[0].found, "another figure");
	strcpy(certificate->id, "ff112233445566778899aabbccddeeff");
	strcpy(certificate->evidence.device.node, "/dev/sdb");
	other = log_of(certificate, "/dev/sdb");
	ck_assert_str_eq(fingerprint_of(result_of(log, 0)), fingerprint_of(result_of(other, 0)));
	json_decref(other);
	/* another place, then another card */
	strcpy(finding[0].where, "cid[127:120]");
	other = log_of(certificate, "x");
	ck_assert_str_ne(fingerprint_of(result_of(log, 0)), fingerprint_of(result_of(other, 0)));
	json_decref(other);
	strcpy(finding[0].where, "cid[7:1]");
	certificate->evidence.registers.cid[10] ^= 1;
	other = log_of(certificate, "x");
	ck_assert_str_ne(fingerprint_of(result_of(log, 0)), fingerprint_of(result_of(other, 0)));
	json_decref(other);
	json_decref(log);
	sample_free(certificate);
}
END_TEST

START_TEST(sectors_do_not_change_a_fingerprint)
{
	struct ca_certificate *certificate = sample_certificate();
	json_t *log, *other;

	strcpy(certificate->judgement.findings[0].where, "sector 12");
	log = log_of(certificate, "x");
	strcpy(certificate->judgement.findings[0].where, "sector 4096");
	other = log_of(certificate, "x");
	ck_assert_str_eq(fingerprint_of(result_of(log, 0)), fingerprint_of(result_of(other, 0)));
	json_decref(log);
	json_decref(other);
	sample_free(certificate);
}
END_TEST

START_TEST(masked_serial_is_in_no_fingerprint)
{
	struct ca_certificate *certificate = sample_certificate();
	json_t *log, *other;

	ca_evidence_mask(&certificate->evidence);
	log = log_of(certificate, "x");
	sample_free(certificate);
	certificate = sample_certificate();
	certificate->evidence.registers.cid[10] ^= 1; /* of the serial */
	ca_evidence_mask(&certificate->evidence);
	other = log_of(certificate, "x");
	ck_assert_str_eq(fingerprint_of(result_of(log, 0)), fingerprint_of(result_of(other, 0)));
	json_decref(log);
	json_decref(other);
	sample_free(certificate);
}
END_TEST

/* ---- places -------------------------------------------------------------------------------- */

static const struct {
	const char *artifact, *part, *uri;
	enum ca_origin origin;
	bool is_dir;
	const char *lent;
} places[] = {
	{"/dev/mmcblk0", "cid", "file:///dev/mmcblk0", CA_ORIGIN_LIVE, false, NULL},
	{"//dev/mmcblk0", "cid", "file:///dev/mmcblk0", CA_ORIGIN_LIVE, false, NULL},
	{"cards/C1", "cid", "cards/C1/cid", CA_ORIGIN_RECORDED, true, NULL},
	{"../C 1/", "ssr", "../C%201/ssr", CA_ORIGIN_RECORDED, true, NULL},
	{"/", "ssr", "file:///ssr", CA_ORIGIN_RECORDED, true, NULL},
	{"cards/C1", "label", "cards/C1", CA_ORIGIN_RECORDED, true, NULL},
	{"cards/C1", "extcsd", "cards/C1", CA_ORIGIN_RECORDED, true, NULL}, /* has none */
	{"card.json", "cid", "card.json", CA_ORIGIN_RECORDED, false, NULL},
	{"a:b", "cid", "a%3Ab", CA_ORIGIN_RECORDED, false, NULL},
	{"http://x/?a=b#c", "cid", "http%3A//x/%3Fa%3Db%23c", CA_ORIGIN_RECORDED, false, NULL},
	{"M\xc3\xbc\xff\x1b[\"\n%", "cid", "M%C3%BC%FF%1B%5B%22%0A%25", CA_ORIGIN_RECORDED, false,
	 NULL},
	{"-", "cid", "stdin:", CA_ORIGIN_RECORDED, false, NULL},
	{"image:card.img", "capacity", "card.img", CA_ORIGIN_IMAGE, false, NULL},
	{"image:/tmp/a.img", "capacity", "file:///tmp/a.img", CA_ORIGIN_IMAGE, false, NULL},
	{"/dev/sda", "cid", "saved/cid", CA_ORIGIN_LIVE, false, "saved"},
	{"/dev/sda", "capacity", "file:///dev/sda", CA_ORIGIN_LIVE, false, "saved"},
};

START_TEST(uris)
{
	struct ca_certificate *certificate = sample_certificate();
	struct ca_evidence *evidence = &certificate->evidence;
	char *uri;

	evidence->origin = places[_i].origin;
	strcpy(evidence->device.registers_from, "sysfs");
	if (places[_i].is_dir || places[_i].lent)
		strcpy(evidence->device.node, places[_i].artifact);
	if (places[_i].is_dir)
		strcpy(evidence->device.registers_from, places[_i].artifact);
	if (places[_i].lent)
		strcpy(evidence->device.registers_from, places[_i].lent);
	evidence->device.registers_lent = places[_i].lent != NULL;
	uri = ca_sarif_uri(evidence, places[_i].artifact, places[_i].part);
	ck_assert_ptr_nonnull(uri);
	ck_assert_str_eq(uri, places[_i].uri);
	free(uri);
	sample_free(certificate);
}
END_TEST

static const struct {
	const char *where, *part, *bits;
	bool has;
} splits[] = {
	{"cid[103:64]", "cid", "[103:64]", true},
	{"csd[14]", "csd", "[14]", true},
	{"cid", "cid", "", true},
	{"sector 12", "sector", "", true},
	{"random-write", "random-write", "", true},
	{"", "device", "", false},
};

START_TEST(where_is_split)
{
	struct ca_sarif_where where;

	ck_assert_int_eq(ca_sarif_split_where(splits[_i].where, &where), splits[_i].has);
	ck_assert_str_eq(where.part, splits[_i].part);
	ck_assert_str_eq(where.bits, splits[_i].bits);
}
END_TEST

/* ---- hostile strings ----------------------------------------------------------------------- */

START_TEST(hostile_strings_are_inert)
{
	struct ca_certificate *certificate = sample_certificate();
	struct ca_finding *finding = certificate->judgement.findings;
	const json_t *result;
	json_t *log;

	strcpy(finding->found, "\x1b[2J\"},{ [pay](http://evil) \xff\n=1+1 \xe2\x80\xae<b>");
	strcpy(finding->claim, "\x07");
	strcpy(finding->source, "");
	strcpy(finding->where, "cid\x1b[1]\"");
	strcpy(finding->why, "");
	strcpy(certificate->evidence.device.node, "\x1b]0;x\x07");
	log = log_of(certificate, "x\x1b");
	result = result_of(log, 0);
	ck_assert_str_eq(text_of(result, "message"),
			 "?[2J\"}},{{ [pay] (http://evil) ?\?=1+1 ?<b>.");
	ck_assert_str_eq(string(member(result, "properties"), "claim"), "?");
	ck_assert_str_eq(string(logical_of(result), "fullyQualifiedName"),
			 "\\x1b]0;x\\x07/cid?[1]\"");
	ck_assert_str_eq(uri_of(result), "x%1B");
	json_decref(log);
	sample_free(certificate);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sarif");
	TCase *tcase = tcase_create("sarif");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tcase, head_and_rules);
	tcase_add_test(tcase, rules_that_found_nothing);
	tcase_add_loop_test(tcase, kind_and_level, 0, (int)CA_ARRAY_LEN(kinds));
	tcase_add_test(tcase, result_says_where_and_what);
	tcase_add_test(tcase, run_says_what_it_is_not);
	tcase_add_test(tcase, several_cards_in_one_run);
	tcase_add_test(tcase, many_cards_in_one_run);
	tcase_add_test(tcase, fingerprints_are_of_card_and_place);
	tcase_add_test(tcase, sectors_do_not_change_a_fingerprint);
	tcase_add_test(tcase, masked_serial_is_in_no_fingerprint);
	tcase_add_loop_test(tcase, uris, 0, (int)CA_ARRAY_LEN(places));
	tcase_add_loop_test(tcase, where_is_split, 0, (int)CA_ARRAY_LEN(splits));
	tcase_add_test(tcase, hostile_strings_are_inert);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
