/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The log as a whole. It is written as cards come, so that ten thousand of them need no more memory
 * than one: rules first, results as they are known, and what is said of the run last. One rule and
 * one result a line.
 */
#include "sarif_parts.h"
#include "view.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA                                                                                     \
	"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"                      \
	"sarif-schema-2.1.0.json"
#define FLAGS (JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_ENCODE_ANY)

/*
 * Code scanning services take 25,000 results a run, and a card has one for each rule. So what found
 * nothing is told of so many cards only, and what was left out is said; a finding never is.
 */
#define CARDS_WITH_STATES 100U
#define RESULTS_TAKEN	  25000U

/* A piece of the log on its way into memory. */
struct piece {
	FILE *file;
	char *text;
	size_t bytes;
	bool failed;
};

static int begin_piece(struct piece *piece)
{
	memset(piece, 0, sizeof(*piece));
	piece->file = open_memstream(&piece->text, &piece->bytes);
	return piece->file ? 0 : -ENOMEM;
}

/* A stream error is kept by the stream and found in finish_piece. */
static void put(struct piece *piece, const char *text)
{
	(void)fputs(text, piece->file);
}

/* Steals `value`. */
static void put_json(struct piece *piece, json_t *value)
{
	if (!value || json_dumpf(value, piece->file, FLAGS) < 0)
		piece->failed = true;
	json_decref(value);
}

static int finish_piece(struct piece *piece, char **ret_text)
{
	if (ferror(piece->file))
		piece->failed = true;
	if (fclose(piece->file) != 0 || piece->failed) {
		free(piece->text);
		return -ENOMEM;
	}
	*ret_text = piece->text;
	return 0;
}

int ca_sarif_begin(struct ca_sarif *sarif, const char *version, char **ret_text)
{
	struct piece piece;
	int r = begin_piece(&piece);

	if (r < 0)
		return r;
	memset(sarif, 0, sizeof(*sarif));
	put(&piece, "{\n\"$schema\":\"" SCHEMA "\",\n\"version\":\"2.1.0\",\n\"runs\":[{\n"
		    "\"tool\":{\"driver\":{\"name\":\"cardassay\",\"version\":");
	put_json(&piece, ca_json_text(version));
	put(&piece, ",\"properties\":");
	put_json(&piece, json_pack("{s:s}", "specs_sha256", ca_specs_sha256));
	put(&piece, ",\"notifications\":");
	put_json(&piece, ca_sarif_write_notice_kinds());
	put(&piece, ",\"rules\":[");
	for (size_t i = 0; i < ca_spec_rules_count; i++) {
		put(&piece, i ? ",\n" : "\n");
		put_json(&piece, ca_sarif_write_rule(&ca_spec_rules[i], ca_spec_rule_pages[i]));
	}
	put(&piece, "\n]}},\n\"results\":[");
	return finish_piece(&piece, ret_text);
}

/* As the fingerprint sees them. */
static bool is_same_place(const struct ca_finding *a, const struct ca_finding *b)
{
	struct ca_sarif_where first, second;

	(void)ca_sarif_split_where(a->where, &first); /* its parts are always there */
	(void)ca_sarif_split_where(b->where, &second);
	return a->rule == b->rule && strcmp(a->claim, b->claim) == 0 &&
	       strcmp(a->source, b->source) == 0 && strcmp(first.part, second.part) == 0 &&
	       strcmp(first.bits, second.bits) == 0;
}

static bool has_finding(const struct ca_judgement *judgement, const struct ca_spec_rule *rule)
{
	for (size_t i = 0; i < judgement->finding_count; i++)
		if (judgement->findings[i].rule == rule)
			return true;
	return false;
}

/* One location for all of them: what was looked at, and in a paste which card of it. */
static json_t *write_card_place(const struct ca_certificate *certificate, const char *artifact)
{
	const struct ca_finding whole = {.rule = &ca_spec_rules[0]};
	json_t *places = ca_sarif_write_locations(certificate, artifact, &whole);

	if (places && strcmp(certificate->evidence.device.node, artifact) == 0)
		(void)json_object_del(json_array_get(places, 0), "logicalLocations");
	return places;
}

