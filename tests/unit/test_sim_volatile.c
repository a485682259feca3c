/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim_rig.h"

START_TEST(forgets_with_the_power)
{
	struct ca_sim_layer *top = new_stack("announced=1G,kind=volatile,real=1M,limbo=ones");
	uint8_t found[4 * SECTOR];

	ck_assert_uint_eq(get(top, 2050), UINT64_MAX);
	(void)put_many(top, 2046, 4, 10); /* over the end */
	(void)read_many(top, 2046, 4, found);
	for (uint64_t i = 0; i < 4; i++)
		ck_assert_uint_eq(ca_le64(found + i * SECTOR), 10 + i);
	ck_assert_int_eq(ca_sim_stack_power(top, NULL), 0);
	ck_assert_uint_eq(get(top, 2047), 11);
	ck_assert_uint_eq(get(top, 2048), UINT64_MAX);
	put(top, 2049, 5);
	ck_assert_uint_eq(get(top, 2049), 5);
	ca_sim_stack_free(top);
}
END_TEST

START_TEST(shows_only_after_the_power)
{
	struct ca_sim_layer *top = new_stack("announced=1G,kind=returning,real=1M,limbo=ones");

	(void)put_many(top, 2046, 4, 10);
	ck_assert_uint_eq(get(top, 2047), 11);
	ck_assert_uint_eq(get(top, 2048), UINT64_MAX);
	ck_assert_int_eq(ca_sim_stack_power(top, NULL), 0);
	ck_assert_uint_eq(get(top, 2048), 12);
	put(top, 2048, 99);
	ck_assert_uint_eq(get(top, 2048), UINT64_MAX);
	ck_assert_uint_eq(get(top, 2049), 13);
	ca_sim_stack_free(top);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("sim_volatile");

	tcase_add_test(tcase, forgets_with_the_power);
	tcase_add_test(tcase, shows_only_after_the_power);
	return run_tests(tcase);
}
