/* SPDX-License-Identifier: BSD-2-Clause */
#include "session.h"

#include <inttypes.h>
#include <string.h>

/* Rates of a slow and a fast card, for a span of hours before anything is measured. */
#define SLOW_BYTES_PER_SECOND UINT64_C(10000000)
#define FAST_BYTES_PER_SECOND UINT64_C(90000000)

static void print_minutes(uint64_t seconds)
{
	if (seconds < 90)
		(void)fprintf(stderr, "%" PRIu64 " s", seconds);
	else if (seconds < 5400)
		(void)fprintf(stderr, "%" PRIu64 " min", (seconds + 30) / 60);
	else
		(void)fprintf(stderr, "%" PRIu64 ".%" PRIu64 " h", seconds / 3600,
			      seconds % 3600 / 360);
}

/* Which claims decide, and what else is claimed, as the judge sees it with no figure yet. */
static void print_claims(const struct ca_session *session, enum ca_profile profile)
{
	static struct ca_certificate probe; /* too large for a stack */
	const char *separator = "";

	probe = session->certificate;
	probe.profile = profile;
	memset(&probe.judgement, 0, sizeof(probe.judgement));
	if (ca_certificate_judge(&probe, NULL) < 0)
		return; /* out of memory shows soon enough */
	(void)fprintf(stderr, "  Decides: ");
	for (size_t i = 0; i < probe.judgement.scope_count; i++) {
		(void)fprintf(stderr, "%s%s", separator, probe.judgement.scope[i]);
		separator = ", ";
	}
	(void)fprintf(stderr, "%s.", *separator ? "" : "nothing (figures only)");
	separator = " Also claimed, and judged as far as this run can: ";
	for (size_t i = 0; i < probe.judgement.claims.count; i++) {
		const struct ca_claim *claim = &probe.judgement.claims.claims[i];

		if (!ca_claims_is_first(&probe.judgement.claims, i) ||
		    ca_judgement_is_in_scope(&probe.judgement, claim->id) ||
		    claim->kind == CA_CLAIM_RETENTION) /* no run settles it without a power cut */
			continue;
		(void)fprintf(stderr, "%s%s", separator, claim->id);
		separator = ", ";
	}
	(void)fprintf(stderr, "%s\n", *separator == ',' ? "." : "");
	ca_judgement_done(&probe.judgement);
}

void ca_plan_print(struct ca_session *session, enum ca_profile profile)
{
	const struct ca_options *options = session->options;
	uint64_t bytes = session->certificate.evidence.device.bytes;
	bool fills = profile != CA_PROFILE_SPEED;
	uint64_t moved = fills ? 2 * bytes : 0, written = fills ? bytes : 0;
	struct ca_speed_cost cost = {0};
	char size[64];
	struct ca_text text;

	if (profile != CA_PROFILE_FILL)
		ca_session_speed_cost(session, &cost);
	moved += cost.moved_bytes;
	written += cost.written_bytes;
	ca_text_init(&text, size, sizeof(size));
	ca_text_size(&text, bytes);
	(void)fprintf(stderr, "Plan: %s %s, %s.\n", ca_profile_name(profile), options->targets[0],
		      size);
	if (session->kind == CA_TARGET_SIMULATED)
		(void)fprintf(
			stderr,
			"  A simulated card: nothing real is written; its clock is virtual.\n");
	else
		(void)fprintf(stderr, "  EVERYTHING ON IT IS LOST.\n");
	ca_text_init(&text, size, sizeof(size));
	ca_text_gb(&text, written);
	(void)fprintf(stderr,
		      "  Writes about %s (%" PRIu64 ".%02" PRIu64 " card writes). Takes about ",
		      size, bytes ? written / bytes : 0, bytes ? written % bytes * 100 / bytes : 0);
	print_minutes(moved / FAST_BYTES_PER_SECOND + cost.seconds);
	(void)fprintf(stderr, " (a fast card) to ");
	print_minutes(moved / SLOW_BYTES_PER_SECOND + cost.seconds);
	(void)fprintf(stderr, " (a slow one).\n");
	print_claims(session, profile);
}
