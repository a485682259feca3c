/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/registers.h"

#include "unit/field_case.h"

#include <errno.h>
#include <stdlib.h>

/* lsb..msb are the first and last byte; multi-byte members are little-endian on the drive. */

static const struct field_case ctrl_fields[] = {
	FIELD(ca_nvme_ctrl, vid, 1, 0),
	FIELD(ca_nvme_ctrl, ssvid, 3, 2),
	FIELD(ca_nvme_ctrl, sn[0], 4, 4),
	FIELD(ca_nvme_ctrl, sn[19], 23, 23),
	FIELD(ca_nvme_ctrl, mn[0], 24, 24),
	FIELD(ca_nvme_ctrl, mn[39], 63, 63),
	FIELD(ca_nvme_ctrl, fr[0], 64, 64),
	FIELD(ca_nvme_ctrl, fr[7], 71, 71),
	FIELD(ca_nvme_ctrl, rab, 72, 72),
	FIELD(ca_nvme_ctrl, ieee_oui, 75, 73),
	FIELD(ca_nvme_ctrl, cmic, 76, 76),
	FIELD(ca_nvme_ctrl, mdts, 77, 77),
	FIELD(ca_nvme_ctrl, cntlid, 79, 78),
	FIELD(ca_nvme_ctrl, ver, 83, 80),
	FIELD(ca_nvme_ctrl, rtd3r_us, 87, 84),
	FIELD(ca_nvme_ctrl, rtd3e_us, 91, 88),
	FIELD(ca_nvme_ctrl, oaes, 95, 92),
	FIELD(ca_nvme_ctrl, ctratt, 99, 96),
	FIELD(ca_nvme_ctrl, cntrltype, 111, 111),
	FIELD(ca_nvme_ctrl, fguid[0], 112, 112),
	FIELD(ca_nvme_ctrl, fguid[15], 127, 127),
	FIELD(ca_nvme_ctrl, oacs, 257, 256),
	FIELD(ca_nvme_ctrl, acl, 258, 258),
	FIELD(ca_nvme_ctrl, aerl, 259, 259),
	FIELD(ca_nvme_ctrl, frmw, 260, 260),
	FIELD(ca_nvme_ctrl, lpa, 261, 261),
	FIELD(ca_nvme_ctrl, elpe, 262, 262),
	FIELD(ca_nvme_ctrl, npss, 263, 263),
	FIELD(ca_nvme_ctrl, wctemp_k, 267, 266),
	FIELD(ca_nvme_ctrl, cctemp_k, 269, 268),
	FIELD(ca_nvme_ctrl, hmpre, 275, 272),
	FIELD(ca_nvme_ctrl, hmmin, 279, 276),
	FIELD(ca_nvme_ctrl, tnvmcap_bytes, 287, 280),
	FIELD(ca_nvme_ctrl, unvmcap_bytes, 303, 296),
	FIELD(ca_nvme_ctrl, rpmbs, 315, 312),
	FIELD(ca_nvme_ctrl, hctma, 323, 322),
	FIELD(ca_nvme_ctrl, mntmt_k, 325, 324),
	FIELD(ca_nvme_ctrl, mxtmt_k, 327, 326),
	FIELD(ca_nvme_ctrl, sanicap, 331, 328),
	FIELD(ca_nvme_ctrl, sqes, 512, 512),
	FIELD(ca_nvme_ctrl, cqes, 513, 513),
	FIELD(ca_nvme_ctrl, maxcmd, 515, 514),
	FIELD(ca_nvme_ctrl, nn, 519, 516),
	FIELD(ca_nvme_ctrl, oncs, 521, 520),
	FIELD(ca_nvme_ctrl, fuses, 523, 522),
	FIELD(ca_nvme_ctrl, fna, 524, 524),
	FIELD(ca_nvme_ctrl, vwc, 525, 525),
	FIELD(ca_nvme_ctrl, sgls, 539, 536),
	FIELD(ca_nvme_ctrl, mnan, 543, 540),
	FIELD(ca_nvme_ctrl, subnqn[0], 768, 768),
	FIELD(ca_nvme_ctrl, subnqn[255], 1023, 1023),
	FIELD(ca_nvme_ctrl, psd[0].max_power_raw, 2049, 2048),
	FIELD(ca_nvme_ctrl, psd[0].entry_latency_us, 2055, 2052),
	FIELD(ca_nvme_ctrl, psd[0].exit_latency_us, 2059, 2056),
	FIELD(ca_nvme_ctrl, psd[31].max_power_raw, 3041, 3040),
	FIELD(ca_nvme_ctrl, psd[31].exit_latency_us, 3051, 3048),
	FIELD(ca_nvme_ctrl, sd_express_class, 3073, 3072),
};

