/* SPDX-License-Identifier: BSD-2-Clause */
/* The document as a whole: top-level names in their order, and the gate that a file must pass. */
#include "json_parts.h"
#include "json_names.h"
#include "text_clean.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT	    "cardassay-certificate-1"
#define CERTIFICATE struct ca_certificate

static const struct ca_json_field tool_fields[] = {
	{CA_JSON_FIELD(CA_JSON_TEXT, CERTIFICATE, "version", tool_version)},
	CA_JSON_OUR(CERTIFICATE, specs_sha256),
};

static const struct ca_json_field head_fields[] = {
	CA_JSON_OUR(CERTIFICATE, id),
	{CA_JSON_FIELD(CA_JSON_TIME, CERTIFICATE, "issued", issued)},
	CA_JSON_ENUM(CERTIFICATE, "origin", evidence.origin, ca_json_name_origin, CA_JSON_ORIGINS),
	CA_JSON_ENUM(CERTIFICATE, "profile", profile, ca_json_name_profile, CA_JSON_PROFILES),
};

static const struct ca_json_field label_fields[] = {
	CA_JSON_OUR(CERTIFICATE, label),
};

/* Written when set, and may be missing. */
static const struct ca_json_field optional_fields[] = {
	{CA_JSON_FIELD(CA_JSON_TEXT, CERTIFICATE, "operator", operator_name)},
	CA_JSON_OUR(CERTIFICATE, organisation),
	CA_JSON_OUR(CERTIFICATE, reference),
};

#define JUDGEMENT struct ca_judgement
static const struct ca_json_field verdict_fields[] = {
	CA_JSON_ENUM(JUDGEMENT, "verdict", verdict, ca_json_name_verdict, CA_JSON_VERDICTS),
	CA_JSON_OUR(JUDGEMENT, headline),
};

/* ---- writing ------------------------------------------------------------------------------- */

