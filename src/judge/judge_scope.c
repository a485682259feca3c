/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge_scope.h"
#include "judge_speed.h"

#include <string.h>

bool ca_judge_is_outcome(enum ca_verdict verdict)
{
	return verdict != CA_VERDICT_WARNING && verdict != CA_VERDICT_NOTE;
}

bool ca_judgement_is_in_scope(const struct ca_judgement *judgement, const char *claim)
{
	for (size_t i = 0; i < judgement->scope_count; i++)
		if (ca_string_equal_nocase(judgement->scope[i], claim))
			return true;
	return false;
}

static void add_to_scope(struct ca_judgement *judgement, const char *claim)
{
	if (ca_judgement_is_in_scope(judgement, claim) || judgement->scope_count == CA_SCOPE_MAX)
		return;
	(void)ca_string_copy(judgement->scope[judgement->scope_count++],
			     sizeof(judgement->scope[0]), claim); /* ids are short */
}

static bool is_speed_claim(const struct ca_judge_draft *draft)
{
	return strcmp(draft->finding.rule->reg, "speed") == 0 &&
	       ca_judge_is_outcome(draft->finding.verdict);
}

static void add_speed_claims(const struct ca_judge_sink *sink, bool only_measured,
			     struct ca_judgement *judgement)
{
	for (size_t i = 0; i < sink->count; i++) {
		const struct ca_judge_draft *draft = &sink->drafts[i];

		if (!is_speed_claim(draft) || draft->host_cannot ||
		    (only_measured && draft->finding.verdict == CA_VERDICT_UNTESTED))
			continue;
		/* what nobody can pass here does not keep the rest from passing, once it is
		 * screened */
		if (!only_measured && draft->screens_at_best &&
		    draft->finding.verdict == CA_VERDICT_SCREENED)
			continue;
		add_to_scope(judgement, draft->finding.claim);
	}
}

/* The id as the finding has it ("v30" asked for, "V30" judged). */
static const char *canonical(const struct ca_judge_sink *sink, const char *id)
{
	for (size_t i = 0; i < sink->count; i++)
		if (ca_string_equal_nocase(sink->drafts[i].finding.claim, id))
			return sink->drafts[i].finding.claim;
	return id;
}

void ca_judge_scope(const struct ca_judge_case *c, const struct ca_judge_sink *sink,
		    struct ca_judgement *judgement)
{
	enum ca_profile profile = c->request->profile;

	judgement->scope_count = 0;
	if (profile != CA_PROFILE_INSPECT && profile != CA_PROFILE_SPEED)
		add_to_scope(judgement, "capacity");
	for (size_t i = 0; i < c->request->require_count; i++)
		add_to_scope(judgement, canonical(sink, c->request->require[i]));
	if (profile == CA_PROFILE_FULL || profile == CA_PROFILE_SPEED)
		add_speed_claims(sink, profile == CA_PROFILE_SPEED, judgement);
}

static enum ca_verdict claim_verdict(const struct ca_judge_sink *sink, const char *claim)
{
	enum ca_verdict verdict = CA_VERDICT_UNTESTED;

	for (size_t i = 0; i < sink->count; i++) {
		const struct ca_finding *finding = &sink->drafts[i].finding;

		if (ca_judge_is_outcome(finding->verdict) && strcmp(finding->claim, claim) == 0)
			verdict = ca_judge_worse(finding->verdict, verdict);
	}
	return verdict;
}

enum ca_verdict ca_judge_verdict(const struct ca_judge_case *c, const struct ca_judge_sink *sink,
				 const struct ca_judgement *judgement)
{
	enum ca_verdict verdict = CA_VERDICT_PASS;

	for (size_t i = 0; i < sink->count; i++)
		if (sink->drafts[i].finding.verdict == CA_VERDICT_FAIL)
			return CA_VERDICT_FAIL;
	if (!judgement->scope_count)
		return CA_VERDICT_UNTESTED;
	for (size_t i = 0; i < judgement->scope_count; i++) {
		enum ca_verdict one = claim_verdict(sink, judgement->scope[i]);

		if (one == CA_VERDICT_UNTESTED)
			one = CA_VERDICT_INCONCLUSIVE;
		verdict = ca_judge_worse(one, verdict);
	}
	/* a sparse probe cannot do better */
	if (verdict == CA_VERDICT_PASS && c->request->profile == CA_PROFILE_QUICK)
		return CA_VERDICT_SCREENED;
	return verdict;
}

/* ---- order --------------------------------------------------------------------------------- */

static unsigned int severity(enum ca_verdict verdict)
{
	switch (verdict) {
	case CA_VERDICT_FAIL:
		return 0;
	case CA_VERDICT_INCONCLUSIVE:
		return 1;
	case CA_VERDICT_SCREENED:
		return 2;
	case CA_VERDICT_UNTESTED:
		return 3;
	case CA_VERDICT_PASS:
		return 4;
	case CA_VERDICT_WARNING:
	case CA_VERDICT_NOTE:
		break;
	}
	return 5;
}

static unsigned int place(const struct ca_judgement *judgement, const struct ca_finding *finding)
{
	unsigned int group = 1;

	if (finding->verdict == CA_VERDICT_WARNING)
		group = 2;
	else if (finding->verdict == CA_VERDICT_NOTE)
		group = 3;
	else if (ca_judgement_is_in_scope(judgement, finding->claim))
		group = 0;
	return group * 8 + severity(finding->verdict);
}

void ca_judge_sort(struct ca_judge_sink *sink, const struct ca_judgement *judgement)
{
	/* by insertion: few findings, and equals keep the order of the rules */
	for (size_t i = 1; i < sink->count; i++) {
		struct ca_judge_draft moving = sink->drafts[i];
		unsigned int key = place(judgement, &moving.finding);
		size_t at = i;

		while (at && place(judgement, &sink->drafts[at - 1].finding) > key) {
			sink->drafts[at] = sink->drafts[at - 1];
			at--;
		}
		sink->drafts[at] = moving;
	}
}
