/* SPDX-License-Identifier: BSD-2-Clause */
#include "unit/fill_rig.h"

#include <check.h>

static void set_up(void)
{
	options = (struct ca_fill_options){.request_bytes = 262144};
	rig_begin(8192);
}

static void tear_down(void)
{
	rig_end();
}

static uint8_t *sector(uint64_t lba)
{
	return ram.data + lba * CA_SECTOR_BYTES;
}

/* Reads a range as the read back does, and verifies it. */
static void verify(uint64_t lba, uint64_t sectors)
{
	struct ca_io_fault fault;
	uint8_t *buffer = job.memory;

	ck_assert_int_eq(ca_device_read(&ram.device, lba * 512, sectors * 512, buffer, &fault), 0);
	ck_assert_int_eq(ca_fill_verify(&job, lba * 512, sectors * 512, buffer), 0);
}

START_TEST(one_flipped_bit_is_seen_anywhere)
{
	for (uint64_t byte = 0; byte < 200000; byte += 4999) {
		ck_assert(ca_fill_is_intact(&job, 0, 262144, ram.data));
		ram.data[byte] ^= 1;
		ck_assert(!ca_fill_is_intact(&job, 0, 262144, ram.data));
		ram.data[byte] ^= 1;
	}
}
END_TEST

START_TEST(what_differs_is_taken_apart)
{
	memset(sector(1003), 0, 512);
	memset(sector(1004), 0xff, 512);
	memcpy(sector(1005), sector(8000), 512);
	memcpy(sector(1006), sector(8001), 512);
	sector(1100)[77] ^= 4;
	verify(1000, 400);
	ck_assert_int_eq(ca_map_finish(job.map, &capacity), 0);
	ck_assert_uint_eq(capacity.classes[CA_SECTOR_GOOD], 395);
	ck_assert_uint_eq(capacity.classes[CA_SECTOR_ZEROS], 1);
	ck_assert_uint_eq(capacity.classes[CA_SECTOR_ONES], 1);
	ck_assert_uint_eq(capacity.classes[CA_SECTOR_ALIAS], 2);
	ck_assert_uint_eq(capacity.classes[CA_SECTOR_BITFLIP], 1);
	ck_assert_uint_eq(capacity.first_bad_offset, 1003 * 512);
	ck_assert_uint_eq(capacity.verified_bytes, 400 * 512);
	ck_assert_uint_eq(job.bad_sectors, 5);
	ck_assert_uint_eq(job.first_bad_lba, 1003);
	ck_assert(ca_bytes_is_all(capacity.found, 32, 0));
	ck_assert_uint_eq(capacity.run_count, 7);
	ck_assert_int_eq(capacity.runs[3].class_of, CA_SECTOR_ALIAS);
	ck_assert_int_eq(capacity.runs[3].delta, 8000 - 1005);
	ck_assert_uint_eq(capacity.runs[3].sectors, 2);
}
END_TEST

START_TEST(only_what_differs_is_read_again)
{
	verify(0, 512);
	ck_assert_uint_eq(ram.sync_transfers, 1);
	sector(700)[0] ^= 1;
	verify(512, 512);
	ck_assert_uint_eq(ram.sync_transfers, 3);
}
END_TEST

START_TEST(two_reads_that_differ_are_unstable)
{
	ram.once_wrong = 1 + 20; /* good the second time */
	verify(0, 100);
	ram.restless = 1 + 120; /* never the same */
	verify(100, 100);
	ck_assert_uint_eq(capacity.unstable_sectors, 2);
	ck_assert_int_eq(ca_map_finish(job.map, &capacity), 0);
	ck_assert_uint_eq(capacity.classes[CA_SECTOR_GOOD], 199);
	ck_assert_uint_eq(capacity.first_bad_offset, 120 * 512);
	/* and the map says which: 0-19, 20 by transport, 21-119, 120 unstable, 121-199 */
	ck_assert_uint_eq(capacity.run_count, 5);
	ck_assert_uint_eq(capacity.runs[1].lba, 20);
	ck_assert_int_eq(capacity.runs[1].class_of, CA_SECTOR_GOOD);
	ck_assert_int_eq(capacity.runs[1].reads, CA_RUN_READS_MIXED);
	ck_assert_int_eq(capacity.runs[2].reads, CA_RUN_READS_ALIKE);
	ck_assert_uint_eq(capacity.runs[3].lba, 120);
	ck_assert(capacity.runs[3].class_of != CA_SECTOR_GOOD);
	ck_assert_int_eq(capacity.runs[3].reads, CA_RUN_READS_DIFFER);
}
END_TEST

/* The second read shows a fault where the first showed none. */
START_TEST(a_good_read_before_a_bad_one_is_transport)
{
	struct ca_io_fault fault;
	uint8_t *buffer = job.memory;

	sector(300)[0] ^= 1;
	ck_assert_int_eq(ca_device_read(&ram.device, 0, 262144, buffer, &fault), 0);
	ram.once_wrong = 1 + 20;
	ck_assert_int_eq(ca_fill_verify(&job, 0, 262144, buffer), 0);
	ck_assert_int_eq(ca_map_finish(job.map, &capacity), 0);
	ck_assert_uint_eq(capacity.unstable_sectors, 1);
	ck_assert_uint_eq(capacity.classes[CA_SECTOR_GOOD], 511);
	ck_assert_int_eq(capacity.runs[1].reads, CA_RUN_READS_MIXED);
	ck_assert_int_eq(capacity.runs[3].reads, CA_RUN_READS_ALIKE);
}
END_TEST

START_TEST(a_second_read_that_fails_is_unstable_too)
{
	struct ca_io_fault fault;
	uint8_t *buffer = job.memory;

	sector(50)[0] ^= 1;
	sector(300)[0] ^= 1;
	ck_assert_int_eq(ca_device_read(&ram.device, 0, 262144, buffer, &fault), 0);
	ram.bad_read = (struct ram_range){200, 10};
	ck_assert_int_eq(ca_fill_verify(&job, 0, 262144, buffer), 0);
	ck_assert_uint_eq(capacity.unstable_sectors, 1);
	ck_assert_int_eq(ca_map_finish(job.map, &capacity), 0);
	ck_assert_uint_eq(capacity.classes[CA_SECTOR_BITFLIP], 2);
	ck_assert_uint_eq(capacity.classes[CA_SECTOR_GOOD], 510);
}
END_TEST

START_TEST(failed_ranges_are_kept_with_what_was_expected)
{
	ck_assert_int_eq(ca_fill_add_failed(&job, 512 * 900, 512 * 4, CA_SECTOR_UNREADABLE), 0);
	ck_assert_int_eq(ca_fill_add_failed(&job, 512 * 800, 512 * 4, CA_SECTOR_UNWRITABLE), 0);
	ck_assert_mem_eq(capacity.expected, sector(800), 32);
	ck_assert(ca_bytes_is_all(capacity.found, 32, 0));
	ck_assert_uint_eq(capacity.verified_bytes, 4 * 512);
	ck_assert_uint_eq(job.bad_sectors, 8);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("compare");
	TCase *tcase = tcase_create("compare");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, one_flipped_bit_is_seen_anywhere);
	tcase_add_test(tcase, what_differs_is_taken_apart);
	tcase_add_test(tcase, only_what_differs_is_read_again);
	tcase_add_test(tcase, two_reads_that_differ_are_unstable);
	tcase_add_test(tcase, a_good_read_before_a_bad_one_is_transport);
	tcase_add_test(tcase, a_second_read_that_fails_is_unstable_too);
	tcase_add_test(tcase, failed_ranges_are_kept_with_what_was_expected);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
