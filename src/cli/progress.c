/* SPDX-License-Identifier: BSD-2-Clause */
#include "progress.h"

#include "cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define DRAW_NS	      (CA_NS_PER_SECOND / 5)
#define LINE_NS	      CA_NS_PER_SECOND /* of JSON: once a second, later more seldom */
#define LINE_NS_MOST  (10 * CA_NS_PER_SECOND)
#define USUAL_COLUMNS 80U
#define LINE_BYTES    1024U

static bool is_utf8_locale(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < CA_ARRAY_LEN(names); i++) {
		const char *value = getenv(names[i]);

		if (value && *value) /* the first that is set decides */
			return strstr(value, "UTF-8") || strstr(value, "utf8") ||
			       strstr(value, "UTF8") || strstr(value, "utf-8");
	}
	return false;
}

void ca_progress_init(struct ca_progress *progress, enum ca_progress_mode mode, bool colour)
{
	memset(progress, 0, sizeof(*progress));
	if (mode == CA_PROGRESS_AUTO)
		mode = isatty(STDERR_FILENO) ? CA_PROGRESS_TTY : CA_PROGRESS_JSON;
	progress->mode = mode;
	progress->colour = colour;
	progress->utf8 = is_utf8_locale();
	(void)pthread_mutex_init(&progress->lock, NULL); /* a default one cannot fail on Linux */
}

static void lock(struct ca_progress *progress)
{
	(void)pthread_mutex_lock(&progress->lock); /* it is initialised and not ours yet */
}

static void unlock(struct ca_progress *progress)
{
	(void)pthread_mutex_unlock(&progress->lock); /* it is ours */
}

static uint32_t columns(void)
{
	struct winsize size = {.ws_col = 0};

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || !size.ws_col)
		return USUAL_COLUMNS;
	return size.ws_col;
}

static void begin_drawing(struct ca_progress *progress)
{
	if (progress->open_lines)
		(void)fputs("\r", stderr);
	for (; progress->open_lines > 1; progress->open_lines--)
		(void)fputs("\033[A", stderr);
	progress->open_lines = 0;
}

static void draw(struct ca_progress *progress)
{
	uint32_t width = columns() - 1; /* the last column makes some terminals begin a new line */
	char line[LINE_BYTES];

	begin_drawing(progress);
	if (progress->report.strip) {
		ca_progress_strip(progress, width, line, sizeof(line));
		(void)fprintf(stderr, "%s\033[K\n", line);
		progress->open_lines++;
	}
	ca_progress_words(progress, width, line, sizeof(line));
	(void)fprintf(stderr, "%s\033[K", line);
	(void)fflush(stderr);
	progress->open_lines++;
}

static void close_lines(struct ca_progress *progress)
{
	if (progress->open_lines)
		(void)fputc('\n', stderr);
	progress->open_lines = 0;
}

void ca_progress_say(struct ca_progress *progress, const char *line)
{
	close_lines(progress);
	(void)fprintf(stderr, "%s\n", line);
}

static void show_one(struct ca_progress *progress)
{
	char line[LINE_BYTES];

	progress->shown_ns = ca_clock_now_ns(ca_clock_real());
	progress->shown_elapsed_ns = progress->report.elapsed_ns;
	progress->shown_whole = progress->report.done >= progress->report.total;
	if (progress->mode == CA_PROGRESS_TTY) {
		draw(progress);
		return;
	}
	if (progress->mode == CA_PROGRESS_JSON)
		ca_progress_json(progress, line, sizeof(line));
	else
		ca_progress_words(progress, USUAL_COLUMNS * 2, line, sizeof(line));
	ca_progress_say(progress, line);
}

/* A terminal is drawn by the real clock; JSON keeps to the device's, which makes it the same in
 * every run on a simulated card. */
static bool is_due(const struct ca_progress *progress)
{
	const struct ca_progress_report *report = &progress->report;
	uint64_t pause = report->elapsed_ns / 100;

	if (report->done >= report->total)
		return !progress->shown_whole;
	if (progress->mode == CA_PROGRESS_TTY)
		return ca_clock_now_ns(ca_clock_real()) - progress->shown_ns >= DRAW_NS;
	pause = pause < LINE_NS ? LINE_NS : pause > LINE_NS_MOST ? LINE_NS_MOST : pause;
	return report->elapsed_ns - progress->shown_elapsed_ns >= pause;
}

