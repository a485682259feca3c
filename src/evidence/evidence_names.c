/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/evidence.h"

#include <assert.h>
#include <string.h>

static const char *name_at(const char *const *names, size_t count, size_t index)
{
	assert(index < count);
	return names[index];
}

const char *ca_origin_name(enum ca_origin origin)
{
	static const char *const names[] = {
		[CA_ORIGIN_LIVE] = "live",	   [CA_ORIGIN_VIRTUAL] = "virtual",
		[CA_ORIGIN_IMAGE] = "image",	   [CA_ORIGIN_SIMULATED] = "simulated",
		[CA_ORIGIN_RECORDED] = "recorded",
	};

	return name_at(names, CA_ARRAY_LEN(names), origin);
}

const char *ca_media_name(enum ca_media media)
{
	static const char *const names[] = {
		[CA_MEDIA_UNKNOWN] = "unknown",
		[CA_MEDIA_SD] = "sd",
		[CA_MEDIA_MMC] = "mmc",
		[CA_MEDIA_NVME] = "nvme",
	};

	return name_at(names, CA_ARRAY_LEN(names), media);
}

const char *ca_host_fact_name(enum ca_host_fact fact)
{
	static const char *const names[] = {
		[CA_HOST_KERNEL] = "kernel",
		[CA_HOST_MACHINE] = "machine",
		[CA_HOST_ARCH] = "arch",
		[CA_HOST_CLOCK] = "clock",
		[CA_HOST_CLOCK_SOURCE] = "clock_source",
		[CA_HOST_CPU_GOVERNOR] = "cpu_governor",
		[CA_HOST_CPU_CLOCK_HZ] = "cpu_clock_hz",
		[CA_HOST_CPU_THROTTLED] = "cpu_throttled",
		[CA_HOST_THROTTLED] = "throttled",
		[CA_HOST_UNDERVOLTAGE] = "undervoltage",
		[CA_HOST_DRIVER] = "driver",
		[CA_HOST_BUS_TIMING] = "bus_timing",
		[CA_HOST_BUS_CLOCK_HZ] = "bus_clock_hz",
		[CA_HOST_BUS_WIDTH] = "bus_width",
		[CA_HOST_SIGNAL_VOLTAGE] = "signal_voltage",
		[CA_HOST_POWER_LIMIT_MW] = "power_limit_mw",
		[CA_HOST_ERR_STATS] = "err_stats",
		[CA_HOST_ERR_STATS_AFTER] = "err_stats_after",
		[CA_HOST_LOG_CARD] = "log_card",
		[CA_HOST_LOG_ERRORS] = "log_errors",
		[CA_HOST_CACHE] = "cache",
		[CA_HOST_COMMAND_QUEUE] = "command_queue",
		[CA_HOST_QUEUE_TAGS] = "queue_tags",
		[CA_HOST_NR_REQUESTS] = "nr_requests",
		[CA_HOST_SCHEDULER] = "scheduler",
		[CA_HOST_MAX_REQUEST_BYTES] = "max_request_bytes",
		[CA_HOST_MAX_HW_REQUEST_BYTES] = "max_hw_request_bytes",
		[CA_HOST_MAX_SEGMENTS] = "max_segments",
		[CA_HOST_MAX_SEGMENT_BYTES] = "max_segment_bytes",
		[CA_HOST_LOGICAL_BLOCK_BYTES] = "logical_block_bytes",
		[CA_HOST_OPTIMAL_IO_BYTES] = "optimal_io_bytes",
		[CA_HOST_DISCARD_GRANULARITY_BYTES] = "discard_granularity_bytes",
		[CA_HOST_DISCARD_MAX_BYTES] = "discard_max_bytes",
		[CA_HOST_READ_AHEAD_BYTES] = "read_ahead_bytes",
		[CA_HOST_ROTATIONAL] = "rotational",
		[CA_HOST_READ_ONLY] = "read_only",
		[CA_HOST_IO_ENGINE] = "io_engine",
		[CA_HOST_PCIE_SPEED] = "pcie_speed",
		[CA_HOST_PCIE_WIDTH] = "pcie_width",
		[CA_HOST_PCIE_SPEED_MAX] = "pcie_speed_max",
		[CA_HOST_PCIE_WIDTH_MAX] = "pcie_width_max",
		[CA_HOST_USB_SPEED] = "usb_speed",
		[CA_HOST_USB_ID] = "usb_id",
		[CA_HOST_USB_BRIDGE] = "usb_bridge",
		[CA_HOST_USB_DRIVER] = "usb_driver",
	};

	_Static_assert(CA_ARRAY_LEN(names) == CA_HOST_FACT_COUNT, "one name a fact");
	return name_at(names, CA_ARRAY_LEN(names), fact);
}

