/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * crew: makes and compares chunks of the pattern beside the transfers, on as many cores as help.
 *
 * Work is posted in the order in which it is needed, and awaited in that order. What nobody has
 * begun by then, the caller does itself. So with one core, or a device that is slower than one
 * core, there are no helpers and no switches; they begin when the caller was seen to spend most of
 * its time on this work. Nothing a device sees depends on who did the work, nor on when.
 */
#ifndef CA_FILL_CREW_H
#define CA_FILL_CREW_H

#include "cardassay/fill.h"

enum ca_crew_work {
	CA_CREW_GENERATE,
	CA_CREW_COMPARE,
};

enum ca_crew_state {
	CA_CREW_IDLE,
	CA_CREW_POSTED,
	CA_CREW_RUNNING,
	CA_CREW_DONE,
};

struct ca_crew_task {
	enum ca_crew_work work;
	uint64_t lba, sectors;
	uint8_t *data;
	bool intact; /* after await: the answer of COMPARE */
	/* of the crew: */
	enum ca_crew_state state;
	struct ca_crew_task *next;
};

struct ca_crew;
/*
 * `pattern` is the caller's, who alone uses it; `options` and `clock` must stay. At most `helpers`
 * threads. By a virtual clock all work takes no time, so that none of them is ever wanted.
 */
int ca_crew_new(struct ca_pattern *pattern, const struct ca_fill_options *options,
		struct ca_clock *clock, unsigned int helpers, struct ca_crew **ret_crew);
/* Nothing posted may be unawaited. */
void ca_crew_free(struct ca_crew *crew);

/* Task and data stay in place until it was awaited. */
void ca_crew_post(struct ca_crew *crew, struct ca_crew_task *task);
void ca_crew_await(struct ca_crew *crew, struct ca_crew_task *task);

/* Before the caller waits for the device: does what is posted, unless there are helpers at work. */
void ca_crew_use_pause(struct ca_crew *crew);
/* After it: looks from time to time whether helpers are wanted. */
void ca_crew_look(struct ca_crew *crew);

/* Cores that this process may use beside the one it runs on. */
unsigned int ca_crew_spare_cores(void);

#endif
