/* SPDX-License-Identifier: BSD-2-Clause */
#include "fill_job.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#define DEFAULT_REQUEST_BYTES ((uint32_t)CA_MIB)
#define DEFAULT_QUEUE_DEPTH   4U
#define MAX_QUEUE_DEPTH	      256U
#define DEFAULT_BUFFER_BYTES  ((uint32_t)(16 * CA_MIB))
#define HUGE_PAGE_BYTES	      (2 * CA_MIB)

/* ---- sizes */

/* The smallest chunk that the device takes and the buffers allow. */
static uint32_t unit_of(const struct ca_fill_job *job)
{
	return job->sector_bytes > CA_BUFFER_ALIGN ? job->sector_bytes : CA_BUFFER_ALIGN;
}

static uint32_t choose_depth(const struct ca_fill_job *job)
{
	uint32_t depth = job->options->queue_depth;

	if (depth == 0)
		depth = DEFAULT_QUEUE_DEPTH;
	if (depth > MAX_QUEUE_DEPTH)
		depth = MAX_QUEUE_DEPTH;
	if (depth > job->device->geometry.max_queue_depth)
		depth = job->device->geometry.max_queue_depth;
	return depth ? depth : 1;
}

/*
 * A size wanted by the caller stays as long as three chunks have room: one in flight, one at work,
 * and one to read again into. Ours is halved for the sake of the queue before that, down to pieces,
 * and stays a power of two, so that no request crosses the end of an allocation unit.
 */
static uint32_t choose_request(const struct ca_fill_job *job, uint32_t buffers)
{
	uint32_t wanted = job->options->request_bytes, bytes = wanted;
	uint32_t chunks = job->queue_depth + CA_FILL_AHEAD + 1;
	uint32_t unit = unit_of(job);

	if (bytes == 0)
		bytes = DEFAULT_REQUEST_BYTES;
	while (wanted == 0 && bytes > CA_FILL_PIECE_BYTES && bytes > buffers / chunks)
		bytes /= 2;
	while (wanted == 0 && bytes > unit && bytes > buffers / 3)
		bytes /= 2;
	if (bytes > buffers / 3)
		bytes = buffers / 3;
	if (bytes > job->bytes)
		bytes = (uint32_t)job->bytes + unit - 1;
	bytes -= bytes % unit;
	return bytes ? bytes : unit;
}

static void choose_sizes(struct ca_fill_job *job)
{
	uint32_t buffers = job->options->buffer_bytes;
	uint32_t most;

	if (buffers == 0)
		buffers = DEFAULT_BUFFER_BYTES;
	job->queue_depth = choose_depth(job);
	job->request_bytes = choose_request(job, buffers);
	most = buffers / job->request_bytes;
	most = most > 3 ? most - 1 : 2;
	job->slot_count = job->queue_depth + CA_FILL_AHEAD;
	if (job->slot_count > most)
		job->slot_count = most;
	if (job->queue_depth >= job->slot_count)
		job->queue_depth = job->slot_count - 1;
}

/* ---- buffers */

/*
 * Large pages, where the kernel has them to spare: it then looks up and holds 512 times fewer pages
 * a request, which is most of what a transfer costs it.
 */
static uint8_t *allocate_buffers(size_t bytes)
{
	size_t align = bytes < HUGE_PAGE_BYTES ? CA_BUFFER_ALIGN : HUGE_PAGE_BYTES;
	void *memory;

	if (posix_memalign(&memory, align, bytes) != 0)
		return NULL;
	/* only a wish, and not for the end, whose large page would be more than was asked for */
	if (align == HUGE_PAGE_BYTES)
		(void)madvise(memory, bytes - bytes % (size_t)HUGE_PAGE_BYTES, MADV_HUGEPAGE);
	return memory;
}

int ca_fill_queue_init(struct ca_fill_job *job)
{
	size_t bytes;

	choose_sizes(job);
	bytes = ((size_t)job->slot_count + 1) * job->request_bytes + CA_FILL_PIECE_BYTES;
	job->memory = allocate_buffers(bytes);
	job->slots = calloc(job->slot_count, sizeof(*job->slots));
	job->idle = calloc(job->slot_count, sizeof(struct ca_fill_slot *));
	job->posted = calloc(job->slot_count, sizeof(struct ca_fill_slot *));
	job->failed = calloc(job->slot_count, sizeof(struct ca_io *));
	job->landmarks = calloc(CA_FILL_LANDMARKS, sizeof(*job->landmarks));
	if (!job->memory || !job->slots || !job->idle || !job->posted || !job->failed ||
	    !job->landmarks)
		return -ENOMEM;
	for (uint32_t i = 0; i < job->slot_count; i++) {
		job->slots[i].io.buffer = job->memory + (size_t)i * job->request_bytes;
		job->idle[job->idle_count++] = &job->slots[i];
	}
	job->again = job->memory + (size_t)job->slot_count * job->request_bytes;
	job->expected = job->again + job->request_bytes;
	return 0;
}

/* Waits for all that is in flight and forgets it. */
static int drain(struct ca_fill_job *job)
{
	while (ca_fill_has_flight(job)) {
		struct ca_io *io;
		int r = ca_fill_wait(job, &io);

		if (r < 0)
			return r;
	}
	return 0;
}

