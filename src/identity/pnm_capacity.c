/* SPDX-License-Identifier: BSD-2-Clause */
#include "identity_internal.h"

#define GB UINT64_C(1000000000)

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* What follows the digits of a name: "", "G", "GB" (gigabytes), else no capacity. */
static bool suffix_is_gigabytes(const char *p, bool *ret_bare)
{
	*ret_bare = *p != 'G';
	if (*p == 'G')
		p++;
	if (!*ret_bare && *p == 'B')
		p++;
	while (*p == ' ')
		p++;
	return *p == '\0';
}

bool ca_identity_pnm_capacity(const char *pnm, uint64_t card_bytes, uint64_t *ret_bytes)
{
	unsigned int digits = 0;
	uint64_t number = 0;
	const char *p = pnm;
	bool bare;

	if (!is_upper(p[0]) || !is_upper(p[1]))
		return false;
	for (p += 2; *p >= '0' && *p <= '9' && digits < 4; p++, digits++)
		number = number * 10 + (uint64_t)(*p - '0');
	if (digits == 0 || digits > 3 || number == 0 || !suffix_is_gigabytes(p, &bare))
		return false;
	/* Three digits and no unit: megabytes on the cards of the megabyte era (SD064, SD256). */
	if (bare && (digits != 3 || pnm[2] == '0' || card_bytes < 4 * GB))
		return false;
	*ret_bytes = number * GB;
	return true;
}
