/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim_rig.h"

#define LIMBO "announced=1G,kind=limbo,real=32K"

START_TEST(lost_sectors_read_true_until_overrun)
{
	struct ca_sim_layer *top = new_stack(LIMBO ",cache=4K");

	(void)put_many(top, 1000, 4, 100);
	for (uint64_t i = 0; i < 4; i++)
		ck_assert_uint_eq(get(top, 1000 + i), 100 + i);
	(void)put_many(top, 10, 4, 200); /* full now */
	ck_assert_uint_eq(get(top, 1000), 100);
	(void)put_many(top, 20, 1, 300); /* one more: the oldest leaves, and is lost */
	ck_assert_uint_eq(get(top, 1000), 0);
	ck_assert_uint_eq(get(top, 1001), 101);
	(void)put_many(top, 30, 3, 400);
	ck_assert_uint_eq(get(top, 1003), 0);
	(void)put_many(top, 40, 8, 500); /* everything else left too, and is kept */
	for (uint64_t i = 0; i < 4; i++)
		ck_assert_uint_eq(get(top, 10 + i), 200 + i);
	ck_assert_uint_eq(get(top, 20), 300);
	ck_assert_uint_eq(get(top, 32), 402);
	ca_sim_stack_free(top);
}
END_TEST

START_TEST(rewriting_renews_a_sector)
{
	struct ca_sim_layer *top = new_stack(LIMBO ",cache=2K");

	(void)put_many(top, 1000, 1, 1);
	(void)put_many(top, 1001, 1, 2);
	(void)put_many(top, 1000, 1, 3); /* now the newest */
	ck_assert_uint_eq(get(top, 1000), 3);
	(void)put_many(top, 5, 2, 9); /* the old place of 1000 and 1001 are used again */
	ck_assert_uint_eq(get(top, 1000), 3);
	ck_assert_uint_eq(get(top, 1001), 2);
	(void)put_many(top, 7, 1, 9);
	ck_assert_uint_eq(get(top, 1001), 0);
	ck_assert_uint_eq(get(top, 1000), 3);
	(void)put_many(top, 8, 1, 9);
	ck_assert_uint_eq(get(top, 1000), 0);
	ca_sim_stack_free(top);
}
END_TEST

START_TEST(aliases_show_only_after_eviction)
{
	struct ca_sim_layer *top = new_stack("announced=1G,kind=wrap,real=32K,cache=1K");

	(void)put_many(top, 0, 1, 1);
	(void)put_many(top, 64, 1, 2); /* the same place */
	ck_assert_uint_eq(get(top, 0), 1);
	ck_assert_uint_eq(get(top, 64), 2);
	(void)put_many(top, 5, 2, 7);
	ck_assert_uint_eq(get(top, 0), 2);
	ck_assert_uint_eq(get(top, 64), 2);
	ca_sim_stack_free(top);
}
END_TEST

START_TEST(a_request_larger_than_the_cache)
{
	struct ca_sim_layer *top = new_stack(LIMBO ",cache=1536");
	uint8_t found[16 * SECTOR];

	(void)put_many(top, 56, 16, 1000); /* 8 real ones, then 8 lost ones */
	(void)read_many(top, 56, 16, found);
	for (uint64_t i = 0; i < 16; i++) /* real, lost, still cached: in one read */
		ck_assert_uint_eq(ca_le64(found + i * SECTOR), i < 8 || i >= 13 ? 1000 + i : 0);
	ca_sim_stack_free(top);
}
END_TEST

#define MODEL_SECTORS 200U

/* Against a plain list of the last writes: any order of writes and reads gives the same. */
START_TEST(agrees_with_a_simple_model)
{
	struct ca_sim_layer *top =
		new_stack("announced=1M,kind=limbo,real=50K,cache=18944"); /* 100 sectors real */
	uint64_t state = 42 + (uint64_t)_i;
	static uint64_t order_lba[20000], order_value[20000];
	size_t written = 0;

	for (uint64_t step = 1; step < 1200; step++) {
		uint64_t count = 1 + ca_rng_below(&state, 16);
		uint64_t lba = ca_rng_below(&state, MODEL_SECTORS - count);

		(void)put_many(top, lba, count, step * 100);
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
			ck_assert_uint_eq(get(top, at), kept ? order_value[newest - 1] : 0);
		}
	}
	ca_sim_stack_free(top);
}
END_TEST

/* Writes that follow the one before pass by the cache of the others, and the other way round. */
START_TEST(random_and_sequential_writes)
{
	struct ca_sim_layer *top = new_stack(LIMBO ",cache=4K,cache-random=1K");

	put(top, 1000, 1); /* random: 2 sectors of cache */
	put(top, 2000, 2);
	(void)put_many(top, 2001, 8, 50); /* follows: 8 sectors of cache */
	ck_assert_uint_eq(get(top, 1000), 1);
	ck_assert_uint_eq(get(top, 2000), 2);
	ck_assert_uint_eq(get(top, 2001), 50);
	put(top, 3000, 3);
	ck_assert_uint_eq(get(top, 1000), 0); /* the oldest of two random ones left */
	ck_assert_uint_eq(get(top, 2001), 50);
	put(top, 2001, 99); /* moves from one to the other */
	ck_assert_uint_eq(get(top, 2001), 99);
	put(top, 4000, 4);
	put(top, 5000, 5);
	ck_assert_uint_eq(get(top, 2001), 0); /* and no older content is left behind */
	ca_sim_stack_free(top);
}
END_TEST

START_TEST(sequential_writes_pass_a_cache_of_random_ones)
{
	struct ca_sim_layer *top = new_stack(LIMBO ",cache-random=1K");

	put(top, 1000, 1);
	put(top, 1001, 2); /* follows */
	ck_assert_uint_eq(get(top, 1000), 1);
	ck_assert_uint_eq(get(top, 1001), 0);
	ca_sim_stack_free(top);
}
END_TEST

START_TEST(power_empties_it_into_the_cells)
{
	struct ca_sim_layer *top = new_stack(LIMBO ",cache=4K");

	put(top, 1000, 1);
	put(top, 5, 2);
	ck_assert_int_eq(ca_sim_stack_power(top, NULL), 0);
	ck_assert_uint_eq(get(top, 1000), 0);
	ck_assert_uint_eq(get(top, 5), 2);
	put(top, 1001, 3); /* and it goes on */
	ck_assert_uint_eq(get(top, 1001), 3);
	ca_sim_stack_free(top);
}
END_TEST

START_TEST(a_card_that_dies_of_what_leaves_the_cache)
{
	struct ca_sim_layer *top = new_stack("announced=1G,kind=thin,real=1K,full=death,cache=1K");

	(void)put_many(top, 0, 2, 1);
	(void)put_many(top, 10, 2, 1);
	check_call(put_many(top, 20, 2, 1), CA_IO_GONE, 20, 2);
	ca_sim_stack_free(top);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("sim_cache");

	tcase_add_test(tcase, lost_sectors_read_true_until_overrun);
	tcase_add_test(tcase, rewriting_renews_a_sector);
	tcase_add_test(tcase, aliases_show_only_after_eviction);
	tcase_add_test(tcase, a_request_larger_than_the_cache);
	tcase_add_loop_test(tcase, agrees_with_a_simple_model, 0, 5);
	tcase_add_test(tcase, random_and_sequential_writes);
	tcase_add_test(tcase, sequential_writes_pass_a_cache_of_random_ones);
	tcase_add_test(tcase, power_empties_it_into_the_cells);
	tcase_add_test(tcase, a_card_that_dies_of_what_leaves_the_cache);
	return run_tests(tcase);
}
