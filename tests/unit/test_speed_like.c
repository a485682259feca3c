/* SPDX-License-Identifier: BSD-2-Clause */
#include "unit/ram_device.h"

#include "cardassay/speed.h"

#include <check.h>

static struct ram_device ram, cache; /* the device, and the way through memory: ten times as fast */
static struct ca_survey_evidence *survey;
static struct ca_speed_options options;
static bool gone;

static void set_up(void)
{
	ram_init(&ram, 16 * CA_MIB, 512, 16);
	ram_init(&cache, 16 * CA_MIB, 512, 16);
	ram.byte_ns_x1000 = 50000; /* 20 MB/s */
	cache.byte_ns_x1000 = 5000;
	options = (struct ca_speed_options){.seed = 9};
	survey = calloc(1, sizeof(*survey));
	ck_assert_ptr_nonnull(survey);
	gone = false;
}

static void tear_down(void)
{
	free(survey);
	ca_device_close(&ram.device);
	ca_device_close(&cache.device);
}

static const struct {
	enum ca_like_tool tool;
	bool cached, writes;
	unsigned int parts;
	enum ca_like_part first;
	uint32_t depth;
} tools[] = {
	{CA_LIKE_HDPARM, true, false, 2, CA_LIKE_HDPARM_CACHED, 1},
	{CA_LIKE_DD, true, true, 2, CA_LIKE_DD_WRITE, 1},
	{CA_LIKE_IOZONE, false, true, 4, CA_LIKE_IOZONE_WRITE, 1},
	{CA_LIKE_SDTEST, false, true, 3, CA_LIKE_SDTEST_WRITE, 4},
};

START_TEST(each_tool_has_its_parts)
{
	bool cached = tools[_i].cached;

	ck_assert(ca_like_tool_is_cached(tools[_i].tool) == cached);
	ck_assert(ca_like_tool_writes(tools[_i].tool) == tools[_i].writes);
	ck_assert_int_eq(ca_speed_run_like(&ram.device, cached ? &cache.device : NULL,
					   tools[_i].tool, &options, survey, &gone),
			 0);
	ck_assert(!gone && !survey->interrupted);
	ck_assert_uint_eq(survey->like_count, tools[_i].parts);
	for (unsigned int i = 0; i < survey->like_count; i++) {
		const struct ca_survey_like *like = &survey->likes[i];
		uint64_t own = like->own_bytes_per_second;

		ck_assert_int_eq(like->part, (int)(tools[_i].first + i));
		ck_assert_uint_eq(like->queue_depth, tools[_i].depth);
		ck_assert(like->page_cache == cached);
		/* a microsecond a transfer beside the bytes */
		ck_assert_uint_gt(own, 19800000);
		ck_assert_uint_le(own, 20000000);
		ck_assert((like->bytes_per_second > 5 * own) == cached);
		ck_assert_uint_gt(like->total_bytes, 0);
	}
	ck_assert(tools[_i].writes || ram.data[0] == 0);
}
END_TEST

/* Through the cache, in its pieces, all of the device that fits; and what dd left is written out.
 */
START_TEST(dd_moves_its_file)
{
	ck_assert_int_eq(
		ca_speed_run_like(&ram.device, &cache.device, CA_LIKE_DD, &options, survey, &gone),
		0);
	ck_assert_uint_eq(survey->likes[0].block_bytes, 512000);
	ck_assert_uint_eq(survey->likes[0].total_bytes, 16 * CA_MIB / 512000 * 512000);
	ck_assert_uint_eq(survey->likes[1].total_bytes, 16 * CA_MIB / 512000 * 512000);
	ck_assert_uint_eq(cache.flushes, 1);
	ck_assert_uint_eq(cache.drops, 1);
}
END_TEST

static int call_off(void *context, const struct ca_speed_progress *progress)
{
	(void)context;
	return !progress->finished;
}

START_TEST(called_off_it_keeps_what_it_has)
{
	options.progress = call_off;
	ck_assert_int_eq(
		ca_speed_run_like(&ram.device, NULL, CA_LIKE_IOZONE, &options, survey, &gone), 0);
	ck_assert(survey->interrupted && !gone);
	ck_assert_uint_eq(survey->like_count, 1);
	ck_assert_uint_gt(survey->likes[0].bytes_per_second, 0);
	ck_assert_uint_eq(survey->likes[0].own_bytes_per_second, 0);
}
END_TEST

START_TEST(a_device_that_leaves_ends_it)
{
	ram.gone_after = 100;
	ck_assert_int_eq(
		ca_speed_run_like(&ram.device, NULL, CA_LIKE_SDTEST, &options, survey, &gone), 0);
	ck_assert(gone);
	ck_assert_uint_lt(survey->like_count, 3);
}
END_TEST

START_TEST(too_small_is_refused)
{
	ram.device.geometry.bytes = CA_MIB;
	ck_assert_int_eq(
		ca_speed_run_like(&ram.device, NULL, CA_LIKE_IOZONE, &options, survey, &gone),
		-EINVAL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("speed_like");
	TCase *tcase = tcase_create("speed_like");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_loop_test(tcase, each_tool_has_its_parts, 0, (int)CA_ARRAY_LEN(tools));
	tcase_add_test(tcase, dd_moves_its_file);
	tcase_add_test(tcase, called_off_it_keeps_what_it_has);
	tcase_add_test(tcase, a_device_that_leaves_ends_it);
	tcase_add_test(tcase, too_small_is_refused);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
