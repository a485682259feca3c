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
	CA_CIPHER_AUTO, /* the faster one here, measured: AES where the CPU has AES instructions */
	CA_CIPHER_AES128,
	CA_CIPHER_CHACHA20,
};

/* What CA_CIPHER_AUTO means here. */
enum ca_cipher ca_pattern_fastest(void);

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

enum ca_cipher ca_pattern_cipher(const struct ca_pattern *pattern); /* never AUTO */

/* Fills `sectors` contiguous sectors from `lba`. Any split of a range gives the same bytes. */
void ca_pattern_generate(struct ca_pattern *pattern, uint64_t lba, uint64_t sectors,
			 uint8_t *ret_data);
/* Is this what generate makes there? Faster than making it to compare. */
bool ca_pattern_is_intact(struct ca_pattern *pattern, uint64_t lba, uint64_t sectors,
			  const uint8_t *data);

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
	       enum ca_run_reads reads, int64_t delta);
/* What the card answered when it was asked again, once all was read back. */
struct ca_map_edge {
	bool asked;
	bool takes_writes;    /* a sector that is good, or where none is the last, takes a write */
	bool reads_unwritten; /* where writing failed last, reading works */
	/* the first sector was lost, and takes no write either: it is not the oldest that goes */
	bool start_is_barred;
	/* the good sectors at the very end that were lost once more had been written: a memory
	 * held them; 0 = none. And as what the last of them read then. */
	uint64_t memory_sectors;
	enum ca_sector_class memory_class;
};
/*
 * Where much is good up to a lost part, and then good again up to the last sector: how many sectors
 * that end has; else 0. A memory that is larger than it may hold it, or cells may. -ENOMEM.
 */
int ca_map_find_doubtful_end(struct ca_map *map, uint64_t *ret_sectors);
bool ca_map_is_all_good(const struct ca_map *map);
bool ca_map_has_good(const struct ca_map *map);
/* Takes back what lies at and behind this LBA, where all of the map is good. -ENOMEM. */
int ca_map_forget_from(struct ca_map *map, uint64_t lba);
/*
 * The sectors that gave errors, range by range: *index begins at 0. Nothing is found in a map that
 * is coarse. ca_map_mark_mixed: the range before `index` gave none when it was tried again.
 */
uint64_t ca_map_failed_sectors(const struct ca_map *map);
int ca_map_sort(struct ca_map *map); /* before the walk. -ENOMEM */
bool ca_map_next_failed(const struct ca_map *map, size_t *index, uint64_t *ret_lba,
			uint64_t *ret_sectors);
bool ca_map_starts_lost(const struct ca_map *map); /* after ca_map_sort */
void ca_map_mark_mixed(struct ca_map *map, size_t index);
void ca_map_note_edge(struct ca_map *map, const struct ca_map_edge *edge);
/*
 * For showing while it grows: the device in equal parts, each a set of the bits below; 0, nothing
 * of it was looked at yet. Lives as long as the map.
 */
#define CA_MAP_STRIP_PARTS 64U
#define CA_MAP_STRIP_GOOD  1U /* something there is good */
#define CA_MAP_STRIP_BAD   2U /* something there is not */
const uint8_t *ca_map_strip(const struct ca_map *map);
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
	const uint8_t *strip; /* ca_map_strip; stays until ca_fill_run returns */
};

struct ca_fill_options {
	uint8_t secret[CA_SECRET_BYTES];
	uint8_t run_id[16];
	uint8_t device_id[16];
	uint64_t seed; /* order of the read back, places of landmarks */
	enum ca_cipher cipher;
	uint32_t request_bytes; /* 0 = 1 MiB */
	uint32_t queue_depth;	/* 0 = 4 */
	/* Bound of all buffers, 0 = 16 MiB; least 64 KiB. Requests, then the queue, yield to it. */
	uint32_t buffer_bytes;
	bool map_all; /* go on after proof of a fake */
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
	enum ca_reinit_kind reinit_kind; /* what that is; NONE: of the host, which cuts no power */
};

/*
 * Writes everything, flushes, drops caches, has the device begin anew where options say so, reads
 * everything back in another order, and fills in ret_capacity (runs owned by it: ca_evidence_done).
 * At checkpoints on the way it flushes and re-reads places that were not looked at before; stable
 * proof of a fake ends the writing, and what was written is read back to find the real size to the
 * sector. Where all came back, the beginning is written again as it is, and places near the end are
 * looked at once more: a memory may have held them. A card that errors, lies or vanishes is data: 0
 * is returned and `end` says what happened. Negative errno: our own failure, with what was seen so
 * far in ret_capacity.
 */
int ca_fill_run(struct ca_device *device, const struct ca_fill_options *options,
		struct ca_capacity_evidence *ret_capacity);

/* The largest write memory of a card that is reckoned with. What lies farther back is stored. */
#define CA_FILL_MEMORY_MAX CA_GIB
/* So much of the beginning is written twice where nothing wrong was found: about 1/32. */
uint64_t ca_fill_again_bytes(uint64_t announced_bytes, uint32_t sector_bytes);

/* ---- the restore journal (src/fill/journal.c) ------------------------------------------------ */

/*
 * What the probe is about to overwrite, kept in a file on another disk: a header that names the
 * card, records of the card's own data each with its checksum, and marks. A record counts once a
 * mark behind it is on the disk, and nothing is written to a place before that; so whatever moment
 * the machine stops at, every place that may hold test data has its record.
 */
#define CA_JOURNAL_RECORD_MAX (CA_MIB)

