/* SPDX-License-Identifier: BSD-2-Clause */
#include "input_case.h"

#include <errno.h>

#define CID_A "275048534431364760011a77d2014701"
#define CID_B "02544d5341303847049cd164d9009a01"
#define CSD_A "400e00325b590000740f7f800a400001"
#define CSD_B "400e00325b5900003b677f800a400001"
#define SCR_A "0205808301000000"
#define Z32   "00000000000000000000000000000000"
#define SSR_A "80000000050000000400900000000000" Z32 Z32 Z32
#define DIR_A "/sys/bus/mmc/devices/mmc0:aaaa"
#define DIR_B "/sys/bus/mmc/devices/mmc1:0001"

#define CTRL(n)	   "vid : 0x000" n "\nsn : S\nmn : M\nnn : 1\n"
#define NS(blocks) "nsze : " blocks "\nncap : 1\nnuse : 1\nlbaf  0 : ms:0 lbads:9 rp:0 (in use)\n"

static const struct {
	const char *text, *cards;
} good[] = {
	{"cid: " CID_A "\n", "card 1 SD cid=27;"},
	{"cid " CID_A, "card 1 SD cid=27;"},
	{"CID = " CID_A "\r\nCSD = " CSD_A "\r\n", "card 1 SD cid=27 csd=40;"},
	{"cid:0x" CID_A "\nscr=" SCR_A "\nssr: " SSR_A "\nocr: 0x00300000\n",
	 "card 1 SD cid=27 scr=02 ssr=80 ocr=00300000;"},
	{"type: 'MMC'\ncid: " CID_A "\n", "card 1 MMC cid=27;"},
	/* bare hex */
	{CID_A, "card 1 SD cid=27;"},
	{CSD_A "\n", "card 1 SD csd=40;"},
	{"  " CID_A "\n\n" CSD_A "\n" SCR_A "\n" SSR_A "\n",
	 "card 1 SD cid=27 csd=40 scr=02 ssr=80;"},
	{"27 50 48 53 44 31 36 47 60 01 1a 77 d2 01 47 01\n", "card 1 SD cid=27;"},
	{"275048534431364760011A77D2014701\n", "card 1 SD cid=27;"},
	{CID_A "\n" CID_B "\n", "card 1 SD cid=27;card 2 SD cid=02;"},
	{CID_A "\n" CSD_A "\n" CID_B "\n" CSD_B "\n",
	 "card 1 SD cid=27 csd=40;card 2 SD cid=02 csd=40;"},
	/* labels, several cards */
	{"cid: " CID_A "\ncsd: " CSD_A "\ncid: " CID_B "\n",
	 "card 1 SD cid=27 csd=40;card 2 SD cid=02;"},
	/* grep . /sys/.../mmc*: */
	{DIR_A "/cid:" CID_A "\n" DIR_A "/csd:" CSD_A "\n" DIR_A "/date:07/2020\n" DIR_A
	       "/name:SD16G\n" DIR_A "/ocr:0x00300000\n" DIR_A "/scr:" SCR_A "\n" DIR_A
	       "/type:SD\n" DIR_A "/uevent:DRIVER=mmcblk\n" DIR_A "/uevent:MMC_TYPE=SD\n",
	 DIR_A " SD cid=27 csd=40 scr=02 ocr=00300000;"},
	{DIR_A "/cid:" CID_A "\n" DIR_B "/cid:" CID_B "\n" DIR_B "/type:MMC\n",
	 DIR_A " SD cid=27;" DIR_B " MMC cid=02;"},
	/* all CIDs, then all CSDs: lines of one directory belong together */
	{DIR_B "/cid:" CID_B "\n" DIR_A "/cid:" CID_A "\n" DIR_B "/csd:" CSD_B "\n" DIR_A
	       "/csd:" CSD_A "\n",
	 DIR_B " SD cid=02 csd=40;" DIR_A " SD cid=27 csd=40;"},
	{"mmc0:aaaa/cid:" CID_A "\nmmc0:aaaa/csd:" CSD_A "\n", "mmc0:aaaa SD cid=27 csd=40;"},
	/* two cards one after the other in one slot */
	{DIR_A "/cid:" CID_A "\n" DIR_A "/csd:" CSD_A "\n" DIR_A "/cid:" CID_B "\n",
	 DIR_A " SD cid=27 csd=40;" DIR_A " SD cid=02;"},
	/* only eMMC has this attribute */
	{DIR_B "/cid:" CID_B "\n" DIR_B "/life_time:0x01 0x01\n", DIR_B " MMC cid=02;"},
	{DIR_B "/cid:" CID_B "\n" DIR_B "/type:SD\n" DIR_B "/prv:0x1\n", DIR_B " SD cid=02;"},
	/* what is around it does not matter */
	{"pi@pi:~ $ grep . cid\n" CID_A "\nhello world\n", "card 1 SD cid=27;"},
	/* head and tail name the file before its content */
	{"==> " DIR_A "/cid <==\n" CID_A "\n\n==> " DIR_A "/csd <==\n" CSD_A "\n",
	 DIR_A " SD cid=27 csd=40;"},
	/* the card's disk, and the disk below the card, are the same card */
	{"/sys/block/mmcblk0/device/cid:" CID_A "\n/sys/block/mmcblk0/size:30425088\n",
	 "/sys/block/mmcblk0/device SD cid=27;"},
	{DIR_A "/cid:" CID_A "\n" DIR_A "/block/mmcblk0/size:30425088\n", DIR_A " SD cid=27;"},
	/* wrapped hex is one register */
	{Z32 Z32 "\n" Z32 Z32 "\n", "card 1 SD ssr=00;"},
	/* what is no register: prose, tables, hashes of other lengths in a sentence */
	{"The CID register of this card is odd\n  0       4662     4  0x51c7  0x4041  0x004   "
	 "7814036656\ncid: " CID_A "\n",
	 "card 1 SD cid=27;"},
	/* several formats in one paste */
	{"cid: " CID_A "\n{\"vid\":5197,\"sn\":\"S\",\"mn\":\"M\",\"nn\":1,\"vwc\":1}\n"
	 "csd: " CSD_A "\n",
	 "card 1 SD cid=27 csd=40;card 2 id_ctrl=4d;"},
	/* two cards in one line */
	{"cid: " CID_A ", csd: " CSD_A "; cid: " CID_B ", csd: " CSD_B,
	 "card 1 SD cid=27 csd=40;card 2 SD cid=02 csd=40;"},
	/* a terminal of 80 columns broke the line in the middle of a byte */
	{DIR_A "/cid:27504853443136476001\n1a77d2014701\n" DIR_A "/csd:" CSD_A "\n",
	 DIR_A " SD cid=27 csd=40;"},
	{"ssr: 8000000005000000040090000000000"
	 "\n0" Z32 Z32 Z32 "\n",
	 "card 1 SD ssr=80;"},
	/* a word before the path is no part of it */
	{"Hi " DIR_A "/cid:" CID_A "\n" DIR_A "/csd:" CSD_A "\n", DIR_A " SD cid=27 csd=40;"},
	/* a decoded register is not the register */
	{"CSD: ver=2, size=1\ncid: " CID_A "\n", "card 1 SD cid=27;"},
	/* the pages of an NVMe drive */
	{"NVME Identify Controller:\nvid       : 0x144d\nssvid     : 0x144d\nsn        : S1\n"
	 "mn        : Samsung SSD 980\nfr        : 1B\n",
	 "card 1 id_ctrl=4d;"},
};

