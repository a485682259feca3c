/* SPDX-License-Identifier: BSD-2-Clause */
/* What this host provides for a device: services tried, facts read, and where each was looked for.
 */
#include "cli.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS	    80U
#define NAME_COLUMN 4U
#define TEXT_COLUMN 30U

struct selfcheck {
	const char *target;
	struct ca_evidence *evidence;
	struct ca_check checks[CA_CHECK_MAX];
	size_t check_count;
};

/* A fact that no run has set yet is not missing. */
static bool is_set_by_run(enum ca_host_fact fact)
{
	return fact == CA_HOST_IO_ENGINE || fact == CA_HOST_ERR_STATS_AFTER;
}

static bool is_missing(const struct selfcheck *selfcheck, enum ca_host_fact fact)
{
	return !selfcheck->evidence->host[fact].present && !is_set_by_run(fact) &&
	       ca_host_fact_is_of_bus(fact, selfcheck->evidence->device.bus);
}

static bool is_not_applicable(const struct selfcheck *selfcheck, enum ca_host_fact fact)
{
	return !selfcheck->evidence->host[fact].present && !is_set_by_run(fact) &&
	       !ca_host_fact_is_of_bus(fact, selfcheck->evidence->device.bus);
}

/* ---- text ----------------------------------------------------------------------------------- */

/* Words from `column` on, later lines begin at `hang`. Ends the line. */
static void print_wrapped(const char *text, unsigned int column, unsigned int hang)
{
	bool first = true;

	while (*text) {
		size_t len = strcspn(text, " ");

		if (!first && column + 1 + len > COLUMNS) {
			(void)printf("\n%*s", (int)hang, "");
			column = hang;
		} else if (!first) {
			(void)putchar(' ');
			column++;
		}
		(void)printf("%.*s", (int)len, text);
		column += (unsigned int)len;
		text += len;
		text += strspn(text, " ");
		first = false;
	}
	(void)putchar('\n');
}

static void print_pair(const char *name, const char *text)
{
	char escaped[4 * sizeof(((struct ca_check *)NULL)->text) + 1];

	ca_string_escape(escaped, sizeof(escaped), text);
	(void)printf("%*s%-*s", (int)NAME_COLUMN, "", (int)(TEXT_COLUMN - NAME_COLUMN), name);
	print_wrapped(escaped, TEXT_COLUMN, TEXT_COLUMN);
}

static void print_checks(const struct selfcheck *selfcheck, enum ca_check_state state,
			 const char *heading)
{
	bool any = false;

	for (size_t i = 0; i < selfcheck->check_count; i++) {
		if (selfcheck->checks[i].state != state)
			continue;
		if (!any)
			(void)printf("\n%s\n", heading);
		any = true;
		print_pair(selfcheck->checks[i].name, selfcheck->checks[i].text);
	}
}

/* "31 [debugfs block/DISK/hctx0/tags (root)]" */
static void format_fact(enum ca_host_fact which, const struct ca_fact *fact, char *ret_line,
			size_t size)
{
	struct ca_text text;

	ca_text_init(&text, ret_line, size);
	if (which == CA_HOST_LOG_ERRORS && fact->number > 1) {
		ca_text_i64(&text, fact->number);
		ca_text_add(&text, " lines, the last: ");
	}
	ca_text_add(&text, fact->text);
	ca_text_add(&text, " [");
	ca_text_add(&text, ca_host_fact_source(which));
	ca_text_add(&text, "]");
}

static void print_facts(const struct selfcheck *selfcheck)
{
	const struct ca_fact *facts = selfcheck->evidence->host;
	bool any = false;

	for (unsigned int i = 0; i < CA_HOST_FACT_COUNT; i++) {
		char line[sizeof(facts[i].text) + 120];

		if (!facts[i].present)
			continue;
		if (!any)
			(void)printf("\nFacts that were read\n");
		any = true;
		format_fact((enum ca_host_fact)i, &facts[i], line, sizeof(line));
		print_pair(ca_host_fact_name((enum ca_host_fact)i), line);
	}
}

static void print_missing(const struct selfcheck *selfcheck)
{
	bool any = false;

	for (unsigned int i = 0; i < CA_HOST_FACT_COUNT; i++) {
		if (!is_missing(selfcheck, (enum ca_host_fact)i))
			continue;
		if (!any)
			(void)printf(
				"\nFacts that were not there, and where they were looked for\n");
		any = true;
		print_pair(ca_host_fact_name((enum ca_host_fact)i),
			   ca_host_fact_source((enum ca_host_fact)i));
	}
}

/* What such a device cannot have: names alone. */
static void print_not_applicable(const struct selfcheck *selfcheck)
{
	char names[1600] = "";
	struct ca_text text;

	ca_text_init(&text, names, sizeof(names));
	for (size_t i = 0; i < selfcheck->check_count; i++) {
		if (selfcheck->checks[i].state != CA_CHECK_NOT_APPLICABLE ||
		    selfcheck->check_count == 1)
			continue;
		ca_text_add(&text, text.len ? ", " : "");
		ca_text_add(&text, selfcheck->checks[i].name);
	}
	for (unsigned int i = 0; i < CA_HOST_FACT_COUNT; i++) {
		if (!is_not_applicable(selfcheck, (enum ca_host_fact)i))
			continue;
		ca_text_add(&text, text.len ? ", " : "");
		ca_text_add(&text, ca_host_fact_name((enum ca_host_fact)i));
	}
	if (!text.len)
		return;
	(void)printf("\nNot applicable here\n%*s", (int)NAME_COLUMN, "");
	print_wrapped(names, NAME_COLUMN, NAME_COLUMN);
}

