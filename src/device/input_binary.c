/* SPDX-License-Identifier: BSD-2-Clause */
/* Raw pages, as nvme -o binary (--raw-binary) writes them, one or several behind each other. */
#include "input_nvme.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

/* Serial and model number are printable, padded with spaces (some drives: with zeros). */
static bool is_name(const uint8_t *data, size_t len)
{
	bool any = false;

	for (size_t i = 0; i < len; i++) {
		if (data[i] && !isprint(data[i]))
			return false;
		any |= data[i] > ' ';
	}
	return any;
}

bool ca_input_is_controller(const uint8_t page[CA_NVME_ID_BYTES])
{
	return ca_le16(page) != 0 && is_name(page + 24, 40) && page[24] > ' ';
}

/* Sizes in their order, and a block size in the format in use. */
bool ca_input_is_namespace(const uint8_t page[CA_NVME_ID_BYTES])
{
	uint64_t nsze = ca_le64(page), ncap = ca_le64(page + 8), nuse = ca_le64(page + 16);
	unsigned int lbads = page[128 + 4 * ca_nvme_format_in_use(page) + 2];

	return nsze && ncap <= nsze && nuse <= nsze && lbads >= 9 && lbads <= 31;
}

/* A temperature that a drive can have, and nothing in the reserved rest. */
bool ca_input_is_smart(const uint8_t log[CA_NVME_SMART_BYTES])
{
	uint16_t kelvin = (uint16_t)(log[1] | log[2] << 8);

	return kelvin >= 200 && kelvin <= 450 && log[3] <= 100 &&
	       ca_bytes_is_all(log + 232, CA_NVME_SMART_BYTES - 232, 0);
}

/* EXT_CSD: a revision there is, and a command set (byte 504), which the SMART log never has. */
bool ca_input_is_extcsd(const uint8_t data[CA_EXTCSD_BYTES])
{
	return data[192] >= 1 && data[192] <= 9 && data[504] != 0;
}

/* The register at the beginning of the data; CA_REGISTER_COUNT: none. */
static unsigned int register_at(const uint8_t *data, size_t len)
{
	if (len >= CA_NVME_ID_BYTES && ca_input_is_controller(data))
		return CA_REGISTER_NVME_CTRL;
	if (len >= CA_NVME_ID_BYTES && ca_input_is_namespace(data))
		return CA_REGISTER_NVME_NS;
	if (len >= CA_EXTCSD_BYTES && ca_input_is_extcsd(data))
		return CA_REGISTER_EXTCSD;
	if (len >= CA_NVME_SMART_BYTES && ca_input_is_smart(data))
		return CA_REGISTER_NVME_SMART;
	return CA_REGISTER_COUNT;
}

int ca_input_binary_split(const char *data, size_t len, struct ca_inputs *inputs,
			  struct ca_error *error)
{
	size_t at = 0;
	int rc = 0;

	inputs->unit = "page";
	for (unsigned int number = 1; at < len && rc == 0; number++) {
		unsigned int reg = register_at((const uint8_t *)data + at, len - at);
		struct ca_input input = {.number = number, .kind = reg, .bytes = true};

		if (reg == CA_REGISTER_COUNT) {
			rc = ca_error_set(
				error, -EBADMSG,
				"offset %zu: %zu bytes of binary data that are no Identify page of "
				"4096 bytes, no SMART log or EXT_CSD of 512 bytes and no tar "
				"archive. A disk image is written image:FILE",
				at, len - at);
			/* the pages before it are read all the same */
			return number > 1 ? ca_inputs_excuse(inputs, rc, error) : rc;
		}
		input.value = (struct ca_span){data + at, ca_register_bytes((enum ca_register)reg)};
		at += input.value.len;
		rc = ca_inputs_add(inputs, &input);
	}
	return rc < 0 ? ca_error_set(error, rc, "out of memory") : 0;
}
