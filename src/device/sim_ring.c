/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A ring of sectors in the order they were written. The slot at `head` is the next to be filled
 * and, once the ring is full, the oldest. A hash table finds the slot of an address.
 */
#include "sim_ring.h"

#include <errno.h>
#include <stdlib.h>

#define RING_RAM_BYTES (UINT64_C(16) * CA_MIB)
#define MOVE_BYTES     (UINT64_C(64) * CA_KIB)
#define EMPTY	       UINT64_MAX

struct ca_sim_ring {
	struct ca_sim_store *store;
	uint64_t *sector_of;   /* by slot; EMPTY = holds nothing */
	uint32_t *slot_plus_1; /* the hash table; 0 = free place */
	uint32_t mask;	       /* places of the table - 1 */
	uint32_t slots, head, sector_bytes;
	uint8_t moving[MOVE_BYTES];
};

int ca_sim_ring_new(uint64_t bytes, uint32_t sector_bytes, struct ca_sim_ring **ret_ring)
{
	struct ca_sim_ring *ring = calloc(1, sizeof(*ring));
	uint32_t places = 4;

	if (!ring)
		return -ENOMEM;
	ring->sector_bytes = sector_bytes;
	ring->slots = (uint32_t)(bytes / sector_bytes);
	while (places < 2 * ring->slots)
		places *= 2;
	ring->mask = places - 1;
	ring->sector_of = malloc(ring->slots * sizeof(*ring->sector_of));
	ring->slot_plus_1 = calloc(places, sizeof(*ring->slot_plus_1));
	if (!ring->sector_of || !ring->slot_plus_1 ||
	    ca_sim_store_new(RING_RAM_BYTES, bytes, &ring->store)) {
		ca_sim_ring_free(ring);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < ring->slots; i++)
		ring->sector_of[i] = EMPTY;
	*ret_ring = ring;
	return 0;
}

void ca_sim_ring_free(struct ca_sim_ring *ring)
{
	if (!ring)
		return;
	ca_sim_store_free(ring->store);
	free(ring->sector_of);
	free(ring->slot_plus_1);
	free(ring);
}

static uint32_t home_of(const struct ca_sim_ring *ring, uint64_t sector)
{
	return (uint32_t)(sector * UINT64_C(0x9e3779b97f4a7c15) >> 32) & ring->mask;
}

/* The table place of the sector, or the free place where it belongs. */
static uint32_t find_place(const struct ca_sim_ring *ring, uint64_t sector)
{
	uint32_t at = home_of(ring, sector);

	while (ring->slot_plus_1[at] && ring->sector_of[ring->slot_plus_1[at] - 1] != sector)
		at = (at + 1) & ring->mask;
	return at;
}

/* Forgets one cached sector; later entries of its chain move up, so that no search breaks off. */
static void forget(struct ca_sim_ring *ring, uint64_t sector)
{
	uint32_t hole = find_place(ring, sector), at = hole;

	if (!ring->slot_plus_1[hole])
		return;
	ring->sector_of[ring->slot_plus_1[hole] - 1] = EMPTY;
	for (;;) {
		uint32_t home;

		at = (at + 1) & ring->mask;
		if (!ring->slot_plus_1[at])
			break;
		home = home_of(ring, ring->sector_of[ring->slot_plus_1[at] - 1]);
		if (((at - home) & ring->mask) < ((at - hole) & ring->mask))
			continue; /* its home lies behind the hole */
		ring->slot_plus_1[hole] = ring->slot_plus_1[at];
		hole = at;
	}
	ring->slot_plus_1[hole] = 0;
}

/* Slots from `slot` that hold consecutive sectors, at most `limit` and what `moving` takes. */
static uint32_t run_of(const struct ca_sim_ring *ring, uint32_t slot, uint32_t limit)
{
	uint32_t count = 1;

	while (count < limit &&
	       ring->sector_of[slot + count] == ring->sector_of[slot + count - 1] + 1)
		count++;
	return count;
}