/* What is damaged hides nothing else, and is said. */
static const struct {
	const char *text, *cards, *says;
} damaged[] = {
	{"cid: " CID_A "\ncsd: 400e00\n", "card 1 SD cid=27;", "line 2: csd: 3 bytes"},
	{DIR_A "/cid:" CID_A "\n" DIR_B "/cid:0254\n", DIR_A " SD cid=27;", "line 2: cid: 2 bytes"},
	{"cid: " CID_A "\n" CSD_A "00\n", "card 1 SD cid=27;", "line 2: 34 hex digits"},
	/* bytes without a name after damage: a CSD must not be taken for a CID */
	{"27504853443136476001\n" CSD_A "\n", "", "line 1: 20 hex digits"},
	{"cid: " CID_A "\n{\"vid\":1,\"sn\":\"S\",\"mn\":\"M\",\n\"nn\":",
	 "card 1 SD cid=27;card 2 id_ctrl=01;", "line 2: the JSON object"},
};

START_TEST(kept)
{
	struct ca_error error = {0};
	static struct got got;

	ck_assert_int_eq(got_read(damaged[_i].text, strlen(damaged[_i].text), &got, &error),
			 -EBADMSG);
	ck_assert_str_eq(got.text, damaged[_i].cards);
	ck_assert_msg(strstr(error.text, damaged[_i].says) != NULL, "%s", error.text);
}
END_TEST

