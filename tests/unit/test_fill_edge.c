/* SPDX-License-Identifier: BSD-2-Clause */
#include "unit/fill_rig.h"

#include <check.h>

#define SECTORS UINT64_C(16384)

static struct ca_fill_range unwritable;

static void set_up(void)
{
	options = (struct ca_fill_options){.seed = 8};
	rig_begin(SECTORS);
	job.written_to = SECTORS * CA_SECTOR_BYTES;
	job.good_offset = 7 * CA_SECTOR_BYTES;
	job.bad_sectors = SECTORS / 2;
}

static void tear_down(void)
{
	job.unwritable = NULL; /* the test's own */
	rig_end();
}

/* The second half of the card was lost, or could not be written. */
static const struct edge_case {
	const char *name;
	bool unwritable;
	struct ram_range bad_write, bad_read;
	uint64_t limbo; /* from this sector on writes vanish */
	enum ca_capacity_kind kind;
	bool has_real;
} cases[] = {
	{"limbo", false, {0, 0}, {0, 0}, SECTORS / 2, CA_CAPACITY_KIND_LIMBO, true},
	{"ignores all writes", false, {0, 0}, {0, 0}, 1, CA_CAPACITY_KIND_WRITE_PROTECTED, false},
	{"refuses all writes",
	 true,
	 {0, SECTORS},
	 {0, 0},
	 0,
	 CA_CAPACITY_KIND_WRITE_PROTECTED,
	 false},
	{"errors past the end",
	 true,
	 {SECTORS / 2, SECTORS / 2},
	 {SECTORS / 2, SECTORS / 2},
	 0,
	 CA_CAPACITY_KIND_ERRORS,
	 true},
	{"full", true, {SECTORS / 2, SECTORS / 2}, {0, 0}, 0, CA_CAPACITY_KIND_THIN, false},
};

START_TEST(answers_tell_kinds_apart)
{
	const struct edge_case *c = &cases[_i];
	uint8_t before[CA_SECTOR_BYTES];

	ram.bad_write = c->bad_write;
	ram.bad_read = c->bad_read;
	ram.limbo = c->limbo;
	if (c->unwritable) {
		unwritable = (struct ca_fill_range){SECTORS / 2 * CA_SECTOR_BYTES,
						    SECTORS / 2 * CA_SECTOR_BYTES};
		job.unwritable = &unwritable;
		job.unwritable_count = 1;
	}
	ck_assert_int_eq(ca_map_add(job.map, 0, SECTORS / 2, CA_SECTOR_GOOD, CA_RUN_READS_ALIKE, 0),
			 0);
	ck_assert_int_eq(ca_map_add(job.map, SECTORS / 2, SECTORS / 2,
				    c->unwritable ? CA_SECTOR_UNWRITABLE : CA_SECTOR_ZEROS,
				    CA_RUN_READS_ALIKE, 0),
			 0);
	memcpy(before, ram.data + job.good_offset, sizeof(before));
	ck_assert_int_eq(ca_fill_ask_edge(&job), 0);
	ck_assert_mem_eq(before, ram.data + job.good_offset, sizeof(before));
	ck_assert_int_eq(ca_map_finish(job.map, &capacity), 0);
	ck_assert_msg(capacity.kind == c->kind, "%s: %s", c->name,
		      ca_capacity_kind_name(capacity.kind));
	ck_assert(capacity.has_real_capacity == c->has_real);
}
END_TEST

/*
 * The last sectors read good behind lost ones. A memory forgets them once others are written.
 */
static const struct memory_case {
	const char *name;
	uint64_t head, end; /* sectors: good, and good again */
	bool forgets;
	uint64_t fails; /* number of a transfer that fails; 4 = the writing again */
	enum ca_capacity_kind kind;
	uint64_t real, memory;
} memories[] = {
	{"memory", 4096, 512, true, 0, CA_CAPACITY_KIND_LIMBO, 4096, 512},
	{"memory of a sector", 4096, 1, true, 0, CA_CAPACITY_KIND_LIMBO, 4096, 1},
	{"memory, little lost", 12000, 4000, true, 0, CA_CAPACITY_KIND_LIMBO, 12000, 4000},
	{"memory, larger than the head", 100, 9000, true, 0, CA_CAPACITY_KIND_LIMBO, 100, 9000},
	{"kept on purpose", 4096, 512, false, 0, CA_CAPACITY_KIND_REGIONS, 0, 0},
	{"no answer", 4096, 512, true, 4, CA_CAPACITY_KIND_REGIONS, 0, 0},
	{"nothing at the beginning", 0, 512, true, 0, CA_CAPACITY_KIND_RING, 0, 0},
};

static uint64_t forgotten_from;

static void forget_when_written(enum ca_io_op op, uint64_t offset, uint64_t bytes,
				const uint8_t *out)
{
	uint64_t first = offset / CA_SECTOR_BYTES, sectors = bytes / CA_SECTOR_BYTES;

	(void)out; /* what is written is not looked at: the card holds it already */
	if (op == CA_IO_WRITE && sectors > 1) {
		ck_assert_uint_le(first + sectors, SECTORS);
		ram.limbo = forgotten_from;
	}
}

