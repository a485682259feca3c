/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * progress: what a run is doing, on standard error: two lines that are drawn anew on a terminal,
 * else one JSON object a line. Beside the phases that tell of themselves a thread watches: a device
 * that does not answer blocks whoever asked it.
 */
#ifndef CARDASSAY_CLI_PROGRESS_H
#define CARDASSAY_CLI_PROGRESS_H

#include "cardassay/fill.h"
#include "cardassay/host.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

enum ca_progress_mode {
	CA_PROGRESS_AUTO,
	CA_PROGRESS_TTY,
	CA_PROGRESS_JSON,
	CA_PROGRESS_NONE,
};

struct ca_progress_report {
	const char *what;     /* the phase; a text that stays */
	uint64_t done, total; /* bytes, or ns when `timed` */
	uint64_t elapsed_ns;  /* of the phase, device clock */
	uint64_t bytes, operations;
	uint64_t bad_sectors;
	uint64_t then_bytes;		      /* to be read once this phase is done */
	uint64_t written_bytes, device_bytes; /* what the strip is of */
	bool timed;
	bool patient;	      /* silence is to be expected */
	const uint8_t *strip; /* NULL, or as ca_map_strip gives it */
};

/* What is shown of a report. Seconds are of the phase, and of all that is still to be done. */
struct ca_progress_figures {
	uint64_t permille, mean_rate, rate_now; /* B/s */
	uint64_t milliiops;
	uint64_t left_s, least_s, most_s;
	uint64_t all_least_s, all_most_s; /* 0 = no more than the phase is known */
};

#define CA_PROGRESS_MARKS 6U

struct ca_progress {
	enum ca_progress_mode mode;
	bool colour, utf8;

	pthread_mutex_t lock;		  /* of all below: the watcher shows what the run told */
	struct ca_progress_report report; /* what is NULL: nothing was told, or it is done */
	uint8_t strip[CA_MAP_STRIP_PARTS];
	struct {
		uint64_t elapsed_ns, bytes;
	} marks[CA_PROGRESS_MARKS]; /* about one a second of the device's clock, a ring */
	uint32_t mark_count, mark_next;
	uint64_t told_ns;	   /* real clock: the run's last word */
	uint64_t shown_ns;	   /* real clock */
	uint64_t shown_elapsed_ns; /* device clock */
	bool shown_whole;	   /* that the phase is done was shown */
	bool noted, noted_new;	   /* by ca_progress_note: to be shown by the watcher */
	uint32_t open_lines;	   /* of the terminal, to be drawn over */
	struct ca_device *attended;
	uint64_t stalled_s;		     /* how long it does not answer now */
	uint64_t stall_seen_s, stall_said_s; /* of a stall that was named and is not over */

	bool is_watched;
	pthread_t watcher;
	atomic_bool watch_ends;
};

void ca_progress_init(struct ca_progress *progress, enum ca_progress_mode mode, bool colour);

/* What the run does now; shown when it is time. */
void ca_progress_tell(struct ca_progress *progress, const struct ca_progress_report *report);
/* The same where there is no more to tell. */
void ca_progress_show(struct ca_progress *progress, const char *what, uint64_t done, uint64_t total,
		      uint64_t elapsed_ns, uint64_t bytes, uint64_t operations, bool timed,
		      uint64_t bad_sectors);
/* As tell, from a run that is being timed: never waits, never writes; the watcher shows it. */
void ca_progress_note(struct ca_progress *progress, const struct ca_progress_report *report);
/* ns since the run's last word, 0 = there is no phase. */
uint64_t ca_progress_silent_ns(struct ca_progress *progress);
/* What a person is asked to do, with the time left; `is_new` shows it whatever was shown last. */
void ca_progress_ask(struct ca_progress *progress, const char *what, const char *says,
		     uint64_t seconds_left, bool is_new);
/* The phase is over: what is said next is not drawn over. */
void ca_progress_done(struct ca_progress *progress);

/* ---- progress_figures.c */

void ca_progress_figures_of(const struct ca_progress *progress,
			    struct ca_progress_figures *ret_figures);
/* Notes how far it was, for the rate of the last seconds. */
void ca_progress_mark(struct ca_progress *progress);

/* ---- progress_line.c: the words. Callers hold the lock. */

/* At most `width` columns: the most important first, what does not fit is left out. */
void ca_progress_words(const struct ca_progress *progress, uint32_t width, char *ret_line,
		       size_t size);
void ca_progress_strip(const struct ca_progress *progress, uint32_t width, char *ret_line,
		       size_t size);
void ca_progress_json(const struct ca_progress *progress, char *ret_line, size_t size);

/* ---- watchdog.c */

/*
 * From now on SIGUSR1 prints where the run is, and a device that does not answer is named. Before
 * other threads begin: they inherit that SIGUSR1 is not theirs.
 */
void ca_watchdog_start(struct ca_progress *progress);
void ca_watchdog_stop(struct ca_progress *progress);
/*
 * Names a device that does not answer, and one that answers again. The watcher does so every
 * second, and the run when it goes on after a stall. Callers hold the lock.
 */
void ca_watchdog_look(struct ca_progress *progress);
/* The device (ca_host_attend) that the run is about to work on; NULL: with none any more. */
void ca_watchdog_attend(struct ca_progress *progress, struct ca_device *attended);

/* ---- progress.c, for the watcher */

/* Callers hold the lock. What was noted and is due. */
void ca_progress_show_noted(struct ca_progress *progress);
/* Shows it now, in the lines of the mode, for one who asked. */
void ca_progress_show_now(struct ca_progress *progress);
/* Callers hold the lock. A line that stays, whatever is drawn. */
void ca_progress_say(struct ca_progress *progress, const char *line);

#endif
