/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim.h"

#include <string.h>

void ca_sim_noise(uint64_t seed, uint64_t sector, uint32_t sector_bytes, uint8_t *ret_data)
{
	uint64_t state = seed ^ (sector + 1) * UINT64_C(0xd6e8feb86659fd93);

	for (uint32_t i = 0; i < sector_bytes; i += 8)
		ca_put_le64(ret_data + i, ca_rng_next(&state));
}

void ca_sim_lost_init(struct ca_sim_lost *lost, const struct ca_sim_spec *spec)
{
	*lost = (struct ca_sim_lost){
		.kind = spec->limbo, .seed = spec->seed, .sector_bytes = spec->sector_bytes};
}

void ca_sim_lost_note(struct ca_sim_lost *lost, const uint8_t *sector)
{
	memcpy(lost->last, sector, lost->sector_bytes);
}

void ca_sim_lost_fill(const struct ca_sim_lost *lost, uint64_t offset, uint64_t bytes,
		      uint8_t *buffer)
{
	switch (lost->kind) {
	case CA_SIM_LIMBO_ZEROS:
		memset(buffer, 0, (size_t)bytes);
		return;
	case CA_SIM_LIMBO_ONES:
		memset(buffer, 0xff, (size_t)bytes);
		return;
	case CA_SIM_LIMBO_NOISE:
		for (uint64_t at = 0; at < bytes; at += lost->sector_bytes)
			ca_sim_noise(lost->seed, (offset + at) / lost->sector_bytes,
				     lost->sector_bytes, buffer + at);
		return;
	case CA_SIM_LIMBO_LAST:
		for (uint64_t at = 0; at < bytes; at += lost->sector_bytes)
			memcpy(buffer + at, lost->last, lost->sector_bytes);
		return;
	}
}
