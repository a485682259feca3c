/* SPDX-License-Identifier: BSD-2-Clause */
#include "speed_place.h"

#include <stdlib.h>

bool ca_speed_place_next(struct ca_speed_engine *engine, uint64_t *ret_offset, uint32_t *ret_bytes)
{
	struct ca_speed_places *places = engine->context;
	uint64_t block;

	if (places->bounded && places->left-- == 0)
		return false;
	if (places->random) {
		block = ca_rng_below(&places->rng, places->blocks);
	} else {
		block = places->at;
		places->at = block + 1 < places->blocks ? block + 1 : 0;
	}
	*ret_offset = places->offset + block * engine->block_bytes;
	*ret_bytes = engine->block_bytes;
	return true;
}

struct ca_speed_engine *ca_speed_place_engine(struct ca_device *device,
					      const struct ca_speed_options *options,
					      struct ca_speed_places *places)
{
	/* the histogram is too large for the stack */
	struct ca_speed_engine *engine = calloc(1, sizeof(*engine));

	if (!engine)
		return NULL;
	engine->device = device;
	engine->options = options;
	engine->next = ca_speed_place_next;
	engine->context = places;
	engine->to_last = true;
	return engine;
}

int ca_speed_place_run(struct ca_speed_engine *engine)
{
	engine->operations = engine->bytes = engine->errors = engine->elapsed_ns = 0;
	engine->late_operations = engine->late_bytes = engine->errors_in_a_row = 0;
	engine->last_ns = 0;
	engine->idle_count = 0;
	engine->ended = false;
	return ca_speed_engine_run(engine);
}

uint64_t ca_speed_place_rate(const struct ca_speed_engine *engine)
{
	/* one ns in favour of the device, as for every sequential figure */
	if (engine->elapsed_ns <= 1)
		return 0;
	return ca_speed_scale(engine->bytes, CA_NS_PER_SECOND, engine->elapsed_ns - 1);
}
