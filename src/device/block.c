/* SPDX-License-Identifier: BSD-2-Clause */
#include "block.h"

#include "reinit.h"
#include "sysfs.h"
#include "transfer.h"
#include "uevent.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

/* The kernel fails I/O first and tells the new size (0) a little later. */
#define LEAVE_WAIT_NS CA_NS_PER_SECOND
#define LEAVE_POLL_MS 20
#define EVENTS_MAX    256U /* more than the socket keeps: an end in a storm of events */
/* A card with many bad sectors is not waited for at each of them: after a device was waited for and
 * stayed, so long no second wait for the usual errors, and for those that mostly mean it leaves. */
#define STAYED_NS	(30 * CA_NS_PER_SECOND)
#define STAYED_SHORT_NS (5 * CA_NS_PER_SECOND)

static struct ca_block *block_of(struct ca_device *device)
{
	return (struct ca_block *)device; /* device is the first member */
}

/* 0 when it left. */
static uint64_t size_now(const struct ca_block *block)
{
	struct stat st;
	uint64_t bytes;

	if (block->image)
		return fstat(block->fd, &st) == 0 && st.st_size > 0 ? (uint64_t)st.st_size : 0;
	return ioctl(block->fd, BLKGETSIZE64, &bytes) == 0 ? bytes : 0;
}

/*
 * A reader's card that was pulled fails all I/O, but the kernel looks at its size only when
 * somebody opens the node; then an event says so, or the number of the disk. Not without hearing
 * events: it also ends the kernel's refusal to send anything to the next card.
 */
static void ask_kernel(const struct ca_block *block)
{
	char path[40];
	int fd;

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", block->fd); /* fits */
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (fd >= 0)
		(void)close(fd); /* nothing was written through it */
}

/* Did the kernel say that the device, or the card in it, left? */
static bool is_farewell(const struct ca_block *block, const struct ca_uevent *event)
{
	const struct ca_block_identity *identity = &block->identity;

	if (event->synthetic || !ca_uevent_is_disk(event) ||
	    event->major != major(identity->rdev) || event->minor != minor(identity->rdev))
		return false;
	/* an earlier one of the same number may have left while this one was opened */
	if (event->diskseq && identity->diskseq && event->diskseq < identity->diskseq)
		return false;
	return event->action == CA_UEVENT_REMOVE || event->media_change;
}

/* For when events were lost: a device that left is not in sysfs, where there is one. */
static bool is_in_sysfs(const struct ca_block *block)
{
	dev_t rdev = block->identity.rdev;

	return ca_sysfs_exists("", "sys/dev/block/%u:%u", major(rdev), minor(rdev)) ||
	       !ca_sysfs_exists("", "sys/dev/block");
}

/* Reads what the kernel said, waiting so long for the first word. */
static bool heard_farewell(struct ca_block *block, int wait_ms)
{
	struct ca_uevent event;

	for (unsigned int i = 0; i < EVENTS_MAX; i++) {
		int rc = ca_uevent_next(block->events, i ? 0 : wait_ms, &event);

		if (rc == 1 && is_farewell(block, &event))
			return true;
		if (rc == -ENOBUFS && !is_in_sysfs(block))
			return true;
		if (rc != 1 && rc != -ENOBUFS) /* none, or a signal: the caller looks again */
			return false;
	}
	return false;
}

static bool has_left(struct ca_block *block, int wait_ms)
{
	const struct timespec pause = {0, wait_ms * 1000000L};

	if (block->events) {
		ask_kernel(block);
		if (heard_farewell(block, wait_ms))
			return true;
	} else if (wait_ms) {
		(void)nanosleep(&pause, NULL); /* an earlier end only means one more look */
	}
	return size_now(block) == 0 || ca_linux_block_diskseq(block->fd) != block->identity.diskseq;
}

/* After a failure with this positive errno: is the device gone? Waits up to a second for it to
 * leave, once in a while. */
static bool block_is_gone(struct ca_block *block, int error)
{
	uint64_t now = ca_clock_now_ns(block->device.clock), until = now + LEAVE_WAIT_NS;
	uint64_t stayed_ns;

	if (error == ENODEV || error == ENOMEDIUM)
		return true;
	if (block->image)
		return size_now(block) == 0;
	if (has_left(block, 0))
		return true;
	/* EIO and the like come from bad sectors too; these two mostly from a device that leaves */
	stayed_ns = error == ENXIO || error == ENOSPC ? STAYED_SHORT_NS : STAYED_NS;
	if (block->stayed_at_ns && now - block->stayed_at_ns < stayed_ns)
		return false;
	while (ca_clock_now_ns(block->device.clock) < until)
		if (has_left(block, LEAVE_POLL_MS))
			return true;
	block->stayed_at_ns = ca_clock_now_ns(block->device.clock);
	return false;
}

