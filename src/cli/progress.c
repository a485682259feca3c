/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

void ca_progress_init(struct ca_progress *progress, enum ca_progress_mode mode)
{
	memset(progress, 0, sizeof(*progress));
	if (mode == CA_PROGRESS_AUTO)
		mode = isatty(STDERR_FILENO) ? CA_PROGRESS_TTY : CA_PROGRESS_JSON;
	progress->mode = mode;
}

/* value x num / den without overflow for byte counts and nanoseconds below 2^63. */
static uint64_t scale(uint64_t value, uint64_t num, uint64_t den)
{
	if (den == 0)
		return 0;
	return (uint64_t)((long double)value * (long double)num / (long double)den);
}

struct figures {
	uint64_t permille, bytes_per_second, milliiops, left_s;
};

static struct figures figures_of(uint64_t done, uint64_t total, uint64_t elapsed_ns, uint64_t bytes,
				 uint64_t operations, bool timed)
{
	struct figures f = {0};

	f.permille = total ? scale(done, 1000, total) : 0;
	f.bytes_per_second = scale(bytes, CA_NS_PER_SECOND, elapsed_ns);
	f.milliiops = scale(operations, CA_NS_PER_SECOND * 1000, elapsed_ns);
	if (total > done && done)
		f.left_s = timed ? (total - done) / CA_NS_PER_SECOND
				 : scale(elapsed_ns, total - done, done) / CA_NS_PER_SECOND;
	return f;
}

static void show_tty(struct ca_progress *progress, const char *what, uint64_t done, uint64_t total,
		     const struct figures *f, bool timed, uint64_t bad_sectors)
{
	char line[256], amount[64] = "", rate[48];
	struct ca_text text;

	ca_text_init(&text, amount, sizeof(amount));
	if (!timed) {
		ca_text_gb(&text, done);
		ca_text_add(&text, " of ");
		ca_text_gb(&text, total);
	}
	if (timed)
		(void)snprintf(rate, sizeof(rate), "%" PRIu64 " IOPS", f->milliiops / 1000);
	else
		(void)snprintf(rate, sizeof(rate), "%" PRIu64 ".%" PRIu64 " MB/s",
			       f->bytes_per_second / 1000000, f->bytes_per_second / 100000 % 10);
	(void)snprintf(line, sizeof(line),
		       "%-13s %s %3" PRIu64 ".%" PRIu64 " %%  %s  %02" PRIu64 ":%02" PRIu64
		       ":%02" PRIu64 " left",
		       what, amount, f->permille / 10, f->permille % 10, rate, f->left_s / 3600,
		       f->left_s / 60 % 60, f->left_s % 60);
	(void)fprintf(stderr, "\r%.78s", line);
	if (bad_sectors)
		(void)fprintf(stderr, "  %" PRIu64 " bad", bad_sectors);
	(void)fputs("\033[K", stderr);
	(void)fflush(stderr);
	progress->line_open = true;
}

void ca_progress_show(struct ca_progress *progress, const char *what, uint64_t done, uint64_t total,
		      uint64_t elapsed_ns, uint64_t bytes, uint64_t operations, bool timed,
		      uint64_t bad_sectors)
{
	uint64_t now = ca_clock_now_ns(ca_clock_real());
	uint64_t pause =
		progress->mode == CA_PROGRESS_TTY ? CA_NS_PER_SECOND / 5 : CA_NS_PER_SECOND;
	struct figures f;

	if (progress->mode == CA_PROGRESS_NONE)
		return;
	if (progress->last_what && strcmp(progress->last_what, what) == 0 &&
	    now - progress->shown_ns < pause && done < total)
		return;
	progress->shown_ns = now;
	progress->last_what = what;
	f = figures_of(done, total, elapsed_ns, bytes, operations, timed);
	if (progress->mode == CA_PROGRESS_TTY) {
		show_tty(progress, what, done, total, &f, timed, bad_sectors);
		return;
	}
	(void)fprintf(stderr,
		      "{\"phase\":\"%s\",\"done\":%" PRIu64 ",\"total\":%" PRIu64
		      ",\"unit\":\"%s\",\"bytes_per_second\":%" PRIu64 ",\"milliiops\":%" PRIu64
		      ",\"seconds_left\":%" PRIu64 ",\"bad_sectors\":%" PRIu64 "}\n",
		      what, done, total, timed ? "ns" : "bytes", f.bytes_per_second, f.milliiops,
		      f.left_s, bad_sectors);
}

void ca_progress_done(struct ca_progress *progress)
{
	if (progress->line_open)
		(void)fputc('\n', stderr);
	progress->line_open = false;
	progress->last_what = NULL;
}
