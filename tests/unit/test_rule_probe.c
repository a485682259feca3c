/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge_case.h"

#define BYTES UINT64_C(62226694144)

/* A complete probe of a sound card. */
static void probe_good(struct judge_case *t)
{
	struct ca_probe_evidence *probe = &t->evidence.probe;

	probe->end = CA_FILL_COMPLETE;
	probe->announced_bytes = BYTES;
	probe->written_bytes = 143000000;
	probe->sample_bytes = 4096;
	probe->samples = probe->classes[CA_SECTOR_GOOD] = 1100;
	probe->random_samples = 768;
	probe->run_bytes = 64 * CA_MIB;
	probe->step_bytes = 32 * CA_MIB;
	probe->steps = 6000;
	probe->coverage_ppm = 1150;
	probe->cache_overrun_bytes = 64 * CA_MIB;
	t->request.profile = CA_PROFILE_QUICK;
}

static void lose(struct judge_case *t, enum ca_sector_class class_of, uint64_t samples)
{
	t->evidence.probe.classes[CA_SECTOR_GOOD] -= samples;
	t->evidence.probe.classes[class_of] += samples;
	t->evidence.probe.has_first_bad = true;
	t->evidence.probe.first_bad_offset = CA_GIB;
}

static void nothing(struct judge_case *t)
{
	(void)t;
}
static void limbo(struct judge_case *t)
{
	lose(t, CA_SECTOR_ZEROS, 900);
	t->evidence.probe.kind = CA_CAPACITY_KIND_LIMBO;
	t->evidence.probe.has_real_capacity = true;
	t->evidence.probe.real_capacity_bytes = CA_GIB;
	t->evidence.probe.cache_bytes = 16 * CA_MIB;
}
static void wrap(struct judge_case *t)
{
	t->evidence.probe.aliases = 1;
	t->evidence.probe.kind = CA_CAPACITY_KIND_WRAP;
}
static void one_lost(struct judge_case *t)
{
	lose(t, CA_SECTOR_NOISE, 1);
	t->evidence.probe.kind = CA_CAPACITY_KIND_DAMAGED;
}
static void protected(struct judge_case *t)
{
	lose(t, CA_SECTOR_STALE, 1100);
	t->evidence.probe.kind = CA_CAPACITY_KIND_WRITE_PROTECTED;
}
static void edge_of_errors(struct judge_case *t)
{
	lose(t, CA_SECTOR_UNREADABLE, 48);
	t->evidence.probe.kind = CA_CAPACITY_KIND_ERRORS;
}
static void edge_and_bus_errors(struct judge_case *t)
{
	edge_of_errors(t);
	set_fact(&t->evidence, CA_HOST_ERR_STATS, 0, "");
	set_fact(&t->evidence, CA_HOST_ERR_STATS_AFTER, 48, "Data CRC Errors 48");
}
static void scattered_errors(struct judge_case *t)
{
	lose(t, CA_SECTOR_UNREADABLE, 2);
	t->evidence.probe.kind = CA_CAPACITY_KIND_DAMAGED;
}
static void unstable(struct judge_case *t)
{
	lose(t, CA_SECTOR_NOISE, 2);
	t->evidence.probe.unstable_samples = 2;
	t->evidence.probe.kind = CA_CAPACITY_KIND_DAMAGED;
}
static void foreign(struct judge_case *t)
{
	lose(t, CA_SECTOR_FOREIGN, 2);
}
static void reader_limit(struct judge_case *t)
{
	lose(t, CA_SECTOR_ZEROS, 500);
	t->evidence.probe.kind = CA_CAPACITY_KIND_HOST_LIMIT;
	(void)ca_string_copy(t->evidence.device.bus, sizeof(t->evidence.device.bus), "usb");
}
static void reader_limit_in_slot(struct judge_case *t)
{
	reader_limit(t);
	(void)ca_string_copy(t->evidence.device.bus, sizeof(t->evidence.device.bus), "mmc");
}
static void lost(struct judge_case *t)
{
	t->evidence.probe.end = CA_FILL_LOST;
}
static void lost_with_proof(struct judge_case *t)
{
	limbo(t);
	lost(t);
}
static void changed(struct judge_case *t)
{
	limbo(t);
	t->evidence.probe.end = CA_FILL_CHANGED;
}
static void interrupted(struct judge_case *t)
{
	t->evidence.probe.end = CA_FILL_INTERRUPTED;
}
static void host_error(struct judge_case *t)
{
	t->evidence.probe.end = CA_FILL_HOST_ERROR;
}
static void no_run(struct judge_case *t)
{
	t->evidence.probe.run_bytes = t->evidence.probe.cache_overrun_bytes = 0;
}
static void after_fill(struct judge_case *t)
{
	struct ca_capacity_evidence *cap = &t->evidence.capacity;

	wrap(t);
	cap->end = CA_FILL_COMPLETE;
	cap->kind = CA_CAPACITY_KIND_SOUND;
	cap->announced_bytes = cap->written_bytes = cap->verified_bytes = cap->good_bytes = BYTES;
	cap->classes[CA_SECTOR_GOOD] = BYTES / 512;
	cap->cache_overrun_bytes = CA_GIB;
	t->request.profile = CA_PROFILE_STANDARD;
}

