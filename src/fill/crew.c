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
/* Of so many transfers it is seen what part of the time the caller spent on this work. */
#define WATCH_LENGTH 32U
/* Helpers then work during so many; after that it is seen again whether they are wanted. */
#define SHIFT_LENGTH 1024U

struct helper {
	struct ca_crew *crew;
	struct ca_pattern *pattern;
	pthread_t thread;
};

struct ca_crew {
	struct ca_pattern *pattern;
	const struct ca_fill_options *options;
	struct ca_clock *clock;
	/* of the caller alone */
	unsigned int watched, shift_left;
	uint64_t watched_from_ns, worked_ns;
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

/* As run, for the caller, whose time it counts. */
static void run_here(struct ca_crew *crew, struct ca_crew_task *task)
{
	uint64_t before_ns = ca_clock_now_ns(crew->clock);

	run(crew, crew->pattern, task);
	crew->worked_ns += ca_clock_now_ns(crew->clock) - before_ns;
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
		struct ca_clock *clock, unsigned int helpers, struct ca_crew **ret_crew)
{
	struct ca_crew *crew = calloc(1, sizeof(*crew));

	if (!crew)
		return -ENOMEM;
	crew->pattern = pattern;
	crew->options = options;
	crew->clock = clock;
	crew->watched_from_ns = ca_clock_now_ns(clock);
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
	/* what was posted before it is needed before it, and what was posted after it soon */
	while (task->state != CA_CREW_DONE) {
		struct ca_crew_task *first = begin_first(crew);

		if (first)
			run_here(crew, first);
		else
			must(pthread_cond_wait(&crew->done, &crew->lock));
	}
	task->state = CA_CREW_IDLE;
	must(pthread_mutex_unlock(&crew->lock));
}

void ca_crew_use_pause(struct ca_crew *crew)
{
	struct ca_crew_task *task;

	must(pthread_mutex_lock(&crew->lock));
	while (!crew->at_work && (task = begin_first(crew)) != NULL)
		run_here(crew, task);
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

static void begin_watch(struct ca_crew *crew, uint64_t now_ns)
{
	crew->watched = 0;
	crew->watched_from_ns = now_ns;
	crew->worked_ns = 0;
}

/* More than three quarters of the time went into the work: more hands would make it faster. */
static bool is_overworked(const struct ca_crew *crew, uint64_t now_ns)
{
	uint64_t passed_ns = now_ns - crew->watched_from_ns;

	return crew->worked_ns > passed_ns - passed_ns / 4;
}

void ca_crew_look(struct ca_crew *crew)
{
	uint64_t now_ns;
	bool wanted;

	if (crew->shift_left > 0) {
		if (--crew->shift_left > 0)
			return;
		set_at_work(crew, false);
		begin_watch(crew, ca_clock_now_ns(crew->clock));
		return;
	}
	if (crew->helpers_most == 0 || ++crew->watched < WATCH_LENGTH)
		return;
	now_ns = ca_clock_now_ns(crew->clock);
	wanted = is_overworked(crew, now_ns);
	begin_watch(crew, now_ns);
	if (wanted && !crew->hired)
		hire(crew);
	if (!wanted || crew->helper_count == 0)
		return;
	crew->shift_left = SHIFT_LENGTH;
	set_at_work(crew, true);
}
