/* SPDX-License-Identifier: BSD-2-Clause */
/* Ed25519 (RFC 8032) over libgcrypt. 0 or a negative errno; -ENOTSUP when libgcrypt lacks it. */
#ifndef CA_CERTIFICATE_ED25519_H
#define CA_CERTIFICATE_ED25519_H

#include <stddef.h>
#include <stdint.h>

/* The public half that belongs to a seed. */
int ca_ed25519_public(const uint8_t seed[32], uint8_t ret_key[32]);

int ca_ed25519_sign(const uint8_t seed[32], const uint8_t key[32], const void *data, size_t bytes,
		    uint8_t ret_signature[64]);

/* -EKEYREJECTED: not the signature of this data by this key. */
int ca_ed25519_verify(const uint8_t key[32], const void *data, size_t bytes,
		      const uint8_t signature[64]);

#endif
