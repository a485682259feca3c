/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The class measurements in one order (S 4.13, 4.16): sequential write in 4 MiB, sequential write
 * by recording unit, the random unit written, random write, random read, sequential read. By the
 * rule the device is erased and filled to three quarters before the unit, and the recording waits
 * for the erased quarter.
 */
#include "speed_engine.h"

#include <errno.h>

#define CHUNK_BYTES	  ((uint32_t)(4 * CA_MIB))   /* application class */
#define RU_BYTES	  ((uint32_t)(512 * CA_KIB)) /* recording unit of C10, U and V classes */
#define RANDOM_BLOCK	  4096U
#define RANDOM_UNIT_BYTES (256 * CA_MIB)

struct class_run {
	struct ca_device *device;
	const struct ca_speed_class_plan *plan;
	const struct ca_speed_options *options;
	struct ca_speed_evidence *speed;
	uint32_t chunk_bytes, ru_bytes, block_bytes; /* what fits the device */
	uint64_t chunk_total, chunk_offset;
	uint64_t ru_total, ru_offset, lead_bytes; /* the lead lies before ru_offset */
	uint64_t unit_offset, unit_bytes;
	uint64_t rng;
	uint32_t written_ppm; /* of the device, in order, just before */
	bool unit_written;
	bool gone, interrupted;
};

static uint64_t round_down(uint64_t value, uint64_t unit)
{
	return value - value % unit;
}

/* A seeded multiple of `align` with `bytes` behind it below `limit`; 0 where there is no room. */
static uint64_t choose_place(uint64_t *rng, uint64_t limit, uint64_t bytes, uint64_t align)
{
	uint64_t room = limit > bytes ? limit - bytes : 0;

	return ca_rng_below(rng, room / align + 1) * align;
}

/* As much of `wanted` as fits, in whole requests, one at least. */
static uint64_t whole_requests(uint64_t wanted, uint64_t room, uint64_t request)
{
	uint64_t bytes = round_down(wanted < room ? wanted : room, request);

	return bytes ? bytes : request;
}

static int plan_places(struct class_run *run)
{
	const struct ca_geometry *geometry = &run->device->geometry;
	uint64_t bytes = geometry->bytes;
	uint64_t align;

	run->rng = run->options->seed ^ UINT64_C(0x636c6173736573);
	run->written_ppm = run->plan->preconditioned_ppm;
	run->block_bytes =
		geometry->sector_bytes > RANDOM_BLOCK ? geometry->sector_bytes : RANDOM_BLOCK;
	if (bytes < run->block_bytes)
		return -EINVAL;
	run->chunk_bytes = bytes < CHUNK_BYTES ? run->block_bytes : CHUNK_BYTES;
	run->ru_bytes = bytes < RU_BYTES ? run->block_bytes : RU_BYTES;
	align = run->plan->align_bytes > CHUNK_BYTES ? run->plan->align_bytes : CHUNK_BYTES;
	run->chunk_total = whole_requests(run->plan->sequential_bytes, bytes, run->chunk_bytes);
	run->chunk_offset = choose_place(&run->rng, bytes, run->chunk_total, align);
	if (run->plan->lead_bytes <= bytes / 4)
		run->lead_bytes = round_down(run->plan->lead_bytes, run->ru_bytes);
	run->ru_total =
		whole_requests(run->plan->sequential_bytes, bytes - run->lead_bytes, run->ru_bytes);
	run->ru_offset = run->lead_bytes +
			 choose_place(&run->rng, bytes, run->lead_bytes + run->ru_total, align);
	/* the unit lies anywhere in the first three quarters, which the rule has written before */
	run->unit_bytes = bytes / 2 < RANDOM_UNIT_BYTES ? bytes / 2 : RANDOM_UNIT_BYTES;
	run->unit_bytes = round_down(run->unit_bytes, run->block_bytes);
	if (run->unit_bytes == 0)
		run->unit_bytes = run->block_bytes;
	run->unit_offset =
		choose_place(&run->rng, bytes / 4 * 3, run->unit_bytes, run->block_bytes);
	return 0;
}

