/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/registers.h"

#include "unit/field_case.h"

#include <errno.h>
#include <stdlib.h>

/* The bytes that are not 0; the rest of the 64 follows as zeros. */
static void ssr_bytes(const char *hex, uint8_t ret_data[CA_SSR_BYTES])
{
	memset(ret_data, 0, CA_SSR_BYTES);
	hex_bytes(hex, ret_data, strlen(hex) / 2);
}

static const struct {
	const char *hex;
	struct ca_ssr ssr;
} cards[] = {
	/* Kingston 64 GB A2 */
	{"000000000800000004009000011b391e000800000002ff0003",
	 {.protected_area = 134217728,
	  .speed_class_code = 4,
	  .speed_class = 10,
	  .au_size_code = 9,
	  .au_bytes = 4194304,
	  .erase_size = 1,
	  .erase_timeout = 6,
	  .erase_offset = 3,
	  .uhs_speed_grade = 3,
	  .uhs_au_size_code = 9,
	  .uhs_au_bytes = 4194304,
	  .video_speed_class = 30,
	  .vsc_au_mib = 8,
	  .vsc_su_mib = 8,
	  .app_perf_class = 2,
	  .cq_depth = 32,
	  .cache = true,
	  .host_maintenance = true,
	  .card_maintenance = true,
	  .discard_support = true,
	  .fule_support = true}},
	/* SanDisk 16 GB A1 */
	{"0000000004000000040090000f051a00000000000001",
	 {.protected_area = 67108864,
	  .speed_class_code = 4,
	  .speed_class = 10,
	  .au_size_code = 9,
	  .au_bytes = 4194304,
	  .erase_size = 15,
	  .erase_timeout = 1,
	  .erase_offset = 1,
	  .uhs_speed_grade = 1,
	  .uhs_au_size_code = 10,
	  .uhs_au_bytes = 8388608,
	  .app_perf_class = 1}},
	/* SanDisk 16 GB of 2010, class 2 */
	{"0000000004000000010190000b05",
	 {.protected_area = 67108864,
	  .speed_class_code = 1,
	  .speed_class = 2,
	  .performance_move = 1,
	  .au_size_code = 9,
	  .au_bytes = 4194304,
	  .erase_size = 11,
	  .erase_timeout = 1,
	  .erase_offset = 1}},
	/* 32 GB of 2018: UHS AU 16 MiB */
	{"0000000005000000040090000f051c",
	 {.protected_area = 83886080,
	  .speed_class_code = 4,
	  .speed_class = 10,
	  .au_size_code = 9,
	  .au_bytes = 4194304,
	  .erase_size = 15,
	  .erase_timeout = 1,
	  .erase_offset = 1,
	  .uhs_speed_grade = 1,
	  .uhs_au_size_code = 12,
	  .uhs_au_bytes = 16777216}},
	/* ACMD13 failed */
	{"00", {.all_zero = true}},
};

static const struct field_case plain[] = {
	FIELD(ca_ssr, dat_bus_width, 511, 510),
	FIELD(ca_ssr, secured_mode, 509, 509),
	FIELD(ca_ssr, security_functions, 508, 502),
	FIELD(ca_ssr, reserved_501_499, 501, 499),
	FIELD(ca_ssr, secure_cmd_status, 498, 496),
	FIELD(ca_ssr, sd_card_type, 495, 480),
	FIELD(ca_ssr, protected_area, 479, 448),
	FIELD(ca_ssr, speed_class_code, 447, 440),
	FIELD(ca_ssr, performance_move, 439, 432),
	FIELD(ca_ssr, au_size_code, 431, 428),
	FIELD(ca_ssr, erase_size, 423, 408),
	FIELD(ca_ssr, erase_timeout, 407, 402),
	FIELD(ca_ssr, erase_offset, 401, 400),
	FIELD(ca_ssr, uhs_speed_grade, 399, 396),
	FIELD(ca_ssr, uhs_au_size_code, 395, 392),
	FIELD(ca_ssr, video_speed_class, 391, 384),
	FIELD(ca_ssr, vsc_au_mib, 377, 368),
	FIELD(ca_ssr, sus_addr, 367, 346),
	FIELD(ca_ssr, app_perf_class, 339, 336),
	FIELD(ca_ssr, cache, 330, 330),
	FIELD(ca_ssr, host_maintenance, 329, 329),
	FIELD(ca_ssr, card_maintenance, 328, 328),
	FIELD(ca_ssr, wp_upc_support, 315, 315),
	FIELD(ca_ssr, boot_partition_support, 314, 314),
	FIELD(ca_ssr, discard_support, 313, 313),
	FIELD(ca_ssr, fule_support, 312, 312),
};

