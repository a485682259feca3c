/* SPDX-License-Identifier: BSD-2-Clause */
#include "identity_internal.h"

#include <string.h>

const struct ca_spec_maker *ca_identity_find_maker(bool emmc, uint8_t mid, uint16_t oid)
{
	const struct ca_spec_maker *any_oid = NULL;

	for (size_t i = 0; i < ca_spec_makers_count; i++) {
		const struct ca_spec_maker *maker = &ca_spec_makers[i];

		if (maker->emmc != emmc || maker->mid != mid)
			continue;
		if (maker->oid == oid)
			return maker;
		if (maker->oid < 0)
			any_oid = maker;
	}
	return any_oid;
}

const struct ca_spec_nvme_vendor *ca_identity_find_nvme_vendor(uint16_t vid)
{
	for (size_t i = 0; i < ca_spec_nvme_vendors_count; i++)
		if (ca_spec_nvme_vendors[i].vid == vid)
			return &ca_spec_nvme_vendors[i];
	return NULL;
}

static bool matches_one(char pattern, char c)
{
	return pattern == '?' || pattern == c || (pattern == '#' && c >= '0' && c <= '9');
}

bool ca_identity_pattern_matches(const char *pattern, const char *text)
{
	const char *after_star = NULL, *retry = NULL;

	if (!*pattern)
		return true;
	while (*text) {
		if (*pattern == '*') {
			after_star = ++pattern;
			retry = text;
		} else if (*pattern && matches_one(*pattern, *text)) {
			pattern++;
			text++;
		} else if (after_star) {
			/* let the last star take one character more */
			pattern = after_star;
			text = ++retry;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}
