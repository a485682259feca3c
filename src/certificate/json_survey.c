/* SPDX-License-Identifier: BSD-2-Clause */
#include "json_parts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define PATH "evidence.survey"

static const char *like_name(unsigned int part)
{
	return ca_like_part_name((enum ca_like_part)part);
}

#define CELL struct ca_survey_cell
static const struct ca_json_field cell_fields[] = {
	CA_JSON_BOOL(CELL, random),	 CA_JSON_UINT(CELL, block_bytes),
	CA_JSON_UINT(CELL, queue_depth), CA_JSON_UINT(CELL, bytes_per_second),
	CA_JSON_UINT(CELL, milliiops),	 CA_JSON_UINT(CELL, operations),
	CA_JSON_UINT(CELL, errors),	 CA_JSON_UINT(CELL, duration_ns),
};

#define LINE struct ca_survey_line
static const struct ca_json_field line_fields[] = {
	CA_JSON_UINT(LINE, step_bytes),
	CA_JSON_UINT(LINE, sample_bytes),
};

#define LIKE struct ca_survey_like
static const struct ca_json_field like_fields[] = {
	CA_JSON_ENUM(LIKE, "part", part, like_name, CA_LIKE_PART_COUNT),
	CA_JSON_BOOL(LIKE, random),
	CA_JSON_BOOL(LIKE, page_cache),
	CA_JSON_UINT(LIKE, block_bytes),
	CA_JSON_UINT(LIKE, queue_depth),
	CA_JSON_UINT(LIKE, total_bytes),
	CA_JSON_UINT(LIKE, duration_ns),
	CA_JSON_UINT(LIKE, bytes_per_second),
	CA_JSON_UINT(LIKE, errors),
	CA_JSON_UINT(LIKE, own_bytes_per_second),
};

static json_t *write_numbers(const uint64_t *numbers, unsigned int count)
{
	json_t *array = json_array();

	for (unsigned int i = 0; array && i < count; i++) {
		if (ca_json_append(array, ca_json_unsigned(numbers[i])) == 0)
			continue;
		json_decref(array);
		return NULL;
	}
	return array;
}

static json_t *write_cell(const struct ca_survey_cell *cell)
{
	json_t *object = ca_json_begin_figure(cell->write);
	unsigned int octaves = CA_LATENCY_OCTAVES;
	int r = object ? 0 : -ENOMEM;

	while (octaves && !cell->octaves[octaves - 1])
		octaves--;
	if (r == 0)
		r = ca_json_write_fields(object, cell_fields, CA_ARRAY_LEN(cell_fields), cell);
	if (r == 0)
		r = ca_json_set(object, "rates", write_numbers(cell->rates, cell->run_count));
	if (r == 0)
		r = ca_json_write_latency(object, &cell->latency);
	if (r == 0)
		r = ca_json_set(object, "octaves", write_numbers(cell->octaves, octaves));
	if (r == 0)
		return object;
	json_decref(object);
	return NULL;
}

static json_t *write_line(const struct ca_survey_line *line)
{
	json_t *object = ca_json_begin_figure(line->write);

	if (object &&
	    ca_json_write_fields(object, line_fields, CA_ARRAY_LEN(line_fields), line) == 0 &&
	    ca_json_set(object, "rates", write_numbers(line->rates, line->point_count)) == 0)
		return object;
	json_decref(object);
	return NULL;
}

static json_t *write_like(const struct ca_survey_like *like)
{
	json_t *object = ca_json_begin_figure(like->write);

	if (object &&
	    ca_json_write_fields(object, like_fields, CA_ARRAY_LEN(like_fields), like) == 0)
		return object;
	json_decref(object);
	return NULL;
}

json_t *ca_json_write_survey(const struct ca_survey_evidence *survey)
{
	json_t *object = json_object(), *cells = json_array(), *lines = json_array(),
	       *likes = json_array();
	int r = object && cells && lines && likes ? 0 : -ENOMEM;

	for (unsigned int i = 0; r == 0 && i < survey->cell_count; i++)
		r = ca_json_append(cells, write_cell(&survey->cells[i]));
	for (unsigned int i = 0; r == 0 && i < survey->line_count; i++)
		r = ca_json_append(lines, write_line(&survey->lines[i]));
	for (unsigned int i = 0; r == 0 && i < survey->like_count; i++)
		r = ca_json_append(likes, write_like(&survey->likes[i]));
	if (r == 0)
		r = ca_json_set(object, "range_bytes", ca_json_unsigned(survey->range_bytes));
	if (r == 0)
		r = ca_json_set(object, "cells", json_incref(cells));
	if (r == 0)
		r = ca_json_set(object, "lines", json_incref(lines));
	if (r == 0)
		r = ca_json_set(object, "likes", json_incref(likes));
	if (r == 0)
		r = ca_json_set(object, "interrupted", json_boolean(survey->interrupted));
	json_decref(cells);
	json_decref(lines);
	json_decref(likes);
	if (r == 0)
		return object;
	json_decref(object);
	return NULL;
}

