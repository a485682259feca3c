/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * speed: one engine on the device's clock: random 4 KiB and sequential transfers at any queue
 * depth. It measures and never judges. S 4.16 (application class), 4.13 (speed, UHS, video class).
 */
#ifndef CARDASSAY_SPEED_H
#define CARDASSAY_SPEED_H

#include "cardassay/device.h"
#include "cardassay/evidence.h"

struct ca_speed_progress {
	const char *what;     /* "random write" ... */
	uint64_t done, total; /* ns for timed runs, bytes for sequential ones */
	uint64_t operations, bytes, elapsed_ns;
	bool timed;    /* done and total are ns */
	bool finished; /* said once when the clock has stopped: what it costs, no figure pays */
	bool patient;  /* what begins now, an erase, may rightly be silent for minutes */
};

struct ca_speed_options {
	/* A nonzero return interrupts the run; the figure so far is delivered. */
	int (*progress)(void *context, const struct ca_speed_progress *progress);
	void *progress_context;
	uint64_t seed;
	uint8_t fill_key[32]; /* seeds incompressible write data */
};

struct ca_speed_random_plan {
	bool write;
	uint64_t range_offset, range_bytes; /* the random unit: 256 MiB by S 4.16 */
	uint32_t block_bytes;		    /* 4096 */
	uint32_t queue_depth;		    /* >= 1; clipped to the device's maximum */
	uint64_t duration_ns;
	uint64_t max_operations; /* 0 = no bound */
};

struct ca_speed_sequential_plan {
	bool write;
	uint64_t offset, bytes; /* aligned to request_bytes */
	uint32_t request_bytes; /* 4 MiB (A class) or 512 KiB (RU) */
	uint32_t queue_depth;
	uint64_t window_bytes; /* the rule's window (AU, 4 MiB sub-unit, SU), 0 = none */
};

/*
 * Both return 0 with *ret filled in, or a negative errno of our own failure. Errors of the card are
 * counted in ret->errors; CA_IO_GONE ends the run (*ret_gone = true). Latency percentiles come from
 * a bounded histogram (at most 3 % wide buckets).
 */
int ca_speed_random(struct ca_device *device, const struct ca_speed_random_plan *plan,
		    const struct ca_speed_options *options, struct ca_speed_random *ret,
		    bool *ret_gone);
int ca_speed_sequential(struct ca_device *device, const struct ca_speed_sequential_plan *plan,
			const struct ca_speed_options *options, struct ca_speed_sequential *ret,
			bool *ret_gone);

/* What a class run does; see ca_speed_plan_classes. */
struct ca_speed_class_plan {
	uint64_t random_ns;	   /* each of write and read: 600 s by the rule */
	uint64_t sequential_bytes; /* A class window: 1 GiB by the rule, clipped to the device */
	uint32_t
		deep_queue; /* random figures are taken at depth 1 and, where this is more, at it */
	/* Window of the C and U classes; 4 MiB where the AU is unknown or larger. */
	uint64_t au_bytes;
	uint64_t su_bytes; /* window of the V classes, 0 = no V class */
	/* Measured transfers begin at a multiple of this, where there is room: the card's AUs. */
	uint64_t align_bytes;
	/*
	 * Written just before the recording and not measured: a card that is not told of a
	 * recording may take a second more for its first AU (S 4.13.3). Left out where there is no
	 * room.
	 */
	uint64_t lead_bytes;
	uint32_t preconditioned_ppm; /* of the device, written sequentially just before */
	/*
	 * The rule's own course (S 4.16.2): the device is erased again and three quarters of it
	 * written before the random figures, and the recording comes last, in the erased quarter.
	 */
	bool by_rule;
	unsigned int windows; /* A class windows, each at a place of its own; 0 = 1 */
	bool announce;	      /* tell the card of the recording (CMD20) */
	bool full_erase;      /* by the card's own command, where it obeys */
};
#define CA_SPEED_WINDOWS_MAX 8U

/*
 * Has the device forget all, before anything is measured on it, and notes how in `speed`; an
 * earlier time that it could not counts on. Results as those below.
 */
int ca_speed_erase(struct ca_device *device, bool full_erase,
		   const struct ca_speed_options *options, struct ca_speed_evidence *speed,
		   bool *ret_gone);

/* A recording from `offset` on, `bytes` long at most, with updates of a file system between. */
struct ca_speed_recording_plan {
	uint64_t offset, bytes;
	uint32_t ru_bytes;
	bool announce;
};
#define CA_SPEED_UPDATES 64U
int ca_speed_record(struct ca_device *device, const struct ca_speed_recording_plan *plan,
		    const struct ca_speed_options *options, struct ca_speed_recording *ret,
		    bool *ret_gone, bool *ret_interrupted);

/*
 * The class measurements in the rule's order: sequential write 4 MiB, sequential write by RU with
 * the smallest window kept, random unit written, random write, random read (at depth 1, then at
 * the deep queue), sequential read.
 * Destroys data. Appends to `speed`.
 */
int ca_speed_run_classes(struct ca_device *device, const struct ca_speed_class_plan *plan,
			 const struct ca_speed_options *options, struct ca_speed_evidence *speed,
			 bool *ret_gone);

/* ---- the survey: what reviewers print -------------------------------------------------------- */

struct ca_speed_survey_plan {
	uint64_t run_ns;      /* of each of the runs of a cell */
	uint32_t queue_depth; /* >= 1; clipped to the device's maximum */
};

/*
 * Read, write, random read and random write in blocks of 4 KiB to 16 MiB, CA_SURVEY_RUNS runs each,
 * in a range that was written first; then the rates of places spread over the device, written and
 * read. Destroys data. Fills in `survey`, also where it ends early; results as those above.
 */
int ca_speed_run_survey(struct ca_device *device, const struct ca_speed_survey_plan *plan,
			const struct ca_speed_options *options, struct ca_survey_evidence *survey,
			bool *ret_gone);

enum ca_like_tool {
	CA_LIKE_HDPARM,
	CA_LIKE_DD,
	CA_LIKE_IOZONE,
	CA_LIKE_SDTEST,
};

bool ca_like_tool_writes(enum ca_like_tool tool);
/* Does the tool go through the memory of the host? */
bool ca_like_tool_is_cached(enum ca_like_tool tool);

/*
 * What the tool measures, the way it does, each beside the same access measured our way. `cached`
 * is the same device through the page cache, NULL where the tool goes past it. Data of the device
 * are destroyed where the tool writes. Appends to survey->likes.
 */
int ca_speed_run_like(struct ca_device *device, struct ca_device *cached, enum ca_like_tool tool,
		      const struct ca_speed_options *options, struct ca_survey_evidence *survey,
		      bool *ret_gone);

#endif
