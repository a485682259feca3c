/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

struct sim_card {
	struct ca_device device; /* first, so that a ca_device pointer is one to this */
	struct ca_clock_virtual clock;
	struct ca_sim_spec spec;
	struct ca_sim_service service;
	struct ca_sim_layer *top;
	uint64_t transferred_bytes;
	uint64_t size_bytes; /* that it has now */
	bool is_dead;	     /* it left, and does not come back */
	bool is_other;	     /* size or registers are not those it was opened with */
	struct ca_io *in_flight[CA_SIM_QUEUE_MAX]; /* in the order of submission */
	uint32_t in_flight_count;
};

static struct sim_card *card_of(struct ca_device *device)
{
	return (struct sim_card *)device;
}

static bool is_gone(const struct sim_card *card)
{
	return card->is_dead || (card->spec.gone_after_bytes &&
				 card->transferred_bytes >= card->spec.gone_after_bytes);
}

/* ---- moving bytes ---------------------------------------------------------------------------- */

/* Whole sectors that can be moved before the card vanishes. */
static uint64_t before_gone(const struct sim_card *card, uint64_t bytes)
{
	uint64_t left = UINT64_MAX;

	if (card->spec.gone_after_bytes)
		left = card->spec.gone_after_bytes - card->transferred_bytes;
	if (is_gone(card))
		left = 0;
	return left < bytes ? left - left % card->spec.sector_bytes : bytes;
}

/* Past the size that came back after a replug there is nothing. */
static uint64_t before_end(const struct sim_card *card, uint64_t offset, uint64_t bytes)
{
	uint64_t left = offset < card->size_bytes ? card->size_bytes - offset : 0;

	return left < bytes ? left : bytes;
}

static int move_bytes(struct sim_card *card, enum ca_io_op op, uint64_t offset, uint64_t bytes,
		      uint8_t *buffer, struct ca_sim_call *call)
{
	uint64_t good = before_gone(card, bytes), there = before_end(card, offset, good);
	int result = op == CA_IO_WRITE ? ca_sim_write(card->top, offset, there, buffer, call)
				       : ca_sim_read(card->top, offset, there, buffer, call);

	if (result || call->fault.status != CA_IO_OK)
		return result;
	if (there < good)
		ca_sim_fail(call, CA_IO_ERROR, offset + there, bytes - there);
	else if (good < bytes)
		ca_sim_fail(call, CA_IO_GONE, offset + good, bytes - good);
	return 0;
}

/*
 * Does the work of one transfer at once, in the order of submission, and books its time; when it
 * counts as complete is the caller's business. -EINVAL: not whole sectors of this card.
 */
static int transfer(struct sim_card *card, enum ca_io_op op, uint64_t offset, uint64_t bytes,
		    uint8_t *buffer, struct ca_io_fault *ret_fault, uint64_t *ret_completed_ns)
{
	struct ca_sim_call call = {.error = &card->device.failure};
	uint64_t sector = card->spec.sector_bytes;
	int result;

	if (offset % sector || bytes % sector || bytes > card->spec.announced_bytes ||
	    offset > card->spec.announced_bytes - bytes)
		return -EINVAL;
	result = move_bytes(card, op, offset, bytes, buffer, &call);
	if (result)
		return result;
	card->transferred_bytes +=
		call.fault.status == CA_IO_OK ? bytes : call.fault.offset - offset;
	if (call.fault.status == CA_IO_GONE)
		card->is_dead = true;
	*ret_completed_ns =
		ca_sim_service_book(&card->service, op, bytes, call.slow_bytes, card->clock.ns);
	*ret_fault = call.fault;
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
	const struct sim_card *card = card_of(device);

	*ret_fault = (struct ca_io_fault){.status = CA_IO_OK};
	if (is_gone(card))
		*ret_fault = (struct ca_io_fault){
			.status = CA_IO_GONE, .error = ENODEV, .bytes = device->geometry.bytes};
	else if (card->is_other)
		ret_fault->status = CA_IO_ERROR;
	return 0;
}

/* It forgets nothing, as a card may, but has its fast blocks free again. */
static int sim_erase(struct ca_device *device, struct ca_io_fault *ret_fault)
{
	struct sim_card *card = card_of(device);

	if (card->spec.cliff_bytes)
		card->service.until_cliff_bytes = card->spec.cliff_bytes;
	return sim_check(device, ret_fault);
}

/* It understands all of them, and none takes time. */
static int sim_command(struct ca_device *device, enum ca_card_command command)
{
	struct ca_io_fault fault;

	return command == CA_CARD_ERASE_ALL ? sim_erase(device, &fault) : 0;
}

static void sim_close(struct ca_device *device)
{
	struct sim_card *card = card_of(device);

	ca_sim_stack_free(card->top);
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
	.erase = sim_erase,
	.command = sim_command,
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
	card->size_bytes = spec->announced_bytes;
	card->device.ops = &sim_ops;
	card->device.clock = &card->clock.clock;
	card->device.geometry = (struct ca_geometry){
		.bytes = spec->announced_bytes,
		.sector_bytes = spec->sector_bytes,
		.max_queue_depth = CA_SIM_QUEUE_MAX,
	};
	ca_sim_service_init(&card->service, spec);
	result = ca_sim_stack_new(spec, &card->top);
	if (result) {
		sim_close(&card->device);
		return ca_error_set(error, result, "no memory for the simulated card");
	}
	*ret_device = &card->device;
	return 0;
}

/* ---- what hands do --------------------------------------------------------------------------- */

static void come_back(struct sim_card *card)
{
	uint64_t half = card->spec.announced_bytes / 2;

	switch (card->spec.replug) {
	case CA_SIM_REPLUG_SAME:
		return;
	case CA_SIM_REPLUG_SIZE:
		card->size_bytes = half - half % card->spec.sector_bytes;
		card->is_other = true;
		return;
	case CA_SIM_REPLUG_IDENTITY:
		card->is_other = true;
		return;
	case CA_SIM_REPLUG_GONE:
		card->is_dead = true;
		return;
	}
}

int ca_sim_begin_anew(struct ca_device *device, enum ca_reinit_kind kind,
		      struct ca_io_fault *ret_fault)
{
	struct sim_card *card = card_of(device);
	int result;

	assert(device->ops == &sim_ops && card->in_flight_count == 0);
	if (ca_reinit_is_power_loss(kind) && !is_gone(card)) {
		result = ca_sim_stack_power(card->top, &device->failure);
		if (result)
			return result;
		come_back(card);
	}
	return sim_check(device, ret_fault);
}

void ca_sim_join(struct ca_device *device, struct ca_device *neighbour)
{
	assert(device->ops == &sim_ops && neighbour->ops == &sim_ops);
	ca_sim_reader_join(card_of(device)->top, card_of(neighbour)->top);
}
