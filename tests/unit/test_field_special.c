/* SPDX-License-Identifier: BSD-2-Clause */
/* Fields that other fields explain, against the values the standards and real cards give. */
#include "cardassay/registers.h"

#include "unit/field_case.h"

static const struct ca_field *find(const char *layout, const char *name)
{
	for (const struct ca_field *f = ca_field_first(layout); f; f = ca_field_next(f))
		if (strcmp(f->name, name) == 0)
			return f;
	ck_abort_msg("no field %s.%s", layout, name);
	return NULL;
}

static char buf[CA_FIELD_TEXT_BYTES];

static const char *value_in(const struct ca_raw_registers *raw, enum ca_register reg,
			    const char *name)
{
	struct ca_registers registers;
	struct ca_text text;

	ca_registers_decode(raw, &registers);
	ca_text_init(&text, buf, sizeof(buf));
	ca_field_value_text(find(ca_register_layout(raw, reg), name), &registers,
			    ca_register_data(raw, reg), ca_register_bytes(reg), &text);
	return buf;
}

/* One register alone. */
static const struct {
	enum ca_card_type type;
	enum ca_register reg;
	const char *hex, *name, *value;
} cards[] = {
	/* SanDisk 16 GB; the second with one bit of the checksum changed, the third stripped */
	{CA_CARD_TYPE_SD, CA_REGISTER_CID, "035344534331364780ecf4c851011b85", "CRC", "good"},
	{CA_CARD_TYPE_SD, CA_REGISTER_CID, "035344534331364780ecf4c851011b87", "CRC",
	 "bad: the register does not match its checksum"},
	{CA_CARD_TYPE_SD, CA_REGISTER_CID, "035344534331364780ecf4c851011b00", "CRC",
	 "not passed on by this host"},
	{CA_CARD_TYPE_SD, CA_REGISTER_CID, "035344534331364780ecf4c851011b85", "MDT_YEAR", "2017"},
	{CA_CARD_TYPE_SD, CA_REGISTER_CID, "035344534331364780ecf4c851011b85", "MDT_MONTH",
	 "November"},
	{CA_CARD_TYPE_SD, CA_REGISTER_CID, "035344534331364780ecf4c851011b85", "PNM", "\"SC16G\""},
	{CA_CARD_TYPE_SD, CA_REGISTER_CID, "035344534331364780ecf4c851011085", "MDT_MONTH",
	 "reserved code 0"},
	{CA_CARD_TYPE_MMC, CA_REGISTER_CID, "1501004d384731474303dc0db061506f", "PNM",
	 "\"M8G1GC\""},
	{CA_CARD_TYPE_MMC, CA_REGISTER_CID, "1501004d384731474303dc0db061506f", "CBX", "BGA"},
	{CA_CARD_TYPE_SD, CA_REGISTER_CSD, "400e00325b59000076b27f800a404013", "C_SIZE",
	 "15931539456 bytes, 15.9 GB (14.8 GiB)"},
	{CA_CARD_TYPE_SD, CA_REGISTER_CSD, "400e00325b59000076b27f800a404013", "TAAC", "1.0 ms"},
	{CA_CARD_TYPE_SD, CA_REGISTER_CSD, "400e00325b59000076b27f800a404013", "TRAN_SPEED",
	 "25 Mbit/s a line"},
	{CA_CARD_TYPE_SD, CA_REGISTER_CSD, "400e00325b59000076b27f800a404013", "CCC",
	 "classes 0 2 4 5 7 8 10"},
	{CA_CARD_TYPE_SD, CA_REGISTER_CSD, "400e002b000900000000000000000000", "TRAN_SPEED",
	 "200 Mbit/s a line"},
	{CA_CARD_TYPE_SD, CA_REGISTER_CSD, "400e000b000900000000000000000000", "CCC", "none"},
	{CA_CARD_TYPE_SD, CA_REGISTER_CSD, "400600070009000000000000000000ff", "TRAN_SPEED",
	 "reserved code"},
	{CA_CARD_TYPE_SD, CA_REGISTER_CSD, "400600070009000000000000000000ff", "TAAC",
	 "reserved code"},
	{CA_CARD_TYPE_SD, CA_REGISTER_CSD, "002600325b59000076b27f800a404013", "TAAC", "1.5 ms"},
	/* SDUC: 28 bits of FFFFFFFh are 128 TiB */
	{CA_CARD_TYPE_SD, CA_REGISTER_CSD, "800e00325b590fffffff7f800a400001", "C_SIZE",
	 "140737488355328 bytes, 140.7 TB (128 TiB)"},
	{CA_CARD_TYPE_MMC, CA_REGISTER_CSD, "d02701320f5903fff6dbffef8e40400d", "C_SIZE",
	 "above 2 GB: EXT_CSD has it"},
	{CA_CARD_TYPE_MMC, CA_REGISTER_CSD, "d02701320f5903fff6dbffef8e40400d", "TRAN_SPEED",
	 "26 Mbit/s a line"},
	{CA_CARD_TYPE_MMC, CA_REGISTER_CSD, "d02701320f5903fff6dbffef8e40400d", "SPEC_VERS",
	 "MMC 4.0 or later"},
	{CA_CARD_TYPE_SD, CA_REGISTER_SCR, "0235804300000000", "SD_SPEC", "5.00"},
	{CA_CARD_TYPE_SD, CA_REGISTER_SCR, "0335804300000000", "SD_SPEC", "a reserved combination"},
	{CA_CARD_TYPE_SD, CA_REGISTER_SCR, "0235804300000000", "SD_BUS_WIDTHS", "1 line, 4 lines"},
	{CA_CARD_TYPE_SD, CA_REGISTER_EXT_PERF, "18", "COMMAND_QUEUE", "yes"},
	{CA_CARD_TYPE_SD, CA_REGISTER_EXT_PERF, "18", "HOST_MAINTENANCE", "no"},
	{CA_CARD_TYPE_SD, CA_REGISTER_EXT_POWER, "80", "RESERVED_7_3", "set, though reserved"},
};

