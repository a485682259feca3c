/* SPDX-License-Identifier: BSD-2-Clause */
#include "unit/ram_device.h"

#include "fill_job.h"

#include <check.h>

#define SECTORS UINT64_C(16384)

static struct ram_device ram;
static struct ca_fill_options options;
static struct ca_capacity_evidence capacity;
static struct ca_fill_job job;
static struct ca_fill_range unwritable;

static void set_up(void)
{
	ram_init(&ram, SECTORS * CA_SECTOR_BYTES, 512, 4);
	options = (struct ca_fill_options){.seed = 8};
	capacity = (struct ca_capacity_evidence){0};
	job = (struct ca_fill_job){
		.device = &ram.device, .options = &options, .capacity = &capacity};
	ck_assert_int_eq(ca_fill_job_init(&job), 0);
	ca_pattern_generate(job.pattern, 0, SECTORS, ram.data);
	job.written_to = SECTORS * CA_SECTOR_BYTES;
	job.good_offset = 7 * CA_SECTOR_BYTES;
	job.bad_sectors = SECTORS / 2;
}

static void tear_down(void)
{
	job.unwritable = NULL; /* the test's own */
	ca_fill_job_done(&job);
	ca_device_close(&ram.device);
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
	memcpy(before, ram.data + job.good_offset, sizeof(before));
	ck_assert_int_eq(ca_fill_ask_edge(&job), 0);
	ck_assert_mem_eq(before, ram.data + job.good_offset, sizeof(before));
	ck_assert_int_eq(ca_map_add(job.map, 0, SECTORS / 2, CA_SECTOR_GOOD, CA_RUN_READS_ALIKE, 0),
			 0);
	ck_assert_int_eq(ca_map_add(job.map, SECTORS / 2, SECTORS / 2,
				    c->unwritable ? CA_SECTOR_UNWRITABLE : CA_SECTOR_ZEROS,
				    CA_RUN_READS_ALIKE, 0),
			 0);
	ck_assert_int_eq(ca_map_finish(job.map, &capacity), 0);
	ck_assert_msg(capacity.kind == c->kind, "%s: %s", c->name,
		      ca_capacity_kind_name(capacity.kind));
	ck_assert(capacity.has_real_capacity == c->has_real);
	free(capacity.runs);
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
	ram.gone_after = ram.transfers + 1; /* after the write */
	ck_assert_int_eq(ca_fill_ask_edge(&job), 0);
	ck_assert(!ca_fill_is_over(&job));
	ck_assert_int_eq(ca_map_add(job.map, 0, SECTORS / 2, CA_SECTOR_GOOD, CA_RUN_READS_ALIKE, 0),
			 0);
	ck_assert_int_eq(ca_map_add(job.map, SECTORS / 2, SECTORS / 2, CA_SECTOR_ZEROS,
				    CA_RUN_READS_ALIKE, 0),
			 0);
	ck_assert_int_eq(ca_map_finish(job.map, &capacity), 0);
	ck_assert_int_eq(capacity.kind, CA_CAPACITY_KIND_LIMBO);
	free(capacity.runs);
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
	tcase_add_test(tcase, a_sound_card_is_not_asked);
	tcase_add_test(tcase, a_card_that_left_is_no_answer);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
