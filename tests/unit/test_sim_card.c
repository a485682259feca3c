/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR 512U

static struct ca_device *open_card(const char *text)
{
	struct ca_sim_spec spec;
	struct ca_device *device;
	struct ca_error error = {0};

	ck_assert_msg(ca_sim_parse(text, &spec, &error) == 0, "%s", error.text);
	ck_assert_int_eq(ca_sim_open(&spec, &device, &error), 0);
	return device;
}

static struct ca_io_fault write_fault(struct ca_device *device, uint64_t lba, uint64_t sectors,
				      const uint8_t *data)
{
	struct ca_io_fault fault;

	memset(&fault, 0x5a, sizeof(fault));
	ck_assert_int_eq(ca_device_write(device, lba * SECTOR, sectors * SECTOR, data, &fault), 0);
	return fault;
}

static struct ca_io_fault read_fault(struct ca_device *device, uint64_t lba, uint64_t sectors,
				     uint8_t *data)
{
	struct ca_io_fault fault;

	memset(&fault, 0x5a, sizeof(fault));
	ck_assert_int_eq(ca_device_read(device, lba * SECTOR, sectors * SECTOR, data, &fault), 0);
	return fault;
}

static void check_fault(struct ca_io_fault fault, enum ca_io_status status, int error, uint64_t lba,
			uint64_t sectors)
{
	ck_assert_int_eq((int)fault.status, (int)status);
	ck_assert_int_eq(fault.error, error);
	ck_assert_uint_eq(fault.offset, lba * SECTOR);
	ck_assert_uint_eq(fault.bytes, sectors * SECTOR);
}

START_TEST(geometry)
{
	struct ca_device *device = open_card("announced=1G,sector=4096,queue-depth=8");

	ck_assert(device->geometry.bytes == CA_GIB);
	ck_assert_uint_eq(device->geometry.sector_bytes, 4096);
	ck_assert_uint_ge(device->geometry.max_queue_depth, 32);
	ck_assert(!device->geometry.read_only);
	ck_assert_int_eq(ca_device_drop_cache(device), 0);
	ca_device_close(device);
	ca_device_close(NULL);
}
END_TEST

START_TEST(reads_back_what_was_written)
{
	struct ca_device *device = open_card("announced=1G");
	uint8_t data[8 * SECTOR], found[8 * SECTOR];
	struct ca_io_fault fault;

	memset(data, 0x3c, sizeof(data));
	check_fault(write_fault(device, 2097144, 8, data), CA_IO_OK, 0, 0, 0);
	ck_assert_int_eq(ca_device_flush(device, &fault), 0);
	check_fault(fault, CA_IO_OK, 0, 0, 0);
	check_fault(read_fault(device, 2097144, 8, found), CA_IO_OK, 0, 0, 0);
	ck_assert_mem_eq(found, data, sizeof(data));
	ck_assert_int_eq(ca_device_check(device, &fault), 0);
	check_fault(fault, CA_IO_OK, 0, 0, 0);
	ca_device_close(device);
}
END_TEST

static const struct {
	uint64_t offset, bytes;
} misuses[] = {
	{1, 512},	   {512, 100}, {CA_GIB, 512}, {CA_GIB - 512, 1024}, {UINT64_MAX - 511, 512},
	{0, CA_GIB + 512},
};

START_TEST(ranges_that_are_none_of_the_card)
{
	struct ca_device *device = open_card("announced=1G");
	struct ca_io_fault fault;
	uint8_t data[SECTOR];

	ck_assert_int_eq(
		ca_device_read(device, misuses[_i].offset, misuses[_i].bytes, data, &fault),
		-EINVAL);
	ck_assert_int_eq(
		ca_device_write(device, misuses[_i].offset, misuses[_i].bytes, data, &fault),
		-EINVAL);
	ca_device_close(device);
}
END_TEST

static const struct {
	uint64_t lba, sectors;
	enum ca_io_status status;
	uint64_t bad_lba, bad_sectors;
} around_bad[] = {
	{90, 10, CA_IO_OK, 0, 0},	{111, 10, CA_IO_OK, 0, 0},
	{95, 6, CA_IO_ERROR, 100, 1},	{95, 40, CA_IO_ERROR, 100, 11},
	{100, 1, CA_IO_ERROR, 100, 1},	{105, 3, CA_IO_ERROR, 105, 3},
	{110, 20, CA_IO_ERROR, 110, 1},
};

