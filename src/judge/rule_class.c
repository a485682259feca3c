/* SPDX-License-Identifier: BSD-2-Clause */
/* The classes (S 4.13, 4.16, 8.4): each is one or more figures of specs/classes.tsv. */
#include "judge_speed.h"

#include <string.h>

#define SECONDS(n) ((n)*CA_NS_PER_SECOND)
/* Room for rounding three quarters and the whole of a card down to requests of 4 MiB. */
#define PPM_THREE_QUARTERS 745000U
#define PPM_WHOLE	   995000U
#define PPM_OVERFILLED	   760000U
/* S 4.13.1, T4-61: the mean of eight cycles in a row, and one cycle of them */
#define UPDATES_LEAST  8U
#define UPDATE_MEAN_NS UINT64_C(100000000)
#define UPDATE_MAX_NS  UINT64_C(750000000)

static bool is_live(const struct ca_judge_case *c)
{
	return c->evidence->origin == CA_ORIGIN_LIVE;
}

/* ---- random figures of the application classes --------------------------------------------- */

/* A1 is measured one request at a time, A2 with as many as were tried; of equals the slowest. */
static const struct ca_speed_random *pick_random(const struct ca_speed_evidence *speed,
						 const struct ca_spec_class *class_of, bool write)
{
	const struct ca_speed_random *best = NULL;

	for (unsigned int i = 0; i < speed->random_count; i++) {
		const struct ca_speed_random *r = &speed->random[i];
		bool better;

		if (r->write != write || r->block_bytes != class_of->block_bytes ||
		    (!r->operations && !r->milliiops))
			continue;
		if (!best || r->queue_depth == best->queue_depth)
			better = !best || r->milliiops < best->milliiops;
		else
			better = (r->queue_depth > best->queue_depth) == class_of->needs_queue;
		if (better)
			best = r;
	}
	return best;
}

/* S 4.16.1.2: the card itself names the depth; where it cannot be asked it may be the highest. */
static uint32_t wanted_depth(const struct ca_judge_case *c)
{
	return ca_judge_has_ssr(c) && c->registers->ssr.cq_depth ? c->registers->ssr.cq_depth : 32;
}

static void add_queue_and_cache(const struct ca_judge_case *c, const struct ca_spec_class *class_of,
				uint32_t queue_depth, struct ca_judge_figure *figure)
{
	enum ca_tristate cache = ca_judge_cache_state(c);

	if (class_of->needs_queue) {
		if (is_live(c) && cache != CA_YES)
			ca_judge_condition_add(figure, "cache-off", 1000);
		if (queue_depth < wanted_depth(c))
			ca_judge_condition_add(figure, "shallow-queue", 1000);
		else if (is_live(c) && strcmp(class_of->quantity, "random-write") == 0)
			ca_judge_condition_add(figure, "posted-writes", wanted_depth(c) * 1000);
		return;
	}
	if (class_of->cache_off && cache != CA_NO)
		ca_judge_condition_add(figure, cache == CA_YES ? "cache-on" : "cache-unknown",
				       1000);
	/* a host that runs it queues even one request at a time */
	if ((queue_depth > 1 || is_live(c)) && ca_judge_queue_runs(c))
		ca_judge_condition_add(figure, "command-queue-on", 1000);
}

static void weigh_random(const struct ca_judge_case *c, const struct ca_spec_class *class_of,
			 const struct ca_speed_random *r, struct ca_judge_figure *figure)
{
	uint64_t announced = ca_judge_announced_bytes(c), range = class_of->range_bytes;

	figure->for_pass = figure->for_fail = r->milliiops;
	figure->limit = class_of->limit;
	figure->is_void = r->milliiops <= UINT64_MAX / r->block_bytes &&
			  ca_judge_exceeds_wire(c, r->milliiops * r->block_bytes / 1000);
	ca_judge_conditions_host(c, class_of, true, figure);
	add_queue_and_cache(c, class_of, r->queue_depth, figure);
	if (r->errors)
		ca_judge_condition_add(figure, "io-errors", 1000);
	if (r->duration_ns < SECONDS(class_of->duration_s))
		ca_judge_condition_add(figure, "short-duration", 1000);
	if (r->duration_ns < SECONDS(60) && c->evidence->origin != CA_ORIGIN_SIMULATED)
		ca_judge_condition_add(figure, "too-short", 1000);
	if (r->preconditioned_ppm < PPM_THREE_QUARTERS)
		ca_judge_condition_add(figure, "not-preconditioned", 1000);
	if (!r->range_written)
		ca_judge_condition_add(figure, "range-not-written", 1000);
	/* a device smaller than the unit is used whole */
	if (announced && announced < range)
		range = announced / 4096 * 4096;
	if (r->range_bytes < range)
		ca_judge_condition_add(figure, "narrow-range", 1000);
	else if (r->range_bytes > class_of->range_bytes)
		ca_judge_condition_add(figure, "wide-range", 1000);
	if (!is_live(c) || !r->write)
		return;
	if (c->evidence->speed.erased_before != CA_YES)
		ca_judge_condition_add(figure, "not-erased", 1000);
	if (r->preconditioned_ppm > PPM_OVERFILLED)
		ca_judge_condition_add(figure, "overfilled", 1000);
}