static int print_text(const struct selfcheck *selfcheck)
{
	char target[1100];

	ca_string_escape(target, sizeof(target), selfcheck->target);
	(void)printf("What this host provides for %s\n", target);
	if (selfcheck->check_count == 1) /* no slot: the one line says why */
		print_checks(selfcheck, CA_CHECK_NOT_APPLICABLE, "Services");
	print_checks(selfcheck, CA_CHECK_WORKS, "Services that work");
	print_checks(selfcheck, CA_CHECK_ABSENT, "Services that are absent");
	print_facts(selfcheck);
	print_missing(selfcheck);
	print_not_applicable(selfcheck);
	return ca_stdout_finish();
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static const char *state_name(enum ca_check_state state)
{
	switch (state) {
	case CA_CHECK_WORKS:
		return "works";
	case CA_CHECK_ABSENT:
		return "absent";
	case CA_CHECK_NOT_APPLICABLE:
		return "not_applicable";
	}
	return "";
}

static json_t *checks_to_json(const struct selfcheck *selfcheck)
{
	json_t *array = json_array();

	for (size_t i = 0; i < selfcheck->check_count; i++) {
		const struct ca_check *check = &selfcheck->checks[i];
		char text[4 * sizeof(check->text) + 1];

		ca_string_escape(text, sizeof(text), check->text);
		if (json_array_append_new(array,
					  json_pack("{s:s, s:s, s:s}", "name", check->name, "state",
						    state_name(check->state), "text", text)) < 0) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

/* Fills the three: facts by name, absent ones with where they were looked for, names of others. */
static int facts_to_json(const struct selfcheck *selfcheck, json_t *facts, json_t *absent,
			 json_t *others)
{
	int r = 0;

	for (unsigned int i = 0; r == 0 && i < CA_HOST_FACT_COUNT; i++) {
		const struct ca_fact *fact = &selfcheck->evidence->host[i];
		const char *name = ca_host_fact_name((enum ca_host_fact)i);
		const char *source = ca_host_fact_source((enum ca_host_fact)i);
		char text[4 * sizeof(fact->text) + 1];

		ca_string_escape(text, sizeof(text), fact->text);
		if (fact->present)
			r = json_object_set_new(facts, name,
						json_pack("{s:s, s:I, s:s}", "value", text,
							  "number", (json_int_t)fact->number,
							  "source", source));
		else if (is_missing(selfcheck, (enum ca_host_fact)i))
			r = json_array_append_new(
				absent, json_pack("{s:s, s:s}", "name", name, "source", source));
		else if (is_not_applicable(selfcheck, (enum ca_host_fact)i))
			r = json_array_append_new(others, json_string(name));
	}
	return r;
}

static int print_json(const struct selfcheck *selfcheck)
{
	json_t *facts = json_object(), *absent = json_array(), *others = json_array();
	CA_CLEANUP_FREE char *text = NULL;
	struct ca_error error = {0};
	char target[1100];
	json_t *root = NULL;

	ca_string_escape(target, sizeof(target), selfcheck->target);
	if (facts && absent && others && facts_to_json(selfcheck, facts, absent, others) == 0)
		root = json_pack("{s:s, s:o, s:O, s:O, s:O}", "device", target, "checks",
				 checks_to_json(selfcheck), "facts", facts, "absent", absent,
				 "not_applicable", others);
	json_decref(facts);
	json_decref(absent);
	json_decref(others);
	if (root)
		text = json_dumps(root, JSON_INDENT(2));
	json_decref(root);
	if (!text)
		return ca_report_error(&error, -ENOMEM);
	if (ca_stdout_write(text, strlen(text), &error) < 0 || ca_stdout_write("\n", 1, &error) < 0)
		return ca_report_error(&error, error.code);
	return CA_EXIT_PASS;
}

/* ---- the command ---------------------------------------------------------------------------- */

int ca_cmd_selfcheck(const struct ca_options *options)
{
	struct selfcheck selfcheck = {.target = options->targets[0]};
	struct ca_error error = {0};
	int r = -ENOMEM;

	selfcheck.evidence = calloc(1, sizeof(*selfcheck.evidence));
	if (selfcheck.evidence)
		r = ca_host_selfcheck(options->root, selfcheck.target, selfcheck.checks,
				      &selfcheck.check_count, &error);
	if (r == 0)
		r = ca_host_collect(options->root, selfcheck.target, selfcheck.evidence, &error);
	if (r < 0)
		r = ca_report_error(&error, r);
	else if (options->format == CA_FORMAT_JSON)
		r = print_json(&selfcheck);
	else
		r = print_text(&selfcheck);
	if (selfcheck.evidence)
		ca_evidence_done(selfcheck.evidence);
	free(selfcheck.evidence);
	return r;
}
