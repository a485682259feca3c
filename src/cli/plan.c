/* SPDX-License-Identifier: BSD-2-Clause */
#include "session.h"

#include "cardassay/fill.h"

#include <inttypes.h>
#include <string.h>

/* Rates of a slow and a fast card, for a span of hours before anything is measured. */
#define SLOW_BYTES_PER_SECOND UINT64_C(10000000)
#define FAST_BYTES_PER_SECOND UINT64_C(90000000)
#define SLOW_READS	      UINT64_C(400) /* single sectors a second */
#define FAST_READS	      UINT64_C(4000)

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

/* What a probe does, costs and cannot promise. */
static void print_probe(const struct ca_session *session)
{
	const struct ca_device_facts *device = &session->certificate.evidence.device;
	struct ca_geometry geometry = {.bytes = device->bytes,
				       .sector_bytes = device->sector_bytes ? device->sector_bytes
									    : CA_SECTOR_BYTES};
	struct ca_probe_cost cost;
	char size[64];
	struct ca_text text;

	ca_probe_cost_of(&geometry, session->options->deep, &cost);
	ca_text_init(&text, size, sizeof(size));
	ca_text_size(&text, device->bytes);
	(void)fprintf(stderr, "Plan: probe %s, %s.\n", session->options->targets[0], size);
	ca_text_init(&text, size, sizeof(size));
	ca_text_gb(&text, cost.written_bytes);
	(void)fprintf(stderr,
		      "  Saves what is in some %" PRIu64 " places and at the start, writes there, "
		      "looks, and puts it\n  back: about %s written in all. Takes about ",
		      cost.samples, size);
	print_minutes(cost.moved_bytes / FAST_BYTES_PER_SECOND + cost.reads / FAST_READS + 1);
	(void)fprintf(stderr, " (a fast card) to ");
	print_minutes(cost.moved_bytes / SLOW_BYTES_PER_SECOND + cost.reads / SLOW_READS + 1);
	(void)fprintf(stderr, " (a slow one).\n");
	if (session->kind == CA_TARGET_SIMULATED)
		(void)fprintf(stderr, "  A simulated card: nothing real is written; its clock is "
				      "virtual.\n");
	else
		(void)fprintf(
			stderr,
			"  A good card holds afterwards what it holds now, and so do most "
			"fakes. Some lose\n  older data for whatever is written to them: what "
			"cannot be replaced, copy first.\n");
}

void ca_plan_print(struct ca_session *session, enum ca_profile profile)
{
	const struct ca_options *options = session->options;
	const struct ca_device_facts *device = &session->certificate.evidence.device;
	uint64_t bytes = device->bytes, moved = 0, written = 0;
	struct ca_speed_cost cost = {0};
	char size[64];
	struct ca_text text;

	if (session->keeps_data) {
		print_probe(session);
		print_claims(session, profile);
		return;
	}
	if (profile != CA_PROFILE_FILL)
		ca_session_speed_cost(session, &cost);
	if (profile != CA_PROFILE_SPEED) {
		written = bytes + ca_fill_again_bytes(bytes, device->sector_bytes
								     ? device->sector_bytes
								     : CA_SECTOR_BYTES);
		moved = written + bytes;
	}
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
	if (options->replug)
		(void)fprintf(stderr,
			      "  Once all is written you are asked to take it out and put it "
			      "back.\n");
	ca_session_plan_leave(session);
	print_claims(session, profile);
}
