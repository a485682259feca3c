/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * input_dump: a dump of bytes, line by line. Rows of 16-bit words (hexdump without -C, od -x) are
 * in the byte order of the machine that printed them: known as a dump, but of no use.
 */
#ifndef CA_DEVICE_INPUT_DUMP_H
#define CA_DEVICE_INPUT_DUMP_H

#include "input.h"

struct ca_input_dump {
	uint8_t data[CA_NVME_ID_BYTES];
	size_t len;    /* of the dump: more than data holds is no register */
	uint64_t base; /* offset of the first row */
	bool words;
	bool repeats; /* behind a '*' */
};

/* Is this its first row? Then *dump holds that row. */
bool ca_input_dump_begins(struct ca_span line, struct ca_input_dump *dump);
/* Is this its next line? Then it is taken in. */
bool ca_input_dump_goes_on(struct ca_span line, struct ca_input_dump *dump);

#endif
