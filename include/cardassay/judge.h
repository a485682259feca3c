/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge: (evidence, label, profile, specs) -> identity, claims, findings, verdict. Pure: no file,
 * no clock, no device, no allocation beyond its result. The same input gives the same bytes, so
 * that `verify` can judge a certificate's evidence again. "Today" is evidence.collected_at.
 *
 * One function a rule (src/judge/rule_*.c), one row in specs/rules.tsv, one page in specs/rules/.
 */
#ifndef CARDASSAY_JUDGE_H
#define CARDASSAY_JUDGE_H

#include "cardassay/base.h"
#include "cardassay/claims.h"
#include "cardassay/evidence.h"
#include "cardassay/identity.h"
#include "cardassay/registers.h"
#include "cardassay/specs.h"

/* Outcome of a claim, and weight of a finding (docs/ARCHITECTURE.md). */
enum ca_verdict {
	CA_VERDICT_PASS,
	CA_VERDICT_SCREENED,	 /* a test weaker than the rule found nothing wrong */
	CA_VERDICT_INCONCLUSIVE, /* tried, not settled; the finding says what would settle it */
	CA_VERDICT_FAIL,
	CA_VERDICT_UNTESTED, /* outside what this profile or host can do; never decides */
	CA_VERDICT_WARNING,  /* beside claims; never decides */
	CA_VERDICT_NOTE,     /* likewise */
};
const char *ca_verdict_name(enum ca_verdict verdict); /* "pass" "screened" ... */
int ca_verdict_parse(const char *name, enum ca_verdict *ret_verdict);

enum ca_profile {
	CA_PROFILE_INSPECT, /* registers only */
	CA_PROFILE_QUICK,
	CA_PROFILE_STANDARD,
	CA_PROFILE_FULL,
	CA_PROFILE_FILL,  /* the fill command alone */
	CA_PROFILE_SPEED, /* the speed command alone */
};
const char *ca_profile_name(enum ca_profile profile);

struct ca_finding {
	const struct ca_spec_rule *rule; /* never NULL */
	enum ca_verdict verdict;
	char claim[20];	 /* "capacity", "A1", "brand", "identity" ... */
	char source[12]; /* who made the claim: "label" "ssr" ..., "" beside claims */
	char says[160];	 /* what was claimed or must hold */
	char found[256]; /* what was seen */
	char where[48];	 /* "cid[103:64]", "sector 2097152", "random-write" */
	char why[400];	 /* why this verdict: reason, missing condition, what would settle it */
};

/*
 * What became of a rule. It holds only where all that it looks at was there to be looked at; a rule
 * that lacks its evidence, or that speaks of another kind of card, does not apply.
 */
enum ca_rule_state {
	CA_RULE_NOT_APPLICABLE,
	CA_RULE_HOLDS, /* looked at, and nothing found against it; a claim that passed or is
			  screened */
	CA_RULE_FIRED, /* it gave a finding that speaks against it, or a note to read */
};
const char *ca_rule_state_name(enum ca_rule_state state); /* "not-applicable" "holds" "fired" */

#define CA_RULES_MAX   192U
#define CA_REQUIRE_MAX 16U
struct ca_judge_request {
	const struct ca_evidence *evidence;
	const char *label;		     /* "" = none */
	const char *options[CA_REQUIRE_MAX]; /* --claim KEY=VALUE, in order */
	size_t option_count;
	const char *require[CA_REQUIRE_MAX]; /* --require CLAIM: adds to the scope */
	size_t require_count;
	enum ca_profile profile;
};

#define CA_SCOPE_MAX 40U /* capacity, CA_REQUIRE_MAX, and every class and rate there is */
struct ca_judgement {
	struct ca_registers registers;
	struct ca_identity identity;
	struct ca_claims claims;
	/*
	 * Every finding, passes included, most severe first within: claims in scope, other claims,
	 * warnings, notes. Owned.
	 */
	struct ca_finding *findings;
	size_t finding_count;
	/* What became of each rule, in the order of ca_spec_rules. */
	enum ca_rule_state rules[CA_RULES_MAX];
	char scope[CA_SCOPE_MAX][20]; /* claim ids that decide */
	size_t scope_count;
	/* PASS, SCREENED, INCONCLUSIVE, FAIL; UNTESTED when the scope is empty */
	enum ca_verdict verdict;
	char headline[512]; /* "PASS: capacity 128 GB while powered, A1. Screened: V30. ..." */
};

/* -ENOMEM; -EINVAL when an option of the request does not parse. */
int ca_judge_run(const struct ca_judge_request *request, struct ca_judgement *ret_judgement);
void ca_judgement_done(struct ca_judgement *judgement);

/* Worst verdict over the findings that name `claim`; UNTESTED when there is none. */
enum ca_verdict ca_judgement_claim_verdict(const struct ca_judgement *judgement, const char *claim);

/* Does this claim decide? */
bool ca_judgement_is_in_scope(const struct ca_judgement *judgement, const char *claim);

struct ca_rule_counts {
	unsigned int hold, fired, not_applicable;
};
void ca_judgement_count_rules(const struct ca_judgement *judgement,
			      struct ca_rule_counts *ret_counts);

/* True when two judgements say the same: verdict, headline, scope, and every finding. */
bool ca_judgement_is_same(const struct ca_judgement *a, const struct ca_judgement *b);

/*
 * For judgements of one evidence by two versions of the tables, whose words differ: verdict, scope
 * and the outcome of every claim are the same, and the headlines begin with the same word. Warnings
 * and notes may differ.
 */
bool ca_judgement_has_same_outcomes(const struct ca_judgement *a, const struct ca_judgement *b);

#endif
