/* SPDX-License-Identifier: BSD-2-Clause */
#include "crew.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define HELPERS_MAX 3U
/* So many completions in a row that were there already: the device waits for us. */
#define HURRIED_ENOUGH 16U
/* Helpers then work for so many; after that it is seen again whether they are needed. */
#define SHIFT_LENGTH 512U

struct helper {
	struct ca_crew *crew;
	struct ca_pattern *pattern;
	pthread_t thread;
};

struct ca_crew {
	struct ca_pattern *pattern;
	const struct ca_fill_options *options;
	/* of the caller alone */
	unsigned int hurried, shift_left;
	bool hired;
	/* shared, under the lock */
	pthread_mutex_t lock;
	pthread_cond_t work, done;
	struct ca_crew_task *first, *last; /* posted, not begun */
	bool at_work, leaving;
	struct helper helpers[HELPERS_MAX];
	unsigned int helper_count, helpers_most;
};

unsigned int ca_crew_spare_cores(void)
{
	cpu_set_t set;
	long cores;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		cores = CPU_COUNT(&set);
	else /* more of them than the set has room for */
		cores = sysconf(_SC_NPROCESSORS_ONLN);
	return cores > 1 ? (unsigned int)cores - 1 : 0;
}

/* A mutex that is initialised and used by its rules cannot fail; if it does, data are at risk. */
static void must(int error)
{
	if (error)
		abort();
}

static void do_task(struct ca_pattern *pattern, struct ca_crew_task *task)
{
	switch (task->work) {
	case CA_CREW_GENERATE:
		ca_pattern_generate(pattern, task->lba, task->sectors, task->data);
		break;
	case CA_CREW_COMPARE:
		task->intact = ca_pattern_is_intact(pattern, task->lba, task->sectors, task->data);
		break;
	}
}

/* Locked. NULL: nothing is posted. */
static struct ca_crew_task *begin_first(struct ca_crew *crew)
{
	struct ca_crew_task *task = crew->first;

	if (!task)
		return NULL;
	crew->first = task->next;
	if (!crew->first)
		crew->last = NULL;
	task->state = CA_CREW_RUNNING;
	return task;
}

/* Locked, also afterwards; unlocked while the work is done. */
static void run(struct ca_crew *crew, struct ca_pattern *pattern, struct ca_crew_task *task)
{
	must(pthread_mutex_unlock(&crew->lock));
	do_task(pattern, task);
	must(pthread_mutex_lock(&crew->lock));
	task->state = CA_CREW_DONE;
}

static void *help(void *argument)
{
	struct helper *helper = argument;
	struct ca_crew *crew = helper->crew;

	must(pthread_mutex_lock(&crew->lock));
	while (!crew->leaving) {
		struct ca_crew_task *task = crew->at_work ? begin_first(crew) : NULL;

		if (task) {
			run(crew, helper->pattern, task);
			must(pthread_cond_signal(&crew->done));
		} else {
			must(pthread_cond_wait(&crew->work, &crew->lock));
		}
	}
	must(pthread_mutex_unlock(&crew->lock));
	return NULL;
}

static int hire_one(struct ca_crew *crew, struct helper *helper)
{
	const struct ca_fill_options *options = crew->options;
	sigset_t all, before;
	int r;

	helper->crew = crew;
	r = ca_pattern_new(options->secret, options->run_id, options->device_id, 0,
			   ca_pattern_cipher(crew->pattern), &helper->pattern);
	if (r < 0)
		return r;
	/* signals are for the thread that has the run in its hands */
	(void)sigfillset(&all); /* cannot fail */
	must(pthread_sigmask(SIG_SETMASK, &all, &before));
	r = pthread_create(&helper->thread, NULL, help, helper);
	must(pthread_sigmask(SIG_SETMASK, &before, NULL));
	if (r == 0)
		return 0;
	ca_pattern_free(helper->pattern);
	return -r;
}

