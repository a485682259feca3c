/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules that hold registers against the device, the label and each other (S 3.3, 4.2, 8.1.7). */
#include "judge_rule.h"

#include <string.h>
#include <strings.h>

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

/* The kind of card in the kernel's line about it ("... SDR104 SDXC card at address 59b4"). */
static bool logged_kind(const struct ca_judge_case *c, enum ca_capacity_class *ret_kind)
{
	static const struct {
		const char *word;
		enum ca_capacity_class kind;
	} words[] = {{" SDUC card at address", CA_CAPACITY_SDUC},
		     {" SDXC card at address", CA_CAPACITY_SDXC},
		     {" SDHC card at address", CA_CAPACITY_SDHC},
		     {" SD card at address", CA_CAPACITY_SDSC}};
	const struct ca_fact *log = &c->evidence->host[CA_HOST_LOG_CARD];

	/* the line is about the device, not about registers that were lent to it */
	if (!log->present || c->evidence->device.registers_lent)
		return false;
	for (size_t i = 0; i < CA_ARRAY_LEN(words); i++) {
		if (strstr(log->text, words[i].word)) {
			*ret_kind = words[i].kind;
			return true;
		}
	}
	return false;
}

static void judge_ocr(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_raw_registers *raw = &c->evidence->registers;
	bool block_addressed = raw->ocr >> 30 & 1, over_2tb = raw->ocr >> 27 & 1;
	enum ca_csd_version expected;
	struct ca_text found;

	ca_judge_checks(sink);
	expected = !block_addressed ? CA_CSD_V1 : over_2tb ? CA_CSD_V3 : CA_CSD_V2;
	if (c->registers->csd.version == expected)
		return;
	found = ca_judge_found(ca_judge_fire_hard(sink, c->registers->csd.crc));
	ca_text_add(&found, "OCR ");
	ca_text_hex(&found, raw->ocr, 8);
	ca_text_add(&found, "h with CSD layout ");
	ca_text_u64(&found, c->registers->csd.structure + 1U);
}

void ca_judge_x_capacity_type(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_raw_registers *raw = &c->evidence->registers;
	enum ca_capacity_class own = c->registers->csd.capacity_class, logged;
	struct ca_text found;

	if (!ca_judge_is_sd(c) || !ca_judge_has(c, CA_REGISTER_CSD))
		return;
	/* without bit 31 this is the voltage the host chose, not the card's answer */
	if (raw->has_ocr && raw->ocr >> 31 & 1)
		judge_ocr(c, sink);
	if (!logged_kind(c, &logged) || sink->state == CA_RULE_FIRED)
		return;
	ca_judge_checks(sink);
	/* older kernels know no SDUC and call it SDXC */
	if (logged == own || (logged == CA_CAPACITY_SDXC && own == CA_CAPACITY_SDUC))
		return;
	found = ca_judge_found(ca_judge_fire_hard(sink, c->registers->csd.crc));
	ca_text_add(&found, "the kernel called it ");
	ca_text_add(&found, ca_capacity_class_name(logged));
	ca_text_add(&found, ", its CSD says ");
	ca_text_add(&found, ca_capacity_class_name(own));
}

void ca_judge_fire_sizes(const struct ca_judge_case *c, struct ca_judge_sink *sink, enum ca_crc crc,
			 const struct ca_judge_sizes *sizes)
{
	struct ca_judge_draft *draft = ca_judge_fire_hard(sink, crc);
	struct ca_text text = ca_judge_found(draft);

	add_two_sizes(&text, sizes->first, sizes->a, sizes->second, sizes->b);
	if (c->evidence->device.registers_lent) {
		draft->finding.verdict = CA_VERDICT_INCONCLUSIVE;
		text = ca_judge_why(draft);
		ca_text_add(&text,
			    "The registers were lent from a recording: they may be of another "
			    "card. Read registers and size in one slot.");
	}
}