/* ---- sequential figures -------------------------------------------------------------------- */

static bool uses_windows(const struct ca_spec_class *class_of)
{
	return strcmp(class_of->window, "whole") != 0;
}

static bool has_window(const struct ca_speed_sequential *s)
{
	return s->window_bytes && s->min_window_bytes_per_second;
}

/* Closest to the rule's requests (and, where it uses them, windows); of equals the slowest. */
static const struct ca_speed_sequential *pick_sequential(const struct ca_speed_evidence *speed,
							 const struct ca_spec_class *class_of)
{
	const struct ca_speed_sequential *best = NULL;
	bool windows = uses_windows(class_of);
	unsigned int best_rank = 0;

	for (unsigned int i = 0; i < speed->sequential_count; i++) {
		const struct ca_speed_sequential *s = &speed->sequential[i];
		unsigned int rank = 1;
		uint64_t figure, best_figure;

		if (!s->write || !s->total_bytes)
			continue;
		rank += windows && has_window(s) ? 2 : 0;
		rank += s->request_bytes == class_of->block_bytes ? 4 : 0;
		figure = windows && has_window(s) ? s->min_window_bytes_per_second
						  : s->bytes_per_second;
		best_figure = best && windows && has_window(best)
				      ? best->min_window_bytes_per_second
				      : (best ? best->bytes_per_second : 0);
		if (!best || rank > best_rank || (rank == best_rank && figure < best_figure)) {
			best = s;
			best_rank = rank;
		}
	}
	return best;
}

/* Window of the rule: the sub-unit of the V classes; else the allocation unit, 4 MiB at most. */
static uint64_t rule_window(const struct ca_judge_case *c, const struct ca_spec_class *class_of)
{
	const struct ca_ssr *ssr = &c->registers->ssr;
	uint64_t au = 0;

	if (strcmp(class_of->window, "su") == 0)
		return (ca_judge_has_ssr(c) && ssr->vsc_su_mib ? ssr->vsc_su_mib : 8) * CA_MIB;
	if (ca_judge_has_ssr(c))
		au = class_of->id[0] == 'U' ? ssr->uhs_au_bytes : ssr->au_bytes;
	return au && au < 4 * CA_MIB ? au : 4 * CA_MIB;
}

/*
 * Without CMD20 a recording is slower for no fault of the card, and what it reached is no class:
 * the host has to tell it (S 4.13.2).
 */
static void add_announcement(const struct ca_judge_case *c, struct ca_judge_figure *figure)
{
	if (!is_live(c) || c->evidence->speed.recording.announced)
		return;
	ca_judge_condition_add(figure, "no-recording", 1000);
	ca_judge_condition_add(figure, "not-announced", 1000);
}

static void add_window(const struct ca_judge_case *c, const struct ca_spec_class *class_of,
		       const struct ca_speed_sequential *s, struct ca_judge_figure *figure)
{
	if (has_window(s)) {
		figure->for_pass = s->min_window_bytes_per_second;
		/* a window that started late can be no better than the transfer it is part of */
		if (figure->for_pass > s->bytes_per_second)
			figure->for_pass = s->bytes_per_second;
	}
	if (!has_window(s) || s->window_bytes > rule_window(c, class_of))
		ca_judge_condition_add(figure, "wide-window", 1000);
	if (c->evidence->speed.recording.cycles < UPDATES_LEAST)
		ca_judge_condition_add(figure, "no-fat-updates", 1000);
	add_announcement(c, figure);
}

