/* SPDX-License-Identifier: BSD-2-Clause */
#include "unit/fill_rig.h"

#include <check.h>

#define SECTORS UINT64_C(16384)
#define AGAIN	(SECTORS / 4)

static void set_up(void)
{
	options = (struct ca_fill_options){.seed = 8};
	rig_begin(SECTORS);
	capacity.verified_bytes = SECTORS * CA_SECTOR_BYTES;
	job.written_to = SECTORS * CA_SECTOR_BYTES;
}

static void tear_down(void)
{
	rig_end();
}

static void add(uint64_t lba, uint64_t sectors, enum ca_sector_class class_of)
{
	ck_assert_int_eq(ca_map_add(job.map, lba, sectors, class_of, CA_RUN_READS_ALIKE, 0), 0);
}

/* ---- a lost end that a memory hides -------------------------------------------------------- */

/* Once so much was written, the memory has let go of what it held, and the card is what it is. */
static uint64_t written, memory;
static uint64_t then_limbo, then_wrap;

static void count_written(enum ca_io_op op, uint64_t offset, uint64_t bytes, const uint8_t *out)
{
	(void)offset;
	(void)out; /* the pattern, as before */
	written += op == CA_IO_WRITE ? bytes / CA_SECTOR_BYTES : 0;
	if (written < memory)
		return;
	ram.limbo = then_limbo;
	ram.wrap = then_wrap;
}

static const struct hidden_case {
	const char *name;
	uint64_t limbo, wrap, memory; /* sectors */
	enum ca_capacity_kind kind;
	uint64_t real, bad;
} hidden[] = {
	{"sound", 0, 0, 1, CA_CAPACITY_KIND_SOUND, 0, 0},
	{"limbo", SECTORS - 300, 0, 300, CA_CAPACITY_KIND_LIMBO, SECTORS - 300, 300},
	{"the last sector", SECTORS - 1, 0, 1, CA_CAPACITY_KIND_LIMBO, SECTORS - 1, 1},
	{"wrap", 0, SECTORS - 200, 200, CA_CAPACITY_KIND_WRAP, SECTORS - 200, 200},
	{"wrap by one sector", 0, SECTORS - 1, 1, CA_CAPACITY_KIND_WRAP, SECTORS - 1, 1},
	{"a larger memory", SECTORS - 300, 0, 2 * AGAIN, CA_CAPACITY_KIND_SOUND, 0, 0},
};

START_TEST(a_memory_hides_a_lost_end)
{
	const struct hidden_case *c = &hidden[_i];

	written = 0;
	memory = c->memory;
	then_limbo = c->limbo;
	then_wrap = c->wrap;
	ram.on_transfer = count_written;
	add(0, SECTORS, CA_SECTOR_GOOD);
	ck_assert_int_eq(ca_fill_ask_hidden(&job), 0);
	ck_assert_uint_eq(written, AGAIN);
	ck_assert_int_eq(ca_map_finish(job.map, &capacity), 0);
	ck_assert_msg(capacity.kind == c->kind, "%s: %s", c->name,
		      ca_capacity_kind_name(capacity.kind));
	ck_assert_uint_eq(capacity.real_capacity_bytes, c->real * CA_SECTOR_BYTES);
	ck_assert_uint_eq(job.bad_sectors, c->bad);
	ck_assert_uint_eq(capacity.classes[CA_SECTOR_GOOD], SECTORS - c->bad);
	ck_assert_uint_eq(capacity.verified_bytes, SECTORS * CA_SECTOR_BYTES);
	ck_assert_uint_eq(capacity.unstable_sectors, 0);
}
END_TEST

START_TEST(asked_only_where_it_matters)
{
	capacity.reinit = CA_REINIT_POWER; /* no memory outlives that */
	add(0, SECTORS, CA_SECTOR_GOOD);
	ck_assert_int_eq(ca_fill_ask_hidden(&job), 0);
	capacity.reinit = CA_REINIT_NONE;
	job.written_to -= CA_SECTOR_BYTES; /* it was stopped */
	ck_assert_int_eq(ca_fill_ask_hidden(&job), 0);
	ck_assert_uint_eq(ram.transfers, 0);
}
END_TEST

START_TEST(what_cannot_be_written_again_is_no_proof)
{
	add(0, SECTORS, CA_SECTOR_GOOD);
	ram.fail_once = 1;
	ck_assert_int_eq(ca_fill_ask_hidden(&job), 0);
	ck_assert(!ca_fill_is_over(&job));
	ck_assert_uint_eq(capacity.unstable_sectors, 1);
	ck_assert_int_eq(ca_map_finish(job.map, &capacity), 0);
	ck_assert_int_eq(capacity.kind, CA_CAPACITY_KIND_SOUND);
}
END_TEST

START_TEST(gone_meanwhile)
{
	add(0, SECTORS, CA_SECTOR_GOOD);
	ram.gone_after = 1;
	ck_assert_int_eq(ca_fill_ask_hidden(&job), 0);
	ck_assert_int_eq(job.end, CA_FILL_LOST);
}
END_TEST

/* ---- what failed ----------------------------------------------------------------------------- */

START_TEST(errors_that_do_not_stay)
{
	add(0, 100, CA_SECTOR_GOOD);
	add(100, 8, CA_SECTOR_UNWRITABLE);
	add(108, 92, CA_SECTOR_GOOD);
	add(200, 4, CA_SECTOR_UNREADABLE);
	add(204, SECTORS - 204, CA_SECTOR_GOOD);
	ram.bad_read = (struct ram_range){200, 4}; /* this one stays */
	memset(ram.data + 100 * CA_SECTOR_BYTES, 0, 8 * CA_SECTOR_BYTES);
	ck_assert_int_eq(ca_fill_ask_failed(&job), 0);
	ck_assert_uint_eq(capacity.unstable_sectors, 8);
	ck_assert_int_eq(ca_map_finish(job.map, &capacity), 0);
	ck_assert_uint_eq(capacity.classes[CA_SECTOR_UNWRITABLE], 8);
	ck_assert_uint_eq(capacity.run_count, 5);
	ck_assert_int_eq(capacity.runs[1].reads, CA_RUN_READS_MIXED);
	ck_assert_int_eq(capacity.runs[3].reads, CA_RUN_READS_ALIKE);
}
END_TEST

/* Many that stay are not all tried: each can cost seconds. */
START_TEST(no_end_of_trying)
{
	for (uint64_t i = 0; i < 64; i++) {
		add(20 * i, 19, CA_SECTOR_GOOD);
		add(20 * i + 19, 1, CA_SECTOR_UNREADABLE);
	}
	ram.bad_read = (struct ram_range){0, SECTORS};
	ck_assert_int_eq(ca_fill_ask_failed(&job), 0);
	ck_assert_uint_le(ram.transfers, 60);
	ck_assert_uint_eq(capacity.unstable_sectors, 0);
	add(2000, 4000, CA_SECTOR_UNWRITABLE); /* no accident */
	ram.transfers = 0;
	ck_assert_int_eq(ca_fill_ask_failed(&job), 0);
	ck_assert_uint_eq(ram.transfers, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fill_again");
	TCase *tcase = tcase_create("fill_again");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_loop_test(tcase, a_memory_hides_a_lost_end, 0, (int)CA_ARRAY_LEN(hidden));
	tcase_add_test(tcase, asked_only_where_it_matters);
	tcase_add_test(tcase, what_cannot_be_written_again_is_no_proof);
	tcase_add_test(tcase, gone_meanwhile);
	tcase_add_test(tcase, errors_that_do_not_stay);
	tcase_add_test(tcase, no_end_of_trying);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