void ca_fill_queue_done(struct ca_fill_job *job)
{
	ca_fill_drop_posted(job);
	/* nothing may still write into the buffers; when even waiting fails, they are left */
	if (drain(job) == 0) {
		free(job->memory);
		free(job->slots);
		free(job->landmarks);
	}
	free(job->idle);
	free(job->posted);
	free(job->failed);
}

/* ---- slots */

bool ca_fill_has_idle(const struct ca_fill_job *job)
{
	return job->idle_count > 0;
}

bool ca_fill_has_flight(const struct ca_fill_job *job)
{
	return job->in_flight > 0;
}

bool ca_fill_can_submit(const struct ca_fill_job *job)
{
	return job->in_flight < job->queue_depth;
}

static struct ca_fill_slot *slot_of(struct ca_io *io)
{
	return (struct ca_fill_slot *)io; /* io is the first member */
}

static struct ca_fill_slot *take_idle(struct ca_fill_job *job, enum ca_io_op op, uint64_t offset,
				      uint64_t bytes)
{
	struct ca_fill_slot *slot = job->idle[--job->idle_count];
	void *buffer = slot->io.buffer;

	assert(bytes > 0 && bytes <= job->request_bytes);
	slot->io = (struct ca_io){
		.op = op, .offset = offset, .bytes = (uint32_t)bytes, .buffer = buffer};
	return slot;
}

static int submit(struct ca_fill_job *job, struct ca_fill_slot *slot)
{
	int r = ca_device_submit(job->device, &slot->io);

	if (r == 0)
		job->in_flight++;
	else
		ca_fill_release(job, &slot->io);
	return r;
}

void ca_fill_release(struct ca_fill_job *job, struct ca_io *io)
{
	job->idle[job->idle_count++] = slot_of(io);
}

int ca_fill_wait(struct ca_fill_job *job, struct ca_io **ret_io)
{
	int r;

	ca_crew_use_pause(job->crew);
	r = ca_device_wait(job->device, ret_io);
	if (r < 0)
		return r;
	job->in_flight--;
	ca_crew_look(job->crew);
	return 0;
}

/* ---- posted work */

static void post(struct ca_fill_job *job, struct ca_fill_slot *slot, enum ca_crew_work work)
{
	slot->task = (struct ca_crew_task){
		.work = work,
		.lba = slot->io.offset / CA_SECTOR_BYTES,
		.sectors = slot->io.bytes / CA_SECTOR_BYTES,
		.data = slot->io.buffer,
	};
	job->posted[(job->posted_first + job->posted_count++) % job->slot_count] = slot;
	ca_crew_post(job->crew, &slot->task);
}

void ca_fill_post_write(struct ca_fill_job *job, uint64_t offset, uint64_t bytes)
{
	post(job, take_idle(job, CA_IO_WRITE, offset, bytes), CA_CREW_GENERATE);
}

struct ca_io *ca_fill_take_posted(struct ca_fill_job *job)
{
	struct ca_fill_slot *slot = job->posted[job->posted_first];

	job->posted_first = (job->posted_first + 1) % job->slot_count;
	job->posted_count--;
	ca_crew_await(job->crew, &slot->task);
	return &slot->io;
}

int ca_fill_submit_posted(struct ca_fill_job *job)
{
	return submit(job, slot_of(ca_fill_take_posted(job)));
}

int ca_fill_submit_read(struct ca_fill_job *job, uint64_t offset, uint64_t bytes)
{
	return submit(job, take_idle(job, CA_IO_READ, offset, bytes));
}

void ca_fill_post_read(struct ca_fill_job *job, struct ca_io *io)
{
	post(job, slot_of(io), CA_CREW_COMPARE);
}

bool ca_fill_was_intact(const struct ca_io *io)
{
	return ((const struct ca_fill_slot *)io)->task.intact;
}

void ca_fill_drop_posted(struct ca_fill_job *job)
{
	while (job->posted_count > 0)
		ca_fill_release(job, ca_fill_take_posted(job));
}

/* ---- a range */

static void make_next(struct ca_fill_job *job, uint64_t *made_to, uint64_t limit)
{
	uint64_t left = limit - *made_to;
	uint64_t bytes = left < job->request_bytes ? left : job->request_bytes;

	ca_fill_post_write(job, *made_to, bytes);
	*made_to += bytes;
}

static int submit_next(struct ca_fill_job *job, uint64_t *submitted_to)
{
	const struct ca_fill_slot *slot = job->posted[job->posted_first];
	uint64_t end = slot->io.offset + slot->io.bytes;
	int r = ca_fill_submit_posted(job);

	if (r == 0)
		*submitted_to = end;
	return r;
}

static int complete_next(struct ca_fill_job *job, struct ca_fill_writes *writes)
{
	struct ca_io *io;
	int r = ca_fill_wait(job, &io);

	return r < 0 ? r : writes->complete(job, writes, io);
}

int ca_fill_write_range(struct ca_fill_job *job, struct ca_fill_writes *writes)
{
	uint64_t made_to = *writes->submitted_to;
	int r = 0;

	while (r == 0) {
		bool more = !writes->stop && !ca_fill_is_over(job);

		if (more && made_to < writes->limit && ca_fill_has_idle(job))
			make_next(job, &made_to, writes->limit);
		else if (more && job->posted_count > 0 && ca_fill_can_submit(job))
			r = submit_next(job, writes->submitted_to);
		else if (ca_fill_has_flight(job))
			r = complete_next(job, writes);
		else
			break;
	}
	ca_fill_drop_posted(job);
	return r;
}
