/* SPDX-License-Identifier: BSD-2-Clause */
#include "sign.h"
#include "digest.h"
#include "ed25519.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

int ca_sign_keygen(const uint8_t entropy[40], struct ca_secret_key *ret_secret)
{
	struct ca_secret_key secret;
	int r;

	memcpy(secret.id, entropy, sizeof(secret.id));
	memcpy(secret.seed, entropy + sizeof(secret.id), sizeof(secret.seed));
	r = ca_ed25519_public(secret.seed, secret.key);
	if (r == 0)
		*ret_secret = secret;
	return r;
}

/* What the global signature covers: the signature, then the text of the trusted comment. */
static size_t global_message(const struct ca_signature *signature, uint8_t *ret_message)
{
	size_t len = strlen(signature->trusted);

	memcpy(ret_message, signature->signature, sizeof(signature->signature));
	memcpy(ret_message + sizeof(signature->signature), signature->trusted, len);
	return sizeof(signature->signature) + len;
}

int ca_sign_data(const struct ca_secret_key *key, const void *data, size_t bytes,
		 const char *trusted_comment, char **ret_text, struct ca_error *error)
{
	struct ca_signature signature = {.prehashed = true};
	uint8_t digest[64], message[64 + CA_SIGN_TRUSTED_MAX];
	int r;

	if (strpbrk(trusted_comment, "\r\n"))
		return ca_error_set(error, -EINVAL, "the trusted comment must be a single line");
	if (!ca_string_copy(signature.trusted, sizeof(signature.trusted), trusted_comment))
		return ca_error_set(error, -EINVAL, "the trusted comment is too long");
	memcpy(signature.id, key->id, sizeof(signature.id));
	r = ca_digest_blake2b_512(data, bytes, digest);
	if (r == 0)
		r = ca_ed25519_sign(key->seed, key->key, digest, sizeof(digest),
				    signature.signature);
	if (r == 0)
		r = ca_ed25519_sign(key->seed, key->key, message,
				    global_message(&signature, message), signature.global);
	if (r == 0)
		r = ca_sign_format_signature(&signature, ret_text);
	if (r < 0)
		return ca_error_set(error, r, "signing failed in libgcrypt: %s", strerror(-r));
	return 0;
}

static int check(const struct ca_public_key *key, const void *data, size_t bytes,
		 const struct ca_signature *signature, struct ca_error *error)
{
	uint8_t digest[64], message[64 + CA_SIGN_TRUSTED_MAX];
	int r = 0;

	if (signature->prehashed) {
		r = ca_digest_blake2b_512(data, bytes, digest);
		data = digest;
		bytes = sizeof(digest);
	}
	if (r == 0)
		r = ca_ed25519_verify(key->key, data, bytes, signature->signature);
	if (r == -EKEYREJECTED)
		return ca_error_set(error, r,
				    "the signature does not match: the file was changed after it "
				    "was signed, or it is the signature of another file");
	if (r == 0)
		r = ca_ed25519_verify(key->key, message, global_message(signature, message),
				      signature->global);
	if (r == -EKEYREJECTED)
		return ca_error_set(error, r,
				    "the signature's trusted comment was changed after signing");
	if (r < 0)
		return ca_error_set(error, r, "checking the signature failed in libgcrypt: %s",
				    strerror(-r));
	return 0;
}

int ca_sign_verify(const struct ca_public_key *key, const void *data, size_t bytes,
		   const char *signature, size_t signature_len, char *ret_trusted_comment,
		   size_t trusted_comment_size, struct ca_error *error)
{
	struct ca_signature parsed;
	int r = ca_sign_parse_signature(signature, signature_len, &parsed, error);

	if (r < 0)
		return r;
	if (memcmp(parsed.id, key->id, sizeof(parsed.id)) != 0)
		return ca_error_set(error, -ENOKEY,
				    "signed with key %" PRIX64 ", but the public key given is "
				    "%" PRIX64 ": get the signer's public key",
				    ca_le64(parsed.id), ca_le64(key->id));
	r = check(key, data, bytes, &parsed, error);
	if (r < 0)
		return r;
	if (ret_trusted_comment)
		(void)ca_string_copy(ret_trusted_comment, trusted_comment_size,
				     parsed.trusted); /* a view of it: cutting does no harm */
	return 0;
}