static const struct field_case derived[] = {
	FIELD(ca_ssr, all_zero, 0, 0),	    FIELD(ca_ssr, speed_class, 0, 0),
	FIELD(ca_ssr, au_bytes, 0, 0),	    FIELD(ca_ssr, uhs_au_bytes, 0, 0),
	FIELD(ca_ssr, vsc_su_mib, 0, 0),    FIELD(ca_ssr, cq_depth, 0, 0),
	FIELD(ca_ssr, reserved_bits, 0, 0),
};

static void assert_equal(const struct ca_ssr *ssr, const struct ca_ssr *expected,
			 const struct field_case *fields, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ck_assert_msg(field_value(ssr, &fields[i]) == field_value(expected, &fields[i]),
			      "%s", fields[i].member);
}

START_TEST(cards_decode_as_known)
{
	uint8_t data[CA_SSR_BYTES];
	struct ca_ssr ssr;

	ssr_bytes(cards[_i].hex, data);
	memset(&ssr, 0x5a, sizeof(ssr));
	ck_assert_int_eq(ca_ssr_decode(data, sizeof(data), &ssr), 0);
	assert_equal(&ssr, &cards[_i].ssr, plain, CA_ARRAY_LEN(plain));
	assert_equal(&ssr, &cards[_i].ssr, derived, CA_ARRAY_LEN(derived));
}
END_TEST

START_TEST(each_member_comes_from_its_bits)
{
	uint8_t data[CA_SSR_BYTES] = {0};
	struct ca_ssr ssr;

	ca_bits_set(data, sizeof(data), plain[_i].msb, plain[_i].lsb, UINT64_MAX);
	ck_assert_int_eq(ca_ssr_decode(data, sizeof(data), &ssr), 0);
	ck_assert_uint_eq(field_value(&ssr, &plain[_i]), field_ones(&plain[_i]));
	assert_others_clear(&ssr, plain, CA_ARRAY_LEN(plain), (size_t)_i);
	ck_assert(!ssr.all_zero);
}
END_TEST

/* One code and what it stands for. */
static const struct {
	unsigned int msb, lsb, code;
	struct field_case field;
	uint64_t value;
} codes[] = {
	{447, 440, 0, FIELD(ca_ssr, speed_class, 0, 0), 0},
	{447, 440, 1, FIELD(ca_ssr, speed_class, 0, 0), 2},
	{447, 440, 2, FIELD(ca_ssr, speed_class, 0, 0), 4},
	{447, 440, 3, FIELD(ca_ssr, speed_class, 0, 0), 6},
	{447, 440, 4, FIELD(ca_ssr, speed_class, 0, 0), 10},
	{447, 440, 5, FIELD(ca_ssr, speed_class, 0, 0), 0},
	{447, 440, 255, FIELD(ca_ssr, speed_class, 0, 0), 0},
	{431, 428, 0, FIELD(ca_ssr, au_bytes, 0, 0), 0},
	{431, 428, 1, FIELD(ca_ssr, au_bytes, 0, 0), 16 << 10},
	{431, 428, 2, FIELD(ca_ssr, au_bytes, 0, 0), 32 << 10},
	{431, 428, 3, FIELD(ca_ssr, au_bytes, 0, 0), 64 << 10},
	{431, 428, 4, FIELD(ca_ssr, au_bytes, 0, 0), 128 << 10},
	{431, 428, 5, FIELD(ca_ssr, au_bytes, 0, 0), 256 << 10},
	{431, 428, 6, FIELD(ca_ssr, au_bytes, 0, 0), 512 << 10},
	{431, 428, 7, FIELD(ca_ssr, au_bytes, 0, 0), 1 << 20},
	{431, 428, 8, FIELD(ca_ssr, au_bytes, 0, 0), 2 << 20},
	{431, 428, 9, FIELD(ca_ssr, au_bytes, 0, 0), 4 << 20},
	{431, 428, 10, FIELD(ca_ssr, au_bytes, 0, 0), 8 << 20},
	{431, 428, 11, FIELD(ca_ssr, au_bytes, 0, 0), 12 << 20},
	{431, 428, 12, FIELD(ca_ssr, au_bytes, 0, 0), 16 << 20},
	{431, 428, 13, FIELD(ca_ssr, au_bytes, 0, 0), 24 << 20},
	{431, 428, 14, FIELD(ca_ssr, au_bytes, 0, 0), 32 << 20},
	{431, 428, 15, FIELD(ca_ssr, au_bytes, 0, 0), 64 << 20},
	{395, 392, 0, FIELD(ca_ssr, uhs_au_bytes, 0, 0), 0},
	{395, 392, 1, FIELD(ca_ssr, uhs_au_bytes, 0, 0), 0},
	{395, 392, 6, FIELD(ca_ssr, uhs_au_bytes, 0, 0), 0},
	{395, 392, 7, FIELD(ca_ssr, uhs_au_bytes, 0, 0), 1 << 20},
	{395, 392, 11, FIELD(ca_ssr, uhs_au_bytes, 0, 0), 12 << 20},
	{395, 392, 15, FIELD(ca_ssr, uhs_au_bytes, 0, 0), 64 << 20},
	{335, 331, 0, FIELD(ca_ssr, cq_depth, 0, 0), 0},
	{335, 331, 1, FIELD(ca_ssr, cq_depth, 0, 0), 2},
	{335, 331, 31, FIELD(ca_ssr, cq_depth, 0, 0), 32},
	{501, 499, 5, FIELD(ca_ssr, reserved_bits, 0, 0), 5},
	{427, 424, 15, FIELD(ca_ssr, reserved_bits, 0, 0), 15},
	{383, 378, 63, FIELD(ca_ssr, reserved_bits, 0, 0), 63},
	{345, 340, 63, FIELD(ca_ssr, reserved_bits, 0, 0), 63},
	{327, 316, 4095, FIELD(ca_ssr, reserved_bits, 0, 0), 4095},
	{311, 300, 4095, FIELD(ca_ssr, reserved_bits, 0, 0), 0}, /* the maker's own */
};

