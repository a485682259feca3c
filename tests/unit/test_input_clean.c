/* SPDX-License-Identifier: BSD-2-Clause */
#include "input.h"

#include "device_test.h"

#include <string.h>

static const struct {
	const char *text, *clean;
} lines[] = {
	{"", ""},
	{"cid: 00\n", "cid: 00\n"},
	{"a\n\n b \n", "a\n\nb\n"},
	{"\xef\xbb\xbf"
	 "cid: 00\r\ncsd:\t01\r\n",
	 "cid: 00\ncsd:\t01\n"},
	{"> > a\n>b\n&gt; c\n", "a\nb\nc\n"},
	/* times */
	{"[    2.344431] mmc0: new", "mmc0: new"},
	{"[2024-05-18 11:39:36] a", "a"},
	{"2024-05-18T11:39:36.123456+02:00 host kernel: mmc0: new", "mmc0: new"},
	{"2024-05-18 11:39:36 a : b", "a : b"},
	{"Jan 01 00:00:01 pi kernel: [    1.8] mmc0: new", "mmc0: new"},
	{"May  8 10:00:01 pi nvme[12]: sn : 1", "sn : 1"},
	{"02:59:03 DEBUG| [stdout] vid       : 0x11f8", "vid       : 0x11f8"},
	{"02:59:03 vid : 0x11f8", "vid : 0x11f8"},
	{"02:59:03 cid: 00", "cid: 00"},
	{"02:59:03 Model Number: X", "Model Number: X"}, /* no sender of a system log */
	{"2024-05-18T11:39:36+02:00 Model Number: X", "Model Number: X"},
	{"2024-05-18T11:39:36+02:00 pi sh[812]: a : b", "a : b"},
	{"12:01:02 a\n12:01:02\nb", "a\n\nb"},
	/* no times */
	{"[3:3] : 0\tANA", "[3:3] : 0\tANA"},
	{"[21:21]: 0", "[21:21]: 0"},
	{"03:53:44:53:4e", "03:53:44:53:4e"},
	{"01:00.0 Non-Volatile", "01:00.0 Non-Volatile"},
	{"0000:01:00.0 Non-Volatile", "0000:01:00.0 Non-Volatile"},
	{"12:59 a", "12:59 a"},
	/* grep --color */
	{"\033[35m\033[K/sys/cid\033[m\033[K\033[36m\033[K:\033[m\033[K00", "/sys/cid:00"},
	{"mn : \033[31mred", "mn : \033[31mred"}, /* the drive's own */
	/* a web page */
	{"<pre><code>cid: 00<br>\ncsd: 01</code></pre>", "cid: 00\ncsd: 01\n"},
	{"<p class=\"x\">cid:&nbsp;00</p>", "cid: 00\n"},
	{"mn : <b>&amp;</b>", "mn : <b>&amp;</b>"},
	{"cid:\xc2\xa0"
	 "00",
	 "cid: 00"},
	/* arrays */
	{"{0x27, 0x50,0x48}", "{0x27  0x50 0x48}"},
	{"data_units : 1,234", "data_units : 1,234"},
	/* a forum */
	{"[code]cid: 00\ncsd: 01[/code]", "cid: 00\ncsd: 01[/code]"},
};

START_TEST(cleaned)
{
	char *text;
	size_t len;

	ck_assert_int_eq(ca_input_clean(lines[_i].text, strlen(lines[_i].text), &text, &len), 0);
	text[len] = '\0'; /* it has room for as many bytes as before, and one */
	ck_assert_str_eq(text, lines[_i].clean);
	free(text);
}
END_TEST

START_TEST(two_byte_letters)
{
	static const char little[] = "\xff\xfe"
				     "c\0i\0d\0\n\0\x42\x04\0\0";
	static const char big[] = "\xfe\xff\0c\0i\0d\0\n\x04\x42\0";
	char *text;
	size_t len;

	ck_assert(ca_input_is_utf16(little, 14));
	ck_assert(!ca_input_is_utf16(little, 13));
	ck_assert(!ca_input_is_utf16("cid:", 4));
	ck_assert_int_eq(ca_input_clean(little, 14, &text, &len), 0);
	ck_assert_uint_eq(len, 7);
	ck_assert_mem_eq(text, "cid\n\xd1\x82?", 7);
	free(text);
	ck_assert_int_eq(ca_input_clean(big, 12, &text, &len), 0);
	ck_assert_mem_eq(text, "cid\n\xd1\x82", 6);
	free(text);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("input_clean");

	tcase_add_loop_test(tests, cleaned, 0, (int)CA_ARRAY_LEN(lines));
	tcase_add_test(tests, two_byte_letters);
	return run_tests(tests);
}
