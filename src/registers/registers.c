/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/registers.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "byte_field.h"
#include "ca_field_bits.h"

static const struct {
	const char *name;
	size_t bytes;
	size_t offset; /* in struct ca_raw_registers */
} registers[CA_REGISTER_COUNT] = {
	[CA_REGISTER_CID] = {"cid", CA_CID_BYTES, offsetof(struct ca_raw_registers, cid)},
	[CA_REGISTER_CSD] = {"csd", CA_CSD_BYTES, offsetof(struct ca_raw_registers, csd)},
	[CA_REGISTER_SCR] = {"scr", CA_SCR_BYTES, offsetof(struct ca_raw_registers, scr)},
	[CA_REGISTER_SSR] = {"ssr", CA_SSR_BYTES, offsetof(struct ca_raw_registers, ssr)},
	[CA_REGISTER_EXTCSD] = {"ext_csd", CA_EXTCSD_BYTES,
				offsetof(struct ca_raw_registers, extcsd)},
	[CA_REGISTER_NVME_CTRL] = {"id_ctrl", CA_NVME_ID_BYTES,
				   offsetof(struct ca_raw_registers, nvme_ctrl)},
	[CA_REGISTER_NVME_NS] = {"id_ns", CA_NVME_ID_BYTES,
				 offsetof(struct ca_raw_registers, nvme_ns)},
	[CA_REGISTER_NVME_SMART] = {"smart_log", CA_NVME_SMART_BYTES,
				    offsetof(struct ca_raw_registers, nvme_smart)},
	[CA_REGISTER_EXT_PERF] = {"ext_perf", CA_EXT_BYTES,
				  offsetof(struct ca_raw_registers, ext_perf)},
	[CA_REGISTER_EXT_POWER] = {"ext_power", CA_EXT_BYTES,
				   offsetof(struct ca_raw_registers, ext_power)},
	[CA_REGISTER_EXT_GENERAL] = {"ext_general", CA_EXT_SET_BYTES,
				     offsetof(struct ca_raw_registers, ext_general)},
	[CA_REGISTER_EXT_POWER_SET] = {"ext_power_set", CA_EXT_SET_BYTES,
				       offsetof(struct ca_raw_registers, ext_power_set)},
	[CA_REGISTER_EXT_PERF_SET] = {"ext_perf_set", CA_EXT_SET_BYTES,
				      offsetof(struct ca_raw_registers, ext_perf_set)},
};

const char *ca_register_name(enum ca_register reg)
{
	assert(reg < CA_REGISTER_COUNT);
	return registers[reg].name;
}

size_t ca_register_bytes(enum ca_register reg)
{
	assert(reg < CA_REGISTER_COUNT);
	return registers[reg].bytes;
}

const uint8_t *ca_register_data(const struct ca_raw_registers *raw, enum ca_register reg)
{
	assert(reg < CA_REGISTER_COUNT);
	return (const uint8_t *)raw + registers[reg].offset;
}

uint8_t *ca_register_data_mutable(struct ca_raw_registers *raw, enum ca_register reg)
{
	assert(reg < CA_REGISTER_COUNT);
	return (uint8_t *)raw + registers[reg].offset;
}

static int decode_one(const struct ca_raw_registers *raw, enum ca_register reg,
		      struct ca_registers *out)
{
	const uint8_t *data = ca_register_data(raw, reg);
	size_t bytes = ca_register_bytes(reg);

	switch (reg) {
	case CA_REGISTER_CID:
		return ca_cid_decode(raw->type, data, bytes, &out->cid);
	case CA_REGISTER_CSD:
		return ca_csd_decode(raw->type, data, bytes, &out->csd);
	case CA_REGISTER_SCR:
		return ca_scr_decode(data, bytes, &out->scr);
	case CA_REGISTER_SSR:
		return ca_ssr_decode(data, bytes, &out->ssr);
	case CA_REGISTER_EXTCSD:
		return ca_extcsd_decode(data, bytes, &out->extcsd);
	case CA_REGISTER_NVME_CTRL:
		return ca_nvme_ctrl_decode(data, bytes, &out->nvme_ctrl);
	case CA_REGISTER_NVME_NS:
		return ca_nvme_ns_decode(data, bytes, &out->nvme_ns);
	case CA_REGISTER_NVME_SMART:
		return ca_nvme_smart_decode(data, bytes, &out->nvme_smart);
	case CA_REGISTER_EXT_PERF:
	case CA_REGISTER_EXT_PERF_SET: /* comes later and says more */
		return ca_ext_perf_decode(data, bytes, &out->ext_perf);
	case CA_REGISTER_EXT_POWER:
	case CA_REGISTER_EXT_POWER_SET:
		return ca_ext_power_decode(data, bytes, &out->ext_power);
	case CA_REGISTER_EXT_GENERAL: /* a list, read by ca_extension_at */
		return 0;
	}
	return -EINVAL;
}

