/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules about who made it (identity room) and what of it can be seen here. */
#include "judge_rule.h"

#include <string.h>

/* A finding is one line; the answer itself lists them all. */
#define PRODUCTS_NAMED 3U

/* The rows of specs/ that decided, behind the rule's own reason. */
static void add_rows(const struct ca_judge_case *c, struct ca_judge_draft *draft)
{
	struct ca_identity_row rows[CA_IDENTITY_ROWS_MAX];
	size_t count = ca_identity_rows(c->identity, rows);
	struct ca_text why = ca_judge_why(draft);

	ca_text_add(&why, draft->finding.rule->why);
	for (size_t i = 0; i < count; i++) {
		ca_text_add(&why, i ? "; " : " Known from ");
		ca_text_add(&why, rows[i].table);
		ca_text_add(&why, " (");
		ca_text_add(&why, rows[i].row);
		ca_text_add(&why, ")");
	}
	ca_text_add(&why, count ? "." : "");
}

/* Where the maker's numbers stand: the row says CID, a drive has them in Identify. */
static struct ca_judge_draft *fire_maker(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	struct ca_judge_draft *draft = ca_judge_fire(sink);
	struct ca_text found = ca_judge_found(draft);

	if (!ca_judge_has(c, CA_REGISTER_CID))
		(void)ca_string_copy(draft->finding.where, sizeof(draft->finding.where),
				     "nvme vid, ieee"); /* fits */
	ca_text_add(&found, c->identity->summary);
	if (c->identity->candidate_count) {
		ca_text_add(&found, " Candidates: ");
		(void)ca_identity_write_products(&found, c->identity, PRODUCTS_NAMED); /* some */
		ca_text_add(&found, ".");
	}
	add_rows(c, draft);
	return draft;
}

void ca_judge_pnm_capacity(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	uint64_t announced = ca_judge_register_bytes(c), named;
	struct ca_text found;

	if (!ca_judge_is_sd(c) || !ca_judge_has(c, CA_REGISTER_CID) ||
	    !ca_judge_has(c, CA_REGISTER_CSD) || !announced ||
	    !ca_identity_pnm_capacity(c->registers->cid.pnm, announced, &named))
		return;
	ca_judge_checks(sink);
	if (announced >= named / 10 * 9 && announced <= named / 10 * 11)
		return;
	found = ca_judge_found(ca_judge_fire(sink));
	ca_text_add(&found, "named \"");
	ca_text_escaped(&found, c->registers->cid.pnm, c->registers->cid.pnm_len);
	ca_text_add(&found, "\" for ");
	ca_text_gb(&found, named);
	ca_text_add(&found, ", announces ");
	ca_text_size(&found, announced);
}

static bool checks(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (c->identity->relation == CA_RELATION_NOT_OBSERVABLE)
		return false;
	ca_judge_checks(sink);
	return true;
}

/* The label names a brand, and the maker is one whose relation to it can be told. */
static bool is_related(const struct ca_judge_case *c)
{
	switch (c->identity->relation) {
	case CA_RELATION_OWN:
	case CA_RELATION_OEM:
	case CA_RELATION_OTHER_BRAND:
		return true;
	case CA_RELATION_NOT_OBSERVABLE:
	case CA_RELATION_NO_BRAND:
	case CA_RELATION_UNKNOWN_MAKER:
	case CA_RELATION_CONTRADICTION: /* has a rule of its own */
		break;
	}
	return false;
}

void ca_judge_maker_unknown(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	enum ca_relation relation = c->identity->relation;
	bool nameless = !c->identity->maker_name || !c->identity->maker_name[0];

	if (checks(c, sink) && (relation == CA_RELATION_UNKNOWN_MAKER ||
				(relation == CA_RELATION_NO_BRAND && nameless)))
		(void)fire_maker(c, sink); /* nothing to add */
}

void ca_judge_maker_other(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (is_related(c) && checks(c, sink) && c->identity->relation == CA_RELATION_OTHER_BRAND)
		(void)fire_maker(c, sink); /* nothing to add */
}

