/* SPDX-License-Identifier: BSD-2-Clause */
/* base64 of RFC 4648 section 4: padded, one line, canonical only. */
#ifndef CA_CERTIFICATE_BASE64_H
#define CA_CERTIFICATE_BASE64_H

#include <stddef.h>
#include <stdint.h>

#define CA_BASE64_LEN(bytes) (((bytes) + 2) / 3 * 4)

/* ret_text has room for CA_BASE64_LEN(bytes) + 1. */
void ca_base64_encode(const uint8_t *data, size_t bytes, char *ret_text);

/*
 * -EBADMSG: another character, wrong padding, or bits set that the last character may not carry;
 * -EOVERFLOW: more than max_bytes. ret_data is scratch on failure.
 */
int ca_base64_decode(const char *text, size_t len, uint8_t *ret_data, size_t max_bytes,
		     size_t *ret_len);

#endif