START_TEST(bad_sectors_are_named_exactly)
{
	struct ca_device *device = open_card("announced=1G,bad=100-110");
	static uint8_t data[40 * SECTOR], found[40 * SECTOR];
	int error = around_bad[_i].status == CA_IO_OK ? 0 : EIO;
	uint64_t before = around_bad[_i].bad_sectors ? around_bad[_i].bad_lba - around_bad[_i].lba
						     : around_bad[_i].sectors;

	memset(data, 0x77, sizeof(data));
	memset(found, 0, sizeof(found));
	check_fault(write_fault(device, around_bad[_i].lba, around_bad[_i].sectors, data),
		    around_bad[_i].status, error, around_bad[_i].bad_lba,
		    around_bad[_i].bad_sectors);
	check_fault(read_fault(device, around_bad[_i].lba, around_bad[_i].sectors, found),
		    around_bad[_i].status, error, around_bad[_i].bad_lba,
		    around_bad[_i].bad_sectors);
	/* what lies before the fault is done, what lies behind it is not */
	ck_assert(ca_bytes_is_all(found, (size_t)before * SECTOR, 0x77));
	ck_assert(ca_bytes_is_all(found + before * SECTOR, sizeof(found) - (size_t)before * SECTOR,
				  0));
	ca_device_close(device);
}
END_TEST

START_TEST(one_bit_flips_at_every_read)
{
	struct ca_device *device = open_card("announced=1G,flip=5,cache=4096");
	uint8_t zeros[16 * SECTOR] = {0}, a[16 * SECTOR], b[SECTOR];

	check_fault(write_fault(device, 0, 16, zeros), CA_IO_OK, 0, 0, 0);
	check_fault(read_fault(device, 0, 16, a), CA_IO_OK, 0, 0, 0);
	ck_assert_uint_eq(ca_bytes_count_bit_errors(a, zeros, sizeof(a), 99), 1);
	ck_assert_uint_eq(ca_bytes_count_bit_errors(a + 5 * SECTOR, zeros, SECTOR, 99), 1);
	check_fault(read_fault(device, 5, 1, b), CA_IO_OK, 0, 0, 0);
	ck_assert_mem_eq(a + 5 * SECTOR, b, SECTOR);
	check_fault(write_fault(device, 5, 1, b), CA_IO_OK, 0, 0, 0); /* now the bit reads 0 */
	check_fault(read_fault(device, 5, 1, b), CA_IO_OK, 0, 0, 0);
	ck_assert(ca_bytes_is_all(b, SECTOR, 0));
	ca_device_close(device);
}
END_TEST

START_TEST(vanishes_after_so_many_bytes)
{
	struct ca_device *device = open_card("announced=1G,gone-after=10K"); /* 20 sectors */
	uint8_t data[16 * SECTOR] = {0};
	struct ca_io_fault fault;
	struct ca_io io = {.op = CA_IO_READ, .bytes = SECTOR, .buffer = data}, *done;

	check_fault(write_fault(device, 0, 16, data), CA_IO_OK, 0, 0, 0);
	ck_assert_int_eq(ca_device_check(device, &fault), 0);
	ck_assert_int_eq((int)fault.status, CA_IO_OK);
	check_fault(read_fault(device, 100, 16, data), CA_IO_GONE, ENODEV, 104, 12);
	check_fault(read_fault(device, 0, 1, data), CA_IO_GONE, ENODEV, 0, 1);
	check_fault(write_fault(device, 7, 2, data), CA_IO_GONE, ENODEV, 7, 2);
	ck_assert_int_eq(ca_device_submit(device, &io), 0);
	ck_assert_int_eq(ca_device_wait(device, &done), 0);
	ck_assert_int_eq((int)done->status, CA_IO_GONE);
	ck_assert_int_eq(ca_device_check(device, &fault), 0);
	check_fault(fault, CA_IO_GONE, ENODEV, 0, CA_GIB / SECTOR);
	ck_assert_int_eq(ca_device_flush(device, &fault), 0);
	ck_assert_int_eq((int)fault.status, CA_IO_GONE);
	ca_device_close(device);
}
END_TEST

