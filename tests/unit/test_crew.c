/* SPDX-License-Identifier: BSD-2-Clause */
#include "crew.h"

#include <check.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

/*
 * Clocks of which the caller alone asks the time, before and after each task and once in a while:
 * by the first the tasks take nearly all of it, or nearly none, in turns; by the second half of it.
 */
static uint64_t now_ns, asked;

static uint64_t uneven_now(struct ca_clock *clock)
{
	(void)clock;
	return now_ns += asked++ % 2 ? 1 : 100;
}

static uint64_t even_now(struct ca_clock *clock)
{
	(void)clock;
	return now_ns += 100;
}

static struct ca_clock uneven = {.now_ns = uneven_now}, even = {.now_ns = even_now};

static void begin(struct ca_clock *clock, unsigned int helpers)
{
	ck_assert_int_eq(ca_crew_new(pattern, &options, clock, helpers, &crew), 0);
}

static void do_some(unsigned int rounds)
{
	for (unsigned int i = 0; i < rounds; i++) {
		post(CA_CREW_GENERATE, 0, i);
		ca_crew_await(crew, &tasks[0]);
		ca_crew_look(crew);
	}
}

static unsigned int count_threads(void)
{
	DIR *dir = opendir("/proc/self/task");
	unsigned int count = 0;

	ck_assert_ptr_nonnull(dir);
	for (const struct dirent *entry; (entry = readdir(dir)) != NULL;)
		count += entry->d_name[0] != '.';
	(void)closedir(dir); /* was only read */
	return count;
}

/* One that was joined may still be listed for a moment. */
static unsigned int await_threads(unsigned int wanted)
{
	const struct timespec pause = {0, 2000000};
	unsigned int count = count_threads();

	for (unsigned int i = 0; i < 1000 && count != wanted; i++) {
		(void)nanosleep(&pause, NULL); /* an earlier end only means one more look */
		count = count_threads();
	}
	return count;
}

START_TEST(helpers_come_when_the_work_takes_the_time)
{
	struct ca_clock_virtual virtual;
	unsigned int before;

	begin(&uneven, 1);
	do_some(300);
	before = count_threads() - 1; /* with those that a sanitizer begins beside the first */
	ca_crew_free(crew);

	begin(&even, 2);
	do_some(300);
	ck_assert_uint_eq(await_threads(before), before);
	ca_crew_free(crew);

	ca_clock_virtual_init(&virtual);
	begin(&virtual.clock, 2);
	do_some(300);
	ck_assert_uint_eq(await_threads(before), before);
	ca_crew_free(crew);

	begin(&uneven, 0);
	do_some(300);
	ck_assert_uint_eq(await_threads(before), before);
	ca_crew_free(crew);

	begin(&uneven, 2);
	do_some(20);
	ck_assert_uint_eq(await_threads(before), before);
	do_some(280);
	ck_assert_uint_eq(await_threads(before + 2), before + 2);
	do_some(3000); /* they stay, also while they are not wanted */
	ck_assert_uint_eq(await_threads(before + 2), before + 2);
	ca_crew_free(crew);
	ck_assert_uint_eq(await_threads(before), before);
}
END_TEST

/* Many rounds with helpers coming and going, under a caller that now and then does all alone. */
START_TEST(whoever_does_it_the_work_is_the_same)
{
	begin(&uneven, (unsigned int)_i);
	for (uint64_t round = 0; round < 400; round++) {
		uint64_t lba = round * TASKS * TASK_SECTORS;

		for (unsigned int i = 0; i < TASKS; i++)
			post(CA_CREW_GENERATE, i, lba + i * TASK_SECTORS);
		if (round % 3 == 0)
			ca_crew_use_pause(crew);
		for (unsigned int i = 0; i < TASKS; i++) {
			ca_crew_await(crew, &tasks[i]);
			check_made(i, lba + i * TASK_SECTORS);
			ca_crew_look(crew);
		}
	}
	ca_crew_free(crew);
}
END_TEST

START_TEST(what_differs_is_not_intact)
{
	unsigned int bad = 5;

	begin(&uneven, (unsigned int)_i);
	do_some(100);
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
	begin(&uneven, 0);
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
	tcase_add_test(tcase, helpers_come_when_the_work_takes_the_time);
	tcase_add_test(tcase, a_pause_leaves_nothing_to_do);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
