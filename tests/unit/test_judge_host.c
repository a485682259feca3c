/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge_case.h"
#include "judge_speed.h"

static struct judge_case t;

static struct ca_judge_case view(void)
{
	ca_registers_decode(&t.evidence.registers, &t.judgement.registers);
	return (struct ca_judge_case){
		.request = &t.request,
		.evidence = &t.evidence,
		.registers = &t.judgement.registers,
		.identity = &t.judgement.identity,
		.claims = &t.judgement.claims,
	};
}

static const struct {
	const char *timing;
	int64_t clock, width;
	uint64_t wire;
	bool complete;
} buses[] = {
	{"sd uhs SDR104", 208000000, 4, 104000000, true},
	{"sd uhs SDR104", 100000000, 4, 50000000, true},
	{"sd uhs SDR104", 0, 0, 104000000, false},
	{"sd uhs SDR50", 100000000, 4, 50000000, true},
	{"sd uhs DDR50", 50000000, 4, 50000000, true},
	{"sd uhs SDR25", 50000000, 4, 25000000, true},
	{"sd high-speed", 50000000, 4, 25000000, true},
	{"sd high-speed", 50000000, 1, 6250000, true},
	{"legacy", 25000000, 4, 12500000, true},
	{"mmc HS200", 200000000, 8, 200000000, true},
	{"something new", 50000000, 4, 0, false},
};

START_TEST(a_card_bus_carries)
{
	struct ca_judge_bus bus;
	struct ca_judge_case c;

	case_good(&t);
	set_fact(&t.evidence, CA_HOST_BUS_TIMING, 0, buses[_i].timing);
	if (buses[_i].clock)
		set_fact(&t.evidence, CA_HOST_BUS_CLOCK_HZ, buses[_i].clock, "");
	if (buses[_i].width)
		set_fact(&t.evidence, CA_HOST_BUS_WIDTH, buses[_i].width, "");
	c = view();
	ca_judge_bus_read(&c, &bus);
	ck_assert_uint_eq(bus.wire_bytes_per_second, buses[_i].wire);
	ck_assert_int_eq(bus.is_complete, buses[_i].complete);
	ck_assert(!bus.is_virtual);
}
END_TEST

static const struct {
	int64_t speed, width;
	uint64_t wire;
} links[] = {
	{5000, 1, 500000000},
	{8000, 1, 984615296},
	{8000, 4, 3938461440},
	{0, 4, 0},
};

START_TEST(a_pcie_link_carries)
{
	struct ca_judge_bus bus;
	struct ca_judge_case c;

	case_bare(&t);
	t.evidence.device.media = CA_MEDIA_NVME;
	set_fact(&t.evidence, CA_HOST_PCIE_SPEED, links[_i].speed, "");
	set_fact(&t.evidence, CA_HOST_PCIE_WIDTH, links[_i].width, "");
	c = view();
	ca_judge_bus_read(&c, &bus);
	ck_assert_uint_eq(bus.wire_bytes_per_second, links[_i].wire);
	ck_assert_int_eq(bus.is_complete, links[_i].speed != 0);
}
END_TEST

static const struct {
	int64_t megabits;
	uint64_t wire;
} readers[] = {
	{12, 1500000}, {480, 53248000}, {5000, 500000000}, {10000, 1212121088}, {20000, 2424242304},
};

START_TEST(usb_has_a_limit_and_no_mode)
{
	struct ca_judge_bus bus;
	struct ca_judge_case c;

	case_bare(&t);
	set_fact(&t.evidence, CA_HOST_USB_SPEED, readers[_i].megabits, "");
	c = view();
	ca_judge_bus_read(&c, &bus);
	ck_assert_uint_eq(bus.wire_bytes_per_second, readers[_i].wire);
	ck_assert(!bus.is_complete);
}
END_TEST

START_TEST(a_virtual_device_has_no_bus)
{
	static const enum ca_origin origins[] = {CA_ORIGIN_VIRTUAL, CA_ORIGIN_IMAGE,
						 CA_ORIGIN_SIMULATED, CA_ORIGIN_RECORDED};

	for (size_t i = 0; i < CA_ARRAY_LEN(origins); i++) {
		struct ca_judge_bus bus;
		struct ca_judge_case c;

		case_good(&t);
		t.evidence.origin = origins[i];
		c = view();
		ca_judge_bus_read(&c, &bus);
		ck_assert(bus.is_virtual && bus.is_complete && !bus.wire_bytes_per_second);
	}
}
END_TEST

static const struct {
	enum ca_tristate measured;
	int fact; /* -1 = absent */
	enum ca_origin origin;
	bool expected;
} queues[] = {
	{CA_YES, 0, CA_ORIGIN_LIVE, true},	 {CA_NO, 1, CA_ORIGIN_LIVE, false},
	{CA_UNKNOWN, 1, CA_ORIGIN_LIVE, true},	 {CA_UNKNOWN, 0, CA_ORIGIN_LIVE, false},
	{CA_UNKNOWN, -1, CA_ORIGIN_LIVE, false}, {CA_UNKNOWN, -1, CA_ORIGIN_SIMULATED, true},
	{CA_NO, -1, CA_ORIGIN_SIMULATED, false},
};