void ca_judge_maker_strict(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_spec_brand *brand = c->identity->brand;
	bool card = ca_judge_is_sd(c) && ca_judge_has(c, CA_REGISTER_CID);

	if (!brand || (card ? brand->strict_mid : brand->strict_vid) < 0 ||
	    (!card && c->evidence->registers.type == CA_CARD_TYPE_MMC) || !checks(c, sink))
		return;
	if (c->identity->relation == CA_RELATION_CONTRADICTION)
		(void)fire_maker(c, sink); /* nothing to add */
}

void ca_judge_maker_oem(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (!is_related(c) || c->identity->relation == CA_RELATION_OTHER_BRAND)
		return;
	ca_judge_checks(sink);
	if (c->identity->relation == CA_RELATION_OEM)
		(void)fire_maker(c, sink); /* nothing to add */
}

void ca_judge_maker_contested(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_spec_maker *maker = c->identity->maker;
	struct ca_text found;

	if (!maker)
		return;
	ca_judge_checks(sink);
	if (strcmp(maker->standing, "contested") != 0)
		return;
	found = ca_judge_found(ca_judge_fire(sink));
	ca_text_add(&found, "manufacturer number ");
	ca_text_hex(&found, maker->mid, 2);
	ca_text_add(&found, "h");
	if (maker->note[0]) {
		ca_text_add(&found, ": ");
		ca_text_add(&found, maker->note);
	}
}

void ca_judge_identity(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	enum ca_relation relation = c->identity->relation;

	/* the other relations have a rule of their own, which says the same sentence */
	if (checks(c, sink) && (relation == CA_RELATION_OWN || relation == CA_RELATION_NO_BRAND) &&
	    c->identity->maker_name && c->identity->maker_name[0])
		(void)fire_maker(c, sink); /* nothing to add */
}

static bool has_any_register(const struct ca_judge_case *c)
{
	for (size_t i = 0; i < CA_REGISTER_COUNT; i++)
		if (c->evidence->registers.has[i])
			return true;
	return false;
}

void ca_judge_not_observable(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const char *because = c->evidence->device.hidden_because;

	ca_judge_checks(sink);
	if (has_any_register(c))
		return;
	ca_judge_fire_text(sink, because[0] ? because : "no register could be read");
}

void ca_judge_masked(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (ca_judge_has(c, CA_REGISTER_CID) || ca_judge_has(c, CA_REGISTER_NVME_CTRL))
		ca_judge_checks(sink);
	if (c->evidence->masked || c->evidence->registers.masked)
		ca_judge_fire_text(sink, "serial numbers are blanked");
}

void ca_judge_lent(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	struct ca_text found;

	/* without a device there is none that they could be lent to */
	if (c->evidence->origin != CA_ORIGIN_RECORDED && has_any_register(c))
		ca_judge_checks(sink);
	if (!c->evidence->device.registers_lent)
		return;
	found = ca_judge_found(ca_judge_fire(sink));
	ca_text_add(&found, "registers from ");
	ca_text_escaped(&found, c->evidence->device.registers_from,
			strlen(c->evidence->device.registers_from));
}

/* ---- cards that Linux knows to be odd ------------------------------------------------------- */

static bool is_quirk(const struct ca_judge_case *c, const struct ca_spec_quirk *quirk)
{
	const struct ca_cid *cid = &c->registers->cid;

	return quirk->mid == cid->mid && (quirk->oid < 0 || quirk->oid == cid->oid) &&
	       (!quirk->pnm[0] || strcmp(quirk->pnm, cid->pnm) == 0) &&
	       (!quirk->year || (quirk->year == cid->mdt_year && quirk->month == cid->mdt_month)) &&
	       (strcmp(quirk->only, "discard") != 0 || c->registers->ssr.discard_support);
}

void ca_judge_known_odd(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (!ca_judge_is_sd(c) || !ca_judge_has(c, CA_REGISTER_CID) || ca_judge_cid_is_blank(c))
		return;
	ca_judge_checks(sink);
	for (size_t i = 0; i < ca_spec_quirks_count; i++)
		if (is_quirk(c, &ca_spec_quirks[i]))
			ca_judge_fire_text(sink, ca_spec_quirks[i].text);
}
