/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * register_parse: one register from the text or the bytes it was kept in.
 */
#ifndef CA_DEVICE_REGISTER_PARSE_H
#define CA_DEVICE_REGISTER_PARSE_H

#include "cardassay/base.h"
#include "cardassay/evidence.h"

/* By file name, in any case of letters. */
bool ca_register_find(const char *name, size_t len, enum ca_register *ret_reg);

/*
 * Sets one register from hex text. -EBADMSG with error "PLACE: 15 bytes, a CID has 16" and the like
 * when it is not the register's length or not hex.
 */
int ca_register_set_hex(struct ca_raw_registers *registers, enum ca_register reg, const char *place,
			const char *text, size_t len, struct ca_error *error);

/* Sets one register from raw bytes; -EBADMSG as above. */
int ca_register_set_bytes(struct ca_raw_registers *registers, enum ca_register reg,
			  const char *place, const uint8_t *data, size_t len,
			  struct ca_error *error);

/* "SD", "SDcombo", "MMC", quotes allowed. */
bool ca_register_parse_type(const char *text, size_t len, enum ca_card_type *ret_type);

/* What the registers are of. */
/*
 * Can only an eMMC have these registers? An EXT_CSD, or a CSD with SPEC_VERS (JESD84-B51 7.3),
 * whose bits are reserved and 0 in an SD card (Physical Layer 5.3).
 */
bool ca_register_is_mmc(const struct ca_raw_registers *registers);

enum ca_media ca_register_media(const struct ca_raw_registers *registers);

#endif
