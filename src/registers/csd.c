/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/registers.h"

#include <errno.h>
#include <string.h>

#include "ca_field_bits.h"

#define C_SIZE_UNIT	     (512 * CA_KIB) /* versions 2.0 and 3.0 */
#define SDXC_FIRST_C_SIZE    0xffffU
#define MMC_C_SIZE_IN_EXTCSD 0xfffU

const char *ca_capacity_class_name(enum ca_capacity_class class_of)
{
	switch (class_of) {
	case CA_CAPACITY_SDSC:
		return "SDSC";
	case CA_CAPACITY_SDHC:
		return "SDHC";
	case CA_CAPACITY_SDXC:
		return "SDXC";
	case CA_CAPACITY_SDUC:
		return "SDUC";
	case CA_CAPACITY_MMC:
		return "MMC";
	}
	return "";
}

static uint32_t get(const uint8_t *data, unsigned int msb, unsigned int lsb)
{
	return (uint32_t)ca_bits_get(data, CA_CSD_BYTES, msb, lsb);
}

/* The rows that all four layouts share; the field table is tested for that. */
static void decode_common(const uint8_t *data, struct ca_csd *csd)
{
	csd->structure = (uint8_t)get(data, CA_FIELD_CSD_V1_CSD_STRUCTURE);
	csd->taac = (uint8_t)get(data, CA_FIELD_CSD_V1_TAAC);
	csd->nsac = (uint8_t)get(data, CA_FIELD_CSD_V1_NSAC);
	csd->tran_speed = (uint8_t)get(data, CA_FIELD_CSD_V1_TRAN_SPEED);
	csd->ccc = (uint16_t)get(data, CA_FIELD_CSD_V1_CCC);
	csd->read_bl_len = (uint8_t)get(data, CA_FIELD_CSD_V1_READ_BL_LEN);
	csd->read_bl_partial = get(data, CA_FIELD_CSD_V1_READ_BL_PARTIAL);
	csd->write_blk_misalign = get(data, CA_FIELD_CSD_V1_WRITE_BLK_MISALIGN);
	csd->read_blk_misalign = get(data, CA_FIELD_CSD_V1_READ_BLK_MISALIGN);
	csd->dsr_imp = get(data, CA_FIELD_CSD_V1_DSR_IMP);
	csd->wp_grp_enable = get(data, CA_FIELD_CSD_V1_WP_GRP_ENABLE);
	csd->r2w_factor = (uint8_t)get(data, CA_FIELD_CSD_V1_R2W_FACTOR);
	csd->write_bl_len = (uint8_t)get(data, CA_FIELD_CSD_V1_WRITE_BL_LEN);
	csd->write_bl_partial = get(data, CA_FIELD_CSD_V1_WRITE_BL_PARTIAL);
	csd->file_format_grp = get(data, CA_FIELD_CSD_V1_FILE_FORMAT_GRP);
	csd->copy = get(data, CA_FIELD_CSD_V1_COPY);
	csd->perm_write_protect = get(data, CA_FIELD_CSD_V1_PERM_WRITE_PROTECT);
	csd->tmp_write_protect = get(data, CA_FIELD_CSD_V1_TMP_WRITE_PROTECT);
	csd->file_format = (uint8_t)get(data, CA_FIELD_CSD_V1_FILE_FORMAT);
	csd->crc = ca_crc7_check(data);
}

/* What SD cards of every version have at one place, and MMC has not. */
static void decode_sd(const uint8_t *data, struct ca_csd *csd)
{
	csd->reserved_125_120 = (uint8_t)get(data, CA_FIELD_CSD_V1_RESERVED_125_120);
	csd->erase_blk_en = get(data, CA_FIELD_CSD_V1_ERASE_BLK_EN);
	csd->sector_size = (uint8_t)get(data, CA_FIELD_CSD_V1_SECTOR_SIZE);
	csd->wp_grp_size = (uint8_t)get(data, CA_FIELD_CSD_V1_WP_GRP_SIZE);
	csd->reserved_30_29 = (uint8_t)get(data, CA_FIELD_CSD_V1_RESERVED_30_29);
	csd->reserved_20_16 = (uint8_t)get(data, CA_FIELD_CSD_V1_RESERVED_20_16);
	csd->wp_upc = get(data, CA_FIELD_CSD_V1_WP_UPC);
	csd->reserved_8 = (uint8_t)get(data, CA_FIELD_CSD_V1_RESERVED_8);
}

/* The multiplier form of the capacity: SD version 1.0 and MMC. */
static void decode_small(const uint8_t *data, struct ca_csd *csd)
{
	csd->reserved_above_c_size = (uint8_t)get(data, CA_FIELD_CSD_V1_RESERVED_75_74);
	csd->c_size = get(data, CA_FIELD_CSD_V1_C_SIZE);
	csd->vdd_r_curr_min = (uint8_t)get(data, CA_FIELD_CSD_V1_VDD_R_CURR_MIN);
	csd->vdd_r_curr_max = (uint8_t)get(data, CA_FIELD_CSD_V1_VDD_R_CURR_MAX);
	csd->vdd_w_curr_min = (uint8_t)get(data, CA_FIELD_CSD_V1_VDD_W_CURR_MIN);
	csd->vdd_w_curr_max = (uint8_t)get(data, CA_FIELD_CSD_V1_VDD_W_CURR_MAX);
	csd->c_size_mult = (uint8_t)get(data, CA_FIELD_CSD_V1_C_SIZE_MULT);
	csd->capacity_bytes = (csd->c_size + UINT64_C(1))
			      << (csd->c_size_mult + 2U + csd->read_bl_len);
}