/* `text` is `count` strings, each in `size` bytes. */
static json_t *write_strings(const char *text, size_t size, size_t count)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < count; i++) {
		if (ca_json_append(array, ca_json_text(text + i * size)) < 0) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static int write_head(json_t *object, const struct ca_certificate *certificate)
{
	const struct ca_judgement *judgement = &certificate->judgement;
	json_t *tool = json_pack("{s:s}", "name", "cardassay");
	int r = ca_json_set(object, "format", json_string(FORMAT));

	if (r == 0)
		r = tool ? ca_json_write_fields(tool, tool_fields, CA_ARRAY_LEN(tool_fields),
						certificate)
			 : -ENOMEM;
	if (r == 0)
		r = ca_json_set(object, "tool", json_incref(tool));
	json_decref(tool);
	if (r == 0)
		r = ca_json_write_fields(object, head_fields, CA_ARRAY_LEN(head_fields),
					 certificate);
	if (r == 0)
		r = ca_json_set(object, "scope",
				write_strings(judgement->scope[0], sizeof(judgement->scope[0]),
					      judgement->scope_count));
	if (r == 0)
		r = ca_json_write_fields(object, label_fields, 1, certificate);
	return r;
}

static int write_optional(json_t *object, const struct ca_certificate *certificate)
{
	int r = 0;

	if (certificate->option_count)
		r = ca_json_set(object, "options",
				write_strings(certificate->options[0],
					      sizeof(certificate->options[0]),
					      certificate->option_count));
	if (r == 0 && certificate->require_count)
		r = ca_json_set(object, "require",
				write_strings(certificate->require[0],
					      sizeof(certificate->require[0]),
					      certificate->require_count));
	for (size_t i = 0; r == 0 && i < CA_ARRAY_LEN(optional_fields); i++) {
		const struct ca_json_field *field = &optional_fields[i];

		if (((const char *)certificate)[field->offset])
			r = ca_json_write_fields(object, field, 1, certificate);
	}
	return r;
}

static int write_judgement(json_t *object, const struct ca_certificate *certificate)
{
	const struct ca_judgement *judgement = &certificate->judgement;
	int r = ca_json_set(object, "identity", ca_json_write_identity(&judgement->identity));

	if (r == 0)
		r = ca_json_set(object, "claims", ca_json_write_claims(judgement));
	if (r == 0)
		r = ca_json_set(object, "findings", ca_json_write_findings(judgement));
	if (r == 0)
		r = ca_json_write_fields(object, verdict_fields, CA_ARRAY_LEN(verdict_fields),
					 judgement);
	if (r == 0)
		r = ca_json_set(object, "decoded",
				ca_json_write_decoded(&certificate->evidence, &judgement->claims));
	return r;
}

static int write_json(const struct ca_certificate *certificate, bool pretty, bool rules,
		      char **ret_text, size_t *ret_len)
{
	size_t flags = JSON_PRESERVE_ORDER | (pretty ? JSON_INDENT(2) : JSON_COMPACT);
	json_t *object = json_object();
	char *text = NULL, *grown;
	size_t len;
	int r = object ? write_head(object, certificate) : -ENOMEM;

	if (r == 0)
		r = write_optional(object, certificate);
	if (r == 0)
		r = ca_json_set(object, "evidence", ca_json_write_evidence(&certificate->evidence));
	if (r == 0)
		r = write_judgement(object, certificate);
	if (r == 0 && rules)
		r = ca_json_set(object, "rules", ca_json_write_rules(&certificate->judgement));
	if (r == 0)
		text = json_dumps(object, flags);
	json_decref(object);
	if (!text)
		return -ENOMEM;
	len = strlen(text);
	if (len + 1 > CA_CERTIFICATE_BYTES_MAX) {
		free(text);
		return -EFBIG; /* nobody could read it back */
	}
	grown = realloc(text, len + 2);
	if (!grown) {
		free(text);
		return -ENOMEM;
	}
	memcpy(grown + len, "\n", 2);
	*ret_text = grown;
	*ret_len = len + 1;
	return 0;
}

int ca_certificate_to_json(const struct ca_certificate *certificate, bool pretty, char **ret_text,
			   size_t *ret_len)
{
	return write_json(certificate, pretty, false, ret_text, ret_len);
}

int ca_certificate_inspect_json(const struct ca_certificate *certificate, bool pretty,
				char **ret_text)
{
	size_t len;

	return write_json(certificate, pretty, true, ret_text, &len);
}

/* ---- reading ------------------------------------------------------------------------------- */

/* An honest certificate is a tenth of these: 1000 runs in clear are 5000 values. */
#define DEPTH_MAX  12U
#define VALUES_MAX 50000U

/*
 * Counts before anything is allocated, so that a small file cannot ask for much memory: brackets
 * cost 50 times their size once parsed.
 */
static int check_size(const char *text, size_t len, struct ca_error *error)
{
	size_t depth = 0, values = 0;
	bool in_string = false;

	if (len > CA_CERTIFICATE_BYTES_MAX)
		return ca_error_set(error, -EBADMSG,
				    "not a cardassay certificate: the file is larger than 16 MiB.");
	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		if (in_string) {
			if (c == '\\')
				i++;
			in_string = c != '"';
			continue;
		}
		if (c == '"')
			in_string = true;
		else if (c == '{' || c == '[')
			depth++;
		else if ((c == '}' || c == ']') && depth)
			depth--;
		values += c == ',' || c == '{' || c == '[';
		if (depth > DEPTH_MAX || values > VALUES_MAX)
			return ca_error_set(error, -EBADMSG,
					    "not a cardassay certificate: the JSON is nested too "
					    "deep or holds too many values.");
	}
	return 0;
}

/* Without memory jansson reports bad syntax, or cuts a string and says nothing: so it is noted. */
static bool starved;

static void *allocate(size_t bytes)
{
	void *memory = malloc(bytes);

	starved = starved || !memory;
	return memory;
}