bool ca_host_fact_is_of_bus(enum ca_host_fact fact, const char *bus)
{
	/* no host stands before a simulated card, and no slot before an image file */
	if (strcmp(bus, "sim") == 0 || (strcmp(bus, "image") == 0 && fact >= CA_HOST_DRIVER))
		return fact == CA_HOST_IO_ENGINE;
	if (fact >= CA_HOST_USB_SPEED)
		return strcmp(bus, "usb") == 0;
	if (fact >= CA_HOST_PCIE_SPEED)
		return strcmp(bus, "nvme") == 0;
	if (fact >= CA_HOST_BUS_TIMING && fact <= CA_HOST_ERR_STATS_AFTER)
		return strcmp(bus, "mmc") == 0;
	if (fact == CA_HOST_LOG_CARD)
		return strcmp(bus, "mmc") == 0;
	return true;
}

const char *ca_erase_name(enum ca_erase_kind kind)
{
	switch (kind) {
	case CA_ERASE_NONE:
		return "none";
	case CA_ERASE_DISCARD:
		return "discard";
	case CA_ERASE_FULL:
		return "full-erase";
	}
	return "none";
}

const char *ca_reinit_name(enum ca_reinit_kind kind)
{
	static const char *const names[] = {
		[CA_REINIT_NONE] = "none",
		[CA_REINIT_HOST] = "reinit",
		[CA_REINIT_POWER] = "power",
		[CA_REINIT_REPLUG] = "replug",
	};

	return name_at(names, CA_ARRAY_LEN(names), kind);
}

const char *ca_run_reads_name(enum ca_run_reads reads)
{
	static const char *const names[] = {
		[CA_RUN_READS_ALIKE] = "stable",
		[CA_RUN_READS_DIFFER] = "unstable",
		[CA_RUN_READS_MIXED] = "transport",
	};

	return name_at(names, CA_ARRAY_LEN(names), reads);
}

const char *ca_sector_class_name(enum ca_sector_class class_of)
{
	static const char *const names[] = {
		[CA_SECTOR_GOOD] = "good",
		[CA_SECTOR_ZEROS] = "zeros",
		[CA_SECTOR_ONES] = "ones",
		[CA_SECTOR_ALIAS] = "alias",
		[CA_SECTOR_STALE] = "stale",
		[CA_SECTOR_BITFLIP] = "bitflip",
		[CA_SECTOR_FOREIGN] = "foreign",
		[CA_SECTOR_NOISE] = "noise",
		[CA_SECTOR_UNREADABLE] = "unreadable",
		[CA_SECTOR_UNWRITABLE] = "unwritable",
	};

	_Static_assert(CA_ARRAY_LEN(names) == CA_SECTOR_CLASS_COUNT, "one name a class");
	return name_at(names, CA_ARRAY_LEN(names), class_of);
}

const char *ca_fill_end_name(enum ca_fill_end end)
{
	static const char *const names[] = {
		[CA_FILL_NOT_RUN] = "not-run",
		[CA_FILL_COMPLETE] = "complete",
		[CA_FILL_PROOF] = "proof",
		[CA_FILL_INTERRUPTED] = "interrupted",
		[CA_FILL_LOST] = "lost",
		[CA_FILL_CHANGED] = "changed",
		[CA_FILL_HOST_ERROR] = "host-error",
	};

	return name_at(names, CA_ARRAY_LEN(names), end);
}

const char *ca_capacity_kind_name(enum ca_capacity_kind kind)
{
	static const char *const names[] = {
		[CA_CAPACITY_KIND_NONE] = "none",
		[CA_CAPACITY_KIND_SOUND] = "sound",
		[CA_CAPACITY_KIND_LIMBO] = "limbo",
		[CA_CAPACITY_KIND_WRAP] = "wrap",
		[CA_CAPACITY_KIND_CHAIN] = "chain",
		[CA_CAPACITY_KIND_ERRORS] = "errors",
		[CA_CAPACITY_KIND_DAMAGED] = "damaged",
		[CA_CAPACITY_KIND_REGIONS] = "regions",
		[CA_CAPACITY_KIND_ISLANDS] = "islands",
		[CA_CAPACITY_KIND_RING] = "ring",
		[CA_CAPACITY_KIND_THIN] = "thin",
		[CA_CAPACITY_KIND_WRITE_PROTECTED] = "write-protected",
		[CA_CAPACITY_KIND_REPLAY] = "replay",
		[CA_CAPACITY_KIND_TRANSPORT] = "transport",
		[CA_CAPACITY_KIND_HOST_LIMIT] = "host-limit",
	};

	return name_at(names, CA_ARRAY_LEN(names), kind);
}

bool ca_reinit_is_power_loss(enum ca_reinit_kind kind)
{
	return kind == CA_REINIT_POWER || kind == CA_REINIT_REPLUG;
}
