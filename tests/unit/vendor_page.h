/* SPDX-License-Identifier: BSD-2-Clause */
/* Answers to CMD56 for tests: one healthy page a row of specs/vendor_health.tsv. */
#ifndef CA_TEST_VENDOR_PAGE_H
#define CA_TEST_VENDOR_PAGE_H

#include "cardassay/registers.h"

#include <string.h>

/* The only inverse of ca_vendor_field_number: so that a test says what it means. */
static inline void page_set(uint8_t *page, const struct ca_vendor_field *field, uint64_t value)
{
	for (unsigned int i = 0; i < field->bytes; i++) {
		unsigned int at = strcmp(field->decode, "le") == 0 ? i : field->bytes - 1U - i;

		page[field->byte + at] = (uint8_t)(value >> 8 * i);
	}
}

static inline const struct ca_vendor_field *page_field(const char *layout, const char *name)
{
	const struct ca_vendor_field *field = ca_vendor_field_first(layout);

	while (field && strcmp(field->name, name) != 0)
		field = ca_vendor_field_next(field);
	return field;
}

static inline void page_fill_field(uint8_t *page, const struct ca_vendor_field *field)
{
	uint8_t *at = page + field->byte;

	if (strcmp(field->decode, "text") == 0)
		memcpy(at, "V1", 2);
	else if (strcmp(field->decode, "date") == 0)
		memcpy(at, "211122", 6);
	else if (strcmp(field->decode, "hex") == 0)
		at[0] = 0x45;
	else if (strcmp(field->health, "left") == 0)
		page_set(page, field, 100);
	else if (strcmp(field->health, "spare") == 0)
		page_set(page, field, 46);
	else if (strcmp(field->health, "grown") != 0)
		page_set(page, field, 1);
}

/* A new card: 100 % left or 1 % used, 46 spare blocks, nothing went bad. */
static inline void page_make(const struct ca_vendor_query *query, uint8_t page[CA_VENDOR_BYTES])
{
	memset(page, 0, CA_VENDOR_BYTES);
	page[0] = (uint8_t)(query->signature >> 8);
	page[1] = (uint8_t)query->signature;
	for (const struct ca_vendor_field *field = ca_vendor_field_first(query->layout); field;
	     field = ca_vendor_field_next(field))
		page_fill_field(page, field);
}

#endif
