/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim_rig.h"

#include <limits.h>

#define MANY RIG_MOST

static uint8_t a[MANY * SECTOR], b[MANY * SECTOR];
static const uint8_t zeros[MANY * SECTOR];

START_TEST(a_bad_page_of_the_medium_is_the_same_each_time)
{
	struct ca_sim_layer *top = new_stack("announced=1G,noise=8-15,flip=20");

	(void)put_many(top, 0, 1, 0);
	(void)read_many(top, 0, MANY, a);
	(void)read_many(top, 0, MANY, b);
	ck_assert_mem_eq(a, b, sizeof(a));
	for (size_t i = 0; i < MANY; i++) {
		unsigned int wrong =
			ca_bytes_count_bit_errors(a + i * SECTOR, zeros, SECTOR, UINT_MAX);

		if (i >= 8 && i <= 15)
			ck_assert_uint_gt(wrong, 1500);
		else
			ck_assert_uint_eq(wrong, i == 20 ? 1 : 0);
	}
	ca_sim_stack_free(top);
}
END_TEST

START_TEST(bits_on_the_wire_differ_between_reads)
{
	struct ca_sim_layer *top = new_stack("announced=1G,wire-flip=8");
	unsigned int wrong = 0, sectors = 0;

	for (int round = 0; round < 100; round++) {
		(void)read_many(top, 0, MANY, a);
		wrong += ca_bytes_count_bit_errors(a, zeros, sizeof(a), UINT_MAX);
		for (size_t i = 0; i < MANY; i++)
			sectors += !ca_bytes_is_all(a + i * SECTOR, SECTOR, 0);
	}
	ck_assert_uint_eq(wrong, sectors); /* one bit of each */
	ck_assert(sectors > 700 && sectors < 900);
	(void)read_many(top, 0, MANY, b);
	ck_assert_mem_ne(a, b, sizeof(a));
	ca_sim_stack_free(top);
}
END_TEST

START_TEST(pages_on_the_wire)
{
	struct ca_sim_layer *top = new_stack("announced=1G,wire-page=4");
	unsigned int pages = 0;

	for (int round = 0; round < 100; round++) {
		(void)read_many(top, 0, MANY, a);
		for (size_t page = 0; page < MANY / 8; page++) {
			bool bad = !ca_bytes_is_all(a + page * 4096, 4096, 0);

			pages += bad;
			if (bad)
				ck_assert_uint_gt(ca_bytes_count_bit_errors(a + page * 4096, zeros,
									    4096, UINT_MAX),
						  14000);
		}
	}
	ck_assert(pages > 150 && pages < 250);
	ca_sim_stack_free(top);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("sim_corrupt");

	tcase_add_test(tcase, a_bad_page_of_the_medium_is_the_same_each_time);
	tcase_add_test(tcase, bits_on_the_wire_differ_between_reads);
	tcase_add_test(tcase, pages_on_the_wire);
	return run_tests(tcase);
}
