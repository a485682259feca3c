/* SPDX-License-Identifier: BSD-2-Clause */
#include "input_case.h"

/* Texts without a register: each sentence says what to paste instead. */
static const struct {
	const char *text, *says;
} texts[] = {
	{"Device: mmc@0\nManufacturer ID: ad\nRd Block Len: 512\n", "mmc info of U-Boot"},
	{"E: DEVNAME=/dev/mmcblk0\nE: ID_SERIAL=0x33b2cd1e\n", "udevadm info -a"},
	{"life A [EXT_CSD_DEVICE_LIFE_TIME_EST_TYP_A]: 0x01\n", "all that the command printed"},
	{"Device Model:     Samsung SSD 860\nFirmware Version: RVT01B6Q\n", "SATA drive"},
	{"=== START OF SMART DATA SECTION ===\nSMART overall: PASSED\n", "smartctl shows"},
	{"Node SN FW Rev\n/dev/nvme0n1 1 2\n", "nvme list does not show"},
	{"01:00.0 Non-Volatile memory controller: X\n\tLnkSta: Speed 8GT/s\n", "lspci shows"},
	{"manfid: 0x03\noemid: 0x5344\n", "the file cid"},
	{"mmc0: new SDXC card at address 0001\n", "the kernel log names"},
	{"mmcblk0: mmc0:0001 SD64G 59.5 GiB\n", "the kernel log names"},
	{"0000000 5027 5348 3144 4736 da30 b889 0029 61fb\n", "words of 16 bits"},
	{"00000000: 2750 4853 4431 3647 30da 89b8 2900 fb61  x\n", "which register it shows"},
	{"nothing\n", "no register in it: lines such as"},
};

START_TEST(said)
{
	struct ca_error error;
	static struct got got;

	ck_assert_int_eq(got_read(texts[_i].text, strlen(texts[_i].text), &got, &error), -EBADMSG);
	ck_assert_msg(strstr(error.text, texts[_i].says) != NULL, "%s", error.text);
	ck_assert_uint_eq(got.cards, 0);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("input_hint");

	tcase_add_loop_test(tests, said, 0, (int)CA_ARRAY_LEN(texts));
	return run_tests(tests);
}