static const struct {
	const char *name;
	void (*spoil)(struct judge_case *t);
	const char *label, *capacity, *says;
} rows[] = {
	{"sound", nothing, GOOD_LABEL, "screened",
	 "a bad share above 0.60 % would have shown at 99 %"},
	{"limbo", limbo, GOOD_LABEL, "fail",
	 "900 of 1,100 samples are not what was written: writes past it vanish; real capacity "
	 "1,073,741,824 bytes (1.1 GB); memory hid it for 16.8 MB"},
	{"wrap", wrap, GOOD_LABEL, "fail", "data came back at other addresses"},
	{"one lost", one_lost, GOOD_LABEL, "fail", "1 of 1,100 samples"},
	{"keeps nothing", protected, GOOD_LABEL, "fail", "takes no more writes"},
	{"errors from one address on", edge_of_errors, GOOD_LABEL, "fail", "48 of 1,100"},
	{"the same on a bad bus", edge_and_bus_errors, GOOD_LABEL, "inconclusive", "48 of 1,100"},
	{"scattered errors", scattered_errors, GOOD_LABEL, "inconclusive", "2 of 1,100"},
	{"unstable", unstable, GOOD_LABEL, "inconclusive", "differ between two reads"},
	{"foreign", foreign, GOOD_LABEL, "inconclusive", "2 of 1,100"},
	{"limit of a reader", reader_limit, GOOD_LABEL, "inconclusive", "readers' addresses"},
	{"the same without a reader", reader_limit_in_slot, GOOD_LABEL, "fail", "500 of 1,100"},
	{"lost", lost, GOOD_LABEL, "inconclusive", "1,100 samples"},
	{"lost after proof", lost_with_proof, GOOD_LABEL, "fail", "900 of 1,100"},
	{"another device", changed, GOOD_LABEL, "inconclusive", "900 of 1,100"},
	{"interrupted", interrupted, GOOD_LABEL, "inconclusive", "1,100 samples"},
	{"host error", host_error, GOOD_LABEL, "inconclusive", "1,100 samples"},
	{"too small for a run", no_run, GOOD_LABEL, "inconclusive", "1,100 samples"},
	{"label of twice the size", nothing, "Kingston 128GB", "fail", "1,100 samples"},
	{"the fill decides", after_fill, GOOD_LABEL, "pass", "read back"},
};

START_TEST(each_row_is_judged_as_expected)
{
	struct judge_case t;
	const struct ca_finding *finding;

	case_good(&t);
	probe_good(&t);
	rows[_i].spoil(&t);
	t.request.label = rows[_i].label;
	case_judge(&t);
	finding = find_claim(&t, "capacity");
	ck_assert_msg(strcmp(claim_verdict(&t, "capacity"), rows[_i].capacity) == 0, "%s: %s",
		      rows[_i].name, claim_verdict(&t, "capacity"));
	ck_assert_msg(strstr(finding->found, rows[_i].says) != NULL, "%s: %s", rows[_i].name,
		      finding->found);
	ck_assert_uint_gt(strlen(finding->why), 20);
	ck_assert_uint_lt(strlen(finding->why), sizeof(finding->why) - 1);
	ck_assert_uint_lt(strlen(finding->found), sizeof(finding->found) - 1);
	case_done(&t);
}
END_TEST

START_TEST(the_headline_never_says_pass)
{
	struct judge_case t;

	case_good(&t);
	probe_good(&t);
	case_judge(&t);
	ck_assert_int_eq(t.judgement.verdict, CA_VERDICT_SCREENED);
	ck_assert_int_eq(strncmp(t.judgement.headline, "SCREENED: capacity 64 GB.", 25), 0);
	case_done(&t);
	case_good(&t);
	probe_good(&t);
	limbo(&t);
	case_judge(&t);
	ck_assert_ptr_nonnull(
		strstr(t.judgement.headline,
		       "FAIL: capacity 62.2 GB announced, 1.1 GB real (writes past it "
		       "vanish)"));
	case_done(&t);
}
END_TEST

START_TEST(what_could_not_be_put_back_is_said)
{
	struct judge_case t;

	case_good(&t);
	probe_good(&t);
	limbo(&t);
	t.evidence.probe.unrestored_bytes = 512;
	case_judge(&t);
	ck_assert_ptr_nonnull(strstr(find_claim(&t, "capacity")->why, "could be put back"));
	case_done(&t);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rule_probe");
	TCase *tcase = tcase_create("rule_probe");

	tcase_add_loop_test(tcase, each_row_is_judged_as_expected, 0, (int)CA_ARRAY_LEN(rows));
	tcase_add_test(tcase, the_headline_never_says_pass);
	tcase_add_test(tcase, what_could_not_be_put_back_is_said);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
