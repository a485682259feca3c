/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * device: the interface that fill and speed talk to. A block device with byte offsets, one
 * asynchronous queue, a flush, and a clock that may be virtual. Which backend is behind it
 * (include/cardassay/host.h opens them) is nobody's business here.
 *
 * What a card does wrong is data (E3): status and the exact range, never a negative errno. A
 * negative errno is a failure of our own (ENOMEM, a broken io_uring).
 */
#ifndef CARDASSAY_DEVICE_H
#define CARDASSAY_DEVICE_H

#include "cardassay/base.h"

#include <errno.h>

enum ca_io_op {
	CA_IO_READ,
	CA_IO_WRITE,
};

enum ca_io_status {
	CA_IO_OK,
	CA_IO_ERROR, /* the device (or its host) answered with an error */
	CA_IO_GONE,  /* the device is no longer there */
};

/* The first range of a transfer that failed. All bytes of the transfer before it are done. */
struct ca_io_fault {
	enum ca_io_status status; /* CA_IO_OK: no fault, the rest is 0 */
	int error;		  /* positive errno as the kernel gave it */
	uint64_t offset, bytes;	  /* absolute; whole logical sectors */
};

/*
 * One asynchronous transfer. The caller owns it and the buffer, and keeps both in place from
 * submit until wait hands it back. offset and bytes are multiples of sector_bytes, buffers are
 * aligned to CA_BUFFER_ALIGN.
 */
struct ca_io {
	enum ca_io_op op;
	uint64_t offset;
	uint32_t bytes;
	void *buffer;
	/* filled in by submit and wait: */
	uint64_t submitted_ns, completed_ns; /* device clock; their difference is the latency */
	enum ca_io_status status; /* ERROR: repeat it with read/write to learn the range */
	int error;
};

#define CA_BUFFER_ALIGN 4096U

struct ca_geometry {
	uint64_t bytes;		  /* announced size */
	uint32_t sector_bytes;	  /* logical, 512 or 4096 */
	uint32_t max_queue_depth; /* what submit can hold, >= 1 */
	bool read_only;
};

struct ca_device;

/* What only a card understands, and only commands of its own can tell it (S 4.3.5, 4.13). */
enum ca_card_command {
	CA_CARD_ERASE_ALL, /* full user area logical erase: all is lost at once */
	CA_CARD_START_RECORDING,
	CA_CARD_UPDATE_DIRECTORY, /* a directory entry is written next */
	CA_CARD_UPDATE_CI,	  /* FAT or bitmap are written next */
};

/* All ops return 0 or a negative errno of our own failure. Absent ops are NULL. */
struct ca_device_ops {
	int (*read)(struct ca_device *device, uint64_t offset, uint64_t bytes, void *buffer,
		    struct ca_io_fault *ret_fault);
	int (*write)(struct ca_device *device, uint64_t offset, uint64_t bytes, const void *buffer,
		     struct ca_io_fault *ret_fault);
	/* Queues one transfer; -EAGAIN when max_queue_depth are in flight. */
	int (*submit)(struct ca_device *device, struct ca_io *io);
	/* Blocks until one transfer is complete and hands it back; -ENOENT: none is in flight. */
	int (*wait)(struct ca_device *device, struct ca_io **ret_io);
	/* Makes what was written so far durable, as far as the device can (fdatasync). */
	int (*flush)(struct ca_device *device, struct ca_io_fault *ret_fault);
	/* Drops what the host may have cached of the device, so that reads go to the device. */
	int (*drop_cache)(struct ca_device *device);
	/*
	 * Is it still the same device, of the same size? CA_IO_GONE in ret_fault when it left or
	 * shrank to nothing; CA_IO_ERROR when size or identity changed.
	 */
	int (*check)(struct ca_device *device, struct ca_io_fault *ret_fault);
	/*
	 * Makes the host let go of the device and initialise it anew, and finds it again in the
	 * same slot; nothing may be in flight. -EOPNOTSUPP: it cannot be done here, failure says
	 * why, and nothing was touched. CA_IO_GONE in ret_fault: it did not come back; CA_IO_ERROR:
	 * another device came, or its size or registers changed. Not a loss of power.
	 */
	int (*reinit)(struct ca_device *device, struct ca_io_fault *ret_fault);
	/*
	 * Has the whole device forget what it holds; what is read afterwards is anybody's guess.
	 * -EOPNOTSUPP: it cannot, or not all of it.
	 */
	int (*erase)(struct ca_device *device, struct ca_io_fault *ret_fault);
	/* Nothing may be in flight. -EOPNOTSUPP: there is no card to tell, or it does not obey. */
	int (*command)(struct ca_device *device, enum ca_card_command command);
	void (*close)(struct ca_device *device); /* releases everything, frees device */
};

struct ca_device {
	const struct ca_device_ops *ops;
	struct ca_geometry geometry;
	struct ca_clock *clock;
	/* What to tell the user when an op returned a negative errno; code 0: the errno is all. */
	struct ca_error failure;
};

/* Inline so that fill and speed need no library of the device room. close takes NULL (N4). */
static inline int ca_device_read(struct ca_device *device, uint64_t offset, uint64_t bytes,
				 void *buffer, struct ca_io_fault *ret_fault)
{
	return device->ops->read(device, offset, bytes, buffer, ret_fault);
}

static inline int ca_device_write(struct ca_device *device, uint64_t offset, uint64_t bytes,
				  const void *buffer, struct ca_io_fault *ret_fault)
{
	return device->ops->write(device, offset, bytes, buffer, ret_fault);
}

static inline int ca_device_submit(struct ca_device *device, struct ca_io *io)
{
	return device->ops->submit(device, io);
}

static inline int ca_device_wait(struct ca_device *device, struct ca_io **ret_io)
{
	return device->ops->wait(device, ret_io);
}

static inline int ca_device_flush(struct ca_device *device, struct ca_io_fault *ret_fault)
{
	return device->ops->flush(device, ret_fault);
}

static inline int ca_device_drop_cache(struct ca_device *device)
{
	return device->ops->drop_cache ? device->ops->drop_cache(device) : 0;
}

static inline int ca_device_check(struct ca_device *device, struct ca_io_fault *ret_fault)
{
	return device->ops->check(device, ret_fault);
}

static inline int ca_device_reinit(struct ca_device *device, struct ca_io_fault *ret_fault)
{
	return device->ops->reinit ? device->ops->reinit(device, ret_fault) : -EOPNOTSUPP;
}

static inline int ca_device_erase(struct ca_device *device, struct ca_io_fault *ret_fault)
{
	return device->ops->erase ? device->ops->erase(device, ret_fault) : -EOPNOTSUPP;
}

static inline int ca_device_command(struct ca_device *device, enum ca_card_command command)
{
	return device->ops->command ? device->ops->command(device, command) : -EOPNOTSUPP;
}

static inline void ca_device_close(struct ca_device *device)
{
	if (device)
		device->ops->close(device);
}

#endif