static const struct field_case ns_fields[] = {
	FIELD(ca_nvme_ns, nsze, 7, 0),
	FIELD(ca_nvme_ns, ncap, 15, 8),
	FIELD(ca_nvme_ns, nuse, 23, 16),
	FIELD(ca_nvme_ns, nsfeat, 24, 24),
	FIELD(ca_nvme_ns, nlbaf, 25, 25),
	FIELD(ca_nvme_ns, flbas, 26, 26),
	FIELD(ca_nvme_ns, mc, 27, 27),
	FIELD(ca_nvme_ns, dpc, 28, 28),
	FIELD(ca_nvme_ns, dps, 29, 29),
	FIELD(ca_nvme_ns, nmic, 30, 30),
	FIELD(ca_nvme_ns, dlfeat, 33, 33),
	FIELD(ca_nvme_ns, nvmcap_bytes, 55, 48),
	FIELD(ca_nvme_ns, nguid[0], 104, 104),
	FIELD(ca_nvme_ns, nguid[15], 119, 119),
	FIELD(ca_nvme_ns, eui64[0], 120, 120),
	FIELD(ca_nvme_ns, eui64[7], 127, 127),
	FIELD(ca_nvme_ns, lbaf[0].ms, 129, 128),
	FIELD(ca_nvme_ns, lbaf[0].lbads, 130, 130),
	FIELD(ca_nvme_ns, lbaf[63].ms, 381, 380),
	FIELD(ca_nvme_ns, lbaf[63].lbads, 382, 382),
};

static const struct field_case smart_fields[] = {
	FIELD(ca_nvme_smart, critical_warning, 0, 0),
	FIELD(ca_nvme_smart, temperature_k, 2, 1),
	FIELD(ca_nvme_smart, available_spare, 3, 3),
	FIELD(ca_nvme_smart, spare_threshold, 4, 4),
	FIELD(ca_nvme_smart, percentage_used, 5, 5),
	FIELD(ca_nvme_smart, data_units_read, 39, 32),
	FIELD(ca_nvme_smart, data_units_written, 55, 48),
	FIELD(ca_nvme_smart, host_reads, 71, 64),
	FIELD(ca_nvme_smart, host_writes, 87, 80),
	FIELD(ca_nvme_smart, busy_minutes, 103, 96),
	FIELD(ca_nvme_smart, power_cycles, 119, 112),
	FIELD(ca_nvme_smart, power_on_hours, 135, 128),
	FIELD(ca_nvme_smart, unsafe_shutdowns, 151, 144),
	FIELD(ca_nvme_smart, media_errors, 167, 160),
	FIELD(ca_nvme_smart, error_log_entries, 183, 176),
	FIELD(ca_nvme_smart, warning_temp_minutes, 195, 192),
	FIELD(ca_nvme_smart, critical_temp_minutes, 199, 196),
	FIELD(ca_nvme_smart, sensor_k[0], 201, 200),
	FIELD(ca_nvme_smart, sensor_k[7], 215, 214),
};

/* Fills one field with bytes that all differ and returns the number they make. */
static uint64_t put_distinct(uint8_t *data, const struct field_case *field)
{
	uint64_t value = 0;

	for (unsigned int i = field->msb + 1; i-- > field->lsb;) {
		data[i] = (uint8_t)(0x71 + i - field->lsb);
		value = value << 8 | data[i];
	}
	return value;
}

