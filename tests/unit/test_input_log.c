/* SPDX-License-Identifier: BSD-2-Clause */
#include "input.h"
#include "input_case.h"

#define SN256 "cid:035344534e3235368001020304015a00\n"
#define SD16G "cid:275048534431364760011a77d2014701\n"
#define DIR   "/sys/bus/mmc/devices/"
#define NEW0  "[    2.652792] mmc0: new ultra high speed SDR104 SDXC card at address aaaa\n"
#define DISK0 "[    2.659679] mmcblk0: mmc0:aaaa SN256 238 GiB\n"
#define NEW1  "[    2.7] mmc1: new high speed SDHC card at address 0001\n"
#define DISK1 "[    2.8] mmcblk1: mmc1:0001 SD16G 14.5 GiB\n"
#define QUEUE "[    3.1] mmc0: Command Queue Engine enabled, 31 tags\n"

static const struct {
	const char *text, *timing, *queue; /* of the last card; "": absent */
	int64_t errors;
} cases[] = {
	/* by the directory of the card */
	{DIR "mmc0:aaaa/" SN256 NEW0 DISK0 QUEUE, "sd uhs SDR104",
	 "Command Queue Engine enabled, 31 tags (kernel log)", 0},
	{DIR "mmc1:0001/" SN256 NEW0 DISK0 QUEUE, "", "", 0},
	/* the card in that slot is another one by now */
	{DIR "mmc0:aaaa/" SN256 NEW0 "mmc0: new SDHC card at address 1234\n", "", "", 0},
	/* by the disk */
	{"/sys/block/mmcblk0/device/" SN256 NEW0 DISK0, "sd uhs SDR104", "", 0},
	{"/sys/block/mmcblk1/device/" SN256 NEW0 DISK0, "", "", 0},
	/* by the name of the card, of two */
	{NEW0 DISK0 NEW1 DISK1 SN256 SD16G, "sd high-speed", "", 0},
	{NEW0 DISK0 NEW1 DISK1 SD16G SN256 QUEUE, "sd uhs SDR104",
	 "Command Queue Engine enabled, 31 tags (kernel log)", 0},
	/* no name, but only one card and one host */
	{NEW0 SN256, "sd uhs SDR104", "", 0},
	{NEW0 NEW1 SN256, "", "", 0},
	{NEW0 SN256 SD16G, "", "", 0},
	/* other forms of the line */
	{"Mar  3 12:00:00 pi kernel: [    1.2] mmc0: new SDHC card at address aaaa\n" SN256,
	 "legacy", "", 0},
	{"6,339,5140900,-;mmc0: new UHS-I speed SDR50 SDXC card at address aaaa\n" SN256,
	 "sd uhs SDR50", "", 0},
	{"> > [   16.425317] [     T72] mmc0: new ultra high speed DDR50 SDHC card at\n" SN256, "",
	 "", 0},
	{NEW0 DISK0 SN256 "mmc0: Host Software Queue enabled\n", "sd uhs SDR104",
	 "only the host's own: Host Software Queue enabled (kernel log)", 0},
	{NEW0 DISK0 SN256 "[9.1] I/O error, dev mmcblk0, sector 3168 op 0x0:(READ)\n"
			  "[9.2] mmcblk0: recovery failed!\n",
	 "sd uhs SDR104", "", 2},
};

START_TEST(facts)
{
	struct ca_error error;
	static struct got got;
	const struct ca_fact *host = got.last.host;

	ck_assert_msg(got_read(cases[_i].text, strlen(cases[_i].text), &got, &error) == 0, "%s",
		      error.text);
	ck_assert_str_eq(host[CA_HOST_BUS_TIMING].text, cases[_i].timing);
	ck_assert_str_eq(host[CA_HOST_COMMAND_QUEUE].text, cases[_i].queue);
	ck_assert_int_eq(host[CA_HOST_LOG_ERRORS].number, cases[_i].errors);
	ck_assert(host[CA_HOST_LOG_CARD].present == (cases[_i].timing[0] != '\0'));
}
END_TEST

START_TEST(emmc)
{
	static const char cid[] = "type: MMC\ncid: 150100534c443634470013dc0db0616f\n";
	struct ca_error error;
	static struct got got;

	ck_assert_int_eq(got_fixture("extcsd-mail.txt", cid, &got, &error), 0);
	ck_assert_str_eq(got.last.host[CA_HOST_BUS_TIMING].text, "mmc HS400 enhanced strobe");
}
END_TEST

static const char *const others[] = {"mmc0:aaaa/cid:00",
				     "mmc cid read /dev/mmcblk0",
				     "### mmc0:0007 info:",
				     "mmcblk0",
				     "mmc0:",
				     "[mmc0]: x",
				     ""};

START_TEST(no_log)
{
	ck_assert_ptr_null(ca_input_log_line((struct ca_span){others[_i], strlen(others[_i])}).at);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("input_log");

	tcase_add_loop_test(tests, facts, 0, (int)CA_ARRAY_LEN(cases));
	tcase_add_test(tests, emmc);
	tcase_add_loop_test(tests, no_log, 0, (int)CA_ARRAY_LEN(others));
	return run_tests(tests);
}
