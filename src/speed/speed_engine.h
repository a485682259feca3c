/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * speed_engine: keeps a number of transfers in flight, wherever the caller's `next` puts them, and
 * counts what completes on the device's clock.
 */
#ifndef CA_SPEED_ENGINE_H
#define CA_SPEED_ENGINE_H

#include "cardassay/speed.h"
#include "histogram.h"

/* Slowest of the consecutive stretches of at least `bytes`, by completion. */
struct ca_speed_window {
	uint64_t bytes; /* 0 = not wanted */
	uint64_t done, started_ns;
	uint64_t min_rate; /* B/s, 0 = none complete yet */
};

#define CA_SPEED_WINDOWS 2U

struct ca_speed_engine {
	/* asked for */
	struct ca_device *device;
	const struct ca_speed_options *options;
	const char *what;
	bool write;
	uint32_t block_bytes, queue_depth;
	uint64_t duration_ns; /* 0 = until `next` ends */
	uint64_t total_bytes; /* for progress, where there is no duration */
	/* a timed run is averaged to its last completion: where few large transfers fit into it */
	bool to_last;
	/* The next place; false = no more. */
	bool (*next)(struct ca_speed_engine *engine, uint64_t *ret_offset, uint32_t *ret_bytes);
	void *context; /* of next */
	struct ca_speed_window windows[CA_SPEED_WINDOWS];

	/* found */
	uint64_t operations, bytes, errors; /* completed in time */
	uint64_t elapsed_ns;
	struct ca_latency latency;
	bool gone, interrupted;

	/* the engine's own */
	struct ca_histogram histogram;
	struct ca_io *slots;
	struct ca_io **idle;
	uint32_t idle_count;
	uint8_t *memory;
	uint64_t rng;
	/* now: of the last completion, so that a transfer costs two looks at the clock, no more */
	uint64_t started_ns, now_ns, last_ns, told_ns;
	uint64_t late_operations, late_bytes; /* completed after the duration */
	uint64_t errors_in_a_row;
	bool ended;
};

/* 0 with the figures filled in, or a negative errno of our own failure. */
int ca_speed_engine_run(struct ca_speed_engine *engine);

/* a x b / c, saturating; c > 0 */
uint64_t ca_speed_scale(uint64_t a, uint64_t b, uint64_t c);

/* ca_speed_sequential with a second window, and any alignment that the device can do. */
struct ca_speed_pass {
	const char *what;
	struct ca_speed_sequential_plan plan;
	uint64_t second_window_bytes; /* 0 = none */
};
int ca_speed_pass_run(struct ca_device *device, const struct ca_speed_pass *pass,
		      const struct ca_speed_options *options, struct ca_speed_sequential *ret,
		      uint64_t *ret_second_min, bool *ret_gone, bool *ret_interrupted);
int ca_speed_random_run(struct ca_device *device, const struct ca_speed_random_plan *plan,
			const struct ca_speed_options *options, struct ca_speed_random *ret,
			bool *ret_gone, bool *ret_interrupted);

#endif
