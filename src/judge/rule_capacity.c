/* SPDX-License-Identifier: BSD-2-Clause */
/* Is all of it there, and does it outlive a loss of power? (docs/ARCHITECTURE.md) */
#include "judge_capacity.h"

#include <string.h>

static uint64_t bad_sectors(const struct ca_capacity_evidence *cap)
{
	uint64_t bad = 0;

	for (size_t i = 0; i < CA_SECTOR_CLASS_COUNT; i++)
		if (i != CA_SECTOR_GOOD)
			bad += cap->classes[i];
	return bad;
}

/* Bad both times they were read: of the medium, not of the wire. */
static uint64_t stable_bad_sectors(const struct ca_capacity_evidence *cap)
{
	uint64_t bad = bad_sectors(cap);

	return bad > cap->unstable_sectors ? bad - cap->unstable_sectors : 0;
}

/*
 * Bad sectors that a bad wire, one that the host counted errors on, may explain: transfers that
 * failed. Data that came back wrong and twice the same was not the wire: it carries checksums. Nor
 * is a size that was found by reading, in an order of its own; an end found by writing alone may be
 * the time when the contact gave way.
 */
static uint64_t wire_sectors(const struct ca_capacity_evidence *cap)
{
	uint64_t unreadable = cap->classes[CA_SECTOR_UNREADABLE];

	return cap->has_real_capacity && unreadable
		       ? 0
		       : unreadable + cap->classes[CA_SECTOR_UNWRITABLE];
}

const char *ca_judge_kind_text(enum ca_capacity_kind kind)
{
	switch (kind) {
	case CA_CAPACITY_KIND_LIMBO:
		return "writes past it vanish";
	case CA_CAPACITY_KIND_WRAP:
		return "addresses wrap round";
	case CA_CAPACITY_KIND_CHAIN:
		return "addresses wrap round and part is lost";
	case CA_CAPACITY_KIND_ERRORS:
		return "errors from one address on";
	case CA_CAPACITY_KIND_DAMAGED:
		return "scattered faults";
	case CA_CAPACITY_KIND_REGIONS:
		return "beginning and end are there, the middle is not";
	case CA_CAPACITY_KIND_ISLANDS:
		return "good pieces among lost ones";
	case CA_CAPACITY_KIND_RING:
		return "only what was written last is there";
	case CA_CAPACITY_KIND_THIN:
		return "its store is full, wherever data go";
	case CA_CAPACITY_KIND_WRITE_PROTECTED:
		return "it takes no more writes";
	case CA_CAPACITY_KIND_REPLAY:
		return "it shows data of an earlier run";
	case CA_CAPACITY_KIND_TRANSPORT:
		return "reads differ";
	case CA_CAPACITY_KIND_HOST_LIMIT:
		return "it ends where some readers' addresses end";
	case CA_CAPACITY_KIND_NONE:
	case CA_CAPACITY_KIND_SOUND:
		break;
	}
	return "bad sectors";
}

/* ---- the outcome --------------------------------------------------------------------------- */

struct reason {
	enum ca_verdict verdict;
	const char *why;
	const char *brief; /* for the headline; "" = none */
};

static struct reason judge_end(const struct ca_capacity_evidence *cap)
{
	switch (cap->end) {
	case CA_FILL_NOT_RUN:
		return (struct reason){
			CA_VERDICT_UNTESTED,
			"Nothing was written. The profiles standard and full write and "
			"read back everything.",
			""};
	case CA_FILL_INTERRUPTED:
		return (struct reason){
			CA_VERDICT_INCONCLUSIVE,
			"The run was interrupted before it was done, and found no fault "
			"so far. Let it run to the end.",
			"interrupted"};
	case CA_FILL_LOST:
		if (cap->reinit == CA_REINIT_REPLUG)
			return (struct reason){
				CA_VERDICT_FAIL,
				"The card was taken out and put back, and did not come back to "
				"life. Try it in another reader; if it stays dead, return it.",
				""};
		return (struct reason){
			CA_VERDICT_INCONCLUSIVE,
			"The device went away without a proved fault. Try another slot, "
			"cable or reader; if it stays away, the card has failed.",
			"the device went away"};
	case CA_FILL_CHANGED:
		return (struct reason){
			CA_VERDICT_INCONCLUSIVE,
			"Size or registers changed during the run. Test this card again "
			"without taking it out.",
			"the device changed during the run"};
	case CA_FILL_HOST_ERROR:
		return (struct reason){
			CA_VERDICT_INCONCLUSIVE,
			"This host could not finish the run. Repeat it when the cause is "
			"removed.",
			"the host failed"};
	case CA_FILL_COMPLETE:
	case CA_FILL_PROOF:
		break;
	}
	return (struct reason){CA_VERDICT_PASS, "", ""};
}

