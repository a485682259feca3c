/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules about a card's answer to its maker's health query (CMD56). */
#include "judge_rule.h"

#include <string.h>

/* As the standard's own scale for eMMC: the last tenth is urgent. */
#define WORN_PERCENT  90U
#define NEW_PERCENT   2U
#define SPARE_FEW     2U
#define PERCENT_WHOLE 100U

struct known_answer {
	const struct ca_vendor_answer *answer;
	const struct ca_vendor_query *query;
};

static bool find_known(const struct ca_judge_case *c, struct known_answer *ret_known)
{
	const struct ca_vendor_health *health = &c->evidence->vendor;
	const struct ca_vendor_query *query;
	unsigned int index;

	if (!ca_vendor_find(health, &index, &query))
		return false;
	*ret_known = (struct known_answer){&health->answers[index], query};
	return true;
}

static void add_argument(struct ca_text *text, uint32_t argument)
{
	ca_text_add(text, "CMD56 ");
	ca_text_hex(text, argument, 8);
	ca_text_add(text, "h");
}

/* ---- VENDOR-MAKER --------------------------------------------------------------------------- */

/* The maker that the registers name without doubt, "" when there is none. */
static const char *register_maker(const struct ca_judge_case *c)
{
	const struct ca_spec_maker *maker = c->identity->maker;

	if (!ca_judge_is_sd(c) || !maker || strcmp(maker->standing, "contested") == 0)
		return "";
	return maker->maker;
}

/* Is `name` one of a list that "; " separates? */
static bool is_among(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = list; len && at; at = strstr(at, "; ")) {
		at += at == list ? 0 : 2;
		if (strncmp(at, name, len) == 0 && (at[len] == '\0' || at[len] == ';'))
			return true;
	}
	return false;
}

static unsigned int count_words(const char *list)
{
	unsigned int count = 0;

	for (const char *at = list; at; at = strchr(at, ' ')) {
		at += *at == ' ';
		count++;
	}
	return count;
}

static void add_confidence(struct ca_text *text, const struct ca_vendor_query *query)
{
	unsigned int sources = count_words(query->sources);

	ca_text_add(text, " (confidence ");
	ca_text_add(text, sources > 3 ? "high" : sources > 1 ? "medium" : "low");
	ca_text_add(text, "; sources: ");
	ca_text_add(text, query->sources);
	ca_text_add(text, ")");
}

static void add_mark(struct ca_text *text, const struct known_answer *known)
{
	ca_text_add(text, "the answer to ");
	add_argument(text, known->query->argument);
	ca_text_add(text, " has the signature ");
	ca_text_hex(text, known->query->signature, 4);
	ca_text_add(text, "h");
}

static void judge_shared(struct ca_judge_sink *sink, const struct known_answer *known,
			 const char *maker)
{
	struct ca_text found;

	if (is_among(known->query->maker, maker))
		return;
	found = ca_judge_found(ca_judge_add(sink, CA_VERDICT_NOTE, sink->rule->claim, ""));
	add_mark(&found, known);
	ca_text_add(&found, ", which cards of several makers give (");
	ca_text_add(&found, known->query->maker);
	ca_text_add(&found, "): it names no maker");
}

void ca_judge_vendor_maker(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const char *maker = register_maker(c);
	struct known_answer known;
	enum ca_verdict verdict;
	struct ca_text found;

	if (!find_known(c, &known))
		return;
	ca_judge_checks(sink);
	if (strcmp(known.query->standing, "maker") != 0) {
		judge_shared(sink, &known, maker);
		return;
	}
	verdict = !maker[0] || strcmp(maker, known.query->maker) == 0 ? CA_VERDICT_NOTE
								      : CA_VERDICT_WARNING;
	found = ca_judge_found(ca_judge_add(sink, verdict, sink->rule->claim, ""));
	add_mark(&found, &known);
	ca_text_add(&found, " of ");
	ca_text_add(&found, known.query->maker);
	if (verdict == CA_VERDICT_WARNING) {
		ca_text_add(&found, ", but the registers name ");
		ca_text_add(&found, maker);
	} else {
		ca_text_add(&found, maker[0] ? ", and the registers name it too"
					     : "; the registers name nobody for certain");
	}
	add_confidence(&found, known.query);
}

