/* SPDX-License-Identifier: BSD-2-Clause */
#include "input.h"
#include "input_case.h"

static const char cid_verbose[] = "type: 'SD'\n"
				  "======SD/CID======\n"
				  "\tMID: 0x27 (Delkin/Phison)\n"
				  "\tOID: PH\n"
				  "\tPNM: SD16G\n"
				  "\tPRV: 0x60 (6.0)\n"
				  "\tPSN: 0x011a77d2\n"
				  "\tMDT: 0x147 2020 aug\n"
				  "\tCRC: 0x00\n";

static const char mmc_verbose[] = "type: 'MMC'\n"
				  "======MMC/CID======\n"
				  "\tMID: 0x15 (Samsung/SanDisk/LG)\n"
				  "\tCBX: 0x1 (BGA)\n"
				  "\tOID: 0x48\n"
				  "\tPNM: SD16G\n" /* its last space was cut */
				  "\tPRV: 0x01 (0.1)\n"
				  "\tPSN: 0x1a77d201\n"
				  "\tMDT: 0x74 2001 aug\n"
				  "\tCRC: 0x37\n";

static const char csd_verbose[] = "======SD/CSD======\n"
				  "\tCSD_STRUCTURE: 1\n"
				  "\tTAAC: 0x0e (1.00ms)\n"
				  "\tNSAC: 0 clocks\n"
				  "\tTRAN_SPEED: 0x32 (25.00Mbit/s)\n"
				  "\tCCC: 0x5b5 (class: 10, 8, 7, 5, 4, 2, 0,   )\n"
				  "\tREAD_BL_LEN: 0x9 (512 bytes)\n"
				  "\tREAD_BL_PARTIAL: 0x0\n"
				  "\tWRITE_BLK_MISALIGN: 0x0\n"
				  "\tREAD_BLK_MISALIGN: 0x0\n"
				  "\tDSR_IMP: 0x0\n"
				  "\tC_SIZE: 0x00740f\n"
				  "\tERASE_BLK_EN: 0x1\n"
				  "\tSECTOR_SIZE: 0x7f (Erasable sector: 128 blocks)\n"
				  "\tWP_GRP_SIZE: 0x00 (Write protect group: 1 blocks)\n"
				  "\tWP_GRP_ENABLE: 0x0\n"
				  "\tR2W_FACTOR: 0x2 (Write 2 times read)\n"
				  "\tWRITE_BL_LEN: 0x9 (512 bytes)\n"
				  "\tWRITE_BL_PARTIAL: 0x0\n"
				  "\tFILE_FORMAT_GRP: 0x0\n"
				  "\tCOPY: 0x0\n"
				  "\tPERM_WRITE_PROTECT: 0x0\n"
				  "\tTMP_WRITE_PROTECT: 0x0\n"
				  "\tFILE_FORMAT: 0x0 (partition table)\n"
				  "\tCRC: 0x0\n"
				  "\tCAPACITY: 14.51Gbyte (15577645056 bytes, 30425088 sectors)\n";

static void ck_register(const uint8_t *data, const char *hex)
{
	char text[33];

	ca_hex_encode(data, 16, text);
	ck_assert_str_eq(text, hex);
}

START_TEST(verbose)
{
	struct ca_error error;
	static struct got got;
	char text[4096];

	(void)snprintf(text, sizeof(text), "%s%s", cid_verbose, csd_verbose);
	ck_assert_int_eq(got_read(text, strlen(text), &got, &error), 0);
	ck_assert_str_eq(got.text, "card 1 SD cid=27 csd=40;");
	ck_register(got.last.registers.cid, "275048534431364760011a77d2014700");
	ck_register(got.last.registers.csd, "400e00325b590000740f7f800a400000");
	ck_assert_uint_eq(got.last.device.bytes, 0); /* the CSD says it */
	ck_assert_int_eq(got_read(mmc_verbose, strlen(mmc_verbose), &got, &error), 0);
	ck_assert_str_eq(got.text, "card 1 MMC cid=15;");
	ck_register(got.last.registers.cid, "15014853443136472001"
					    "1a77d201"
					    "74"
					    "6f");
}
END_TEST

