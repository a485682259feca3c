/* SPDX-License-Identifier: BSD-2-Clause */
/* Figures that a label states (MB/s, IOPS), and figures that nobody stated. */
#include "judge_speed.h"

#include <string.h>

#define SECONDS(n) ((n)*CA_NS_PER_SECOND)

/* The strictest claim of a kind: the highest value that anybody states. */
static const struct ca_claim *strictest(const struct ca_claims *claims, enum ca_claim_kind kind)
{
	const struct ca_claim *best = NULL;

	for (size_t i = 0; i < claims->count; i++)
		if (claims->claims[i].kind == kind &&
		    (!best || claims->claims[i].value > best->value))
			best = &claims->claims[i];
	return best;
}

static bool best_sequential(const struct ca_judge_case *c, bool write,
			    struct ca_judge_figure *figure)
{
	const struct ca_speed_evidence *speed = &c->evidence->speed;
	const struct ca_speed_sequential *best = NULL;

	for (unsigned int i = 0; i < speed->sequential_count; i++) {
		const struct ca_speed_sequential *s = &speed->sequential[i];

		if (s->write == write && s->total_bytes &&
		    (!best || s->bytes_per_second > best->bytes_per_second))
			best = s;
	}
	if (!best)
		return false;
	figure->for_pass = figure->for_fail = best->bytes_per_second;
	if (best->total_bytes < 64 * CA_MIB) {
		ca_judge_condition_add(figure, "short-transfer", 1000);
		ca_judge_condition_add(figure, "too-short", 1000);
	}
	if (best->errors)
		ca_judge_condition_add(figure, "io-errors", 1000);
	return true;
}

static bool best_random(const struct ca_judge_case *c, bool write, uint32_t queue_depth,
			struct ca_judge_figure *figure)
{
	const struct ca_speed_evidence *speed = &c->evidence->speed;
	const struct ca_speed_random *best = NULL;

	for (unsigned int i = 0; i < speed->random_count; i++) {
		const struct ca_speed_random *r = &speed->random[i];

		if (r->write == write && r->block_bytes == 4096 &&
		    (!queue_depth || r->queue_depth == queue_depth) &&
		    (!best || r->milliiops > best->milliiops))
			best = r;
	}
	if (!best)
		return false;
	figure->for_pass = figure->for_fail = best->milliiops;
	if (best->duration_ns < SECONDS(10)) {
		ca_judge_condition_add(figure, "short-duration", 1000);
		if (c->evidence->origin != CA_ORIGIN_SIMULATED)
			ca_judge_condition_add(figure, "too-short", 1000);
	}
	if (!best->range_written)
		ca_judge_condition_add(figure, "range-not-written", 1000);
	if (best->errors)
		ca_judge_condition_add(figure, "io-errors", 1000);
	return true;
}

static void add_value(struct ca_text *text, bool random, uint64_t value)
{
	if (random)
		ca_judge_add_iops(text, value);
	else
		ca_judge_add_rate(text, value);
}

static void say_unmeasured(struct ca_judge_draft *draft, const char *because)
{
	struct ca_text text = ca_judge_found(draft);

	ca_text_add(&text, "not measured");
	text = ca_judge_why(draft);
	ca_text_add(&text,
		    "This run did not measure it. The profile full and the speed command do.");
	if (because) {
		text = ca_judge_brief(draft);
		ca_text_add(&text, because);
	}
}

static void say_measured(struct ca_judge_draft *draft, const struct ca_judge_figure *figure,
			 bool random, const char *because)
{
	struct ca_text text = ca_judge_found(draft), brief;
	enum ca_verdict verdict = draft->finding.verdict;

	ca_text_add(&text, "measured ");
	add_value(&text, random, figure->for_pass);
	text = ca_judge_why(draft);
	if (because) {
		ca_text_add(&text, "Not settled: ");
		ca_text_add(&text, because);
		ca_text_add(&text, ". Use a host with a faster bus.");
	} else if (verdict == CA_VERDICT_PASS) {
		ca_text_add(&text, "Reached here.");
	} else {
		ca_judge_explain(&text, figure, verdict);
	}
	brief = ca_judge_brief(draft);
	if (because)
		ca_text_add(&brief, because);
	else if (verdict == CA_VERDICT_INCONCLUSIVE)
		ca_text_add(&brief, draft->finding.found);
}

