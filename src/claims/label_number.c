/* SPDX-License-Identifier: BSD-2-Clause */
#include "label_internal.h"

#include <string.h>

#define DIGITS_MAX 15U /* 10^15 fits with every scale that is not refused below */

/* A separator counts only between digits: "A2, V30" and "90 MB/s." end before theirs. */
static bool is_separator(const char *p)
{
	return (*p == '.' || *p == ',' || *p == '\'') && ca_label_is_digit(p[1]);
}

struct number_shape {
	unsigned int groups;	/* digit groups after the first */
	unsigned int first_len; /* digits in the first group */
	unsigned int last_len;
	bool threes;   /* every group after the first, but the last, has three digits */
	bool one_sign; /* all separators are the same character */
	char sign;
};

static const char *eat_groups(const char *p, struct label_number *number,
			      struct number_shape *shape)
{
	unsigned int digits = 0, len = 0;

	*shape = (struct number_shape){.threes = true, .one_sign = true};
	for (;; p++) {
		if (ca_label_is_digit(*p)) {
			number->digits = number->digits * 10 + (uint64_t)(*p - '0');
			len++;
			if (++digits > DIGITS_MAX)
				return NULL;
			continue;
		}
		if (len == 0 || !is_separator(p))
			break;
		if (shape->groups == 0)
			shape->first_len = len;
		else if (len != 3)
			shape->threes = false;
		if (!shape->one_sign)
			return NULL; /* after the decimal sign no group can follow */
		if (shape->groups && shape->sign != *p)
			shape->one_sign = false;
		shape->sign = *p;
		shape->groups++;
		len = 0;
	}
	shape->last_len = len;
	return digits ? p : NULL;
}

const char *ca_label_eat_number(const char *p, struct label_number *ret_number)
{
	struct label_number number = {0};
	struct number_shape shape;
	const char *start = p;
	bool three_last, leading_zero;

	p = eat_groups(p, &number, &shape);
	if (!p)
		return NULL;
	three_last = shape.last_len == 3;
	leading_zero = shape.groups && *start == '0';
	if (shape.groups == 1) {
		number.decimals = shape.last_len;
		number.maybe_thousands = three_last && shape.first_len <= 3 && !leading_zero;
	} else if (shape.groups > 1) {
		/* 1,048,576 or 1,048,576.5: thousands, and perhaps a decimal sign that differs */
		if (!shape.threes || shape.first_len > 3 || leading_zero)
			return NULL;
		if (shape.one_sign && !three_last)
			return NULL;
		number.decimals = shape.one_sign ? 0 : shape.last_len;
	}
	*ret_number = number;
	return p;
}

bool ca_label_number_scale(const struct label_number *number, uint64_t scale, bool decimal,
			   uint64_t *ret_value)
{
	unsigned int decimals = number->decimals;
	uint64_t value, divisor = 1;

	if (number->maybe_thousands && !decimal)
		decimals = 0;
	while (decimals-- > 0)
		divisor *= 10;
	/* Take common zeros out first, so that 0.000001 TB and 123.456 TB both fit. */
	while (divisor > 1 && scale % 10 == 0) {
		divisor /= 10;
		scale /= 10;
	}
	if (__builtin_mul_overflow(number->digits, scale, &value))
		return false;
	value /= divisor;
	if (value == 0)
		return false;
	*ret_value = value;
	return true;
}

struct size_unit {
	const char *name;
	uint64_t scale;
	bool decimal; /* see ca_label_number_scale: nobody sells a thousand terabytes */
};

/* "128GBx2": so many cards of that size. */
static bool is_times(const char *p)
{
	return (*p == 'x' || *p == 'X') && p[1] >= '1' && p[1] <= '9' &&
	       ca_label_is_word_end(p + 2);
}

static const char *eat_size_unit(const char *p, const struct size_unit **ret_unit)
{
	static const struct size_unit units[] = {
		{"gib", CA_GIB, false},
		{"tib", CA_GIB * 1024, true},
		{"mib", CA_MIB, false},
		{"gb", 1000000000, false},
		{"go", 1000000000, false},
		{"gigabytes", 1000000000, false},
		{"gigabyte", 1000000000, false},
		{"gbytes", 1000000000, false},
		{"gbyte", 1000000000, false},
		{"g", 1000000000, false},
		{"tb", 1000000000000, true},
		{"to", 1000000000000, true},
		{"terabytes", 1000000000000, true},
		{"terabyte", 1000000000000, true},
		{"tbytes", 1000000000000, true},
		{"tbyte", 1000000000000, true},
		{"t", 1000000000000, true},
		{"\xd0\x93\xd0\x91", 1000000000, false}, /* Cyrillic GB, also with a small b */
		{"\xd0\x93\xd0\xb1", 1000000000, false},
		{"\xd0\xa2\xd0\x91", 1000000000000, true},
		{"mb", 1000000, false},
		{"mo", 1000000, false},
		{"megabytes", 1000000, false},
		{"megabyte", 1000000, false},
	};

	for (size_t i = 0; i < CA_ARRAY_LEN(units); i++) {
		const char *end = ca_label_eat_prefix(p, units[i].name);

		if (end && (ca_label_is_word_end(end) || is_times(end))) {
			*ret_unit = &units[i];
			return end;
		}
	}
	return NULL;
}

