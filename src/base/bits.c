/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/base.h"

#include <assert.h>

/* Bit `bit` of a big-endian register lies in this byte, at place bit % 8. */
static size_t byte_of(size_t reg_bytes, unsigned int bit)
{
	return reg_bytes - 1 - bit / 8;
}

uint64_t ca_bits_get(const uint8_t *reg, size_t reg_bytes, unsigned int msb, unsigned int lsb)
{
	uint64_t value = 0;

	assert(msb >= lsb && msb - lsb < 64 && msb < 8 * reg_bytes);
	for (unsigned int bit = msb + 1; bit-- > lsb;)
		value = value << 1 | ((unsigned int)reg[byte_of(reg_bytes, bit)] >> bit % 8 & 1U);
	return value;
}

void ca_bits_set(uint8_t *reg, size_t reg_bytes, unsigned int msb, unsigned int lsb, uint64_t value)
{
	assert(msb >= lsb && msb - lsb < 64 && msb < 8 * reg_bytes);
	for (unsigned int bit = lsb; bit <= msb; bit++) {
		uint8_t *byte = &reg[byte_of(reg_bytes, bit)];
		unsigned int mask = 1U << bit % 8;

		*byte = (uint8_t)(value & 1 ? *byte | mask : *byte & ~mask);
		value >>= 1;
	}
}

uint16_t ca_le16(const uint8_t *p)
{
	return (uint16_t)(p[0] | p[1] << 8);
}

uint32_t ca_le32(const uint8_t *p)
{
	return (uint32_t)ca_le16(p) | (uint32_t)ca_le16(p + 2) << 16;
}

uint64_t ca_le64(const uint8_t *p)
{
	return (uint64_t)ca_le32(p) | (uint64_t)ca_le32(p + 4) << 32;
}

void ca_put_le32(uint8_t *p, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(value >> 8 * i);
}

void ca_put_le64(uint8_t *p, uint64_t value)
{
	for (int i = 0; i < 8; i++)
		p[i] = (uint8_t)(value >> 8 * i);
}

bool ca_bytes_is_all(const void *data, size_t bytes, uint8_t value)
{
	const uint8_t *p = data;

	for (size_t i = 0; i < bytes; i++)
		if (p[i] != value)
			return false;
	return true;
}

unsigned int ca_bytes_count_bit_errors(const uint8_t *a, const uint8_t *b, size_t bytes,
				       unsigned int limit)
{
	unsigned int errors = 0;

	for (size_t i = 0; i < bytes && errors <= limit; i++)
		errors += (unsigned int)__builtin_popcount((unsigned int)(a[i] ^ b[i]));
	return errors;
}
