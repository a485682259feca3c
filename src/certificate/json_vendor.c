/* SPDX-License-Identifier: BSD-2-Clause */
/* evidence.vendor_health and decoded.vendor_health: there only where the card was to be asked. */
#include "json_parts.h"
#include "json_names.h"

#include <errno.h>
#include <string.h>

#define HEALTH struct ca_vendor_health
static const struct ca_json_field health_fields[] = {
	CA_JSON_OUR(HEALTH, not_asked_because),
};

#define ANSWER struct ca_vendor_answer
static const struct ca_json_field answer_fields[] = {
	CA_JSON_UINT(ANSWER, argument),
	CA_JSON_ENUM(ANSWER, "result", result, ca_json_name_vendor_result, CA_JSON_VENDOR_RESULTS),
};

/* `value` unless something went wrong before. */
static json_t *give(int r, json_t *value)
{
	if (r == 0)
		return value;
	json_decref(value);
	return NULL;
}

/* ---- writing -------------------------------------------------------------------------------- */

static json_t *write_answer(const struct ca_vendor_answer *answer)
{
	json_t *object = json_object();
	int r = object ? ca_json_write_fields(object, answer_fields, CA_ARRAY_LEN(answer_fields),
					      answer)
		       : -ENOMEM;

	if (r == 0)
		r = ca_json_set(object, "data",
				answer->result == CA_VENDOR_ANSWER
					? ca_json_hex(answer->data, sizeof(answer->data))
					: json_null());
	return give(r, object);
}

json_t *ca_json_write_vendor(const struct ca_vendor_health *health)
{
	json_t *object = json_object(), *answers = json_array();
	int r = object && answers ? ca_json_write_fields(object, health_fields,
							 CA_ARRAY_LEN(health_fields), health)
				  : -ENOMEM;

	for (unsigned int i = 0; r == 0 && i < health->count; i++)
		r = ca_json_append(answers, write_answer(&health->answers[i]));
	if (r == 0)
		r = ca_json_set(object, "answers", json_incref(answers));
	json_decref(answers);
	return give(r, object);
}

static json_t *write_field(const struct ca_vendor_field *field, const uint8_t *data)
{
	char value[4 * 64 + 32]; /* a text of 32 bytes, escaped; or as hex */
	json_t *object = json_object();
	struct ca_text text;
	int r;

	ca_text_init(&text, value, sizeof(value));
	ca_vendor_field_text(field, data, &text);
	r = object ? ca_json_set(object, "name", json_string(field->name)) : -ENOMEM;
	if (r == 0)
		r = ca_json_set(object, "value", json_string(value));
	if (r == 0)
		r = ca_json_set(object, "meaning", json_string(field->meaning));
	return give(r, object);
}

static json_t *write_fields(const char *layout, const uint8_t *data)
{
	json_t *array = json_array();
	int r = array ? 0 : -ENOMEM;

	for (const struct ca_vendor_field *field = ca_vendor_field_first(layout); r == 0 && field;
	     field = ca_vendor_field_next(field))
		r = ca_json_append(array, write_field(field, data));
	return give(r, array);
}

json_t *ca_json_write_vendor_decoded(const struct ca_vendor_health *health)
{
	const struct ca_vendor_query *query;
	unsigned int index;
	json_t *object;
	int r;

	if (!ca_vendor_find(health, &index, &query))
		return json_null();
	object = json_object();
	r = object ? ca_json_set(object, "argument", ca_json_unsigned(query->argument)) : -ENOMEM;
	if (r == 0)
		r = ca_json_set(object, "maker", json_string(query->maker));
	if (r == 0)
		r = ca_json_set(object, "standing", json_string(query->standing));
	if (r == 0)
		r = ca_json_set(object, "fields",
				write_fields(query->layout, health->answers[index].data));
	return give(r, object);
}

/* ---- reading -------------------------------------------------------------------------------- */

static int read_answer(const json_t *object, struct ca_vendor_health *health,
		       struct ca_error *error)
{
	const char *path = "evidence.vendor_health.answers";
	struct ca_vendor_answer answer = {0};
	const json_t *data = NULL;
	int r;

	if (!json_is_object(object))
		return ca_json_bad(error, "evidence.vendor_health", "answers",
				   "must be a list of objects");
	r = ca_json_read_fields(object, path, answer_fields, CA_ARRAY_LEN(answer_fields), &answer,
				error);
	if (r == 0)
		r = ca_json_get_nullable(object, path, "data", JSON_STRING, &data, error);
	if (r == 0 && (answer.result == CA_VENDOR_ANSWER) != (data != NULL))
		return ca_json_bad(error, path, "data", "must be there for an answer alone");
	if (r == 0 && data)
		r = ca_json_read_hex(data, path, "data", answer.data, sizeof(answer.data), error);
	if (r == 0 && !ca_vendor_add(health, answer.argument, answer.result, answer.data))
		return ca_json_bad(error, path, "argument", "comes twice, or in too many answers");
	return r;
}

int ca_json_read_vendor(const json_t *object, struct ca_vendor_health *health,
			struct ca_error *error)
{
	const char *path = "evidence.vendor_health";
	const json_t *answers = NULL;
	int r = ca_json_read_fields(object, path, health_fields, CA_ARRAY_LEN(health_fields),
				    health, error);

	if (r == 0)
		r = ca_json_get(object, path, "answers", JSON_ARRAY, &answers, error);
	for (size_t i = 0; r == 0 && i < json_array_size(answers); i++)
		r = read_answer(json_array_get(answers, i), health, error);
	health->asked = true;
	return r;
}
