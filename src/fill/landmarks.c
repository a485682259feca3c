/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Landmark checks: at each checkpoint some places of what was written are read again. Only this
 * counts as proof of a fault, and ends the writing:
 *
 * - two whole pieces of 64 KiB in which each sector, in two reads alike, holds what was written
 *   later to another LBA; or
 * - two places at least 16 MiB apart, in each of which a whole piece of 64 KiB is lost; or
 * - three places so far apart, in each of which at least one sector is lost:
 *
 * in two reads alike, or in both with noise that is no nearer to what was written than chance, or
 * with errors from the first to the last sector on a card that answers elsewhere. Places add up
 * over the run.
 *
 * A bad page or block of a sound card is smaller than that, or alone, and is found by the read
 * back. Should that find nothing wrong, nothing is proved and the run says so.
 */
#include "checkpoint.h"
#include "fill_job.h"

#define PLACES_APART  (16 * CA_MIB)
#define PROOF_ALIASES 2U
#define PROOF_PIECES  2U
#define PROOF_SECTORS 3U

struct check {
	struct ca_fill_job *job;
	uint32_t bytes; /* of each place: a piece or a sector */
	unsigned int aliased_pieces;
};

static bool is_lost(const struct ca_fill_verdict *verdict)
{
	switch (verdict->class_of) {
	case CA_SECTOR_ZEROS:
	case CA_SECTOR_ONES:
	case CA_SECTOR_STALE:
	case CA_SECTOR_NOISE:
		return true;
	case CA_SECTOR_ALIAS:
		return verdict->delta < 0;
	case CA_SECTOR_GOOD:
	case CA_SECTOR_BITFLIP:
	case CA_SECTOR_FOREIGN:
	case CA_SECTOR_UNREADABLE:
	case CA_SECTOR_UNWRITABLE:
		break;
	}
	return false;
}

/* Remembers a lost place that lies far enough from those that are known. */
static void note_lost(struct ca_fill_places *places, uint64_t offset)
{
	for (unsigned int i = 0; i < places->count; i++) {
		uint64_t other = places->at[i];

		if ((offset > other ? offset - other : other - offset) < PLACES_APART)
			return;
	}
	if (places->count < CA_ARRAY_LEN(places->at))
		places->at[places->count++] = offset;
}

static void note_all_lost(struct check *check, uint64_t offset)
{
	note_lost(&check->job->lost_sectors, offset);
	if (check->bytes == CA_FILL_PIECE_BYTES)
		note_lost(&check->job->lost_pieces, offset);
}

static void look_for_proof(struct check *check)
{
	struct ca_fill_job *job = check->job;

	if (check->aliased_pieces >= PROOF_ALIASES || job->lost_pieces.count >= PROOF_PIECES ||
	    job->lost_sectors.count >= PROOF_SECTORS)
		job->proof = true;
}

static void weigh(struct check *check, uint64_t offset, const struct ca_fill_verdict *verdicts)
{
	size_t sectors = check->bytes / CA_SECTOR_BYTES;
	bool whole = check->bytes == CA_FILL_PIECE_BYTES;
	bool aliased = whole, all_lost = true, some_lost = false, one_block = true;

	for (size_t i = 0; i < sectors; i++) {
		const struct ca_fill_verdict *verdict = &verdicts[i];
		bool is_alias = verdict->class_of == CA_SECTOR_ALIAS;
		bool lost = is_lost(verdict) || is_alias;

		if (verdict->unstable && !verdict->lost_twice)
			return;
		aliased = aliased && is_alias && verdict->delta > 0;
		one_block =
			one_block && is_alias && verdict->delta == verdicts[0].delta - (int64_t)i;
		all_lost = all_lost && is_lost(verdict);
		some_lost = some_lost || lost;
	}
	/* all of a piece with one and the same block is no wrap: a card that has nothing to say */
	if (aliased && !one_block)
		check->aliased_pieces++;
	if (all_lost || one_block)
		note_all_lost(check, offset);
	else if (some_lost)
		note_lost(&check->job->lost_sectors, offset);
}

static int read_into(struct ca_fill_job *job, uint64_t offset, uint64_t bytes, uint8_t *buffer,
		     struct ca_io_fault *ret_fault)
{
	int r = ca_device_read(job->device, offset, bytes, buffer, ret_fault);

	if (r == 0 && ret_fault->status == CA_IO_GONE)
		ca_fill_lose(job, CA_FILL_LOST, "checking", ret_fault->error, offset);
	return r;
}

/* The first sector cannot be read. Can the last? */
static int weigh_failure(struct check *check, uint64_t offset)
{
	struct ca_fill_job *job = check->job;
	struct ca_io_fault fault = {.status = CA_IO_OK};
	uint64_t last = offset + check->bytes - job->sector_bytes;
	int r = read_into(job, last, job->sector_bytes, job->again, &fault);

	if (r == 0 && fault.status == CA_IO_ERROR)
		r = ca_fill_check_device(job, "checking", offset);
	if (r == 0 && fault.status == CA_IO_ERROR)
		note_all_lost(check, offset);
	return r;
}

