/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/specs.h"

#include <strings.h>

const struct ca_spec_rule *ca_spec_rule_find(const char *id)
{
	for (size_t i = 0; i < ca_spec_rules_count; i++)
		if (strcasecmp(ca_spec_rules[i].id, id) == 0)
			return &ca_spec_rules[i];
	return NULL;
}
