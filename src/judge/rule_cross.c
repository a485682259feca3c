/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules that hold registers against the device, the label and each other (S 3.3, 4.2, 8.1.7). */
#include "judge_rule.h"

#include <string.h>

static void add_two_sizes(struct ca_text *text, const char *first, uint64_t a, const char *second,
			  uint64_t b)
{
	ca_text_add(text, first);
	ca_text_add(text, " ");
	ca_text_grouped(text, a);
	ca_text_add(text, " bytes, ");
	ca_text_add(text, second);
	ca_text_add(text, " ");
	ca_text_grouped(text, b);
	ca_text_add(text, " bytes");
}

void ca_judge_x_capacity_type(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_raw_registers *raw = &c->evidence->registers;
	bool block_addressed = raw->ocr >> 30 & 1, over_2tb = raw->ocr >> 27 & 1;
	enum ca_csd_version expected;
	struct ca_text found;

	/* without bit 31 this is the voltage the host chose, not the card's answer */
	if (!ca_judge_is_sd(c) || !raw->has_ocr || !(raw->ocr >> 31 & 1) ||
	    !ca_judge_has(c, CA_REGISTER_CSD))
		return;
	expected = !block_addressed ? CA_CSD_V1 : over_2tb ? CA_CSD_V3 : CA_CSD_V2;
	if (c->registers->csd.version == expected)
		return;
	found = ca_judge_found(ca_judge_fire_hard(sink, c->registers->csd.crc));
	ca_text_add(&found, "OCR ");
	ca_text_hex(&found, raw->ocr, 8);
	ca_text_add(&found, "h with CSD layout ");
	ca_text_u64(&found, c->registers->csd.structure + 1U);
}

static void judge_size(const struct ca_judge_case *c, struct ca_judge_sink *sink, enum ca_crc crc,
		       const char *name)
{
	uint64_t stated = ca_judge_register_bytes(c), device = c->evidence->device.bytes;
	struct ca_judge_draft *draft;
	struct ca_text text;

	if (!stated || !device || stated == device)
		return;
	draft = ca_judge_fire_hard(sink, crc);
	text = ca_judge_found(draft);
	add_two_sizes(&text, "device", device, name, stated);
	if (c->evidence->device.registers_lent) {
		draft->finding.verdict = CA_VERDICT_INCONCLUSIVE;
		text = ca_judge_why(draft);
		ca_text_add(&text,
			    "The registers were lent from a recording: they may be of another "
			    "card. Read registers and size in one slot.");
	}
}

void ca_judge_x_size(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (ca_judge_is_sd(c) && ca_judge_has(c, CA_REGISTER_CSD) &&
	    !ca_judge_has(c, CA_REGISTER_NVME_NS))
		judge_size(c, sink, c->registers->csd.crc, "CSD");
}

void ca_judge_nvme_size(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (ca_judge_has(c, CA_REGISTER_NVME_NS))
		judge_size(c, sink, CA_CRC_ABSENT, "namespace");
}

void ca_judge_x_label_size(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	uint64_t ppm = ca_judge_label_ppm(c);
	struct ca_text found;

	if (!ppm || (ppm >= 960000 && ppm <= 1035000))
		return;
	found = ca_judge_found(ca_judge_fire(sink));
	ca_text_add(&found, "label ");
	ca_text_gb(&found, ca_judge_label_capacity(c)->value);
	ca_text_add(&found, ", announced ");
	ca_text_size(&found, ca_judge_announced_bytes(c));
	ca_text_add(&found, ", ");
	ca_text_fixed(&found, ppm, 10000, 1);
	ca_text_add(&found, " % of it");
}

static uint64_t ssr_value(const struct ca_ssr *ssr, enum ca_claim_kind kind)
{
	if (kind == CA_CLAIM_APP_CLASS)
		return ssr->app_perf_class;
	if (kind == CA_CLAIM_SPEED_CLASS)
		return ssr->speed_class_code;
	if (kind == CA_CLAIM_UHS_GRADE)
		return ssr->uhs_speed_grade;
	return ssr->video_speed_class;
}

