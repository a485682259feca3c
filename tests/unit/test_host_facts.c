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
	{PI4, "/dev/mmcblk0", CA_HOST_CACHE, true, 1, "write back"},
	{PI4, "/dev/mmcblk0", CA_HOST_COMMAND_QUEUE, true, 1,
	 "nr_requests 62: 31 tags, the queue runs"},
	{PI4, "/dev/mmcblk0", CA_HOST_MAX_REQUEST_BYTES, true, 524288, "512 KiB"},
	{PI4, "/dev/mmcblk0", CA_HOST_NR_REQUESTS, true, 62, "62"},
	{PI4, "/dev/mmcblk0", CA_HOST_SCHEDULER, true, 0, "mq-deadline"},
	{PI4, "/dev/mmcblk0", CA_HOST_CPU_GOVERNOR, true, 0, "ondemand"},
	{PI4, "/dev/mmcblk0", CA_HOST_THROTTLED, true, 0x50005, "0x50005"},
	{PI4, "/dev/mmcblk0", CA_HOST_PCIE_SPEED, false, 0, ""},
	{PI4, "/dev/mmcblk0", CA_HOST_USB_SPEED, false, 0, ""},
	{PI4, "/dev/mmcblk0", CA_HOST_IO_ENGINE, false, 0, ""},
	{PC, "/dev/mmcblk0", CA_HOST_COMMAND_QUEUE, true, 0, "nr_requests 128: 64 tags, no queue"},
	{PC, "/dev/mmcblk0", CA_HOST_CACHE, true, 0, "write through"},
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

START_TEST(facts)
{
	struct ca_fact all[CA_HOST_FACT_COUNT];
	const struct ca_fact *fact = &all[cases[_i].fact];

	memset(all, 0xff, sizeof(all)); /* whatever was there is forgotten */
	ca_host_collect_facts(cases[_i].root, cases[_i].target, all);
	ck_assert_int_eq(fact->present, cases[_i].present);
	ck_assert_int_eq(fact->number, cases[_i].number);
	ck_assert_str_eq(fact->text, cases[_i].text);
}
END_TEST

START_TEST(this_machine)
{
	struct ca_fact all[CA_HOST_FACT_COUNT];

	ca_host_collect_facts(NULL, "image:none", all);
	ck_assert(all[CA_HOST_KERNEL].present && all[CA_HOST_ARCH].present);
	ck_assert(!all[CA_HOST_SCHEDULER].present);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("host_facts");

	tcase_add_loop_test(tests, facts, 0, (int)CA_ARRAY_LEN(cases));
	tcase_add_test(tests, this_machine);
	return run_tests(tests);
}
