/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A ring of sectors in the order they were written. The slot at `head` is the next to be filled
 * and, once the ring is full, the oldest. A hash table finds the slot of an address.
 */
#include "sim.h"

#include <errno.h>
#include <stdlib.h>

#define RING_RAM_BYTES (UINT64_C(16) * CA_MIB)
#define MOVE_BYTES     (UINT64_C(64) * CA_KIB)
#define EMPTY	       UINT64_MAX

struct ca_sim_cache {
	struct ca_sim_medium *medium;
	struct ca_sim_store *ring;
	uint64_t *sector_of;   /* by slot; EMPTY = holds nothing */
	uint32_t *slot_plus_1; /* the hash table; 0 = free place */
	uint32_t mask;	       /* places of the table - 1 */
	uint32_t slots, head, sector_bytes;
	uint8_t moving[MOVE_BYTES];
};

int ca_sim_cache_new(struct ca_sim_medium *medium, uint64_t bytes, uint32_t sector_bytes,
		     struct ca_sim_cache **ret_cache)
{
	struct ca_sim_cache *cache = calloc(1, sizeof(*cache));
	uint32_t places = 4;

	if (!cache)
		return -ENOMEM;
	cache->medium = medium;
	cache->sector_bytes = sector_bytes;
	cache->slots = (uint32_t)(bytes / sector_bytes);
	while (places < 2 * cache->slots)
		places *= 2;
	cache->mask = places - 1;
	cache->sector_of = malloc(cache->slots * sizeof(*cache->sector_of));
	cache->slot_plus_1 = calloc(places, sizeof(*cache->slot_plus_1));
	if (!cache->sector_of || !cache->slot_plus_1 ||
	    ca_sim_store_new(RING_RAM_BYTES, bytes, &cache->ring)) {
		ca_sim_cache_free(cache);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < cache->slots; i++)
		cache->sector_of[i] = EMPTY;
	*ret_cache = cache;
	return 0;
}

void ca_sim_cache_free(struct ca_sim_cache *cache)
{
	if (!cache)
		return;
	ca_sim_store_free(cache->ring);
	free(cache->sector_of);
	free(cache->slot_plus_1);
	free(cache);
}

static uint32_t home_of(const struct ca_sim_cache *cache, uint64_t sector)
{
	return (uint32_t)(sector * UINT64_C(0x9e3779b97f4a7c15) >> 32) & cache->mask;
}

/* The table place of the sector, or the free place where it belongs. */
static uint32_t find_place(const struct ca_sim_cache *cache, uint64_t sector)
{
	uint32_t at = home_of(cache, sector);

	while (cache->slot_plus_1[at] && cache->sector_of[cache->slot_plus_1[at] - 1] != sector)
		at = (at + 1) & cache->mask;
	return at;
}

/* Forgets one cached sector; later entries of its chain move up, so that no search breaks off. */
static void forget(struct ca_sim_cache *cache, uint64_t sector)
{
	uint32_t hole = find_place(cache, sector), at = hole;

	if (!cache->slot_plus_1[hole])
		return;
	cache->sector_of[cache->slot_plus_1[hole] - 1] = EMPTY;
	for (;;) {
		uint32_t home;

		at = (at + 1) & cache->mask;
		if (!cache->slot_plus_1[at])
			break;
		home = home_of(cache, cache->sector_of[cache->slot_plus_1[at] - 1]);
		if (((at - home) & cache->mask) < ((at - hole) & cache->mask))
			continue; /* its home lies behind the hole */
		cache->slot_plus_1[hole] = cache->slot_plus_1[at];
		hole = at;
	}
	cache->slot_plus_1[hole] = 0;
}

/* Slots from `slot` that hold consecutive sectors, at most `limit` and what `moving` takes. */
static uint32_t run_of(const struct ca_sim_cache *cache, uint32_t slot, uint32_t limit)
{
	uint32_t count = 1;

	while (count < limit &&
	       cache->sector_of[slot + count] == cache->sector_of[slot + count - 1] + 1)
		count++;
	return count;
}

/* Hands what `count` slots from `first` still hold to the medium, in the order of the ring. */
static int evict(struct ca_sim_cache *cache, uint32_t first, uint32_t count, struct ca_error *error)
{
	for (uint32_t slot = first; slot < first + count;) {
		uint64_t sector = cache->sector_of[slot], bytes;
		uint32_t run;
		int result;

		if (sector == EMPTY) {
			slot++;
			continue;
		}
		run = run_of(cache, slot, first + count - slot);
		bytes = (uint64_t)run * cache->sector_bytes;
		result = ca_sim_store_read(cache->ring, (uint64_t)slot * cache->sector_bytes, bytes,
					   cache->moving, error);
		if (!result)
			result = ca_sim_medium_write(cache->medium, sector * cache->sector_bytes,
						     bytes, cache->moving, error);
		if (result)
			return result;
		for (uint32_t i = 0; i < run; i++)
			forget(cache, sector + i);
		slot += run;
	}
	return 0;
}

int ca_sim_cache_write(struct ca_sim_cache *cache, uint64_t offset, uint64_t bytes,
		       const uint8_t *data, struct ca_error *error)
{
	uint64_t sector = offset / cache->sector_bytes, left = bytes / cache->sector_bytes;

	while (left) {
		uint32_t count = (uint32_t)(MOVE_BYTES / cache->sector_bytes);
		uint64_t piece;
		int result;

		if (count > left)
			count = (uint32_t)left;
		if (count > cache->slots - cache->head)
			count = cache->slots - cache->head;
		piece = (uint64_t)count * cache->sector_bytes;
		for (uint32_t i = 0; i < count; i++)
			forget(cache, sector + i);
		result = evict(cache, cache->head, count, error);
		if (!result)
			result = ca_sim_store_write(cache->ring,
						    (uint64_t)cache->head * cache->sector_bytes,
						    piece, data, error);
		if (result)
			return result;
		for (uint32_t i = 0; i < count; i++) {
			cache->slot_plus_1[find_place(cache, sector + i)] = cache->head + i + 1;
			cache->sector_of[cache->head + i] = sector + i;
		}
		cache->head = (cache->head + count) % cache->slots;
		sector += count;
		left -= count;
		data += piece;
	}
	return 0;
}

int ca_sim_cache_read(struct ca_sim_cache *cache, uint64_t offset, uint64_t bytes, uint8_t *buffer,
		      struct ca_error *error)
{
	uint64_t sector = offset / cache->sector_bytes, left = bytes / cache->sector_bytes;

	while (left) {
		uint32_t slot_plus_1 = cache->slot_plus_1[find_place(cache, sector)];
		uint64_t run = 1, piece;
		int result;

		if (slot_plus_1) {
			uint32_t to_end = cache->slots - (slot_plus_1 - 1);

			run = run_of(cache, slot_plus_1 - 1,
				     left < to_end ? (uint32_t)left : to_end);
			piece = run * cache->sector_bytes;
			result = ca_sim_store_read(
				cache->ring, (uint64_t)(slot_plus_1 - 1) * cache->sector_bytes,
				piece, buffer, error);
		} else {
			while (run < left && !cache->slot_plus_1[find_place(cache, sector + run)])
				run++;
			piece = run * cache->sector_bytes;
			result = ca_sim_medium_read(cache->medium, sector * cache->sector_bytes,
						    piece, buffer, error);
		}
		if (result)
			return result;
		sector += run;
		left -= run;
		buffer += piece;
	}
	return 0;
}
