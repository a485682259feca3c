/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The matrix: four kinds of access in six sizes of block, and the rate over the addresses. Each
 * cell has its own engine, whose histogram gathers all its runs.
 */
#include "speed_place.h"

#include <errno.h>
#include <stdlib.h>

#define RANGE_BYTES  (256 * CA_MIB)
#define FIRST_BYTES  ((uint32_t)(512 * CA_KIB)) /* of the requests that write the range */
#define SAMPLE_BYTES (4 * CA_MIB)
#define SAMPLE_UNIT  (64 * CA_KIB)

static const uint32_t blocks[] = {4 << 10, 8 << 10, 64 << 10, 512 << 10, 1 << 20, 16 << 20};
#define BLOCKS CA_ARRAY_LEN(blocks)
_Static_assert(4 * BLOCKS == CA_SURVEY_CELLS_MAX, "every cell has its place");

#define NAMES(kind)                                                                                \
	{                                                                                          \
		kind ", 4 KiB blocks", kind ", 8 KiB blocks", kind ", 64 KiB blocks",              \
			kind ", 512 KiB blocks", kind ", 1 MiB blocks", kind ", 16 MiB blocks"     \
	}
static const struct {
	bool write, random;
	const char *names[BLOCKS];
} kinds[] = {
	{false, false, NAMES("read")},
	{true, false, NAMES("write")},
	{false, true, NAMES("random read")},
	{true, true, NAMES("random write")},
};

struct survey_run {
	struct ca_device *device;
	const struct ca_speed_survey_plan *plan;
	const struct ca_speed_options *options; /* the caller's */
	struct ca_speed_options own;		/* progress is that of all cells */
	struct ca_survey_evidence *survey;
	uint64_t done_ns, total_ns; /* runs, as planned */
	bool gone;
};

/* The time left is that of the whole survey, the figures are those of the run. */
static int on_progress(void *context, const struct ca_speed_progress *progress)
{
	struct survey_run *run = context;
	struct ca_speed_progress whole = *progress;

	if (!run->options->progress)
		return 0;
	if (run->total_ns) {
		whole.timed = true;
		/* a run lasts as long as its last transfer */
		whole.done = progress->elapsed_ns < run->plan->run_ns ? progress->elapsed_ns
								      : run->plan->run_ns;
		whole.done += run->done_ns;
		whole.total = run->total_ns;
	}
	return run->options->progress(run->options->progress_context, &whole);
}

static bool is_over(const struct survey_run *run)
{
	return run->gone || run->survey->interrupted;
}

static void note_end(struct survey_run *run, const struct ca_speed_engine *engine)
{
	run->gone = run->gone || engine->gone;
	if (engine->interrupted)
		run->survey->interrupted = true;
}

static void take_run(struct ca_survey_cell *cell, const struct ca_speed_engine *engine)
{
	if (engine->operations == 0)
		return;
	cell->rates[cell->run_count++] = ca_speed_place_rate(engine);
	cell->operations += engine->operations;
	cell->duration_ns += engine->elapsed_ns;
}

static void sum_up(struct ca_survey_cell *cell, const struct ca_speed_engine *engine)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < cell->run_count; i++)
		sum += cell->rates[i];
	if (cell->run_count)
		cell->bytes_per_second = sum / cell->run_count;
	cell->milliiops = ca_speed_scale(cell->bytes_per_second, 1000, cell->block_bytes);
	cell->queue_depth = engine->queue_depth;
	cell->latency = engine->latency;
	ca_histogram_octaves(&engine->histogram, cell->octaves);
}

static int flush(struct survey_run *run)
{
	struct ca_io_fault fault = {.status = CA_IO_OK};
	int r = ca_device_flush(run->device, &fault);

	if (r == 0 && fault.status == CA_IO_GONE)
		run->gone = true;
	return r;
}

static int measure_cell(struct survey_run *run, size_t kind, size_t size)
{
	struct ca_survey_evidence *survey = run->survey;
	struct ca_survey_cell *cell = &survey->cells[survey->cell_count];
	struct ca_speed_places places = {
		.random = kinds[kind].random,
		.blocks = survey->range_bytes / blocks[size],
		.rng = run->options->seed ^ ((uint64_t)kind << 32) ^ blocks[size],
	};
	CA_CLEANUP_FREE struct ca_speed_engine *engine =
		ca_speed_place_engine(run->device, &run->own, &places);
	int r = 0;

	if (!engine)
		return -ENOMEM;
	*cell = (struct ca_survey_cell){.write = kinds[kind].write,
					.random = kinds[kind].random,
					.block_bytes = blocks[size]};
	engine->what = kinds[kind].names[size];
	engine->write = cell->write;
	engine->block_bytes = cell->block_bytes;
	engine->queue_depth = run->plan->queue_depth;
	engine->duration_ns = run->plan->run_ns;
	for (unsigned int i = 0; i < CA_SURVEY_RUNS && !is_over(run); i++) {
		r = ca_speed_place_run(engine);
		if (r < 0)
			return r;
		run->done_ns += run->plan->run_ns;
		cell->errors += engine->errors;
		take_run(cell, engine);
		note_end(run, engine);
	}
	sum_up(cell, engine);
	if (cell->run_count || cell->errors)
		survey->cell_count++;
	return cell->write && !is_over(run) ? flush(run) : 0;
}

