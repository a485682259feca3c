/* SPDX-License-Identifier: BSD-2-Clause */
#include "block.h"

#include <errno.h>
#include <liburing.h>
#include <stdlib.h>

struct ca_uring {
	struct io_uring ring;
	int fd;
	unsigned int in_flight;
	/* what submitting failed with: an entry is stuck in the ring, nothing may follow */
	int broken;
};

/* Plain read and write operations came with Linux 5.6; before that the synchronous queue serves. */
static bool has_operations(struct io_uring *ring)
{
	struct io_uring_probe *probe = io_uring_get_probe_ring(ring);
	bool has = probe && io_uring_opcode_supported(probe, IORING_OP_READ) &&
		   io_uring_opcode_supported(probe, IORING_OP_WRITE);

	io_uring_free_probe(probe);
	return has;
}

int ca_uring_new(int fd, struct ca_uring **ret_uring)
{
	struct ca_uring *uring = calloc(1, sizeof(*uring));
	int rc;

	if (!uring)
		return -ENOMEM;
	uring->fd = fd;
	rc = io_uring_queue_init(CA_BLOCK_QUEUE_DEPTH, &uring->ring, 0);
	if (rc < 0) {
		free(uring);
		return rc;
	}
	if (!has_operations(&uring->ring)) {
		io_uring_queue_exit(&uring->ring);
		free(uring);
		return -ENOSYS;
	}
	*ret_uring = uring;
	return 0;
}

int ca_uring_submit(struct ca_uring *uring, struct ca_io *io)
{
	struct io_uring_sqe *sqe;
	int rc;

	if (uring->broken)
		return uring->broken;
	if (uring->in_flight == CA_BLOCK_QUEUE_DEPTH)
		return -EAGAIN;
	sqe = io_uring_get_sqe(&uring->ring);
	if (!sqe)
		return -EAGAIN;
	if (io->op == CA_IO_READ)
		io_uring_prep_read(sqe, uring->fd, io->buffer, io->bytes, io->offset);
	else
		io_uring_prep_write(sqe, uring->fd, io->buffer, io->bytes, io->offset);
	io_uring_sqe_set_data(sqe, io);
	do
		rc = io_uring_submit(&uring->ring);
	while (rc == -EINTR);
	if (rc != 1) {
		uring->broken = rc < 0 ? rc : -EIO;
		return uring->broken;
	}
	uring->in_flight++;
	return 0;
}

int ca_uring_wait(struct ca_uring *uring, struct ca_io **ret_io, int64_t *ret_result)
{
	struct io_uring_cqe *cqe;
	int rc;

	if (!uring->in_flight)
		return -ENOENT;
	do
		rc = io_uring_wait_cqe(&uring->ring, &cqe);
	while (rc == -EINTR);
	if (rc < 0)
		return rc;
	*ret_io = io_uring_cqe_get_data(cqe);
	*ret_result = cqe->res;
	io_uring_cqe_seen(&uring->ring, cqe);
	uring->in_flight--;
	return 0;
}

void ca_uring_free(struct ca_uring *uring)
{
	struct ca_io *io;
	int64_t result;

	if (!uring)
		return;
	/* The kernel still owns those buffers: their owner may free them only after this. */
	while (uring->in_flight && ca_uring_wait(uring, &io, &result) == 0)
		;
	io_uring_queue_exit(&uring->ring);
	free(uring);
}
