/* SPDX-License-Identifier: BSD-2-Clause */
/* Cells behind an address map: what lands nowhere vanishes. */
#include "sim.h"

#include <errno.h>
#include <stdlib.h>

#define STORE_RAM_BYTES (UINT64_C(48) * CA_MIB)

struct medium {
	struct ca_sim_layer layer; /* first */
	struct ca_sim_spec spec;
	struct ca_sim_store *store;
	struct ca_sim_lost lost;
};

static struct medium *medium_of(struct ca_sim_layer *layer)
{
	return (struct medium *)layer;
}

static struct ca_sim_place locate(const struct medium *medium, uint64_t offset, uint64_t bytes)
{
	struct ca_sim_place place = ca_sim_place_of(&medium->spec, offset);

	if (place.left > bytes)
		place.left = bytes;
	return place;
}

static int medium_read(struct ca_sim_layer *layer, uint64_t offset, uint64_t bytes, uint8_t *buffer,
		       struct ca_sim_call *call)
{
	struct medium *medium = medium_of(layer);

	while (bytes) {
		struct ca_sim_place place = locate(medium, offset, bytes);
		int result = 0;

		if (place.stored)
			result = ca_sim_store_read(medium->store, place.at, place.left, buffer,
						   call->error);
		else
			ca_sim_lost_fill(&medium->lost, offset, place.left, buffer);
		if (result)
			return result;
		offset += place.left;
		bytes -= place.left;
		buffer += place.left;
	}
	return 0;
}

static int medium_write(struct ca_sim_layer *layer, uint64_t offset, uint64_t bytes,
			const uint8_t *data, struct ca_sim_call *call)
{
	struct medium *medium = medium_of(layer);

	while (bytes) {
		struct ca_sim_place place = locate(medium, offset, bytes);

		if (place.stored) {
			int result = ca_sim_store_write(medium->store, place.at, place.left, data,
							call->error);

			if (result)
				return result;
			ca_sim_lost_note(&medium->lost,
					 data + place.left - medium->spec.sector_bytes);
		}
		offset += place.left;
		bytes -= place.left;
		data += place.left;
	}
	return 0;
}

static void medium_free(struct ca_sim_layer *layer)
{
	ca_sim_store_free(medium_of(layer)->store);
	free(layer);
}

static const struct ca_sim_layer_ops medium_ops = {
	.read = medium_read,
	.write = medium_write,
	.free = medium_free,
};

int ca_sim_medium_new(const struct ca_sim_spec *spec, struct ca_sim_layer *below,
		      struct ca_sim_layer **ret_layer)
{
	struct medium *medium = calloc(1, sizeof(*medium));

	if (!medium)
		return -ENOMEM;
	medium->layer = (struct ca_sim_layer){.ops = &medium_ops, .below = below};
	medium->spec = *spec;
	ca_sim_lost_init(&medium->lost, spec);
	if (ca_sim_store_new(STORE_RAM_BYTES, spec->real_bytes, &medium->store)) {
		medium_free(&medium->layer);
		return -ENOMEM;
	}
	*ret_layer = &medium->layer;
	return 0;
}
