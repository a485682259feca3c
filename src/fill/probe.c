/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe_job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define APART 512U

static int allocate(struct ca_probe_job *job)
{
	job->data = aligned_alloc(CA_BUFFER_ALIGN,
				  2 * (size_t)CA_PROBE_CHUNK + 2 * (size_t)CA_PROBE_UNIT);
	if (!job->data)
		return -ENOMEM;
	job->saved = job->data + CA_PROBE_CHUNK;
	job->again = job->saved + CA_PROBE_CHUNK;
	job->expected = job->again + CA_PROBE_UNIT;
	return 0;
}

static int init(struct ca_probe_job *job)
{
	const struct ca_probe_options *options = job->options;
	int r;

	job->journal = options->journal;
	job->sector_bytes = job->device->geometry.sector_bytes;
	job->seed = options->seed;
	job->loaded = SIZE_MAX;
	job->least_error = UINT64_MAX;
	job->least_distance = UINT64_MAX;
	job->started_ns = ca_clock_now_ns(job->device->clock);
	if (job->sector_bytes > CA_PROBE_UNIT || CA_PROBE_UNIT % job->sector_bytes)
		return -EINVAL;
	ca_probe_plan_of(&job->device->geometry, options->deep, &job->plan);
	if (job->plan.bytes == 0)
		return -EINVAL;
	r = ca_pattern_new(options->secret, options->run_id, options->device_id, 0, options->cipher,
			   &job->pattern);
	if (r == 0)
		r = allocate(job);
	if (r == 0)
		r = ca_probe_plan_places(job);
	if (r < 0)
		return r;
	job->planned = job->count;
	if (job->planned)
		ca_permutation_init(&job->order, job->planned, ca_rng_next(&job->seed));
	return 0;
}

static void done(struct ca_probe_job *job)
{
	free(job->data);
	free(job->places);
	ca_pattern_free(job->pattern);
}

/* Before anything is written: is it still the same card? */
static int check_same(struct ca_probe_job *job)
{
	struct ca_io_fault fault = {.status = CA_IO_OK};
	int r = ca_device_check(job->device, &fault);

	if (r == 0 && fault.status != CA_IO_OK)
		ca_probe_lose(job, fault.status == CA_IO_GONE ? CA_FILL_LOST : CA_FILL_CHANGED,
			      "beginning to write", 0, 0);
	return r;
}

/* All below one address is there and nothing above it: there is nothing that images could be in. */
static bool has_edge(const struct ca_probe_job *job)
{
	uint64_t least, most;

	return job->narrowed && ca_probe_find_bracket(job, &least, &most) && least == most;
}

/* A little of the run, and small writes here and there in it. */
static int begin_run(struct ca_probe_job *job)
{
	uint64_t moved = 1;
	int r = 0;

	while (r == 0 && moved && job->run_forward < APART * CA_PROBE_UNIT &&
	       !ca_probe_is_over(job)) {
		moved = 0;
		r = ca_probe_traffic(job, CA_PROBE_CHUNK, &moved);
	}
	return r < 0 || ca_probe_is_over(job) ? r : ca_probe_write_apart(job, APART);
}

static int write_and_look(struct ca_probe_job *job)
{
	int r = ca_probe_write_samples(job);

	if (r == 0 && !ca_probe_is_over(job))
		r = ca_probe_settle(job);
	if (r == 0 && !ca_probe_is_over(job))
		r = ca_probe_check_some(job);
	if (r == 0 && !ca_probe_is_over(job))
		r = begin_run(job);
	if (r == 0 && !ca_probe_is_over(job))
		r = ca_probe_flow(job);
	if (r == 0 && !ca_probe_is_over(job))
		r = ca_probe_settle(job);
	if (r == 0 && !ca_probe_is_over(job))
		r = ca_probe_check_run(job);
	/* an end inside the run is found while the run is there; in a chain it takes the modulus */
	if (r == 0 && !ca_probe_is_over(job) && job->loss_seen)
		r = ca_probe_narrow(job);
	if (r == 0 && !ca_probe_is_over(job) && !has_edge(job))
		r = ca_probe_find_images(job);
	if (r == 0 && !ca_probe_is_over(job) && job->modulus)
		r = ca_probe_ask_below_modulus(job);
	if (r == 0 && !ca_probe_is_over(job) && job->loss_seen && job->modulus)
		r = ca_probe_narrow(job);
	return r;
}

/*
 * The run has served: putting it back is traffic too, and a loss seen by now is followed with it.
 * Of all samples a last look is taken when they are as old as they will be; on a card where no loss
 * was seen it is the first.
 */
static int look_again(struct ca_probe_job *job)
{
	int r = 0;

	job->may_go_back = true;
	job->loss_before = job->loss_seen;
	if (job->probe->aliases || (job->loss_seen && !job->narrowed &&
				    job->written - job->samples_done >= ca_probe_overrun(job)))
		r = ca_probe_check_all(job);
	if (r == 0 && job->modulus && !job->loss_seen && !ca_probe_is_over(job))
		r = ca_probe_ask_below_modulus(job);
	if (r == 0 && job->loss_seen && !ca_probe_is_over(job))
		r = ca_probe_narrow(job);
	if (r == 0 && !ca_probe_is_over(job))
		r = ca_probe_flow(job);
	if (r == 0 && !ca_probe_is_over(job))
		r = ca_probe_check_all(job);
	/* what a larger cache than was thought had hidden makes the edge void */
	if (r == 0 && !ca_probe_is_over(job) && job->count > job->planned)
		r = ca_probe_check_written(job);
	if (r == 0 && !ca_probe_is_over(job))
		r = ca_probe_narrow(job);
	return r;
}

int ca_probe_run(struct ca_device *device, const struct ca_probe_options *options,
		 struct ca_probe_evidence *ret_probe)
{
	struct ca_probe_job job = {.device = device, .options = options, .probe = ret_probe};
	int r, back;

	*ret_probe = (struct ca_probe_evidence){.announced_bytes = device->geometry.bytes};
	memcpy(ret_probe->run_id, options->run_id, sizeof(ret_probe->run_id));
	memcpy(ret_probe->device_id, options->device_id, sizeof(ret_probe->device_id));
	r = init(&job);
	if (r == 0)
		r = ca_probe_save_all(&job);
	if (r == 0 && !ca_probe_is_over(&job))
		r = check_same(&job);
	if (r == 0 && !ca_probe_is_over(&job))
		r = write_and_look(&job);
	if (r == 0 && !ca_probe_is_over(&job))
		r = look_again(&job);
	if (r < 0 && !ca_probe_is_over(&job))
		job.end = CA_FILL_HOST_ERROR;
	back = job.pattern && job.data ? ca_probe_put_back(&job) : 0;
	if (back < 0 && !ca_probe_is_over(&job))
		job.end = CA_FILL_HOST_ERROR;
	if (job.pattern)
		ca_probe_conclude(&job);
	else
		ret_probe->end = CA_FILL_HOST_ERROR;
	done(&job);
	return r < 0 ? r : back;
}
