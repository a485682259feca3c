/* SPDX-License-Identifier: BSD-2-Clause */
#include "json_parts.h"
#include "json_names.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define RANDOM struct ca_speed_random
static const struct ca_json_field random_fields[] = {
	CA_JSON_UINT(RANDOM, milliiops),     CA_JSON_UINT(RANDOM, queue_depth),
	CA_JSON_UINT(RANDOM, range_bytes),   CA_JSON_UINT(RANDOM, block_bytes),
	CA_JSON_UINT(RANDOM, duration_ns),   CA_JSON_UINT(RANDOM, operations),
	CA_JSON_UINT(RANDOM, errors),	     CA_JSON_UINT(RANDOM, preconditioned_ppm),
	CA_JSON_BOOL(RANDOM, range_written),
};

#define SEQUENTIAL struct ca_speed_sequential
static const struct ca_json_field sequential_fields[] = {
	CA_JSON_UINT(SEQUENTIAL, bytes_per_second),
	CA_JSON_UINT(SEQUENTIAL, min_window_bytes_per_second),
	CA_JSON_UINT(SEQUENTIAL, window_bytes),
	CA_JSON_UINT(SEQUENTIAL, request_bytes),
	CA_JSON_UINT(SEQUENTIAL, total_bytes),
	CA_JSON_UINT(SEQUENTIAL, offset),
	CA_JSON_UINT(SEQUENTIAL, queue_depth),
	CA_JSON_UINT(SEQUENTIAL, duration_ns),
	CA_JSON_UINT(SEQUENTIAL, errors),
	CA_JSON_UINT(SEQUENTIAL, preconditioned_ppm),
};

#define RECORDING struct ca_speed_recording
static const struct ca_json_field recording_fields[] = {
	CA_JSON_BOOL(RECORDING, announced), CA_JSON_UINT(RECORDING, cycles),
	CA_JSON_UINT(RECORDING, errors),    CA_JSON_UINT(RECORDING, mean_ns),
	CA_JSON_UINT(RECORDING, max_ns),
};

/* Conditions are a list of {name, value}, so that new ones need no new format. */
static const struct {
	const char *name;
	size_t offset;
} conditions[] = {
	{"erased-before", offsetof(struct ca_speed_evidence, erased_before)},
	{"cache-on", offsetof(struct ca_speed_evidence, cache_on)},
	{"command-queue-on", offsetof(struct ca_speed_evidence, command_queue_on)},
	{"bypass-page-cache", offsetof(struct ca_speed_evidence, bypass_page_cache)},
};

static json_t *write_figure(bool write, const struct ca_json_field *fields, size_t count,
			    const void *figure, const struct ca_latency *latency)
{
	json_t *object = ca_json_begin_figure(write);
	int r = object ? ca_json_write_fields(object, fields, count, figure) : -ENOMEM;

	if (r == 0)
		r = ca_json_write_latency(object, latency);
	if (r == 0)
		return object;
	json_decref(object);
	return NULL;
}

static json_t *write_condition(const struct ca_speed_evidence *speed, size_t i)
{
	enum ca_tristate state;
	json_t *object = json_object();

	memcpy(&state, (const char *)speed + conditions[i].offset, sizeof(state));
	if (object && ca_json_set(object, "name", json_string(conditions[i].name)) == 0 &&
	    ca_json_set(object, "value", json_string(ca_json_name_tristate(state))) == 0)
		return object;
	json_decref(object);
	return NULL;
}

/* What a run did not do is not there. */
static int write_course(json_t *object, const struct ca_speed_evidence *speed)
{
	json_t *recording;
	int r = 0;

	if (speed->erased_by != CA_ERASE_NONE)
		r = ca_json_set(object, "erased_by", json_string(ca_erase_name(speed->erased_by)));
	if (r < 0 || !speed->recording.cycles)
		return r;
	recording = json_object();
	if (recording &&
	    ca_json_write_fields(recording, recording_fields, CA_ARRAY_LEN(recording_fields),
				 &speed->recording) == 0)
		return ca_json_set(object, "recording", recording);
	json_decref(recording);
	return -ENOMEM;
}

json_t *ca_json_write_speed(const struct ca_speed_evidence *speed)
{
	json_t *object = json_object(), *random = json_array(), *sequential = json_array(),
	       *list = json_array();
	int r = object && random && sequential && list ? 0 : -ENOMEM;

	for (unsigned int i = 0; r == 0 && i < speed->random_count; i++)
		r = ca_json_append(random,
				   write_figure(speed->random[i].write, random_fields,
						CA_ARRAY_LEN(random_fields), &speed->random[i],
						&speed->random[i].latency));
	for (unsigned int i = 0; r == 0 && i < speed->sequential_count; i++)
		r = ca_json_append(sequential,
				   write_figure(speed->sequential[i].write, sequential_fields,
						CA_ARRAY_LEN(sequential_fields),
						&speed->sequential[i],
						&speed->sequential[i].latency));
	for (size_t i = 0; r == 0 && i < CA_ARRAY_LEN(conditions); i++)
		r = ca_json_append(list, write_condition(speed, i));
	if (r == 0)
		r = ca_json_set(object, "random", json_incref(random));
	if (r == 0)
		r = ca_json_set(object, "sequential", json_incref(sequential));
	if (r == 0)
		r = ca_json_set(object, "conditions", json_incref(list));
	if (r == 0)
		r = write_course(object, speed);
	if (r == 0)
		r = ca_json_set(object, "interrupted", json_boolean(speed->interrupted));
	json_decref(random);
	json_decref(sequential);
	json_decref(list);
	if (r == 0)
		return object;
	json_decref(object);
	return NULL;
}

