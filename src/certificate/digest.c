/* SPDX-License-Identifier: BSD-2-Clause */
#include "digest.h"

#include <errno.h>
#include <gcrypt.h>

int ca_digest_init(void)
{
	if (gcry_control(GCRYCTL_INITIALIZATION_FINISHED_P))
		return 0;
	if (!gcry_check_version("1.9.0"))
		return -ENOTSUP;
	/* no locked pages: a Pi user's limit on them is small, and the key is in a file anyway */
	gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
	gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
	return 0;
}

static int hash(int algorithm, const void *data, size_t bytes, uint8_t *ret_digest)
{
	int r = ca_digest_init();

	if (r < 0)
		return r;
	if (gcry_md_test_algo(algorithm))
		return -ENOTSUP;
	gcry_md_hash_buffer(algorithm, ret_digest, data, bytes);
	return 0;
}

int ca_digest_blake2b_256(const void *data, size_t bytes, uint8_t ret_digest[32])
{
	return hash(GCRY_MD_BLAKE2B_256, data, bytes, ret_digest);
}

int ca_digest_blake2b_512(const void *data, size_t bytes, uint8_t ret_digest[64])
{
	return hash(GCRY_MD_BLAKE2B_512, data, bytes, ret_digest);
}
