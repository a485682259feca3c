/* SPDX-License-Identifier: BSD-2-Clause */
#include "fill_job.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

/* Errors without a gap for this long are a size, not wear. */
#define PROOF_ERROR_BYTES (64 * CA_MIB)
/* So many separate unwritable ranges prove a failed card, and bound the memory. */
#define MAX_UNWRITABLE 65536U
/* In an error region of this size only the ends of a request are tried sector by sector. */
#define SOLID_BYTES 16384U

static struct ca_fill_range *last_unwritable(const struct ca_fill_job *job)
{
	return job->unwritable_count > 0 ? &job->unwritable[job->unwritable_count - 1] : NULL;
}

static int note_unwritable(struct ca_fill_job *job, uint64_t offset, uint64_t bytes)
{
	struct ca_fill_range *last = last_unwritable(job);

	if (last && last->offset + last->bytes == offset) {
		last->bytes += bytes;
		return ca_fill_add_failed(job, offset, bytes, CA_SECTOR_UNWRITABLE);
	}
	if (job->unwritable_count == job->unwritable_room) {
		size_t room = job->unwritable_room ? 2 * job->unwritable_room : 64;
		struct ca_fill_range *grown =
			realloc(job->unwritable, room * sizeof(*job->unwritable));

		if (!grown)
			return -ENOMEM;
		job->unwritable = grown;
		job->unwritable_room = room;
	}
	assert(job->unwritable); /* there is room, so there is an array */
	job->unwritable[job->unwritable_count++] =
		(struct ca_fill_range){.offset = offset, .bytes = bytes};
	return ca_fill_add_failed(job, offset, bytes, CA_SECTOR_UNWRITABLE);
}

const struct ca_fill_range *ca_fill_next_unwritable(const struct ca_fill_job *job, uint64_t offset)
{
	size_t low = 0, high = job->unwritable_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (job->unwritable[middle].offset + job->unwritable[middle].bytes <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low < job->unwritable_count ? &job->unwritable[low] : NULL;
}

/* Is `offset` the next byte after a long unwritable range? */
static bool follows_solid(const struct ca_fill_job *job, uint64_t offset)
{
	const struct ca_fill_range *last = last_unwritable(job);

	return last && last->offset + last->bytes == offset && last->bytes >= SOLID_BYTES;
}

/*
 * In the midst of an error region each sector can cost seconds. There a request that fails at its
 * first and at its last sector counts as failed as a whole: none of it is known to be written.
 */
static int widen(struct ca_fill_job *job, const struct ca_io *io, struct ca_io_fault *fault,
		 bool *end_is_good)
{
	uint64_t end = io->offset + io->bytes;
	uint64_t last = end - job->sector_bytes;
	struct ca_io_fault at_end = {.status = CA_IO_OK};
	const uint8_t *data = io->buffer;
	int r;

	if (*end_is_good || fault->offset + fault->bytes >= end ||
	    !follows_solid(job, fault->offset))
		return 0;
	r = ca_device_write(job->device, last, job->sector_bytes, data + (last - io->offset),
			    &at_end);
	if (r < 0)
		return r;
	*end_is_good = at_end.status == CA_IO_OK;
	if (!*end_is_good)
		fault->bytes = end - fault->offset;
	return 0;
}

/* Repeats a failed write piece by piece to learn exactly which sectors cannot be written. */
static int repair(struct ca_fill_job *job, const struct ca_io *io)
{
	uint64_t offset = io->offset;
	uint64_t end = io->offset + io->bytes;
	const uint8_t *data = io->buffer;
	bool end_is_good = false;

	if (follows_solid(job, offset)) {
		bool dead = false;
		int r = ca_fill_try_ends(job, CA_IO_WRITE, io, &dead);

		if (r == 0 && dead)
			r = ca_fill_check_device(job, "writing", offset);
		if (r < 0 || ca_fill_is_over(job))
			return r;
		if (dead)
			return note_unwritable(job, offset, io->bytes);
	}
	while (offset < end) {
		struct ca_io_fault fault = {.status = CA_IO_OK};
		int r = ca_device_write(job->device, offset, end - offset,
					data + (offset - io->offset), &fault);

		if (r < 0)
			return r;
		if (fault.status == CA_IO_OK) {
			if (offset == io->offset)
				ca_fill_note_recovery(job, io);
			job->capacity->written_bytes += end - offset;
			return 0;
		}
		if (fault.status == CA_IO_GONE) {
			ca_fill_lose(job, CA_FILL_LOST, "writing", fault.error, offset);
			return 0;
		}
		if (fault.offset < offset || fault.bytes == 0 || fault.offset >= end)
			return -EPROTO;
		job->capacity->written_bytes += fault.offset - offset;
		r = widen(job, io, &fault, &end_is_good);
		/* a dead card must not count as a bad one; lone sectors are not asked twice */
		if (r == 0 && (offset == io->offset || fault.bytes > job->sector_bytes))
			r = ca_fill_check_device(job, "writing", fault.offset);
		if (r < 0 || ca_fill_is_over(job))
			return r;
		r = note_unwritable(job, fault.offset, fault.bytes);
		if (r < 0)
			return r;
		offset = fault.offset + fault.bytes;
	}
	return 0;
}

static int by_offset(const void *a, const void *b)
{
	const struct ca_io *left = *(struct ca_io *const *)a;
	const struct ca_io *right = *(struct ca_io *const *)b;

	return (left->offset > right->offset) - (left->offset < right->offset);
}

static void look_for_proof(struct ca_fill_job *job)
{
	const struct ca_fill_range *last = last_unwritable(job);

	if (job->unwritable_count >= MAX_UNWRITABLE)
		job->proof = true;
	if (last && last->bytes > PROOF_ERROR_BYTES && !job->options->map_all)
		job->proof = true;
}

/*
 * One write failed: lets all others in flight finish and repairs the failed ones in ascending
 * order, so that the list of unwritable ranges grows at its end only.
 */
static int handle_failure(struct ca_fill_job *job, struct ca_io *io)
{
	struct ca_io **failed = job->failed;
	size_t count = 0;
	int r = 0;

	while (r == 0) {
		if (io->status == CA_IO_OK) {
			job->capacity->written_bytes += io->bytes;
			ca_fill_release(job, io);
		} else {
			failed[count++] = io;
		}
		if (!ca_fill_has_flight(job))
			break;
		r = ca_fill_wait(job, &io);
	}
	if (count > 1)
		qsort(failed, count, sizeof(struct ca_io *), by_offset);
	for (size_t i = 0; i < count; i++) {
		if (failed[i]->status == CA_IO_GONE)
			ca_fill_lose(job, CA_FILL_LOST, "writing", failed[i]->error,
				     failed[i]->offset);
		else if (r == 0 && !ca_fill_is_over(job))
			r = repair(job, failed[i]);
		ca_fill_advance(job, failed[i]->bytes);
		ca_fill_release(job, failed[i]);
	}
	look_for_proof(job);
	return r;
}

static int complete(struct ca_fill_job *job, struct ca_fill_writes *writes, struct ca_io *io)
{
	if (io->status != CA_IO_OK) {
		int r = handle_failure(job, io);

		writes->stop = job->proof;
		return r;
	}
	job->capacity->written_bytes += io->bytes;
	ca_fill_advance(job, io->bytes);
	ca_fill_release(job, io);
	return 0;
}

int ca_fill_write_until(struct ca_fill_job *job, uint64_t limit)
{
	struct ca_fill_writes writes = {.submitted_to = &job->written_to,
					.limit = limit,
					.stop = job->proof,
					.complete = complete};

	return ca_fill_write_range(job, &writes);
}
