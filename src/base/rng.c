/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/base.h"

#include <assert.h>

static uint64_t mix(uint64_t z)
{
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

uint64_t ca_rng_next(uint64_t *state)
{
	*state += UINT64_C(0x9e3779b97f4a7c15);
	return mix(*state);
}

uint64_t ca_rng_below(uint64_t *state, uint64_t limit)
{
	uint64_t reject = UINT64_MAX - UINT64_MAX % limit;
	uint64_t value;

	assert(limit > 0);
	do
		value = ca_rng_next(state);
	while (value >= reject);
	return value % limit;
}

/*
 * A four-round Feistel network over the smallest even number of bits that holds count; places
 * outside are walked over (each step is a bijection, so the walk ends and no place comes twice).
 */
void ca_permutation_init(struct ca_permutation *permutation, uint64_t count, uint64_t seed)
{
	unsigned int bits = 2;

	assert(count > 0);
	while (bits < 64 && (count - 1) >> bits)
		bits += 2;
	permutation->count = count;
	permutation->half_bits = bits / 2;
	permutation->mask = (UINT64_C(1) << permutation->half_bits) - 1;
	for (size_t i = 0; i < CA_ARRAY_LEN(permutation->keys); i++)
		permutation->keys[i] = ca_rng_next(&seed);
}

uint64_t ca_permutation_at(const struct ca_permutation *permutation, uint64_t index)
{
	uint64_t place = index;

	assert(index < permutation->count);
	do {
		uint64_t left = place >> permutation->half_bits;
		uint64_t right = place & permutation->mask;

		for (size_t i = 0; i < CA_ARRAY_LEN(permutation->keys); i++) {
			uint64_t swap = right;

			right = left ^ (mix(right ^ permutation->keys[i]) & permutation->mask);
			left = swap;
		}
		place = left << permutation->half_bits | right;
	} while (place >= permutation->count);
	return place;
}
