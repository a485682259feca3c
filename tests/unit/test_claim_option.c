/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/claims.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *option;
	int result;
	const char *id;
	uint64_t value;
	uint32_t depth;
	const char *text;
} options[] = {
	{"capacity=128GB", 0, "capacity", 128000000000, 0, "128GB"},
	{"capacity=0,5 TB", 0, "capacity", 500000000000, 0, "0,5 TB"},
	{"class=A2", 0, "A2", 2, 0, "A2"},
	{"class=U3", 0, "U3", 3, 0, "U3"},
	{"class=Class 10", 0, "C10", 10, 0, "Class 10"},
	{"class=V30", 0, "V30", 30, 0, "V30"},
	{"class=E300", 0, "E300", 300, 0, "E300"},
	{"brand=Raspberry Pi", 0, "brand", 0, 0, "Raspberry Pi"},
	{"brand=Nobody Known", 0, "brand", 0, 0, "Nobody Known"},
	{"product=Extreme PRO", 0, "product", 0, 0, "Extreme PRO"},
	{"form-factor=microSD", 0, "form-factor", 0, 0, "microSD"},
	{"card-type=SDXC", 0, "card-type", CA_CAPACITY_SDXC, 0, "SDXC"},
	{"bus=UHS-I", 0, "bus", 0, 0, "UHS-I"},
	{"sequential-read=100MB/s", 0, "sequential-read", 100000000, 0, "100MB/s"},
	{"sequential-write=90 MB/s", 0, "sequential-write", 90000000, 0, "90 MB/s"},
	{"random-read=40000IOPS", 0, "random-read", 40000000, 0, "40000IOPS"},
	{"random-read=40000IOPS@32", 0, "random-read", 40000000, 32, "40000IOPS@32"},
	{"random-write=70K IOPS@QD1", 0, "random-write", 70000000, 1, "70K IOPS@QD1"},

	{"capacity", -EINVAL, "", 0, 0, ""},
	{"", -EINVAL, "", 0, 0, ""},
	{"=128GB", -EINVAL, "", 0, 0, ""},
	{"size=128GB", -EINVAL, "", 0, 0, ""},
	{"Capacity=128GB", -EINVAL, "", 0, 0, ""},
	{"capacity2=128GB", -EINVAL, "", 0, 0, ""},
	{"capacity=", -EBADMSG, "", 0, 0, ""},
	{"capacity=128", -EBADMSG, "", 0, 0, ""},
	{"capacity=A2", -EBADMSG, "", 0, 0, ""},
	{"capacity=128GB and more", -EBADMSG, "", 0, 0, ""},
	{"class=A3", -EBADMSG, "", 0, 0, ""},
	{"class=10", -EBADMSG, "", 0, 0, ""},
	{"brand=", -EBADMSG, "", 0, 0, ""},
	{"bus=USB", -EBADMSG, "", 0, 0, ""},
	{"card-type=microSD", -EBADMSG, "", 0, 0, ""},
	{"sequential-read=40000IOPS", -EBADMSG, "", 0, 0, ""},
	{"random-read=100MB/s", -EBADMSG, "", 0, 0, ""},
	{"random-read=40000IOPS@", -EBADMSG, "", 0, 0, ""},
	{"random-read=40000IOPS@0", -EBADMSG, "", 0, 0, ""},
	{"capacity=0GB", -ERANGE, "", 0, 0, ""},
	{"capacity=9999999999999999GB", -ERANGE, "", 0, 0, ""},
	{"sequential-read=0MB/s", -ERANGE, "", 0, 0, ""},
	{"brand=0123456789012345678901234567890123456789012345678901234567890123", -ERANGE, "", 0,
	 0, ""},
};

START_TEST(option)
{
	struct ca_claims claims = {0};
	const struct ca_claim *claim = &claims.claims[0];

	ck_assert_int_eq(ca_claims_parse_option(options[_i].option, &claims), options[_i].result);
	if (options[_i].result < 0) {
		ck_assert_uint_eq(claims.count, 0);
		return;
	}
	ck_assert_uint_eq(claims.count, 1);
	ck_assert_int_eq(claim->source, CA_SOURCE_OPTION);
	ck_assert_str_eq(claim->id, options[_i].id);
	ck_assert(claim->value == options[_i].value);
	ck_assert_uint_eq(claim->queue_depth, options[_i].depth);
	ck_assert_str_eq(claim->text, options[_i].text);
	ck_assert_str_eq(claims.not_understood, "");
}
END_TEST

START_TEST(brand_of_an_option_replaces_the_labels)
{
	struct ca_claims claims = {0};

	ca_claims_parse_label("SanDisk 64GB", &claims);
	ck_assert_int_eq(ca_claims_parse_option("brand=rpi", &claims), 0);
	ck_assert_str_eq(claims.brand->brand, "Raspberry Pi");
	ck_assert_int_eq(ca_claims_parse_option("brand=Nobody", &claims), 0);
	ck_assert_ptr_null(claims.brand);
}
END_TEST

START_TEST(no_room)
{
	struct ca_claims claims = {0};
	char text[64];

	for (unsigned int i = 1; i <= CA_CLAIMS_MAX; i++) {
		(void)snprintf(text, sizeof(text), "capacity=%uGB", i);
		ck_assert_int_eq(ca_claims_parse_option(text, &claims), 0);
	}
	ck_assert_int_eq(ca_claims_parse_option("class=A1", &claims), -ENOSPC);
	/* what is there already needs no room */
	ck_assert_int_eq(ca_claims_parse_option("capacity=1GB", &claims), 0);
	ck_assert_uint_eq(claims.count, CA_CLAIMS_MAX);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("claim_option");
	TCase *tcase = tcase_create("claim_option");
	SRunner *runner;
	int failed;

	tcase_add_loop_test(tcase, option, 0, (int)CA_ARRAY_LEN(options));
	tcase_add_test(tcase, brand_of_an_option_replaces_the_labels);
	tcase_add_test(tcase, no_room);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
