/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules and kinds of notices as SARIF describes them, and the strings of every message. */
#include "sarif_parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "text_clean.h"

/* ---- message strings ----------------------------------------------------------------------- */

/* Longest: every character a brace. */
static json_t *write_escaped(const char *text)
{
	size_t room = strlen(text) * 2 + 1;
	CA_CLEANUP_FREE char *buf = malloc(room);
	struct ca_text out;

	if (!buf)
		return NULL;
	ca_text_init(&out, buf, room);
	for (const char *p = text; *p; p++) {
		ca_text_add_len(&out, p, 1);
		if (*p == '{' || *p == '}') /* 3.11.5 */
			ca_text_add_len(&out, p, 1);
		else if (p[0] == ']' && p[1] == '(') /* 3.11.6 */
			ca_text_add(&out, " ");
	}
	return json_string(buf);
}

json_t *ca_sarif_write_message(const char *text)
{
	CA_CLEANUP_FREE char *copy = strdup(text);

	if (!copy)
		return NULL;
	(void)ca_text_clean(copy); /* its length is not needed */
	return write_escaped(copy);
}

/* ---- rules --------------------------------------------------------------------------------- */

/* A page without its Markdown: no stars, no number signs at the beginning of a line. */
static char *plain_page(const char *page)
{
	char *plain = malloc(strlen(page) + 1), *to = plain;
	bool at_start = true;

	if (!plain)
		return NULL;
	for (const char *p = page; *p; p++) {
		if (at_start && *p == '#') {
			p += strspn(p, "#");
			p += *p == ' ';
		}
		at_start = *p == '\n';
		if (p[0] == '*' && p[1] == '*')
			p++;
		else
			*to++ = *p;
	}
	*to = '\0';
	return plain;
}

/* Pages are ours: their lines stay as they are. */
static json_t *write_help(const char *page)
{
	CA_CLEANUP_FREE char *plain = plain_page(page);
	json_t *object = plain ? json_object() : NULL;

	if (object && ca_json_set(object, "text", write_escaped(plain)) == 0 &&
	    ca_json_set(object, "markdown", write_escaped(page)) == 0)
		return object;
	json_decref(object);
	return NULL;
}

static json_t *write_sentence(const char *first, const char *second)
{
	char sentences[1024];
	struct ca_text text;

	ca_text_init(&text, sentences, sizeof(sentences));
	ca_text_add(&text, first);
	ca_text_add(&text, ".");
	if (second[0]) {
		ca_text_add(&text, " ");
		ca_text_add(&text, second);
	}
	return json_pack("{s:o}", "text", ca_sarif_write_message(sentences));
}

/* "CID-PNM-FILLER" -> "CidPnmFiller". 3.49.7: never the id again, not even in other letters. */
static json_t *write_name(const char *id)
{
	char name[64];
	struct ca_text text;
	bool upper = true;

	ca_text_init(&text, name, sizeof(name));
	for (const char *p = id; *p; p++) {
		char c = (char)(upper ? toupper((unsigned char)*p) : tolower((unsigned char)*p));

		upper = *p == '-';
		if (!upper)
			ca_text_add_len(&text, &c, 1);
	}
	if (!strchr(id, '-'))
		ca_text_add(&text, "Rule");
	return json_string(name);
}

/* What it says when it fires; results say for themselves (3.27.10). */
static const char *level_of(const char *severity)
{
	if (strcmp(severity, "fail") == 0)
		return "error";
	return strcmp(severity, "warning") == 0 ? "warning" : "note";
}

static json_t *write_sources(const char *sources)
{
	json_t *array = json_array();
	int r = 0;

	while (array && r == 0 && *sources) {
		size_t len = strcspn(sources, " ");

		r = len ? ca_json_append(array, json_stringn(sources, len)) : 0;
		sources += len;
		sources += *sources == ' ';
	}
	if (r == 0)
		return array;
	json_decref(array);
	return NULL;
}

static json_t *write_rule_properties(const struct ca_spec_rule *rule)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:o}", "severity",
			 rule->severity, "claim", rule->claim, "register", rule->reg, "bits",
			 rule->bits, "todo", rule->todo, "reference", rule->clause, "cards_checked",
			 (json_int_t)rule->cards_checked, "cards_hit", (json_int_t)rule->cards_hit,
			 "sources", write_sources(rule->sources));
}

json_t *ca_sarif_write_rule(const struct ca_spec_rule *rule, const char *page)
{
	json_t *object = json_object();

	if (object && ca_json_set(object, "id", json_string(rule->id)) == 0 &&
	    ca_json_set(object, "name", write_name(rule->id)) == 0 &&
	    ca_json_set(object, "shortDescription", write_sentence(rule->title, "")) == 0 &&
	    ca_json_set(object, "fullDescription", write_sentence(rule->title, rule->why)) == 0 &&
	    ca_json_set(object, "help", write_help(page)) == 0 &&
	    ca_json_set(object, "defaultConfiguration",
			json_pack("{s:s}", "level", level_of(rule->severity))) == 0 &&
	    ca_json_set(object, "properties", write_rule_properties(rule)) == 0)
		return object;
	json_decref(object);
	return NULL;
}

json_t *ca_sarif_write_notice_kinds(void)
{
	return json_pack("[{s:s, s:{s:s}}, {s:s, s:{s:s}}]", "id", "ORIGIN", "shortDescription",
			 "text", "The results are not about a real card that was in this machine.",
			 "id", "RUN", "shortDescription", "text",
			 "What must be known of the run to read its results.");
}
