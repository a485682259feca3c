/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probe_job: the state of one probe, shared by its files.
 *
 *   probe_plan.c   which places
 *   probe_io.c     transfers, retries, progress, loss of the device
 *   probe_save.c   the card's own data into the journal
 *   probe_write.c  test data to the samples and the run; traffic that overruns caches
 *   probe_look.c   what a place holds
 *   probe_check.c  the samples again, and how much traffic hides a loss
 *   probe_alias.c  images of the run at addresses never written
 *   probe_edge.c   where a loss begins, to the sector
 *   probe_back.c   the card's own data back, and verified
 *   probe_end.c    what it all says
 *   probe.c        the order of all this
 *
 * Functions return 0 or a negative errno of our own. What the card did ends the probing through
 * job->end; every loop looks at ca_probe_is_over. Putting back goes on until the device is lost.
 *
 * Clocks: `written` counts every byte written to the card. The distance of a sample is what was
 * written since it was: a loss that a cache hides shows once the distance is larger than the cache.
 */
#ifndef CA_FILL_PROBE_JOB_H
#define CA_FILL_PROBE_JOB_H

#include "cardassay/fill.h"

/* A sample: what flash cards write at least as a whole anyway. */
#define CA_PROBE_UNIT	      4096U
#define CA_PROBE_UNIT_SECTORS (CA_PROBE_UNIT / CA_SECTOR_BYTES)
#define CA_PROBE_CHUNK	      ((uint32_t)CA_MIB)
#define CA_PROBE_TRAFFIC      65536U /* caches are sized in steps of this */
/* Bounds the memory; a plan has some 1,200. */
#define CA_PROBE_PLACES_MAX 8192U

struct ca_probe_place {
	uint64_t offset;
	uint32_t bytes;
	bool random; /* of the strata: counts for the share that was missed */
	bool at_end; /* of the cluster before the end */
	bool in_run; /* saved and written with the run */
	bool saved, written;
	bool looked; /* class_of and first_bad say how it was the last time */
	bool fresh;  /* not looked at since it was written */
	bool unstable;
	enum ca_sector_class class_of;
	uint32_t first_bad;  /* byte of it */
	uint32_t first_lost; /* the same, of what is no alias; UINT32_MAX = none of it */
	uint64_t written_at;
	uint64_t good_distance; /* the largest at which it was good */
	size_t record;		/* of the journal, when saved and not of the run */
};

/* What one place held: the worst of its sectors. */
struct ca_probe_look {
	enum ca_sector_class class_of;
	bool unstable;
	bool one_block; /* every sector holds one and the same sector of this run */
	uint32_t first_bad, first_lost;
	int64_t delta;	    /* of the first alias, sectors; 0 = none */
	uint64_t alias_lba; /* of the place with it */
};

struct ca_probe_plan {
	uint64_t bytes; /* of the card, in whole logical sectors */
	uint64_t run_bytes, step_bytes;
	uint32_t strata, aligned; /* random places, and those on large boundaries */
	uint64_t extra_looks;
};

struct ca_probe_job {
	struct ca_device *device;
	const struct ca_probe_options *options;
	struct ca_probe_evidence *probe;
	struct ca_journal *journal;
	struct ca_pattern *pattern;
	struct ca_probe_plan plan;
	uint32_t sector_bytes, unit_bytes;
	uint64_t seed;

	struct ca_probe_place
		*places; /* the plan's in ascending order, then run checks and edges */
	size_t count, room, planned;
	uint8_t *data, *again, *expected, *saved; /* a chunk each */

	uint64_t written;
	bool touched;		 /* something was written, or tried */
	size_t run_first_record; /* of the journal: the run's records follow one another */
	uint64_t run_saved, run_forward, run_left; /* bytes: saved, written, still test data */
	uint64_t run_written;			   /* `written` when its last byte was */
	bool may_go_back;
	size_t loaded; /* record in `saved`, SIZE_MAX = none */

