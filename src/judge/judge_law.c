/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge_speed.h"

#include <assert.h>
#include <string.h>

static const struct ca_spec_condition *find_condition(const char *id)
{
	for (size_t i = 0; i < ca_spec_conditions_count; i++)
		if (strcmp(ca_spec_conditions[i].id, id) == 0)
			return &ca_spec_conditions[i];
	assert(false && "a condition that specs/conditions.tsv does not have");
	return &ca_spec_conditions[0];
}

static bool slows(const struct ca_judge_condition *condition)
{
	return strcmp(condition->row->effect, "slows") == 0;
}

/* What keeps a figure above the limit from passing: failed requests may hide slow ones. */
static bool caps(const struct ca_judge_condition *condition)
{
	return !slows(condition) || strcmp(condition->row->id, "io-errors") == 0;
}

void ca_judge_condition_add(struct ca_judge_figure *figure, const char *id, uint64_t ratio_permille)
{
	struct ca_judge_condition *added = &figure->conditions[figure->count];
	uint64_t factor;

	assert(figure->count < CA_JUDGE_CONDITIONS_MAX);
	added->row = find_condition(id);
	/* a ratio that does not fit is as good as none */
	if (ratio_permille > UINT32_MAX)
		ratio_permille = 0;
	factor = (added->row->factor_permille * ratio_permille + 999) / 1000;
	added->factor_permille = factor > UINT32_MAX ? 0 : (uint32_t)factor;
	figure->count++;
}

uint64_t ca_judge_best_case(const struct ca_judge_figure *figure)
{
	uint64_t value = figure->for_fail;

	for (size_t i = 0; i < figure->count; i++) {
		uint64_t factor = figure->conditions[i].factor_permille;

		if (!slows(&figure->conditions[i]))
			continue;
		if (!factor || value > (UINT64_MAX - 999) / factor)
			return UINT64_MAX;
		value = (value * factor + 999) / 1000;
	}
	return value;
}

enum ca_verdict ca_judge_weigh(const struct ca_judge_figure *figure)
{
	if (figure->is_void)
		return CA_VERDICT_INCONCLUSIVE;
	if (figure->for_pass < figure->limit)
		return ca_judge_best_case(figure) < figure->limit ? CA_VERDICT_FAIL
								  : CA_VERDICT_INCONCLUSIVE;
	for (size_t i = 0; i < figure->count; i++)
		if (caps(&figure->conditions[i]))
			return CA_VERDICT_SCREENED;
	return CA_VERDICT_PASS;
}

static bool matters(const struct ca_judge_condition *condition, bool slowing)
{
	return condition->factor_permille != 1000 && (slowing ? slows(condition) : caps(condition));
}

/* Of two that slow, the one that may have slowed more; 0 is without bound. Else as they came. */
static bool weighs_more(const struct ca_judge_condition *a, const struct ca_judge_condition *b,
			bool slowing)
{
	return slowing && b->factor_permille &&
	       (!a->factor_permille || a->factor_permille > b->factor_permille);
}

/* The conditions that matter for a verdict, at most three of them: the gravest first. */
static void add_conditions(struct ca_text *why, const struct ca_judge_figure *figure, bool slowing)
{
	const char *remedy = NULL;
	bool shown[CA_JUDGE_CONDITIONS_MAX] = {false};

	for (unsigned int count = 0; count < 3; count++) {
		size_t next = figure->count;

		for (size_t i = 0; i < figure->count; i++)
			if (!shown[i] && matters(&figure->conditions[i], slowing) &&
			    (next == figure->count ||
			     weighs_more(&figure->conditions[i], &figure->conditions[next],
					 slowing)))
				next = i;
		if (next == figure->count)
			break;
		shown[next] = true;
		ca_text_add(why, count ? "; " : "");
		ca_text_add(why, figure->conditions[next].row->text);
		if (!remedy)
			remedy = figure->conditions[next].row->remedy;
	}
	if (!remedy)
		return;
	ca_text_add(why, ". To settle it: ");
	ca_text_add(why, remedy);
	ca_text_add(why, ".");
}

void ca_judge_explain(struct ca_text *why, const struct ca_judge_figure *figure,
		      enum ca_verdict verdict)
{
	uint64_t best = ca_judge_best_case(figure);

	if (figure->is_void) {
		ca_text_add(why,
			    "The figure is more than the bus of this host can carry: it measured "
			    "memory, not the card. Measure with direct I/O.");
		return;
	}
	if (verdict == CA_VERDICT_PASS) {
		ca_text_add(why, "Reached under conditions at least as hard as the rule's.");
	} else if (verdict == CA_VERDICT_SCREENED) {
		ca_text_add(why, "Above the limit, but ");
		add_conditions(why, figure, false);
	} else if (verdict == CA_VERDICT_INCONCLUSIVE) {
		if (figure->for_fail >= figure->limit) {
			ca_text_add(why,
				    "Some window was below the limit and the whole transfer was "
				    "not. ");
			if (best == figure->for_fail)
				ca_text_add(why, "Repeat it to see whether that stays so.");
		}
		if (best > figure->for_fail) {
			ca_text_add(why, "Below the limit, but ");
			add_conditions(why, figure, true);
		}
	} else if (best > figure->for_fail && figure->for_fail && best <= UINT64_MAX / 200) {
		ca_text_add(why,
			    "Below the limit even if all that was worse here than in the rule is "
			    "granted, a factor of ");
		ca_text_fixed(why, (best * 100 + figure->for_fail - 1) / figure->for_fail, 100, 2);
		ca_text_add(why, " at most.");
	} else {
		ca_text_add(why,
			    "Below the limit under conditions at least as good as the rule's.");
	}
}

