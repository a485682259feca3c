/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The parts of the document, one pair of functions each. _write functions return a new value, NULL
 * for no memory; _read functions return 0, -ENOMEM, or -EBADMSG with error.
 */
#ifndef CA_CERTIFICATE_JSON_PARTS_H
#define CA_CERTIFICATE_JSON_PARTS_H

#include "json_fields.h"

#include "cardassay/certificate.h"

json_t *ca_json_write_evidence(const struct ca_evidence *evidence);
int ca_json_read_evidence(const json_t *object, struct ca_evidence *evidence,
			  struct ca_error *error);

json_t *ca_json_write_vendor(const struct ca_vendor_health *health);
json_t *ca_json_write_vendor_decoded(const struct ca_vendor_health *health); /* null: nothing */
int ca_json_read_vendor(const json_t *object, struct ca_vendor_health *health,
			struct ca_error *error);

/* Of sectors (json_sample.c). Samples are there when, and only when, a first bad sector is; a key
 * of 16 or 32 bytes may be. */
json_t *ca_json_write_classes(const uint64_t classes[CA_SECTOR_CLASS_COUNT]);
int ca_json_write_samples(json_t *object, bool has, const uint8_t *expected, const uint8_t *found);
int ca_json_write_key(json_t *object, bool has, const uint8_t *key, size_t bytes);
int ca_json_read_classes(const json_t *object, const char *path,
			 uint64_t classes[CA_SECTOR_CLASS_COUNT], struct ca_error *error);
int ca_json_read_samples(const json_t *object, const char *path, bool has, uint8_t *ret_expected,
			 uint8_t *ret_found, struct ca_error *error);
int ca_json_read_key(const json_t *object, const char *path, bool *ret_has, uint8_t ret_key[32],
		     uint8_t *ret_bytes, struct ca_error *error);

/* Of figures (json_figure.c): an object with its operation, and the latencies in it. */
json_t *ca_json_begin_figure(bool write);
int ca_json_write_latency(json_t *object, const struct ca_latency *latency);
int ca_json_read_operation(const json_t *object, const char *path, bool *ret_write,
			   struct ca_error *error);
int ca_json_read_latency(const json_t *object, const char *path, struct ca_latency *latency,
			 struct ca_error *error);

json_t *ca_json_write_probe(const struct ca_probe_evidence *probe);
int ca_json_read_probe(const json_t *object, struct ca_probe_evidence *probe,
		       struct ca_error *error);

json_t *ca_json_write_capacity(const struct ca_capacity_evidence *capacity);
int ca_json_read_capacity(const json_t *object, struct ca_capacity_evidence *capacity,
			  struct ca_error *error);

json_t *ca_json_write_speed(const struct ca_speed_evidence *speed);
int ca_json_read_speed(const json_t *object, struct ca_speed_evidence *speed,
		       struct ca_error *error);

json_t *ca_json_write_survey(const struct ca_survey_evidence *survey);
int ca_json_read_survey(const json_t *object, struct ca_survey_evidence *survey,
			struct ca_error *error);

json_t *ca_json_write_identity(const struct ca_identity *identity);
int ca_json_read_identity(const json_t *object, struct ca_identity *identity,
			  struct ca_error *error);

json_t *ca_json_write_claims(const struct ca_judgement *judgement);
int ca_json_read_claims(const json_t *array, struct ca_claims *claims, struct ca_error *error);

json_t *ca_json_write_findings(const struct ca_judgement *judgement);
int ca_json_read_findings(const json_t *array, struct ca_judgement *judgement, size_t *ret_unknown,
			  struct ca_error *error);

/* What became of every rule: a view's, not the certificate's; nothing reads it back. */
json_t *ca_json_write_rules(const struct ca_judgement *judgement);

/* The registers as fields, for readers without a decoder; nothing reads it back. */
json_t *ca_json_write_decoded(const struct ca_evidence *evidence, const struct ca_claims *claims);

/* Runs packed (runs_pack.c): {"encoding", "runs", "blake2b_256", "data"}. */
json_t *ca_json_write_packed_runs(const struct ca_run *runs, size_t count);
int ca_json_read_packed_runs(const json_t *object, struct ca_run **ret_runs, size_t *ret_count,
			     struct ca_error *error);
/* True when the runs ascend, do not overlap, and none is empty. */
bool ca_json_runs_are_sane(const struct ca_run *runs, size_t count);

#define CA_JSON_RUNS_CLEAR  1000U    /* so many in clear; more are packed */
#define CA_JSON_RUNS_MAX    1048576U /* what a certificate may carry */
#define CA_JSON_FINDING_MAX 512U

#endif