	struct ca_permutation order; /* of the planned places */
	uint64_t ladder_next;	     /* the next of them to look at while there is traffic */
	uint64_t samples_done;	     /* `written` when the last sample was */
	bool loss_seen, narrowed;
	bool loss_before;	  /* seen before the run was put back */
	uint64_t shown_distance;  /* the smallest that showed a loss */
	uint64_t hidden_distance; /* the largest that hid one */
	uint64_t least_distance;  /* of the last look at all samples */

	uint64_t distances_gcd; /* sectors, of all aliases; 0 = no alias */
	uint64_t modulus;	/* sectors, proved; 0 = none */
	/* A card that answers with the sector stored last where it has none: such sectors are lost.
	 */
	bool one_block;
	uint64_t images,
		same_images; /* aliases seen in one stretch, and those that hold same_lba */
	uint64_t same_lba;
	uint64_t last_found;   /* LBA that the last of them held */
	uint64_t fault_offset; /* where the last failed transfer failed */
	uint64_t refused;      /* good places that could not be put back: it takes no more writes */
	uint64_t errors;       /* places that gave errors */
	uint64_t least_error;  /* offset */

	enum ca_fill_end end; /* CA_FILL_NOT_RUN while the probing goes on */
	bool lost;	      /* the device does not answer any more: nothing can be put back */

	enum ca_probe_phase phase;
	uint64_t phase_done, phase_total, phase_started_ns, told_ns, started_ns, bad_samples;
};

/* `written` when this byte of the run was written, or later. */
static inline uint64_t ca_probe_run_written_at(const struct ca_probe_job *job, uint64_t offset)
{
	return job->run_written - (job->run_forward - offset);
}

static inline bool ca_probe_is_over(const struct ca_probe_job *job)
{
	return job->end != CA_FILL_NOT_RUN;
}

/* ---- probe_plan.c */

void ca_probe_plan_of(const struct ca_geometry *geometry, bool deep,
		      struct ca_probe_plan *ret_plan);
/* -ENOMEM */
int ca_probe_plan_places(struct ca_probe_job *job);
/* A new place at the end of the list; NULL without memory or room. */
struct ca_probe_place *ca_probe_add_place(struct ca_probe_job *job, uint64_t offset,
					  uint32_t bytes);

/* ---- probe_io.c */

void ca_probe_phase_enter(struct ca_probe_job *job, enum ca_probe_phase phase, uint64_t total);
void ca_probe_advance_phase(struct ca_probe_job *job, uint64_t bytes);
void ca_probe_lose(struct ca_probe_job *job, enum ca_fill_end end, const char *doing, int error,
		   uint64_t offset);
/* Tries three times. ERROR: it stays so, and the device is still there; GONE: the job is over. */
int ca_probe_read(struct ca_probe_job *job, uint64_t offset, uint64_t bytes, void *buffer,
		  enum ca_io_status *ret_status);
int ca_probe_write(struct ca_probe_job *job, uint64_t offset, uint64_t bytes, const void *data,
		   enum ca_io_status *ret_status);
/*
 * Each error can cost seconds. After many of them most places above the lowest are left out; the
 * others tell whether anything up there answers.
 */
bool ca_probe_is_left_out(const struct ca_probe_job *job, const struct ca_probe_place *place);
/* Where in this range the last failed transfer failed; all before it was moved. */
uint32_t ca_probe_fault_at(const struct ca_probe_job *job, uint64_t offset, uint32_t bytes);
/* A place whose transfer failed just now: it is as bad as that class says. */
void ca_probe_note_failed(struct ca_probe_job *job, struct ca_probe_place *place,
			  enum ca_sector_class class_of);
/* What was written is to be read from the device: flush, and drop what the host has of it. */
int ca_probe_settle(struct ca_probe_job *job);

/* ---- probe_save.c */

