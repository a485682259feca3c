/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe_job.h"

#include <errno.h>
#include <string.h>

/* Read wrong, of one piece: more than these were not spoilt on the way. */
#define FEW_SECTORS 16U

static int load(struct ca_probe_job *job, size_t record)
{
	int r = job->loaded == record ? 0 : ca_journal_load(job->journal, record, job->saved);

	if (r == 0)
		job->loaded = record;
	return r;
}

/* The last error counts, but none of them ends the putting back of what else can be. */
static int run_back(struct ca_probe_job *job)
{
	int r = 0;

	job->run_saved = job->run_forward;
	job->may_go_back = true;
	while (job->run_left && !job->lost) {
		uint64_t moved = 0;
		int one = ca_probe_traffic(job, CA_PROBE_CHUNK, &moved);

		if (one < 0) { /* this record cannot be had: the one before it perhaps can */
			r = one;
			job->probe->unrestored_bytes += job->run_left - (job->run_left - 1) /
										CA_PROBE_CHUNK *
										CA_PROBE_CHUNK;
			job->run_left = (job->run_left - 1) / CA_PROBE_CHUNK * CA_PROBE_CHUNK;
		}
	}
	return r;
}

static int place_back(struct ca_probe_job *job, const struct ca_probe_place *place)
{
	enum ca_io_status status;
	int r = load(job, place->record);

	/* what cannot be written shows when it is verified */
	return r < 0 ? r : ca_probe_write(job, place->offset, place->bytes, job->saved, &status);
}

/* ---- verifying ----------------------------------------------------------------------------- */

/* Where nothing stays, nothing of anyone's was: not a loss. */
static bool had_nothing(const struct ca_probe_job *job, const struct ca_probe_place *place,
			uint64_t offset)
{
	uint64_t least, most;

	if (place && place->looked && ca_probe_is_lost(job, place->class_of) &&
	    !ca_probe_is_error(place->class_of))
		return true;
	return job->loss_seen && ca_probe_find_bracket(job, &least, &most) &&
	       ca_probe_fold(job, offset) >= least;
}

static int read_back(struct ca_probe_job *job, uint64_t offset, uint32_t bytes, bool *ret_same)
{
	enum ca_io_status status;
	int r = ca_probe_read(job, offset, bytes, job->data, &status);

	*ret_same = r == 0 && status == CA_IO_OK;
	return r;
}

/* Bytes that are not as they were, where that matters. */
static uint64_t count_missing(const struct ca_probe_job *job, const struct ca_probe_place *place,
			      uint64_t offset, uint32_t bytes, bool readable)
{
	uint64_t missing = 0;

	if (readable && memcmp(job->data, job->saved, bytes) == 0)
		return 0;
	for (uint32_t at = 0; at < bytes; at += CA_SECTOR_BYTES)
		if ((!readable || memcmp(job->data + at, job->saved + at, CA_SECTOR_BYTES) != 0) &&
		    !had_nothing(job, place, offset + at))
			missing += CA_SECTOR_BYTES;
	return missing;
}

/*
 * A few sectors that were read wrong are read once more, one by one: a wire that is not sound
 * spoils another each time. True: they are as they must be.
 */
static bool are_right_now(struct ca_probe_job *job, uint64_t offset, uint32_t bytes,
			  int *ret_result)
{
	unsigned int few = 0;
	bool right = true;

	for (uint32_t at = 0; at < bytes; at += job->sector_bytes)
		few += memcmp(job->data + at, job->saved + at, job->sector_bytes) != 0;
	if (few > FEW_SECTORS)
		return false;
	for (uint32_t at = 0; at < bytes && *ret_result == 0 && !job->lost;
	     at += job->sector_bytes) {
		enum ca_io_status status;

		if (memcmp(job->data + at, job->saved + at, job->sector_bytes) == 0)
			continue;
		*ret_result =
			ca_probe_read(job, offset + at, job->sector_bytes, job->again, &status);
		right = right && *ret_result == 0 && status == CA_IO_OK &&
			memcmp(job->again, job->saved + at, job->sector_bytes) == 0;
	}
	return right;
}

/* `saved` holds what must be there. What differs is written once more. */
static int verify(struct ca_probe_job *job, const struct ca_probe_place *place, uint64_t offset,
		  uint32_t bytes)
{
	enum ca_io_status status;
	uint64_t missing;
	bool readable;
	int r = read_back(job, offset, bytes, &readable);

	if (r < 0 || job->lost || count_missing(job, place, offset, bytes, readable) == 0)
		return r;
	if (readable && are_right_now(job, offset, bytes, &r)) {
		job->probe->unstable_samples++;
		return r;
	}
	if (r < 0 || job->lost)
		return r;
	r = ca_probe_write(job, offset, bytes, job->saved, &status);
	if (r == 0)
		r = ca_probe_settle(job);
	if (r == 0 && !job->lost)
		r = read_back(job, offset, bytes, &readable);
	if (r < 0 || job->lost)
		return r;
	missing = count_missing(job, place, offset, bytes, readable);
	job->probe->unrestored_bytes += missing;
	job->refused += missing && place && place->class_of == CA_SECTOR_GOOD;
	return 0;
}

static int verify_run(struct ca_probe_job *job)
{
	int r = 0;

	for (uint64_t at = 0; at < job->run_forward && !job->lost; at += CA_PROBE_CHUNK) {
		size_t record = job->run_first_record + (size_t)(at / CA_PROBE_CHUNK);
		uint64_t left = job->run_forward - at;
		uint32_t bytes = left < CA_PROBE_CHUNK ? (uint32_t)left : CA_PROBE_CHUNK;
		int one = load(job, record);

		if (one == 0)
			one = verify(job, NULL, at, bytes);
		r = one < 0 ? one : r;
		ca_probe_advance_phase(job, bytes);
	}
	return r;
}

static int verify_all(struct ca_probe_job *job)
{
	int r = ca_probe_settle(job);

	ca_probe_phase_enter(job, CA_PROBE_PHASE_VERIFY,
			     job->run_forward + (uint64_t)job->count * CA_PROBE_UNIT);
	if (r == 0 && !job->lost)
		r = verify_run(job);
	for (size_t i = 0; i < job->count && !job->lost; i++) {
		const struct ca_probe_place *place = &job->places[i];
		int one = 0;

		ca_probe_advance_phase(job, place->bytes);
		if (!place->written || place->in_run)
			continue;
		one = load(job, place->record);
		if (one == 0)
			one = verify(job, place, place->offset, place->bytes);
		r = one < 0 ? one : r;
	}
	return r;
}

int ca_probe_put_back(struct ca_probe_job *job)
{
	int r, verified;

	if (!job->touched)
		return 0;
	ca_probe_phase_enter(job, CA_PROBE_PHASE_RESTORE,
			     job->run_left + (uint64_t)job->count * CA_PROBE_UNIT);
	r = run_back(job);
	for (size_t i = job->count; i-- > 0 && !job->lost;) {
		const struct ca_probe_place *place = &job->places[i];
		int one = place->written && !place->in_run ? place_back(job, place) : 0;

		r = one < 0 ? one : r;
		ca_probe_advance_phase(job, place->bytes);
	}
	verified = job->lost ? 0 : verify_all(job);
	r = r < 0 ? r : verified;
	job->probe->journal_kept = job->lost || r < 0 || job->probe->unrestored_bytes > 0;
	return r;
}
