/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The three file formats of minisign. Lines are text, records are base64 of packed bytes:
 *   public key   "Ed" id[8] key[32]
 *   signature    "Ed" or "ED" id[8] signature[64]; then the global signature[64] alone
 *   secret key   "Ed" kdf[2] "B2" salt[32] ops[8] mem[8] id[8] seed[32] key[32] checksum[32]
 */
#include "sign.h"
#include "base64.h"
#include "digest.h"
#include "ed25519.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define PUBLIC_BYTES	42U
#define SIGNATURE_BYTES 74U
#define SECRET_BYTES	158U
#define SECRET_KEYNUM	54U /* id[8] seed[32] key[32] */
#define SECRET_CHECKSUM 126U

static const char untrusted_prefix[] = "untrusted comment: ";
static const char trusted_prefix[] = "trusted comment: ";

struct line {
	const char *text;
	size_t len;
};

/* Takes the next line, without its LF or CRLF; false at the end. */
static bool next_line(const char **text, size_t *len, struct line *ret_line)
{
	const char *end;

	if (!*len)
		return false;
	end = memchr(*text, '\n', *len);
	ret_line->text = *text;
	ret_line->len = end ? (size_t)(end - *text) : *len;
	*text += ret_line->len + (end ? 1 : 0);
	*len -= ret_line->len + (end ? 1 : 0);
	if (ret_line->len && ret_line->text[ret_line->len - 1] == '\r')
		ret_line->len--;
	return true;
}

static bool has_prefix(const struct line *line, const char *prefix)
{
	return line->len >= strlen(prefix) && memcmp(line->text, prefix, strlen(prefix)) == 0;
}

static bool decode_record(const struct line *line, uint8_t *ret_record, size_t bytes)
{
	size_t got;

	return ca_base64_decode(line->text, line->len, ret_record, bytes, &got) == 0 &&
	       got == bytes;
}

static bool only_blank(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] != '\n' && text[i] != '\r' && text[i] != ' ')
			return false;
	return true;
}

/* The record of a key file: an untrusted comment, then base64; or the bare base64 line. */
static bool parse_key_file(const char *text, size_t len, uint8_t *ret_record, size_t bytes)
{
	struct line line;

	if (len > CA_SIGN_FILE_MAX || !next_line(&text, &len, &line))
		return false;
	if (has_prefix(&line, untrusted_prefix) && !next_line(&text, &len, &line))
		return false;
	return decode_record(&line, ret_record, bytes) && only_blank(text, len);
}

int ca_sign_format_public(const struct ca_public_key *key, char **ret_text)
{
	uint8_t record[PUBLIC_BYTES] = "Ed";
	char base64[CA_BASE64_LEN(PUBLIC_BYTES) + 1];

	memcpy(record + 2, key->id, 8);
	memcpy(record + 10, key->key, 32);
	ca_base64_encode(record, sizeof(record), base64);
	if (asprintf(ret_text, "%sminisign public key %" PRIX64 "\n%s\n", untrusted_prefix,
		     ca_le64(key->id), base64) < 0)
		return -ENOMEM;
	return 0;
}

int ca_sign_parse_public(const char *text, size_t len, struct ca_public_key *ret_key,
			 struct ca_error *error)
{
	uint8_t record[PUBLIC_BYTES];

	if (!parse_key_file(text, len, record, sizeof(record)) || memcmp(record, "Ed", 2) != 0)
		return ca_error_set(error, -EBADMSG,
				    "not a minisign public key: expected a line of 56 characters "
				    "that begins with RW");
	memcpy(ret_key->id, record + 2, 8);
	memcpy(ret_key->key, record + 10, 32);
	return 0;
}

static int secret_checksum(const uint8_t *record, uint8_t ret_checksum[32])
{
	uint8_t message[2 + SECRET_CHECKSUM - SECRET_KEYNUM];

	memcpy(message, record, 2);
	memcpy(message + 2, record + SECRET_KEYNUM, SECRET_CHECKSUM - SECRET_KEYNUM);
	return ca_digest_blake2b_256(message, sizeof(message), ret_checksum);
}

int ca_sign_format_secret(const struct ca_secret_key *key, char **ret_text)
{
	uint8_t record[SECRET_BYTES] = {'E', 'd', 0, 0, 'B', '2'};
	char base64[CA_BASE64_LEN(SECRET_BYTES) + 1];
	int r;

	memcpy(record + SECRET_KEYNUM, key->id, 8);
	memcpy(record + SECRET_KEYNUM + 8, key->seed, 32);
	memcpy(record + SECRET_KEYNUM + 40, key->key, 32);
	r = secret_checksum(record, record + SECRET_CHECKSUM);
	if (r < 0)
		return r;
	ca_base64_encode(record, sizeof(record), base64);
	if (asprintf(ret_text, "%sminisign secret key %" PRIX64 ", not encrypted\n%s\n",
		     untrusted_prefix, ca_le64(key->id), base64) < 0)
		return -ENOMEM;
	return 0;
}

