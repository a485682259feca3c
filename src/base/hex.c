/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/base.h"

#include <errno.h>
#include <string.h>

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

static bool is_separator(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ':' || c == '-';
}

int ca_hex_decode(const char *text, size_t text_len, uint8_t *ret_bytes, size_t max_bytes,
		  size_t *ret_len)
{
	uint8_t bytes[8192];
	size_t count = 0;
	bool half = false, group_start = true;

	for (size_t i = 0; i < text_len; i++) {
		int value = digit_value(text[i]);

		if (group_start && text[i] == '0' && i + 1 < text_len &&
		    (text[i + 1] == 'x' || text[i + 1] == 'X')) {
			i++;
			group_start = false;
			continue;
		}
		if (value < 0) {
			if (!is_separator(text[i]))
				return -EINVAL;
			if (half) /* a separator stands between whole bytes only */
				return -EILSEQ;
			group_start = true;
			continue;
		}
		group_start = false;
		if (half) {
			bytes[count] = (uint8_t)(bytes[count] | value);
			count++;
		} else {
			if (count == max_bytes || count == sizeof(bytes))
				return -EOVERFLOW;
			bytes[count] = (uint8_t)(value << 4);
		}
		half = !half;
	}
	if (half)
		return -EILSEQ;
	if (count == 0)
		return -ENODATA;
	memcpy(ret_bytes, bytes, count);
	*ret_len = count;
	return 0;
}

void ca_hex_encode(const uint8_t *data, size_t bytes, char *ret_text)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < bytes; i++) {
		ret_text[2 * i] = digits[data[i] >> 4];
		ret_text[2 * i + 1] = digits[data[i] & 15];
	}
	ret_text[2 * bytes] = '\0';
}
