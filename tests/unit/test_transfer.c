/* SPDX-License-Identifier: BSD-2-Clause */
#include "transfer.h"

#include "device_test.h"

#include <errno.h>
#include <string.h>

#define SECTOR	512U
#define SECTORS 64U

/* A device in memory with bad sectors, counted calls and a clock that only I/O moves. */
struct rig {
	struct ca_clock_virtual clock;
	uint8_t data[SECTORS * SECTOR];
	bool bad[SECTORS];
	unsigned int recover[SECTORS]; /* fails so often, then works */
	int error;
	uint64_t at_most;		/* bytes a call moves */
	uint64_t ends_at;		/* the device is shorter than announced */
	uint64_t ns_per_error;		/* what a failing call costs */
	unsigned int calls, gone_after; /* gone_after: calls until it has left, 0 = stays */
};

static bool left(const struct rig *rig)
{
	return rig->gone_after && rig->calls > rig->gone_after;
}

static int64_t move(void *context, enum ca_io_op op, uint64_t offset, uint64_t bytes, void *buffer)
{
	struct rig *rig = context;

	rig->calls++;
	ck_assert_uint_eq(offset % SECTOR, 0);
	ck_assert_uint_eq(bytes % SECTOR, 0);
	if (left(rig))
		return -EIO;
	if (offset >= rig->ends_at)
		return 0;
	if (rig->at_most && bytes > rig->at_most)
		bytes = rig->at_most;
	for (uint64_t i = offset / SECTOR; i < (offset + bytes) / SECTOR; i++) {
		bool fails = rig->bad[i] || rig->recover[i] > 0;

		rig->recover[i] -= rig->recover[i] > 0;
		rig->clock.ns += fails ? rig->ns_per_error : 0;
		if (fails)
			return -rig->error;
	}
	if (op == CA_IO_READ)
		memcpy(buffer, rig->data + offset, (size_t)bytes);
	else
		memcpy(rig->data + offset, buffer, (size_t)bytes);
	return (int64_t)bytes;
}

static bool is_gone(void *context, int error)
{
	ck_assert_int_gt(error, 0);
	return left(context);
}

static bool is_own(void *context, int error)
{
	(void)context;
	return error == ENOMEM;
}

static void rig_init(struct rig *rig)
{
	memset(rig, 0, sizeof(*rig));
	ca_clock_virtual_init(&rig->clock);
	for (size_t i = 0; i < sizeof(rig->data); i++)
		rig->data[i] = (uint8_t)(i / SECTOR + i);
	rig->error = EIO;
	rig->ends_at = sizeof(rig->data);
}

static int run(struct rig *rig, enum ca_io_op op, uint64_t first, uint64_t sectors, void *buffer,
	       struct ca_io_fault *ret_fault)
{
	struct ca_transfer transfer = {move, is_gone, is_own, rig, &rig->clock.clock, SECTOR};

	return ca_transfer_run(&transfer, op, first * SECTOR, sectors * SECTOR, buffer, ret_fault);
}

static const struct {
	const char *bad; /* sectors, from 0, '#' is bad */
	unsigned int first, sectors, fault_first, fault_sectors;
} cases[] = {
	{"................", 0, 16, 0, 0},
	{"#...............", 0, 16, 0, 1},
	{"...............#", 0, 16, 15, 1},
	{".......#........", 0, 16, 7, 1},
	{".......###......", 0, 16, 7, 3},
	{".......##.######", 0, 16, 7, 2},
	{"################", 0, 16, 0, 16},
	{".......#........", 8, 8, 0, 0}, /* a bad sector outside does not matter */
	{".......##.......", 8, 8, 8, 1},
	{"..#......#......", 3, 13, 9, 1},
	{"#", 0, 1, 0, 1},
	{".#.", 0, 3, 1, 1},
	{"..#", 0, 3, 2, 1},
};

START_TEST(exact_range)
{
	static uint8_t buffer[SECTORS * SECTOR];
	struct ca_io_fault fault;
	static struct rig rig;
	uint64_t offset = cases[_i].first * SECTOR, good;

	rig_init(&rig);
	for (size_t i = 0; cases[_i].bad[i]; i++)
		rig.bad[i] = cases[_i].bad[i] == '#';
	memset(buffer, 0, sizeof(buffer));
	ck_assert_int_eq(run(&rig, CA_IO_READ, cases[_i].first, cases[_i].sectors, buffer, &fault),
			 0);
	good = cases[_i].sectors * SECTOR;
	if (cases[_i].fault_sectors) {
		ck_assert_int_eq(fault.status, CA_IO_ERROR);
		ck_assert_int_eq(fault.error, EIO);
		ck_assert_uint_eq(fault.offset, cases[_i].fault_first * SECTOR);
		ck_assert_uint_eq(fault.bytes, cases[_i].fault_sectors * SECTOR);
		good = fault.offset - offset;
	} else {
		ck_assert_int_eq(fault.status, CA_IO_OK);
		ck_assert_uint_eq(fault.bytes, 0);
	}
	/* all before the fault is done */
	ck_assert_mem_eq(buffer, rig.data + offset, (size_t)good);
}
END_TEST

