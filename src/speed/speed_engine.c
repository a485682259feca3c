/* SPDX-License-Identifier: BSD-2-Clause */
#include "speed_engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_QUEUE_DEPTH 1024U
/* A small board has 512 MiB in all. */
#define MAX_BUFFER_BYTES (128 * CA_MIB)
#define TELL_NS		 (CA_NS_PER_SECOND / 10)
#define LARGE_BYTES	 (64 * CA_KIB)
/* A device that fails at once, on a virtual clock for ever at the same moment, ends the run. */
#define MAX_ERRORS_IN_A_ROW 1000U

uint64_t ca_speed_scale(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t whole = a / c;
	uint64_t rest = a % c;
	uint64_t low = 0, part = 0;
	uint64_t high;

	if (b != 0 && whole > UINT64_MAX / b)
		return UINT64_MAX;
	high = whole * b;
	/* rest x b / c, bit by bit of b: `low` is the quotient so far, `part` < c its rest */
	for (uint64_t bit = UINT64_C(1) << 63; bit; bit >>= 1) {
		uint64_t carry = part >= c - part ? 1 : 0;

		part = carry ? part - (c - part) : part + part;
		low = low << 1 | carry;
		if (!(b & bit))
			continue;
		if (part >= c - rest) {
			part -= c - rest;
			low++;
		} else {
			part += rest;
		}
	}
	return high > UINT64_MAX - low ? UINT64_MAX : high + low;
}

static uint64_t stir(uint64_t *state)
{
	uint64_t x = *state;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	*state = x;
	return x;
}

static uint64_t seed_of(const struct ca_speed_options *options)
{
	uint64_t seed = options->seed;

	for (size_t i = 0; i < sizeof(options->fill_key); i += 8)
		seed = ca_rng_next(&seed) ^ ca_le64(options->fill_key + i);
	return seed ? seed : 1; /* the one state that does not move */
}

static void fill_random(uint64_t *state, uint8_t *data, size_t bytes)
{
	for (size_t i = 0; i < bytes; i += 8) {
		uint64_t word = stir(state);

		memcpy(data + i, &word, 8);
	}
}

/*
 * No sector of a small request is written twice, no page of a large one: enough against a card or
 * host that knows data again, and done in no time beside the transfer.
 */
static void refresh(uint64_t *state, uint8_t *data, size_t bytes)
{
	size_t step = bytes > LARGE_BYTES ? 4096 : CA_SECTOR_BYTES;

	for (size_t i = 0; i + 8 <= bytes; i += step) {
		uint64_t word = stir(state);

		memcpy(data + i, &word, 8);
	}
}

static int prepare(struct ca_speed_engine *engine)
{
	uint32_t most = engine->device->geometry.max_queue_depth;
	size_t bytes;

	if (engine->queue_depth > most)
		engine->queue_depth = most;
	if (engine->queue_depth > MAX_QUEUE_DEPTH)
		engine->queue_depth = MAX_QUEUE_DEPTH;
	if (engine->queue_depth > MAX_BUFFER_BYTES / engine->block_bytes)
		engine->queue_depth = (uint32_t)(MAX_BUFFER_BYTES / engine->block_bytes);
	if (engine->queue_depth == 0)
		engine->queue_depth = 1;
	bytes = (size_t)engine->queue_depth * engine->block_bytes;
	bytes = (bytes + CA_BUFFER_ALIGN - 1) / CA_BUFFER_ALIGN * CA_BUFFER_ALIGN;
	engine->memory = aligned_alloc(CA_BUFFER_ALIGN, bytes);
	engine->slots = calloc(engine->queue_depth, sizeof(*engine->slots));
	engine->idle = calloc(engine->queue_depth, sizeof(struct ca_io *));
	if (!engine->memory || !engine->slots || !engine->idle)
		return -ENOMEM;
	engine->rng = seed_of(engine->options);
	fill_random(&engine->rng, engine->memory, bytes);
	for (uint32_t i = 0; i < engine->queue_depth; i++) {
		engine->slots[i].buffer = engine->memory + (size_t)i * engine->block_bytes;
		engine->idle[engine->idle_count++] = &engine->slots[i];
	}
	return 0;
}

static void release(struct ca_speed_engine *engine)
{
	while (engine->idle && engine->idle_count < engine->queue_depth) {
		struct ca_io *io;
		int r = ca_device_wait(engine->device, &io);

		if (r == -ENOENT)
			break; /* nothing is in flight: it was not even begun */
		/* what cannot be waited for may still be written into: it is left */
		if (r < 0)
			return;
		engine->idle[engine->idle_count++] = io;
	}
	free(engine->memory);
	free(engine->slots);
	free(engine->idle);
}

static void tell(struct ca_speed_engine *engine, bool finished)
{
	uint64_t now = engine->now_ns;
	struct ca_speed_progress progress = {
		.what = engine->what,
		.done = engine->duration_ns ? now - engine->started_ns : engine->bytes,
		.total = engine->duration_ns ? engine->duration_ns : engine->total_bytes,
		.operations = engine->operations,
		.bytes = engine->bytes,
		.elapsed_ns = now - engine->started_ns,
		.timed = engine->duration_ns > 0,
		.finished = finished,
	};

	engine->told_ns = now;
	if (engine->options->progress &&
	    engine->options->progress(engine->options->progress_context, &progress) != 0)
		engine->interrupted = true;
}

