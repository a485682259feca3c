/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * register_dir: the files of a captured card beside its registers.
 *
 *   type             SD or MMC
 *   ocr              0x%08x
 *   size             512-byte sectors, as in sysfs
 *   vendor, subsystem_vendor   0x%04x, what PCI says
 *   masked           good, bad or absent: serials were blanked; this was the CID's CRC before
 *   cmd56_ARGUMENT   answers of the card's maker: vendor_dir.h
 *   device_facts     "name<TAB>text" lines: media, model, serial, hidden_because
 *   host_facts       "name<TAB>number<TAB>text" lines; in the text \\ is a backslash and \xNN a
 * byte
 */
#ifndef CA_DEVICE_REGISTER_DIR_H
#define CA_DEVICE_REGISTER_DIR_H

#include "sysfs.h"
#include "cardassay/host.h"

#define CA_REGISTER_FILE_BYTES 16384U
/* 45 lines, each byte of a text written as four */
#define CA_HOST_FACTS_FILE_BYTES   24576U
#define CA_DEVICE_FACTS_FILE_BYTES 2048U

/* As ca_host_read_register_dir below a root; -ENOENT without error when there is none at all. */
int ca_register_dir_read(const char *root, const char *dir, struct ca_raw_registers *ret_registers,
			 struct ca_error *error);

/* Type, OCR, PCI ids and mask: what stands beside the registers, if there are any. */
void ca_register_dir_read_beside(const char *root, const char *dir,
				 struct ca_raw_registers *registers);

/* What the file masked says. */
enum ca_crc ca_register_dir_masked_crc(const char *text, size_t len);

/* What the kernel said of the device itself; what is not in the text stays as it is. */
void ca_register_dir_parse_device(const char *text, size_t len, struct ca_device_facts *device);
/* False when the capture has no such file: it is older, or no capture. */
bool ca_register_dir_read_device(const char *dir, struct ca_device_facts *device);

/* Facts from the text of the file; what is not in it stays as it is. */
void ca_register_dir_parse_facts(const char *text, size_t len,
				 struct ca_fact facts[CA_HOST_FACT_COUNT]);

/* Facts of a capture; what is not in the file stays as it is. */
void ca_register_dir_read_facts(const char *dir, struct ca_fact facts[CA_HOST_FACT_COUNT]);

#endif
