/* SPDX-License-Identifier: BSD-2-Clause */
#include "fill_job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TELL_NS	 (CA_NS_PER_SECOND / 10)
#define MAP_RUNS 4096U

int ca_fill_job_init(struct ca_fill_job *job)
{
	const struct ca_fill_options *options = job->options;
	const struct ca_geometry *geometry = &job->device->geometry;
	int r;

	job->sector_bytes = geometry->sector_bytes;
	job->bytes = geometry->bytes - geometry->bytes % geometry->sector_bytes;
	if (job->bytes == 0)
		return -EINVAL;
	job->first_bad_lba = UINT64_MAX;
	r = ca_pattern_new(options->secret, options->run_id, options->device_id, 0, options->cipher,
			   &job->pattern);
	if (r == 0)
		r = ca_map_new(job->bytes / CA_SECTOR_BYTES, MAP_RUNS, &job->map);
	if (r == 0)
		r = ca_crew_new(job->pattern, options, job->device->clock, ca_crew_spare_cores(),
				&job->crew);
	return r < 0 ? r : ca_fill_queue_init(job);
}

void ca_fill_job_done(struct ca_fill_job *job)
{
	ca_fill_queue_done(job);
	free(job->unwritable);
	ca_crew_free(job->crew);
	ca_map_free(job->map);
	ca_pattern_free(job->pattern);
}

/* ---- progress */

void ca_fill_phase_enter(struct ca_fill_job *job, enum ca_fill_phase phase, uint64_t total_bytes,
			 uint64_t done_bytes, uint64_t before_ns)
{
	job->phase = phase;
	job->phase_total = total_bytes;
	job->phase_done = done_bytes;
	job->phase_before_ns = before_ns;
	job->phase_started_ns = ca_clock_now_ns(job->device->clock);
}

static uint64_t phase_elapsed(const struct ca_fill_job *job)
{
	return job->phase_before_ns + ca_clock_now_ns(job->device->clock) - job->phase_started_ns;
}

uint64_t ca_fill_phase_leave(struct ca_fill_job *job)
{
	return phase_elapsed(job);
}

void ca_fill_tell(struct ca_fill_job *job)
{
	struct ca_fill_progress progress = {
		.phase = job->phase,
		.done_bytes = job->phase_done,
		.total_bytes = job->phase_total,
		.elapsed_ns = phase_elapsed(job),
		.bad_sectors = job->bad_sectors,
		.strip = ca_map_strip(job->map),
	};

	job->told_ns = ca_clock_now_ns(job->device->clock);
	if (job->options->progress && !ca_fill_is_over(job) &&
	    job->options->progress(job->options->progress_context, &progress) != 0)
		job->end = CA_FILL_INTERRUPTED;
}

void ca_fill_advance(struct ca_fill_job *job, uint64_t bytes)
{
	job->phase_done += bytes;
	if (ca_clock_now_ns(job->device->clock) - job->told_ns >= TELL_NS)
		ca_fill_tell(job);
}

/* ---- the device */

void ca_fill_lose(struct ca_fill_job *job, enum ca_fill_end end, const char *doing, int error,
		  uint64_t offset)
{
	struct ca_text text;

	if (ca_fill_is_over(job))
		return;
	job->end = end;
	ca_text_init(&text, job->capacity->lost_because, sizeof(job->capacity->lost_because));
	ca_text_add(&text, error ? strerror(error)
				 : (end == CA_FILL_LOST ? "the device is gone"
							: "size or identity changed"));
	ca_text_add(&text, ", while ");
	ca_text_add(&text, doing);
	ca_text_add(&text, " at byte ");
	ca_text_u64(&text, offset);
}

/*
 * A card that answers nothing any more has gone, whatever its size says: one sector that was good,
 * the first, the middle and the last are asked, and any answer will do.
 */
