/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The read back: stripes in a seeded order, so that no cache that keeps or fetches neighbours helps
 * the card, and the end of what was written last of all, after as much other traffic as a cache
 * could hold.
 */
#include "fill_job.h"

#include <errno.h>

#define STRIPE_BYTES   (16 * CA_MIB)
#define STRIPES_MAX    32768U /* bounds the islands the map passes through */
#define STRIPES_WANTED 32U    /* small devices: enough of them for an order to mean something */
/* In an error region of this size only the ends of a request are tried sector by sector. */
#define SOLID_BYTES 16384U

struct reader {
	struct ca_fill_job *job;
	uint64_t total, stripe_bytes;
	uint64_t stripes, early; /* the first `early` ones in space come first in time */
	struct ca_permutation early_order, late_order;
	uint64_t next; /* stripe in time */
	uint64_t offset, stripe_end;
	uint64_t submitted; /* bytes of the stripes before this one */
	uint64_t least_distance;
	uint64_t solid_start, solid_end; /* the last range of read errors */
};

static uint64_t choose_stripe(const struct ca_fill_job *job)
{
	uint64_t total = job->written_to;
	uint64_t unit = job->sector_bytes;
	uint64_t bytes = STRIPE_BYTES;

	if (total / STRIPES_WANTED < bytes)
		bytes = total / STRIPES_WANTED;
	if (total / STRIPES_MAX > bytes)
		bytes = total / STRIPES_MAX;
	if (bytes >= job->request_bytes)
		unit = job->request_bytes;
	bytes = (bytes + unit - 1) / unit * unit;
	return bytes ? bytes : unit;
}

static void reader_init(struct reader *reader, struct ca_fill_job *job)
{
	uint64_t seed = job->options->seed;
	uint64_t total = job->written_to;
	uint64_t tail = total / 2 < CA_FILL_MEMORY_MAX ? total / 2 : CA_FILL_MEMORY_MAX;

	*reader = (struct reader){.job = job, .total = total, .least_distance = UINT64_MAX};
	reader->stripe_bytes = choose_stripe(job);
	reader->stripes = (total + reader->stripe_bytes - 1) / reader->stripe_bytes;
	reader->early = (total - tail) / reader->stripe_bytes;
	if (reader->early > 0)
		ca_permutation_init(&reader->early_order, reader->early, ca_rng_next(&seed));
	if (reader->stripes > reader->early)
		ca_permutation_init(&reader->late_order, reader->stripes - reader->early,
				    ca_rng_next(&seed));
}

/*
 * A byte at `o` of a stripe that begins at `a` saw total - o bytes written after it and
 * submitted + o - a bytes read before it: total - a + submitted for every byte of the stripe.
 */
static void measure_distance(struct reader *reader)
{
	uint64_t distance =
		reader->total - reader->offset + reader->submitted - reader->job->sector_bytes;

	if (distance < reader->least_distance)
		reader->least_distance = distance;
}

static bool next_stripe(struct reader *reader)
{
	uint64_t place;

	if (reader->next == reader->stripes)
		return false;
	if (reader->next < reader->early)
		place = ca_permutation_at(&reader->early_order, reader->next);
	else
		place = reader->early +
			ca_permutation_at(&reader->late_order, reader->next - reader->early);
	reader->next++;
	reader->offset = place * reader->stripe_bytes;
	reader->stripe_end = reader->total - reader->offset < reader->stripe_bytes
				     ? reader->total
				     : reader->offset + reader->stripe_bytes;
	measure_distance(reader);
	reader->submitted += reader->stripe_end - reader->offset;
	return true;
}

/* The next request: inside one stripe and around what could not be written. */
static bool next_request(struct reader *reader, uint64_t *ret_offset, uint64_t *ret_bytes)
{
	for (;;) {
		const struct ca_fill_range *hole;
		uint64_t end;

		if (reader->offset >= reader->stripe_end && !next_stripe(reader))
			return false;
		hole = ca_fill_next_unwritable(reader->job, reader->offset);
		end = reader->stripe_end;
		if (hole && hole->offset <= reader->offset) {
			reader->offset = hole->offset + hole->bytes;
			continue;
		}
		if (hole && hole->offset < end)
			end = hole->offset;
		if (end - reader->offset > reader->job->request_bytes)
			end = reader->offset + reader->job->request_bytes;
		*ret_offset = reader->offset;
		*ret_bytes = end - reader->offset;
		reader->offset = end;
		return true;
	}
}

/* As in writing: in the midst of an error region only the ends of a request are tried. */
static int widen(struct reader *reader, uint64_t end, struct ca_io_fault *fault, bool *end_is_good)
{
	struct ca_fill_job *job = reader->job;
	struct ca_io_fault at_end = {.status = CA_IO_OK};
	int r;

	if (fault->offset != reader->solid_end)
		reader->solid_start = fault->offset;
	reader->solid_end = fault->offset + fault->bytes;
	if (*end_is_good || reader->solid_end >= end ||
	    reader->solid_end - reader->solid_start <= SOLID_BYTES)
		return 0;
	r = ca_device_read(job->device, end - job->sector_bytes, job->sector_bytes, job->again,
			   &at_end);
	if (r < 0)
		return r;
	*end_is_good = at_end.status == CA_IO_OK;
	if (!*end_is_good) {
		fault->bytes = end - fault->offset;
		reader->solid_end = end;
	}
	return 0;
}

