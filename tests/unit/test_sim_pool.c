/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim_rig.h"

START_TEST(a_ring_keeps_the_last_ones_wherever_they_are)
{
	struct ca_sim_layer *top = new_stack("announced=2T,kind=ring,real=4K,limbo=ones");

	for (uint64_t i = 0; i < 8; i++)
		put(top, i * 500000000, i + 1);
	for (uint64_t i = 0; i < 8; i++)
		ck_assert_uint_eq(get(top, i * 500000000), i + 1);
	put(top, 7, 70); /* the ninth */
	ck_assert_uint_eq(get(top, 0), UINT64_MAX);
	ck_assert_uint_eq(get(top, 500000000), 2);
	put(top, 7, 71); /* rewriting takes a place as well */
	ck_assert_uint_eq(get(top, 500000000), UINT64_MAX);
	ck_assert_uint_eq(get(top, 7), 71);
	ca_sim_stack_free(top);
}
END_TEST

START_TEST(a_ring_in_one_transfer)
{
	struct ca_sim_layer *top = new_stack("announced=1G,kind=ring,real=4K");
	uint8_t found[40 * SECTOR];

	check_call(put_many(top, 100, 40, 1), CA_IO_OK, 0, 0);
	check_call(read_many(top, 100, 40, found), CA_IO_OK, 0, 0);
	for (uint64_t i = 0; i < 40; i++)
		ck_assert_uint_eq(ca_le64(found + i * SECTOR), i < 32 ? 0 : i + 1);
	ca_sim_stack_free(top);
}
END_TEST

START_TEST(thin_takes_any_address_until_it_is_full)
{
	struct ca_sim_layer *top = new_stack("announced=1T,kind=thin,real=4K");

	for (uint64_t i = 0; i < 6; i++)
		put(top, (i * 300000007) % 2000000000, i + 1);
	put(top, 0, 100); /* the first again: no new place */
	check_call(put_many(top, 1000, 4, 50), CA_IO_ERROR, 1002, 1);
	ck_assert_uint_eq(get(top, 1001), 51); /* all before the fault is done */
	ck_assert_uint_eq(get(top, 1002), 0);
	ck_assert_uint_eq(get(top, 0), 100);
	put(top, 0, 101); /* overwriting goes on */
	ck_assert_uint_eq(get(top, 0), 101);
	check_call(put_many(top, 5000, 1, 1), CA_IO_ERROR, 5000, 1);
	ca_sim_stack_free(top);
}
END_TEST

START_TEST(thin_that_makes_room_slowly)
{
	struct ca_sim_layer *top = new_stack("announced=1T,kind=thin,real=4K,full=slow");

	ck_assert_uint_eq(put_many(top, 0, 8, 1).slow_bytes, 0);
	ck_assert_uint_eq(put_many(top, 4, 4, 21).slow_bytes, 0);
	ck_assert_uint_eq(put_many(top, 100, 3, 31).slow_bytes, 3 * SECTOR);
	ck_assert_uint_eq(get(top, 2), 0); /* the first ones went */
	ck_assert_uint_eq(get(top, 3), 4);
	ck_assert_uint_eq(get(top, 102), 33);
	ca_sim_stack_free(top);
}
END_TEST

START_TEST(thin_that_dies)
{
	struct ca_sim_layer *top = new_stack("announced=1T,kind=thin,real=4K,full=death");

	check_call(put_many(top, 0, 8, 1), CA_IO_OK, 0, 0);
	check_call(put_many(top, 7, 4, 1), CA_IO_GONE, 8, 3);
	ca_sim_stack_free(top);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("sim_pool");

	tcase_add_test(tcase, a_ring_keeps_the_last_ones_wherever_they_are);
	tcase_add_test(tcase, a_ring_in_one_transfer);
	tcase_add_test(tcase, thin_takes_any_address_until_it_is_full);
	tcase_add_test(tcase, thin_that_makes_room_slowly);
	tcase_add_test(tcase, thin_that_dies);
	return run_tests(tcase);
}
