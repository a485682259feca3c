/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe_job.h"

#include <string.h>

/*
 * Test data of this run where a fake leads two addresses to one place: what belongs there is what
 * was saved for the other address.
 */
static int replace_ours(struct ca_probe_job *job, uint8_t *sector)
{
	struct ca_pattern_header header;
	uint64_t offset;
	uint32_t bytes;
	size_t index;
	int r;

	if (!job->touched || !ca_pattern_read_header(sector, &header) ||
	    header.run != ca_le32(job->options->run_id) ||
	    header.lba > UINT64_MAX / CA_SECTOR_BYTES ||
	    !ca_journal_find(job->journal, header.lba * CA_SECTOR_BYTES, &index))
		return 0;
	ca_journal_place(job->journal, index, &offset, &bytes);
	r = job->loaded == index ? 0 : ca_journal_load(job->journal, index, job->saved);
	if (r < 0)
		return r;
	job->loaded = index;
	memcpy(sector, job->saved + (header.lba * CA_SECTOR_BYTES - offset), CA_SECTOR_BYTES);
	return 0;
}

int ca_probe_save_place(struct ca_probe_job *job, struct ca_probe_place *place)
{
	enum ca_io_status status;
	int r;

	if (ca_probe_is_left_out(job, place))
		return 0;
	r = ca_probe_read(job, place->offset, place->bytes, job->data, &status);
	if (r < 0 || status == CA_IO_GONE)
		return r;
	if (status == CA_IO_ERROR) {
		ca_probe_note_failed(job, place, CA_SECTOR_UNREADABLE);
		return 0;
	}
	for (uint32_t at = 0; r == 0 && at < place->bytes; at += CA_SECTOR_BYTES)
		r = replace_ours(job, job->data + at);
	place->record = ca_journal_count(job->journal);
	if (r == 0)
		r = ca_journal_save(job->journal, place->offset, place->bytes, job->data);
	place->saved = r == 0;
	return r;
}

static int save_chunk(struct ca_probe_job *job, uint32_t bytes)
{
	int r = ca_journal_save(job->journal, job->run_saved, bytes, job->data);

	if (r < 0)
		return r;
	job->run_saved += bytes;
	ca_probe_advance_phase(job, bytes);
	return 0;
}

/* The run ends where it cannot be read. */
static int cut_run(struct ca_probe_job *job)
{
	uint64_t offset = job->fault_offset - job->fault_offset % job->sector_bytes;
	struct ca_probe_place *place = ca_probe_add_place(job, offset, job->sector_bytes);
	uint32_t before = offset > job->run_saved ? (uint32_t)(offset - job->run_saved) : 0;
	enum ca_io_status status;
	int r;

	if (place)
		ca_probe_note_failed(job, place, CA_SECTOR_UNREADABLE);
	if (before == 0 || before >= CA_PROBE_CHUNK)
		return 0;
	r = ca_probe_read(job, job->run_saved, before, job->data, &status);
	return r < 0 || status != CA_IO_OK ? r : save_chunk(job, before);
}

static int save_run(struct ca_probe_job *job)
{
	job->run_first_record = ca_journal_count(job->journal);
	while (job->run_saved < job->plan.run_bytes && !ca_probe_is_over(job)) {
		uint64_t left = job->plan.run_bytes - job->run_saved;
		uint32_t bytes = left < CA_PROBE_CHUNK ? (uint32_t)left : CA_PROBE_CHUNK;
		enum ca_io_status status;
		int r = ca_probe_read(job, job->run_saved, bytes, job->data, &status);

		if (r < 0 || status == CA_IO_GONE)
			return r;
		if (status == CA_IO_ERROR)
			return cut_run(job);
		r = save_chunk(job, bytes);
		if (r < 0)
			return r;
	}
	return 0;
}

int ca_probe_save_all(struct ca_probe_job *job)
{
	int r = ca_probe_settle(job);

	ca_probe_phase_enter(job, CA_PROBE_PHASE_SAVE,
			     job->plan.run_bytes + (uint64_t)job->count * CA_PROBE_UNIT);
	for (size_t i = 0; r == 0 && i < job->count && !ca_probe_is_over(job); i++) {
		r = ca_probe_save_place(job, &job->places[i]);
		ca_probe_advance_phase(job, job->places[i].bytes);
	}
	if (r == 0)
		r = save_run(job);
	return r == 0 && !ca_probe_is_over(job) ? ca_journal_sync(job->journal) : r;
}
