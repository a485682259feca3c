/* SPDX-License-Identifier: BSD-2-Clause */
/* The binary records inside minisign's files, between minisign.c (text) and sign.c (meaning). */
#ifndef CA_CERTIFICATE_SIGN_H
#define CA_CERTIFICATE_SIGN_H

#include "cardassay/certificate.h"

#define CA_SIGN_COMMENT_MAX 1024U  /* as stock minisign */
#define CA_SIGN_TRUSTED_MAX 8192U  /* likewise */
#define CA_SIGN_FILE_MAX    16384U /* no key or signature file is larger */

struct ca_signature {
	bool prehashed; /* "ED": the signature is over the BLAKE2b-512 of the data */
	uint8_t id[CA_SIGN_KEY_ID_BYTES];
	uint8_t signature[64];
	uint8_t global[64]; /* over signature and trusted comment */
	char trusted[CA_SIGN_TRUSTED_MAX];
};

/* malloc'ed text of a .minisig file. -ENOMEM. */
int ca_sign_format_signature(const struct ca_signature *signature, char **ret_text);
/* -EBADMSG with error. */
int ca_sign_parse_signature(const char *text, size_t len, struct ca_signature *ret_signature,
			    struct ca_error *error);

#endif
