/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/registers.h"

/* x^3 + 1 below the leading x^7, moved up by one: the remainder is kept in bits 7:1 of a byte. */
#define POLYNOMIAL 0x12U

uint8_t ca_crc7(const uint8_t *data, size_t bytes)
{
	unsigned int crc = 0;

	for (size_t i = 0; i < bytes; i++) {
		crc ^= data[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 0x80U ? (crc << 1 ^ POLYNOMIAL) & 0xffU : crc << 1;
	}
	return (uint8_t)(crc >> 1);
}

enum ca_crc ca_crc7_check(const uint8_t *reg)
{
	uint8_t last = reg[CA_CID_BYTES - 1];

	if (last <= 1)
		return CA_CRC_ABSENT;
	return last >> 1 == ca_crc7(reg, CA_CID_BYTES - 1) ? CA_CRC_GOOD : CA_CRC_BAD;
}
