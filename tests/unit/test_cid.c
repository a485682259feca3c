/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/registers.h"

#include "unit/field_case.h"

#include <errno.h>
#include <stdlib.h>

static const struct {
	const char *hex;
	struct ca_cid cid;
} cards[] = {
	{"035344534c33324780e012b979002615", /* SDHC card that says 2002 */
	 {.type = CA_CARD_TYPE_SD,
	  .mid = 0x03,
	  .oid = 0x5344,
	  .pnm = "SL32G",
	  .pnm_len = 5,
	  .prv = 0x80,
	  .psn = 0xe012b979,
	  .mdt_year = 2002,
	  .mdt_month = 6,
	  .crc = CA_CRC_GOOD}},
	{"9f544953443634476136980065013b7e", /* Kingston, host that clears the end bit */
	 {.type = CA_CARD_TYPE_SD,
	  .mid = 0x9f,
	  .oid = 0x5449,
	  .pnm = "SD64G",
	  .pnm_len = 5,
	  .prv = 0x61,
	  .psn = 0x36980065,
	  .mdt_year = 2019,
	  .mdt_month = 11,
	  .crc = CA_CRC_GOOD}},
	{"1b534d474638533530d8466363a16700", /* Samsung, reserved bits used */
	 {.type = CA_CARD_TYPE_SD,
	  .mid = 0x1b,
	  .oid = 0x534d,
	  .pnm = "GF8S5",
	  .pnm_len = 5,
	  .prv = 0x30,
	  .psn = 0xd8466363,
	  .reserved = 0xa,
	  .mdt_year = 2022,
	  .mdt_month = 7,
	  .crc = CA_CRC_ABSENT}},
	{"035344544f000000ff000147da00fa01", /* NULs in the name */
	 {.type = CA_CARD_TYPE_SD,
	  .mid = 0x03,
	  .oid = 0x5344,
	  .pnm = "TO\0\0\0",
	  .pnm_len = 5,
	  .prv = 0xff,
	  .psn = 0x000147da,
	  .mdt_year = 2015,
	  .mdt_month = 10,
	  .crc = CA_CRC_ABSENT}},
	{"1501004d384731474303dc0db061506f", /* Samsung eMMC */
	 {.type = CA_CARD_TYPE_MMC,
	  .mid = 0x15,
	  .cbx = 1,
	  .oid = 0x0100,
	  .pnm = "M8G1GC",
	  .pnm_len = 6,
	  .prv = 0x03,
	  .psn = 0xdc0db061,
	  .mdt_year = 1997,
	  .mdt_month = 5,
	  .crc = CA_CRC_GOOD}},
	{"06000033324d202020011923a457c601", /* removable MMC */
	 {.type = CA_CARD_TYPE_MMC,
	  .mid = 0x06,
	  .oid = 0,
	  .pnm = "32M   ",
	  .pnm_len = 6,
	  .prv = 0x01,
	  .psn = 0x1923a457,
	  .mdt_year = 2003,
	  .mdt_month = 12,
	  .crc = CA_CRC_ABSENT}},
	{"00000000000000000000000000000000",
	 {.type = CA_CARD_TYPE_SD, .pnm_len = 5, .mdt_year = 2000, .crc = CA_CRC_ABSENT}},
	{"ffffffffffffffffffffffffffffffff",
	 {.type = CA_CARD_TYPE_SD,
	  .mid = 0xff,
	  .oid = 0xffff,
	  .pnm = "\xff\xff\xff\xff\xff",
	  .pnm_len = 5,
	  .prv = 0xff,
	  .psn = 0xffffffff,
	  .reserved = 0xf,
	  .mdt_year = 2255,
	  .mdt_month = 15,
	  .crc = CA_CRC_GOOD}},
	{"ffffffffffffffffffffffffffffffff",
	 {.type = CA_CARD_TYPE_MMC,
	  .mid = 0xff,
	  .oid = 0xffff,
	  .cbx = 3,
	  .pnm = "\xff\xff\xff\xff\xff\xff",
	  .pnm_len = 6,
	  .prv = 0xff,
	  .psn = 0xffffffff,
	  .mdt_year = 2012,
	  .mdt_month = 15,
	  .crc = CA_CRC_GOOD}},
};

