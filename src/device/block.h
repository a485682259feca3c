/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * block: a device of the machine behind a file descriptor, be it a block device or an image file.
 * linux_block.c and image.c open one, block.c moves its data, uring.c its queue.
 */
#ifndef CA_DEVICE_BLOCK_H
#define CA_DEVICE_BLOCK_H

#include "cardassay/host.h"

#include <sys/types.h>

#define CA_BLOCK_QUEUE_DEPTH 64U

struct ca_uevents;
struct ca_uring;

/* What must stay the same while a device is open. */
struct ca_block_identity {
	dev_t rdev;		/* block devices */
	uint64_t diskseq;	/* 0 = the kernel does not number its disks */
	char registers[3][160]; /* cid, csd, scr as sysfs shows them; "" = none */
};

struct ca_block {
	struct ca_device device; /* first, so that a ca_device pointer is one to this */
	int fd;			 /* -1: let go, and not there again (reinit.c) */
	bool image;		 /* a regular file */
	struct ca_block_identity identity;
	struct ca_uevents *events; /* to hear when it leaves; NULL: an image, or none to be had */
	struct ca_uring *uring;	   /* NULL: submit moves the data itself */
	struct ca_io
		*done[CA_BLOCK_QUEUE_DEPTH]; /* without io_uring: complete, not yet waited for */
	uint32_t done_first, done_count;
	uint64_t stayed_at_ns; /* when a wait for it to leave ended in vain, 0 = never */
};

/* Takes over fd, also on failure. The geometry is filled in by the caller afterwards. */
int ca_block_new(int fd, bool image, struct ca_block **ret_block);

/* Hears from now on when the device leaves: after it was opened, and after it was opened anew. */
void ca_block_listen(struct ca_block *block);

/* The ca_block behind a device, or NULL when it is another backend's. */
const struct ca_block *ca_block_of(const struct ca_device *device);

/* linux_block.c and image.c */
int ca_linux_block_open(const char *node, enum ca_open_mode mode, struct ca_device **ret_device,
			struct ca_error *error);
void ca_linux_block_identify(int fd, dev_t rdev, struct ca_block_identity *ret_identity);
/* The kernel's number of this disk and the card in it; 0 when it numbers none, or it left. */
uint64_t ca_linux_block_diskseq(int fd);
/* Opens (and, to write, locks) what the guard allowed before, if the node is that device. The
 * descriptor, or a negative errno. */
int ca_linux_block_take(const char *node, dev_t rdev, bool writable);
int ca_image_open(const char *path, enum ca_open_mode mode, struct ca_device **ret_device,
		  struct ca_error *error);

/* erase.c and mmc_record.c: the ops of these names */
int ca_erase_block(struct ca_device *device, struct ca_io_fault *ret_fault);
int ca_record_block(struct ca_device *device, enum ca_card_command command);

/* uring.c: -ENOSYS and the like when the kernel has no (or too old an) io_uring. */
int ca_uring_new(int fd, struct ca_uring **ret_uring);
void ca_uring_free(struct ca_uring *uring); /* waits for what is in flight */
int ca_uring_submit(struct ca_uring *uring, struct ca_io *io);
/* One completed transfer and its result: bytes moved or -errno. */
int ca_uring_wait(struct ca_uring *uring, struct ca_io **ret_io, int64_t *ret_result);

#endif
