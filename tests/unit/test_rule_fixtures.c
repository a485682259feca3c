/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every rule holds, fires, and does not apply: by a text in fixtures/rules/ID/ that `inspect`
 * reads, or by evidence made in constructed_rules.h. A rule that has neither fails here.
 *
 * A text begins with a line that says what it is. "# label: TEXT" gives it a label, as --label
 * does.
 */
#include "constructed_rules.h"

#include "cardassay/certificate.h"
#include "cardassay/host.h"

#include <dirent.h>

static const struct {
	const char *file;
	enum ca_rule_state state;
} states[] = {
	{"holds", CA_RULE_HOLDS},
	{"fires", CA_RULE_FIRED},
	{"not-applicable", CA_RULE_NOT_APPLICABLE},
};

static size_t rule_index(const char *id)
{
	const struct ca_spec_rule *rule = ca_spec_rule_find(id);

	ck_assert_msg(rule != NULL, "no rule %s", id);
	return (size_t)(rule - ca_spec_rules);
}

/* ---- texts ---------------------------------------------------------------------------------- */

struct text {
	char name[160];
	char *bytes;
	size_t len;
	unsigned int cards;
	struct ca_certificate certificate;
};

static bool read_text(const char *id, const char *file, struct text *text)
{
	char path[512];
	FILE *stream;

	(void)snprintf(text->name, sizeof(text->name), "rules/%s/%s.txt", id, file);
	(void)snprintf(path, sizeof(path), "%s/%s", CA_FIXTURES, text->name);
	stream = fopen(path, "rb");
	if (!stream)
		return false;
	text->bytes = calloc(1, 65536);
	ck_assert_ptr_nonnull(text->bytes);
	text->len = fread(text->bytes, 1, 65535, stream);
	(void)fclose(stream);
	return true;
}

static void read_label(struct text *text)
{
	const char *at = strstr(text->bytes, "\n# label: ");
	size_t len;

	if (!at)
		return;
	at += strlen("\n# label: ");
	len = strcspn(at, "\n");
	ck_assert_uint_lt(len, sizeof(text->certificate.label));
	memcpy(text->certificate.label, at, len);
}

static int take_card(void *context, const struct ca_evidence *card)
{
	struct text *text = context;

	text->cards++;
	ca_host_adopt_recorded(card, &text->certificate.evidence);
	(void)ca_string_copy(text->certificate.evidence.device.registers_from,
			     sizeof(text->certificate.evidence.device.registers_from), "text");
	return 0;
}

/* Where and how a finding of the rule stands in what `inspect` prints. */
static void check_line(const struct ca_spec_rule *rule, const struct text *text)
{
	const struct ca_view_options options = {.columns = 80};
	char where[96], id[64];
	char *shown = NULL, *next = NULL;
	bool seen = false;

	(void)snprintf(where, sizeof(where), ":%s%s: ", rule->reg, rule->bits);
	(void)snprintf(id, sizeof(id), " [%s]", rule->id);
	ck_assert_int_eq(ca_certificate_inspect_text(&text->certificate, &options, &shown), 0);
	for (char *line = strtok_r(shown, "\n", &next); line; line = strtok_r(NULL, "\n", &next)) {
		const char *end = strstr(line, id);

		seen |= end && strcmp(end, id) == 0 && strstr(line, where) != NULL;
	}
	free(shown);
	ck_assert_msg(seen, "%s: no line with %s and%s", text->name, where, id);
}

static void check_text(const struct ca_spec_rule *rule, size_t state, struct text *text)
{
	struct ca_error error = {0};
	enum ca_rule_state found;
	int r;

	ck_assert_msg(strncmp(text->bytes, "# ", 2) == 0, "%s does not say what it is", text->name);
	/* 2026-01-15, so that what is of the future stays so */
	text->certificate.evidence.collected_at = UINT64_C(1768435200);
	text->certificate.evidence.clock_trusted = true;
	text->certificate.profile = CA_PROFILE_INSPECT;
	read_label(text);
	r = ca_host_read_register_text(text->bytes, text->len, take_card, text, &error);
	ck_assert_msg(r == 0, "%s: %s", text->name, error.text);
	ck_assert_msg(text->cards == 1, "%s: %u cards", text->name, text->cards);
	ck_assert_int_eq(ca_certificate_judge(&text->certificate, &error), 0);
	found = text->certificate.judgement.rules[rule - ca_spec_rules];
	ck_assert_msg(found == states[state].state, "%s: %s", text->name,
		      ca_rule_state_name(found));
	if (states[state].state == CA_RULE_FIRED)
		check_line(rule, text);
}

static const struct constructed_rule *find_constructed(const char *id)
{
	for (size_t i = 0; i < CA_ARRAY_LEN(constructed_rules); i++)
		if (strcmp(constructed_rules[i].id, id) == 0)
			return &constructed_rules[i];
	return NULL;
}