static void weigh_sequential(const struct ca_judge_case *c, const struct ca_spec_class *class_of,
			     const struct ca_speed_sequential *s, struct ca_judge_figure *figure)
{
	const struct ca_fact *split = &c->evidence->host[CA_HOST_MAX_REQUEST_BYTES];
	uint64_t announced = ca_judge_announced_bytes(c), range = class_of->range_bytes;

	figure->for_pass = figure->for_fail = s->bytes_per_second;
	figure->limit = class_of->limit;
	figure->is_void = ca_judge_exceeds_wire(c, s->bytes_per_second);
	ca_judge_conditions_host(c, class_of, false, figure);
	if (uses_windows(class_of))
		add_window(c, class_of, s, figure);
	if (class_of->cache_off)
		add_queue_and_cache(c, class_of, s->queue_depth, figure);
	if (s->errors)
		ca_judge_condition_add(figure, "io-errors", 1000);
	if (announced && announced < range)
		range = announced / (4 * CA_MIB) * (4 * CA_MIB);
	if (s->total_bytes < range)
		ca_judge_condition_add(figure, "short-transfer", 1000);
	if (s->total_bytes < 256 * CA_MIB && s->total_bytes < range &&
	    c->evidence->origin != CA_ORIGIN_SIMULATED)
		ca_judge_condition_add(figure, "too-short", 1000);
	if (s->request_bytes > class_of->block_bytes)
		ca_judge_condition_add(figure, "big-requests", 1000);
	else if (s->request_bytes < class_of->block_bytes)
		ca_judge_condition_add(figure, "small-requests", 1000);
	if (!uses_windows(class_of) && s->preconditioned_ppm < PPM_WHOLE)
		ca_judge_condition_add(figure, "not-preconditioned", 1000);
	if (!is_live(c))
		return;
	if (c->evidence->speed.erased_before != CA_YES)
		ca_judge_condition_add(figure, "not-erased", 1000);
	if (!split->present || (uint64_t)split->number < class_of->block_bytes)
		ca_judge_condition_add(figure, "split-requests", 1000);
}

/* ---- one class ----------------------------------------------------------------------------- */

struct class_outcome {
	enum ca_verdict verdict;
	unsigned int parts, measured;
	struct ca_judge_figure figure; /* the one that decided */
	const char *quantity;	       /* whose it is */
	char found[256], brief[80];    /* all parts; the one that decided */
};

static const char *quantity_text(const char *quantity)
{
	if (strcmp(quantity, "random-read") == 0)
		return "random read";
	if (strcmp(quantity, "random-write") == 0)
		return "random write";
	return "sequential write";
}

static void add_figure(struct ca_text *found, const struct ca_spec_class *class_of, uint64_t value)
{
	if (strncmp(class_of->quantity, "random", 6) == 0)
		ca_judge_add_iops(found, value);
	else
		ca_judge_add_rate(found, value);
}

/* Updates in a million seconds, so that slower is less as in every figure. */
static uint64_t pace(uint64_t ns)
{
	return ns ? UINT64_C(1000000) * CA_NS_PER_SECOND / ns : UINT64_MAX;
}

/* The updates of the file system between the recording units, of a class that knows them. */
static bool weigh_updates(const struct ca_judge_case *c, const struct ca_spec_class *class_of,
			  struct ca_judge_figure *figure)
{
	const struct ca_speed_recording *recording = &c->evidence->speed.recording;
	bool stalls = recording->max_ns > UPDATE_MAX_NS;

	memset(figure, 0, sizeof(*figure));
	if (!uses_windows(class_of) || recording->cycles < UPDATES_LEAST)
		return false;
	figure->for_pass = pace(stalls ? recording->max_ns : recording->mean_ns);
	figure->for_fail = figure->for_pass;
	figure->limit = pace(stalls ? UPDATE_MAX_NS : UPDATE_MEAN_NS);
	ca_judge_conditions_host(c, class_of, true, figure);
	add_announcement(c, figure);
	if (recording->errors)
		ca_judge_condition_add(figure, "io-errors", 1000);
	return true;
}

static void add_milliseconds(struct ca_text *text, uint64_t ns)
{
	/* rounded up, so that what is past a limit never reads like it */
	ca_text_fixed(text, ns / 100000 + (ns % 100000 != 0), 10, 1);
	ca_text_add(text, " ms");
}

static void say_updates(const struct ca_speed_recording *recording, char *buffer, size_t bytes)
{
	struct ca_text text;
	bool stalls = recording->max_ns > UPDATE_MAX_NS;

	ca_text_init(&text, buffer, bytes);
	ca_text_add(&text, "file system update ");
	add_milliseconds(&text, stalls ? recording->max_ns : recording->mean_ns);
	ca_text_add(&text, stalls ? " once (750 ms at most)" : " on average (100 ms at most)");
}

