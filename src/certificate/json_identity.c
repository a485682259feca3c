/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An identity points into the tables of specs/. The certificate carries the keys of the rows;
 * reading finds the rows again, and drops what the tables here do not have.
 */
#include "json_parts.h"
#include "json_names.h"

#include <errno.h>
#include <string.h>

#define PATH	 "identity"
#define IDENTITY struct ca_identity

static const struct ca_json_field identity_fields[] = {
	CA_JSON_ENUM(IDENTITY, "relation", relation, ca_json_name_relation, CA_JSON_RELATIONS),
	CA_JSON_ENUM(IDENTITY, "confidence", confidence, ca_json_name_confidence,
		     CA_JSON_CONFIDENCES),
	CA_JSON_OUR(IDENTITY, summary),
};

static const char *const candidate_strings[] = {"brand", "product", "kind",    "pnm",
						"model", "maker",   "relation"};
static const char *const candidate_numbers[] = {"mid", "oid", "vid"};

/* ---- writing ------------------------------------------------------------------------------- */

static json_t *name_or_null(const char *name)
{
	return name && *name ? ca_json_text(name) : json_null();
}

static json_t *write_maker_row(const struct ca_spec_maker *maker)
{
	if (!maker)
		return json_null();
	return json_pack("{s:b, s:i, s:i, s:s}", "emmc", maker->emmc, "mid", (int)maker->mid, "oid",
			 (int)maker->oid, "standing", maker->standing);
}

static void candidate_key(const struct ca_spec_relation *row, const char *ret_strings[7],
			  json_int_t ret_numbers[3])
{
	const char *strings[7] = {row->brand, row->product, row->kind,	  row->pnm,
				  row->model, row->maker,   row->relation};

	memcpy(ret_strings, strings, sizeof(strings));
	ret_numbers[0] = row->mid;
	ret_numbers[1] = row->oid;
	ret_numbers[2] = row->vid;
}

static json_t *write_sources(const char *sources)
{
	json_t *array = json_array();
	int r = array ? 0 : -ENOMEM;

	for (const char *p = sources; r == 0 && *p; p += strspn(p, " ")) {
		size_t len = strcspn(p, " ");

		r = ca_json_append(array, json_stringn(p, len));
		p += len;
	}
	if (r == 0)
		return array;
	json_decref(array);
	return NULL;
}

static json_t *write_candidate(const struct ca_spec_relation *row)
{
	const char *strings[7];
	json_int_t numbers[3];
	json_t *object = json_object();
	int r = object ? 0 : -ENOMEM;

	candidate_key(row, strings, numbers);
	for (size_t i = 0; r == 0 && i < CA_ARRAY_LEN(strings); i++)
		r = ca_json_set(object, candidate_strings[i], ca_json_text(strings[i]));
	for (size_t i = 0; r == 0 && i < CA_ARRAY_LEN(numbers); i++)
		r = ca_json_set(object, candidate_numbers[i], json_integer(numbers[i]));
	if (r == 0)
		r = ca_json_set(object, "note", ca_json_text(row->note));
	if (r == 0)
		r = ca_json_set(object, "sources", write_sources(row->sources));
	if (r == 0)
		return object;
	json_decref(object);
	return NULL;
}

static json_t *write_candidates(const struct ca_identity *identity)
{
	json_t *array = json_array();
	int r = array ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < identity->candidate_count; i++)
		r = ca_json_append(array, write_candidate(identity->candidates[i]));
	if (r == 0)
		return array;
	json_decref(array);
	return NULL;
}

static json_t *write_conventions(const struct ca_identity *identity)
{
	json_t *array = json_array();
	int r = array ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < identity->convention_count; i++) {
		const struct ca_spec_nvme_convention *row = identity->conventions[i];

		r = ca_json_append(array,
				   json_pack("{s:i, s:s, s:s, s:s, s:s}", "vid", (int)row->vid,
					     "field", row->field, "pattern", row->pattern,
					     "customer", row->customer, "meaning", row->meaning));
	}
	if (r == 0)
		return array;
	json_decref(array);
	return NULL;
}

