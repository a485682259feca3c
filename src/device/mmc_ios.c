/* SPDX-License-Identifier: BSD-2-Clause */
#include "mmc_ios.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The value behind "name:" and tabs, up to the line's end; false when the line is not there. */
static bool find_value(const char *text, const char *name, char *ret_value, size_t size)
{
	size_t name_len = strlen(name);

	while (*text) {
		size_t len = strcspn(text, "\n");

		if (len > name_len && strncmp(text, name, name_len) == 0 && text[name_len] == ':') {
			struct ca_text value;
			size_t at = name_len + 1;

			while (at < len && isspace((unsigned char)text[at]))
				at++;
			ca_text_init(&value, ret_value, size);
			ca_text_add_len(&value, text + at, len - at);
			return true;
		}
		text += len + (text[len] == '\n');
	}
	return false;
}

/* What stands in brackets behind a code: "6 (sd uhs SDR104)". */
static bool bracketed(char *value)
{
	char *open = strchr(value, '('), *close = open ? strchr(open, ')') : NULL;

	if (!close)
		return false;
	*close = '\0';
	memmove(value, open + 1, strlen(open + 1) + 1);
	return true;
}

void ca_mmc_ios_parse(const char *text, struct ca_mmc_ios *ret_ios)
{
	struct ca_mmc_ios ios = {0};
	char value[64];

	if (find_value(text, "actual clock", value, sizeof(value)) ||
	    find_value(text, "clock", value, sizeof(value)))
		ios.clock_hz = strtoull(value, NULL, 10); /* "50000000 Hz" */
	if (find_value(text, "bus width", value, sizeof(value)) && bracketed(value))
		ios.width = (uint32_t)strtoul(value, NULL, 10); /* "2 (4 bits)" */
	if (find_value(text, "timing spec", value, sizeof(value)) && bracketed(value))
		(void)ca_string_copy(ios.timing, sizeof(ios.timing), value);
	if (find_value(text, "signal voltage", value, sizeof(value)) && bracketed(value)) {
		(void)ca_string_copy(ios.voltage, sizeof(ios.voltage), value);
		/* "1.80 V": two decimals, always */
		if (isdigit((unsigned char)value[0]) && value[1] == '.' &&
		    isdigit((unsigned char)value[2]) && isdigit((unsigned char)value[3]))
			ios.voltage_mv = (uint32_t)(value[0] - '0') * 1000 +
					 (uint32_t)(value[2] - '0') * 100 +
					 (uint32_t)(value[3] - '0') * 10;
	}
	*ret_ios = ios;
}
