/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a decoder of specs/fields.tsv gets: the field, the bytes, and the column `decode` taken
 * apart: KIND, ARGUMENTS up to the first |, then names as VALUE=TEXT|VALUE=TEXT.
 */
#ifndef CA_REGISTERS_FIELD_VALUE_H
#define CA_REGISTERS_FIELD_VALUE_H

#include "cardassay/registers.h"

struct field_value {
	const struct ca_field *field;
	const struct ca_registers *registers;
	const uint8_t *data; /* the whole register */
	size_t bytes;
	uint64_t number;       /* UINT64_MAX when it needs more than 64 bits */
	const char *arguments; /* ends at | or NUL */
	const char *names;     /* behind the first |, "" = none */
};

typedef void field_decoder(const struct field_value *value, struct ca_text *text);

/* Kinds that need more than the number (field_special.c); NULL = not one of them. */
field_decoder *field_special_find(const char *kind, size_t len);

/* "4 MiB", or bytes and GB where that is no round number. */
void field_value_size(struct ca_text *text, uint64_t bytes);
void field_value_overflow(struct ca_text *text);

#endif