/* The rows of specs/ that decided: for readers, made again from the rest when a file is read. */
static json_t *write_evidence(const struct ca_identity *identity)
{
	struct ca_identity_row rows[CA_IDENTITY_ROWS_MAX];
	size_t count = ca_identity_rows(identity, rows);
	json_t *array = json_array();
	int r = array ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < count; i++)
		r = ca_json_append(array, json_pack("{s:s, s:s, s:s, s:o}", "table", rows[i].table,
						    "row", rows[i].row, "note", rows[i].note,
						    "sources", write_sources(rows[i].sources)));
	if (r == 0)
		return array;
	json_decref(array);
	return NULL;
}

json_t *ca_json_write_identity(const struct ca_identity *identity)
{
	const struct ca_spec_nvme_vendor *vendor = identity->nvme_vendor;
	json_t *object = json_object();
	int r = object ? ca_json_write_fields(object, identity_fields,
					      CA_ARRAY_LEN(identity_fields), identity)
		       : -ENOMEM;

	if (r == 0)
		r = ca_json_set(object, "maker", name_or_null(identity->maker_name));
	if (r == 0)
		r = ca_json_set(object, "maker_row", write_maker_row(identity->maker));
	if (r == 0)
		r = ca_json_set(object, "nvme_vendor_id",
				vendor ? ca_json_unsigned(vendor->vid) : json_null());
	if (r == 0)
		r = ca_json_set(object, "brand",
				name_or_null(identity->brand ? identity->brand->brand : NULL));
	if (r == 0)
		r = ca_json_set(object, "candidates", write_candidates(identity));
	if (r == 0)
		r = ca_json_set(object, "conventions", write_conventions(identity));
	if (r == 0)
		r = ca_json_set(
			object, "nvme_model",
			name_or_null(identity->nvme_model ? identity->nvme_model->name : NULL));
	if (r == 0)
		r = ca_json_set(object, "evidence", write_evidence(identity));
	if (r == 0)
		return object;
	json_decref(object);
	return NULL;
}

/* ---- reading ------------------------------------------------------------------------------- */

/* The tables' own copy of a maker's name, "" when no row has it. */
static const char *find_maker_name(const char *name)
{
	for (size_t i = 0; i < ca_spec_makers_count; i++)
		if (strcmp(ca_spec_makers[i].maker, name) == 0)
			return ca_spec_makers[i].maker;
	for (size_t i = 0; i < ca_spec_nvme_vendors_count; i++)
		if (strcmp(ca_spec_nvme_vendors[i].maker, name) == 0)
			return ca_spec_nvme_vendors[i].maker;
	for (size_t i = 0; i < ca_spec_relations_count; i++)
		if (strcmp(ca_spec_relations[i].maker, name) == 0)
			return ca_spec_relations[i].maker;
	return "";
}

static const struct ca_spec_brand *find_brand(const char *name)
{
	for (size_t i = 0; i < ca_spec_brands_count; i++)
		if (strcmp(ca_spec_brands[i].brand, name) == 0)
			return &ca_spec_brands[i];
	return NULL;
}

static int read_maker_row(const json_t *object, struct ca_identity *identity,
			  struct ca_error *error)
{
	const char *path = PATH ".maker_row";
	const json_t *emmc = NULL, *mid = NULL, *oid = NULL;
	int r = ca_json_get(object, path, "emmc", JSON_TRUE, &emmc, error);

	if (r == 0)
		r = ca_json_get(object, path, "mid", JSON_INTEGER, &mid, error);
	if (r == 0)
		r = ca_json_get(object, path, "oid", JSON_INTEGER, &oid, error);
	for (size_t i = 0; r == 0 && i < ca_spec_makers_count; i++) {
		const struct ca_spec_maker *row = &ca_spec_makers[i];

		if (row->emmc != json_is_true(emmc) || row->mid != json_integer_value(mid) ||
		    row->oid != json_integer_value(oid))
			continue;
		identity->maker = row;
		break;
	}
	return r;
}

static int read_candidate(const json_t *object, struct ca_identity *identity,
			  struct ca_error *error)
{
	const char *path = PATH ".candidates", *strings[7], *said[7];
	json_int_t numbers[3], said_numbers[3];
	const json_t *value = NULL;

