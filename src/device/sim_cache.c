/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A write cache: reads what was written last truly, whatever the cells do with it. Where writes
 * that do not follow the one before have a cache of their own, each sort passes by the other's; a
 * cache of no size is passed through. Reading keeps nothing. When the power goes, what was held
 * still reaches the cells.
 */
#include "sim_ring.h"

#include <errno.h>
#include <stdlib.h>

struct cache {
	struct ca_sim_layer layer;    /* first */
	bool has_random;	      /* else all goes to `rings[0]` */
	struct ca_sim_ring *rings[2]; /* of sequential and of random writes; NULL = none */
	uint32_t sector_bytes;
	uint64_t follows; /* where the write before ended */
};

static struct cache *cache_of(struct ca_sim_layer *layer)
{
	return (struct cache *)layer;
}

/* The ring that holds `sector`, or NULL, and for how many of `*count` sectors that is so. */
static struct ca_sim_ring *find(const struct cache *cache, uint64_t sector, uint64_t *count)
{
	for (size_t i = 0; i < CA_ARRAY_LEN(cache->rings); i++) {
		bool held = false;

		if (!cache->rings[i])
			continue;
		*count = ca_sim_ring_run(cache->rings[i], sector, *count, &held);
		if (held)
			return cache->rings[i];
	}
	return NULL;
}

static int cache_read(struct ca_sim_layer *layer, uint64_t offset, uint64_t bytes, uint8_t *buffer,
		      struct ca_sim_call *call)
{
	struct cache *cache = cache_of(layer);

	while (bytes && call->fault.status == CA_IO_OK) {
		uint64_t count = bytes / cache->sector_bytes, piece;
		struct ca_sim_ring *ring = find(cache, offset / cache->sector_bytes, &count);
		int result;

		piece = count * cache->sector_bytes;
		result = ring ? ca_sim_ring_read(ring, offset / cache->sector_bytes, count, buffer,
						 call->error)
			      : ca_sim_read(layer->below, offset, piece, buffer, call);
		if (result)
			return result;
		offset += piece;
		bytes -= piece;
		buffer += piece;
	}
	return 0;
}

static int cache_write(struct ca_sim_layer *layer, uint64_t offset, uint64_t bytes,
		       const uint8_t *data, struct ca_sim_call *call)
{
	struct cache *cache = cache_of(layer);
	uint64_t sector = offset / cache->sector_bytes, count = bytes / cache->sector_bytes;
	bool is_random = cache->has_random && offset != cache->follows;
	struct ca_sim_ring *ring = cache->rings[is_random ? 1 : 0];
	struct ca_sim_ring *other = cache->rings[is_random ? 0 : 1];

	int result;

	cache->follows = offset + bytes;
	if (other)
		ca_sim_ring_forget(other, sector, count);
	if (!ring)
		return ca_sim_write(layer->below, offset, bytes, data, call);
	result = ca_sim_ring_write(ring, sector, count, data, layer->below, call);
	if (call->fault.status != CA_IO_OK) /* it died of what had to leave the cache */
		ca_sim_fail(call, call->fault.status, offset, bytes);
	return result;
}

static int cache_power(struct ca_sim_layer *layer, struct ca_error *error)
{
	struct cache *cache = cache_of(layer);
	struct ca_sim_call call = {.error = error}; /* nobody is there to hear of faults */
	int result = 0;

	for (size_t i = 0; i < CA_ARRAY_LEN(cache->rings) && !result; i++)
		if (cache->rings[i])
			result = ca_sim_ring_drain(cache->rings[i], layer->below, &call);
	return result;
}

static void cache_free(struct ca_sim_layer *layer)
{
	struct cache *cache = cache_of(layer);

	ca_sim_ring_free(cache->rings[0]);
	ca_sim_ring_free(cache->rings[1]);
	free(cache);
}

static const struct ca_sim_layer_ops cache_ops = {
	.read = cache_read,
	.write = cache_write,
	.power = cache_power,
	.free = cache_free,
};

int ca_sim_cache_new(const struct ca_sim_spec *spec, struct ca_sim_layer *below,
		     struct ca_sim_layer **ret_layer)
{
	const uint64_t bytes[] = {spec->cache_bytes, spec->random_cache_bytes};
	struct cache *cache = calloc(1, sizeof(*cache));
	int result = 0;

	if (!cache)
		return -ENOMEM;
	cache->layer = (struct ca_sim_layer){.ops = &cache_ops, .below = below};
	cache->has_random = spec->has_random_cache;
	cache->sector_bytes = spec->sector_bytes;
	for (size_t i = 0; i < CA_ARRAY_LEN(bytes) && !result; i++)
		if (bytes[i])
			result = ca_sim_ring_new(bytes[i], spec->sector_bytes, &cache->rings[i]);
	if (result) {
		cache_free(&cache->layer);
		return result;
	}
	*ret_layer = &cache->layer;
	return 0;
}
