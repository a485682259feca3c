/* SPDX-License-Identifier: BSD-2-Clause */
#include "fill_job.h"

#include <string.h>

/* Of the 4096 bits of a sector: unrelated data differ in 2048 +- 32 of them. */
#define NOISE_BITS 1792U

static uint64_t piece_at(uint64_t bytes, uint64_t done)
{
	uint64_t left = bytes - done;

	return left < CA_FILL_PIECE_BYTES ? left : CA_FILL_PIECE_BYTES;
}

bool ca_fill_is_intact(struct ca_fill_job *job, uint64_t offset, uint64_t bytes,
		       const uint8_t *data)
{
	return ca_pattern_is_intact(job->pattern, offset / CA_SECTOR_BYTES, bytes / CA_SECTOR_BYTES,
				    data);
}

/* Half its bits are wrong: not the data seen through a bad contact, but something else. */
static bool is_noise(struct ca_fill_job *job, uint64_t lba, const uint8_t *expected,
		     const uint8_t *found)
{
	int64_t delta;

	return ca_pattern_classify(job->pattern, lba, expected, found, &delta) == CA_SECTOR_NOISE &&
	       ca_bytes_count_bit_errors(expected, found, CA_SECTOR_BYTES, NOISE_BITS) > NOISE_BITS;
}

/*
 * Of two reads that differ, a good one shows that the data are there and the way to them is not
 * sound; otherwise the second counts. Both are marked unstable.
 */
static struct ca_fill_verdict judge_sector(struct ca_fill_job *job, uint64_t lba,
					   const uint8_t *expected, const uint8_t *first,
					   const uint8_t *again)
{
	struct ca_fill_verdict verdict = {.class_of = CA_SECTOR_GOOD};
	const uint8_t *found = again ? again : first;

	verdict.unstable = again && memcmp(first, again, CA_SECTOR_BYTES) != 0;
	if (verdict.unstable && memcmp(first, expected, CA_SECTOR_BYTES) == 0)
		return verdict;
	verdict.class_of = ca_pattern_classify(job->pattern, lba, expected, found, &verdict.delta);
	verdict.lost_twice = verdict.unstable && is_noise(job, lba, expected, first) &&
			     is_noise(job, lba, expected, again);
	return verdict;
}

void ca_fill_judge_piece(struct ca_fill_job *job, uint64_t offset, uint64_t bytes,
			 const uint8_t *first, const uint8_t *again,
			 struct ca_fill_verdict *ret_verdicts)
{
	uint64_t lba = offset / CA_SECTOR_BYTES;

	ca_pattern_generate(job->pattern, lba, bytes / CA_SECTOR_BYTES, job->expected);
	for (uint64_t at = 0; at < bytes; at += CA_SECTOR_BYTES)
		*ret_verdicts++ = judge_sector(job, lba + at / CA_SECTOR_BYTES, job->expected + at,
					       first + at, again ? again + at : NULL);
}

/* Keeps the lowest bad sector for the report. `found` NULL: nothing could be read. */
static void note_bad(struct ca_fill_job *job, uint64_t lba, const uint8_t *expected,
		     const uint8_t *found)
{
	struct ca_capacity_evidence *capacity = job->capacity;

	if (lba >= job->first_bad_lba)
		return;
	job->first_bad_lba = lba;
	memcpy(capacity->expected, expected, sizeof(capacity->expected));
	if (found)
		memcpy(capacity->found, found, sizeof(capacity->found));
	else
		memset(capacity->found, 0, sizeof(capacity->found));
}

int ca_fill_add_failed(struct ca_fill_job *job, uint64_t offset, uint64_t bytes,
		       enum ca_sector_class class_of)
{
	uint64_t lba = offset / CA_SECTOR_BYTES;
	uint64_t sectors = bytes / CA_SECTOR_BYTES;

	if (lba < job->first_bad_lba) {
		ca_pattern_generate(job->pattern, lba, 1, job->expected);
		note_bad(job, lba, job->expected, NULL);
	}
	job->bad_sectors += sectors;
	if (class_of == CA_SECTOR_UNREADABLE)
		job->capacity->verified_bytes += bytes;
	return ca_map_add(job->map, lba, sectors, class_of, CA_RUN_READS_ALIKE, 0);
}

