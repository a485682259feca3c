/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fill_job: the state of one run, shared by writing, landmark checks and reading back.
 *
 * Functions return 0 or a negative errno of our own. What the card did ends the run through
 * job->end; every loop looks at ca_fill_is_over.
 */
#ifndef CA_FILL_JOB_H
#define CA_FILL_JOB_H

#include "crew.h"

/* Compared and classified at once: pattern and data stay in the cache. */
#define CA_FILL_PIECE_BYTES   65536U
#define CA_FILL_PIECE_SECTORS (CA_FILL_PIECE_BYTES / CA_SECTOR_BYTES)

struct ca_fill_range {
	uint64_t offset, bytes;
};

/* One transfer and the work on its chunk. The io comes first: a ca_io is its slot. */
struct ca_fill_slot {
	struct ca_io io;
	struct ca_crew_task task;
};

/* Places that are known to be bad and lie apart; three are as good as more. */
struct ca_fill_places {
	uint64_t at[3];
	unsigned int count;
};

struct ca_fill_verdict {
	enum ca_sector_class class_of;
	bool unstable;	 /* the two reads differed */
	bool lost_twice; /* and neither had anything to do with what was written */
	int64_t delta;
};

struct ca_fill_job {
	struct ca_device *device;
	const struct ca_fill_options *options;
	struct ca_capacity_evidence *capacity;
	struct ca_pattern *pattern;
	struct ca_crew *crew;
	struct ca_map *map;
	uint64_t bytes; /* announced, in whole logical sectors */
	uint32_t sector_bytes, request_bytes, queue_depth;

	uint8_t *memory; /* one request a slot, one for re-reading, one piece of pattern */
	struct ca_fill_slot *slots;
	struct ca_fill_slot **idle; /* stack of free slots */
	struct ca_io *landmarks;    /* CA_FILL_LANDMARKS reads of places to look at */
	struct ca_io **failed;	    /* room for sorting failed writes */
	/* ring of slots with posted work: to be written, or to be looked at */
	struct ca_fill_slot **posted;
	uint32_t slot_count, idle_count, in_flight, posted_first, posted_count;
	uint8_t *again;
	uint8_t *expected;

	struct ca_fill_range *unwritable; /* ascending, merged */
	size_t unwritable_count, unwritable_room;
	uint64_t written_to; /* everything below was tried */
	uint64_t bad_sectors;
	uint64_t restless_sectors; /* of the unstable ones: lost in both reads */
	uint64_t first_bad_lba;
	uint64_t good_offset; /* a sector that was read back right, 0 = none yet */

	uint64_t rated_to, rated_ns; /* the rate of writing is known up to here */
	uint64_t checkpoints;	     /* so many were made */
	struct ca_fill_places lost_pieces, lost_sectors;

	enum ca_fill_end end; /* CA_FILL_NOT_RUN while the run goes on */
	bool proof;	      /* stop writing, read back */

	enum ca_fill_phase phase;
	uint64_t phase_done, phase_total, phase_started_ns, phase_before_ns, told_ns;
};

static inline bool ca_fill_is_over(const struct ca_fill_job *job)
{
	return job->end != CA_FILL_NOT_RUN;
}

/* ---- fill_job.c */

int ca_fill_job_init(struct ca_fill_job *job);
void ca_fill_job_done(struct ca_fill_job *job);

/* Phases may be left and entered again; elapsed time adds up. _leave returns the time so far. */
void ca_fill_phase_enter(struct ca_fill_job *job, enum ca_fill_phase phase, uint64_t total_bytes,
			 uint64_t done_bytes, uint64_t before_ns);
uint64_t ca_fill_phase_leave(struct ca_fill_job *job);
/* Counts progress and tells the caller of the run about it, at most ten times a second. */
void ca_fill_advance(struct ca_fill_job *job, uint64_t bytes);
/* Tells it now. */
void ca_fill_tell(struct ca_fill_job *job);

/* Ends the run for a device that left or changed. */
void ca_fill_lose(struct ca_fill_job *job, enum ca_fill_end end, const char *doing, int error,
		  uint64_t offset);
/* After an I/O error: is it still the same card, and does it still answer? */
int ca_fill_check_device(struct ca_fill_job *job, const char *doing, uint64_t offset);
/* What failed is asked sector by sector, unless its first and its last sector both fail. */
int ca_fill_try_ends(struct ca_fill_job *job, enum ca_io_op op, const struct ca_io *io,
		     bool *ret_both_fail);
/* One attempt failed and the next did not: nothing is known to be lost, but it is not sound. */
void ca_fill_note_recovery(struct ca_fill_job *job, const struct ca_io *io);
/* Makes everything durable and the caches of the host empty. */
int ca_fill_settle(struct ca_fill_job *job);
/* Has the device begin anew, where the caller wants it and it can be done. */
int ca_fill_reinit(struct ca_fill_job *job);

/* ---- fill_queue.c: chunks on their way through the queue of the device and the crew.
 *
 * The order of all calls to the device follows from the calls below and from nothing else: not from
 * times, nor from the number of cores. */