static int check_answers(struct ca_fill_job *job, const char *doing, uint64_t offset)
{
	uint64_t last = job->bytes - job->sector_bytes;
	uint64_t middle = job->bytes / 2 - job->bytes / 2 % job->sector_bytes;
	const uint64_t places[] = {job->good_offset, 0, middle, last};
	struct ca_io_fault fault = {.status = CA_IO_OK};

	for (size_t i = 0; i < CA_ARRAY_LEN(places); i++) {
		int r = ca_device_read(job->device, places[i], job->sector_bytes, job->again,
				       &fault);

		if (r < 0 || fault.status == CA_IO_OK)
			return r;
	}
	ca_fill_lose(job, CA_FILL_LOST, doing, fault.error, offset);
	return 0;
}

int ca_fill_check_device(struct ca_fill_job *job, const char *doing, uint64_t offset)
{
	struct ca_io_fault fault = {.status = CA_IO_OK};
	int r = ca_device_check(job->device, &fault);

	if (r < 0)
		return r;
	if (fault.status == CA_IO_OK)
		return check_answers(job, doing, offset);
	if (fault.status == CA_IO_GONE)
		ca_fill_lose(job, CA_FILL_LOST, doing, fault.error, offset);
	else
		ca_fill_lose(job, CA_FILL_CHANGED, doing, 0, offset);
	return 0;
}

int ca_fill_try_ends(struct ca_fill_job *job, enum ca_io_op op, const struct ca_io *io,
		     bool *ret_both_fail)
{
	const uint64_t at[] = {0, io->bytes - job->sector_bytes};
	uint8_t *data = io->buffer;

	for (size_t i = 0; i < CA_ARRAY_LEN(at); i++) {
		struct ca_io_fault fault = {.status = CA_IO_OK};
		uint64_t offset = io->offset + at[i];
		int r = op == CA_IO_WRITE ? ca_device_write(job->device, offset, job->sector_bytes,
							    data + at[i], &fault)
					  : ca_device_read(job->device, offset, job->sector_bytes,
							   data + at[i], &fault);

		if (r < 0)
			return r;
		*ret_both_fail = fault.status == CA_IO_ERROR;
		if (!*ret_both_fail)
			return 0;
	}
	return 0;
}

void ca_fill_note_recovery(struct ca_fill_job *job, const struct ca_io *io)
{
	if (io->error != EAGAIN && io->error != EINTR && io->error != ENOMEM)
		job->capacity->unstable_sectors += job->sector_bytes / CA_SECTOR_BYTES;
}

int ca_fill_settle(struct ca_fill_job *job)
{
	struct ca_io_fault fault = {.status = CA_IO_OK};
	int r = ca_device_flush(job->device, &fault);

	/* what a failed flush lost shows when it is read back */
	if (r == 0 && fault.status == CA_IO_GONE)
		ca_fill_lose(job, CA_FILL_LOST, "flushing", fault.error, job->written_to);
	if (r == 0 && !ca_fill_is_over(job))
		r = ca_fill_check_device(job, "flushing", job->written_to);
	if (r == 0 && !ca_fill_is_over(job))
		r = ca_device_drop_cache(job->device);
	return r;
}

int ca_fill_reinit(struct ca_fill_job *job)
{
	const struct ca_fill_options *options = job->options;
	struct ca_io_fault fault = {.status = CA_IO_OK};
	int r;

	if (!options->reinit)
		return 0;
	r = options->reinit(options->reinit_context, job->device, &fault);
	if (r < 0)
		return r == -EOPNOTSUPP ? 0 : r;
	switch (fault.status) {
	case CA_IO_OK:
		job->capacity->reinit = options->reinit_kind == CA_REINIT_NONE
						? CA_REINIT_HOST
						: options->reinit_kind;
		break;
	case CA_IO_GONE:
		ca_fill_lose(job, CA_FILL_LOST, "initialising it anew", fault.error,
			     job->written_to);
		break;
	case CA_IO_ERROR:
		ca_fill_lose(job, CA_FILL_CHANGED, "initialising it anew", 0, job->written_to);
		break;
	}
	return 0;
}
