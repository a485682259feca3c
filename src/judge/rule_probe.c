/* SPDX-License-Identifier: BSD-2-Clause */
/* CAPACITY where only the sparse check was run: it proves a false size, or screens. */
#include "judge_capacity.h"

#include <string.h>

struct reason {
	enum ca_verdict verdict;
	const char *why;
	const char *brief; /* for the headline; "" = none */
};

#define NOTHING ((struct reason){CA_VERDICT_PASS, "", ""})

static uint64_t error_samples(const struct ca_probe_evidence *probe)
{
	return probe->classes[CA_SECTOR_UNREADABLE] + probe->classes[CA_SECTOR_UNWRITABLE];
}

/* Written and not there, twice alike. */
static uint64_t lost_samples(const struct ca_probe_evidence *probe)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < CA_SECTOR_CLASS_COUNT; i++)
		lost += i == CA_SECTOR_GOOD || i == CA_SECTOR_FOREIGN ? 0 : probe->classes[i];
	lost -= error_samples(probe);
	return lost > probe->unstable_samples ? lost - probe->unstable_samples : 0;
}

static bool is_proved(const struct ca_probe_evidence *probe)
{
	return probe->aliases || lost_samples(probe) ||
	       (error_samples(probe) && probe->kind == CA_CAPACITY_KIND_ERRORS);
}

static struct reason judge_proof(const struct ca_probe_evidence *probe)
{
	if (probe->aliases)
		return (struct reason){
			CA_VERDICT_FAIL,
			"What was written to one address came back from another: several addresses "
			"lead to one place. Return the card; keep this certificate as evidence.",
			""};
	if (probe->kind == CA_CAPACITY_KIND_WRITE_PROTECTED)
		return (struct reason){
			CA_VERDICT_FAIL,
			"The card reports success and keeps nothing of what is written to it, at "
			"any address. It is worn out or a fake: save its data and return it.",
			""};
	return (struct reason){
		CA_VERDICT_FAIL,
		"Data that was written does not come back, twice the same way, so it is not the "
		"wire. Return the card; keep this certificate as evidence.",
		""};
}

static struct reason judge_faults(const struct ca_judge_case *c)
{
	const struct ca_probe_evidence *probe = &c->evidence->probe;

	/* another card may have been put in: what it holds says nothing about the first */
	if (probe->end == CA_FILL_CHANGED)
		return (struct reason){
			CA_VERDICT_INCONCLUSIVE,
			"Size or registers changed during the run. Test this card again without "
			"taking it out.",
			"the device changed during the run"};
	if (probe->classes[CA_SECTOR_FOREIGN] && !probe->aliases)
		return (struct reason){
			CA_VERDICT_INCONCLUSIVE,
			"Data of another device came back: this host or reader mixes devices up. "
			"Use another reader and test one card at a time.",
			"the host mixed devices up"};
	if (error_samples(probe) && !lost_samples(probe) && !probe->aliases &&
	    ca_judge_transfer_errors(c))
		return (struct reason){
			CA_VERDICT_INCONCLUSIVE,
			"Transfers failed while the host counted errors on the bus. Clean the "
			"contacts, use another slot, cable or reader, repeat; errors that stay are "
			"the card's.",
			"transfer errors on the bus"};
	if (probe->kind == CA_CAPACITY_KIND_HOST_LIMIT &&
	    ca_judge_may_be_reader(&c->evidence->device))
		return (struct reason){
			CA_VERDICT_INCONCLUSIVE,
			"The good part ends exactly at 128 GiB or 2 TiB, where the addresses of "
			"some readers end. Test the card in a slot of the computer itself or in a "
			"newer reader: what ends there too is the card.",
			"ends at a limit of readers"};
	return is_proved(probe) ? judge_proof(probe) : NOTHING;
}

