/* SPDX-License-Identifier: BSD-2-Clause */
#include "ed25519.h"
#include "digest.h"

#include <errno.h>
#include <gcrypt.h>
#include <limits.h>
#include <string.h>

static void release_sexp(gcry_sexp_t *sexp)
{
	gcry_sexp_release(*sexp);
}
#define CLEANUP_SEXP __attribute__((cleanup(release_sexp)))

static int errno_of(gcry_error_t error)
{
	gcry_err_code_t code = gcry_err_code(error);

	if (code == GPG_ERR_NO_ERROR)
		return 0;
	if (code == GPG_ERR_ENOMEM)
		return -ENOMEM;
	if (code == GPG_ERR_UNKNOWN_CURVE || code == GPG_ERR_PUBKEY_ALGO)
		return -ENOTSUP;
	return -EKEYREJECTED; /* a point that is none, a signature that does not fit */
}

int ca_ed25519_public(const uint8_t seed[32], uint8_t ret_key[32])
{
	CLEANUP_SEXP gcry_sexp_t secret = NULL;
	gcry_ctx_t context = NULL;
	gcry_mpi_t point = NULL;
	const void *bytes;
	unsigned int bits = 0;
	int r = ca_digest_init();

	if (r < 0)
		return r;
	r = errno_of(gcry_sexp_build(&secret, NULL,
				     "(private-key (ecc (curve Ed25519) (flags eddsa) (d %b)))", 32,
				     seed));
	if (r == 0)
		r = errno_of(gcry_mpi_ec_new(&context, secret, NULL));
	if (r < 0)
		return r;
	/* an opaque number: the encoded point itself */
	point = gcry_mpi_ec_get_mpi("q@eddsa", context, 1);
	bytes = point ? gcry_mpi_get_opaque(point, &bits) : NULL;
	if (bytes && bits == 256)
		memcpy(ret_key, bytes, 32);
	else
		r = -ENOMEM;
	gcry_mpi_release(point);
	gcry_ctx_release(context);
	return r;
}

static int data_sexp(const void *data, size_t bytes, gcry_sexp_t *ret_sexp)
{
	if (bytes > INT_MAX)
		return -EFBIG;
	return errno_of(gcry_sexp_build(ret_sexp, NULL,
					"(data (flags eddsa) (hash-algo sha512) (value %b))",
					(int)bytes, data));
}

/* Copies the 32-byte value of token "r" or "s"; their leading zeros are kept by libgcrypt. */
static int copy_half(gcry_sexp_t signature, const char *token, uint8_t *ret_half)
{
	CLEANUP_SEXP gcry_sexp_t part = gcry_sexp_find_token(signature, token, 1);
	size_t len = 0;
	const char *bytes = part ? gcry_sexp_nth_data(part, 1, &len) : NULL;

	if (!bytes || len != 32)
		return -EIO;
	memcpy(ret_half, bytes, 32);
	return 0;
}

int ca_ed25519_sign(const uint8_t seed[32], const uint8_t key[32], const void *data, size_t bytes,
		    uint8_t ret_signature[64])
{
	CLEANUP_SEXP gcry_sexp_t secret = NULL, message = NULL, signature = NULL;
	uint8_t halves[64];
	int r = ca_digest_init();

	if (r == 0)
		r = errno_of(gcry_sexp_build(
			&secret, NULL,
			"(private-key (ecc (curve Ed25519) (flags eddsa) (q %b) (d %b)))", 32, key,
			32, seed));
	if (r == 0)
		r = data_sexp(data, bytes, &message);
	if (r == 0)
		r = errno_of(gcry_pk_sign(&signature, message, secret));
	if (r == 0)
		r = copy_half(signature, "r", halves);
	if (r == 0)
		r = copy_half(signature, "s", halves + 32);
	if (r == 0)
		memcpy(ret_signature, halves, sizeof(halves));
	return r;
}

int ca_ed25519_verify(const uint8_t key[32], const void *data, size_t bytes,
		      const uint8_t signature[64])
{
	CLEANUP_SEXP gcry_sexp_t public = NULL, message = NULL, given = NULL;
	int r = ca_digest_init();

	if (r == 0)
		r = errno_of(gcry_sexp_build(
			&public, NULL, "(public-key (ecc (curve Ed25519) (flags eddsa) (q %b)))",
			32, key));
	if (r == 0)
		r = data_sexp(data, bytes, &message);
	if (r == 0)
		r = errno_of(gcry_sexp_build(&given, NULL, "(sig-val (eddsa (r %b) (s %b)))", 32,
					     signature, 32, signature + 32));
	if (r == 0)
		r = errno_of(gcry_pk_verify(given, message, public));
	return r;
}