START_TEST(an_end_may_be_only_remembered)
{
	const struct memory_case *c = &memories[_i];
	uint64_t end_from = SECTORS - c->end;
	uint8_t before[CA_SECTOR_BYTES];

	if (c->head)
		ck_assert_int_eq(
			ca_map_add(job.map, 0, c->head, CA_SECTOR_GOOD, CA_RUN_READS_ALIKE, 0), 0);
	ck_assert_int_eq(ca_map_add(job.map, c->head, end_from - c->head, CA_SECTOR_ZEROS,
				    CA_RUN_READS_ALIKE, 0),
			 0);
	ck_assert_int_eq(
		ca_map_add(job.map, end_from, c->end, CA_SECTOR_GOOD, CA_RUN_READS_ALIKE, 0), 0);
	forgotten_from = end_from;
	ram.on_transfer = c->forgets ? forget_when_written : NULL;
	if (c->fails)
		ram.fail_once = ram.transfers + c->fails;
	memcpy(before, ram.data, sizeof(before));
	ck_assert_int_eq(ca_fill_ask_edge(&job), 0);
	ck_assert(!ca_fill_is_over(&job));
	ck_assert_mem_eq(before, ram.data, sizeof(before));
	ck_assert_int_eq(ca_map_finish(job.map, &capacity), 0);
	ck_assert_msg(capacity.kind == c->kind, "%s: %s", c->name,
		      ca_capacity_kind_name(capacity.kind));
	ck_assert(capacity.has_real_capacity == (c->real > 0));
	ck_assert_uint_eq(capacity.real_capacity_bytes, c->real * CA_SECTOR_BYTES);
	ck_assert_uint_eq(capacity.memory_bytes, c->memory * CA_SECTOR_BYTES);
}
END_TEST

static struct ram_range barred;
static uint8_t kept[SECTORS * CA_SECTOR_BYTES];

/* What was written to the barred sectors is gone by the time that something is read. */
static void put_barred_back(enum ca_io_op op, uint64_t offset, uint64_t bytes, const uint8_t *out)
{
	(void)offset;
	(void)bytes;
	(void)out;
	if (op == CA_IO_READ)
		memcpy(ram.data + barred.lba * CA_SECTOR_BYTES, kept + barred.lba * CA_SECTOR_BYTES,
		       (size_t)(barred.sectors * CA_SECTOR_BYTES));
}

/* Nothing at the beginning was kept: the oldest, or a part that takes nothing? */
static const struct start_case {
	uint64_t lost, good; /* sectors; what follows was not written */
	bool barred;	     /* the first takes no write */
	bool all_barred;
	enum ca_capacity_kind kind;
} starts[] = {
	{4096, SECTORS - 4096, false, false, CA_CAPACITY_KIND_RING},
	{4096, SECTORS - 4096, true, false, CA_CAPACITY_KIND_ISLANDS},
	{8192, 0, true, false, CA_CAPACITY_KIND_ISLANDS},
	{8192, 0, true, true, CA_CAPACITY_KIND_WRITE_PROTECTED},
};

START_TEST(a_beginning_that_is_lost)
{
	const struct start_case *c = &starts[_i];

	ck_assert_int_eq(ca_map_add(job.map, 0, c->lost, CA_SECTOR_ZEROS, CA_RUN_READS_ALIKE, 0),
			 0);
	if (c->good)
		ck_assert_int_eq(ca_map_add(job.map, c->lost, c->good, CA_SECTOR_GOOD,
					    CA_RUN_READS_ALIKE, 0),
				 0);
	job.written_to = (c->lost + c->good) * CA_SECTOR_BYTES;
	job.good_offset = c->lost * CA_SECTOR_BYTES;
	barred = (struct ram_range){0, c->barred ? c->lost : 0};
	if (c->all_barred)
		barred.sectors = SECTORS;
	memset(ram.data, 0, (size_t)(c->lost * CA_SECTOR_BYTES));
	memcpy(kept, ram.data, sizeof(kept));
	ram.on_transfer = put_barred_back;
	ck_assert_int_eq(ca_fill_ask_edge(&job), 0);
	ck_assert_int_eq(ca_map_finish(job.map, &capacity), 0);
	ck_assert_msg(capacity.kind == c->kind, "%s", ca_capacity_kind_name(capacity.kind));
	ck_assert(!capacity.has_real_capacity);
}
END_TEST

START_TEST(a_sound_card_is_not_asked)
{
	uint64_t transfers = ram.transfers;

	job.bad_sectors = 0;
	ck_assert_int_eq(ca_fill_ask_edge(&job), 0);
	ck_assert_uint_eq(ram.transfers, transfers);
}
END_TEST

START_TEST(a_card_that_left_is_no_answer)
{
	ck_assert_int_eq(ca_map_add(job.map, 0, SECTORS / 2, CA_SECTOR_GOOD, CA_RUN_READS_ALIKE, 0),
			 0);
	ck_assert_int_eq(ca_map_add(job.map, SECTORS / 2, SECTORS / 2, CA_SECTOR_ZEROS,
				    CA_RUN_READS_ALIKE, 0),
			 0);
	ram.gone_after = ram.transfers + 1; /* after the write */
	ck_assert_int_eq(ca_fill_ask_edge(&job), 0);
	ck_assert(!ca_fill_is_over(&job));
	ck_assert_int_eq(ca_map_finish(job.map, &capacity), 0);
	ck_assert_int_eq(capacity.kind, CA_CAPACITY_KIND_LIMBO);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fill_edge");
	TCase *tcase = tcase_create("fill_edge");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_loop_test(tcase, answers_tell_kinds_apart, 0, (int)CA_ARRAY_LEN(cases));
	tcase_add_loop_test(tcase, an_end_may_be_only_remembered, 0, (int)CA_ARRAY_LEN(memories));
	tcase_add_loop_test(tcase, a_beginning_that_is_lost, 0, (int)CA_ARRAY_LEN(starts));
	tcase_add_test(tcase, a_sound_card_is_not_asked);
	tcase_add_test(tcase, a_card_that_left_is_no_answer);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
