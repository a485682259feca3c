/* SPDX-License-Identifier: BSD-2-Clause */
#include "speed_case.h"

/* ---- the limits, where nothing else counts ------------------------------------------------- */

static const struct {
	uint64_t read, write, sequential; /* milli-IOPS, milli-IOPS, B/s; 0 = not measured */
	const char *expected;
} a1_limits[] = {
	{1500000, 500000, 10000000, "pass"},
	{1500001, 500001, 10000001, "pass"},
	{1499999, 500000, 10000000, "fail"},
	{1500000, 499999, 10000000, "fail"},
	{1500000, 500000, 9999999, "fail"},
	{1500000, 500000, 0, "screened"},
	{0, 500000, 0, "screened"},
	{0, 499999, 0, "fail"},
	{0, 0, 0, "untested"},
};

START_TEST(a1_at_its_limits)
{
	struct judge_case t;

	case_good(&t);
	case_simulated(&t);
	t.request.label = "Kingston A1";
	if (a1_limits[_i].read)
		(void)add_random(&t, false, a1_limits[_i].read);
	if (a1_limits[_i].write)
		(void)add_random(&t, true, a1_limits[_i].write);
	if (a1_limits[_i].sequential)
		(void)add_sequential(&t, true, a1_limits[_i].sequential);
	case_judge(&t);
	ck_assert_str_eq(claim_verdict(&t, "A1"), a1_limits[_i].expected);
	case_done(&t);
}
END_TEST

static const struct {
	const char *label, *claim;
	uint64_t limit;
} classes[] = {
	{"C2", "C2", 2000000},	  {"C4", "C4", 4000000},    {"C6", "C6", 6000000},
	{"C10", "C10", 10000000}, {"U1", "U1", 10000000},   {"U3", "U3", 30000000},
	{"V6", "V6", 6000000},	  {"V10", "V10", 10000000}, {"V30", "V30", 30000000},
	{"V60", "V60", 60000000}, {"V90", "V90", 90000000},
};

START_TEST(classes_at_their_limits)
{
	for (int above = -1; above <= 1; above++) {
		uint64_t figure = classes[_i].limit + (uint64_t)(int64_t)above;
		struct judge_case t;

		case_good(&t);
		case_simulated(&t);
		t.request.label = classes[_i].label;
		(void)add_recording(&t, figure, figure, 4 * CA_MIB);
		case_judge(&t);
		/* nothing here writes file system updates in between: screened at best */
		ck_assert_msg(strcmp(claim_verdict(&t, classes[_i].claim),
				     above < 0 ? "fail" : "screened") == 0,
			      "%s%+d: %s", classes[_i].claim, above,
			      claim_verdict(&t, classes[_i].claim));
		case_done(&t);
	}
}
END_TEST

/* Updates of the file system: eight on average, and the longest. Milliseconds, and the verdict. */
static const struct {
	uint64_t cycles, mean_us, max_us;
	const char *expected;
} updates[] = {
	{64, 100000, 750000, "pass"},	 {64, 100001, 200000, "fail"}, {64, 90000, 750001, "fail"},
	{7, 100001, 750001, "screened"}, {64, 2500, 2500, "pass"},
};

START_TEST(updates_at_their_limits)
{
	static const char *const names[] = {"C10", "U1", "V10"};

	for (size_t i = 0; i < CA_ARRAY_LEN(names); i++) {
		struct judge_case t;

		case_good(&t);
		case_simulated(&t);
		t.request.label = names[i];
		(void)add_recording(&t, 10000000, 10000000, 4 * CA_MIB);
		t.evidence.speed.recording = (struct ca_speed_recording){
			.cycles = updates[_i].cycles,
			.mean_ns = updates[_i].mean_us * 1000,
			.max_ns = updates[_i].max_us * 1000,
		};
		case_judge(&t);
		ck_assert_str_eq(claim_verdict(&t, names[i]), updates[_i].expected);
		case_done(&t);
	}
}
END_TEST

/* ---- conditions on a live host ------------------------------------------------------------- */

