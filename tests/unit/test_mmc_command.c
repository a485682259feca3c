/* SPDX-License-Identifier: BSD-2-Clause */
#include "mmc_command.h"

#include "device_test.h"

#include <errno.h>
#include <string.h>

START_TEST(builders)
{
	struct ca_mmc_command command = ca_mmc_sd_status();

	ck_assert(command.opcode == 13 && command.application && command.argument == 0);
	ck_assert(ca_mmc_command_is_inspect(&command));
	command = ca_mmc_check_function();
	ck_assert(command.opcode == 6 && !command.application && command.block_bytes == 64);
	ck_assert_uint_eq(command.argument, 0x00ffffff);
	ck_assert(ca_mmc_command_is_inspect(&command));
	/* function 2, page 1, offset 6, one byte */
	command = ca_mmc_read_extension(2, 1U << 9 | 6, 1);
	ck_assert_uint_eq(command.argument, 2U << 27 | 1U << 18 | 6U << 9);
	ck_assert(ca_mmc_command_is_inspect(&command));
	command = ca_mmc_read_extension(15, (1U << 17) - 1, 512);
	ck_assert_uint_eq(command.argument, 0x7bffffff);
	ck_assert(ca_mmc_command_is_inspect(&command));
}
END_TEST

/* Of CMD56 exactly the queries that are known to read, and no other of 2^32 arguments near them. */
START_TEST(general_reads)
{
	static const uint32_t known[] = {0x00000001, 0x110005fb, 0x53420001,
					 0x110005fd, 0x110005f1, 0x110005f9};
	static const uint32_t others[] = {
		0, 0x10, 0x11, 0x21, 3, 0x110005fa, 0x110005ff, 0x11000001, 0xf0000061, UINT32_MAX};
	struct ca_mmc_command command;
	uint8_t data[512];

	for (size_t i = 0; i < CA_ARRAY_LEN(known); i++) {
		command = ca_mmc_general_read(known[i]);
		ck_assert_uint_eq(command.argument, known[i]);
		ck_assert(ca_mmc_command_is_inspect(&command));
		for (unsigned int bit = 0; bit < 32; bit++) {
			bool other = false;

			command.argument = known[i] ^ UINT32_C(1) << bit;
			for (size_t j = 0; j < CA_ARRAY_LEN(known); j++)
				other |= known[j] == command.argument;
			ck_assert_msg(ca_mmc_command_is_inspect(&command) == other, "%08x",
				      command.argument);
		}
		command = ca_mmc_general_read(known[i]);
		command.write = true;
		ck_assert_int_eq(ca_mmc_execute(-1, &command, data, sizeof(data)), -EPERM);
	}
	for (size_t i = 0; i < CA_ARRAY_LEN(others); i++) {
		command = ca_mmc_general_read(others[i]);
		ck_assert_int_eq(ca_mmc_execute(-1, &command, data, sizeof(data)), -EPERM);
	}
}
END_TEST

/* Of all opcodes, plain and application, only four may be sent, and only as readers. */
START_TEST(all_opcodes)
{
	static const uint32_t lengths[] = {0, 8, 64, 512};
	unsigned int allowed = 0;

	for (uint32_t opcode = 0; opcode < 64; opcode++) {
		for (unsigned int way = 0; way < 16; way++) {
			struct ca_mmc_command command = {
				.opcode = opcode,
				.application = way & 1,
				.write = way & 2,
				.block_bytes = lengths[way >> 2],
				.argument = opcode == 56,
			};
			bool expected = !command.write &&
					((opcode == 13 && command.application &&
					  command.block_bytes == 64) ||
					 (opcode == 6 && !command.application &&
					  command.block_bytes == 64) ||
					 ((opcode == 48 || opcode == 56) && !command.application &&
					  command.block_bytes == 512));

			ck_assert_msg(ca_mmc_command_is_inspect(&command) == expected,
				      "opcode %u, way %u", opcode, way);
			allowed += expected;
		}
	}
	ck_assert_uint_eq(allowed, 4);
}
END_TEST

/* Arguments that would change the card. */
static const struct ca_mmc_command changing[] = {
	{.opcode = 6, .argument = 0x80ffffff, .block_bytes = 64},   /* CMD6 mode 1 */
	{.opcode = 6, .argument = 0x03b70100, .block_bytes = 64},   /* eMMC SWITCH */
	{.opcode = 56, .argument = 0x10, .block_bytes = 512},	    /* CMD56 writing */
	{.opcode = 56, .argument = 0, .block_bytes = 512},	    /* CMD56 writing */
	{.opcode = 48, .argument = 0x80000000, .block_bytes = 512}, /* I/O space */
	{.opcode = 48, .argument = 0x04000000, .block_bytes = 512}, /* reserved bit */
	{.opcode = 13, .argument = 1, .application = true, .block_bytes = 64},
	{.opcode = 49, .argument = 0, .block_bytes = 512}, /* write extension */
	{.opcode = 42, .argument = 0, .block_bytes = 512}, /* LOCK_UNLOCK */
	{.opcode = 25, .argument = 0, .block_bytes = 512},
	{.opcode = 38, .argument = 0, .block_bytes = 512},
	{.opcode = 6 + 64, .argument = 0, .block_bytes = 64},
};