/* Moves `bytes` from `offset` on once, in order; where nothing failed, *ret_rate says how fast. */
static int pass(struct survey_run *run, const char *what, bool write, uint64_t offset,
		uint64_t bytes, uint32_t request, uint64_t *ret_rate)
{
	struct ca_speed_places places = {
		.offset = offset,
		.blocks = bytes / request,
		.left = bytes / request,
		.bounded = true,
	};
	CA_CLEANUP_FREE struct ca_speed_engine *engine =
		ca_speed_place_engine(run->device, &run->own, &places);
	int r;

	if (!engine)
		return -ENOMEM;
	engine->what = what;
	engine->write = write;
	engine->block_bytes = request;
	engine->queue_depth = 1;
	engine->total_bytes = bytes;
	r = ca_speed_place_run(engine);
	if (r < 0)
		return r;
	note_end(run, engine);
	*ret_rate = engine->errors ? 0 : ca_speed_place_rate(engine);
	return 0;
}

static int measure_line(struct survey_run *run, bool write)
{
	struct ca_survey_evidence *survey = run->survey;
	struct ca_survey_line *line = &survey->lines[survey->line_count++];
	uint64_t bytes = run->device->geometry.bytes;
	uint64_t sample = bytes / CA_SURVEY_POINTS_MAX / SAMPLE_UNIT * SAMPLE_UNIT;
	uint64_t count;
	uint32_t request;

	sample = sample > SAMPLE_BYTES ? SAMPLE_BYTES : sample ? sample : SAMPLE_UNIT;
	count = bytes / sample < CA_SURVEY_POINTS_MAX ? bytes / sample : CA_SURVEY_POINTS_MAX;
	request = sample == SAMPLE_BYTES ? 1 << 20 : (uint32_t)SAMPLE_UNIT;
	*line = (struct ca_survey_line){
		.write = write,
		.step_bytes = bytes / count / SAMPLE_UNIT * SAMPLE_UNIT,
		.sample_bytes = sample,
	};
	while (line->point_count < count && !is_over(run)) {
		uint64_t rate = 0;
		int r = pass(run,
			     write ? "writing over all addresses" : "reading over all addresses",
			     write, line->point_count * line->step_bytes, sample, request, &rate);

		if (r < 0)
			return r;
		if (!is_over(run))
			line->rates[line->point_count++] = rate;
	}
	return write && !is_over(run) ? flush(run) : 0;
}

static int measure_cells(struct survey_run *run)
{
	int r = 0;

	for (size_t kind = 0; kind < CA_ARRAY_LEN(kinds); kind++)
		for (size_t size = 0; size < BLOCKS && r == 0 && !is_over(run); size++)
			if (blocks[size] <= run->survey->range_bytes)
				r = measure_cell(run, kind, size);
	return r;
}

int ca_speed_run_survey(struct ca_device *device, const struct ca_speed_survey_plan *plan,
			const struct ca_speed_options *options, struct ca_survey_evidence *survey,
			bool *ret_gone)
{
	struct survey_run run = {.device = device,
				 .plan = plan,
				 .options = options,
				 .own = *options,
				 .survey = survey};
	uint64_t bytes = device->geometry.bytes, rate = 0;
	int r;

	if (bytes < FIRST_BYTES || plan->run_ns == 0)
		return -EINVAL;
	run.own.progress = on_progress;
	run.own.progress_context = &run;
	survey->range_bytes = bytes < RANGE_BYTES ? bytes / FIRST_BYTES * FIRST_BYTES : RANGE_BYTES;
	r = pass(&run, "writing the range", true, 0, survey->range_bytes, FIRST_BYTES, &rate);
	if (r == 0 && !is_over(&run))
		r = flush(&run);
	run.total_ns = CA_SURVEY_CELLS_MAX * CA_SURVEY_RUNS * plan->run_ns;
	if (r == 0)
		r = measure_cells(&run);
	run.total_ns = 0;
	if (r == 0 && !is_over(&run))
		r = measure_line(&run, true);
	if (r == 0 && !is_over(&run))
		r = measure_line(&run, false);
	*ret_gone = run.gone;
	return r;
}
