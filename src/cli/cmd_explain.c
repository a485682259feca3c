/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli.h"

#include <limits.h>
#include <string.h>

int ca_cmd_explain(const struct ca_options *options)
{
	const char *id = options->targets[0];
	const struct ca_spec_rule *rule = ca_spec_rule_find(id);
	const char *nearest = NULL;
	unsigned int least = UINT_MAX;
	struct ca_error error = {0};

	if (rule) {
		const char *page = ca_spec_rule_pages[rule - ca_spec_rules];

		if (ca_stdout_write(page, strlen(page), &error) < 0)
			return ca_report_error(&error, error.code);
		return CA_EXIT_PASS;
	}
	for (size_t i = 0; i < ca_spec_rules_count; i++) {
		unsigned int distance = ca_string_distance(id, ca_spec_rules[i].id);

		if (distance < least) {
			least = distance;
			nearest = ca_spec_rules[i].id;
		}
	}
	ca_report("there is no rule '%s': did you mean %s? 'cardassay rules' lists them all.", id,
		  nearest ? nearest : "another");
	return CA_EXIT_USAGE;
}
