/* SPDX-License-Identifier: BSD-2-Clause */
#include "input.h"
#include "input_case.h"

#define LINK                                                                                       \
	"\t\tLnkCap:\tPort #0, Speed 16GT/s, Width x4, ASPM L1\n"                                  \
	"\t\tLnkSta:\tSpeed 2.5GT/s (downgraded), Width x2 (downgraded)\n"
#define SAMSUNG                                                                                    \
	"01:00.0 Non-Volatile memory controller [0108]: Samsung Electronics Co Ltd NVMe SSD "      \
	"[144d:a80a] (prog-if 02 [NVM Express])\n"                                                 \
	"\tSubsystem: Samsung Electronics Co Ltd SSD 980 PRO [144d:a801]\n" LINK
#define INTEL                                                                                      \
	"0000:02:00.0 Non-Volatile memory controller [0108]: Intel Corporation SSD 670p "          \
	"[8086:f1aa] (rev 03)\n\t\tLnkSta:\tSpeed 8GT/s (ok), Width x4 (ok)\n"
#define BRIDGE	  "00:1c.0 PCI bridge [0604]: Intel Corporation Device [8086:7a38]\n" LINK
#define CTRL(vid) "vid : 0x" vid "\nssvid : 0x" vid "\nsn : S\nmn : M\nnn : 1\nvwc : 1\n"

static const struct {
	const char *text;
	int64_t speed, speed_max, width, width_max; /* of the last card; 0: absent */
	uint16_t vendor, subsystem;
} beside[] = {
	{BRIDGE "\n" SAMSUNG "\n" CTRL("144d"), 2500, 16000, 2, 4, 0x144d, 0x144d},
	{CTRL("144d") BRIDGE SAMSUNG, 2500, 16000, 2, 4, 0x144d, 0x144d},
	/* one drive, one device: they are taken together, and the ids may disagree */
	{CTRL("2646") SAMSUNG, 2500, 16000, 2, 4, 0x144d, 0x144d},
	/* two of each: by their ids, in any order */
	{SAMSUNG "\n" INTEL "\n" CTRL("8086") CTRL("144d"), 2500, 16000, 2, 4, 0x144d, 0x144d},
	{SAMSUNG "\n" INTEL "\n" CTRL("144d") CTRL("8086"), 8000, 0, 4, 0, 0x8086, 0},
	/* two alike: whose link it is cannot be known */
	{SAMSUNG "\n" SAMSUNG "\n" CTRL("144d") CTRL("144d"), 0, 0, 0, 0, 0, 0},
	{SAMSUNG "\n" CTRL("144d") CTRL("144d"), 0, 0, 0, 0, 0, 0},
	{BRIDGE "\n" CTRL("144d"), 0, 0, 0, 0, 0, 0},
};

static int64_t number(const struct got *got, enum ca_host_fact fact)
{
	return got->last.host[fact].present ? got->last.host[fact].number : 0;
}

START_TEST(link_and_ids)
{
	struct ca_error error;
	static struct got got;

	ck_assert_msg(got_read(beside[_i].text, strlen(beside[_i].text), &got, &error) == 0, "%s",
		      error.text);
	ck_assert_int_eq(number(&got, CA_HOST_PCIE_SPEED), beside[_i].speed);
	ck_assert_int_eq(number(&got, CA_HOST_PCIE_SPEED_MAX), beside[_i].speed_max);
	ck_assert_int_eq(number(&got, CA_HOST_PCIE_WIDTH), beside[_i].width);
	ck_assert_int_eq(number(&got, CA_HOST_PCIE_WIDTH_MAX), beside[_i].width_max);
	ck_assert_uint_eq(got.last.registers.pci_vid, beside[_i].vendor);
	ck_assert_uint_eq(got.last.registers.pci_ssvid, beside[_i].subsystem);
}
END_TEST

START_TEST(real_paste)
{
	struct ca_error error;
	static struct got got;

	ck_assert_int_eq(
		got_fixture("lspci-raspberry-pi-ssd.txt",
			    "\t\tLnkSta:\tSpeed 5GT/s (downgraded), Width x1 (downgraded)\n\n" CTRL(
				    "144d"),
			    &got, &error),
		0);
	ck_assert_str_eq(got.last.host[CA_HOST_PCIE_SPEED].text, "5.0 GT/s PCIe");
	ck_assert_str_eq(got.last.host[CA_HOST_PCIE_SPEED_MAX].text, "8.0 GT/s PCIe");
	ck_assert_int_eq(number(&got, CA_HOST_PCIE_WIDTH), 1);
	ck_assert_int_eq(number(&got, CA_HOST_PCIE_WIDTH_MAX), 4);
	ck_assert_uint_eq(got.last.registers.pci_vid, 0); /* -nn was not asked for */
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("input_pci");

	tcase_add_loop_test(tests, link_and_ids, 0, (int)CA_ARRAY_LEN(beside));
	tcase_add_test(tests, real_paste);
	return run_tests(tests);
}
