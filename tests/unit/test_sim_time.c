/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim.h"

#include <check.h>
#include <stdlib.h>

static struct ca_sim_service new_service(uint64_t iops, uint64_t rate, uint32_t queue_depth)
{
	struct ca_sim_spec spec = {
		.read_iops = iops, .write_iops = iops, .read_rate = rate, .write_rate = rate};
	struct ca_sim_service service;

	spec.queue_depth = queue_depth;
	ca_sim_service_init(&service, &spec);
	return service;
}

/* When `count` operations are complete, `depth` of them always in flight. */
static uint64_t run(struct ca_sim_service *service, enum ca_io_op op, uint64_t bytes,
		    unsigned int depth, uint64_t count)
{
	uint64_t in_flight[CA_SIM_QUEUE_MAX], now = 0;
	unsigned int used = 0;

	for (uint64_t i = 0; i < count + depth; i++) {
		unsigned int first = 0;

		if (i < depth) {
			in_flight[used++] = ca_sim_service_book(service, op, bytes, 0, 0);
			continue;
		}
		for (unsigned int j = 1; j < used; j++)
			if (in_flight[j] < in_flight[first])
				first = j;
		now = in_flight[first];
		in_flight[first] = ca_sim_service_book(service, op, bytes, 0, now);
	}
	return now;
}

static const struct {
	uint64_t iops, rate, bytes;
	uint32_t servers;
	unsigned int depth;
	uint64_t count, ns;
} exact[] = {
	/* 4 KiB at random: exactly the IOPS asked for, over one second and over ten minutes */
	{1200, 30000000, 4096, 1, 1, 1200, 1000000000},
	{1200, 30000000, 4096, 1, 1, 720000, 600000000000},
	{3200, 90000000, 4096, 1, 1, 3200, 1000000000},
	{7, 90000000, 4096, 1, 1, 70, 10000000000},
	/* a deeper queue of the host does not make a card of depth 1 faster */
	{1200, 30000000, 4096, 1, 4, 1200, 1000000000},
	{1200, 30000000, 4096, 1, 32, 1200, 1000000000},
	/* four at once */
	{1200, 30000000, 4096, 4, 4, 4800, 1000000000},
	{1200, 30000000, 4096, 4, 32, 4800, 1000000000},
	{1000, 90000000, 4096, 32, 4, 4000, 1000000000},
	/* thirty-two at once would be 38400 IOPS, more than 40.96 MB/s carry: 10000 */
	{1200, 40960000, 4096, 32, 32, 10000, 1000000000},
	/* sequential 4 MiB: exactly the rate, at any depth */
	{1200, 30000000, 4194304, 1, 1, 3000, 419430400000},
	{1200, 30000000, 4194304, 4, 4, 3000, 419430400000},
	{1200, 30000000, 4194304, 32, 32, 3000, 419430400000},
	{1200, 41943040, 524288, 1, 1, 80, 1000000000},
};

START_TEST(times_are_exact)
{
	struct ca_sim_service service =
		new_service(exact[_i].iops, exact[_i].rate, exact[_i].servers);
	uint64_t ns = run(&service, CA_IO_WRITE, exact[_i].bytes, exact[_i].depth, exact[_i].count);
	uint64_t away = ns > exact[_i].ns ? ns - exact[_i].ns : exact[_i].ns - ns;

	/* depth 1 to the nanosecond; a pipeline to the length of the pipeline, below 0.1 % */
	if (exact[_i].depth == 1)
		ck_assert_uint_eq(ns, exact[_i].ns);
	else
		ck_assert_msg(away <= exact[_i].ns / 1000, "%llu", (unsigned long long)ns);
}
END_TEST

