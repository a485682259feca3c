/* SPDX-License-Identifier: BSD-2-Clause */
#include "fail_alloc.h"

#include <errno.h>
#include <gcrypt.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLACES ((size_t)1 << 16)

/* The blocks that are alive, by open addressing. */
static const void *live[PLACES];
static size_t live_count, asked, fail_at;
static bool counting;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void *__real_aligned_alloc(size_t align, size_t bytes);
int __real_posix_memalign(void **ret, size_t align, size_t bytes);
char *__real_strdup(const char *text);
FILE *__real_open_memstream(char **ret_text, size_t *ret_bytes);
void __real_free(void *block);

void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);
void *__wrap_aligned_alloc(size_t align, size_t bytes);
int __wrap_posix_memalign(void **ret, size_t align, size_t bytes);
char *__wrap_strdup(const char *text);
FILE *__wrap_open_memstream(char **ret_text, size_t *ret_bytes);
int __wrap_asprintf(char **ret_text, const char *format, ...) __attribute__((format(printf, 2, 3)));
int __wrap___asprintf_chk(char **ret_text, int flag, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void __wrap_free(void *block);

static bool is_failing(void)
{
	if (!counting)
		return false;
	asked++;
	if (asked != fail_at)
		return false;
	errno = ENOMEM;
	return true;
}

static size_t place_of(const void *block)
{
	return (size_t)(((uintptr_t)block >> 4) * UINT32_C(2654435761)) % PLACES;
}

static void *keep(void *block)
{
	size_t place = place_of(block);

	if (!counting || !block)
		return block;
	while (live[place])
		place = (place + 1) % PLACES;
	live[place] = block;
	if (++live_count > PLACES / 2)
		abort(); /* the table is for small cards */
	return block;
}

/* Those behind the hole that may not stand behind one move up. */
static void close_hole(size_t hole)
{
	for (size_t at = (hole + 1) % PLACES; live[at]; at = (at + 1) % PLACES) {
		size_t from_home = (at - place_of(live[at])) % PLACES;

		if (from_home < (at - hole) % PLACES)
			continue;
		live[hole] = live[at];
		hole = at;
	}
	live[hole] = NULL;
	live_count--;
}

/* A block that was not kept (older, or the C library's own) is none of ours. */
static void forget(const void *block)
{
	for (size_t at = place_of(block); block && live[at]; at = (at + 1) % PLACES) {
		if (live[at] != block)
			continue;
		close_hole(at);
		return;
	}
}

void *__wrap_malloc(size_t bytes)
{
	return is_failing() ? NULL : keep(__real_malloc(bytes));
}

void *__wrap_calloc(size_t count, size_t bytes)
{
	return is_failing() ? NULL : keep(__real_calloc(count, bytes));
}

void *__wrap_realloc(void *block, size_t bytes)
{
	void *moved;

	if (is_failing())
		return NULL;
	forget(block);
	moved = __real_realloc(block, bytes);
	return keep(moved);
}

void *__wrap_aligned_alloc(size_t align, size_t bytes)
{
	return is_failing() ? NULL : keep(__real_aligned_alloc(align, bytes));
}

int __wrap_posix_memalign(void **ret, size_t align, size_t bytes)
{
	int code = is_failing() ? ENOMEM : __real_posix_memalign(ret, align, bytes);

	if (code == 0)
		(void)keep(*ret);
	return code;
}

char *__wrap_strdup(const char *text)
{
	return is_failing() ? NULL : keep(__real_strdup(text));
}

/* The text that comes out of it is allocated inside the C library. */
FILE *__wrap_open_memstream(char **ret_text, size_t *ret_bytes)
{
	return is_failing() ? NULL : __real_open_memstream(ret_text, ret_bytes);
}

static int print(char **ret_text, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

static int print(char **ret_text, const char *format, va_list args)
{
	int len = is_failing() ? -1 : vasprintf(ret_text, format, args);

	if (len >= 0)
		(void)keep(*ret_text);
	return len;
}

int __wrap_asprintf(char **ret_text, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = print(ret_text, format, args);
	va_end(args);
	return len;
}

int __wrap___asprintf_chk(char **ret_text, int flag, const char *format, ...)
{
	va_list args;
	int len;

	(void)flag; /* how strict the format is checked */
	va_start(args, format);
	len = print(ret_text, format, args);
	va_end(args);
	return len;
}

void __wrap_free(void *block)
{
	forget(block);
	__real_free(block);
}

void fail_alloc_init(void)
{
	json_set_alloc_funcs(__wrap_malloc, __wrap_free);
	gcry_set_allocation_handler(__wrap_malloc, NULL, NULL, __wrap_realloc, __wrap_free);
}

void fail_alloc_begin(size_t at)
{
	memset(live, 0, sizeof(live));
	live_count = asked = 0;
	fail_at = at;
	counting = true;
}

size_t fail_alloc_end(size_t *ret_live)
{
	counting = false;
	*ret_live = live_count;
	return asked;
}
