/* SPDX-License-Identifier: BSD-2-Clause */
#include "nvme_admin.h"

#define IDENTIFY       0x06U
#define GET_LOG	       0x02U
#define CNS_NAMESPACE  0x00U
#define CNS_CONTROLLER 0x01U
#define LID_SMART      0x02U
#define ALL_NAMESPACES 0xffffffffU
#define SMART_BYTES    512U

/* cdw10 is the whole selector of what these commands return. */
struct allowed {
	uint8_t opcode;
	uint32_t cdw10;
	uint32_t data_bytes;
};

static const struct allowed inspect_set[] = {
	{IDENTIFY, CNS_NAMESPACE, 4096},
	{IDENTIFY, CNS_CONTROLLER, 4096},
	{GET_LOG, LID_SMART | (SMART_BYTES / 4 - 1) << 16, SMART_BYTES},
};

struct ca_nvme_command ca_nvme_identify_ctrl(void)
{
	return (struct ca_nvme_command){
		.opcode = IDENTIFY, .cdw10 = CNS_CONTROLLER, .data_bytes = 4096};
}

struct ca_nvme_command ca_nvme_identify_ns(uint32_t nsid)
{
	return (struct ca_nvme_command){
		.opcode = IDENTIFY, .nsid = nsid, .cdw10 = CNS_NAMESPACE, .data_bytes = 4096};
}

struct ca_nvme_command ca_nvme_smart_log(void)
{
	return (struct ca_nvme_command){
		.opcode = GET_LOG,
		.nsid = ALL_NAMESPACES,
		.cdw10 = LID_SMART | (SMART_BYTES / 4 - 1) << 16,
		.data_bytes = SMART_BYTES,
	};
}

bool ca_nvme_command_is_inspect(const struct ca_nvme_command *command)
{
	for (size_t i = 0; i < CA_ARRAY_LEN(inspect_set); i++)
		if (command->opcode == inspect_set[i].opcode &&
		    command->cdw10 == inspect_set[i].cdw10 && command->cdw11 == 0 &&
		    command->data_bytes == inspect_set[i].data_bytes)
			return true;
	return false;
}
