/* SPDX-License-Identifier: BSD-2-Clause */
#include "json_parts.h"
#include "json_names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define PATH	 "evidence.capacity"
#define CAPACITY struct ca_capacity_evidence

static const struct ca_json_field head_fields[] = {
	CA_JSON_ENUM(CAPACITY, "end", end, ca_json_name_fill_end, CA_JSON_FILL_ENDS),
	CA_JSON_UINT(CAPACITY, announced_bytes),
	CA_JSON_UINT(CAPACITY, written_bytes),
	CA_JSON_UINT(CAPACITY, verified_bytes),
	CA_JSON_UINT(CAPACITY, good_bytes),
	CA_JSON_UINT(CAPACITY, longest_good_run_bytes),
	{CA_JSON_FIELD(CA_JSON_UNSIGNED, CAPACITY, "first_bad_offset", first_bad_offset),
	 .has_offset = offsetof(CAPACITY, has_first_bad) + 1},
	{CA_JSON_FIELD(CA_JSON_UNSIGNED, CAPACITY, "real_capacity_bytes", real_capacity_bytes),
	 .has_offset = offsetof(CAPACITY, has_real_capacity) + 1},
	CA_JSON_ENUM(CAPACITY, "kind", kind, ca_json_name_capacity_kind, CA_JSON_CAPACITY_KINDS),
	CA_JSON_UINT(CAPACITY, coverage_ppm),
};

/* After classes, alias and runs. `expected` and `found` go with first_bad_offset. */
static const struct ca_json_field tail_fields[] = {
	CA_JSON_UINT(CAPACITY, coarsened_to_bytes),
	CA_JSON_UINT(CAPACITY, unstable_sectors),
	CA_JSON_UINT(CAPACITY, write_ns),
	CA_JSON_UINT(CAPACITY, read_ns),
	CA_JSON_UINT(CAPACITY, cache_overrun_bytes),
	CA_JSON_ENUM(CAPACITY, "reinit", reinit, ca_json_name_reinit, CA_JSON_REINIT_KINDS),
	CA_JSON_RAW(CAPACITY, pattern),
	CA_JSON_HEX(CAPACITY, run_id),
	CA_JSON_HEX(CAPACITY, device_id),
	CA_JSON_RAW(CAPACITY, lost_because),
};

static const struct ca_json_field alias_fields[] = {
	{CA_JSON_FIELD(CA_JSON_SIGNED, struct ca_alias, "delta", delta)},
	CA_JSON_UINT(struct ca_alias, sectors),
};

#define RUN struct ca_run
static const struct ca_json_field run_fields[] = {
	CA_JSON_UINT(RUN, lba),
	CA_JSON_UINT(RUN, sectors),
	CA_JSON_ENUM(RUN, "class", class_of, ca_json_name_sector_class, CA_SECTOR_CLASS_COUNT),
	{CA_JSON_FIELD(CA_JSON_SIGNED, RUN, "delta", delta)},
};

/* Only where a run has more to say than "stable", which most have not. */
static const struct ca_json_field reads_fields[] = {
	CA_JSON_ENUM(RUN, "reads", reads, ca_json_name_run_reads, CA_JSON_RUN_READS),
};

/* An object of its own, left out where none of it is known. */
static const struct ca_json_field mark_fields[] = {
	CA_JSON_UINT(CAPACITY, alias_period_sectors),
	{CA_JSON_FIELD(CA_JSON_UNSIGNED, CAPACITY, "errors_offset", errors_offset),
	 .has_offset = offsetof(CAPACITY, has_errors) + 1},
	{CA_JSON_FIELD(CA_JSON_UNSIGNED, CAPACITY, "errors_end_offset", errors_end_offset),
	 .has_offset = offsetof(CAPACITY, has_errors) + 1},
	{CA_JSON_FIELD(CA_JSON_UNSIGNED, CAPACITY, "cliff_offset", cliff_offset),
	 .has_offset = offsetof(CAPACITY, has_rate_cliff) + 1},
	CA_JSON_UINT(CAPACITY, cliff_before_bytes_per_second),
	CA_JSON_UINT(CAPACITY, cliff_after_bytes_per_second),
	CA_JSON_UINT(CAPACITY, memory_bytes),
};

/* ---- writing ------------------------------------------------------------------------------- */

/* An array of `count` objects by one field table. */
static json_t *write_list(const struct ca_json_field *fields, size_t field_count, const void *items,
			  size_t item_bytes, size_t count)
{
	json_t *array = json_array();
	int r = array ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < count; i++) {
		json_t *object = json_object();

		r = object ? ca_json_write_fields(object, fields, field_count,
						  (const char *)items + i * item_bytes)
			   : -ENOMEM;
		if (r == 0)
			r = ca_json_append(array, json_incref(object));
		json_decref(object);
	}
	if (r == 0)
		return array;
	json_decref(array);
	return NULL;
}

