/* SPDX-License-Identifier: BSD-2-Clause */
/* The request queue of a disk: how requests are cut, ordered, cached and queued. */
#include "host_facts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of sys/block/DISK. `unit` is what one of them is in bytes, 0 = it counts no bytes. */
static const struct {
	const char *file;
	enum ca_host_fact fact;
	uint32_t unit;
} numbers[] = {
	{"queue/nr_requests", CA_HOST_NR_REQUESTS, 0},
	{"queue/max_sectors_kb", CA_HOST_MAX_REQUEST_BYTES, 1024},
	{"queue/max_hw_sectors_kb", CA_HOST_MAX_HW_REQUEST_BYTES, 1024},
	{"queue/max_segments", CA_HOST_MAX_SEGMENTS, 0},
	{"queue/max_segment_size", CA_HOST_MAX_SEGMENT_BYTES, 1},
	{"queue/logical_block_size", CA_HOST_LOGICAL_BLOCK_BYTES, 1},
	{"queue/optimal_io_size", CA_HOST_OPTIMAL_IO_BYTES, 1},
	{"queue/discard_granularity", CA_HOST_DISCARD_GRANULARITY_BYTES, 1},
	{"queue/discard_max_bytes", CA_HOST_DISCARD_MAX_BYTES, 1},
	{"queue/read_ahead_kb", CA_HOST_READ_AHEAD_BYTES, 1024},
	{"queue/rotational", CA_HOST_ROTATIONAL, 0},
	{"ro", CA_HOST_READ_ONLY, 0},
};

static void read_numbers(const char *root, const char *name,
			 struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	for (size_t i = 0; i < CA_ARRAY_LEN(numbers); i++) {
		uint32_t unit = numbers[i].unit ? numbers[i].unit : 1;
		uint64_t number;

		if (ca_sysfs_u64(root, &number, "sys/block/%s/%s", name, numbers[i].file) < 0 ||
		    number > INT64_MAX / unit)
			continue;
		ca_host_fact_set(&facts[numbers[i].fact], (int64_t)(number * unit), "%" PRIu64 "%s",
				 number,
				 numbers[i].unit == 1024 ? " KiB"
				 : numbers[i].unit	 ? " bytes"
							 : "");
	}
}

static void read_scheduler(const char *root, const char *name, struct ca_fact *fact)
{
	char text[120];
	char *open, *close;

	if (ca_sysfs_text(root, text, sizeof(text), "sys/block/%s/queue/scheduler", name) < 0)
		return;
	open = strchr(text, '[');
	close = open ? strchr(open, ']') : NULL;
	if (close)
		*close = '\0';
	ca_host_fact_set(fact, 0, "%s", close ? open + 1 : text);
}

static void read_cache(const char *root, const char *name, struct ca_fact *fact)
{
	char text[40];

	if (ca_sysfs_text(root, text, sizeof(text), "sys/block/%s/queue/write_cache", name) == 0)
		ca_host_fact_set(fact, strcmp(text, "write back") == 0, "%s (queue/write_cache)",
				 text);
}

/* The first line of debugfs block/DISK/hctx0/tags: "nr_tags=31". */
static void read_tags(const char *root, const char *name, struct ca_fact *fact)
{
	static const char key[] = "nr_tags=";
	char text[64];
	unsigned long tags;

	if (ca_sysfs_text(root, text, sizeof(text), "sys/kernel/debug/block/%s/hctx0/tags", name) <
		    0 ||
	    strncmp(text, key, sizeof(key) - 1) != 0)
		return;
	tags = strtoul(text + sizeof(key) - 1, NULL, 10);
	if (tags && tags <= INT32_MAX)
		ca_host_fact_set(fact, (int64_t)tags, "%lu", tags);
}

/* ---- command queueing ----------------------------------------------------------------------- */

/*
 * Nothing says directly whether SD command queueing runs. Without it the driver has 64 tags, with
 * it 31; the queue shows the tags (no scheduler) or twice as many.
 */
static void guess_from_tags(const struct ca_fact facts[CA_HOST_FACT_COUNT], struct ca_fact *fact)
{
	const struct ca_fact *tags = &facts[CA_HOST_QUEUE_TAGS];
	const struct ca_fact *requests = &facts[CA_HOST_NR_REQUESTS];
	int64_t number = requests->number;

	if (tags->present && tags->number == 31)
		ca_host_fact_set(fact, 1, "runs: the driver has 31 tags (debugfs)");
	else if (tags->present && tags->number == 64)
		ca_host_fact_set(fact, 0, "none: the driver has 64 tags (debugfs)");
	else if (!tags->present && requests->present && (number == 31 || number == 62))
		ca_host_fact_set(fact, 1, "nr_requests %" PRId64 ": 31 tags, the queue runs",
				 number);
	else if (!tags->present && requests->present && (number == 64 || number == 128))
		ca_host_fact_set(fact, 0, "nr_requests %" PRId64 ": 64 tags, no queue", number);
}

static void read_command_queue(const char *root, const struct ca_disk *disk,
			       const struct ca_kernel_log *log,
			       struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	struct ca_fact *fact = &facts[CA_HOST_COMMAND_QUEUE];
	uint64_t enabled;

	if (strcmp(disk->bus, "nvme") == 0) {
		ca_host_fact_set(fact, 1, "NVMe always queues");
	} else if (strcmp(disk->bus, "mmc") != 0) {
		return; /* what a reader does with its card is not seen */
	} else if (ca_sysfs_u64(root, &enabled, "sys/block/%s/device/cmdq_en", disk->name) == 0) {
		ca_host_fact_set(fact, enabled != 0, "cmdq_en %" PRIu64, enabled);
	} else if (log->queue == CA_KERNEL_LOG_QUEUE_CARD) {
		ca_host_fact_set(fact, 1, "%s (kernel log)", log->queue_text);
	} else if (log->queue == CA_KERNEL_LOG_QUEUE_HOST) {
		ca_host_fact_set(fact, 0, "only the host's own: %s (kernel log)", log->queue_text);
	} else if (strcmp(disk->kind, "sd") == 0) {
		guess_from_tags(facts, fact);
	}
}

void ca_host_queue_read(const char *root, const struct ca_disk *disk,
			const struct ca_kernel_log *log, struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	read_numbers(root, disk->name, facts);
	read_scheduler(root, disk->name, &facts[CA_HOST_SCHEDULER]);
	read_cache(root, disk->name, &facts[CA_HOST_CACHE]);
	read_tags(root, disk->name, &facts[CA_HOST_QUEUE_TAGS]);
	read_command_queue(root, disk, log, facts);
}
