/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeping the head of a card and putting it back: head.c. */
#include "cardassay/host.h"

#include "device_test.h"
#include "ram_device.h"

#define BYTES (22 * CA_MIB)

static struct ram_device ram;
static uint8_t *before;

static void setup(void)
{
	uint64_t state = 5;

	ram_init(&ram, BYTES, 512, 4);
	before = malloc(BYTES);
	ck_assert_ptr_nonnull(before);
	memset(ram.data + CA_MIB, 0xff, 3 * CA_MIB); /* erased, on cards that say so with ones */
	for (size_t i = 0; i < CA_MIB; i += 8)
		ca_put_le64(ram.data + i, ca_rng_next(&state));
	for (size_t i = BYTES - 34 * 512; i < BYTES; i += 8)
		ca_put_le64(ram.data + i, ca_rng_next(&state));
	memcpy(before, ram.data, BYTES);
}

static void teardown(void)
{
	free(before);
	ca_device_close(&ram.device);
}

static struct ca_head *save(uint64_t head, uint64_t tail)
{
	struct ca_head *kept = NULL;

	ck_assert_int_eq(ca_head_save(&ram.device, head, tail, &kept), 0);
	return kept;
}

static bool is_all(uint64_t first, uint64_t end, uint8_t value)
{
	while (first < end && ram.data[first] == value)
		first++;
	return first == end;
}

static int as_before(void *context, uint64_t offset, uint32_t bytes, const uint8_t *data)
{
	*(size_t *)context += bytes;
	return memcmp(data, before + offset, bytes) == 0 ? 0 : -EIO;
}

static const struct {
	uint64_t head, tail;
} sizes[] = {
	{512, 0},
	{65536, 0},
	{65536 + 512, 512},
	{5 * CA_MIB + 1000, 0}, /* to the end of its sector */
	{5 * CA_MIB, UINT64_C(34) * 512},
	{BYTES, 0},
};

START_TEST(is_put_back_as_it_was)
{
	struct ca_head *kept = save(sizes[_i].head, sizes[_i].tail);
	struct ca_io_fault fault = {.status = CA_IO_GONE};
	size_t end = (size_t)((sizes[_i].head + 511) / 512 * 512);
	size_t tail = (size_t)sizes[_i].tail, seen;

	ck_assert_ptr_nonnull(kept);
	memset(ram.data, 0x5a, BYTES);
	seen = 0;
	ck_assert_int_eq(ca_head_walk(kept, as_before, &seen), 0);
	ck_assert_uint_eq(seen, end + tail);
	ck_assert_int_eq(ca_head_put_back(&ram.device, kept, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_OK);
	ck_assert_mem_eq(ram.data, before, end);
	ck_assert_mem_eq(ram.data + BYTES - tail, before + BYTES - tail, tail);
	/* and nothing else is touched */
	ck_assert(is_all(end, BYTES - sizes[_i].tail, 0x5a));
	ck_assert_uint_ge(ram.flushes, 1);
	ck_assert_uint_ge(ram.drops, 1);
	ca_head_free(kept);
}
END_TEST

START_TEST(what_is_too_large_or_unreadable_is_not_kept)
{
	uint64_t state = 6;

	ram.bad_read = (struct ram_range){100, 1};
	ck_assert_ptr_null(save(CA_MIB, 0));
	ram.bad_read.sectors = 0;
	for (size_t i = 0; i < 20 * CA_MIB; i += 8)
		ca_put_le64(ram.data + i, ca_rng_next(&state));
	ck_assert_ptr_null(save(20 * CA_MIB, 0));
}
END_TEST

START_TEST(what_does_not_come_back_is_told)
{
	struct ca_head *kept = save(CA_MIB, 0);
	struct ca_io_fault fault = {.status = CA_IO_OK};

	memset(ram.data, 0, BYTES);
	ram.limbo = 64; /* writes vanish, and nobody says so */
	ck_assert_int_eq(ca_head_put_back(&ram.device, kept, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_ERROR);
	ram.limbo = 0;
	ram.bad_write = (struct ram_range){7, 1};
	ck_assert_int_eq(ca_head_put_back(&ram.device, kept, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_ERROR);
	ca_head_free(kept);
}
END_TEST

/* Written last, so that no half of a file system is ever found. */
static uint64_t last_written;

static void note(enum ca_io_op op, uint64_t offset, uint64_t bytes, const uint8_t *out)
{
	(void)bytes;
	(void)out;
	if (op == CA_IO_WRITE)
		last_written = offset;
}

START_TEST(the_first_sector_comes_last)
{
	struct ca_head *kept = save(2 * CA_MIB, UINT64_C(34) * 512);
	struct ca_io_fault fault;

	last_written = 1;
	ram.on_transfer = note;
	ck_assert_int_eq(ca_head_put_back(&ram.device, kept, &fault), 0);
	ck_assert_uint_eq(last_written, 0);
	ca_head_free(kept);
}
END_TEST

START_TEST(wiping_leaves_zeros_at_both_ends)
{
	struct ca_io_fault fault = {.status = CA_IO_GONE};
	bool discarded = true;

	memset(ram.data, 0x5a, BYTES);
	ck_assert_int_eq(ca_head_wipe(&ram.device, &discarded, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_OK);
	ck_assert(!discarded);
	ck_assert(is_all(0, 16 * CA_MIB, 0));
	ck_assert(is_all(16 * CA_MIB, BYTES - CA_MIB, 0x5a));
	ck_assert(is_all(BYTES - CA_MIB, BYTES, 0));
}
END_TEST

START_TEST(nothing_can_be_freed)
{
	ca_head_free(NULL);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("head");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_loop_test(tests, is_put_back_as_it_was, 0, CA_ARRAY_LEN(sizes));
	tcase_add_test(tests, what_is_too_large_or_unreadable_is_not_kept);
	tcase_add_test(tests, what_does_not_come_back_is_told);
	tcase_add_test(tests, the_first_sector_comes_last);
	tcase_add_test(tests, wiping_leaves_zeros_at_both_ends);
	tcase_add_test(tests, nothing_can_be_freed);
	return run_tests(tests);
}
