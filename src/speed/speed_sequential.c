/* SPDX-License-Identifier: BSD-2-Clause */
#include "speed_engine.h"

#include <errno.h>
#include <stdlib.h>

struct sequential_places {
	uint64_t next, end;
};

static bool next_sequential(struct ca_speed_engine *engine, uint64_t *ret_offset,
			    uint32_t *ret_bytes)
{
	struct sequential_places *places = engine->context;
	uint64_t left = places->end - places->next;

	if (left == 0)
		return false;
	*ret_offset = places->next;
	*ret_bytes = left < engine->block_bytes ? (uint32_t)left : engine->block_bytes;
	places->next += *ret_bytes;
	return true;
}

static bool fits(const struct ca_geometry *geometry, const struct ca_speed_sequential_plan *plan)
{
	uint32_t unit = geometry->sector_bytes;

	return plan->bytes > 0 && plan->request_bytes > 0 && plan->request_bytes % unit == 0 &&
	       plan->offset % unit == 0 && plan->bytes % unit == 0 &&
	       plan->offset <= geometry->bytes && plan->bytes <= geometry->bytes - plan->offset;
}

int ca_speed_pass_run(struct ca_device *device, const struct ca_speed_pass *pass,
		      const struct ca_speed_options *options, struct ca_speed_sequential *ret,
		      uint64_t *ret_second_min, bool *ret_gone, bool *ret_interrupted)
{
	const struct ca_speed_sequential_plan *plan = &pass->plan;
	struct sequential_places places = {.next = plan->offset, .end = plan->offset + plan->bytes};
	CA_CLEANUP_FREE struct ca_speed_engine *engine = NULL;
	int r;

	if (!fits(&device->geometry, plan))
		return -EINVAL;
	engine = calloc(1, sizeof(*engine)); /* the histogram is too large for the stack */
	if (!engine)
		return -ENOMEM;
	engine->device = device;
	engine->options = options;
	engine->what = pass->what;
	engine->write = plan->write;
	engine->block_bytes = plan->request_bytes;
	engine->queue_depth = plan->queue_depth;
	engine->total_bytes = plan->bytes;
	engine->next = next_sequential;
	engine->context = &places;
	engine->windows[0].bytes = plan->window_bytes;
	engine->windows[1].bytes = pass->second_window_bytes;
	r = ca_speed_engine_run(engine);
	if (r < 0)
		return r;
	*ret = (struct ca_speed_sequential){
		.write = plan->write,
		.min_window_bytes_per_second = engine->windows[0].min_rate,
		.window_bytes = plan->window_bytes,
		.request_bytes = plan->request_bytes,
		.total_bytes = engine->bytes,
		.offset = plan->offset,
		.duration_ns = engine->elapsed_ns,
		.errors = engine->errors,
		.queue_depth = engine->queue_depth,
		.latency = engine->latency,
	};
	/* one ns in favour of the card, as for its windows */
	if (engine->elapsed_ns > 1)
		ret->bytes_per_second =
			ca_speed_scale(engine->bytes, CA_NS_PER_SECOND, engine->elapsed_ns - 1);
	*ret_second_min = engine->windows[1].min_rate;
	*ret_gone = engine->gone;
	*ret_interrupted = engine->interrupted;
	return 0;
}

int ca_speed_sequential(struct ca_device *device, const struct ca_speed_sequential_plan *plan,
			const struct ca_speed_options *options, struct ca_speed_sequential *ret,
			bool *ret_gone)
{
	struct ca_speed_pass pass = {.what = plan->write ? "sequential write" : "sequential read",
				     .plan = *plan};
	uint64_t second;
	bool interrupted;

	return ca_speed_pass_run(device, &pass, options, ret, &second, ret_gone, &interrupted);
}