struct ca_journal_card {
	uint64_t announced_bytes;
	uint32_t sector_bytes;
	enum ca_cipher cipher; /* never AUTO */
	uint8_t secret[CA_SECRET_BYTES];
	uint8_t run_id[16], device_id[16];
	bool has_cid;
	uint8_t cid[16];
	char node[256], model[64], serial[64];
	uint64_t started_at; /* seconds since 1970 */
};

struct ca_journal;

/* Begins a journal in an empty file. `fd` is borrowed. -ENOMEM, -ENOSPC, -EIO ... */
int ca_journal_create(int fd, const struct ca_journal_card *card, struct ca_journal **ret_journal);
/*
 * Reads a journal, as hostile input: every size, place and checksum is checked, and places must not
 * overlap. Records behind the last mark are left out. -EBADMSG with error; -ENOMEM, -EIO.
 */
int ca_journal_open(int fd, struct ca_journal **ret_journal, struct ca_error *error);
void ca_journal_free(struct ca_journal *journal);

const struct ca_journal_card *ca_journal_card_of(const struct ca_journal *journal);
size_t ca_journal_count(const struct ca_journal *journal);
/* Records that the marks promise and the file no longer holds whole. */
uint64_t ca_journal_damaged(const struct ca_journal *journal);

/* Keeps the data of one place; small ones also in memory. It counts after ca_journal_sync. */
int ca_journal_save(struct ca_journal *journal, uint64_t offset, uint32_t bytes,
		    const uint8_t *data);
/* fdatasync, a mark, and fdatasync again. */
int ca_journal_sync(struct ca_journal *journal);
void ca_journal_place(const struct ca_journal *journal, size_t index, uint64_t *ret_offset,
		      uint32_t *ret_bytes);
/* The record that holds this byte; false = none. */
bool ca_journal_find(const struct ca_journal *journal, uint64_t offset, size_t *ret_index);
/* The data of one record, at most CA_JOURNAL_RECORD_MAX. -EBADMSG: it is not what was saved. */
int ca_journal_load(struct ca_journal *journal, size_t index, uint8_t *ret_data);

/* ---- the probe (src/fill/probe.c) ------------------------------------------------------------ */

enum ca_probe_phase {
	CA_PROBE_PHASE_SAVE,
	CA_PROBE_PHASE_WRITE,
	CA_PROBE_PHASE_LOOK, /* reads without having written there */
	CA_PROBE_PHASE_CHECK,
	CA_PROBE_PHASE_RESTORE,
	CA_PROBE_PHASE_VERIFY,
};

struct ca_probe_progress {
	enum ca_probe_phase phase;
	uint64_t done_bytes, total_bytes; /* of this phase; looking: of the card */
	uint64_t elapsed_ns;		  /* of this phase, device clock */
	uint64_t bad_samples;
};

/* What a probe of this card costs at most. */
struct ca_probe_cost {
	uint64_t run_bytes, samples, written_bytes, moved_bytes, reads, journal_bytes;
};
void ca_probe_cost_of(const struct ca_geometry *geometry, bool deep,
		      struct ca_probe_cost *ret_cost);

struct ca_probe_options {
	uint8_t secret[CA_SECRET_BYTES];
	uint8_t run_id[16];
	uint8_t device_id[16];
	uint64_t seed; /* places of samples, orders of reading */
	enum ca_cipher cipher;
	bool deep;		    /* a longer run: overruns larger caches */
	struct ca_journal *journal; /* empty, of the same secret, ids and cipher; borrowed */
	/*
	 * Called about ten times a second of device time; a nonzero return ends the probing, after
	 * which the data are put back all the same.
	 */
	int (*progress)(void *context, const struct ca_probe_progress *progress);
	void *progress_context;
};

/*
 * Saves the data of every place it will write to, writes there, looks for what a false size shows,
 * puts the data back and reads them again. What is guaranteed:
 *
 * - No place is written before its data are on the disk of the journal.
 * - On a card that keeps what is written to it, everything is as before afterwards, whatever ends
 *   the probing: success, proof, an interruption, errors of the card.
 * - On a fake that leads several addresses to one place too: everything is read before anything is
 *   written, so all saved copies of a place are alike, and in what is saved later test data is
 *   replaced by the data it stands for. The order of writing back is then of no matter; it is the
 *   reverse one.
 * - Not on a card where writing to one place pushes out what lies at an unrelated one. No reading
 *   before can know that; unrestored_bytes tells it afterwards.
 *
 * A card that errors, lies or vanishes is data: 0 is returned and `end` says what happened.
 * Negative errno: our own failure; the data were put back as far as that goes. journal_kept: not
 * all of the data are back, and the journal is still needed.
 */
int ca_probe_run(struct ca_device *device, const struct ca_probe_options *options,
		 struct ca_probe_evidence *ret_probe);

/* ---- restore (src/fill/restore.c) ------------------------------------------------------------ */

struct ca_restore_result {
	uint64_t same_sectors;	   /* were as saved */
	uint64_t put_back_sectors; /* held test data or could not be read, and are as saved now */
	uint64_t
		other_sectors; /* held neither: written since, or lost with the power; left alone */
	uint64_t failed_sectors; /* could not be put back */
	bool refused; /* no test data and other data: another card; nothing was written */
	bool lost;    /* the device went away */
};

/*
 * Puts back what a probe that was cut short left on the card. Reads every place of the journal
 * first; writes only sectors that hold this run's test data or cannot be read; reads them again.
 * Negative errno: our own failure.
 */
int ca_restore_run(struct ca_device *device, struct ca_journal *journal,
		   void (*progress)(void *context, const struct ca_probe_progress *progress),
		   void *progress_context, struct ca_restore_result *ret_result);

#endif
