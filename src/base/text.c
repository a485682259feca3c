/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/base.h"

#include <assert.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

void ca_text_init(struct ca_text *text, char *buf, size_t size)
{
	assert(size > 0);
	text->buf = buf;
	text->size = size;
	text->len = 0;
	text->cut = false;
	buf[0] = '\0';
}

void ca_text_add_len(struct ca_text *text, const char *string, size_t len)
{
	size_t room = text->size - 1 - text->len;

	if (len > room) {
		len = room;
		text->cut = true;
	}
	memcpy(text->buf + text->len, string, len);
	text->len += len;
	text->buf[text->len] = '\0';
}

void ca_text_add(struct ca_text *text, const char *string)
{
	ca_text_add_len(text, string, strlen(string));
}

/* Decimal digits of value, a comma between groups of three when `grouped`. */
static void add_decimal(struct ca_text *text, uint64_t value, bool grouped)
{
	char digits[32];
	size_t at = sizeof(digits);
	unsigned int count = 0;

	do {
		if (grouped && count && count % 3 == 0)
			digits[--at] = ',';
		digits[--at] = (char)('0' + value % 10);
		value /= 10;
		count++;
	} while (value);
	ca_text_add_len(text, digits + at, sizeof(digits) - at);
}

void ca_text_u64(struct ca_text *text, uint64_t value)
{
	add_decimal(text, value, false);
}

void ca_text_i64(struct ca_text *text, int64_t value)
{
	if (value < 0)
		ca_text_add(text, "-");
	add_decimal(text, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, false);
}

void ca_text_grouped(struct ca_text *text, uint64_t value)
{
	add_decimal(text, value, true);
}

void ca_text_hex(struct ca_text *text, uint64_t value, unsigned int digits)
{
	static const char symbols[] = "0123456789abcdef";
	char buf[16];

	assert(digits >= 1 && digits <= 16);
	for (unsigned int i = 0; i < digits; i++)
		buf[i] = symbols[value >> 4 * (digits - 1 - i) & 15];
	ca_text_add_len(text, buf, digits);
}

void ca_text_fixed(struct ca_text *text, uint64_t value, uint64_t scale, unsigned int decimals)
{
	uint64_t whole = value / scale, rest = value % scale, unit = 1, part;

	for (unsigned int i = 0; i < decimals; i++)
		unit *= 10;
	assert(scale <= UINT64_MAX / unit / 2);
	part = (rest * unit + scale / 2) / scale;
	if (part == unit) {
		whole++;
		part = 0;
	}
	add_decimal(text, whole, false);
	if (!decimals)
		return;
	ca_text_add(text, ".");
	for (uint64_t place = unit / 10; place; place /= 10) {
		char digit = (char)('0' + part / place % 10);

		ca_text_add_len(text, &digit, 1);
	}
}

struct unit {
	uint64_t scale;
	const char *name;
};

static void add_in_units(struct ca_text *text, uint64_t value, const struct unit *units,
			 size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (value < units[i].scale && i + 1 < count)
			continue;
		/* a whole number of units is shown as one: "64 GB", not "64.0 GB" */
		ca_text_fixed(text, value, units[i].scale, value % units[i].scale ? 1 : 0);
		ca_text_add(text, " ");
		ca_text_add(text, units[i].name);
		return;
	}
}

void ca_text_gb(struct ca_text *text, uint64_t bytes)
{
	static const struct unit units[] = {
		{1000000000000, "TB"}, {1000000000, "GB"}, {1000000, "MB"},
		{1000, "kB"},	       {1, "bytes"},
	};

	add_in_units(text, bytes, units, CA_ARRAY_LEN(units));
}

void ca_text_size(struct ca_text *text, uint64_t bytes)
{
	static const struct unit units[] = {
		{CA_GIB * 1024, "TiB"}, {CA_GIB, "GiB"}, {CA_MIB, "MiB"},
		{CA_KIB, "KiB"},	{1, "bytes"},
	};

	ca_text_gb(text, bytes);
	if (bytes < 1000)
		return;
	ca_text_add(text, " (");
	add_in_units(text, bytes, units, CA_ARRAY_LEN(units));
	ca_text_add(text, ")");
}

void ca_text_rate(struct ca_text *text, uint64_t bytes_per_second)
{
	ca_text_fixed(text, bytes_per_second, 1000000, 1);
	ca_text_add(text, " MB/s");
}

void ca_text_escaped(struct ca_text *text, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)bytes[i];

		if (c == '\\') {
			ca_text_add(text, "\\\\");
		} else if (c >= 0x20 && c < 0x7f) {
			ca_text_add_len(text, &bytes[i], 1);
		} else {
			ca_text_add(text, "\\x");
			ca_text_hex(text, c, 2);
		}
	}
}

void ca_string_escape(char *ret, size_t ret_size, const char *string)
{
	struct ca_text text;

	ca_text_init(&text, ret, ret_size);
	ca_text_escaped(&text, string, strlen(string));
}

bool ca_string_copy(char *ret, size_t ret_size, const char *string)
{
	struct ca_text text;

	ca_text_init(&text, ret, ret_size);
	ca_text_add(&text, string);
	return !text.cut;
}

bool ca_string_equal_nocase(const char *a, const char *b)
{
	return strcasecmp(a, b) == 0;
}

static unsigned int min3(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int least = a < b ? a : b;

	return least < c ? least : c;
}

unsigned int ca_string_distance(const char *a, const char *b)
{
	/* Three rows of the optimal string alignment table: two back, one back, current. */
	unsigned int rows[3][65];
	size_t a_len = strlen(a), b_len = strlen(b);

	if (a_len > 63 || b_len > 63)
		return UINT_MAX;
	memset(rows, 0, sizeof(rows));
	for (size_t j = 0; j <= b_len; j++)
		rows[0][j] = (unsigned int)j;
	for (size_t i = 1; i <= a_len; i++) {
		unsigned int *now = rows[i % 3], *one = rows[(i + 2) % 3], *two = rows[(i + 1) % 3];

		now[0] = (unsigned int)i;
		for (size_t j = 1; j <= b_len; j++) {
			unsigned int change = a[i - 1] != b[j - 1];

			now[j] = min3(now[j - 1] + 1, one[j] + 1, one[j - 1] + change);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    two[j - 2] + 1 < now[j])
				now[j] = two[j - 2] + 1;
		}
	}
	return rows[a_len % 3][b_len];
}