START_TEST(a_cache_hides_the_loss_until_overrun)
{
	struct ca_device *device = open_card("announced=1G,kind=limbo,real=1M,cache=64K");
	static uint8_t data[64 * SECTOR], found[64 * SECTOR];
	struct ca_io_fault fault;

	memset(data, 0x11, sizeof(data));
	(void)write_fault(device, 1000000, 64, data);
	ck_assert_int_eq(ca_device_flush(device, &fault), 0); /* does not empty it */
	(void)read_fault(device, 1000000, 64, found);
	ck_assert(ca_bytes_is_all(found, sizeof(found), 0x11));
	(void)write_fault(device, 0, 64, data);
	(void)write_fault(device, 64, 64, data);
	(void)read_fault(device, 1000000, 64, found);
	ck_assert(ca_bytes_is_all(found, sizeof(found), 0));
	(void)read_fault(device, 0, 64, found);
	ck_assert(ca_bytes_is_all(found, sizeof(found), 0x11));
	ca_device_close(device);
}
END_TEST

START_TEST(calls_that_wait_advance_the_clock_exactly)
{
	struct ca_device *device = open_card("announced=1G,read-iops=3200,write-iops=1200,"
					     "read-rate=90M,write-rate=30M");
	uint8_t *data = calloc(1, 4 * CA_MIB);
	struct ca_io_fault fault;

	ck_assert_ptr_nonnull(data);
	for (uint64_t i = 0; i < 1200; i++)
		ck_assert_int_eq(
			ca_device_write(device, i * 7919 * 4096 % CA_GIB, 4096, data, &fault), 0);
	ck_assert_uint_eq(ca_clock_now_ns(device->clock), 1000000000);
	for (uint64_t i = 0; i < 3200; i++)
		ck_assert_int_eq(ca_device_read(device, i * 4096, 4096, data, &fault), 0);
	ck_assert_uint_eq(ca_clock_now_ns(device->clock), 2000000000);
	for (uint64_t i = 0; i < 15; i++) /* 62,914,560 bytes at 30 MB/s */
		ck_assert_int_eq(ca_device_write(device, i * 4 * CA_MIB, 4 * CA_MIB, data, &fault),
				 0);
	ck_assert_uint_eq(ca_clock_now_ns(device->clock), UINT64_C(4097152000));
	free(data);
	ca_device_close(device);
}
END_TEST

static const struct {
	const char *text;
	unsigned int depth;
	uint64_t iops;
} queues[] = {
	{"announced=1G,write-iops=1200,write-rate=30M,queue-depth=1", 1, 1200},
	{"announced=1G,write-iops=1200,write-rate=30M,queue-depth=1", 4, 1200},
	{"announced=1G,write-iops=1200,write-rate=30M,queue-depth=1", 32, 1200},
	{"announced=1G,write-iops=1200,write-rate=30M,queue-depth=32", 1, 1200},
	{"announced=1G,write-iops=1200,write-rate=30M,queue-depth=32", 4, 4800},
	{"announced=1G,write-iops=1200,write-rate=40960000,queue-depth=32", 32, 10000},
};

/* Ten seconds of random writes with `depth` in flight, counted as an engine does. */
START_TEST(queue_depth_gives_exact_iops)
{
	struct ca_device *device = open_card(queues[_i].text);
	struct ca_io ios[32], *done;
	uint8_t data[4096] = {0};
	uint64_t state = 1, operations = 0, last = 0;

	for (unsigned int i = 0; i < queues[_i].depth; i++) {
		ios[i] = (struct ca_io){.op = CA_IO_WRITE,
					.bytes = sizeof(data),
					.buffer = data,
					.offset = ca_rng_below(&state, 65536) * 4096};
		ck_assert_int_eq(ca_device_submit(device, &ios[i]), 0);
	}
	while (ca_clock_now_ns(device->clock) < 10 * CA_NS_PER_SECOND) {
		ck_assert_int_eq(ca_device_wait(device, &done), 0);
		ck_assert_int_eq((int)done->status, CA_IO_OK);
		ck_assert_uint_ge(done->completed_ns, last); /* in the order of time */
		ck_assert_uint_gt(done->completed_ns, done->submitted_ns);
		ck_assert_uint_eq(done->completed_ns, ca_clock_now_ns(device->clock));
		last = done->completed_ns;
		operations++;
		done->offset = ca_rng_below(&state, 65536) * 4096;
		ck_assert_int_eq(ca_device_submit(device, done), 0);
	}
	/* milli-IOPS, to 0.1 % */
	operations = operations * 1000 * CA_NS_PER_SECOND / last;
	ck_assert_msg(operations >= queues[_i].iops * 999 && operations <= queues[_i].iops * 1001,
		      "%llu", (unsigned long long)operations);
	ca_device_close(device);
}
END_TEST