static void move_window(struct ca_speed_window *window, uint64_t bytes, uint64_t now)
{
	uint64_t rate;

	window->done += bytes;
	if (window->bytes == 0 || window->done < window->bytes)
		return;
	/* between two stamps in whole ns it may have lasted one less: never held against it */
	rate = now > window->started_ns + 1 ? ca_speed_scale(window->done, CA_NS_PER_SECOND,
							     now - window->started_ns - 1)
					    : UINT64_MAX;
	if (window->min_rate == 0 || rate < window->min_rate)
		window->min_rate = rate;
	window->done = 0;
	window->started_ns = now;
}

static void count(struct ca_speed_engine *engine, const struct ca_io *io)
{
	bool late =
		engine->duration_ns && io->completed_ns - engine->started_ns > engine->duration_ns;

	engine->now_ns = io->completed_ns;
	if (io->completed_ns > engine->last_ns)
		engine->last_ns = io->completed_ns;
	switch (io->status) {
	case CA_IO_OK:
		break;
	case CA_IO_ERROR:
		engine->errors++;
		if (++engine->errors_in_a_row >= MAX_ERRORS_IN_A_ROW)
			engine->ended = true;
		return;
	case CA_IO_GONE:
		engine->gone = true;
		return;
	}
	engine->errors_in_a_row = 0;
	ca_histogram_add(&engine->histogram, io->completed_ns - io->submitted_ns);
	if (late) {
		engine->late_operations++;
		engine->late_bytes += io->bytes;
		return;
	}
	engine->operations++;
	engine->bytes += io->bytes;
	for (size_t i = 0; i < CA_SPEED_WINDOWS; i++)
		move_window(&engine->windows[i], io->bytes, io->completed_ns);
}

/*
 * At depth 1 the plain calls are the faster path: io_uring hands a lone request to a worker on
 * many devices, and its wake-up would be measured as the card's latency.
 */
static int transfer_alone(struct ca_speed_engine *engine, struct ca_io *io)
{
	struct ca_io_fault fault = {0};
	int r;

	io->submitted_ns = ca_clock_now_ns(engine->device->clock);
	if (io->op == CA_IO_WRITE)
		r = ca_device_write(engine->device, io->offset, io->bytes, io->buffer, &fault);
	else
		r = ca_device_read(engine->device, io->offset, io->bytes, io->buffer, &fault);
	io->completed_ns = ca_clock_now_ns(engine->device->clock);
	io->status = fault.status;
	io->error = fault.error;
	if (r == 0)
		count(engine, io);
	return r;
}

/* Starts one transfer where there is something to start. */
static int start_one(struct ca_speed_engine *engine, bool *ret_started)
{
	struct ca_io *io;
	uint64_t offset;
	uint32_t bytes;
	int r;

	*ret_started = false;
	if (engine->ended || engine->gone || engine->interrupted || engine->idle_count == 0)
		return 0;
	if ((engine->duration_ns && engine->now_ns - engine->started_ns >= engine->duration_ns) ||
	    !engine->next(engine, &offset, &bytes)) {
		engine->ended = true;
		return 0;
	}
	io = engine->idle[engine->idle_count - 1];
	if (engine->write)
		refresh(&engine->rng, io->buffer, bytes);
	*io = (struct ca_io){.op = engine->write ? CA_IO_WRITE : CA_IO_READ,
			     .offset = offset,
			     .bytes = bytes,
			     .buffer = io->buffer};
	*ret_started = true;
	if (engine->queue_depth == 1)
		return transfer_alone(engine, io);
	r = ca_device_submit(engine->device, io);
	if (r == 0)
		engine->idle_count--;
	return r;
}

static int loop(struct ca_speed_engine *engine)
{
	for (;;) {
		struct ca_io *io;
		bool started;
		int r = start_one(engine, &started);

		if (r < 0)
			return r;
		if (!started && engine->idle_count == engine->queue_depth)
			return 0;
		if (!started) {
			r = ca_device_wait(engine->device, &io);
			if (r < 0)
				return r;
			count(engine, io);
			engine->idle[engine->idle_count++] = io;
		}
		if (engine->now_ns - engine->told_ns >= TELL_NS)
			tell(engine, false);
	}
}

/*
 * A timed run that lasted its time is averaged over exactly that time, stalls included. One that
 * ended before (or in which nothing completed in time) is averaged to its last completion.
 */
static void sum_up(struct ca_speed_engine *engine)
{
	uint64_t until_last =
		engine->last_ns > engine->started_ns ? engine->last_ns - engine->started_ns : 0;

	if (engine->duration_ns && !engine->to_last && until_last >= engine->duration_ns &&
	    engine->operations > 0) {
		engine->elapsed_ns = engine->duration_ns;
	} else {
		engine->operations += engine->late_operations;
		engine->bytes += engine->late_bytes;
		engine->elapsed_ns = until_last;
	}
	ca_histogram_summary(&engine->histogram, &engine->latency);
}

int ca_speed_engine_run(struct ca_speed_engine *engine)
{
	int r = prepare(engine);

	engine->started_ns = ca_clock_now_ns(engine->device->clock);
	engine->now_ns = engine->told_ns = engine->started_ns;
	for (size_t i = 0; i < CA_SPEED_WINDOWS; i++)
		engine->windows[i].started_ns = engine->started_ns;
	if (r == 0)
		r = loop(engine);
	if (r == 0) {
		sum_up(engine);
		tell(engine, true);
	}
	release(engine);
	return r;
}
