/* SPDX-License-Identifier: BSD-2-Clause */
#include "fact_tree.h"

#define USB  "sys/devices/pci0/0000:00:14.0/usb2/2-1/2-1.4/"
#define DISK "2-1.4:1.0/host3/target3:0:0/3:0:0:0/block/sdb"

/* All have the same reader on a hub. */
static const struct {
	struct tree_file files[TREE_FILES_MAX];
	enum ca_host_fact fact;
	bool present;
	int64_t number;
	const char *text;
} usb[] = {
	{{{USB "2-1.4:1.0/driver", "->../../../../../../../bus/usb/drivers/uas"}},
	 CA_HOST_USB_DRIVER,
	 true,
	 0,
	 "uas"},
	{{{NULL, NULL}}, CA_HOST_USB_DRIVER, false, 0, ""},
	/* the driver of the host, and not that of the hub on the way */
	{{{"sys/devices/pci0/0000:00:14.0/driver", "->../../../bus/pci/drivers/xhci_hcd"},
	  {USB "../driver", "->../../../../../bus/usb/drivers/usb"}},
	 CA_HOST_DRIVER,
	 true,
	 0,
	 "xhci_hcd"},
	{{{"sys/devices/pci0/driver", "->../../bus/platform/drivers/dwc2"}},
	 CA_HOST_DRIVER,
	 true,
	 0,
	 "dwc2"},
	{{{NULL, NULL}}, CA_HOST_USB_ID, true, 0xffff0001, "ffff:0001"},
	{{{USB "product", "Reader\n"}, {USB "bcdDevice", "0210\n"}},
	 CA_HOST_USB_BRIDGE,
	 true,
	 0,
	 "Reader, revision 02.10"},
	{{{USB "manufacturer", "Maker\n"}}, CA_HOST_USB_BRIDGE, true, 0, "Maker"},
	{{{USB "bcdDevice", "0210\n"}}, CA_HOST_USB_BRIDGE, false, 0, ""},
	{{{USB "speed", "5000\n"}}, CA_HOST_USB_SPEED, true, 5000, "5000 Mbit/s"},
	{{{USB "speed", "unknown\n"}}, CA_HOST_USB_SPEED, false, 0, ""},
};

static void check(const struct ca_fact *fact, bool present, int64_t number, const char *text)
{
	ck_assert_int_eq(fact->present, present);
	ck_assert_int_eq(fact->number, number);
	ck_assert_str_eq(fact->text, text);
}

START_TEST(usb_facts)
{
	static const struct tree_file reader[TREE_FILES_MAX] = {
		{USB "idVendor", "ffff\n"},
		{USB "idProduct", "0001\n"},
		{USB DISK "/size", "8\n"},
		{"sys/block/sdb", "->../devices/pci0/0000:00:14.0/usb2/2-1/2-1.4/" DISK},
	};
	const struct ca_disk disk = {.name = "sdb", .bus = "usb"};
	struct ca_fact all[CA_HOST_FACT_COUNT] = {0};

	tree_fill(reader);
	tree_fill(usb[_i].files);
	ca_host_slot_read(tree_root, &disk, all);
	check(&all[usb[_i].fact], usb[_i].present, usb[_i].number, usb[_i].text);
}
END_TEST

static const struct {
	struct tree_file files[TREE_FILES_MAX];
	bool present;
	int64_t number;
	const char *text;
} counters[] = {
	{{{"sys/kernel/debug/mmc0/err_stats", "# Data CRC Errors Occurred:\t 4\n"}},
	 true,
	 4,
	 "Data CRC Errors Occurred 4"},
	{{{"sys/kernel/debug/mmc0/err_stats", "# Data CRC Errors Occurred:\t 0\n"}},
	 true,
	 0,
	 "none"},
	{{{"sys/kernel/debug/mmc0/err_stats", "nothing of the kind\n"}}, false, 0, ""},
	{{{"sys/kernel/debug/mmc1/err_stats", "# Data CRC Errors Occurred:\t 4\n"}},
	 false,
	 0,
	 ""}, /* another host's */
};

START_TEST(err_stats)
{
	static const struct tree_file card[TREE_FILES_MAX] = {
		{"sys/block/mmcblk0/device", "->../../devices/x/mmc_host/mmc0/mmc0:aaaa"},
	};
	const struct ca_disk disk = {.name = "mmcblk0", .bus = "mmc", .kind = "sd"};
	struct ca_fact all[CA_HOST_FACT_COUNT] = {0};

	tree_fill(card);
	tree_fill(counters[_i].files);
	ca_host_slot_read(tree_root, &disk, all);
	check(&all[CA_HOST_ERR_STATS], counters[_i].present, counters[_i].number,
	      counters[_i].text);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("host_slot");

	tcase_add_checked_fixture(tests, tree_make, tree_remove);
	tcase_add_loop_test(tests, usb_facts, 0, (int)CA_ARRAY_LEN(usb));
	tcase_add_loop_test(tests, err_stats, 0, (int)CA_ARRAY_LEN(counters));
	return run_tests(tests);
}
