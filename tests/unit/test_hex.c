/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/base.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *text;
	int result;
	const char *hex; /* what comes back, when result is 0 */
} cases[] = {
	{"0335", 0, "0335"},
	{"0335\n", 0, "0335"},
	{"AbCdEf", 0, "abcdef"},
	{"0x0335", 0, "0335"},
	{"0x03 0X35", 0, "0335"},
	{" 03 35\r\n", 0, "0335"},
	{"03:35-44", 0, "033544"},
	{"00", 0, "00"},
	{"", -ENODATA, ""},
	{" \n", -ENODATA, ""},
	{"0x", -ENODATA, ""},
	{"033", -EILSEQ, ""},
	{"0 3", -EILSEQ, ""},
	{"03g5", -EINVAL, ""},
	{"03,35", -EINVAL, ""},
	{"0x0x03", -EINVAL, ""},
	{"0011223344", -EOVERFLOW, ""},
};

START_TEST(decode)
{
	uint8_t bytes[4] = {9, 9, 9, 9};
	char again[9];
	size_t len = 77;
	int r = ca_hex_decode(cases[_i].text, strlen(cases[_i].text), bytes, sizeof(bytes), &len);

	ck_assert_int_eq(r, cases[_i].result);
	if (r < 0) {
		ck_assert_uint_eq(len, 77);
		ck_assert(ca_bytes_is_all(bytes, sizeof(bytes), 9));
		return;
	}
	ca_hex_encode(bytes, len, again);
	ck_assert_str_eq(again, cases[_i].hex);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("hex");
	TCase *tcase = tcase_create("hex");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, decode, 0, (int)CA_ARRAY_LEN(cases));
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
