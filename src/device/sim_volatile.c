/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Past the real end are cells that hang on the power. Those of a volatile card show what was
 * written since it came, and forget it when it goes. Those of the returning kind hide exactly that,
 * and show it afterwards.
 */
#include "sim.h"

#include <errno.h>
#include <stdlib.h>

#define STORE_RAM_BYTES (UINT64_C(48) * CA_MIB)
#define MARKS_RAM_BYTES (UINT64_C(8) * CA_MIB)

struct power {
	struct ca_sim_layer layer; /* first */
	bool forgets;
	uint32_t sector_bytes;
	uint64_t real_bytes, announced_bytes;
	struct ca_sim_store *store; /* by address */
	struct ca_sim_store *marks; /* by sector: 1 byte, 1 = written since the power came */
	struct ca_sim_lost lost;
};

static struct power *power_of(struct ca_sim_layer *layer)
{
	return (struct power *)layer;
}

static uint64_t before_end(const struct power *power, uint64_t offset, uint64_t bytes)
{
	uint64_t left = offset < power->real_bytes ? power->real_bytes - offset : 0;

	return left < bytes ? left : bytes;
}

static int power_read(struct ca_sim_layer *layer, uint64_t offset, uint64_t bytes, uint8_t *buffer,
		      struct ca_sim_call *call)
{
	struct power *power = power_of(layer);
	uint64_t at = before_end(power, offset, bytes);
	int result = ca_sim_read(layer->below, offset, at, buffer, call);

	for (; at < bytes && !result; at += power->sector_bytes) {
		uint8_t fresh = 0;

		result = ca_sim_store_read(power->marks, (offset + at) / power->sector_bytes, 1,
					   &fresh, call->error);
		if (!result && (fresh == 1) == power->forgets)
			result = ca_sim_store_read(power->store, offset + at, power->sector_bytes,
						   buffer + at, call->error);
		else if (!result)
			ca_sim_lost_fill(&power->lost, offset + at, power->sector_bytes,
					 buffer + at);
	}
	return result;
}

static int power_write(struct ca_sim_layer *layer, uint64_t offset, uint64_t bytes,
		       const uint8_t *data, struct ca_sim_call *call)
{
	struct power *power = power_of(layer);
	uint64_t at = before_end(power, offset, bytes);
	int result = ca_sim_write(layer->below, offset, at, data, call);

	if (!result && at < bytes)
		result = ca_sim_store_write(power->store, offset + at, bytes - at, data + at,
					    call->error);
	for (; at < bytes && !result; at += power->sector_bytes) {
		const uint8_t fresh = 1;

		result = ca_sim_store_write(power->marks, (offset + at) / power->sector_bytes, 1,
					    &fresh, call->error);
	}
	return result;
}

static int power_cut(struct ca_sim_layer *layer, struct ca_error *error)
{
	struct power *power = power_of(layer);
	struct ca_sim_store *marks = NULL;

	(void)error; /* -ENOMEM says it all */
	if (ca_sim_store_new(MARKS_RAM_BYTES, power->announced_bytes / power->sector_bytes, &marks))
		return -ENOMEM;
	ca_sim_store_free(power->marks);
	power->marks = marks;
	return 0;
}

static void power_free(struct ca_sim_layer *layer)
{
	struct power *power = power_of(layer);

	ca_sim_store_free(power->store);
	ca_sim_store_free(power->marks);
	free(power);
}

static const struct ca_sim_layer_ops power_ops = {
	.read = power_read,
	.write = power_write,
	.power = power_cut,
	.free = power_free,
};

int ca_sim_volatile_new(const struct ca_sim_spec *spec, struct ca_sim_layer *below,
			struct ca_sim_layer **ret_layer)
{
	struct power *power = calloc(1, sizeof(*power));

	if (!power)
		return -ENOMEM;
	power->layer = (struct ca_sim_layer){.ops = &power_ops, .below = below};
	power->forgets = spec->kind == CA_SIM_VOLATILE;
	power->sector_bytes = spec->sector_bytes;
	power->real_bytes = spec->real_bytes;
	power->announced_bytes = spec->announced_bytes;
	ca_sim_lost_init(&power->lost, spec);
	if (ca_sim_store_new(STORE_RAM_BYTES, spec->announced_bytes, &power->store) ||
	    power_cut(&power->layer, NULL)) {
		power_free(&power->layer);
		return -ENOMEM;
	}
	*ret_layer = &power->layer;
	return 0;
}
