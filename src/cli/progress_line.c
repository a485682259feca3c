/* SPDX-License-Identifier: BSD-2-Clause */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- the map as it grows */

struct cell {
	const char *ascii, *utf8, *colour;
};

static const struct cell cell_empty = {".", "\xc2\xb7", "\033[2m"};
static const struct cell cell_written = {"-", "\xe2\x96\x92", "\033[33m"};
static const struct cell cell_good = {"#", "\xe2\x96\x88", "\033[32m"};
static const struct cell cell_bad = {"X", "X", "\033[1;31m"};

/* Of parts `first` to before `end` of the strip: the worst counts. */
static const struct cell *cell_at(const struct ca_progress *progress, uint32_t first, uint32_t end)
{
	const struct ca_progress_report *report = &progress->report;
	uint8_t seen = 0;
	for (uint32_t i = first; i < end; i++)
		seen |= progress->strip[i];
	if (seen & CA_MAP_STRIP_BAD)
		return &cell_bad;
	if (seen & CA_MAP_STRIP_GOOD)
		return &cell_good;
	return report->written_bytes > report->device_bytes / CA_MAP_STRIP_PARTS * first
		       ? &cell_written
		       : &cell_empty;
}

void ca_progress_strip(const struct ca_progress *progress, uint32_t width, char *ret_line,
		       size_t size)
{
	uint32_t cells = CA_MAP_STRIP_PARTS;
	const struct cell *before = &cell_empty;
	struct ca_text line;

	while (cells + 2 > width && cells > 1)
		cells /= 2;
	ca_text_init(&line, ret_line, size);
	ca_text_add(&line, "[");
	for (uint32_t i = 0; i < cells; i++) {
		uint32_t parts = CA_MAP_STRIP_PARTS / cells;
		const struct cell *cell = cell_at(progress, i * parts, (i + 1) * parts);

		if (progress->colour && (i == 0 || cell != before)) {
			ca_text_add(&line, "\033[0m");
			ca_text_add(&line, cell->colour);
		}
		ca_text_add(&line, progress->utf8 ? cell->utf8 : cell->ascii);
		before = cell;
	}
	ca_text_add(&line, progress->colour ? "\033[0m]" : "]");
}

/* ---- the words */

static void add_duration(struct ca_text *text, uint64_t seconds)
{
	if (seconds < 90) {
		ca_text_u64(text, seconds);
		ca_text_add(text, " s");
	} else if (seconds < 5400) {
		ca_text_u64(text, (seconds + 30) / 60);
		ca_text_add(text, " min");
	} else {
		ca_text_fixed(text, seconds, 3600, 1);
		ca_text_add(text, " h");
	}
}

static void add_span(struct ca_text *text, uint64_t least_s, uint64_t most_s)
{
	add_duration(text, least_s);
	ca_text_add(text, " to ");
	add_duration(text, most_s);
}

enum piece {
	PIECE_STALL,
	PIECE_BAD,
	PIECE_LEFT,
	PIECE_NOW,
	PIECE_MEAN,
	PIECE_AMOUNT,
	PIECE_ALL,
	PIECE_COUNT,
};

static void add_left(struct ca_text *text, const struct ca_progress_figures *f)
{
	if (!f->left_s && !f->most_s)
		return;
	add_duration(text, f->left_s);
	ca_text_add(text, " left");
	if (f->least_s == f->most_s)
		return;
	ca_text_add(text, " (");
	add_span(text, f->least_s, f->most_s);
	ca_text_add(text, ")");
}

static void add_stall(struct ca_text *text, const struct ca_progress *progress)
{
	if (!progress->stalled_s)
		return;
	ca_text_add(text, "NO ANSWER for ");
	ca_text_u64(text, progress->stalled_s);
	ca_text_add(text, " s");
}

static void add_amount(struct ca_text *text, const struct ca_progress_report *report)
{
	if (report->timed)
		return;
	ca_text_gb(text, report->done);
	ca_text_add(text, " of ");
	ca_text_gb(text, report->total);
}

static void add_rate(struct ca_text *text, uint64_t rate, const char *what)
{
	ca_text_rate(text, rate);
	ca_text_add(text, what);
}