static int weigh_error(struct check *check, uint64_t offset)
{
	struct ca_fill_job *job = check->job;
	struct ca_io_fault fault = {.status = CA_IO_OK};
	int r = read_into(job, offset, check->bytes, job->again, &fault);

	if (r < 0 || fault.status != CA_IO_ERROR || fault.offset != offset)
		return r;
	return weigh_failure(check, offset);
}

/* What came back is not what was written: once more. */
static int weigh_difference(struct check *check, uint64_t offset, const uint8_t *first)
{
	struct ca_fill_verdict verdicts[CA_FILL_PIECE_SECTORS];
	struct ca_fill_job *job = check->job;
	struct ca_io_fault fault = {.status = CA_IO_OK};
	int r = ca_device_drop_cache(job->device);

	if (r == 0)
		r = read_into(job, offset, check->bytes, job->again, &fault);
	if (r < 0 || fault.status != CA_IO_OK)
		return r;
	ca_fill_judge_piece(job, offset, check->bytes, first, job->again, verdicts);
	weigh(check, offset, verdicts);
	return 0;
}

static int weigh_one(struct check *check, const struct ca_io *io)
{
	struct ca_fill_job *job = check->job;

	switch (io->status) {
	case CA_IO_GONE:
		ca_fill_lose(job, CA_FILL_LOST, "checking", io->error, io->offset);
		return 0;
	case CA_IO_ERROR:
		return weigh_error(check, io->offset);
	case CA_IO_OK:
		break;
	}
	if (ca_fill_is_intact(job, io->offset, io->bytes, io->buffer))
		return 0;
	return weigh_difference(check, io->offset, io->buffer);
}

static bool is_written(const struct ca_fill_job *job, uint64_t offset, uint64_t bytes)
{
	const struct ca_fill_range *hole = ca_fill_next_unwritable(job, offset);

	return !hole || hole->offset >= offset + bytes;
}

/* Reads places together, as many as are wanted at once, and then looks at each. */
static int check_batch(struct check *check, const uint64_t *offsets, size_t count)
{
	struct ca_fill_job *job = check->job;
	size_t submitted = 0;
	int r = 0;

	for (size_t i = 0; i < count && r == 0; i++) {
		struct ca_io *io = &job->landmarks[submitted];
		uint64_t stride = check->bytes < CA_BUFFER_ALIGN ? CA_BUFFER_ALIGN : check->bytes;

		ca_fill_advance(job, check->bytes);
		if (!is_written(job, offsets[i], check->bytes))
			continue;
		*io = (struct ca_io){.op = CA_IO_READ,
				     .offset = offsets[i],
				     .bytes = check->bytes,
				     .buffer = job->memory + submitted * stride};
		r = ca_device_submit(job->device, io);
		if (r == 0) {
			submitted++;
			job->in_flight++;
		}
	}
	while (ca_fill_has_flight(job)) {
		struct ca_io *io;
		int waited = ca_fill_wait(job, &io);

		if (waited < 0)
			return waited;
	}
	for (size_t i = 0; i < submitted && r == 0 && !job->proof && !ca_fill_is_over(job); i++) {
		r = weigh_one(check, &job->landmarks[i]);
		look_for_proof(check);
	}
	return r;
}

static int check_places(struct ca_fill_job *job, uint32_t bytes, const uint64_t *offsets,
			size_t count)
{
	struct check check = {.job = job, .bytes = bytes};
	size_t most = CA_FILL_LANDMARKS;
	int r = 0;

	if (most > job->device->geometry.max_queue_depth)
		most = job->device->geometry.max_queue_depth;
	/* nothing is in flight: all chunks are free */
	if (most > (size_t)job->slot_count * job->request_bytes / CA_FILL_PIECE_BYTES)
		most = (size_t)job->slot_count * job->request_bytes / CA_FILL_PIECE_BYTES;
	for (size_t done = 0; done < count && r == 0 && !job->proof && !ca_fill_is_over(job);
	     done += most)
		r = check_batch(&check, offsets + done, count - done < most ? count - done : most);
	return r;
}

int ca_fill_check_landmarks(struct ca_fill_job *job)
{
	uint64_t pieces[CA_CHECKPOINT_PLACES], sectors[CA_CHECKPOINT_RANDOM];
	size_t count;
	int r;

	if (job->written_to < CA_FILL_PIECE_BYTES || job->request_bytes < CA_FILL_PIECE_BYTES)
		return 0;
	r = ca_fill_settle(job);
	count = ca_checkpoint_places(job->bytes, job->written_to, CA_FILL_PIECE_BYTES,
				     job->checkpoints++, job->options->seed, pieces);
	for (size_t i = 0; i < count; i++)
		pieces[i] *= CA_FILL_PIECE_BYTES;
	ca_checkpoint_sectors(job->written_to, job->sector_bytes, job->options->seed, sectors);
	ca_fill_phase_enter(job, CA_FILL_PHASE_CHECK,
			    count * CA_FILL_PIECE_BYTES +
				    (uint64_t)CA_CHECKPOINT_RANDOM * job->sector_bytes,
			    0, 0);
	if (r == 0 && !ca_fill_is_over(job))
		r = check_places(job, CA_FILL_PIECE_BYTES, pieces, count);
	if (r == 0 && !ca_fill_is_over(job))
		r = check_places(job, job->sector_bytes, sectors, CA_CHECKPOINT_RANDOM);
	return r;
}
