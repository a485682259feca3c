/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge_case.h"

#define BYTES UINT64_C(62226694144)

/* A complete, sound run. */
static void fill_good(struct judge_case *t)
{
	struct ca_capacity_evidence *cap = &t->evidence.capacity;

	cap->end = CA_FILL_COMPLETE;
	cap->kind = CA_CAPACITY_KIND_SOUND;
	cap->announced_bytes = cap->written_bytes = cap->verified_bytes = cap->good_bytes = BYTES;
	cap->coverage_ppm = 1000000;
	cap->classes[CA_SECTOR_GOOD] = BYTES / 512;
	cap->cache_overrun_bytes = CA_GIB;
	t->request.profile = CA_PROFILE_STANDARD;
}

static void bad(struct judge_case *t, enum ca_sector_class class_of, uint64_t sectors)
{
	struct ca_capacity_evidence *cap = &t->evidence.capacity;

	cap->classes[class_of] += sectors;
	cap->classes[CA_SECTOR_GOOD] -= sectors;
	cap->good_bytes -= sectors * 512;
	cap->has_first_bad = true;
	cap->first_bad_offset = UINT64_C(1) << 30;
	cap->kind = CA_CAPACITY_KIND_DAMAGED;
}

static void wrap(struct judge_case *t)
{
	bad(t, CA_SECTOR_ALIAS, 1000000);
	t->evidence.capacity.end = CA_FILL_PROOF;
	t->evidence.capacity.kind = CA_CAPACITY_KIND_WRAP;
	t->evidence.capacity.has_real_capacity = true;
	t->evidence.capacity.real_capacity_bytes = UINT64_C(1000000512);
}
static void nothing(struct judge_case *t)
{
	(void)t;
}
static void not_run(struct judge_case *t)
{
	memset(&t->evidence.capacity, 0, sizeof(t->evidence.capacity));
}
static void power_cut(struct judge_case *t)
{
	t->evidence.capacity.reinit = CA_REINIT_POWER;
}
static void no_overrun(struct judge_case *t)
{
	t->evidence.capacity.cache_overrun_bytes = 0;
}
static void one_sector_short(struct judge_case *t)
{
	t->evidence.capacity.verified_bytes -= 512;
	t->evidence.capacity.good_bytes -= 512;
}
static void unwritten(struct judge_case *t)
{
	t->evidence.capacity.written_bytes -= 512;
}
static void other_size(struct judge_case *t)
{
	t->evidence.device.bytes += 512;
	memset(t->evidence.registers.has, 0, sizeof(t->evidence.registers.has));
}
static void one_flip(struct judge_case *t)
{
	bad(t, CA_SECTOR_BITFLIP, 1);
}
static void unstable(struct judge_case *t)
{
	bad(t, CA_SECTOR_NOISE, 3);
	t->evidence.capacity.unstable_sectors = 3;
}
static void unstable_and_stable(struct judge_case *t)
{
	bad(t, CA_SECTOR_NOISE, 4);
	t->evidence.capacity.unstable_sectors = 3;
}
static void unstable_but_good(struct judge_case *t)
{
	t->evidence.capacity.unstable_sectors = 1;
}
static void foreign(struct judge_case *t)
{
	bad(t, CA_SECTOR_FOREIGN, 8);
}
static void unreadable(struct judge_case *t)
{
	bad(t, CA_SECTOR_UNREADABLE, 8);
}
static void wire(struct judge_case *t, int64_t before, int64_t after)
{
	set_fact(&t->evidence, CA_HOST_ERR_STATS, before, "");
	set_fact(&t->evidence, CA_HOST_ERR_STATS_AFTER, after, "Data CRC Errors 6");
}
static void wire_unreadable(struct judge_case *t)
{
	unreadable(t);
	wire(t, 3, 9);
}
static void wire_unwritable(struct judge_case *t)
{
	bad(t, CA_SECTOR_UNWRITABLE, 8);
	wire(t, 0, 1);
}
static void quiet_wire(struct judge_case *t)
{
	unreadable(t);
	wire(t, 9, 9);
}
static void wire_from_now(struct judge_case *t)
{
	unreadable(t);
	wire(t, 3, 9);
	t->evidence.host[CA_HOST_ERR_STATS].present = false;
}
static void wire_until_now(struct judge_case *t)
{
	unreadable(t);
	wire(t, 3, 9);
	t->evidence.host[CA_HOST_ERR_STATS_AFTER].present = false;
}
static void wire_flip(struct judge_case *t)
{
	one_flip(t);
	wire(t, 3, 9);
}
static void wire_unreadable_and_flip(struct judge_case *t)
{
	wire_unreadable(t);
	one_flip(t);
}
static void wire_unreadable_and_unstable(struct judge_case *t)
{
	wire_unreadable(t);
	unstable(t);
}
static void wire_zeros(struct judge_case *t)
{
	bad(t, CA_SECTOR_ZEROS, 8);
	wire(t, 3, 9);
}
static void wire_wrap(struct judge_case *t)
{
	wrap(t);
	bad(t, CA_SECTOR_UNREADABLE, 8);
	wire(t, 3, 9);
}
/* Errors from one address on: by reading, in an order of its own, or by writing, in ascending
 * order. */