static bool is_over(const struct class_run *run)
{
	return run->gone || run->interrupted;
}

static struct ca_speed_sequential *append(struct class_run *run,
					  const struct ca_speed_sequential *measured)
{
	struct ca_speed_evidence *speed = run->speed;
	struct ca_speed_sequential *entry;

	if (speed->sequential_count == CA_SPEED_MAX)
		return NULL;
	entry = &speed->sequential[speed->sequential_count++];
	*entry = *measured;
	entry->preconditioned_ppm = run->written_ppm;
	return entry;
}

static int flush(struct class_run *run)
{
	struct ca_io_fault fault = {.status = CA_IO_OK};
	int r = ca_device_flush(run->device, &fault);

	if (r == 0 && fault.status == CA_IO_GONE)
		run->gone = true;
	return r;
}

static int transfer(struct class_run *run, struct ca_speed_pass *pass,
		    struct ca_speed_sequential *ret_measured, uint64_t *ret_second_min)
{
	pass->plan.queue_depth = 1;
	return ca_speed_pass_run(run->device, pass, run->options, ret_measured, ret_second_min,
				 &run->gone, &run->interrupted);
}

static int measure_chunks(struct class_run *run, bool write)
{
	struct ca_speed_pass pass = {
		.what = write ? "sequential write" : "sequential read",
		.plan = {.write = write,
			 .offset = run->chunk_offset,
			 .bytes = run->chunk_total,
			 .request_bytes = run->chunk_bytes},
	};
	struct ca_speed_sequential measured;
	uint64_t no_second;
	int r;

	if (is_over(run))
		return 0;
	r = transfer(run, &pass, &measured, &no_second);
	if (r < 0)
		return r;
	(void)append(run, &measured); /* a full table keeps the first figures */
	return write && !is_over(run) ? flush(run) : 0;
}

/* A request is the least that a window can be told apart by. */
static uint64_t window_of(const struct class_run *run, uint64_t wanted)
{
	return wanted && wanted < run->ru_bytes ? run->ru_bytes : wanted;
}

/* By recording units: one entry with the windows of the AU, one more with those of the SU. */
static int measure_recording(struct class_run *run)
{
	struct ca_speed_pass pass = {
		.what = "sequential write",
		.plan = {.write = true,
			 .offset = run->ru_offset - run->lead_bytes,
			 .bytes = run->lead_bytes,
			 .request_bytes = run->ru_bytes},
	};
	struct ca_speed_sequential measured, *entry;
	uint64_t second_min;
	int r = 0;

	if (run->lead_bytes && !is_over(run))
		r = transfer(run, &pass, &measured, &second_min);
	if (r < 0 || is_over(run))
		return r;
	pass.plan.offset = run->ru_offset;
	pass.plan.bytes = run->ru_total;
	pass.plan.window_bytes = window_of(run, run->plan->au_bytes);
	pass.second_window_bytes = window_of(run, run->plan->su_bytes);
	r = transfer(run, &pass, &measured, &second_min);
	if (r < 0)
		return r;
	(void)append(run, &measured); /* a full table keeps the first figures */
	entry = pass.second_window_bytes ? append(run, &measured) : NULL;
	if (entry) {
		entry->window_bytes = pass.second_window_bytes;
		entry->min_window_bytes_per_second = second_min;
	}
	return is_over(run) ? 0 : flush(run);
}

static int write_unit(struct class_run *run)
{
	struct ca_speed_pass pass = {
		.what = "writing the random unit",
		.plan = {.write = true,
			 .offset = run->unit_offset,
			 .bytes = run->unit_bytes,
			 .request_bytes = run->chunk_bytes},
	};
	struct ca_speed_sequential measured;
	uint64_t no_second;
	int r = is_over(run) ? 0 : transfer(run, &pass, &measured, &no_second);

	if (r < 0 || is_over(run))
		return r;
	run->unit_written = measured.errors == 0 && measured.total_bytes == run->unit_bytes;
	return flush(run);
}