/* Hands what `count` slots from `first` still hold to the sink, in the order of the ring. */
static int evict(struct ca_sim_ring *ring, uint32_t first, uint32_t count,
		 struct ca_sim_layer *sink, struct ca_sim_call *call)
{
	for (uint32_t slot = first; slot < first + count;) {
		/* what the cells make of it nobody asks any more, but a card that dies is dead */
		struct ca_sim_call late = {.error = call->error};
		uint64_t sector = ring->sector_of[slot], bytes;
		uint32_t run;
		int result;

		if (sector == EMPTY) {
			slot++;
			continue;
		}
		run = run_of(ring, slot, first + count - slot);
		if (run > MOVE_BYTES / ring->sector_bytes)
			run = (uint32_t)(MOVE_BYTES / ring->sector_bytes);
		bytes = (uint64_t)run * ring->sector_bytes;
		result = ca_sim_store_read(ring->store, (uint64_t)slot * ring->sector_bytes, bytes,
					   ring->moving, call->error);
		if (!result)
			result = ca_sim_write(sink, sector * ring->sector_bytes, bytes,
					      ring->moving, &late);
		if (result)
			return result;
		call->slow_bytes += late.slow_bytes;
		if (late.fault.status == CA_IO_GONE)
			call->fault = late.fault;
		for (uint32_t i = 0; i < run; i++)
			forget(ring, sector + i);
		slot += run;
	}
	return 0;
}

static int write_piece(struct ca_sim_ring *ring, uint64_t sector, uint32_t count,
		       const uint8_t *data, struct ca_sim_layer *sink, struct ca_sim_call *call)
{
	int result;

	ca_sim_ring_forget(ring, sector, count);
	result = evict(ring, ring->head, count, sink, call);
	if (!result)
		result =
			ca_sim_store_write(ring->store, (uint64_t)ring->head * ring->sector_bytes,
					   (uint64_t)count * ring->sector_bytes, data, call->error);
	if (result)
		return result;
	for (uint32_t i = 0; i < count; i++) {
		ring->slot_plus_1[find_place(ring, sector + i)] = ring->head + i + 1;
		ring->sector_of[ring->head + i] = sector + i;
	}
	ring->head = (ring->head + count) % ring->slots;
	return 0;
}

int ca_sim_ring_write(struct ca_sim_ring *ring, uint64_t sector, uint64_t count,
		      const uint8_t *data, struct ca_sim_layer *sink, struct ca_sim_call *call)
{
	while (count) {
		uint32_t piece = (uint32_t)(MOVE_BYTES / ring->sector_bytes);
		int result;

		if (piece > count)
			piece = (uint32_t)count;
		if (piece > ring->slots - ring->head)
			piece = ring->slots - ring->head;
		result = write_piece(ring, sector, piece, data, sink, call);
		if (result)
			return result;
		sector += piece;
		count -= piece;
		data += (uint64_t)piece * ring->sector_bytes;
	}
	return 0;
}

int ca_sim_ring_drain(struct ca_sim_ring *ring, struct ca_sim_layer *sink, struct ca_sim_call *call)
{
	int result = evict(ring, ring->head, ring->slots - ring->head, sink, call);

	return result ? result : evict(ring, 0, ring->head, sink, call);
}

void ca_sim_ring_forget(struct ca_sim_ring *ring, uint64_t sector, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		forget(ring, sector + i);
}

uint64_t ca_sim_ring_run(const struct ca_sim_ring *ring, uint64_t sector, uint64_t most,
			 bool *ret_held)
{
	bool held = ring->slot_plus_1[find_place(ring, sector)] != 0;
	uint64_t run = 1;

	while (run < most && (ring->slot_plus_1[find_place(ring, sector + run)] != 0) == held)
		run++;
	*ret_held = held;
	return run;
}

int ca_sim_ring_read(const struct ca_sim_ring *ring, uint64_t sector, uint64_t count,
		     uint8_t *buffer, struct ca_error *error)
{
	while (count) {
		uint32_t slot = ring->slot_plus_1[find_place(ring, sector)] - 1;
		uint32_t to_end = ring->slots - slot;
		uint32_t run = run_of(ring, slot, count < to_end ? (uint32_t)count : to_end);
		uint64_t bytes = (uint64_t)run * ring->sector_bytes;
		int result = ca_sim_store_read(ring->store, (uint64_t)slot * ring->sector_bytes,
					       bytes, buffer, error);

		if (result)
			return result;
		sector += run;
		count -= run;
		buffer += bytes;
	}
	return 0;
}
