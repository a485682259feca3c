/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge_scope.h"
#include "judge_speed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const verdict_names[] = {
	[CA_VERDICT_PASS] = "pass",
	[CA_VERDICT_SCREENED] = "screened",
	[CA_VERDICT_INCONCLUSIVE] = "inconclusive",
	[CA_VERDICT_FAIL] = "fail",
	[CA_VERDICT_UNTESTED] = "untested",
	[CA_VERDICT_WARNING] = "warning",
	[CA_VERDICT_NOTE] = "note",
};

static const char *const profile_names[] = {
	[CA_PROFILE_INSPECT] = "inspect",   [CA_PROFILE_QUICK] = "quick",
	[CA_PROFILE_STANDARD] = "standard", [CA_PROFILE_FULL] = "full",
	[CA_PROFILE_FILL] = "fill",	    [CA_PROFILE_SPEED] = "speed",
};

static const char *const state_names[] = {
	[CA_RULE_NOT_APPLICABLE] = "not-applicable",
	[CA_RULE_HOLDS] = "holds",
	[CA_RULE_FIRED] = "fired",
};

static int find_name(const char *const *names, size_t count, const char *name, size_t *ret_index)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(names[i], name) == 0) {
			*ret_index = i;
			return 0;
		}
	}
	return -EINVAL;
}

const char *ca_verdict_name(enum ca_verdict verdict)
{
	return verdict_names[verdict];
}

int ca_verdict_parse(const char *name, enum ca_verdict *ret_verdict)
{
	size_t index;
	int error = find_name(verdict_names, CA_ARRAY_LEN(verdict_names), name, &index);

	if (!error)
		*ret_verdict = (enum ca_verdict)index;
	return error;
}

const char *ca_rule_state_name(enum ca_rule_state state)
{
	return state_names[state];
}

const char *ca_profile_name(enum ca_profile profile)
{
	return profile_names[profile];
}

/* What is promised, and who made it. */
static int read_case(const struct ca_judge_request *request, struct ca_judgement *judgement)
{
	const struct ca_evidence *evidence = request->evidence;

	ca_registers_decode(&evidence->registers, &judgement->registers);
	if (request->label && request->label[0])
		ca_claims_parse_label(request->label, &judgement->claims);
	for (size_t i = 0; i < request->option_count; i++)
		if (ca_claims_parse_option(request->options[i], &judgement->claims) < 0)
			return -EINVAL;
	ca_claims_from_registers(&judgement->registers, evidence->device.bytes, &judgement->claims);
	ca_identity_resolve(&evidence->registers, &judgement->registers, judgement->claims.brand,
			    &judgement->identity);
	return 0;
}

static int keep_findings(const struct ca_judge_sink *sink, struct ca_judgement *judgement)
{
	if (!sink->count)
		return 0;
	judgement->findings = calloc(sink->count, sizeof(*judgement->findings));
	if (!judgement->findings)
		return -ENOMEM;
	for (size_t i = 0; i < sink->count; i++)
		judgement->findings[i] = sink->drafts[i].finding;
	judgement->finding_count = sink->count;
	return 0;
}

static int judge(const struct ca_judge_case *c, struct ca_judge_sink *sink,
		 struct ca_judgement *judgement)
{
	for (size_t i = 0; i < ca_judge_rules_count; i++) {
		sink->rule = &ca_spec_rules[i]; /* in one order: a test holds the two together */
		sink->state = CA_RULE_NOT_APPLICABLE;
		ca_judge_rules[i].judge(c, sink);
		judgement->rules[i] = sink->state;
	}
	if (sink->out_of_memory)
		return -ENOMEM;
	ca_judge_scope(c, sink, judgement);
	judgement->verdict = ca_judge_verdict(c, sink, judgement);
	ca_judge_sort(sink, judgement);
	ca_judge_headline(c, sink, judgement);
	return keep_findings(sink, judgement);
}

