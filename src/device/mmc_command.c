/* SPDX-License-Identifier: BSD-2-Clause */
#include "mmc_command.h"

#include <assert.h>

#define SD_STATUS      13U
#define SWITCH_FUNC    6U
#define READ_EXTENSION 48U
#define GENERAL	       56U

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
