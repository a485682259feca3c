/* SPDX-License-Identifier: BSD-2-Clause */
/* One field as text, by the column `decode` of specs/fields.tsv. */
#include "field_value.h"

#include <string.h>

#include "byte_field.h"

/* ---- the bytes as they are ------------------------------------------------------------------ */

static bool is_kind(const struct ca_field *field, const char *kind)
{
	size_t len = strlen(kind);

	return strncmp(field->decode, kind, len) == 0 &&
	       (field->decode[len] == '\0' || field->decode[len] == ' ' ||
		field->decode[len] == '|');
}

/* Text, identifiers and records are read from the first byte on, numbers from the last. */
static bool is_byte_string(const struct ca_field *field)
{
	static const char *const kinds[] = {"ascii",	   "hex",  "raw",
					    "power_state", "lbaf", "extensions"};

	for (size_t i = 0; i < CA_ARRAY_LEN(kinds); i++)
		if (is_kind(field, kinds[i]))
			return true;
	return false;
}

static unsigned int width_of(const struct ca_field *field)
{
	unsigned int units = field->msb - field->lsb + 1U;

	return ca_field_is_bytes(field) ? 8 * units : units;
}

/* Hex digit number `digit` from the right of a field counted in bits. */
static uint64_t nibble(const struct ca_field *field, const uint8_t *data, size_t bytes,
		       unsigned int digit)
{
	unsigned int lsb = field->lsb + 4 * digit;
	unsigned int msb = lsb + 3 < field->msb ? lsb + 3 : field->msb;

	return ca_bits_get(data, bytes, msb, lsb);
}

static bool is_zero(const struct ca_field *field, const uint8_t *data, size_t bytes)
{
	if (ca_field_is_bytes(field))
		return ca_bytes_is_all(data + field->lsb, width_of(field) / 8, 0);
	for (unsigned int i = 0; 4 * i < width_of(field); i++)
		if (nibble(field, data, bytes, i))
			return false;
	return true;
}

void ca_field_raw_text(const struct ca_field *field, const uint8_t *data, size_t bytes,
		       struct ca_text *text)
{
	ca_text_add(text, "0x");
	if (width_of(field) > 64 && is_zero(field, data, bytes)) {
		ca_text_add(text, "0");
		return;
	}
	if (!ca_field_is_bytes(field)) {
		for (unsigned int i = (width_of(field) + 3) / 4; i-- > 0;)
			ca_text_hex(text, nibble(field, data, bytes, i), 1);
		return;
	}
	for (unsigned int i = 0; i < width_of(field) / 8; i++)
		ca_text_hex(
			text,
			data[is_byte_string(field) ? field->lsb + i : (unsigned int)field->msb - i],
			2);
}

/* ---- the column `decode` --------------------------------------------------------------------- */

static uint64_t read_number(const char **p)
{
	uint64_t number = 0;

	while (**p >= '0' && **p <= '9')
		number = 10 * number + (uint64_t)(*(*p)++ - '0');
	while (**p == ' ')
		++*p;
	return number;
}

static const char *next_name(const char *name)
{
	name += strcspn(name, "|");
	return *name ? name + 1 : name;
}

static void add_name(struct ca_text *text, const char *name)
{
	ca_text_add_len(text, name, strcspn(name, "|"));
}

/* The text of a value among the names. False when it has none. */
static bool add_named(const struct field_value *value, struct ca_text *text)
{
	for (const char *name = value->names; *name; name = next_name(name)) {
		const char *p = name;

		if (read_number(&p) != value->number || *p != '=')
			continue;
		add_name(text, p + 1);
		return true;
	}
	return false;
}

static void add_unit(struct ca_text *text, const char *unit)
{
	if (!*unit || *unit == '|')
		return;
	ca_text_add(text, " ");
	add_name(text, unit);
}

void field_value_overflow(struct ca_text *text)
{
	ca_text_add(text, "more than 64 bits hold");
}

void field_value_size(struct ca_text *text, uint64_t bytes)
{
	static const char *const units[] = {" bytes", " KiB", " MiB"};
	uint64_t count = bytes;
	size_t unit = 0;

	while (count && count % 1024 == 0 && unit + 1 < CA_ARRAY_LEN(units)) {
		count /= 1024;
		unit++;
	}
	if (count < 1024 && (unit || bytes < 1000)) {
		ca_text_u64(text, count);
		ca_text_add(text, units[unit]);
		return;
	}
	ca_text_u64(text, bytes);
	ca_text_add(text, " bytes, ");
	ca_text_size(text, bytes);
}

/* ---- kinds ---------------------------------------------------------------------------------- */

static void decode_raw(const struct field_value *value, struct ca_text *text)
{
	(void)value; /* the maker's own: no meaning is known */
	(void)text;
}

static void decode_reserved(const struct field_value *value, struct ca_text *text)
{
	ca_text_add(text, is_zero(value->field, value->data, value->bytes)
				  ? "clear"
				  : "set, though reserved");
}

static void decode_flag(const struct field_value *value, struct ca_text *text)
{
	ca_text_add(text, value->number ? "yes" : "no");
}

static void decode_codes(const struct field_value *value, struct ca_text *text)
{
	ca_text_add(text, "reserved code ");
	ca_text_u64(text, value->number);
}

static void decode_number(const struct field_value *value, struct ca_text *text)
{
	if (value->number == UINT64_MAX) {
		field_value_overflow(text);
		return;
	}
	ca_text_u64(text, value->number);
	add_unit(text, value->arguments);
}

