/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A walk over one JSON object: no more than what the tools print needs. Strings keep their escapes;
 * what is not JSON ends the walk.
 */
#include "input.h"

#include <ctype.h>
#include <string.h>

#define DEPTH_MAX 16U

struct walk {
	const char *at, *end;
	void (*each)(void *context, const struct ca_json_value *value);
	void *context;
	struct ca_span group;
	size_t index;
};

static void skip_space(struct walk *walk)
{
	/* '>' quotes in mail */
	while (walk->at < walk->end && (isspace((unsigned char)*walk->at) || *walk->at == '>'))
		walk->at++;
}

static bool take(struct walk *walk, char c)
{
	skip_space(walk);
	if (walk->at == walk->end || *walk->at != c)
		return false;
	walk->at++;
	return true;
}

/* Behind the opening quote. */
static bool take_string(struct walk *walk, struct ca_span *ret_text)
{
	const char *from = walk->at;

	for (; walk->at < walk->end && *walk->at != '"'; walk->at++)
		if (*walk->at == '\\' && walk->end - walk->at > 1)
			walk->at++;
	if (walk->at == walk->end)
		return false;
	*ret_text = (struct ca_span){from, (size_t)(walk->at - from)};
	walk->at++;
	return true;
}

static bool take_word(struct walk *walk, struct ca_span *ret_text)
{
	const char *from = walk->at;

	while (walk->at < walk->end &&
	       (isalnum((unsigned char)*walk->at) || (*walk->at && strchr("+-.", *walk->at))))
		walk->at++;
	*ret_text = (struct ca_span){from, (size_t)(walk->at - from)};
	return walk->at > from;
}

static bool take_value(struct walk *walk, struct ca_span name, unsigned int depth);

static bool take_members(struct walk *walk, unsigned int depth)
{
	struct ca_span name;

	if (take(walk, '}'))
		return true;
	do {
		if (!take(walk, '"') || !take_string(walk, &name) || !take(walk, ':'))
			return false;
		if (depth == 1) {
			walk->group = (struct ca_span){NULL, 0};
			walk->index = 0;
		}
		if (!take_value(walk, name, depth))
			return false;
	} while (take(walk, ','));
	return take(walk, '}');
}

static bool take_elements(struct walk *walk, struct ca_span name, unsigned int depth)
{
	if (take(walk, ']'))
		return true;
	for (size_t i = 0;; i++) {
		if (depth == 2)
			walk->index = i;
		if (!take_value(walk, name, depth))
			return false;
		if (!take(walk, ','))
			return take(walk, ']');
	}
}

static bool take_value(struct walk *walk, struct ca_span name, unsigned int depth)
{
	struct ca_json_value value = {.name = name};

	skip_space(walk);
	if (depth == DEPTH_MAX || walk->at == walk->end)
		return false;
	if (*walk->at == '{' || *walk->at == '[') {
		if (depth == 1)
			walk->group = name;
		return *walk->at++ == '{' ? take_members(walk, depth + 1)
					  : take_elements(walk, name, depth + 1);
	}
	value.string = *walk->at == '"';
	walk->at += value.string;
	if (!(value.string ? take_string(walk, &value.text) : take_word(walk, &value.text)))
		return false;
	value.group = walk->group;
	value.index = walk->index;
	if (walk->each)
		walk->each(walk->context, &value);
	return true;
}

size_t ca_json_walk(struct ca_span text,
		    void (*each)(void *context, const struct ca_json_value *value), void *context)
{
	struct walk walk = {text.at, text.at + text.len, each, context, {NULL, 0}, 0};

	if (!take(&walk, '{') || !take_members(&walk, 1))
		return 0;
	return (size_t)(walk.at - text.at);
}
