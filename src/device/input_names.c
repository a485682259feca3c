/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which register a line is about: names beside hex digits in prose, tables and lists, the files
 * that a command printed, the attributes of udevadm info -a.
 */
#include "input_names.h"
#include "register_parse.h"

#include <ctype.h>
#include <string.h>

#define WORD_ENDS  " \t|,;:=\"'`*(){}[]<>#"
#define QUOTATIONS "\"'`;,"

/* The next word of a line; empty at its end. */
static struct ca_span take_word(struct ca_span *rest, const char *ends)
{
	struct ca_span word;

	while (rest->len && rest->at[0] && strchr(ends, rest->at[0]))
		*rest = (struct ca_span){rest->at + 1, rest->len - 1};
	word = (struct ca_span){rest->at, 0};
	while (word.len < rest->len && (!rest->at[word.len] || !strchr(ends, rest->at[word.len])))
		word.len++;
	*rest = (struct ca_span){rest->at + word.len, rest->len - word.len};
	return word;
}

static bool is_hex(struct ca_span *word, size_t digits)
{
	if (word->len == digits + 2 && word->at[0] == '0' &&
	    (word->at[1] == 'x' || word->at[1] == 'X'))
		*word = (struct ca_span){word->at + 2, word->len - 2};
	for (size_t i = 0; i < word->len; i++)
		if (!isxdigit((unsigned char)word->at[i]))
			return false;
	return word->len == digits;
}

bool ca_input_take_named(struct ca_span *rest, unsigned int *ret_kind, struct ca_span *ret_value)
{
	enum ca_register reg = CA_REGISTER_COUNT;

	for (;;) {
		struct ca_span word = take_word(rest, WORD_ENDS);
		enum ca_register named;

		if (!word.len)
			return false;
		if (ca_register_find(word.at, word.len, &named)) {
			reg = named;
		} else if (reg < CA_REGISTER_COUNT && is_hex(&word, 2 * ca_register_bytes(reg))) {
			*ret_kind = reg;
			*ret_value = word;
			return true;
		}
	}
}

bool ca_input_udev_device(struct ca_span line, struct ca_span *ret_path)
{
	struct ca_span path = ca_span_starts_with(line, "looking at ")
				      ? ca_span_behind(line, "device '")
				      : (struct ca_span){NULL, 0};
	const char *end = path.at ? memchr(path.at, '\'', path.len) : NULL;

	if (!end)
		return false;
	*ret_path = (struct ca_span){path.at, (size_t)(end - path.at)};
	return true;
}

bool ca_input_udev_attribute(struct ca_span line, struct ca_span *ret_name,
			     struct ca_span *ret_value)
{
	struct ca_span name, value;
	size_t len = 0;

	if (!ca_span_starts_with(line, "ATTR{") && !ca_span_starts_with(line, "ATTRS{"))
		return false;
	name = ca_span_behind(line, "{");
	value = ca_span_behind(name, "}==\"");
	if (!value.at)
		return false;
	name.len = (size_t)(value.at - name.at) - 4;
	while (len < value.len && value.at[len] != '"')
		len++;
	*ret_name = name;
	*ret_value = (struct ca_span){value.at, len};
	return true;
}

/* ---- what a command printed ----------------------------------------------------------------- */

static struct ca_span last_component(struct ca_span path)
{
	const char *slash = path.len ? memrchr(path.at, '/', path.len) : NULL;

	if (!slash)
		return path;
	return (struct ca_span){slash + 1, path.len - (size_t)(slash + 1 - path.at)};
}

static void add_file(struct ca_input_files *files, struct ca_span directory, struct ca_span name)
{
	if (files->count == CA_ARRAY_LEN(files->at))
		return; /* the lines behind are read without a name */
	files->at[files->count++] = (struct ca_input_file){directory, ca_input_kind_of_name(name)};
}

/* "DIR/cid", "DIR/{cid,csd}", "cid". */
static void add_argument(struct ca_input_files *files, struct ca_span argument)
{
	struct ca_span name = last_component(argument), directory = argument;
	bool pattern = false;

	directory.len = (size_t)(name.at - argument.at);
	if (directory.len)
		directory.len--;
	for (size_t i = 0; i < directory.len; i++)
		pattern |= directory.at[i] && strchr("*?", directory.at[i]);
	if (!name.len || name.at[0] != '{' || name.at[name.len - 1] != '}') {
		/* a pattern stands for as many cards as there are */
		do
			add_file(files, pattern ? (struct ca_span){NULL, 0} : directory, name);
		while (pattern && files->count < CA_ARRAY_LEN(files->at));
		return;
	}
	name = (struct ca_span){name.at + 1, name.len - 2};
	while (name.len) {
		struct ca_span one = take_word(&name, ",");

		if (one.len)
			add_file(files, directory, one);
	}
}

static bool is_tool(struct ca_span word)
{
	static const char *const tools[] = {"cat", "xxd", "hexdump", "hd", "od", "more", "head"};

	word = last_component(word);
	for (size_t i = 0; i < CA_ARRAY_LEN(tools); i++)
		if (ca_span_is(word, tools[i]))
			return true;
	return false;
}

bool ca_input_files_of_command(struct ca_span line, struct ca_input_files *ret_files)
{
	struct ca_input_files files = {.count = 0};
	struct ca_span word = take_word(&line, " \t");
	bool useful = false;

	while (word.len && !is_tool(word))
		word = take_word(&line, " \t");
	while (word.len && line.len) {
		struct ca_span argument = take_word(&line, " \t");
		bool last = argument.len && argument.at[argument.len - 1] == ';';

		argument = ca_span_trim(argument, QUOTATIONS);
		if (!argument.len || strchr("|&>", argument.at[0]) ||
		    ca_span_starts_with(argument, "2>"))
			break;
		if (argument.at[0] != '-')
			add_argument(&files, argument);
		if (last)
			break;
	}
	for (size_t i = 0; i < files.count; i++)
		useful |= files.at[i].kind < CA_REGISTER_COUNT;
	if (useful)
		*ret_files = files;
	return useful;
}
