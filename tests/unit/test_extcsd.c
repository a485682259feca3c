/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/registers.h"

#include "unit/field_case.h"

#include <errno.h>
#include <stdlib.h>

static const struct field_case fields[] = {
	FIELD(ca_extcsd, rpmb_size_mult, 168, 168),
	FIELD(ca_extcsd, rev, 192, 192),
	FIELD(ca_extcsd, sec_count, 215, 212),
	FIELD(ca_extcsd, boot_size_mult, 226, 226),
	FIELD(ca_extcsd, cache_size_kib, 252, 249),
	FIELD(ca_extcsd, firmware_version[0], 254, 254),
	FIELD(ca_extcsd, firmware_version[7], 261, 261),
	FIELD(ca_extcsd, pre_eol_info, 267, 267),
	FIELD(ca_extcsd, life_a, 268, 268),
	FIELD(ca_extcsd, life_b, 269, 269),
};

START_TEST(each_member_comes_from_its_bytes)
{
	const struct field_case *field = &fields[_i];
	uint8_t data[CA_EXTCSD_BYTES] = {0};
	struct ca_extcsd extcsd;
	uint64_t expected = 0;

	for (unsigned int i = field->msb + 1; i-- > field->lsb;) {
		data[i] = (uint8_t)(0xc1 + i - field->lsb);
		expected = expected << 8 | data[i];
	}
	ck_assert_int_eq(ca_extcsd_decode(data, sizeof(data), &extcsd), 0);
	ck_assert_uint_eq(field_value(&extcsd, field), expected);
	assert_others_clear(&extcsd, fields, CA_ARRAY_LEN(fields), (size_t)_i);
}
END_TEST

static const struct {
	uint8_t support, depth_code;
	bool expected;
	uint8_t depth;
} queues[] = {
	{0, 31, false, 0},    {1, 31, true, 32},      {1, 0, true, 1},
	{0xfe, 15, false, 0}, {0xff, 0xef, true, 16},
};

START_TEST(command_queue_depth)
{
	uint8_t data[CA_EXTCSD_BYTES] = {0};
	struct ca_extcsd extcsd;

	data[308] = queues[_i].support;
	data[307] = queues[_i].depth_code;
	ck_assert_int_eq(ca_extcsd_decode(data, sizeof(data), &extcsd), 0);
	ck_assert_int_eq(extcsd.cmdq_support, queues[_i].expected);
	ck_assert_uint_eq(extcsd.cmdq_depth, queues[_i].depth);
}
END_TEST

START_TEST(other_lengths_are_refused)
{
	static const size_t lengths[] = {0, 511, 513, 16};
	uint8_t data[513] = {0};
	struct ca_extcsd extcsd, before;

	memset(&extcsd, 0x5a, sizeof(extcsd));
	memcpy(&before, &extcsd, sizeof(extcsd));
	for (size_t i = 0; i < CA_ARRAY_LEN(lengths); i++)
		ck_assert_int_eq(ca_extcsd_decode(data, lengths[i], &extcsd), -EMSGSIZE);
	ck_assert_mem_eq(&extcsd, &before, sizeof(extcsd));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("extcsd");
	TCase *tcase = tcase_create("extcsd");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, each_member_comes_from_its_bytes, 0, (int)CA_ARRAY_LEN(fields));
	tcase_add_loop_test(tcase, command_queue_depth, 0, (int)CA_ARRAY_LEN(queues));
	tcase_add_test(tcase, other_lengths_are_refused);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
