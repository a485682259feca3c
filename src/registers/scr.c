/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/registers.h"

#include <errno.h>

#include "ca_field_bits.h"

static uint32_t get(const uint8_t *data, unsigned int msb, unsigned int lsb)
{
	return (uint32_t)ca_bits_get(data, CA_SCR_BYTES, msb, lsb);
}

/* The rows of T5-19. From version 5 on SPEC4 may be 0 or 1. */
static uint16_t version_x100(const struct ca_scr *scr)
{
	static const uint16_t before_3[] = {100, 110, 200};

	if (scr->sd_spec > 2)
		return 0;
	if (!scr->sd_spec3)
		return scr->sd_spec4 || scr->sd_specx ? 0 : before_3[scr->sd_spec];
	if (scr->sd_spec != 2 || scr->sd_specx > 5)
		return 0;
	if (scr->sd_specx == 0)
		return scr->sd_spec4 ? 400 : 300;
	return (uint16_t)(400 + 100 * scr->sd_specx);
}

int ca_scr_decode(const uint8_t *data, size_t bytes, struct ca_scr *ret_scr)
{
	struct ca_scr scr = {0};

	if (bytes != CA_SCR_BYTES)
		return -EMSGSIZE;
	scr.structure = (uint8_t)get(data, CA_FIELD_SCR_SCR_STRUCTURE);
	if (scr.structure != 0)
		return -EPROTO;
	scr.sd_spec = (uint8_t)get(data, CA_FIELD_SCR_SD_SPEC);
	scr.data_stat_after_erase = get(data, CA_FIELD_SCR_DATA_STAT_AFTER_ERASE);
	scr.sd_security = (uint8_t)get(data, CA_FIELD_SCR_SD_SECURITY);
	scr.sd_bus_widths = (uint8_t)get(data, CA_FIELD_SCR_SD_BUS_WIDTHS);
	scr.sd_spec3 = get(data, CA_FIELD_SCR_SD_SPEC3);
	scr.ex_security = (uint8_t)get(data, CA_FIELD_SCR_EX_SECURITY);
	scr.sd_spec4 = get(data, CA_FIELD_SCR_SD_SPEC4);
	scr.sd_specx = (uint8_t)get(data, CA_FIELD_SCR_SD_SPECX);
	scr.reserved_37 = (uint8_t)get(data, CA_FIELD_SCR_RESERVED_37);
	scr.acmd53_54 = get(data, CA_FIELD_SCR_ACMD53_54);
	scr.cmd58_59 = get(data, CA_FIELD_SCR_CMD58_59);
	scr.cmd48_49 = get(data, CA_FIELD_SCR_CMD48_49);
	scr.cmd23 = get(data, CA_FIELD_SCR_CMD23);
	scr.cmd20 = get(data, CA_FIELD_SCR_CMD20);
	scr.manufacturer = get(data, CA_FIELD_SCR_MANUFACTURER);
	scr.version_x100 = version_x100(&scr);
	*ret_scr = scr;
	return 0;
}
