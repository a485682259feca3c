/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rules that no paste of registers can show in all their states, since they judge what was measured
 * or asked for: each with evidence that makes it hold, fire, and not apply.
 */
#ifndef CA_TEST_CONSTRUCTED_RULES_H
#define CA_TEST_CONSTRUCTED_RULES_H

#include "speed_case.h"

typedef void make_case(struct judge_case *t);

struct constructed_rule {
	const char *id;
	/* On case_good with the label below. NULL: no evidence puts the rule into that state. */
	make_case *holds, *fires, *idle;
	const char *label;
};

#define CONSTRUCTED_BYTES UINT64_C(62226694144)

static void make_nothing(struct judge_case *t)
{
	(void)t;
}
static void make_bare(struct judge_case *t)
{
	case_bare(t);
}

/* ---- the whole run -------------------------------------------------------------------------- */

static void make_filled(struct judge_case *t)
{
	struct ca_capacity_evidence *cap = &t->evidence.capacity;

	cap->end = CA_FILL_COMPLETE;
	cap->kind = CA_CAPACITY_KIND_SOUND;
	cap->announced_bytes = cap->written_bytes = CONSTRUCTED_BYTES;
	cap->verified_bytes = cap->good_bytes = CONSTRUCTED_BYTES;
	cap->coverage_ppm = 1000000;
	cap->classes[CA_SECTOR_GOOD] = CONSTRUCTED_BYTES / 512;
	cap->cache_overrun_bytes = CA_GIB;
	t->request.profile = CA_PROFILE_STANDARD;
}
static void make_filled_power(struct judge_case *t)
{
	make_filled(t);
	t->evidence.capacity.reinit = CA_REINIT_POWER;
}
static void make_wrapped(struct judge_case *t)
{
	struct ca_capacity_evidence *cap = &t->evidence.capacity;

	make_filled_power(t);
	cap->end = CA_FILL_PROOF;
	cap->kind = CA_CAPACITY_KIND_WRAP;
	cap->classes[CA_SECTOR_ALIAS] = 1000000;
	cap->classes[CA_SECTOR_GOOD] -= 1000000;
	cap->good_bytes -= UINT64_C(512000000);
	cap->has_first_bad = cap->has_real_capacity = true;
	cap->first_bad_offset = cap->real_capacity_bytes = UINT64_C(1) << 30;
}
static void make_changed(struct judge_case *t)
{
	make_filled(t);
	t->evidence.capacity.end = CA_FILL_CHANGED;
}
static void make_counters(struct judge_case *t)
{
	set_fact(&t->evidence, CA_HOST_ERR_STATS, 3, "");
	set_fact(&t->evidence, CA_HOST_ERR_STATS_AFTER, 3, "");
}
static void make_bus_errors(struct judge_case *t)
{
	make_counters(t);
	t->evidence.host[CA_HOST_ERR_STATS_AFTER].number = 9;
}

/* ---- what was asked for --------------------------------------------------------------------- */

static void make_masked(struct judge_case *t)
{
	ca_evidence_mask(&t->evidence);
}
static void make_lent(struct judge_case *t)
{
	t->evidence.device.registers_lent = true;
	(void)ca_string_copy(t->evidence.device.registers_from,
			     sizeof(t->evidence.device.registers_from), "recorded");
}
static void make_recorded(struct judge_case *t)
{
	t->evidence.origin = CA_ORIGIN_RECORDED;
}
static void make_required(struct judge_case *t)
{
	t->request.require[0] = "A2";
	t->request.require_count = 1;
}
static void make_required_more(struct judge_case *t)
{
	make_required(t);
	t->request.require[0] = "V90";
}

/* ---- figures -------------------------------------------------------------------------------- */

static void make_random(struct judge_case *t, uint64_t milliiops)
{
	case_simulated(t);
	/* the card is of a class that can be settled without a command queue */
	set_bits(t, CA_REGISTER_SSR, 339, 336, 1);
	(void)add_random(t, false, milliiops);
	(void)add_random(t, true, milliiops);
	(void)add_sequential(t, true, UINT64_C(90000000));
	(void)add_sequential(t, false, UINT64_C(90000000));
}
static void make_fast(struct judge_case *t)
{
	make_random(t, UINT64_C(5000000));
}
static void make_slow(struct judge_case *t)
{
	make_random(t, UINT64_C(100000));
	for (unsigned int i = 0; i < t->evidence.speed.sequential_count; i++)
		t->evidence.speed.sequential[i].bytes_per_second = 1000000;
}
static void make_recording(struct judge_case *t)
{
	case_simulated(t);
	(void)add_recording(t, UINT64_C(90000000), UINT64_C(90000000), 4 * CA_MIB);
}
static void make_slow_recording(struct judge_case *t)
{
	case_simulated(t);
	(void)add_recording(t, UINT64_C(1000000), UINT64_C(1000000), 4 * CA_MIB);
}
static void make_measured_claims(struct judge_case *t)
{
	make_recording(t);
	t->evidence.speed.random_count = 0;
}

static const struct constructed_rule constructed_rules[] = {
	{"X-CHANGED", make_filled, make_changed, make_nothing, GOOD_LABEL},
	/* always asked: it is what says that nothing else could be */
	{"NOT-OBSERVABLE", make_nothing, make_bare, NULL, ""},
	{"MASKED", make_nothing, make_masked, make_bare, ""},
	{"LENT", make_nothing, make_lent, make_recorded, ""},
	{"BUS-ERRORS", make_counters, make_bus_errors, make_nothing, ""},
	{"CAPACITY", make_filled, make_wrapped, make_nothing, GOOD_LABEL},
	{"RETENTION", make_filled_power, make_wrapped, make_filled, GOOD_LABEL},
	/* no register names a product line, so none can be of another */
	{"PRODUCT", make_nothing, NULL, make_bare, "Kingston Canvas Go! Plus 64GB"},
	{"CLASS-A", make_fast, make_slow, make_nothing, "A1"},
	{"CLASS-C", make_recording, make_slow_recording, make_nothing, "C10"},
	{"CLASS-U", make_recording, make_slow_recording, make_nothing, "U3"},
	{"CLASS-V", make_recording, make_slow_recording, make_nothing, "V30"},
	/* nothing that ordinary Linux measures can settle it */
	{"CLASS-E", NULL, make_recording, make_nothing, "E150"},
	{"RATE-READ", make_fast, make_slow, make_nothing, "read 90 MB/s"},
	{"RATE-WRITE", make_fast, make_slow, make_nothing, "write 60 MB/s"},
	{"IOPS-READ", make_fast, make_slow, make_nothing, "4K random read 3000 IOPS"},
	{"IOPS-WRITE", make_fast, make_slow, make_nothing, "4K random write 1000 IOPS"},
	{"REQUIRED", make_required, make_required_more, make_nothing, GOOD_LABEL},
	{"MEASURED", make_measured_claims, make_fast, make_nothing, "C10"},
};

#endif