static int read_figure(const json_t *object, const char *path, const struct ca_json_field *fields,
		       size_t count, void *figure, struct ca_latency *latency, bool *ret_write,
		       struct ca_error *error)
{
	int r;

	if (!json_is_object(object))
		return ca_json_bad(error, "", path, "must be an object");
	r = ca_json_read_operation(object, path, ret_write, error);
	if (r == 0)
		r = ca_json_read_fields(object, path, fields, count, figure, error);
	return r < 0 ? r : ca_json_read_latency(object, path, latency, error);
}

static int get_figures(const json_t *object, const char *key, const json_t **ret_array,
		       struct ca_error *error)
{
	int r = ca_json_get(object, "evidence.speed", key, JSON_ARRAY, ret_array, error);

	if (r == 0 && json_array_size(*ret_array) > CA_SPEED_MAX)
		return ca_json_bad(error, "evidence.speed", key, "has too many entries");
	return r;
}

static int read_condition(const json_t *object, struct ca_speed_evidence *speed,
			  struct ca_error *error)
{
	const char *path = "evidence.speed.conditions";
	const json_t *name = NULL, *value = NULL;
	unsigned int state = 0;
	int r = ca_json_get(object, path, "name", JSON_STRING, &name, error);

	if (r == 0)
		r = ca_json_get(object, path, "value", JSON_STRING, &value, error);
	if (r < 0)
		return r;
	while (state < CA_JSON_TRISTATES &&
	       strcmp(ca_json_name_tristate(state), json_string_value(value)) != 0)
		state++;
	if (state == CA_JSON_TRISTATES)
		return ca_json_bad(error, path, "value", "must be yes, no or unknown");
	/* conditions that a later version records are not ours to judge by */
	for (size_t i = 0; i < CA_ARRAY_LEN(conditions); i++)
		if (strcmp(conditions[i].name, json_string_value(name)) == 0)
			memcpy((char *)speed + conditions[i].offset, &state, sizeof(state));
	return 0;
}

static int read_course(const json_t *object, struct ca_speed_evidence *speed,
		       struct ca_error *error)
{
	const char *path = "evidence.speed";
	const json_t *value = json_object_get(object, "recording");
	unsigned int kind = 0;
	int r;

	if (value && !json_is_object(value))
		return ca_json_bad(error, path, "recording", "must be an object");
	if (value) {
		r = ca_json_read_fields(value, "evidence.speed.recording", recording_fields,
					CA_ARRAY_LEN(recording_fields), &speed->recording, error);
		if (r < 0)
			return r;
	}
	value = json_object_get(object, "erased_by");
	if (!value)
		return 0;
	while (kind < CA_ERASE_KINDS &&
	       (!json_is_string(value) ||
		strcmp(ca_erase_name((enum ca_erase_kind)kind), json_string_value(value)) != 0))
		kind++;
	if (kind == CA_ERASE_KINDS)
		return ca_json_bad(error, path, "erased_by", "must be none, discard or full-erase");
	speed->erased_by = (enum ca_erase_kind)kind;
	return 0;
}

int ca_json_read_speed(const json_t *object, struct ca_speed_evidence *speed,
		       struct ca_error *error)
{
	char path[64];
	const json_t *array = NULL;
	int r = get_figures(object, "random", &array, error);

	for (unsigned int i = 0; r == 0 && i < json_array_size(array); i++) {
		struct ca_speed_random *figure = &speed->random[speed->random_count++];

		(void)snprintf(path, sizeof(path), "evidence.speed.random[%u]", i);
		r = read_figure(json_array_get(array, i), path, random_fields,
				CA_ARRAY_LEN(random_fields), figure, &figure->latency,
				&figure->write, error);
	}
	if (r == 0)
		r = get_figures(object, "sequential", &array, error);
	for (unsigned int i = 0; r == 0 && i < json_array_size(array); i++) {
		struct ca_speed_sequential *figure = &speed->sequential[speed->sequential_count++];

		(void)snprintf(path, sizeof(path), "evidence.speed.sequential[%u]", i);
		r = read_figure(json_array_get(array, i), path, sequential_fields,
				CA_ARRAY_LEN(sequential_fields), figure, &figure->latency,
				&figure->write, error);
	}
	if (r == 0)
		r = get_figures(object, "conditions", &array, error);
	for (size_t i = 0; r == 0 && i < json_array_size(array); i++)
		r = read_condition(json_array_get(array, i), speed, error);
	if (r == 0)
		r = read_course(object, speed, error);
	if (r == 0)
		r = ca_json_get(object, "evidence.speed", "interrupted", JSON_TRUE, &array, error);
	if (r == 0)
		speed->interrupted = json_is_true(array);
	return r;
}
