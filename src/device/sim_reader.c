/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The reader before the card. It may have fewer address bits than the card has sectors: then what
 * lies above its limit wraps round or is refused before the card hears of it. And it may mix up the
 * devices behind it.
 */
#include "sim.h"

#include <errno.h>
#include <stdlib.h>

struct reader {
	struct ca_sim_layer layer; /* first */
	enum ca_sim_reader beyond;
	uint32_t sector_bytes;
	uint64_t limit_bytes, crosstalk;
	uint64_t chance; /* state of the numbers that decide which sectors are mixed up */
	struct ca_sim_layer *neighbour;
};

static void reader_free(struct ca_sim_layer *layer)
{
	free(layer);
}

static struct reader *reader_of(struct ca_sim_layer *layer)
{
	return (struct reader *)layer;
}

/*
 * The next piece of a transfer: how many bytes of it, and in *ret_at where the reader looks for
 * them. 0: they lie above its limit.
 */
static uint64_t next_piece(const struct reader *reader, uint64_t offset, uint64_t bytes,
			   uint64_t *ret_at)
{
	uint64_t limit = reader->limit_bytes, left;

	*ret_at = offset % limit;
	if (offset >= limit && reader->beyond == CA_SIM_READER_ERROR)
		return 0;
	left = limit - *ret_at;
	return bytes < left ? bytes : left;
}

static int mix_up(struct reader *reader, uint64_t offset, uint64_t bytes, uint8_t *buffer,
		  struct ca_sim_call *call)
{
	int result = 0;

	for (uint64_t at = 0; reader->neighbour && at < bytes && !result;
	     at += reader->sector_bytes) {
		struct ca_sim_call other = {.error = call->error}; /* its faults stay its own */

		if (ca_rng_below(&reader->chance, reader->crosstalk) == 0)
			result = ca_sim_read(reader->neighbour, offset + at, reader->sector_bytes,
					     buffer + at, &other);
	}
	return result;
}

static int reader_read(struct ca_sim_layer *layer, uint64_t offset, uint64_t bytes, uint8_t *buffer,
		       struct ca_sim_call *call)
{
	struct reader *reader = reader_of(layer);

	while (bytes && call->fault.status == CA_IO_OK) {
		uint64_t at, piece = next_piece(reader, offset, bytes, &at);
		int result = ca_sim_read(layer->below, at, piece, buffer, call);

		if (result)
			return result;
		if (!piece)
			ca_sim_fail(call, CA_IO_ERROR, offset, bytes);
		else if (call->fault.status != CA_IO_OK)
			call->fault.offset += offset - at;
		else
			result = mix_up(reader, at, piece, buffer, call);
		if (result)
			return result;
		offset += piece;
		bytes -= piece;
		buffer += piece;
	}
	return 0;
}

static int reader_write(struct ca_sim_layer *layer, uint64_t offset, uint64_t bytes,
			const uint8_t *data, struct ca_sim_call *call)
{
	struct reader *reader = reader_of(layer);

	while (bytes && call->fault.status == CA_IO_OK) {
		uint64_t at, piece = next_piece(reader, offset, bytes, &at);
		int result = ca_sim_write(layer->below, at, piece, data, call);

		if (result)
			return result;
		if (!piece)
			ca_sim_fail(call, CA_IO_ERROR, offset, bytes);
		else if (call->fault.status != CA_IO_OK)
			call->fault.offset += offset - at;
		offset += piece;
		bytes -= piece;
		data += piece;
	}
	return 0;
}

static const struct ca_sim_layer_ops reader_ops = {
	.read = reader_read,
	.write = reader_write,
	.free = reader_free,
};

int ca_sim_reader_new(const struct ca_sim_spec *spec, struct ca_sim_layer *below,
		      struct ca_sim_layer **ret_layer)
{
	struct reader *reader = calloc(1, sizeof(*reader));

	if (!reader)
		return -ENOMEM;
	reader->layer = (struct ca_sim_layer){.ops = &reader_ops, .below = below};
	reader->beyond = spec->reader;
	reader->sector_bytes = spec->sector_bytes;
	reader->limit_bytes =
		spec->reader_limit_bytes ? spec->reader_limit_bytes : spec->announced_bytes;
	reader->crosstalk = spec->crosstalk;
	reader->chance = spec->seed + spec->crosstalk;
	*ret_layer = &reader->layer;
	return 0;
}

void ca_sim_reader_join(struct ca_sim_layer *layer, struct ca_sim_layer *neighbour)
{
	struct reader *reader = reader_of(layer);

	if (layer->ops != &reader_ops || !reader->crosstalk)
		return;
	/* the card itself, not what this reader would make of it once more */
	reader->neighbour = neighbour->ops == &reader_ops ? neighbour->below : neighbour;
}