START_TEST(each_ctrl_member_comes_from_its_bytes)
{
	uint8_t data[CA_NVME_ID_BYTES] = {0};
	uint64_t expected = put_distinct(data, &ctrl_fields[_i]);
	struct ca_nvme_ctrl ctrl;

	ck_assert_int_eq(ca_nvme_ctrl_decode(data, sizeof(data), &ctrl), 0);
	ck_assert_uint_eq(field_value(&ctrl, &ctrl_fields[_i]), expected);
	assert_others_clear(&ctrl, ctrl_fields, CA_ARRAY_LEN(ctrl_fields), (size_t)_i);
}
END_TEST

START_TEST(each_ns_member_comes_from_its_bytes)
{
	uint8_t data[CA_NVME_ID_BYTES] = {0};
	uint64_t expected = put_distinct(data, &ns_fields[_i]);
	struct ca_nvme_ns ns;

	ck_assert_int_eq(ca_nvme_ns_decode(data, sizeof(data), &ns), 0);
	ck_assert_uint_eq(field_value(&ns, &ns_fields[_i]), expected);
	assert_others_clear(&ns, ns_fields, CA_ARRAY_LEN(ns_fields), (size_t)_i);
}
END_TEST

START_TEST(each_smart_member_comes_from_its_bytes)
{
	uint8_t data[CA_NVME_SMART_BYTES] = {0};
	uint64_t expected = put_distinct(data, &smart_fields[_i]);
	struct ca_nvme_smart smart;

	ck_assert_int_eq(ca_nvme_smart_decode(data, sizeof(data), &smart), 0);
	ck_assert_uint_eq(field_value(&smart, &smart_fields[_i]), expected);
	assert_others_clear(&smart, smart_fields, CA_ARRAY_LEN(smart_fields), (size_t)_i);
}
END_TEST

/* Texts on a drive are padded with spaces and have no end. */
static void put_text(uint8_t *place, const char *text, size_t bytes)
{
	memset(place, ' ', bytes);
	for (size_t i = 0; text[i]; i++)
		place[i] = (uint8_t)text[i];
}

/* The drive sold as the 256 GB Raspberry Pi SSD. */
START_TEST(a_known_drive)
{
	uint8_t data[CA_NVME_ID_BYTES] = {0};
	struct ca_nvme_ctrl ctrl;

	hex_bytes("4d144d14", data, 4);
	put_text(data + 4, "S000000000000000", 20);
	put_text(data + 24, "SAMSUNG MZ9LQ256HBJD-00BVL", 40);
	put_text(data + 64, "FXM71V1Q", 8);
	hex_bytes("382500", data + 73, 3);
	hex_bytes("00040100", data + 80, 4);
	data[260] = 0x16;
	hex_bytes("0060659e3b", data + 280, 5);
	hex_bytes("02000060", data + 328, 4);
	ck_assert_int_eq(ca_nvme_ctrl_decode(data, sizeof(data), &ctrl), 0);
	ck_assert_uint_eq(ctrl.vid, 0x144d);
	ck_assert_uint_eq(ctrl.ssvid, 0x144d);
	ck_assert_str_eq(ctrl.sn, "S000000000000000    ");
	ck_assert_str_eq(ctrl.mn, "SAMSUNG MZ9LQ256HBJD-00BVL              ");
	ck_assert_str_eq(ctrl.fr, "FXM71V1Q");
	ck_assert_uint_eq(ctrl.ieee_oui, 0x002538);
	ck_assert_uint_eq(ctrl.ver, 0x10400);
	ck_assert_uint_eq(ctrl.frmw, 0x16);
	ck_assert_uint_eq(ctrl.tnvmcap_bytes, 256060514304);
	ck_assert_uint_eq(ctrl.sanicap, 0x60000002);
}
END_TEST

START_TEST(texts_end_even_where_the_drive_fills_them)
{
	uint8_t data[CA_NVME_ID_BYTES];
	struct ca_nvme_ctrl ctrl;

	memset(data, 0xff, sizeof(data));
	ck_assert_int_eq(ca_nvme_ctrl_decode(data, sizeof(data), &ctrl), 0);
	ck_assert_uint_eq(strlen(ctrl.sn), 20);
	ck_assert_uint_eq(strlen(ctrl.mn), 40);
	ck_assert_uint_eq(strlen(ctrl.fr), 8);
	ck_assert_uint_eq(strlen(ctrl.subnqn), 256);
	ck_assert_uint_eq(ctrl.tnvmcap_bytes, UINT64_MAX);
}
END_TEST

