/* SPDX-License-Identifier: BSD-2-Clause */
#include "text_clean.h"

#include "cardassay/base.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *from, *to;
} cases[] = {
	{"", ""},
	{"plain ASCII ~", "plain ASCII ~"},
	{"M\xc3\xbcller \xe2\x82\xac \xf0\x9f\x92\xbe",
	 "M\xc3\xbcller \xe2\x82\xac \xf0\x9f\x92\xbe"},
	{"\x1b[31mred\a\n", "?[31mred??"},
	{"\x7f", "?"},
	{"\xc2\x9b"
	 "31m",
	 "?31m"},		  /* C1: the 8-bit CSI */
	{"\xc2\xa0", "\xc2\xa0"}, /* first after C1 */
	{"a\xe2\x80\xae"
	 "cba",
	 "a?cba"}, /* right-to-left override */
	{"a\xe2\x81\xa6"
	 "b\xe2\x80\x8b"
	 "c\xef\xbb\xbf",
	 "a?b?c?"}, /* isolate, zero width, BOM */
	{"\xff\xfe", "??"},
	{"\xc3", "?"}, /* cut in the middle */
	{"\xc3(", "?("},
	{"\xe2\x82", "??"},
	{"\xc0\xaf", "??"},	      /* overlong */
	{"\xe0\x80\x8a", "???"},      /* overlong */
	{"\xed\xa0\x80", "???"},      /* surrogate */
	{"\xf4\x90\x80\x80", "????"}, /* above 10FFFF */
	{"\x80", "?"},
};

START_TEST(cleans)
{
	char text[64];
	size_t len;

	strcpy(text, cases[_i].from);
	len = ca_text_clean(text);
	ck_assert_str_eq(text, cases[_i].to);
	ck_assert_uint_eq(len, strlen(text));
	ck_assert_uint_le(len, strlen(cases[_i].from));
	/* twice changes nothing */
	ck_assert_uint_eq(ca_text_clean(text), len);
	ck_assert_str_eq(text, cases[_i].to);
}
END_TEST

static const struct {
	const char *from, *to;
} paths[] = {
	{"", ""},
	{"/dev/mmcblk0", "/dev/mmcblk0"},
	{"a b:c", "a b:c"},
	{"M\xc3\xbcller", "M\xc3\xbcller"},
	{"a\\b", "a\\\\b"},
	{"\x1b[31m\n\x7f", "\\x1b[31m\\x0a\\x7f"},
	{"\xc2\x9b"
	 "1m",
	 "\\xc2\\x9b1m"},		     /* C1 */
	{"\xe2\x80\xae", "\\xe2\\x80\\xae"}, /* right-to-left override */
	{"\xff\xc3", "\\xff\\xc3"},
};

START_TEST(path_stays_one_line)
{
	char buf[64];
	struct ca_text text;

	ca_text_init(&text, buf, sizeof(buf));
	ca_text_add_path(&text, paths[_i].from);
	ck_assert_str_eq(buf, paths[_i].to);
}
END_TEST

START_TEST(character_lengths)
{
	ck_assert_uint_eq(ca_text_character_bytes("a"), 1);
	ck_assert_uint_eq(ca_text_character_bytes("\xc3\xbc"), 2);
	ck_assert_uint_eq(ca_text_character_bytes("\xe2\x82\xac"), 3);
	ck_assert_uint_eq(ca_text_character_bytes("\xf0\x9f\x92\xbe"), 4);
	ck_assert_uint_eq(ca_text_character_bytes("\xe2\x82"), 0);
	ck_assert_uint_eq(ca_text_character_bytes("\x82"), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("text_clean");
	TCase *tcase = tcase_create("text_clean");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, cleans, 0, (int)CA_ARRAY_LEN(cases));
	tcase_add_loop_test(tcase, path_stays_one_line, 0, (int)CA_ARRAY_LEN(paths));
	tcase_add_test(tcase, character_lengths);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