static void nothing(struct judge_case *t)
{
	(void)t;
}
static void bus_hidden(struct judge_case *t)
{
	t->evidence.host[CA_HOST_BUS_TIMING].present = false;
}
static void clock_hidden(struct judge_case *t)
{
	t->evidence.host[CA_HOST_BUS_CLOCK_HZ].present = false;
}
static void clock_half(struct judge_case *t)
{
	set_fact(&t->evidence, CA_HOST_BUS_CLOCK_HZ, 40000000, "");
}
static void mode_hs(struct judge_case *t)
{
	set_fact(&t->evidence, CA_HOST_BUS_TIMING, 2, "sd high-speed");
	set_fact(&t->evidence, CA_HOST_BUS_CLOCK_HZ, 40000000, "");
}
static void one_line(struct judge_case *t)
{
	set_fact(&t->evidence, CA_HOST_BUS_WIDTH, 1, "");
}
static void power_half(struct judge_case *t)
{
	set_fact(&t->evidence, CA_HOST_POWER_LIMIT_MW, 720, "");
}
static void power_hidden(struct judge_case *t)
{
	t->evidence.host[CA_HOST_POWER_LIMIT_MW].present = false;
}
static void governor_slow(struct judge_case *t)
{
	set_fact(&t->evidence, CA_HOST_CPU_GOVERNOR, 0, "ondemand");
}
static void throttled(struct judge_case *t)
{
	set_fact(&t->evidence, CA_HOST_THROTTLED, 0x50005, "0x50005");
}
static void low_voltage(struct judge_case *t)
{
	set_fact(&t->evidence, CA_HOST_UNDERVOLTAGE, 1, "hwmon");
}
static void good_voltage(struct judge_case *t)
{
	set_fact(&t->evidence, CA_HOST_UNDERVOLTAGE, 0, "hwmon");
}
static void hot(struct judge_case *t)
{
	set_fact(&t->evidence, CA_HOST_CPU_THROTTLED, 3, "");
}
static void cool(struct judge_case *t)
{
	set_fact(&t->evidence, CA_HOST_CPU_THROTTLED, 0, "");
}
static void wire_errors(struct judge_case *t)
{
	set_fact(&t->evidence, CA_HOST_ERR_STATS, 4, "");
	set_fact(&t->evidence, CA_HOST_ERR_STATS_AFTER, 5, "");
}
static void old_wire_errors(struct judge_case *t)
{
	set_fact(&t->evidence, CA_HOST_ERR_STATS, 4, "");
	set_fact(&t->evidence, CA_HOST_ERR_STATS_AFTER, 4, "");
}
static void cache_on(struct judge_case *t)
{
	t->evidence.speed.cache_on = CA_YES;
}
static void cache_hidden(struct judge_case *t)
{
	t->evidence.speed.cache_on = CA_UNKNOWN;
}
static void cache_absent(struct judge_case *t)
{
	cache_hidden(t);
	set_bits(t, CA_REGISTER_SSR, 330, 330, 0);
}
static void page_cache(struct judge_case *t)
{
	t->evidence.speed.bypass_page_cache = CA_UNKNOWN;
}
static void not_erased(struct judge_case *t)
{
	t->evidence.speed.erased_before = CA_UNKNOWN;
}
static void queue_on(struct judge_case *t)
{
	t->evidence.speed.command_queue_on = CA_YES;
	t->evidence.speed.random[1].queue_depth = 32;
}
static void short_run(struct judge_case *t)
{
	t->evidence.speed.random[1].duration_ns = 10 * MINUTE - 1;
}
static void shorter_run(struct judge_case *t)
{
	t->evidence.speed.random[1].duration_ns = MINUTE - 1;
}
static void empty_card(struct judge_case *t)
{
	t->evidence.speed.random[1].preconditioned_ppm = 744999;
}
static void full_card(struct judge_case *t)
{
	t->evidence.speed.random[1].preconditioned_ppm = 1000000;
}
static void unwritten_range(struct judge_case *t)
{
	t->evidence.speed.random[1].range_written = false;
}
static void narrow_range(struct judge_case *t)
{
	t->evidence.speed.random[1].range_bytes -= 4096;
}
static void wide_range(struct judge_case *t)
{
	t->evidence.speed.random[1].range_bytes += 4096;
}
static void errors(struct judge_case *t)
{
	t->evidence.speed.random[1].errors = 1;
}

