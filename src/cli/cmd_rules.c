/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

static json_t *rule_to_json(const struct ca_spec_rule *rule)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:s, s:s}", "id",
			 rule->id, "claim", rule->claim, "severity", rule->severity, "register",
			 rule->reg, "bits", rule->bits, "title", rule->title, "why", rule->why,
			 "todo", rule->todo, "cards_checked", (int)rule->cards_checked, "cards_hit",
			 (int)rule->cards_hit, "clause", rule->clause, "sources", rule->sources);
}

static int print_json(void)
{
	json_t *array = json_array();
	CA_CLEANUP_FREE char *text = NULL;
	struct ca_error error = {0};
	bool ok = array != NULL;

	for (size_t i = 0; ok && i < ca_spec_rules_count; i++)
		ok = json_array_append_new(array, rule_to_json(&ca_spec_rules[i])) == 0;
	if (ok)
		text = json_dumps(array, JSON_INDENT(2));
	json_decref(array);
	if (!text)
		return ca_report_error(&error, -ENOMEM);
	if (ca_stdout_write(text, strlen(text), &error) < 0 || ca_stdout_write("\n", 1, &error) < 0)
		return ca_report_error(&error, error.code);
	return CA_EXIT_PASS;
}

int ca_cmd_rules(const struct ca_options *options)
{
	if (options->format == CA_FORMAT_JSON)
		return print_json();
	for (size_t i = 0; i < ca_spec_rules_count; i++)
		(void)printf("%-16s %-12s %s\n", ca_spec_rules[i].id, ca_spec_rules[i].severity,
			     ca_spec_rules[i].title);
	return ca_stdout_finish();
}
