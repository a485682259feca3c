/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vendor_dir: answers to CMD56 as files of a captured card.
 *
 *   cmd56_ARGUMENT   the argument in hex: 1024 hex digits, or 512 raw bytes; where the card gave
 *                    no answer, one of the words timeout, error, sector 0, masked
 *
 * Only the arguments of ca_vendor_argument_at have a name here.
 */
#ifndef CA_DEVICE_VENDOR_DIR_H
#define CA_DEVICE_VENDOR_DIR_H

#include "sysfs.h"
#include "cardassay/registers.h"

#define CA_VENDOR_NAME_BYTES 16U

/* "cmd56_110005fb" of the argument with this index. */
void ca_vendor_dir_name(unsigned int index, char ret_name[CA_VENDOR_NAME_BYTES]);
/* The index of such a name, leading zeros or not; false when it is none. */
bool ca_vendor_dir_find(const char *name, size_t len, unsigned int *ret_index);

/* Adds what a file holds; -EBADMSG with error naming `place`, what it has and what it must have. */
int ca_vendor_dir_parse(const char *place, unsigned int index, const char *data, size_t len,
			struct ca_vendor_health *health, struct ca_error *error);

/* Adds every answer of a directory. Files that cannot be read are passed over. */
int ca_vendor_dir_read(const char *root, const char *dir, struct ca_vendor_health *health,
		       struct ca_error *error);

#endif