/* Without a field there is no register: nothing is made up for it. */
START_TEST(each_field_counts)
{
	static const char *const texts[] = {cid_verbose, csd_verbose};
	const char *text = texts[_i];
	struct ca_error error;
	static struct got got;

	for (const char *line = strchr(text, '\t'); line; line = strchr(line + 1, '\t')) {
		char less[2048];
		const char *end = strchr(line, '\n');
		bool counts = strncmp(line, "\tCRC", 4) != 0 && strncmp(line, "\tCAP", 4) != 0;

		(void)snprintf(less, sizeof(less), "%.*s%s", (int)(line - text), text, end + 1);
		ck_assert_msg(got_read(less, strlen(less), &got, &error) == 0, "%s", less);
		ck_assert_msg(got.last.registers.has[_i] != counts, "%s", less);
		ck_assert(!counts || got.last.device.hidden_because[0]);
	}
}
END_TEST

START_TEST(short_form)
{
	static const char text[] =
		"type: 'SD'\nmanufacturer: 'SanDisk' 'SD'\n"
		"product: 'SD128' 8.5\nserial: 0xfecbbd8b\n"
		"manufacturing date: 2024 may\ntype: 'SD'\n"
		"card classes: 10 switch, 8 application specific, \b\b\n"
		"capacity: 119.1Gbyte (127865454592 bytes, 249737216 sectors, 512 "
		"bytes each)\ntype: 'SD'\nversion: SD 3.0x\nbus widths: 4bit, \b\b\n";
	struct ca_error error;
	static struct got got;

	ck_assert_int_eq(got_read(text, strlen(text), &got, &error), 0);
	ck_assert_str_eq(got.text, "card 1 SD;");
	ck_assert_str_eq(got.last.device.model, "SanDisk/SD, SD128 8.5, 2024 may");
	ck_assert_str_eq(got.last.device.serial, "0xfecbbd8b");
	ck_assert_uint_eq(got.last.device.bytes, 127865454592);
	ck_assert_ptr_nonnull(strstr(got.last.device.hidden_because, "mmc cid read -v"));
}
END_TEST

START_TEST(extcsd)
{
	struct ca_error error;
	struct ca_extcsd decoded;
	static struct got got;

	ck_assert_int_eq(got_fixture("extcsd-mail.txt", "", &got, &error), 0);
	ck_assert_ptr_nonnull(strstr(got.last.device.hidden_because, "mmc extcsd read is cut"));
	ck_assert_int_eq(
		got_fixture(
			"extcsd-mail.txt",
			"RPMB Size [RPMB_SIZE_MULT]: 0x20\n"
			"eMMC Firmware Version: ABC\n"
			"eMMC Life Time Estimation A [EXT_CSD_DEVICE_LIFE_TIME_EST_TYP_A]: 0x03\n"
			"eMMC Life Time Estimation B [EXT_CSD_DEVICE_LIFE_TIME_EST_TYP_B]: 0x0b\n"
			"eMMC Pre EOL information [EXT_CSD_PRE_EOL_INFO]: 0x02\n"
			"Vendor Specific Fields [VENDOR_SPECIFIC_FIELD[67]]: 0x5a\n"
			"Command Queue Support [CMDQ_SUPPORT]: 0x01\n"
			"Command Queue Depth [CMDQ_DEPTH]: 16\n",
			&got, &error),
		0);
	ck_assert_str_eq(got.last.device.hidden_because, "");
	ck_assert_int_eq(ca_extcsd_decode(got.last.registers.extcsd, CA_EXTCSD_BYTES, &decoded), 0);
	ck_assert_uint_eq(decoded.rev, 8);
	ck_assert_uint_eq(decoded.sec_count, 0x0733c000);
	ck_assert_uint_eq(decoded.cache_size_kib, 8192);
	ck_assert_uint_eq(decoded.boot_size_mult, 0x20);
	ck_assert_uint_eq(decoded.rpmb_size_mult, 0x20);
	ck_assert_mem_eq(decoded.firmware_version, "ABC\0\0\0\0\0", 8);
	ck_assert_uint_eq(decoded.life_a, 3);
	ck_assert_uint_eq(decoded.life_b, 11);
	ck_assert_uint_eq(decoded.pre_eol_info, 2);
	ck_assert(decoded.cmdq_support);
	ck_assert_uint_eq(decoded.cmdq_depth, 16);
	ck_assert_uint_eq(got.last.registers.extcsd[67], 0x5a);
	ck_assert_uint_eq(got.last.registers.extcsd[184], 1); /* a hand-written remark behind it */
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("input_mmc");

	tcase_add_test(tests, verbose);
	tcase_add_loop_test(tests, each_field_counts, 0, 2);
	tcase_add_test(tests, short_form);
	tcase_add_test(tests, extcsd);
	return run_tests(tests);
}
