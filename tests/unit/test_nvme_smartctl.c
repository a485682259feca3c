/* SPDX-License-Identifier: BSD-2-Clause */
#include "input_case.h"
#include "input_nvme.h"

static struct ca_span span(const char *text)
{
	return (struct ca_span){text, strlen(text)};
}

static const struct {
	const char *text;
	uint64_t value; /* UINT64_MAX: refused */
} numbers[] = {
	{"0", 0},
	{"1234", 1234},
	{"1,635,721 [837 GB]", 1635721},
	{"1.635.721 (837 GB)", 1635721},
	{"837 355 [428 GB]", 837355},
	{"5\xe2\x80\x99"
	 "716\xe2\x80\x99"
	 "382 [2.92 TB]",
	 5716382},
	{"500\xc2\xa0"
	 "107\xc2\xa0"
	 "862\xc2\xa0"
	 "016",
	 500107862016},
	{"100%", 100},
	{"28 Celsius", 28},
	{"18446744073709551614", UINT64_C(18446744073709551614)},
	{"18.446.744.073.709.551.614", UINT64_C(18446744073709551614)},
	{"99999999999999999999", UINT64_MAX},
	{"1.5", UINT64_MAX},
	{"12 34", UINT64_MAX},
	{"1,2345", UINT64_MAX},
	{"1234x", UINT64_MAX},
	{"", UINT64_MAX},
	{"-1", UINT64_MAX},
	{"1.635.721.635.721.635.721.000", UINT64_MAX},
};

START_TEST(grouped)
{
	uint64_t value = UINT64_MAX;
	bool ok = ca_nvme_text_grouped(span(numbers[_i].text), &value);

	ck_assert_int_eq(ok, numbers[_i].value != UINT64_MAX);
	ck_assert_uint_eq(value, numbers[_i].value);
}
END_TEST

START_TEST(small_parts)
{
	uint32_t version = 7;

	ck_assert(ca_nvme_smartctl_version(span("1.4"), &version));
	ck_assert_uint_eq(version, 0x10400);
	ck_assert(ca_nvme_smartctl_version(span("1.2.1"), &version));
	ck_assert_uint_eq(version, 0x10200);
	ck_assert(!ca_nvme_smartctl_version(span("<1.2"), &version));
	ck_assert(!ca_nvme_smartctl_version(span("1"), &version));
	ck_assert(!ca_nvme_smartctl_version(span(""), &version));
	ck_assert_uint_eq(version, 0x10200);
	ck_assert(ca_span_is(ca_nvme_smartctl_name(span("model_number")), "mn"));
	ck_assert(ca_span_is(ca_nvme_smartctl_name(span("power_cycles")), "power_cycles"));
	/* hdparm has a line of this name too */
	ck_assert(!ca_nvme_smartctl_begins(span("Model Number: X"), span("Serial Number: Y\n")));
	ck_assert(ca_nvme_smartctl_begins(span("Model Number: X"), span("PCI Vendor ID: 0x1\n")));
}
END_TEST

START_TEST(drive)
{
	struct ca_error error;
	static struct got got;
	struct ca_nvme_ctrl controller;

	ck_assert_int_eq(got_fixture("smartctl-german.txt", "", &got, &error), 0);
	ck_assert_uint_eq(got.last.device.bytes, UINT64_C(1600321314816));
	ck_assert_uint_eq(got.last.device.sector_bytes, 512);
	ck_assert_ptr_nonnull(strstr(got.last.device.hidden_because, "smartctl shows some fields"));
	ck_assert_int_eq(
		ca_nvme_ctrl_decode(got.last.registers.nvme_ctrl, CA_NVME_ID_BYTES, &controller),
		0);
	ck_assert_uint_eq(controller.vid, 0x8086);
	ck_assert_uint_eq(controller.ssvid, 0x8086);
}
END_TEST

START_TEST(health)
{
	struct ca_error error;
	static struct got got;
	struct ca_nvme_smart smart;

	ck_assert_int_eq(got_fixture("smartctl-health-blanks.txt", "", &got, &error), 0);
	ck_assert_int_eq(
		ca_nvme_smart_decode(got.last.registers.nvme_smart, CA_NVME_SMART_BYTES, &smart),
		0);
	ck_assert_uint_eq(smart.data_units_read, 837355);
	ck_assert_uint_eq(smart.data_units_written, 907832);
	ck_assert_uint_eq(smart.power_on_hours, 403);
	ck_assert_uint_eq(smart.temperature_k, 301);
	ck_assert_uint_eq(smart.available_spare, 100);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("nvme_smartctl");

	tcase_add_loop_test(tests, grouped, 0, (int)CA_ARRAY_LEN(numbers));
	tcase_add_test(tests, small_parts);
	tcase_add_test(tests, drive);
	tcase_add_test(tests, health);
	return run_tests(tests);
}