static uint64_t ratio_permille(uint64_t wanted, uint64_t had)
{
	return had && wanted <= UINT64_MAX / 1000 ? (wanted * 1000 + had - 1) / had : 0;
}

static uint32_t rule_clock(const struct ca_spec_class *class_of, enum ca_judge_mode mode)
{
	switch (mode) {
	case CA_JUDGE_MODE_HS:
		return class_of->clock_hs_hz;
	case CA_JUDGE_MODE_SDR50:
		return class_of->clock_sdr50_hz;
	case CA_JUDGE_MODE_SDR104:
		return class_of->clock_sdr104_hz;
	case CA_JUDGE_MODE_DDR50:
		return class_of->clock_ddr50_hz;
	case CA_JUDGE_MODE_MMC:
	case CA_JUDGE_MODE_UNKNOWN:
		break;
	}
	return 0;
}

static void add_bus_of_class(const struct ca_judge_bus *bus, const struct ca_spec_class *class_of,
			     struct ca_judge_figure *figure)
{
	uint32_t clock = rule_clock(class_of, bus->mode);

	if (bus->width < 4)
		ca_judge_condition_add(figure, "bus-width", bus->width ? 4000 / bus->width : 0);
	if (!clock) {
		/* the rule measures at SDR50 at least: four lines, one transfer a clock */
		uint64_t rule = class_of->clock_sdr50_hz / 2, had = bus->clock_hz / 2;

		ca_judge_condition_add(figure, "bus-mode",
				       rule > had ? ratio_permille(rule, had) : 1000);
	} else if (bus->clock_hz < clock) {
		ca_judge_condition_add(figure, "bus-clock", ratio_permille(clock, bus->clock_hz));
	}
}

static void add_power(const struct ca_judge_case *c, const struct ca_judge_bus *bus,
		      const struct ca_spec_class *class_of, struct ca_judge_figure *figure)
{
	const struct ca_fact *limit = &c->evidence->host[CA_HOST_POWER_LIMIT_MW];
	uint64_t rule = class_of->power_mw;

	/* where the rule measures at high speed it grants no more than 0.72 W there */
	if (bus->mode == CA_JUDGE_MODE_HS && class_of->clock_hs_hz)
		rule = 720;
	if (rule <= 720)
		return;
	if (!limit->present || limit->number <= 0)
		ca_judge_condition_add(figure, "power-unknown", 1000);
	else if ((uint64_t)limit->number < rule)
		ca_judge_condition_add(figure, "power-limit",
				       ratio_permille(rule, (uint64_t)limit->number));
}

static void add_link(const struct ca_judge_case *c, struct ca_judge_figure *figure)
{
	const struct ca_fact *host = c->evidence->host;
	uint64_t had =
		(uint64_t)(host[CA_HOST_PCIE_SPEED].number * host[CA_HOST_PCIE_WIDTH].number);
	uint64_t could;

	if (!host[CA_HOST_PCIE_SPEED_MAX].present || !host[CA_HOST_PCIE_WIDTH_MAX].present)
		return;
	could = (uint64_t)(host[CA_HOST_PCIE_SPEED_MAX].number *
			   host[CA_HOST_PCIE_WIDTH_MAX].number);
	if (could > had)
		ca_judge_condition_add(figure, "link-slow", ratio_permille(could, had));
}

/* What slowed the machine itself; what is not known counts as not happened. */
static void add_host(const struct ca_judge_case *c, struct ca_judge_figure *figure)
{
	const struct ca_fact *governor = &c->evidence->host[CA_HOST_CPU_GOVERNOR];
	const struct ca_fact *throttled = &c->evidence->host[CA_HOST_THROTTLED];
	const struct ca_fact *hot = &c->evidence->host[CA_HOST_CPU_THROTTLED];
	const struct ca_fact *low = &c->evidence->host[CA_HOST_UNDERVOLTAGE];

	if (!governor->present || strcmp(governor->text, "performance") != 0)
		ca_judge_condition_add(figure, "cpu-governor", 1000);
	if ((throttled->present && throttled->number) || (low->present && low->number))
		ca_judge_condition_add(figure, "throttled", 1000);
	if (hot->present && hot->number > 0)
		ca_judge_condition_add(figure, "cpu-throttled", 1000);
	if (ca_judge_transfer_errors(c))
		ca_judge_condition_add(figure, "bus-errors", 1000);
}

void ca_judge_conditions_host(const struct ca_judge_case *c, const struct ca_spec_class *class_of,
			      bool random, struct ca_judge_figure *figure)
{
	struct ca_judge_bus bus;

	if (c->evidence->speed.bypass_page_cache != CA_YES)
		ca_judge_condition_add(figure, "page-cache", 1000);
	ca_judge_bus_read(c, &bus);
	if (bus.is_virtual)
		return;
	if (!bus.is_complete)
		ca_judge_condition_add(figure, "bus-unknown", 1000);
	else if (c->evidence->device.media == CA_MEDIA_NVME)
		add_link(c, figure);
	else if (class_of)
		add_bus_of_class(&bus, class_of, figure);
	if (class_of && bus.is_complete)
		add_power(c, &bus, class_of, figure);
	if (random)
		ca_judge_condition_add(figure, "host-overhead", 1000);
	add_host(c, figure);
}
