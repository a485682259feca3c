/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim_rig.h"

static void put_noise(struct ca_sim_layer *top, uint64_t lba)
{
	struct ca_sim_call call = {0};
	uint8_t data[SECTOR];

	ca_sim_noise(1, lba, SECTOR, data);
	ck_assert_int_eq(ca_sim_write(top, lba * SECTOR, SECTOR, data, &call), 0);
}

static bool holds_noise(struct ca_sim_layer *top, uint64_t lba)
{
	uint8_t data[SECTOR], found[SECTOR];

	ca_sim_noise(1, lba, SECTOR, data);
	(void)read_many(top, lba, 1, found);
	return memcmp(data, found, SECTOR) == 0;
}

START_TEST(what_compresses_takes_less)
{
	struct ca_sim_layer *top = new_stack("announced=1G,kind=compress,real=8K");

	for (uint64_t i = 0; i < 500; i++) /* 10 bytes each */
		put(top, i, i + 1);
	for (uint64_t i = 0; i < 500; i++)
		ck_assert_uint_eq(get(top, i), i + 1);
	for (uint64_t i = 600; i < 650; i++) /* 512 bytes each: 3192 are left */
		put_noise(top, i);
	for (uint64_t i = 600; i < 650; i++)
		ck_assert(holds_noise(top, i) == (i < 606));
	ck_assert_uint_eq(get(top, 606), 0);
	put_noise(top, 606);
	ck_assert(!holds_noise(top, 606));
	for (uint64_t i = 600; i < 603; i++) /* overwritten, they make room again */
		put(top, i, 3);
	put_noise(top, 606);
	ck_assert(holds_noise(top, 606));
	ca_sim_stack_free(top);
}
END_TEST

START_TEST(what_does_not_fit_leaves_the_old)
{
	struct ca_sim_layer *top = new_stack("announced=1G,kind=compress,real=1K,limbo=ones");

	put(top, 5, 1);
	put_noise(top, 6);
	put_noise(top, 7); /* 522 of 1024 are taken */
	ck_assert(!holds_noise(top, 7));
	ck_assert_uint_eq(get(top, 7), UINT64_MAX);
	put_noise(top, 5); /* 512 for 10 */
	ck_assert(holds_noise(top, 5));
	put(top, 9, 4);
	ck_assert_uint_eq(get(top, 9), UINT64_MAX);
	put(top, 6, 8);
	ck_assert_uint_eq(get(top, 6), 8);
	ca_sim_stack_free(top);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("sim_compress");

	tcase_add_test(tcase, what_compresses_takes_less);
	tcase_add_test(tcase, what_does_not_fit_leaves_the_old);
	return run_tests(tcase);
}
