/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules about who made it (identity room) and what of it can be seen here. */
#include "judge_rule.h"

#include <string.h>

/* Where the maker's numbers stand: the row says CID, a drive has them in Identify. */
static struct ca_judge_draft *fire_maker(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	struct ca_judge_draft *draft = ca_judge_fire(sink);
	struct ca_text found = ca_judge_found(draft);

	if (!ca_judge_has(c, CA_REGISTER_CID))
		(void)ca_string_copy(draft->finding.where, sizeof(draft->finding.where),
				     "nvme vid, ieee"); /* fits */
	ca_text_add(&found, c->identity->summary);
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

void ca_judge_maker_unknown(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	enum ca_relation relation = c->identity->relation;
	bool nameless = !c->identity->maker_name || !c->identity->maker_name[0];

	if (relation == CA_RELATION_UNKNOWN_MAKER || (relation == CA_RELATION_NO_BRAND && nameless))
		(void)fire_maker(c, sink); /* nothing to add */
}

void ca_judge_maker_other(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (c->identity->relation == CA_RELATION_OTHER_BRAND)
		(void)fire_maker(c, sink); /* nothing to add */
}

void ca_judge_maker_strict(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (c->identity->relation == CA_RELATION_CONTRADICTION)
		(void)fire_maker(c, sink); /* nothing to add */
}

void ca_judge_maker_oem(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (c->identity->relation == CA_RELATION_OEM)
		(void)fire_maker(c, sink); /* nothing to add */
}

void ca_judge_maker_contested(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_spec_maker *maker = c->identity->maker;
	struct ca_text found;

	if (!maker || strcmp(maker->standing, "contested") != 0)
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
	if ((relation == CA_RELATION_OWN || relation == CA_RELATION_NO_BRAND) &&
	    c->identity->maker_name && c->identity->maker_name[0])
		(void)fire_maker(c, sink); /* nothing to add */
}

void ca_judge_not_observable(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const char *because = c->evidence->device.hidden_because;

	for (size_t i = 0; i < CA_REGISTER_COUNT; i++)
		if (c->evidence->registers.has[i])
			return;
	ca_judge_fire_text(sink, because[0] ? because : "no register could be read");
}

void ca_judge_masked(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (c->evidence->masked || c->evidence->registers.masked)
		ca_judge_fire_text(sink, "serial numbers are blanked");
}

void ca_judge_lent(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	struct ca_text found;

	if (!c->evidence->device.registers_lent)
		return;
	found = ca_judge_found(ca_judge_fire(sink));
	ca_text_add(&found, "registers from ");
	ca_text_escaped(&found, c->evidence->device.registers_from,
			strlen(c->evidence->device.registers_from));
}