/*
 * The first MMC cards (SPEC_VERS 0 and 1) have a CID of another layout: a 24-bit maker number and a
 * name of seven characters. No such card is in use, so it is told apart and not decoded.
 */
static bool is_first_mmc(const struct ca_raw_registers *raw)
{
	return raw->type == CA_CARD_TYPE_MMC && raw->has[CA_REGISTER_CSD] &&
	       ca_bits_get(raw->csd, CA_CSD_BYTES, CA_FIELD_CSD_MMC_SPEC_VERS) <= 1;
}

/* Facts about the CID that other bytes hold. */
static void complete_cid(const struct ca_raw_registers *raw, struct ca_registers *out)
{
	if (out->has[CA_REGISTER_EXTCSD])
		ca_cid_apply_extcsd_rev(&out->cid, out->extcsd.rev);
	if (raw->masked && raw->masked_cid_crc == CA_CRC_GOOD)
		out->cid.crc = CA_CRC_GOOD;
	if (raw->masked && raw->masked_cid_crc == CA_CRC_BAD)
		out->cid.crc = CA_CRC_BAD;
}

void ca_registers_decode(const struct ca_raw_registers *raw, struct ca_registers *ret_registers)
{
	memset(ret_registers, 0, sizeof(*ret_registers));
	for (unsigned int i = 0; i < CA_REGISTER_COUNT; i++) {
		if (!raw->has[i])
			continue;
		ret_registers->has[i] = decode_one(raw, (enum ca_register)i, ret_registers) == 0;
		ret_registers->undecodable[i] = !ret_registers->has[i];
	}
	if (ret_registers->has[CA_REGISTER_CID] && is_first_mmc(raw)) {
		memset(&ret_registers->cid, 0, sizeof(ret_registers->cid));
		ret_registers->has[CA_REGISTER_CID] = false;
		ret_registers->undecodable[CA_REGISTER_CID] = true;
	}
	if (ret_registers->has[CA_REGISTER_CID])
		complete_cid(raw, ret_registers);
}

static void mask_cid(struct ca_raw_registers *raw)
{
	raw->masked_cid_crc = (int)ca_crc7_check(raw->cid);
	switch (raw->type) {
	case CA_CARD_TYPE_SD:
		ca_bits_set(raw->cid, CA_CID_BYTES, CA_FIELD_CID_SD_PSN, 0);
		break;
	case CA_CARD_TYPE_MMC:
		ca_bits_set(raw->cid, CA_CID_BYTES, CA_FIELD_CID_MMC_PSN, 0);
		break;
	}
	/* the CRC would give the serial away: it is a function of the other bits */
	raw->cid[CA_CID_BYTES - 1] = 0;
}

void ca_registers_mask(struct ca_raw_registers *raw)
{
	if (raw->masked) /* once: a second CRC check would only see the blank */
		return;
	raw->masked = true;
	raw->masked_cid_crc = CA_CRC_ABSENT;
	if (raw->has[CA_REGISTER_CID])
		mask_cid(raw);
	byte_field_clear(raw->nvme_ctrl, CA_FIELD_NVME_CTRL_SN);
	byte_field_clear(raw->nvme_ctrl, CA_FIELD_NVME_CTRL_FGUID);
	byte_field_clear(raw->nvme_ctrl, CA_FIELD_NVME_CTRL_SUBNQN);
	byte_field_clear(raw->nvme_ns, CA_FIELD_NVME_NS_NGUID);
	byte_field_clear(raw->nvme_ns, CA_FIELD_NVME_NS_EUI64);
}
