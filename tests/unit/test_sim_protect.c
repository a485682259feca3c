/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim_rig.h"

START_TEST(ignores_further_writes)
{
	struct ca_sim_layer *top = new_stack("announced=1G,protect-after=4K");

	check_call(put_many(top, 0, 6, 1), CA_IO_OK, 0, 0);
	check_call(put_many(top, 100, 4, 11), CA_IO_OK, 0, 0);
	ck_assert_uint_eq(get(top, 101), 12);
	ck_assert_uint_eq(get(top, 102), 0);
	put(top, 0, 99);
	ck_assert_uint_eq(get(top, 0), 1); /* what was there stays */
	ca_sim_stack_free(top);
}
END_TEST

START_TEST(refuses_further_writes)
{
	struct ca_sim_layer *top = new_stack("announced=1G,protect-after=4K,protect=error");

	check_call(put_many(top, 0, 6, 1), CA_IO_OK, 0, 0);
	check_call(put_many(top, 100, 4, 11), CA_IO_ERROR, 102, 2);
	check_call(put_many(top, 0, 1, 99), CA_IO_ERROR, 0, 1);
	ck_assert_uint_eq(get(top, 0), 1);
	ck_assert_uint_eq(get(top, 101), 12);
	ca_sim_stack_free(top);
}
END_TEST

START_TEST(takes_nothing_at_its_beginning)
{
	struct ca_sim_layer *top = new_stack("announced=1G,protect-first=4K");

	check_call(put_many(top, 6, 4, 1), CA_IO_OK, 0, 0);
	ck_assert_uint_eq(get(top, 7), 0);
	ck_assert_uint_eq(get(top, 8), 3);
	ca_sim_stack_free(top);
	top = new_stack("announced=1G,protect-first=4K,protect=error");
	check_call(put_many(top, 6, 4, 1), CA_IO_ERROR, 6, 2);
	check_call(put_many(top, 8, 2, 1), CA_IO_OK, 0, 0);
	ck_assert_uint_eq(get(top, 9), 2);
	ca_sim_stack_free(top);
}
END_TEST

START_TEST(dies_of_a_write_past_the_end)
{
	struct ca_sim_layer *top = new_stack("announced=1G,kind=brick,real=1M");
	uint8_t found[SECTOR];

	check_call(read_many(top, 5000, 1, found), CA_IO_OK, 0, 0);
	check_call(put_many(top, 2044, 4, 1), CA_IO_OK, 0, 0);
	check_call(put_many(top, 2044, 8, 1), CA_IO_GONE, 2048, 4);
	check_call(put_many(top, 2048, 1, 1), CA_IO_GONE, 2048, 1);
	ca_sim_stack_free(top);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("sim_protect");

	tcase_add_test(tcase, ignores_further_writes);
	tcase_add_test(tcase, refuses_further_writes);
	tcase_add_test(tcase, takes_nothing_at_its_beginning);
	tcase_add_test(tcase, dies_of_a_write_past_the_end);
	return run_tests(tcase);
}