/* More chunks than are in flight: made ahead, or read and not yet looked at. */
#define CA_FILL_AHEAD 4U
/* Small reads of one checkpoint that are in flight together. */
#define CA_FILL_LANDMARKS 32U

int ca_fill_queue_init(struct ca_fill_job *job);
/* Waits for all that is in flight before it lets go of the buffers. */
void ca_fill_queue_done(struct ca_fill_job *job);

bool ca_fill_has_idle(const struct ca_fill_job *job);
bool ca_fill_has_flight(const struct ca_fill_job *job);
bool ca_fill_can_submit(const struct ca_fill_job *job);

/* Writing: has a chunk made in an idle slot, and submits the one that was posted first. */
void ca_fill_post_write(struct ca_fill_job *job, uint64_t offset, uint64_t bytes);
int ca_fill_submit_posted(struct ca_fill_job *job);
/* Reading: submits an idle slot, and has what came back compared. */
int ca_fill_submit_read(struct ca_fill_job *job, uint64_t offset, uint64_t bytes);
void ca_fill_post_read(struct ca_fill_job *job, struct ca_io *io);
/* The slot posted first, its work done; the caller releases it. */
struct ca_io *ca_fill_take_posted(struct ca_fill_job *job);
/* Of a slot taken so: was it what had been written there? */
bool ca_fill_was_intact(const struct ca_io *io);
/* Forgets what was made and is not needed any more. */
void ca_fill_drop_posted(struct ca_fill_job *job);

/* Chunks of a range, made, submitted and waited for in turn. */
struct ca_fill_writes {
	uint64_t *submitted_to; /* offset: from where on, and how far it came */
	uint64_t limit;
	bool stop; /* no more is submitted; what is in flight is waited for */
	/* Every transfer comes here, and is released there. */
	int (*complete)(struct ca_fill_job *job, struct ca_fill_writes *writes, struct ca_io *io);
};
/* Nothing is in flight afterwards, unless it fails. */
int ca_fill_write_range(struct ca_fill_job *job, struct ca_fill_writes *writes);

/* Waits for one transfer, which the caller releases. */
int ca_fill_wait(struct ca_fill_job *job, struct ca_io **ret_io);
void ca_fill_release(struct ca_fill_job *job, struct ca_io *io);

/* ---- fill_write.c */

/* Writes from job->written_to up to `limit`; nothing is in flight afterwards. */
int ca_fill_write_until(struct ca_fill_job *job, uint64_t limit);
/* The first unwritable range that ends behind `offset`; NULL when there is none. */
const struct ca_fill_range *ca_fill_next_unwritable(const struct ca_fill_job *job, uint64_t offset);

/* ---- compare.c */

/* Is this, of any length, what was written there? */
bool ca_fill_is_intact(struct ca_fill_job *job, uint64_t offset, uint64_t bytes,
		       const uint8_t *data);
/* At most one piece; `again` is a second read, or NULL. Leaves the pattern in job->expected. */
void ca_fill_judge_piece(struct ca_fill_job *job, uint64_t offset, uint64_t bytes,
			 const uint8_t *first, const uint8_t *again,
			 struct ca_fill_verdict *ret_verdicts);
/* Adds what was found intact to the map. */
int ca_fill_add_good(struct ca_fill_job *job, uint64_t offset, uint64_t bytes);
/* Reads again what differs from the pattern, and adds all of it to the map. */
int ca_fill_take_apart(struct ca_fill_job *job, uint64_t offset, uint64_t bytes,
		       const uint8_t *data);
/* Compares what was read with the pattern; one of the two above. */
int ca_fill_verify(struct ca_fill_job *job, uint64_t offset, uint64_t bytes, const uint8_t *data);
/* Adds a range that gave errors. */
int ca_fill_add_failed(struct ca_fill_job *job, uint64_t offset, uint64_t bytes,
		       enum ca_sector_class class_of);

/* ---- fill_edge.c */

/* Once all was read back: asks the card what the map leaves open, and notes it there. */
int ca_fill_ask_edge(struct ca_fill_job *job);

/* ---- fill_again.c */

/* Writes the first `bytes` again as they are. *ret_done: all of them, without an error. */
int ca_fill_write_again(struct ca_fill_job *job, uint64_t bytes, bool *ret_done);
/* One logical sector, read twice. *ret_class: lost in the same way both times, else GOOD. */
int ca_fill_ask_place(struct ca_fill_job *job, uint64_t offset, enum ca_sector_class *ret_class);
/* All came back: is that so still when other data were written? Else the map is corrected. */
int ca_fill_ask_hidden(struct ca_fill_job *job);
/* A few sectors gave errors: those that do not any more are counted as unstable. */
int ca_fill_ask_failed(struct ca_fill_job *job);

/* ---- landmarks.c */

/* Re-reads places among what was written; sets job->proof when the fault is proved. */
int ca_fill_check_landmarks(struct ca_fill_job *job);

/* ---- fill_read.c */

int ca_fill_read_back(struct ca_fill_job *job);

#endif