/* "linear MUL ADD UNIT" */
static void decode_linear(const struct field_value *value, struct ca_text *text)
{
	const char *p = value->arguments;
	uint64_t factor = read_number(&p), more = read_number(&p), result;

	if (__builtin_mul_overflow(value->number, factor, &result) ||
	    __builtin_add_overflow(result, more, &result)) {
		field_value_overflow(text);
		return;
	}
	ca_text_u64(text, result);
	add_unit(text, p);
}

/* "size MUL ADD": (value + ADD) x MUL bytes */
static void decode_size(const struct field_value *value, struct ca_text *text)
{
	const char *p = value->arguments;
	uint64_t factor = read_number(&p), more = read_number(&p), result;

	if (__builtin_add_overflow(value->number, more, &result) ||
	    __builtin_mul_overflow(result, factor, &result))
		field_value_overflow(text);
	else
		field_value_size(text, result);
}

static void decode_power2(const struct field_value *value, struct ca_text *text)
{
	if (value->number > 63) {
		field_value_overflow(text);
		return;
	}
	ca_text_u64(text, UINT64_C(1) << value->number);
	add_unit(text, value->arguments);
}

/* "bits EMPTY|3=NAME|7:4=NAME": the names of what is set, a number for each range */
static void decode_bits(const struct field_value *value, struct ca_text *text)
{
	uint64_t rest = value->number;
	size_t start = text->len;

	for (const char *name = value->names; *name; name = next_name(name)) {
		const char *p = name;
		uint64_t high = read_number(&p), low = high, mask;
		bool range = *p == ':';

		if (range) {
			p++;
			low = read_number(&p);
		}
		mask = (UINT64_MAX >> (63 - (high - low))) << low;
		rest &= ~mask;
		if (!range && !(value->number & mask))
			continue;
		ca_text_add(text, text->len > start ? ", " : "");
		add_name(text, p + 1);
		if (!range)
			continue;
		ca_text_add(text, text->buf[text->len - 1] == '^' ? "" : " ");
		ca_text_u64(text, (value->number & mask) >> low);
	}
	for (unsigned int bit = 0; bit < 64; bit++) {
		if (!(rest >> bit & 1))
			continue;
		ca_text_add(text, text->len > start ? ", bit " : "bit ");
		ca_text_u64(text, bit);
	}
	if (text->len == start)
		add_name(text, *value->arguments ? value->arguments : "none");
}

static void decode_ascii(const struct field_value *value, struct ca_text *text)
{
	char bytes[256];
	unsigned int len = width_of(value->field) / 8;

	/* a field counted in bits ends at its lowest one, a byte from the end each */
	memcpy(bytes,
	       value->data + (ca_field_is_bytes(value->field)
				      ? value->field->lsb
				      : value->bytes - (value->field->msb + 1U) / 8),
	       len);
	while (len && (bytes[len - 1] == ' ' || bytes[len - 1] == '\0'))
		len--;
	ca_text_add(text, "\"");
	ca_text_escaped(text, bytes, len);
	ca_text_add(text, "\"");
}

static void decode_hex(const struct field_value *value, struct ca_text *text)
{
	for (unsigned int i = value->field->lsb; i <= value->field->msb; i++)
		ca_text_hex(text, value->data[i], 2);
}

static void decode_bcd(const struct field_value *value, struct ca_text *text)
{
	/* as the card has it, also when a digit is none: Linux shows such revisions so */
	ca_text_hex(text, value->number >> 4, 1);
	ca_text_add(text, ".");
	ca_text_hex(text, value->number & 0xf, 1);
}

static void decode_kelvin(const struct field_value *value, struct ca_text *text)
{
	ca_text_u64(text, value->number);
	ca_text_add(text, " K, ");
	ca_text_i64(text, (int64_t)value->number - 273);
	ca_text_add(text, " degrees C");
}

static const struct {
	const char *name;
	field_decoder *decode;
} kinds[] = {
	{"raw", decode_raw},	   {"reserved", decode_reserved}, {"flag", decode_flag},
	{"codes", decode_codes},   {"number", decode_number},	  {"linear", decode_linear},
	{"size", decode_size},	   {"power2", decode_power2},	  {"bits", decode_bits},
	{"ascii", decode_ascii},   {"hex", decode_hex},		  {"bcd", decode_bcd},
	{"kelvin", decode_kelvin},
};

static field_decoder *find_kind(const char *decode)
{
	size_t len = strcspn(decode, " |");

	for (size_t i = 0; i < CA_ARRAY_LEN(kinds); i++)
		if (strlen(kinds[i].name) == len && memcmp(kinds[i].name, decode, len) == 0)
			return kinds[i].decode;
	return field_special_find(decode, len);
}

static uint64_t number_of(const struct ca_field *field, const uint8_t *data, size_t bytes)
{
	if (ca_field_is_bytes(field))
		return byte_field_u64(data, field->msb, field->lsb);
	return width_of(field) > 64 ? UINT64_MAX : ca_bits_get(data, bytes, field->msb, field->lsb);
}

void ca_field_value_text(const struct ca_field *field, const struct ca_registers *registers,
			 const uint8_t *data, size_t bytes, struct ca_text *text)
{
	const char *decode = field->decode + strcspn(field->decode, " |");
	struct field_value value = {
		.field = field,
		.registers = registers,
		.data = data,
		.bytes = bytes,
		.number = number_of(field, data, bytes),
		.arguments = *decode == ' ' ? decode + 1 : "",
		.names = next_name(field->decode),
	};
	field_decoder *find = find_kind(field->decode);

	/* the names of "bits" are of its parts, those of all others of whole values */
	if (!is_kind(field, "bits") && add_named(&value, text))
		return;
	if (find)
		find(&value, text);
}
