/* SPDX-License-Identifier: BSD-2-Clause */
/* Which rows of specs/fields.tsv describe a register. */
#include "cardassay/registers.h"

#include <string.h>

#include "ca_field_bits.h"

/* Fields that tell one copy from another: what ca_registers_mask blanks. */
static const struct {
	const char *layout, *name;
} masked[] = {
	{"cid_sd", "PSN"},	 {"cid_mmc", "PSN"},   {"cid_sd", "CRC"},
	{"cid_mmc", "CRC"},	 {"nvme_ctrl", "SN"},  {"nvme_ctrl", "FGUID"},
	{"nvme_ctrl", "SUBNQN"}, {"nvme_ns", "NGUID"}, {"nvme_ns", "EUI64"},
};

static const char *csd_layout(const struct ca_raw_registers *raw)
{
	static const char *const versions[] = {"csd_v1", "csd_v2", "csd_v3"};
	uint64_t structure = ca_bits_get(raw->csd, CA_CSD_BYTES, CA_FIELD_CSD_V1_CSD_STRUCTURE);

	if (raw->type == CA_CARD_TYPE_MMC)
		return "csd_mmc";
	return structure < CA_ARRAY_LEN(versions) ? versions[structure] : NULL;
}

const char *ca_register_layout(const struct ca_raw_registers *raw, enum ca_register reg)
{
	switch (reg) {
	case CA_REGISTER_CID:
		return raw->type == CA_CARD_TYPE_MMC ? "cid_mmc" : "cid_sd";
	case CA_REGISTER_CSD:
		return csd_layout(raw);
	case CA_REGISTER_SCR:
		return "scr";
	case CA_REGISTER_SSR:
		return "ssr";
	case CA_REGISTER_EXTCSD:
		return "extcsd";
	case CA_REGISTER_NVME_CTRL:
		return "nvme_ctrl";
	case CA_REGISTER_NVME_NS:
		return "nvme_ns";
	case CA_REGISTER_NVME_SMART:
		return "nvme_smart";
	case CA_REGISTER_EXT_PERF:
		return "ext_perf";
	case CA_REGISTER_EXT_POWER:
		return "ext_power";
	case CA_REGISTER_EXT_GENERAL:
		return "ext_general";
	case CA_REGISTER_EXT_POWER_SET:
		return "ext_power_set";
	case CA_REGISTER_EXT_PERF_SET:
		return "ext_perf_set";
	}
	return NULL;
}

const char *ca_ocr_layout(enum ca_card_type type)
{
	return type == CA_CARD_TYPE_MMC ? "ocr_mmc" : "ocr_sd";
}

const struct ca_field *ca_field_first(const char *layout)
{
	for (size_t i = 0; i < ca_fields_count; i++)
		if (strcmp(ca_fields[i].layout, layout) == 0)
			return &ca_fields[i];
	return NULL;
}

const struct ca_field *ca_field_next(const struct ca_field *field)
{
	const struct ca_field *next = field + 1;

	if (next == ca_fields + ca_fields_count || strcmp(next->layout, field->layout) != 0)
		return NULL;
	return next;
}

bool ca_field_is_bytes(const struct ca_field *field)
{
	static const char *const layouts[] = {"extcsd",	     "nvme_ctrl",   "nvme_ns",
					      "nvme_smart",  "ext_general", "ext_power_set",
					      "ext_perf_set"};

	for (size_t i = 0; i < CA_ARRAY_LEN(layouts); i++)
		if (strcmp(field->layout, layouts[i]) == 0)
			return true;
	return false;
}

bool ca_field_is_masked(const struct ca_field *field)
{
	for (size_t i = 0; i < CA_ARRAY_LEN(masked); i++)
		if (strcmp(field->layout, masked[i].layout) == 0 &&
		    strcmp(field->name, masked[i].name) == 0)
			return true;
	return false;
}
