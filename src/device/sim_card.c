/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim.h"

#include <errno.h>
#include <stdlib.h>

struct sim_card {
	struct ca_device device; /* first, so that a ca_device pointer is one to this */
	struct ca_clock_virtual clock;
	struct ca_sim_spec spec;
	struct ca_sim_service service;
	struct ca_sim_medium *medium;
	struct ca_sim_cache *cache; /* NULL = none */
	uint64_t transferred_bytes;
	struct ca_io *in_flight[CA_SIM_QUEUE_MAX]; /* in the order of submission */
	uint32_t in_flight_count;
};

static struct sim_card *card_of(struct ca_device *device)
{
	return (struct sim_card *)device;
}

static bool is_gone(const struct sim_card *card)
{
	return card->spec.gone_after_bytes &&
	       card->transferred_bytes >= card->spec.gone_after_bytes;
}

/* ---- faults ---------------------------------------------------------------------------------- */

/* What is the matter with this range, and how many bytes before it can be moved. */
static uint64_t find_fault(const struct sim_card *card, uint64_t offset, uint64_t bytes,
			   struct ca_io_fault *ret_fault)
{
	uint64_t sector = card->spec.sector_bytes, good = bytes;
	uint64_t bad_start = card->spec.bad_first * sector,
		 bad_end = (card->spec.bad_last + 1) * sector;
	struct ca_io_fault fault = {.status = CA_IO_OK};

	if (card->spec.gone_after_bytes) {
		uint64_t left =
			is_gone(card) ? 0 : card->spec.gone_after_bytes - card->transferred_bytes;

		if (left < good) {
			good = left - left % sector;
			fault = (struct ca_io_fault){.status = CA_IO_GONE, .error = ENODEV};
		}
	}
	if (card->spec.has_bad && offset < bad_end && bad_start < offset + good) {
		good = bad_start > offset ? bad_start - offset : 0;
		fault = (struct ca_io_fault){.status = CA_IO_ERROR, .error = EIO};
	}
	if (fault.status != CA_IO_OK) {
		fault.offset = offset + good;
		fault.bytes = bytes - good;
	}
	if (fault.status == CA_IO_ERROR && bad_end < offset + bytes)
		fault.bytes = bad_end - fault.offset;
	*ret_fault = fault;
	return good;
}

/* One bit of one sector is wrong at every read. */
static void flip_bit(const struct sim_card *card, uint64_t offset, uint64_t bytes, uint8_t *buffer)
{
	uint64_t at = card->spec.flip_lba * card->spec.sector_bytes;
	uint64_t state = card->spec.seed ^ card->spec.flip_lba, bit;

	if (!card->spec.has_flip || at < offset || at >= offset + bytes)
		return;
	bit = ca_rng_below(&state, UINT64_C(8) * card->spec.sector_bytes);
	buffer[at - offset + bit / 8] ^= (uint8_t)(1U << bit % 8);
}

/* ---- moving bytes ---------------------------------------------------------------------------- */

static int move_bytes(struct sim_card *card, enum ca_io_op op, uint64_t offset, uint64_t bytes,
		      uint8_t *buffer)
{
	struct ca_error *error = &card->device.failure;
	int result;

	if (op == CA_IO_WRITE)
		return card->cache
			       ? ca_sim_cache_write(card->cache, offset, bytes, buffer, error)
			       : ca_sim_medium_write(card->medium, offset, bytes, buffer, error);
	result = card->cache ? ca_sim_cache_read(card->cache, offset, bytes, buffer, error)
			     : ca_sim_medium_read(card->medium, offset, bytes, buffer, error);
	if (!result)
		flip_bit(card, offset, bytes, buffer);
	return result;
}

/*
 * Does the work of one transfer at once, in the order of submission, and books its time; when it
 * counts as complete is the caller's business. -EINVAL: not whole sectors of this card.
 */
static int transfer(struct sim_card *card, enum ca_io_op op, uint64_t offset, uint64_t bytes,
		    uint8_t *buffer, struct ca_io_fault *ret_fault, uint64_t *ret_completed_ns)
{
	uint64_t sector = card->spec.sector_bytes, good;
	struct ca_io_fault fault;
	int result;

	if (offset % sector || bytes % sector || bytes > card->spec.announced_bytes ||
	    offset > card->spec.announced_bytes - bytes)
		return -EINVAL;
	good = find_fault(card, offset, bytes, &fault);
	result = move_bytes(card, op, offset, good, buffer);
	if (result)
		return result;
	card->transferred_bytes += good;
	if (fault.status == CA_IO_GONE) /* what is left below one sector goes with it */
		card->transferred_bytes = card->spec.gone_after_bytes;
	*ret_completed_ns = ca_sim_service_book(&card->service, op, bytes, card->clock.ns);
	*ret_fault = fault;
	return 0;
}

