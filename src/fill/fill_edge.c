/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where much was lost or refused, two questions tell whose doing it was: can a sector that is good
 * still be overwritten, and can one be read that could not be written? A card that ends somewhere
 * says yes and no; one that takes no more writes says no; one whose store is full says yes and yes.
 * The sector asked about gets its own data back.
 *
 * Where the first is lost and later ones are not: does it take a write now? A card that keeps only
 * the newest says yes.
 *
 * And where the last sectors are good, and those before them lost: does a memory in the card hold
 * them, since they were written last? The beginning is written once more as it is, which changes
 * nothing but what such a memory holds; then they are read again.
 */
#include "fill_job.h"

#include <string.h>

#define END_PLACES 8U /* that are asked about, all over the end */

/* Does what is written to this sector get there? *ret_known: the card gave an answer. */
static int ask_overwriting(struct ca_fill_job *job, uint64_t offset, bool *ret_known,
			   bool *ret_takes)
{
	uint32_t bytes = job->sector_bytes;
	uint8_t *other = job->memory, *found = job->again; /* nothing is in flight */
	struct ca_io_fault fault = {.status = CA_IO_OK};
	int r;

	ca_pattern_generate(job->pattern, offset / CA_SECTOR_BYTES, bytes / CA_SECTOR_BYTES,
			    job->expected);
	for (uint32_t i = 0; i < bytes; i++)
		other[i] = job->expected[i] ^ 0xff;
	r = ca_device_write(job->device, offset, bytes, other, &fault);
	if (r < 0)
		return r;
	if (fault.status == CA_IO_ERROR) { /* refused, and nothing is changed */
		*ret_known = true;
		return 0;
	}
	if (fault.status == CA_IO_OK)
		r = ca_device_flush(job->device, &fault);
	if (r == 0)
		r = ca_device_drop_cache(job->device);
	if (r == 0 && fault.status == CA_IO_OK)
		r = ca_device_read(job->device, offset, bytes, found, &fault);
	/* a card that goes away now changes nothing of what was seen before */
	if (r < 0 || fault.status != CA_IO_OK)
		return r;
	*ret_known = true;
	*ret_takes = memcmp(found, other, bytes) == 0;
	return ca_device_write(job->device, offset, bytes, job->expected, &fault);
}

/* What was good. Where nothing was, the far end: perhaps it is only here that nothing is taken. */
static uint64_t place_to_ask(const struct ca_fill_job *job)
{
	return ca_map_has_good(job->map) ? job->good_offset : job->bytes - job->sector_bytes;
}

static int ask_reading(struct ca_fill_job *job, bool *ret_reads)
{
	const struct ca_fill_range *last = &job->unwritable[job->unwritable_count - 1];
	struct ca_io_fault fault = {.status = CA_IO_OK};
	int r = ca_device_read(job->device, last->offset, job->sector_bytes, job->again, &fault);

	*ret_reads = r == 0 && fault.status == CA_IO_OK;
	return r;
}

/* Of several places of the end, most of which have to be lost now, the last of all among them. */
static int ask_end(struct ca_fill_job *job, uint64_t end_bytes, struct ca_map_edge *edge)
{
	uint64_t units = end_bytes / job->sector_bytes;
	enum ca_sector_class class_of = CA_SECTOR_GOOD;
	unsigned int lost = 0;
	int r = 0;

	for (uint64_t i = 1; r == 0 && i <= END_PLACES; i++) {
		uint64_t unit = units / END_PLACES * i + units % END_PLACES * i / END_PLACES;

		r = ca_fill_ask_place(
			job, job->bytes - end_bytes + (unit ? unit - 1 : 0) * job->sector_bytes,
			&class_of);
		lost += class_of != CA_SECTOR_GOOD && class_of != CA_SECTOR_BITFLIP &&
			class_of != CA_SECTOR_FOREIGN;
	}
	if (r == 0 && lost * 2 > END_PLACES) {
		edge->memory_sectors = end_bytes / CA_SECTOR_BYTES;
		edge->memory_class = class_of;
	}
	return r;
}

static int ask_memory(struct ca_fill_job *job, struct ca_map_edge *edge)
{
	uint64_t sectors, end_bytes, bytes;
	bool done = false;
	int r = ca_map_find_doubtful_end(job->map, &sectors);

	end_bytes = r < 0 ? 0 : sectors * CA_SECTOR_BYTES;
	if (end_bytes == 0 || end_bytes > CA_FILL_MEMORY_MAX || end_bytes % job->sector_bytes)
		return r;
	bytes = job->bytes - end_bytes;
	if (bytes > 2 * end_bytes)
		bytes = 2 * end_bytes;
	r = ca_fill_write_again(job, bytes, &done);
	return r < 0 || !done ? r : ask_end(job, end_bytes, edge);
}

/* The first sector is lost. Was it the oldest, or does it take nothing? */
static int ask_start(struct ca_fill_job *job, struct ca_map_edge *edge)
{
	struct ca_io_fault fault = {.status = CA_IO_OK};
	enum ca_sector_class class_of = CA_SECTOR_GOOD;
	int r = ca_map_sort(job->map);

	if (r < 0 || !ca_map_starts_lost(job->map))
		return r;
	ca_pattern_generate(job->pattern, 0, job->sector_bytes / CA_SECTOR_BYTES, job->memory);
	r = ca_device_write(job->device, 0, job->sector_bytes, job->memory, &fault);
	if (r == 0 && fault.status == CA_IO_OK)
		r = ca_device_flush(job->device, &fault);
	if (r == 0)
		r = ca_device_drop_cache(job->device);
	if (r == 0 && fault.status == CA_IO_OK)
		r = ca_fill_ask_place(job, 0, &class_of);
	edge->start_is_barred = class_of != CA_SECTOR_GOOD;
	return r;
}

int ca_fill_ask_edge(struct ca_fill_job *job)
{
	struct ca_map_edge edge = {.asked = false};
	int r = ca_fill_ask_hidden(job);

	if (r < 0 || job->bad_sectors == 0 || ca_fill_is_over(job))
		return r;
	r = ca_fill_ask_failed(job);
	if (r == 0)
		r = ask_overwriting(job, place_to_ask(job), &edge.asked, &edge.takes_writes);
	if (r == 0 && edge.asked && job->unwritable_count > 0)
		r = ask_reading(job, &edge.reads_unwritten);
	if (r == 0)
		r = ask_start(job, &edge);
	if (r == 0)
		r = ask_memory(job, &edge);
	if (r == 0)
		ca_map_note_edge(job->map, &edge);
	return r;
}