static void assert_equal(const struct ca_cid *cid, const struct ca_cid *expected)
{
	ck_assert_int_eq(cid->type, expected->type);
	ck_assert_uint_eq(cid->mid, expected->mid);
	ck_assert_uint_eq(cid->oid, expected->oid);
	ck_assert_uint_eq(cid->cbx, expected->cbx);
	ck_assert_mem_eq(cid->pnm, expected->pnm, sizeof(cid->pnm));
	ck_assert_uint_eq(cid->pnm_len, expected->pnm_len);
	ck_assert_uint_eq(cid->prv, expected->prv);
	ck_assert_uint_eq(cid->psn, expected->psn);
	ck_assert_uint_eq(cid->reserved, expected->reserved);
	ck_assert_uint_eq(cid->mdt_year, expected->mdt_year);
	ck_assert_uint_eq(cid->mdt_month, expected->mdt_month);
	ck_assert_int_eq(cid->crc, expected->crc);
}

START_TEST(cards_decode_as_known)
{
	uint8_t data[CA_CID_BYTES];
	struct ca_cid cid;

	hex_bytes(cards[_i].hex, data, sizeof(data));
	memset(&cid, 0x5a, sizeof(cid));
	ck_assert_int_eq(ca_cid_decode(cards[_i].cid.type, data, sizeof(data), &cid), 0);
	assert_equal(&cid, &cards[_i].cid);
}
END_TEST

static const struct {
	enum ca_card_type type;
	struct field_case field;
	uint64_t base; /* what the member says of a register of zeros */
} fields[] = {
	{CA_CARD_TYPE_SD, FIELD(ca_cid, mid, 127, 120), 0},
	{CA_CARD_TYPE_SD, FIELD(ca_cid, oid, 119, 104), 0},
	{CA_CARD_TYPE_SD, FIELD(ca_cid, pnm[0], 103, 96), 0},
	{CA_CARD_TYPE_SD, FIELD(ca_cid, pnm[4], 71, 64), 0},
	{CA_CARD_TYPE_SD, FIELD(ca_cid, prv, 63, 56), 0},
	{CA_CARD_TYPE_SD, FIELD(ca_cid, psn, 55, 24), 0},
	{CA_CARD_TYPE_SD, FIELD(ca_cid, reserved, 23, 20), 0},
	{CA_CARD_TYPE_SD, FIELD(ca_cid, mdt_year, 19, 12), 2000},
	{CA_CARD_TYPE_SD, FIELD(ca_cid, mdt_month, 11, 8), 0},
	{CA_CARD_TYPE_MMC, FIELD(ca_cid, mid, 127, 120), 0},
	{CA_CARD_TYPE_MMC, FIELD(ca_cid, oid, 119, 104), 0},
	{CA_CARD_TYPE_MMC, FIELD(ca_cid, cbx, 113, 112), 0},
	{CA_CARD_TYPE_MMC, FIELD(ca_cid, pnm[0], 103, 96), 0},
	{CA_CARD_TYPE_MMC, FIELD(ca_cid, pnm[5], 63, 56), 0},
	{CA_CARD_TYPE_MMC, FIELD(ca_cid, prv, 55, 48), 0},
	{CA_CARD_TYPE_MMC, FIELD(ca_cid, psn, 47, 16), 0},
	{CA_CARD_TYPE_MMC, FIELD(ca_cid, mdt_month, 15, 12), 0},
	{CA_CARD_TYPE_MMC, FIELD(ca_cid, mdt_year, 11, 8), 1997},
};

