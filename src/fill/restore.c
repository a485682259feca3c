/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * After a crash. What a place of the journal holds now says what to do with it: as saved, nothing;
 * this run's test data, or nothing that can be read, put it back; anything else was written by
 * somebody since, or was lost with the power, and is left alone.
 */
#include "cardassay/fill.h"

#include <stdlib.h>
#include <string.h>

enum state {
	STATE_SAME,
	STATE_OURS, /* this run's test data */
	STATE_OTHER,
	STATE_UNREADABLE,
};

struct restore {
	struct ca_device *device;
	struct ca_journal *journal;
	struct ca_pattern *pattern;
	struct ca_restore_result *result;
	void (*progress)(void *context, const struct ca_probe_progress *progress);
	void *progress_context;
	struct ca_probe_progress told;
	uint64_t started_ns, told_ns;
	uint32_t sector_bytes;
	uint8_t *saved, *found, *expected; /* the largest record, twice; one sector */
	uint64_t ours, others, unreadable;
};

static void tell(struct restore *restore, uint64_t bytes)
{
	uint64_t now = ca_clock_now_ns(restore->device->clock);

	restore->told.done_bytes += bytes;
	if (!restore->progress || now - restore->told_ns < CA_NS_PER_SECOND / 10)
		return;
	restore->told_ns = now;
	restore->told.elapsed_ns = now - restore->started_ns;
	restore->progress(restore->progress_context, &restore->told);
}

static void enter(struct restore *restore, enum ca_probe_phase phase)
{
	uint64_t total = 0;

	for (size_t i = 0; i < ca_journal_count(restore->journal); i++) {
		uint64_t offset;
		uint32_t bytes;

		ca_journal_place(restore->journal, i, &offset, &bytes);
		total += bytes;
	}
	restore->told = (struct ca_probe_progress){.phase = phase, .total_bytes = total};
	restore->started_ns = ca_clock_now_ns(restore->device->clock);
}

/* Is it what this run wrote, to whatever address? */
static bool is_ours(struct restore *restore, uint64_t lba, const uint8_t *sector)
{
	struct ca_pattern_header header;
	int64_t delta;

	if (ca_pattern_is_intact(restore->pattern, lba, 1, sector))
		return true;
	if (!ca_pattern_read_header(sector, &header))
		return false;
	ca_pattern_generate(restore->pattern, lba, 1, restore->expected);
	return ca_pattern_classify(restore->pattern, lba, restore->expected, sector, &delta) ==
	       CA_SECTOR_ALIAS;
}

/* Reads what can be read of a record's place; what cannot is told sector by sector. */
static int read_place(struct restore *restore, uint64_t offset, uint32_t bytes, uint8_t *ret_bad)
{
	struct ca_io_fault fault = {.status = CA_IO_OK};
	int r = ca_device_read(restore->device, offset, bytes, restore->found, &fault);

	memset(ret_bad, 0, bytes / CA_SECTOR_BYTES);
	if (r < 0 || fault.status == CA_IO_OK)
		return r;
	for (uint32_t at = 0; at < bytes && fault.status != CA_IO_GONE;
	     at += restore->sector_bytes) {
		fault.status = CA_IO_OK;
		r = ca_device_read(restore->device, offset + at, restore->sector_bytes,
				   restore->found + at, &fault);
		if (r < 0)
			return r;
		if (fault.status != CA_IO_OK)
			memset(ret_bad + at / CA_SECTOR_BYTES, 1,
			       restore->sector_bytes / CA_SECTOR_BYTES);
	}
	if (fault.status == CA_IO_GONE)
		restore->result->lost = true;
	return 0;
}

static enum state state_of(struct restore *restore, uint64_t offset, uint32_t at, bool bad)
{
	if (bad)
		return STATE_UNREADABLE;
	if (memcmp(restore->saved + at, restore->found + at, CA_SECTOR_BYTES) == 0)
		return STATE_SAME;
	return is_ours(restore, (offset + at) / CA_SECTOR_BYTES, restore->found + at) ? STATE_OURS
										      : STATE_OTHER;
}

/* One logical sector goes back as a whole when any part of it is test data, or unreadable. */
static int put_back_sector(struct restore *restore, uint64_t offset, uint32_t at,
			   const uint8_t *states)
{
	uint32_t parts = restore->sector_bytes / CA_SECTOR_BYTES;
	struct ca_io_fault fault = {.status = CA_IO_OK};
	bool wanted = false;
	int r;

	for (uint32_t i = 0; i < parts; i++)
		wanted = wanted || states[at / CA_SECTOR_BYTES + i] == STATE_OURS ||
			 states[at / CA_SECTOR_BYTES + i] == STATE_UNREADABLE;
	if (!wanted)
		return 0;
	r = ca_device_write(restore->device, offset + at, restore->sector_bytes,
			    restore->saved + at, &fault);
	if (r == 0 && fault.status == CA_IO_GONE)
		restore->result->lost = true;
	return r; /* an error shows when it is read again */
}