START_TEST(fields_of_one_register)
{
	static struct ca_raw_registers raw;

	memset(&raw, 0, sizeof(raw));
	raw.type = cards[_i].type;
	raw.has[cards[_i].reg] = true;
	hex_bytes(cards[_i].hex, ca_register_data_mutable(&raw, cards[_i].reg),
		  ca_register_bytes(cards[_i].reg));
	ck_assert_str_eq(value_in(&raw, cards[_i].reg, cards[_i].name), cards[_i].value);
}
END_TEST

/* Kingston Canvas Go! Plus of 2019, as its owner printed the SSR. */
static const struct {
	const char *name, *value;
} go_plus[] = {
	{"SIZE_OF_PROTECTED_AREA", "128 MiB"},
	{"SPEED_CLASS", "class 10"},
	{"AU_SIZE", "4 MiB"},
	{"ERASE_SIZE", "1 AUs"},
	{"ERASE_TIMEOUT", "6 s"},
	{"ERASE_OFFSET", "3 s"},
	{"UHS_SPEED_GRADE", "U3"},
	{"UHS_AU_SIZE", "4 MiB"},
	{"VIDEO_SPEED_CLASS", "V30"},
	{"VSC_AU_SIZE", "8 MiB in units of 8 MiB"},
	{"SUS_ADDR", "none"},
	{"APP_PERF_CLASS", "A2"},
	{"PERFORMANCE_ENHANCE_CQ", "32 commands"},
	{"PERFORMANCE_ENHANCE_CACHE", "yes"},
	{"DISCARD_SUPPORT", "yes"},
	{"FULE_SUPPORT", "yes"},
	{"MANUFACTURER", ""},
};

START_TEST(a_real_ssr)
{
	static struct ca_raw_registers raw = {.has = {[CA_REGISTER_SSR] = true}};

	hex_bytes("000000000800000004009000011b391e000800000002ff0003", raw.ssr, 25);
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_SSR, go_plus[_i].name), go_plus[_i].value);
}
END_TEST

START_TEST(the_protected_area_of_small_cards_has_units)
{
	static struct ca_raw_registers raw = {
		.has = {[CA_REGISTER_SSR] = true, [CA_REGISTER_CSD] = true}};

	/* 1 GB card: READ_BL_LEN 9, C_SIZE_MULT 7, so 256 KiB a unit */
	hex_bytes("007f00325b5a83d1ffffff8016800099", raw.csd, CA_CSD_BYTES);
	raw.ssr[7] = 0x28;
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_SSR, "SIZE_OF_PROTECTED_AREA"), "20 MiB");
	raw.has[CA_REGISTER_CSD] = false; /* without a CSD there is no unit but the byte */
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_SSR, "SIZE_OF_PROTECTED_AREA"), "40 bytes");
	raw.ssr[16] = 0;
	raw.ssr[17] = 9; /* no AU of T4-56 */
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_SSR, "VSC_AU_SIZE"),
			 "9 MiB, which no rule allows");
}
END_TEST

