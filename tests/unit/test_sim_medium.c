/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim_rig.h"

START_TEST(sound_keeps_every_sector)
{
	struct ca_sim_layer *medium = new_stack("announced=1G");

	put(medium, 0, 1);
	put(medium, 2097151, 2);
	ck_assert_uint_eq(get(medium, 0), 1);
	ck_assert_uint_eq(get(medium, 2097151), 2);
	ck_assert_uint_eq(get(medium, 1048576), 0);
	ca_sim_stack_free(medium);
}
END_TEST

/* A modulus that is no power of two, and one that is. */
static const struct {
	const char *text;
	uint64_t modulus; /* sectors */
} wraps[] = {
	{"announced=1G,kind=wrap,real=128M", 262144},
	{"announced=1G,kind=wrap,real=5157376", 10073},
	{"announced=1G,kind=wrap,real=512", 1},
};

START_TEST(wrap_is_exact_to_the_sector)
{
	struct ca_sim_layer *medium = new_stack(wraps[_i].text);
	uint64_t modulus = wraps[_i].modulus;

	put(medium, modulus - 1, 11);
	put(medium, modulus, 22); /* lands on 0 */
	ck_assert_uint_eq(get(medium, 0), 22);
	ck_assert_uint_eq(get(medium, 3 * modulus), 22);
	put(medium, 3 * modulus - 1, 33); /* lands on the last */
	ck_assert_uint_eq(get(medium, modulus - 1), 33);
	if (modulus > 2) {
		ck_assert_uint_eq(get(medium, 0), 22);
		ck_assert_uint_eq(get(medium, 1), 0);
	}
	ca_sim_stack_free(medium);
}
END_TEST

START_TEST(wrap_inside_one_transfer)
{
	struct ca_sim_layer *medium = new_stack("announced=1G,kind=wrap,real=1536");
	uint8_t data[8 * SECTOR], found[8 * SECTOR];
	struct ca_sim_call call = {0};

	for (size_t i = 0; i < 8; i++)
		memset(data + i * SECTOR, (int)(i + 1), SECTOR);
	ck_assert_int_eq(ca_sim_write(medium, 0, sizeof(data), data, &call), 0);
	ck_assert_int_eq(ca_sim_read(medium, 0, sizeof(found), found, &call), 0);
	for (size_t i = 0; i < 8; i++) /* 8 sectors over 3: the newest writer wins */
		ck_assert(ca_bytes_is_all(found + i * SECTOR, SECTOR,
					  i % 3 == 2 ? 6 : (uint8_t)(i % 3 + 7)));
	ca_sim_stack_free(medium);
}
END_TEST

static const struct {
	const char *limbo;
	uint64_t first, second; /* what a lost sector reads as, before and after a good write */
} limbos[] = {
	{"zeros", 0, 0},
	{"ones", UINT64_MAX, UINT64_MAX},
	{"last", 0, 77},
};

START_TEST(limbo_loses_what_lies_past_the_end)
{
	char text[80] = "announced=1G,kind=limbo,real=1M,limbo=";
	struct ca_sim_layer *medium = new_stack(strcat(text, limbos[_i].limbo));

	put(medium, 2048, 5); /* the first lost one */
	ck_assert_uint_eq(get(medium, 2048), limbos[_i].first);
	put(medium, 2047, 77); /* the last good one */
	ck_assert_uint_eq(get(medium, 2047), 77);
	ck_assert_uint_eq(get(medium, 2048), limbos[_i].second);
	put(medium, 2097151, 6);
	ck_assert_uint_eq(get(medium, 2097151), limbos[_i].second);
	ck_assert_uint_eq(get(medium, 2047), 77);
	ca_sim_stack_free(medium);
}
END_TEST

START_TEST(noise_is_of_the_seed_and_the_address)
{
	struct ca_sim_layer *medium =
		new_stack("announced=1G,kind=limbo,real=1M,limbo=noise,seed=3");
	struct ca_sim_layer *other =
		new_stack("announced=1G,kind=limbo,real=1M,limbo=noise,seed=4");
	uint8_t a[2 * SECTOR], b[2 * SECTOR], c[SECTOR];
	struct ca_sim_call call = {0};

	ck_assert_int_eq(ca_sim_read(medium, 2 * CA_MIB, sizeof(a), a, &call), 0);
	ck_assert_int_eq(ca_sim_write(medium, 2 * CA_MIB, SECTOR, a + SECTOR, &call), 0);
	ck_assert_int_eq(ca_sim_read(medium, 2 * CA_MIB, sizeof(b), b, &call), 0);
	ck_assert_mem_eq(a, b, sizeof(a)); /* the same at every read */
	ck_assert_int_eq(ca_sim_read(medium, 2 * CA_MIB + SECTOR, SECTOR, c, &call), 0);
	ck_assert_mem_eq(a + SECTOR, c, SECTOR); /* whatever the request was */
	ck_assert_mem_ne(a, a + SECTOR, SECTOR); /* another address */
	ck_assert_int_eq(ca_sim_read(other, 2 * CA_MIB, SECTOR, c, &call), 0);
	ck_assert_mem_ne(a, c, SECTOR); /* another seed */
	ca_sim_stack_free(medium);
	ca_sim_stack_free(other);
}
END_TEST

START_TEST(chain_aliases_some_and_loses_some)
{
	/* 4096 sectors a turn, 1000 of them real */
	struct ca_sim_layer *medium =
		new_stack("announced=1G,kind=chain,wrap=2M,real=512000,limbo=ones");

	put(medium, 999, 1);
	put(medium, 1000, 2); /* lost */
	put(medium, 4095, 3); /* lost */
	put(medium, 4096, 4); /* on 0 */
	ck_assert_uint_eq(get(medium, 999), 1);
	ck_assert_uint_eq(get(medium, 1000), UINT64_MAX);
	ck_assert_uint_eq(get(medium, 4095), UINT64_MAX);
	ck_assert_uint_eq(get(medium, 0), 4);
	ck_assert_uint_eq(get(medium, 2 * 4096 + 999), 1);
	ck_assert_uint_eq(get(medium, 2 * 4096 + 1000), UINT64_MAX);
	ca_sim_stack_free(medium);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("sim_medium");

	tcase_add_test(tcase, sound_keeps_every_sector);
	tcase_add_loop_test(tcase, wrap_is_exact_to_the_sector, 0, (int)CA_ARRAY_LEN(wraps));
	tcase_add_test(tcase, wrap_inside_one_transfer);
	tcase_add_loop_test(tcase, limbo_loses_what_lies_past_the_end, 0,
			    (int)CA_ARRAY_LEN(limbos));
	tcase_add_test(tcase, noise_is_of_the_seed_and_the_address);
	tcase_add_test(tcase, chain_aliases_some_and_loses_some);
	return run_tests(tcase);
}
