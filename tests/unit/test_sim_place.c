/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim_rig.h"

#define LOST UINT64_MAX

static struct ca_sim_spec parse(const char *text)
{
	struct ca_sim_spec spec;
	struct ca_error error = {0};

	ck_assert_msg(ca_sim_parse(text, &spec, &error) == 0, "%s", error.text);
	return spec;
}

static const struct {
	const char *text;
	uint64_t lba, at, left; /* sectors; left 0: not looked at */
} places[] = {
	{"announced=1G", 77, 77, 0},
	{"announced=1G,kind=limbo,real=1M", 2000, 2000, 48},
	{"announced=1G,kind=limbo,real=1M", 2048, LOST, 0},
	{"announced=1G,kind=wrap,real=1536", 7, 1, 2},
	{"announced=1G,kind=chain,wrap=2M,real=1M", 4096 + 2000, 2000, 48},
	{"announced=1G,kind=chain,wrap=2M,real=1M", 4096 + 2048, LOST, 2048},
	{"announced=1G,kind=table,real=4M,extent=1M", 8191, 8191, 1},
	{"announced=1G,kind=regions,real=4M,tail=1M", 6143, 6143, 1},
	{"announced=1G,kind=regions,real=4M,tail=1M", 6144, LOST, 2097152 - 6144 - 2048},
	{"announced=1G,kind=regions,real=4M,tail=1M", 2097152 - 2048, 6144, 2048},
	{"announced=1G,kind=regions,real=4M,tail=1M", 2097151, 8191, 1},
	{"announced=1G,kind=errors,real=1M", 2048, LOST, 0},
};

START_TEST(where_it_lands)
{
	struct ca_sim_spec spec = parse(places[_i].text);
	struct ca_sim_place place = ca_sim_place_of(&spec, places[_i].lba * SECTOR);

	ck_assert(place.stored == (places[_i].at != LOST));
	if (place.stored)
		ck_assert_uint_eq(place.at, places[_i].at * SECTOR);
	if (places[_i].left)
		ck_assert_uint_eq(place.left, places[_i].left * SECTOR);
}
END_TEST

/* Past the end each extent lies whole on one before it, another with another seed. */
START_TEST(a_table_is_of_the_seed)
{
	struct ca_sim_spec spec = parse("announced=1G,kind=table,real=64M,extent=1M,seed=1");
	struct ca_sim_spec other = parse("announced=1G,kind=table,real=64M,extent=1M,seed=2");
	unsigned int same = 0, used[64] = {0}, distinct = 0;

	for (uint64_t extent = 64; extent < 1024; extent++) {
		uint64_t offset = extent * CA_MIB + 3 * SECTOR;
		struct ca_sim_place a = ca_sim_place_of(&spec, offset);
		struct ca_sim_place b = ca_sim_place_of(&other, offset);

		ck_assert(a.stored && a.at < 64 * CA_MIB);
		ck_assert_uint_eq(a.at % CA_MIB, 3 * SECTOR);
		ck_assert_uint_eq(a.left, CA_MIB - 3 * SECTOR);
		same += a.at == b.at;
		used[a.at / CA_MIB]++;
	}
	for (size_t i = 0; i < 64; i++)
		distinct += used[i] > 0;
	ck_assert_uint_lt(same, 60);
	ck_assert_uint_gt(distinct, 60);
}
END_TEST

START_TEST(islands_have_their_share)
{
	struct ca_sim_spec spec = parse("announced=1G,kind=islands,share=30,extent=64K");
	unsigned int good = 0;

	for (uint64_t offset = 0; offset < CA_GIB; offset += 64 * CA_KIB) {
		struct ca_sim_place place = ca_sim_place_of(&spec, offset);

		ck_assert_uint_eq(place.left, 64 * CA_KIB);
		if (place.stored)
			ck_assert_uint_eq(place.at, offset);
		good += place.stored;
	}
	ck_assert(good > 16384 * 28 / 100 && good < 16384 * 32 / 100);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("sim_place");

	tcase_add_loop_test(tcase, where_it_lands, 0, (int)CA_ARRAY_LEN(places));
	tcase_add_test(tcase, a_table_is_of_the_seed);
	tcase_add_test(tcase, islands_have_their_share);
	return run_tests(tcase);
}