/*
 * A reader with too few address bits makes a sound card end at 128 GiB or 2 TiB. Slots of the host
 * itself, and what is no card at all, know no such limit; a simulated card has a model where it is
 * in a reader.
 */
bool ca_judge_may_be_reader(const struct ca_device_facts *device)
{
	static const char *const direct[] = {"mmc", "nvme", "loop",   "zram", "ram",
					     "nbd", "dm",   "virtio", "image"};

	for (size_t i = 0; i < CA_ARRAY_LEN(direct); i++)
		if (!strcmp(device->bus, direct[i]))
			return false;
	return strcmp(device->bus, "sim") != 0 || device->model[0];
}

static struct reason judge_faults(const struct ca_judge_case *c)
{
	const struct ca_capacity_evidence *cap = &c->evidence->capacity;

	/* another card may have been put in: what it holds says nothing about the first */
	if (cap->end == CA_FILL_CHANGED)
		return judge_end(cap);
	/* a mix-up of devices explains lost data, but not this run's data at another address */
	if (cap->classes[CA_SECTOR_FOREIGN] && !cap->classes[CA_SECTOR_ALIAS])
		return (struct reason){
			CA_VERDICT_INCONCLUSIVE,
			"Data of another device came back: this host or reader mixes "
			"devices up. Use another reader and test one card at a time.",
			"the host mixed devices up"};
	if (ca_judge_transfer_errors(c) && stable_bad_sectors(cap) &&
	    stable_bad_sectors(cap) <= wire_sectors(cap))
		return (struct reason){
			CA_VERDICT_INCONCLUSIVE,
			"Transfers failed while the host counted errors on the bus: that is the "
			"way to the card, or a failing card. Clean the contacts, use another "
			"slot, cable or reader, repeat; errors that stay are the card's.",
			"transfer errors on the bus"};
	if (cap->kind == CA_CAPACITY_KIND_HOST_LIMIT &&
	    ca_judge_may_be_reader(&c->evidence->device))
		return (struct reason){
			CA_VERDICT_INCONCLUSIVE,
			"The good part ends exactly at 128 GiB or 2 TiB, where the addresses of "
			"some "
			"readers end. Test the card in a slot of the computer itself or in a newer "
			"reader: what ends there too is the card.",
			"ends at a limit of readers"};
	if (stable_bad_sectors(cap))
		return (struct reason){
			CA_VERDICT_FAIL,
			"Data that was written does not come back, twice the same way, so "
			"it is not the wire. Return the card; keep this certificate as "
			"evidence.",
			""};
	if (cap->unstable_sectors)
		return (struct reason){
			CA_VERDICT_INCONCLUSIVE,
			"Some sectors did not answer alike twice: that is the way to the card, "
			"or a weak card. Clean the contacts, use another reader, repeat.",
			"reads differ from time to time"};
	return (struct reason){CA_VERDICT_PASS, "", ""};
}

static bool is_covered(const struct ca_capacity_evidence *cap)
{
	return cap->announced_bytes && cap->written_bytes == cap->announced_bytes &&
	       cap->verified_bytes == cap->announced_bytes &&
	       cap->good_bytes == cap->announced_bytes;
}

static struct reason judge_coverage(const struct ca_judge_case *c)
{
	const struct ca_capacity_evidence *cap = &c->evidence->capacity;
	uint64_t ppm = ca_judge_label_ppm(c);

	if (cap->end == CA_FILL_PROOF)
		return (struct reason){
			CA_VERDICT_INCONCLUSIVE,
			"The run stopped early and its map shows no fault. Repeat it.",
			"stopped early"};
	if (!is_covered(cap))
		return (struct reason){
			CA_VERDICT_SCREENED,
			"What was looked at is good, but not every sector was written and "
			"read back. The profiles standard and full do that.",
			""};
	if (!cap->cache_overrun_bytes)
		return (struct reason){
			CA_VERDICT_SCREENED,
			"Every sector came back right, but caches were not overrun in "
			"between, so memory may have answered. Run the profile standard.",
			""};
	if (c->evidence->device.bytes && c->evidence->device.bytes != cap->announced_bytes)
		return (struct reason){
			CA_VERDICT_INCONCLUSIVE,
			"The size tested is not the size of the device. Test it again.",
			"the size changed"};
	if (ppm && ppm < CA_JUDGE_LABEL_PPM_LOW)
		return (struct reason){
			CA_VERDICT_INCONCLUSIVE,
			"All that the card announces is there, but that is less than any "
			"good card of this label has. Check the label.",
			"less than the label states"};
	return (struct reason){CA_VERDICT_PASS,
			       "Every sector was written with keyed data and read back right after "
			       "caches were overrun.",
			       ""};
}