/* Fewer helpers than wanted, or none, only make the run slower. */
static void hire(struct ca_crew *crew)
{
	crew->hired = true;
	while (crew->helper_count < crew->helpers_most &&
	       hire_one(crew, &crew->helpers[crew->helper_count]) == 0)
		crew->helper_count++;
}

int ca_crew_new(struct ca_pattern *pattern, const struct ca_fill_options *options,
		unsigned int helpers, struct ca_crew **ret_crew)
{
	struct ca_crew *crew = calloc(1, sizeof(*crew));

	if (!crew)
		return -ENOMEM;
	crew->pattern = pattern;
	crew->options = options;
	crew->helpers_most = helpers < HELPERS_MAX ? helpers : HELPERS_MAX;
	must(pthread_mutex_init(&crew->lock, NULL));
	must(pthread_cond_init(&crew->work, NULL));
	must(pthread_cond_init(&crew->done, NULL));
	*ret_crew = crew;
	return 0;
}

void ca_crew_free(struct ca_crew *crew)
{
	if (!crew)
		return;
	assert(!crew->first);
	must(pthread_mutex_lock(&crew->lock));
	crew->leaving = true;
	must(pthread_cond_broadcast(&crew->work));
	must(pthread_mutex_unlock(&crew->lock));
	for (unsigned int i = 0; i < crew->helper_count; i++) {
		must(pthread_join(crew->helpers[i].thread, NULL));
		ca_pattern_free(crew->helpers[i].pattern);
	}
	must(pthread_cond_destroy(&crew->done));
	must(pthread_cond_destroy(&crew->work));
	must(pthread_mutex_destroy(&crew->lock));
	free(crew);
}

void ca_crew_post(struct ca_crew *crew, struct ca_crew_task *task)
{
	must(pthread_mutex_lock(&crew->lock));
	task->state = CA_CREW_POSTED;
	task->next = NULL;
	if (crew->last)
		crew->last->next = task;
	else
		crew->first = task;
	crew->last = task;
	if (crew->at_work)
		must(pthread_cond_signal(&crew->work));
	must(pthread_mutex_unlock(&crew->lock));
}

void ca_crew_await(struct ca_crew *crew, struct ca_crew_task *task)
{
	must(pthread_mutex_lock(&crew->lock));
	/* what was posted before it is needed before it */
	while (task->state == CA_CREW_POSTED)
		run(crew, crew->pattern, begin_first(crew));
	while (task->state == CA_CREW_RUNNING)
		must(pthread_cond_wait(&crew->done, &crew->lock));
	task->state = CA_CREW_IDLE;
	must(pthread_mutex_unlock(&crew->lock));
}

void ca_crew_use_pause(struct ca_crew *crew)
{
	struct ca_crew_task *task;

	must(pthread_mutex_lock(&crew->lock));
	while (!crew->at_work && (task = begin_first(crew)) != NULL)
		run(crew, crew->pattern, task);
	must(pthread_mutex_unlock(&crew->lock));
}

static void set_at_work(struct ca_crew *crew, bool at_work)
{
	must(pthread_mutex_lock(&crew->lock));
	crew->at_work = at_work;
	if (at_work)
		must(pthread_cond_broadcast(&crew->work));
	must(pthread_mutex_unlock(&crew->lock));
}

void ca_crew_note_wait(struct ca_crew *crew, bool slept)
{
	if (crew->shift_left > 0) {
		if (--crew->shift_left == 0)
			set_at_work(crew, false);
		return;
	}
	crew->hurried = slept ? 0 : crew->hurried + 1;
	if (crew->hurried < HURRIED_ENOUGH)
		return;
	crew->hurried = 0;
	if (!crew->hired)
		hire(crew);
	if (crew->helper_count == 0)
		return;
	crew->shift_left = SHIFT_LENGTH;
	set_at_work(crew, true);
}
