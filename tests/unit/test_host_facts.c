/* SPDX-License-Identifier: BSD-2-Clause */
#include "host_facts.h"

#include "device_test.h"
#include "cardassay/host.h"

#include <string.h>

static const struct {
	const char *root, *target;
	enum ca_host_fact fact;
	bool present;
	int64_t number;
	const char *text;
} cases[] = {
	{PI4, "/dev/mmcblk0", CA_HOST_KERNEL, true, 0, "6.12.25+rpt-rpi-v8"},
	{PI4, "/dev/mmcblk0", CA_HOST_ARCH, true, 0, "aarch64"},
	{PI4, "/dev/mmcblk0", CA_HOST_MACHINE, true, 0, "Raspberry Pi 4 Model B Rev 1.5"},
	{PI4, "/dev/mmcblk0", CA_HOST_BUS_TIMING, true, 0, "sd uhs DDR50"},
	{PI4, "/dev/mmcblk0", CA_HOST_BUS_CLOCK_HZ, true, 49500000, "49500000 Hz"},
	{PI4, "/dev/mmcblk0", CA_HOST_BUS_WIDTH, true, 4, "4 bits"},
	{PI4, "/dev/mmcblk0", CA_HOST_SIGNAL_VOLTAGE, true, 1800, "1.80 V"},
	{PI4, "/dev/mmcblk0", CA_HOST_POWER_LIMIT_MW, false, 0, ""}, /* only a card knows */
	{PI4, "/dev/mmcblk0", CA_HOST_CACHE, true, 1, "write back (queue/write_cache)"},
	{PI4, "/dev/mmcblk0", CA_HOST_COMMAND_QUEUE, true, 1,
	 "Command Queue Engine enabled, 31 tags (kernel log)"},
	{PI4, "/dev/mmcblk0", CA_HOST_QUEUE_TAGS, true, 31, "31"},
	{PI4, "/dev/mmcblk0", CA_HOST_DRIVER, true, 0, "sdhci-iproc"},
	{PI4, "/dev/mmcblk0", CA_HOST_ERR_STATS, true, 3,
	 "Data CRC Errors Occurred 2, Tuning Error Occurred 1"},
	{PI4, "/dev/mmcblk0", CA_HOST_ERR_STATS_AFTER, false, 0, ""},
	{PI4, "/dev/mmcblk0", CA_HOST_LOG_CARD, true, 313,
	 "new ultra high speed DDR50 SDXC card at address aaaa"},
	{PI4, "/dev/mmcblk0", CA_HOST_LOG_ERRORS, true, 2,
	 "I/O error, dev mmcblk0, sector 2048 op 0x0:(READ) flags 0x80700 phys_seg 1 prio class 2"},
	{PI4, "/dev/mmcblk0", CA_HOST_CLOCK, false, 0, ""}, /* only a running kernel knows */
	{PI4, "/dev/mmcblk0", CA_HOST_CLOCK_SOURCE, true, 0, "arch_sys_counter"},
	{PI4, "/dev/mmcblk0", CA_HOST_CPU_CLOCK_HZ, true, 1500000000, "1500 MHz of 1800"},
	{PI4, "/dev/mmcblk0", CA_HOST_CPU_THROTTLED, false, 0, ""},
	{PI4, "/dev/mmcblk0", CA_HOST_UNDERVOLTAGE, true, 1,
	 "happened since boot (get_throttled 0x50005)"},
	{PI4, "/dev/mmcblk0", CA_HOST_MAX_HW_REQUEST_BYTES, true, 1048576, "1024 KiB"},
	{PI4, "/dev/mmcblk0", CA_HOST_MAX_SEGMENTS, true, 64, "64"},
	{PI4, "/dev/mmcblk0", CA_HOST_MAX_SEGMENT_BYTES, true, 524288, "524288 bytes"},
	{PI4, "/dev/mmcblk0", CA_HOST_LOGICAL_BLOCK_BYTES, true, 512, "512 bytes"},
	{PI4, "/dev/mmcblk0", CA_HOST_OPTIMAL_IO_BYTES, true, 0, "0 bytes"},
	{PI4, "/dev/mmcblk0", CA_HOST_DISCARD_GRANULARITY_BYTES, true, 4194304, "4194304 bytes"},
	{PI4, "/dev/mmcblk0", CA_HOST_DISCARD_MAX_BYTES, true, 2199023255040,
	 "2199023255040 bytes"},
	{PI4, "/dev/mmcblk0", CA_HOST_READ_AHEAD_BYTES, true, 131072, "128 KiB"},
	{PI4, "/dev/mmcblk0", CA_HOST_ROTATIONAL, true, 0, "0"},
	{PI4, "/dev/mmcblk0", CA_HOST_READ_ONLY, true, 0, "0"},
	/* the machine alone knows of its power, not of any card */
	{PI4, "image:none", CA_HOST_UNDERVOLTAGE, true, 1,
	 "happened since boot (get_throttled 0x50005)"},
	{PI4, "image:none", CA_HOST_LOG_ERRORS, false, 0, ""},
	{PI4, "/dev/loop0", CA_HOST_LOG_ERRORS, true, 0, "none"},
	{PI4, "/dev/loop0", CA_HOST_DRIVER, false, 0, ""},
	{PI4, "/dev/mmcblk0", CA_HOST_MAX_REQUEST_BYTES, true, 524288, "512 KiB"},
	{PI4, "/dev/mmcblk0", CA_HOST_NR_REQUESTS, true, 62, "62"},
	{PI4, "/dev/mmcblk0", CA_HOST_SCHEDULER, true, 0, "mq-deadline"},
	{PI4, "/dev/mmcblk0", CA_HOST_CPU_GOVERNOR, true, 0, "ondemand"},
	{PI4, "/dev/mmcblk0", CA_HOST_THROTTLED, true, 0x50005, "0x50005"},
	{PI4, "/dev/mmcblk0", CA_HOST_PCIE_SPEED, false, 0, ""},
	{PI4, "/dev/mmcblk0", CA_HOST_USB_SPEED, false, 0, ""},
	{PI4, "/dev/mmcblk0", CA_HOST_IO_ENGINE, false, 0, ""},
	{PC, "/dev/mmcblk0", CA_HOST_COMMAND_QUEUE, true, 0, "nr_requests 128: 64 tags, no queue"},
	{PC, "/dev/mmcblk0", CA_HOST_CACHE, true, 0, "write through (queue/write_cache)"},
	{PC, "/dev/mmcblk0", CA_HOST_DRIVER, true, 0, "rtsx_pci_sdmmc"},
	{PC, "/dev/mmcblk0", CA_HOST_ERR_STATS, false, 0, ""},
	{PC, "/dev/mmcblk0", CA_HOST_LOG_CARD, false, 0, ""}, /* no log recorded */
	{PC, "/dev/mmcblk0", CA_HOST_LOG_ERRORS, false, 0, ""},
	{PC, "/dev/mmcblk0", CA_HOST_READ_ONLY, true, 1, "1"},
	{PC, "/dev/mmcblk0", CA_HOST_UNDERVOLTAGE, false, 0, ""}, /* no sensor */
	{PC, "/dev/mmcblk0", CA_HOST_CPU_THROTTLED, true, 16,
	 "cores 7 times, packages 9 times since boot"},
	{PC, "/dev/mmcblk0", CA_HOST_CPU_CLOCK_HZ, false, 0, ""},
	{PC, "/dev/mmcblk1", CA_HOST_DRIVER, true, 0, "sdhci-pci"},
	{PC, "/dev/nvme0n1", CA_HOST_DRIVER, true, 0, "nvme"},
	{PC, "/dev/sda", CA_HOST_DRIVER, true, 0, "ahci"},
	{PC, "/dev/sdc", CA_HOST_DRIVER, true, 0, "xhci_hcd"},
	{PC, "/dev/sdc", CA_HOST_USB_ID, true, 0x05e30749, "05e3:0749"},
	{PC, "/dev/sdc", CA_HOST_USB_BRIDGE, true, 0, "Generic MassStorageClass, revision 15.36"},
	{PC, "/dev/sdc", CA_HOST_USB_DRIVER, true, 0, "usb-storage"},
	{PC, "/dev/sda", CA_HOST_USB_DRIVER, false, 0, ""},
	{PC, "/dev/mmcblk0", CA_HOST_BUS_TIMING, false, 0, ""}, /* no debugfs */
	{PC, "/dev/mmcblk1", CA_HOST_COMMAND_QUEUE, true, 1, "cmdq_en 1"},
	{PC, "/dev/nvme0n1", CA_HOST_PCIE_SPEED, true, 8000, "8.0 GT/s PCIe"},
	{PC, "/dev/nvme0n1", CA_HOST_PCIE_WIDTH, true, 2, "2"},
	{PC, "/dev/nvme0n1", CA_HOST_PCIE_SPEED_MAX, true, 16000, "16.0 GT/s PCIe"},
	{PC, "/dev/nvme0n1", CA_HOST_PCIE_WIDTH_MAX, true, 4, "4"},
	{PC, "/dev/nvme0n1", CA_HOST_COMMAND_QUEUE, true, 1, "NVMe always queues"},
	{PC, "/dev/nvme0n1p1", CA_HOST_SCHEDULER, true, 0, "none"}, /* of its whole disk */
	{PC, "/dev/sdc", CA_HOST_USB_SPEED, true, 480, "480 Mbit/s"},
	{PC, "/dev/sdc", CA_HOST_COMMAND_QUEUE, false, 0, ""},
	{PC, "/dev/sdc", CA_HOST_MACHINE, true, 0, "LENOVO 20L5CTO1WW"},
	{PC, "/dev/sdc", CA_HOST_THROTTLED, false, 0, ""},
	{PC, "/dev/sda", CA_HOST_USB_SPEED, false, 0, ""},
	{PC, "sim:genuine-4g", CA_HOST_KERNEL, true, 0, "6.1.0-37-amd64"},
	{PC, "sim:genuine-4g", CA_HOST_SCHEDULER, false, 0, ""},
	{BUSY, "/dev/mmcblk0", CA_HOST_KERNEL, false, 0, ""},
	{BUSY, "/dev/mmcblk0", CA_HOST_COMMAND_QUEUE, false, 0, ""},
};

