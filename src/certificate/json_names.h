/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of enum values as the certificate spells them, and how many there are. */
#ifndef CA_CERTIFICATE_JSON_NAMES_H
#define CA_CERTIFICATE_JSON_NAMES_H

#include "json_fields.h"

ca_json_namer ca_json_name_origin, ca_json_name_media, ca_json_name_sector_class,
	ca_json_name_run_reads, ca_json_name_fill_end, ca_json_name_capacity_kind,
	ca_json_name_reinit, ca_json_name_tristate, ca_json_name_card_type, ca_json_name_crc,
	ca_json_name_csd_version, ca_json_name_capacity_class, ca_json_name_profile,
	ca_json_name_verdict, ca_json_name_claim_kind, ca_json_name_claim_source,
	ca_json_name_relation, ca_json_name_confidence, ca_json_name_vendor_result;

#define CA_JSON_ORIGINS		 5U
#define CA_JSON_MEDIA		 4U
#define CA_JSON_RUN_READS	 3U
#define CA_JSON_FILL_ENDS	 7U
#define CA_JSON_CAPACITY_KINDS	 15U
#define CA_JSON_REINIT_KINDS	 4U
#define CA_JSON_TRISTATES	 3U
#define CA_JSON_CARD_TYPES	 2U
#define CA_JSON_CRCS		 3U
#define CA_JSON_CSD_VERSIONS	 4U
#define CA_JSON_CAPACITY_CLASSES 5U
#define CA_JSON_PROFILES	 6U
#define CA_JSON_VERDICTS	 7U
#define CA_JSON_CLAIM_KINDS	 16U
#define CA_JSON_CLAIM_SOURCES	 8U
#define CA_JSON_RELATIONS	 7U
#define CA_JSON_CONFIDENCES	 4U
#define CA_JSON_VENDOR_RESULTS	 CA_VENDOR_RESULT_COUNT

#endif