START_TEST(never)
{
	uint8_t data[512];

	ck_assert(!ca_mmc_command_is_inspect(&changing[_i]));
	/* refused before the kernel is asked: the descriptor is not even one */
	ck_assert_int_eq(ca_mmc_execute(-1, &changing[_i], data, changing[_i].block_bytes), -EPERM);
}
END_TEST

START_TEST(executor)
{
	struct ca_mmc_command command = ca_mmc_sd_status();
	uint8_t data[64];

	ck_assert_int_eq(ca_mmc_execute(-1, &command, data, 32), -EPERM); /* wrong length */
	ck_assert_int_eq(ca_mmc_execute(-1, &command, data, sizeof(data)), -EBADF);
}
END_TEST

START_TEST(power_limit)
{
	static const uint32_t expected[16] = {720, 1440, 2160, 2880, 1800};
	uint8_t status[CA_MMC_SWITCH_BYTES] = {0};

	for (unsigned int code = 0; code < 16; code++) {
		ca_bits_set(status, sizeof(status), 391, 388, code); /* group 4 of 399:376 */
		ck_assert_uint_eq(status[15], code << 4);
		ck_assert_uint_eq(ca_mmc_switch_power_mw(status), expected[code]);
	}
}
END_TEST

START_TEST(can_switch)
{
	static const struct {
		uint8_t csd[CA_CSD_BYTES];
		bool can;
	} cases[] = {
		/* SDHC, classes 0 2 4 5 7 8 10 */
		{{0x40, 0x0e, 0x00, 0x32, 0x5b, 0x59, 0x00, 0x00}, true},
		/* SDSC of 2003, classes 0 2 4 5 7 8 */
		{{0x00, 0x26, 0x00, 0x32, 0x1b, 0x59, 0x83, 0xc8}, false},
	};

	for (size_t i = 0; i < CA_ARRAY_LEN(cases); i++)
		ck_assert_int_eq(ca_mmc_can_switch(cases[i].csd), cases[i].can);
}
END_TEST

/* Steps of a recording and the erasing of all; no other argument, and nothing with data. */
START_TEST(write_set)
{
	static const struct {
		uint32_t opcode, argument;
		bool allowed;
	} cases[] = {
		{20, 0x00000000, true},	 {20, 0x10000000, true},  {20, 0x40000000, true},
		{20, 0x20000000, false}, {20, 0x50000000, false}, {20, 0x00000001, false},
		{32, 0, true},		 {32, 1, false},	  {33, 123, true},
		{38, 2, true},		 {38, 0, false},	  {38, 1, false},
		{6, 0x80fffff1, false},	 {25, 0, false},
	};
	struct ca_mmc_command commands[CA_MMC_ERASE_COMMANDS];

	for (size_t i = 0; i < CA_ARRAY_LEN(cases); i++) {
		struct ca_mmc_command command = {.opcode = cases[i].opcode,
						 .argument = cases[i].argument};

		ck_assert_int_eq(ca_mmc_command_is_write_set(&command), cases[i].allowed);
		command.block_bytes = 512;
		ck_assert(!ca_mmc_command_is_write_set(&command));
	}
	ck_assert_uint_eq(ca_mmc_card_command(CA_CARD_ERASE_ALL, 64 * CA_GIB, commands), 3);
	ck_assert_uint_eq(commands[1].argument, 64 * CA_GIB / 512 - 1);
	ck_assert_uint_eq(ca_mmc_card_command(CA_CARD_ERASE_ALL, 2 * CA_GIB, commands), 0);
	ck_assert_uint_eq(ca_mmc_card_command(CA_CARD_UPDATE_CI, 0, commands), 1);
	ck_assert_uint_eq(commands[0].argument, 0x40000000);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("mmc_command");

	tcase_add_test(tests, builders);
	tcase_add_test(tests, general_reads);
	tcase_add_test(tests, all_opcodes);
	tcase_add_loop_test(tests, never, 0, (int)CA_ARRAY_LEN(changing));
	tcase_add_test(tests, executor);
	tcase_add_test(tests, power_limit);
	tcase_add_test(tests, can_switch);
	tcase_add_test(tests, write_set);
	return run_tests(tests);
}
