/* SPDX-License-Identifier: BSD-2-Clause */
#include "fuzz.h"

#define ROOM 64U

static void check_round_trip(const uint8_t *bytes, size_t len)
{
	char text[2 * ROOM + 1];
	uint8_t again[ROOM];
	size_t again_len = 0;

	ca_hex_encode(bytes, len, text);
	FUZZ_CHECK(strlen(text) == 2 * len);
	FUZZ_CHECK(ca_hex_decode(text, 2 * len, again, len, &again_len) == 0);
	FUZZ_CHECK(again_len == len && memcmp(again, bytes, len) == 0);
}

static void check_decode(const uint8_t *data, size_t size, size_t max_bytes)
{
	uint8_t bytes[ROOM];
	size_t len;

	fuzz_prepare(bytes, sizeof(bytes));
	fuzz_prepare(&len, sizeof(len));
	if (ca_hex_decode((const char *)data, size, bytes, max_bytes, &len) < 0) {
		fuzz_check_untouched(bytes, sizeof(bytes));
		fuzz_check_untouched(&len, sizeof(len));
		return;
	}
	FUZZ_CHECK(len > 0 && len <= max_bytes);
	fuzz_check_untouched(bytes + len, sizeof(bytes) - len);
	check_round_trip(bytes, len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_decode(data, size, ROOM);
	check_decode(data, size, 16);
	check_decode(data, size, size % ROOM);
	if (size)
		check_round_trip(data, size < ROOM ? size : ROOM);
	return 0;
}
