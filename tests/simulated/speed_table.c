/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The speed table: what a card's service-time model says must be measured, at queue depth 1 and 32,
 * and on both sides of a class limit.
 */
#include "cardassay/host.h"
#include "cardassay/speed.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define PERMILLE_OFF 1U /* how far a figure may be from the model */

static const struct row {
	const char *name, *spec;
	bool random, write;
	uint32_t queue_depth;
	uint64_t expected; /* IOPS, or B/s */
} rows[] = {
	{"A1 limit, read", "announced=1G,read-iops=1500,read-rate=90M", true, false, 1, 1500},
	{"A1 limit, write", "announced=1G,write-iops=500,write-rate=30M", true, true, 1, 500},
	{"just below A1, read", "announced=1G,read-iops=1499,read-rate=90M", true, false, 1, 1499},
	{"just below A1, write", "announced=1G,write-iops=499,write-rate=30M", true, true, 1, 499},
	{"one server, depth 32", "announced=1G,read-iops=3200,read-rate=90M", true, false, 32,
	 3200},
	{"A2, 32 servers, depth 1", "announced=1G,read-iops=2000,read-rate=90M,queue-depth=32",
	 true, false, 1, 2000},
	{"A2, 32 servers, depth 32, read",
	 "announced=1G,read-iops=500,read-rate=90M,queue-depth=32", true, false, 32, 16000},
	{"A2, 32 servers, depth 32, write",
	 "announced=1G,write-iops=125,write-rate=60M,queue-depth=32", true, true, 32, 4000},
	{"sequential write", "announced=1G,write-rate=30M", false, true, 1, 30000000},
	{"sequential write, depth 32", "announced=1G,write-rate=10M,queue-depth=32", false, true,
	 32, 10000000},
	{"sequential read", "announced=1G,read-rate=90M", false, false, 1, 90000000},
};

static struct ca_device *open_card(const char *text)
{
	struct ca_error error = {0};
	struct ca_device *device = NULL;
	struct ca_sim_spec spec;

	ck_assert_msg(ca_sim_parse(text, &spec, &error) == 0, "%s", error.text);
	ck_assert_msg(ca_sim_open(&spec, &device, &error) == 0, "%s", error.text);
	return device;
}

static uint64_t measure_random(struct ca_device *device, const struct row *row)
{
	const struct ca_speed_options options = {.seed = 1};
	const struct ca_speed_random_plan plan = {
		.write = row->write,
		.range_offset = 64 * CA_MIB,
		.range_bytes = 256 * CA_MIB,
		.block_bytes = 4096,
		.queue_depth = row->queue_depth,
		.duration_ns = 20 * CA_NS_PER_SECOND,
	};
	struct ca_speed_random result;
	bool gone;

	ck_assert_int_eq(ca_speed_random(device, &plan, &options, &result, &gone), 0);
	ck_assert(!gone && result.errors == 0);
	ck_assert_uint_eq(result.duration_ns, plan.duration_ns);
	return result.milliiops;
}

static uint64_t measure_sequential(struct ca_device *device, const struct row *row)
{
	const struct ca_speed_options options = {.seed = 1};
	const struct ca_speed_sequential_plan plan = {
		.write = row->write,
		.offset = 64 * CA_MIB,
		.bytes = 256 * CA_MIB,
		.request_bytes = (uint32_t)(4 * CA_MIB),
		.queue_depth = row->queue_depth,
		.window_bytes = 8 * CA_MIB,
	};
	struct ca_speed_sequential result;
	bool gone;

	ck_assert_int_eq(ca_speed_sequential(device, &plan, &options, &result, &gone), 0);
	ck_assert(!gone && result.errors == 0);
	/* depth fills the queue first: only then is each window as fast as the whole */
	if (row->queue_depth == 1)
		ck_assert_uint_ge(result.min_window_bytes_per_second,
				  result.bytes_per_second / 1000 * (1000 - PERMILLE_OFF));
	return result.bytes_per_second * 1000;
}

START_TEST(figures_are_the_model_s)
{
	const struct row *row = &rows[_i];
	struct ca_device *device = open_card(row->spec);
	uint64_t want = row->expected * 1000;
	uint64_t got = row->random ? measure_random(device, row) : measure_sequential(device, row);

	printf("%-32s depth %-2" PRIu32 " expected %10" PRIu64 " measured %10" PRIu64 ".%03" PRIu64
	       " %s\n",
	       row->name, row->queue_depth, row->expected, got / 1000, got % 1000,
	       row->random ? "IOPS" : "B/s");
	(void)fflush(stdout);
	ca_device_close(device);
	ck_assert_uint_ge(got, want / 1000 * (1000 - PERMILLE_OFF));
	ck_assert_uint_le(got, want / 1000 * (1000 + PERMILLE_OFF));
	/* a class limit is decided on the right side of it */
	ck_assert(row->queue_depth > 1 || (got >= 1500000) == (want >= 1500000) || !row->random);
	ck_assert(row->queue_depth > 1 || (got >= 500000) == (want >= 500000) || !row->random);
}
END_TEST

START_TEST(classes_of_a_named_card)
{
	struct ca_device *device = open_card("genuine-4g");
	const struct ca_speed_class_plan plan = {
		.random_ns = 60 * CA_NS_PER_SECOND,
		.sequential_bytes = CA_GIB,
		.au_bytes = 4 * CA_MIB,
		.su_bytes = 8 * CA_MIB,
		.preconditioned_ppm = 1000000,
	};
	const struct ca_speed_options options = {.seed = 1};
	struct ca_speed_evidence speed = {0};
	bool gone;

	ck_assert_int_eq(ca_speed_run_classes(device, &plan, &options, &speed, &gone), 0);
	ck_assert_uint_eq(speed.random_count, 2);
	ck_assert_uint_eq(speed.sequential_count, 4);
	ck_assert_uint_eq((speed.random[0].milliiops + 500) / 1000, 1200);
	ck_assert_uint_eq((speed.random[1].milliiops + 500) / 1000, 3200);
	ck_assert(speed.random[0].range_written && speed.random[0].range_bytes == 256 * CA_MIB);
	ck_assert_uint_eq((speed.sequential[0].bytes_per_second + 50000) / 100000, 300);
	/* 33.3 ns a byte are no whole ns a window: a card at the limit of U3 and V30 reaches it */
	ck_assert_uint_ge(speed.sequential[1].min_window_bytes_per_second, 30000000);
	ck_assert_uint_ge(speed.sequential[2].min_window_bytes_per_second, 30000000);
	ck_assert_uint_lt(speed.sequential[2].min_window_bytes_per_second, 30000010);
	ca_device_close(device);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("speed table");
	TCase *tcase = tcase_create("speed table");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_set_timeout(tcase, 300);
	tcase_add_loop_test(tcase, figures_are_the_model_s, 0, (int)CA_ARRAY_LEN(rows));
	tcase_add_test(tcase, classes_of_a_named_card);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
