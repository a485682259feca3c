/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fields of EXT_CSD and NVMe pages: byte numbers last..first, as the generated CA_FIELD_* macros
 * give them, low byte first.
 */
#ifndef CA_REGISTERS_BYTE_FIELD_H
#define CA_REGISTERS_BYTE_FIELD_H

#include <stdint.h>
#include <string.h>

/* Counters of up to 16 bytes; what needs more than 64 bits is UINT64_MAX. */
static inline uint64_t byte_field_u64(const uint8_t *data, unsigned int last, unsigned int first)
{
	uint64_t value = 0;

	for (unsigned int i = last + 1; i-- > first;) {
		if (value >> 56)
			return UINT64_MAX;
		value = value << 8 | data[i];
	}
	return value;
}

static inline uint32_t byte_field_u32(const uint8_t *data, unsigned int last, unsigned int first)
{
	return (uint32_t)byte_field_u64(data, last, first);
}

static inline uint16_t byte_field_u16(const uint8_t *data, unsigned int last, unsigned int first)
{
	return (uint16_t)byte_field_u64(data, last, first);
}

static inline uint8_t byte_field_u8(const uint8_t *data, unsigned int last, unsigned int first)
{
	return (uint8_t)byte_field_u64(data, last, first);
}

/* Copies the raw bytes; the caller's buffer holds last - first + 1. */
static inline void byte_field_copy(void *ret, const uint8_t *data, unsigned int last,
				   unsigned int first)
{
	memcpy(ret, data + first, (size_t)last - first + 1);
}

/* Blanks the field in place. */
static inline void byte_field_clear(uint8_t *data, unsigned int last, unsigned int first)
{
	memset(data + first, 0, (size_t)last - first + 1);
}

/* First byte of a field that is a table of its own. */
static inline const uint8_t *byte_field_at(const uint8_t *data, unsigned int last,
					   unsigned int first)
{
	(void)last; /* half of the macro that is not needed here */
	return data + first;
}

#endif
