/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/identity.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	bool emmc;
	uint8_t mid;
	uint16_t oid;
	const char *maker;    /* NULL: no row */
	const char *standing; /* NULL: not looked at */
} makers[] = {
	{false, 0x03, 0x5344, "SanDisk (Western Digital)", "assigned"},
	{false, 0x03, 0x5054, "SanDisk (Western Digital)", "assigned"},
	{false, 0x03, 0x5345, NULL, NULL},
	{false, 0x1b, 0x534d, "Samsung", "assigned"},
	{false, 0xad, 0x4c53, "Longsys", "assigned"},
	{false, 0x12, 0x3456, "", "contested"},
	{false, 0x05, 0x000c, "", "unassigned"},
	{false, 0x00, 0x0000, "", "unassigned"},
	{false, 0x6f, 0x0303, "", "contested"},
	{false, 0x6f, 0x0013, "", "unassigned"},
	/* a row for any OID: a table entry, and the dates under df */
	{false, 0x08, 0x1234, "Silicon Power", "reported"},
	{false, 0xdf, 0x2009, "", "unassigned"},
	{false, 0xdf, 0x2109, "", "unassigned"},
	/* the same MID means another maker on eMMC */
	{true, 0x15, 0x0100, "Samsung", "assigned"},
	{true, 0x15, 0x0101, NULL, NULL},
	{true, 0x13, 0x014e, "Micron", "assigned"},
	{false, 0x13, 0x4b47, "Kingmax", "reported"},
	{false, 0x15, 0x0100, NULL, NULL},
	{true, 0x03, 0x5344, NULL, NULL},
};

START_TEST(find_maker)
{
	const struct ca_spec_maker *found =
		ca_identity_find_maker(makers[_i].emmc, makers[_i].mid, makers[_i].oid);

	if (!makers[_i].maker) {
		ck_assert_ptr_null(found);
		return;
	}
	ck_assert_ptr_nonnull(found);
	ck_assert_str_eq(found->maker, makers[_i].maker);
	ck_assert_str_eq(found->standing, makers[_i].standing);
}
END_TEST

START_TEST(every_maker_is_found_by_its_own_numbers)
{
	for (size_t i = 0; i < ca_spec_makers_count; i++) {
		const struct ca_spec_maker *row = &ca_spec_makers[i];
		uint16_t oid = row->oid < 0 ? 0xfff0 : (uint16_t)row->oid;

		ck_assert_ptr_eq(ca_identity_find_maker(row->emmc, row->mid, oid), row);
	}
}
END_TEST

START_TEST(find_nvme_vendor)
{
	ck_assert_str_eq(ca_identity_find_nvme_vendor(0x144d)->maker, "Samsung");
	ck_assert(ca_identity_find_nvme_vendor(0x144d)->oui_strict);
	ck_assert_str_eq(ca_identity_find_nvme_vendor(0x1987)->role, "controller");
	ck_assert(!ca_identity_find_nvme_vendor(0x126f)->oui_strict);
	ck_assert_ptr_null(ca_identity_find_nvme_vendor(0x0000));
	ck_assert_ptr_null(ca_identity_find_nvme_vendor(0xffff));
	for (size_t i = 0; i < ca_spec_nvme_vendors_count; i++)
		ck_assert_ptr_eq(ca_identity_find_nvme_vendor(ca_spec_nvme_vendors[i].vid),
				 &ca_spec_nvme_vendors[i]);
}
END_TEST

static const struct {
	const char *pattern, *text;
	bool matches;
} patterns[] = {
	{"", "", true},
	{"", "SD16G", true},
	{"USD00", "USD00", true},
	{"USD00", "USD0", false},
	{"USD00", "USD001", false},
	{"SD*", "SD16G", true},
	{"SD*", "SD", true},
	{"SD*", "S", false},
	{"SD*", "USD00", false},
	{"*-00?L?", "SAMSUNG MZVLB1T0HALR-000L7", true},
	{"*-00?L?", "SAMSUNG MZ9LQ256HBJD-00BVL", false},
	{"*WD", "111130WD", true},
	{"*WD", "WD1111", false},
	{"########", "11170101", true},
	{"########", "1117010", false},
	{"#B#Q???7", "4B2QJXD7", true},
	{"#B#Q???7", "EXD70H1Q", false},
	{"a*b*c", "abbc", true},
	{"a*b*c", "abb", false},
	{"?", "", false},
	{"**", "", true},
	{"*", "anything", true},
	{"usd00", "USD00", false},
};

START_TEST(pattern)
{
	ck_assert(ca_identity_pattern_matches(patterns[_i].pattern, patterns[_i].text) ==
		  patterns[_i].matches);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("maker");
	TCase *tcase = tcase_create("maker");
	SRunner *runner;
	int failed;

	tcase_add_loop_test(tcase, find_maker, 0, (int)CA_ARRAY_LEN(makers));
	tcase_add_test(tcase, every_maker_is_found_by_its_own_numbers);
	tcase_add_test(tcase, find_nvme_vendor);
	tcase_add_loop_test(tcase, pattern, 0, (int)CA_ARRAY_LEN(patterns));
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
