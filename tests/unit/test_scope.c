/* SPDX-License-Identifier: BSD-2-Clause */
#include "speed_case.h"
#include "judge_scope.h"

/* A simulated card with everything measured, so that each profile has something to choose from. */
static void case_full(struct judge_case *t)
{
	struct ca_capacity_evidence *cap = &t->evidence.capacity;

	case_good(t);
	case_simulated(t);
	t->evidence.speed.command_queue_on = CA_NO;
	t->request.label = "Kingston 64GB A2 V30";
	cap->end = CA_FILL_COMPLETE;
	cap->announced_bytes = cap->written_bytes = t->evidence.device.bytes;
	cap->verified_bytes = cap->good_bytes = t->evidence.device.bytes;
	cap->cache_overrun_bytes = CA_GIB;
	(void)add_random(t, false, 3000000);
	(void)add_random(t, true, 1000000);
	(void)add_sequential(t, true, 40000000);
	(void)add_recording(t, 40000000, 38000000, 4 * CA_MIB);
}

static void nothing(struct judge_case *t)
{
	(void)t;
}
static void unmeasured(struct judge_case *t)
{
	memset(&t->evidence.speed, 0, sizeof(t->evidence.speed));
}
static void unfilled(struct judge_case *t)
{
	memset(&t->evidence.capacity, 0, sizeof(t->evidence.capacity));
}
static void slow_a1(struct judge_case *t)
{
	t->evidence.speed.random[0].milliiops = 1000000;
}
static void slow_window(struct judge_case *t)
{
	t->evidence.speed.sequential[1].min_window_bytes_per_second = 5000000;
}
static void sparse(struct judge_case *t)
{
	t->evidence.capacity.written_bytes = t->evidence.capacity.verified_bytes = CA_GIB;
	t->evidence.capacity.good_bytes = CA_GIB;
}
static void illegal(struct judge_case *t)
{
	set_bits(t, CA_REGISTER_CSD, 28, 26, 0);
}
static void require_a1(struct judge_case *t)
{
	t->request.require[t->request.require_count++] = "A1";
}
static void require_brand(struct judge_case *t)
{
	t->request.require[t->request.require_count++] = "brand";
}

static const struct {
	enum ca_profile profile;
	void (*spoil)(struct judge_case *t);
	const char *scope; /* ids, each followed by a space */
	const char *verdict;
} rows[] = {
	{CA_PROFILE_INSPECT, nothing, "", "untested"},
	{CA_PROFILE_INSPECT, illegal, "", "fail"},
	{CA_PROFILE_QUICK, nothing, "capacity ", "screened"},
	{CA_PROFILE_QUICK, sparse, "capacity ", "screened"},
	{CA_PROFILE_QUICK, unfilled, "capacity ", "inconclusive"},
	{CA_PROFILE_STANDARD, nothing, "capacity ", "pass"},
	{CA_PROFILE_STANDARD, sparse, "capacity ", "screened"},
	{CA_PROFILE_STANDARD, unfilled, "capacity ", "inconclusive"},
	/* a failed claim decides in scope or not */
	{CA_PROFILE_STANDARD, slow_a1, "capacity ", "fail"},
	{CA_PROFILE_STANDARD, require_a1, "capacity A1 ", "pass"},
	{CA_PROFILE_STANDARD, require_brand, "capacity brand ", "screened"},
	{CA_PROFILE_FILL, nothing, "capacity ", "pass"},
	/* no command queue: A2 is out of reach, A1 is not; what can only be screened is screened */
	{CA_PROFILE_FULL, nothing, "capacity A1 ", "pass"},
	{CA_PROFILE_FULL, slow_window, "capacity A1 C10 U3 V30 ", "inconclusive"},
	{CA_PROFILE_FULL, unmeasured, "capacity A1 A2 C10 U3 V30 ", "inconclusive"},
	{CA_PROFILE_SPEED, nothing, "A1 C10 U3 V30 ", "screened"},
	{CA_PROFILE_SPEED, unmeasured, "", "untested"},
};

static int compare_ids(const void *a, const void *b)
{
	const char *const *left = a, *const *right = b;

	return strcmp(*left, *right);
}

