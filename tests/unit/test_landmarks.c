/* SPDX-License-Identifier: BSD-2-Clause */
#include "unit/fill_rig.h"

#include <check.h>

#define SECTORS UINT64_C(131072) /* 64 MiB, all written */
#define PIECE	UINT64_C(128)	 /* sectors of 64 KiB */

/* What happened to the card after the writing. Places: piece 511 ends at a power of two, 1023 at
 * all that was written. */
static const struct landmark_case {
	const char *name;
	uint64_t lost_lba, lost_sectors;     /* zeros */
	uint64_t lost2_lba, lost2_sectors;   /* more zeros */
	uint64_t alias_sectors, alias_delta; /* from sector 0: holds lba + delta */
	bool restless; /* one read of the first sector differs from the next */
	bool proof;
} cases[] = {
	{"sound", 0, 0, 0, 0, 0, 0, false, false},
	{"one bad page at the start", 0, 32, 0, 0, 0, 0, false, false},
	{"one bad block at the start", 0, 8192, 0, 0, 0, 0, false, false},
	{"bad pages in two landmarks, no whole piece", 511 * PIECE, PIECE - 1, 1023 * PIECE,
	 PIECE - 1, 0, 0, false, false},
	{"whole pieces in two landmarks", 511 * PIECE, PIECE, 1023 * PIECE, PIECE, 0, 0, false,
	 true},
	{"all lost from the middle on", SECTORS / 2, SECTORS / 2, 0, 0, 0, 0, false, true},
	{"one aliased page", 0, 0, 0, 0, 32, 65536, false, false},
	{"one aliased piece", 0, 0, 0, 0, PIECE, 65536, false, false},
	{"two aliased pieces", 0, 0, 0, 0, 2 * PIECE, 65536, false, true},
	{"two aliased pieces, odd distance", 0, 0, 0, 0, 2 * PIECE, 99991, false, true},
	{"aliased, but not the same twice", 0, 0, 0, 0, 2 * PIECE, 65536, true, false},
};

static void set_up(void)
{
	options = (struct ca_fill_options){.seed = 8};
	rig_begin(SECTORS);
	job.written_to = SECTORS * CA_SECTOR_BYTES;
}

static void tear_down(void)
{
	rig_end();
}

START_TEST(only_a_conservative_proof_counts)
{
	const struct landmark_case *c = &cases[_i];

	memset(ram.data + c->lost_lba * 512, 0, (size_t)c->lost_sectors * 512);
	memset(ram.data + c->lost2_lba * 512, 0, (size_t)c->lost2_sectors * 512);
	if (c->alias_sectors)
		ca_pattern_generate(job.pattern, c->alias_delta, c->alias_sectors, ram.data);
	if (c->restless)
		ram.restless = 1;
	ck_assert_int_eq(ca_fill_check_landmarks(&job), 0);
	ck_assert_msg(job.proof == c->proof, "%s", c->name);
	ck_assert_uint_ge(ram.flushes, 1);
	ck_assert_uint_ge(ram.drops, 1);
	/* only those that differ are read once more */
	ck_assert_uint_le(ram.sync_transfers, 48);
	ck_assert_uint_le(ram.transfers, 48 + 256 + 48);
}
END_TEST

START_TEST(only_large_read_errors_end_the_writing)
{
	ram.bad_read = (struct ram_range){511 * PIECE, PIECE};
	ck_assert_int_eq(ca_fill_check_landmarks(&job), 0);
	ck_assert(!job.proof && !ca_fill_is_over(&job));
	ram.bad_read = (struct ram_range){512 * PIECE, 512 * PIECE};
	ck_assert_int_eq(ca_fill_check_landmarks(&job), 0);
	ck_assert(job.proof && !ca_fill_is_over(&job));
}
END_TEST

START_TEST(a_card_that_answers_nothing_is_lost)
{
	ram.bad_read = (struct ram_range){0, SECTORS};
	ck_assert_int_eq(ca_fill_check_landmarks(&job), 0);
	ck_assert_int_eq(job.end, CA_FILL_LOST);
	ck_assert(!job.proof);
}
END_TEST

/* Where the last block written stands for all that is lost, no one distance is seen. */
START_TEST(one_block_everywhere_is_proof)
{
	for (uint64_t lba = SECTORS / 2; lba < SECTORS; lba++)
		ca_pattern_generate(job.pattern, SECTORS - 1, 1, ram.data + lba * 512);
	ck_assert_int_eq(ca_fill_check_landmarks(&job), 0);
	ck_assert(job.proof);
}
END_TEST

START_TEST(a_modulus_smaller_than_a_piece_is_proof)
{
	for (uint64_t lba = 0; lba < SECTORS; lba++)
		ca_pattern_generate(job.pattern, SECTORS - 7 + lba % 7, 1, ram.data + lba * 512);
	ck_assert_int_eq(ca_fill_check_landmarks(&job), 0);
	ck_assert(job.proof);
}
END_TEST

START_TEST(a_card_that_left_ends_the_run)
{
	ram.gone_after = 5;
	ck_assert_int_eq(ca_fill_check_landmarks(&job), 0);
	ck_assert_int_eq(job.end, CA_FILL_LOST);
	ck_assert(!job.proof);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("landmarks");
	TCase *tcase = tcase_create("landmarks");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, only_a_conservative_proof_counts, 0, (int)CA_ARRAY_LEN(cases));
	tcase_add_test(tcase, only_large_read_errors_end_the_writing);
	tcase_add_test(tcase, a_card_that_answers_nothing_is_lost);
	tcase_add_test(tcase, one_block_everywhere_is_proof);
	tcase_add_test(tcase, a_modulus_smaller_than_a_piece_is_proof);
	tcase_add_test(tcase, a_card_that_left_ends_the_run);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