START_TEST(codes_stand_for_what_the_tables_say)
{
	uint8_t data[CA_SSR_BYTES] = {0};
	struct ca_ssr ssr;

	ca_bits_set(data, sizeof(data), codes[_i].msb, codes[_i].lsb, codes[_i].code);
	ck_assert_int_eq(ca_ssr_decode(data, sizeof(data), &ssr), 0);
	ck_assert_uint_eq(field_value(&ssr, &codes[_i].field), codes[_i].value);
}
END_TEST

START_TEST(video_units_divide_into_sub_units)
{
	static const unsigned int allowed[] = {8,   16,	 21,  24,  27,	28,  30,  32,  36,  40,
					       42,  45,	 48,  54,  56,	60,  64,  72,  80,  96,
					       112, 120, 128, 144, 160, 192, 216, 224, 240, 256,
					       288, 320, 384, 432, 448, 480, 512};
	unsigned int next = 0;

	for (unsigned int au = 0; au < 1024; au++) {
		uint8_t data[CA_SSR_BYTES] = {0};
		struct ca_ssr ssr;

		ca_bits_set(data, sizeof(data), 377, 368, au);
		ck_assert_int_eq(ca_ssr_decode(data, sizeof(data), &ssr), 0);
		ck_assert_uint_eq(ssr.vsc_au_mib, au);
		if (next == CA_ARRAY_LEN(allowed) || allowed[next] != au) {
			ck_assert_uint_eq(ssr.vsc_su_mib, 0);
			continue;
		}
		next++;
		ck_assert_uint_ge(ssr.vsc_su_mib, 7);
		ck_assert_uint_le(ssr.vsc_su_mib, 10);
		ck_assert_uint_eq(au % ssr.vsc_su_mib, 0);
	}
	ck_assert_uint_eq(next, CA_ARRAY_LEN(allowed));
}
END_TEST

START_TEST(sub_units_that_are_not_8)
{
	static const struct {
		unsigned int au;
		uint8_t su;
	} rows[] = {{21, 7}, {28, 7},  {42, 7},	 {27, 9}, {36, 9}, {45, 9},
		    {54, 9}, {30, 10}, {60, 10}, {56, 8}, {72, 8}, {120, 8}};

	for (size_t i = 0; i < CA_ARRAY_LEN(rows); i++) {
		uint8_t data[CA_SSR_BYTES] = {0};
		struct ca_ssr ssr;

		ca_bits_set(data, sizeof(data), 377, 368, rows[i].au);
		ck_assert_int_eq(ca_ssr_decode(data, sizeof(data), &ssr), 0);
		ck_assert_uint_eq(ssr.vsc_su_mib, rows[i].su);
	}
}
END_TEST

START_TEST(other_lengths_are_refused)
{
	static const size_t lengths[] = {0, 63, 65, 8};
	uint8_t data[65] = {0};
	struct ca_ssr ssr, before;

	memset(&ssr, 0x5a, sizeof(ssr));
	memcpy(&before, &ssr, sizeof(ssr));
	for (size_t i = 0; i < CA_ARRAY_LEN(lengths); i++)
		ck_assert_int_eq(ca_ssr_decode(data, lengths[i], &ssr), -EMSGSIZE);
	ck_assert_mem_eq(&ssr, &before, sizeof(ssr));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ssr");
	TCase *tcase = tcase_create("ssr");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, cards_decode_as_known, 0, (int)CA_ARRAY_LEN(cards));
	tcase_add_loop_test(tcase, each_member_comes_from_its_bits, 0, (int)CA_ARRAY_LEN(plain));
	tcase_add_loop_test(tcase, codes_stand_for_what_the_tables_say, 0,
			    (int)CA_ARRAY_LEN(codes));
	tcase_add_test(tcase, video_units_divide_into_sub_units);
	tcase_add_test(tcase, sub_units_that_are_not_8);
	tcase_add_test(tcase, other_lengths_are_refused);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