static struct reason judge_all(const struct ca_judge_case *c)
{
	const struct ca_capacity_evidence *cap = &c->evidence->capacity;
	uint64_t ppm = ca_judge_label_ppm(c);
	struct reason reason = judge_faults(c);

	/* registers alone accuse nobody: they may be another card's, and labels are mistyped */
	if (cap->end == CA_FILL_NOT_RUN && ppm && ppm < CA_JUDGE_LABEL_PPM_FAIL)
		return (struct reason){
			CA_VERDICT_INCONCLUSIVE,
			"The card announces less than its label states. Check that the "
			"label was typed as printed; a full test settles it.",
			"less announced than the label states"};
	if (reason.verdict == CA_VERDICT_PASS && ppm && ppm < CA_JUDGE_LABEL_PPM_FAIL)
		return (struct reason){
			CA_VERDICT_FAIL,
			"The card does not even announce what its label states. Check "
			"that the label was typed as printed; if so, return the card.",
			""};
	if (reason.verdict == CA_VERDICT_PASS)
		reason = judge_end(cap);
	return reason.verdict == CA_VERDICT_PASS ? judge_coverage(c) : reason;
}

/* ---- the words ----------------------------------------------------------------------------- */

void ca_judge_say_capacity(const struct ca_judge_case *c, struct ca_judge_draft *draft)
{
	const struct ca_claim *label = ca_judge_label_capacity(c);
	uint64_t announced = ca_judge_announced_bytes(c);
	struct ca_text says = ca_judge_says(draft);

	if (label) {
		ca_text_add(&says, "label ");
		ca_text_gb(&says, label->value);
		ca_text_add(&says, announced ? ", " : "");
	}
	if (announced) {
		ca_text_add(&says, "announced ");
		ca_text_size(&says, announced);
	}
}

static void say_faults(struct ca_text *found, const struct ca_capacity_evidence *cap)
{
	uint64_t bad = bad_sectors(cap);

	ca_text_grouped(found, bad);
	ca_text_add(found, bad == 1 ? " bad sector of " : " bad sectors of ");
	ca_text_grouped(found, cap->verified_bytes / CA_SECTOR_BYTES);
	ca_text_add(found, " read back: ");
	ca_text_add(found, ca_judge_kind_text(cap->kind));
	if (cap->has_real_capacity) {
		ca_text_add(found, "; real capacity ");
		ca_text_grouped(found, cap->real_capacity_bytes);
		ca_text_add(found, " bytes (");
		ca_text_gb(found, cap->real_capacity_bytes);
		ca_text_add(found, ")");
	}
	if (cap->unstable_sectors) {
		ca_text_add(found, "; ");
		ca_text_grouped(found, cap->unstable_sectors);
		ca_text_add(found, " of them differed between two reads");
	}
}

static void say_found(const struct ca_capacity_evidence *cap, struct ca_judge_draft *draft)
{
	struct ca_text found = ca_judge_found(draft);

	if (cap->end == CA_FILL_NOT_RUN) {
		ca_text_add(&found, "not tested");
		return;
	}
	if (bad_sectors(cap) || cap->unstable_sectors) {
		say_faults(&found, cap);
		return;
	}
	ca_text_add(&found, "written ");
	ca_text_grouped(&found, cap->written_bytes);
	ca_text_add(&found, ", read back ");
	ca_text_grouped(&found, cap->verified_bytes);
	ca_text_add(&found, ", good ");
	ca_text_grouped(&found, cap->good_bytes);
	ca_text_add(&found, " bytes");
	if (cap->lost_because[0]) {
		ca_text_add(&found, "; ");
		ca_text_escaped(&found, cap->lost_because, strlen(cap->lost_because));
	}
}

static const char *powered_text(enum ca_reinit_kind kind)
{
	switch (kind) {
	case CA_REINIT_NONE:
		return " That holds while powered: power was not cut.";
	case CA_REINIT_HOST:
		return " The host took the card anew in between, which cuts no power: it holds "
		       "while powered.";
	case CA_REINIT_POWER:
	case CA_REINIT_REPLUG:
		break;
	}
	return " Power was cut in between.";
}

