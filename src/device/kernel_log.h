/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernel_log: what the kernel logged about one device. Records have the form of /dev/kmsg
 * ("6,339,5140900,-;mmc0: new SDHC card at address aaaa"); those of programs are left out, since
 * anyone may write them. Texts come from hardware too: hostile, kept as they are.
 */
#ifndef CA_DEVICE_KERNEL_LOG_H
#define CA_DEVICE_KERNEL_LOG_H

#include "sysfs.h"

#define CA_KERNEL_LOG_TEXT_BYTES 120U

enum ca_kernel_log_queue {
	CA_KERNEL_LOG_QUEUE_UNKNOWN,
	CA_KERNEL_LOG_QUEUE_CARD, /* "Command Queue Engine enabled": the card queues */
	CA_KERNEL_LOG_QUEUE_HOST, /* "Host Software Queue enabled": only the host does */
};

struct ca_kernel_log {
	/* whose records count; "" = none of the kind */
	char host[CA_NAME_BYTES];	/* "mmc0" */
	char disk[CA_NAME_BYTES];	/* "mmcblk0", "sdb", "nvme0n1" */
	char controller[CA_NAME_BYTES]; /* "nvme0" */
	/*
	 * Where another device takes the same name, all that was logged before belongs to the old
	 * one and is forgotten. Not so behind this record: the run itself may have made the host
	 * take the card anew. UINT64_MAX: everywhere.
	 */
	uint64_t forget_until;
	/* what was found: */
	bool has_card;
	uint64_t card_sequence;			   /* the record's number in the log */
	char card[CA_KERNEL_LOG_TEXT_BYTES];	   /* "new ... card at address aaaa", the last */
	enum ca_kernel_log_queue queue;		   /* the last that was said of it */
	char queue_text[CA_KERNEL_LOG_TEXT_BYTES]; /* "Command Queue Engine enabled, 31 tags" */
	uint64_t errors;			   /* records about errors */
	char error[CA_KERNEL_LOG_TEXT_BYTES];	   /* the last of them */
	bool undervoltage;			   /* of the whole machine */
};

/* Takes one record: its first line, without the newline. Pure. */
void ca_kernel_log_line(struct ca_kernel_log *log, const char *line, size_t len);

/* All records there are now, without waiting. -EPERM or -EACCES without privilege, -ENOENT in a
 * recorded tree without dev/kmsg. */
int ca_kernel_log_read(const char *root, struct ca_kernel_log *log);

#endif
