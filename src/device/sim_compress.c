/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cells that hold the more the better the data compress: a sector takes as much as its repeated
 * 8-byte words leave of it. What no longer fits vanishes, and the sector keeps what it held.
 */
#include "sim.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define STORE_RAM_BYTES (UINT64_C(48) * CA_MIB)
#define COSTS_RAM_BYTES (UINT64_C(8) * CA_MIB)
#define WORD		8U
#define RUN_COST	10U /* a word and how often it comes */

struct compress {
	struct ca_sim_layer layer; /* first */
	uint32_t sector_bytes;
	uint64_t real_bytes, used_bytes;
	struct ca_sim_store *store; /* by address */
	struct ca_sim_store *costs; /* by sector: 2 bytes, what it takes; 0 = not stored */
	struct ca_sim_lost lost;
};

static struct compress *compress_of(struct ca_sim_layer *layer)
{
	return (struct compress *)layer;
}

static uint32_t cost_of(const uint8_t *sector, uint32_t sector_bytes)
{
	uint32_t cost = RUN_COST;

	for (uint32_t at = WORD; at < sector_bytes; at += WORD)
		if (memcmp(sector + at, sector + at - WORD, WORD) != 0)
			cost += RUN_COST;
	return cost < sector_bytes ? cost : sector_bytes;
}

static int read_cost(struct compress *compress, uint64_t offset, uint32_t *ret_cost,
		     struct ca_sim_call *call)
{
	uint8_t cost[2];
	int result = ca_sim_store_read(compress->costs, offset / compress->sector_bytes * 2,
				       sizeof(cost), cost, call->error);

	if (!result)
		*ret_cost = ca_le16(cost);
	return result;
}

static int compress_read(struct ca_sim_layer *layer, uint64_t offset, uint64_t bytes,
			 uint8_t *buffer, struct ca_sim_call *call)
{
	struct compress *compress = compress_of(layer);
	uint32_t step = compress->sector_bytes;

	for (uint64_t at = 0; at < bytes; at += step) {
		uint32_t cost = 0;
		int result = read_cost(compress, offset + at, &cost, call);

		if (!result && cost)
			result = ca_sim_store_read(compress->store, offset + at, step, buffer + at,
						   call->error);
		if (result)
			return result;
		if (!cost)
			ca_sim_lost_fill(&compress->lost, offset + at, step, buffer + at);
	}
	return 0;
}

static int write_sector(struct compress *compress, uint64_t offset, const uint8_t *sector,
			struct ca_sim_call *call)
{
	uint32_t cost = cost_of(sector, compress->sector_bytes), before = 0;
	uint8_t raw[2];
	int result = read_cost(compress, offset, &before, call);

	if (result || compress->used_bytes - before + cost > compress->real_bytes)
		return result;
	raw[0] = (uint8_t)(cost & 0xff);
	raw[1] = (uint8_t)(cost >> 8); /* 4096 at most */
	result = ca_sim_store_write(compress->store, offset, compress->sector_bytes, sector,
				    call->error);
	if (!result)
		result = ca_sim_store_write(compress->costs, offset / compress->sector_bytes * 2,
					    sizeof(raw), raw, call->error);
	if (result)
		return result;
	compress->used_bytes = compress->used_bytes - before + cost;
	ca_sim_lost_note(&compress->lost, sector);
	return 0;
}

static int compress_write(struct ca_sim_layer *layer, uint64_t offset, uint64_t bytes,
			  const uint8_t *data, struct ca_sim_call *call)
{
	struct compress *compress = compress_of(layer);
	int result = 0;

	for (uint64_t at = 0; at < bytes && !result; at += compress->sector_bytes)
		result = write_sector(compress, offset + at, data + at, call);
	return result;
}

static void compress_free(struct ca_sim_layer *layer)
{
	struct compress *compress = compress_of(layer);

	ca_sim_store_free(compress->store);
	ca_sim_store_free(compress->costs);
	free(compress);
}

static const struct ca_sim_layer_ops compress_ops = {
	.read = compress_read,
	.write = compress_write,
	.free = compress_free,
};

int ca_sim_compress_new(const struct ca_sim_spec *spec, struct ca_sim_layer *below,
			struct ca_sim_layer **ret_layer)
{
	struct compress *compress = calloc(1, sizeof(*compress));

	if (!compress)
		return -ENOMEM;
	compress->layer = (struct ca_sim_layer){.ops = &compress_ops, .below = below};
	compress->sector_bytes = spec->sector_bytes;
	compress->real_bytes = spec->real_bytes;
	ca_sim_lost_init(&compress->lost, spec);
	if (ca_sim_store_new(STORE_RAM_BYTES, spec->announced_bytes, &compress->store) ||
	    ca_sim_store_new(COSTS_RAM_BYTES, spec->announced_bytes / spec->sector_bytes * 2,
			     &compress->costs)) {
		compress_free(&compress->layer);
		return -ENOMEM;
	}
	*ret_layer = &compress->layer;
	return 0;
}
