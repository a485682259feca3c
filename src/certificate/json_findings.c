/* SPDX-License-Identifier: BSD-2-Clause */
#include "json_parts.h"
#include "json_names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLAIM struct ca_claim
static const struct ca_json_field claim_fields[] = {
	CA_JSON_OUR(CLAIM, id),
	CA_JSON_ENUM(CLAIM, "kind", kind, ca_json_name_claim_kind, CA_JSON_CLAIM_KINDS),
	CA_JSON_ENUM(CLAIM, "source", source, ca_json_name_claim_source, CA_JSON_CLAIM_SOURCES),
	CA_JSON_OUR(CLAIM, text),
	CA_JSON_UINT(CLAIM, value),
	CA_JSON_UINT(CLAIM, queue_depth),
};

/* Between "rule" and "reference". */
#define FINDING struct ca_finding
static const struct ca_json_field finding_fields[] = {
	CA_JSON_OUR(FINDING, claim),
	CA_JSON_OUR(FINDING, source),
	CA_JSON_OUR(FINDING, says),
	CA_JSON_OUR(FINDING, found),
	CA_JSON_ENUM(FINDING, "verdict", verdict, ca_json_name_verdict, CA_JSON_VERDICTS),
	CA_JSON_OUR(FINDING, where),
	CA_JSON_OUR(FINDING, why),
};

/* ---- writing ------------------------------------------------------------------------------- */

static json_t *write_claim(const struct ca_judgement *judgement, const struct ca_claim *claim)
{
	enum ca_verdict outcome = ca_judgement_claim_verdict(judgement, claim->id);
	json_t *object = json_object();

	if (object &&
	    ca_json_write_fields(object, claim_fields, CA_ARRAY_LEN(claim_fields), claim) == 0 &&
	    ca_json_set(object, "outcome", json_string(ca_verdict_name(outcome))) == 0)
		return object;
	json_decref(object);
	return NULL;
}

json_t *ca_json_write_claims(const struct ca_judgement *judgement)
{
	json_t *array = json_array();
	int r = array ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < judgement->claims.count; i++)
		r = ca_json_append(array, write_claim(judgement, &judgement->claims.claims[i]));
	if (r == 0)
		return array;
	json_decref(array);
	return NULL;
}

static json_t *write_finding(const struct ca_finding *finding)
{
	json_t *object = json_object();

	if (object && ca_json_set(object, "rule", ca_json_text(finding->rule->id)) == 0 &&
	    ca_json_write_fields(object, finding_fields, CA_ARRAY_LEN(finding_fields), finding) ==
		    0 &&
	    ca_json_set(object, "reference", ca_json_text(finding->rule->clause)) == 0)
		return object;
	json_decref(object);
	return NULL;
}

json_t *ca_json_write_findings(const struct ca_judgement *judgement)
{
	json_t *array = json_array();
	int r = array ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < judgement->finding_count; i++)
		r = ca_json_append(array, write_finding(&judgement->findings[i]));
	if (r == 0)
		return array;
	json_decref(array);
	return NULL;
}

json_t *ca_json_write_rules(const struct ca_judgement *judgement)
{
	json_t *array = json_array();
	int r = array ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < ca_spec_rules_count; i++)
		r = ca_json_append(array,
				   json_pack("{s:s, s:s}", "id", ca_spec_rules[i].id, "state",
					     ca_rule_state_name(judgement->rules[i])));
	if (r == 0)
		return array;
	json_decref(array);
	return NULL;
}

/* ---- reading ------------------------------------------------------------------------------- */

int ca_json_read_claims(const json_t *array, struct ca_claims *claims, struct ca_error *error)
{
	char path[32];

	if (json_array_size(array) > CA_CLAIMS_MAX)
		return ca_json_bad(error, "", "claims", "has too many entries");
	for (size_t i = 0; i < json_array_size(array); i++) {
		const json_t *object = json_array_get(array, i);
		int r;

		(void)snprintf(path, sizeof(path), "claims[%zu]", i);
		if (!json_is_object(object))
			return ca_json_bad(error, "", path, "must be an object");
		r = ca_json_read_fields(object, path, claim_fields, CA_ARRAY_LEN(claim_fields),
					&claims->claims[claims->count++], error);
		if (r < 0)
			return r;
	}
	return 0;
}

static int read_finding(const json_t *object, const char *path, struct ca_finding *finding,
			struct ca_error *error)
{
	const json_t *value = NULL;
	int r;

	if (!json_is_object(object))
		return ca_json_bad(error, "", path, "must be an object");
	r = ca_json_get(object, path, "rule", JSON_STRING, &value, error);
	if (r < 0)
		return r;
	finding->rule = ca_spec_rule_find(json_string_value(value));
	return ca_json_read_fields(object, path, finding_fields, CA_ARRAY_LEN(finding_fields),
				   finding, error);
}

int ca_json_read_findings(const json_t *array, struct ca_judgement *judgement, size_t *ret_unknown,
			  struct ca_error *error)
{
	size_t count = json_array_size(array), unknown = 0;
	char path[32];

	if (count > CA_JSON_FINDING_MAX)
		return ca_json_bad(error, "", "findings", "has too many entries");
	judgement->findings = calloc(count + 1, sizeof(*judgement->findings));
	if (!judgement->findings)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		struct ca_finding *finding = &judgement->findings[judgement->finding_count];
		int r;

		(void)snprintf(path, sizeof(path), "findings[%zu]", i);
		r = read_finding(json_array_get(array, i), path, finding, error);
		if (r < 0)
			return r;
		if (finding->rule) {
			judgement->finding_count++;
		} else {
			memset(finding, 0, sizeof(*finding));
			unknown++;
		}
	}
	*ret_unknown = unknown;
	return 0;
}