static struct reason judge_end(const struct ca_probe_evidence *probe)
{
	switch (probe->end) {
	case CA_FILL_INTERRUPTED:
		return (struct reason){CA_VERDICT_INCONCLUSIVE,
				       "The check was interrupted before it was done, and found no "
				       "fault so far. Let it run to the end.",
				       "interrupted"};
	case CA_FILL_LOST:
		return (struct reason){CA_VERDICT_INCONCLUSIVE,
				       "The device went away without a proved fault. Try another "
				       "slot, cable or reader; if it stays away, the card has "
				       "failed.",
				       "the device went away"};
	case CA_FILL_HOST_ERROR:
		return (struct reason){CA_VERDICT_INCONCLUSIVE,
				       "This host could not finish the run. Repeat it when the "
				       "cause is removed.",
				       "the host failed"};
	case CA_FILL_NOT_RUN:
	case CA_FILL_COMPLETE:
	case CA_FILL_PROOF:
	case CA_FILL_CHANGED:
		break;
	}
	return NOTHING;
}

/* Nothing is proved: what keeps the check from saying that nothing was found? */
static struct reason judge_doubts(const struct ca_probe_evidence *probe)
{
	if (error_samples(probe))
		return (struct reason){
			CA_VERDICT_INCONCLUSIVE,
			"Some places could not be read or written, scattered and not from one "
			"address on: a failing card or a bad contact. Save the data, use another "
			"reader; the profile standard tells how much is bad.",
			"scattered errors"};
	if (probe->unstable_samples)
		return (struct reason){
			CA_VERDICT_INCONCLUSIVE,
			"Some places did not answer alike twice: that is the way to the card, or a "
			"weak card. Clean the contacts, use another reader, repeat.",
			"reads differ from time to time"};
	if (!probe->samples || !probe->run_bytes || !probe->cache_overrun_bytes)
		return (struct reason){
			CA_VERDICT_INCONCLUSIVE,
			"Too little could be written to overrun any memory in the card, which may "
			"have answered. The profile standard writes everything.",
			"too little was written"};
	return NOTHING;
}

static struct reason judge_all(const struct ca_judge_case *c)
{
	const struct ca_probe_evidence *probe = &c->evidence->probe;
	uint64_t ppm = ca_judge_label_ppm(c);
	struct reason reason = judge_faults(c);

	if (reason.verdict == CA_VERDICT_PASS && ppm && ppm < CA_JUDGE_LABEL_PPM_FAIL)
		return (struct reason){
			CA_VERDICT_FAIL,
			"The card does not even announce what its label states. Check that the "
			"label was typed as printed; if so, return the card.",
			""};
	if (reason.verdict == CA_VERDICT_PASS)
		reason = judge_end(probe);
	if (reason.verdict == CA_VERDICT_PASS)
		reason = judge_doubts(probe);
	if (reason.verdict == CA_VERDICT_PASS && ppm && ppm < CA_JUDGE_LABEL_PPM_LOW)
		return (struct reason){
			CA_VERDICT_INCONCLUSIVE,
			"The card announces less than any good card of this label has. Check the "
			"label.",
			"less than the label states"};
	if (reason.verdict == CA_VERDICT_PASS)
		reason = (struct reason){
			CA_VERDICT_SCREENED,
			"Nothing wrong was found, and a sparse check cannot say more: a card that "
			"takes data at any address until its store is full, or that keeps more of "
			"what was written last in memory than was overrun here, looks the same. "
			"The "
			"profile standard writes everything; --deep overruns 1 GiB.",
			""};
	return reason;
}

/* ---- the words ----------------------------------------------------------------------------- */

static void say_size(struct ca_text *text, const struct ca_probe_evidence *probe)
{
	if (probe->has_real_capacity) {
		ca_text_add(text, "; real capacity ");
		ca_text_grouped(text, probe->real_capacity_bytes);
		ca_text_add(text, " bytes (");
		ca_text_gb(text, probe->real_capacity_bytes);
		ca_text_add(text, ")");
	} else if (probe->real_most_bytes) {
		ca_text_add(text, "; real capacity between ");
		ca_text_gb(text, probe->real_least_bytes);
		ca_text_add(text, " and ");
		ca_text_gb(text, probe->real_most_bytes);
	}
	if (probe->cache_bytes) {
		ca_text_add(text, "; memory hid it for ");
		ca_text_gb(text, probe->cache_bytes);
	}
}