START_TEST(each_profile_has_its_scope)
{
	const char *ids[CA_SCOPE_MAX];
	char joined[512] = "";
	struct judge_case t;
	size_t from;

	case_full(&t);
	t.request.profile = rows[_i].profile;
	rows[_i].spoil(&t);
	case_judge(&t);
	for (size_t i = 0; i < t.judgement.scope_count; i++)
		ids[i] = t.judgement.scope[i];
	from = t.judgement.scope_count && strcmp(ids[0], "capacity") == 0;
	qsort(ids + from, t.judgement.scope_count - from, sizeof(ids[0]), compare_ids);
	for (size_t i = 0; i < t.judgement.scope_count; i++) {
		strcat(joined, ids[i]);
		strcat(joined, " ");
	}
	ck_assert_msg(strcmp(joined, rows[_i].scope) == 0, "row %d: %s", _i, joined);
	ck_assert_msg(strcmp(ca_verdict_name(t.judgement.verdict), rows[_i].verdict) == 0,
		      "row %d: %s (%s)", _i, ca_verdict_name(t.judgement.verdict),
		      t.judgement.headline);
	case_done(&t);
}
END_TEST

/* 0 in scope, 1 another claim, 2 a warning, 3 a note; then the outcome from worst to best. */
static unsigned int rank(const struct ca_judgement *judgement, const struct ca_finding *finding)
{
	static const unsigned int severity[] = {
		[CA_VERDICT_FAIL] = 0,	   [CA_VERDICT_INCONCLUSIVE] = 1, [CA_VERDICT_SCREENED] = 2,
		[CA_VERDICT_UNTESTED] = 3, [CA_VERDICT_PASS] = 4,	  [CA_VERDICT_WARNING] = 5,
		[CA_VERDICT_NOTE] = 5,
	};
	unsigned int group = 1;

	if (finding->verdict == CA_VERDICT_WARNING)
		group = 2;
	else if (finding->verdict == CA_VERDICT_NOTE)
		group = 3;
	else if (ca_judgement_is_in_scope(judgement, finding->claim))
		group = 0;
	return group * 10 + severity[finding->verdict];
}

START_TEST(the_most_severe_comes_first)
{
	struct judge_case t;
	unsigned int last = 0;

	case_full(&t);
	t.request.profile = CA_PROFILE_FULL;
	t.request.label = "SanDisk 128GB A2 V30";
	slow_a1(&t);
	illegal(&t);
	case_judge(&t);
	ck_assert_uint_gt(t.judgement.finding_count, 10);
	for (size_t i = 0; i < t.judgement.finding_count; i++) {
		unsigned int here = rank(&t.judgement, &t.judgement.findings[i]);

		ck_assert_uint_ge(here, last);
		last = here;
	}
	case_done(&t);
}
END_TEST

START_TEST(each_claim_has_one_deciding_finding)
{
	struct judge_case t;

	case_full(&t);
	t.request.label = "Kingston Canvas microSDXC 64GB A1 A2 V30 U3 C10 UHS-I read 100MB/s";
	case_judge(&t);
	for (size_t i = 0; i < t.judgement.claims.count; i++) {
		unsigned int count = 0;

		for (size_t j = 0; j < t.judgement.finding_count; j++)
			count += strcmp(t.judgement.findings[j].claim,
					t.judgement.claims.claims[i].id) == 0 &&
				 ca_judge_is_outcome(t.judgement.findings[j].verdict);
		ck_assert_msg(count == 1, "%s: %u", t.judgement.claims.claims[i].id, count);
	}
	case_done(&t);
}
END_TEST

START_TEST(sixteen_required_claims_all_count)
{
	static const char *const ids[CA_REQUIRE_MAX] = {"x1", "x2", "x3", "x4", "x5", "x6",
							"x7", "x8", "x9", "xa", "xb", "xc",
							"xd", "xe", "xf", "xg"};
	struct judge_case t;

	case_full(&t);
	t.request.profile = CA_PROFILE_FULL;
	t.request.label = "C2 C4 C6 C10 U1 U3 V6 V10 V30 V60 V90 E150 E300 E450 E600 A1 A2 "
			  "read 90MB/s write 60MB/s";
	for (size_t i = 0; i < CA_REQUIRE_MAX; i++)
		t.request.require[t.request.require_count++] = ids[i];
	case_judge(&t);
	for (size_t i = 0; i < CA_REQUIRE_MAX; i++)
		ck_assert(ca_judgement_is_in_scope(&t.judgement, ids[i]));
	ck_assert(ca_judgement_is_in_scope(&t.judgement, "sequential-write"));
	case_done(&t);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("scope");
	TCase *tcase = tcase_create("scope");

	tcase_add_loop_test(tcase, each_profile_has_its_scope, 0, (int)CA_ARRAY_LEN(rows));
	tcase_add_test(tcase, the_most_severe_comes_first);
	tcase_add_test(tcase, each_claim_has_one_deciding_finding);
	tcase_add_test(tcase, sixteen_required_claims_all_count);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