static void judge_size(const struct ca_judge_case *c, struct ca_judge_sink *sink, enum ca_crc crc,
		       const char *name)
{
	struct ca_judge_sizes sizes = {"device", c->evidence->device.bytes, name,
				       ca_judge_register_bytes(c)};

	if (!sizes.a || !sizes.b)
		return;
	ca_judge_checks(sink);
	if (sizes.a != sizes.b)
		ca_judge_fire_sizes(c, sink, crc, &sizes);
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

	if (!ppm)
		return;
	ca_judge_checks(sink);
	if (ppm >= 960000 && ppm <= 1035000)
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

/* The class that is printed; of several, as on a page for a family of cards ("U1/U3"), the card's
 * own, else the highest. */
static uint64_t printed_value(const struct ca_claims *claims, enum ca_claim_kind kind, uint64_t own)
{
	uint64_t best = 0;

	for (size_t i = 0; i < claims->count; i++) {
		const struct ca_claim *claim = &claims->claims[i];

		if (claim->kind != kind || !ca_judge_is_printed(claim))
			continue;
		if (claim->value == own)
			return own;
		if (claim->value > best)
			best = claim->value;
	}
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
		struct ca_judge_draft *draft;
		uint64_t own, printed;
		struct ca_text text;

		if (!own_class(c, classes[i].kind, &own))
			continue;
		printed = printed_value(c->claims, classes[i].kind, own);
		if (!printed)
			continue;
		ca_judge_checks(sink);
		if (printed == own)
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
	if (c->evidence->capacity.end == CA_FILL_NOT_RUN)
		return;
	ca_judge_checks(sink);
	if (c->evidence->capacity.end == CA_FILL_CHANGED)
		ca_judge_fire_text(sink, "size or registers changed during the run");
}

/* PRV, PSN and MDT stand in FR and SN as hex digits (S 8.1.7 T8-1). */
static bool has_hex(const char *field, uint64_t value, unsigned int digits)
{
	char hex[12];
	struct ca_text text;

	ca_text_init(&text, hex, sizeof(hex));
	ca_text_hex(&text, value, digits);
	return strncasecmp(field, hex, digits) == 0;
}

static const char *express_differs(const struct ca_judge_case *c)
{
	const struct ca_cid *cid = &c->registers->cid;
	const struct ca_nvme_ctrl *ctrl = &c->registers->nvme_ctrl;
	const struct ca_nvme_ns *ns = &c->registers->nvme_ns;
	unsigned int date = ((unsigned int)cid->mdt_year - 2000U) << 4 | cid->mdt_month;

	if (memcmp(ctrl->mn, cid->pnm, 5) != 0)
		return "the model does not begin with the product name of the CID";
	if (!has_hex(ctrl->fr, cid->prv, 2))
		return "the firmware does not begin with the product revision of the CID";
	if (!c->evidence->registers.masked &&
	    (!has_hex(ctrl->sn, cid->psn, 8) || !has_hex(ctrl->sn + 8, date, 3)))
		return "the serial number is not made of number and date of the CID";
	if (ca_judge_has(c, CA_REGISTER_CSD) && ca_judge_has(c, CA_REGISTER_NVME_NS) &&
	    ns->block_bytes && ns->ncap != c->registers->csd.capacity_bytes / ns->block_bytes)
		return "NCAP is not the capacity of the CSD";
	return NULL;
}

void ca_judge_x_express(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const char *found;

	if (!ca_judge_is_sd(c) || !ca_judge_has(c, CA_REGISTER_CID) ||
	    !ca_judge_has(c, CA_REGISTER_NVME_CTRL))
		return;
	ca_judge_checks(sink);
	found = express_differs(c);
	if (found)
		ca_judge_fire_text(sink, found);
}

void ca_judge_size_round(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	uint64_t bytes = ca_judge_announced_bytes(c);
	struct ca_text found;

	/* a loop file or an image is as round as its owner made it */
	if (!bytes || !ca_judge_is_sd(c) || !ca_judge_has(c, CA_REGISTER_CID))
		return;
	ca_judge_checks(sink);
	if (bytes % CA_GIB && bytes % (1000 * CA_MIB))
		return;
	found = ca_judge_found(ca_judge_fire(sink));
	ca_text_grouped(&found, bytes);
	ca_text_add(&found, " bytes are a whole number of ");
	ca_text_add(&found, bytes % CA_GIB ? "1,000 MiB" : "GiB");
}
