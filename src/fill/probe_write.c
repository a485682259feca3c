/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe_job.h"

int ca_probe_write_place(struct ca_probe_job *job, struct ca_probe_place *place)
{
	enum ca_io_status status;
	int r;

	if (!place->saved || ca_probe_is_left_out(job, place))
		return 0;
	ca_pattern_generate(job->pattern, place->offset / CA_SECTOR_BYTES,
			    place->bytes / CA_SECTOR_BYTES, job->data);
	r = ca_probe_write(job, place->offset, place->bytes, job->data, &status);
	if (r < 0)
		return r;
	place->written = true; /* a failed write may have written something */
	place->fresh = status == CA_IO_OK;
	place->written_at = job->written;
	if (status == CA_IO_ERROR)
		ca_probe_note_failed(job, place, CA_SECTOR_UNWRITABLE);
	return 0;
}

int ca_probe_write_apart(struct ca_probe_job *job, uint64_t count)
{
	uint64_t units = job->run_left / CA_PROBE_UNIT;
	int r = 0;

	for (uint64_t i = 0; r == 0 && units && i < count && !ca_probe_is_over(job); i++) {
		uint64_t offset = ca_rng_below(&job->seed, units) * CA_PROBE_UNIT;
		enum ca_io_status status;

		ca_pattern_generate(job->pattern, offset / CA_SECTOR_BYTES, CA_PROBE_UNIT_SECTORS,
				    job->data);
		/* it was written before: what fails now shows when it is looked at */
		r = ca_probe_write(job, offset, CA_PROBE_UNIT, job->data, &status);
	}
	return r;
}

/*
 * Upwards: a card that dies of being written past its end dies late. Neighbours go in two rounds:
 * what follows the write before it may be taken for the beginning of a long one.
 */
int ca_probe_write_samples(struct ca_probe_job *job)
{
	int r = 0;

	ca_probe_phase_enter(job, CA_PROBE_PHASE_WRITE,
			     job->run_saved + (uint64_t)job->count * CA_PROBE_UNIT);
	for (size_t first = 0; first < 2; first++)
		for (size_t i = first; r == 0 && i < job->count && !ca_probe_is_over(job); i += 2) {
			r = ca_probe_write_place(job, &job->places[i]);
			ca_probe_advance_phase(job, job->places[i].bytes);
		}
	job->samples_done = job->written;
	return r;
}

uint64_t ca_probe_traffic_left(const struct ca_probe_job *job)
{
	return job->run_saved - job->run_forward + (job->may_go_back ? job->run_left : 0);
}

static int forward(struct ca_probe_job *job, uint32_t bytes)
{
	enum ca_io_status status;
	int r;

	ca_pattern_generate(job->pattern, job->run_forward / CA_SECTOR_BYTES,
			    bytes / CA_SECTOR_BYTES, job->data);
	r = ca_probe_write(job, job->run_forward, bytes, job->data, &status);
	if (r < 0)
		return r;
	job->run_forward += bytes; /* a failed write may have written something */
	job->run_left = job->run_forward;
	job->run_written = job->written;
	if (status == CA_IO_ERROR) {
		struct ca_probe_place *place = ca_probe_add_place(
			job, job->fault_offset - job->fault_offset % job->sector_bytes,
			job->sector_bytes);

		if (place)
			ca_probe_note_failed(job, place, CA_SECTOR_UNWRITABLE);
		job->run_saved = job->run_forward; /* the run ends here */
	}
	return 0;
}

static int backward(struct ca_probe_job *job, uint64_t bytes)
{
	uint64_t start = (job->run_left - 1) / CA_PROBE_CHUNK * CA_PROBE_CHUNK;
	uint64_t length = job->run_left - start;
	size_t index = job->run_first_record + (size_t)(start / CA_PROBE_CHUNK);
	enum ca_io_status status;
	int r = job->loaded == index ? 0 : ca_journal_load(job->journal, index, job->saved);

	if (r < 0)
		return r;
	job->loaded = index;
	if (length > bytes)
		length = bytes;
	r = ca_probe_write(job, job->run_left - length, length,
			   job->saved + (job->run_left - length - start), &status);
	/* what could not be written shows when it is verified */
	if (r == 0 && status != CA_IO_GONE)
		job->run_left -= length;
	return r;
}

int ca_probe_traffic(struct ca_probe_job *job, uint64_t bytes, uint64_t *ret_moved)
{
	uint64_t before = ca_probe_traffic_left(job);
	uint64_t forwards = job->run_saved - job->run_forward;
	int r = 0;

	bytes = (bytes + CA_PROBE_TRAFFIC - 1) / CA_PROBE_TRAFFIC * CA_PROBE_TRAFFIC;
	if (bytes > CA_PROBE_CHUNK)
		bytes = CA_PROBE_CHUNK;
	if (forwards)
		r = forward(job, (uint32_t)(bytes < forwards ? bytes : forwards));
	else if (job->may_go_back && job->run_left)
		r = backward(job, bytes);
	if (r == 0) {
		*ret_moved = before - ca_probe_traffic_left(job);
		ca_probe_advance_phase(job, *ret_moved);
	}
	return r;
}
