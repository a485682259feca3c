/* SPDX-License-Identifier: BSD-2-Clause */
#include "retake.h"

#include "block.h"

#include <errno.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#define POLL_NS 50000000L

int ca_retake_find(const char *root, const struct ca_disk *then, struct ca_disk *ret_disk)
{
	CA_CLEANUP_FREE struct ca_disk *all = NULL;
	size_t count = 0;
	int rc = ca_disk_read_all(root, &all, &count);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < count; i++) {
		if (all[i].part_of[0] || !all[i].bytes ||
		    strcmp(all[i].host_path, then->host_path) != 0)
			continue;
		*ret_disk = all[i];
		return 0;
	}
	return -ENOENT;
}

bool ca_retake_is_same(const struct ca_disk *then, const struct ca_disk *now)
{
	return now->bytes == then->bytes && now->sector_bytes == then->sector_bytes &&
	       now->read_only == then->read_only && strcmp(now->kind, then->kind) == 0 &&
	       strcmp(now->model, then->model) == 0 && strcmp(now->serial, then->serial) == 0;
}

/* The descriptor; -ESTALE another one is there, or what it failed with last. */
static int await_return(const struct ca_disk *then, bool writable, uint64_t wait_ns,
			struct ca_disk *ret_disk)
{
	const struct timespec pause = {0, POLL_NS};
	struct ca_clock *clock = ca_clock_real();
	uint64_t until = ca_clock_now_ns(clock) + wait_ns;
	int rc;

	for (;;) {
		rc = ca_retake_find(NULL, then, ret_disk);
		if (rc == 0 && !ca_retake_is_same(then, ret_disk))
			return -ESTALE;
		if (rc == 0)
			rc = ca_linux_block_take(ret_disk->node,
						 makedev(ret_disk->major, ret_disk->minor),
						 writable);
		if (rc >= 0 || ca_clock_now_ns(clock) >= until)
			return rc;
		(void)nanosleep(&pause, NULL); /* an earlier end only means one more look */
	}
}

/* Registers, byte by byte, of a card that sysfs finds the same. */
static bool has_same_registers(const struct ca_block_identity *then,
			       const struct ca_block_identity *now)
{
	for (size_t i = 0; i < CA_ARRAY_LEN(then->registers); i++)
		if (strcmp(then->registers[i], now->registers[i]) != 0)
			return false;
	return true;
}

void ca_retake_let_go(struct ca_block *block)
{
	ca_uring_free(block->uring);
	block->uring = NULL;
	if (block->fd >= 0)
		(void)close(block->fd); /* what had to be durable was flushed */
	block->fd = -1;
}

static int refuse_other(struct ca_block *block, const struct ca_disk *now)
{
	return ca_error_set(&block->device.failure, -ESTALE,
			    "what came back in the slot as %s is not the card that was there: "
			    "nothing is written to it",
			    now->node);
}

int ca_retake(struct ca_block *block, const struct ca_disk *then, uint64_t wait_ns)
{
	struct ca_block_identity identity;
	struct ca_disk now = {.bytes = 0};
	int fd = await_return(then, !block->device.geometry.read_only, wait_ns, &now);

	if (fd == -ESTALE)
		return refuse_other(block, &now);
	if (fd < 0)
		return fd == -ENOENT ? -ENODEV : fd; /* it, and not its file, is missing */
	ca_linux_block_identify(fd, makedev(now.major, now.minor), &identity);
	if (!has_same_registers(&block->identity, &identity)) {
		(void)close(fd); /* another card: nothing was written through it */
		return refuse_other(block, &now);
	}
	block->fd = fd;
	block->identity = identity;
	block->stayed_at_ns = 0;
	ca_block_listen(block); /* that the card left before is still in the old queue */
	/* No io_uring in this kernel or container: the synchronous queue serves. */
	(void)ca_uring_new(fd, &block->uring);
	return 0;
}