int ca_judge_run(const struct ca_judge_request *request, struct ca_judgement *ret_judgement)
{
	struct ca_judgement judgement = {0};
	struct ca_judge_sink sink = {0};
	struct ca_judge_case c = {
		.request = request,
		.evidence = request->evidence,
		.registers = &judgement.registers,
		.identity = &judgement.identity,
		.claims = &judgement.claims,
	};
	int error = read_case(request, &judgement);

	if (error < 0)
		return error;
	error = judge(&c, &sink, &judgement);
	ca_judge_sink_done(&sink);
	if (error < 0)
		return error;
	*ret_judgement = judgement;
	return 0;
}

void ca_judgement_done(struct ca_judgement *judgement)
{
	if (!judgement)
		return;
	free(judgement->findings);
	memset(judgement, 0, sizeof(*judgement));
}

enum ca_verdict ca_judgement_claim_verdict(const struct ca_judgement *judgement, const char *claim)
{
	enum ca_verdict verdict = CA_VERDICT_UNTESTED;

	for (size_t i = 0; i < judgement->finding_count; i++) {
		const struct ca_finding *finding = &judgement->findings[i];

		if (ca_judge_is_outcome(finding->verdict) &&
		    ca_string_equal_nocase(finding->claim, claim))
			verdict = ca_judge_worse(finding->verdict, verdict);
	}
	return verdict;
}

void ca_judgement_count_rules(const struct ca_judgement *judgement,
			      struct ca_rule_counts *ret_counts)
{
	memset(ret_counts, 0, sizeof(*ret_counts));
	for (size_t i = 0; i < ca_spec_rules_count; i++) {
		switch (judgement->rules[i]) {
		case CA_RULE_HOLDS:
			ret_counts->hold++;
			break;
		case CA_RULE_FIRED:
			ret_counts->fired++;
			break;
		case CA_RULE_NOT_APPLICABLE:
			ret_counts->not_applicable++;
			break;
		}
	}
}

static bool is_same_finding(const struct ca_finding *a, const struct ca_finding *b)
{
	return a->verdict == b->verdict && strcmp(a->rule->id, b->rule->id) == 0 &&
	       strcmp(a->claim, b->claim) == 0 && strcmp(a->source, b->source) == 0 &&
	       strcmp(a->says, b->says) == 0 && strcmp(a->found, b->found) == 0 &&
	       strcmp(a->where, b->where) == 0 && strcmp(a->why, b->why) == 0;
}

bool ca_judgement_is_same(const struct ca_judgement *a, const struct ca_judgement *b)
{
	if (a->verdict != b->verdict || a->scope_count != b->scope_count ||
	    a->finding_count != b->finding_count || strcmp(a->headline, b->headline) != 0)
		return false;
	for (size_t i = 0; i < a->scope_count; i++)
		if (strcmp(a->scope[i], b->scope[i]) != 0)
			return false;
	for (size_t i = 0; i < a->finding_count; i++)
		if (!is_same_finding(&a->findings[i], &b->findings[i]))
			return false;
	return true;
}

static bool has_same_scope(const struct ca_judgement *a, const struct ca_judgement *b)
{
	if (a->scope_count != b->scope_count)
		return false;
	for (size_t i = 0; i < a->scope_count; i++)
		if (!ca_judgement_is_in_scope(b, a->scope[i]))
			return false;
	return true;
}

/* What every claim of `a` came to is what it came to in `b`. */
static bool has_outcomes_of(const struct ca_judgement *a, const struct ca_judgement *b)
{
	for (size_t i = 0; i < a->finding_count; i++) {
		const char *claim = a->findings[i].claim;

		if (ca_judgement_claim_verdict(a, claim) != ca_judgement_claim_verdict(b, claim))
			return false;
	}
	return true;
}

bool ca_judgement_has_same_outcomes(const struct ca_judgement *a, const struct ca_judgement *b)
{
	size_t word = strcspn(a->headline, ":");

	return a->verdict == b->verdict && word == strcspn(b->headline, ":") &&
	       memcmp(a->headline, b->headline, word) == 0 && has_same_scope(a, b) &&
	       has_outcomes_of(a, b) && has_outcomes_of(b, a);
}
