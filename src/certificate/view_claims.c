/* SPDX-License-Identifier: BSD-2-Clause */
/* What was claimed and what became of it; then warnings and notes as a compiler prints them. */
#include "view.h"

#include <string.h>

#define CLAIM_COLUMN   17U
#define DETAILS_COLUMN 35U

static bool is_remark(const struct ca_finding *finding)
{
	return finding->verdict == CA_VERDICT_WARNING || finding->verdict == CA_VERDICT_NOTE;
}

void ca_view_claim_sources(struct ca_text *text, const struct ca_claims *claims, const char *id)
{
	bool any = false;

	for (size_t i = 0; i < claims->count; i++) {
		const struct ca_claim *claim = &claims->claims[i];

		if (strcmp(claim->id, id) != 0)
			continue;
		ca_text_add(text, any ? "; " : "");
		ca_text_add(text, ca_claim_source_name(claim->source));
		if (claim->text[0]) {
			ca_text_add(text, ": ");
			ca_text_add(text, claim->text);
		}
		any = true;
	}
}

/* The card's own section has said it already. */
static bool is_the_summary(const struct ca_judgement *judgement, const struct ca_finding *finding)
{
	const char *summary = judgement->identity.summary;

	return finding->found[0] && strncmp(finding->found, summary, strlen(summary)) == 0;
}

static void claim_head(struct ca_view *view, const struct ca_judgement *judgement, const char *id,
		       enum ca_verdict verdict, const char *says)
{
	char lead[64], details[512];
	struct ca_text text;

	ca_text_init(&text, lead, sizeof(lead));
	ca_text_add(&text, ca_verdict_name(verdict));
	while (text.len < CLAIM_COLUMN - 2)
		ca_text_add(&text, " ");
	ca_text_add(&text, ca_judgement_is_in_scope(judgement, id) ? "* " : "  ");
	ca_text_add(&text, id);
	ca_text_init(&text, details, sizeof(details));
	ca_view_claim_sources(&text, &judgement->claims, id);
	if (!text.len)
		ca_text_add(&text, says);
	ca_view_lead(view, 2, ca_view_verdict_style(verdict), lead, DETAILS_COLUMN, details);
}

static void claim_finding(struct ca_view *view, const struct ca_judgement *judgement,
			  const struct ca_finding *finding)
{
	char line[512];
	struct ca_text text;

	claim_head(view, judgement, finding->claim, finding->verdict, finding->says);
	ca_text_init(&text, line, sizeof(line));
	ca_text_add(&text,
		    is_the_summary(judgement, finding) ? "see the maker, above" : finding->found);
	ca_text_add(&text, " [");
	ca_text_add(&text, finding->rule->id);
	ca_text_add(&text, "]");
	ca_view_lead(view, CLAIM_COLUMN + 2, CA_STYLE_PLAIN, "", CLAIM_COLUMN + 2, line);
	if (finding->why[0] && (view->all || finding->verdict != CA_VERDICT_PASS))
		ca_view_lead(view, CLAIM_COLUMN + 2, CA_STYLE_PLAIN, "why:", CLAIM_COLUMN + 2,
			     finding->why);
}

static bool has_finding(const struct ca_judgement *judgement, const char *id)
{
	for (size_t i = 0; i < judgement->finding_count; i++)
		if (!is_remark(&judgement->findings[i]) &&
		    strcmp(judgement->findings[i].claim, id) == 0)
			return true;
	return false;
}

void ca_view_claims(struct ca_view *view, const struct ca_judgement *judgement)
{
	ca_view_heading(view, "Claims (* must pass for a PASS; any that fails is a FAIL)");
	if (!judgement->claims.count && !judgement->scope_count)
		ca_view_lead(view, 2, CA_STYLE_PLAIN, "", 2,
			     "Nothing is claimed: no label was given, and no register was read.");
	for (size_t i = 0; i < judgement->finding_count; i++)
		if (!is_remark(&judgement->findings[i]))
			claim_finding(view, judgement, &judgement->findings[i]);
	for (size_t i = 0; i < judgement->claims.count; i++)
		if (ca_claims_is_first(&judgement->claims, i) &&
		    !has_finding(judgement, judgement->claims.claims[i].id))
			claim_head(view, judgement, judgement->claims.claims[i].id,
				   CA_VERDICT_UNTESTED, "");
	if (judgement->claims.not_understood[0])
		ca_view_lead(view, 2, CA_STYLE_PLAIN, "not understood in the label:", 2,
			     judgement->claims.not_understood);
}

static void remark(struct ca_view *view, const struct ca_certificate *certificate,
		   const struct ca_finding *finding)
{
	char lead[1200], line[512];
	struct ca_text text;
	const char *node = certificate->evidence.device.node;

	ca_text_init(&text, lead, sizeof(lead));
	ca_text_escaped(&text, node, strnlen(node, 24));
	ca_text_add(&text, strlen(node) > 24 ? "...:" : ":");
	if (finding->where[0]) {
		ca_text_add(&text, finding->where);
		ca_text_add(&text, ":");
	}
	ca_text_add(&text, " ");
	ca_text_add(&text, ca_verdict_name(finding->verdict));
	ca_text_add(&text, ":");
	ca_text_init(&text, line, sizeof(line));
	ca_text_add(&text, finding->found[0] ? finding->found : finding->says);
	ca_text_add(&text, " [");
	ca_text_add(&text, finding->rule->id);
	ca_text_add(&text, "]");
	ca_view_lead(view, 2, ca_view_verdict_style(finding->verdict), lead, 6, line);
	if (finding->verdict == CA_VERDICT_NOTE && !view->all)
		return;
	if (finding->why[0])
		ca_view_lead(view, 6, CA_STYLE_PLAIN, "why:", 6, finding->why);
	if (finding->rule->todo[0] && !strstr(finding->why, finding->rule->todo))
		ca_view_lead(view, 6, CA_STYLE_PLAIN, "do:", 6, finding->rule->todo);
}

void ca_view_remarks(struct ca_view *view, const struct ca_certificate *certificate)
{
	const struct ca_judgement *judgement = &certificate->judgement;
	bool any = false;

	for (size_t i = 0; i < judgement->finding_count; i++) {
		const struct ca_finding *finding = &judgement->findings[i];

		if (!is_remark(finding) || (finding->verdict == CA_VERDICT_NOTE && !view->all &&
					    is_the_summary(judgement, finding)))
			continue;
		if (!any)
			ca_view_heading(view, "Warnings and notes (they never decide)");
		any = true;
		remark(view, certificate, finding);
	}
}
