/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tables know of a model against what the drive shows: link, memory, conventions. */
#include "judge_rule.h"

#include <string.h>

static void add_name(struct ca_text *text, const struct ca_spec_nvme_model *model)
{
	ca_text_add(text, "a ");
	ca_text_add(text, model->name);
}

/* LnkCap, which the slot does not lower, and not LnkSta. False: one of them is not known. */
static bool read_link(const struct ca_judge_case *c, int64_t *ret_mts, int64_t *ret_lanes)
{
	const struct ca_spec_nvme_model *model = c->identity->nvme_model;
	const struct ca_fact *speed = &c->evidence->host[CA_HOST_PCIE_SPEED_MAX];
	const struct ca_fact *width = &c->evidence->host[CA_HOST_PCIE_WIDTH_MAX];

	if (!model || !model->link_mts || !speed->present || !width->present)
		return false;
	*ret_mts = speed->number;
	*ret_lanes = width->number;
	return true;
}

bool ca_judge_link_contradicts(const struct ca_judge_case *c)
{
	const struct ca_spec_nvme_model *model = c->identity->nvme_model;
	int64_t mts, lanes;

	return read_link(c, &mts, &lanes) && (mts < model->link_mts || lanes < model->lanes);
}

bool ca_judge_memory_contradicts(const struct ca_judge_case *c)
{
	const struct ca_spec_nvme_model *model = c->identity->nvme_model;
	const struct ca_nvme_ctrl *ctrl = &c->registers->nvme_ctrl;

	return model && ca_judge_has(c, CA_REGISTER_NVME_CTRL) && ctrl->sqes &&
	       strcmp(model->dram, "yes") == 0 && (ctrl->hmpre || ctrl->hmmin);
}

void ca_judge_nvme_model_link(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_spec_nvme_model *model = c->identity->nvme_model;
	struct ca_text found;
	int64_t mts, lanes;

	if (!read_link(c, &mts, &lanes))
		return;
	ca_judge_checks(sink);
	if (!ca_judge_link_contradicts(c))
		return;
	found = ca_judge_found(ca_judge_fire(sink));
	ca_text_add(&found, "the drive is able to ");
	ca_text_i64(&found, mts);
	ca_text_add(&found, " MT/s x");
	ca_text_i64(&found, lanes);
	ca_text_add(&found, ", ");
	add_name(&found, model);
	ca_text_add(&found, " to ");
	ca_text_u64(&found, model->link_mts);
	ca_text_add(&found, " MT/s x");
	ca_text_u64(&found, model->lanes);
}

void ca_judge_nvme_model_memory(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_spec_nvme_model *model = c->identity->nvme_model;
	const struct ca_nvme_ctrl *ctrl = &c->registers->nvme_ctrl;
	uint32_t pages = ctrl->hmpre ? ctrl->hmpre : ctrl->hmmin;
	struct ca_text found;

	/* every controller has a queue entry size: without it the Identify data is a part */
	if (!model || !ca_judge_has(c, CA_REGISTER_NVME_CTRL) || !ctrl->sqes ||
	    strcmp(model->dram, "yes") != 0)
		return;
	ca_judge_checks(sink);
	if (!ca_judge_memory_contradicts(c))
		return;
	found = ca_judge_found(ca_judge_fire(sink));
	ca_text_add(&found, "the drive wants ");
	ca_text_grouped(&found, (uint64_t)pages * 4);
	ca_text_add(&found, " KiB of the host's memory, ");
	add_name(&found, model);
	ca_text_add(&found, " has memory of its own");
}

static bool has_field(const struct ca_identity *identity, const char *field)
{
	for (size_t i = 0; i < identity->convention_count; i++)
		if (strcmp(identity->conventions[i]->field, field) == 0)
			return true;
	return false;
}

/*
 * A warning where nobody's firmware fits a retail model; a note between computer makers, whose
 * firmware is found on each other's drives when they were updated or traded.
 */
static enum ca_verdict weigh_clash(const struct ca_spec_nvme_convention *model,
				   const struct ca_spec_nvme_convention *firmware)
{
	return strcmp(model->customer, "retail") == 0 || strcmp(firmware->customer, "retail") == 0
		       ? CA_VERDICT_WARNING
		       : CA_VERDICT_NOTE;
}

void ca_judge_nvme_convention(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_spec_nvme_convention *model, *firmware;
	struct ca_judge_draft *draft;
	struct ca_text found;

	if (!has_field(c->identity, "model") || !has_field(c->identity, "firmware"))
		return;
	ca_judge_checks(sink);
	if (!ca_identity_conventions_clash(c->identity, &model, &firmware))
		return;
	draft = ca_judge_add(sink, weigh_clash(model, firmware), sink->rule->claim, "");
	found = ca_judge_found(draft);
	ca_text_add(&found, "the model says: ");
	ca_text_add(&found, model->meaning);
	ca_text_add(&found, "; the firmware says: ");
	ca_text_add(&found, firmware->meaning);
}
