/* SPDX-License-Identifier: BSD-2-Clause */
#include "json_names.h"

#include "cardassay/claims.h"
#include "cardassay/evidence.h"
#include "cardassay/identity.h"
#include "cardassay/judge.h"
#include "cardassay/registers.h"

_Static_assert(CA_JSON_ORIGINS == CA_ORIGIN_RECORDED + 1, "names");
_Static_assert(CA_JSON_MEDIA == CA_MEDIA_NVME + 1, "names");
_Static_assert(CA_SECTOR_CLASS_COUNT == CA_SECTOR_UNWRITABLE + 1, "names");
_Static_assert(CA_JSON_FILL_ENDS == CA_FILL_HOST_ERROR + 1, "names");
_Static_assert(CA_JSON_CAPACITY_KINDS == CA_CAPACITY_KIND_HOST_LIMIT + 1, "names");
_Static_assert(CA_JSON_TRISTATES == CA_YES + 1, "names");
_Static_assert(CA_JSON_CARD_TYPES == CA_CARD_TYPE_MMC + 1, "names");
_Static_assert(CA_JSON_CRCS == CA_CRC_BAD + 1, "names");
_Static_assert(CA_JSON_CSD_VERSIONS == CA_CSD_MMC + 1, "names");
_Static_assert(CA_JSON_CAPACITY_CLASSES == CA_CAPACITY_MMC + 1, "names");
_Static_assert(CA_JSON_RUN_READS == CA_RUN_READS_MIXED + 1, "names");
_Static_assert(CA_JSON_PROFILES == CA_PROFILE_SPEED + 1, "names");
_Static_assert(CA_JSON_VERDICTS == CA_VERDICT_NOTE + 1, "names");
_Static_assert(CA_JSON_CLAIM_KINDS == CA_CLAIM_RANDOM_WRITE + 1, "names");
_Static_assert(CA_JSON_CLAIM_SOURCES == CA_SOURCE_IDENTIFY + 1, "names");
_Static_assert(CA_JSON_RELATIONS == CA_RELATION_CONTRADICTION + 1, "names");
_Static_assert(CA_JSON_CONFIDENCES == CA_CONFIDENCE_HIGH + 1, "names");

const char *ca_json_name_origin(unsigned int value)
{
	return ca_origin_name((enum ca_origin)value);
}

const char *ca_json_name_vendor_result(unsigned int value)
{
	return ca_vendor_result_name((enum ca_vendor_result)value);
}

const char *ca_json_name_media(unsigned int value)
{
	return ca_media_name((enum ca_media)value);
}

const char *ca_json_name_sector_class(unsigned int value)
{
	return ca_sector_class_name((enum ca_sector_class)value);
}

const char *ca_json_name_run_reads(unsigned int value)
{
	return ca_run_reads_name((enum ca_run_reads)value);
}

const char *ca_json_name_fill_end(unsigned int value)
{
	return ca_fill_end_name((enum ca_fill_end)value);
}

const char *ca_json_name_capacity_kind(unsigned int value)
{
	return ca_capacity_kind_name((enum ca_capacity_kind)value);
}

const char *ca_json_name_reinit(unsigned int value)
{
	return ca_reinit_name((enum ca_reinit_kind)value);
}

const char *ca_json_name_tristate(unsigned int value)
{
	static const char *const names[] = {"unknown", "no", "yes"};

	return names[value];
}

const char *ca_json_name_card_type(unsigned int value)
{
	static const char *const names[] = {"sd", "mmc"};

	return names[value];
}

const char *ca_json_name_crc(unsigned int value)
{
	static const char *const names[] = {"absent", "good", "bad"};

	return names[value];
}

const char *ca_json_name_csd_version(unsigned int value)
{
	static const char *const names[] = {"1.0", "2.0", "3.0", "mmc"};

	return names[value];
}

const char *ca_json_name_capacity_class(unsigned int value)
{
	return ca_capacity_class_name((enum ca_capacity_class)value);
}

const char *ca_json_name_profile(unsigned int value)
{
	return ca_profile_name((enum ca_profile)value);
}

const char *ca_json_name_verdict(unsigned int value)
{
	return ca_verdict_name((enum ca_verdict)value);
}

const char *ca_json_name_claim_kind(unsigned int value)
{
	static const char *const names[] = {
		"brand",	   "product",	       "form-factor",	    "card-type",
		"capacity",	   "retention",	       "application-class", "speed-class",
		"uhs-grade",	   "video-class",      "express-class",	    "bus",
		"sequential-read", "sequential-write", "random-read",	    "random-write",
	};

	return names[value];
}

const char *ca_json_name_claim_source(unsigned int value)
{
	return ca_claim_source_name((enum ca_claim_source)value);
}

const char *ca_json_name_relation(unsigned int value)
{
	return ca_relation_name((enum ca_relation)value);
}

const char *ca_json_name_confidence(unsigned int value)
{
	return ca_confidence_name((enum ca_confidence)value);
}
