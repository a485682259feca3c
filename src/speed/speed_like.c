/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What other tools measure, as they do it. Where each goes (the page cache or past it), in which
 * pieces, how much, and what is within the time it counts decides about its figure, not the
 * program.
 */
#include "speed_place.h"

#include <errno.h>
#include <stdlib.h>

#define OWN_NS	     (3 * CA_NS_PER_SECOND) /* of our figure beside each */
#define DEVICE_BYTES UINT64_MAX

/* How a tool does one of its measurements. */
static const struct recipe {
	enum ca_like_tool tool;
	enum ca_like_part part;
	bool write, random;
	bool fresh;   /* what the host holds of the device is dropped first */
	bool flushed; /* the time ends when the data have left the host */
	uint32_t block_bytes, queue_depth;
	uint64_t range_bytes;
	uint64_t duration_ns;	 /* 0 = until all was moved once */
	uint64_t max_operations; /* beside a duration, at most the range once; 0 = none */
	const char *what;
} recipes[] = {
	/* the same two MiB again and again, then in order for three seconds: hdparm(8), -T and -t
	 */
	{CA_LIKE_HDPARM, CA_LIKE_HDPARM_CACHED, false, false, false, false, 2 << 20, 1, 2 << 20,
	 2 * CA_NS_PER_SECOND, 0, "as hdparm -T"},
	{CA_LIKE_HDPARM, CA_LIKE_HDPARM_BUFFERED, false, false, true, false, 2 << 20, 1,
	 DEVICE_BYTES, 3 * CA_NS_PER_SECOND, UINT64_MAX, "as hdparm -t"},
	/* bs=500K count=1024, the common call, neither direct nor flushed */
	{CA_LIKE_DD, CA_LIKE_DD_WRITE, true, false, true, false, 512000, 1, 1024 * UINT64_C(512000),
	 0, 0, "as dd writes"},
	{CA_LIKE_DD, CA_LIKE_DD_READ, false, false, false, false, 512000, 1,
	 1024 * UINT64_C(512000), 0, 0, "as dd reads"},
	/* iozone -e -I -s 256M -r 4k -i 0 -i 2: direct, the flush within the time */
	{CA_LIKE_IOZONE, CA_LIKE_IOZONE_WRITE, true, false, false, true, 4096, 1, 256 * CA_MIB, 0,
	 0, "as iozone writes"},
	{CA_LIKE_IOZONE, CA_LIKE_IOZONE_REWRITE, true, false, false, true, 4096, 1, 256 * CA_MIB, 0,
	 0, "as iozone writes again"},
	{CA_LIKE_IOZONE, CA_LIKE_IOZONE_RANDOM_READ, false, true, false, false, 4096, 1,
	 256 * CA_MIB, 0, 0, "as iozone reads at random"},
	{CA_LIKE_IOZONE, CA_LIKE_IOZONE_RANDOM_WRITE, true, true, false, true, 4096, 1,
	 256 * CA_MIB, 0, 0, "as iozone writes at random"},
	/* sdtest.sh of Raspberry Pi's diagnostics, its sd_bench.fio: 64 MiB, depth 4, ten seconds
	 */
	{CA_LIKE_SDTEST, CA_LIKE_SDTEST_WRITE, true, false, false, false, 512 << 10, 4, 64 * CA_MIB,
	 0, 0, "as sdtest writes"},
	{CA_LIKE_SDTEST, CA_LIKE_SDTEST_RANDOM_WRITE, true, true, false, false, 4096, 4,
	 64 * CA_MIB, 10 * CA_NS_PER_SECOND, 64 * CA_MIB / 4096, "as sdtest writes at random"},
	{CA_LIKE_SDTEST, CA_LIKE_SDTEST_RANDOM_READ, false, true, false, false, 4096, 4,
	 64 * CA_MIB, 10 * CA_NS_PER_SECOND, 64 * CA_MIB / 4096, "as sdtest reads at random"},
};

struct like_run {
	struct ca_device *device, *cached;
	const struct ca_speed_options *options;
	struct ca_survey_evidence *survey;
	bool gone;
};

bool ca_like_tool_writes(enum ca_like_tool tool)
{
	return tool != CA_LIKE_HDPARM;
}

bool ca_like_tool_is_cached(enum ca_like_tool tool)
{
	return tool == CA_LIKE_HDPARM || tool == CA_LIKE_DD;
}

static bool is_over(const struct like_run *run)
{
	return run->gone || run->survey->interrupted;
}

static int flush(struct like_run *run, struct ca_device *device)
{
	struct ca_io_fault fault = {.status = CA_IO_OK};
	int r = ca_device_flush(device, &fault);

	if (r == 0 && fault.status == CA_IO_GONE)
		run->gone = true;
	return r;
}

static uint64_t range_of(const struct like_run *run, const struct recipe *recipe)
{
	uint64_t bytes = run->device->geometry.bytes;

	bytes = recipe->range_bytes < bytes ? recipe->range_bytes : bytes;
	return bytes / recipe->block_bytes * recipe->block_bytes;
}

static void set_up(struct ca_speed_engine *engine, const struct recipe *recipe, uint64_t range,
		   struct ca_speed_places *places)
{
	uint64_t blocks = range / recipe->block_bytes;

