/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mmc_command: the card commands that reading a card may use, built purely; mmc_ioctl.c carries
 * them out. Clauses: SD Physical Layer Simplified Specification 9.10.
 */
#ifndef CA_DEVICE_MMC_COMMAND_H
#define CA_DEVICE_MMC_COMMAND_H

#include "cardassay/base.h"
#include "cardassay/device.h"
#include "cardassay/registers.h"

struct ca_mmc_command {
	uint32_t opcode;
	uint32_t argument;
	bool application; /* sent behind CMD55 */
	bool write;	  /* data goes to the card */
	uint32_t block_bytes;
};

/* ACMD13: SD Status, 64 bytes (4.10.2). */
struct ca_mmc_command ca_mmc_sd_status(void);

/* CMD6 mode 0: which functions there are and which are selected, 64 bytes; changes nothing
 * (4.3.10). */
struct ca_mmc_command ca_mmc_check_function(void);
#define CA_MMC_SWITCH_BYTES 64U

/* Does the card know CMD6? Class 10 of the CSD says so (4.3.10). */
bool ca_mmc_can_switch(const uint8_t csd[CA_CSD_BYTES]);

/* CMD48: `len` (1..512) bytes of the memory space of one function, 512 come back (5.7). `address`
 * is page << 9 | offset. */
struct ca_mmc_command ca_mmc_read_extension(uint8_t function, uint32_t address, uint16_t len);

/* CMD56 reading 512 bytes of the maker's own (4.3.14). Only the arguments of ca_vendor_queries are
 * in the inspect set; in all of them bit 0 is 1. */
struct ca_mmc_command ca_mmc_general_read(uint32_t argument);

/* The inspect set: true only for the four above, by opcode, argument and direction. */
bool ca_mmc_command_is_inspect(const struct ca_mmc_command *command);

/*
 * The write set, of a card that writing to is confirmed for: CMD20 with the steps of a recording
 * (4.13.2), and CMD32, CMD33, CMD38 with argument 2, which erase all of the user area (4.3.5).
 * How many commands it takes, in their order; 0: not of a card with so few (or so many) bytes, for
 * one of at most 2 GiB counts in bytes.
 */
#define CA_MMC_RECORD	      20U
#define CA_MMC_ERASE	      38U
#define CA_MMC_ERASE_COMMANDS 3U
size_t ca_mmc_card_command(enum ca_card_command command, uint64_t card_bytes,
			   struct ca_mmc_command ret_commands[CA_MMC_ERASE_COMMANDS]);
bool ca_mmc_command_is_write_set(const struct ca_mmc_command *command);

/* Power limit of function group 4 that a CMD6 status shows as selected, 0 = none. */
uint32_t ca_mmc_switch_power_mw(const uint8_t status[CA_MMC_SWITCH_BYTES]);

/*
 * Carries out one command of the inspect set on an open whole-disk node. -EPERM for any other, or
 * without privilege; -ETIMEDOUT and -EIO are the card's answer.
 */
int ca_mmc_execute(int fd, const struct ca_mmc_command *command, uint8_t *ret_data,
		   size_t data_bytes);

#endif