START_TEST(the_queue_is_bounded)
{
	struct ca_device *device = open_card("announced=1G,bad=3");
	struct ca_io ios[CA_SIM_QUEUE_MAX + 1], *done;
	uint8_t data[SECTOR] = {0};

	ck_assert_int_eq(ca_device_wait(device, &done), -ENOENT);
	for (unsigned int i = 0; i <= CA_SIM_QUEUE_MAX; i++) {
		ios[i] = (struct ca_io){.op = CA_IO_READ,
					.bytes = SECTOR,
					.buffer = data,
					.offset = (uint64_t)i * SECTOR};
		ck_assert_int_eq(ca_device_submit(device, &ios[i]),
				 i == CA_SIM_QUEUE_MAX ? -EAGAIN : 0);
	}
	for (unsigned int i = 0; i < CA_SIM_QUEUE_MAX; i++) { /* depth 1: as they came */
		ck_assert_int_eq(ca_device_wait(device, &done), 0);
		ck_assert_ptr_eq(done, &ios[i]);
		ck_assert_int_eq((int)done->status, i == 3 ? CA_IO_ERROR : CA_IO_OK);
		ck_assert_int_eq(done->error, i == 3 ? EIO : 0);
	}
	ck_assert_int_eq(ca_device_wait(device, &done), -ENOENT);
	ios[0].offset = 1;
	ck_assert_int_eq(ca_device_submit(device, &ios[0]), -EINVAL);
	ca_device_close(device);
}
END_TEST

static const struct {
	const char *text;
	enum ca_reinit_kind kind;
	enum ca_io_status status;
} anew[] = {
	{"announced=1G", CA_REINIT_HOST, CA_IO_OK},
	{"announced=1G,replug=gone", CA_REINIT_HOST, CA_IO_OK}, /* only hands do it */
	{"announced=1G", CA_REINIT_REPLUG, CA_IO_OK},
	{"announced=1G,replug=gone", CA_REINIT_REPLUG, CA_IO_GONE},
	{"announced=1G,replug=size", CA_REINIT_POWER, CA_IO_ERROR},
	{"announced=1G,replug=identity", CA_REINIT_REPLUG, CA_IO_ERROR},
};

START_TEST(what_comes_back)
{
	struct ca_device *device = open_card(anew[_i].text);
	struct ca_io_fault fault;

	ck_assert_int_eq(ca_sim_begin_anew(device, anew[_i].kind, &fault), 0);
	ck_assert_int_eq((int)fault.status, (int)anew[_i].status);
	ck_assert_int_eq(ca_device_check(device, &fault), 0);
	ck_assert_int_eq((int)fault.status, (int)anew[_i].status);
	ca_device_close(device);
}
END_TEST

START_TEST(half_of_it_comes_back)
{
	struct ca_device *device = open_card("announced=2M,replug=size");
	uint8_t data[4 * SECTOR] = {0};
	struct ca_io_fault fault;

	check_fault(write_fault(device, 2046, 4, data), CA_IO_OK, 0, 0, 0);
	ck_assert_int_eq(ca_sim_begin_anew(device, CA_REINIT_REPLUG, &fault), 0);
	check_fault(read_fault(device, 2046, 4, data), CA_IO_ERROR, EIO, 2048, 2);
	ca_device_close(device);
}
END_TEST

