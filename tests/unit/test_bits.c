/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/base.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* SanDisk SL32G: a CID whose fields are known (raspberrypi/firmware issue 601). */
static const uint8_t cid[16] = {0x03, 0x53, 0x44, 0x53, 0x4c, 0x33, 0x32, 0x47,
				0x80, 0xe0, 0x12, 0xb9, 0x79, 0x00, 0x26, 0x15};

static const struct {
	unsigned int msb, lsb;
	uint64_t value;
} ranges[] = {
	{127, 120, 0x03},
	{119, 104, 0x5344},
	{55, 24, 0xe012b979},
	{11, 8, 6},
	{0, 0, 1},
	{127, 127, 0},
	{7, 1, 0x0a},
	{103, 64, 0x534c333247},
	{63, 0, 0x80e012b979002615},
};

START_TEST(get_reads_every_range)
{
	ck_assert_uint_eq(ca_bits_get(cid, 16, ranges[_i].msb, ranges[_i].lsb), ranges[_i].value);
}
END_TEST

START_TEST(set_is_the_inverse_and_leaves_the_rest)
{
	uint8_t reg[16];

	memcpy(reg, cid, sizeof(reg));
	ca_bits_set(reg, 16, ranges[_i].msb, ranges[_i].lsb, 0);
	ck_assert_uint_eq(ca_bits_get(reg, 16, ranges[_i].msb, ranges[_i].lsb), 0);
	ca_bits_set(reg, 16, ranges[_i].msb, ranges[_i].lsb, ranges[_i].value);
	ck_assert_mem_eq(reg, cid, sizeof(reg));
}
END_TEST

START_TEST(little_endian_round_trip)
{
	uint8_t p[8];

	ca_put_le64(p, UINT64_C(0x1122334455667788));
	ck_assert_uint_eq(p[0], 0x88);
	ck_assert_uint_eq(ca_le16(p), 0x7788);
	ck_assert_uint_eq(ca_le32(p), 0x55667788);
	ck_assert(ca_le64(p) == UINT64_C(0x1122334455667788));
	ca_put_le32(p, 0xdeadbeef);
	ck_assert_uint_eq(ca_le32(p), 0xdeadbeef);
}
END_TEST

START_TEST(all_and_bit_errors)
{
	uint8_t a[64] = {0}, b[64] = {0};

	ck_assert(ca_bytes_is_all(a, sizeof(a), 0));
	ck_assert(ca_bytes_is_all(a, 0, 7));
	b[63] = 0x81;
	ck_assert(!ca_bytes_is_all(b, sizeof(b), 0));
	ck_assert_uint_eq(ca_bytes_count_bit_errors(a, b, 64, 7), 2);
	memset(b, 0xff, sizeof(b));
	ck_assert_uint_gt(ca_bytes_count_bit_errors(a, b, 64, 7), 7);
	ck_assert_uint_eq(ca_bytes_count_bit_errors(a, a, 64, 7), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("bits");
	TCase *tcase = tcase_create("bits");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, get_reads_every_range, 0, (int)CA_ARRAY_LEN(ranges));
	tcase_add_loop_test(tcase, set_is_the_inverse_and_leaves_the_rest, 0,
			    (int)CA_ARRAY_LEN(ranges));
	tcase_add_test(tcase, little_endian_round_trip);
	tcase_add_test(tcase, all_and_bit_errors);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