static int read_numbers(const json_t *object, const char *path, const char *key, unsigned int max,
			uint64_t *numbers, unsigned int *ret_count, struct ca_error *error)
{
	const json_t *array = NULL;
	int r = ca_json_get(object, path, key, JSON_ARRAY, &array, error);

	if (r < 0)
		return r;
	if (json_array_size(array) > max)
		return ca_json_bad(error, path, key, "has too many entries");
	for (size_t i = 0; i < json_array_size(array); i++) {
		const json_t *one = json_array_get(array, i);

		if (!json_is_integer(one) || json_integer_value(one) < 0)
			return ca_json_bad(error, path, key, "must hold whole numbers");
		numbers[i] = (uint64_t)json_integer_value(one);
	}
	*ret_count = (unsigned int)json_array_size(array);
	return 0;
}

static int read_cell(const json_t *object, const char *path, void *place, struct ca_error *error)
{
	struct ca_survey_cell *cell = place;
	unsigned int octaves;
	int r = ca_json_read_operation(object, path, &cell->write, error);

	if (r == 0)
		r = ca_json_read_fields(object, path, cell_fields, CA_ARRAY_LEN(cell_fields), cell,
					error);
	if (r == 0)
		r = read_numbers(object, path, "rates", CA_SURVEY_RUNS, cell->rates,
				 &cell->run_count, error);
	if (r == 0)
		r = ca_json_read_latency(object, path, &cell->latency, error);
	if (r == 0)
		r = read_numbers(object, path, "octaves", CA_LATENCY_OCTAVES, cell->octaves,
				 &octaves, error);
	return r;
}

static int read_line(const json_t *object, const char *path, void *place, struct ca_error *error)
{
	struct ca_survey_line *line = place;
	int r = ca_json_read_operation(object, path, &line->write, error);

	if (r == 0)
		r = ca_json_read_fields(object, path, line_fields, CA_ARRAY_LEN(line_fields), line,
					error);
	if (r == 0)
		r = read_numbers(object, path, "rates", CA_SURVEY_POINTS_MAX, line->rates,
				 &line->point_count, error);
	return r;
}

static int read_like(const json_t *object, const char *path, void *place, struct ca_error *error)
{
	struct ca_survey_like *like = place;
	int r = ca_json_read_operation(object, path, &like->write, error);

	if (r == 0)
		r = ca_json_read_fields(object, path, like_fields, CA_ARRAY_LEN(like_fields), like,
					error);
	return r;
}

struct list {
	const char *key;
	unsigned int max;
	size_t size;
	int (*read)(const json_t *object, const char *path, void *place, struct ca_error *error);
};

static int read_list(const json_t *object, const struct list *list, void *places,
		     unsigned int *ret_count, struct ca_error *error)
{
	const json_t *array = NULL;
	char path[64];
	int r = ca_json_get(object, PATH, list->key, JSON_ARRAY, &array, error);

	if (r == 0 && json_array_size(array) > list->max)
		return ca_json_bad(error, PATH, list->key, "has too many entries");
	for (size_t i = 0; r == 0 && i < json_array_size(array); i++) {
		const json_t *one = json_array_get(array, i);

		(void)snprintf(path, sizeof(path), PATH ".%s[%zu]", list->key, i); /* fits */
		if (!json_is_object(one))
			return ca_json_bad(error, "", path, "must be an object");
		r = list->read(one, path, (char *)places + i * list->size, error);
	}
	if (r == 0)
		*ret_count = (unsigned int)json_array_size(array);
	return r;
}

int ca_json_read_survey(const json_t *object, struct ca_survey_evidence *survey,
			struct ca_error *error)
{
	static const struct ca_json_field range =
		CA_JSON_UINT(struct ca_survey_evidence, range_bytes);
	static const struct list cells = {"cells", CA_SURVEY_CELLS_MAX, sizeof(CELL), read_cell};
	static const struct list lines = {"lines", CA_SURVEY_LINES_MAX, sizeof(LINE), read_line};
	static const struct list likes = {"likes", CA_SURVEY_LIKE_MAX, sizeof(LIKE), read_like};
	const json_t *value = NULL;
	int r = ca_json_read_fields(object, PATH, &range, 1, survey, error);

	if (r == 0)
		r = read_list(object, &cells, survey->cells, &survey->cell_count, error);
	if (r == 0)
		r = read_list(object, &lines, survey->lines, &survey->line_count, error);
	if (r == 0)
		r = read_list(object, &likes, survey->likes, &survey->like_count, error);
	if (r == 0)
		r = ca_json_get(object, PATH, "interrupted", JSON_TRUE, &value, error);
	if (r == 0)
		survey->interrupted = json_is_true(value);
	return r;
}