/* Facts of the machine alone where the target names no disk. */
static void read_facts(const char *root, const char *target,
		       struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	char name[CA_NAME_BYTES], partition[CA_NAME_BYTES];
	struct ca_disk disk;
	bool is_disk = strncmp(target, "/dev/", 5) == 0 &&
		       ca_disk_resolve(root, target, name, partition, NULL) == 0 &&
		       ca_disk_read(root, name, &disk) == 0;

	ca_host_facts_read(root, is_disk ? &disk : NULL, facts);
}

START_TEST(facts)
{
	struct ca_fact all[CA_HOST_FACT_COUNT];
	const struct ca_fact *fact = &all[cases[_i].fact];

	memset(all, 0xff, sizeof(all)); /* whatever was there is forgotten */
	read_facts(cases[_i].root, cases[_i].target, all);
	ck_assert_int_eq(fact->present, cases[_i].present);
	ck_assert_int_eq(fact->number, cases[_i].number);
	ck_assert_str_eq(fact->text, cases[_i].text);
}
END_TEST

START_TEST(this_machine)
{
	struct ca_fact all[CA_HOST_FACT_COUNT];

	read_facts(NULL, "image:none", all);
	ck_assert(all[CA_HOST_KERNEL].present && all[CA_HOST_ARCH].present);
	ck_assert(all[CA_HOST_CLOCK].present);
	ck_assert_int_eq(all[CA_HOST_CLOCK].number, ca_host_facts_is_clock_synchronised());
	ck_assert(!all[CA_HOST_SCHEDULER].present);
}
END_TEST