START_TEST(understood)
{
	struct ca_error error = {0};
	static struct got got;

	ck_assert_msg(got_read(good[_i].text, strlen(good[_i].text), &got, &error) == 0, "%s",
		      error.text);
	ck_assert_str_eq(got.text, good[_i].cards);
}
END_TEST

static const struct {
	const char *text, *says;
} bad[] = {
	{"cid: 2750485344\n", "line 1: cid: 5 bytes, a CID has 16"},
	{"cid: " CID_A "\nscr: " SCR_A "00\n", "line 2: scr: 9 bytes, an SCR has 8"},
	{"cid: " CID_A "0\n", "line 1: cid: 33 hex digits, a CID has 32"},
	{"cid:\n", "line 1: cid: empty, a CID has 16 bytes"},
	{"csd: xyz\n", "line 1: csd: not hexadecimal"},
	{"\n\n27504853443136476001\n", "line 3: 20 hex digits; a CID or CSD has 32"},
	{CID_A "0\n", "line 1: 33 hex digits"},
	{DIR_A "/cid:" CID_A "\n" DIR_A "/ssr:00\n", "line 2: ssr: 1 bytes, an SSR has 64"},
	{"", "no register in it"},
	{"hello\n", "no register in it"},
	{"type: SD\n", "no register in it"},
	{"vid : 0x144d\nsn : 1\n", "line 1: nvme id-ctrl needs vid, sn and mn"},
	{"hello\n{\"vid\":5197,\n", "line 2: the JSON object that begins here does not end"},
	{"{\"vid\":1,\n\"sn\":\"a\",\"mn\":\"b\"}\n{\"a\":1} \r\ncid:\n", "line 4: cid: empty"},
	{"{\"Devices\":[{\"ModelNumber\":\"X\"}]}\n", "nvme list does not show"},
	{"{\"format\":\"cardassay-certificate-1\"}\n", "cardassay verify"},
	{"mmc0: new SDHC card at address aaaa\n", "the kernel log names the card"},
	{"nsze : 1\n", "line 1: nvme id-ns needs nsze, ncap and nuse"},
	{"critical_warning : 0\n", "line 1: nvme smart-log needs critical_warning"},
};

START_TEST(refused)
{
	struct ca_error error = {0};
	static struct got got;

	ck_assert_int_eq(got_read(bad[_i].text, strlen(bad[_i].text), &got, &error), -EBADMSG);
	ck_assert_msg(strstr(error.text, bad[_i].says) != NULL, "%s", error.text);
}
END_TEST

/* Outputs of several commands for two drives: each page goes to its own. */
static const struct {
	const char *text, *cards, *says;
} drives[] = {
	{"# nvme id-ctrl /dev/nvme0\n" CTRL("1") "# nvme id-ctrl /dev/nvme1\n" CTRL(
		 "2") "# nvme id-ns /dev/nvme0n1\n" NS("0x10") "# nvme id-ns "
							       "/dev/nvme1n1\n" NS("0x20"),
	 "nvme0 id_ctrl=01 id_ns=10;nvme1 id_ctrl=02 id_ns=20;", ""},
	{CTRL("1") NS("0x10") CTRL("2") NS("0x20"),
	 "card 1 id_ctrl=01 id_ns=10;card 2 id_ctrl=02 id_ns=20;", ""},
	{CTRL("1") CTRL("2") NS("0x10"), "", "line 9: this Identify Namespace may be of either"},
	{CTRL("1") CTRL("2"), "card 1 id_ctrl=01;card 2 id_ctrl=02;", ""},
};

START_TEST(two_drives)
{
	struct ca_error error;
	static struct got got;
	int rc = got_read(drives[_i].text, strlen(drives[_i].text), &got, &error);

	ck_assert_int_eq(rc, drives[_i].says[0] ? -EBADMSG : 0);
	ck_assert_str_eq(got.text, drives[_i].cards);
	ck_assert_msg(strstr(error.text, drives[_i].says) != NULL, "%s", error.text);
}
END_TEST

