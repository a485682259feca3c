/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The simulated card, inside the device room. Four layers, each blind to the ones above it:
 *
 *   sim_card.c    the device: queue, clock, bad sectors, bit flips, vanishing
 *   sim_cache.c   a write cache that tells the truth until it is overrun
 *   sim_medium.c  where a byte of the announced card really lands, and what a lost one reads as
 *   sim_store.c   sparse bytes in bounded memory, in a temporary file when there are many
 *
 * sim_time.c is the service-time model, sim_spec.c the device string.
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

/* ---- the medium (sim_medium.c) --------------------------------------------------------------- */

/*
 * Addresses are bytes of the announced card, whole sectors.
 *   sound  every address is its own.
 *   limbo  what lands at or past `real` vanishes.
 *   wrap   address modulo `real`.
 *   chain  address modulo `wrap`; what then lands at or past `real` vanishes.
 * A vanished sector reads as zeros, as ones, as noise (of the seed and the address: the same at
 * every read), or as the last sector that was really stored (zeros before the first).
 */
struct ca_sim_medium;
int ca_sim_medium_new(const struct ca_sim_spec *spec, struct ca_sim_medium **ret_medium);
void ca_sim_medium_free(struct ca_sim_medium *medium);
int ca_sim_medium_read(struct ca_sim_medium *medium, uint64_t offset, uint64_t bytes,
		       uint8_t *buffer, struct ca_error *error);
int ca_sim_medium_write(struct ca_sim_medium *medium, uint64_t offset, uint64_t bytes,
			const uint8_t *data, struct ca_error *error);

/* ---- the write cache (sim_cache.c) ----------------------------------------------------------- */

/*
 * Holds the last `bytes` bytes that were written, a rewritten sector once, and reads them back
 * truly whatever the medium would do with them. The sector written longest ago leaves first, and
 * only then reaches the medium. Reading keeps nothing in it. The medium is borrowed.
 */
struct ca_sim_cache;
int ca_sim_cache_new(struct ca_sim_medium *medium, uint64_t bytes, uint32_t sector_bytes,
		     struct ca_sim_cache **ret_cache);
void ca_sim_cache_free(struct ca_sim_cache *cache);
int ca_sim_cache_read(struct ca_sim_cache *cache, uint64_t offset, uint64_t bytes, uint8_t *buffer,
		      struct ca_error *error);
int ca_sim_cache_write(struct ca_sim_cache *cache, uint64_t offset, uint64_t bytes,
		       const uint8_t *data, struct ca_error *error);

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
 * to the next operation, so that no duration drifts.
 */
struct ca_sim_rate {
	uint64_t per_second, remainder;
};

struct ca_sim_service {
	uint32_t servers;
	uint64_t server_free_ns[CA_SIM_QUEUE_MAX];
	uint64_t bus_free_ns;
	struct ca_sim_rate access[2], transfer[2]; /* by enum ca_io_op */
};

void ca_sim_service_init(struct ca_sim_service *service, const struct ca_sim_spec *spec);
/* Books one operation handed over at now_ns; returns when it is complete. */
uint64_t ca_sim_service_book(struct ca_sim_service *service, enum ca_io_op op, uint64_t bytes,
			     uint64_t now_ns);

#endif
