/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim_ring.h"
#include "sim_rig.h"

static uint8_t data[16 * SECTOR];

START_TEST(holds_the_last_ones_and_hands_on_the_rest)
{
	struct ca_sim_layer *sink = new_stack("announced=1M");
	struct ca_sim_call call = {0};
	struct ca_sim_ring *ring;
	bool held;

	ck_assert_int_eq(ca_sim_ring_new(4 * SECTOR, SECTOR, &ring), 0);
	for (uint64_t i = 0; i < 6; i++) {
		memset(data, (int)(i + 1), SECTOR);
		ck_assert_int_eq(ca_sim_ring_write(ring, 10 + i, 1, data, sink, &call), 0);
	}
	ck_assert_uint_eq(ca_sim_ring_run(ring, 10, 6, &held), 2);
	ck_assert(!held);
	ck_assert_uint_eq(ca_sim_ring_run(ring, 12, 6, &held), 4);
	ck_assert(held);
	ck_assert_uint_eq(get(sink, 11) & 255, 2);
	ck_assert_uint_eq(get(sink, 12), 0);
	ck_assert_int_eq(ca_sim_ring_read(ring, 12, 4, data, NULL), 0);
	for (size_t i = 0; i < 4; i++)
		ck_assert(ca_bytes_is_all(data + i * SECTOR, SECTOR, (uint8_t)(i + 3)));
	ca_sim_ring_forget(ring, 13, 2);
	ck_assert_uint_eq(ca_sim_ring_run(ring, 13, 3, &held), 2);
	ck_assert(!held);
	ck_assert_int_eq(ca_sim_ring_drain(ring, sink, &call), 0);
	ck_assert_uint_eq(ca_sim_ring_run(ring, 10, 6, &held), 6);
	ck_assert(!held);
	ck_assert_uint_eq(get(sink, 12) & 255, 3);
	ck_assert_uint_eq(get(sink, 13), 0); /* forgotten is not handed on */
	ck_assert_uint_eq(get(sink, 15) & 255, 6);
	ca_sim_ring_free(ring);
	ca_sim_stack_free(sink);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("sim_ring");

	tcase_add_test(tcase, holds_the_last_ones_and_hands_on_the_rest);
	return run_tests(tcase);
}