/*
 * Rules that found nothing: 3.27.9 has a kind for those that hold and one for those that do not
 * apply. They are nearly all there are, so they are short, and written without a tree of values.
 */
static int put_states(struct piece *piece, struct ca_sarif *sarif,
		      const struct ca_certificate *certificate, const char *artifact)
{
	const struct ca_judgement *judgement = &certificate->judgement;
	CA_CLEANUP_FREE char *place = NULL;
	struct ca_rule_counts counts;
	json_t *location;

	/* a judgement that was read from a file does not tell: rules that are always checked hold
	 */
	ca_judgement_count_rules(judgement, &counts);
	if (!counts.hold && !counts.fired)
		return 0;
	location = write_card_place(certificate, artifact);
	place = location ? json_dumps(location, FLAGS) : NULL;
	json_decref(location);
	if (!place)
		return -ENOMEM;
	for (size_t i = 0; i < ca_spec_rules_count; i++) {
		bool holds = judgement->rules[i] == CA_RULE_HOLDS;

		if (judgement->rules[i] == CA_RULE_FIRED ||
		    has_finding(judgement, &ca_spec_rules[i]))
			continue;
		(void)fprintf(piece->file, /* as in put */
			      "%s{\"ruleId\":\"%s\",\"ruleIndex\":%zu,\"kind\":\"%s\","
			      "\"level\":\"none\",\"message\":{\"text\":\"%s\"},"
			      "\"locations\":%s}",
			      sarif->results++ ? ",\n" : "\n", ca_spec_rules[i].id, i,
			      holds ? "pass" : "notApplicable",
			      holds ? "Holds." : "Not applicable here.", place);
	}
	return 0;
}

int ca_sarif_add(struct ca_sarif *sarif, const struct ca_certificate *certificate,
		 const char *artifact, char **ret_text)
{
	const struct ca_judgement *judgement = &certificate->judgement;
	struct piece piece;
	int r = begin_piece(&piece);

	if (r < 0)
		return r;
	for (size_t i = 0; i < judgement->finding_count; i++) {
		unsigned int ordinal = 0;

		for (size_t j = 0; j < i; j++)
			ordinal += is_same_place(&judgement->findings[j], &judgement->findings[i]);
		put(&piece, sarif->results++ ? ",\n" : "\n");
		put_json(&piece, ca_sarif_write_result(certificate, artifact,
						       &judgement->findings[i], ordinal));
	}
	if (sarif->cards >= CARDS_WITH_STATES)
		sarif->cards_without_states++;
	else if (put_states(&piece, sarif, certificate, artifact) < 0)
		piece.failed = true;
	if (sarif->cards++ == 0) {
		sarif->verdict = judgement->verdict;
		(void)ca_string_copy(sarif->headline, sizeof(sarif->headline), judgement->headline);
	}
	sarif->failed += judgement->verdict == CA_VERDICT_FAIL;
	sarif->origins |= 1U << certificate->evidence.origin;
	return finish_piece(&piece, ret_text);
}

/* ---- what is said of the run --------------------------------------------------------------- */

#define ORIGIN_COUNT 5U

static json_t *write_notice(enum ca_sarif_notice_kind kind, const char *level, const char *text)
{
	const char *id = kind == CA_SARIF_NOTICE_ORIGIN ? "ORIGIN" : "RUN";

	return json_pack("{s:{s:s, s:i}, s:s, s:{s:o}}", "descriptor", "id", id, "index", (int)kind,
			 "level", level, "message", "text", ca_sarif_write_message(text));
}