static void say_part(struct class_outcome *out, const struct ca_spec_class *class_of)
{
	struct ca_text brief;

	ca_text_init(&brief, out->brief, sizeof(out->brief));
	ca_text_add(&brief, quantity_text(class_of->quantity));
	ca_text_add(&brief, " ");
	/* what fails is the whole transfer, not its slowest window */
	add_figure(&brief, class_of, out->figure.for_fail);
	ca_text_add(&brief, ", needs ");
	add_figure(&brief, class_of, class_of->limit);
}

static bool weigh_part(const struct ca_judge_case *c, const struct ca_spec_class *class_of,
		       struct ca_judge_figure *figure)
{
	const struct ca_speed_evidence *speed = &c->evidence->speed;
	const struct ca_speed_sequential *s;

	memset(figure, 0, sizeof(*figure));
	if (strncmp(class_of->quantity, "random", 6) == 0) {
		const struct ca_speed_random *r = pick_random(
			speed, class_of, strcmp(class_of->quantity, "random-write") == 0);

		if (r)
			weigh_random(c, class_of, r, figure);
		return r != NULL;
	}
	s = pick_sequential(speed, class_of);
	if (s)
		weigh_sequential(c, class_of, s, figure);
	return s != NULL;
}

static void judge_updates(const struct ca_judge_case *c, const struct ca_spec_class *class_of,
			  struct class_outcome *out, struct ca_text *found)
{
	struct ca_judge_figure figure;
	char words[80];
	enum ca_verdict verdict;

	if (!weigh_updates(c, class_of, &figure))
		return;
	verdict = ca_judge_weigh(&figure);
	say_updates(&c->evidence->speed.recording, words, sizeof(words));
	ca_text_add(found, ", ");
	ca_text_add(found, words);
	if (ca_judge_worse(verdict, out->verdict) == out->verdict)
		return;
	out->figure = figure;
	out->quantity = "file-system-update";
	out->verdict = verdict;
	(void)ca_string_copy(out->brief, sizeof(out->brief), words); /* fits */
}

static void judge_parts(const struct ca_judge_case *c, const char *id, struct class_outcome *out)
{
	struct ca_text found;

	memset(out, 0, sizeof(*out));
	out->verdict = CA_VERDICT_UNTESTED;
	ca_text_init(&found, out->found, sizeof(out->found));
	for (size_t i = 0; i < ca_spec_classes_count; i++) {
		const struct ca_spec_class *class_of = &ca_spec_classes[i];
		struct ca_judge_figure figure;
		enum ca_verdict verdict;

		if (strcmp(class_of->id, id) != 0)
			continue;
		ca_text_add(&found, out->parts++ ? ", " : "");
		ca_text_add(&found, quantity_text(class_of->quantity));
		if (!weigh_part(c, class_of, &figure)) {
			ca_text_add(&found, " not measured");
			continue;
		}
		verdict = ca_judge_weigh(&figure);
		ca_text_add(&found, " ");
		add_figure(&found, class_of, figure.for_pass);
		ca_text_add(&found, " (needs ");
		add_figure(&found, class_of, class_of->limit);
		ca_text_add(&found, ")");
		if (!out->measured++ || ca_judge_worse(verdict, out->verdict) != out->verdict) {
			out->figure = figure;
			out->quantity = class_of->quantity;
			out->verdict = verdict;
			say_part(out, class_of);
		}
		judge_updates(c, class_of, out, &found);
	}
	if (out->measured && out->measured < out->parts &&
	    (out->verdict == CA_VERDICT_PASS || out->verdict == CA_VERDICT_SCREENED)) {
		out->verdict = CA_VERDICT_SCREENED;
		ca_judge_condition_add(&out->figure, "part-measured", 1000);
	}
}

static const char *remedy_of(const char *because)
{
	if (strstr(because, "no command queue") && !strstr(because, "this card"))
		return "Use a host with SD command queueing: a Raspberry Pi 5 with "
		       "dtparam=sd_cqe=on (2 for cards that are not on its list).";
	if (strstr(because, "this card offers no"))
		return "A2 cannot be reached without one; compare with another card of this "
		       "product.";
	if (strstr(because, "UHS-II"))
		return "Use a host with UHS-II.";
	if (strstr(because, "bus of this host"))
		return "Use a UHS-I slot (SDR104 or SDR50), as of a Raspberry Pi 5 or of a PC on "
		       "PCIe.";
	return "Ask a test laboratory.";
}

/* B/s that a class needs of the bus. The application classes need no more than any bus has. */
static uint64_t rate_of_class(const struct ca_claim *claim)
{
	if (claim->kind == CA_CLAIM_APP_CLASS)
		return 0;
	return claim->value * (claim->kind == CA_CLAIM_UHS_GRADE ? 10000000 : 1000000);
}