/* Read again: the counters go to their own fact, the first ones stay. */
START_TEST(after_a_run)
{
	struct ca_evidence *evidence = calloc(1, sizeof(*evidence));
	struct ca_fact before;

	ck_assert_ptr_nonnull(evidence);
	ck_assert_int_eq(ca_host_collect(PI4, "/dev/mmcblk0", evidence, NULL), 0);
	before = evidence->host[CA_HOST_ERR_STATS];
	memset(&evidence->host[CA_HOST_LOG_ERRORS], 0, sizeof(struct ca_fact));
	ca_host_collect_after(PI4, "/dev/mmcblk0", evidence);
	ck_assert_mem_eq(&evidence->host[CA_HOST_ERR_STATS], &before, sizeof(before));
	ck_assert_mem_eq(&evidence->host[CA_HOST_ERR_STATS_AFTER], &before, sizeof(before));
	ck_assert_int_eq(evidence->host[CA_HOST_LOG_ERRORS].number, 2);
	/* another slot's disk under the old name tells nothing of this one */
	memset(&evidence->host[CA_HOST_ERR_STATS_AFTER], 0, sizeof(before));
	(void)strcpy(evidence->device.host_path, "platform-elsewhere");
	ca_host_collect_after(PI4, "/dev/mmcblk0", evidence);
	ca_host_collect_after(NULL, "sim:genuine-4g", evidence);
	ck_assert(!evidence->host[CA_HOST_ERR_STATS_AFTER].present);
	free(evidence);
}
END_TEST