static void wire_end(struct judge_case *t)
{
	bad(t, CA_SECTOR_UNREADABLE, 1000000);
	t->evidence.capacity.kind = CA_CAPACITY_KIND_ERRORS;
	t->evidence.capacity.has_real_capacity = true;
	t->evidence.capacity.real_capacity_bytes = UINT64_C(1) << 30;
	wire(t, 3, 9);
}
static void wire_end_of_writing(struct judge_case *t)
{
	wire_end(t);
	t->evidence.capacity.classes[CA_SECTOR_UNWRITABLE] = 1000000;
	t->evidence.capacity.classes[CA_SECTOR_UNREADABLE] = 0;
}
static void wire_good(struct judge_case *t)
{
	wire(t, 3, 9);
}
static void taken_anew(struct judge_case *t)
{
	t->evidence.capacity.reinit = CA_REINIT_HOST;
}
static void interrupted(struct judge_case *t)
{
	t->evidence.capacity.end = CA_FILL_INTERRUPTED;
}
static void interrupted_bad(struct judge_case *t)
{
	one_flip(t);
	interrupted(t);
}
static void lost(struct judge_case *t)
{
	t->evidence.capacity.end = CA_FILL_LOST;
}
/* Not merely lost: hands have put it back, and it is dead. */
static void put_back_dead(struct judge_case *t)
{
	lost(t);
	t->evidence.capacity.reinit = CA_REINIT_REPLUG;
}
static void lost_bad(struct judge_case *t)
{
	wrap(t);
	lost(t);
}
static void changed_bad(struct judge_case *t)
{
	wrap(t);
	t->evidence.capacity.end = CA_FILL_CHANGED;
}
static void host_error(struct judge_case *t)
{
	t->evidence.capacity.end = CA_FILL_HOST_ERROR;
}
static void proof_without_fault(struct judge_case *t)
{
	t->evidence.capacity.end = CA_FILL_PROOF;
}

