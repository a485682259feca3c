/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * host_facts: what of the host shapes a measurement. What is not there is absent, never guessed.
 * host_machine.c reads the machine, host_slot.c the slot and its bus, host_queue.c the request
 * queue; host_facts.c puts them together.
 */
#ifndef CA_DEVICE_HOST_FACTS_H
#define CA_DEVICE_HOST_FACTS_H

#include "disk.h"
#include "kernel_log.h"

/* `disk` NULL: facts of the machine alone. */
void ca_host_facts_read(const char *root, const struct ca_disk *disk,
			struct ca_fact facts[CA_HOST_FACT_COUNT]);

/*
 * Those that a run itself changes: CA_HOST_ERR_STATS_AFTER, and CA_HOST_LOG_ERRORS once more. Of
 * the disk only name and bus count: it may have left meanwhile. `host` is its mmc host, "" = none
 * or not known. What cannot be read any more stays as it is.
 */
void ca_host_facts_read_after(const char *root, const struct ca_disk *disk, const char *host,
			      struct ca_fact facts[CA_HOST_FACT_COUNT]);

/* The mmc host ("mmc0") of a disk, the name of its debugfs directory. */
int ca_host_facts_mmc_host(const char *root, const char *name, char ret_host[CA_NAME_BYTES]);

/* The mmc host in a slot without a card; -ENOENT where the slot does not name one host. */
int ca_host_facts_slot_host(const char *root, const char *host_path, char ret_host[CA_NAME_BYTES]);

/* The PCI device of an NVMe drive (block or controller name), below root. -ENOENT: not PCI. */
int ca_host_facts_pci_dir(const char *root, const char *name, char ret_dir[CA_PATH_BYTES]);

/* Does the kernel say that its clock follows another one? */
bool ca_host_facts_is_clock_synchronised(void);

/* Makes a fact present. A text that does not fit is cut. */
void ca_host_fact_set(struct ca_fact *fact, int64_t number, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* ---- parts of ca_host_facts_read ----------------------------------------------------------- */

void ca_host_machine_read(const char *root, const struct ca_kernel_log *log,
			  struct ca_fact facts[CA_HOST_FACT_COUNT]);
void ca_host_queue_read(const char *root, const struct ca_disk *disk,
			const struct ca_kernel_log *log, struct ca_fact facts[CA_HOST_FACT_COUNT]);
void ca_host_slot_read(const char *root, const struct ca_disk *disk,
		       struct ca_fact facts[CA_HOST_FACT_COUNT]);
struct ca_mmc_ios;
/* What debugfs ios shows, into the facts of the bus. */
void ca_host_slot_set_ios(const struct ca_mmc_ios *ios, struct ca_fact facts[CA_HOST_FACT_COUNT]);
/* debugfs err_stats of an mmc host into `fact`. */
void ca_host_slot_err_stats(const char *root, const char *host, struct ca_fact *fact);

#endif
