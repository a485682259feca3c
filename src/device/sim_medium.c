/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define STORE_RAM_BYTES (UINT64_C(48) * CA_MIB)

enum lost_content {
	LOST_ZEROS,
	LOST_ONES,
	LOST_NOISE,
	LOST_LAST,
};

struct ca_sim_medium {
	struct ca_sim_store *store;
	enum ca_sim_kind kind;
	enum lost_content lost;
	uint64_t real_bytes, wrap_bytes, seed;
	uint32_t sector_bytes;
	uint8_t last[CA_SIM_SECTOR_MAX]; /* the sector stored last; zeros before the first */
};

/* A run of addresses that share one fate. */
struct extent {
	bool stored;
	uint64_t place; /* in the store */
	uint64_t bytes;
};

static enum lost_content lost_content_of(const char *limbo)
{
	static const char *const names[] = {"zeros", "ones", "noise", "last"};

	for (size_t i = 0; i < CA_ARRAY_LEN(names); i++)
		if (!strcmp(limbo, names[i]))
			return (enum lost_content)i;
	return LOST_ZEROS; /* an empty string: the spec names none */
}

int ca_sim_medium_new(const struct ca_sim_spec *spec, struct ca_sim_medium **ret_medium)
{
	struct ca_sim_medium *medium = calloc(1, sizeof(*medium));
	int result;

	if (!medium)
		return -ENOMEM;
	result = ca_sim_store_new(STORE_RAM_BYTES, spec->real_bytes, &medium->store);
	if (result) {
		free(medium);
		return result;
	}
	medium->kind = spec->kind;
	medium->lost = lost_content_of(spec->limbo);
	medium->real_bytes = spec->real_bytes;
	medium->wrap_bytes = spec->wrap_bytes;
	medium->seed = spec->seed;
	medium->sector_bytes = spec->sector_bytes;
	*ret_medium = medium;
	return 0;
}

void ca_sim_medium_free(struct ca_sim_medium *medium)
{
	if (!medium)
		return;
	ca_sim_store_free(medium->store);
	free(medium);
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Where `offset` really lands, and for how many of the `bytes` after it that holds. */
static struct extent locate(const struct ca_sim_medium *medium, uint64_t offset, uint64_t bytes)
{
	uint64_t real = medium->real_bytes, modulus = UINT64_MAX, place;

	switch (medium->kind) {
	case CA_SIM_SOUND:
		return (struct extent){.stored = true, .place = offset, .bytes = bytes};
	case CA_SIM_LIMBO:
		break;
	case CA_SIM_WRAP:
		modulus = real;
		break;
	case CA_SIM_CHAIN:
		modulus = medium->wrap_bytes;
		break;
	}
	place = offset % modulus;
	if (place < real)
		return (struct extent){
			.stored = true, .place = place, .bytes = smaller(bytes, real - place)};
	return (struct extent){.stored = false, .bytes = smaller(bytes, modulus - place)};
}

static void fill_noise(const struct ca_sim_medium *medium, uint64_t offset, uint8_t *sector)
{
	uint64_t state =
		medium->seed ^ (offset / medium->sector_bytes + 1) * UINT64_C(0xd6e8feb86659fd93);

	for (uint32_t i = 0; i < medium->sector_bytes; i += 8)
		ca_put_le64(sector + i, ca_rng_next(&state));
}

static void fill_lost(const struct ca_sim_medium *medium, uint64_t offset, uint64_t bytes,
		      uint8_t *buffer)
{
	switch (medium->lost) {
	case LOST_ZEROS:
		memset(buffer, 0, (size_t)bytes);
		return;
	case LOST_ONES:
		memset(buffer, 0xff, (size_t)bytes);
		return;
	case LOST_NOISE:
		for (uint64_t at = 0; at < bytes; at += medium->sector_bytes)
			fill_noise(medium, offset + at, buffer + at);
		return;
	case LOST_LAST:
		for (uint64_t at = 0; at < bytes; at += medium->sector_bytes)
			memcpy(buffer + at, medium->last, medium->sector_bytes);
		return;
	}
}

int ca_sim_medium_read(struct ca_sim_medium *medium, uint64_t offset, uint64_t bytes,
		       uint8_t *buffer, struct ca_error *error)
{
	while (bytes) {
		struct extent extent = locate(medium, offset, bytes);

		if (extent.stored) {
			int result = ca_sim_store_read(medium->store, extent.place, extent.bytes,
						       buffer, error);

			if (result)
				return result;
		} else {
			fill_lost(medium, offset, extent.bytes, buffer);
		}
		offset += extent.bytes;
		bytes -= extent.bytes;
		buffer += extent.bytes;
	}
	return 0;
}

int ca_sim_medium_write(struct ca_sim_medium *medium, uint64_t offset, uint64_t bytes,
			const uint8_t *data, struct ca_error *error)
{
	while (bytes) {
		struct extent extent = locate(medium, offset, bytes);

		if (extent.stored) {
			int result = ca_sim_store_write(medium->store, extent.place, extent.bytes,
							data, error);

			if (result)
				return result;
			memcpy(medium->last, data + extent.bytes - medium->sector_bytes,
			       medium->sector_bytes);
		}
		offset += extent.bytes;
		bytes -= extent.bytes;
		data += extent.bytes;
	}
	return 0;
}
