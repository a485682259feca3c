/* SPDX-License-Identifier: BSD-2-Clause */
#include "unit/ram_device.h"

#include "speed_engine.h"

#include <check.h>

static const struct {
	uint64_t a, b, c, result;
} scales[] = {
	{0, 0, 1, 0},
	{10, 10, 4, 25},
	{7, 3, 2, 10},
	{720000, UINT64_C(1000000000000), UINT64_C(600000000000), 1200000},
	{UINT64_C(1) << 40, 1000000000, 1000000000, UINT64_C(1) << 40},
	{UINT64_C(4000000000000), 1000000000, UINT64_C(12345678901), UINT64_C(324000002922)},
	{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX},
	{UINT64_MAX, 2, 1, UINT64_MAX},
	{UINT64_MAX, UINT64_MAX, 1, UINT64_MAX},
	{UINT64_MAX - 1, UINT64_MAX - 1, UINT64_MAX, UINT64_MAX - 2},
	{1, UINT64_MAX, UINT64_MAX, 1},
};

START_TEST(scaling_is_exact_and_saturates)
{
	ck_assert_uint_eq(ca_speed_scale(scales[_i].a, scales[_i].b, scales[_i].c),
			  scales[_i].result);
}
END_TEST

static bool next_of_ten(struct ca_speed_engine *engine, uint64_t *ret_offset, uint32_t *ret_bytes)
{
	unsigned int *left = engine->context;

	if (*left == 0)
		return false;
	--*left;
	*ret_offset = *left * UINT64_C(4096);
	*ret_bytes = 4096;
	return true;
}

START_TEST(everything_started_is_counted)
{
	struct ca_speed_options options = {0};
	struct ca_speed_engine *engine = calloc(1, sizeof(*engine));
	unsigned int left = 10;
	struct ram_device ram;

	ck_assert_ptr_nonnull(engine);
	ram_init(&ram, CA_MIB, 512, 8);
	ram.newest_first = true;
	engine->device = &ram.device;
	engine->options = &options;
	engine->block_bytes = 4096;
	engine->queue_depth = 100; /* clipped */
	engine->next = next_of_ten;
	engine->context = &left;
	ck_assert_int_eq(ca_speed_engine_run(engine), 0);
	ck_assert_uint_eq(engine->queue_depth, 8);
	ck_assert_uint_eq(engine->operations, 10);
	ck_assert_uint_eq(engine->bytes, 40960);
	ck_assert_uint_eq(engine->elapsed_ns, 10000);
	ca_device_close(&ram.device);
	free(engine);
}
END_TEST

START_TEST(own_failures_come_back)
{
	struct ca_speed_options options = {0};
	struct ca_speed_engine *engine = calloc(1, sizeof(*engine));
	unsigned int left = 10;
	struct ram_device ram;

	ck_assert_ptr_nonnull(engine);
	ram_init(&ram, CA_MIB, 512, 8);
	ram.submit_errno = -EPERM;
	engine->device = &ram.device;
	engine->options = &options;
	engine->block_bytes = 4096;
	engine->queue_depth = 2;
	engine->next = next_of_ten;
	engine->context = &left;
	ck_assert_int_eq(ca_speed_engine_run(engine), -EPERM);
	ca_device_close(&ram.device);
	free(engine);
}
END_TEST

START_TEST(a_lone_request_does_not_go_through_the_queue)
{
	struct ca_speed_options options = {0};
	struct ca_speed_engine *engine = calloc(1, sizeof(*engine));
	unsigned int left = 10;
	struct ram_device ram;

	ck_assert_ptr_nonnull(engine);
	ram_init(&ram, CA_MIB, 512, 8);
	ram.submit_errno = -EPERM;
	engine->device = &ram.device;
	engine->options = &options;
	engine->block_bytes = 4096;
	engine->queue_depth = 1;
	engine->next = next_of_ten;
	engine->context = &left;
	ck_assert_int_eq(ca_speed_engine_run(engine), 0);
	ck_assert_uint_eq(engine->operations, 10);
	ck_assert_uint_eq(engine->bytes, 40960);
	ca_device_close(&ram.device);
	free(engine);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("speed_engine");
	TCase *tcase = tcase_create("speed_engine");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, scaling_is_exact_and_saturates, 0, (int)CA_ARRAY_LEN(scales));
	tcase_add_test(tcase, everything_started_is_counted);
	tcase_add_test(tcase, own_failures_come_back);
	tcase_add_test(tcase, a_lone_request_does_not_go_through_the_queue);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
