/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge_speed: the two-sided law for figures (docs/ARCHITECTURE.md). A figure below its limit fails
 * only when nothing that was worse here than in the rule explains it; a figure above passes only
 * when nothing here was easier than in the rule. Internal.
 */
#ifndef CA_JUDGE_SPEED_H
#define CA_JUDGE_SPEED_H

#include "judge_rule.h"

/* ---- the bus (src/judge/judge_host.c) ------------------------------------------------------ */

enum ca_judge_mode {
	CA_JUDGE_MODE_UNKNOWN,
	CA_JUDGE_MODE_HS, /* default speed, high speed, SDR12, SDR25 */
	CA_JUDGE_MODE_SDR50,
	CA_JUDGE_MODE_SDR104,
	CA_JUDGE_MODE_DDR50,
	CA_JUDGE_MODE_MMC, /* an eMMC mode: no SD class is defined for it */
};

struct ca_judge_bus {
	bool is_virtual;  /* no card behind: bus and host conditions count as met */
	bool is_complete; /* mode, clock and width are known */
	enum ca_judge_mode mode;
	uint64_t clock_hz;		/* 0 = unknown */
	unsigned int width;		/* data lines, 0 = unknown */
	uint64_t wire_bytes_per_second; /* what the bus can carry at most, 0 = unknown */
};

void ca_judge_bus_read(const struct ca_judge_case *c, struct ca_judge_bus *ret_bus);
/* More than the bus can carry, with 2 % for clocks: it was memory that answered. */
bool ca_judge_exceeds_wire(const struct ca_judge_case *c, uint64_t bytes_per_second);

/* Does the command queue run? Unknown counts as yes on a virtual device only. */
bool ca_judge_queue_runs(const struct ca_judge_case *c);
/* The cache of the card during the measurement. */
enum ca_tristate ca_judge_cache_state(const struct ca_judge_case *c);
/*
 * Why nothing this host does can settle a speed claim ("this host has no command queue"), NULL when
 * it can. `limit`: B/s that the claim needs from the bus, 0 = none.
 */
const char *ca_judge_host_cannot(const struct ca_judge_case *c, const struct ca_claim *claim,
				 uint64_t limit);

/* ---- conditions and the law (src/judge/judge_law.c) ---------------------------------------- */

#define CA_JUDGE_CONDITIONS_MAX 24U
struct ca_judge_condition {
	const struct ca_spec_condition *row;
	uint32_t factor_permille; /* 0 = unbounded */
};

struct ca_judge_figure {
	uint64_t for_pass; /* must reach the limit */
	uint64_t for_fail; /* times all factors, must stay below it; usually the same figure */
	uint64_t limit;
	bool is_void; /* faster than the bus can carry */
	struct ca_judge_condition conditions[CA_JUDGE_CONDITIONS_MAX];
	size_t count;
};

/* Notes a condition of specs/conditions.tsv; its factor is multiplied by `ratio_permille`. */
void ca_judge_condition_add(struct ca_judge_figure *figure, const char *id,
			    uint64_t ratio_permille);
/* PASS, SCREENED, INCONCLUSIVE or FAIL. */
enum ca_verdict ca_judge_weigh(const struct ca_judge_figure *figure);
/* for_fail times every factor, rounded up; UINT64_MAX when one is unbounded. */
uint64_t ca_judge_best_case(const struct ca_judge_figure *figure);
/* Why the law says `verdict`, and what would settle it. */
void ca_judge_explain(struct ca_text *why, const struct ca_judge_figure *figure,
		      enum ca_verdict verdict);

/* Conditions of bus and host; class_of NULL: a claim that names no conditions. */
void ca_judge_conditions_host(const struct ca_judge_case *c, const struct ca_spec_class *class_of,
			      bool random, struct ca_judge_figure *figure);

/* ---- findings of speed claims (src/judge/judge_claim.c) ------------------------------------ */

/* Who made claim `id`: the label before the card itself. */
const char *ca_judge_claim_source(const struct ca_claims *claims, const char *id);
/* Worse of two outcomes of one claim's parts: fail, inconclusive, screened, pass. */
enum ca_verdict ca_judge_worse(enum ca_verdict a, enum ca_verdict b);
/* Both round down, so that a figure below a limit never reads like the limit. */
void ca_judge_add_iops(struct ca_text *text, uint64_t milliiops);
void ca_judge_add_rate(struct ca_text *text, uint64_t bytes_per_second);

#endif