/* True where it is another phase than before. */
static bool take_over(struct ca_progress *progress, const struct ca_progress_report *report)
{
	bool is_new = !progress->report.what || strcmp(progress->report.what, report->what) != 0 ||
		      progress->report.elapsed_ns > report->elapsed_ns;

	progress->report = *report;
	progress->told_ns = ca_clock_now_ns(ca_clock_real());
	if (progress->stall_seen_s)
		ca_watchdog_look(progress); /* the watcher may come when all is done */
	progress->stalled_s = 0;
	if (report->strip)
		memcpy(progress->strip, report->strip, sizeof(progress->strip));
	if (is_new)
		progress->mark_count = 0;
	ca_progress_mark(progress);
	return is_new;
}

void ca_progress_tell(struct ca_progress *progress, const struct ca_progress_report *report)
{
	bool is_new;

	lock(progress);
	is_new = take_over(progress, report) || progress->noted_new;
	progress->noted = progress->noted_new = false;
	if (progress->mode != CA_PROGRESS_NONE && (is_new || is_due(progress)))
		show_one(progress);
	unlock(progress);
}

void ca_progress_note(struct ca_progress *progress, const struct ca_progress_report *report)
{
	if (!progress->is_watched) {
		ca_progress_tell(progress, report);
		return;
	}
	if (pthread_mutex_trylock(&progress->lock) != 0)
		return; /* the watcher writes; the next word comes soon */
	if (take_over(progress, report))
		progress->noted_new = true;
	progress->noted = true;
	unlock(progress);
}

void ca_progress_show_noted(struct ca_progress *progress)
{
	if (!progress->noted || !progress->report.what || progress->mode == CA_PROGRESS_NONE ||
	    !(progress->noted_new || is_due(progress)))
		return;
	progress->noted = progress->noted_new = false;
	show_one(progress);
}

uint64_t ca_progress_silent_ns(struct ca_progress *progress)
{
	uint64_t silent;

	lock(progress);
	silent = progress->report.what && !progress->report.patient
			 ? ca_clock_now_ns(ca_clock_real()) - progress->told_ns
			 : 0;
	unlock(progress);
	return silent;
}

void ca_progress_show(struct ca_progress *progress, const char *what, uint64_t done, uint64_t total,
		      uint64_t elapsed_ns, uint64_t bytes, uint64_t operations, bool timed,
		      uint64_t bad_sectors)
{
	struct ca_progress_report report = {
		.what = what,
		.done = done,
		.total = total,
		.elapsed_ns = elapsed_ns,
		.bytes = bytes,
		.operations = operations,
		.bad_sectors = bad_sectors,
		.timed = timed,
	};

	ca_progress_tell(progress, &report);
}

void ca_progress_ask(struct ca_progress *progress, const char *what, const char *says,
		     uint64_t seconds_left, bool is_new)
{
	lock(progress);
	progress->report.what = NULL; /* hands are no device that stalls */
	if (progress->mode == CA_PROGRESS_JSON && (is_new || seconds_left % 30 == 0)) {
		(void)fprintf(stderr,
			      "{\"phase\":\"replug\",\"ask\":\"%s\",\"says\":\"%s\","
			      "\"seconds_left\":%" PRIu64 "}\n",
			      what, says, seconds_left);
	} else if (progress->mode == CA_PROGRESS_TTY) {
		begin_drawing(progress);
		(void)fprintf(stderr, "waiting: %" PRIu64 " s left\033[K", seconds_left);
		(void)fflush(stderr);
		progress->open_lines = 1;
	}
	unlock(progress);
}

void ca_progress_show_now(struct ca_progress *progress)
{
	lock(progress);
	if (progress->report.what)
		show_one(progress);
	else if (progress->mode == CA_PROGRESS_JSON)
		ca_progress_say(progress, "{\"phase\":\"none\"}");
	else
		ca_progress_say(progress, "no phase of the test is running at the moment");
	unlock(progress);
}

void ca_progress_done(struct ca_progress *progress)
{
	lock(progress);
	close_lines(progress);
	progress->report.what = NULL;
	progress->stalled_s = 0;
	unlock(progress);
}
