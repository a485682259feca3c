/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Data that come back wrong. On the medium: a bit of one sector, and a range of pages, wrong in the
 * same way at every read. On the wire: a bit or a page in so many, another each time.
 */
#include "sim.h"

#include <errno.h>
#include <stdlib.h>

#define PAGE_BYTES UINT64_C(4096)

struct corrupt {
	struct ca_sim_layer layer; /* first */
	struct ca_sim_spec spec;
	uint64_t wire; /* state of the numbers that decide what the wire does */
};

static struct corrupt *corrupt_of(struct ca_sim_layer *layer)
{
	return (struct corrupt *)layer;
}

static void flip(uint64_t *state, uint32_t sector_bytes, uint8_t *sector)
{
	uint64_t bit = ca_rng_below(state, UINT64_C(8) * sector_bytes);

	sector[bit / 8] ^= (uint8_t)(1U << bit % 8);
}

static void spoil_medium(const struct ca_sim_spec *spec, uint64_t lba, uint8_t *sector)
{
	uint64_t state = spec->seed ^ lba;

	if (spec->has_noise && lba >= spec->noise_first && lba <= spec->noise_last)
		ca_sim_noise(spec->seed, lba, spec->sector_bytes, sector);
	if (spec->has_flip && lba == spec->flip_lba)
		flip(&state, spec->sector_bytes, sector);
}

static void spoil_wire(struct corrupt *corrupt, uint64_t bytes, uint8_t *buffer)
{
	const struct ca_sim_spec *spec = &corrupt->spec;

	for (uint64_t at = 0; spec->wire_flip && at < bytes; at += spec->sector_bytes)
		if (ca_rng_below(&corrupt->wire, spec->wire_flip) == 0)
			flip(&corrupt->wire, spec->sector_bytes, buffer + at);
	for (uint64_t at = 0; spec->wire_page && at < bytes; at += PAGE_BYTES) {
		uint64_t left = bytes - at < PAGE_BYTES ? bytes - at : PAGE_BYTES;

		if (ca_rng_below(&corrupt->wire, spec->wire_page) == 0)
			ca_sim_noise(ca_rng_next(&corrupt->wire), 0, (uint32_t)left, buffer + at);
	}
}

static int corrupt_read(struct ca_sim_layer *layer, uint64_t offset, uint64_t bytes,
			uint8_t *buffer, struct ca_sim_call *call)
{
	struct corrupt *corrupt = corrupt_of(layer);
	uint32_t sector_bytes = corrupt->spec.sector_bytes;
	int result = ca_sim_read(layer->below, offset, bytes, buffer, call);

	if (result)
		return result;
	if (call->fault.status != CA_IO_OK)
		bytes = call->fault.offset - offset;
	for (uint64_t at = 0; at < bytes; at += sector_bytes)
		spoil_medium(&corrupt->spec, (offset + at) / sector_bytes, buffer + at);
	spoil_wire(corrupt, bytes, buffer);
	return 0;
}

static int corrupt_write(struct ca_sim_layer *layer, uint64_t offset, uint64_t bytes,
			 const uint8_t *data, struct ca_sim_call *call)
{
	return ca_sim_write(layer->below, offset, bytes, data, call);
}

static void corrupt_free(struct ca_sim_layer *layer)
{
	free(layer);
}

static const struct ca_sim_layer_ops corrupt_ops = {
	.read = corrupt_read,
	.write = corrupt_write,
	.free = corrupt_free,
};

int ca_sim_corrupt_new(const struct ca_sim_spec *spec, struct ca_sim_layer *below,
		       struct ca_sim_layer **ret_layer)
{
	struct corrupt *corrupt = calloc(1, sizeof(*corrupt));

	if (!corrupt)
		return -ENOMEM;
	corrupt->layer = (struct ca_sim_layer){.ops = &corrupt_ops, .below = below};
	corrupt->spec = *spec;
	corrupt->wire = ~spec->seed;
	*ret_layer = &corrupt->layer;
	return 0;
}
