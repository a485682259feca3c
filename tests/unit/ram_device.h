/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ram_device: a small card in memory for the tests of fill and speed, with a virtual clock and a
 * hook for each way to misbehave. Set the fields after ram_init.
 */
#ifndef CA_TEST_RAM_DEVICE_H
#define CA_TEST_RAM_DEVICE_H

#include "cardassay/device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define RAM_QUEUE 32U

struct ram_range {
	uint64_t lba, sectors; /* 512-byte sectors */
};

struct ram_device {
	struct ca_device device; /* first */
	struct ca_clock_virtual clock;
	uint8_t *data;
	uint64_t wrap;			      /* sectors, 0 = off: address modulo this */
	uint64_t limbo;			      /* sector, 0 = off: from here on writes vanish */
	uint8_t limbo_byte;		      /* and this is read */
	struct ram_range bad_write, bad_read; /* EIO, the whole range reported at once */
	bool one_at_a_time;		      /* EIO reports a single sector */
	uint64_t restless;   /* sector + 1 whose first byte differs with each read */
	uint64_t once_wrong; /* sector + 1 that is wrong on its first read only */
	bool limbo_noise;    /* behind the limbo: noise, other with each read */
	bool limbo_last;     /* behind the limbo: the sector written last */
	uint64_t fail_once;  /* the number of a transfer that fails as a whole, the next does not */
	uint64_t dead_after; /* transfers until all of them fail */
	uint64_t gone_after; /* transfers until the device is gone, 0 = never */
	bool changed;	     /* check says another size */
	int submit_errno;    /* own failure of submit, negative */
	uint64_t op_ns, byte_ns_x1000;
	struct ram_range slow; /* transfers that touch it take slow_ns more */
	uint64_t slow_ns;
	void (*on_transfer)(enum ca_io_op op, uint64_t offset, uint64_t bytes, const uint8_t *out);
	bool no_erase; /* erase is not understood */
	uint64_t erases;
	unsigned int commands[4]; /* by enum ca_card_command */
	uint64_t transfers, sync_transfers, flushes, drops;
	uint64_t read_order[64];
	size_t read_count;
	struct ca_io *queue[RAM_QUEUE];
	size_t queued;
	bool newest_first; /* completions in reverse order */
	uint8_t restless_byte;
	uint64_t noise;
	uint8_t last[CA_SECTOR_BYTES];
};

static inline bool ram_overlaps(const struct ram_range *bad, uint64_t lba, uint64_t sectors,
				struct ram_range *ret)
{
	uint64_t end = lba + sectors;
	uint64_t bad_end = bad->lba + bad->sectors;

	if (bad->sectors == 0 || bad->lba >= end || bad_end <= lba)
		return false;
	ret->lba = bad->lba > lba ? bad->lba : lba;
	ret->sectors = (bad_end < end ? bad_end : end) - ret->lba;
	return true;
}

static inline void ram_write_sector(struct ram_device *ram, uint64_t lba, const uint8_t *data)
{
	memcpy(ram->last, data, CA_SECTOR_BYTES);
	if (ram->limbo && lba >= ram->limbo)
		return;
	if (ram->wrap)
		lba %= ram->wrap;
	memcpy(ram->data + lba * CA_SECTOR_BYTES, data, CA_SECTOR_BYTES);
}

static inline void ram_answer_limbo(struct ram_device *ram, uint8_t *data)
{
	memset(data, ram->limbo_byte, CA_SECTOR_BYTES);
	if (ram->limbo_last)
		memcpy(data, ram->last, CA_SECTOR_BYTES);
	for (size_t i = 0; ram->limbo_noise && i < CA_SECTOR_BYTES; i++)
		data[i] = (uint8_t)ca_rng_next(&ram->noise);
}

static inline void ram_read_sector(struct ram_device *ram, uint64_t lba, uint8_t *data)
{
	uint64_t place = ram->wrap ? lba % ram->wrap : lba;

	if (ram->limbo && lba >= ram->limbo)
		ram_answer_limbo(ram, data);
	else
		memcpy(data, ram->data + place * CA_SECTOR_BYTES, CA_SECTOR_BYTES);
	if (ram->restless == lba + 1)
		data[0] = ram->restless_byte++;
	if (ram->once_wrong == lba + 1) {
		memset(data, 0x5a, CA_SECTOR_BYTES);
		ram->once_wrong = 0;
	}
}

static inline void ram_transfer(struct ram_device *ram, enum ca_io_op op, uint64_t offset,
				uint64_t bytes, uint8_t *in, const uint8_t *out,
				struct ca_io_fault *ret_fault)
{
	uint64_t lba = offset / CA_SECTOR_BYTES;
	uint64_t sectors = bytes / CA_SECTOR_BYTES;
	struct ram_range bad;

