/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge_scope.h"

#include <string.h>

/* The parts of a headline; each draft stands in one of them or in none. */
enum part {
	PART_NONE,
	PART_FAIL,
	PART_INCONCLUSIVE,
	PART_SCREENED,
	PART_PASS,
	PART_UNTESTED,
};

static const struct {
	enum part part;
	enum ca_verdict verdict;
	const char *leads, *follows;
} parts[] = {
	{PART_FAIL, CA_VERDICT_FAIL, "FAIL: ", "Failed: "},
	{PART_PASS, CA_VERDICT_PASS, "PASS: ", "Passed: "},
	{PART_SCREENED, CA_VERDICT_SCREENED, "SCREENED: ", "Screened: "},
	{PART_INCONCLUSIVE, CA_VERDICT_INCONCLUSIVE, "INCONCLUSIVE: ", "Inconclusive: "},
	{PART_UNTESTED, CA_VERDICT_UNTESTED, "UNTESTED: ", "Not tested: "},
};

/* Figures and what decides; identity and the like only where they fail or decide. */
static bool is_shown(const struct ca_judgement *judgement, const struct ca_finding *finding)
{
	return finding->verdict == CA_VERDICT_FAIL || strcmp(finding->claim, "capacity") == 0 ||
	       strcmp(finding->rule->reg, "speed") == 0 ||
	       ca_judgement_is_in_scope(judgement, finding->claim);
}

static enum part part_of(const struct ca_judge_case *c, const struct ca_judgement *judgement,
			 const struct ca_judge_draft *draft)
{
	const struct ca_finding *finding = &draft->finding;
	bool in_scope = ca_judgement_is_in_scope(judgement, finding->claim);

	if (!ca_judge_is_outcome(finding->verdict) || !is_shown(judgement, finding))
		return PART_NONE;
	switch (finding->verdict) {
	case CA_VERDICT_FAIL:
		return PART_FAIL;
	case CA_VERDICT_SCREENED:
		return PART_SCREENED;
	case CA_VERDICT_PASS:
		/* a quick run is at best screened, whatever it saw */
		return in_scope && c->request->profile == CA_PROFILE_QUICK ? PART_SCREENED
									   : PART_PASS;
	case CA_VERDICT_INCONCLUSIVE:
		return draft->host_cannot && !in_scope ? PART_UNTESTED : PART_INCONCLUSIVE;
	case CA_VERDICT_UNTESTED:
		return in_scope ? PART_INCONCLUSIVE : PART_UNTESTED;
	case CA_VERDICT_WARNING:
	case CA_VERDICT_NOTE:
		break;
	}
	return PART_NONE;
}

static void add_capacity(const struct ca_judge_case *c, const struct ca_judge_draft *draft,
			 struct ca_text *text)
{
	const struct ca_claim *label = ca_judge_label_capacity(c);
	bool by_label = label && strncmp(draft->brief, "announced", 9) != 0;
	uint64_t bytes = by_label ? label->value : ca_judge_announced_bytes(c);

	ca_text_add(text, "capacity");
	if (bytes) {
		ca_text_add(text, " ");
		ca_text_gb(text, bytes);
	}
	if (draft->finding.verdict == CA_VERDICT_PASS &&
	    !ca_reinit_is_power_loss(c->evidence->capacity.reinit))
		ca_text_add(text, " while powered");
	if (draft->finding.verdict == CA_VERDICT_FAIL) {
		ca_text_add(text, " ");
		ca_text_add(text, draft->brief);
	}
}

static void add_item(const struct ca_judge_case *c, const struct ca_judge_draft *draft,
		     enum part part, struct ca_text *text)
{
	const struct ca_finding *finding = &draft->finding;
	bool capacity = strcmp(finding->claim, "capacity") == 0;
	const char *brief = draft->brief;

	if (capacity)
		add_capacity(c, draft, text);
	else
		ca_text_add(text, finding->claim);
	if (finding->verdict == CA_VERDICT_FAIL && !brief[0])
		brief = finding->found;
	if (finding->verdict == CA_VERDICT_UNTESTED && part == PART_INCONCLUSIVE && !brief[0])
		brief = "not tested";
	if (!brief[0] || (capacity && finding->verdict == CA_VERDICT_FAIL) ||
	    finding->verdict == CA_VERDICT_PASS || finding->verdict == CA_VERDICT_SCREENED)
		return;
	ca_text_add(text, " (");
	ca_text_add(text, brief);
	ca_text_add(text, ")");
}

static bool add_part(const struct ca_judge_case *c, const struct ca_judge_sink *sink,
		     const struct ca_judgement *judgement, enum part part, const char *title,
		     struct ca_text *text)
{
	bool any = false;

	for (size_t i = 0; i < sink->count; i++) {
		if (part_of(c, judgement, &sink->drafts[i]) != part)
			continue;
		if (!any && text->len)
			ca_text_add(text, " ");
		ca_text_add(text, any ? ", " : title);
		add_item(c, &sink->drafts[i], part, text);
		any = true;
	}
	if (any)
		ca_text_add(text, ".");
	return any;
}

static void add_warnings(const struct ca_judge_sink *sink, struct ca_text *text)
{
	uint64_t warnings = 0;

	for (size_t i = 0; i < sink->count; i++)
		warnings += sink->drafts[i].finding.verdict == CA_VERDICT_WARNING;
	if (!warnings)
		return;
	ca_text_add(text, " ");
	ca_text_u64(text, warnings);
	ca_text_add(text, warnings == 1 ? " warning." : " warnings.");
}

/* Why there is no verdict at all. */
static const char *untested(const struct ca_evidence *evidence)
{
	if (evidence->speed.random_count + evidence->speed.sequential_count)
		return "UNTESTED: there is a figure, but no claim to judge it by.";
	if (ca_survey_was_run(&evidence->survey))
		return "UNTESTED: there are figures, and no rule judges by such.";
	return "UNTESTED: nothing was measured.";
}

void ca_judge_headline(const struct ca_judge_case *c, const struct ca_judge_sink *sink,
		       struct ca_judgement *judgement)
{
	struct ca_text text;
	size_t lead = 0;

	ca_text_init(&text, judgement->headline, sizeof(judgement->headline));
	while (parts[lead].verdict != judgement->verdict)
		lead++;
	if (judgement->verdict == CA_VERDICT_UNTESTED) {
		ca_text_add(&text, untested(c->evidence));
		add_warnings(sink, &text);
		return;
	}
	if (!add_part(c, sink, judgement, parts[lead].part, parts[lead].leads, &text)) {
		ca_text_add(&text, parts[lead].leads);
		ca_text_add(&text, "nothing that decides was measured.");
	}
	for (size_t i = 0; i < CA_ARRAY_LEN(parts); i++)
		if (i != lead)
			(void)add_part(c, sink, judgement, parts[i].part, parts[i].follows, &text);
	if (c->evidence->speed.interrupted)
		ca_text_add(&text, " Interrupted while the speed was measured.");
	add_warnings(sink, &text);
}
