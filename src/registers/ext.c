/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/registers.h"

#include <errno.h>

#include "byte_field.h"
#include "ca_field_bits.h"

#define RECORDS_START 16U
#define RECORD_BYTES  48U /* with the address of one register set */
/* in a record; libraries and the kernel agree on these (S 5.7.3) */
#define RECORD_NEXT    40U
#define RECORD_SETS    42U
#define RECORD_ADDRESS 44U

static bool short_bit(const uint8_t *data, unsigned int msb, unsigned int lsb)
{
	return ca_bits_get(data, CA_EXT_BYTES, msb, lsb);
}

int ca_ext_perf_decode(const uint8_t *data, size_t bytes, struct ca_ext_perf *ret_perf)
{
	struct ca_ext_perf perf = {0};
	uint8_t depth;

	if (bytes == CA_EXT_BYTES) {
		perf.fx_event = short_bit(data, CA_FIELD_EXT_PERF_FX_EVENT);
		perf.card_maintenance = short_bit(data, CA_FIELD_EXT_PERF_CARD_MAINTENANCE);
		perf.host_maintenance = short_bit(data, CA_FIELD_EXT_PERF_HOST_MAINTENANCE);
		perf.cache = short_bit(data, CA_FIELD_EXT_PERF_CACHE);
		perf.command_queue = short_bit(data, CA_FIELD_EXT_PERF_COMMAND_QUEUE);
		*ret_perf = perf;
		return 0;
	}
	if (bytes != CA_EXT_SET_BYTES)
		return -EMSGSIZE;
	perf.revision = byte_field_u8(data, CA_FIELD_EXT_PERF_SET_REVISION);
	perf.fx_event = byte_field_u8(data, CA_FIELD_EXT_PERF_SET_FX_EVENT) & 1;
	perf.card_maintenance = byte_field_u8(data, CA_FIELD_EXT_PERF_SET_MAINTENANCE) & 1;
	perf.host_maintenance = byte_field_u8(data, CA_FIELD_EXT_PERF_SET_MAINTENANCE) >> 1 & 1;
	perf.cache = byte_field_u8(data, CA_FIELD_EXT_PERF_SET_CACHE) & 1;
	depth = byte_field_u8(data, CA_FIELD_EXT_PERF_SET_CQ_DEPTH) & 0x1f;
	perf.command_queue = depth != 0;
	perf.queue_depth = (uint8_t)(depth ? depth + 1 : 0);
	perf.cache_enabled = byte_field_u8(data, CA_FIELD_EXT_PERF_SET_CACHE_ENABLE) & 1;
	perf.queue_enabled = byte_field_u8(data, CA_FIELD_EXT_PERF_SET_CQ_ENABLE) & 1;
	*ret_perf = perf;
	return 0;
}

int ca_ext_power_decode(const uint8_t *data, size_t bytes, struct ca_ext_power *ret_power)
{
	struct ca_ext_power power = {0};
	uint8_t status;

	if (bytes == CA_EXT_BYTES) {
		power.off_notification = short_bit(data, CA_FIELD_EXT_POWER_POWER_OFF_NOTIFICATION);
		power.sustenance = short_bit(data, CA_FIELD_EXT_POWER_POWER_SUSTENANCE);
		power.down_mode = short_bit(data, CA_FIELD_EXT_POWER_POWER_DOWN);
		*ret_power = power;
		return 0;
	}
	if (bytes != CA_EXT_SET_BYTES)
		return -EMSGSIZE;
	status = byte_field_u8(data, CA_FIELD_EXT_POWER_SET_STATUS);
	power.revision = byte_field_u8(data, CA_FIELD_EXT_POWER_SET_REVISION) & 0xf;
	power.off_notification = status >> 4 & 1;
	power.sustenance = status >> 5 & 1;
	power.down_mode = status >> 6 & 1;
	*ret_power = power;
	return 0;
}

int ca_extension_at(const uint8_t *general, unsigned int index, struct ca_extension *ret_extension)
{
	unsigned int at = RECORDS_START;
	uint32_t place;

	if (byte_field_u16(general, CA_FIELD_EXT_GENERAL_REVISION) != 0)
		return -EPROTO;
	if (index >= byte_field_u8(general, CA_FIELD_EXT_GENERAL_EXTENSIONS))
		return -ENOENT;
	for (unsigned int i = 0; i < index; i++) {
		unsigned int next = ca_le16(general + at + RECORD_NEXT);

		if (next < at + RECORD_BYTES || next + RECORD_BYTES > CA_EXT_SET_BYTES)
			return -ENOENT;
		at = next;
	}
	place = ca_le32(general + at + RECORD_ADDRESS);
	*ret_extension = (struct ca_extension){
		.standard_function = ca_le16(general + at),
		.register_sets = general[at + RECORD_SETS],
		.function = (uint8_t)(place >> 18 & 0xf),
		.address = place & 0x1ffff,
	};
	return 0;
}

int ca_extension_find(const uint8_t *general, uint16_t standard_function,
		      struct ca_extension *ret_extension)
{
	for (unsigned int i = 0;; i++) {
		struct ca_extension extension;
		int rc = ca_extension_at(general, i, &extension);

		if (rc < 0)
			return rc;
		if (extension.standard_function != standard_function || !extension.register_sets)
			continue;
		*ret_extension = extension;
		return 0;
	}
}
