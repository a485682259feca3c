/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * input_nvme: pages of an NVMe drive from what nvme-cli 1.x and 2.x prints of them.
 */
#ifndef CA_DEVICE_INPUT_NVME_H
#define CA_DEVICE_INPUT_NVME_H

#include "input.h"

/* CA_INPUT_NVME_* when the line is the first field of id-ctrl, id-ns or smart-log; else
 * CA_INPUT_NONE. */
unsigned int ca_nvme_text_begins(struct ca_span line);
/* CA_INPUT_NVME_* of a JSON object, by the members it has; CA_INPUT_NONE: another one. */
unsigned int ca_nvme_json_kind(struct ca_span object);

/*
 * Fills the page (ca_register_bytes(reg) long) of CA_REGISTER_NVME_CTRL, _NS or _SMART from text or
 * JSON. It holds what was printed, zeros elsewhere; ret_whole tells whether the text went to the
 * end that matters: nn and vwc of a controller, the block size in use of a namespace. False, and
 * nothing touched, when the fields without which it is no such page are missing or do not fit; they
 * are named by ca_nvme_text_needs.
 */
bool ca_nvme_text_parse(enum ca_register reg, struct ca_span text, uint8_t *ret_page,
			bool *ret_whole);
const char *ca_nvme_text_needs(enum ca_register reg);

/*
 * A decimal number whose digits the language of the machine may group: 1,234  1.234  1 234  1'234.
 * False when it is none, or when what follows it may belong to it.
 */
bool ca_nvme_text_grouped(struct ca_span text, uint64_t *ret_value);

/* ---- smartctl ---- */

/* Does smartctl's part about an NVMe drive begin with this line? `rest` follows it. */
bool ca_nvme_smartctl_begins(struct ca_span line, struct ca_span rest);
/* nvme-cli's name of a field; the name itself where both have the same. */
struct ca_span ca_nvme_smartctl_name(struct ca_span plain);
bool ca_nvme_smartctl_version(struct ca_span value, uint32_t *ret_version); /* "1.4": VER */
/* Size and block size of the first namespace; false when they are not told. */
bool ca_nvme_smartctl_size(struct ca_span text, uint64_t *ret_bytes, uint32_t *ret_sector_bytes);

/* Does this object of smartctl -j hold that page, or some of its fields? */
bool ca_nvme_smartctl_is_json(struct ca_span object, enum ca_register reg);
/* nvme-cli's name of a member of it; .at NULL: it is no field of that page. */
struct ca_span ca_nvme_smartctl_member(enum ca_register reg, const struct ca_json_value *value);
bool ca_nvme_smartctl_json_size(struct ca_span object, uint64_t *ret_bytes,
				uint32_t *ret_sector_bytes);

/* One field of a page as nvme-cli names it; its JSON sometimes has another name. */
enum ca_nvme_form {
	CA_NVME_NUMBER, /* little-endian */
	CA_NVME_HEX,	/* hex as text, old nvme-cli leaves the 0x out; a number in JSON */
	CA_NVME_TEXT,	/* padded with spaces */
	CA_NVME_STRING, /* padded with zeros */
	CA_NVME_BYTES,	/* in the order of the page */
	CA_NVME_KELVIN, /* text says degrees Celsius */
};

struct ca_nvme_field {
	const char *name, *json;
	uint16_t offset, bytes;
	enum ca_nvme_form form;
	bool needed;
};
const struct ca_nvme_field *ca_nvme_fields(enum ca_register reg, size_t *ret_count);

/* FLBAS b3:0 and b6:5 of an Identify Namespace page. */
static inline unsigned int ca_nvme_format_in_use(const uint8_t *page)
{
	return (page[26] & 0x0fU) | (page[26] >> 5 & 3U) << 4;
}

/* Raw pages have no name: by what they hold. */
bool ca_input_is_controller(const uint8_t page[CA_NVME_ID_BYTES]);
bool ca_input_is_namespace(const uint8_t page[CA_NVME_ID_BYTES]);
bool ca_input_is_smart(const uint8_t log[CA_NVME_SMART_BYTES]);
bool ca_input_is_extcsd(const uint8_t data[CA_EXTCSD_BYTES]);

#endif
