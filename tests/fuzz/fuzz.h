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

/*
 * What is shown or written may not steer a terminal: no control byte but the newline, no C1
 * control, nothing invisible or that turns a line round (what the certificate room keeps out, told
 * here a second time and another way).
 */
static inline void fuzz_check_shown(const char *text)
{
	static const char *const steering[] = {
		"\xd8\x9c",	"\xe2\x80\x8b", "\xe2\x80\x8e", "\xe2\x80\x8f", "\xe2\x80\xaa",
		"\xe2\x80\xab", "\xe2\x80\xac", "\xe2\x80\xad", "\xe2\x80\xae", "\xe2\x81\xa6",
		"\xe2\x81\xa7", "\xe2\x81\xa8", "\xe2\x81\xa9", "\xef\xbb\xbf"};

	for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
		FUZZ_CHECK(*p == '\n' || (*p >= 0x20 && *p != 0x7f));
		FUZZ_CHECK(*p != 0xc2 || p[1] >= 0xa0);
	}
	for (size_t i = 0; i < CA_ARRAY_LEN(steering); i++)
		FUZZ_CHECK(strstr(text, steering[i]) == NULL);
}

#endif
