/* SPDX-License-Identifier: BSD-2-Clause */
/* What a fill and a probe both tell of sectors: their classes, the first bad one, the key. */
#include "json_parts.h"
#include "json_names.h"

#include <errno.h>

#define SAMPLE_BYTES 32U

/* ---- writing ------------------------------------------------------------------------------- */

json_t *ca_json_write_classes(const uint64_t classes[CA_SECTOR_CLASS_COUNT])
{
	json_t *object = json_object();
	int r = object ? 0 : -ENOMEM;

	for (unsigned int i = 0; r == 0 && i < CA_SECTOR_CLASS_COUNT; i++)
		r = ca_json_set(object, ca_json_name_sector_class(i), ca_json_unsigned(classes[i]));
	if (r == 0)
		return object;
	json_decref(object);
	return NULL;
}

static json_t *hex_or_null(bool has, const uint8_t *data, size_t bytes)
{
	return has ? ca_json_hex(data, bytes) : json_null();
}

int ca_json_write_samples(json_t *object, bool has, const uint8_t *expected, const uint8_t *found)
{
	int r = ca_json_set(object, "expected", hex_or_null(has, expected, SAMPLE_BYTES));

	if (r == 0)
		r = ca_json_set(object, "found", hex_or_null(has, found, SAMPLE_BYTES));
	return r;
}

int ca_json_write_key(json_t *object, bool has, const uint8_t *key, size_t bytes)
{
	return ca_json_set(object, "key", hex_or_null(has, key, bytes));
}

/* ---- reading ------------------------------------------------------------------------------- */

int ca_json_read_classes(const json_t *object, const char *path,
			 uint64_t classes[CA_SECTOR_CLASS_COUNT], struct ca_error *error)
{
	const json_t *value = NULL;

	for (unsigned int i = 0; i < CA_SECTOR_CLASS_COUNT; i++) {
		const char *name = ca_json_name_sector_class(i);
		int r = ca_json_get(object, path, name, JSON_INTEGER, &value, error);

		if (r < 0)
			return r;
		if (json_integer_value(value) < 0)
			return ca_json_bad(error, path, name, "is out of range");
		classes[i] = (uint64_t)json_integer_value(value);
	}
	return 0;
}

static int read_sample(const json_t *object, const char *path, const char *key, bool has,
		       uint8_t *ret_bytes, struct ca_error *error)
{
	const json_t *value = NULL;
	int r = ca_json_get_nullable(object, path, key, JSON_STRING, &value, error);

	if (r < 0)
		return r;
	if (has != (value != NULL))
		return ca_json_bad(error, path, key, "does not go with first_bad_offset");
	return has ? ca_json_read_hex(value, path, key, ret_bytes, SAMPLE_BYTES, error) : 0;
}

int ca_json_read_samples(const json_t *object, const char *path, bool has, uint8_t *ret_expected,
			 uint8_t *ret_found, struct ca_error *error)
{
	int r = read_sample(object, path, "expected", has, ret_expected, error);

	return r < 0 ? r : read_sample(object, path, "found", has, ret_found, error);
}

int ca_json_read_key(const json_t *object, const char *path, bool *ret_has, uint8_t ret_key[32],
		     uint8_t *ret_bytes, struct ca_error *error)
{
	const json_t *value = NULL;
	int r = ca_json_get_nullable(object, path, "key", JSON_STRING, &value, error);

	if (r < 0 || !value)
		return r;
	*ret_bytes = json_string_length(value) == 32 ? 16 : 32;
	*ret_has = true;
	return ca_json_read_hex(value, path, "key", ret_key, *ret_bytes, error);
}
