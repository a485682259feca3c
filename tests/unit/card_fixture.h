/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reading fixtures/ in tests: lines of a table, registers of a card, values of an ORIGIN file.
 * Every function fails the running test when a fixture is not as it must be.
 */
#ifndef CA_TEST_CARD_FIXTURE_H
#define CA_TEST_CARD_FIXTURE_H

#include "cardassay/registers.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIXTURE_LINE_MAX  2048
#define FIXTURE_CELLS_MAX 16

/* One row of a fixture table; cells point into line. */
struct fixture_row {
	char line[FIXTURE_LINE_MAX];
	const char *cells[FIXTURE_CELLS_MAX];
	size_t cell_count;
};

/* The next row of `file` that is neither a comment nor the column names; false at the end. */
static inline bool fixture_next_row(FILE *file, struct fixture_row *row, bool *seen_header)
{
	while (fgets(row->line, sizeof(row->line), file)) {
		char *p = row->line;

		ck_assert_msg(strchr(p, '\n') != NULL, "line too long");
		*strchr(p, '\n') = '\0';
		if (*p == '#')
			continue;
		if (!*seen_header) {
			*seen_header = true;
			continue;
		}
		row->cell_count = 0;
		while (p) {
			ck_assert_uint_lt(row->cell_count, FIXTURE_CELLS_MAX);
			row->cells[row->cell_count++] = strsep(&p, "\t");
		}
		return true;
	}
	return false;
}

static inline FILE *fixture_open(const char *path)
{
	char full[512];
	FILE *file;

	(void)snprintf(full, sizeof(full), "%s/%s", CA_FIXTURES, path);
	file = fopen(full, "r");
	ck_assert_msg(file != NULL, "cannot open %s", full);
	return file;
}

/* Whole text of a file below fixtures/; false when it does not exist. */
static inline bool fixture_read(const char *path, char *ret, size_t size, size_t *ret_len)
{
	char full[512];
	FILE *file;

	(void)snprintf(full, sizeof(full), "%s/%s", CA_FIXTURES, path);
	file = fopen(full, "r");
	if (!file)
		return false;
	*ret_len = fread(ret, 1, size - 1, file);
	ck_assert_uint_lt(*ret_len, size - 1);
	ret[*ret_len] = '\0';
	(void)fclose(file);
	return true;
}

/* Registers of fixtures/cards/<id>, in exact sysfs form. */
static inline void fixture_load_card(const char *id, struct ca_raw_registers *raw)
{
	static const enum ca_register kinds[] = {CA_REGISTER_CID, CA_REGISTER_CSD, CA_REGISTER_SCR,
						 CA_REGISTER_SSR};
	char path[128], text[256];
	size_t len;

	memset(raw, 0, sizeof(*raw));
	(void)snprintf(path, sizeof(path), "cards/%s/type", id);
	ck_assert(fixture_read(path, text, sizeof(text), &len));
	ck_assert_msg(strcmp(text, "SD\n") == 0 || strcmp(text, "MMC\n") == 0, "%s: type", id);
	raw->type = text[0] == 'S' ? CA_CARD_TYPE_SD : CA_CARD_TYPE_MMC;
	for (size_t i = 0; i < CA_ARRAY_LEN(kinds); i++) {
		size_t bytes = ca_register_bytes(kinds[i]), decoded = 0;

		(void)snprintf(path, sizeof(path), "cards/%s/%s", id, ca_register_name(kinds[i]));
		if (!fixture_read(path, text, sizeof(text), &len))
			continue;
		ck_assert_msg(len == 2 * bytes + 1 && text[len - 1] == '\n' &&
				      strspn(text, "0123456789abcdef") == len - 1,
			      "%s: not in sysfs form", path);
		ck_assert_int_eq(ca_hex_decode(text, len, ca_register_data_mutable(raw, kinds[i]),
					       bytes, &decoded),
				 0);
		ck_assert_uint_eq(decoded, bytes);
		raw->has[kinds[i]] = true;
	}
}

/* Value of "key: value" in the text of an ORIGIN file, "" when the key is missing. */
static inline const char *fixture_origin_value(const char *origin, const char *key, char *ret,
					       size_t size)
{
	size_t key_len = strlen(key);

	ret[0] = '\0';
	for (const char *p = origin; p && *p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL) {
		if (strncmp(p, key, key_len) != 0 || strncmp(p + key_len, ": ", 2) != 0)
			continue;
		p += key_len + 2;
		(void)snprintf(ret, size, "%.*s", (int)strcspn(p, "\n"), p);
		return ret;
	}
	return ret;
}

#endif