static const struct {
	const char *name;
	void (*spoil)(struct judge_case *t);
	/* a random write figure just above, at, just below the limit of a fail, in IOPS; 0 = never
	 */
	uint64_t fail_below;
	const char *above; /* at 500 IOPS and more */
} conditions[] = {
	{"as the rule", nothing, 400, "pass"},
	{"bus unknown", bus_hidden, 0, "pass"},
	{"clock unknown", clock_hidden, 0, "pass"},
	{"half the clock", clock_half, 200, "pass"},
	{"high speed", mode_hs, 200, "pass"},
	{"one line", one_line, 100, "pass"},
	{"half the power", power_half, 200, "pass"},
	{"power unknown", power_hidden, 200, "pass"},
	{"slow governor", governor_slow, 320, "pass"},
	{"throttled", throttled, 0, "pass"},
	{"low voltage", low_voltage, 0, "pass"},
	{"good voltage", good_voltage, 400, "pass"},
	/* 400 / 2.4 */
	{"hot", hot, 166, "pass"},
	{"cool", cool, 400, "pass"},
	{"errors on the bus", wire_errors, 0, "pass"},
	{"errors on the bus before", old_wire_errors, 400, "pass"},
	{"cache on", cache_on, 400, "screened"},
	{"cache unknown", cache_hidden, 400, "screened"},
	{"card without cache", cache_absent, 400, "pass"},
	{"page cache", page_cache, 400, "screened"},
	{"not erased", not_erased, 200, "pass"},
	{"queue on", queue_on, 400, "screened"},
	{"short", short_run, 400, "screened"},
	{"shorter", shorter_run, 0, "screened"},
	{"empty card", empty_card, 400, "screened"},
	{"full card", full_card, 266, "pass"},
	{"range not written", unwritten_range, 400, "screened"},
	{"narrow range", narrow_range, 400, "screened"},
	{"wide range", wide_range, 0, "pass"},
	{"errors", errors, 0, "screened"},
};

static const char *judge_write(unsigned int row, uint64_t milliiops)
{
	static char verdict[16];
	struct judge_case t;

	case_good(&t);
	case_good_host(&t);
	t.request.label = "Kingston A1";
	(void)add_random(&t, false, 3000000);
	(void)add_random(&t, true, milliiops);
	(void)add_sequential(&t, true, 20000000);
	conditions[row].spoil(&t);
	case_judge(&t);
	(void)snprintf(verdict, sizeof(verdict), "%s", claim_verdict(&t, "A1"));
	ck_assert(find_claim(&t, "A1")->why[0]);
	case_done(&t);
	return verdict;
}

START_TEST(a1_under_each_condition)
{
	unsigned int row = (unsigned int)_i;
	uint64_t edge = conditions[row].fail_below;

	ck_assert_msg(strcmp(judge_write(row, 500000), conditions[row].above) == 0, "%s: %s",
		      conditions[row].name, judge_write(row, 500000));
	ck_assert_msg(strcmp(judge_write(row, 499999), "inconclusive") == 0, "%s: %s",
		      conditions[row].name, judge_write(row, 499999));
	if (!edge) {
		ck_assert_str_eq(judge_write(row, 1000), "inconclusive");
		return;
	}
	ck_assert_msg(strcmp(judge_write(row, edge * 1000 - 1000), "fail") == 0, "%s: %s",
		      conditions[row].name, judge_write(row, edge * 1000 - 1000));
	ck_assert_msg(strcmp(judge_write(row, edge * 1000 + 1000), "inconclusive") == 0, "%s: %s",
		      conditions[row].name, judge_write(row, edge * 1000 + 1000));
}
END_TEST

/* ---- sequential, live ---------------------------------------------------------------------- */

static const struct {
	const char *name, *label, *claim;
	uint64_t average, slowest, window, request;
	const char *expected;
} recordings[] = {
	{"above", "U3", "U3", 40000000, 30000000, 4 * CA_MIB, 512 * CA_KIB, "screened"},
	{"one slow window", "U3", "U3", 40000000, 29999999, 4 * CA_MIB, 512 * CA_KIB,
	 "inconclusive"},
	/* a quarter, because Linux announces no recording; a fifth less for an unknown rest */
	{"average too low", "U3", "U3", 7499999, 1, 4 * CA_MIB, 512 * CA_KIB, "fail"},
	{"average low", "U3", "U3", 7500000, 1, 4 * CA_MIB, 512 * CA_KIB, "inconclusive"},
	{"no window", "U3", "U3", 40000000, 0, 0, 512 * CA_KIB, "screened"},
	{"V60 on UHS-I", "V60", "V60", 80000000, 80000000, 8 * CA_MIB, 512 * CA_KIB,
	 "inconclusive"},
	{"E150 on UHS-I", "E150", "E150", 90000000, 90000000, 8 * CA_MIB, 512 * CA_KIB,
	 "inconclusive"},
	{"more than the bus", "V30", "V30", 150000000, 150000000, 8 * CA_MIB, 512 * CA_KIB,
	 "inconclusive"},
};

