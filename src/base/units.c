/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/base.h"

#include <errno.h>
#include <string.h>

/* Leading decimal digits; *ret_end is the first other character. -EINVAL none, -ERANGE. */
static int parse_digits(const char *text, uint64_t *ret_value, const char **ret_end)
{
	uint64_t value = 0;
	const char *p = text;

	for (; *p >= '0' && *p <= '9'; p++)
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*p - '0'), &value))
			return -ERANGE;
	if (p == text)
		return -EINVAL;
	*ret_value = value;
	*ret_end = p;
	return 0;
}

int ca_parse_u64(const char *text, uint64_t max, uint64_t *ret_value)
{
	const char *end;
	uint64_t value;
	int r = parse_digits(text, &value, &end);

	if (r < 0)
		return r;
	if (*end)
		return -EINVAL;
	if (value > max)
		return -ERANGE;
	*ret_value = value;
	return 0;
}

static int parse_scaled(const char *text, const char *const *suffixes, const uint64_t *scales,
			size_t count, uint64_t *ret_value)
{
	const char *end;
	uint64_t value;
	int r = parse_digits(text, &value, &end);

	if (r < 0)
		return r;
	for (size_t i = 0; i < count; i++) {
		if (strcmp(end, suffixes[i]) != 0)
			continue;
		if (__builtin_mul_overflow(value, scales[i], &value))
			return -ERANGE;
		*ret_value = value;
		return 0;
	}
	return -EINVAL;
}

int ca_parse_size(const char *text, uint64_t *ret_bytes)
{
	static const char *const suffixes[] = {
		"",  "B",   "K",  "KiB", "M",  "MiB", "G",  "GiB",
		"T", "TiB", "kB", "KB",	 "MB", "GB",  "TB",
	};
	static const uint64_t scales[] = {
		1,	1,	CA_KIB,	 CA_KIB,	CA_MIB,
		CA_MIB, CA_GIB, CA_GIB,	 CA_GIB * 1024, CA_GIB * 1024,
		1000,	1000,	1000000, 1000000000,	1000000000000,
	};

	return parse_scaled(text, suffixes, scales, CA_ARRAY_LEN(suffixes), ret_bytes);
}

int ca_parse_seconds(const char *text, uint64_t *ret_seconds)
{
	static const char *const suffixes[] = {"", "s", "m", "h"};
	static const uint64_t scales[] = {1, 1, 60, 3600};

	return parse_scaled(text, suffixes, scales, CA_ARRAY_LEN(suffixes), ret_seconds);
}

/* Days since 1970-01-01 of the first of a month (proleptic Gregorian). */
static uint64_t days_before(uint64_t year, unsigned int month)
{
	static const unsigned int before[] = {0,   31,	59,  90,  120, 151,
					      181, 212, 243, 273, 304, 334};
	uint64_t past = year - 1;
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
	uint64_t days = past * 365 + past / 4 - past / 100 + past / 400 - 719162;

	return days + before[month - 1] + (leap && month > 2 ? 1 : 0);
}

static void split_days(uint64_t days, unsigned int *ret_year, unsigned int *ret_month,
		       unsigned int *ret_day)
{
	uint64_t year = 1970 + days / 366;
	unsigned int month = 12;

	while (days_before(year + 1, 1) <= days)
		year++;
	while (days_before(year, month) > days)
		month--;
	*ret_year = (unsigned int)year;
	*ret_month = month;
	*ret_day = (unsigned int)(days - days_before(year, month)) + 1;
}

static void put_digits(char *p, unsigned int value, unsigned int digits)
{
	while (digits-- > 0) {
		p[digits] = (char)('0' + value % 10);
		value /= 10;
	}
}

#define LAST_SECOND UINT64_C(253402300799) /* 9999-12-31T23:59:59Z */

void ca_time_format(uint64_t unix_seconds, char *ret_text)
{
	static const char shape[] = "0000-00-00T00:00:00Z";
	unsigned int year, month, day, second;

	if (unix_seconds > LAST_SECOND)
		unix_seconds = LAST_SECOND;
	split_days(unix_seconds / 86400, &year, &month, &day);
	second = (unsigned int)(unix_seconds % 86400);
	memcpy(ret_text, shape, sizeof(shape));
	put_digits(ret_text, year, 4);
	put_digits(ret_text + 5, month, 2);
	put_digits(ret_text + 8, day, 2);
	put_digits(ret_text + 11, second / 3600, 2);
	put_digits(ret_text + 14, second / 60 % 60, 2);
	put_digits(ret_text + 17, second % 60, 2);
}

int ca_time_parse(const char *text, uint64_t *ret_unix_seconds)
{
	static const char shape[] = "dddd-dd-ddTdd:dd:ddZ";
	unsigned int part[6] = {0}, at = 0;
	char again[CA_TIME_TEXT_MAX];
	uint64_t seconds;

	if (strlen(text) != sizeof(shape) - 1)
		return -EINVAL;
	for (size_t i = 0; shape[i]; i++) {
		if (shape[i] != 'd') {
			if (text[i] != shape[i])
				return -EINVAL;
			at++;
			continue;
		}
		if (text[i] < '0' || text[i] > '9')
			return -EINVAL;
		part[at] = part[at] * 10 + (unsigned int)(text[i] - '0');
	}
	if (part[0] < 1970 || part[1] < 1 || part[1] > 12 || part[2] < 1)
		return -EINVAL;
	seconds = (days_before(part[0], part[1]) + part[2] - 1) * 86400 + part[3] * 3600 +
		  part[4] * 60 + part[5];
	/* A day or minute that does not exist does not come back as it was written. */
	ca_time_format(seconds, again);
	if (strcmp(again, text) != 0)
		return -EINVAL;
	*ret_unix_seconds = seconds;
	return 0;
}

void ca_time_year_month(uint64_t unix_seconds, unsigned int *ret_year, unsigned int *ret_month)
{
	unsigned int day;

	split_days((unix_seconds > LAST_SECOND ? LAST_SECOND : unix_seconds) / 86400, ret_year,
		   ret_month, &day);
}

uint64_t ca_gcd(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}
