/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe_job.h"

#include <errno.h>
#include <stdlib.h>

#define RUN_BYTES	(64 * CA_MIB)
#define RUN_BYTES_LARGE (128 * CA_MIB) /* above LARGE_CARD */
#define RUN_BYTES_DEEP	CA_GIB
#define LARGE_CARD	(64 * CA_GIB)
#define RUN_SHARE	4U /* of a small card the run is a quarter */
#define STRATA		768U
#define ALIGNED		256U
#define ALIGNED_TO	(4 * CA_MIB)
#define STEPS_MAX	12288U
#define LOOKS_LEAST	6144U
#define END_PLACES	32U
#define END_APART	65536U

static uint64_t choose_run(uint64_t bytes, bool deep)
{
	uint64_t run = bytes > LARGE_CARD ? RUN_BYTES_LARGE : RUN_BYTES;

	if (deep)
		run = RUN_BYTES_DEEP;
	if (run > bytes / RUN_SHARE)
		run = bytes / RUN_SHARE;
	return run - run % CA_PROBE_TRAFFIC;
}

/*
 * What of the run is still in a cache has no image yet: of a short run that may be half; of a
 * longer one a quarter, and an eighth on cards so large that it would take too many reads. Why
 * steps no longer than what has an image find every modulus: probe_alias.c.
 */
static uint64_t choose_step(uint64_t bytes, uint64_t run)
{
	uint64_t step = run > RUN_BYTES ? run / 4 * 3 : run / 2;

	if (step && bytes / step > STEPS_MAX)
		step = run / 8 * 7;
	return step - step % CA_PROBE_UNIT;
}

void ca_probe_plan_of(const struct ca_geometry *geometry, bool deep, struct ca_probe_plan *ret_plan)
{
	uint64_t bytes = geometry->bytes - geometry->bytes % geometry->sector_bytes;
	uint64_t units = bytes / CA_PROBE_UNIT;
	struct ca_probe_plan plan = {.bytes = bytes};

	plan.run_bytes = choose_run(bytes, deep);
	plan.step_bytes = choose_step(bytes, plan.run_bytes);
	plan.strata = units < STRATA ? (uint32_t)units : STRATA;
	plan.aligned = ALIGNED;
	plan.extra_looks = LOOKS_LEAST;
	if (plan.step_bytes)
		plan.extra_looks -= bytes / plan.step_bytes < LOOKS_LEAST ? bytes / plan.step_bytes
									  : LOOKS_LEAST;
	if (plan.extra_looks > units / 16)
		plan.extra_looks = units / 16;
	*ret_plan = plan;
}

void ca_probe_cost_of(const struct ca_geometry *geometry, bool deep, struct ca_probe_cost *ret_cost)
{
	struct ca_probe_plan plan;
	struct ca_probe_cost cost = {0};
	uint64_t sample_bytes;

	ca_probe_plan_of(geometry, deep, &plan);
	cost.run_bytes = plan.run_bytes;
	cost.samples = plan.strata + plan.aligned + END_PLACES + 128;
	sample_bytes = cost.samples * CA_PROBE_UNIT;
	if (sample_bytes > plan.bytes)
		sample_bytes = plan.bytes;
	cost.written_bytes = 2 * (plan.run_bytes + sample_bytes);
	cost.moved_bytes = 2 * cost.written_bytes;
	cost.reads = 4 * cost.samples + plan.extra_looks;
	cost.reads += plan.step_bytes ? plan.bytes / plan.step_bytes : 0;
	/* a block of its own before each record, and room for the search of an edge */
	cost.journal_bytes = plan.run_bytes + plan.run_bytes / CA_PROBE_CHUNK * 512 +
			     (cost.samples + 2048) * (CA_PROBE_UNIT + 512) + CA_MIB;
	*ret_cost = cost;
}

struct ca_probe_place *ca_probe_add_place(struct ca_probe_job *job, uint64_t offset, uint32_t bytes)
{
	struct ca_probe_place *grown;
	size_t room = job->room ? 2 * job->room : 1024;

