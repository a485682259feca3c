/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For tests of register decoders: raw bytes from hex, and one row a struct member, with the bits or
 * bytes it must come from written as numbers, so that the test knows them apart from the specs.
 */
#ifndef CA_TESTS_FIELD_CASE_H
#define CA_TESTS_FIELD_CASE_H

#include "cardassay/base.h"

#include <check.h>
#include <string.h>

struct field_case {
	const char *member;
	unsigned int msb, lsb; /* or last and first byte */
	size_t offset, size;
};

#define FIELD(type, name, msb_, lsb_)                                                              \
	{                                                                                          \
		.member = #name, .msb = (msb_), .lsb = (lsb_),                                     \
		.offset = offsetof(struct type, name), .size = sizeof(((struct type *)0)->name)    \
	}

static inline uint64_t field_value(const void *decoded, const struct field_case *field)
{
	const uint8_t *at = (const uint8_t *)decoded + field->offset;
	uint16_t u16;
	uint32_t u32;
	uint64_t u64;

	if (field->size == 1)
		return *at;
	if (field->size == sizeof(u16)) {
		memcpy(&u16, at, sizeof(u16));
		return u16;
	}
	if (field->size == sizeof(u32)) {
		memcpy(&u32, at, sizeof(u32));
		return u32;
	}
	ck_assert_uint_eq(field->size, sizeof(u64));
	memcpy(&u64, at, sizeof(u64));
	return u64;
}

static inline uint64_t field_ones(const struct field_case *field)
{
	return UINT64_MAX >> (63 - (field->msb - field->lsb));
}

/* All members but number `except` are 0. */
static inline void assert_others_clear(const void *decoded, const struct field_case *fields,
				       size_t count, size_t except)
{
	for (size_t i = 0; i < count; i++)
		if (i != except)
			ck_assert_msg(field_value(decoded, &fields[i]) == 0, "%s changed with %s",
				      fields[i].member, fields[except].member);
}

/* Exactly `bytes` bytes. */
static inline void hex_bytes(const char *hex, uint8_t *ret_data, size_t bytes)
{
	size_t len = 0;

	ck_assert_int_eq(ca_hex_decode(hex, strlen(hex), ret_data, bytes, &len), 0);
	ck_assert_uint_eq(len, bytes);
}

#endif
