/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pieces of a SARIF 2.1.0 log. _write functions return a new value, NULL for no memory. Clauses
 * are those of the OASIS standard "Static Analysis Results Interchange Format 2.1.0".
 */
#ifndef CA_CERTIFICATE_SARIF_PARTS_H
#define CA_CERTIFICATE_SARIF_PARTS_H

#include "json_fields.h"

#include "cardassay/certificate.h"

/* Places in tool.driver.notifications. */
enum ca_sarif_notice_kind {
	CA_SARIF_NOTICE_ORIGIN,
	CA_SARIF_NOTICE_RUN,
};

/*
 * A message string (3.11): no character that steers a terminal, braces doubled since single ones
 * are placeholders, and nothing that a viewer could take for a link.
 */
json_t *ca_sarif_write_message(const char *text);

/* One reportingDescriptor (3.49) of tool.driver.rules. `page` is the rule's, in Markdown. */
json_t *ca_sarif_write_rule(const struct ca_spec_rule *rule, const char *page);
/* tool.driver.notifications */
json_t *ca_sarif_write_notice_kinds(void);

/* One result (3.27). `ordinal` tells apart findings of one rule in one place. */
json_t *ca_sarif_write_result(const struct ca_certificate *certificate, const char *artifact,
			      const struct ca_finding *finding, unsigned int ordinal);

/* ---- places (sarif_place.c) ---------------------------------------------------------------- */

/*
 * "cid" and "[103:64]" of "cid[103:64]"; "sector" and "" of "sector 12": what stays the same from
 * run to run. Returns false when `where` is empty; the parts are then "device" and "".
 */
struct ca_sarif_where {
	char part[48], bits[48];
};
bool ca_sarif_split_where(const char *where, struct ca_sarif_where *ret_where);

/*
 * URI reference of what the finding speaks of: the register's own file where the target was a
 * directory, else the target. NULL for no memory; free it.
 */
char *ca_sarif_uri(const struct ca_evidence *evidence, const char *artifact, const char *part);

/* array of one location (3.28) */
json_t *ca_sarif_write_locations(const struct ca_certificate *certificate, const char *artifact,
				 const struct ca_finding *finding);

#endif
