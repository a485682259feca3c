/* SPDX-License-Identifier: BSD-2-Clause */
#include "speed_place.h"

#include "unit/ram_device.h"

#include <check.h>

#define CELLS 256U

static struct ram_device ram;
static struct ca_speed_options options;
static uint64_t hits[CELLS], trail;

static void look(enum ca_io_op op, uint64_t offset, uint64_t bytes, const uint8_t *out)
{
	(void)op;
	(void)bytes;
	(void)out;
	hits[offset / 4096 % CELLS]++;
	trail = trail * 31 + offset;
}

static void set_up(void)
{
	ram_init(&ram, CELLS * 4096, 512, 16);
	ram.on_transfer = look;
	options = (struct ca_speed_options){.seed = 5};
	memset(hits, 0, sizeof(hits));
	trail = 0;
}

static void tear_down(void)
{
	ca_device_close(&ram.device);
}

static struct ca_speed_engine *engine_on(struct ca_speed_places *places)
{
	struct ca_speed_engine *engine = ca_speed_place_engine(&ram.device, &options, places);

	ck_assert_ptr_nonnull(engine);
	engine->what = "test";
	engine->block_bytes = 4096;
	engine->queue_depth = 1;
	return engine;
}

/*
 * Pearson's sum over 256 blocks hit 256 times each on average: of a uniform choice it lies between
 * 190 and 330 but for one time in a thousand (255 degrees of freedom). The seeds are fixed: it is
 * the same in each run.
 */
START_TEST(random_places_are_uniform)
{
	struct ca_speed_places places = {.random = true,
					 .blocks = CELLS,
					 .bounded = true,
					 .left = CELLS * 256,
					 .rng = (uint64_t)_i * 977};
	struct ca_speed_engine *engine = engine_on(&places);
	uint64_t squares = 0;

	ck_assert_int_eq(ca_speed_place_run(engine), 0);
	ck_assert_uint_eq(engine->operations, CELLS * 256);
	for (size_t i = 0; i < CELLS; i++) {
		uint64_t off = hits[i] > 256 ? hits[i] - 256 : 256 - hits[i];

		squares += off * off;
	}
	ck_assert_uint_ge(squares / 256, 190);
	ck_assert_uint_le(squares / 256, 330);
	free(engine);
}
END_TEST

START_TEST(a_seed_gives_the_same_places)
{
	uint64_t trails[3];

	for (unsigned int i = 0; i < 3; i++) {
		struct ca_speed_places places = {.random = true,
						 .blocks = CELLS,
						 .bounded = true,
						 .left = 1000,
						 .rng = i == 2 ? 8 : 7};
		struct ca_speed_engine *engine = engine_on(&places);

		trail = 0;
		ck_assert_int_eq(ca_speed_place_run(engine), 0);
		trails[i] = trail;
		free(engine);
	}
	ck_assert_uint_eq(trails[0], trails[1]);
	ck_assert_uint_ne(trails[0], trails[2]);
}
END_TEST

START_TEST(in_order_it_goes_round)
{
	struct ca_speed_places places = {.offset = 8192, .blocks = 4, .bounded = true, .left = 10};
	struct ca_speed_engine *engine = engine_on(&places);

	ck_assert_int_eq(ca_speed_place_run(engine), 0);
	ck_assert_uint_eq(hits[2], 3);
	ck_assert_uint_eq(hits[3], 3);
	ck_assert_uint_eq(hits[4], 2);
	ck_assert_uint_eq(hits[5], 2);
	ck_assert_uint_eq(hits[6], 0);
	free(engine);
}
END_TEST

/* Two transfers and a part of the third fit: the time counts to the end of the third. */
START_TEST(runs_are_averaged_to_their_last_transfer)
{
	struct ca_speed_places places = {.blocks = CELLS};
	struct ca_speed_engine *engine = engine_on(&places);

	ram.op_ns = 400000000;
	engine->duration_ns = CA_NS_PER_SECOND;
	for (unsigned int i = 1; i <= 2; i++) {
		ck_assert_int_eq(ca_speed_place_run(engine), 0);
		ck_assert_uint_eq(engine->operations, 3);
		ck_assert_uint_eq(engine->elapsed_ns, 1200000000);
		ck_assert_uint_eq(ca_speed_place_rate(engine), 10240);
		ck_assert_uint_eq(engine->histogram.count, i * 3);
	}
	free(engine);
}
END_TEST

START_TEST(nothing_moved_has_no_rate)
{
	struct ca_speed_places places = {.blocks = CELLS, .bounded = true, .left = 5};
	struct ca_speed_engine *engine = engine_on(&places);

	ram.bad_read = (struct ram_range){0, CELLS * 8};
	ck_assert_int_eq(ca_speed_place_run(engine), 0);
	ck_assert_uint_eq(engine->errors, 5);
	ck_assert_uint_eq(ca_speed_place_rate(engine), 0);
	free(engine);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("speed_place");
	TCase *tcase = tcase_create("speed_place");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_loop_test(tcase, random_places_are_uniform, 1, 6);
	tcase_add_test(tcase, a_seed_gives_the_same_places);
	tcase_add_test(tcase, in_order_it_goes_round);
	tcase_add_test(tcase, runs_are_averaged_to_their_last_transfer);
	tcase_add_test(tcase, nothing_moved_has_no_rate);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