static const struct {
	const char *name;
	void (*spoil)(struct judge_case *t);
	const char *label, *capacity, *retention;
} rows[] = {
	{"sound", nothing, "Kingston 64GB", "pass", "untested"},
	{"sound, no label", nothing, "", "pass", "untested"},
	{"power cut", power_cut, "Kingston 64GB", "pass", "pass"},
	{"not run", not_run, "Kingston 64GB", "untested", "untested"},
	{"not run, label of twice the size", not_run, "Kingston 128GB", "inconclusive", "untested"},
	/* 90.2 % of the label: above the limit of a fail, below every good card */
	{"label a tenth over", nothing, "Kingston 69GB", "inconclusive", "untested"},
	{"label a ninth over", nothing, "Kingston 70GB", "fail", "untested"},
	{"label of half the size", nothing, "Kingston 32GB", "pass", "untested"},
	{"no overrun", no_overrun, "Kingston 64GB", "screened", "untested"},
	{"one sector not read", one_sector_short, "Kingston 64GB", "screened", "untested"},
	{"one sector not written", unwritten, "Kingston 64GB", "screened", "untested"},
	{"another size", other_size, "Kingston 64GB", "inconclusive", "untested"},
	{"one flipped bit", one_flip, "Kingston 64GB", "fail", "untested"},
	{"unstable", unstable, "Kingston 64GB", "inconclusive", "untested"},
	{"unstable and stable", unstable_and_stable, "Kingston 64GB", "fail", "untested"},
	{"good the second time", unstable_but_good, "Kingston 64GB", "inconclusive", "untested"},
	{"foreign", foreign, "Kingston 64GB", "inconclusive", "untested"},
	{"unreadable", unreadable, "Kingston 64GB", "fail", "untested"},
	{"unreadable, bus errors", wire_unreadable, "Kingston 64GB", "inconclusive", "untested"},
	{"unwritable, bus errors", wire_unwritable, "Kingston 64GB", "inconclusive", "untested"},
	{"unreadable, bus errors long ago", quiet_wire, "Kingston 64GB", "fail", "untested"},
	{"unreadable, not counted before", wire_from_now, "Kingston 64GB", "fail", "untested"},
	{"unreadable, not counted after", wire_until_now, "Kingston 64GB", "fail", "untested"},
	{"one flipped bit, bus errors", wire_flip, "Kingston 64GB", "fail", "untested"},
	{"unreadable and flipped, bus errors", wire_unreadable_and_flip, "Kingston 64GB", "fail",
	 "untested"},
	{"unreadable and unstable, bus errors", wire_unreadable_and_unstable, "Kingston 64GB",
	 "inconclusive", "untested"},
	{"zeros, bus errors", wire_zeros, "Kingston 64GB", "fail", "untested"},
	{"wraps, bus errors", wire_wrap, "Kingston 64GB", "fail", "untested"},
	{"cannot be read to the end, bus errors", wire_end, "Kingston 64GB", "fail", "untested"},
	{"cannot be written to the end, bus errors", wire_end_of_writing, "Kingston 64GB",
	 "inconclusive", "untested"},
	{"sound, bus errors", wire_good, "Kingston 64GB", "pass", "untested"},
	{"taken anew", taken_anew, "Kingston 64GB", "pass", "untested"},
	{"wraps", wrap, "Kingston 64GB", "fail", "untested"},
	{"interrupted", interrupted, "Kingston 64GB", "inconclusive", "untested"},
	{"interrupted with proof", interrupted_bad, "Kingston 64GB", "fail", "untested"},
	{"lost", lost, "Kingston 64GB", "inconclusive", "untested"},
	{"dead after a replug", put_back_dead, "Kingston 64GB", "fail", "inconclusive"},
	{"lost with proof", lost_bad, "Kingston 64GB", "fail", "untested"},
	{"changed", changed_bad, "Kingston 64GB", "inconclusive", "untested"},
	{"host error", host_error, "Kingston 64GB", "inconclusive", "untested"},
	{"proof of nothing", proof_without_fault, "Kingston 64GB", "inconclusive", "untested"},
};

START_TEST(each_row_is_judged_as_expected)
{
	struct judge_case t;

	case_good(&t);
	fill_good(&t);
	rows[_i].spoil(&t);
	t.request.label = rows[_i].label;
	case_judge(&t);
	ck_assert_msg(strcmp(claim_verdict(&t, "capacity"), rows[_i].capacity) == 0, "%s: %s",
		      rows[_i].name, claim_verdict(&t, "capacity"));
	ck_assert_msg(strcmp(claim_verdict(&t, "retention"), rows[_i].retention) == 0, "%s: %s",
		      rows[_i].name, claim_verdict(&t, "retention"));
	ck_assert(find_claim(&t, "capacity")->why[0] && find_claim(&t, "capacity")->found[0]);
	case_done(&t);
}
END_TEST