	*ret_fault = (struct ca_io_fault){.status = CA_IO_OK};
	ram->clock.ns += ram->op_ns + bytes * ram->byte_ns_x1000 / 1000;
	if (ram_overlaps(&ram->slow, lba, sectors, &bad))
		ram->clock.ns += ram->slow_ns;
	if (ram->on_transfer)
		ram->on_transfer(op, offset, bytes, out);
	ram->transfers++;
	if (ram->gone_after && ram->transfers > ram->gone_after) {
		*ret_fault = (struct ca_io_fault){CA_IO_GONE, ENODEV, offset, bytes};
		return;
	}
	if (ram->transfers == ram->fail_once ||
	    (ram->dead_after && ram->transfers > ram->dead_after)) {
		*ret_fault = (struct ca_io_fault){CA_IO_ERROR, EIO, offset, bytes};
		return;
	}
	if (ram_overlaps(op == CA_IO_WRITE ? &ram->bad_write : &ram->bad_read, lba, sectors,
			 &bad)) {
		if (ram->one_at_a_time)
			bad.sectors = ram->device.geometry.sector_bytes / CA_SECTOR_BYTES;
		*ret_fault = (struct ca_io_fault){CA_IO_ERROR, EIO, bad.lba * CA_SECTOR_BYTES,
						  bad.sectors * CA_SECTOR_BYTES};
		sectors = bad.lba - lba;
	}
	if (op == CA_IO_READ && ram->read_count < CA_ARRAY_LEN(ram->read_order))
		ram->read_order[ram->read_count++] = offset;
	for (uint64_t i = 0; i < sectors; i++) {
		if (op == CA_IO_WRITE)
			ram_write_sector(ram, lba + i, out + i * CA_SECTOR_BYTES);
		else
			ram_read_sector(ram, lba + i, in + i * CA_SECTOR_BYTES);
	}
}

static inline int ram_read(struct ca_device *device, uint64_t offset, uint64_t bytes, void *buffer,
			   struct ca_io_fault *ret_fault)
{
	struct ram_device *ram = (struct ram_device *)device;

	ram->sync_transfers++;
	ram_transfer(ram, CA_IO_READ, offset, bytes, buffer, NULL, ret_fault);
	return 0;
}

static inline int ram_write(struct ca_device *device, uint64_t offset, uint64_t bytes,
			    const void *buffer, struct ca_io_fault *ret_fault)
{
	struct ram_device *ram = (struct ram_device *)device;

	ram->sync_transfers++;
	ram_transfer(ram, CA_IO_WRITE, offset, bytes, NULL, buffer, ret_fault);
	return 0;
}

static inline int ram_submit(struct ca_device *device, struct ca_io *io)
{
	struct ram_device *ram = (struct ram_device *)device;

	if (ram->submit_errno)
		return ram->submit_errno;
	if (ram->queued == device->geometry.max_queue_depth)
		return -EAGAIN;
	io->submitted_ns = ram->clock.ns;
	ram->queue[ram->queued++] = io;
	return 0;
}

static inline int ram_wait(struct ca_device *device, struct ca_io **ret_io)
{
	struct ram_device *ram = (struct ram_device *)device;
	struct ca_io_fault fault;
	struct ca_io *io;

	if (ram->queued == 0)
		return -ENOENT;
	if (ram->newest_first) {
		io = ram->queue[--ram->queued];
	} else {
		io = ram->queue[0];
		memmove(ram->queue, ram->queue + 1, --ram->queued * sizeof(struct ca_io *));
	}
	ram_transfer(ram, io->op, io->offset, io->bytes, io->buffer, io->buffer, &fault);
	io->status = fault.status;
	io->error = fault.error;
	io->completed_ns = ram->clock.ns;
	*ret_io = io;
	return 0;
}

static inline int ram_flush(struct ca_device *device, struct ca_io_fault *ret_fault)
{
	struct ram_device *ram = (struct ram_device *)device;

	ram->flushes++;
	*ret_fault = (struct ca_io_fault){.status = CA_IO_OK};
	return 0;
}

static inline int ram_drop_cache(struct ca_device *device)
{
	((struct ram_device *)device)->drops++;
	return 0;
}

static inline int ram_check(struct ca_device *device, struct ca_io_fault *ret_fault)
{
	struct ram_device *ram = (struct ram_device *)device;

	*ret_fault = (struct ca_io_fault){.status = ram->changed ? CA_IO_ERROR : CA_IO_OK};
	if (ram->gone_after && ram->transfers > ram->gone_after)
		*ret_fault = (struct ca_io_fault){.status = CA_IO_GONE, .error = ENODEV};
	return 0;
}

static inline int ram_erase(struct ca_device *device, struct ca_io_fault *ret_fault)
{
	struct ram_device *ram = (struct ram_device *)device;

	if (ram->no_erase)
		return -EOPNOTSUPP;
	ram->erases++;
	*ret_fault = (struct ca_io_fault){.status = CA_IO_OK};
	return 0;
}

static inline int ram_command(struct ca_device *device, enum ca_card_command command)
{
	struct ram_device *ram = (struct ram_device *)device;

	if (ram->no_erase)
		return -EOPNOTSUPP;
	ram->commands[command]++;
	return 0;
}

static inline void ram_close(struct ca_device *device)
{
	free(((struct ram_device *)device)->data);
}

static inline void ram_init(struct ram_device *ram, uint64_t bytes, uint32_t sector_bytes,
			    uint32_t queue_depth)
{
	static const struct ca_device_ops ops = {
		.read = ram_read,
		.write = ram_write,
		.submit = ram_submit,
		.wait = ram_wait,
		.flush = ram_flush,
		.drop_cache = ram_drop_cache,
		.check = ram_check,
		.erase = ram_erase,
		.command = ram_command,
		.close = ram_close,
	};

	*ram = (struct ram_device){.op_ns = 1000};
	ca_clock_virtual_init(&ram->clock);
	ram->data = calloc(1, (size_t)bytes);
	if (!ram->data)
		abort();
	ram->device = (struct ca_device){
		.ops = &ops,
		.geometry = {.bytes = bytes,
			     .sector_bytes = sector_bytes,
			     .max_queue_depth = queue_depth},
		.clock = &ram->clock.clock,
	};
}

#endif