START_TEST(recordings_on_a_live_host)
{
	struct judge_case t;

	case_good(&t);
	case_good_host(&t);
	t.request.label = recordings[_i].label;
	add_recording(&t, recordings[_i].average, recordings[_i].slowest, recordings[_i].window)
		->request_bytes = recordings[_i].request;
	case_judge(&t);
	ck_assert_msg(strcmp(claim_verdict(&t, recordings[_i].claim), recordings[_i].expected) == 0,
		      "%s: %s", recordings[_i].name, claim_verdict(&t, recordings[_i].claim));
	case_done(&t);
}
END_TEST

START_TEST(the_measurement_closest_to_the_rule_decides)
{
	struct judge_case t;

	case_good(&t);
	case_simulated(&t);
	t.request.label = "U3 A1";
	(void)add_sequential(&t, true, 9000000);		 /* 4 MiB: of A1 alone */
	(void)add_recording(&t, 40000000, 35000000, 4 * CA_MIB); /* recording units: of U3 alone */
	add_random(&t, true, 600000)->queue_depth = 32;
	(void)add_random(&t, true, 400000);
	case_judge(&t);
	ck_assert_str_eq(claim_verdict(&t, "U3"), "screened");
	ck_assert_msg(strstr(find_claim(&t, "A1")->found, "sequential write 9.0 MB/s") != NULL,
		      "%s", find_claim(&t, "A1")->found);
	ck_assert_ptr_nonnull(strstr(find_claim(&t, "A1")->found, "random write 400 IOPS"));
	case_done(&t);
}
END_TEST

/* ---- A2 ---------------------------------------------------------------------------------------
 */

static void a2_host(struct judge_case *t)
{
	t->evidence.speed.command_queue_on = CA_YES;
	t->evidence.speed.cache_on = CA_YES;
}
static void a2_no_queue(struct judge_case *t)
{
	a2_host(t);
	t->evidence.speed.command_queue_on = CA_NO;
}
static void a2_unknown_queue(struct judge_case *t)
{
	a2_host(t);
	t->evidence.speed.command_queue_on = CA_UNKNOWN;
}
static void a2_card_without(struct judge_case *t)
{
	a2_host(t);
	set_bits(t, CA_REGISTER_SSR, 335, 331, 0);
}
static void a2_cache_off(struct judge_case *t)
{
	a2_host(t);
	t->evidence.speed.cache_on = CA_NO;
}
static void a2_shallow(struct judge_case *t)
{
	a2_host(t);
	t->evidence.speed.random[0].queue_depth = t->evidence.speed.random[1].queue_depth = 8;
}

static const struct {
	void (*host)(struct judge_case *t);
	uint64_t read, write;
	const char *expected, *why;
} a2[] = {
	{a2_host, 4000000, 2000000, "pass", "at least as hard"},
	{a2_host, 3000000, 2000000, "fail", ""},
	{a2_host, 3999999, 2000000, "inconclusive", ""},
	{a2_no_queue, 4000000, 2000000, "inconclusive", "dtparam=sd_cqe"},
	{a2_no_queue, 1000, 1000, "inconclusive", "this host has no command queue"},
	{a2_unknown_queue, 4000000, 2000000, "inconclusive", "dtparam=sd_cqe"},
	{a2_card_without, 4000000, 2000000, "inconclusive", "this card offers no command queue"},
	{a2_cache_off, 1000000, 1000000, "inconclusive", "cache"},
	{a2_shallow, 1000000, 1000000, "inconclusive", "queued"},
	{a2_shallow, 5000000, 3000000, "pass", ""},
};

