/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The complete fault map where it is too long to be written out: each run as 25 bytes (lba,
 * sectors, delta little-endian, 8 bytes each, then the class), zlib deflate, base64. The
 * BLAKE2b-256 beside it is over the unpacked bytes, so it does not depend on who compressed them.
 */
#include "json_names.h"
#include "json_parts.h"
#include "base64.h"
#include "digest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define PACKED_RUN_BYTES 25U
#define PATH		 "evidence.capacity.runs_packed"

static const char encoding[] = "le64-lba le64-sectors le64-delta u8-class, zlib, base64";

bool ca_json_runs_are_sane(const struct ca_run *runs, size_t count)
{
	uint64_t next = 0;

	for (size_t i = 0; i < count; i++) {
		if (runs[i].lba < next || !runs[i].sectors ||
		    __builtin_add_overflow(runs[i].lba, runs[i].sectors, &next) || next > INT64_MAX)
			return false;
	}
	return true;
}

static uint8_t *flatten(const struct ca_run *runs, size_t count)
{
	uint8_t *flat = malloc(count * PACKED_RUN_BYTES + 1);

	for (size_t i = 0; flat && i < count; i++) {
		uint8_t *p = flat + i * PACKED_RUN_BYTES;

		ca_put_le64(p, runs[i].lba);
		ca_put_le64(p + 8, runs[i].sectors);
		ca_put_le64(p + 16, (uint64_t)runs[i].delta);
		p[24] = (uint8_t)((uint8_t)runs[i].class_of | (uint8_t)runs[i].reads << 4);
	}
	return flat;
}

static char *compress_to_base64(const uint8_t *flat, size_t bytes)
{
	uLongf packed_bytes = compressBound((uLong)bytes);
	CA_CLEANUP_FREE uint8_t *packed = malloc(packed_bytes);
	char *text;

	if (!packed || compress2(packed, &packed_bytes, flat, (uLong)bytes, 9) != Z_OK)
		return NULL;
	text = malloc(CA_BASE64_LEN(packed_bytes) + 1);
	if (text)
		ca_base64_encode(packed, packed_bytes, text);
	return text;
}

json_t *ca_json_write_packed_runs(const struct ca_run *runs, size_t count)
{
	size_t bytes = count * PACKED_RUN_BYTES;
	CA_CLEANUP_FREE uint8_t *flat = flatten(runs, count);
	CA_CLEANUP_FREE char *text = flat ? compress_to_base64(flat, bytes) : NULL;
	json_t *object = text ? json_object() : NULL;
	uint8_t digest[32];

	if (object && ca_digest_blake2b_256(flat, bytes, digest) == 0 &&
	    ca_json_set(object, "encoding", json_string(encoding)) == 0 &&
	    ca_json_set(object, "runs", ca_json_unsigned(count)) == 0 &&
	    ca_json_set(object, "blake2b_256", ca_json_hex(digest, sizeof(digest))) == 0 &&
	    ca_json_set(object, "data", json_string(text)) == 0)
		return object;
	json_decref(object);
	return NULL;
}

/*
 * Inflates into exactly `bytes` bytes: neither more nor less is accepted, so no bomb can grow.
 * -EBADMSG, -ENOMEM.
 */
static int inflate_from_base64(const char *text, size_t len, uint8_t *ret_flat, size_t bytes)
{
	size_t packed_bytes;
	CA_CLEANUP_FREE uint8_t *packed = malloc(len + 1);
	uLongf flat_bytes = (uLongf)bytes;
	int r;

	if (!packed)
		return -ENOMEM;
	if (ca_base64_decode(text, len, packed, len, &packed_bytes) < 0)
		return -EBADMSG;
	r = uncompress(ret_flat, &flat_bytes, packed, (uLong)packed_bytes);
	if (r == Z_MEM_ERROR)
		return -ENOMEM;
	return r == Z_OK && flat_bytes == bytes ? 0 : -EBADMSG;
}

static int unflatten(const uint8_t *flat, size_t count, struct ca_run **ret_runs,
		     struct ca_error *error)
{
	struct ca_run *runs = calloc(count, sizeof(*runs));

	if (!runs)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		const uint8_t *p = flat + i * PACKED_RUN_BYTES;

		runs[i].lba = ca_le64(p);
		runs[i].sectors = ca_le64(p + 8);
		runs[i].delta = (int64_t)ca_le64(p + 16);
		if ((p[24] & 0xf) >= CA_SECTOR_CLASS_COUNT || p[24] >> 4 >= CA_JSON_RUN_READS) {
			free(runs);
			return ca_json_bad(error, PATH, "data", "holds an unknown class");
		}
		runs[i].class_of = (enum ca_sector_class)(p[24] & 0xf);
		runs[i].reads = (enum ca_run_reads)(p[24] >> 4);
	}
	if (!ca_json_runs_are_sane(runs, count)) {
		free(runs);
		return ca_json_bad(error, PATH, "data", "holds runs that overlap");
	}
	*ret_runs = runs;
	return 0;
}

int ca_json_read_packed_runs(const json_t *object, struct ca_run **ret_runs, size_t *ret_count,
			     struct ca_error *error)
{
	uint8_t stored[32], digest[32];
	const json_t *value = NULL, *data = NULL;
	uint64_t count;
	size_t bytes;
	int r = ca_json_get(object, PATH, "encoding", JSON_STRING, &value, error);

	if (r == 0 && strcmp(json_string_value(value), encoding) != 0)
		return ca_json_bad(error, PATH, "encoding", "is not known here");
	if (r == 0)
		r = ca_json_get(object, PATH, "runs", JSON_INTEGER, &value, error);
	if (r < 0)
		return r;
	count = (uint64_t)json_integer_value(value);
	if (count <= CA_JSON_RUNS_CLEAR || count > CA_JSON_RUNS_MAX)
		return ca_json_bad(error, PATH, "runs", "is out of range");
	r = ca_json_get(object, PATH, "blake2b_256", JSON_STRING, &value, error);
	if (r == 0)
		r = ca_json_read_hex(value, PATH, "blake2b_256", stored, sizeof(stored), error);
	if (r == 0)
		r = ca_json_get(object, PATH, "data", JSON_STRING, &data, error);
	if (r < 0)
		return r;
	bytes = (size_t)count * PACKED_RUN_BYTES;
	/* deflate never gains more than 1032 to 1: do not even allocate for a claim beyond that */
	if (bytes / 1032 > json_string_length(data))
		return ca_json_bad(error, PATH, "runs", "does not fit its data");

	CA_CLEANUP_FREE uint8_t *flat = malloc(bytes);

	if (!flat)
		return -ENOMEM;
	r = inflate_from_base64(json_string_value(data), json_string_length(data), flat, bytes);
	if (r == -EBADMSG)
		return ca_json_bad(error, PATH, "data", "does not unpack");
	if (r == 0)
		r = ca_digest_blake2b_256(flat, bytes, digest);
	if (r < 0)
		return r;
	if (memcmp(stored, digest, sizeof(digest)) != 0)
		return ca_json_bad(error, PATH, "blake2b_256", "does not match the data");
	*ret_count = (size_t)count;
	return unflatten(flat, (size_t)count, ret_runs, error);
}
