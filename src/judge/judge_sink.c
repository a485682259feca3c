/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge_rule.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static struct ca_judge_draft *next_draft(struct ca_judge_sink *sink)
{
	if (sink->count == sink->room) {
		size_t room = sink->room ? sink->room * 2 : 16;
		struct ca_judge_draft *drafts = realloc(sink->drafts, room * sizeof(*sink->drafts));

		if (!drafts) {
			sink->out_of_memory = true;
			return &sink->spare;
		}
		sink->drafts = drafts;
		sink->room = room;
	}
	return &sink->drafts[sink->count++];
}

void ca_judge_checks(struct ca_judge_sink *sink)
{
	if (sink->state == CA_RULE_NOT_APPLICABLE)
		sink->state = CA_RULE_HOLDS;
}

static void note_state(struct ca_judge_sink *sink, enum ca_verdict verdict)
{
	switch (verdict) {
	case CA_VERDICT_PASS:
	case CA_VERDICT_SCREENED: /* the finding says how far it was looked at */
		ca_judge_checks(sink);
		return;
	case CA_VERDICT_UNTESTED: /* says why it was not looked at */
		return;
	case CA_VERDICT_INCONCLUSIVE:
	case CA_VERDICT_FAIL:
	case CA_VERDICT_WARNING:
	case CA_VERDICT_NOTE:
		sink->state = CA_RULE_FIRED;
	}
}

struct ca_judge_draft *ca_judge_add(struct ca_judge_sink *sink, enum ca_verdict verdict,
				    const char *claim, const char *source)
{
	struct ca_judge_draft *draft = next_draft(sink);
	struct ca_finding *finding = &draft->finding;
	struct ca_text text;

	memset(draft, 0, sizeof(*draft));
	note_state(sink, verdict);
	finding->rule = sink->rule;
	finding->verdict = verdict;
	(void)ca_string_copy(finding->claim, sizeof(finding->claim), claim); /* ids are short */
	(void)ca_string_copy(finding->source, sizeof(finding->source), source);
	(void)ca_string_copy(finding->says, sizeof(finding->says), sink->rule->title);
	ca_text_init(&text, finding->where, sizeof(finding->where));
	ca_text_add(&text, sink->rule->reg);
	ca_text_add(&text, sink->rule->bits);
	text = ca_judge_why(draft);
	ca_text_add(&text, sink->rule->why);
	ca_text_add(&text, " ");
	ca_text_add(&text, sink->rule->todo);
	return draft;
}

struct ca_judge_draft *ca_judge_fire(struct ca_judge_sink *sink)
{
	enum ca_verdict verdict = CA_VERDICT_NOTE;
	int error = ca_verdict_parse(sink->rule->severity, &verdict);

	assert(!error);
	(void)error; /* only looked at by the assertion: a test walks the table */
	return ca_judge_add(sink, verdict, sink->rule->claim, "");
}

void ca_judge_fire_text(struct ca_judge_sink *sink, const char *found)
{
	struct ca_text text = ca_judge_found(ca_judge_fire(sink));

	ca_text_add(&text, found);
}

struct ca_judge_draft *ca_judge_fire_hard(struct ca_judge_sink *sink, enum ca_crc crc)
{
	struct ca_judge_draft *draft = ca_judge_fire(sink);

	if (crc == CA_CRC_BAD && draft->finding.verdict == CA_VERDICT_FAIL) {
		struct ca_text why = ca_judge_why(draft);

		draft->finding.verdict = CA_VERDICT_INCONCLUSIVE;
		ca_text_add(&why, "The checksum of this register is wrong too, so it may have been "
				  "copied with a mistake. Read it again from the card.");
	}
	return draft;
}

void ca_judge_sink_done(struct ca_judge_sink *sink)
{
	free(sink->drafts);
	memset(sink, 0, sizeof(*sink));
}

static struct ca_text writer(char *field, size_t size)
{
	struct ca_text text;

	ca_text_init(&text, field, size);
	return text;
}

struct ca_text ca_judge_says(struct ca_judge_draft *draft)
{
	return writer(draft->finding.says, sizeof(draft->finding.says));
}

struct ca_text ca_judge_found(struct ca_judge_draft *draft)
{
	return writer(draft->finding.found, sizeof(draft->finding.found));
}

struct ca_text ca_judge_why(struct ca_judge_draft *draft)
{
	return writer(draft->finding.why, sizeof(draft->finding.why));
}

struct ca_text ca_judge_brief(struct ca_judge_draft *draft)
{
	return writer(draft->brief, sizeof(draft->brief));
}
