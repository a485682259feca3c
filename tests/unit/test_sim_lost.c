/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim_rig.h"

START_TEST(each_way_of_having_nothing)
{
	struct ca_sim_spec spec = {.sector_bytes = SECTOR, .seed = 5};
	uint8_t found[2 * SECTOR], again[2 * SECTOR], stored[SECTOR];
	struct ca_sim_lost lost;

	memset(stored, 0x42, sizeof(stored));
	spec.limbo = CA_SIM_LIMBO_ONES;
	ca_sim_lost_init(&lost, &spec);
	ca_sim_lost_fill(&lost, 0, sizeof(found), found);
	ck_assert(ca_bytes_is_all(found, sizeof(found), 0xff));
	spec.limbo = CA_SIM_LIMBO_LAST;
	ca_sim_lost_init(&lost, &spec);
	ca_sim_lost_fill(&lost, 0, sizeof(found), found);
	ck_assert(ca_bytes_is_all(found, sizeof(found), 0));
	ca_sim_lost_note(&lost, stored);
	ca_sim_lost_fill(&lost, 0, sizeof(found), found);
	ck_assert(ca_bytes_is_all(found, sizeof(found), 0x42));
	spec.limbo = CA_SIM_LIMBO_NOISE;
	ca_sim_lost_init(&lost, &spec);
	ca_sim_lost_fill(&lost, 9 * SECTOR, sizeof(found), found);
	ca_sim_lost_fill(&lost, 10 * SECTOR, SECTOR, again);
	ck_assert_mem_eq(found + SECTOR, again, SECTOR);
	ck_assert_mem_ne(found, again, SECTOR);
	ca_sim_noise(5, 9, SECTOR, again);
	ck_assert_mem_eq(found, again, SECTOR);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("sim_lost");

	tcase_add_test(tcase, each_way_of_having_nothing);
	return run_tests(tcase);
}
