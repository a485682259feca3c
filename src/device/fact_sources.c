/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/host.h"

#include <assert.h>

const char *ca_host_fact_source(enum ca_host_fact fact)
{
	static const char *const sources[] = {
		[CA_HOST_KERNEL] = "uname",
		[CA_HOST_MACHINE] = "device tree model, or DMI",
		[CA_HOST_ARCH] = "uname",
		[CA_HOST_CLOCK] = "adjtimex",
		[CA_HOST_CLOCK_SOURCE] = "clocksource0/current_clocksource",
		[CA_HOST_CPU_GOVERNOR] = "cpu0/cpufreq/scaling_governor",
		[CA_HOST_CPU_CLOCK_HZ] = "cpufreq/scaling_cur_freq, cpuinfo_max_freq",
		[CA_HOST_CPU_THROTTLED] = "cpu/thermal_throttle (Intel processors)",
		[CA_HOST_THROTTLED] = "get_throttled (Raspberry Pi)",
		[CA_HOST_UNDERVOLTAGE] = "get_throttled, hwmon rpi_volt, kernel log (Raspberry Pi)",
		[CA_HOST_DRIVER] = "driver link of the host controller",
		[CA_HOST_BUS_TIMING] = "debugfs mmcN/ios (root)",
		[CA_HOST_BUS_CLOCK_HZ] = "debugfs mmcN/ios (root)",
		[CA_HOST_BUS_WIDTH] = "debugfs mmcN/ios (root)",
		[CA_HOST_SIGNAL_VOLTAGE] = "debugfs mmcN/ios (root)",
		[CA_HOST_POWER_LIMIT_MW] = "CMD6 mode 0 (root)",
		[CA_HOST_ERR_STATS] = "debugfs mmcN/err_stats (root, Linux 6.0)",
		[CA_HOST_ERR_STATS_AFTER] = "debugfs mmcN/err_stats, after a run",
		[CA_HOST_LOG_CARD] = "kernel log, /dev/kmsg (root)",
		[CA_HOST_LOG_ERRORS] = "kernel log, /dev/kmsg (root)",
		[CA_HOST_CACHE] = "queue/write_cache",
		[CA_HOST_COMMAND_QUEUE] = "cmdq_en, kernel log, number of tags",
		[CA_HOST_QUEUE_TAGS] = "debugfs block/DISK/hctx0/tags (root)",
		[CA_HOST_NR_REQUESTS] = "queue/nr_requests",
		[CA_HOST_SCHEDULER] = "queue/scheduler",
		[CA_HOST_MAX_REQUEST_BYTES] = "queue/max_sectors_kb",
		[CA_HOST_MAX_HW_REQUEST_BYTES] = "queue/max_hw_sectors_kb",
		[CA_HOST_MAX_SEGMENTS] = "queue/max_segments",
		[CA_HOST_MAX_SEGMENT_BYTES] = "queue/max_segment_size",
		[CA_HOST_LOGICAL_BLOCK_BYTES] = "queue/logical_block_size",
		[CA_HOST_OPTIMAL_IO_BYTES] = "queue/optimal_io_size",
		[CA_HOST_DISCARD_GRANULARITY_BYTES] = "queue/discard_granularity",
		[CA_HOST_DISCARD_MAX_BYTES] = "queue/discard_max_bytes",
		[CA_HOST_READ_AHEAD_BYTES] = "queue/read_ahead_kb",
		[CA_HOST_ROTATIONAL] = "queue/rotational",
		[CA_HOST_READ_ONLY] = "ro of the disk",
		[CA_HOST_IO_ENGINE] = "set by a run",
		[CA_HOST_PCIE_SPEED] = "current_link_speed",
		[CA_HOST_PCIE_WIDTH] = "current_link_width",
		[CA_HOST_PCIE_SPEED_MAX] = "max_link_speed",
		[CA_HOST_PCIE_WIDTH_MAX] = "max_link_width",
		[CA_HOST_USB_SPEED] = "speed of the USB device",
		[CA_HOST_USB_ID] = "idVendor, idProduct of the USB device",
		[CA_HOST_USB_BRIDGE] = "manufacturer, product of the USB device",
		[CA_HOST_USB_DRIVER] = "driver link of the USB interface",
	};

	_Static_assert(CA_ARRAY_LEN(sources) == CA_HOST_FACT_COUNT, "one source a fact");
	assert((size_t)fact < CA_ARRAY_LEN(sources));
	return sources[fact];
}