/* 16-byte counters: which byte is set, and what comes out. */
static const struct {
	unsigned int byte;
	uint8_t value;
	uint64_t expected;
} counters[] = {
	{0, 1, 1},	     {7, 0x80, UINT64_C(1) << 63}, {8, 1, UINT64_MAX},
	{15, 1, UINT64_MAX}, {15, 0xff, UINT64_MAX},
};

START_TEST(counters_saturate)
{
	static const unsigned int places[] = {32, 48, 64, 80, 96, 112, 128, 144, 160, 176};
	uint8_t data[CA_NVME_SMART_BYTES] = {0};
	struct ca_nvme_smart smart;

	for (size_t i = 0; i < CA_ARRAY_LEN(places); i++)
		data[places[i] + counters[_i].byte] = counters[_i].value;
	ck_assert_int_eq(ca_nvme_smart_decode(data, sizeof(data), &smart), 0);
	ck_assert_uint_eq(smart.data_units_read, counters[_i].expected);
	ck_assert_uint_eq(smart.data_units_written, counters[_i].expected);
	ck_assert_uint_eq(smart.host_reads, counters[_i].expected);
	ck_assert_uint_eq(smart.host_writes, counters[_i].expected);
	ck_assert_uint_eq(smart.busy_minutes, counters[_i].expected);
	ck_assert_uint_eq(smart.power_cycles, counters[_i].expected);
	ck_assert_uint_eq(smart.power_on_hours, counters[_i].expected);
	ck_assert_uint_eq(smart.unsafe_shutdowns, counters[_i].expected);
	ck_assert_uint_eq(smart.media_errors, counters[_i].expected);
	ck_assert_uint_eq(smart.error_log_entries, counters[_i].expected);
}
END_TEST

START_TEST(capacities_saturate)
{
	uint8_t ctrl_data[CA_NVME_ID_BYTES] = {0}, ns_data[CA_NVME_ID_BYTES] = {0};
	struct ca_nvme_ctrl ctrl;
	struct ca_nvme_ns ns;

	ctrl_data[280 + counters[_i].byte] = counters[_i].value;
	ctrl_data[296 + counters[_i].byte] = counters[_i].value;
	ns_data[48 + counters[_i].byte] = counters[_i].value;
	ck_assert_int_eq(ca_nvme_ctrl_decode(ctrl_data, sizeof(ctrl_data), &ctrl), 0);
	ck_assert_int_eq(ca_nvme_ns_decode(ns_data, sizeof(ns_data), &ns), 0);
	ck_assert_uint_eq(ctrl.tnvmcap_bytes, counters[_i].expected);
	ck_assert_uint_eq(ctrl.unvmcap_bytes, counters[_i].expected);
	ck_assert_uint_eq(ns.nvmcap_bytes, counters[_i].expected);
}
END_TEST

START_TEST(power_state_flags)
{
	uint8_t data[CA_NVME_ID_BYTES] = {0};
	struct ca_nvme_ctrl ctrl;

	data[2048 + 3] = 0x01;
	data[2048 + 32 + 3] = 0x02;
	data[2048 + 31 * 32 + 3] = 0xff;
	ck_assert_int_eq(ca_nvme_ctrl_decode(data, sizeof(data), &ctrl), 0);
	ck_assert(ctrl.psd[0].max_power_scale && !ctrl.psd[0].non_operational);
	ck_assert(!ctrl.psd[1].max_power_scale && ctrl.psd[1].non_operational);
	ck_assert(ctrl.psd[31].max_power_scale && ctrl.psd[31].non_operational);
	ck_assert(!ctrl.psd[2].max_power_scale && !ctrl.psd[2].non_operational);
}
END_TEST

