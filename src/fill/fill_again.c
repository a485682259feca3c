/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What was written is written once more as it is, which changes nothing on a card that keeps it.
 *
 * The read back leaves a memory that holds only what was written last as it is: reading does not
 * push anything out of it. Were the lost end of a fake no larger than such a memory, all of it
 * would have come back. So where all came back, the beginning is written again, and places near the
 * end are read again. If one of them is lost now, the end is read back anew, all of it.
 *
 * And where a few sectors failed: a second attempt tells what is bad from what once went wrong.
 */
#include "fill_job.h"

/* Share of the card that is written again, at least so much but of a quarter, and at most the
 * largest memory reckoned with. */
#define AGAIN_SHARE 32U
#define AGAIN_LEAST (16 * CA_MIB)
#define PLACES	    32U /* at random, beside one for each power of two from the end */
/* More than that is no accident; nor are more than so many ranges that stay as they are. */
#define FAILED_MOST 2048U
#define STAY_MOST   8U
#define TRIES	    3U

/* The first that fails ends it. */
static int complete(struct ca_fill_job *job, struct ca_fill_writes *writes, struct ca_io *io)
{
	writes->stop = writes->stop || io->status != CA_IO_OK;
	ca_fill_advance(job, io->bytes);
	ca_fill_release(job, io);
	return 0;
}

int ca_fill_write_again(struct ca_fill_job *job, uint64_t bytes, bool *ret_done)
{
	struct ca_io_fault fault = {.status = CA_IO_OK};
	uint64_t submitted_to = 0;
	struct ca_fill_writes writes = {
		.submitted_to = &submitted_to, .limit = bytes, .complete = complete};
	int r;

	ca_fill_phase_enter(job, CA_FILL_PHASE_CHECK, bytes, 0, 0);
	r = ca_fill_write_range(job, &writes);
	if (r == 0 && !writes.stop)
		r = ca_device_flush(job->device, &fault);
	if (r == 0)
		r = ca_device_drop_cache(job->device);
	*ret_done = !writes.stop && fault.status == CA_IO_OK && !ca_fill_is_over(job);
	return r;
}

int ca_fill_ask_place(struct ca_fill_job *job, uint64_t offset, enum ca_sector_class *ret_class)
{
	uint32_t bytes = job->sector_bytes;
	uint8_t *first = job->memory, *again = job->again; /* nothing is in flight */
	struct ca_io_fault fault = {.status = CA_IO_OK};
	struct ca_fill_verdict verdicts[CA_FILL_PIECE_SECTORS];
	int r = ca_device_read(job->device, offset, bytes, first, &fault);

	*ret_class = CA_SECTOR_GOOD;
	if (r == 0 && fault.status == CA_IO_OK)
		r = ca_device_drop_cache(job->device);
	if (r == 0 && fault.status == CA_IO_OK)
		r = ca_device_read(job->device, offset, bytes, again, &fault);
	if (r < 0 || fault.status != CA_IO_OK)
		return r;
	ca_fill_judge_piece(job, offset, bytes, first, again, verdicts);
	if (!verdicts[0].unstable || verdicts[0].lost_twice)
		*ret_class = verdicts[0].class_of;
	return 0;
}

/* ---- a lost end that a memory hides -------------------------------------------------------- */

/* Is any of some places among the last `bytes` not what it was? */
static int look_near_end(struct ca_fill_job *job, uint64_t bytes, bool *ret_lost)
{
	uint64_t units = bytes / job->sector_bytes, state = job->options->seed ^ units;
	uint64_t back = 1;
	int r = 0;

	*ret_lost = false;
	for (unsigned int i = 0; r == 0 && !*ret_lost && units;) {
		enum ca_sector_class class_of;
		uint64_t unit = back;

		if (back > units) {
			if (i++ == PLACES)
				break;
			unit = 1 + ca_rng_below(&state, units);
		} else {
			back *= 2;
		}
		r = ca_fill_ask_place(job, job->bytes - unit * job->sector_bytes, &class_of);
		*ret_lost = class_of != CA_SECTOR_GOOD;
	}
	return r;
}