static void add_piece(struct ca_text *text, const struct ca_progress *progress,
		      const struct ca_progress_figures *f, enum piece piece)
{
	const struct ca_progress_report *report = &progress->report;

	switch (piece) {
	case PIECE_STALL:
		add_stall(text, progress);
		break;
	case PIECE_BAD:
		if (report->bad_sectors) {
			ca_text_u64(text, report->bad_sectors);
			ca_text_add(text, " bad");
		}
		break;
	case PIECE_LEFT:
		add_left(text, f);
		break;
	case PIECE_NOW:
		if (report->timed) {
			ca_text_u64(text, f->milliiops / 1000);
			ca_text_add(text, " IOPS");
		} else {
			add_rate(text, f->rate_now, " now");
		}
		break;
	case PIECE_MEAN:
		if (!report->timed)
			add_rate(text, f->mean_rate, " mean");
		break;
	case PIECE_AMOUNT:
		add_amount(text, report);
		break;
	case PIECE_ALL:
		if (f->all_most_s) {
			ca_text_add(text, "in all ");
			add_span(text, f->all_least_s, f->all_most_s);
		}
		break;
	case PIECE_COUNT:
		break;
	}
}

void ca_progress_words(const struct ca_progress *progress, uint32_t width, char *ret_line,
		       size_t size)
{
	struct ca_progress_figures f;
	char piece[96];
	struct ca_text line, text;

	ca_progress_figures_of(progress, &f);
	ca_text_init(&line, ret_line, size < width + 1 ? size : width + 1);
	ca_text_add(&line, progress->report.what);
	ca_text_add(&line, " ");
	ca_text_fixed(&line, f.permille, 10, 1);
	ca_text_add(&line, " %");
	for (unsigned int i = 0; i < PIECE_COUNT; i++) {
		ca_text_init(&text, piece, sizeof(piece));
		add_piece(&text, progress, &f, (enum piece)i);
		if (!text.len || line.len + 2 + text.len > width)
			continue;
		ca_text_add(&line, "  ");
		ca_text_add(&line, piece);
	}
}

/* ---- JSON */

static void add_number(struct ca_text *line, const char *key, uint64_t value)
{
	ca_text_add(line, ",\"");
	ca_text_add(line, key);
	ca_text_add(line, "\":");
	ca_text_u64(line, value);
}

static void add_map(struct ca_text *line, const struct ca_progress *progress)
{
	ca_text_add(line, ",\"map\":\"");
	for (uint32_t i = 0; i < CA_MAP_STRIP_PARTS; i++)
		ca_text_add(line, cell_at(progress, i, i + 1)->ascii);
	ca_text_add(line, "\"");
}

void ca_progress_json(const struct ca_progress *progress, char *ret_line, size_t size)
{
	const struct ca_progress_report *report = &progress->report;
	struct ca_progress_figures f;
	struct ca_text line;

	ca_progress_figures_of(progress, &f);
	ca_text_init(&line, ret_line, size);
	ca_text_add(&line, "{\"phase\":\"");
	ca_text_add(&line, report->what);
	ca_text_add(&line, "\"");
	add_number(&line, "done", report->done);
	add_number(&line, "total", report->total);
	ca_text_add(&line, report->timed ? ",\"unit\":\"ns\"" : ",\"unit\":\"bytes\"");
	add_number(&line, "permille", f.permille);
	add_number(&line, "bytes_per_second", f.mean_rate);
	add_number(&line, "bytes_per_second_now", f.rate_now);
	add_number(&line, "milliiops", f.milliiops);
	add_number(&line, "seconds_left", f.left_s);
	add_number(&line, "seconds_left_least", f.least_s);
	add_number(&line, "seconds_left_most", f.most_s);
	if (f.all_most_s) {
		add_number(&line, "all_seconds_left_least", f.all_least_s);
		add_number(&line, "all_seconds_left_most", f.all_most_s);
	}
	add_number(&line, "bad_sectors", report->bad_sectors);
	if (progress->stalled_s)
		add_number(&line, "stalled_seconds", progress->stalled_s);
	if (report->strip)
		add_map(&line, progress);
	ca_text_add(&line, "}");
}
