/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Addresses that answer with an error: a bad range, bad pages here and there, and all past the real
 * end of kind=errors. Those of a range or a page may go away after a while.
 */
#include "sim.h"

#include <errno.h>
#include <stdlib.h>

#define PAGE_BYTES UINT64_C(4096)

struct range {
	uint64_t start, end; /* empty where they are the same */
};

struct faults {
	struct ca_sim_layer layer; /* first */
	struct range ranges[2];	   /* the first may heal */
	uint64_t seed, bad_page;
	uint64_t heal, errors; /* errors until they are over, 0 = never; and those so far */
};

static struct faults *faults_of(struct ca_sim_layer *layer)
{
	return (struct faults *)layer;
}

static bool is_healed(const struct faults *faults)
{
	return faults->heal && faults->errors >= faults->heal;
}

/* The first bad page among the `good` bytes from `offset`. */
static uint64_t find_page(const struct faults *faults, uint64_t offset, uint64_t good, uint64_t end,
			  uint64_t *ret_bad)
{
	for (uint64_t page = offset / PAGE_BYTES; page * PAGE_BYTES < offset + good; page++) {
		uint64_t state = faults->seed ^ (page + 1) * UINT64_C(0x9fb21c651e98df25);
		uint64_t from = page * PAGE_BYTES, to = from + PAGE_BYTES;

		if (ca_rng_next(&state) % faults->bad_page)
			continue;
		from = from > offset ? from : offset;
		*ret_bad = (to < end ? to : end) - from;
		return from - offset;
	}
	return good;
}

static void note_error(struct faults *faults, struct ca_sim_call *call, uint64_t offset,
		       uint64_t bytes)
{
	faults->errors++;
	ca_sim_fail(call, CA_IO_ERROR, offset, bytes);
}

/* How many bytes there are before the first bad one, and how many bad ones then come. */
static uint64_t find(const struct faults *faults, uint64_t offset, uint64_t bytes,
		     uint64_t *ret_bad)
{
	uint64_t good = bytes, end = offset + bytes;

	*ret_bad = 0;
	for (size_t i = is_healed(faults); i < CA_ARRAY_LEN(faults->ranges); i++) {
		const struct range *range = &faults->ranges[i];
		uint64_t before = range->start > offset ? range->start - offset : 0;

		if (range->end <= offset || before >= good)
			continue;
		good = before;
		*ret_bad = (range->end < end ? range->end : end) - (offset + good);
	}
	if (faults->bad_page && !is_healed(faults))
		good = find_page(faults, offset, good, end, ret_bad);
	return good;
}

static int faults_read(struct ca_sim_layer *layer, uint64_t offset, uint64_t bytes, uint8_t *buffer,
		       struct ca_sim_call *call)
{
	uint64_t bad, good = find(faults_of(layer), offset, bytes, &bad);
	int result = ca_sim_read(layer->below, offset, good, buffer, call);

	if (!result && bad && call->fault.status == CA_IO_OK)
		note_error(faults_of(layer), call, offset + good, bad);
	return result;
}

static int faults_write(struct ca_sim_layer *layer, uint64_t offset, uint64_t bytes,
			const uint8_t *data, struct ca_sim_call *call)
{
	uint64_t bad, good = find(faults_of(layer), offset, bytes, &bad);
	int result = ca_sim_write(layer->below, offset, good, data, call);

	if (!result && bad && call->fault.status == CA_IO_OK)
		note_error(faults_of(layer), call, offset + good, bad);
	return result;
}

static void faults_free(struct ca_sim_layer *layer)
{
	free(layer);
}

static const struct ca_sim_layer_ops faults_ops = {
	.read = faults_read,
	.write = faults_write,
	.free = faults_free,
};

int ca_sim_faults_new(const struct ca_sim_spec *spec, struct ca_sim_layer *below,
		      struct ca_sim_layer **ret_layer)
{
	struct faults *faults = calloc(1, sizeof(*faults));

	if (!faults)
		return -ENOMEM;
	faults->layer = (struct ca_sim_layer){.ops = &faults_ops, .below = below};
	faults->seed = spec->seed;
	faults->bad_page = spec->bad_page;
	faults->heal = spec->heal;
	if (spec->has_bad)
		faults->ranges[0] = (struct range){spec->bad_first * spec->sector_bytes,
						   (spec->bad_last + 1) * spec->sector_bytes};
	if (spec->kind == CA_SIM_ERRORS)
		faults->ranges[1] = (struct range){spec->real_bytes, spec->announced_bytes};
	*ret_layer = &faults->layer;
	return 0;
}
