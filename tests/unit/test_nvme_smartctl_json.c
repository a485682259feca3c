/* SPDX-License-Identifier: BSD-2-Clause */
#include "input_nvme.h"

#include "input_case.h"

#include <errno.h>

#define BEGIN                                                                                      \
	"{\"json_format_version\":[1,0],\"device\":{\"name\":\"/dev/nvme0\",\"type\":\"nvme\"},"
#define DRIVE                                                                                      \
	"\"model_name\":\"M\",\"serial_number\":\"S\",\"firmware_version\":\"F\","                 \
	"\"nvme_pci_vendor\":{\"id\":5197,\"subsystem_id\":2},"                                    \
	"\"nvme_ieee_oui_identifier\":9528,\"nvme_version\":{\"string\":\"1.4\",\"value\":66560}," \
	"\"nvme_number_of_namespaces\":1,"
#define SIZE                                                                                       \
	"\"user_capacity\":{\"blocks\":500118192,\"bytes\":256060514304},"                         \
	"\"logical_block_size\":512,"
#define HEALTH                                                                                     \
	"\"nvme_smart_health_information_log\":{\"critical_warning\":0,\"temperature\":39,"        \
	"\"available_spare\":100,\"available_spare_threshold\":10,\"percentage_used\":3,"          \
	"\"data_units_read\":7,\"data_units_written\":8,\"host_reads\":9,\"host_writes\":10,"      \
	"\"power_on_hours\":99,\"media_errors\":4,\"num_err_log_entries\":5}"

static const struct {
	const char *text, *cards;
	int rc;
} cases[] = {
	{BEGIN DRIVE SIZE HEALTH "}", "card 1 id_ctrl=4d smart_log=00;", 0},
	{BEGIN DRIVE "\"x\":1}", "card 1 id_ctrl=4d;", 0},
	{BEGIN HEALTH "}", "card 1 smart_log=00;", 0},
	{BEGIN "\"model_name\":\"SATA\",\"ata_version\":{\"value\":1}}", "", -EBADMSG},
	/* cut: what stands before is read, and it is said */
	{BEGIN DRIVE SIZE, "card 1 id_ctrl=4d;", -EBADMSG},
	{BEGIN "\"nvme_pci_vendor\":{\"id\":5197", "", -EBADMSG},
};

START_TEST(read_pages)
{
	struct ca_error error;
	static struct got got;

	ck_assert_int_eq(got_read(cases[_i].text, strlen(cases[_i].text), &got, &error),
			 cases[_i].rc);
	ck_assert_str_eq(got.text, cases[_i].cards);
}
END_TEST

START_TEST(values)
{
	static const char text[] = BEGIN DRIVE SIZE HEALTH "}";
	struct ca_error error;
	static struct got got;
	struct ca_nvme_ctrl drive;
	struct ca_nvme_smart smart;

	ck_assert_int_eq(got_read(text, strlen(text), &got, &error), 0);
	ck_assert_uint_eq(got.last.device.bytes, UINT64_C(256060514304));
	ck_assert_uint_eq(got.last.device.sector_bytes, 512);
	ck_assert_ptr_nonnull(strstr(got.last.device.hidden_because, "smartctl shows some fields"));
	ck_assert_int_eq(
		ca_nvme_ctrl_decode(got.last.registers.nvme_ctrl, CA_NVME_ID_BYTES, &drive), 0);
	ck_assert_uint_eq(drive.vid, 0x144d);
	ck_assert_uint_eq(drive.ssvid, 2);
	ck_assert_uint_eq(drive.ver, 0x10400);
	ck_assert_uint_eq(drive.ieee_oui, 0x002538);
	ck_assert_mem_eq(drive.mn, "M ", 2);
	ck_assert_int_eq(
		ca_nvme_smart_decode(got.last.registers.nvme_smart, CA_NVME_SMART_BYTES, &smart),
		0);
	ck_assert_uint_eq(smart.temperature_k, 312);
	ck_assert_uint_eq(smart.data_units_written, 8);
	ck_assert_uint_eq(smart.power_on_hours, 99);
	ck_assert_uint_eq(smart.media_errors, 4);
	ck_assert_uint_eq(smart.percentage_used, 3);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("nvme_smartctl_json");

	tcase_add_loop_test(tests, read_pages, 0, (int)CA_ARRAY_LEN(cases));
	tcase_add_test(tests, values);
	return run_tests(tests);
}