static const struct {
	uint8_t flbas, index, lbads;
	uint64_t block_bytes;
} formats[] = {
	{0x00, 0, 9, 512},
	{0x01, 1, 12, 4096},
	{0x10, 0, 9, 512}, /* metadata at the end */
	{0x2f, 31, 9, 512},
	{0x60, 48, 12, 4096},
	{0x7f, 63, 9, 512},
	{0x80, 0, 9, 512},
	{0x00, 0, 8, 0},
	{0x00, 0, 0, 0},
	{0x03, 3, 31, UINT64_C(1) << 31},
	{0x03, 3, 32, 0},
	{0x03, 3, 255, 0},
};

START_TEST(block_size_of_the_format_in_use)
{
	uint8_t data[CA_NVME_ID_BYTES] = {0};
	struct ca_nvme_ns ns;

	data[26] = formats[_i].flbas;
	data[128 + 4 * formats[_i].index + 2] = formats[_i].lbads;
	data[128 + 4 * formats[_i].index + 3] = 0xfe;
	ck_assert_int_eq(ca_nvme_ns_decode(data, sizeof(data), &ns), 0);
	ck_assert_uint_eq(ns.lbaf_index, formats[_i].index);
	ck_assert_uint_eq(ns.block_bytes, formats[_i].block_bytes);
	ck_assert_uint_eq(ns.lbaf[ns.lbaf_index].rp, 2);
}
END_TEST

START_TEST(other_lengths_are_refused)
{
	static const size_t lengths[] = {0, 511, 513, 4095, 4097};
	static const uint8_t data[4097];
	struct ca_nvme_ctrl ctrl, ctrl_before;
	struct ca_nvme_ns ns, ns_before;
	struct ca_nvme_smart smart, smart_before;

	memset(&ctrl, 0x5a, sizeof(ctrl));
	memset(&ns, 0x5a, sizeof(ns));
	memset(&smart, 0x5a, sizeof(smart));
	memcpy(&ctrl_before, &ctrl, sizeof(ctrl));
	memcpy(&ns_before, &ns, sizeof(ns));
	memcpy(&smart_before, &smart, sizeof(smart));
	for (size_t i = 0; i < CA_ARRAY_LEN(lengths); i++) {
		ck_assert_int_eq(ca_nvme_ctrl_decode(data, lengths[i], &ctrl), -EMSGSIZE);
		ck_assert_int_eq(ca_nvme_ns_decode(data, lengths[i], &ns), -EMSGSIZE);
		ck_assert_int_eq(ca_nvme_smart_decode(data, lengths[i], &smart), -EMSGSIZE);
	}
	ck_assert_int_eq(ca_nvme_ctrl_decode(data, 512, &ctrl), -EMSGSIZE);
	ck_assert_int_eq(ca_nvme_smart_decode(data, 4096, &smart), -EMSGSIZE);
	ck_assert_mem_eq(&ctrl, &ctrl_before, sizeof(ctrl));
	ck_assert_mem_eq(&ns, &ns_before, sizeof(ns));
	ck_assert_mem_eq(&smart, &smart_before, sizeof(smart));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("nvme");
	TCase *tcase = tcase_create("nvme");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, each_ctrl_member_comes_from_its_bytes, 0,
			    (int)CA_ARRAY_LEN(ctrl_fields));
	tcase_add_loop_test(tcase, each_ns_member_comes_from_its_bytes, 0,
			    (int)CA_ARRAY_LEN(ns_fields));
	tcase_add_loop_test(tcase, each_smart_member_comes_from_its_bytes, 0,
			    (int)CA_ARRAY_LEN(smart_fields));
	tcase_add_test(tcase, a_known_drive);
	tcase_add_test(tcase, texts_end_even_where_the_drive_fills_them);
	tcase_add_loop_test(tcase, counters_saturate, 0, (int)CA_ARRAY_LEN(counters));
	tcase_add_loop_test(tcase, capacities_saturate, 0, (int)CA_ARRAY_LEN(counters));
	tcase_add_test(tcase, power_state_flags);
	tcase_add_loop_test(tcase, block_size_of_the_format_in_use, 0, (int)CA_ARRAY_LEN(formats));
	tcase_add_test(tcase, other_lengths_are_refused);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
