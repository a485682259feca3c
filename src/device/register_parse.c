/* SPDX-License-Identifier: BSD-2-Clause */
#include "register_parse.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

bool ca_register_find(const char *name, size_t len, enum ca_register *ret_reg)
{
	for (unsigned int i = 0; i < CA_REGISTER_COUNT; i++) {
		const char *known = ca_register_name((enum ca_register)i);

		if (strlen(known) == len && strncasecmp(known, name, len) == 0) {
			*ret_reg = (enum ca_register)i;
			return true;
		}
	}
	return false;
}

/* "a CID", "an SCR" ... with the right article. */
static const char *register_title(enum ca_register reg)
{
	switch (reg) {
	case CA_REGISTER_CID:
		return "a CID";
	case CA_REGISTER_CSD:
		return "a CSD";
	case CA_REGISTER_SCR:
		return "an SCR";
	case CA_REGISTER_SSR:
		return "an SSR";
	case CA_REGISTER_EXTCSD:
		return "an EXT_CSD";
	case CA_REGISTER_NVME_CTRL:
		return "an Identify Controller page";
	case CA_REGISTER_NVME_NS:
		return "an Identify Namespace page";
	case CA_REGISTER_NVME_SMART:
		return "a SMART log";
	case CA_REGISTER_EXT_PERF:
		return "an ext_perf";
	case CA_REGISTER_EXT_POWER:
		return "an ext_power";
	case CA_REGISTER_EXT_GENERAL:
		return "an extension list";
	case CA_REGISTER_EXT_POWER_SET:
	case CA_REGISTER_EXT_PERF_SET:
		return "an extension register set";
	}
	return "a register";
}

int ca_register_set_bytes(struct ca_raw_registers *registers, enum ca_register reg,
			  const char *place, const uint8_t *data, size_t len,
			  struct ca_error *error)
{
	if (len != ca_register_bytes(reg))
		return ca_error_set(error, -EBADMSG, "%s: %zu bytes, %s has %zu", place, len,
				    register_title(reg), ca_register_bytes(reg));
	memcpy(ca_register_data_mutable(registers, reg), data, len);
	registers->has[reg] = true;
	return 0;
}

static size_t count_digits(const char *text, size_t len)
{
	size_t count = 0;

	for (size_t i = 0; i < len; i++)
		count += isxdigit((unsigned char)text[i]) != 0;
	return count;
}

int ca_register_set_hex(struct ca_raw_registers *registers, enum ca_register reg, const char *place,
			const char *text, size_t len, struct ca_error *error)
{
	uint8_t data[CA_NVME_ID_BYTES];
	size_t bytes;
	int rc;

	rc = ca_hex_decode(text, len, data, sizeof(data), &bytes);
	switch (-rc) {
	case 0:
		return ca_register_set_bytes(registers, reg, place, data, bytes, error);
	case ENODATA:
		return ca_error_set(error, -EBADMSG, "%s: empty, %s has %zu bytes", place,
				    register_title(reg), ca_register_bytes(reg));
	case EILSEQ:
		return ca_error_set(error, -EBADMSG, "%s: %zu hex digits, %s has %zu", place,
				    count_digits(text, len), register_title(reg),
				    2 * ca_register_bytes(reg));
	case EOVERFLOW:
		return ca_error_set(error, -EBADMSG, "%s: more than %zu bytes, %s has %zu", place,
				    sizeof(data), register_title(reg), ca_register_bytes(reg));
	default:
		return ca_error_set(error, -EBADMSG,
				    "%s: not hexadecimal, %s is %zu bytes written as %zu digits",
				    place, register_title(reg), ca_register_bytes(reg),
				    2 * ca_register_bytes(reg));
	}
}

bool ca_register_parse_type(const char *text, size_t len, enum ca_card_type *ret_type)
{
	static const struct {
		const char *word;
		enum ca_card_type type;
	} words[] = {
		{"SD", CA_CARD_TYPE_SD}, {"SDcombo", CA_CARD_TYPE_SD}, {"MMC", CA_CARD_TYPE_MMC}};

	while (len && strchr("' \t\r\n\"", text[len - 1]))
		len--;
	while (len && strchr("' \t\"", text[0])) {
		text++;
		len--;
	}
	for (size_t i = 0; i < CA_ARRAY_LEN(words); i++) {
		if (strlen(words[i].word) == len && strncasecmp(words[i].word, text, len) == 0) {
			*ret_type = words[i].type;
			return true;
		}
	}
	return false;
}

bool ca_register_is_mmc(const struct ca_raw_registers *registers)
{
	return registers->has[CA_REGISTER_EXTCSD] ||
	       (registers->has[CA_REGISTER_CSD] && (registers->csd[0] & 0xbf) == 0x90);
}

enum ca_media ca_register_media(const struct ca_raw_registers *registers)
{
	if (registers->has[CA_REGISTER_NVME_CTRL] || registers->has[CA_REGISTER_NVME_NS] ||
	    registers->has[CA_REGISTER_NVME_SMART])
		return CA_MEDIA_NVME;
	return registers->type == CA_CARD_TYPE_MMC ? CA_MEDIA_MMC : CA_MEDIA_SD;
}
