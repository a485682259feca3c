/* SPDX-License-Identifier: BSD-2-Clause */
#include "progress.h"

#define MARK_NS CA_NS_PER_SECOND

/* value x num / den without overflow for byte counts and nanoseconds below 2^63. */
static uint64_t scale(uint64_t value, uint64_t num, uint64_t den)
{
	if (den == 0)
		return 0;
	return (uint64_t)((long double)value * (long double)num / (long double)den);
}

void ca_progress_mark(struct ca_progress *progress)
{
	const struct ca_progress_report *report = &progress->report;
	uint32_t last = (progress->mark_next + CA_PROGRESS_MARKS - 1) % CA_PROGRESS_MARKS;

	if (progress->mark_count && report->elapsed_ns - progress->marks[last].elapsed_ns < MARK_NS)
		return;
	progress->marks[progress->mark_next].elapsed_ns = report->elapsed_ns;
	progress->marks[progress->mark_next].bytes = report->bytes;
	progress->mark_next = (progress->mark_next + 1) % CA_PROGRESS_MARKS;
	if (progress->mark_count < CA_PROGRESS_MARKS)
		progress->mark_count++;
}

/* Over the last seconds; where the phase is younger than one, its mean. */
static uint64_t rate_now(const struct ca_progress *progress, uint64_t mean)
{
	const struct ca_progress_report *report = &progress->report;
	uint32_t first = (progress->mark_next + CA_PROGRESS_MARKS - progress->mark_count) %
			 CA_PROGRESS_MARKS;
	uint64_t elapsed = report->elapsed_ns - progress->marks[first].elapsed_ns;

	if (progress->mark_count == 0 || elapsed < MARK_NS)
		return mean;
	return scale(report->bytes - progress->marks[first].bytes, CA_NS_PER_SECOND, elapsed);
}

/*
 * From the faster of what it does now and did so far, a tenth faster still, to the slower, a tenth
 * slower still; a card that pauses is not taken to pause for ever. What is read afterwards may go
 * four times as fast as what is written, and is seldom slower.
 */
static void span(const struct ca_progress_report *report, struct ca_progress_figures *f)
{
	uint64_t left = report->total > report->done ? report->total - report->done : 0;
	uint64_t now = f->rate_now > f->mean_rate / 4 ? f->rate_now : f->mean_rate / 4;
	uint64_t fast = now > f->mean_rate ? now : f->mean_rate;
	uint64_t slow = now < f->mean_rate ? now : f->mean_rate;

	f->left_s = scale(left, 1, f->mean_rate);
	f->least_s = scale(left, 10, fast * 11);
	f->most_s = scale(left, 11, slow * 10);
	if (report->then_bytes && slow) {
		f->all_least_s = f->least_s + scale(report->then_bytes, 10, fast * 44);
		f->all_most_s = f->most_s + scale(report->then_bytes, 11, slow * 10);
	}
}

void ca_progress_figures_of(const struct ca_progress *progress,
			    struct ca_progress_figures *ret_figures)
{
	const struct ca_progress_report *report = &progress->report;
	struct ca_progress_figures f = {0};

	f.permille = scale(report->done, 1000, report->total);
	f.mean_rate = scale(report->bytes, CA_NS_PER_SECOND, report->elapsed_ns);
	f.rate_now = rate_now(progress, f.mean_rate);
	f.milliiops = scale(report->operations, CA_NS_PER_SECOND * 1000, report->elapsed_ns);
	if (report->timed && report->total > report->done)
		f.left_s = f.least_s = f.most_s = (report->total - report->done) / CA_NS_PER_SECOND;
	else if (!report->timed)
		span(report, &f);
	*ret_figures = f;
}