static void advance(struct sim_card *card, uint64_t ns)
{
	if (ns > card->clock.ns)
		card->clock.ns = ns;
}

/* ---- the device ------------------------------------------------------------------------------ */

static int sim_read(struct ca_device *device, uint64_t offset, uint64_t bytes, void *buffer,
		    struct ca_io_fault *ret_fault)
{
	uint64_t completed_ns;
	int result = transfer(card_of(device), CA_IO_READ, offset, bytes, buffer, ret_fault,
			      &completed_ns);

	if (!result)
		advance(card_of(device), completed_ns);
	return result;
}

static int sim_write(struct ca_device *device, uint64_t offset, uint64_t bytes, const void *buffer,
		     struct ca_io_fault *ret_fault)
{
	uint64_t completed_ns;
	/* `transfer` only writes to the buffer of a read */
	int result = transfer(card_of(device), CA_IO_WRITE, offset, bytes,
			      (uint8_t *)(uintptr_t)buffer, ret_fault, &completed_ns);

	if (!result)
		advance(card_of(device), completed_ns);
	return result;
}

static int sim_submit(struct ca_device *device, struct ca_io *io)
{
	struct sim_card *card = card_of(device);
	struct ca_io_fault fault;
	uint64_t completed_ns;
	int result;

	if (card->in_flight_count == CA_SIM_QUEUE_MAX)
		return -EAGAIN;
	result = transfer(card, io->op, io->offset, io->bytes, io->buffer, &fault, &completed_ns);
	if (result)
		return result;
	io->submitted_ns = card->clock.ns;
	io->completed_ns = completed_ns;
	io->status = fault.status;
	io->error = fault.error;
	card->in_flight[card->in_flight_count++] = io;
	return 0;
}

static int sim_wait(struct ca_device *device, struct ca_io **ret_io)
{
	struct sim_card *card = card_of(device);
	uint32_t first = 0;

	if (!card->in_flight_count)
		return -ENOENT;
	for (uint32_t i = 1; i < card->in_flight_count; i++)
		if (card->in_flight[i]->completed_ns < card->in_flight[first]->completed_ns)
			first = i;
	*ret_io = card->in_flight[first];
	advance(card, (*ret_io)->completed_ns);
	card->in_flight_count--;
	for (uint32_t i = first; i < card->in_flight_count; i++)
		card->in_flight[i] = card->in_flight[i + 1];
	return 0;
}

/* Flush and reinit as well: a fake's cache goes on telling the truth as long as the power is on,
 * and what is sound is stored anyway. */
static int sim_check(struct ca_device *device, struct ca_io_fault *ret_fault)
{
	*ret_fault = (struct ca_io_fault){.status = CA_IO_OK};
	if (is_gone(card_of(device))) {
		ret_fault->status = CA_IO_GONE;
		ret_fault->error = ENODEV;
		ret_fault->bytes = device->geometry.bytes;
	}
	return 0;
}

static void sim_close(struct ca_device *device)
{
	struct sim_card *card = card_of(device);

	ca_sim_cache_free(card->cache);
	ca_sim_medium_free(card->medium);
	free(card);
}

/* drop_cache is absent: the host caches nothing of a simulated card. */
static const struct ca_device_ops sim_ops = {
	.read = sim_read,
	.write = sim_write,
	.submit = sim_submit,
	.wait = sim_wait,
	.flush = sim_check,
	.check = sim_check,
	.reinit = sim_check,
	.close = sim_close,
};

int ca_sim_open(const struct ca_sim_spec *spec, struct ca_device **ret_device,
		struct ca_error *error)
{
	struct sim_card *card = calloc(1, sizeof(*card));
	int result;

	if (!card)
		return ca_error_set(error, -ENOMEM, "no memory for the simulated card");
	ca_clock_virtual_init(&card->clock);
	card->spec = *spec;
	card->device.ops = &sim_ops;
	card->device.clock = &card->clock.clock;
	card->device.geometry = (struct ca_geometry){
		.bytes = spec->announced_bytes,
		.sector_bytes = spec->sector_bytes,
		.max_queue_depth = CA_SIM_QUEUE_MAX,
	};
	ca_sim_service_init(&card->service, spec);
	result = ca_sim_medium_new(spec, &card->medium);
	if (!result && spec->cache_bytes)
		result = ca_sim_cache_new(card->medium, spec->cache_bytes, spec->sector_bytes,
					  &card->cache);
	if (result) {
		sim_close(&card->device);
		return ca_error_set(error, result, "no memory for the simulated card");
	}
	*ret_device = &card->device;
	return 0;
}