/* What a reader of this log would miss without being told. */
static int add_limits(json_t *array, const struct ca_sarif *sarif)
{
	char text[256];
	int r = 0;

	if (sarif->cards_without_states) {
		(void)snprintf(text, sizeof(text), /* fits */
			       "Of the last %" PRIu64 " of %" PRIu64 " cards only findings are "
			       "listed: rules that hold or do not apply are listed of %u cards.",
			       sarif->cards_without_states, sarif->cards, CARDS_WITH_STATES);
		r = ca_json_append(array, write_notice(CA_SARIF_NOTICE_RUN, "note", text));
	}
	if (r == 0 && sarif->results > RESULTS_TAKEN) {
		(void)snprintf(text, sizeof(text), /* fits */
			       "This run has %" PRIu64
			       " results. Services that take %u a run refuse "
			       "it or show a part: inspect fewer cards at once.",
			       sarif->results, RESULTS_TAKEN);
		r = ca_json_append(array, write_notice(CA_SARIF_NOTICE_RUN, "warning", text));
	}
	return r;
}

static json_t *write_notices(const struct ca_sarif *sarif, const struct ca_sarif_end *end)
{
	json_t *array = json_array();
	int r = array ? 0 : -ENOMEM;

	for (unsigned int i = 0; r == 0 && i < ORIGIN_COUNT; i++) {
		const char *overprint = ca_view_overprint((enum ca_origin)i);

		if ((sarif->origins & 1U << i) && overprint)
			r = ca_json_append(
				array, write_notice(CA_SARIF_NOTICE_ORIGIN, "warning", overprint));
	}
	if (r == 0)
		r = add_limits(array, sarif);
	if (r == 0 && end->notice && end->notice[0])
		r = ca_json_append(array,
				   write_notice(CA_SARIF_NOTICE_RUN, end->level, end->notice));
	if (r == 0)
		return array;
	json_decref(array);
	return NULL;
}

/* "mixed" where cards of several origins are in one log: every result names its own. */
static const char *origin_of(unsigned int origins)
{
	for (unsigned int i = 0; i < ORIGIN_COUNT; i++)
		if (origins == 1U << i)
			return ca_origin_name((enum ca_origin)i);
	return "mixed";
}

static json_t *write_run_properties(const struct ca_sarif *sarif)
{
	json_t *object = json_pack("{s:I, s:I}", "cards", (json_int_t)sarif->cards, "failed",
				   (json_int_t)sarif->failed);
	int r = object ? 0 : -ENOMEM;

	if (r == 0 && sarif->cards)
		r = ca_json_set(object, "origin", json_string(origin_of(sarif->origins)));
	if (r == 0 && sarif->cards == 1)
		r = ca_json_set(object, "verdict", json_string(ca_verdict_name(sarif->verdict)));
	if (r == 0 && sarif->cards == 1)
		r = ca_json_set(object, "headline", ca_json_text(sarif->headline));
	if (r == 0)
		return object;
	json_decref(object);
	return NULL;
}

int ca_sarif_finish(const struct ca_sarif *sarif, const struct ca_sarif_end *end, char **ret_text)
{
	struct piece piece;
	int r = begin_piece(&piece);

	if (r < 0)
		return r;
	put(&piece, sarif->results ? "\n],\n\"invocations\":" : "],\n\"invocations\":");
	put_json(&piece, json_pack("[{s:b, s:i, s:o}]", "executionSuccessful", end->successful,
				   "exitCode", end->exit_code, "toolExecutionNotifications",
				   write_notices(sarif, end)));
	put(&piece, ",\n\"properties\":");
	put_json(&piece, write_run_properties(sarif));
	put(&piece, "\n}]\n}\n");
	return finish_piece(&piece, ret_text);
}

int ca_certificate_to_sarif(const struct ca_certificate *certificate, const char *artifact,
			    const char *version, const struct ca_sarif_end *end, char **ret_text)
{
	CA_CLEANUP_FREE char *first = NULL;
	CA_CLEANUP_FREE char *middle = NULL;
	CA_CLEANUP_FREE char *last = NULL;
	struct ca_sarif sarif;
	struct piece piece;
	int r = ca_sarif_begin(&sarif, version, &first);

	if (r == 0)
		r = ca_sarif_add(&sarif, certificate, artifact, &middle);
	if (r == 0)
		r = ca_sarif_finish(&sarif, end, &last);
	if (r == 0)
		r = begin_piece(&piece);
	if (r != 0)
		return r;
	put(&piece, first);
	put(&piece, middle);
	put(&piece, last);
	return finish_piece(&piece, ret_text);
}
