/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge_rule.h"

#include <string.h>
#include <strings.h>

bool ca_judge_has(const struct ca_judge_case *c, enum ca_register reg)
{
	return c->registers->has[reg];
}

bool ca_judge_is_sd(const struct ca_judge_case *c)
{
	return c->evidence->registers.type == CA_CARD_TYPE_SD;
}

bool ca_judge_has_ssr(const struct ca_judge_case *c)
{
	return ca_judge_is_sd(c) && ca_judge_has(c, CA_REGISTER_SSR) && !c->registers->ssr.all_zero;
}

bool ca_judge_has_csd2(const struct ca_judge_case *c)
{
	return ca_judge_has(c, CA_REGISTER_CSD) &&
	       (c->registers->csd.version == CA_CSD_V2 || c->registers->csd.version == CA_CSD_V3);
}

enum ca_crc ca_judge_cid_crc(const struct ca_judge_case *c)
{
	if (c->evidence->registers.masked)
		return (enum ca_crc)c->evidence->registers.masked_cid_crc;
	return c->registers->cid.crc;
}

bool ca_judge_is_xc(const struct ca_judge_case *c)
{
	return ca_judge_has_csd2(c) && (c->registers->csd.capacity_class == CA_CAPACITY_SDXC ||
					c->registers->csd.capacity_class == CA_CAPACITY_SDUC);
}

bool ca_judge_cid_is_blank(const struct ca_judge_case *c)
{
	const uint8_t *cid = c->evidence->registers.cid;

	return ca_judge_has(c, CA_REGISTER_CID) && (ca_bytes_is_all(cid, CA_CID_BYTES - 1, 0x00) ||
						    ca_bytes_is_all(cid, CA_CID_BYTES - 1, 0xff));
}

bool ca_judge_pnm_is_filler(const struct ca_judge_case *c)
{
	const char *pnm = c->registers->cid.pnm;

	if (!ca_judge_is_sd(c) || !ca_judge_has(c, CA_REGISTER_CID))
		return false;
	return memcmp(pnm, "APPSD", 5) == 0 || memcmp(pnm, "asdfg", 5) == 0 ||
	       ca_bytes_is_all(pnm, 5, 0);
}

bool ca_judge_model_is_samsung(const struct ca_judge_case *c)
{
	return ca_judge_has(c, CA_REGISTER_NVME_CTRL) &&
	       strncasecmp(c->registers->nvme_ctrl.mn, "SAMSUNG", 7) == 0;
}

bool ca_judge_model_is_wd(const struct ca_judge_case *c)
{
	static const char *const names[] = {"WD ", "WD_", "WDC ", "WDS", "SanDisk", "SDCPNRY"};
	const char *model = c->registers->nvme_ctrl.mn;

	if (!ca_judge_has(c, CA_REGISTER_NVME_CTRL))
		return false;
	for (size_t i = 0; i < CA_ARRAY_LEN(names); i++)
		if (strncasecmp(model, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

bool ca_judge_firmware_is_forged(const struct ca_judge_case *c)
{
	return ca_judge_model_is_samsung(c) &&
	       memcmp(c->registers->nvme_ctrl.fr, "8888888", 7) == 0;
}

bool ca_judge_oui_contradicts(const struct ca_judge_case *c)
{
	const struct ca_spec_nvme_vendor *vendor = c->identity->nvme_vendor;
	uint32_t oui = c->registers->nvme_ctrl.ieee_oui;
	char hex[8];
	struct ca_text text;

	if (!ca_judge_has(c, CA_REGISTER_NVME_CTRL) || !vendor || !vendor->ouis[0] || !oui)
		return false;
	ca_text_init(&text, hex, sizeof(hex));
	ca_text_hex(&text, oui, 6);
	return !strstr(vendor->ouis, hex);
}

uint64_t ca_judge_register_bytes(const struct ca_judge_case *c)
{
	const struct ca_registers *r = c->registers;

	if (ca_judge_has(c, CA_REGISTER_NVME_NS)) {
		uint64_t block = r->nvme_ns.block_bytes;

		return block && r->nvme_ns.nsze <= UINT64_MAX / block ? r->nvme_ns.nsze * block : 0;
	}
	if (!ca_judge_is_sd(c) && ca_judge_has(c, CA_REGISTER_EXTCSD) && r->extcsd.sec_count)
		return (uint64_t)r->extcsd.sec_count * CA_SECTOR_BYTES;
	return ca_judge_has(c, CA_REGISTER_CSD) ? r->csd.capacity_bytes : 0;
}

uint64_t ca_judge_announced_bytes(const struct ca_judge_case *c)
{
	if (c->evidence->capacity.announced_bytes)
		return c->evidence->capacity.announced_bytes;
	return c->evidence->device.bytes ? c->evidence->device.bytes : ca_judge_register_bytes(c);
}

bool ca_judge_is_printed(const struct ca_claim *claim)
{
	return claim->source == CA_SOURCE_LABEL || claim->source == CA_SOURCE_OPTION;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/*
 * A label may name a second size, of a phone or a pack: the one that is meant for the card is the
 * one nearest to what it announces, or the largest where that is not known. An option is no free
 * text.
 */
const struct ca_claim *ca_judge_label_capacity(const struct ca_judge_case *c)
{
	uint64_t announced = ca_judge_announced_bytes(c);
	const struct ca_claim *best = NULL;

	for (size_t i = 0; i < c->claims->count; i++) {
		const struct ca_claim *claim = &c->claims->claims[i];

		if (claim->kind != CA_CLAIM_CAPACITY || !ca_judge_is_printed(claim))
			continue;
		if (best && best->source != claim->source) {
			if (claim->source == CA_SOURCE_OPTION)
				best = claim;
			continue;
		}
		if (!best || (announced ? distance(claim->value, announced) <
						  distance(best->value, announced)
					: claim->value > best->value))
			best = claim;
	}
	return best;
}

uint64_t ca_judge_label_ppm(const struct ca_judge_case *c)
{
	const struct ca_claim *label = ca_judge_label_capacity(c);
	uint64_t announced = ca_judge_announced_bytes(c);

	/* whole kB: 2^64 bytes of it stay below 2^64 after the multiplication by 1000 */
	if (!label || label->value < 1000 || !announced)
		return 0;
	if (announced > UINT64_MAX / 1000)
		return UINT64_MAX;
	return announced * 1000 / (label->value / 1000);
}

uint64_t ca_judge_transfer_errors(const struct ca_judge_case *c)
{
	const struct ca_fact *before = &c->evidence->host[CA_HOST_ERR_STATS];
	const struct ca_fact *after = &c->evidence->host[CA_HOST_ERR_STATS_AFTER];

	if (!before->present || !after->present || before->number < 0 ||
	    after->number <= before->number)
		return 0;
	return (uint64_t)(after->number - before->number);
}
