/* SPDX-License-Identifier: BSD-2-Clause */
/* The maker's own health page. */
#include "view.h"

#include <string.h>

static void answer_line(struct ca_view *view, const struct ca_vendor_health *health,
			unsigned int index)
{
	char lead[32];
	struct ca_text text;

	ca_text_init(&text, lead, sizeof(lead));
	ca_text_add(&text, "CMD56 ");
	ca_text_hex(&text, health->answers[index].argument, 8);
	ca_text_add(&text, "h");
	ca_view_pair(view, lead, ca_vendor_worth_text(health, index));
}

static void field_line(struct ca_view *view, const struct ca_vendor_field *field,
		       const uint8_t *data)
{
	char label[40], words[400];
	struct ca_text text;

	ca_text_init(&text, label, sizeof(label));
	ca_text_add(&text, field->name);
	for (char *at = label; *at; at++)
		*at = *at == '_' ? ' ' : *at;
	ca_text_init(&text, words, sizeof(words));
	ca_vendor_field_text(field, data, &text);
	if (!text.len)
		ca_text_add(&text, "empty");
	ca_text_add(&text, view->all ? "; " : "");
	ca_text_add(&text, view->all ? field->meaning : "");
	ca_view_lead(view, 2, CA_STYLE_PLAIN, label, 28, words);
}

static void whose(struct ca_view *view, const struct ca_vendor_query *query)
{
	struct ca_view_words words;
	struct ca_text *text = ca_view_start(&words);
	bool shared = strcmp(query->standing, "maker") != 0;

	ca_text_add(text, query->maker);
	ca_text_add(text, shared ? ": this signature does not tell them apart" : "");
	ca_view_pair(view, shared ? "given by cards of" : "page of", words.buf);
}

void ca_view_vendor(struct ca_view *view, const struct ca_vendor_health *health)
{
	const struct ca_vendor_query *query;
	unsigned int index;

	if (!health->asked)
		return;
	ca_view_heading(view, "Health page of the maker (vendor-defined: in no standard)");
	if (health->not_asked_because[0])
		ca_view_pair(view, "not asked", health->not_asked_because);
	for (unsigned int i = 0; i < health->count; i++)
		answer_line(view, health, i);
	if (!ca_vendor_find(health, &index, &query))
		return;
	whose(view, query);
	for (const struct ca_vendor_field *field = ca_vendor_field_first(query->layout); field;
	     field = ca_vendor_field_next(field))
		field_line(view, field, health->answers[index].data);
}
