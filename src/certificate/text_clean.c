/* SPDX-License-Identifier: BSD-2-Clause */
#include "text_clean.h"

#include "cardassay/base.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Decodes one character; 0 when it is malformed: truncated, overlong, a surrogate, too large. */
static size_t decode(const char *text, uint32_t *ret_code)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *p = (const unsigned char *)text;
	size_t bytes = p[0] < 0x80	       ? 1
		       : (p[0] & 0xe0) == 0xc0 ? 2
		       : (p[0] & 0xf0) == 0xe0 ? 3
		       : (p[0] & 0xf8) == 0xf0 ? 4
					       : 0;
	uint32_t code;

	if (bytes < 2) {
		*ret_code = p[0];
		return bytes;
	}
	code = p[0] & (0x7fU >> bytes);
	for (size_t i = 1; i < bytes; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (p[i] & 0x3fU);
	}
	if (code < least[bytes] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	*ret_code = code;
	return bytes;
}

size_t ca_text_character_bytes(const char *text)
{
	uint32_t code;

	return decode(text, &code);
}

static bool steers(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x061c ||
	       (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
	       (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

size_t ca_text_clean(char *text)
{
	const char *from = text;
	char *to = text;

	while (*from) {
		uint32_t code = 0;
		size_t bytes = decode(from, &code);

		if (!bytes || steers(code)) {
			*to++ = '?';
			from += bytes ? bytes : 1;
			continue;
		}
		memmove(to, from, bytes);
		to += bytes;
		from += bytes;
	}
	*to = '\0';
	return (size_t)(to - text);
}

void ca_text_add_path(struct ca_text *text, const char *path)
{
	for (const char *p = path; *p;) {
		uint32_t code = 0;
		size_t bytes = decode(p, &code), len = bytes ? bytes : 1;

		if (*p == '\\') {
			ca_text_add(text, "\\\\");
		} else if (bytes && !steers(code)) {
			ca_text_add_len(text, p, len);
		} else {
			for (size_t i = 0; i < len; i++) {
				ca_text_add(text, "\\x");
				ca_text_hex(text, (unsigned char)p[i], 2);
			}
		}
		p += len;
	}
}
