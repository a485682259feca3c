/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/identity.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *text;
	const char *brand; /* NULL: none */
	const char *words; /* as they stand in the text */
} cases[] = {
	{"SanDisk Extreme 64GB", "SanDisk", "SanDisk"},
	{"sandisk ultra", "SanDisk", "sandisk"},
	{"SANDISK", "SanDisk", "SANDISK"},
	{"SanDisk\xc2\xae Extreme\xc2\xae", "SanDisk", "SanDisk"},
	{"microSD (SanDisk) 32GB", "SanDisk", "SanDisk"},
	{"RPi 32GB A2", "Raspberry Pi", "RPi"},
	{"Raspberry Pi 128GB A2 V30 U3", "Raspberry Pi", "Raspberry Pi"},
	{"Team Group 64GB", "Team", "Team Group"},
	{"WD_BLACK SN750", "Western Digital", "WD_BLACK"},
	{"WD Purple 64GB", "Western Digital", "WD"},
	{"SK hynix P31", "SK hynix", "SK hynix"},
	{"SPCC M.2 PCIe SSD", "Silicon Power", "SPCC"},
	/* whole words only */
	{"SanDisker 64GB", NULL, NULL},
	{"notSamsung", NULL, NULL},
	{"WDX", NULL, NULL},
	{"\xc3\xa9Samsung", NULL, NULL},
	{"teamwork", NULL, NULL},
	/* a use is no brand; a brand beside it is */
	{"microSD for Raspberry Pi 32GB", NULL, NULL},
	{"Samsung card for Raspberry Pi", "Samsung", "Samsung"},
	{"for Raspberry Pi: Samsung", "Samsung", "Samsung"},
	{"Comfor Samsung", "Samsung", "Samsung"},
	{"32GB card for Nikon, Canon and Sony cameras", NULL, NULL},
	{"pour Raspberry Pi, Samsung", NULL, NULL},
	{"f\xc3\xbcr Sony: Lexar 64GB", "Lexar", "Lexar"},
	{"for cameras 64GB Lexar", "Lexar", "Lexar"},
	{"Lexar, Kodak", "Lexar", "Lexar"},
	{"microSD 32GB with Raspberry Pi OS", NULL, NULL},
	{"MakerDisk microSD 32GB Raspberry Pi OS", "Cytron", "MakerDisk"},
	{"Samsung compatible card", NULL, NULL},
	{"Amazon.com: SanDisk 64GB", "SanDisk", "SanDisk"},
	{"SanDisk 64GB by Western Digital", "SanDisk", "SanDisk"},
	/* the first, and at one place the longest */
	{"HP mx330 by PNY", "HP", "HP"},
	{"Kodak Lexar", "Kodak", "Kodak"},
	{"Lexar Kodak", "Lexar", "Lexar"},
	{"", NULL, NULL},
	{"64GB A2", NULL, NULL},
};

START_TEST(find_brand)
{
	size_t start = 4711, len = 4711;
	const struct ca_spec_brand *brand = ca_identity_find_brand(cases[_i].text, &start, &len);

	if (!cases[_i].brand) {
		ck_assert_msg(brand == NULL, "'%s' says %s", cases[_i].text,
			      brand ? brand->brand : "");
		ck_assert_uint_eq(start, 4711);
		ck_assert_uint_eq(len, 4711);
		return;
	}
	ck_assert_ptr_nonnull(brand);
	ck_assert_str_eq(brand->brand, cases[_i].brand);
	ck_assert_uint_eq(len, strlen(cases[_i].words));
	ck_assert(strncmp(cases[_i].text + start, cases[_i].words, len) == 0);
	ck_assert_ptr_eq(ca_identity_find_brand(cases[_i].text, NULL, NULL), brand);
}
END_TEST

START_TEST(every_alias_finds_its_brand)
{
	for (size_t i = 0; i < ca_spec_brands_count; i++) {
		char aliases[256], *rest = aliases, *alias;

		ck_assert(ca_string_copy(aliases, sizeof(aliases), ca_spec_brands[i].aliases));
		while ((alias = strsep(&rest, ";")) != NULL) {
			alias += strspn(alias, " ");
			ck_assert_ptr_eq(ca_identity_find_brand(alias, NULL, NULL),
					 &ca_spec_brands[i]);
		}
	}
}
END_TEST

START_TEST(strict_brands)
{
	size_t strict = 0;

	for (size_t i = 0; i < ca_spec_brands_count; i++)
		if (ca_spec_brands[i].strict_mid >= 0)
			strict++;
	ck_assert_uint_eq(strict, 2);
	ck_assert_int_eq(ca_identity_find_brand("sandisk", NULL, NULL)->strict_mid, 0x03);
	ck_assert_int_eq(ca_identity_find_brand("samsung", NULL, NULL)->strict_mid, 0x1b);
	ck_assert_int_eq(ca_identity_find_brand("samsung", NULL, NULL)->strict_vid, 0x144d);
	ck_assert_int_eq(ca_identity_find_brand("kingston", NULL, NULL)->strict_mid, -1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("brand");
	TCase *tcase = tcase_create("brand");
	SRunner *runner;
	int failed;

	tcase_add_loop_test(tcase, find_brand, 0, (int)CA_ARRAY_LEN(cases));
	tcase_add_test(tcase, every_alias_finds_its_brand);
	tcase_add_test(tcase, strict_brands);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
