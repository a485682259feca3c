/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nvme_admin: the admin commands that reading a drive may use, built purely; nvme_ioctl.c carries
 * them out. Offsets as in linux/nvme_ioctl.h.
 */
#ifndef CA_DEVICE_NVME_ADMIN_H
#define CA_DEVICE_NVME_ADMIN_H

#include "cardassay/base.h"

struct ca_nvme_command {
	uint8_t opcode;
	uint32_t nsid;
	uint32_t cdw10, cdw11;
	uint32_t data_bytes;
};

struct ca_nvme_command ca_nvme_identify_ctrl(void);	   /* CNS 01h, 4096 bytes */
struct ca_nvme_command ca_nvme_identify_ns(uint32_t nsid); /* CNS 00h, 4096 bytes */
struct ca_nvme_command ca_nvme_smart_log(void);		   /* LID 02h, 512 bytes */

/* True only for the three above. */
bool ca_nvme_command_is_inspect(const struct ca_nvme_command *command);

/* Carries out one command of the inspect set. -EPERM for any other; -EACCES without privilege; -EIO
 * when the drive answers with a status. */
int ca_nvme_execute(int fd, const struct ca_nvme_command *command, uint8_t *ret_data,
		    size_t data_bytes);

#endif