static void say_failed(const struct ca_judge_case *c, struct ca_judge_draft *draft)
{
	const struct ca_capacity_evidence *cap = &c->evidence->capacity;
	struct ca_text brief = ca_judge_brief(draft);

	if (!stable_bad_sectors(cap) && cap->end == CA_FILL_LOST) {
		ca_text_add(&brief, "announced, dead once it was put back");
		return;
	}
	if (!stable_bad_sectors(cap)) {
		ca_text_add(&brief, "on the label, ");
		ca_text_gb(&brief, ca_judge_announced_bytes(c));
		ca_text_add(&brief, " announced");
		return;
	}
	ca_text_add(&brief, "announced, ");
	if (cap->has_real_capacity) {
		ca_text_gb(&brief, cap->real_capacity_bytes);
		ca_text_add(&brief, " real (");
		ca_text_add(&brief, ca_judge_kind_text(cap->kind));
		ca_text_add(&brief, ")");
	} else {
		ca_text_grouped(&brief, bad_sectors(cap));
		ca_text_add(&brief, bad_sectors(cap) == 1 ? " bad sector (" : " bad sectors (");
		ca_text_add(&brief, ca_judge_kind_text(cap->kind));
		ca_text_add(&brief, ")");
	}
}

void ca_judge_bus_errors(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_fact *after = &c->evidence->host[CA_HOST_ERR_STATS_AFTER];
	uint64_t errors = ca_judge_transfer_errors(c);
	struct ca_text found;

	if (c->evidence->host[CA_HOST_ERR_STATS].present && after->present)
		ca_judge_checks(sink);
	if (!errors)
		return;
	found = ca_judge_found(ca_judge_fire(sink));
	ca_text_grouped(&found, errors);
	ca_text_add(&found, errors == 1 ? " transfer error" : " transfer errors");
	ca_text_add(&found, " counted during this run");
	if (after->text[0]) {
		ca_text_add(&found, " (counters now: ");
		ca_text_escaped(&found, after->text, strlen(after->text));
		ca_text_add(&found, ")");
	}
}

void ca_judge_capacity(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_capacity_evidence *cap = &c->evidence->capacity;
	struct reason reason = judge_all(c);
	struct ca_judge_draft *draft;
	struct ca_text text;

	if (cap->end == CA_FILL_NOT_RUN && c->evidence->probe.end != CA_FILL_NOT_RUN) {
		ca_judge_probe(c, sink);
		return;
	}
	if (!ca_claims_find(c->claims, CA_CLAIM_CAPACITY, -1) && cap->end == CA_FILL_NOT_RUN)
		return;
	draft = ca_judge_add(sink, reason.verdict, "capacity",
			     ca_judge_claim_source(c->claims, "capacity"));
	ca_judge_say_capacity(c, draft);
	say_found(cap, draft);
	if (cap->has_first_bad && bad_sectors(cap)) {
		ca_text_init(&text, draft->finding.where, sizeof(draft->finding.where));
		ca_text_add(&text, "sector ");
		ca_text_u64(&text, cap->first_bad_offset / CA_SECTOR_BYTES);
	} else {
		(void)ca_string_copy(draft->finding.where, sizeof(draft->finding.where), "device");
	}
	text = ca_judge_why(draft);
	ca_text_add(&text, reason.why);
	if (reason.verdict == CA_VERDICT_PASS)
		ca_text_add(&text, powered_text(cap->reinit));
	text = ca_judge_brief(draft);
	ca_text_add(&text, reason.brief);
	if (reason.verdict == CA_VERDICT_FAIL)
		say_failed(c, draft);
}

void ca_judge_retention(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_capacity_evidence *cap = &c->evidence->capacity;
	struct ca_judge_draft *draft;
	struct ca_text text;

	if (!ca_claims_find(c->claims, CA_CLAIM_RETENTION, -1))
		return;
	if (!ca_reinit_is_power_loss(cap->reinit) || cap->end == CA_FILL_NOT_RUN) {
		draft = ca_judge_add(sink, CA_VERDICT_UNTESTED, "retention",
				     ca_judge_claim_source(c->claims, "retention"));
		text = ca_judge_found(draft);
		ca_text_add(&text, "power was not cut");
		return;
	}
	draft = ca_judge_add(sink, judge_all(c).verdict, "retention",
			     ca_judge_claim_source(c->claims, "retention"));
	text = ca_judge_found(draft);
	if (draft->finding.verdict == CA_VERDICT_FAIL) {
		/* what is lost may never have been stored: the capacity finding says so */
		draft->finding.verdict = CA_VERDICT_INCONCLUSIVE;
		ca_text_add(&text, "power was cut, and data is missing");
		text = ca_judge_why(draft);
		ca_text_add(&text,
			    "Missing data may never have been stored at all: capacity has to be "
			    "sound before this can be told.");
		return;
	}
	ca_text_add(&text, "power was cut before the read back");
	text = ca_judge_why(draft);
	ca_text_add(&text, judge_all(c).why);
}
