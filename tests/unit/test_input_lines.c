/* SPDX-License-Identifier: BSD-2-Clause */
/* What stands in lines of its own, and the pastes of bug reports made of such lines. */
#include "input_case.h"

#define CID   "275048534431364730da89b82900fb61"
#define CID_B "035344534c33324780e012b979002615"
#define CSD   "400e00325b59000073a77f800a4000eb"
#define CSD_1 "002600325f5a83aefefbcfff928040df"
#define SCR   "0235800201000000"
#define DEV   "/sys/block/mmcblk0/device"

static const struct {
	const char *text, *cards;
} good[] = {
	{"| cid | `" CID "` |\n| csd | `" CSD "` |\n", "card 1 SD cid=27 csd=40;"},
	{"* cid: " CID "\n- csd: " CSD "\n", "card 1 SD cid=27 csd=40;"},
	{"CID: `" CID "`\n**CSD:** " CSD "\n", "card 1 SD cid=27 csd=40;"},
	{"\xef\xbb\xbf"
	 "cid: " CID "\r\ncsd:\t" CSD "\r\n",
	 "card 1 SD cid=27 csd=40;"},
	{"cid: 2750485344313647\n30da89b82900fb61\ncsd: 400e00325b590000\n> 73a77f800a4000eb\n",
	 "card 1 SD cid=27 csd=40;"},
	{"cid:\n" CID "\nscr:\n" SCR "\n", "card 1 SD cid=27 scr=02;"},
	{"cid: 0x27, 0x50, 0x48, 0x53, 0x44, 0x31, 0x36, 0x47, 0x30, 0xda, 0x89, 0xb8, 0x29, 0x00, "
	 "0xfb, 0x61\n",
	 "card 1 SD cid=27;"},
	/* a command names what it prints: alone, these CSDs could be CIDs */
	{"$ cat " DEV "/csd\n" CSD_1 "\n", DEV " SD csd=00;"},
	{"$ cat " DEV "/csd\nd02701320f5903fff6dbffef8e40400d\n$ cat " DEV
	 "/cid\n1501004d384731474303dc0db061506f\n$ cat " DEV "/name\nM8G1GC\n",
	 DEV " MMC cid=15 csd=d0;"},
	{"# cat " DEV "/{cid,csd,scr}\n" CID "\n" CSD_1 "\n" SCR "\n",
	 DEV " SD cid=27 csd=00 scr=02;"},
	{"# cat " DEV "/name " DEV "/cid\nSD16G\n" CID "\n", DEV " SD cid=27;"},
	{"# cat " DEV "/cid\ncat: " DEV "/cid: No such file or directory\n" CID "\n",
	 "card 1 SD cid=27;"},
	{"$ cat /sys/block/mmcblk*/device/csd\n" CSD_1 "\n" CSD "\n",
	 "card 1 SD csd=00;card 2 SD csd=40;"},
	{"==> " DEV "/csd <==\n" CSD_1 "\n", DEV " SD csd=00;"},
	{DEV "/cid " CID "\n" DEV "/csd = " CSD_1 "\n", DEV " SD cid=27 csd=00;"},
	/* dumps */
	{"$ xxd cid\n00000000: 2750 4853 4431 3647 30da 89b8 2900 fb61  x\n", "card 1 SD cid=27;"},
	{"csd:\n00000000  00 26 00 32 5f 5a 83 ae  fe fb cf ff 92 80 40 df  |x|\n00000010\n",
	 "card 1 SD csd=00;"},
	{"00000000: 3237 3530 3438 3533 3434 3331 3336 3437  27\n"
	 "00000010: 3330 6461 3839 6238 3239 3030 6662 3631  30\n00000020: 0a  .\n",
	 "card 1 SD cid=27;"},
	{"00000000  fa b8 00 10  |x|\n00000004\ncid: " CID "\n", "card 1 SD cid=27;"},
	/* udevadm info -a */
	{"looking at device '/d/mmc0:1/block/mmcblk0':\nATTR{size}==\"8\"\n"
	 "looking at parent device '/d/mmc0:1':\nATTRS{cid}==\"" CID "\"\nATTRS{csd}==\"" CSD
	 "\"\nATTRS{ocr}==\"0x00300000\"\nATTRS{type}==\"SD\"\n",
	 "/d/mmc0:1 SD cid=27 csd=40 ocr=00300000;"},
	{"ATTRS{cid}==\"" CID "\"\n", "card 1 SD cid=27;"},
	/* JSON of other programs */
	{"{\n\"cid\":\"" CID "\",\"csd\":{\"reg\":\"CSD\",\"raw\":\"" CSD "\",\"fields\":[{\"raw\":"
	 "[1,2]}]}}\n",
	 "card 1 SD cid=27 csd=40;"},
	{"> {\n>  \"cid\":\n> \"" CID "\"}\n", "card 1 SD cid=27;"},
	/* a list of identities, and cards that do not all have a CSD */
	{"cid: " CID "\ncid: " CID_B "\ncsd: " CSD "\n",
	 "card 1 SD cid=27;card 2 SD cid=03 csd=40;"},
};

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
	{"cid: 2750485344313647\nhello\n", "line 1: cid: 8 bytes, a CID has 16"},
	{"cid:\nhello\n", "line 1: cid: empty"},
	{"cid: 2750485344313647\n" CID "\n", "line 1: cid: 8 bytes, a CID has 16"},
	/* registers by kind: whose is the CSD? */
	{"cid: " CID "\ncid: " CID_B "\ncsd: " CSD "\ncsd: " CSD "\n",
	 "line 4: this csd may be of either of the two cards before it"},
	{"$ xxd cid\n00000000: 2750 48  'PH\n", "line 2: cid: 3 bytes, a CID has 16"},
	{"looking at device '/d':\nATTRS{cid}==\"27\"\n", "line 2: cid: 1 bytes"},
};