static int load(const char *text, size_t len, json_t **ret_object, struct ca_error *error)
{
	json_error_t problem;
	char said[JSON_ERROR_TEXT_LENGTH * 4];
	struct ca_text escaped;
	const json_t *format;
	json_t *object;
	int r = check_size(text, len, error);

	if (r < 0)
		return r;
	json_set_alloc_funcs(allocate, free);
	starved = false;
	object = json_loadb(text, len, JSON_REJECT_DUPLICATES, &problem);
	if (starved) {
		json_decref(object);
		return -ENOMEM;
	}
	if (!object) {
		ca_text_init(&escaped, said, sizeof(said));
		ca_text_escaped(&escaped, problem.text, strlen(problem.text));
		return ca_error_set(
			error, -EBADMSG,
			"not a cardassay certificate: line %d is not valid JSON: %.200s.",
			problem.line, said);
	}
	format = json_object_get(object, "format");
	if (!json_is_string(format) || strcmp(json_string_value(format), FORMAT) != 0) {
		const char *which = json_is_string(format) ? json_string_value(format) : "";
		bool later = strncmp(which, FORMAT, sizeof(FORMAT) - 2) == 0;

		json_decref(object);
		return ca_error_set(error, -EBADMSG,
				    later ? "this certificate is of a later format; it needs a "
					    "newer cardassay."
					  : "not a cardassay certificate: its \"format\" is not "
					    "\"" FORMAT "\".");
	}
	*ret_object = object;
	return 0;
}

static bool is_hex(const char *text, size_t digits)
{
	return strlen(text) == digits && strspn(text, "0123456789abcdef") == digits;
}

/* Fills an array of `max` strings of `size` bytes each. */
static int read_strings(const json_t *array, const char *key, char *text, size_t size, size_t max,
			size_t *ret_count, struct ca_error *error)
{
	size_t count = json_array_size(array);

	if (count > max)
		return ca_json_bad(error, "", key, "has too many entries");
	for (size_t i = 0; i < count; i++) {
		const json_t *value = json_array_get(array, i);
		int r;

		if (!json_is_string(value))
			return ca_json_bad(error, "", key, "must hold strings only");
		r = ca_json_read_text(value, "", key, text + i * size, size, error);
		if (r < 0)
			return r;
	}
	*ret_count = count;
	return 0;
}

static int read_head(const json_t *object, struct ca_certificate *certificate,
		     struct ca_error *error)
{
	struct ca_judgement *judgement = &certificate->judgement;
	const json_t *value = NULL;
	int r = ca_json_get(object, "", "tool", JSON_OBJECT, &value, error);

	if (r == 0)
		r = ca_json_read_fields(value, "tool", tool_fields, CA_ARRAY_LEN(tool_fields),
					certificate, error);
	if (r == 0)
		r = ca_json_read_fields(object, "", head_fields, CA_ARRAY_LEN(head_fields),
					certificate, error);
	if (r == 0 && !is_hex(certificate->id, 32))
		return ca_json_bad(error, "", "id", "must be 32 hex digits");
	if (r == 0 && !is_hex(certificate->specs_sha256, 64))
		return ca_json_bad(error, "tool", "specs_sha256", "must be 64 hex digits");
	if (r == 0)
		r = ca_json_get(object, "", "scope", JSON_ARRAY, &value, error);
	if (r == 0)
		r = read_strings(value, "scope", judgement->scope[0], sizeof(judgement->scope[0]),
				 CA_SCOPE_MAX, &judgement->scope_count, error);
	if (r == 0)
		r = ca_json_read_fields(object, "", label_fields, 1, certificate, error);
	return r;
}

static int read_optional(const json_t *object, struct ca_certificate *certificate,
			 struct ca_error *error)
{
	const json_t *value = NULL;
	int r = 0;