START_TEST(each_rule_has_a_text_for_each_state)
{
	const struct ca_spec_rule *rule = &ca_spec_rules[_i];

	if (find_constructed(rule->id))
		return;
	for (size_t state = 0; state < CA_ARRAY_LEN(states); state++) {
		struct text *text = calloc(1, sizeof(*text));

		ck_assert_ptr_nonnull(text);
		ck_assert_msg(read_text(rule->id, states[state].file, text),
			      "%s is missing, and %s is not in constructed_rules.h", text->name,
			      rule->id);
		check_text(rule, state, text);
		ca_certificate_done(&text->certificate);
		free(text->bytes);
		free(text);
	}
}
END_TEST

/* Nothing lies there that no test reads. */
START_TEST(each_directory_is_a_rule)
{
	DIR *dir = opendir(CA_FIXTURES "/rules");

	ck_assert_ptr_nonnull(dir);
	for (const struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
		if (entry->d_name[0] == '.')
			continue;
		ck_assert_msg(ca_spec_rule_find(entry->d_name) != NULL, "no rule %s",
			      entry->d_name);
		ck_assert_msg(!find_constructed(entry->d_name),
			      "%s is made, its texts are not read", entry->d_name);
	}
	(void)closedir(dir);
}
END_TEST

/* ---- made evidence -------------------------------------------------------------------------- */

static void check_made(const struct constructed_rule *row, make_case *make,
		       enum ca_rule_state expected)
{
	static struct judge_case t; /* large */
	enum ca_rule_state found;

	if (!make)
		return;
	case_good(&t);
	case_good_host(&t);
	t.request.label = row->label;
	make(&t);
	case_judge(&t);
	found = t.judgement.rules[rule_index(row->id)];
	ck_assert_msg(found == expected, "%s %s, expected %s", row->id, ca_rule_state_name(found),
		      ca_rule_state_name(expected));
	ck_assert_msg((found == CA_RULE_FIRED) <= (find_rule(&t, row->id) != NULL), "%s", row->id);
	case_done(&t);
}

START_TEST(each_made_case_gives_its_state)
{
	const struct constructed_rule *row = &constructed_rules[_i];

	check_made(row, row->holds, CA_RULE_HOLDS);
	check_made(row, row->fires, CA_RULE_FIRED);
	check_made(row, row->idle, CA_RULE_NOT_APPLICABLE);
}
END_TEST

/* ---- both ----------------------------------------------------------------------------------- */

/* No card, no claim: nothing can hold but what says so. */
START_TEST(without_evidence_nothing_holds)
{
	static struct judge_case t; /* large */
	struct ca_rule_counts counts;

	case_bare(&t);
	t.evidence.device.bytes = 0;
	case_judge(&t);
	ca_judgement_count_rules(&t.judgement, &counts);
	ck_assert_uint_eq(counts.hold, 0);
	ck_assert_uint_eq(counts.fired, 1);
	ck_assert_uint_eq(counts.not_applicable, ca_spec_rules_count - 1);
	ck_assert_int_eq(t.judgement.rules[rule_index("NOT-OBSERVABLE")], CA_RULE_FIRED);
	case_done(&t);
}
END_TEST

/* A finding that is neither pass, screened nor untested is of a rule that fired, and only such. */
START_TEST(states_and_findings_agree)
{
	static struct judge_case t; /* large */

	case_good(&t);
	case_good_host(&t);
	case_judge(&t);
	for (size_t i = 0; i < t.judgement.finding_count; i++) {
		const struct ca_finding *finding = &t.judgement.findings[i];
		bool speaks = finding->verdict != CA_VERDICT_PASS &&
			      finding->verdict != CA_VERDICT_SCREENED &&
			      finding->verdict != CA_VERDICT_UNTESTED;

		if (speaks)
			ck_assert_msg(t.judgement.rules[finding->rule - ca_spec_rules] ==
					      CA_RULE_FIRED,
				      "%s", finding->rule->id);
	}
	for (size_t i = 0; i < ca_spec_rules_count; i++)
		if (t.judgement.rules[i] == CA_RULE_FIRED)
			ck_assert_msg(find_rule(&t, ca_spec_rules[i].id) != NULL, "%s",
				      ca_spec_rules[i].id);
	case_done(&t);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rule_fixtures");
	TCase *tcase = tcase_create("rule_fixtures");

	tcase_add_loop_test(tcase, each_rule_has_a_text_for_each_state, 0,
			    (int)ca_spec_rules_count);
	tcase_add_test(tcase, each_directory_is_a_rule);
	tcase_add_loop_test(tcase, each_made_case_gives_its_state, 0,
			    (int)CA_ARRAY_LEN(constructed_rules));
	tcase_add_test(tcase, without_evidence_nothing_holds);
	tcase_add_test(tcase, states_and_findings_agree);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
