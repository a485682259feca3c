/* SPDX-License-Identifier: BSD-2-Clause */
/* Text that means bytes or a number: hex, base64, numbers, sizes, durations, moments. */
#include "fuzz.h"

#include "base64.h"

#include <errno.h>

#define ROOM	 64U
#define TEXT_MAX 128U

/* ---- bytes ----------------------------------------------------------------------------------- */

static void check_hex_round_trip(const uint8_t *bytes, size_t len)
{
	char text[2 * ROOM + 1];
	uint8_t again[ROOM];
	size_t again_len = 0;

	ca_hex_encode(bytes, len, text);
	FUZZ_CHECK(strlen(text) == 2 * len);
	FUZZ_CHECK(ca_hex_decode(text, 2 * len, again, len, &again_len) == 0);
	FUZZ_CHECK(again_len == len && memcmp(again, bytes, len) == 0);
}

static void check_hex(const uint8_t *data, size_t size, size_t max_bytes)
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
	check_hex_round_trip(bytes, len);
}

/* One text a value: whatever decodes is what encoding gives. */
static void check_base64(const char *text, size_t len, size_t max_bytes)
{
	char again[CA_BASE64_LEN(ROOM) + 1];
	uint8_t bytes[ROOM];
	size_t count;
	int r;

	fuzz_prepare(bytes, sizeof(bytes));
	fuzz_prepare(&count, sizeof(count));
	r = ca_base64_decode(text, len, bytes, max_bytes, &count);
	fuzz_check_untouched(bytes + max_bytes, sizeof(bytes) - max_bytes);
	if (r < 0) {
		FUZZ_CHECK(r == -EBADMSG || r == -EOVERFLOW);
		fuzz_check_untouched(&count, sizeof(count));
		return;
	}
	FUZZ_CHECK(count <= max_bytes);
	ca_base64_encode(bytes, count, again);
	FUZZ_CHECK(strlen(again) == len && memcmp(again, text, len) == 0);
}

static void check_bytes(const uint8_t *data, size_t size)
{
	size_t len = size < ROOM ? size : ROOM;
	char text[CA_BASE64_LEN(ROOM) + 1];

	check_hex(data, size, ROOM);
	check_hex(data, size, 16);
	check_hex(data, size, size % ROOM);
	if (len)
		check_hex_round_trip(data, len);
	check_base64((const char *)data, size, ROOM);
	check_base64((const char *)data, size, size % ROOM);
	ca_base64_encode(data, len, text);
	check_base64(text, strlen(text), ROOM);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void check_u64(const char *text)
{
	char again[24];
	struct ca_text written;
	uint64_t value;
	int r;

	fuzz_prepare(&value, sizeof(value));
	r = ca_parse_u64(text, UINT64_MAX, &value);
	if (r < 0) {
		FUZZ_CHECK(r == -EINVAL || r == -ERANGE);
		fuzz_check_untouched(&value, sizeof(value));
		return;
	}
	ca_text_init(&written, again, sizeof(again));
	ca_text_u64(&written, value);
	FUZZ_CHECK(!written.cut && strcmp(again, text + strspn(text, "0") - (value == 0)) == 0);
	FUZZ_CHECK(value == 0 || ca_parse_u64(text, value - 1, &value) == -ERANGE);
}

/* A plain number is the same number as a size and as a duration. */
static void check_size_and_seconds(const char *text)
{
	uint64_t plain = 0, bytes, seconds;
	bool is_plain = ca_parse_u64(text, UINT64_MAX, &plain) == 0;
	int r;

	fuzz_prepare(&bytes, sizeof(bytes));
	r = ca_parse_size(text, &bytes);
	if (r < 0) {
		FUZZ_CHECK(r == -EINVAL || r == -ERANGE);
		fuzz_check_untouched(&bytes, sizeof(bytes));
	}
	FUZZ_CHECK(!is_plain || (r == 0 && bytes == plain));
	fuzz_prepare(&seconds, sizeof(seconds));
	r = ca_parse_seconds(text, &seconds);
	if (r < 0) {
		FUZZ_CHECK(r == -EINVAL || r == -ERANGE);
		fuzz_check_untouched(&seconds, sizeof(seconds));
	}
	FUZZ_CHECK(!is_plain || r == -ERANGE || (r == 0 && seconds == plain));
}

static void check_time(const char *text)
{
	char again[CA_TIME_TEXT_MAX];
	unsigned int year, month;
	uint64_t seconds;

	fuzz_prepare(&seconds, sizeof(seconds));
	if (ca_time_parse(text, &seconds) < 0) {
		fuzz_check_untouched(&seconds, sizeof(seconds));
		return;
	}
	ca_time_format(seconds, again);
	FUZZ_CHECK(strcmp(again, text) == 0);
	ca_time_year_month(seconds, &year, &month);
	FUZZ_CHECK(year >= 1970 && year <= 9999 && month >= 1 && month <= 12);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t len = size < TEXT_MAX - 1 ? size : TEXT_MAX - 1;
	char text[TEXT_MAX];

	check_bytes(data, size);
	if (len)
		memcpy(text, data, len);
	text[len] = '\0';
	check_u64(text);
	check_size_and_seconds(text);
	check_time(text);
	return 0;
}