/* Repeats a failed read piece by piece to learn exactly which sectors cannot be read. */
static int repair(struct reader *reader, const struct ca_io *io)
{
	struct ca_fill_job *job = reader->job;
	uint64_t offset = io->offset;
	uint64_t end = io->offset + io->bytes;
	bool end_is_good = false;

	if (offset == reader->solid_end && offset - reader->solid_start >= SOLID_BYTES) {
		bool dead = false;
		int r = ca_fill_try_ends(job, CA_IO_READ, io, &dead);

		if (r == 0 && dead)
			r = ca_fill_check_device(job, "reading", offset);
		if (r < 0 || ca_fill_is_over(job))
			return r;
		if (dead) {
			reader->solid_end = end;
			return ca_fill_add_failed(job, offset, io->bytes, CA_SECTOR_UNREADABLE);
		}
	}
	while (offset < end && !ca_fill_is_over(job)) {
		struct ca_io_fault fault = {.status = CA_IO_OK};
		uint64_t good;
		int r = ca_device_read(job->device, offset, end - offset, io->buffer, &fault);

		if (r < 0)
			return r;
		if (fault.status == CA_IO_GONE) {
			ca_fill_lose(job, CA_FILL_LOST, "reading", fault.error, offset);
			return 0;
		}
		if (fault.status == CA_IO_ERROR &&
		    (fault.offset < offset || fault.bytes == 0 || fault.offset >= end))
			return -EPROTO;
		if (fault.status == CA_IO_OK && offset == io->offset)
			ca_fill_note_recovery(job, io);
		good = fault.status == CA_IO_OK ? end - offset : fault.offset - offset;
		if (good > 0)
			r = ca_fill_verify(job, offset, good, io->buffer);
		if (r < 0 || fault.status == CA_IO_OK)
			return r;
		r = widen(reader, end, &fault, &end_is_good);
		/* a dead card must not count as a bad one; lone sectors are not asked twice */
		if (r == 0 && (offset == io->offset || fault.bytes > job->sector_bytes))
			r = ca_fill_check_device(job, "reading", fault.offset);
		if (r < 0 || ca_fill_is_over(job))
			return r;
		r = ca_fill_add_failed(job, fault.offset, fault.bytes, CA_SECTOR_UNREADABLE);
		if (r < 0)
			return r;
		offset = fault.offset + fault.bytes;
	}
	return 0;
}

/* Takes in what was compared, oldest first. */
static int take_in_one(struct reader *reader)
{
	struct ca_fill_job *job = reader->job;
	struct ca_io *io = ca_fill_take_posted(job);
	int r = 0;

	if (!ca_fill_is_over(job))
		r = ca_fill_was_intact(io)
			    ? ca_fill_add_good(job, io->offset, io->bytes)
			    : ca_fill_take_apart(job, io->offset, io->bytes, io->buffer);
	ca_fill_advance(job, io->bytes);
	ca_fill_release(job, io);
	return r;
}

static int complete_failed(struct reader *reader, struct ca_io *io)
{
	struct ca_fill_job *job = reader->job;
	int r = 0;

	while (r == 0 && job->posted_count > 0)
		r = take_in_one(reader);
	if (io->status == CA_IO_GONE)
		ca_fill_lose(job, CA_FILL_LOST, "reading", io->error, io->offset);
	else if (r == 0 && !ca_fill_is_over(job))
		r = repair(reader, io);
	ca_fill_advance(job, io->bytes);
	ca_fill_release(job, io);
	return r;
}

static int complete_one(struct reader *reader)
{
	struct ca_io *io;
	int r = ca_fill_wait(reader->job, &io);

	if (r < 0)
		return r;
	if (io->status != CA_IO_OK)
		return complete_failed(reader, io);
	ca_fill_post_read(reader->job, io);
	return 0;
}

int ca_fill_read_back(struct ca_fill_job *job)
{
	struct reader reader;
	uint64_t offset = 0, bytes = 0;
	uint32_t ahead = job->slot_count - job->queue_depth;
	bool more;
	int r = 0;

	reader_init(&reader, job);
	more = next_request(&reader, &offset, &bytes);
	while (r == 0) {
		bool idle = ca_fill_can_submit(job) && ca_fill_has_idle(job);

		if (more && !ca_fill_is_over(job) && idle) {
			r = ca_fill_submit_read(job, offset, bytes);
			if (r == 0)
				more = next_request(&reader, &offset, &bytes);
		} else if (job->posted_count >= ahead ||
			   (job->posted_count > 0 && !ca_fill_has_flight(job))) {
			r = take_in_one(&reader);
		} else if (ca_fill_has_flight(job)) {
			r = complete_one(&reader);
		} else {
			break;
		}
	}
	if (r == 0 && !ca_fill_is_over(job))
		job->capacity->cache_overrun_bytes = reader.least_distance;
	return r;
}
