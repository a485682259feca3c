/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe_job.h"

#include <check.h>
#include <stdlib.h>

static struct ca_probe_job plan_of(uint64_t bytes, uint32_t sector_bytes, uint64_t seed)
{
	const struct ca_geometry geometry = {.bytes = bytes, .sector_bytes = sector_bytes};
	struct ca_probe_job job = {.sector_bytes = sector_bytes, .seed = seed};

	ca_probe_plan_of(&geometry, false, &job.plan);
	ck_assert_int_eq(ca_probe_plan_places(&job), 0);
	job.planned = job.count;
	return job;
}

static bool has_place(const struct ca_probe_job *job, uint64_t offset)
{
	for (size_t i = 0; i < job->count; i++)
		if (offset >= job->places[i].offset &&
		    offset < job->places[i].offset + job->places[i].bytes)
			return true;
	return offset < job->plan.run_bytes;
}

static const struct {
	uint64_t bytes;
	uint32_t sector_bytes;
	uint64_t run, step;
} sizes[] = {
	{512, 512, 0, 0},
	{3584, 512, 0, 0},
	{UINT64_C(134743552), 512, UINT64_C(33685504), UINT64_C(16842752)},
	{UINT64_C(100003840), 4096, UINT64_C(24969216), UINT64_C(12484608)},
	{CA_GIB, 512, 64 * CA_MIB, 32 * CA_MIB},
	{UINT64_C(4000000000), 512, 64 * CA_MIB, 32 * CA_MIB},
	{64 * CA_GIB, 512, 64 * CA_MIB, 32 * CA_MIB},
	{64 * CA_GIB + 512, 512, 128 * CA_MIB, 96 * CA_MIB},
	{1024 * CA_GIB, 512, 128 * CA_MIB, 96 * CA_MIB},
	{UINT64_C(2000398934016), 512, 128 * CA_MIB, 112 * CA_MIB},
};

START_TEST(places_are_whole_and_apart)
{
	struct ca_probe_job job = plan_of(sizes[_i].bytes, sizes[_i].sector_bytes, 5);
	uint64_t end = job.plan.run_bytes, random = 0;

	ck_assert_uint_eq(job.plan.run_bytes, sizes[_i].run);
	ck_assert_uint_eq(job.plan.step_bytes, sizes[_i].step);
	for (size_t i = 0; i < job.count; i++) {
		const struct ca_probe_place *place = &job.places[i];

		ck_assert_uint_ge(place->offset, end);
		ck_assert_uint_gt(place->bytes, 0);
		ck_assert_uint_eq(place->offset % sizes[_i].sector_bytes, 0);
		ck_assert_uint_eq(place->bytes % sizes[_i].sector_bytes, 0);
		end = place->offset + place->bytes;
		random += place->random;
	}
	ck_assert_uint_le(end, sizes[_i].bytes);
	ck_assert_uint_le(job.count, 1400);
	if (sizes[_i].bytes >= 128 * CA_MIB)
		ck_assert_uint_eq(random, 768);
	/* both ends, and the neighbours of each power of two */
	ck_assert(has_place(&job, 0));
	ck_assert(has_place(&job, sizes[_i].bytes - 512));
	for (unsigned int bit = 12; bit < 63 && UINT64_C(1) << bit < sizes[_i].bytes; bit++) {
		ck_assert(has_place(&job, UINT64_C(1) << bit));
		ck_assert(has_place(&job, (UINT64_C(1) << bit) - 512));
	}
	free(job.places);
}
END_TEST

START_TEST(each_stratum_has_its_sample)
{
	struct ca_probe_job job = plan_of(64 * CA_GIB, 512, 9);
	uint64_t last = job.plan.run_bytes, longest = 0, aligned = 0;
	/* two strata, when one has its sample at its begin and the next at its end */
	const uint64_t most = 2 * (64 * CA_GIB / 768) + CA_MIB;

	for (size_t i = 0; i < job.count; i++) {
		aligned += !job.places[i].random && job.places[i].offset % (4 * CA_MIB) == 0;
		if (!job.places[i].random)
			continue;
		if (job.places[i].offset - last > longest)
			longest = job.places[i].offset - last;
		last = job.places[i].offset;
	}
	ck_assert_uint_le(longest, most);
	ck_assert_uint_le(64 * CA_GIB - last, most);
	ck_assert_uint_ge(aligned, 256);
	free(job.places);
}
END_TEST

START_TEST(the_seed_moves_the_samples)
{
	struct ca_probe_job one = plan_of(CA_GIB, 512, 1), same = plan_of(CA_GIB, 512, 1);
	struct ca_probe_job other = plan_of(CA_GIB, 512, 2);
	size_t differ = 0;

	ck_assert_uint_eq(one.count, same.count);
	for (size_t i = 0; i < one.count; i++) {
		ck_assert_uint_eq(one.places[i].offset, same.places[i].offset);
		differ += !has_place(&other, one.places[i].offset);
	}
	ck_assert_uint_gt(differ, 500);
	free(one.places);
	free(same.places);
	free(other.places);
}
END_TEST

START_TEST(costs_are_bounded)
{
	const struct ca_geometry small = {.bytes = 64 * CA_GIB, .sector_bytes = 512};
	const struct ca_geometry large = {.bytes = UINT64_C(2000398934016), .sector_bytes = 512};
	struct ca_probe_cost cost;

	ca_probe_cost_of(&small, false, &cost);
	ck_assert_uint_le(cost.written_bytes, 150000000);
	ck_assert_uint_gt(cost.journal_bytes, cost.run_bytes + cost.samples * 4096);
	ca_probe_cost_of(&large, false, &cost);
	ck_assert_uint_le(cost.written_bytes, 300000000);
	ck_assert_uint_le(cost.reads, 24000);
	ca_probe_cost_of(&large, true, &cost);
	ck_assert_uint_eq(cost.run_bytes, CA_GIB);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("probe_plan");
	TCase *tcase = tcase_create("probe_plan");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, places_are_whole_and_apart, 0, (int)CA_ARRAY_LEN(sizes));
	tcase_add_test(tcase, each_stratum_has_its_sample);
	tcase_add_test(tcase, the_seed_moves_the_samples);
	tcase_add_test(tcase, costs_are_bounded);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