	if (json_object_get(object, "options")) {
		r = ca_json_get(object, "", "options", JSON_ARRAY, &value, error);
		if (r == 0)
			r = read_strings(value, "options", certificate->options[0],
					 sizeof(certificate->options[0]), CA_REQUIRE_MAX,
					 &certificate->option_count, error);
	}
	if (r == 0 && json_object_get(object, "require")) {
		r = ca_json_get(object, "", "require", JSON_ARRAY, &value, error);
		if (r == 0)
			r = read_strings(value, "require", certificate->require[0],
					 sizeof(certificate->require[0]), CA_REQUIRE_MAX,
					 &certificate->require_count, error);
	}
	for (size_t i = 0; r == 0 && i < CA_ARRAY_LEN(optional_fields); i++)
		if (json_object_get(object, optional_fields[i].name))
			r = ca_json_read_fields(object, "", &optional_fields[i], 1, certificate,
						error);
	return r;
}

static int read_judgement(const json_t *object, struct ca_certificate *certificate,
			  size_t *ret_unknown, struct ca_error *error)
{
	struct ca_judgement *judgement = &certificate->judgement;
	struct ca_claims label = {0};
	char written[sizeof(certificate->label)];
	const json_t *value = NULL;
	int r = ca_json_get(object, "", "identity", JSON_OBJECT, &value, error);

	if (r == 0)
		r = ca_json_read_identity(value, &judgement->identity, error);
	if (r == 0)
		r = ca_json_get(object, "", "claims", JSON_ARRAY, &value, error);
	if (r == 0)
		r = ca_json_read_claims(value, &judgement->claims, error);
	if (r == 0)
		r = ca_json_get(object, "", "findings", JSON_ARRAY, &value, error);
	if (r == 0)
		r = ca_json_read_findings(value, judgement, ret_unknown, error);
	if (r == 0)
		r = ca_json_read_fields(object, "", verdict_fields, CA_ARRAY_LEN(verdict_fields),
					judgement, error);
	if (r < 0)
		return r;
	/* what can be made again from evidence and label is not taken from the file; the label as
	 * it would be written again */
	ca_registers_decode(&certificate->evidence.registers, &judgement->registers);
	memcpy(written, certificate->label, sizeof(written));
	(void)ca_text_clean(written); /* how many characters went does not matter */
	ca_claims_parse_label(written, &label);
	judgement->claims.brand = label.brand;
	memcpy(judgement->claims.not_understood, label.not_understood,
	       sizeof(label.not_understood));
	return 0;
}

static int read_all(const json_t *object, struct ca_certificate *certificate, size_t *ret_unknown,
		    struct ca_error *error)
{
	const json_t *evidence = NULL;
	int r = read_head(object, certificate, error);

	if (r == 0)
		r = read_optional(object, certificate, error);
	if (r == 0)
		r = ca_json_get(object, "", "evidence", JSON_OBJECT, &evidence, error);
	if (r == 0)
		r = ca_json_read_evidence(evidence, &certificate->evidence, error);
	return r < 0 ? r : read_judgement(object, certificate, ret_unknown, error);
}

int ca_certificate_from_json(const char *text, size_t len, struct ca_certificate *ret_certificate,
			     size_t *ret_unknown_rules, struct ca_error *error)
{
	struct ca_certificate *certificate = NULL;
	json_t *object = NULL;
	size_t unknown = 0;
	int r = load(text, len, &object, error);

	if (r == 0) {
		certificate = calloc(1, sizeof(*certificate));
		r = certificate ? read_all(object, certificate, &unknown, error) : -ENOMEM;
	}
	json_decref(object);
	if (r == 0) {
		*ret_certificate = *certificate;
		if (ret_unknown_rules)
			*ret_unknown_rules = unknown;
	} else {
		ca_certificate_done(certificate);
		if (r == -ENOMEM)
			(void)ca_error_set(error, r, "not enough memory to read the certificate.");
	}
	free(certificate);
	return r;
}