static int load_and_read(struct restore *restore, size_t index, uint8_t *states,
			 uint64_t *ret_offset, uint32_t *ret_bytes)
{
	int r = ca_journal_load(restore->journal, index, restore->saved);

	ca_journal_place(restore->journal, index, ret_offset, ret_bytes);
	if (r == 0)
		r = read_place(restore, *ret_offset, *ret_bytes, states);
	for (uint32_t at = 0; r == 0 && at < *ret_bytes; at += CA_SECTOR_BYTES)
		states[at / CA_SECTOR_BYTES] =
			(uint8_t)state_of(restore, *ret_offset, at, states[at / CA_SECTOR_BYTES]);
	return r;
}

static void count(struct restore *restore, const uint8_t *states, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes / CA_SECTOR_BYTES; i++) {
		restore->ours += states[i] == STATE_OURS;
		restore->others += states[i] == STATE_OTHER;
		restore->unreadable += states[i] == STATE_UNREADABLE;
		restore->result->same_sectors += states[i] == STATE_SAME;
	}
}

enum pass {
	PASS_LOOK,
	PASS_WRITE,
	PASS_VERIFY,
};

/* In the reverse order of saving. */
static int go(struct restore *restore, enum pass pass)
{
	static const enum ca_probe_phase phases[] = {CA_PROBE_PHASE_CHECK, CA_PROBE_PHASE_RESTORE,
						     CA_PROBE_PHASE_VERIFY};
	CA_CLEANUP_FREE uint8_t *states = malloc(CA_JOURNAL_RECORD_MAX / CA_SECTOR_BYTES);
	int r = states ? 0 : -ENOMEM;

	restore->ours = restore->others = restore->unreadable = 0;
	restore->result->same_sectors = 0;
	enter(restore, phases[pass]);
	for (size_t i = ca_journal_count(restore->journal);
	     r == 0 && i-- > 0 && !restore->result->lost;) {
		uint64_t offset;
		uint32_t bytes;

		r = load_and_read(restore, i, states, &offset, &bytes);
		for (uint32_t at = 0; r == 0 && pass == PASS_WRITE && at < bytes;
		     at += restore->sector_bytes)
			r = put_back_sector(restore, offset, at, states);
		if (r == 0)
			count(restore, states, bytes);
		tell(restore, bytes);
	}
	return r;
}

static int settle(struct restore *restore)
{
	struct ca_io_fault fault = {.status = CA_IO_OK};
	int r = ca_device_flush(restore->device, &fault);

	if (r == 0 && fault.status == CA_IO_GONE)
		restore->result->lost = true;
	return r < 0 ? r : ca_device_drop_cache(restore->device);
}

static int run(struct restore *restore)
{
	struct ca_restore_result *result = restore->result;
	uint64_t wanted, same;
	int r = settle(restore);

	if (r == 0)
		r = go(restore, PASS_LOOK);
	if (r < 0 || result->lost)
		return r;
	wanted = restore->ours + restore->unreadable;
	same = result->same_sectors;
	result->other_sectors = restore->others;
	result->refused = restore->others > 0 && restore->ours == 0;
	if (result->refused || wanted == 0)
		return 0;
	r = go(restore, PASS_WRITE);
	if (r == 0)
		r = settle(restore);
	if (r == 0 && !result->lost)
		r = go(restore, PASS_VERIFY);
	if (r < 0 || result->lost)
		return r;
	result->failed_sectors = restore->ours + restore->unreadable;
	if (restore->others > result->other_sectors)
		result->failed_sectors += restore->others - result->other_sectors;
	result->put_back_sectors = result->same_sectors > same ? result->same_sectors - same : 0;
	result->same_sectors = same;
	return 0;
}

int ca_restore_run(struct ca_device *device, struct ca_journal *journal,
		   void (*progress)(void *context, const struct ca_probe_progress *progress),
		   void *progress_context, struct ca_restore_result *ret_result)
{
	const struct ca_journal_card *card = ca_journal_card_of(journal);
	struct ca_restore_result result = {0};
	struct restore restore = {.device = device,
				  .journal = journal,
				  .result = &result,
				  .progress = progress,
				  .progress_context = progress_context,
				  .sector_bytes = device->geometry.sector_bytes};
	CA_CLEANUP_FREE uint8_t *memory = NULL;
	int r;

	if (device->geometry.bytes != card->announced_bytes ||
	    device->geometry.sector_bytes != card->sector_bytes)
		return -EINVAL;
	memory =
		aligned_alloc(CA_BUFFER_ALIGN, 2 * (size_t)CA_JOURNAL_RECORD_MAX + CA_BUFFER_ALIGN);
	if (!memory)
		return -ENOMEM;
	restore.saved = memory;
	restore.found = memory + CA_JOURNAL_RECORD_MAX;
	restore.expected = restore.found + CA_JOURNAL_RECORD_MAX;
	r = ca_pattern_new(card->secret, card->run_id, card->device_id, 0, card->cipher,
			   &restore.pattern);
	if (r < 0)
		return r;
	r = run(&restore);
	ca_pattern_free(restore.pattern);
	if (r == 0)
		*ret_result = result;
	return r;
}
