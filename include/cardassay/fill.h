/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fill: the keyed pattern, the full write, the read back, the map of every fault and the real
 * capacity. It never decides anything: it fills in struct ca_capacity_evidence.
 *
 * Pattern (docs/ARCHITECTURE.md): S is the run's secret, K = BLAKE2b(S, run id, device id, pass).
 * A 512-byte sector's body is the keystream of K at counter LBA x 32 (AES-128-CTR) or LBA x 8
 * (ChaCha20 with libgcrypt's 16-byte IV). Over its first 32 bytes lies a header {magic, run,
 * device, pass, LBA, CRC32}, masked with a mix of the body bytes that follow it.
 */
#ifndef CARDASSAY_FILL_H
#define CARDASSAY_FILL_H

#include "cardassay/device.h"
#include "cardassay/evidence.h"

/* ---- pattern (src/fill/pattern.c) ----------------------------------------------------------- */

enum ca_cipher {
	CA_CIPHER_AUTO, /* AES-128-CTR where the CPU has AES instructions, else ChaCha20 */
	CA_CIPHER_AES128,
	CA_CIPHER_CHACHA20,
};

#define CA_SECRET_BYTES 32U
struct ca_pattern;

/* -ENOMEM, -ENOTSUP (libgcrypt lacks the cipher). */
int ca_pattern_new(const uint8_t secret[CA_SECRET_BYTES], const uint8_t run_id[16],
		   const uint8_t device_id[16], uint32_t pass, enum ca_cipher cipher,
		   struct ca_pattern **ret_pattern);
void ca_pattern_free(struct ca_pattern *pattern);
const char *ca_pattern_name(const struct ca_pattern *pattern); /* "aes-128-ctr" "chacha20" */
/* The key K; returns its length, 16 or 32. */
size_t ca_pattern_key(const struct ca_pattern *pattern, uint8_t ret_key[32]);

/* Fills `sectors` contiguous sectors from `lba`. Any split of a range gives the same bytes. */
void ca_pattern_generate(struct ca_pattern *pattern, uint64_t lba, uint64_t sectors,
			 uint8_t *ret_data);

/* What a sector's header says; only meaningful when ca_pattern_read_header returned true. */
struct ca_pattern_header {
	uint32_t run, device, pass; /* run and device: first 4 bytes of the ids, little-endian */
	uint64_t lba;
};
/* Unmasks and checks magic and CRC32 of one 512-byte sector. */
bool ca_pattern_read_header(const uint8_t *sector, struct ca_pattern_header *ret_header);

/*
 * Class of one sector read from `lba`, given what was expected there. For ALIAS *ret_delta is LBA
 * found minus `lba`. An alias is only reported when the sector's whole body is what this run wrote
 * to that other LBA (up to 7 bits off).
 */
enum ca_sector_class ca_pattern_classify(struct ca_pattern *pattern, uint64_t lba,
					 const uint8_t *expected, const uint8_t *found,
					 int64_t *ret_delta);

/* ---- map (src/fill/map.c) ------------------------------------------------------------------- */

/*
 * Collects runs in any order and in bounded memory. Classes are counted exactly whatever happens;
 * when more than `max_runs` runs would be needed the map is coarsened, and says so.
 */
struct ca_map;
int ca_map_new(uint64_t total_sectors, size_t max_runs, struct ca_map **ret_map);
void ca_map_free(struct ca_map *map);
/* Ranges must not overlap earlier ones. -ENOMEM. */
int ca_map_add(struct ca_map *map, uint64_t lba, uint64_t sectors, enum ca_sector_class class_of,
	       int64_t delta);
/* Totals, runs, first bad, aliases, kind and real capacity go to `capacity`. -ENOMEM. */
int ca_map_finish(struct ca_map *map, struct ca_capacity_evidence *capacity);

/* ---- the run (src/fill/fill.c) -------------------------------------------------------------- */

enum ca_fill_phase {
	CA_FILL_PHASE_WRITE,
	CA_FILL_PHASE_CHECK, /* landmarks, after each doubling */
	CA_FILL_PHASE_READ,
};

struct ca_fill_progress {
	enum ca_fill_phase phase;
	uint64_t done_bytes, total_bytes; /* of this phase */
	uint64_t elapsed_ns;		  /* of this phase, device clock */
	uint64_t bad_sectors;
};

struct ca_fill_options {
	uint8_t secret[CA_SECRET_BYTES];
	uint8_t run_id[16];
	uint8_t device_id[16];
	uint64_t seed; /* order of the read back, places of landmarks */
	enum ca_cipher cipher;
	uint32_t request_bytes; /* 0 = 1 MiB */
	uint32_t queue_depth;	/* 0 = 4; memory is request_bytes x queue_depth x 2 at most */
	bool map_all;		/* go on after proof of a fake */
	/* Called about ten times a second of device time; a nonzero return interrupts the run. */
	int (*progress)(void *context, const struct ca_fill_progress *progress);
	void *progress_context;
	/*
	 * Makes the device begin anew, once all is written and nothing is in flight; NULL: it goes
	 * on as it is. Not called where a fault is proved already. Results and ret_fault as those
	 * of ca_device_ops.reinit; after -EOPNOTSUPP the run goes on without, and the evidence says
	 * so.
	 */
	int (*reinit)(void *context, struct ca_device *device, struct ca_io_fault *ret_fault);
	void *reinit_context;
};

/*
 * Writes everything, flushes, drops caches, has the device begin anew where options say so, reads
 * everything back in another order, and fills in ret_capacity (runs owned by it: ca_evidence_done).
 * After every doubling of the bytes written it flushes and re-reads the first 4 MiB and a few
 * landmarks; stable proof of a fake ends the writing, and what was written is read back to find the
 * real size to the sector. A card that errors, lies or vanishes is data: 0 is returned and `end`
 * says what happened. Negative errno: our own failure, with what was seen so far in ret_capacity.
 */
int ca_fill_run(struct ca_device *device, const struct ca_fill_options *options,
		struct ca_capacity_evidence *ret_capacity);

#endif