static bool transfer_is_gone(void *context, int error)
{
	return block_is_gone(context, error);
}

/* Ours: a wrong call, no memory; on a file system, no room. A card never says these. */
static bool is_own_failure(void *context, int error)
{
	const struct ca_block *block = context;

	switch (error) {
	case EINVAL:
	case ENOMEM:
	case EFAULT:
		return true;
	case EBADF:
		return block->fd >= 0; /* else it was let go of and did not come back */
	case ENOSPC:
	case EDQUOT:
	case EFBIG:
		return block->image;
	default:
		return false;
	}
}

static int64_t move_bytes(void *context, enum ca_io_op op, uint64_t offset, uint64_t bytes,
			  void *buffer)
{
	struct ca_block *block = context;
	ssize_t moved;

	if (op == CA_IO_READ)
		moved = pread(block->fd, buffer, (size_t)bytes, (off_t)offset);
	else if (block->image && size_now(block) < offset + bytes)
		return -EIO; /* somebody made the file shorter; writing would make it grow */
	else
		moved = pwrite(block->fd, buffer, (size_t)bytes, (off_t)offset);
	return moved < 0 ? -errno : moved;
}

static int run(struct ca_device *device, enum ca_io_op op, uint64_t offset, uint64_t bytes,
	       void *buffer, struct ca_io_fault *ret_fault)
{
	struct ca_transfer transfer = {
		.move = move_bytes,
		.is_gone = transfer_is_gone,
		.is_own = is_own_failure,
		.context = block_of(device),
		.clock = device->clock,
		.sector_bytes = device->geometry.sector_bytes,
	};

	assert(offset % transfer.sector_bytes == 0 && bytes % transfer.sector_bytes == 0);
	assert(offset <= device->geometry.bytes && bytes <= device->geometry.bytes - offset);
	return ca_transfer_run(&transfer, op, offset, bytes, buffer, ret_fault);
}

static int block_read(struct ca_device *device, uint64_t offset, uint64_t bytes, void *buffer,
		      struct ca_io_fault *ret_fault)
{
	return run(device, CA_IO_READ, offset, bytes, buffer, ret_fault);
}

static int block_write(struct ca_device *device, uint64_t offset, uint64_t bytes,
		       const void *buffer, struct ca_io_fault *ret_fault)
{
	/* one transfer serves both directions; writing only reads the buffer */
	return run(device, CA_IO_WRITE, offset, bytes, (void *)(uintptr_t)buffer, ret_fault);
}

static void complete(struct ca_block *block, struct ca_io *io, int64_t result)
{
	io->completed_ns = ca_clock_now_ns(block->device.clock);
	io->status = CA_IO_OK;
	io->error = 0;
	if (result == (int64_t)io->bytes)
		return;
	io->error = result < 0 ? (int)-result : EIO;
	io->status = CA_IO_ERROR;
	if (!is_own_failure(block, io->error) && block_is_gone(block, io->error))
		io->status = CA_IO_GONE;
}

/* Without io_uring: the transfer happens here and waits to be picked up. */
static int submit_now(struct ca_block *block, struct ca_io *io)
{
	uint64_t moved = 0;
	int64_t result = 0;

	if (block->done_count == CA_BLOCK_QUEUE_DEPTH)
		return -EAGAIN;
	while (moved < io->bytes) {
		result = move_bytes(block, io->op, io->offset + moved, io->bytes - moved,
				    (char *)io->buffer + moved);
		if (result == -EINTR)
			continue;
		if (result <= 0)
			break;
		moved += (uint64_t)result;
	}
	complete(block, io, result < 0 ? result : (int64_t)moved);
	block->done[(block->done_first + block->done_count++) % CA_BLOCK_QUEUE_DEPTH] = io;
	return 0;
}

static int block_submit(struct ca_device *device, struct ca_io *io)
{
	struct ca_block *block = block_of(device);

	io->submitted_ns = ca_clock_now_ns(device->clock);
	if (!block->uring)
		return submit_now(block, io);
	if (block->image && io->op == CA_IO_WRITE && size_now(block) < io->offset + io->bytes)
		return -EFBIG; /* somebody made the file shorter; writing would make it grow */
	return ca_uring_submit(block->uring, io);
}

