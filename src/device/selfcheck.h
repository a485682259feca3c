/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * selfcheck: what the parts of ca_host_selfcheck share. selfcheck_card.c asks for registers and
 * identify data, selfcheck_io.c for the ways to reach the data, selfcheck.c for the rest.
 */
#ifndef CA_DEVICE_SELFCHECK_H
#define CA_DEVICE_SELFCHECK_H

#include "disk.h"
#include "cardassay/host.h"

struct ca_selfcheck {
	const char *root;
	const char *node; /* what is asked: the disk's node, or that of an NVMe controller */
	struct ca_disk disk;
	struct ca_check *checks; /* CA_CHECK_MAX of them */
	size_t count;
};

void ca_selfcheck_add(struct ca_selfcheck *selfcheck, const char *name, enum ca_check_state state,
		      const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Adds it as absent for a negative errno, with what would give it. */
void ca_selfcheck_add_failure(struct ca_selfcheck *selfcheck, const char *name, int rc);

/* Of a recorded tree only files can be read: adds it as not applicable and returns true. */
bool ca_selfcheck_is_recorded(struct ca_selfcheck *selfcheck, const char *name);

void ca_selfcheck_registers(struct ca_selfcheck *selfcheck);
void ca_selfcheck_card_commands(struct ca_selfcheck *selfcheck);
void ca_selfcheck_nvme(struct ca_selfcheck *selfcheck);
void ca_selfcheck_io(struct ca_selfcheck *selfcheck);

#endif
