/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A recording as a camera makes it (S 4.13.1, 4.13.2): recording units in order, and after each
 * allocation unit of 4 MiB one update of the file system, whose time is what is measured.
 */
#include "cardassay/speed.h"

#include <stdlib.h>

#define UNITS_A_CYCLE	8U
#define MEAN_OF		8U
#define FAT_BYTES	((uint32_t)(16 * CA_KIB))
#define FAT_1		UINT64_C(0)
#define FAT_2		(512 * CA_KIB) /* on an SDXC card the bitmap */
#define DIRECTORY	(1024 * CA_KIB)
#define FILE_SYSTEM_END (2048 * CA_KIB)

struct recording {
	struct ca_device *device;
	const struct ca_speed_recording_plan *plan;
	const struct ca_speed_options *options;
	struct ca_speed_recording found;
	uint64_t lately[MEAN_OF]; /* the last cycles, ns */
	uint64_t next;		  /* of the recording */
	uint64_t began_ns, rng;
	uint8_t *buffer;
	bool gone, interrupted;
};

static int write_piece(struct recording *run, uint64_t offset, uint32_t bytes)
{
	struct ca_io_fault fault = {.status = CA_IO_OK};
	int r;

	for (uint32_t i = 0; i < bytes; i += CA_SECTOR_BYTES) {
		uint64_t word = ca_rng_next(&run->rng);

		for (unsigned int j = 0; j < 8; j++)
			run->buffer[i + j] = (uint8_t)(word >> (8 * j));
	}
	r = ca_device_write(run->device, offset, bytes, run->buffer, &fault);
	if (r < 0)
		return r;
	if (fault.status == CA_IO_GONE)
		run->gone = true;
	else if (fault.status == CA_IO_ERROR)
		run->found.errors++;
	return 0;
}

/* A card that was told once and then does not obey was not told. */
static void announce(struct recording *run, enum ca_card_command command)
{
	if (run->found.announced && ca_device_command(run->device, command) < 0)
		run->found.announced = false;
}

static void note_cycle(struct recording *run, uint64_t ns)
{
	uint64_t sum = 0;

	run->lately[run->found.cycles++ % MEAN_OF] = ns;
	if (ns > run->found.max_ns)
		run->found.max_ns = ns;
	if (run->found.cycles < MEAN_OF)
		return;
	for (unsigned int i = 0; i < MEAN_OF; i++)
		sum += run->lately[i];
	if (sum / MEAN_OF > run->found.mean_ns)
		run->found.mean_ns = sum / MEAN_OF;
}

/* The card's busy time after a command is part of no write: the clock runs for the three alone. */
static int update(struct recording *run)
{
	static const struct {
		uint64_t offset;
		enum ca_card_command command;
	} parts[] = {{FAT_1, CA_CARD_UPDATE_CI},
		     {FAT_2, CA_CARD_UPDATE_CI},
		     {DIRECTORY, CA_CARD_UPDATE_DIRECTORY}};
	uint64_t took_ns = 0;

	for (size_t i = 0; i < CA_ARRAY_LEN(parts) && !run->gone; i++) {
		uint32_t bytes = parts[i].offset == DIRECTORY ? run->device->geometry.sector_bytes
							      : FAT_BYTES;
		uint64_t began_ns;
		int r;

		announce(run, parts[i].command);
		began_ns = ca_clock_now_ns(run->device->clock);
		r = write_piece(run, parts[i].offset, bytes);
		if (r < 0)
			return r;
		took_ns += ca_clock_now_ns(run->device->clock) - began_ns;
	}
	if (!run->gone)
		note_cycle(run, took_ns);
	return 0;
}

static void tell(struct recording *run, uint64_t end, bool finished)
{
	struct ca_speed_progress progress = {
		.what = "recording with file system updates",
		.done = run->next - run->plan->offset,
		.total = end - run->plan->offset,
		.bytes = run->next - run->plan->offset,
		.elapsed_ns = ca_clock_now_ns(run->device->clock) - run->began_ns,
		.finished = finished,
	};

	if (run->options->progress &&
	    run->options->progress(run->options->progress_context, &progress) != 0)
		run->interrupted = true;
}

static int record(struct recording *run)
{
	uint64_t cycle = UINT64_C(1) * UNITS_A_CYCLE * run->plan->ru_bytes;
	uint64_t cycles = run->plan->bytes / cycle, end;
	int r = 0;

	if (cycles > CA_SPEED_UPDATES)
		cycles = CA_SPEED_UPDATES;
	end = run->plan->offset + cycles * cycle;
	run->found.announced = run->plan->announce && cycles;
	announce(run, CA_CARD_START_RECORDING);
	while (run->next < end && r == 0 && !run->gone && !run->interrupted) {
		for (unsigned int i = 0; i < UNITS_A_CYCLE && r == 0 && !run->gone; i++) {
			r = write_piece(run, run->next, run->plan->ru_bytes);
			run->next += run->plan->ru_bytes;
		}
		if (r == 0 && !run->gone)
			r = update(run);
		tell(run, end, run->next >= end);
	}
	return r;
}

int ca_speed_record(struct ca_device *device, const struct ca_speed_recording_plan *plan,
		    const struct ca_speed_options *options, struct ca_speed_recording *ret,
		    bool *ret_gone, bool *ret_interrupted)
{
	struct recording run = {
		.device = device,
		.plan = plan,
		.options = options,
		.next = plan->offset,
		.rng = options->seed ^ UINT64_C(0x7265636f7264),
		.began_ns = ca_clock_now_ns(device->clock),
	};
	size_t bytes = plan->ru_bytes > FAT_BYTES ? plan->ru_bytes : FAT_BYTES;
	int r;

	if (plan->ru_bytes == 0 || plan->ru_bytes % device->geometry.sector_bytes ||
	    plan->offset < FILE_SYSTEM_END || plan->offset > device->geometry.bytes ||
	    plan->bytes > device->geometry.bytes - plan->offset)
		return -EINVAL;
	run.buffer = aligned_alloc(CA_BUFFER_ALIGN, (bytes + CA_BUFFER_ALIGN - 1) /
							    CA_BUFFER_ALIGN * CA_BUFFER_ALIGN);
	if (!run.buffer)
		return -ENOMEM;
	for (size_t i = 0; i < bytes; i++)
		run.buffer[i] = (uint8_t)ca_rng_next(&run.rng);
	r = record(&run);
	free(run.buffer);
	if (r < 0)
		return r;
	*ret = run.found;
	*ret_gone = run.gone;
	*ret_interrupted = run.interrupted;
	return 0;
}
