/* SPDX-License-Identifier: BSD-2-Clause */
/* Fields that take more than their number to say. */
#include "field_value.h"

#include <string.h>

#include "ca_field_bits.h"

static void decode_crc7(const struct field_value *value, struct ca_text *text)
{
	bool cid = strncmp(value->field->layout, "cid", 3) == 0;

	switch (cid ? value->registers->cid.crc : value->registers->csd.crc) {
	case CA_CRC_ABSENT:
		ca_text_add(text, "not passed on by this host");
		return;
	case CA_CRC_GOOD:
		ca_text_add(text, "good");
		return;
	case CA_CRC_BAD:
		ca_text_add(text, "bad: the register does not match its checksum");
		return;
	}
}

static void decode_mmc_year(const struct field_value *value, struct ca_text *text)
{
	ca_text_u64(text, value->registers->cid.mdt_year);
}

/* Mantissas of TAAC and TRAN_SPEED x 10; eMMC has two others in TRAN_SPEED (26, 52 MHz). */
static const uint8_t mantissas[16] = {0,  10, 12, 13, 15, 20, 25, 30,
				      35, 40, 45, 50, 55, 60, 70, 80};

static uint64_t mantissa(uint64_t code, bool mmc_clock)
{
	uint8_t tenths = mantissas[code >> 3 & 15];

	return mmc_clock && tenths == 25 ? 26 : mmc_clock && tenths == 50 ? 52 : tenths;
}

static uint64_t power10(uint64_t exponent)
{
	uint64_t result = 1;

	while (exponent--)
		result *= 10;
	return result;
}

static void decode_taac(const struct field_value *value, struct ca_text *text)
{
	static const char *const units[] = {" ns", " us", " ms"};
	unsigned int exponent;

	if (!(value->number >> 3 & 15) || value->number >> 7) {
		ca_text_add(text, "reserved code");
		return;
	}
	exponent = (unsigned int)(value->number & 7);
	ca_text_fixed(text, mantissa(value->number, false) * power10(exponent % 3), 10, 1);
	ca_text_add(text, units[exponent / 3]);
}

/* 100 kbit/s x 10^unit x mantissa, a line */
static void decode_clock(const struct field_value *value, struct ca_text *text)
{
	bool mmc = strncmp(value->arguments, "mmc", 3) == 0;
	uint64_t unit = value->number & 7, rate;

	if (!(value->number >> 3 & 15) || value->number >> 7 || unit > 3) {
		ca_text_add(text, "reserved code");
		return;
	}
	rate = mantissa(value->number, mmc) * power10(unit) * 10; /* kbit/s */
	ca_text_fixed(text, rate, 1000, rate % 1000 ? 2 : 0);
	ca_text_add(text, " Mbit/s a line");
}

static void decode_classes(const struct field_value *value, struct ca_text *text)
{
	size_t start = text->len;

	for (unsigned int i = 0; i < 12; i++) {
		if (!(value->number >> i & 1))
			continue;
		ca_text_add(text, text->len > start ? " " : "classes ");
		ca_text_u64(text, i);
	}
	if (text->len == start)
		ca_text_add(text, "none");
}

static void decode_capacity(const struct field_value *value, struct ca_text *text)
{
	if (value->registers->csd.capacity_bytes)
		field_value_size(text, value->registers->csd.capacity_bytes);
	else
		ca_text_add(text, "above 2 GB: EXT_CSD has it");
}

static void decode_sd_version(const struct field_value *value, struct ca_text *text)
{
	uint16_t version = value->registers->scr.version_x100;

	if (version)
		ca_text_fixed(text, version, 100, 2);
	else
		ca_text_add(text, "a reserved combination");
}

/* Bytes, but units of the CSD multiplier on the cards that have one (S T4-44). */
static void decode_protected(const struct field_value *value, struct ca_text *text)
{
	const struct ca_csd *csd = &value->registers->csd;

	if (!value->registers->has[CA_REGISTER_CSD] || csd->version != CA_CSD_V1)
		field_value_size(text, value->number);
	else
		field_value_size(text, value->number << (csd->c_size_mult + 2U + csd->read_bl_len));
}

static void decode_vsc_au(const struct field_value *value, struct ca_text *text)
{
	uint8_t unit = value->registers->ssr.vsc_su_mib;

	ca_text_u64(text, value->number);
	ca_text_add(text, unit ? " MiB in units of " : " MiB, which no rule allows");
	if (!unit)
		return;
	ca_text_u64(text, unit);
	ca_text_add(text, " MiB");
}

static void add_depth(struct ca_text *text, uint64_t depth)
{
	ca_text_u64(text, depth);
	ca_text_add(text, " commands");
}

static void decode_cq_depth(const struct field_value *value, struct ca_text *text)
{
	if (value->number & 0x1f)
		add_depth(text, (value->number & 0x1f) + 1);
	else
		ca_text_add(text, "none");
}

static void decode_emmc_depth(const struct field_value *value, struct ca_text *text)
{
	if (value->registers->extcsd.cmdq_support)
		add_depth(text, (value->number & 0x1f) + 1);
	else
		ca_text_add(text, "no queue");
}