	for (size_t i = 0; i < CA_ARRAY_LEN(said); i++) {
		int r = ca_json_get(object, path, candidate_strings[i], JSON_STRING, &value, error);

		if (r < 0)
			return r;
		said[i] = json_string_value(value);
	}
	for (size_t i = 0; i < CA_ARRAY_LEN(said_numbers); i++) {
		int r = ca_json_get(object, path, candidate_numbers[i], JSON_INTEGER, &value,
				    error);

		if (r < 0)
			return r;
		said_numbers[i] = json_integer_value(value);
	}
	for (size_t i = 0; i < ca_spec_relations_count; i++) {
		bool same = true;

		candidate_key(&ca_spec_relations[i], strings, numbers);
		for (size_t j = 0; j < CA_ARRAY_LEN(said); j++)
			same = same && strcmp(strings[j], said[j]) == 0;
		if (!same || memcmp(numbers, said_numbers, sizeof(numbers)) != 0)
			continue;
		identity->candidates[identity->candidate_count++] = &ca_spec_relations[i];
		break;
	}
	return 0;
}

static int read_names(const json_t *object, struct ca_identity *identity, struct ca_error *error)
{
	const json_t *value = NULL;
	int r = ca_json_get_nullable(object, PATH, "maker", JSON_STRING, &value, error);

	if (r < 0)
		return r;
	identity->maker_name = value ? find_maker_name(json_string_value(value)) : "";
	r = ca_json_get_nullable(object, PATH, "brand", JSON_STRING, &value, error);
	if (r < 0)
		return r;
	identity->brand = value ? find_brand(json_string_value(value)) : NULL;
	r = ca_json_get_nullable(object, PATH, "nvme_vendor_id", JSON_INTEGER, &value, error);
	if (r < 0)
		return r;
	if (value && json_integer_value(value) >= 0 && json_integer_value(value) <= UINT16_MAX)
		identity->nvme_vendor =
			ca_identity_find_nvme_vendor((uint16_t)json_integer_value(value));
	return 0;
}

static int read_convention(const json_t *object, struct ca_identity *identity,
			   struct ca_error *error)
{
	const char *path = PATH ".conventions";
	const json_t *vid = NULL, *field = NULL, *pattern = NULL;
	int r = ca_json_get(object, path, "vid", JSON_INTEGER, &vid, error);

	if (r == 0)
		r = ca_json_get(object, path, "field", JSON_STRING, &field, error);
	if (r == 0)
		r = ca_json_get(object, path, "pattern", JSON_STRING, &pattern, error);
	for (size_t i = 0; r == 0 && i < ca_spec_nvme_conventions_count; i++) {
		const struct ca_spec_nvme_convention *row = &ca_spec_nvme_conventions[i];

		if (row->vid != json_integer_value(vid) ||
		    strcmp(row->field, json_string_value(field)) != 0 ||
		    strcmp(row->pattern, json_string_value(pattern)) != 0)
			continue;
		identity->conventions[identity->convention_count++] = row;
		break;
	}
	return r;
}

/* Files of earlier versions have neither. */
static int read_drive(const json_t *object, struct ca_identity *identity, struct ca_error *error)
{
	const json_t *rows = json_object_get(object, "conventions");
	const char *model = json_string_value(json_object_get(object, "nvme_model"));
	int r = 0;

	if (json_array_size(rows) > CA_CONVENTIONS_MAX)
		return ca_json_bad(error, PATH, "conventions", "has too many entries");
	for (size_t i = 0; r == 0 && i < json_array_size(rows); i++)
		r = read_convention(json_array_get(rows, i), identity, error);
	for (size_t i = 0; r == 0 && model && i < ca_spec_nvme_models_count; i++)
		if (strcmp(ca_spec_nvme_models[i].name, model) == 0)
			identity->nvme_model = &ca_spec_nvme_models[i];
	return r;
}

int ca_json_read_identity(const json_t *object, struct ca_identity *identity,
			  struct ca_error *error)
{
	const json_t *value = NULL;
	int r = ca_json_read_fields(object, PATH, identity_fields, CA_ARRAY_LEN(identity_fields),
				    identity, error);

	if (r == 0)
		r = read_names(object, identity, error);
	if (r == 0)
		r = ca_json_get_nullable(object, PATH, "maker_row", JSON_OBJECT, &value, error);
	if (r == 0 && value)
		r = read_maker_row(value, identity, error);
	if (r == 0)
		r = ca_json_get(object, PATH, "candidates", JSON_ARRAY, &value, error);
	if (r == 0 && json_array_size(value) > CA_CANDIDATES_MAX)
		return ca_json_bad(error, PATH, "candidates", "has too many entries");
	for (size_t i = 0; r == 0 && i < json_array_size(value); i++)
		r = read_candidate(json_array_get(value, i), identity, error);
	return r == 0 ? read_drive(object, identity, error) : r;
}