static int block_wait(struct ca_device *device, struct ca_io **ret_io)
{
	struct ca_block *block = block_of(device);
	struct ca_io *io;
	int64_t result;
	int rc;

	if (block->uring) {
		rc = ca_uring_wait(block->uring, &io, &result);
		if (rc < 0)
			return rc;
		complete(block, io, result);
		*ret_io = io;
		return 0;
	}
	if (!block->done_count)
		return -ENOENT;
	*ret_io = block->done[block->done_first];
	block->done_first = (block->done_first + 1) % CA_BLOCK_QUEUE_DEPTH;
	block->done_count--;
	return 0;
}

static int block_drop_cache(struct ca_device *device)
{
	struct ca_block *block = block_of(device);

	/* O_DIRECT leaves nothing behind; this is for what others read, so no privilege is fine */
	if (!block->image)
		(void)ioctl(block->fd, BLKFLSBUF, 0);
	(void)posix_fadvise(block->fd, 0, 0, POSIX_FADV_DONTNEED);
	return 0;
}

static int block_flush(struct ca_device *device, struct ca_io_fault *ret_fault)
{
	struct ca_block *block = block_of(device);
	struct ca_io_fault fault = {.status = CA_IO_OK};

	if (fdatasync(block->fd) < 0) {
		int error = errno;

		if (is_own_failure(block, error))
			return -error;
		fault.error = error;
		fault.status = block_is_gone(block, error) ? CA_IO_GONE : CA_IO_ERROR;
	}
	*ret_fault = fault;
	return block_drop_cache(device);
}

/* An empty text was never seen: nothing to compare with. A device without one now has left. */
static enum ca_io_status compare(const struct ca_block_identity *then,
				 const struct ca_block_identity *now)
{
	if (then->diskseq && then->diskseq != now->diskseq)
		return CA_IO_ERROR;
	for (size_t i = 0; i < CA_ARRAY_LEN(then->registers); i++) {
		if (!then->registers[i][0] || !strcmp(then->registers[i], now->registers[i]))
			continue;
		return now->registers[i][0] ? CA_IO_ERROR : CA_IO_GONE;
	}
	return CA_IO_OK;
}

static int block_check(struct ca_device *device, struct ca_io_fault *ret_fault)
{
	struct ca_block *block = block_of(device);
	struct ca_io_fault fault = {.status = CA_IO_OK};
	struct ca_block_identity now = {0};
	uint64_t bytes = size_now(block);
	struct stat st;

	if (bytes == 0) {
		fault.status = CA_IO_GONE;
	} else if (bytes != device->geometry.bytes) {
		fault.status = CA_IO_ERROR;
	} else if (!block->image) {
		if (fstat(block->fd, &st) < 0 || st.st_rdev != block->identity.rdev) {
			fault.status = CA_IO_ERROR;
		} else {
			ca_linux_block_identify(block->fd, st.st_rdev, &now);
			fault.status = compare(&block->identity, &now);
		}
	}
	if (fault.status != CA_IO_OK) {
		fault.error = fault.status == CA_IO_GONE ? ENODEV : ESTALE;
		fault.bytes = device->geometry.bytes;
	}
	*ret_fault = fault;
	return 0;
}

static void block_close(struct ca_device *device)
{
	struct ca_block *block = block_of(device);

	ca_uring_free(block->uring);
	ca_uevent_close(block->events);
	if (block->fd >= 0)
		(void)close(block->fd); /* what had to be durable was flushed */
	free(block);
}

static const struct ca_device_ops block_ops = {
	.read = block_read,
	.write = block_write,
	.submit = block_submit,
	.wait = block_wait,
	.flush = block_flush,
	.drop_cache = block_drop_cache,
	.check = block_check,
	.reinit = ca_reinit_block,
	.erase = ca_erase_block,
	.command = ca_record_block,
	.close = block_close,
};

void ca_block_listen(struct ca_block *block)
{
	ca_uevent_close(block->events);
	block->events = NULL;
	(void)ca_uevent_open(CA_UEVENT_BUFFER_DISK, &block->events); /* else its size is asked */
}

int ca_block_new(int fd, bool image, struct ca_block **ret_block)
{
	struct ca_block *block = calloc(1, sizeof(*block));

	if (!block) {
		(void)close(fd); /* nothing was written through it */
		return -ENOMEM;
	}
	block->device.ops = &block_ops;
	block->device.clock = ca_clock_real();
	block->device.geometry.max_queue_depth = CA_BLOCK_QUEUE_DEPTH;
	block->fd = fd;
	block->image = image;
	/* No io_uring in this kernel or container: the synchronous queue serves. */
	(void)ca_uring_new(fd, &block->uring);
	if (!image)
		ca_block_listen(block);
	*ret_block = block;
	return 0;
}

const struct ca_block *ca_block_of(const struct ca_device *device)
{
	return device->ops == &block_ops ? (const struct ca_block *)device : NULL;
}