START_TEST(refused)
{
	struct ca_error error = {0};
	static struct got got;

	ck_assert_int_eq(got_read(bad[_i].text, strlen(bad[_i].text), &got, &error), -EBADMSG);
	ck_assert_msg(strstr(error.text, bad[_i].says) != NULL, "%s", error.text);
}
END_TEST

static const struct {
	const char *file, *cards, *says;
} pastes[] = {
	{"grep-rpi3.txt", "/sys/class/mmc_host/mmc0/mmc0:e624 SD cid=03 csd=40 scr=02;", ""},
	{"uboot-mmc-info.txt", "", "mmc info of U-Boot"},
	{"nvme1-id-ctrl-log.txt", "nvme0 id_ctrl=f8;", ""},
	{"nvme3-id-ctrl-verbose.txt", "nvme0 id_ctrl=46;", ""},
	{"nvme0-smart-log.txt", "nvme1 smart_log=00;", ""},
	{"nvme2-list-json.txt", "", "nvme list does not show"},
	{"smartctl-german.txt", "card 1 id_ctrl=86;", ""},
	{"smartctl-health-blanks.txt", "card 1 smart_log=00;", ""},
	{"usbsdmux-cid.txt", "card 1 SD cid=74;", ""},
	{"extcsd-trailing-blanks.txt", "card 1 MMC;", ""},
};

START_TEST(real_pastes)
{
	struct ca_error error;
	static struct got got;
	int rc = got_fixture(pastes[_i].file, "", &got, &error);

	ck_assert_msg(rc == (pastes[_i].says[0] ? -EBADMSG : 0), "%s", error.text);
	ck_assert_str_eq(got.text, pastes[_i].cards);
	ck_assert_msg(strstr(error.text, pastes[_i].says) != NULL, "%s", error.text);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("input_lines");

	tcase_add_loop_test(tests, understood, 0, (int)CA_ARRAY_LEN(good));
	tcase_add_loop_test(tests, refused, 0, (int)CA_ARRAY_LEN(bad));
	tcase_add_loop_test(tests, real_pastes, 0, (int)CA_ARRAY_LEN(pastes));
	return run_tests(tests);
}
