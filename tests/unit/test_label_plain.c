/* SPDX-License-Identifier: BSD-2-Clause */
#include "label_internal.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define BAD "\xef\xbf\xbd"

static const struct {
	const char *label, *plain;
} rows[] = {
	{"", ""},
	{"SanDisk 64GB", "SanDisk 64GB"},
	/* letters that are no ASCII stay */
	{"\xc3\xa9\xe9\x97\xaa\xf0\x9f\x98\x80", "\xc3\xa9\xe9\x97\xaa\xf0\x9f\x98\x80"},
	{"\xc2\xae \xe2\x84\xa2", "\xc2\xae \xe2\x84\xa2"},
	/* full width, first and last */
	{"\xef\xbc\x81\xef\xbc\xa1\xef\xbc\x92\xef\xbd\x9e", "!A2~"},
	/* blanks, those of groups of digits apart */
	{"a\tb\nc\x7f", "a b c "},
	{"a\xe3\x80\x80"
	 "b\xe2\x80\x83"
	 "c",
	 "a b c"},
	{"2\xe2\x80\x89"
	 "400\xc2\xa0"
	 "1",
	 "2\xe2\x80\xaf"
	 "400\xe2\x80\xaf"
	 "1"},
	{"64\xc2\xa0GB", "64 GB"},
	/* signs without width, direction, byte order */
	{"\xef\xbb\xbf"
	 "6\xe2\x80\x8b"
	 "4\xc2\xad"
	 "G\xe2\x80\xae"
	 "B",
	 "64GB"},
	/* footnotes, dashes, quotes, times */
	{"200MB/s\xc2\xb2", "200MB/s "},
	{"UHS\xe2\x80\x91I d\xe2\x80\x99"
	 "e \xc3\x97"
	 "4",
	 "UHS-I d'e x4"},
	{"\xce\xbcSD", "\xc2\xb5SD"},
	/* no UTF-8: stray tail, cut, overlong, surrogate, beyond the last, impossible lead */
	{"a\x80z", "a" BAD "z"},
	{"a\xe9\x97", "a" BAD BAD},
	{"\xc0\xaf", BAD BAD},
	{"\xe0\x80\xaf", BAD BAD BAD},
	{"\xed\xa0\x80", BAD BAD BAD},
	{"\xf4\x90\x80\x80", BAD BAD BAD BAD},
	{"\xff", BAD},
	{"\xc2", BAD},
};

START_TEST(plain)
{
	char buf[64];

	ca_label_make_plain(rows[_i].label, buf, sizeof(buf));
	ck_assert_str_eq(buf, rows[_i].plain);
}
END_TEST

/* Never more than fits, never half a character. */
START_TEST(cut)
{
	for (size_t size = 5; size < 16; size++) {
		char buf[16];

		memset(buf, 'x', sizeof(buf));
		ca_label_make_plain("\xe9\x97\xaa\xe9\x97\xaa\xe9\x97\xaa\xe9\x97\xaa", buf, size);
		ck_assert_uint_lt(strlen(buf), size);
		ck_assert_uint_gt(strlen(buf), 0);
		ck_assert_uint_eq(strlen(buf) % 3, 0);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("label_plain");
	TCase *tcase = tcase_create("label_plain");
	SRunner *runner;
	int failed;

	tcase_add_loop_test(tcase, plain, 0, (int)CA_ARRAY_LEN(rows));
	tcase_add_test(tcase, cut);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
