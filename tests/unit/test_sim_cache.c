/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR 512U

/* A counterfeit of 64 sectors behind a cache of `slots` sectors. */
struct rig {
	struct ca_sim_medium *medium;
	struct ca_sim_cache *cache;
};

static struct rig new_rig(const char *text, uint64_t slots)
{
	struct ca_sim_spec spec;
	struct rig rig;

	ck_assert_int_eq(ca_sim_parse(text, &spec, NULL), 0);
	ck_assert_int_eq(ca_sim_medium_new(&spec, &rig.medium), 0);
	ck_assert_int_eq(ca_sim_cache_new(rig.medium, slots * SECTOR, SECTOR, &rig.cache), 0);
	return rig;
}

static void free_rig(struct rig *rig)
{
	ca_sim_cache_free(rig->cache);
	ca_sim_medium_free(rig->medium);
}

/* `count` sectors, each full of value, value + 1 ... */
static void put(struct rig *rig, uint64_t lba, uint64_t count, uint64_t value)
{
	uint8_t data[16 * SECTOR];

	for (size_t i = 0; i < count * SECTOR; i += 8)
		ca_put_le64(data + i, value + i / SECTOR);
	ck_assert_int_eq(ca_sim_cache_write(rig->cache, lba * SECTOR, count * SECTOR, data, NULL),
			 0);
}

static uint64_t get(struct rig *rig, uint64_t lba)
{
	uint8_t data[SECTOR];

	ck_assert_int_eq(ca_sim_cache_read(rig->cache, lba * SECTOR, SECTOR, data, NULL), 0);
	return ca_le64(data);
}

#define LIMBO "announced=1G,kind=limbo,real=32K"

START_TEST(lost_sectors_read_true_until_overrun)
{
	struct rig rig = new_rig(LIMBO, 8);

	put(&rig, 1000, 4, 100);
	for (uint64_t i = 0; i < 4; i++)
		ck_assert_uint_eq(get(&rig, 1000 + i), 100 + i);
	put(&rig, 10, 4, 200); /* full now */
	ck_assert_uint_eq(get(&rig, 1000), 100);
	put(&rig, 20, 1, 300); /* one more: the oldest leaves, and is lost */
	ck_assert_uint_eq(get(&rig, 1000), 0);
	ck_assert_uint_eq(get(&rig, 1001), 101);
	put(&rig, 30, 3, 400);
	ck_assert_uint_eq(get(&rig, 1003), 0);
	put(&rig, 40, 8, 500); /* everything else left too, and is kept */
	for (uint64_t i = 0; i < 4; i++)
		ck_assert_uint_eq(get(&rig, 10 + i), 200 + i);
	ck_assert_uint_eq(get(&rig, 20), 300);
	ck_assert_uint_eq(get(&rig, 32), 402);
	free_rig(&rig);
}
END_TEST

START_TEST(rewriting_renews_a_sector)
{
	struct rig rig = new_rig(LIMBO, 4);

	put(&rig, 1000, 1, 1);
	put(&rig, 1001, 1, 2);
	put(&rig, 1000, 1, 3); /* now the newest */
	ck_assert_uint_eq(get(&rig, 1000), 3);
	put(&rig, 5, 2, 9); /* the old place of 1000 and 1001 are used again */
	ck_assert_uint_eq(get(&rig, 1000), 3);
	ck_assert_uint_eq(get(&rig, 1001), 2);
	put(&rig, 7, 1, 9);
	ck_assert_uint_eq(get(&rig, 1001), 0);
	ck_assert_uint_eq(get(&rig, 1000), 3);
	put(&rig, 8, 1, 9);
	ck_assert_uint_eq(get(&rig, 1000), 0);
	free_rig(&rig);
}
END_TEST

START_TEST(aliases_show_only_after_eviction)
{
	struct rig rig = new_rig("announced=1G,kind=wrap,real=32K", 2);

	put(&rig, 0, 1, 1);
	put(&rig, 64, 1, 2); /* the same place */
	ck_assert_uint_eq(get(&rig, 0), 1);
	ck_assert_uint_eq(get(&rig, 64), 2);
	put(&rig, 5, 2, 7);
	ck_assert_uint_eq(get(&rig, 0), 2);
	ck_assert_uint_eq(get(&rig, 64), 2);
	free_rig(&rig);
}
END_TEST

START_TEST(a_request_larger_than_the_cache)
{
	struct rig rig = new_rig(LIMBO, 3);
	uint8_t found[16 * SECTOR];

	put(&rig, 56, 16, 1000); /* 8 real ones, then 8 lost ones */
	ck_assert_int_eq(ca_sim_cache_read(rig.cache, 56 * SECTOR, sizeof(found), found, NULL), 0);
	for (uint64_t i = 0; i < 16; i++) /* real, lost, still cached: in one read */
		ck_assert_uint_eq(ca_le64(found + i * SECTOR), i < 8 || i >= 13 ? 1000 + i : 0);
	free_rig(&rig);
}
END_TEST

#define MODEL_SECTORS 200U

/* Against a plain list of the last writes: any order of writes and reads gives the same. */
START_TEST(agrees_with_a_simple_model)
{
	struct rig rig = new_rig("announced=1M,kind=limbo,real=50K", 37); /* 100 sectors real */
	uint64_t state = 42 + (uint64_t)_i;
	static uint64_t order_lba[20000], order_value[20000];
	size_t written = 0;

	for (uint64_t step = 1; step < 1200; step++) {
		uint64_t count = 1 + ca_rng_below(&state, 16);
		uint64_t lba = ca_rng_below(&state, MODEL_SECTORS - count);

		put(&rig, lba, count, step * 100);
		for (uint64_t i = 0; i < count; i++) {
			order_lba[written] = lba + i;
			order_value[written++] = step * 100 + i;
		}
		if (step % 40)
			continue;
		for (uint64_t at = 0; at < MODEL_SECTORS; at++) {
			size_t newest = written;
			bool kept;

			while (newest > 0 && order_lba[newest - 1] != at)
				newest--;
			kept = newest > 0 && (at < 100 || written - newest < 37);
			ck_assert_uint_eq(get(&rig, at), kept ? order_value[newest - 1] : 0);
		}
	}
	free_rig(&rig);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sim_cache");
	TCase *tcase = tcase_create("sim_cache");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tcase, lost_sectors_read_true_until_overrun);
	tcase_add_test(tcase, rewriting_renews_a_sector);
	tcase_add_test(tcase, aliases_show_only_after_eviction);
	tcase_add_test(tcase, a_request_larger_than_the_cache);
	tcase_add_loop_test(tcase, agrees_with_a_simple_model, 0, 5);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
