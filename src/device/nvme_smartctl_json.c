/* SPDX-License-Identifier: BSD-2-Clause */
/* What smartctl -j prints of an NVMe drive, by the members of smartmontools 7.0 to 7.5. */
#include "input_nvme.h"

#include <string.h>

#define HEALTH "nvme_smart_health_information_log"

static const struct {
	enum ca_register reg;
	const char *group, *member, *name; /* group "": the object itself */
} members[] = {
	{CA_REGISTER_NVME_CTRL, "", "model_name", "mn"},
	{CA_REGISTER_NVME_CTRL, "", "serial_number", "sn"},
	{CA_REGISTER_NVME_CTRL, "", "firmware_version", "fr"},
	{CA_REGISTER_NVME_CTRL, "", "nvme_ieee_oui_identifier", "ieee"},
	{CA_REGISTER_NVME_CTRL, "", "nvme_total_capacity", "tnvmcap"},
	{CA_REGISTER_NVME_CTRL, "", "nvme_unallocated_capacity", "unvmcap"},
	{CA_REGISTER_NVME_CTRL, "", "nvme_controller_id", "cntlid"},
	{CA_REGISTER_NVME_CTRL, "", "nvme_number_of_namespaces", "nn"},
	{CA_REGISTER_NVME_CTRL, "nvme_pci_vendor", "id", "vid"},
	{CA_REGISTER_NVME_CTRL, "nvme_pci_vendor", "subsystem_id", "ssvid"},
	{CA_REGISTER_NVME_CTRL, "nvme_version", "value", "ver"},
	{CA_REGISTER_NVME_SMART, HEALTH, "host_reads", "host_read_commands"},
	{CA_REGISTER_NVME_SMART, HEALTH, "host_writes", "host_write_commands"},
	{CA_REGISTER_NVME_SMART, HEALTH, "warning_temp_time", "warning_temperature_time"},
	{CA_REGISTER_NVME_SMART, HEALTH, "critical_comp_time",
	 "critical_composite_temperature_time"},
};

bool ca_nvme_smartctl_is_json(struct ca_span object, enum ca_register reg)
{
	const char *sign = reg == CA_REGISTER_NVME_CTRL ? "\"nvme_pci_vendor\"" : "\"" HEALTH "\"";

	return object.len && object.at[0] == '{' &&
	       ca_span_behind(object, "\"json_format_version\"").at &&
	       ca_span_behind(object, sign).at;
}

struct ca_span ca_nvme_smartctl_member(enum ca_register reg, const struct ca_json_value *value)
{
	for (size_t i = 0; i < CA_ARRAY_LEN(members); i++)
		if (members[i].reg == reg && ca_span_is(value->group, members[i].group) &&
		    ca_span_is(value->name, members[i].member))
			return (struct ca_span){members[i].name, strlen(members[i].name)};
	/* the rest of the log has the names of nvme-cli */
	return reg == CA_REGISTER_NVME_SMART && ca_span_is(value->group, HEALTH)
		       ? value->name
		       : (struct ca_span){NULL, 0};
}

struct size {
	uint64_t bytes, sector_bytes;
};

static void note_size(void *context, const struct ca_json_value *value)
{
	struct size *size = context;
	bool bytes = ca_span_is(value->group, "user_capacity") && ca_span_is(value->name, "bytes");

	if (bytes || (!value->group.len && ca_span_is(value->name, "logical_block_size")))
		(void)ca_span_number(value->text, false, /* else it stays 0 */
				     bytes ? &size->bytes : &size->sector_bytes);
}

bool ca_nvme_smartctl_json_size(struct ca_span object, uint64_t *ret_bytes,
				uint32_t *ret_sector_bytes)
{
	struct size size = {0, 0};

	(void)ca_json_walk(object, note_size, &size); /* walked before: it is whole */
	if (!size.bytes || size.sector_bytes < 512 || size.sector_bytes > 65536)
		return false;
	*ret_bytes = size.bytes;
	*ret_sector_bytes = (uint32_t)size.sector_bytes;
	return true;
}