static void judge_rate(const struct ca_judge_case *c, struct ca_judge_sink *sink,
		       enum ca_claim_kind kind)
{
	bool random = kind == CA_CLAIM_RANDOM_READ || kind == CA_CLAIM_RANDOM_WRITE;
	bool write = kind == CA_CLAIM_SEQ_WRITE || kind == CA_CLAIM_RANDOM_WRITE;
	const struct ca_claim *claim = strictest(c->claims, kind);
	enum ca_verdict verdict = CA_VERDICT_UNTESTED;
	struct ca_judge_figure figure = {0};
	struct ca_judge_draft *draft;
	const char *because;
	bool measured;
	uint64_t bytes;
	struct ca_text says;

	if (!claim)
		return;
	bytes = random ? claim->value / 1000 * 4096 : claim->value;
	because = ca_judge_host_cannot(c, claim, bytes);
	figure.limit = claim->value;
	measured = random ? best_random(c, write, claim->queue_depth, &figure)
			  : best_sequential(c, write, &figure);
	if (measured) {
		figure.is_void = ca_judge_exceeds_wire(c, random ? figure.for_pass / 1000 * 4096
								 : figure.for_pass);
		ca_judge_conditions_host(c, NULL, random, &figure);
		/* a figure on a label is the best that its maker saw, on whatever device */
		ca_judge_condition_add(&figure, "unstated", 1000);
		verdict = ca_judge_weigh(&figure);
		/* what a slow bus reached all the same is reached */
		if (verdict == CA_VERDICT_PASS || verdict == CA_VERDICT_SCREENED || figure.is_void)
			because = NULL;
		else if (because)
			verdict = CA_VERDICT_INCONCLUSIVE;
	}
	draft = ca_judge_add(sink, verdict, claim->id, ca_judge_claim_source(c->claims, claim->id));
	draft->host_cannot = because != NULL;
	says = ca_judge_says(draft);
	ca_text_add(&says, claim->text[0] ? claim->text : claim->id);
	if (claim->queue_depth) {
		ca_text_add(&says, " at queue depth ");
		ca_text_u64(&says, claim->queue_depth);
	}
	(void)ca_string_copy(draft->finding.where, sizeof(draft->finding.where), claim->id);
	if (measured)
		say_measured(draft, &figure, random, because);
	else
		say_unmeasured(draft, because);
}

void ca_judge_rate_read(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	judge_rate(c, sink, CA_CLAIM_SEQ_READ);
}

void ca_judge_rate_write(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	judge_rate(c, sink, CA_CLAIM_SEQ_WRITE);
}

void ca_judge_iops_read(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	judge_rate(c, sink, CA_CLAIM_RANDOM_READ);
}

void ca_judge_iops_write(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	judge_rate(c, sink, CA_CLAIM_RANDOM_WRITE);
}

/* ---- measured without a claim -------------------------------------------------------------- */

static bool is_claimed(const struct ca_claims *claims, bool random, bool write)
{
	enum ca_claim_kind own = random ? (write ? CA_CLAIM_RANDOM_WRITE : CA_CLAIM_RANDOM_READ)
					: (write ? CA_CLAIM_SEQ_WRITE : CA_CLAIM_SEQ_READ);

	for (size_t i = 0; i < claims->count; i++) {
		enum ca_claim_kind kind = claims->claims[i].kind;

		if (kind == own || (kind == CA_CLAIM_APP_CLASS && (random || write)))
			return true;
		if (!random && write &&
		    (kind == CA_CLAIM_SPEED_CLASS || kind == CA_CLAIM_UHS_GRADE ||
		     kind == CA_CLAIM_VIDEO_CLASS || kind == CA_CLAIM_EXPRESS_CLASS))
			return true;
	}
	return false;
}

void ca_judge_measured(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	static const char *const names[2][2] = {{"sequential-read", "sequential-write"},
						{"random-read", "random-write"}};

	if (c->evidence->speed.random_count || c->evidence->speed.sequential_count)
		ca_judge_checks(sink);
	for (unsigned int random = 0; random < 2; random++) {
		for (unsigned int write = 0; write < 2; write++) {
			struct ca_judge_figure figure = {0};
			struct ca_judge_draft *draft;
			struct ca_text found;

			if (is_claimed(c->claims, random, write) ||
			    !(random ? best_random(c, write, 0, &figure)
				     : best_sequential(c, write, &figure)))
				continue;
			draft = ca_judge_fire(sink);
			(void)ca_string_copy(draft->finding.where, sizeof(draft->finding.where),
					     names[random][write]); /* fits */
			found = ca_judge_found(draft);
			ca_text_add(&found, names[random][write]);
			ca_text_add(&found, " ");
			add_value(&found, random, figure.for_pass);
		}
	}
}