START_TEST(power_takes_what_hangs_on_it)
{
	struct ca_device *device = open_card("announced=1G,kind=volatile,real=1M");
	uint8_t data[SECTOR], found[SECTOR];
	struct ca_io_fault fault;

	memset(data, 0x33, sizeof(data));
	(void)write_fault(device, 9999, 1, data);
	ck_assert_int_eq(ca_sim_begin_anew(device, CA_REINIT_HOST, &fault), 0);
	(void)read_fault(device, 9999, 1, found);
	ck_assert_mem_eq(found, data, SECTOR);
	ck_assert_int_eq(ca_sim_begin_anew(device, CA_REINIT_POWER, &fault), 0);
	(void)read_fault(device, 9999, 1, found);
	ck_assert(ca_bytes_is_all(found, SECTOR, 0));
	ca_device_close(device);
}
END_TEST

START_TEST(a_dead_card_stays_dead)
{
	struct ca_device *device = open_card("announced=1G,kind=brick,real=1M");
	uint8_t data[4 * SECTOR] = {0};
	struct ca_io_fault fault;

	check_fault(write_fault(device, 2046, 4, data), CA_IO_GONE, ENODEV, 2048, 2);
	check_fault(read_fault(device, 0, 1, data), CA_IO_GONE, ENODEV, 0, 1);
	ck_assert_int_eq(ca_sim_begin_anew(device, CA_REINIT_REPLUG, &fault), 0);
	check_fault(fault, CA_IO_GONE, ENODEV, 0, CA_GIB / SECTOR);
	ca_device_close(device);
}
END_TEST

START_TEST(a_cliff_shows_in_the_time)
{
	struct ca_device *device =
		open_card("announced=1G,write-rate=10M,cliff=1M,cliff-rate=1M,write-iops=100000");
	uint8_t *data = calloc(1, CA_MIB);

	ck_assert_ptr_nonnull(data);
	(void)write_fault(device, 0, 2048, data);
	ck_assert_uint_eq(ca_clock_now_ns(device->clock), 104857600);
	(void)write_fault(device, 0, 2048, data);
	ck_assert_uint_eq(ca_clock_now_ns(device->clock), 104857600 + 1048576000);
	free(data);
	ca_device_close(device);
}
END_TEST

START_TEST(two_cards_in_one_reader)
{
	struct ca_device *device = open_card("announced=1M,crosstalk=1");
	struct ca_device *neighbour = open_card("announced=1M");
	uint8_t data[SECTOR], found[SECTOR];

	memset(data, 0x55, sizeof(data));
	(void)write_fault(neighbour, 7, 1, data);
	(void)read_fault(device, 7, 1, found);
	ck_assert(ca_bytes_is_all(found, SECTOR, 0));
	ca_sim_join(device, neighbour);
	(void)read_fault(device, 7, 1, found);
	ck_assert_mem_eq(found, data, SECTOR);
	ca_device_close(device);
	ca_device_close(neighbour);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sim_card");
	TCase *tcase = tcase_create("sim_card");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tcase, geometry);
	tcase_add_test(tcase, reads_back_what_was_written);
	tcase_add_loop_test(tcase, ranges_that_are_none_of_the_card, 0, (int)CA_ARRAY_LEN(misuses));
	tcase_add_loop_test(tcase, bad_sectors_are_named_exactly, 0, (int)CA_ARRAY_LEN(around_bad));
	tcase_add_test(tcase, one_bit_flips_at_every_read);
	tcase_add_test(tcase, vanishes_after_so_many_bytes);
	tcase_add_test(tcase, a_cache_hides_the_loss_until_overrun);
	tcase_add_test(tcase, calls_that_wait_advance_the_clock_exactly);
	tcase_add_loop_test(tcase, queue_depth_gives_exact_iops, 0, (int)CA_ARRAY_LEN(queues));
	tcase_add_test(tcase, the_queue_is_bounded);
	tcase_add_loop_test(tcase, what_comes_back, 0, (int)CA_ARRAY_LEN(anew));
	tcase_add_test(tcase, half_of_it_comes_back);
	tcase_add_test(tcase, power_takes_what_hangs_on_it);
	tcase_add_test(tcase, a_dead_card_stays_dead);
	tcase_add_test(tcase, a_cliff_shows_in_the_time);
	tcase_add_test(tcase, two_cards_in_one_reader);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
