/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cells that any address takes, one after the other, round and round: `head` counts all that were
 * ever taken. The sector that took the n-th is there as long as fewer than all cells were taken
 * after it. A ring takes a new cell for each write; thin provisioning only for a sector that has
 * none, and when all are taken it does what `full` says.
 */
#include "sim.h"

#include <errno.h>
#include <stdlib.h>

#define STORE_RAM_BYTES (UINT64_C(48) * CA_MIB)
#define TAKEN_RAM_BYTES (UINT64_C(16) * CA_MIB)
#define BATCH		128U /* sectors */

struct pool {
	struct ca_sim_layer layer; /* first */
	bool is_ring;
	enum ca_sim_full full;
	uint32_t sector_bytes;
	uint64_t cells, head;
	struct ca_sim_store *store;
	struct ca_sim_store *taken; /* by sector: 8 bytes, n of the cell it took; 0 = none yet */
	struct ca_sim_lost lost;
	uint8_t batch[BATCH * 8];
};

static struct pool *pool_of(struct ca_sim_layer *layer)
{
	return (struct pool *)layer;
}

static bool is_there(const struct pool *pool, uint64_t taken)
{
	return taken && pool->head - taken < pool->cells;
}

static uint64_t cell_of(const struct pool *pool, uint64_t taken)
{
	return (taken - 1) % pool->cells * pool->sector_bytes;
}

static uint64_t batch_of(const struct pool *pool, uint64_t bytes)
{
	uint64_t sectors = bytes / pool->sector_bytes;

	return sectors < BATCH ? sectors : BATCH;
}

static int pool_read(struct ca_sim_layer *layer, uint64_t offset, uint64_t bytes, uint8_t *buffer,
		     struct ca_sim_call *call)
{
	struct pool *pool = pool_of(layer);

	while (bytes) {
		uint64_t count = batch_of(pool, bytes);
		int result = ca_sim_store_read(pool->taken, offset / pool->sector_bytes * 8,
					       count * 8, pool->batch, call->error);

		for (uint64_t i = 0; i < count && !result; i++) {
			uint64_t taken = ca_le64(pool->batch + 8 * i);

			if (is_there(pool, taken))
				result = ca_sim_store_read(pool->store, cell_of(pool, taken),
							   pool->sector_bytes, buffer, call->error);
			else
				ca_sim_lost_fill(&pool->lost, offset, pool->sector_bytes, buffer);
			offset += pool->sector_bytes;
			bytes -= pool->sector_bytes;
			buffer += pool->sector_bytes;
		}
		if (result)
			return result;
	}
	return 0;
}

/* The cell for a sector that has `taken` so far; 0 when the card has none to give. */
static uint64_t take(struct pool *pool, uint64_t taken, struct ca_sim_call *call)
{
	if (!pool->is_ring && is_there(pool, taken))
		return taken;
	if (!pool->is_ring && pool->head >= pool->cells) {
		switch (pool->full) {
		case CA_SIM_FULL_ERRORS:
		case CA_SIM_FULL_DEATH:
			return 0;
		case CA_SIM_FULL_SLOW:
			call->slow_bytes += pool->sector_bytes;
			break;
		}
	}
	return ++pool->head;
}

static int write_batch(struct pool *pool, uint64_t count, const uint8_t *data,
		       struct ca_sim_call *call, uint64_t *ret_done)
{
	uint64_t done = 0;

	for (; done < count; done++) {
		const uint8_t *sector = data + done * pool->sector_bytes;
		uint64_t taken = take(pool, ca_le64(pool->batch + 8 * done), call);
		int result;

		if (!taken)
			break;
		result = ca_sim_store_write(pool->store, cell_of(pool, taken), pool->sector_bytes,
					    sector, call->error);
		if (result)
			return result;
		ca_put_le64(pool->batch + 8 * done, taken);
		ca_sim_lost_note(&pool->lost, sector);
	}
	*ret_done = done;
	return 0;
}

static int pool_write(struct ca_sim_layer *layer, uint64_t offset, uint64_t bytes,
		      const uint8_t *data, struct ca_sim_call *call)
{
	struct pool *pool = pool_of(layer);

	while (bytes) {
		uint64_t count = batch_of(pool, bytes), done = 0, moved;
		uint64_t at = offset / pool->sector_bytes * 8;
		int result =
			ca_sim_store_read(pool->taken, at, count * 8, pool->batch, call->error);

		if (!result)
			result = write_batch(pool, count, data, call, &done);
		if (!result && done)
			result = ca_sim_store_write(pool->taken, at, done * 8, pool->batch,
						    call->error);
		if (result)
			return result;
		moved = done * pool->sector_bytes;
		if (done < count) {
			bool dies = pool->full == CA_SIM_FULL_DEATH;

			/* what follows may be there already, but the transfer ended here */
			ca_sim_fail(call, dies ? CA_IO_GONE : CA_IO_ERROR, offset + moved,
				    dies ? bytes - moved : pool->sector_bytes);
			return 0;
		}
		offset += moved;
		bytes -= moved;
		data += moved;
	}
	return 0;
}

static void pool_free(struct ca_sim_layer *layer)
{
	struct pool *pool = pool_of(layer);

	ca_sim_store_free(pool->store);
	ca_sim_store_free(pool->taken);
	free(pool);
}

static const struct ca_sim_layer_ops pool_ops = {
	.read = pool_read,
	.write = pool_write,
	.free = pool_free,
};

int ca_sim_pool_new(const struct ca_sim_spec *spec, struct ca_sim_layer *below,
		    struct ca_sim_layer **ret_layer)
{
	struct pool *pool = calloc(1, sizeof(*pool));

	if (!pool)
		return -ENOMEM;
	pool->layer = (struct ca_sim_layer){.ops = &pool_ops, .below = below};
	pool->is_ring = spec->kind == CA_SIM_RING;
	pool->full = spec->full;
	pool->sector_bytes = spec->sector_bytes;
	pool->cells = spec->real_bytes / spec->sector_bytes;
	ca_sim_lost_init(&pool->lost, spec);
	if (ca_sim_store_new(STORE_RAM_BYTES, spec->real_bytes, &pool->store) ||
	    ca_sim_store_new(TAKEN_RAM_BYTES, spec->announced_bytes / spec->sector_bytes * 8,
			     &pool->taken)) {
		pool_free(&pool->layer);
		return -ENOMEM;
	}
	*ret_layer = &pool->layer;
	return 0;
}
