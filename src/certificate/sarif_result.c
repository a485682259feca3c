/* SPDX-License-Identifier: BSD-2-Clause */
/* A finding as a SARIF result. */
#include "sarif_parts.h"

#include <stdio.h>
#include <string.h>

#include "digest.h"

/* 3.27.9 */
static const char *kind_of(enum ca_verdict verdict)
{
	switch (verdict) {
	case CA_VERDICT_PASS:
		return "pass";
	case CA_VERDICT_FAIL:
		return "fail";
	case CA_VERDICT_INCONCLUSIVE:
	case CA_VERDICT_UNTESTED:
		return "open";
	case CA_VERDICT_SCREENED:
	case CA_VERDICT_WARNING:
		return "review";
	case CA_VERDICT_NOTE:
		break;
	}
	return "informational";
}

/* Of a claim its name; what was found, else what must hold; then why. One line. */
static json_t *write_message(const struct ca_finding *finding)
{
	char sentences[sizeof(*finding)];
	const char *first = finding->found[0] ? finding->found : finding->says;
	struct ca_text text;

	ca_text_init(&text, sentences, sizeof(sentences));
	if (finding->source[0]) {
		ca_text_add(&text, finding->claim);
		ca_text_add(&text, ": ");
	}
	ca_text_add(&text, first);
	if (!first[0] || !strchr(".!?", first[strlen(first) - 1]))
		ca_text_add(&text, ".");
	if (finding->why[0]) {
		ca_text_add(&text, " ");
		ca_text_add(&text, finding->why);
	}
	return json_pack("{s:o}", "text", ca_sarif_write_message(sentences));
}

/* ---- fingerprints -------------------------------------------------------------------------- */

static void add_hex(struct ca_text *text, const uint8_t *data, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		ca_text_hex(text, data[i], 2);
	ca_text_add(text, "\n");
}

/* What makes a card this card, as far as it may be known: a masked serial is blank here too. */
static void add_card(struct ca_text *text, const struct ca_evidence *evidence)
{
	const struct ca_raw_registers *raw = &evidence->registers;
	const struct ca_device_facts *device = &evidence->device;

	if (raw->has[CA_REGISTER_CID]) {
		add_hex(text, raw->cid, sizeof(raw->cid));
	} else if (raw->has[CA_REGISTER_NVME_CTRL]) {
		add_hex(text, raw->nvme_ctrl, 64); /* VID, SSVID, SN, MN (NVMe 5.1.13) */
	} else if (device->serial[0] || device->model[0]) {
		ca_text_escaped(text, device->model, strlen(device->model));
		ca_text_add(text, "\n");
		ca_text_escaped(text, device->serial, strlen(device->serial));
	} else {
		ca_text_escaped(text, device->node, strlen(device->node));
	}
}

/* The same in every run on the same card: no figure and no sector is in it. */
static json_t *write_fingerprint(const struct ca_certificate *certificate,
				 const struct ca_finding *finding, unsigned int ordinal)
{
	char key[2048], hex[33];
	struct ca_sarif_where where;
	struct ca_text text;
	uint8_t digest[32];

	(void)ca_sarif_split_where(finding->where, &where); /* its parts are always there */
	ca_text_init(&text, key, sizeof(key));
	ca_text_add(&text, finding->rule->id);
	ca_text_add(&text, "\n");
	ca_text_add(&text, finding->claim);
	ca_text_add(&text, "\n");
	ca_text_add(&text, finding->source);
	ca_text_add(&text, "\n");
	ca_text_add(&text, where.part);
	ca_text_add(&text, where.bits);
	ca_text_add(&text, "\n");
	ca_text_u64(&text, ordinal);
	ca_text_add(&text, "\n");
	add_card(&text, &certificate->evidence);
	if (ca_digest_blake2b_256(key, text.len, digest) < 0)
		return NULL;
	ca_hex_encode(digest, 16, hex);
	return json_pack("{s:s}", "cardassayFinding/v1", hex);
}

/* ---- properties ---------------------------------------------------------------------------- */

static int set_bits(json_t *object, const struct ca_finding *finding)
{
	struct ca_sarif_where where;
	int r;

	(void)ca_sarif_split_where(finding->where, &where); /* its parts are always there */
	r = ca_json_set(object, "where", ca_json_text(finding->where));
	if (r == 0 && where.bits[0])
		r = ca_json_set(object, "register", ca_json_text(where.part));
	if (r == 0 && where.bits[0])
		r = ca_json_set(object, "bits", ca_json_text(where.bits));
	return r;
}

static json_t *write_properties(const struct ca_certificate *certificate,
				const struct ca_finding *finding)
{
	const struct ca_judgement *judgement = &certificate->judgement;
	json_t *object = json_object();
	int r = ca_json_set(object, "verdict", json_string(ca_verdict_name(finding->verdict)));

	if (r == 0)
		r = ca_json_set(object, "claim", ca_json_text(finding->claim));
	if (r == 0)
		r = ca_json_set(object, "source", ca_json_text(finding->source));
	if (r == 0)
		r = ca_json_set(object, "says", ca_json_text(finding->says));
	if (r == 0)
		r = ca_json_set(object, "found", ca_json_text(finding->found));
	if (r == 0)
		r = ca_json_set(object, "why", ca_json_text(finding->why));
	if (r == 0)
		r = set_bits(object, finding);
	if (r == 0)
		r = ca_json_set(object, "origin",
				json_string(ca_origin_name(certificate->evidence.origin)));
	if (r == 0)
		r = ca_json_set(object, "cardVerdict",
				json_string(ca_verdict_name(judgement->verdict)));
	if (r == 0)
		r = ca_json_set(object, "headline", ca_json_text(judgement->headline));
	if (r == 0)
		return object;
	json_decref(object);
	return NULL;
}

json_t *ca_sarif_write_result(const struct ca_certificate *certificate, const char *artifact,
			      const struct ca_finding *finding, unsigned int ordinal)
{
	const char *kind = kind_of(finding->verdict);
	const char *level = finding->verdict == CA_VERDICT_FAIL ? "error" : "none";
	json_int_t index = finding->rule - ca_spec_rules;
	json_t *object = json_object();

	if (object && ca_json_set(object, "ruleId", json_string(finding->rule->id)) == 0 &&
	    ca_json_set(object, "ruleIndex", json_integer(index)) == 0 &&
	    ca_json_set(object, "kind", json_string(kind)) == 0 &&
	    ca_json_set(object, "level", json_string(level)) == 0 &&
	    ca_json_set(object, "message", write_message(finding)) == 0 &&
	    ca_json_set(object, "locations",
			ca_sarif_write_locations(certificate, artifact, finding)) == 0 &&
	    ca_json_set(object, "partialFingerprints",
			write_fingerprint(certificate, finding, ordinal)) == 0 &&
	    ca_json_set(object, "properties", write_properties(certificate, finding)) == 0)
		return object;
	json_decref(object);
	return NULL;
}