START_TEST(one_finding_says_label_and_device)
{
	struct judge_case t;
	unsigned int count = 0;

	case_good(&t);
	fill_good(&t);
	case_judge(&t);
	for (size_t i = 0; i < t.judgement.finding_count; i++)
		count += strcmp(t.judgement.findings[i].rule->id, "CAPACITY") == 0;
	ck_assert_uint_eq(count, 1);
	ck_assert_str_eq(find_claim(&t, "capacity")->says,
			 "label 64 GB, announced 62.2 GB (58.0 GiB)");
	ck_assert_str_eq(find_claim(&t, "capacity")->source, "label");
	ck_assert_ptr_nonnull(strstr(find_claim(&t, "capacity")->why, "while powered"));
	case_done(&t);
}
END_TEST

START_TEST(the_real_capacity_is_named_to_the_byte)
{
	struct judge_case t;

	case_good(&t);
	fill_good(&t);
	wrap(&t);
	case_judge(&t);
	ck_assert_ptr_nonnull(strstr(find_claim(&t, "capacity")->found,
				     "addresses wrap round; real capacity 1,000,000,512 bytes"));
	ck_assert_str_eq(find_claim(&t, "capacity")->where, "sector 2097152");
	ck_assert_str_eq(t.judgement.headline + strlen("FAIL: "),
			 strstr(t.judgement.headline, "capacity 62.2 GB announced, 1.0 GB real "
						      "(addresses wrap round)."));
	case_done(&t);
}
END_TEST

/* A card that ends where the addresses of some readers end: whose limit is it? */
static const struct {
	const char *bus, *model, *verdict;
} limits[] = {
	{"usb", "STORAGE DEVICE", "inconclusive"},
	{"scsi", "", "inconclusive"},
	{"", "", "inconclusive"},
	{"mmc", "", "fail"},
	{"nvme", "", "fail"},
	{"loop", "", "fail"},
	{"sim", "", "fail"},
	{"sim", "simulated reader", "inconclusive"},
};

START_TEST(an_end_at_a_limit_of_readers)
{
	struct ca_device_facts *device;
	struct judge_case t;

	case_bare(&t);
	fill_good(&t);
	wrap(&t);
	device = &t.evidence.device;
	(void)ca_string_copy(device->bus, sizeof(device->bus), limits[_i].bus);
	(void)ca_string_copy(device->model, sizeof(device->model), limits[_i].model);
	t.evidence.capacity.kind = CA_CAPACITY_KIND_HOST_LIMIT;
	case_judge(&t);
	ck_assert_str_eq(claim_verdict(&t, "capacity"), limits[_i].verdict);
	ck_assert_ptr_nonnull(strstr(find_claim(&t, "capacity")->found, "readers' addresses end"));
	case_done(&t);
}
END_TEST

/* Kinds without a size are named in the finding, each in its own words. */
START_TEST(every_kind_has_words)
{
	enum ca_capacity_kind kind = (enum ca_capacity_kind)_i;
	char found[sizeof(((struct ca_finding *)0)->found)];
	struct judge_case t;

	case_good(&t);
	fill_good(&t);
	bad(&t, CA_SECTOR_ZEROS, 99999);
	t.evidence.capacity.kind = kind;
	case_judge(&t);
	(void)ca_string_copy(found, sizeof(found), find_claim(&t, "capacity")->found);
	case_done(&t);
	case_good(&t);
	fill_good(&t);
	bad(&t, CA_SECTOR_ZEROS, 99999);
	t.evidence.capacity.kind = CA_CAPACITY_KIND_LIMBO;
	case_judge(&t);
	ck_assert_str_ne(found, find_claim(&t, "capacity")->found);
	ck_assert_ptr_null(strstr(found, "read back: bad sectors"));
	case_done(&t);
}
END_TEST

START_TEST(lost_data_after_a_power_cut_is_not_told_apart)
{
	struct judge_case t;

	case_good(&t);
	fill_good(&t);
	one_flip(&t);
	power_cut(&t);
	case_judge(&t);
	ck_assert_str_eq(claim_verdict(&t, "capacity"), "fail");
	ck_assert_str_eq(claim_verdict(&t, "retention"), "inconclusive");
	case_done(&t);
}
END_TEST