	engine->what = recipe->what;
	engine->write = recipe->write;
	engine->block_bytes = recipe->block_bytes;
	engine->queue_depth = recipe->queue_depth;
	engine->duration_ns = recipe->duration_ns;
	engine->total_bytes = range;
	places->random = recipe->random;
	places->blocks = blocks;
	places->bounded = recipe->duration_ns == 0 || recipe->max_operations > 0;
	places->left = recipe->max_operations && recipe->max_operations < blocks
			       ? recipe->max_operations
			       : blocks;
}

/* Their way. The engine's time ends with the last transfer; a flush that counts is added to it. */
static int measure_theirs(struct like_run *run, const struct recipe *recipe,
			  struct ca_survey_like *like)
{
	struct ca_device *device = run->cached ? run->cached : run->device;
	struct ca_speed_places places = {.rng = run->options->seed ^ recipe->part};
	CA_CLEANUP_FREE struct ca_speed_engine *engine =
		ca_speed_place_engine(device, run->options, &places);
	uint64_t before;
	int r;

	if (!engine)
		return -ENOMEM;
	set_up(engine, recipe, range_of(run, recipe), &places);
	r = recipe->fresh ? ca_device_drop_cache(device) : 0;
	if (r == 0)
		r = ca_speed_place_run(engine);
	if (r < 0)
		return r;
	run->gone = run->gone || engine->gone;
	if (engine->interrupted)
		run->survey->interrupted = true;
	before = ca_clock_now_ns(device->clock);
	if (recipe->flushed && !is_over(run))
		r = flush(run, device);
	if (recipe->flushed)
		engine->elapsed_ns += ca_clock_now_ns(device->clock) - before;
	like->queue_depth = engine->queue_depth;
	like->total_bytes = engine->bytes;
	like->duration_ns = engine->elapsed_ns;
	like->errors = engine->errors;
	like->bytes_per_second = ca_speed_place_rate(engine);
	return r;
}

/* Ours: the same access past the page cache, one at a time, for some seconds. */
static int measure_own(struct like_run *run, const struct recipe *recipe,
		       struct ca_survey_like *like)
{
	struct ca_speed_places places = {.rng = run->options->seed ^ UINT64_C(0x6f776e)};
	CA_CLEANUP_FREE struct ca_speed_engine *engine =
		ca_speed_place_engine(run->device, run->options, &places);
	int r;

	if (!engine)
		return -ENOMEM;
	set_up(engine, recipe, range_of(run, recipe), &places);
	engine->what = "the same our way";
	engine->queue_depth = 1;
	engine->duration_ns = OWN_NS;
	places.bounded = false;
	r = ca_speed_place_run(engine);
	if (r < 0)
		return r;
	run->gone = run->gone || engine->gone;
	if (engine->interrupted)
		run->survey->interrupted = true;
	like->own_bytes_per_second = ca_speed_place_rate(engine);
	return recipe->write && !is_over(run) ? flush(run, run->device) : 0;
}

/* What is read must have been written, and be where the tool would find it. */
static int prepare(struct like_run *run, enum ca_like_tool tool)
{
	static const struct recipe file = {.write = true,
					   .block_bytes = 512 << 10,
					   .queue_depth = 4,
					   .range_bytes = 64 * CA_MIB,
					   .what = "preparing the file of sdtest"};
	struct ca_survey_like unused = {.part = CA_LIKE_SDTEST_WRITE};

	return tool == CA_LIKE_SDTEST ? measure_theirs(run, &file, &unused) : 0;
}

static int measure_part(struct like_run *run, const struct recipe *recipe)
{
	struct ca_survey_evidence *survey = run->survey;
	struct ca_survey_like *like = &survey->likes[survey->like_count];
	int r;

	*like = (struct ca_survey_like){
		.part = recipe->part,
		.write = recipe->write,
		.random = recipe->random,
		.page_cache = run->cached != NULL,
		.block_bytes = recipe->block_bytes,
	};
	r = measure_theirs(run, recipe, like);
	if (r == 0)
		survey->like_count++;
	return r;
}

int ca_speed_run_like(struct ca_device *device, struct ca_device *cached, enum ca_like_tool tool,
		      const struct ca_speed_options *options, struct ca_survey_evidence *survey,
		      bool *ret_gone)
{
	struct like_run run = {
		.device = device, .cached = cached, .options = options, .survey = survey};
	unsigned int first = survey->like_count;
	int r;

	if (device->geometry.bytes < 4 * CA_MIB)
		return -EINVAL;
	r = prepare(&run, tool);
	for (size_t i = 0; i < CA_ARRAY_LEN(recipes) && r == 0 && !is_over(&run); i++)
		if (recipes[i].tool == tool && survey->like_count < CA_SURVEY_LIKE_MAX)
			r = measure_part(&run, &recipes[i]);
	/* only now: the tool found the device as it expects it, and what it left has to leave */
	if (r == 0 && cached && ca_like_tool_writes(tool) && !is_over(&run))
		r = flush(&run, cached);
	for (unsigned int i = first; i < survey->like_count && r == 0 && !is_over(&run); i++)
		for (size_t j = 0; j < CA_ARRAY_LEN(recipes); j++)
			if (recipes[j].part == survey->likes[i].part)
				r = measure_own(&run, &recipes[j], &survey->likes[i]);
	*ret_gone = run.gone;
	return r;
}
