/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim_rig.h"

START_TEST(addresses_above_the_limit_wrap)
{
	/* a sound card of 4 TB in a reader of 32 bits */
	struct ca_sim_layer *top = new_stack("announced=4T,reader-limit=2T");
	uint64_t limit = UINT64_C(1) << 32;

	(void)put_many(top, limit - 2, 4, 1);
	ck_assert_uint_eq(get(top, limit - 1), 2);
	ck_assert_uint_eq(get(top, 0), 3);
	ck_assert_uint_eq(get(top, limit + 1), 4);
	ca_sim_stack_free(top);
}
END_TEST

START_TEST(addresses_above_the_limit_fail)
{
	struct ca_sim_layer *top = new_stack("announced=1T,reader-limit=128G,reader=error");
	uint64_t limit = UINT64_C(1) << 28;
	uint8_t found[4 * SECTOR];

	check_call(put_many(top, limit - 2, 4, 1), CA_IO_ERROR, limit, 2);
	check_call(read_many(top, limit - 2, 4, found), CA_IO_ERROR, limit, 2);
	ck_assert_uint_eq(ca_le64(found + SECTOR), 2);
	check_call(read_many(top, limit + 7, 4, found), CA_IO_ERROR, limit + 7, 4);
	ca_sim_stack_free(top);
}
END_TEST

START_TEST(faults_of_the_card_are_told_where_they_were_asked)
{
	struct ca_sim_layer *top = new_stack("announced=2M,reader-limit=1M,bad=5-6");
	uint8_t found[16 * SECTOR];

	check_call(read_many(top, 2048, 16, found), CA_IO_ERROR, 2048 + 5, 2);
	check_call(put_many(top, 2046, 16, 1), CA_IO_ERROR, 2048 + 5, 2);
	ca_sim_stack_free(top);
}
END_TEST

START_TEST(mixes_two_cards_up)
{
	struct ca_sim_layer *top = new_stack("announced=1M,crosstalk=4");
	struct ca_sim_layer *other = new_stack("announced=1M,crosstalk=4");
	unsigned int own = 0, foreign = 0;

	for (uint64_t lba = 0; lba < 2048; lba++) {
		put(top, lba, 2 * lba + 1);
		put(other, lba, 2 * lba + 2);
	}
	for (uint64_t lba = 0; lba < 2048; lba++) /* alone, it is itself */
		ck_assert_uint_eq(get(top, lba), 2 * lba + 1);
	ca_sim_reader_join(top, other);
	for (uint64_t lba = 0; lba < 2048; lba++) {
		uint64_t found = get(top, lba);

		own += found == 2 * lba + 1;
		foreign += found == 2 * lba + 2;
	}
	ck_assert_uint_eq(own + foreign, 2048);
	ck_assert(foreign > 400 && foreign < 620);
	ca_sim_stack_free(top);
	ca_sim_stack_free(other);
}
END_TEST

START_TEST(a_sound_reader_joins_nothing)
{
	struct ca_sim_layer *top = new_stack("announced=1M,reader-limit=512K");
	struct ca_sim_layer *other = new_stack("announced=1M");

	put(other, 5, 1);
	ca_sim_reader_join(top, other);
	ca_sim_reader_join(other, top);
	ck_assert_uint_eq(get(top, 5), 0);
	ca_sim_stack_free(top);
	ca_sim_stack_free(other);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("sim_reader");

	tcase_add_test(tcase, addresses_above_the_limit_wrap);
	tcase_add_test(tcase, addresses_above_the_limit_fail);
	tcase_add_test(tcase, faults_of_the_card_are_told_where_they_were_asked);
	tcase_add_test(tcase, mixes_two_cards_up);
	tcase_add_test(tcase, a_sound_reader_joins_nothing);
	return run_tests(tcase);
}
