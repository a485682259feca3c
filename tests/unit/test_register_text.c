/* SPDX-License-Identifier: BSD-2-Clause */
#include "register_parse.h"
#include "cardassay/host.h"

#include "device_test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define CID_A "275048534431364760011a77d2014701"
#define CID_B "02544d5341303847049cd164d9009a01"
#define CSD_A "400e00325b590000740f7f800a400001"
#define CSD_B "400e00325b5900003b677f800a400001"
#define SCR_A "0205808301000000"
#define Z32   "00000000000000000000000000000000"
#define SSR_A "80000000050000000400900000000000" Z32 Z32 Z32
#define DIR_A "/sys/bus/mmc/devices/mmc0:aaaa"
#define DIR_B "/sys/bus/mmc/devices/mmc1:0001"

/* What came out, one line a card: "name type registers;". */
struct got {
	char text[512];
	struct ca_text out;
	unsigned int cards;
	int answer;
};

static int on_card(void *context, const char *name, const struct ca_raw_registers *registers)
{
	struct got *got = context;

	got->cards++;
	ca_text_add(&got->out, name);
	ca_text_add(&got->out, registers->type == CA_CARD_TYPE_MMC ? " MMC" : " SD");
	for (unsigned int i = 0; i < CA_REGISTER_COUNT; i++) {
		if (!registers->has[i])
			continue;
		ca_text_add(&got->out, " ");
		ca_text_add(&got->out, ca_register_name((enum ca_register)i));
		ca_text_add(&got->out, "=");
		ca_text_hex(&got->out, ca_register_data(registers, (enum ca_register)i)[0], 2);
	}
	if (registers->has_ocr) {
		ca_text_add(&got->out, " ocr=");
		ca_text_hex(&got->out, registers->ocr, 8);
	}
	ca_text_add(&got->out, ";");
	return got->answer;
}

static int read_text(const char *text, size_t len, struct got *got, struct ca_error *error)
{
	memset(got, 0, sizeof(*got));
	ca_text_init(&got->out, got->text, sizeof(got->text));
	return ca_host_read_register_text(text, len, on_card, got, error);
}

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
	/* the pages of an NVMe drive */
	{"NVME Identify Controller:\nvid       : 0x144d\nssvid     : 0x144d\nsn        : S1\n"
	 "mn        : Samsung SSD 980\nfr        : 1B\n",
	 "card 1 SD id_ctrl=4d;"},
};

START_TEST(understood)
{
	struct ca_error error = {0};
	struct got got;

	ck_assert_msg(read_text(good[_i].text, strlen(good[_i].text), &got, &error) == 0, "%s",
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
	{"vid : 0x144d\nsn : 1\n", "no register in it"},
};

START_TEST(refused)
{
	struct ca_error error = {0};
	struct got got;

	ck_assert_int_eq(read_text(bad[_i].text, strlen(bad[_i].text), &got, &error), -EBADMSG);
	ck_assert_msg(strstr(error.text, bad[_i].says) != NULL, "%s", error.text);
}
END_TEST

START_TEST(binary)
{
	static char page[CA_NVME_ID_BYTES] = {0x4d, 0x14};
	struct ca_error error = {0};
	struct got got;

	ck_assert_int_eq(read_text(page, sizeof(page), &got, &error), 0);
	ck_assert_str_eq(got.text, "card 1 SD id_ctrl=4d;");
	ck_assert_int_eq(read_text(page, 512, &got, &error), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(error.text, "512 bytes of binary data"));
	ck_assert_uint_eq(got.cards, 0);
}
END_TEST

/* The caller's answer ends it and comes back. */
static int stop(void *context, const char *name, const struct ca_raw_registers *registers)
{
	(void)name;
	(void)registers;
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

static int count_card(void *context, const char *name, const struct ca_raw_registers *registers)
{
	char expected[64];

	(void)snprintf(expected, sizeof(expected), "/sys/x/mmc%u:0001", *(unsigned int *)context);
	ck_assert_str_eq(name, expected);
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
	tcase_add_loop_test(tests, understood, 0, (int)CA_ARRAY_LEN(good));
	tcase_add_loop_test(tests, refused, 0, (int)CA_ARRAY_LEN(bad));
	tcase_add_test(tests, binary);
	tcase_add_test(tests, caller_stops);
	tcase_add_test(tests, many_cards);
	return run_tests(tests);
}