static const struct {
	int64_t before, after; /* -1 = absent */
	const char *found;     /* NULL = nothing is said */
} counts[] = {
	{0, 1, "1 transfer error counted during this run (counters now: Data CRC Errors 6)"},
	{3, 1203, "1,200 transfer errors counted during this run"},
	{3, 3, NULL},
	{3, 2, NULL}, /* the host began to count anew */
	{-1, 3, NULL},
	{3, -1, NULL},
};

START_TEST(bus_errors_are_a_warning)
{
	struct judge_case t;
	const struct ca_finding *finding;

	case_good(&t);
	fill_good(&t);
	wire(&t, counts[_i].before, counts[_i].after);
	t.evidence.host[CA_HOST_ERR_STATS].present = counts[_i].before >= 0;
	t.evidence.host[CA_HOST_ERR_STATS_AFTER].present = counts[_i].after >= 0;
	case_judge(&t);
	ck_assert_str_eq(rule_verdict(&t, "BUS-ERRORS"), counts[_i].found ? "warning" : "none");
	finding = find_rule(&t, "BUS-ERRORS");
	if (finding)
		ck_assert_msg(strncmp(finding->found, counts[_i].found, strlen(counts[_i].found)) ==
				      0,
			      "%s", finding->found);
	ck_assert_str_eq(claim_verdict(&t, "capacity"), "pass");
	ck_assert_int_eq(t.judgement.verdict, CA_VERDICT_PASS);
	case_done(&t);
}
END_TEST

static const struct {
	enum ca_reinit_kind kind;
	const char *why;
	bool while_powered; /* in the headline */
} kinds[] = {
	{CA_REINIT_NONE, "holds while powered: power was not cut", true},
	{CA_REINIT_HOST, "took the card anew in between, which cuts no power", true},
	{CA_REINIT_POWER, "Power was cut in between", false},
	{CA_REINIT_REPLUG, "Power was cut in between", false},
};

START_TEST(a_pass_says_how_the_card_began_anew)
{
	struct judge_case t;

	case_good(&t);
	fill_good(&t);
	t.evidence.capacity.reinit = kinds[_i].kind;
	case_judge(&t);
	ck_assert_msg(strstr(find_claim(&t, "capacity")->why, kinds[_i].why) != NULL, "%s",
		      find_claim(&t, "capacity")->why);
	ck_assert_int_eq(strstr(t.judgement.headline, "while powered") != NULL,
			 kinds[_i].while_powered);
	case_done(&t);
}
END_TEST

START_TEST(without_a_device_there_is_no_finding)
{
	struct judge_case t;

	case_bare(&t);
	t.evidence.device.bytes = 0;
	case_judge(&t);
	ck_assert_ptr_null(find_rule(&t, "CAPACITY"));
	ck_assert_ptr_null(find_rule(&t, "RETENTION"));
	case_done(&t);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rule_capacity");
	TCase *tcase = tcase_create("rule_capacity");

	tcase_add_loop_test(tcase, each_row_is_judged_as_expected, 0, (int)CA_ARRAY_LEN(rows));
	tcase_add_test(tcase, one_finding_says_label_and_device);
	tcase_add_test(tcase, the_real_capacity_is_named_to_the_byte);
	tcase_add_loop_test(tcase, an_end_at_a_limit_of_readers, 0, (int)CA_ARRAY_LEN(limits));
	tcase_add_loop_test(tcase, every_kind_has_words, CA_CAPACITY_KIND_WRAP,
			    CA_CAPACITY_KIND_HOST_LIMIT + 1);
	tcase_add_test(tcase, lost_data_after_a_power_cut_is_not_told_apart);
	tcase_add_loop_test(tcase, bus_errors_are_a_warning, 0, (int)CA_ARRAY_LEN(counts));
	tcase_add_loop_test(tcase, a_pass_says_how_the_card_began_anew, 0,
			    (int)CA_ARRAY_LEN(kinds));
	tcase_add_test(tcase, without_a_device_there_is_no_finding);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
