/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The simulated card, inside the device room. A chain of small layers, each of which does one thing
 * and knows only the one below it. From the host down to the cells:
 *
 *   sim_card.c      the device: queue, clock, vanishing, what a replug brings back
 *   sim_reader.c    the reader before the card: address limit, another device's sectors
 *   sim_corrupt.c   wrong bits and pages, on the wire or on the medium
 *   sim_faults.c    addresses that answer with an error
 *   sim_protect.c   a card that takes no more writes, or dies of one
 *   sim_cache.c     a write cache that tells the truth until it is overrun
 *   sim_volatile.c  what lasts only, or shows only, until the power is cut
 *   and one bottom:
 *   sim_medium.c    cells behind an address map (sim_place.c)
 *   sim_pool.c      cells that any address takes until there are none left
 *   sim_compress.c  cells that hold the more the better the data compress
 *
 * sim_stack.c builds the chain, sim_store.c holds bytes, sim_lost.c says what lost sectors read as,
 * sim_time.c is the service-time model; sim_spec.c and sim_spec_check.c read the device string.
 *
 * None of them knows what the bytes mean. The same device string and the same calls give the same
 * answers and the same times on every machine.
 */
#ifndef CA_DEVICE_SIM_H
#define CA_DEVICE_SIM_H

#include "cardassay/device.h"
#include "cardassay/host.h"

/* Figures of a card whose string names none: those of a common A1, U1 microSD card. */
#define CA_SIM_READ_IOPS  UINT64_C(3000)
#define CA_SIM_WRITE_IOPS UINT64_C(1000)
#define CA_SIM_READ_RATE  UINT64_C(80000000)
#define CA_SIM_WRITE_RATE UINT64_C(25000000)

#define CA_SIM_QUEUE_MAX     64U
#define CA_SIM_CACHE_MAX     CA_GIB
#define CA_SIM_ANNOUNCED_MAX (UINT64_C(128) * 1024 * CA_GIB) /* SDUC, S 3.3 */
#define CA_SIM_SECTOR_MAX    4096U
#define CA_SIM_EXTENT	     CA_MIB /* of table and islands, where the string names none */
#define CA_SIM_SHARE	     20U    /* percent; of islands, likewise */

/* ---- bytes (sim_store.c) --------------------------------------------------------------------- */

/*
 * What was never written reads as zeros. Up to ram_bytes are held in memory, in chunks of 64 KiB;
 * what does not fit moves everything to an unlinked sparse file in $TMPDIR, in shared memory where
 * most_bytes (all that can ever be stored) take less than half of what is free, in /var/tmp or
 * /tmp. A full disk there is our own failure: -ENOSPC, with the sentence in error.
 */
struct ca_sim_store;
int ca_sim_store_new(uint64_t ram_bytes, uint64_t most_bytes, struct ca_sim_store **ret_store);
void ca_sim_store_free(struct ca_sim_store *store);
int ca_sim_store_read(struct ca_sim_store *store, uint64_t offset, uint64_t bytes, void *buffer,
		      struct ca_error *error);
int ca_sim_store_write(struct ca_sim_store *store, uint64_t offset, uint64_t bytes,
		       const void *data, struct ca_error *error);
bool ca_sim_store_is_file(const struct ca_sim_store *store);

/* ---- layers (sim_stack.c) -------------------------------------------------------------------- */

/* One transfer on its way down, and what came of it. */
struct ca_sim_call {
	struct ca_io_fault fault; /* status CA_IO_OK: all of it was done; else all before it */
	uint64_t slow_bytes;	  /* of a write: so many were stored at the slow rate */
	struct ca_error *error;	  /* for failures of our own */
};

/* Addresses are bytes of the announced card, whole sectors. Results: 0 or a failure of our own. */
struct ca_sim_layer;
struct ca_sim_layer_ops {
	int (*read)(struct ca_sim_layer *layer, uint64_t offset, uint64_t bytes, uint8_t *buffer,
		    struct ca_sim_call *call);
	int (*write)(struct ca_sim_layer *layer, uint64_t offset, uint64_t bytes,
		     const uint8_t *data, struct ca_sim_call *call);
	/* The power is cut and comes back. NULL: nothing of the layer hangs on it. */
	int (*power)(struct ca_sim_layer *layer, struct ca_error *error);
	void (*free)(struct ca_sim_layer *layer); /* this layer alone */
};

struct ca_sim_layer {
	const struct ca_sim_layer_ops *ops;
	struct ca_sim_layer *below; /* owned by the stack; NULL at the bottom */
};

/* The chain a string asks for; *ret_top is its uppermost layer. */
int ca_sim_stack_new(const struct ca_sim_spec *spec, struct ca_sim_layer **ret_top);
void ca_sim_stack_free(struct ca_sim_layer *top);
int ca_sim_stack_power(struct ca_sim_layer *top, struct ca_error *error);

static inline int ca_sim_read(struct ca_sim_layer *layer, uint64_t offset, uint64_t bytes,
			      uint8_t *buffer, struct ca_sim_call *call)
{
	return bytes ? layer->ops->read(layer, offset, bytes, buffer, call) : 0;
}

