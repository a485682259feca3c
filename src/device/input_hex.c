/* SPDX-License-Identifier: BSD-2-Clause */
/* Hex digits that stand alone: which register they may be. */
#include "input_nvme.h"
#include "register_parse.h"

#include <ctype.h>
#include <string.h>

size_t ca_input_count_hex(struct ca_span line)
{
	size_t digits = 0, group = 0, groups = 0, first = 0;

	for (size_t i = 0; i <= line.len; i++) {
		char c = i < line.len ? line.at[i] : ' ';

		if (group == 1 && line.at[i - 1] == '0' && (c == 'x' || c == 'X')) {
			group = 0;
			digits--;
		} else if (isxdigit((unsigned char)c)) {
			digits++;
			group++;
		} else if (!c || !strchr(" \t:-", c)) {
			return 0;
		} else if (group) {
			first = groups++ ? first : group;
			if (groups > 1 && (group != first || group % 2))
				return 0;
			group = 0;
		}
	}
	return digits;
}

unsigned int ca_input_kind_of_hex(struct ca_span hex)
{
	uint8_t data[CA_NVME_ID_BYTES];
	size_t bytes;

	if (ca_hex_decode(hex.at, hex.len, data, sizeof(data), &bytes) < 0)
		return CA_INPUT_NONE;
	switch (bytes) {
	case CA_CID_BYTES:
		return CA_INPUT_BARE_16;
	case CA_SCR_BYTES:
		return CA_REGISTER_SCR;
	case CA_SSR_BYTES:
		return CA_REGISTER_SSR;
	case CA_EXTCSD_BYTES:
		return ca_input_is_smart(data) ? CA_REGISTER_NVME_SMART : CA_REGISTER_EXTCSD;
	case CA_NVME_ID_BYTES:
		return ca_input_is_namespace(data) ? CA_REGISTER_NVME_NS : CA_REGISTER_NVME_CTRL;
	default:
		return CA_INPUT_NONE;
	}
}
