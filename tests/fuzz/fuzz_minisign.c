/* SPDX-License-Identifier: BSD-2-Clause */
#include "fuzz.h"

#include "cardassay/certificate.h"

#include <errno.h>

static bool is_refusal(int r)
{
	return r == -EBADMSG || r == -ENOKEY || r == -EKEYREJECTED;
}

/* RFC 8032 7.1 test 1: a key whose secret half signed nothing of ours. */
static const struct ca_public_key known = {
	.key = {0xd7, 0x5a, 0x98, 0x01, 0x82, 0xb1, 0x0a, 0xb7, 0xd5, 0x4b, 0xfe,
		0xd3, 0xc9, 0x64, 0x07, 0x3a, 0x0e, 0xe1, 0x72, 0xf3, 0xda, 0xa6,
		0x23, 0x25, 0xaf, 0x02, 0x1a, 0x68, 0xf7, 0x07, 0x51, 0x1a},
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ca_public_key public_key;
	struct ca_secret_key secret;
	struct ca_error error = {0};
	const char *text = (const char *)data;
	char comment[64], *written;
	int r;

	fuzz_prepare(&public_key, sizeof(public_key));
	r = ca_sign_parse_public(text, size, &public_key, &error);
	FUZZ_CHECK(r == 0 || r == -EBADMSG);
	if (r < 0) {
		FUZZ_CHECK(error.text[0]);
		fuzz_check_untouched(&public_key, sizeof(public_key));
	} else {
		FUZZ_CHECK(ca_sign_format_public(&public_key, &written) == 0);
		FUZZ_CHECK(ca_sign_parse_public(written, strlen(written), &public_key, NULL) == 0);
		free(written);
	}
	fuzz_prepare(&secret, sizeof(secret));
	r = ca_sign_parse_secret(text, size, &secret, NULL);
	FUZZ_CHECK(r == 0 || is_refusal(r));
	if (r < 0)
		fuzz_check_untouched(&secret, sizeof(secret));
	r = ca_sign_verify(&known, "data", 4, text, size, comment, sizeof(comment), NULL);
	FUZZ_CHECK(is_refusal(r));
	return 0;
}
