/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * collect: registers of a device of the machine, from sysfs and by reading commands.
 */
#ifndef CA_DEVICE_COLLECT_H
#define CA_DEVICE_COLLECT_H

#include "host_facts.h"
#include "cardassay/host.h"

/* CID, CSD, SCR, SSR from sysfs (SSR from the card itself on kernels that do not show it), EXT_CSD
 * from debugfs. -EBADMSG when sysfs shows what no register can be. */
int ca_collect_mmc(const char *root, const struct ca_disk *disk, struct ca_evidence *evidence,
		   struct ca_error *error);

/* Identify and SMART through `node`, the namespace's or the controller's. What the kernel does not
 * permit is absent, and hidden_because says so. */
void ca_collect_nvme(const char *root, const struct ca_disk *disk, const char *node,
		     struct ca_evidence *evidence);

#endif