static void say_faults(struct ca_text *text, const struct ca_probe_evidence *probe)
{
	uint64_t bad = probe->samples - probe->classes[CA_SECTOR_GOOD];

	ca_text_grouped(text, bad);
	ca_text_add(text, " of ");
	ca_text_grouped(text, probe->samples);
	ca_text_add(text, " samples are not what was written");
	if (probe->aliases)
		ca_text_add(text, ", and data came back at other addresses");
	if (probe->unstable_samples)
		ca_text_add(text, " (some differ between two reads)");
	if (is_proved(probe) || probe->kind != CA_CAPACITY_KIND_NONE) {
		ca_text_add(text, ": ");
		ca_text_add(text, ca_judge_kind_text(probe->kind));
	}
	say_size(text, probe);
}

static void say_good(struct ca_text *text, const struct ca_probe_evidence *probe)
{
	ca_text_grouped(text, probe->samples);
	ca_text_add(text, " samples and a run of ");
	ca_text_gb(text, probe->run_bytes);
	ca_text_add(text, " are what was written (");
	ca_text_fixed(text, probe->coverage_ppm, 10000, 4);
	ca_text_add(text, " %); none of ");
	ca_text_grouped(text, probe->steps);
	ca_text_add(text, " other places shows it too; ");
	ca_text_gb(text, probe->cache_overrun_bytes);
	ca_text_add(text, " overran memory; a bad share above ");
	ca_text_fixed(text, ca_probe_missed_ppm(probe->random_samples), 10000, 2);
	ca_text_add(text, " % would have shown at 99 %");
}

static void say_found(const struct ca_probe_evidence *probe, struct ca_judge_draft *draft)
{
	struct ca_text found = ca_judge_found(draft);

	if (probe->samples > probe->classes[CA_SECTOR_GOOD] || probe->aliases ||
	    probe->unstable_samples)
		say_faults(&found, probe);
	else
		say_good(&found, probe);
	if (probe->lost_because[0]) {
		ca_text_add(&found, "; ");
		ca_text_escaped(&found, probe->lost_because, strlen(probe->lost_because));
	}
}

static void say_failed(const struct ca_judge_case *c, struct ca_text *brief)
{
	const struct ca_probe_evidence *probe = &c->evidence->probe;

	if (!is_proved(probe)) {
		ca_text_add(brief, "on the label, ");
		ca_text_gb(brief, ca_judge_announced_bytes(c));
		ca_text_add(brief, " announced");
		return;
	}
	ca_text_add(brief, "announced, ");
	if (probe->has_real_capacity) {
		ca_text_gb(brief, probe->real_capacity_bytes);
		ca_text_add(brief, " real (");
	} else if (probe->real_most_bytes) {
		ca_text_add(brief, "at most ");
		ca_text_gb(brief, probe->real_most_bytes);
		ca_text_add(brief, " real (");
	} else {
		ca_text_add(brief, "not all real (");
	}
	ca_text_add(brief, ca_judge_kind_text(probe->kind));
	ca_text_add(brief, ")");
}

void ca_judge_probe(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_probe_evidence *probe = &c->evidence->probe;
	struct reason reason = judge_all(c);
	struct ca_judge_draft *draft = ca_judge_add(sink, reason.verdict, "capacity",
						    ca_judge_claim_source(c->claims, "capacity"));
	struct ca_text text;

	ca_judge_say_capacity(c, draft);
	say_found(probe, draft);
	ca_text_init(&text, draft->finding.where, sizeof(draft->finding.where));
	if (probe->has_first_bad && is_proved(probe)) {
		ca_text_add(&text, "sector ");
		ca_text_u64(&text, probe->first_bad_offset / CA_SECTOR_BYTES);
	} else {
		ca_text_add(&text, "device");
	}
	text = ca_judge_why(draft);
	ca_text_add(&text, reason.why);
	if (probe->unrestored_bytes)
		ca_text_add(&text, " Not all of its own data could be put back.");
	text = ca_judge_brief(draft);
	ca_text_add(&text, reason.brief);
	if (reason.verdict == CA_VERDICT_FAIL)
		say_failed(c, &text);
}
