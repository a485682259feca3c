/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim.h"

#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define PIECE 4096U

static void fill(uint8_t *data, size_t bytes, uint64_t seed)
{
	for (size_t i = 0; i < bytes; i += 8)
		ca_put_le64(data + i, ca_rng_next(&seed));
}

static void put(struct ca_sim_store *store, uint64_t offset, size_t bytes, uint64_t seed)
{
	uint8_t data[PIECE];

	fill(data, sizeof(data), seed);
	ck_assert_int_eq(ca_sim_store_write(store, offset, bytes, data, NULL), 0);
}

static void expect(struct ca_sim_store *store, uint64_t offset, size_t bytes, uint64_t seed)
{
	uint8_t data[PIECE], found[PIECE];

	fill(data, sizeof(data), seed);
	ck_assert_int_eq(ca_sim_store_read(store, offset, bytes, found, NULL), 0);
	ck_assert_mem_eq(found, data, bytes);
}

static void expect_zeros(struct ca_sim_store *store, uint64_t offset)
{
	uint8_t found[PIECE];

	memset(found, 0xaa, sizeof(found));
	ck_assert_int_eq(ca_sim_store_read(store, offset, sizeof(found), found, NULL), 0);
	ck_assert(ca_bytes_is_all(found, sizeof(found), 0));
}

/* In memory, in a file from the start, and one that moves from the one to the other. */
static const uint64_t ram_sizes[] = {64 * CA_MIB, 0, 128 * CA_KIB};

START_TEST(what_is_written_is_read)
{
	struct ca_sim_store *store;
	static const uint64_t offsets[] = {0,	   64 * CA_KIB - 512, 512,
					   CA_MIB, 40 * CA_GIB + 512, UINT64_C(900) * CA_GIB};

	ck_assert_int_eq(ca_sim_store_new(ram_sizes[_i], CA_GIB, &store), 0);
	for (size_t i = 0; i < CA_ARRAY_LEN(offsets); i++)
		expect_zeros(store, offsets[i]);
	ck_assert(!ca_sim_store_is_file(store));
	put(store, offsets[0], 512, 1);
	put(store, offsets[2], 512, 2);
	put(store, offsets[1], PIECE, 3); /* across two chunks */
	put(store, offsets[3], PIECE, 4);
	put(store, offsets[4], PIECE, 5);
	put(store, offsets[5], PIECE, 6);
	put(store, offsets[4], 512, 7); /* over part of it */
	expect(store, offsets[0], 512, 1);
	expect(store, offsets[2], 512, 2);
	expect(store, offsets[1], PIECE, 3);
	expect(store, offsets[3], PIECE, 4);
	expect(store, offsets[4], 512, 7);
	expect(store, offsets[5], PIECE, 6);
	expect_zeros(store, 2 * CA_MIB);
	expect_zeros(store, UINT64_C(1000) * CA_GIB);
	ck_assert(ca_sim_store_is_file(store) == (_i > 0));
	ca_sim_store_free(store);
}
END_TEST

START_TEST(many_chunks_move_to_the_file)
{
	struct ca_sim_store *store;

	ck_assert_int_eq(ca_sim_store_new(2 * CA_MIB, CA_GIB, &store), 0); /* 32 chunks */
	for (uint64_t i = 0; i < 32; i++)
		put(store, i * 5 * CA_MIB, PIECE, i);
	ck_assert(!ca_sim_store_is_file(store));
	put(store, 10 * CA_MIB, PIECE, 1000); /* a chunk that is there needs no room */
	ck_assert(!ca_sim_store_is_file(store));
	put(store, 777 * CA_MIB, PIECE, 777);
	ck_assert(ca_sim_store_is_file(store));
	for (uint64_t i = 0; i < 32; i++)
		expect(store, i * 5 * CA_MIB, PIECE, i == 2 ? 1000 : i);
	expect(store, 777 * CA_MIB, PIECE, 777);
	ca_sim_store_free(store);
}
END_TEST

START_TEST(a_missing_tmpdir_is_passed_over)
{
	struct ca_sim_store *store;

	ck_assert_int_eq(setenv("TMPDIR", "/nonexistent/cardassay", 1), 0);
	ck_assert_int_eq(ca_sim_store_new(0, CA_GIB, &store), 0);
	put(store, 0, PIECE, 1);
	ck_assert(ca_sim_store_is_file(store));
	expect(store, 0, PIECE, 1);
	ca_sim_store_free(store);
}
END_TEST

/* EFBIG takes the same path as a full disk and needs no file system of its own. */
START_TEST(no_room_is_our_own_failure)
{
	struct ca_sim_store *store;
	struct ca_error error = {0};
	struct rlimit limit = {.rlim_cur = 8192, .rlim_max = 8192};
	uint8_t data[PIECE] = {0};

	ck_assert_int_eq(setenv("TMPDIR", "/tmp", 1), 0);
	ck_assert(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	ck_assert_int_eq(ca_sim_store_new(0, CA_GIB, &store), 0);
	ck_assert_int_eq(ca_sim_store_write(store, 0, sizeof(data), data, &error), 0);
	ck_assert_int_eq(ca_sim_store_write(store, CA_MIB, sizeof(data), data, &error), -ENOSPC);
	ck_assert_int_eq(error.code, -ENOSPC);
	ck_assert_str_eq(error.text, "no room for the simulated card in /tmp: set TMPDIR to a "
				     "directory with more space");
	ca_sim_store_free(store);
}
END_TEST

START_TEST(freeing_nothing)
{
	ca_sim_store_free(NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sim_store");
	TCase *tcase = tcase_create("sim_store");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, what_is_written_is_read, 0, (int)CA_ARRAY_LEN(ram_sizes));
	tcase_add_test(tcase, many_chunks_move_to_the_file);
	tcase_add_test(tcase, a_missing_tmpdir_is_passed_over);
	tcase_add_test(tcase, no_room_is_our_own_failure);
	tcase_add_test(tcase, freeing_nothing);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
