/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where much was lost or refused, two questions tell whose doing it was: can a sector that is good
 * still be overwritten, and can one be read that could not be written? A card that ends somewhere
 * says yes and no; one that takes no more writes says no; one whose store is full says yes and yes.
 *
 * The sector asked about gets its own data back.
 */
#include "fill_job.h"

#include <string.h>

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

static int ask_reading(struct ca_fill_job *job, bool *ret_reads)
{
	const struct ca_fill_range *last = &job->unwritable[job->unwritable_count - 1];
	struct ca_io_fault fault = {.status = CA_IO_OK};
	int r = ca_device_read(job->device, last->offset, job->sector_bytes, job->again, &fault);

	*ret_reads = r == 0 && fault.status == CA_IO_OK;
	return r;
}

int ca_fill_ask_edge(struct ca_fill_job *job)
{
	struct ca_map_edge edge = {.asked = false};
	int r;

	if (job->bad_sectors == 0)
		return 0;
	r = ask_overwriting(job, job->good_offset, &edge.asked, &edge.takes_writes);
	if (r == 0 && edge.asked && job->unwritable_count > 0)
		r = ask_reading(job, &edge.reads_unwritten);
	if (r == 0)
		ca_map_note_edge(job->map, &edge);
	return r;
}
