/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A thread, and no signal handler: a transfer that the kernel waits for cannot be interrupted, and
 * neither can whoever waits for it.
 */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* So long without an answer is worth a line: no card's own housekeeping takes a tenth of it. A
 * phase that is not attended tells of itself more seldom. */
#define STALL_S	    10U
#define SILENCE_S   20U
#define SAY_AGAIN_S 30U
#define SECONDS(ns) ((ns) / CA_NS_PER_SECOND)

static const char *doing(enum ca_attended_kind kind)
{
	switch (kind) {
	case CA_ATTENDED_IDLE:
		break;
	case CA_ATTENDED_READ:
		return "read";
	case CA_ATTENDED_WRITE:
		return "write";
	case CA_ATTENDED_FLUSH:
		return "flush";
	}
	return "";
}

static void word_stall(const struct ca_progress *progress, const struct ca_attended *attended,
		       uint64_t seconds, char *ret_line, size_t size)
{
	bool at_sector = attended->kind == CA_ATTENDED_READ || attended->kind == CA_ATTENDED_WRITE;
	struct ca_text line;

	ca_text_init(&line, ret_line, size);
	if (progress->mode == CA_PROGRESS_JSON) {
		ca_text_add(&line, "{\"phase\":\"");
		ca_text_add(&line, progress->report.what);
		ca_text_add(&line, "\",\"stalled_seconds\":");
		ca_text_u64(&line, seconds);
		ca_text_add(&line, ",\"operation\":\"");
		ca_text_add(&line, doing(attended->kind));
		ca_text_add(&line, at_sector ? "\",\"sector\":" : "\"");
		if (at_sector)
			ca_text_u64(&line, attended->offset / CA_SECTOR_BYTES);
		ca_text_add(&line, "}");
		return;
	}
	ca_text_add(&line, "cardassay: no answer from the device for ");
	ca_text_u64(&line, seconds);
	ca_text_add(&line, " s (");
	ca_text_add(&line, attended->kind == CA_ATTENDED_IDLE ? progress->report.what
							      : doing(attended->kind));
	if (at_sector) {
		ca_text_add(&line, " at sector ");
		ca_text_u64(&line, attended->offset / CA_SECTOR_BYTES);
	}
	ca_text_add(&line,
		    "). The kernel gives up by itself after a while; if it does not, take the "
		    "card out.");
}

static void say_answer(struct ca_progress *progress)
{
	bool json = progress->mode == CA_PROGRESS_JSON;
	struct ca_text line;
	char room[160];

	ca_text_init(&line, room, sizeof(room));
	ca_text_add(&line, json ? "{\"phase\":\"" : "cardassay: the device answers again, after ");
	ca_text_add(&line, json ? progress->report.what : "");
	ca_text_add(&line, json ? "\",\"answered_after_seconds\":" : "");
	ca_text_u64(&line, progress->stall_seen_s);
	ca_text_add(&line, json ? "}" : " s at least.");
	ca_progress_say(progress, room);
}

/* How long has nothing been heard of what is going on? 0 = not long, or nothing goes on. */
static uint64_t silent_seconds(const struct ca_progress *progress, struct ca_attended *ret_attended)
{
	struct ca_attended attended = {.kind = CA_ATTENDED_IDLE};
	uint64_t seconds;

	if (!progress->report.what || progress->report.patient)
		return 0;
	if (progress->attended) {
		ca_host_attended(progress->attended, &attended);
		*ret_attended = attended;
		seconds = SECONDS(attended.waiting_ns);
		return attended.kind != CA_ATTENDED_IDLE && seconds >= STALL_S ? seconds : 0;
	}
	*ret_attended = attended;
	seconds = SECONDS(ca_clock_now_ns(ca_clock_real()) - progress->told_ns);
	return seconds >= SILENCE_S ? seconds : 0;
}

void ca_watchdog_look(struct ca_progress *progress)
{
	struct ca_attended attended;
	uint64_t seconds;
	char line[320];

	seconds = silent_seconds(progress, &attended);
	if (progress->mode == CA_PROGRESS_NONE) {
		progress->stalled_s = seconds; /* for one who asks by SIGUSR1 */
	} else if (seconds) {
		bool say =
			!progress->stall_seen_s || seconds >= progress->stall_said_s + SAY_AGAIN_S;

		progress->stalled_s = progress->stall_seen_s = seconds;
		if (say) {
			progress->stall_said_s = seconds;
			word_stall(progress, &attended, seconds, line, sizeof(line));
			ca_progress_say(progress, line);
		}
	} else if (progress->stall_seen_s) {
		if (progress->report.what) /* else it is not known whether it ever answered */
			say_answer(progress);
		progress->stalled_s = progress->stall_seen_s = progress->stall_said_s = 0;
	}
}

static void *watch(void *context)
{
	const struct timespec second = {1, 0};
	struct ca_progress *progress = context;
	sigset_t asked;

	(void)sigemptyset(&asked);	  /* cannot fail */
	(void)sigaddset(&asked, SIGUSR1); /* nor can this */
	while (!progress->watch_ends) {
		int number = sigtimedwait(&asked, NULL, &second);

		if (progress->watch_ends)
			break;
		(void)pthread_mutex_lock(&progress->lock); /* it is initialised and not ours yet */
		ca_watchdog_look(progress);
		ca_progress_show_noted(progress);
		(void)pthread_mutex_unlock(&progress->lock); /* it is ours */
		if (number == SIGUSR1)
			ca_progress_show_now(progress);
	}
	return NULL;
}

void ca_watchdog_start(struct ca_progress *progress)
{
	sigset_t all, before;

	/* Ctrl-C is for the run: it interrupts what that waits for */
	(void)sigfillset(&all); /* cannot fail */
	if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
		return; /* then nobody watches, which the run does not need */
	progress->is_watched = pthread_create(&progress->watcher, NULL, watch, progress) == 0;
	if (progress->is_watched)
		(void)sigaddset(&before, SIGUSR1);	   /* cannot fail */
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL); /* what could be set can be set back */
}

void ca_watchdog_stop(struct ca_progress *progress)
{
	if (!progress->is_watched)
		return;
	progress->watch_ends = true;
	(void)pthread_kill(progress->watcher, SIGUSR1); /* it is there until it is joined */
	(void)pthread_join(progress->watcher, NULL);
	progress->is_watched = false;
}

void ca_watchdog_attend(struct ca_progress *progress, struct ca_device *attended)
{
	(void)pthread_mutex_lock(&progress->lock); /* it is initialised and not ours yet */
	progress->attended = attended;
	(void)pthread_mutex_unlock(&progress->lock); /* it is ours */
}