/* A card that left took its disk along; the slot is still there, and the log remembers. */
START_TEST(after_a_loss)
{
	struct ca_evidence *evidence = calloc(1, sizeof(*evidence));

	ck_assert_ptr_nonnull(evidence);
	ck_assert_int_eq(ca_host_collect(PI4, "/dev/mmcblk0", evidence, NULL), 0);
	memset(&evidence->host[CA_HOST_LOG_ERRORS], 0, sizeof(struct ca_fact));
	ca_host_collect_after(PI4, "/dev/disk/by-id/mmc-gone", evidence);
	ck_assert_int_eq(evidence->host[CA_HOST_ERR_STATS_AFTER].number, 3);
	ck_assert_int_eq(evidence->host[CA_HOST_LOG_ERRORS].number, 1); /* of the host alone */
	ck_assert_str_eq(evidence->host[CA_HOST_LOG_ERRORS].text,
			 "mmc0: Timeout waiting for hardware interrupt.");
	/* nothing is known of that slot, and no record names such a disk */
	memset(&evidence->host[CA_HOST_ERR_STATS_AFTER], 0, sizeof(struct ca_fact));
	(void)strcpy(evidence->device.host_path, "platform/elsewhere");
	ca_host_collect_after(PI4, "/dev/mmcblk7", evidence);
	ck_assert(!evidence->host[CA_HOST_ERR_STATS_AFTER].present);
	ck_assert_int_eq(evidence->host[CA_HOST_LOG_ERRORS].number, 0);
	free(evidence);
}
END_TEST

START_TEST(every_fact_has_a_source)
{
	for (unsigned int i = 0; i < CA_HOST_FACT_COUNT; i++)
		ck_assert(ca_host_fact_source((enum ca_host_fact)i)[0]);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("host_facts");

	tcase_add_loop_test(tests, facts, 0, (int)CA_ARRAY_LEN(cases));
	tcase_add_test(tests, this_machine);
	tcase_add_test(tests, after_a_run);
	tcase_add_test(tests, after_a_loss);
	tcase_add_test(tests, every_fact_has_a_source);
	return run_tests(tests);
}