START_TEST(write_before_the_fault)
{
	uint8_t buffer[16 * SECTOR];
	struct ca_io_fault fault;
	static struct rig rig;

	rig_init(&rig);
	rig.bad[5] = true;
	memset(buffer, 0xa5, sizeof(buffer));
	ck_assert_int_eq(run(&rig, CA_IO_WRITE, 0, 16, buffer, &fault), 0);
	ck_assert_uint_eq(fault.offset, 5 * SECTOR);
	ck_assert(ca_bytes_is_all(rig.data, 5 * SECTOR, 0xa5));
	ck_assert(!ca_bytes_is_all(rig.data + 5 * SECTOR, SECTOR, 0xa5));
}
END_TEST

/* Pieces that the kernel cuts are joined. */
START_TEST(short_pieces)
{
	uint8_t buffer[16 * SECTOR];
	struct ca_io_fault fault;
	static struct rig rig;

	rig_init(&rig);
	for (unsigned int i = 0; i < 2; i++) {
		rig.at_most = i ? 3 * SECTOR : SECTOR;
		ck_assert_int_eq(run(&rig, CA_IO_READ, 2, 16, buffer, &fault), 0);
		ck_assert_int_eq(fault.status, CA_IO_OK);
		ck_assert_mem_eq(buffer, rig.data + 2 * SECTOR, sizeof(buffer));
	}
}
END_TEST

START_TEST(recovers)
{
	uint8_t buffer[16 * SECTOR];
	struct ca_io_fault fault;
	static struct rig rig;

	rig_init(&rig);
	rig.recover[7] = 2;
	rig.recover[12] = 1;
	ck_assert_int_eq(run(&rig, CA_IO_READ, 0, 16, buffer, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_OK);
	ck_assert_mem_eq(buffer, rig.data, sizeof(buffer));
}
END_TEST

START_TEST(shorter_than_announced)
{
	uint8_t buffer[16 * SECTOR];
	struct ca_io_fault fault;
	static struct rig rig;

	rig_init(&rig);
	rig.ends_at = 4 * SECTOR;
	rig.at_most = 4 * SECTOR;
	ck_assert_int_eq(run(&rig, CA_IO_READ, 0, 16, buffer, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_ERROR);
	ck_assert_int_eq(fault.error, EIO);
	ck_assert_uint_eq(fault.offset, 4 * SECTOR);
	ck_assert_uint_eq(fault.bytes, 12 * SECTOR);
}
END_TEST

START_TEST(gone)
{
	uint8_t buffer[16 * SECTOR];
	struct ca_io_fault fault;
	static struct rig rig;

	rig_init(&rig);
	rig.at_most = 4 * SECTOR;
	rig.gone_after = 2;
	ck_assert_int_eq(run(&rig, CA_IO_READ, 0, 16, buffer, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_GONE);
	ck_assert_uint_eq(fault.offset, 8 * SECTOR);
	ck_assert_uint_eq(fault.bytes, 8 * SECTOR);
	ck_assert_uint_eq(rig.calls, 3); /* nothing is searched on a device that left */
}
END_TEST

/* It leaves while a bad sector is looked for: all that is left is gone, not bad. */
START_TEST(gone_meanwhile)
{
	uint8_t buffer[16 * SECTOR];
	struct ca_io_fault fault;
	static struct rig rig;

	rig_init(&rig);
	rig.bad[6] = true;
	rig.gone_after = 3;
	ck_assert_int_eq(run(&rig, CA_IO_READ, 0, 16, buffer, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_GONE);
	ck_assert_uint_eq(fault.offset + fault.bytes, 16 * SECTOR);
	ck_assert_uint_le(fault.offset, 6 * SECTOR);
}
END_TEST

START_TEST(own_failure)
{
	uint8_t buffer[16 * SECTOR];
	struct ca_io_fault fault = {.status = CA_IO_GONE, .offset = 77};
	static struct rig rig;

	rig_init(&rig);
	rig.bad[6] = true;
	rig.error = ENOMEM;
	ck_assert_int_eq(run(&rig, CA_IO_READ, 0, 16, buffer, &fault), -ENOMEM);
	ck_assert_uint_eq(fault.offset, 77);
}
END_TEST

/* A dead region of slow failures is not walked to its end in one call. */
START_TEST(bounded_time)
{
	static uint8_t buffer[SECTORS * SECTOR];
	struct ca_io_fault fault;
	static struct rig rig;

	rig_init(&rig);
	rig.ns_per_error = CA_NS_PER_SECOND / 2;
	memset(rig.bad + 8, 1, SECTORS - 8);
	ck_assert_int_eq(run(&rig, CA_IO_READ, 0, SECTORS, buffer, &fault), 0);
	ck_assert_uint_eq(fault.offset, 8 * SECTOR);
	ck_assert_uint_eq(fault.bytes, 6 * SECTOR);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("transfer");

	tcase_add_loop_test(tests, exact_range, 0, (int)CA_ARRAY_LEN(cases));
	tcase_add_test(tests, write_before_the_fault);
	tcase_add_test(tests, short_pieces);
	tcase_add_test(tests, recovers);
	tcase_add_test(tests, shorter_than_announced);
	tcase_add_test(tests, gone);
	tcase_add_test(tests, gone_meanwhile);
	tcase_add_test(tests, own_failure);
	tcase_add_test(tests, bounded_time);
	return run_tests(tests);
}
