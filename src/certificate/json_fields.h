/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Structs <-> JSON objects by table, so that what is written and what is read cannot drift apart:
 * one row a field, walked in order when writing (key order is fixed) and when reading.
 *
 * Integers only. Values above INT64_MAX, which JSON readers cannot hold, are written as INT64_MAX.
 */
#ifndef CA_CERTIFICATE_JSON_FIELDS_H
#define CA_CERTIFICATE_JSON_FIELDS_H

#include "cardassay/base.h"

#include <jansson.h>

enum ca_json_type {
	CA_JSON_UNSIGNED,
	CA_JSON_SIGNED,
	CA_JSON_BOOLEAN,
	CA_JSON_HARDWARE, /* char array from hardware: any bytes, escaped as ca_text_escaped does */
	CA_JSON_TEXT,	  /* char array of ours or the user's: UTF-8, see text_clean.h */
	CA_JSON_BYTES,	  /* lower-case hex of the whole array */
	CA_JSON_NAME,	  /* an enum, by its name */
	CA_JSON_TIME,	  /* uint64_t seconds since 1970 as ISO 8601 UTC */
};

/* Name of the n-th value of an enum; asked only for n < count. */
typedef const char *ca_json_namer(unsigned int value);

struct ca_json_field {
	const char *name;
	enum ca_json_type type;
	unsigned int name_count; /* of namer */
	size_t offset, size;
	/* offset + 1 of the bool that says whether the field is there (else null); 0 = always */
	size_t has_offset;
	ca_json_namer *namer;
};

#define CA_JSON_FIELD(kind, structure, json_name, member)                                          \
	.name = (json_name), .type = (kind), .offset = offsetof(structure, member),                \
	.size = sizeof(((structure *)NULL)->member)
#define CA_JSON_UINT(structure, member)                                                            \
	{                                                                                          \
		CA_JSON_FIELD(CA_JSON_UNSIGNED, structure, #member, member)                        \
	}
#define CA_JSON_BOOL(structure, member)                                                            \
	{                                                                                          \
		CA_JSON_FIELD(CA_JSON_BOOLEAN, structure, #member, member)                         \
	}
#define CA_JSON_HEX(structure, member)                                                             \
	{                                                                                          \
		CA_JSON_FIELD(CA_JSON_BYTES, structure, #member, member)                           \
	}
#define CA_JSON_RAW(structure, member)                                                             \
	{                                                                                          \
		CA_JSON_FIELD(CA_JSON_HARDWARE, structure, #member, member)                        \
	}
#define CA_JSON_OUR(structure, member)                                                             \
	{                                                                                          \
		CA_JSON_FIELD(CA_JSON_TEXT, structure, #member, member)                            \
	}
#define CA_JSON_ENUM(structure, json_name, member, names, count)                                   \
	{                                                                                          \
		CA_JSON_FIELD(CA_JSON_NAME, structure, json_name, member), .namer = (names),       \
									   .name_count = (count)   \
	}

/* Adds the fields to `object`. -ENOMEM. */
int ca_json_write_fields(json_t *object, const struct ca_json_field *fields, size_t count,
			 const void *structure);

/*
 * Reads them. `path` names the object in messages ("evidence.device"). -EBADMSG with error; the
 * structure may then be partly filled in. Keys that no row names are left alone.
 */
int ca_json_read_fields(const json_t *object, const char *path, const struct ca_json_field *fields,
			size_t count, void *structure, struct ca_error *error);

/* ---- single values --------------------------------------------------------------------------- */

/* Steals `value`; NULL means it could not be made. -ENOMEM. */
int ca_json_set(json_t *object, const char *key, json_t *value);
int ca_json_append(json_t *array, json_t *value);

json_t *ca_json_unsigned(uint64_t value);
json_t *ca_json_hardware(const char *bytes, size_t len);
json_t *ca_json_text(const char *text);
json_t *ca_json_hex(const uint8_t *data, size_t bytes);

/* The member, which must be there and of the type. -EBADMSG naming path.key. */
int ca_json_get(const json_t *object, const char *path, const char *key, json_type type,
		const json_t **ret_value, struct ca_error *error);
/* Likewise, but null is allowed and gives NULL. */
int ca_json_get_nullable(const json_t *object, const char *path, const char *key, json_type type,
			 const json_t **ret_value, struct ca_error *error);

/* Lower-case hex of exactly `bytes` bytes. */
int ca_json_read_hex(const json_t *value, const char *path, const char *key, uint8_t *ret_data,
		     size_t bytes, struct ca_error *error);
/* A string shorter than `size`. */
int ca_json_read_text(const json_t *value, const char *path, const char *key, char *ret_text,
		      size_t size, struct ca_error *error);

int ca_json_bad(struct ca_error *error, const char *path, const char *key, const char *what);

#endif
