/* SPDX-License-Identifier: BSD-2-Clause */
/* speed_place: where the transfers of the survey go: round a range in order, or anywhere in it. */
#ifndef CA_SPEED_PLACE_H
#define CA_SPEED_PLACE_H

#include "speed_engine.h"

struct ca_speed_places {
	bool random;
	uint64_t offset, blocks; /* the range, in blocks of the engine's size */
	uint64_t at;		 /* the next block in order */
	uint64_t left;		 /* transfers, where `bounded` */
	bool bounded;
	uint64_t rng;
};

/* `next` of an engine whose context is a ca_speed_places. */
bool ca_speed_place_next(struct ca_speed_engine *engine, uint64_t *ret_offset, uint32_t *ret_bytes);

/*
 * An engine on these places, to be run once or more: between two runs its counters are set back,
 * but not its histogram. The caller frees it. NULL: no memory.
 */
struct ca_speed_engine *ca_speed_place_engine(struct ca_device *device,
					      const struct ca_speed_options *options,
					      struct ca_speed_places *places);
int ca_speed_place_run(struct ca_speed_engine *engine);

/* B/s of the last run; 0 = nothing was moved. */
uint64_t ca_speed_place_rate(const struct ca_speed_engine *engine);

#endif
