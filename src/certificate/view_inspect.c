/* SPDX-License-Identifier: BSD-2-Clause */
#include "text_clean.h"
#include "view.h"

#include <string.h>

/* Where no register names the device: what else names it. */
static void add_name(struct ca_text *text, const struct ca_evidence *evidence)
{
	const struct ca_device_facts *device = &evidence->device;

	if (!device->model[0] || evidence->registers.has[CA_REGISTER_CID] ||
	    evidence->registers.has[CA_REGISTER_NVME_CTRL])
		return;
	ca_text_add(text, ", shown as ");
	ca_text_escaped(text, device->model, strlen(device->model));
	ca_text_add(text, device->serial[0] ? ", serial " : "");
	ca_text_escaped(text, device->serial, strlen(device->serial));
}

static void subject(struct ca_view *view, const struct ca_certificate *certificate)
{
	const struct ca_device_facts *device = &certificate->evidence.device;
	char line[1400];
	struct ca_text text;

	ca_text_init(&text, line, sizeof(line));
	ca_text_escaped(&text, device->node, strlen(device->node));
	if (device->bytes) {
		ca_text_add(&text, ", ");
		ca_text_size(&text, device->bytes);
	}
	add_name(&text, &certificate->evidence);
	if (device->registers_lent)
		ca_text_add(&text, ", registers lent by ");
	if (device->registers_lent)
		ca_text_escaped(&text, device->registers_from, strlen(device->registers_from));
	ca_view_pair(view, "device", line);
	if (certificate->label[0])
		ca_view_pair(view, "label", certificate->label);
	ca_view_identity(view, &certificate->judgement.identity);
}

static void claims(struct ca_view *view, const struct ca_claims *claims)
{
	if (claims->count)
		ca_view_heading(view, "Claims");
	for (size_t i = 0; i < claims->count; i++) {
		char line[512];
		struct ca_text text;

		if (!ca_claims_is_first(claims, i))
			continue;
		ca_text_init(&text, line, sizeof(line));
		ca_view_claim_sources(&text, claims, claims->claims[i].id);
		ca_view_pair(view, claims->claims[i].id, line);
	}
	if (claims->not_understood[0])
		ca_view_pair(view, "not understood", claims->not_understood);
}

/* Passes and what was not tried only say something where everything is asked for. */
static bool is_worth_a_line(const struct ca_finding *finding, bool all)
{
	switch (finding->verdict) {
	case CA_VERDICT_FAIL:
	case CA_VERDICT_INCONCLUSIVE:
	case CA_VERDICT_SCREENED:
	case CA_VERDICT_WARNING:
	case CA_VERDICT_NOTE:
		return true;
	case CA_VERDICT_PASS:
	case CA_VERDICT_UNTESTED:
		break;
	}
	return all;
}

/* The file or device, and where one file holds several cards the card: "cards.txt:card 2:". */
static void add_subject(struct ca_text *text, const struct ca_evidence *evidence)
{
	const struct ca_device_facts *device = &evidence->device;

	if (evidence->origin == CA_ORIGIN_RECORDED &&
	    strcmp(device->registers_from, device->node) != 0) {
		ca_text_add_path(text, device->registers_from);
		ca_text_add(text, ":");
	}
	ca_text_add_path(text, device->node);
	ca_text_add(text, ":");
}

/* "/dev/mmcblk0:cid[103:64]: warning: text [RULE-ID]", one unwrapped line each. */
static void finding_line(struct ca_view *view, const struct ca_certificate *certificate,
			 const struct ca_finding *finding)
{
	char before[2200], after[900];
	struct ca_text text;

	ca_text_init(&text, before, sizeof(before));
	add_subject(&text, &certificate->evidence);
	if (finding->where[0]) {
		ca_text_add(&text, finding->where);
		ca_text_add(&text, ":");
	}
	ca_text_add(&text, " ");
	ca_text_init(&text, after, sizeof(after));
	ca_text_add(&text, ": ");
	ca_text_add(&text, finding->found[0] ? finding->found : finding->says);
	if (view->all && finding->why[0]) {
		ca_text_add(&text, " (");
		ca_text_add(&text, finding->why);
		ca_text_add(&text, ")");
	}
	ca_text_add(&text, " [");
	ca_text_add(&text, finding->rule->id);
	ca_text_add(&text, "]");
	ca_view_line(view, before, ca_view_verdict_style(finding->verdict),
		     ca_verdict_name(finding->verdict), after);
}

static void findings(struct ca_view *view, const struct ca_certificate *certificate)
{
	const struct ca_judgement *judgement = &certificate->judgement;
	bool any = false;

	for (size_t i = 0; i < judgement->finding_count; i++) {
		if (!is_worth_a_line(&judgement->findings[i], view->all))
			continue;
		if (!any)
			ca_view_heading(view,
					"Findings (`cardassay explain RULE` tells more of each)");
		any = true;
		finding_line(view, certificate, &judgement->findings[i]);
	}
	if (!any)
		ca_view_heading(view, "No finding: nothing in the registers speaks against the "
				      "claims");
}

static void rules(struct ca_view *view, const struct ca_judgement *judgement)
{
	struct ca_rule_counts counts;
	char line[120];
	struct ca_text text;

	ca_judgement_count_rules(judgement, &counts);
	ca_text_init(&text, line, sizeof(line));
	ca_text_add(&text, "Rules: ");
	ca_text_u64(&text, counts.hold);
	ca_text_add(&text, counts.hold == 1 ? " holds, " : " hold, ");
	ca_text_u64(&text, counts.fired);
	ca_text_add(&text, " fired, ");
	ca_text_u64(&text, counts.not_applicable);
	ca_text_add(&text, " not applicable here.");
	ca_view_line(view, "", CA_STYLE_PLAIN, "", line);
}

int ca_certificate_inspect_text(const struct ca_certificate *certificate,
				const struct ca_view_options *options, char **ret_text)
{
	const char *overprint = ca_view_overprint(certificate->evidence.origin);
	struct ca_view view;
	int r = ca_view_begin(&view, options);

	if (r < 0)
		return r;
	if (overprint)
		ca_view_lead(&view, 0, CA_STYLE_BAD, overprint, 0, "");
	ca_view_headline(&view, &certificate->judgement);
	subject(&view, certificate);
	ca_view_registers(&view, certificate);
	claims(&view, &certificate->judgement.claims);
	findings(&view, certificate);
	rules(&view, &certificate->judgement);
	return ca_view_finish(&view, ret_text);
}
