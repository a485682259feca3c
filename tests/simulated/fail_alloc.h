/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fail_alloc: every allocation of the program goes through here (linker option --wrap; jansson and
 * libgcrypt by their own hooks), is counted, and the N-th can be made to fail. What libraries
 * allocate for themselves otherwise is not seen.
 */
#ifndef CA_TEST_FAIL_ALLOC_H
#define CA_TEST_FAIL_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

/* Before any other use of jansson and libgcrypt. */
void fail_alloc_init(void);

/* From now on allocations are counted, and the fail_at-th fails (0 = none). */
void fail_alloc_begin(size_t fail_at);

/* Ends the counting. Returns how many were asked for; ret_live: how many of them are not freed. */
size_t fail_alloc_end(size_t *ret_live);

#endif