START_TEST(emmc)
{
	static struct ca_raw_registers raw = {
		.type = CA_CARD_TYPE_MMC,
		.has = {[CA_REGISTER_EXTCSD] = true, [CA_REGISTER_CID] = true}};

	hex_bytes("1501004d384731474303dc0db061506f", raw.cid, CA_CID_BYTES);
	raw.extcsd[192] = 7;
	ca_put_le32(raw.extcsd + 212, 15269888);
	raw.extcsd[226] = raw.extcsd[168] = 32;
	raw.extcsd[249] = 0;
	raw.extcsd[251] = 1; /* 10000h KiB */
	memcpy(raw.extcsd + 254, "\x05\0\0\0\0\0\0\0", 8);
	raw.extcsd[267] = 2;
	raw.extcsd[268] = 1;
	raw.extcsd[269] = 11;
	raw.extcsd[307] = 0x1f;
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_CID, "MDT_YEAR"), "2013");
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_EXTCSD, "EXT_CSD_REV"), "eMMC 5.0");
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_EXTCSD, "SEC_COUNT"),
			 "7818182656 bytes, 7.8 GB (7.3 GiB)");
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_EXTCSD, "BOOT_SIZE_MULT"), "4 MiB");
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_EXTCSD, "RPMB_SIZE_MULT"), "4 MiB");
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_EXTCSD, "CACHE_SIZE"), "64 MiB");
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_EXTCSD, "FIRMWARE_VERSION"), "\"\\x05\"");
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_EXTCSD, "PRE_EOL_INFO"),
			 "warning: 80 % of the spare blocks used");
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_EXTCSD, "DEVICE_LIFE_TIME_EST_TYP_A"),
			 "0 to 10 % used");
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_EXTCSD, "DEVICE_LIFE_TIME_EST_TYP_B"),
			 "beyond its estimated life");
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_EXTCSD, "CMDQ_DEPTH"), "no queue");
	raw.extcsd[308] = 1;
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_EXTCSD, "CMDQ_DEPTH"), "32 commands");
	raw.extcsd[268] = 12;
	raw.extcsd[269] = 0;
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_EXTCSD, "DEVICE_LIFE_TIME_EST_TYP_A"),
			 "reserved code");
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_EXTCSD, "DEVICE_LIFE_TIME_EST_TYP_B"),
			 "not stated");
}
END_TEST

/* A 2 GB eMMC 4.41, bytes 144 to 241 as printed in issue 107 of linux4sam/at91bootstrap. */
static const char emmc_441[] = "00000000000000000000000000ca010003000000000005000100000000000000"
			       "0000000000000000000000000000000005000200070002010000000000080808"
			       "0808080000000000001000080800010100050800070302150600000000000000"
			       "007a";
static const struct {
	const char *name, *value;
} emmc_441_fields[] = {
	{"EXT_CSD_REV", "eMMC 4.41"},
	{"CSD_STRUCTURE", "version 1.2"},
	{"DEVICE_TYPE", "26 MHz, 52 MHz, DDR52 1.8 V"},
	{"OUT_OF_INTERRUPT_TIME", "20 ms"},
	{"PARTITION_SWITCH_TIME", "10 ms"},
	{"SEC_COUNT", "not stated"}, /* up to 2 GB the CSD has it */
	{"BOOT_SIZE_MULT", "1 MiB"},
	{"RPMB_SIZE_MULT", "128 KiB"},
	{"PARTITIONING_SUPPORT", "partitions, enhanced areas"},
	{"WR_REL_PARAM", "settings can be changed, enhanced reliable write"},
	{"HC_WP_GRP_SIZE", "not stated"},
	{"REL_WR_SEC_C", "1 sectors"},
	{"ERASE_TIMEOUT_MULT", "300 ms"},
	{"SEC_FEATURE_SUPPORT", "secure erase, automatic erase of bad blocks, trim"},
	{"TRIM_MULT", "1800 ms"},
	{"MIN_PERF_R_4_26", "2400 kB/s"},
	{"INI_TIMEOUT_AP", "12200 ms"},
	{"CACHE_SIZE", "none"},
	{"PRE_EOL_INFO", "not stated"},
};

