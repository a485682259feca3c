/* SPDX-License-Identifier: BSD-2-Clause */
/* BLAKE2b, unkeyed, of 32 or 64 bytes; and libgcrypt made ready for use. */
#ifndef CA_CERTIFICATE_DIGEST_H
#define CA_CERTIFICATE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/* Initialises libgcrypt unless the program did. Safe to call any number of times. -ENOTSUP. */
int ca_digest_init(void);

int ca_digest_blake2b_256(const void *data, size_t bytes, uint8_t ret_digest[32]);
int ca_digest_blake2b_512(const void *data, size_t bytes, uint8_t ret_digest[64]);

#endif
