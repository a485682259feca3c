/* SPDX-License-Identifier: BSD-2-Clause */
/* What every measured figure begins with, and how long its operations took. */
#include "json_parts.h"

#include <errno.h>
#include <string.h>

#define LATENCY struct ca_latency
static const struct ca_json_field latency_fields[] = {
	{CA_JSON_FIELD(CA_JSON_UNSIGNED, LATENCY, "p50", p50_ns)},
	{CA_JSON_FIELD(CA_JSON_UNSIGNED, LATENCY, "p99", p99_ns)},
	{CA_JSON_FIELD(CA_JSON_UNSIGNED, LATENCY, "p999", p999_ns)},
	{CA_JSON_FIELD(CA_JSON_UNSIGNED, LATENCY, "max", max_ns)},
};

json_t *ca_json_begin_figure(bool write)
{
	json_t *object = json_object();

	if (object && ca_json_set(object, "operation", json_string(write ? "write" : "read")) == 0)
		return object;
	json_decref(object);
	return NULL;
}

int ca_json_write_latency(json_t *object, const struct ca_latency *latency)
{
	json_t *inner = json_object();

	if (inner &&
	    ca_json_write_fields(inner, latency_fields, CA_ARRAY_LEN(latency_fields), latency) == 0)
		return ca_json_set(object, "latency_ns", inner);
	json_decref(inner);
	return -ENOMEM;
}

int ca_json_read_operation(const json_t *object, const char *path, bool *ret_write,
			   struct ca_error *error)
{
	const json_t *value = NULL;
	int r = ca_json_get(object, path, "operation", JSON_STRING, &value, error);
	bool write;

	if (r < 0)
		return r;
	write = strcmp(json_string_value(value), "write") == 0;
	if (!write && strcmp(json_string_value(value), "read") != 0)
		return ca_json_bad(error, path, "operation", "must be read or write");
	*ret_write = write;
	return 0;
}

int ca_json_read_latency(const json_t *object, const char *path, struct ca_latency *latency,
			 struct ca_error *error)
{
	const json_t *value = NULL;
	int r = ca_json_get(object, path, "latency_ns", JSON_OBJECT, &value, error);

	return r < 0 ? r
		     : ca_json_read_fields(value, path, latency_fields,
					   CA_ARRAY_LEN(latency_fields), latency, error);
}