/* How much the bus carries, where that is too little. */
static void add_wire(const struct ca_judge_case *c, const char *because, struct ca_text *text)
{
	struct ca_judge_bus bus;

	if (!strstr(because, "bus of this host"))
		return;
	ca_judge_bus_read(c, &bus);
	ca_text_add(text, " (");
	ca_judge_add_rate(text, bus.wire_bytes_per_second);
	ca_text_add(text, " at most)");
}

static void judge_class(const struct ca_judge_case *c, struct ca_judge_sink *sink,
			const struct ca_claim *claim, const char *id, const char *includes)
{
	struct class_outcome out;
	const char *because = ca_judge_host_cannot(c, claim, rate_of_class(claim));
	struct ca_judge_draft *draft;
	struct ca_text text;

	judge_parts(c, id, &out);
	/* below the bus's reach a figure above the limit still counts; without a queue none does */
	if (because && out.measured &&
	    (!strstr(because, "bus of this host") || out.verdict == CA_VERDICT_INCONCLUSIVE))
		out.verdict = CA_VERDICT_INCONCLUSIVE;
	else if (out.measured)
		because = NULL;
	draft = ca_judge_add(sink, out.verdict, id, ca_judge_claim_source(c->claims, claim->id));
	draft->host_cannot = because != NULL;
	text = ca_judge_says(draft);
	ca_text_add(&text, id);
	ca_text_add(&text, includes);
	text = ca_judge_found(draft);
	ca_text_add(&text, out.measured ? out.found : "not measured");
	(void)ca_string_copy(draft->finding.where, sizeof(draft->finding.where),
			     out.quantity ? out.quantity : "speed"); /* fits */
	text = ca_judge_why(draft);
	if (because) {
		struct ca_text brief = ca_judge_brief(draft);

		ca_text_add(&brief, because);
		ca_text_add(&text, "Not settled: ");
		ca_text_add(&text, because);
		add_wire(c, because, &text);
		ca_text_add(&text, ". ");
		ca_text_add(&text, remedy_of(because));
	} else if (!out.measured) {
		ca_text_add(
			&text,
			c->evidence->capacity.kind == CA_CAPACITY_KIND_NONE ||
					c->evidence->capacity.kind == CA_CAPACITY_KIND_SOUND
				? "This run measured no speed: certify does."
				: "The capacity is false, so the run ended before its speed was "
				  "measured.");
	} else {
		ca_judge_explain(&text, &out.figure, out.verdict);
	}
	if (out.measured && !because &&
	    (out.verdict == CA_VERDICT_FAIL || out.verdict == CA_VERDICT_INCONCLUSIVE)) {
		text = ca_judge_brief(draft);
		ca_text_add(&text, out.brief);
	}
	draft->screens_at_best = claim->kind != CA_CLAIM_APP_CLASS;
}

static void judge_kind(const struct ca_judge_case *c, struct ca_judge_sink *sink,
		       enum ca_claim_kind kind)
{
	for (size_t i = 0; i < c->claims->count; i++)
		if (c->claims->claims[i].kind == kind && ca_claims_is_first(c->claims, i))
			judge_class(c, sink, &c->claims->claims[i], c->claims->claims[i].id, "");
}

void ca_judge_class_a(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_claim *a2 = NULL;

	judge_kind(c, sink, CA_CLAIM_APP_CLASS);
	/* A2 includes A1 (S 4.16.1.2), which more hosts can settle */
	for (size_t i = 0; i < c->claims->count; i++) {
		const struct ca_claim *claim = &c->claims->claims[i];

		if (claim->kind == CA_CLAIM_APP_CLASS && claim->value == 1)
			return;
		if (claim->kind == CA_CLAIM_APP_CLASS && claim->value == 2)
			a2 = claim;
	}
	if (a2) {
		struct ca_claim a1 = *a2;

		a1.value = 1;
		judge_class(c, sink, &a1, "A1", ", which A2 includes");
	}
}

void ca_judge_class_c(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	judge_kind(c, sink, CA_CLAIM_SPEED_CLASS);
}

void ca_judge_class_u(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	judge_kind(c, sink, CA_CLAIM_UHS_GRADE);
}

void ca_judge_class_v(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	judge_kind(c, sink, CA_CLAIM_VIDEO_CLASS);
}

void ca_judge_class_e(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	judge_kind(c, sink, CA_CLAIM_EXPRESS_CLASS);
}
