/* SPDX-License-Identifier: BSD-2-Clause */
#include "json_fields.h"
#include "text_clean.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int ca_json_set(json_t *object, const char *key, json_t *value)
{
	return value && json_object_set_new(object, key, value) == 0 ? 0 : -ENOMEM;
}

int ca_json_append(json_t *array, json_t *value)
{
	return value && json_array_append_new(array, value) == 0 ? 0 : -ENOMEM;
}

json_t *ca_json_unsigned(uint64_t value)
{
	return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

json_t *ca_json_hardware(const char *bytes, size_t len)
{
	CA_CLEANUP_FREE char *buf = malloc(len * 4 + 1);
	struct ca_text text;

	if (!buf)
		return NULL;
	ca_text_init(&text, buf, len * 4 + 1);
	ca_text_escaped(&text, bytes, len);
	return json_string(buf);
}

json_t *ca_json_text(const char *text)
{
	CA_CLEANUP_FREE char *copy = strdup(text);

	if (!copy)
		return NULL;
	(void)ca_text_clean(copy); /* the length is not needed */
	return json_string(copy);
}

json_t *ca_json_hex(const uint8_t *data, size_t bytes)
{
	CA_CLEANUP_FREE char *text = malloc(bytes * 2 + 1);

	if (!text)
		return NULL;
	ca_hex_encode(data, bytes, text);
	return json_string(text);
}

/* ---- writing ------------------------------------------------------------------------------- */

static uint64_t load_unsigned(const void *p, size_t size)
{
	uint64_t value8 = 0;
	uint32_t value4;
	uint16_t value2;
	uint8_t value1;

	switch (size) {
	case 1:
		memcpy(&value1, p, 1);
		return value1;
	case 2:
		memcpy(&value2, p, 2);
		return value2;
	case 4:
		memcpy(&value4, p, 4);
		return value4;
	default:
		assert(size == 8);
		memcpy(&value8, p, 8);
		return value8;
	}
}

static json_t *write_time(uint64_t seconds)
{
	char text[CA_TIME_TEXT_MAX];

	ca_time_format(seconds, text);
	return json_string(text);
}

static json_t *write_value(const struct ca_json_field *field, const void *p)
{
	uint64_t value;
	int64_t number;

	switch (field->type) {
	case CA_JSON_UNSIGNED:
		return ca_json_unsigned(load_unsigned(p, field->size));
	case CA_JSON_SIGNED:
		memcpy(&number, p, sizeof(number));
		return json_integer(number);
	case CA_JSON_BOOLEAN:
		return json_boolean(*(const bool *)p);
	case CA_JSON_HARDWARE:
		return ca_json_hardware(p, strnlen(p, field->size));
	case CA_JSON_TEXT:
		return ca_json_text(p);
	case CA_JSON_BYTES:
		return ca_json_hex(p, field->size);
	case CA_JSON_NAME:
		value = load_unsigned(p, field->size);
		assert(value < field->name_count);
		return json_string(field->namer((unsigned int)value));
	case CA_JSON_TIME:
		return write_time(load_unsigned(p, field->size));
	}
	return NULL;
}

static bool *presence_of(const struct ca_json_field *field, void *structure)
{
	return field->has_offset ? (bool *)((char *)structure + field->has_offset - 1) : NULL;
}

int ca_json_write_fields(json_t *object, const struct ca_json_field *fields, size_t count,
			 const void *structure)
{
	for (size_t i = 0; i < count; i++) {
		const struct ca_json_field *field = &fields[i];
		const char *base = structure;
		bool has = !field->has_offset || *(const bool *)(base + field->has_offset - 1);
		json_t *value = has ? write_value(field, base + field->offset) : json_null();
		int r = ca_json_set(object, field->name, value);

		if (r < 0)
			return r;
	}
	return 0;
}

/* ---- reading ------------------------------------------------------------------------------- */

int ca_json_bad(struct ca_error *error, const char *path, const char *key, const char *what)
{
	return ca_error_set(error, -EBADMSG, "damaged certificate: %s%s%s %s.", path,
			    *path ? "." : "", key, what);
}

static const char *type_name(json_type type)
{
	switch (type) {
	case JSON_OBJECT:
		return "must be an object";
	case JSON_ARRAY:
		return "must be an array";
	case JSON_STRING:
		return "must be a string";
	case JSON_INTEGER:
		return "must be a whole number";
	case JSON_TRUE:
	case JSON_FALSE:
		return "must be true or false";
	case JSON_REAL:
	case JSON_NULL:
		break;
	}
	return "has the wrong type";
}

int ca_json_get_nullable(const json_t *object, const char *path, const char *key, json_type type,
			 const json_t **ret_value, struct ca_error *error)
{
	const json_t *value = json_object_get(object, key);

	if (!value)
		return ca_json_bad(error, path, key, "is missing");
	if (json_is_null(value)) {
		*ret_value = NULL;
		return 0;
	}
	if (json_typeof(value) != type && !(type == JSON_TRUE && json_is_false(value)))
		return ca_json_bad(error, path, key, type_name(type));
	*ret_value = value;
	return 0;
}

int ca_json_get(const json_t *object, const char *path, const char *key, json_type type,
		const json_t **ret_value, struct ca_error *error)
{
	const json_t *value = NULL;
	int r = ca_json_get_nullable(object, path, key, type, &value, error);

	if (r < 0)
		return r;
	if (!value)
		return ca_json_bad(error, path, key, type_name(type));
	*ret_value = value;
	return 0;
}

int ca_json_read_hex(const json_t *value, const char *path, const char *key, uint8_t *ret_data,
		     size_t bytes, struct ca_error *error)
{
	const char *text = json_string_value(value);
	size_t len = json_string_length(value), got;

	for (size_t i = 0; i < len; i++)
		if (!strchr("0123456789abcdef", text[i]))
			return ca_json_bad(error, path, key, "must be lower-case hex");
	if (len != bytes * 2 || ca_hex_decode(text, len, ret_data, bytes, &got) < 0)
		return ca_json_bad(error, path, key, "is hex of the wrong length");
	return 0;
}

int ca_json_read_text(const json_t *value, const char *path, const char *key, char *ret_text,
		      size_t size, struct ca_error *error)
{
	if (json_string_length(value) >= size)
		return ca_json_bad(error, path, key, "is too long");
	memcpy(ret_text, json_string_value(value), json_string_length(value) + 1);
	return 0;
}

/* Undoes ca_text_escaped; -EBADMSG when the text is not what it would have written. */
static int unescape(const char *text, char *ret, size_t size)
{
	struct ca_text again;
	size_t at = 0, len = strlen(text);
	CA_CLEANUP_FREE char *check = malloc(len + 1);

	if (!check)
		return -ENOMEM;
	for (size_t i = 0; i < len; at++) {
		uint8_t byte = (uint8_t)text[i];
		size_t got;

		if (at + 1 >= size)
			return -EBADMSG;
		if (byte != '\\') {
			i++;
		} else if (text[i + 1] == '\\') {
			i += 2;
		} else if (text[i + 1] == 'x' && len - i >= 4 &&
			   ca_hex_decode(text + i + 2, 2, &byte, 1, &got) == 0) {
			i += 4;
		} else {
			return -EBADMSG;
		}
		if (!byte)
			return -EBADMSG;
		ret[at] = (char)byte;
	}
	memset(ret + at, 0, size - at);
	ca_text_init(&again, check, len + 1);
	ca_text_escaped(&again, ret, at);
	return !again.cut && strcmp(check, text) == 0 ? 0 : -EBADMSG;
}

static int read_unsigned(const struct ca_json_field *field, const json_t *json, const char *path,
			 void *p, struct ca_error *error)
{
	json_int_t number = json_integer_value(json);
	uint64_t value = (uint64_t)number;
	uint32_t value4 = (uint32_t)value;
	uint16_t value2 = (uint16_t)value;
	uint8_t value1 = (uint8_t)value;

	if (number < 0 || (field->size < 8 && value >> 8 * field->size))
		return ca_json_bad(error, path, field->name, "is out of range");
	if (field->size == 1)
		memcpy(p, &value1, 1);
	else if (field->size == 2)
		memcpy(p, &value2, 2);
	else if (field->size == 4)
		memcpy(p, &value4, 4);
	else
		memcpy(p, &value, 8);
	return 0;
}

static int read_name(const struct ca_json_field *field, const json_t *json, const char *path,
		     void *p, struct ca_error *error)
{
	assert(field->size == sizeof(unsigned int));
	for (unsigned int i = 0; i < field->name_count; i++) {
		if (strcmp(field->namer(i), json_string_value(json)) != 0)
			continue;
		memcpy(p, &i, sizeof(i));
		return 0;
	}
	return ca_json_bad(error, path, field->name, "is none of the names that may stand there");
}

static int read_time(const struct ca_json_field *field, const json_t *json, const char *path,
		     void *p, struct ca_error *error)
{
	uint64_t seconds;

	if (ca_time_parse(json_string_value(json), &seconds) < 0)
		return ca_json_bad(error, path, field->name,
				   "must be a time such as 2026-01-31T12:00:00Z");
	memcpy(p, &seconds, sizeof(seconds));
	return 0;
}

static json_type json_type_of(enum ca_json_type type)
{
	switch (type) {
	case CA_JSON_UNSIGNED:
	case CA_JSON_SIGNED:
		return JSON_INTEGER;
	case CA_JSON_BOOLEAN:
		return JSON_TRUE;
	case CA_JSON_HARDWARE:
	case CA_JSON_TEXT:
	case CA_JSON_BYTES:
	case CA_JSON_NAME:
	case CA_JSON_TIME:
		break;
	}
	return JSON_STRING;
}

static int read_value(const struct ca_json_field *field, const json_t *json, const char *path,
		      void *p, struct ca_error *error)
{
	int64_t number;
	bool truth;
	int r;

	switch (field->type) {
	case CA_JSON_UNSIGNED:
		return read_unsigned(field, json, path, p, error);
	case CA_JSON_SIGNED:
		number = json_integer_value(json);
		memcpy(p, &number, sizeof(number));
		return 0;
	case CA_JSON_BOOLEAN:
		truth = json_is_true(json);
		memcpy(p, &truth, sizeof(truth));
		return 0;
	case CA_JSON_HARDWARE:
		r = unescape(json_string_value(json), p, field->size);
		return r == -EBADMSG ? ca_json_bad(error, path, field->name,
						   "is too long or wrongly escaped")
				     : r;
	case CA_JSON_TEXT:
		return ca_json_read_text(json, path, field->name, p, field->size, error);
	case CA_JSON_BYTES:
		return ca_json_read_hex(json, path, field->name, p, field->size, error);
	case CA_JSON_NAME:
		return read_name(field, json, path, p, error);
	case CA_JSON_TIME:
		return read_time(field, json, path, p, error);
	}
	return -EINVAL;
}

int ca_json_read_fields(const json_t *object, const char *path, const struct ca_json_field *fields,
			size_t count, void *structure, struct ca_error *error)
{
	for (size_t i = 0; i < count; i++) {
		const struct ca_json_field *field = &fields[i];
		bool *has = presence_of(field, structure);
		json_type type = json_type_of(field->type);
		const json_t *value = NULL;
		int r = has ? ca_json_get_nullable(object, path, field->name, type, &value, error)
			    : ca_json_get(object, path, field->name, type, &value, error);

		if (r == 0 && has)
			*has = value != NULL;
		if (r == 0 && value)
			r = read_value(field, value, path, (char *)structure + field->offset,
				       error);
		if (r < 0)
			return r;
	}
	return 0;
}