START_TEST(each_member_comes_from_its_bits)
{
	const struct field_case *field = &fields[_i].field;
	uint8_t data[CA_CID_BYTES] = {0};
	struct ca_cid cid;

	ca_bits_set(data, sizeof(data), field->msb, field->lsb, UINT64_MAX);
	ck_assert_int_eq(ca_cid_decode(fields[_i].type, data, sizeof(data), &cid), 0);
	ck_assert_uint_eq(field_value(&cid, field), fields[_i].base + field_ones(field));
	memset(data, 0xff, sizeof(data));
	ca_bits_set(data, sizeof(data), field->msb, field->lsb, 0);
	ck_assert_int_eq(ca_cid_decode(fields[_i].type, data, sizeof(data), &cid), 0);
	ck_assert_uint_eq(field_value(&cid, field), fields[_i].base);
}
END_TEST

START_TEST(other_lengths_are_refused)
{
	static const size_t lengths[] = {0, 1, 15, 17, 64};
	uint8_t data[64] = {0};
	struct ca_cid cid, before;

	memset(&cid, 0x5a, sizeof(cid));
	memcpy(&before, &cid, sizeof(cid));
	for (size_t i = 0; i < CA_ARRAY_LEN(lengths); i++) {
		ck_assert_int_eq(ca_cid_decode(CA_CARD_TYPE_SD, data, lengths[i], &cid), -EMSGSIZE);
		ck_assert_int_eq(ca_cid_decode(CA_CARD_TYPE_MMC, data, lengths[i], &cid),
				 -EMSGSIZE);
		ck_assert_mem_eq(&cid, &before, sizeof(cid));
	}
}
END_TEST

START_TEST(encode_gives_the_card_back)
{
	uint8_t data[CA_CID_BYTES], again[CA_CID_BYTES];
	struct ca_cid cid;

	if (cards[_i].cid.type != CA_CARD_TYPE_SD)
		return;
	hex_bytes(cards[_i].hex, data, sizeof(data));
	ck_assert_int_eq(ca_cid_decode(CA_CARD_TYPE_SD, data, sizeof(data), &cid), 0);
	ca_cid_encode(&cid, again);
	ck_assert_mem_eq(again, data, sizeof(data) - 1);
	ck_assert_uint_eq(again[CA_CID_BYTES - 1] & 1, 1);
	ck_assert_uint_eq(again[CA_CID_BYTES - 1] >> 1, ca_crc7(data, sizeof(data) - 1));
	if (cid.crc == CA_CRC_GOOD)
		ck_assert_uint_eq(again[CA_CID_BYTES - 1], data[CA_CID_BYTES - 1] | 1);
}
END_TEST

static const struct {
	enum ca_card_type type;
	uint8_t rev;
	uint16_t year, expected;
} years[] = {
	{CA_CARD_TYPE_MMC, 4, 1997, 1997}, {CA_CARD_TYPE_MMC, 5, 1997, 2013},
	{CA_CARD_TYPE_MMC, 8, 2009, 2025}, {CA_CARD_TYPE_MMC, 8, 2010, 2010},
	{CA_CARD_TYPE_MMC, 8, 2012, 2012}, {CA_CARD_TYPE_MMC, 0, 2009, 2009},
	{CA_CARD_TYPE_SD, 8, 2005, 2005},
};

START_TEST(late_emmc_years_start_again_in_2013)
{
	struct ca_cid cid = {.type = years[_i].type, .mdt_year = years[_i].year};

	ca_cid_apply_extcsd_rev(&cid, years[_i].rev);
	ck_assert_uint_eq(cid.mdt_year, years[_i].expected);
	ca_cid_apply_extcsd_rev(&cid, years[_i].rev);
	ck_assert_uint_eq(cid.mdt_year, years[_i].expected);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("cid");
	TCase *tcase = tcase_create("cid");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, cards_decode_as_known, 0, (int)CA_ARRAY_LEN(cards));
	tcase_add_loop_test(tcase, each_member_comes_from_its_bits, 0, (int)CA_ARRAY_LEN(fields));
	tcase_add_test(tcase, other_lengths_are_refused);
	tcase_add_loop_test(tcase, encode_gives_the_card_back, 0, (int)CA_ARRAY_LEN(cards));
	tcase_add_loop_test(tcase, late_emmc_years_start_again_in_2013, 0,
			    (int)CA_ARRAY_LEN(years));
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
