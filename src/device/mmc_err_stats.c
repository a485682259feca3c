/* SPDX-License-Identifier: BSD-2-Clause */
#include "mmc_err_stats.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The counter behind the colon. The kernel prints its 32 bits as signed. */
static bool parse_count(const char *text, size_t len, uint64_t *ret_count)
{
	char digits[16], *end;
	long long value;
	size_t at = 0;

	while (at < len && isspace((unsigned char)text[at]))
		at++;
	if (at == len || len - at >= sizeof(digits))
		return false;
	memcpy(digits, text + at, len - at);
	digits[len - at] = '\0';
	errno = 0;
	value = strtoll(digits, &end, 10);
	if (errno || end == digits || *end || value < INT32_MIN || value > UINT32_MAX)
		return false;
	*ret_count = (uint32_t)value;
	return true;
}

static void take_line(const char *line, size_t len, struct ca_mmc_err_stats *stats,
		      struct ca_text *above_zero)
{
	const char *colon = memchr(line, ':', len);
	uint64_t count;

	if (!colon || len < 2 || memcmp(line, "# ", 2) != 0 ||
	    !parse_count(colon + 1, len - (size_t)(colon + 1 - line), &count))
		return;
	stats->counters++;
	stats->sum += count;
	if (!count)
		return;
	ca_text_add(above_zero, above_zero->len ? ", " : "");
	ca_text_add_len(above_zero, line + 2, (size_t)(colon - line) - 2);
	ca_text_add(above_zero, " ");
	ca_text_u64(above_zero, count);
}

void ca_mmc_err_stats_parse(const char *text, struct ca_mmc_err_stats *ret_stats)
{
	struct ca_mmc_err_stats stats = {0};
	struct ca_text above_zero;

	ca_text_init(&above_zero, stats.above_zero, sizeof(stats.above_zero));
	while (*text) {
		size_t len = strcspn(text, "\n");

		take_line(text, len, &stats, &above_zero);
		text += len + (text[len] == '\n');
	}
	*ret_stats = stats;
}
