/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/registers.h"

#include "unit/field_case.h"

#include <errno.h>
#include <stdlib.h>

static const struct {
	const char *hex;
	uint16_t version_x100;
	uint8_t security;
	bool erased_ones, cmd20, cmd23, cmd48_49;
	uint32_t manufacturer;
} cards[] = {
	{"02b5800000000000", 300, 3, true, false, false, false, 0},
	{"0235800001000000", 300, 3, false, false, false, false, 0x01000000},
	{"0235844300000000", 500, 3, false, true, true, false, 0},
	{"0205848701006432", 600, 0, false, true, true, true, 0x01006432},
	{"0205808301000000", 600, 0, false, true, true, false, 0x01000000}, /* SPEC4 0 */
	{"02a5000000000000", 200, 2, true, false, false, false, 0},
};

START_TEST(cards_decode_as_known)
{
	uint8_t data[CA_SCR_BYTES];
	struct ca_scr scr;

	hex_bytes(cards[_i].hex, data, sizeof(data));
	memset(&scr, 0x5a, sizeof(scr));
	ck_assert_int_eq(ca_scr_decode(data, sizeof(data), &scr), 0);
	ck_assert_uint_eq(scr.version_x100, cards[_i].version_x100);
	ck_assert_uint_eq(scr.sd_security, cards[_i].security);
	ck_assert_int_eq(scr.data_stat_after_erase, cards[_i].erased_ones);
	ck_assert_int_eq(scr.cmd20, cards[_i].cmd20);
	ck_assert_int_eq(scr.cmd23, cards[_i].cmd23);
	ck_assert_int_eq(scr.cmd48_49, cards[_i].cmd48_49);
	ck_assert_uint_eq(scr.manufacturer, cards[_i].manufacturer);
	ck_assert_uint_eq(scr.sd_bus_widths, 5);
	ck_assert_uint_eq(scr.structure, 0);
	ck_assert(!scr.cmd58_59 && !scr.acmd53_54);
}
END_TEST

static const struct field_case fields[] = {
	FIELD(ca_scr, sd_spec, 59, 56),	    FIELD(ca_scr, data_stat_after_erase, 55, 55),
	FIELD(ca_scr, sd_security, 54, 52), FIELD(ca_scr, sd_bus_widths, 51, 48),
	FIELD(ca_scr, sd_spec3, 47, 47),    FIELD(ca_scr, ex_security, 46, 43),
	FIELD(ca_scr, sd_spec4, 42, 42),    FIELD(ca_scr, sd_specx, 41, 38),
	FIELD(ca_scr, reserved_37, 37, 37), FIELD(ca_scr, acmd53_54, 36, 36),
	FIELD(ca_scr, cmd58_59, 35, 35),    FIELD(ca_scr, cmd48_49, 34, 34),
	FIELD(ca_scr, cmd23, 33, 33),	    FIELD(ca_scr, cmd20, 32, 32),
	FIELD(ca_scr, manufacturer, 31, 0),
};

START_TEST(each_member_comes_from_its_bits)
{
	uint8_t data[CA_SCR_BYTES] = {0};
	struct ca_scr scr;

	ca_bits_set(data, sizeof(data), fields[_i].msb, fields[_i].lsb, UINT64_MAX);
	ck_assert_int_eq(ca_scr_decode(data, sizeof(data), &scr), 0);
	ck_assert_uint_eq(field_value(&scr, &fields[_i]), field_ones(&fields[_i]));
	assert_others_clear(&scr, fields, CA_ARRAY_LEN(fields), (size_t)_i);
}
END_TEST

/* T5-19 row by row; spec4 -1: 0 or 1 */
static const struct {
	unsigned int spec, spec3;
	int spec4;
	unsigned int specx;
	uint16_t version_x100;
} versions[] = {
	{0, 0, 0, 0, 100},  {1, 0, 0, 0, 110},	{2, 0, 0, 0, 200},  {2, 1, 0, 0, 300},
	{2, 1, 1, 0, 400},  {2, 1, -1, 1, 500}, {2, 1, -1, 2, 600}, {2, 1, -1, 3, 700},
	{2, 1, -1, 4, 800}, {2, 1, -1, 5, 900},
};

static uint16_t expected_version(unsigned int spec, unsigned int spec3, unsigned int spec4,
				 unsigned int specx)
{
	for (size_t i = 0; i < CA_ARRAY_LEN(versions); i++)
		if (versions[i].spec == spec && versions[i].spec3 == spec3 &&
		    (versions[i].spec4 < 0 || (unsigned int)versions[i].spec4 == spec4) &&
		    versions[i].specx == specx)
			return versions[i].version_x100;
	return 0;
}

START_TEST(all_versions_are_rows_of_the_table)
{
	for (unsigned int code = 0; code < 1024; code++) {
		unsigned int spec = code & 15, specx = code >> 4 & 15;
		unsigned int spec3 = code >> 8 & 1, spec4 = code >> 9;
		uint8_t data[CA_SCR_BYTES] = {0};
		struct ca_scr scr;

		ca_bits_set(data, sizeof(data), 59, 56, spec);
		ca_bits_set(data, sizeof(data), 47, 47, spec3);
		ca_bits_set(data, sizeof(data), 42, 42, spec4);
		ca_bits_set(data, sizeof(data), 41, 38, specx);
		ck_assert_int_eq(ca_scr_decode(data, sizeof(data), &scr), 0);
		ck_assert_uint_eq(scr.version_x100, expected_version(spec, spec3, spec4, specx));
	}
}
END_TEST

START_TEST(other_lengths_and_structures_are_refused)
{
	static const size_t lengths[] = {0, 7, 9, 16};
	uint8_t data[16] = {0};
	struct ca_scr scr, before;

	memset(&scr, 0x5a, sizeof(scr));
	memcpy(&before, &scr, sizeof(scr));
	for (size_t i = 0; i < CA_ARRAY_LEN(lengths); i++)
		ck_assert_int_eq(ca_scr_decode(data, lengths[i], &scr), -EMSGSIZE);
	for (unsigned int structure = 1; structure < 16; structure++) {
		data[0] = (uint8_t)(structure << 4);
		ck_assert_int_eq(ca_scr_decode(data, CA_SCR_BYTES, &scr), -EPROTO);
	}
	ck_assert_mem_eq(&scr, &before, sizeof(scr));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("scr");
	TCase *tcase = tcase_create("scr");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, cards_decode_as_known, 0, (int)CA_ARRAY_LEN(cards));
	tcase_add_loop_test(tcase, each_member_comes_from_its_bits, 0, (int)CA_ARRAY_LEN(fields));
	tcase_add_test(tcase, all_versions_are_rows_of_the_table);
	tcase_add_test(tcase, other_lengths_and_structures_are_refused);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