/* The end once more, in the place of what the read back had found there. */
static int read_end(struct ca_fill_job *job, uint64_t bytes)
{
	uint64_t at = job->bytes - bytes;
	int r = ca_map_forget_from(job->map, at / CA_SECTOR_BYTES);

	job->capacity->verified_bytes -= bytes;
	while (r == 0 && at < job->bytes && !ca_fill_is_over(job)) {
		uint64_t left = job->bytes - at;
		uint64_t piece = left < job->request_bytes ? left : job->request_bytes;
		struct ca_io_fault fault = {.status = CA_IO_OK};

		r = ca_device_read(job->device, at, piece, job->memory, &fault);
		if (r == 0 && fault.status == CA_IO_GONE)
			ca_fill_lose(job, CA_FILL_LOST, "reading", fault.error, at);
		else if (r == 0 && fault.status == CA_IO_ERROR)
			r = ca_fill_add_failed(job, at, piece, CA_SECTOR_UNREADABLE);
		else if (r == 0)
			r = ca_fill_verify(job, at, piece, job->memory);
		at += piece;
		ca_fill_advance(job, piece);
	}
	return r;
}

uint64_t ca_fill_again_bytes(uint64_t announced_bytes, uint32_t sector_bytes)
{
	uint64_t bytes = announced_bytes / AGAIN_SHARE;

	if (bytes < AGAIN_LEAST)
		bytes = announced_bytes / 4 < AGAIN_LEAST ? announced_bytes / 4 : AGAIN_LEAST;
	if (bytes > CA_FILL_MEMORY_MAX)
		bytes = CA_FILL_MEMORY_MAX;
	return bytes - bytes % sector_bytes;
}

int ca_fill_ask_hidden(struct ca_fill_job *job)
{
	uint64_t bytes = ca_fill_again_bytes(job->bytes, job->sector_bytes);
	bool done = false, lost = false;
	int r;

	if (job->written_to < job->bytes || !ca_map_is_all_good(job->map) ||
	    ca_reinit_is_power_loss(job->capacity->reinit))
		return 0;
	r = ca_fill_write_again(job, bytes, &done);
	if (r == 0 && !done && !ca_fill_is_over(job)) {
		/* what took everything a moment ago */
		job->capacity->unstable_sectors += job->sector_bytes / CA_SECTOR_BYTES;
		return ca_fill_check_device(job, "writing", 0);
	}
	if (r == 0 && done)
		r = look_near_end(job, bytes, &lost);
	if (r < 0 || !done)
		return r;
	return lost ? read_end(job, bytes) : ca_fill_check_device(job, "reading", job->bytes);
}

/* ---- what failed ----------------------------------------------------------------------------- */

/* Written, and read twice: is it as it should be now? */
static int try_again(struct ca_fill_job *job, uint64_t offset, uint64_t bytes, bool *ret_good)
{
	struct ca_io_fault fault = {.status = CA_IO_OK};
	int r;

	ca_pattern_generate(job->pattern, offset / CA_SECTOR_BYTES, bytes / CA_SECTOR_BYTES,
			    job->memory);
	r = ca_device_write(job->device, offset, bytes, job->memory, &fault);
	if (r == 0 && fault.status == CA_IO_OK)
		r = ca_device_flush(job->device, &fault);
	for (unsigned int i = 0; i < 2 && r == 0 && fault.status == CA_IO_OK; i++) {
		r = ca_device_drop_cache(job->device);
		if (r == 0)
			r = ca_device_read(job->device, offset, bytes, job->again, &fault);
		if (r == 0 && fault.status == CA_IO_OK &&
		    !ca_fill_is_intact(job, offset, bytes, job->again))
			return 0;
	}
	*ret_good = r == 0 && fault.status == CA_IO_OK;
	return r;
}

int ca_fill_ask_failed(struct ca_fill_job *job)
{
	uint64_t lba, sectors;
	unsigned int staying = 0;
	size_t index = 0;
	int r = 0;

	if (ca_map_failed_sectors(job->map) > FAILED_MOST)
		return 0;
	r = ca_map_sort(job->map);
	while (r == 0 && !ca_fill_is_over(job) && staying < STAY_MOST &&
	       ca_map_next_failed(job->map, &index, &lba, &sectors)) {
		uint64_t most = job->request_bytes / CA_SECTOR_BYTES;
		bool good = false;

		if (sectors > most)
			continue;
		for (unsigned int i = 0; r == 0 && i < TRIES && !good; i++)
			r = try_again(job, lba * CA_SECTOR_BYTES, sectors * CA_SECTOR_BYTES, &good);
		staying += !good;
		if (r == 0 && good) {
			ca_map_mark_mixed(job->map, index - 1);
			job->capacity->unstable_sectors += sectors;
		}
	}
	return r;
}
