/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What fuzz targets share. A target defines LLVMFuzzerTestOneInput and checks invariants with
 * FUZZ_CHECK; it is linked with libFuzzer, or with standalone.c into a unit test.
 */
#ifndef CA_TESTS_FUZZ_H
#define CA_TESTS_FUZZ_H

#include "cardassay/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_CHECK(condition)                                                                      \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			(void)fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);      \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

#define FUZZ_UNTOUCHED 0x5a

/* Before a call: a value no decoder leaves by chance. */
static inline void fuzz_prepare(void *ret, size_t bytes)
{
	memset(ret, FUZZ_UNTOUCHED, bytes);
}

/* After a failed call: outputs are as they were (N3). */
static inline void fuzz_check_untouched(const void *ret, size_t bytes)
{
	FUZZ_CHECK(ca_bytes_is_all(ret, bytes, FUZZ_UNTOUCHED));
}

/* The input cut or padded with zeros to a register's length, so that few inputs are lost on it. */
static inline void fuzz_fit(const uint8_t *data, size_t size, uint8_t *ret, size_t bytes)
{
	memset(ret, 0, bytes);
	if (size)
		memcpy(ret, data, size < bytes ? size : bytes);
}

#endif
