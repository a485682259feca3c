/* SPDX-License-Identifier: BSD-2-Clause */
#include "nvme_admin.h"

#include "device_test.h"

#include <errno.h>

START_TEST(builders)
{
	struct ca_nvme_command command = ca_nvme_identify_ctrl();

	ck_assert(command.opcode == 6 && command.cdw10 == 1 && command.data_bytes == 4096);
	ck_assert(ca_nvme_command_is_inspect(&command));
	command = ca_nvme_identify_ns(3);
	ck_assert(command.opcode == 6 && command.cdw10 == 0 && command.nsid == 3);
	ck_assert(ca_nvme_command_is_inspect(&command));
	command = ca_nvme_smart_log();
	ck_assert(command.opcode == 2 && command.nsid == 0xffffffff && command.data_bytes == 512);
	ck_assert_uint_eq(command.cdw10, 0x007f0002);
	ck_assert(ca_nvme_command_is_inspect(&command));
}
END_TEST

/* Every opcode with every selector of the three: nothing else passes. */
START_TEST(all_opcodes)
{
	static const uint32_t selectors[] = {0, 1, 2, 0x007f0002, 0x000f0002, 0x007f0001};
	static const uint32_t lengths[] = {0, 512, 4096};
	unsigned int allowed = 0;

	for (unsigned int opcode = 0; opcode < 256; opcode++)
		for (size_t i = 0; i < CA_ARRAY_LEN(selectors); i++)
			for (size_t j = 0; j < CA_ARRAY_LEN(lengths); j++) {
				struct ca_nvme_command command = {.opcode = (uint8_t)opcode,
								  .cdw10 = selectors[i],
								  .data_bytes = lengths[j]};

				allowed += ca_nvme_command_is_inspect(&command);
			}
	ck_assert_uint_eq(allowed, 3);
}
END_TEST

static const struct ca_nvme_command changing[] = {
	{.opcode = 0x80, .data_bytes = 4096},		  /* Format */
	{.opcode = 0x84, .data_bytes = 4096},		  /* Sanitize */
	{.opcode = 0x09, .data_bytes = 4096},		  /* Set Features */
	{.opcode = 0x10, .cdw10 = 1, .data_bytes = 4096}, /* Firmware Commit */
	{.opcode = 0x0d, .data_bytes = 4096},		  /* Namespace Management */
	{.opcode = 0x06, .cdw10 = 1, .cdw11 = 1, .data_bytes = 4096},
	{.opcode = 0xc0, .cdw10 = 1, .data_bytes = 4096}, /* vendor */
};

START_TEST(never)
{
	uint8_t data[4096];

	ck_assert_int_eq(ca_nvme_execute(-1, &changing[_i], data, sizeof(data)), -EPERM);
}
END_TEST

START_TEST(executor)
{
	struct ca_nvme_command command = ca_nvme_smart_log();
	uint8_t data[4096];

	ck_assert_int_eq(ca_nvme_execute(-1, &command, data, sizeof(data)), -EPERM); /* length */
	ck_assert_int_eq(ca_nvme_execute(-1, &command, data, 512), -EBADF);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("nvme_admin");

	tcase_add_test(tests, builders);
	tcase_add_test(tests, all_opcodes);
	tcase_add_loop_test(tests, never, 0, (int)CA_ARRAY_LEN(changing));
	tcase_add_test(tests, executor);
	return run_tests(tests);
}