int ca_fill_add_good(struct ca_fill_job *job, uint64_t offset, uint64_t bytes)
{
	job->capacity->verified_bytes += bytes;
	job->good_offset = offset;
	return ca_map_add(job->map, offset / CA_SECTOR_BYTES, bytes / CA_SECTOR_BYTES,
			  CA_SECTOR_GOOD, CA_RUN_READS_ALIKE, 0);
}

static void count_verdict(struct ca_fill_job *job, uint64_t lba, size_t index,
			  const struct ca_fill_verdict *verdict, const uint8_t *found)
{
	if (verdict->unstable)
		job->capacity->unstable_sectors++;
	if (verdict->lost_twice)
		job->restless_sectors++;
	if (verdict->class_of == CA_SECTOR_GOOD)
		return;
	job->bad_sectors++;
	note_bad(job, lba, job->expected + index * CA_SECTOR_BYTES, found);
}

static enum ca_run_reads reads_of(const struct ca_fill_verdict *verdict)
{
	if (!verdict->unstable)
		return CA_RUN_READS_ALIKE;
	return verdict->class_of == CA_SECTOR_GOOD ? CA_RUN_READS_MIXED : CA_RUN_READS_DIFFER;
}

static int add_verdicts(struct ca_fill_job *job, uint64_t offset, uint64_t bytes,
			const struct ca_fill_verdict *verdicts, const uint8_t *found)
{
	size_t count = (size_t)(bytes / CA_SECTOR_BYTES);
	uint64_t lba = offset / CA_SECTOR_BYTES;

	job->capacity->verified_bytes += bytes;
	for (size_t i = 0, from = 0; i < count; i++) {
		int r;

		count_verdict(job, lba + i, i, &verdicts[i], found + i * CA_SECTOR_BYTES);
		if (i + 1 < count && verdicts[i + 1].class_of == verdicts[i].class_of &&
		    verdicts[i + 1].delta == verdicts[i].delta &&
		    verdicts[i + 1].unstable == verdicts[i].unstable)
			continue;
		r = ca_map_add(job->map, lba + from, i + 1 - from, verdicts[i].class_of,
			       reads_of(&verdicts[i]), verdicts[i].delta);
		if (r < 0)
			return r;
		from = i + 1;
	}
	return 0;
}

/* Takes the range apart. The first `again_bytes` of it were read a second time into job->again. */
static int add_pieces(struct ca_fill_job *job, uint64_t offset, uint64_t bytes, const uint8_t *data,
		      uint64_t again_bytes)
{
	struct ca_fill_verdict verdicts[CA_FILL_PIECE_SECTORS];
	int r = 0;

	for (uint64_t done = 0, piece; r == 0 && done < bytes; done += piece) {
		const uint8_t *again = done < again_bytes ? job->again + done : NULL;

		piece = piece_at(again ? again_bytes : bytes, done);
		if (ca_fill_is_intact(job, offset + done, piece, data + done) &&
		    (!again || memcmp(data + done, again, (size_t)piece) == 0)) {
			r = ca_fill_add_good(job, offset + done, piece);
			continue;
		}
		ca_fill_judge_piece(job, offset + done, piece, data + done, again, verdicts);
		for (size_t i = 0; !again && i < piece / CA_SECTOR_BYTES; i++)
			verdicts[i].unstable = verdicts[i].class_of != CA_SECTOR_GOOD;
		r = add_verdicts(job, offset + done, piece, verdicts, again ? again : data + done);
	}
	return r;
}

int ca_fill_verify(struct ca_fill_job *job, uint64_t offset, uint64_t bytes, const uint8_t *data)
{
	return ca_fill_is_intact(job, offset, bytes, data)
		       ? ca_fill_add_good(job, offset, bytes)
		       : ca_fill_take_apart(job, offset, bytes, data);
}

int ca_fill_take_apart(struct ca_fill_job *job, uint64_t offset, uint64_t bytes,
		       const uint8_t *data)
{
	struct ca_io_fault fault = {.status = CA_IO_OK};
	int r;

	r = ca_device_read(job->device, offset, bytes, job->again, &fault);
	if (r < 0)
		return r;
	if (fault.status == CA_IO_GONE) {
		ca_fill_lose(job, CA_FILL_LOST, "reading again", fault.error, offset);
		return 0;
	}
	/* from where the second read failed there is only the first, and the two do not agree */
	return add_pieces(job, offset, bytes, data,
			  fault.status == CA_IO_OK ? bytes : fault.offset - offset);
}
