/* SPDX-License-Identifier: BSD-2-Clause */
#include "checkpoint.h"
#include "fill_job.h"

#include <string.h>

/* What the first checkpoints cost, and a lone pause of the card, is no rate. */
#define RATE_BYTES (256 * CA_MIB)

static uint64_t rate_of(uint64_t bytes, uint64_t ns)
{
	uint64_t ms = ns / 1000000;

	return ms ? bytes / ms * 1000 : 0;
}

/*
 * Of the bytes written since the last look and of all before them: how fast? The first time that
 * they came at less than half the rate is kept.
 */
static void watch_rate(struct ca_fill_job *job)
{
	struct ca_capacity_evidence *capacity = job->capacity;
	uint64_t bytes = job->written_to - job->rated_to;
	uint64_t before = rate_of(job->rated_to, job->rated_ns);
	uint64_t now = rate_of(bytes, capacity->write_ns - job->rated_ns);

	if (bytes < RATE_BYTES)
		return;
	if (!capacity->has_rate_cliff && now > 0 && now < before / 2) {
		capacity->has_rate_cliff = true;
		capacity->cliff_offset = job->rated_to;
		capacity->cliff_before_bytes_per_second = before;
		capacity->cliff_after_bytes_per_second = now;
	}
	job->rated_to = job->written_to;
	job->rated_ns = capacity->write_ns;
}

static int write_all(struct ca_fill_job *job)
{
	uint64_t next_check = 0;
	int r = 0;

	while (r == 0 && job->written_to < job->bytes && !job->proof && !ca_fill_is_over(job)) {
		uint64_t limit;

		next_check = ca_checkpoint_next(job->bytes, next_check);
		limit = next_check < job->bytes ? next_check : job->bytes;
		ca_fill_phase_enter(job, CA_FILL_PHASE_WRITE, job->bytes, job->written_to,
				    job->capacity->write_ns);
		r = ca_fill_write_until(job, limit);
		if (r == 0 && limit == job->bytes && !ca_fill_is_over(job))
			ca_fill_tell(job);
		job->capacity->write_ns = ca_fill_phase_leave(job);
		watch_rate(job);
		if (r == 0 && limit < job->bytes && !job->options->map_all && !job->proof &&
		    !ca_fill_is_over(job))
			r = ca_fill_check_landmarks(job);
	}
	return r;
}

static int read_all(struct ca_fill_job *job)
{
	int r = ca_fill_settle(job);

	if (r == 0 && !ca_fill_is_over(job) && !job->proof)
		r = ca_fill_reinit(job);
	if (r < 0 || ca_fill_is_over(job))
		return r;
	ca_fill_phase_enter(job, CA_FILL_PHASE_READ, job->written_to, 0, 0);
	r = ca_fill_read_back(job);
	if (r == 0 && !ca_fill_is_over(job))
		ca_fill_tell(job);
	job->capacity->read_ns = ca_fill_phase_leave(job);
	return r;
}

static uint32_t coverage_ppm(uint64_t verified, uint64_t announced)
{
	uint64_t sectors = announced / CA_SECTOR_BYTES;
	uint64_t seen = verified / CA_SECTOR_BYTES;

	/* rounded down, so that a million means all; 2^64 / 10^6 sectors are 9 petabytes */
	if (sectors == 0)
		return 0;
	if (seen <= UINT64_MAX / 1000000)
		return (uint32_t)(seen * 1000000 / sectors);
	return (uint32_t)(seen / (sectors / 1000000));
}

/*
 * Noise that is new with each read is a bad wire, or what a card answers where it has nothing. A
 * wire knows no addresses: where a large part comes so, and not one sector was good in one of its
 * two reads, it is the card.
 */
static void settle_restless(struct ca_fill_job *job)
{
	struct ca_capacity_evidence *capacity = job->capacity;
	bool is_large = capacity->kind != CA_CAPACITY_KIND_SOUND &&
			capacity->kind != CA_CAPACITY_KIND_DAMAGED;

	if (is_large && job->restless_sectors == capacity->unstable_sectors)
		capacity->unstable_sectors = 0;
}

/* Where nothing was wrong twice in the same way, it is the way to the card that is not sound. */
static void name_transport(struct ca_fill_job *job)
{
	struct ca_capacity_evidence *capacity = job->capacity;

	if (capacity->unstable_sectors == 0 || job->bad_sectors > capacity->unstable_sectors)
		return;
	capacity->kind = CA_CAPACITY_KIND_TRANSPORT;
	capacity->has_real_capacity = false;
	capacity->real_capacity_bytes = 0;
}

static int summarise(struct ca_fill_job *job)
{
	struct ca_capacity_evidence *capacity = job->capacity;
	int r = ca_map_finish(job->map, capacity);

	capacity->end = job->end;
	if (!ca_fill_is_over(job))
		capacity->end = job->proof ? CA_FILL_PROOF : CA_FILL_COMPLETE;
	capacity->coverage_ppm = coverage_ppm(capacity->verified_bytes, capacity->announced_bytes);
	/* what was not all read back has no known end */
	if (ca_fill_is_over(job)) {
		capacity->has_real_capacity = false;
		capacity->real_capacity_bytes = 0;
		return r;
	}
	settle_restless(job);
	name_transport(job);
	if (capacity->end == CA_FILL_COMPLETE && capacity->kind == CA_CAPACITY_KIND_SOUND &&
	    job->bytes == capacity->announced_bytes) {
		capacity->has_real_capacity = true;
		capacity->real_capacity_bytes = capacity->announced_bytes;
	}
	capacity->has_key = true;
	capacity->key_bytes = (uint8_t)ca_pattern_key(job->pattern, capacity->key);
	return r;
}

static void describe(const struct ca_fill_job *job)
{
	struct ca_capacity_evidence *capacity = job->capacity;

	capacity->announced_bytes = job->device->geometry.bytes;
	memcpy(capacity->run_id, job->options->run_id, sizeof(capacity->run_id));
	memcpy(capacity->device_id, job->options->device_id, sizeof(capacity->device_id));
	if (job->pattern)
		(void)ca_string_copy(capacity->pattern, sizeof(capacity->pattern),
				     ca_pattern_name(job->pattern));
}

int ca_fill_run(struct ca_device *device, const struct ca_fill_options *options,
		struct ca_capacity_evidence *ret_capacity)
{
	struct ca_fill_job job = {.device = device, .options = options, .capacity = ret_capacity};
	int r, summary;

	*ret_capacity = (struct ca_capacity_evidence){0};
	r = ca_fill_job_init(&job);
	describe(&job);
	if (r == 0)
		r = write_all(&job);
	if (r == 0 && !ca_fill_is_over(&job))
		r = read_all(&job);
	if (r == 0 && !ca_fill_is_over(&job))
		r = ca_fill_ask_edge(&job);
	if (r < 0)
		job.end = CA_FILL_HOST_ERROR;
	summary = job.map ? summarise(&job) : 0;
	ret_capacity->end = summary < 0 || r < 0 ? CA_FILL_HOST_ERROR : ret_capacity->end;
	ca_fill_job_done(&job);
	return r < 0 ? r : summary;
}