/* A size over time is a rate, which another matcher reads or nobody does. */
static bool is_per_second(const char *p)
{
	return ca_label_eat_prefix(p, "_/_s") || ca_label_eat(p, " per second") ||
	       ca_label_eat(p, " p/s");
}

/* "1 024 Go": a group that begins with 0 is no size of its own. */
static const char *eat_thousands(const char *start, const char *end, struct label_number *number)
{
	const char *group = ca_label_skip_blank(end);

	if (group == end || end - start > 2 || number->digits == 0 || group[0] != '0' ||
	    !ca_label_is_digit(group[1]) || !ca_label_is_digit(group[2]) ||
	    ca_label_is_digit(group[3]))
		return end;
	for (unsigned int i = 0; i < 3; i++)
		number->digits = number->digits * 10 + (uint64_t)(group[i] - '0');
	return group + 3;
}

/*
 * Numbers with such a unit that are no size of a card: "5G" is a phone's network, "100 MB" half of
 * a rate, "-25 TO 85" a range.
 */
static bool is_other_quantity(const struct label_number *number, const struct size_unit *unit,
			      const char *start, const char *end)
{
	if (strcmp(unit->name, "g") == 0)
		return number->decimals || number->digits == 3 || number->digits == 5 ||
		       number->digits == 6 || ca_label_eat(end, " lte");
	if (unit->scale <= CA_MIB)
		return number->digits & (number->digits - 1);
	/* "up to" in French and Italian is no terabyte: "to" needs its capital or to touch. */
	if (strcmp(unit->name, "to") == 0 && start + 2 != end)
		return end[-2] == 't' || ca_label_is_digit(*ca_label_skip_blank(end));
	return false;
}

const char *ca_label_eat_capacity(const char *p, uint64_t *ret_bytes)
{
	const struct size_unit *unit;
	struct label_number number;
	const char *start = p, *number_end = ca_label_eat_number(p, &number);

	if (!number_end || (p[0] == '0' && ca_label_is_digit(p[1])))
		return NULL;
	number_end = eat_thousands(start, number_end, &number);
	p = ca_label_eat_prefix(number_end, "_");
	p = p ? eat_size_unit(p, &unit) : NULL;
	if (!p || is_per_second(p) || is_other_quantity(&number, unit, number_end, p))
		return NULL;
	return ca_label_number_scale(&number, unit->scale, unit->decimal, ret_bytes) ? p : NULL;
}

/*
 * What turns a size into one of something else, or into another view of the same card: the memory
 * of a computer, the sum of a pack, what is left to use, the footnote "1GB=1,000,000,000 bytes".
 */
static bool is_of_something_else(const char *end)
{
	static const char *const words[] = {
		" ram",	   " ddr",     " ddr3",	       " ddr4",	     " ddr5",	   " lpddr4",
		" dram",   " cache",   " dram cache",  " slc cache", " cloud",	   " file",
		" files",  " total",   " in total",    " insgesamt", " gesamt",	   " au total",
		" usable", " nutzbar", " available",   " actual",    " formatted", " free",
		" phone",  " equals",  " is equal to",
	};
	const char *next = ca_label_skip_blank(end);

	if (*next == '=')
		return true;
	for (size_t i = 0; i < CA_ARRAY_LEN(words); i++)
		if (ca_label_eat(end, words[i]))
			return true;
	return false;
}

const char *ca_label_match_capacity(const char *p, struct ca_claims *claims,
				    enum ca_claim_source source)
{
	struct ca_claim claim = {.kind = CA_CLAIM_CAPACITY, .source = source};
	const char *end = ca_label_eat_capacity(p, &claim.value);

	if (end && is_of_something_else(end))
		return NULL;
	if (end)
		(void)ca_claims_add(claims, &claim, p,
				    (size_t)(end - p)); /* the caller left room */
	return end;
}