START_TEST(a_real_ext_csd)
{
	static struct ca_raw_registers raw = {.type = CA_CARD_TYPE_MMC,
					      .has = {[CA_REGISTER_EXTCSD] = true}};

	hex_bytes(emmc_441, raw.extcsd + 144, 241 - 144 + 1);
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_EXTCSD, emmc_441_fields[_i].name),
			 emmc_441_fields[_i].value);
}
END_TEST

START_TEST(nvme)
{
	static struct ca_raw_registers raw = {
		.has = {[CA_REGISTER_NVME_CTRL] = true, [CA_REGISTER_NVME_NS] = true}};
	uint8_t *psd = raw.nvme_ctrl + 2048, *lbaf = raw.nvme_ns + 128;

	memcpy(raw.nvme_ctrl + 73, "\x38\x25\x00", 3);
	ca_put_le32(raw.nvme_ctrl + 80, 0x10401);
	raw.nvme_ctrl[263] = 1;
	psd[0] = 0x1e; /* 5.42 W */
	psd[1] = 0x02;
	psd[32] = 50;
	psd[32 + 3] = 3; /* 0.0050 W, not working */
	ca_put_le32(psd + 32 + 4, 4200);
	ca_put_le32(psd + 32 + 8, 80000);
	raw.nvme_ns[25] = 1;
	raw.nvme_ns[26] = 0x11;
	lbaf[2] = 9;
	lbaf[3] = 2;
	lbaf[4] = 8;
	lbaf[6] = 12;
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_NVME_CTRL, "IEEE"), "00:25:38");
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_NVME_CTRL, "VER"), "1.4.1");
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_NVME_CTRL, "PSD0"),
			 "5.42 W, working, entry 0 us, exit 0 us");
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_NVME_CTRL, "PSD1"),
			 "0.0050 W, not working, entry 4200 us, exit 80000 us");
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_NVME_CTRL, "PSD2"), "no such state");
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_NVME_NS, "FLBAS"),
			 "format 1, metadata behind the data");
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_NVME_NS, "LBAF0"), "512 bytes, speed good");
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_NVME_NS, "LBAF1"),
			 "4096 bytes and 8 of metadata, speed best, in use");
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_NVME_NS, "LBAF2"), "not used");
	lbaf[63 * 4] = 1; /* metadata, but no data */
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_NVME_NS, "LBAF63"), "no block size");
}
END_TEST

START_TEST(extension_list)
{
	static struct ca_raw_registers raw = {
		.has = {[CA_REGISTER_EXT_GENERAL] = true, [CA_REGISTER_EXT_PERF_SET] = true}};

	ck_assert_str_eq(value_in(&raw, CA_REGISTER_EXT_GENERAL, "RECORDS"), "none");
	raw.ext_general[4] = 2;
	raw.ext_general[16] = 2;
	raw.ext_general[16 + 40] = 64;
	ca_put_le32(raw.ext_general + 16 + 44, 2U << 18 | 3U << 9 | 4);
	raw.ext_general[64] = 9;
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_EXT_GENERAL, "RECORDS"),
			 "performance enhancement at function 2 page 3 offset 4; "
			 "reserved at function 0 page 0 offset 0");
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_EXT_PERF_SET, "CQ_DEPTH"), "none");
	raw.ext_perf_set[6] = 0xff;
	ck_assert_str_eq(value_in(&raw, CA_REGISTER_EXT_PERF_SET, "CQ_DEPTH"), "32 commands");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("field_special");
	TCase *tcase = tcase_create("field_special");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, fields_of_one_register, 0, CA_ARRAY_LEN(cards));
	tcase_add_loop_test(tcase, a_real_ssr, 0, CA_ARRAY_LEN(go_plus));
	tcase_add_test(tcase, the_protected_area_of_small_cards_has_units);
	tcase_add_test(tcase, emmc);
	tcase_add_loop_test(tcase, a_real_ext_csd, 0, CA_ARRAY_LEN(emmc_441_fields));
	tcase_add_test(tcase, nvme);
	tcase_add_test(tcase, extension_list);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