START_TEST(depth_overlaps_access_but_shares_the_bus)
{
	struct ca_sim_service service = new_service(1000, 4096000, 2); /* 1 ms access, 1 ms bus */

	ck_assert_uint_eq(ca_sim_service_book(&service, CA_IO_READ, 4096, 0, 0), 1000000);
	ck_assert_uint_eq(ca_sim_service_book(&service, CA_IO_READ, 4096, 0, 0), 2000000);
	ck_assert_uint_eq(ca_sim_service_book(&service, CA_IO_READ, 4096, 0, 0), 3000000);
	/* an idle card starts at once */
	ck_assert_uint_eq(ca_sim_service_book(&service, CA_IO_READ, 512, 0, 9000000), 10000000);
}
END_TEST

START_TEST(reads_and_writes_have_their_own_figures)
{
	struct ca_sim_spec spec = {.read_iops = 2000, .write_iops = 500, .queue_depth = 1};
	struct ca_sim_service service;

	ca_sim_service_init(&service, &spec);
	ck_assert_uint_eq(ca_sim_service_book(&service, CA_IO_READ, 4096, 0, 0), 500000);
	ck_assert_uint_eq(ca_sim_service_book(&service, CA_IO_WRITE, 4096, 0, 500000), 2500000);
}
END_TEST

START_TEST(figures_that_are_not_given)
{
	struct ca_sim_spec spec = {.announced_bytes = CA_GIB};
	struct ca_sim_service service;

	ca_sim_service_init(&service, &spec);
	ck_assert_uint_eq(ca_sim_service_book(&service, CA_IO_WRITE, 4096, 0, 0),
			  CA_NS_PER_SECOND / CA_SIM_WRITE_IOPS);
	ca_sim_service_init(&service, &spec);
	ck_assert_uint_eq(ca_sim_service_book(&service, CA_IO_READ, 8 * CA_SIM_READ_RATE, 0, 0),
			  8 * CA_NS_PER_SECOND);
}
END_TEST

/* 25 MB/s for 1,000,000 bytes, then 1 MB/s; reading knows no cliff. */
START_TEST(a_cliff)
{
	struct ca_sim_spec spec = {.write_iops = 1000000,
				   .write_rate = 25000000,
				   .cliff_bytes = 1000000,
				   .cliff_rate = 1000000};
	struct ca_sim_service service;

	ca_sim_service_init(&service, &spec);
	ck_assert_uint_eq(ca_sim_service_book(&service, CA_IO_WRITE, 500000, 0, 0), 20000000);
	ck_assert_uint_eq(ca_sim_service_book(&service, CA_IO_WRITE, 600000, 0, 20000000),
			  140000000);
	ck_assert_uint_eq(ca_sim_service_book(&service, CA_IO_WRITE, 1000, 0, 140000000),
			  141000000);
	ck_assert_uint_eq(ca_sim_service_book(&service, CA_IO_READ, CA_SIM_READ_RATE, 0, 141000000),
			  1141000000);
}
END_TEST

/* A full store says itself what goes slowly; without a rate for it that is a tenth. */
START_TEST(slow_bytes)
{
	struct ca_sim_spec spec = {.write_iops = 1000000, .write_rate = 9999990};
	struct ca_sim_service service;

	ca_sim_service_init(&service, &spec);
	ck_assert_uint_eq(ca_sim_service_book(&service, CA_IO_WRITE, 1000000, 1000000, 0),
			  CA_NS_PER_SECOND);
	ck_assert_uint_eq(ca_sim_service_book(&service, CA_IO_WRITE, 1000, 4000, CA_NS_PER_SECOND),
			  CA_NS_PER_SECOND + 1000000); /* more than came: from a cache */
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sim_time");
	TCase *tcase = tcase_create("sim_time");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, times_are_exact, 0, (int)CA_ARRAY_LEN(exact));
	tcase_add_test(tcase, depth_overlaps_access_but_shares_the_bus);
	tcase_add_test(tcase, reads_and_writes_have_their_own_figures);
	tcase_add_test(tcase, figures_that_are_not_given);
	tcase_add_test(tcase, a_cliff);
	tcase_add_test(tcase, slow_bytes);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