START_TEST(the_queue_runs)
{
	struct ca_judge_case c;

	case_good(&t);
	t.evidence.origin = queues[_i].origin;
	t.evidence.speed.command_queue_on = queues[_i].measured;
	if (queues[_i].fact >= 0)
		set_fact(&t.evidence, CA_HOST_COMMAND_QUEUE, queues[_i].fact, "");
	c = view();
	ck_assert_int_eq(ca_judge_queue_runs(&c), queues[_i].expected);
}
END_TEST

static const struct {
	enum ca_tristate measured;
	int fact; /* -1 = absent */
	bool offered;
	enum ca_origin origin;
	enum ca_tristate expected;
} caches[] = {
	{CA_YES, 0, true, CA_ORIGIN_LIVE, CA_YES},
	{CA_UNKNOWN, 1, true, CA_ORIGIN_LIVE, CA_YES},
	{CA_UNKNOWN, 0, true, CA_ORIGIN_LIVE, CA_NO},
	{CA_UNKNOWN, -1, true, CA_ORIGIN_LIVE, CA_UNKNOWN},
	{CA_UNKNOWN, -1, false, CA_ORIGIN_LIVE, CA_NO},
	{CA_UNKNOWN, -1, true, CA_ORIGIN_SIMULATED, CA_NO},
	{CA_UNKNOWN, -1, true, CA_ORIGIN_VIRTUAL, CA_UNKNOWN},
};

START_TEST(the_cache_is)
{
	struct ca_judge_case c;

	case_good(&t);
	t.evidence.origin = caches[_i].origin;
	t.evidence.speed.cache_on = caches[_i].measured;
	set_bits(&t, CA_REGISTER_SSR, 330, 330, caches[_i].offered);
	if (caches[_i].fact >= 0)
		set_fact(&t.evidence, CA_HOST_CACHE, caches[_i].fact, "");
	c = view();
	ck_assert_int_eq(ca_judge_cache_state(&c), caches[_i].expected);
}
END_TEST

static const struct {
	enum ca_claim_kind kind;
	uint64_t value, limit;
	const char *timing;
	const char *because; /* NULL = this host can */
} reach[] = {
	{CA_CLAIM_APP_CLASS, 1, 0, "sd uhs DDR50", NULL},
	{CA_CLAIM_APP_CLASS, 2, 0, "sd uhs DDR50", "no command queue is known to run here"},
	{CA_CLAIM_VIDEO_CLASS, 30, 30000000, "sd uhs DDR50", NULL},
	{CA_CLAIM_VIDEO_CLASS, 30, 30000000, "sd high-speed",
	 "the bus of this host cannot carry it"},
	{CA_CLAIM_VIDEO_CLASS, 60, 60000000, "sd uhs SDR104", "it needs a UHS-II host"},
	{CA_CLAIM_EXPRESS_CLASS, 150, 0, "sd uhs SDR104",
	 "it needs a laboratory with SD Express streams"},
	{CA_CLAIM_SEQ_READ, 200000000, 200000000, "sd uhs SDR104",
	 "the bus of this host cannot carry it"},
	{CA_CLAIM_SEQ_READ, 90000000, 90000000, "sd uhs SDR104", NULL},
	{CA_CLAIM_SEQ_READ, 90000000, 90000000, "", NULL},
};

START_TEST(what_a_host_can_settle)
{
	struct ca_claim claim = {.kind = reach[_i].kind, .value = reach[_i].value};
	struct ca_judge_case c;
	const char *because;

	case_good(&t);
	set_fact(&t.evidence, CA_HOST_BUS_TIMING, 0, reach[_i].timing);
	c = view();
	because = ca_judge_host_cannot(&c, &claim, reach[_i].limit);
	if (!reach[_i].because)
		ck_assert_ptr_null(because);
	else
		ck_assert_str_eq(because, reach[_i].because);
	/* no bus stands before a simulated card */
	t.evidence.origin = CA_ORIGIN_SIMULATED;
	ck_assert_ptr_null(ca_judge_host_cannot(&c, &claim, reach[_i].limit));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("judge_host");
	TCase *tcase = tcase_create("judge_host");

	tcase_add_loop_test(tcase, a_card_bus_carries, 0, (int)CA_ARRAY_LEN(buses));
	tcase_add_loop_test(tcase, a_pcie_link_carries, 0, (int)CA_ARRAY_LEN(links));
	tcase_add_loop_test(tcase, usb_has_a_limit_and_no_mode, 0, (int)CA_ARRAY_LEN(readers));
	tcase_add_test(tcase, a_virtual_device_has_no_bus);
	tcase_add_loop_test(tcase, the_queue_runs, 0, (int)CA_ARRAY_LEN(queues));
	tcase_add_loop_test(tcase, the_cache_is, 0, (int)CA_ARRAY_LEN(caches));
	tcase_add_loop_test(tcase, what_a_host_can_settle, 0, (int)CA_ARRAY_LEN(reach));
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
