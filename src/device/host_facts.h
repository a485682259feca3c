/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * host_facts: what of the host shapes a measurement. What is not there is absent, never guessed.
 */
#ifndef CA_DEVICE_HOST_FACTS_H
#define CA_DEVICE_HOST_FACTS_H

#include "disk.h"

/* `disk` NULL: facts of the machine alone. */
void ca_host_facts_read(const char *root, const struct ca_disk *disk,
			struct ca_fact facts[CA_HOST_FACT_COUNT]);

/* The mmc host ("mmc0") of a disk, the name of its debugfs directory. */
int ca_host_facts_mmc_host(const char *root, const char *name, char ret_host[CA_NAME_BYTES]);

/* The PCI device of an NVMe drive (block or controller name), below root. Negative: not PCI. */
int ca_host_facts_pci_dir(const char *root, const char *name, char ret_dir[CA_PATH_BYTES]);

#endif
