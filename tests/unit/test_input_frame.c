/* SPDX-License-Identifier: BSD-2-Clause */
#include "input.h"

#include "device_test.h"

#include <string.h>

static const struct {
	const char *text, *clean;
} frames[] = {
	{"", ""},
	/* numbers of an editor, of cat -n, of a list */
	{"1 a: 1\n2 b: 2\n3 c: 3\n", "a: 1\nb: 2\nc: 3\n"},
	{"     9\ta\n    10\tb\n    11\tc\n", "a\nb\nc\n"},
	{"1: a\n2: b\n3: c", "a\nb\nc"},
	{"1. a\n2. b\n3. c", "a\nb\nc"},
	{"1|a\n2|\n3|c", "a\n\nc"},
	{" 1 | a\n 2 | b\n 3 | c", "a\nb\nc"},
	/* numbers that a tool printed */
	{"00000000: aa\n00000010: bb\n00000020: cc", "00000000: aa\n00000010: bb\n00000020: cc"},
	{"1 a\n5 b\n9 c", "1 a\n5 b\n9 c"},
	{"a\n1 +\n2 +\nb\nc\nd", "a\n1 +\n2 +\nb\nc\nd"},
	/* a bar, a comment, a patch */
	{"pi-1  | a\npi-1  | b\npi-1  | c", "a\nb\nc"},
	{"\xe2\x94\x82 a\n\xe2\x94\x82 b\n\xe2\x94\x82 c", "a\nb\nc"},
	{"+a\n+b\n+c", "a\nb\nc"},
	{"| a\n| b\nc", "| a\n| b\nc"}, /* not all of it */
	/* strings of a list */
	{"[\n\"a: 1\",\n\"b=\\\"2\\\"\",\n\"c\"\n]", "[\na: 1\nb=\"2\"\nc\n]"},
	{"\"a\"\n\"b \"\"x\"\" c\"\n", "a\nb \"x\" c\n"},
	{"`a`\n`b`\n", "a\nb\n"},
	/* members of an object are no strings of a list */
	{"\"a\":\"1\",\n\"b\":\"2\",\n\"c\":\"\"", "\"a\":\"1\",\n\"b\":\"2\",\n\"c\":\"\""},
	/* an empty line after each */
	{"a\n\nb\n\nc\n\nd\n\ne\n\nf\n", "a\nb\nc\nd\ne\nf\n"},
	{"a\n\nb\nc\n\nd\n\ne\n\nf\n", "a\n\nb\nc\n\nd\n\ne\n\nf\n"},
};

START_TEST(framed)
{
	char *text;
	size_t len;

	ck_assert_int_eq(ca_input_clean(frames[_i].text, strlen(frames[_i].text), &text, &len), 0);
	text[len] = '\0'; /* it has room for it */
	ck_assert_str_eq(text, frames[_i].clean);
	free(text);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("input_frame");

	tcase_add_loop_test(tests, framed, 0, (int)CA_ARRAY_LEN(frames));
	return run_tests(tests);
}