static int write_reads(json_t *list, const struct ca_run *runs)
{
	size_t index;
	json_t *object;
	int r = 0;

	json_array_foreach(list, index,
			   object) if (r == 0 && runs[index].reads != CA_RUN_READS_ALIKE) r =
		ca_json_write_fields(object, reads_fields, CA_ARRAY_LEN(reads_fields),
				     &runs[index]);
	return r;
}

static int write_marks(json_t *object, const struct ca_capacity_evidence *capacity)
{
	json_t *marks;
	int r;

	if (!capacity->alias_period_sectors && !capacity->has_errors && !capacity->has_rate_cliff &&
	    !capacity->memory_bytes)
		return 0;
	marks = json_object();
	r = marks ? ca_json_write_fields(marks, mark_fields, CA_ARRAY_LEN(mark_fields), capacity)
		  : -ENOMEM;
	if (r == 0)
		r = ca_json_set(object, "marks", json_incref(marks));
	json_decref(marks);
	return r;
}

static int write_runs(json_t *object, const struct ca_capacity_evidence *capacity)
{
	size_t count = capacity->run_count;
	bool pack = count > CA_JSON_RUNS_CLEAR;
	json_t *list = write_list(run_fields, CA_ARRAY_LEN(run_fields), capacity->runs,
				  sizeof(capacity->runs[0]), pack ? CA_JSON_RUNS_CLEAR : count);
	int r = list ? write_reads(list, capacity->runs) : -ENOMEM;

	if (r == 0)
		r = ca_json_set(object, "runs", json_incref(list));
	json_decref(list);
	if (r == 0)
		r = ca_json_set(object, "runs_total", ca_json_unsigned(count));
	if (r == 0)
		r = ca_json_set(object, "runs_packed",
				pack ? ca_json_write_packed_runs(capacity->runs, count)
				     : json_null());
	return r;
}

json_t *ca_json_write_capacity(const struct ca_capacity_evidence *capacity)
{
	json_t *object = json_object();
	int r = object ? ca_json_write_fields(object, head_fields, CA_ARRAY_LEN(head_fields),
					      capacity)
		       : -ENOMEM;

	if (r == 0)
		r = ca_json_set(object, "classes", ca_json_write_classes(capacity->classes));
	if (r == 0)
		r = ca_json_set(object, "alias",
				write_list(alias_fields, CA_ARRAY_LEN(alias_fields),
					   capacity->alias, sizeof(capacity->alias[0]),
					   capacity->alias_count));
	if (r == 0)
		r = write_runs(object, capacity);
	if (r == 0)
		r = ca_json_write_fields(object, tail_fields, CA_ARRAY_LEN(tail_fields), capacity);
	if (r == 0)
		r = write_marks(object, capacity);
	if (r == 0)
		r = ca_json_write_samples(object, capacity->has_first_bad, capacity->expected,
					  capacity->found);
	if (r == 0)
		r = ca_json_write_key(object, capacity->has_key, capacity->key,
				      capacity->key_bytes);
	if (r == 0)
		return object;
	json_decref(object);
	return NULL;
}

/* ---- reading ------------------------------------------------------------------------------- */

static int read_item(const json_t *array, size_t index, const char *key,
		     const struct ca_json_field *fields, size_t count, void *item,
		     struct ca_error *error)
{
	const json_t *object = json_array_get(array, index);
	char path[64];

	(void)snprintf(path, sizeof(path), PATH ".%s[%zu]", key, index);
	if (!json_is_object(object))
		return ca_json_bad(error, "", path, "must be an object");
	return ca_json_read_fields(object, path, fields, count, item, error);
}

static int read_aliases(const json_t *object, struct ca_capacity_evidence *capacity,
			struct ca_error *error)
{
	const json_t *array = NULL;
	int r = ca_json_get(object, PATH, "alias", JSON_ARRAY, &array, error);

	if (r < 0)
		return r;
	if (json_array_size(array) > CA_ALIAS_MAX)
		return ca_json_bad(error, PATH, "alias", "has too many entries");
	for (size_t i = 0; r == 0 && i < json_array_size(array); i++)
		r = read_item(array, i, "alias", alias_fields, CA_ARRAY_LEN(alias_fields),
			      &capacity->alias[capacity->alias_count++], error);
	return r;
}

static int read_run(const json_t *array, size_t index, struct ca_run *run, struct ca_error *error)
{
	int r = read_item(array, index, "runs", run_fields, CA_ARRAY_LEN(run_fields), run, error);

	if (r == 0 && json_object_get(json_array_get(array, index), "reads"))
		r = read_item(array, index, "runs", reads_fields, CA_ARRAY_LEN(reads_fields), run,
			      error);
	return r;
}