static void decode_life(const struct field_value *value, struct ca_text *text)
{
	if (value->number == 0)
		ca_text_add(text, "not stated");
	else if (value->number > 11)
		ca_text_add(text, "reserved code");
	else if (value->number == 11)
		ca_text_add(text, "beyond its estimated life");
	else {
		ca_text_u64(text, (value->number - 1) * 10);
		ca_text_add(text, " to ");
		ca_text_u64(text, value->number * 10);
		ca_text_add(text, " % used");
	}
}

static void decode_oui(const struct field_value *value, struct ca_text *text)
{
	for (unsigned int shift = 24; shift; shift -= 8) {
		ca_text_hex(text, value->number >> (shift - 8) & 0xff, 2);
		ca_text_add(text, shift > 8 ? ":" : "");
	}
}

static void decode_nvme_version(const struct field_value *value, struct ca_text *text)
{
	ca_text_u64(text, value->number >> 16);
	ca_text_add(text, ".");
	ca_text_u64(text, value->number >> 8 & 0xff);
	if (!(value->number & 0xff))
		return;
	ca_text_add(text, ".");
	ca_text_u64(text, value->number & 0xff);
}

/* Number behind the letters of PSD7, LBAF12. */
static unsigned int row_number(const struct ca_field *field)
{
	const char *p = field->name + strcspn(field->name, "0123456789");
	unsigned int number = 0;

	while (*p)
		number = 10 * number + (unsigned int)(*p++ - '0');
	return number;
}

static void decode_power_state(const struct field_value *value, struct ca_text *text)
{
	const struct ca_nvme_ctrl *ctrl = &value->registers->nvme_ctrl;
	unsigned int row = row_number(value->field);
	const struct ca_nvme_power_state *state = &ctrl->psd[row];

	if (row > ctrl->npss) {
		ca_text_add(text, "no such state");
		return;
	}
	ca_text_fixed(text, state->max_power_raw, state->max_power_scale ? 10000 : 100,
		      state->max_power_scale ? 4 : 2);
	ca_text_add(text, state->non_operational ? " W, not working" : " W, working");
	ca_text_add(text, ", entry ");
	ca_text_u64(text, state->entry_latency_us);
	ca_text_add(text, " us, exit ");
	ca_text_u64(text, state->exit_latency_us);
	ca_text_add(text, " us");
}

static void decode_lbaf(const struct field_value *value, struct ca_text *text)
{
	static const char *const speeds[] = {"best", "better", "good", "degraded"};
	const struct ca_nvme_ns *ns = &value->registers->nvme_ns;
	unsigned int row = row_number(value->field);
	const struct ca_nvme_lbaf *lbaf = &ns->lbaf[row];

	if (lbaf->lbads < 9 || lbaf->lbads > 63) {
		ca_text_add(text, "no block size");
		return;
	}
	ca_text_u64(text, UINT64_C(1) << lbaf->lbads);
	ca_text_add(text, " bytes");
	if (lbaf->ms) {
		ca_text_add(text, " and ");
		ca_text_u64(text, lbaf->ms);
		ca_text_add(text, " of metadata");
	}
	ca_text_add(text, ", speed ");
	ca_text_add(text, speeds[lbaf->rp]);
	ca_text_add(text, row == ns->lbaf_index ? ", in use" : "");
}

static void decode_flbas(const struct field_value *value, struct ca_text *text)
{
	ca_text_add(text, "format ");
	ca_text_u64(text, value->registers->nvme_ns.lbaf_index);
	ca_text_add(text, value->number & 0x10 ? ", metadata behind the data" : "");
}

static void decode_extensions(const struct field_value *value, struct ca_text *text)
{
	static const char *const names[] = {"vendor", "power management", "performance enhancement",
					    "security"};
	struct ca_extension extension;
	size_t start = text->len;

	for (unsigned int i = 0; ca_extension_at(value->data, i, &extension) == 0; i++) {
		ca_text_add(text, text->len > start ? "; " : "");
		ca_text_add(text, extension.standard_function < CA_ARRAY_LEN(names)
					  ? names[extension.standard_function]
					  : "reserved");
		ca_text_add(text, " at function ");
		ca_text_u64(text, extension.function);
		ca_text_add(text, " page ");
		ca_text_u64(text, extension.address >> 9);
		ca_text_add(text, " offset ");
		ca_text_u64(text, extension.address & 0x1ff);
	}
	if (text->len == start)
		ca_text_add(text, "none");
}

field_decoder *field_special_find(const char *kind, size_t len)
{
	static const struct {
		const char *name;
		field_decoder *decode;
	} kinds[] = {
		{"crc7", decode_crc7},
		{"mmc_year", decode_mmc_year},
		{"taac", decode_taac},
		{"clock", decode_clock},
		{"classes", decode_classes},
		{"capacity", decode_capacity},
		{"sd_version", decode_sd_version},
		{"protected", decode_protected},
		{"vsc_au", decode_vsc_au},
		{"cq_depth", decode_cq_depth},
		{"emmc_depth", decode_emmc_depth},
		{"life", decode_life},
		{"oui", decode_oui},
		{"nvme_version", decode_nvme_version},
		{"power_state", decode_power_state},
		{"lbaf", decode_lbaf},
		{"flbas", decode_flbas},
		{"extensions", decode_extensions},
	};

	for (size_t i = 0; i < CA_ARRAY_LEN(kinds); i++)
		if (strlen(kinds[i].name) == len && memcmp(kinds[i].name, kind, len) == 0)
			return kinds[i].decode;
	return NULL;
}
