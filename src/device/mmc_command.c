/* SPDX-License-Identifier: BSD-2-Clause */
#include "mmc_command.h"

#include <assert.h>

#define SD_STATUS      13U
#define SWITCH_FUNC    6U
#define READ_EXTENSION 48U
#define GENERAL	       56U
#define ERASE_START    32U
#define ERASE_END      33U
#define FULL_ERASE     2U /* argument of CMD38 */

/* Argument bits that must have one value; the others are free. */
struct allowed {
	uint32_t opcode;
	bool application;
	uint32_t mask, value;
	uint32_t block_bytes;
};

static const struct allowed inspect_set[] = {
	{SD_STATUS, true, 0xffffffff, 0, 64},
	/* bit 31 is the mode: 0 checks, 1 switches; bits 30:24 are reserved */
	{SWITCH_FUNC, false, 0xff000000, 0, 64},
	/* bit 31: 0 memory, 1 I/O; bit 26 reserved */
	{READ_EXTENSION, false, 0x84000000, 0, 512},
	/* bit 0: 1 reads, 0 writes; and only the queries of specs/vendor_health.tsv, see below */
	{GENERAL, false, 0x00000001, 1, 512},
};

struct ca_mmc_command ca_mmc_sd_status(void)
{
	return (struct ca_mmc_command){.opcode = SD_STATUS, .application = true, .block_bytes = 64};
}

struct ca_mmc_command ca_mmc_check_function(void)
{
	/* Fh in all six groups: leave it, and show what is selected */
	return (struct ca_mmc_command){
		.opcode = SWITCH_FUNC, .argument = 0x00ffffff, .block_bytes = CA_MMC_SWITCH_BYTES};
}

struct ca_mmc_command ca_mmc_read_extension(uint8_t function, uint32_t address, uint16_t len)
{
	assert(function < 16 && address < 1U << 17 && len >= 1 && len <= 512);
	return (struct ca_mmc_command){
		.opcode = READ_EXTENSION,
		.argument = (uint32_t)function << 27 | address << 9 | (len - 1U),
		.block_bytes = 512,
	};
}

struct ca_mmc_command ca_mmc_general_read(uint32_t argument)
{
	return (struct ca_mmc_command){
		.opcode = GENERAL, .argument = argument, .block_bytes = CA_VENDOR_BYTES};
}

/* What other arguments do is known to their makers alone. */
static bool is_known(const struct ca_mmc_command *command)
{
	return command->opcode != GENERAL || ca_vendor_is_query(command->argument);
}

bool ca_mmc_command_is_inspect(const struct ca_mmc_command *command)
{
	if (command->write)
		return false;
	for (size_t i = 0; i < CA_ARRAY_LEN(inspect_set); i++) {
		const struct allowed *row = &inspect_set[i];

		if (row->opcode == command->opcode && row->application == command->application)
			return (command->argument & row->mask) == row->value &&
			       command->block_bytes == row->block_bytes && is_known(command);
	}
	return false;
}

static struct ca_mmc_command record_step(uint32_t step)
{
	return (struct ca_mmc_command){.opcode = CA_MMC_RECORD, .argument = step << 28};
}

size_t ca_mmc_card_command(enum ca_card_command command, uint64_t card_bytes,
			   struct ca_mmc_command ret_commands[CA_MMC_ERASE_COMMANDS])
{
	uint64_t sectors = card_bytes / CA_SECTOR_BYTES;

	switch (command) {
	case CA_CARD_START_RECORDING:
		ret_commands[0] = record_step(0);
		return 1;
	case CA_CARD_UPDATE_DIRECTORY:
		ret_commands[0] = record_step(1);
		return 1;
	case CA_CARD_UPDATE_CI:
		ret_commands[0] = record_step(4);
		return 1;
	case CA_CARD_ERASE_ALL:
		break;
	}
	if (card_bytes <= 2 * CA_GIB || sectors > UINT32_MAX)
		return 0;
	ret_commands[0] = (struct ca_mmc_command){.opcode = ERASE_START};
	ret_commands[1] =
		(struct ca_mmc_command){.opcode = ERASE_END, .argument = (uint32_t)(sectors - 1)};
	ret_commands[2] = (struct ca_mmc_command){.opcode = CA_MMC_ERASE, .argument = FULL_ERASE};
	return CA_MMC_ERASE_COMMANDS;
}

bool ca_mmc_command_is_write_set(const struct ca_mmc_command *command)
{
	uint32_t step = command->argument >> 28;

	if (command->application || command->block_bytes || command->write)
		return false;
	switch (command->opcode) {
	case CA_MMC_RECORD:
		return !(command->argument & 0x0fffffff) && (step <= 1 || step == 4);
	case ERASE_START:
		return command->argument == 0;
	case ERASE_END:
		return true;
	case CA_MMC_ERASE:
		return command->argument == FULL_ERASE;
	default:
		return false;
	}
}

bool ca_mmc_can_switch(const uint8_t csd[CA_CSD_BYTES])
{
	return ca_bits_get(csd, CA_CSD_BYTES, 94, 94); /* CCC is 95:84 */
}

uint32_t ca_mmc_switch_power_mw(const uint8_t status[CA_MMC_SWITCH_BYTES])
{
	static const uint32_t milliwatts[] = {720, 1440, 2160, 2880, 1800};
	uint64_t function = ca_bits_get(status, CA_MMC_SWITCH_BYTES, 391, 388);

	return function < CA_ARRAY_LEN(milliwatts) ? milliwatts[function] : 0;
}
