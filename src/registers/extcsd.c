/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/registers.h"

#include <errno.h>

#include "byte_field.h"
#include "ca_field_bits.h"

int ca_extcsd_decode(const uint8_t *data, size_t bytes, struct ca_extcsd *ret_extcsd)
{
	struct ca_extcsd extcsd = {0};

	if (bytes != CA_EXTCSD_BYTES)
		return -EMSGSIZE;
	extcsd.rev = byte_field_u8(data, CA_FIELD_EXTCSD_EXT_CSD_REV);
	extcsd.sec_count = byte_field_u32(data, CA_FIELD_EXTCSD_SEC_COUNT);
	extcsd.boot_size_mult = byte_field_u8(data, CA_FIELD_EXTCSD_BOOT_SIZE_MULT);
	extcsd.rpmb_size_mult = byte_field_u8(data, CA_FIELD_EXTCSD_RPMB_SIZE_MULT);
	extcsd.cache_size_kib = byte_field_u32(data, CA_FIELD_EXTCSD_CACHE_SIZE);
	byte_field_copy(extcsd.firmware_version, data, CA_FIELD_EXTCSD_FIRMWARE_VERSION);
	extcsd.pre_eol_info = byte_field_u8(data, CA_FIELD_EXTCSD_PRE_EOL_INFO);
	extcsd.life_a = byte_field_u8(data, CA_FIELD_EXTCSD_DEVICE_LIFE_TIME_EST_TYP_A);
	extcsd.life_b = byte_field_u8(data, CA_FIELD_EXTCSD_DEVICE_LIFE_TIME_EST_TYP_B);
	extcsd.cmdq_support = byte_field_u8(data, CA_FIELD_EXTCSD_CMDQ_SUPPORT) & 1;
	if (extcsd.cmdq_support)
		extcsd.cmdq_depth =
			(uint8_t)((byte_field_u8(data, CA_FIELD_EXTCSD_CMDQ_DEPTH) & 0x1f) + 1);
	*ret_extcsd = extcsd;
	return 0;
}