static int random_blocks(struct class_run *run, bool write, uint32_t queue_depth)
{
	struct ca_speed_random_plan plan = {
		.write = write,
		.range_offset = run->unit_offset,
		.range_bytes = run->unit_bytes,
		.block_bytes = run->block_bytes,
		.queue_depth = queue_depth,
		.duration_ns = run->plan->random_ns,
	};
	struct ca_speed_random measured;
	int r;

	if (is_over(run))
		return 0;
	r = ca_speed_random_run(run->device, &plan, run->options, &measured, &run->gone,
				&run->interrupted);
	if (r < 0)
		return r;
	measured.preconditioned_ppm = run->written_ppm;
	measured.range_written = run->unit_written;
	if (run->speed->random_count < CA_SPEED_MAX)
		run->speed->random[run->speed->random_count++] = measured;
	return write && !is_over(run) ? flush(run) : 0;
}

static void tell_erase(const struct ca_device *device, const struct ca_speed_options *options,
		       bool begins)
{
	struct ca_speed_progress progress = {
		.what = "erasing",
		.done = begins ? 0 : device->geometry.bytes,
		.total = device->geometry.bytes,
		.patient = begins,
		.finished = !begins,
	};

	if (options->progress) /* it cannot be cut short: whether it should is asked afterwards */
		(void)options->progress(options->progress_context, &progress);
}

int ca_speed_erase(struct ca_device *device, bool full_erase,
		   const struct ca_speed_options *options, struct ca_speed_evidence *speed,
		   bool *ret_gone)
{
	struct ca_io_fault fault = {.status = CA_IO_OK};
	enum ca_erase_kind kind = CA_ERASE_FULL;
	int r;

	tell_erase(device, options, true);
	r = full_erase ? ca_device_command(device, CA_CARD_ERASE_ALL) : -EOPNOTSUPP;

	if (r == -EOPNOTSUPP) {
		kind = CA_ERASE_DISCARD;
		r = ca_device_erase(device, &fault);
	}
	tell_erase(device, options, false);
	if (r == -EOPNOTSUPP || fault.status == CA_IO_ERROR)
		kind = CA_ERASE_NONE;
	else if (r < 0)
		return r;
	/* of two erases the lesser counts */
	if (speed->erased_before != CA_YES || kind < speed->erased_by)
		speed->erased_by = kind;
	speed->erased_before = kind == CA_ERASE_NONE ? CA_NO : CA_YES;
	*ret_gone = fault.status == CA_IO_GONE;
	return 0;
}

/* S 4.16.2: erased, then three quarters of it written in order. */
static int precondition(struct class_run *run)
{
	uint64_t quarters = run->device->geometry.bytes / 4 * 3;
	struct ca_speed_pass pass = {
		.what = "writing three quarters",
		.plan = {.write = true,
			 .bytes = round_down(quarters, run->chunk_bytes),
			 .request_bytes = run->chunk_bytes},
	};
	struct ca_speed_sequential measured;
	bool was_erased = run->speed->erased_before != CA_NO;
	uint64_t no_second;
	int r = 0;

	if (is_over(run) || pass.plan.bytes == 0)
		return 0;
	r = ca_speed_erase(run->device, run->plan->full_erase, run->options, run->speed,
			   &run->gone);
	if (r < 0 || is_over(run))
		return r;
	if (!was_erased) { /* what was measured before was not */
		run->speed->erased_before = CA_NO;
		run->speed->erased_by = CA_ERASE_NONE;
	}
	r = transfer(run, &pass, &measured, &no_second);
	if (r < 0 || is_over(run))
		return r;
	run->written_ppm = (uint32_t)ca_speed_scale(measured.total_bytes, 1000000,
						    run->device->geometry.bytes);
	return flush(run);
}

