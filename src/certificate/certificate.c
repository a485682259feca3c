/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/certificate.h"
#include "text_clean.h"

#include <errno.h>
#include <string.h>

void ca_certificate_done(struct ca_certificate *certificate)
{
	if (!certificate)
		return;
	ca_evidence_done(&certificate->evidence);
	ca_judgement_done(&certificate->judgement);
	memset(certificate, 0, sizeof(*certificate));
}

/*
 * The document is UTF-8, so judging is done on what it will hold: a certificate that is written,
 * read and judged again must say the same.
 */
static void clean_inputs(struct ca_certificate *certificate)
{
	(void)ca_text_clean(certificate->label);
	(void)ca_text_clean(certificate->operator_name);
	(void)ca_text_clean(certificate->organisation);
	(void)ca_text_clean(certificate->reference);
	for (size_t i = 0; i < certificate->option_count; i++)
		(void)ca_text_clean(certificate->options[i]);
	for (size_t i = 0; i < certificate->require_count; i++)
		(void)ca_text_clean(certificate->require[i]);
}

static void clean_judgement(struct ca_judgement *judgement)
{
	for (size_t i = 0; i < judgement->finding_count; i++) {
		struct ca_finding *finding = &judgement->findings[i];

		(void)ca_text_clean(finding->claim);
		(void)ca_text_clean(finding->source);
		(void)ca_text_clean(finding->says);
		(void)ca_text_clean(finding->found);
		(void)ca_text_clean(finding->where);
		(void)ca_text_clean(finding->why);
	}
	for (size_t i = 0; i < judgement->claims.count; i++) {
		(void)ca_text_clean(judgement->claims.claims[i].id);
		(void)ca_text_clean(judgement->claims.claims[i].text);
	}
	for (size_t i = 0; i < judgement->scope_count; i++)
		(void)ca_text_clean(judgement->scope[i]);
	(void)ca_text_clean(judgement->identity.summary);
	(void)ca_text_clean(judgement->headline);
}

int ca_certificate_judge(struct ca_certificate *certificate, struct ca_error *error)
{
	struct ca_judge_request request = {
		.evidence = &certificate->evidence,
		.label = certificate->label,
		.option_count = certificate->option_count,
		.require_count = certificate->require_count,
		.profile = certificate->profile,
	};
	struct ca_judgement judgement;
	int r;

	clean_inputs(certificate);
	for (size_t i = 0; i < certificate->option_count; i++)
		request.options[i] = certificate->options[i];
	for (size_t i = 0; i < certificate->require_count; i++)
		request.require[i] = certificate->require[i];
	r = ca_judge_run(&request, &judgement);
	if (r == -EINVAL)
		return ca_error_set(error, r,
				    "a --claim is not understood: it must be KEY=VALUE, such as "
				    "capacity=128GB or class=A2.");
	if (r < 0)
		return ca_error_set(error, r, "judging failed: %s.", strerror(-r));
	clean_judgement(&judgement);
	ca_judgement_done(&certificate->judgement);
	certificate->judgement = judgement;
	return 0;
}
