/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim.h"

typedef struct ca_sim_place place_of(const struct ca_sim_spec *spec, uint64_t offset);

static struct ca_sim_place stored(uint64_t at, uint64_t left)
{
	return (struct ca_sim_place){.stored = true, .at = at, .left = left};
}

static struct ca_sim_place lost(uint64_t left)
{
	return (struct ca_sim_place){.left = left};
}

static struct ca_sim_place place_itself(const struct ca_sim_spec *spec, uint64_t offset)
{
	(void)spec; /* one signature for all */
	return stored(offset, UINT64_MAX - offset);
}

static struct ca_sim_place place_below_real(const struct ca_sim_spec *spec, uint64_t offset)
{
	if (offset < spec->real_bytes)
		return stored(offset, spec->real_bytes - offset);
	return lost(UINT64_MAX - offset);
}

static struct ca_sim_place place_modulo_real(const struct ca_sim_spec *spec, uint64_t offset)
{
	uint64_t at = offset % spec->real_bytes;

	return stored(at, spec->real_bytes - at);
}

static struct ca_sim_place place_modulo_wrap(const struct ca_sim_spec *spec, uint64_t offset)
{
	uint64_t at = offset % spec->wrap_bytes;

	if (at < spec->real_bytes)
		return stored(at, spec->real_bytes - at);
	return lost(spec->wrap_bytes - at);
}

/* A number of the seed and the extent that `offset` lies in. */
static uint64_t draw(const struct ca_sim_spec *spec, uint64_t offset)
{
	uint64_t state =
		spec->seed ^ (offset / spec->extent_bytes + 1) * UINT64_C(0xc2b2ae3d27d4eb4f);

	return ca_rng_next(&state);
}

static struct ca_sim_place place_by_table(const struct ca_sim_spec *spec, uint64_t offset)
{
	uint64_t in_extent = offset % spec->extent_bytes, extent;

	if (offset < spec->real_bytes)
		return stored(offset, spec->real_bytes - offset);
	extent = draw(spec, offset) % (spec->real_bytes / spec->extent_bytes);
	return stored(extent * spec->extent_bytes + in_extent, spec->extent_bytes - in_extent);
}

static struct ca_sim_place place_in_regions(const struct ca_sim_spec *spec, uint64_t offset)
{
	uint64_t head = spec->real_bytes - spec->tail_bytes;
	uint64_t tail = spec->announced_bytes - spec->tail_bytes;

	if (offset < head)
		return stored(offset, head - offset);
	if (offset < tail)
		return lost(tail - offset);
	return stored(head + (offset - tail), spec->announced_bytes - offset);
}

static struct ca_sim_place place_on_islands(const struct ca_sim_spec *spec, uint64_t offset)
{
	uint64_t left = spec->extent_bytes - offset % spec->extent_bytes;

	return draw(spec, offset) % 100 < spec->share ? stored(offset, left) : lost(left);
}

struct ca_sim_place ca_sim_place_of(const struct ca_sim_spec *spec, uint64_t offset)
{
	static place_of *const places[] = {
		[CA_SIM_SOUND] = place_itself,	      [CA_SIM_LIMBO] = place_below_real,
		[CA_SIM_WRAP] = place_modulo_real,    [CA_SIM_CHAIN] = place_modulo_wrap,
		[CA_SIM_TABLE] = place_by_table,      [CA_SIM_REGIONS] = place_in_regions,
		[CA_SIM_ISLANDS] = place_on_islands,  [CA_SIM_RING] = place_itself,
		[CA_SIM_THIN] = place_itself,	      [CA_SIM_COMPRESS] = place_itself,
		[CA_SIM_ERRORS] = place_below_real,   [CA_SIM_BRICK] = place_below_real,
		[CA_SIM_VOLATILE] = place_below_real, [CA_SIM_RETURNING] = place_below_real,
	};

	return places[spec->kind](spec, offset);
}