/* ---- VENDOR-HEALTH -------------------------------------------------------------------------- */

/* What the fields of an answer say of wear; has_* where there is such a field. */
struct wear {
	bool has_used, has_spare;
	uint64_t used_percent; /* the most worn area */
	uint64_t spare;	       /* blocks, of the area that has least */
	uint64_t grown;	       /* bad blocks since it was made, all areas */
};

static void add_field(const struct ca_vendor_field *field, uint64_t value, struct wear *wear)
{
	bool left = strcmp(field->health, "left") == 0;

	if (left) /* at most 100, or the answer were not plausible */
		value = PERCENT_WHOLE - value;
	if (left || strcmp(field->health, "used") == 0) {
		if (!wear->has_used || value > wear->used_percent)
			wear->used_percent = value;
		wear->has_used = true;
	} else if (strcmp(field->health, "spare") == 0) {
		if (!wear->has_spare || value < wear->spare)
			wear->spare = value;
		wear->has_spare = true;
	} else if (strcmp(field->health, "grown") == 0) {
		wear->grown += value;
	}
}

static struct wear read_wear(const struct known_answer *known)
{
	const uint8_t *data = known->answer->data;
	struct wear wear = {0};

	for (const struct ca_vendor_field *field = ca_vendor_field_first(known->query->layout);
	     field; field = ca_vendor_field_next(field))
		add_field(field, ca_vendor_field_number(field, data), &wear);
	return wear;
}

static void judge_wear(struct ca_judge_sink *sink, const struct known_answer *known)
{
	struct wear wear = read_wear(known);
	bool few = wear.has_spare && wear.spare <= SPARE_FEW;
	bool worn = wear.has_used && wear.used_percent >= WORN_PERCENT;
	enum ca_verdict verdict =
		worn || (few && wear.grown) ? CA_VERDICT_WARNING : CA_VERDICT_NOTE;
	struct ca_text found;

	if (!few && wear.used_percent <= NEW_PERCENT)
		return;
	found = ca_judge_found(ca_judge_add(sink, verdict, sink->rule->claim, ""));
	if (wear.has_used) {
		ca_text_grouped(&found, wear.used_percent);
		ca_text_add(&found, " % of its life is used");
	}
	if (wear.has_spare) {
		ca_text_add(&found, wear.has_used ? ", " : "");
		ca_text_grouped(&found, wear.spare);
		ca_text_add(&found, " spare blocks are left, ");
		ca_text_grouped(&found, wear.grown);
		ca_text_add(&found, " went bad");
	}
	ca_text_add(&found, ", by the maker's own count (");
	add_argument(&found, known->query->argument);
	ca_text_add(&found, ")");
}

/* No page that could be used: what each query came to. */
static void judge_silence(const struct ca_vendor_health *health, struct ca_judge_sink *sink)
{
	struct ca_text found =
		ca_judge_found(ca_judge_add(sink, CA_VERDICT_NOTE, sink->rule->claim, ""));

	if (health->not_asked_because[0]) {
		ca_text_add(&found, "not asked: ");
		ca_text_add(&found, health->not_asked_because);
		return;
	}
	ca_text_add(&found, "no health page that is known, as with most cards; CMD56 ");
	for (unsigned int i = 0; i < health->count; i++) {
		const char *words = ca_vendor_worth_text(health, i);

		ca_text_add(&found, i ? ", " : "");
		ca_text_hex(&found, health->answers[i].argument, 8);
		ca_text_add(&found, "h");
		if (i + 1 < health->count &&
		    strcmp(ca_vendor_worth_text(health, i + 1), words) == 0)
			continue; /* said once behind all that it is true of */
		ca_text_add(&found, ": ");
		ca_text_add(&found, words);
	}
}

void ca_judge_vendor_health(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	struct known_answer known;

	if (!c->evidence->vendor.asked)
		return;
	if (!find_known(c, &known)) {
		judge_silence(&c->evidence->vendor, sink);
		return;
	}
	ca_judge_checks(sink);
	judge_wear(sink, &known);
}
