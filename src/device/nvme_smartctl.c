/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What smartctl -a prints of an NVMe drive: some fields of the Identify page and the SMART log, in
 * its own words. Names as smartmontools 6.6 to 7.5 print them (nvmeprint.cpp).
 */
#include "input_nvme.h"

#include <ctype.h>
#include <string.h>

struct ca_span ca_nvme_smartctl_name(struct ca_span plain)
{
	static const struct {
		const char *smartctl, *name;
	} names[] = {{"model_number", "mn"},
		     {"serial_number", "sn"},
		     {"firmware_version", "fr"},
		     {"pci_vendor_id", "vid"},
		     {"pci_vendor_subsystem_id", "ssvid"},
		     {"ieee_oui_identifier", "ieee"},
		     {"total_nvm_capacity", "tnvmcap"},
		     {"unallocated_nvm_capacity", "unvmcap"},
		     {"number_of_namespaces", "nn"},
		     {"media_and_data_integrity_errors", "media_errors"},
		     {"error_information_log_entries", "num_err_log_entries"},
		     {"warning__comp._temperature_time", "warning_temperature_time"},
		     {"critical_comp._temperature_time", "critical_composite_temperature_time"}};

	for (size_t i = 0; i < CA_ARRAY_LEN(names); i++)
		if (ca_span_is(plain, names[i].smartctl))
			return (struct ca_span){names[i].name, strlen(names[i].name)};
	return plain;
}

bool ca_nvme_smartctl_version(struct ca_span value, uint32_t *ret_version)
{
	uint64_t major, minor;
	const char *point = value.len ? memchr(value.at, '.', value.len) : NULL;

	if (!point ||
	    !ca_span_number((struct ca_span){value.at, (size_t)(point - value.at)}, false, &major))
		return false;
	value.len -= (size_t)(point + 1 - value.at);
	value.at = point + 1;
	point = memchr(value.at, '.', value.len);
	if (point)
		value.len = (size_t)(point - value.at);
	if (!ca_span_number(value, false, &minor) || major > UINT16_MAX || minor > UINT8_MAX)
		return false;
	*ret_version = (uint32_t)major << 16 | (uint32_t)minor << 8;
	return true;
}

/* The value of the line that begins with `name`; .at NULL: there is none. */
static struct ca_span value_of(struct ca_span text, const char *name)
{
	while (text.len) {
		struct ca_span line = ca_span_trim(ca_span_take_line(&text), " \t\r>");

		if (ca_span_starts_with(line, name))
			return ca_span_trim(ca_span_behind(line, name), " \t");
	}
	return (struct ca_span){NULL, 0};
}

bool ca_nvme_smartctl_begins(struct ca_span line, struct ca_span rest)
{
	rest.len = rest.len < 512 ? rest.len : 512;
	return ca_span_starts_with(line, "Model Number:") &&
	       ca_span_behind(rest, "PCI Vendor").at != NULL;
}

bool ca_nvme_smartctl_size(struct ca_span text, uint64_t *ret_bytes, uint32_t *ret_sector_bytes)
{
	struct ca_span size = value_of(text, "Namespace 1 Size/Capacity:");
	struct ca_span sector = value_of(text, "Namespace 1 Formatted LBA Size:");
	uint64_t bytes, sector_bytes;

	if (!size.at)
		size = value_of(text, "Namespace 1 Size:");
	if (!size.at || !sector.at || !ca_nvme_text_grouped(size, &bytes) || !bytes ||
	    !ca_span_number(sector, false, &sector_bytes) || sector_bytes < 512 ||
	    sector_bytes > 65536)
		return false;
	*ret_bytes = bytes;
	*ret_sector_bytes = (uint32_t)sector_bytes;
	return true;
}
