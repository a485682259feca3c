/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe_job.h"

#include <string.h>

/* Of the 4096 bits of a sector unrelated data differ in 2048 +- 32. */
#define NOISE_BITS 1792U

bool ca_probe_is_error(enum ca_sector_class class_of)
{
	return class_of == CA_SECTOR_UNREADABLE || class_of == CA_SECTOR_UNWRITABLE;
}

bool ca_probe_is_lost(const struct ca_probe_job *job, enum ca_sector_class class_of)
{
	switch (class_of) {
	case CA_SECTOR_ZEROS:
	case CA_SECTOR_ONES:
	case CA_SECTOR_STALE:
	case CA_SECTOR_NOISE:
	case CA_SECTOR_UNREADABLE:
	case CA_SECTOR_UNWRITABLE:
		return true;
	case CA_SECTOR_ALIAS:
		return job->one_block;
	case CA_SECTOR_GOOD:
	case CA_SECTOR_BITFLIP:
	case CA_SECTOR_FOREIGN:
		break;
	}
	return false;
}

/* The more a class says of the place, the later it stands. */
static unsigned int rank(enum ca_sector_class class_of)
{
	switch (class_of) {
	case CA_SECTOR_GOOD:
		return 0;
	case CA_SECTOR_BITFLIP:
		return 1;
	case CA_SECTOR_NOISE:
		return 2;
	case CA_SECTOR_ZEROS:
		return 3;
	case CA_SECTOR_ONES:
		return 4;
	case CA_SECTOR_STALE:
		return 5;
	case CA_SECTOR_FOREIGN:
		return 6;
	case CA_SECTOR_ALIAS:
		return 7;
	case CA_SECTOR_UNREADABLE:
		return 8;
	case CA_SECTOR_UNWRITABLE:
		return 9;
	}
	return 0;
}

/* Is it what was there before the probe? Only asked of what is nothing of this run. */
static int is_as_saved(struct ca_probe_job *job, uint64_t offset, const uint8_t *sector,
		       bool *ret_is)
{
	uint64_t start;
	uint32_t bytes;
	size_t index;
	int r;

	*ret_is = false;
	if (!ca_journal_find(job->journal, offset, &index))
		return 0;
	ca_journal_place(job->journal, index, &start, &bytes);
	r = job->loaded == index ? 0 : ca_journal_load(job->journal, index, job->saved);
	if (r < 0)
		return r;
	job->loaded = index;
	*ret_is = memcmp(job->saved + (offset - start), sector, CA_SECTOR_BYTES) == 0;
	return 0;
}

static int class_sector(struct ca_probe_job *job, uint64_t offset, const uint8_t *expected,
			const uint8_t *found, enum ca_sector_class *ret_class, int64_t *ret_delta)
{
	bool saved = false;
	int r = 0;

	*ret_delta = 0;
	*ret_class = ca_pattern_classify(job->pattern, offset / CA_SECTOR_BYTES, expected, found,
					 ret_delta);
	if (*ret_class == CA_SECTOR_NOISE)
		r = is_as_saved(job, offset, found, &saved);
	if (saved)
		*ret_class = CA_SECTOR_STALE;
	return r;
}

/* Noise that is new with each read is no bad wire where neither has anything of what was written.
 */
static bool is_restless(const uint8_t *expected, const uint8_t *first, const uint8_t *again)
{
	return ca_bytes_count_bit_errors(expected, first, CA_SECTOR_BYTES, NOISE_BITS) >
		       NOISE_BITS &&
	       ca_bytes_count_bit_errors(expected, again, CA_SECTOR_BYTES, NOISE_BITS) > NOISE_BITS;
}

static void keep_first_bad(struct ca_probe_job *job, uint64_t offset, const uint8_t *expected,
			   const uint8_t *found)
{
	struct ca_probe_evidence *probe = job->probe;

	if (probe->has_first_bad && offset >= probe->first_bad_offset)
		return;
	probe->has_first_bad = true;
	probe->first_bad_offset = offset;
	memcpy(probe->expected, expected, sizeof(probe->expected));
	if (found)
		memcpy(probe->found, found, sizeof(probe->found));
	else
		memset(probe->found, 0, sizeof(probe->found));
}

static void add_sector(struct ca_probe_look *look, uint64_t offset, uint32_t at,
		       enum ca_sector_class class_of, int64_t delta)
{
	uint64_t lba = (offset + at) / CA_SECTOR_BYTES;
	bool is_alias = class_of == CA_SECTOR_ALIAS;

	if (class_of == CA_SECTOR_GOOD) {
		look->one_block = false;
		return;
	}
	if (look->class_of == CA_SECTOR_GOOD)
		look->first_bad = at;
	if (!is_alias && look->first_lost == UINT32_MAX)
		look->first_lost = at;
	if (is_alias && !look->delta) {
		look->delta = delta;
		look->alias_lba = lba;
	}
	/* one and the same sector everywhere: its distance shrinks from sector to sector */
	if (!is_alias || lba + (uint64_t)delta != look->alias_lba + (uint64_t)look->delta)
		look->one_block = false;
	if (rank(class_of) > rank(look->class_of))
		look->class_of = class_of;
}