int ca_probe_save_all(struct ca_probe_job *job);
/* One place, read now; its record counts after ca_journal_sync. A place that cannot be read is
 * left unsaved and its class says so. */
int ca_probe_save_place(struct ca_probe_job *job, struct ca_probe_place *place);

/* ---- probe_write.c */

int ca_probe_write_samples(struct ca_probe_job *job);
int ca_probe_write_place(struct ca_probe_job *job, struct ca_probe_place *place);
/*
 * Writes places of the run that are test data already once more, here and there: a card may have
 * memory of its own for small writes, which long ones in a row pass by.
 */
int ca_probe_write_apart(struct ca_probe_job *job, uint64_t count);
/* Writes at most so many bytes of the run, or puts them back once that is allowed; 0 = all of it
 * is done. */
int ca_probe_traffic(struct ca_probe_job *job, uint64_t bytes, uint64_t *ret_moved);
/* Traffic that is left. */
uint64_t ca_probe_traffic_left(const struct ca_probe_job *job);

/* ---- probe_look.c */

/* A place that was written. Reads a second time what differs. */
int ca_probe_look_at(struct ca_probe_job *job, uint64_t offset, uint32_t bytes,
		     struct ca_probe_look *ret_look);
/* A place that was not: is there what this run wrote elsewhere? Only aliases are told. */
int ca_probe_peek_at(struct ca_probe_job *job, uint64_t offset, uint32_t bytes,
		     struct ca_probe_look *ret_look);
bool ca_probe_is_error(enum ca_sector_class class_of);
/* Lost, or an error: not there. Overwritten by another write of this run is neither. */
bool ca_probe_is_lost(const struct ca_probe_job *job, enum ca_sector_class class_of);

/* ---- probe_check.c */

int ca_probe_check_place(struct ca_probe_job *job, struct ca_probe_place *place);
/* Distance that surely overruns the cache, as far as losses have shown it; 0 = no loss was seen. */
uint64_t ca_probe_overrun(const struct ca_probe_job *job);
/* Writes the run, or puts it back, and looks at some samples after growing distances. */
int ca_probe_flow(struct ca_probe_job *job);
/* Looks at a few samples that were not looked at before, where losses are likely. */
int ca_probe_check_some(struct ca_probe_job *job);
/* Looks at every sample, in a seeded order. */
int ca_probe_check_all(struct ca_probe_job *job);
/* Some places of the run itself. */
int ca_probe_check_run(struct ca_probe_job *job);

/* ---- probe_alias.c */

int ca_probe_find_images(struct ca_probe_job *job);
void ca_probe_note_alias(struct ca_probe_job *job, uint64_t offset,
			 const struct ca_probe_look *look);

/* ---- probe_edge.c */

/* An address, folded by the modulus where there is one. */
uint64_t ca_probe_fold(const struct ca_probe_job *job, uint64_t offset);
/* A sample whose address leads to the run: once that is put back, the sample holds the card's own
 * data, and is overwritten rather than lost. */
bool ca_probe_is_under_run(const struct ca_probe_job *job, const struct ca_probe_place *place);
/* Ends of what is there and begin of what is lost, folded. False: they are mixed, or none is
 * lost. */
bool ca_probe_find_bracket(const struct ca_probe_job *job, uint64_t *ret_least, uint64_t *ret_most);
/* Narrows it to one sector, as far as traffic lasts. */
int ca_probe_narrow(struct ca_probe_job *job);
/* Is the last sector below the modulus there, or lost, as in a chain? */
int ca_probe_ask_below_modulus(struct ca_probe_job *job);
/* Looks once more at the places it wrote for that. */
int ca_probe_check_written(struct ca_probe_job *job);

/* ---- probe_back.c */

int ca_probe_put_back(struct ca_probe_job *job);

/* ---- probe_end.c */

void ca_probe_conclude(struct ca_probe_job *job);

#endif
