/* SPDX-License-Identifier: BSD-2-Clause */
#include "input.h"

#include "device_test.h"

#include <string.h>

static const struct {
	const char *text, *signs;
} cases[] = {
	{"cid: 00\n", "cid: 00\n"},
	{"a\rb\r", "a\nb\n"}, /* no other end of a line in it */
	{"a\r\nb\r", "a\r\nb\r"},
	/* spaces and quotation marks of pages and word processors */
	{"a\xe2\x80\xaf"
	 "b\xe2\x80\x87"
	 "c\xe3\x80\x80",
	 "a b c "},
	{"\xe2\x80\x8b"
	 "a\xef\xbb\xbf",
	 "a"},
	{"==\xe2\x80\x9c"
	 "00\xe2\x80\x9d \xe2\x80\x98x\xe2\x80\x99",
	 "==\"00\" 'x'"},
	{"cid\xef\xbc\x9a"
	 "00",
	 "cid:00"},
	/* a no-break space of one byte; the same byte inside of a letter */
	{"a\xa0"
	 "b",
	 "a b"},
	{"\xc3\xa0", "\xc3\xa0"},
	/* what turns the direction of text is nobody's frame: it stays, for a rule to see */
	{"a\xe2\x80\xae"
	 "b",
	 "a\xe2\x80\xae"
	 "b"},
	/* a terminal: coloured lines, the mode and title that come with a prompt */
	{"\033[32mcid\033[0m: 00", "cid: 00"},
	{"\033[?2004h$ cat cid\n\033[?2004l\r00\n", "$ cat cid\n\r00\n"},
	{"\033]0;pi@pi: ~\a$ x", "$ x"},
	{"mn : \033[31mred", "mn : \033[31mred"}, /* the drive's own */
	{"\033[1", "\033[1"},
	/* a web page */
	{"<pre>a<br/>b<br>\nc</pre>", "a\nb\nc\n"},
	{"<td>cid</td><td>00</td>", " cid  00 "},
	{"<code>a<span class=\"p\">:</span>b</code>", "a:b"},
	{"<pre>&#160;&#x22;&quot;&apos;&#39;&#8364;&#;&x;</pre>", " \"\"''?&#;&x;\n"},
	{"a <b> &amp;", "a <b> &amp;"}, /* no page */
};

START_TEST(replaced)
{
	char *text;
	size_t len;

	ck_assert_int_eq(ca_input_signs(cases[_i].text, strlen(cases[_i].text), &text, &len), 0);
	text[len] = '\0'; /* it has room for it */
	ck_assert_str_eq(text, cases[_i].signs);
	free(text);
}
END_TEST

START_TEST(without_mark)
{
	static const char little[] = "c\0i\0d\0:\0 \0000\0000\0\n\0";
	static const char big[] = "\0c\0i\0d\0:\0 \0000\0000\0\n";
	char *text;
	size_t len;

	ck_assert_int_eq(ca_input_signs(little, 16, &text, &len), 0);
	ck_assert_uint_eq(len, 8);
	ck_assert_mem_eq(text, "cid: 00\n", 8);
	free(text);
	ck_assert_int_eq(ca_input_signs(big, 16, &text, &len), 0);
	ck_assert_mem_eq(text, "cid: 00\n", 8);
	free(text);
	ck_assert(!ca_input_is_utf16(little, 14)); /* too short to be sure */
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("input_signs");

	tcase_add_loop_test(tests, replaced, 0, (int)CA_ARRAY_LEN(cases));
	tcase_add_test(tests, without_mark);
	return run_tests(tests);
}
