/* SPDX-License-Identifier: BSD-2-Clause */
#include "speed_case.h"

#define BYTES UINT64_C(62226694144)

static void filled(struct judge_case *t)
{
	struct ca_capacity_evidence *cap = &t->evidence.capacity;

	cap->end = CA_FILL_COMPLETE;
	cap->announced_bytes = cap->written_bytes = cap->verified_bytes = cap->good_bytes = BYTES;
	cap->classes[CA_SECTOR_GOOD] = BYTES / 512;
	cap->cache_overrun_bytes = CA_GIB;
}
static void filled_power_cut(struct judge_case *t)
{
	filled(t);
	t->evidence.capacity.reinit = CA_REINIT_POWER;
}
static void nothing(struct judge_case *t)
{
	(void)t;
}
/* A good run on a good host without a command queue. */
static void measured(struct judge_case *t)
{
	filled(t);
	case_good_host(t);
	(void)add_random(t, false, 3000000);
	(void)add_random(t, true, 1000000);
	(void)add_sequential(t, true, 40000000);
	(void)add_recording(t, 40000000, 35000000, 4 * CA_MIB);
}
static void measured_slow(struct judge_case *t)
{
	measured(t);
	t->evidence.speed.random[1].milliiops = 100000;
}
static void wraps(struct judge_case *t)
{
	struct ca_capacity_evidence *cap = &t->evidence.capacity;

	filled(t);
	cap->end = CA_FILL_PROOF;
	cap->kind = CA_CAPACITY_KIND_WRAP;
	cap->classes[CA_SECTOR_ALIAS] = 1000;
	cap->has_real_capacity = true;
	cap->real_capacity_bytes = UINT64_C(1000000000);
}
static void damaged(struct judge_case *t)
{
	filled(t);
	t->evidence.capacity.kind = CA_CAPACITY_KIND_DAMAGED;
	t->evidence.capacity.classes[CA_SECTOR_NOISE] = 1;
}
static void lost(struct judge_case *t)
{
	filled(t);
	t->evidence.capacity.end = CA_FILL_LOST;
}
static void surveyed(struct judge_case *t)
{
	t->evidence.survey.line_count = 1;
}
static void illegal(struct judge_case *t)
{
	set_bits(t, CA_REGISTER_CSD, 28, 26, 0);
}
static void no_maker(struct judge_case *t)
{
	set_bits(t, CA_REGISTER_CID, 127, 104, 0x7a5a51);
}

static const struct {
	enum ca_profile profile;
	const char *label;
	void (*run)(struct judge_case *t);
	const char *headline;
} rows[] = {
	{CA_PROFILE_INSPECT, "Kingston 64GB A2", nothing, "UNTESTED: nothing was measured."},
	{CA_PROFILE_SPEED, "Kingston 64GB A2", surveyed,
	 "UNTESTED: there are figures, and no rule judges by such."},
	{CA_PROFILE_INSPECT, "Kingston 64GB", no_maker,
	 "UNTESTED: nothing was measured. 1 warning."},
	{CA_PROFILE_INSPECT, "Kingston 64GB", illegal,
	 "FAIL: identity (R2W_FACTOR 00h). Not tested: capacity 64 GB, A2 (no command queue is "
	 "known to run here), A1, C10, U3, V30."},
	{CA_PROFILE_INSPECT, "Kingston 128GB", nothing,
	 "UNTESTED: nothing was measured. 1 warning."},
	{CA_PROFILE_STANDARD, "Kingston 64GB", filled,
	 "PASS: capacity 64 GB while powered. Not tested: A2 (no command queue is known to run "
	 "here), A1, C10, U3, V30."},
	{CA_PROFILE_STANDARD, "Kingston 64GB", filled_power_cut,
	 "PASS: capacity 64 GB. Not tested: A2 (no command queue is known to run here), A1, C10, "
	 "U3, V30."},
	{CA_PROFILE_STANDARD, "", filled,
	 "PASS: capacity 62.2 GB while powered. Not tested: A2 (no command queue is known to run "
	 "here), A1, C10, U3, V30."},
	{CA_PROFILE_QUICK, "Kingston 64GB", filled,
	 "SCREENED: capacity 64 GB while powered. Not tested: A2 (no command queue is known to run "
	 "here), A1, C10, U3, V30."},
	{CA_PROFILE_STANDARD, "Kingston 64GB", measured,
	 "PASS: capacity 64 GB while powered, A1. Screened: C10, U3, V30. Not tested: A2 (this "
	 "host has no command queue)."},
	{CA_PROFILE_FULL, "Kingston 64GB", measured,
	 "PASS: capacity 64 GB while powered, A1. Screened: C10, U3, V30. Not tested: A2 (this "
	 "host has no command queue)."},
	{CA_PROFILE_SPEED, "Kingston 64GB", measured,
	 "SCREENED: C10, U3, V30. Passed: A1, capacity 64 GB while powered. Not tested: A2 (this "
	 "host has no command queue)."},
	{CA_PROFILE_FULL, "Kingston 64GB", measured_slow,
	 "FAIL: A1 (random write 100 IOPS, needs 500 IOPS). Passed: capacity 64 GB while powered. "
	 "Screened: C10, U3, V30. Not tested: A2 (this host has no command queue)."},
	{CA_PROFILE_STANDARD, "Kingston 64GB", wraps,
	 "FAIL: capacity 62.2 GB announced, 1 GB real (addresses wrap round). Not tested: A2 (no "
	 "command queue is known to run here), A1, C10, U3, V30."},
	{CA_PROFILE_STANDARD, "Kingston 64GB", damaged,
	 "FAIL: capacity 62.2 GB announced, 1 bad sector (scattered faults). Not tested: A2 (no "
	 "command queue is known to run here), A1, C10, U3, V30."},
	{CA_PROFILE_STANDARD, "Kingston 64GB", lost,
	 "INCONCLUSIVE: capacity 64 GB (the device went away). Not tested: A2 (no command queue is "
	 "known to run here), A1, C10, U3, V30."},
	{CA_PROFILE_STANDARD, "Kingston 64GB", nothing,
	 "INCONCLUSIVE: capacity 64 GB (not tested). Not tested: A2 (no command queue is known to "
	 "run here), A1, C10, U3, V30."},
};

START_TEST(each_run_has_its_headline)
{
	struct judge_case t;

	case_good(&t);
	t.request.profile = rows[_i].profile;
	t.request.label = rows[_i].label;
	rows[_i].run(&t);
	case_judge(&t);
	ck_assert_msg(strcmp(t.judgement.headline, rows[_i].headline) == 0, "row %d:\n%s\n%s", _i,
		      t.judgement.headline, rows[_i].headline);
	case_done(&t);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("headline");
	TCase *tcase = tcase_create("headline");

	tcase_add_loop_test(tcase, each_run_has_its_headline, 0, (int)CA_ARRAY_LEN(rows));
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
