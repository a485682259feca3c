/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Landmark checks: after each doubling of what was written, the first 4 MiB and some places are
 * read again. Only this counts as proof of a fake, and ends the writing:
 *
 * - two whole pieces of 64 KiB in which each sector, in two reads alike, holds what was written
 *   later to another LBA; or
 * - two places at least 16 MiB apart, in each of which a whole piece of 64 KiB is lost: in two
 *   reads alike, or in both with noise that is no nearer to what was written than chance, or with
 *   errors from its first to its last sector on a card that answers elsewhere.
 *
 * A bad page or block of a sound card is smaller than that, or alone, and is found by the read
 * back. Should that find nothing wrong, nothing is proved and the run says so.
 */
#include "fill_job.h"

#define HEAD_BYTES    (4 * CA_MIB)
#define PLACES_APART  (16 * CA_MIB)
#define STRATA	      16U
#define BOUNDARIES    5U
#define PLACES_MAX    (STRATA + BOUNDARIES + 1)
#define PROOF_ALIASES 2U

struct check {
	struct ca_fill_job *job;
	uint64_t seed;
	unsigned int aliased_pieces;
	bool has_lost;
	uint64_t lost_at;
	bool lost_apart;
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

/* Remembers one lost place, and whether another lies far enough from it. */
static void note_lost(struct check *check, uint64_t offset)
{
	uint64_t distance =
		offset > check->lost_at ? offset - check->lost_at : check->lost_at - offset;

	if (check->has_lost) {
		check->lost_apart = check->lost_apart || distance >= PLACES_APART;
	} else {
		check->has_lost = true;
		check->lost_at = offset;
	}
}

static void weigh(struct check *check, uint64_t offset, const struct ca_fill_verdict *verdicts)
{
	bool aliased = true, lost = true, one_block = true;

	for (size_t i = 0; i < CA_FILL_PIECE_SECTORS; i++) {
		const struct ca_fill_verdict *verdict = &verdicts[i];
		bool is_alias = verdict->class_of == CA_SECTOR_ALIAS;

		if (verdict->unstable && !verdict->lost_twice)
			return;
		aliased = aliased && is_alias && verdict->delta > 0;
		one_block =
			one_block && is_alias && verdict->delta == verdicts[0].delta - (int64_t)i;
		lost = lost && is_lost(verdict);
	}
	/* all of a piece with one and the same block is no wrap: a card that has nothing to say */
	if (aliased && !one_block)
		check->aliased_pieces++;
	if (lost || one_block)
		note_lost(check, offset);
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
	uint64_t last = offset + CA_FILL_PIECE_BYTES - job->sector_bytes;
	int r = read_into(job, last, job->sector_bytes, job->again, &fault);

	if (r == 0 && fault.status == CA_IO_ERROR)
		r = ca_fill_check_device(job, "checking", offset);
	if (r == 0 && fault.status == CA_IO_ERROR)
		note_lost(check, offset);
	return r;
}

static int check_piece(struct check *check, uint64_t offset)
{
	struct ca_fill_verdict verdicts[CA_FILL_PIECE_SECTORS];
	struct ca_fill_job *job = check->job;
	uint8_t *first = job->memory; /* nothing is in flight */
	const struct ca_fill_range *hole = ca_fill_next_unwritable(job, offset);
	struct ca_io_fault fault = {.status = CA_IO_OK};
	int r;

	if (hole && hole->offset < offset + CA_FILL_PIECE_BYTES)
		return 0;
	r = read_into(job, offset, CA_FILL_PIECE_BYTES, first, &fault);
	if (r == 0 && fault.status == CA_IO_ERROR && fault.offset == offset)
		return weigh_failure(check, offset);
	if (r < 0 || fault.status != CA_IO_OK ||
	    ca_fill_is_intact(job, offset, CA_FILL_PIECE_BYTES, first))
		return r;
	r = ca_device_drop_cache(job->device);
	if (r == 0)
		r = read_into(job, offset, CA_FILL_PIECE_BYTES, job->again, &fault);
	if (r < 0 || fault.status != CA_IO_OK)
		return r;
	ca_fill_judge_piece(job, offset, CA_FILL_PIECE_BYTES, first, job->again, verdicts);
	weigh(check, offset, verdicts);
	return 0;
}

/*
 * Just past the last powers of two, where sizes end; one seeded place in each sixteenth; and the
 * end of what was written, which only a card without a cache shows as it is.
 */
static unsigned int choose_places(struct check *check, uint64_t places[PLACES_MAX])
{
	uint64_t pieces = check->job->written_to / CA_FILL_PIECE_BYTES;
	unsigned int count = 0;

	for (unsigned int i = 1; i <= BOUNDARIES; i++)
		places[count++] = pieces >> i;
	for (unsigned int i = 0; i < STRATA; i++) {
		uint64_t from = pieces * i / STRATA;
		uint64_t to = pieces * (i + 1) / STRATA;

		if (to > from)
			places[count++] = from + ca_rng_below(&check->seed, to - from);
	}
	places[count++] = pieces - 1;
	return count;
}

int ca_fill_check_landmarks(struct ca_fill_job *job)
{
	struct check check = {.job = job, .seed = job->options->seed ^ job->written_to};
	uint64_t places[PLACES_MAX];
	unsigned int count, head;
	int r;

	if (job->written_to < CA_FILL_PIECE_BYTES || job->request_bytes < CA_FILL_PIECE_BYTES)
		return 0;
	r = ca_fill_settle(job);
	count = choose_places(&check, places);
	head = (unsigned int)(HEAD_BYTES / CA_FILL_PIECE_BYTES);
	if (head > job->written_to / CA_FILL_PIECE_BYTES)
		head = (unsigned int)(job->written_to / CA_FILL_PIECE_BYTES);
	ca_fill_phase_enter(job, CA_FILL_PHASE_CHECK,
			    (uint64_t)(head + count) * CA_FILL_PIECE_BYTES, 0, 0);
	for (unsigned int i = 0; r == 0 && i < head + count && !ca_fill_is_over(job); i++) {
		uint64_t piece = i < head ? i : places[i - head];

		r = check_piece(&check, piece * CA_FILL_PIECE_BYTES);
		ca_fill_advance(job, CA_FILL_PIECE_BYTES);
	}
	if (check.aliased_pieces >= PROOF_ALIASES || check.lost_apart)
		job->proof = true;
	return r;
}