static const struct {
	const char *file, *more, *cards, *says;
} pastes[] = {
	{"armbian-mmcinfo.txt", "", "card 1 SD cid=27 csd=40 scr=02;card 2 MMC cid=15 csd=d0;", ""},
	{"mmc-cid-csd.txt", "", "card 1 SD;", ""},
	{"nuttx-mmc-csd-verbose.txt", "", "card 1 MMC;", ""},
	{"nuttx-mmc-csd-verbose.txt", "        ECC: 0x0 (none)\n", "card 1 MMC csd=d0;", ""},
	{"nvme1-id-ctrl.txt", "", "nvme0 id_ctrl=4d;", ""},
	{"nvme1-id-ctrl-vendor.txt", "", "card 1 id_ctrl=44;", ""},
	{"nvme2-id-ctrl.txt", "", "nvme0 id_ctrl=0f;", ""},
	{"nvme2-quoted-smart.txt", "", "nvme0 id_ctrl=b7 smart_log=00;", ""},
	{"nvme2-id-ns-human.txt", "", "nvme1;", ""},
	{"nvme2-id-ns-human.txt",
	 "LBA Format  0 : Metadata Size: 0   bytes - Data Size: 512 bytes - Relative Performance: "
	 "0 Best (in use)\n",
	 "nvme1 id_ns=b0;", ""},
	{"extcsd-mail.txt", "", "card 1 MMC ext_csd=00;", ""},
	{"lspci-raspberry-pi-ssd.txt", "", "", "lspci shows the slot"},
	{"dmesg-pi5.txt", "", "", "the kernel log names the card"},
};

START_TEST(real_pastes)
{
	struct ca_error error;
	static struct got got;
	int rc = got_fixture(pastes[_i].file, pastes[_i].more, &got, &error);

	ck_assert_msg(rc == (pastes[_i].says[0] ? -EBADMSG : 0), "%s", error.text);
	ck_assert_str_eq(got.text, pastes[_i].cards);
	ck_assert_msg(strstr(error.text, pastes[_i].says) != NULL, "%s", error.text);
}
END_TEST

/* The caller's answer ends it and comes back. */
static int stop(void *context, const struct ca_evidence *card)
{
	(void)card;
	return ++*(int *)context == 2 ? 65 : 0;
}

START_TEST(caller_stops)
{
	const char *text = CID_A "\n" CID_B "\n" CID_A "\n";
	int count = 0;

	ck_assert_int_eq(ca_host_read_register_text(text, strlen(text), stop, &count, NULL), 65);
	ck_assert_int_eq(count, 2);
}
END_TEST

static int count_card(void *context, const struct ca_evidence *card)
{
	const struct ca_raw_registers *registers = &card->registers;
	char expected[64];

	(void)snprintf(expected, sizeof(expected), "/sys/x/mmc%u:0001", *(unsigned int *)context);
	ck_assert_str_eq(card->device.node, expected);
	ck_assert(registers->has[CA_REGISTER_CID] && registers->has[CA_REGISTER_CSD]);
	++*(unsigned int *)context;
	return 0;
}

#define MANY 20000U

START_TEST(many_cards)
{
	char *text = malloc(MANY * 128U), *end = text;
	unsigned int count = 0;

	ck_assert_ptr_nonnull(text);
	for (unsigned int i = 0; i < MANY; i++)
		end += sprintf(end,
			       "/sys/x/mmc%u:0001/cid:" CID_A "\n/sys/x/mmc%u:0001/csd:" CSD_A "\n",
			       i, i);
	ck_assert_int_eq(
		ca_host_read_register_text(text, (size_t)(end - text), count_card, &count, NULL),
		0);
	ck_assert_uint_eq(count, MANY);
	free(text);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("register_text");

	tcase_set_timeout(tests, 30);
	tcase_add_loop_test(tests, kept, 0, (int)CA_ARRAY_LEN(damaged));
	tcase_add_loop_test(tests, understood, 0, (int)CA_ARRAY_LEN(good));
	tcase_add_loop_test(tests, refused, 0, (int)CA_ARRAY_LEN(bad));
	tcase_add_loop_test(tests, two_drives, 0, (int)CA_ARRAY_LEN(drives));
	tcase_add_loop_test(tests, real_pastes, 0, (int)CA_ARRAY_LEN(pastes));
	tcase_add_test(tests, caller_stops);
	tcase_add_test(tests, many_cards);
	return run_tests(tests);
}
