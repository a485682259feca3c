/* SPDX-License-Identifier: BSD-2-Clause */
#include "json_parts.h"
#include "json_names.h"

#include <errno.h>

#define PATH  "evidence.probe"
#define PROBE struct ca_probe_evidence

static const struct ca_json_field head_fields[] = {
	CA_JSON_ENUM(PROBE, "end", end, ca_json_name_fill_end, CA_JSON_FILL_ENDS),
	CA_JSON_UINT(PROBE, announced_bytes),
	CA_JSON_UINT(PROBE, written_bytes),
	CA_JSON_UINT(PROBE, reads),
	CA_JSON_UINT(PROBE, sample_bytes),
	CA_JSON_UINT(PROBE, samples),
	CA_JSON_UINT(PROBE, random_samples),
	CA_JSON_UINT(PROBE, unstable_samples),
	CA_JSON_UINT(PROBE, run_bytes),
	CA_JSON_UINT(PROBE, step_bytes),
	CA_JSON_UINT(PROBE, steps),
	CA_JSON_UINT(PROBE, coverage_ppm),
	CA_JSON_UINT(PROBE, aliases),
	{CA_JSON_FIELD(CA_JSON_UNSIGNED, PROBE, "alias_offset", alias_offset),
	 .has_offset = offsetof(PROBE, has_alias) + 1},
	{CA_JSON_FIELD(CA_JSON_UNSIGNED, PROBE, "alias_of_offset", alias_of_offset),
	 .has_offset = offsetof(PROBE, has_alias) + 1},
	CA_JSON_UINT(PROBE, modulus_bytes),
	CA_JSON_ENUM(PROBE, "kind", kind, ca_json_name_capacity_kind, CA_JSON_CAPACITY_KINDS),
	{CA_JSON_FIELD(CA_JSON_UNSIGNED, PROBE, "first_bad_offset", first_bad_offset),
	 .has_offset = offsetof(PROBE, has_first_bad) + 1},
	{CA_JSON_FIELD(CA_JSON_UNSIGNED, PROBE, "real_capacity_bytes", real_capacity_bytes),
	 .has_offset = offsetof(PROBE, has_real_capacity) + 1},
	CA_JSON_UINT(PROBE, real_least_bytes),
	CA_JSON_UINT(PROBE, real_most_bytes),
	CA_JSON_UINT(PROBE, cache_bytes),
	CA_JSON_UINT(PROBE, cache_overrun_bytes),
	CA_JSON_UINT(PROBE, unrestored_bytes),
	CA_JSON_BOOL(PROBE, journal_kept),
	CA_JSON_UINT(PROBE, elapsed_ns),
	CA_JSON_RAW(PROBE, pattern),
	CA_JSON_HEX(PROBE, run_id),
	CA_JSON_HEX(PROBE, device_id),
	CA_JSON_RAW(PROBE, lost_because),
};

json_t *ca_json_write_probe(const struct ca_probe_evidence *probe)
{
	json_t *object = json_object();
	int r = object ? ca_json_write_fields(object, head_fields, CA_ARRAY_LEN(head_fields), probe)
		       : -ENOMEM;

	if (r == 0)
		r = ca_json_set(object, "classes", ca_json_write_classes(probe->classes));
	if (r == 0)
		r = ca_json_write_samples(object, probe->has_first_bad, probe->expected,
					  probe->found);
	if (r == 0)
		r = ca_json_write_key(object, probe->has_key, probe->key, probe->key_bytes);
	if (r == 0)
		return object;
	json_decref(object);
	return NULL;
}

int ca_json_read_probe(const json_t *object, struct ca_probe_evidence *probe,
		       struct ca_error *error)
{
	const json_t *value = NULL;
	int r = ca_json_read_fields(object, PATH, head_fields, CA_ARRAY_LEN(head_fields), probe,
				    error);

	if (r == 0)
		r = ca_json_get(object, PATH, "classes", JSON_OBJECT, &value, error);
	if (r == 0)
		r = ca_json_read_classes(value, PATH ".classes", probe->classes, error);
	if (r == 0)
		r = ca_json_read_samples(object, PATH, probe->has_first_bad, probe->expected,
					 probe->found, error);
	if (r == 0)
		r = ca_json_read_key(object, PATH, &probe->has_key, probe->key, &probe->key_bytes,
				     error);
	return r;
}
