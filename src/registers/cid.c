/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/registers.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "ca_field_bits.h"

#define SD_PNM_LEN     5U
#define MMC_PNM_LEN    6U
#define PNM_BYTE       3U /* the name starts behind MID and OID in both layouts */
#define SD_FIRST_YEAR  2000U
#define MMC_FIRST_YEAR 1997U

static uint32_t get(const uint8_t *data, unsigned int msb, unsigned int lsb)
{
	return (uint32_t)ca_bits_get(data, CA_CID_BYTES, msb, lsb);
}

static void decode_sd(const uint8_t *data, struct ca_cid *cid)
{
	cid->mid = (uint8_t)get(data, CA_FIELD_CID_SD_MID);
	cid->oid = (uint16_t)get(data, CA_FIELD_CID_SD_OID);
	cid->pnm_len = SD_PNM_LEN;
	cid->prv = (uint8_t)get(data, CA_FIELD_CID_SD_PRV);
	cid->psn = get(data, CA_FIELD_CID_SD_PSN);
	cid->reserved = (uint8_t)get(data, CA_FIELD_CID_SD_RESERVED_23_20);
	cid->mdt_year = (uint16_t)(SD_FIRST_YEAR + get(data, CA_FIELD_CID_SD_MDT_YEAR));
	cid->mdt_month = (uint8_t)get(data, CA_FIELD_CID_SD_MDT_MONTH);
}

static void decode_mmc(const uint8_t *data, struct ca_cid *cid)
{
	cid->mid = (uint8_t)get(data, CA_FIELD_CID_MMC_MID);
	cid->cbx = (uint8_t)get(data, CA_FIELD_CID_MMC_CBX);
	/* Linux shows the 16 bits behind MID as one number, the reserved ones included. */
	cid->oid = (uint16_t)(get(data, CA_FIELD_CID_MMC_RESERVED_119_114) << 10 |
			      (uint32_t)cid->cbx << 8 | get(data, CA_FIELD_CID_MMC_OID));
	cid->pnm_len = MMC_PNM_LEN;
	cid->prv = (uint8_t)get(data, CA_FIELD_CID_MMC_PRV);
	cid->psn = get(data, CA_FIELD_CID_MMC_PSN);
	cid->mdt_year = (uint16_t)(MMC_FIRST_YEAR + get(data, CA_FIELD_CID_MMC_MDT_YEAR));
	cid->mdt_month = (uint8_t)get(data, CA_FIELD_CID_MMC_MDT_MONTH);
}

int ca_cid_decode(enum ca_card_type type, const uint8_t *data, size_t bytes, struct ca_cid *ret_cid)
{
	struct ca_cid cid = {.type = type};

	if (bytes != CA_CID_BYTES)
		return -EMSGSIZE;
	switch (type) {
	case CA_CARD_TYPE_SD:
		decode_sd(data, &cid);
		break;
	case CA_CARD_TYPE_MMC:
		decode_mmc(data, &cid);
		break;
	}
	memcpy(cid.pnm, data + PNM_BYTE, cid.pnm_len);
	cid.crc = ca_crc7_check(data);
	*ret_cid = cid;
	return 0;
}

static void set(uint8_t *data, unsigned int msb, unsigned int lsb, uint64_t value)
{
	ca_bits_set(data, CA_CID_BYTES, msb, lsb, value);
}

void ca_cid_encode(const struct ca_cid *cid, uint8_t ret_data[CA_CID_BYTES])
{
	assert(cid->type == CA_CARD_TYPE_SD);
	assert(cid->mdt_year >= SD_FIRST_YEAR && cid->mdt_year <= SD_FIRST_YEAR + 255);
	memset(ret_data, 0, CA_CID_BYTES);
	set(ret_data, CA_FIELD_CID_SD_MID, cid->mid);
	set(ret_data, CA_FIELD_CID_SD_OID, cid->oid);
	memcpy(ret_data + PNM_BYTE, cid->pnm, SD_PNM_LEN);
	set(ret_data, CA_FIELD_CID_SD_PRV, cid->prv);
	set(ret_data, CA_FIELD_CID_SD_PSN, cid->psn);
	set(ret_data, CA_FIELD_CID_SD_RESERVED_23_20, cid->reserved);
	set(ret_data, CA_FIELD_CID_SD_MDT_YEAR, cid->mdt_year - SD_FIRST_YEAR);
	set(ret_data, CA_FIELD_CID_SD_MDT_MONTH, cid->mdt_month);
	set(ret_data, CA_FIELD_CID_SD_CRC, ca_crc7(ret_data, CA_CID_BYTES - 1));
	set(ret_data, CA_FIELD_CID_SD_NOT_USED, 1);
}

void ca_cid_apply_extcsd_rev(struct ca_cid *cid, uint8_t extcsd_rev)
{
	/* JESD84-B451 started the four bits of the year again in 2013. */
	if (cid->type == CA_CARD_TYPE_MMC && extcsd_rev >= 5 && cid->mdt_year < 2010)
		cid->mdt_year = (uint16_t)(cid->mdt_year + 16);
}