/* The class that the card's own status claims; false when its code is none that is defined. */
static bool own_class(const struct ca_judge_case *c, enum ca_claim_kind kind, uint64_t *ret_class)
{
	const struct ca_claim *claim = ca_claims_find(c->claims, kind, CA_SOURCE_SSR);

	if (!claim && ssr_value(&c->registers->ssr, kind))
		return false;
	*ret_class = claim ? claim->value : 0;
	return true;
}

static uint64_t printed_value(const struct ca_claims *claims, enum ca_claim_kind kind)
{
	uint64_t best = 0;

	for (size_t i = 0; i < claims->count; i++)
		if (claims->claims[i].kind == kind && ca_judge_is_printed(&claims->claims[i]) &&
		    claims->claims[i].value > best)
			best = claims->claims[i].value;
	return best;
}

void ca_judge_x_label_class(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	static const struct {
		enum ca_claim_kind kind;
		char letter[2];
	} classes[] = {{CA_CLAIM_APP_CLASS, "A"},
		       {CA_CLAIM_SPEED_CLASS, "C"},
		       {CA_CLAIM_UHS_GRADE, "U"},
		       {CA_CLAIM_VIDEO_CLASS, "V"}};

	if (!ca_judge_has_ssr(c))
		return;
	for (size_t i = 0; i < CA_ARRAY_LEN(classes); i++) {
		uint64_t printed = printed_value(c->claims, classes[i].kind);
		struct ca_judge_draft *draft;
		struct ca_text text;
		uint64_t own;

		if (!printed || !own_class(c, classes[i].kind, &own) || printed == own)
			continue;
		draft = ca_judge_fire(sink);
		text = ca_judge_found(draft);
		ca_text_add(&text, "label ");
		ca_text_add(&text, classes[i].letter);
		ca_text_u64(&text, printed);
		ca_text_add(&text, ", card ");
		ca_text_add(&text, own ? classes[i].letter : "no such class");
		if (own)
			ca_text_u64(&text, own);
		if (own > printed) {
			draft->finding.verdict = CA_VERDICT_NOTE;
			text = ca_judge_why(draft);
			ca_text_add(&text,
				    "The card is better than its label; several genuine makers "
				    "do that.");
		}
	}
}

void ca_judge_x_changed(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (c->evidence->capacity.end == CA_FILL_CHANGED)
		ca_judge_fire_text(sink, "size or registers changed during the run");
}

void ca_judge_x_express(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_registers *r = c->registers;
	uint64_t capacity;

	if (!ca_judge_is_sd(c) || !ca_judge_has(c, CA_REGISTER_CID) ||
	    !ca_judge_has(c, CA_REGISTER_NVME_CTRL))
		return;
	if (memcmp(r->nvme_ctrl.mn, r->cid.pnm, 5) != 0) {
		ca_judge_fire_text(sink,
				   "the model does not begin with the product name of the CID");
		return;
	}
	capacity = r->csd.capacity_bytes;
	if (ca_judge_has(c, CA_REGISTER_CSD) && ca_judge_has(c, CA_REGISTER_NVME_NS) &&
	    r->nvme_ns.block_bytes && r->nvme_ns.ncap != capacity / r->nvme_ns.block_bytes)
		ca_judge_fire_text(sink, "NCAP is not the capacity of the CSD");
}

void ca_judge_size_round(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	uint64_t bytes = ca_judge_announced_bytes(c);
	struct ca_text found;

	/* a loop file or an image is as round as its owner made it */
	if (!bytes || !ca_judge_is_sd(c) || !ca_judge_has(c, CA_REGISTER_CID) ||
	    (bytes % CA_GIB && bytes % (1000 * CA_MIB)))
		return;
	found = ca_judge_found(ca_judge_fire(sink));
	ca_text_grouped(&found, bytes);
	ca_text_add(&found, " bytes are a whole number of ");
	ca_text_add(&found, bytes % CA_GIB ? "1,000 MiB" : "GiB");
}
