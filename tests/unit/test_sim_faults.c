/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim_rig.h"

static const struct {
	const char *text;
	uint64_t lba, sectors;
	enum ca_io_status status;
	uint64_t bad, bad_sectors;
} faults[] = {
	{"announced=1G,bad=10-12", 0, 10, CA_IO_OK, 0, 0},
	{"announced=1G,bad=10-12", 8, 10, CA_IO_ERROR, 10, 3},
	{"announced=1G,bad=10-12", 11, 1, CA_IO_ERROR, 11, 1},
	{"announced=1G,bad=10-12", 13, 5, CA_IO_OK, 0, 0},
	{"announced=1G,kind=errors,real=1M", 2040, 8, CA_IO_OK, 0, 0},
	{"announced=1G,kind=errors,real=1M", 2040, 20, CA_IO_ERROR, 2048, 12},
	{"announced=1G,kind=errors,real=1M", 90000, 3, CA_IO_ERROR, 90000, 3},
	{"announced=1G,kind=errors,real=1M,bad=2042-2043", 2040, 20, CA_IO_ERROR, 2042, 2},
	{"announced=1G,kind=errors,real=1M,bad=3000", 2044, 20, CA_IO_ERROR, 2048, 16},
};

START_TEST(errors_are_named_exactly)
{
	struct ca_sim_layer *top = new_stack(faults[_i].text);
	static uint8_t found[RIG_MOST * SECTOR];

	check_call(put_many(top, faults[_i].lba, faults[_i].sectors, 5), faults[_i].status,
		   faults[_i].bad, faults[_i].bad_sectors);
	check_call(read_many(top, faults[_i].lba, faults[_i].sectors, found), faults[_i].status,
		   faults[_i].bad, faults[_i].bad_sectors);
	if (faults[_i].status == CA_IO_ERROR && faults[_i].bad > faults[_i].lba)
		ck_assert_uint_eq(get(top, faults[_i].bad - 1),
				  5 + faults[_i].bad - 1 - faults[_i].lba);
	ca_sim_stack_free(top);
}
END_TEST

/* One page in two: some are bad, some are not, always the same, to their sectors. */
START_TEST(bad_pages_stay_so)
{
	struct ca_sim_layer *top = new_stack("announced=1G,bad-page=2,seed=9");
	static uint8_t found[RIG_MOST * SECTOR];
	unsigned int bad = 0;

	for (uint64_t page = 0; page < 64; page++) {
		struct ca_sim_call first = read_many(top, page * 8, 8, found);
		struct ca_sim_call again = read_many(top, page * 8 + 3, 5, found);

		ck_assert_int_eq((int)again.fault.status, (int)first.fault.status);
		if (first.fault.status == CA_IO_OK)
			continue;
		bad++;
		ck_assert_uint_eq(first.fault.offset, page * 4096);
		ck_assert_uint_eq(first.fault.bytes, 4096);
		ck_assert_uint_eq(again.fault.offset, page * 4096 + 3 * SECTOR);
		ck_assert_uint_eq(again.fault.bytes, 5 * SECTOR);
	}
	ck_assert_uint_gt(bad, 16);
	ck_assert_uint_lt(bad, 48);
	ca_sim_stack_free(top);
}
END_TEST

START_TEST(errors_may_go_away)
{
	struct ca_sim_layer *top = new_stack("announced=1G,bad=10-12,heal=2");

	check_call(put_many(top, 10, 2, 1), CA_IO_ERROR, 10, 2);
	check_call(put_many(top, 11, 2, 1), CA_IO_ERROR, 11, 2);
	check_call(put_many(top, 10, 2, 1), CA_IO_OK, 0, 0);
	ck_assert_uint_eq(get(top, 11), 2);
	ca_sim_stack_free(top);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("sim_faults");

	tcase_add_loop_test(tcase, errors_are_named_exactly, 0, (int)CA_ARRAY_LEN(faults));
	tcase_add_test(tcase, bad_pages_stay_so);
	tcase_add_test(tcase, errors_may_go_away);
	return run_tests(tcase);
}