START_TEST(a2_needs_a_queue)
{
	struct judge_case t;

	case_good(&t);
	case_good_host(&t);
	t.request.label = "Kingston A2";
	add_random(&t, false, a2[_i].read)->queue_depth = 32;
	add_random(&t, true, a2[_i].write)->queue_depth = 32;
	(void)add_sequential(&t, true, 20000000);
	a2[_i].host(&t);
	case_judge(&t);
	ck_assert_msg(strcmp(claim_verdict(&t, "A2"), a2[_i].expected) == 0, "row %d: %s, %s", _i,
		      claim_verdict(&t, "A2"), find_claim(&t, "A2")->why);
	ck_assert_msg(strstr(find_claim(&t, "A2")->why, a2[_i].why) != NULL, "row %d: %s", _i,
		      find_claim(&t, "A2")->why);
	/* A1 is part of A2 and is judged for itself */
	ck_assert_str_ne(claim_verdict(&t, "A1"), "none");
	ck_assert_str_ne(claim_verdict(&t, "A1"), "untested");
	case_done(&t);
}
END_TEST

/* A loop device has no registers: what one request at a time gives is not what a queue gives. */
START_TEST(a2_at_depth_one_is_not_refuted)
{
	static const struct {
		uint32_t depth;
		const char *expected;
	} depths[] = {{1, "inconclusive"}, {8, "inconclusive"}, {32, "fail"}};

	for (size_t i = 0; i < CA_ARRAY_LEN(depths); i++) {
		struct judge_case t;

		case_bare(&t);
		t.evidence.origin = CA_ORIGIN_VIRTUAL;
		t.evidence.speed.bypass_page_cache = CA_YES;
		t.evidence.speed.cache_on = CA_NO;
		t.request.label = "A2";
		add_random(&t, false, 3999000)->queue_depth = depths[i].depth;
		add_random(&t, true, 2000000)->queue_depth = depths[i].depth;
		(void)add_sequential(&t, true, 20000000);
		case_judge(&t);
		ck_assert_msg(strcmp(claim_verdict(&t, "A2"), depths[i].expected) == 0,
			      "depth %u: %s", depths[i].depth, claim_verdict(&t, "A2"));
		case_done(&t);
	}
}
END_TEST

START_TEST(every_class_row_is_understood)
{
	for (size_t i = 0; i < ca_spec_classes_count; i++) {
		const struct ca_spec_class *c = &ca_spec_classes[i];

		ck_assert(strcmp(c->quantity, "random-read") == 0 ||
			  strcmp(c->quantity, "random-write") == 0 ||
			  strcmp(c->quantity, "sequential-write") == 0);
		ck_assert(strcmp(c->window, "whole") == 0 || strcmp(c->window, "au") == 0 ||
			  strcmp(c->window, "su") == 0);
		ck_assert(c->limit && c->block_bytes && c->clause[0]);
	}
	for (size_t i = 0; i < ca_spec_conditions_count; i++) {
		const struct ca_spec_condition *c = &ca_spec_conditions[i];

		ck_assert(strcmp(c->effect, "slows") == 0 || strcmp(c->effect, "helps") == 0);
		ck_assert(c->text[0] && c->remedy[0] && c->reasoning[0] && c->sources[0]);
		ck_assert(c->factor_permille == 0 || c->factor_permille >= 1000);
		if (i)
			ck_assert_int_lt(strcmp(ca_spec_conditions[i - 1].id, c->id), 0);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rule_class");
	TCase *tcase = tcase_create("rule_class");

	tcase_add_loop_test(tcase, a1_at_its_limits, 0, (int)CA_ARRAY_LEN(a1_limits));
	tcase_add_loop_test(tcase, updates_at_their_limits, 0, (int)CA_ARRAY_LEN(updates));
	tcase_add_loop_test(tcase, classes_at_their_limits, 0, (int)CA_ARRAY_LEN(classes));
	tcase_add_loop_test(tcase, a1_under_each_condition, 0, (int)CA_ARRAY_LEN(conditions));
	tcase_add_loop_test(tcase, recordings_on_a_live_host, 0, (int)CA_ARRAY_LEN(recordings));
	tcase_add_test(tcase, the_measurement_closest_to_the_rule_decides);
	tcase_add_loop_test(tcase, a2_needs_a_queue, 0, (int)CA_ARRAY_LEN(a2));
	tcase_add_test(tcase, a2_at_depth_one_is_not_refuted);
	tcase_add_test(tcase, every_class_row_is_understood);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