	if (job->count == job->room) {
		if (job->count >= CA_PROBE_PLACES_MAX)
			return NULL;
		grown = realloc(job->places, room * sizeof(*grown));
		if (!grown)
			return NULL;
		job->places = grown;
		job->room = room;
	}
	job->places[job->count] =
		(struct ca_probe_place){.offset = offset, .bytes = bytes, .first_lost = UINT32_MAX};
	return &job->places[job->count++];
}

/* The unit that begins at or before `offset`; the last one of a card may be shorter. */
static int add_unit(struct ca_probe_job *job, uint64_t offset, bool random, bool at_end)
{
	struct ca_probe_place *place;
	uint64_t left;

	if (offset >= job->plan.bytes)
		return 0;
	offset -= offset % CA_PROBE_UNIT;
	if (offset < job->plan.run_bytes)
		return 0; /* the run covers it */
	left = job->plan.bytes - offset;
	place = ca_probe_add_place(job, offset,
				   left < CA_PROBE_UNIT ? (uint32_t)left : CA_PROBE_UNIT);
	if (!place)
		return -ENOMEM;
	place->random = random;
	place->at_end = at_end;
	return 0;
}

/*
 * Both ends (the low one is the run), the neighbours of every power of two, where sizes end, and
 * the last 2 MiB more closely: a fake that is short of little is short there.
 */
static int add_landmarks(struct ca_probe_job *job)
{
	uint64_t bytes = job->plan.bytes;
	int r = add_unit(job, 0, false, false);

	for (unsigned int bit = 12; r == 0 && bit < 63 && UINT64_C(1) << bit < bytes; bit++) {
		r = add_unit(job, (UINT64_C(1) << bit) - CA_PROBE_UNIT, false, false);
		if (r == 0)
			r = add_unit(job, UINT64_C(1) << bit, false, false);
	}
	for (unsigned int i = 0; r == 0 && i < END_PLACES; i++)
		if ((uint64_t)i * END_APART < bytes / 2)
			r = add_unit(job, bytes - 1 - (uint64_t)i * END_APART, false, true);
	return r;
}

/*
 * One place in each stratum, anywhere in it; and some on large boundaries, where a card that leads
 * blocks to blocks by a table shows it: two of them that share a block share their place in it.
 */
static int add_random(struct ca_probe_job *job, uint64_t strata, uint64_t aligned_to, bool random)
{
	uint64_t from = job->plan.run_bytes / aligned_to;
	uint64_t cells = job->plan.bytes / aligned_to;
	int r = 0;

	cells -= from < cells ? from : cells;
	if (strata > cells)
		strata = cells;
	for (uint64_t i = 0; r == 0 && i < strata; i++) {
		/* in whole cells a stratum: no product that could overflow */
		uint64_t low = cells / strata * i + (i < cells % strata ? i : cells % strata);
		uint64_t high = low + cells / strata + (i < cells % strata);

		r = add_unit(job, (from + low + ca_rng_below(&job->seed, high - low)) * aligned_to,
			     random, false);
	}
	return r;
}

static int by_offset(const void *a, const void *b)
{
	const struct ca_probe_place *left = a, *right = b;

	if (left->offset != right->offset)
		return left->offset < right->offset ? -1 : 1;
	return right->random - left->random; /* the random one is kept */
}

static void drop_doubles(struct ca_probe_job *job)
{
	size_t kept = 0;

	for (size_t i = 0; i < job->count; i++)
		if (kept && job->places[kept - 1].offset == job->places[i].offset)
			job->places[kept - 1].at_end |= job->places[i].at_end;
		else
			job->places[kept++] = job->places[i];
	job->count = kept;
}

int ca_probe_plan_places(struct ca_probe_job *job)
{
	int r = add_landmarks(job);

	if (r == 0)
		r = add_random(job, job->plan.strata, CA_PROBE_UNIT, true);
	if (r == 0)
		r = add_random(job, job->plan.aligned, ALIGNED_TO, false);
	if (r == 0 && job->count)
		qsort(job->places, job->count, sizeof(*job->places), by_offset);
	if (r == 0)
		drop_doubles(job);
	return r;
}