static void decode_v1(const uint8_t *data, struct ca_csd *csd)
{
	csd->version = CA_CSD_V1;
	csd->capacity_class = CA_CAPACITY_SDSC;
	decode_sd(data, csd);
	decode_small(data, csd);
}

static void decode_v2(const uint8_t *data, struct ca_csd *csd)
{
	csd->version = CA_CSD_V2;
	decode_sd(data, csd);
	csd->reserved_above_c_size = (uint8_t)get(data, CA_FIELD_CSD_V2_RESERVED_75_70);
	csd->c_size = get(data, CA_FIELD_CSD_V2_C_SIZE);
	csd->reserved_47 = (uint8_t)get(data, CA_FIELD_CSD_V2_RESERVED_47);
	csd->capacity_bytes = (csd->c_size + UINT64_C(1)) * C_SIZE_UNIT;
	csd->capacity_class =
		csd->c_size >= SDXC_FIRST_C_SIZE ? CA_CAPACITY_SDXC : CA_CAPACITY_SDHC;
}

static void decode_v3(const uint8_t *data, struct ca_csd *csd)
{
	csd->version = CA_CSD_V3;
	csd->capacity_class = CA_CAPACITY_SDUC;
	decode_sd(data, csd);
	csd->c_size = get(data, CA_FIELD_CSD_V3_C_SIZE);
	csd->reserved_47 = (uint8_t)get(data, CA_FIELD_CSD_V3_RESERVED_47);
	csd->capacity_bytes = (csd->c_size + UINT64_C(1)) * C_SIZE_UNIT;
}

static void decode_mmc(const uint8_t *data, struct ca_csd *csd)
{
	csd->version = CA_CSD_MMC;
	csd->capacity_class = CA_CAPACITY_MMC;
	csd->reserved_125_120 = (uint8_t)get(data, CA_FIELD_CSD_MMC_RESERVED_121_120);
	csd->wp_grp_size = (uint8_t)get(data, CA_FIELD_CSD_MMC_WP_GRP_SIZE);
	csd->reserved_20_16 = (uint8_t)get(data, CA_FIELD_CSD_MMC_RESERVED_20_17);
	decode_small(data, csd);
	if (csd->c_size == MMC_C_SIZE_IN_EXTCSD)
		csd->capacity_bytes = 0;
}

int ca_csd_decode(enum ca_card_type type, const uint8_t *data, size_t bytes, struct ca_csd *ret_csd)
{
	/* by CSD_STRUCTURE; 3 names no layout of SD cards */
	static void (*const decode_version[])(const uint8_t *, struct ca_csd *) = {
		decode_v1,
		decode_v2,
		decode_v3,
	};
	struct ca_csd csd = {0};

	if (bytes != CA_CSD_BYTES)
		return -EMSGSIZE;
	decode_common(data, &csd);
	switch (type) {
	case CA_CARD_TYPE_SD:
		if (csd.structure >= CA_ARRAY_LEN(decode_version))
			return -EPROTO;
		decode_version[csd.structure](data, &csd);
		break;
	case CA_CARD_TYPE_MMC:
		decode_mmc(data, &csd);
		break;
	}
	*ret_csd = csd;
	return 0;
}

static void set(uint8_t *data, unsigned int msb, unsigned int lsb, uint64_t value)
{
	ca_bits_set(data, CA_CSD_BYTES, msb, lsb, value);
}

/* S 5.3.3: C_SIZE FF60h to FFFEh belongs to neither SDHC nor SDXC. */
static bool is_legal_v2_c_size(uint64_t c_size)
{
	return (c_size >= 0x1010 && c_size <= 0xff5f) ||
	       (c_size >= SDXC_FIRST_C_SIZE && c_size <= 0x3ffeff);
}

int ca_csd_encode_v2(uint64_t bytes, uint8_t ret_data[CA_CSD_BYTES])
{
	uint64_t c_size = bytes / C_SIZE_UNIT - 1;

	if (bytes < C_SIZE_UNIT || bytes % C_SIZE_UNIT || !is_legal_v2_c_size(c_size))
		return -ERANGE;
	memset(ret_data, 0, CA_CSD_BYTES);
	set(ret_data, CA_FIELD_CSD_V2_CSD_STRUCTURE, 1);
	set(ret_data, CA_FIELD_CSD_V2_TAAC, 0x0e);
	set(ret_data, CA_FIELD_CSD_V2_TRAN_SPEED, 0x32);
	set(ret_data, CA_FIELD_CSD_V2_CCC, 0x5b5);
	set(ret_data, CA_FIELD_CSD_V2_READ_BL_LEN, 9);
	set(ret_data, CA_FIELD_CSD_V2_C_SIZE, c_size);
	set(ret_data, CA_FIELD_CSD_V2_ERASE_BLK_EN, 1);
	set(ret_data, CA_FIELD_CSD_V2_SECTOR_SIZE, 0x7f);
	set(ret_data, CA_FIELD_CSD_V2_R2W_FACTOR, 2);
	set(ret_data, CA_FIELD_CSD_V2_WRITE_BL_LEN, 9);
	set(ret_data, CA_FIELD_CSD_V2_CRC, ca_crc7(ret_data, CA_CSD_BYTES - 1));
	set(ret_data, CA_FIELD_CSD_V2_NOT_USED, 1);
	return 0;
}

unsigned int ca_csd_tran_speed_mbit(uint8_t tran_speed)
{
	switch (tran_speed) {
	case 0x32:
		return 25;
	case 0x5a:
		return 50;
	case 0x0b:
		return 100;
	case 0x2b:
		return 200;
	default: /* a byte of the card, not an enum of ours */
		return 0;
	}
}
