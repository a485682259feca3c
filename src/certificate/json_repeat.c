/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a file repeats for readers: outcomes, maker, decoded registers. The judge reads none of it,
 * people and their scripts do, so it must not say what the evidence does not.
 */
#include "json_parts.h"

#include <errno.h>

/* Members of `now` that the file lacks are no contradiction: a later version says more. */
static bool agrees(const json_t *file, const json_t *now)
{
	const json_t *value;
	const char *key;
	size_t i;

	if (json_is_object(file) && json_is_object(now)) {
		/* the macro wants it writable and leaves it alone */
		json_object_foreach(
			(json_t *)(uintptr_t)file, key,
			value) if (!agrees(value, json_object_get(now, key))) return false;
		return true;
	}
	if (json_is_array(file) && json_is_array(now)) {
		if (json_array_size(file) != json_array_size(now))
			return false;
		json_array_foreach(file, i,
				   value) if (!agrees(value, json_array_get(now, i))) return false;
		return true;
	}
	return json_equal(file, now);
}

int ca_certificate_repeats(const char *text, size_t len, const struct ca_certificate *certificate,
			   bool *ret_same)
{
	const struct ca_judgement *judgement = &certificate->judgement;
	json_t *file = json_loadb(text, len, 0, NULL);
	json_t *now = json_pack("{s:o*, s:o*, s:o*}", "identity",
				ca_json_write_identity(&judgement->identity), "claims",
				ca_json_write_claims(judgement), "decoded",
				ca_json_write_decoded(&certificate->evidence, &judgement->claims));
	bool whole = file && json_object_size(now) == 3, same = true;
	const json_t *value;
	const char *key;

	if (whole) {
		json_object_foreach(now, key, value) if (json_object_get(file, key)) same =
			same && agrees(json_object_get(file, key), value);
	}
	json_decref(file);
	json_decref(now);
	if (!whole)
		return -ENOMEM;
	*ret_same = same;
	return 0;
}
