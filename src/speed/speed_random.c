/* SPDX-License-Identifier: BSD-2-Clause */
#include "speed_engine.h"

#include <errno.h>
#include <stdlib.h>

struct random_places {
	uint64_t offset, blocks, left;
	bool bounded;
	uint64_t rng;
};

static bool next_random(struct ca_speed_engine *engine, uint64_t *ret_offset, uint32_t *ret_bytes)
{
	struct random_places *places = engine->context;

	if (places->bounded && places->left-- == 0)
		return false;
	*ret_offset =
		places->offset + ca_rng_below(&places->rng, places->blocks) * engine->block_bytes;
	*ret_bytes = engine->block_bytes;
	return true;
}

int ca_speed_random_run(struct ca_device *device, const struct ca_speed_random_plan *plan,
			const struct ca_speed_options *options, struct ca_speed_random *ret,
			bool *ret_gone, bool *ret_interrupted)
{
	struct random_places places = {
		.offset = plan->range_offset,
		.left = plan->max_operations,
		.bounded = plan->max_operations > 0,
		.rng = options->seed ^ (plan->write ? UINT64_C(0x77726974) : 0),
	};
	CA_CLEANUP_FREE struct ca_speed_engine *engine = NULL;
	int r;

	if (plan->block_bytes == 0 || plan->block_bytes % device->geometry.sector_bytes ||
	    plan->range_bytes < plan->block_bytes || plan->range_offset > device->geometry.bytes ||
	    plan->range_bytes > device->geometry.bytes - plan->range_offset ||
	    (plan->duration_ns == 0 && plan->max_operations == 0))
		return -EINVAL;
	places.blocks = plan->range_bytes / plan->block_bytes;
	engine = calloc(1, sizeof(*engine)); /* the histogram is too large for the stack */
	if (!engine)
		return -ENOMEM;
	engine->device = device;
	engine->options = options;
	engine->what = plan->write ? "random write" : "random read";
	engine->write = plan->write;
	engine->block_bytes = plan->block_bytes;
	engine->queue_depth = plan->queue_depth;
	engine->duration_ns = plan->duration_ns;
	engine->total_bytes = plan->max_operations * plan->block_bytes;
	engine->next = next_random;
	engine->context = &places;
	r = ca_speed_engine_run(engine);
	if (r < 0)
		return r;
	*ret = (struct ca_speed_random){
		.write = plan->write,
		.queue_depth = engine->queue_depth,
		.range_bytes = plan->range_bytes,
		.block_bytes = plan->block_bytes,
		.duration_ns = engine->elapsed_ns,
		.operations = engine->operations,
		.errors = engine->errors,
		.latency = engine->latency,
	};
	if (engine->elapsed_ns > 0)
		ret->milliiops = ca_speed_scale(engine->operations, 1000 * CA_NS_PER_SECOND,
						engine->elapsed_ns);
	*ret_gone = engine->gone;
	*ret_interrupted = engine->interrupted;
	return 0;
}

int ca_speed_random(struct ca_device *device, const struct ca_speed_random_plan *plan,
		    const struct ca_speed_options *options, struct ca_speed_random *ret,
		    bool *ret_gone)
{
	bool interrupted;

	return ca_speed_random_run(device, plan, options, ret, ret_gone, &interrupted);
}