/* Stock minisign leaves the checksum of an unencrypted key at zero and never looks at it. */
static bool secret_is_intact(const uint8_t *record)
{
	const uint8_t *stored = record + SECRET_CHECKSUM;
	uint8_t expected[32], key[32];

	if (ca_ed25519_public(record + SECRET_KEYNUM + 8, key) < 0 ||
	    memcmp(key, record + SECRET_KEYNUM + 40, sizeof(key)) != 0)
		return false;
	if (ca_bytes_is_all(stored, 32, 0))
		return true;
	return secret_checksum(record, expected) == 0 && memcmp(stored, expected, 32) == 0;
}

int ca_sign_parse_secret(const char *text, size_t len, struct ca_secret_key *ret_key,
			 struct ca_error *error)
{
	uint8_t record[SECRET_BYTES];

	if (!parse_key_file(text, len, record, sizeof(record)) || memcmp(record, "Ed", 2) != 0)
		return ca_error_set(error, -EBADMSG, "not a minisign secret key file");
	if (memcmp(record + 2, "Sc", 2) == 0)
		return ca_error_set(error, -ENOKEY,
				    "this secret key is encrypted with a password; remove it from "
				    "a copy with `minisign -C -W -s FILE`, or make a key with "
				    "`cardassay keygen`");
	if (memcmp(record + 2, "\0\0", 2) != 0 || memcmp(record + 4, "B2", 2) != 0)
		return ca_error_set(error, -EBADMSG,
				    "this secret key uses a protection that is not known here");
	if (!secret_is_intact(record))
		return ca_error_set(error, -EBADMSG,
				    "this secret key is damaged: its parts do not fit together");
	memcpy(ret_key->id, record + SECRET_KEYNUM, 8);
	memcpy(ret_key->seed, record + SECRET_KEYNUM + 8, 32);
	memcpy(ret_key->key, record + SECRET_KEYNUM + 40, 32);
	return 0;
}

int ca_sign_format_signature(const struct ca_signature *signature, char **ret_text)
{
	uint8_t record[SIGNATURE_BYTES] = {'E', signature->prehashed ? 'D' : 'd'};
	char base64[CA_BASE64_LEN(SIGNATURE_BYTES) + 1], global[CA_BASE64_LEN(64) + 1];

	memcpy(record + 2, signature->id, 8);
	memcpy(record + 10, signature->signature, 64);
	ca_base64_encode(record, sizeof(record), base64);
	ca_base64_encode(signature->global, 64, global);
	if (asprintf(ret_text, "%ssignature of a cardassay certificate\n%s\n%s%s\n%s\n",
		     untrusted_prefix, base64, trusted_prefix, signature->trusted, global) < 0)
		return -ENOMEM;
	return 0;
}

static int bad_signature(struct ca_error *error, const char *what)
{
	return ca_error_set(error, -EBADMSG, "not a minisign signature: %s", what);
}

int ca_sign_parse_signature(const char *text, size_t len, struct ca_signature *ret_signature,
			    struct ca_error *error)
{
	struct ca_signature signature = {.prehashed = false};
	uint8_t record[SIGNATURE_BYTES];
	struct line line;
	size_t comment;

	if (len > CA_SIGN_FILE_MAX)
		return bad_signature(error, "the file is too large");
	if (!next_line(&text, &len, &line) || !has_prefix(&line, untrusted_prefix) ||
	    line.len >= CA_SIGN_COMMENT_MAX)
		return bad_signature(error, "the first line must be an untrusted comment");
	if (!next_line(&text, &len, &line) || !decode_record(&line, record, sizeof(record)) ||
	    record[0] != 'E' || (record[1] != 'D' && record[1] != 'd'))
		return bad_signature(error, "the second line is no Ed25519 signature");
	if (!next_line(&text, &len, &line) || !has_prefix(&line, trusted_prefix))
		return bad_signature(error, "the third line must be a trusted comment");
	comment = line.len - (sizeof(trusted_prefix) - 1);
	if (comment >= sizeof(signature.trusted) || memchr(line.text, '\0', line.len))
		return bad_signature(error, "the trusted comment is too long or holds a NUL");
	memcpy(signature.trusted, line.text + sizeof(trusted_prefix) - 1, comment);
	if (!next_line(&text, &len, &line) ||
	    !decode_record(&line, signature.global, sizeof(signature.global)) ||
	    !only_blank(text, len))
		return bad_signature(error, "the fourth and last line must sign the comment");
	signature.prehashed = record[1] == 'D';
	memcpy(signature.id, record + 2, 8);
	memcpy(signature.signature, record + 10, 64);
	*ret_signature = signature;
	return 0;
}
