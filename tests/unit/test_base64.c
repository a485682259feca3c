/* SPDX-License-Identifier: BSD-2-Clause */
#include "base64.h"

#include "cardassay/base.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* RFC 4648 section 10, and the two symbols beside letters and digits. */
static const struct {
	const char *plain, *base64;
	size_t bytes;
} good[] = {
	{"", "", 0},
	{"f", "Zg==", 1},
	{"fo", "Zm8=", 2},
	{"foo", "Zm9v", 3},
	{"foob", "Zm9vYg==", 4},
	{"fooba", "Zm9vYmE=", 5},
	{"foobar", "Zm9vYmFy", 6},
	{"\xfb\xff\xbf", "+/+/", 3},
	{"\0\0\0", "AAAA", 3},
};

static const char *const malformed[] = {
	"Z",	"Zg",	"Zg=",	"Zg===",    "Z===",   "====", "Zm9v Zm9v", "Zm9*",
	"=m9v", "Zh==", "Zm9=", "Zg==Zg==", "Zm9v\n", "Zm-_", "Zm9vZ",	   "Z=9v",
};

START_TEST(both_ways)
{
	char text[16];
	uint8_t data[8];
	size_t len;

	ca_base64_encode((const uint8_t *)good[_i].plain, good[_i].bytes, text);
	ck_assert_str_eq(text, good[_i].base64);
	ck_assert_uint_eq(strlen(text), CA_BASE64_LEN(good[_i].bytes));
	ck_assert_int_eq(ca_base64_decode(text, strlen(text), data, sizeof(data), &len), 0);
	ck_assert_uint_eq(len, good[_i].bytes);
	ck_assert_mem_eq(data, good[_i].plain, len);
}
END_TEST

START_TEST(malformed_is_refused)
{
	uint8_t data[16];
	size_t len = 77;

	ck_assert_int_eq(
		ca_base64_decode(malformed[_i], strlen(malformed[_i]), data, sizeof(data), &len),
		-EBADMSG);
	ck_assert_uint_eq(len, 77);
}
END_TEST

START_TEST(too_much_is_refused)
{
	uint8_t data[3] = {0, 0, 0x55};
	size_t len;

	ck_assert_int_eq(ca_base64_decode("Zm9v", 4, data, 2, &len), -EOVERFLOW);
	ck_assert_uint_eq(data[2], 0x55);
	ck_assert_int_eq(ca_base64_decode("Zm9v", 4, data, 3, &len), 0);
}
END_TEST

START_TEST(every_byte_survives)
{
	uint8_t data[256], again[256];
	char text[CA_BASE64_LEN(256) + 1];
	size_t len;

	for (unsigned int i = 0; i < 256; i++)
		data[i] = (uint8_t)(i * 167 + 13);
	for (size_t bytes = 0; bytes <= 256; bytes++) {
		ca_base64_encode(data, bytes, text);
		ck_assert_int_eq(ca_base64_decode(text, strlen(text), again, sizeof(again), &len),
				 0);
		ck_assert_uint_eq(len, bytes);
		ck_assert_mem_eq(data, again, bytes);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("base64");
	TCase *tcase = tcase_create("base64");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, both_ways, 0, (int)CA_ARRAY_LEN(good));
	tcase_add_loop_test(tcase, malformed_is_refused, 0, (int)CA_ARRAY_LEN(malformed));
	tcase_add_test(tcase, too_much_is_refused);
	tcase_add_test(tcase, every_byte_survives);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