/* In the last quarter, which is erased; the recording with updates follows the one without. */
static int record_last(struct class_run *run)
{
	uint64_t bytes = run->device->geometry.bytes;
	uint64_t align = run->plan->align_bytes ? run->plan->align_bytes : CHUNK_BYTES;
	uint64_t free_from = (bytes / 4 * 3 + align - 1) / align * align;
	struct ca_speed_recording_plan plan = {.ru_bytes = run->ru_bytes,
					       .announce = run->plan->announce};
	uint64_t half;
	int r;

	if (is_over(run))
		return 0;
	if (free_from >= bytes || bytes - free_from < 4 * (run->lead_bytes + align))
		free_from = bytes / 4 * 3 / CHUNK_BYTES * CHUNK_BYTES;
	half = round_down((bytes - free_from) / 2, CHUNK_BYTES);
	if (half <= run->lead_bytes + CHUNK_BYTES)
		return measure_recording(run);
	run->ru_offset = free_from + run->lead_bytes;
	run->ru_total =
		whole_requests(run->plan->sequential_bytes, half - run->lead_bytes, run->ru_bytes);
	r = measure_recording(run);
	if (r < 0 || is_over(run))
		return r;
	plan.offset = free_from + half;
	plan.bytes = half;
	r = ca_speed_record(run->device, &plan, run->options, &run->speed->recording, &run->gone,
			    &run->interrupted);
	return r < 0 || is_over(run) ? r : flush(run);
}

/* Each at a place of its own; the first is read back at the end. */
static int measure_windows(struct class_run *run)
{
	uint64_t first = run->chunk_offset, bytes = run->device->geometry.bytes;
	uint64_t align =
		run->plan->align_bytes > CHUNK_BYTES ? run->plan->align_bytes : CHUNK_BYTES;
	int r = measure_chunks(run, true);

	for (unsigned int i = 1; i < run->plan->windows && r == 0; i++) {
		run->chunk_offset = choose_place(&run->rng, bytes, run->chunk_total, align);
		r = measure_chunks(run, true);
	}
	run->chunk_offset = first;
	return r;
}

static int measure_random(struct class_run *run)
{
	uint32_t deep = run->plan->deep_queue;
	int r = write_unit(run);

	for (unsigned int i = 0; r == 0 && i < (deep > 1 ? 2U : 1U); i++) {
		r = random_blocks(run, true, i ? deep : 1);
		if (r == 0)
			r = random_blocks(run, false, i ? deep : 1);
	}
	return r;
}

/* Only what was written is read: by the rule the last quarter is not. */
static int read_back(struct class_run *run)
{
	uint64_t written = round_down(run->device->geometry.bytes / 4 * 3, run->chunk_bytes);
	int r = ca_device_drop_cache(run->device);

	if (run->plan->by_rule && written >= run->chunk_bytes) {
		if (run->chunk_total > written)
			run->chunk_total = written;
		if (run->chunk_offset > written - run->chunk_total)
			run->chunk_offset = 0;
	}
	return r < 0 ? r : measure_chunks(run, false);
}

int ca_speed_run_classes(struct ca_device *device, const struct ca_speed_class_plan *plan,
			 const struct ca_speed_options *options, struct ca_speed_evidence *speed,
			 bool *ret_gone)
{
	struct class_run run = {.device = device, .plan = plan, .options = options, .speed = speed};
	int r = plan_places(&run);

	if (r == 0)
		r = measure_windows(&run);
	if (r == 0)
		r = plan->by_rule ? precondition(&run) : measure_recording(&run);
	if (r == 0)
		r = measure_random(&run);
	if (r == 0)
		r = read_back(&run);
	if (r == 0 && plan->by_rule)
		r = record_last(&run);
	if (run.interrupted)
		speed->interrupted = true;
	if (r < 0)
		return r;
	*ret_gone = run.gone;
	return 0;
}
