/* SPDX-License-Identifier: BSD-2-Clause */
#include "base64.h"

#include <errno.h>
#include <stdbool.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void ca_base64_encode(const uint8_t *data, size_t bytes, char *ret_text)
{
	char *p = ret_text;

	for (size_t i = 0; i < bytes; i += 3) {
		size_t left = bytes - i;
		uint32_t group = (uint32_t)data[i] << 16;

		if (left > 1)
			group |= (uint32_t)data[i + 1] << 8;
		if (left > 2)
			group |= data[i + 2];
		*p++ = alphabet[group >> 18];
		*p++ = alphabet[group >> 12 & 63];
		*p++ = left > 1 ? alphabet[group >> 6 & 63] : '=';
		*p++ = left > 2 ? alphabet[group & 63] : '=';
	}
	*p = '\0';
}

static int symbol_value(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	if (c == '+')
		return 62;
	return c == '/' ? 63 : -1;
}

/* One group of four characters -> 1 to 3 bytes; 0 when it is malformed. */
static size_t decode_group(const char *text, bool last, uint8_t ret_bytes[3])
{
	size_t pad = 0;
	uint32_t group = 0;

	if (last && text[3] == '=')
		pad = text[2] == '=' ? 2 : 1;
	for (size_t i = 0; i < 4; i++) {
		int value = i >= 4 - pad ? 0 : symbol_value(text[i]);

		if (value < 0)
			return 0;
		group = group << 6 | (uint32_t)value;
	}
	/* canonical: one text a value, so a signature has one spelling */
	if ((pad == 1 && group & 0xff) || (pad == 2 && group & 0xffff))
		return 0;
	ret_bytes[0] = (uint8_t)(group >> 16);
	ret_bytes[1] = (uint8_t)(group >> 8);
	ret_bytes[2] = (uint8_t)group;
	return 3 - pad;
}

int ca_base64_decode(const char *text, size_t len, uint8_t *ret_data, size_t max_bytes,
		     size_t *ret_len)
{
	size_t at = 0;

	if (len % 4)
		return -EBADMSG;
	for (size_t i = 0; i < len; i += 4) {
		uint8_t bytes[3];
		size_t count = decode_group(text + i, i + 4 == len, bytes);

		if (!count)
			return -EBADMSG;
		if (count > max_bytes - at)
			return -EOVERFLOW;
		for (size_t j = 0; j < count; j++)
			ret_data[at++] = bytes[j];
	}
	*ret_len = at;
	return 0;
}
