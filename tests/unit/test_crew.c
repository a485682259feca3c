/* SPDX-License-Identifier: BSD-2-Clause */
#include "crew.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define TASKS	     8U
#define TASK_SECTORS 64U
#define TASK_BYTES   (TASK_SECTORS * CA_SECTOR_BYTES)

static const struct ca_fill_options options = {.secret = {1}, .run_id = {2}, .device_id = {3}};
static struct ca_pattern *pattern, *other;
static struct ca_crew *crew;
static struct ca_crew_task tasks[TASKS];
static uint8_t data[TASKS][TASK_BYTES], expected[TASK_BYTES];

static void set_up(void)
{
	ck_assert_int_eq(ca_pattern_new(options.secret, options.run_id, options.device_id, 0,
					options.cipher, &pattern),
			 0);
	ck_assert_int_eq(ca_pattern_new(options.secret, options.run_id, options.device_id, 0,
					options.cipher, &other),
			 0);
}

static void tear_down(void)
{
	ca_pattern_free(pattern);
	ca_pattern_free(other);
}

static void post(enum ca_crew_work work, unsigned int index, uint64_t lba)
{
	tasks[index] = (struct ca_crew_task){
		.work = work, .lba = lba, .sectors = TASK_SECTORS, .data = data[index]};
	ca_crew_post(crew, &tasks[index]);
}

static void check_made(unsigned int index, uint64_t lba)
{
	ca_pattern_generate(other, lba, TASK_SECTORS, expected);
	ck_assert_mem_eq(data[index], expected, TASK_BYTES);
}

/* What helpers there are begin when nobody has to wait for the device. */
static void hurry(void)
{
	for (unsigned int i = 0; i < 20; i++)
		ca_crew_note_wait(crew, false);
}

/* Many rounds with helpers coming and going, under a caller that now and then does all alone. */
START_TEST(whoever_does_it_the_work_is_the_same)
{
	ck_assert_int_eq(ca_crew_new(pattern, &options, (unsigned int)_i, &crew), 0);
	for (uint64_t round = 0; round < 400; round++) {
		uint64_t lba = round * TASKS * TASK_SECTORS;

		if (round == 20)
			hurry();
		for (unsigned int i = 0; i < TASKS; i++)
			post(CA_CREW_GENERATE, i, lba + i * TASK_SECTORS);
		if (round % 3 == 0)
			ca_crew_use_pause(crew);
		for (unsigned int i = 0; i < TASKS; i++) {
			ca_crew_await(crew, &tasks[i]);
			check_made(i, lba + i * TASK_SECTORS);
			ca_crew_note_wait(crew, round % 5 == 0);
		}
	}
	ca_crew_free(crew);
}
END_TEST

START_TEST(what_differs_is_not_intact)
{
	unsigned int bad = 5;

	ck_assert_int_eq(ca_crew_new(pattern, &options, (unsigned int)_i, &crew), 0);
	hurry();
	for (unsigned int round = 0; round < 200; round++) {
		for (unsigned int i = 0; i < TASKS; i++)
			ca_pattern_generate(other, i * TASK_SECTORS, TASK_SECTORS, data[i]);
		data[bad][round * 161 % TASK_BYTES] ^= 1;
		for (unsigned int i = 0; i < TASKS; i++)
			post(CA_CREW_COMPARE, i, i * TASK_SECTORS);
		for (unsigned int i = 0; i < TASKS; i++) {
			ca_crew_await(crew, &tasks[i]);
			ck_assert(tasks[i].intact == (i != bad));
		}
	}
	ca_crew_free(crew);
}
END_TEST

START_TEST(a_pause_leaves_nothing_to_do)
{
	ck_assert_int_eq(ca_crew_new(pattern, &options, 0, &crew), 0);
	for (unsigned int i = 0; i < TASKS; i++)
		post(CA_CREW_GENERATE, i, i * TASK_SECTORS);
	ck_assert_int_eq(tasks[TASKS - 1].state, CA_CREW_POSTED);
	ca_crew_use_pause(crew);
	for (unsigned int i = 0; i < TASKS; i++)
		ck_assert_int_eq(tasks[i].state, CA_CREW_DONE);
	for (unsigned int i = 0; i < TASKS; i++)
		ca_crew_await(crew, &tasks[i]);
	ca_crew_free(crew);
	ca_crew_free(NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("crew");
	TCase *tcase = tcase_create("crew");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, whoever_does_it_the_work_is_the_same, 0, 4);
	tcase_add_loop_test(tcase, what_differs_is_not_intact, 0, 3);
	tcase_add_test(tcase, a_pause_leaves_nothing_to_do);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
