/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge_speed.h"

#include <string.h>

const char *ca_judge_claim_source(const struct ca_claims *claims, const char *id)
{
	const struct ca_claim *own = NULL;

	for (size_t i = 0; i < claims->count; i++) {
		const struct ca_claim *claim = &claims->claims[i];

		if (strcmp(claim->id, id) != 0)
			continue;
		if (ca_judge_is_printed(claim))
			return ca_claim_source_name(claim->source);
		if (!own)
			own = claim;
	}
	return own ? ca_claim_source_name(own->source) : "";
}

static unsigned int weight(enum ca_verdict verdict)
{
	switch (verdict) {
	case CA_VERDICT_FAIL:
		return 5;
	case CA_VERDICT_INCONCLUSIVE:
		return 4;
	case CA_VERDICT_SCREENED:
		return 3;
	case CA_VERDICT_PASS:
		return 2;
	case CA_VERDICT_UNTESTED:
		return 1;
	case CA_VERDICT_WARNING:
	case CA_VERDICT_NOTE:
		break;
	}
	return 0;
}

enum ca_verdict ca_judge_worse(enum ca_verdict a, enum ca_verdict b)
{
	return weight(a) >= weight(b) ? a : b;
}

void ca_judge_add_iops(struct ca_text *text, uint64_t milliiops)
{
	/* tenths only where they say something */
	if (milliiops < 100000)
		ca_text_fixed(text, milliiops / 100, 10, 1);
	else
		ca_text_grouped(text, milliiops / 1000);
	ca_text_add(text, " IOPS");
}

void ca_judge_add_rate(struct ca_text *text, uint64_t bytes_per_second)
{
	ca_text_rate(text, bytes_per_second / 100000 * 100000);
}
