/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * register_dir: the files of a captured card beside its registers.
 *
 *   type             SD or MMC
 *   ocr              0x%08x
 *   size             512-byte sectors, as in sysfs
 *   vendor, subsystem_vendor   0x%04x, what PCI says
 *   masked           good, bad or absent: serials were blanked; this was the CID's CRC before
 *   host_facts       "name<TAB>number<TAB>text" lines
 */
#ifndef CA_DEVICE_REGISTER_DIR_H
#define CA_DEVICE_REGISTER_DIR_H

#include "sysfs.h"
#include "cardassay/host.h"

#define CA_REGISTER_FILE_BYTES 16384U

/* As ca_host_read_register_dir below a root; -ENOENT without error when there is none at all. */
int ca_register_dir_read(const char *root, const char *dir, struct ca_raw_registers *ret_registers,
			 struct ca_error *error);

/* Facts of a capture; what is not in the file stays as it is. */
void ca_register_dir_read_facts(const char *dir, struct ca_fact facts[CA_HOST_FACT_COUNT]);

#endif