static inline int ca_sim_write(struct ca_sim_layer *layer, uint64_t offset, uint64_t bytes,
			       const uint8_t *data, struct ca_sim_call *call)
{
	return bytes ? layer->ops->write(layer, offset, bytes, data, call) : 0;
}

/* The rest of a transfer, `bytes` from `offset`, comes to nothing. */
void ca_sim_fail(struct ca_sim_call *call, enum ca_io_status status, uint64_t offset,
		 uint64_t bytes);

/* Makers of one layer; `below` is borrowed. -ENOMEM. */
int ca_sim_medium_new(const struct ca_sim_spec *spec, struct ca_sim_layer *below,
		      struct ca_sim_layer **ret_layer);
int ca_sim_pool_new(const struct ca_sim_spec *spec, struct ca_sim_layer *below,
		    struct ca_sim_layer **ret_layer);
int ca_sim_compress_new(const struct ca_sim_spec *spec, struct ca_sim_layer *below,
			struct ca_sim_layer **ret_layer);
int ca_sim_volatile_new(const struct ca_sim_spec *spec, struct ca_sim_layer *below,
			struct ca_sim_layer **ret_layer);
int ca_sim_cache_new(const struct ca_sim_spec *spec, struct ca_sim_layer *below,
		     struct ca_sim_layer **ret_layer);
int ca_sim_protect_new(const struct ca_sim_spec *spec, struct ca_sim_layer *below,
		       struct ca_sim_layer **ret_layer);
int ca_sim_faults_new(const struct ca_sim_spec *spec, struct ca_sim_layer *below,
		      struct ca_sim_layer **ret_layer);
int ca_sim_corrupt_new(const struct ca_sim_spec *spec, struct ca_sim_layer *below,
		       struct ca_sim_layer **ret_layer);
int ca_sim_reader_new(const struct ca_sim_spec *spec, struct ca_sim_layer *below,
		      struct ca_sim_layer **ret_layer);

/* The reader of `layer` (the uppermost, if it mixes devices up) also sees this card; borrowed. */
void ca_sim_reader_join(struct ca_sim_layer *layer, struct ca_sim_layer *neighbour);

/* ---- the address map (sim_place.c) ----------------------------------------------------------- */

/* Where `offset` lands, and for how many bytes from there the same rule holds. */
struct ca_sim_place {
	bool stored;   /* false: nowhere */
	uint64_t at;   /* in the store */
	uint64_t left; /* >= 1 */
};
struct ca_sim_place ca_sim_place_of(const struct ca_sim_spec *spec, uint64_t offset);

/* ---- what is not there (sim_lost.c) ---------------------------------------------------------- */

/*
 * A lost sector reads as zeros, as ones, as noise (of the seed and the address: the same at every
 * read), or as the last sector that was really stored (zeros before the first).
 */
struct ca_sim_lost {
	enum ca_sim_limbo kind;
	uint64_t seed;
	uint32_t sector_bytes;
	uint8_t last[CA_SIM_SECTOR_MAX];
};
void ca_sim_lost_init(struct ca_sim_lost *lost, const struct ca_sim_spec *spec);
void ca_sim_lost_note(struct ca_sim_lost *lost, const uint8_t *sector); /* really stored */
void ca_sim_lost_fill(const struct ca_sim_lost *lost, uint64_t offset, uint64_t bytes,
		      uint8_t *buffer);
/* Noise that belongs to one sector and one seed. */
void ca_sim_noise(uint64_t seed, uint64_t sector, uint32_t sector_bytes, uint8_t *ret_data);

/* ---- service times (sim_time.c) -------------------------------------------------------------- */

/*
 * The card has `queue-depth` servers and one bus. An operation waits for the server that is free
 * first, holds it for 1 / iops, and moves its bytes over the bus at the rate, one operation after
 * the other; it is complete when both are done:
 *
 *   complete = max(start + 1 / iops, max(start, bus free) + bytes / rate)
 *
 * So at depth 1 an operation takes max(1 / iops, bytes / rate): 4 KiB at random come at exactly
 * `iops`, 4 MiB at exactly `rate`. At depth n <= queue-depth the IOPS are n-fold, but n x 4 KiB
 * never pass the rate; deeper queues only wait longer. Fractions of a nanosecond are carried over
 * to the next operation, so that no duration drifts. Past the cliff, and where a full store has to
 * make room, bytes are written at the slow rate instead.
 */
struct ca_sim_rate {
	uint64_t per_second, remainder;
};

struct ca_sim_service {
	uint32_t servers;
	uint64_t server_free_ns[CA_SIM_QUEUE_MAX];
	uint64_t bus_free_ns;
	struct ca_sim_rate access[2], transfer[2]; /* by enum ca_io_op */
	struct ca_sim_rate slow;		   /* of writes */
	uint64_t until_cliff_bytes;		   /* UINT64_MAX: there is none */
};

void ca_sim_service_init(struct ca_sim_service *service, const struct ca_sim_spec *spec);
/* Books one operation handed over at now_ns; returns when it is complete. */
uint64_t ca_sim_service_book(struct ca_sim_service *service, enum ca_io_op op, uint64_t bytes,
			     uint64_t slow_bytes, uint64_t now_ns);

#endif