/* Both reads are there; takes them apart. */
static int take_apart(struct ca_probe_job *job, uint64_t offset, uint32_t bytes,
		      struct ca_probe_look *look)
{
	look->one_block = bytes > CA_SECTOR_BYTES;
	for (uint32_t at = 0; at < bytes; at += CA_SECTOR_BYTES) {
		const uint8_t *expected = job->expected + at, *first = job->data + at;
		const uint8_t *again = job->again + at;
		enum ca_sector_class class_of;
		int64_t delta;
		int r = class_sector(job, offset + at, expected, again, &class_of, &delta);

		if (r < 0)
			return r;
		if (memcmp(first, again, CA_SECTOR_BYTES) != 0 &&
		    !(class_of == CA_SECTOR_NOISE && is_restless(expected, first, again)))
			look->unstable = true;
		add_sector(look, offset, at, class_of, delta);
		if (class_of != CA_SECTOR_GOOD && !look->unstable)
			keep_first_bad(job, offset + at, expected, again);
	}
	return 0;
}

static void generate(struct ca_probe_job *job, uint64_t offset, uint32_t bytes)
{
	ca_pattern_generate(job->pattern, offset / CA_SECTOR_BYTES, bytes / CA_SECTOR_BYTES,
			    job->expected);
}

static struct ca_probe_look unreadable(struct ca_probe_job *job, uint64_t offset, uint32_t bytes)
{
	generate(job, offset, bytes);
	keep_first_bad(job, offset, job->expected, NULL);
	return (struct ca_probe_look){.class_of = CA_SECTOR_UNREADABLE,
				      .first_bad = ca_probe_fault_at(job, offset, bytes),
				      .first_lost = ca_probe_fault_at(job, offset, bytes)};
}

int ca_probe_look_at(struct ca_probe_job *job, uint64_t offset, uint32_t bytes,
		     struct ca_probe_look *ret_look)
{
	struct ca_probe_look look = {.class_of = CA_SECTOR_GOOD, .first_lost = UINT32_MAX};
	enum ca_io_status status;
	int r = ca_probe_read(job, offset, bytes, job->data, &status);

	if (r == 0 && status == CA_IO_OK &&
	    !ca_pattern_is_intact(job->pattern, offset / CA_SECTOR_BYTES, bytes / CA_SECTOR_BYTES,
				  job->data)) {
		r = ca_device_drop_cache(job->device);
		if (r == 0)
			r = ca_probe_read(job, offset, bytes, job->again, &status);
		generate(job, offset, bytes);
		if (r == 0 && status == CA_IO_OK)
			r = take_apart(job, offset, bytes, &look);
	}
	if (r == 0 && status == CA_IO_ERROR)
		look = unreadable(job, offset, bytes);
	if (r == 0)
		*ret_look = look;
	return r;
}

/* Headers first: they are cheap to look for, and only this run's can be an alias. */
static bool has_our_header(const struct ca_probe_job *job, const uint8_t *sector)
{
	struct ca_pattern_header header;

	return ca_pattern_read_header(sector, &header) &&
	       header.run == ca_le32(job->options->run_id);
}

int ca_probe_peek_at(struct ca_probe_job *job, uint64_t offset, uint32_t bytes,
		     struct ca_probe_look *ret_look)
{
	struct ca_probe_look look = {.class_of = CA_SECTOR_GOOD, .first_lost = UINT32_MAX};
	enum ca_io_status status;
	int r = ca_probe_read(job, offset, bytes, job->data, &status);

	if (r < 0)
		return r;
	look.one_block = status == CA_IO_OK && bytes > CA_SECTOR_BYTES;
	for (uint32_t at = 0; status == CA_IO_OK && at < bytes; at += CA_SECTOR_BYTES) {
		enum ca_sector_class class_of;
		int64_t delta = 0;

		if (!has_our_header(job, job->data + at)) {
			look.one_block = false;
			continue;
		}
		generate(job, offset + at, CA_SECTOR_BYTES);
		class_of = ca_pattern_classify(job->pattern, (offset + at) / CA_SECTOR_BYTES,
					       job->expected, job->data + at, &delta);
		if (class_of != CA_SECTOR_ALIAS) {
			look.one_block = false;
			continue;
		}
		add_sector(&look, offset, at, class_of, delta);
		keep_first_bad(job, offset + at, job->expected, job->data + at);
	}
	if (status == CA_IO_ERROR)
		look.class_of = CA_SECTOR_UNREADABLE;
	*ret_look = look;
	return 0;
}