static int read_marks(const json_t *object, struct ca_capacity_evidence *capacity,
		      struct ca_error *error)
{
	const json_t *marks = NULL;
	int r;

	if (!json_object_get(object, "marks"))
		return 0;
	r = ca_json_get(object, PATH, "marks", JSON_OBJECT, &marks, error);
	return r < 0 ? r
		     : ca_json_read_fields(marks, PATH ".marks", mark_fields,
					   CA_ARRAY_LEN(mark_fields), capacity, error);
}

static int read_clear_runs(const json_t *object, struct ca_run **ret_runs, size_t *ret_count,
			   struct ca_error *error)
{
	const json_t *array = NULL;
	CA_CLEANUP_FREE struct ca_run *runs = NULL;
	size_t count;
	int r = ca_json_get(object, PATH, "runs", JSON_ARRAY, &array, error);

	if (r < 0)
		return r;
	count = json_array_size(array);
	if (count > CA_JSON_RUNS_CLEAR)
		return ca_json_bad(error, PATH, "runs", "has too many entries");
	runs = calloc(count + 1, sizeof(*runs));
	if (!runs)
		return -ENOMEM;
	for (size_t i = 0; r == 0 && i < count; i++)
		r = read_run(array, i, &runs[i], error);
	if (r < 0)
		return r;
	if (!ca_json_runs_are_sane(runs, count))
		return ca_json_bad(error, PATH, "runs", "overlap or are not in order");
	*ret_runs = runs;
	*ret_count = count;
	runs = NULL;
	return 0;
}

static bool runs_are_equal(const struct ca_run *a, const struct ca_run *b, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (a[i].lba != b[i].lba || a[i].sectors != b[i].sectors ||
		    a[i].class_of != b[i].class_of || a[i].reads != b[i].reads ||
		    a[i].delta != b[i].delta)
			return false;
	return true;
}

/* The complete map: packed where there are too many runs for the list, which then is its start. */
static int read_runs(const json_t *object, struct ca_capacity_evidence *capacity,
		     struct ca_error *error)
{
	CA_CLEANUP_FREE struct ca_run *clear = NULL, *all = NULL;
	const json_t *packed = NULL, *total = NULL;
	size_t count = 0, all_count = 0;
	int r = read_clear_runs(object, &clear, &count, error);

	if (r == 0)
		r = ca_json_get(object, PATH, "runs_total", JSON_INTEGER, &total, error);
	if (r == 0)
		r = ca_json_get_nullable(object, PATH, "runs_packed", JSON_OBJECT, &packed, error);
	if (r == 0 && packed)
		r = ca_json_read_packed_runs(packed, &all, &all_count, error);
	if (r < 0)
		return r;
	if (all && (count != CA_JSON_RUNS_CLEAR || !runs_are_equal(clear, all, count)))
		return ca_json_bad(error, PATH, "runs", "differ from runs_packed");
	if (json_integer_value(total) != (json_int_t)(all ? all_count : count))
		return ca_json_bad(error, PATH, "runs_total", "is not the number of runs");
	capacity->runs = all ? all : clear;
	capacity->run_count = all ? all_count : count;
	if (all)
		all = NULL;
	else
		clear = NULL;
	if (!capacity->run_count) {
		free(capacity->runs);
		capacity->runs = NULL;
	}
	return 0;
}

int ca_json_read_capacity(const json_t *object, struct ca_capacity_evidence *capacity,
			  struct ca_error *error)
{
	const json_t *value = NULL;
	int r = ca_json_read_fields(object, PATH, head_fields, CA_ARRAY_LEN(head_fields), capacity,
				    error);

	if (r == 0)
		r = ca_json_get(object, PATH, "classes", JSON_OBJECT, &value, error);
	if (r == 0)
		r = ca_json_read_classes(value, PATH ".classes", capacity->classes, error);
	if (r == 0)
		r = read_aliases(object, capacity, error);
	if (r == 0)
		r = read_runs(object, capacity, error);
	if (r == 0)
		r = ca_json_read_fields(object, PATH, tail_fields, CA_ARRAY_LEN(tail_fields),
					capacity, error);
	if (r == 0)
		r = read_marks(object, capacity, error);
	if (r == 0)
		r = ca_json_read_samples(object, PATH, capacity->has_first_bad, capacity->expected,
					 capacity->found, error);
	if (r == 0)
		r = ca_json_read_key(object, PATH, &capacity->has_key, capacity->key,
				     &capacity->key_bytes, error);
	return r;
}
