/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/registers.h"

#include "unit/field_case.h"

#include <stdlib.h>

static const struct {
	enum ca_register reg;
	const char *name;
	size_t bytes;
} names[] = {
	{CA_REGISTER_CID, "cid", 16},
	{CA_REGISTER_CSD, "csd", 16},
	{CA_REGISTER_SCR, "scr", 8},
	{CA_REGISTER_SSR, "ssr", 64},
	{CA_REGISTER_EXTCSD, "ext_csd", 512},
	{CA_REGISTER_NVME_CTRL, "id_ctrl", 4096},
	{CA_REGISTER_NVME_NS, "id_ns", 4096},
	{CA_REGISTER_NVME_SMART, "smart_log", 512},
	{CA_REGISTER_EXT_PERF, "ext_perf", 1},
	{CA_REGISTER_EXT_POWER, "ext_power", 1},
	{CA_REGISTER_EXT_GENERAL, "ext_general", 512},
	{CA_REGISTER_EXT_POWER_SET, "ext_power_set", 512},
	{CA_REGISTER_EXT_PERF_SET, "ext_perf_set", 512},
};

START_TEST(each_register_has_a_name_and_a_place)
{
	static struct ca_raw_registers raw;
	uint8_t *place = ca_register_data_mutable(&raw, names[_i].reg);

	ck_assert_uint_eq(CA_ARRAY_LEN(names), CA_REGISTER_COUNT);
	ck_assert_str_eq(ca_register_name(names[_i].reg), names[_i].name);
	ck_assert_uint_eq(ca_register_bytes(names[_i].reg), names[_i].bytes);
	ck_assert_ptr_eq(ca_register_data(&raw, names[_i].reg), place);
	for (size_t i = 0; i < CA_ARRAY_LEN(names); i++) {
		const uint8_t *other = ca_register_data(&raw, names[i].reg);

		ck_assert(i == (size_t)_i || other >= place + names[_i].bytes ||
			  other + names[i].bytes <= place);
	}
	ck_assert_uint_le((size_t)(place - (uint8_t *)&raw) + names[_i].bytes, sizeof(raw));
}
END_TEST

START_TEST(places_are_the_members)
{
	static const struct ca_raw_registers raw;

	ck_assert_ptr_eq(ca_register_data(&raw, CA_REGISTER_CID), raw.cid);
	ck_assert_ptr_eq(ca_register_data(&raw, CA_REGISTER_CSD), raw.csd);
	ck_assert_ptr_eq(ca_register_data(&raw, CA_REGISTER_SCR), raw.scr);
	ck_assert_ptr_eq(ca_register_data(&raw, CA_REGISTER_SSR), raw.ssr);
	ck_assert_ptr_eq(ca_register_data(&raw, CA_REGISTER_EXTCSD), raw.extcsd);
	ck_assert_ptr_eq(ca_register_data(&raw, CA_REGISTER_NVME_CTRL), raw.nvme_ctrl);
	ck_assert_ptr_eq(ca_register_data(&raw, CA_REGISTER_NVME_NS), raw.nvme_ns);
	ck_assert_ptr_eq(ca_register_data(&raw, CA_REGISTER_NVME_SMART), raw.nvme_smart);
	ck_assert_ptr_eq(ca_register_data(&raw, CA_REGISTER_EXT_PERF), raw.ext_perf);
	ck_assert_ptr_eq(ca_register_data(&raw, CA_REGISTER_EXT_POWER), raw.ext_power);
	ck_assert_ptr_eq(ca_register_data(&raw, CA_REGISTER_EXT_GENERAL), raw.ext_general);
	ck_assert_ptr_eq(ca_register_data(&raw, CA_REGISTER_EXT_POWER_SET), raw.ext_power_set);
	ck_assert_ptr_eq(ca_register_data(&raw, CA_REGISTER_EXT_PERF_SET), raw.ext_perf_set);
}
END_TEST

static void put(struct ca_raw_registers *raw, enum ca_register reg, const char *hex)
{
	raw->has[reg] = true;
	hex_bytes(hex, ca_register_data_mutable(raw, reg), strlen(hex) / 2);
}

/* SanDisk 16 GB of 2017, all four registers from one card */
static struct ca_raw_registers sd_card(void)
{
	struct ca_raw_registers raw = {.type = CA_CARD_TYPE_SD};

	put(&raw, CA_REGISTER_CID, "035344534331364780ecf4c851011b85");
	put(&raw, CA_REGISTER_CSD, "400e00325b59000076b27f800a404013");
	put(&raw, CA_REGISTER_SCR, "0235804300000000");
	put(&raw, CA_REGISTER_SSR, "0000000004000000040090000f051a00000000000001");
	return raw;
}

START_TEST(a_card_decodes_as_a_whole)
{
	struct ca_raw_registers raw = sd_card();
	struct ca_registers registers;

	memset(&registers, 0x5a, sizeof(registers));
	ca_registers_decode(&raw, &registers);
	for (unsigned int i = 0; i < CA_REGISTER_COUNT; i++) {
		ck_assert_int_eq(registers.has[i], i <= CA_REGISTER_SSR);
		ck_assert(!registers.undecodable[i]);
	}
	ck_assert_str_eq(registers.cid.pnm, "SC16G");
	ck_assert_uint_eq(registers.csd.capacity_bytes, 15931539456);
	ck_assert_uint_eq(registers.scr.version_x100, 500);
	ck_assert_uint_eq(registers.ssr.app_perf_class, 1);
	ck_assert_uint_eq(registers.nvme_ns.nsze, 0);
	ck_assert_uint_eq(registers.extcsd.rev, 0);
}
END_TEST

START_TEST(all_registers_are_reached)
{
	static struct ca_raw_registers raw;
	struct ca_registers registers;

	memset(raw.has, true, sizeof(raw.has));
	raw.extcsd[192] = 8;
	raw.nvme_ctrl[0] = 1;
	raw.nvme_ns[0] = 2;
	raw.nvme_smart[3] = 3;
	raw.ext_perf[0] = 0x08;
	raw.ext_perf_set[6] = 15; /* the set is the one that counts */
	raw.ext_power[0] = 0x01;
	ca_registers_decode(&raw, &registers);
	for (unsigned int i = 0; i < CA_REGISTER_COUNT; i++)
		ck_assert(registers.has[i] && !registers.undecodable[i]);
	ck_assert_uint_eq(registers.extcsd.rev, 8);
	ck_assert_uint_eq(registers.nvme_ctrl.vid, 1);
	ck_assert_uint_eq(registers.nvme_ns.nsze, 2);
	ck_assert_uint_eq(registers.nvme_smart.available_spare, 3);
	ck_assert_uint_eq(registers.ext_perf.queue_depth, 16);
	ck_assert(!registers.ext_perf.cache && !registers.ext_power.off_notification);
	raw.has[CA_REGISTER_EXT_PERF_SET] = raw.has[CA_REGISTER_EXT_POWER_SET] = false;
	ca_registers_decode(&raw, &registers);
	ck_assert(registers.ext_perf.cache && registers.ext_power.off_notification);
	ck_assert_uint_eq(registers.cid.mdt_year, 2000); /* an SD year is never moved */
}
END_TEST

START_TEST(nothing_read_is_nothing_decoded)
{
	static const struct ca_raw_registers raw;
	struct ca_registers registers;

	memset(&registers, 0x5a, sizeof(registers));
	ca_registers_decode(&raw, &registers);
	ck_assert(ca_bytes_is_all(&registers, sizeof(registers), 0));
}
END_TEST

START_TEST(unknown_structures_are_marked)
{
	struct ca_raw_registers raw = sd_card();
	struct ca_registers registers;

	raw.csd[0] = 0xc0;
	raw.scr[0] = 0x12;
	ca_registers_decode(&raw, &registers);
	ck_assert(!registers.has[CA_REGISTER_CSD] && registers.undecodable[CA_REGISTER_CSD]);
	ck_assert(!registers.has[CA_REGISTER_SCR] && registers.undecodable[CA_REGISTER_SCR]);
	ck_assert(registers.has[CA_REGISTER_CID] && !registers.undecodable[CA_REGISTER_CID]);
	ck_assert_uint_eq(registers.csd.capacity_bytes, 0);
	ck_assert_uint_eq(registers.scr.sd_spec, 0);
}
END_TEST

static struct ca_raw_registers emmc_card(void)
{
	struct ca_raw_registers raw = {.type = CA_CARD_TYPE_MMC};

	put(&raw, CA_REGISTER_CID, "1501004d384731474303dc0db061506f");
	put(&raw, CA_REGISTER_CSD, "d02701320f5903fff6dbffef8e40400d");
	raw.has[CA_REGISTER_EXTCSD] = true;
	raw.extcsd[192] = 7;
	return raw;
}

START_TEST(emmc_year_needs_the_ext_csd)
{
	struct ca_raw_registers raw = emmc_card();
	struct ca_registers registers;

	ca_registers_decode(&raw, &registers);
	ck_assert_str_eq(registers.cid.pnm, "M8G1GC");
	ck_assert_uint_eq(registers.cid.mdt_year, 2013);
	ck_assert_int_eq(registers.csd.version, CA_CSD_MMC);
	raw.has[CA_REGISTER_EXTCSD] = false;
	ca_registers_decode(&raw, &registers);
	ck_assert_uint_eq(registers.cid.mdt_year, 1997);
}
END_TEST

START_TEST(the_first_mmc_cards_have_another_cid)
{
	struct ca_raw_registers raw = emmc_card();
	struct ca_registers registers;

	ca_bits_set(raw.csd, CA_CSD_BYTES, 125, 122, 1);
	ca_registers_decode(&raw, &registers);
	ck_assert(!registers.has[CA_REGISTER_CID] && registers.undecodable[CA_REGISTER_CID]);
	ck_assert_uint_eq(registers.cid.mid, 0);
	ck_assert(registers.has[CA_REGISTER_CSD]);
	ca_bits_set(raw.csd, CA_CSD_BYTES, 125, 122, 2);
	ca_registers_decode(&raw, &registers);
	ck_assert(registers.has[CA_REGISTER_CID] && !registers.undecodable[CA_REGISTER_CID]);
}
END_TEST

static const struct {
	const char *cid, *masked;
	enum ca_card_type type;
	enum ca_crc crc;
} masks[] = {
	{"035344534331364780ecf4c851011b85", "03534453433136478000000000011b00", CA_CARD_TYPE_SD,
	 CA_CRC_GOOD},
	{"035344534331364780ecf4c851011b87", "03534453433136478000000000011b00", CA_CARD_TYPE_SD,
	 CA_CRC_BAD},
	{"1b534d474638533530d8466363a16700", "1b534d47463853353000000000a16700", CA_CARD_TYPE_SD,
	 CA_CRC_ABSENT},
	{"1501004d384731474303dc0db061506f", "1501004d384731474303000000005000", CA_CARD_TYPE_MMC,
	 CA_CRC_GOOD},
};

START_TEST(masking_blanks_the_serial_and_keeps_the_finding)
{
	struct ca_raw_registers raw = {.type = masks[_i].type};
	struct ca_registers before, after;
	uint8_t masked[CA_CID_BYTES];

	put(&raw, CA_REGISTER_CID, masks[_i].cid);
	hex_bytes(masks[_i].masked, masked, sizeof(masked));
	ca_registers_decode(&raw, &before);
	for (int again = 0; again < 2; again++) {
		ca_registers_mask(&raw);
		ck_assert(raw.masked);
		ck_assert_mem_eq(raw.cid, masked, sizeof(masked));
		ck_assert_int_eq(raw.masked_cid_crc, (int)masks[_i].crc);
	}
	ca_registers_decode(&raw, &after);
	ck_assert_int_eq(after.cid.crc, masks[_i].crc);
	ck_assert_uint_eq(after.cid.psn, 0);
	ck_assert_uint_eq(after.cid.mid, before.cid.mid);
	ck_assert_str_eq(after.cid.pnm, before.cid.pnm);
	ck_assert_uint_eq(after.cid.prv, before.cid.prv);
	ck_assert_uint_eq(after.cid.mdt_month, before.cid.mdt_month);
	ck_assert_uint_eq(after.cid.mdt_year, before.cid.mdt_year);
}
END_TEST

START_TEST(masking_blanks_what_tells_nvme_drives_apart)
{
	static struct ca_raw_registers raw;

	raw.has[CA_REGISTER_NVME_CTRL] = raw.has[CA_REGISTER_NVME_NS] = true;
	memset(raw.nvme_ctrl, 0xff, sizeof(raw.nvme_ctrl));
	memset(raw.nvme_ns, 0xff, sizeof(raw.nvme_ns));
	ca_registers_mask(&raw);
	ck_assert_int_eq(raw.masked_cid_crc, CA_CRC_ABSENT);
	for (size_t i = 0; i < CA_NVME_ID_BYTES; i++) {
		bool sn = i >= 4 && i <= 23, fguid = i >= 112 && i <= 127;
		bool subnqn = i >= 768 && i <= 1023, nguid_eui64 = i >= 104 && i <= 127;

		ck_assert_uint_eq(raw.nvme_ctrl[i], sn || fguid || subnqn ? 0 : 0xff);
		ck_assert_uint_eq(raw.nvme_ns[i], nguid_eui64 ? 0 : 0xff);
	}
}
END_TEST

START_TEST(a_masked_state_that_is_none_is_ignored)
{
	struct ca_raw_registers raw = sd_card();
	struct ca_registers registers;

	ca_registers_mask(&raw);
	raw.masked_cid_crc = 77;
	ca_registers_decode(&raw, &registers);
	ck_assert_int_eq(registers.cid.crc, CA_CRC_ABSENT);
}
END_TEST

/* ---- the field table ------------------------------------------------------------------------ */

static const struct {
	const char *name;
	unsigned int bits; /* 0: counted in bytes */
} layouts[] = {
	{"cid_sd", 128},    {"cid_mmc", 128},	  {"csd_v1", 128},     {"csd_v2", 128},
	{"csd_v3", 128},    {"csd_mmc", 128},	  {"scr", 64},	       {"ssr", 512},
	{"ocr_sd", 32},	    {"ocr_mmc", 32},	  {"ext_perf", 8},     {"ext_power", 8},
	{"extcsd", 0},	    {"nvme_ctrl", 0},	  {"nvme_ns", 0},      {"nvme_smart", 0},
	{"ext_general", 0}, {"ext_power_set", 0}, {"ext_perf_set", 0},
};

START_TEST(layouts_tile_their_register)
{
	unsigned int next = layouts[_i].bits, rows = 0;

	for (size_t i = 0; i < ca_fields_count; i++) {
		const struct ca_field *field = &ca_fields[i];

		if (strcmp(field->layout, layouts[_i].name) != 0)
			continue;
		rows++;
		ck_assert_uint_ge(field->msb, field->lsb);
		ck_assert_str_ne(field->meaning, "");
		ck_assert_str_ne(field->clause, "");
		if (!layouts[_i].bits) {
			ck_assert_uint_eq(field->lsb, next);
			next = field->msb + 1U;
			continue;
		}
		ck_assert_uint_eq(field->msb + 1U, next);
		next = field->lsb;
	}
	ck_assert_uint_gt(rows, 0);
	if (layouts[_i].bits)
		ck_assert_uint_eq(next, 0);
	else
		ck_assert(next == 512 || next == 4096);
}
END_TEST

static const struct ca_field *find_field(const char *layout, const char *name)
{
	for (size_t i = 0; i < ca_fields_count; i++)
		if (strcmp(ca_fields[i].layout, layout) == 0 &&
		    strcmp(ca_fields[i].name, name) == 0)
			return &ca_fields[i];
	return NULL;
}

/* The CSD decoder reads these through the macros of version 1.0, whatever the version. */
static const char *const shared_by_all[] = {
	"CSD_STRUCTURE",
	"TAAC",
	"NSAC",
	"TRAN_SPEED",
	"CCC",
	"READ_BL_LEN",
	"READ_BL_PARTIAL",
	"WRITE_BLK_MISALIGN",
	"READ_BLK_MISALIGN",
	"DSR_IMP",
	"WP_GRP_ENABLE",
	"R2W_FACTOR",
	"WRITE_BL_LEN",
	"WRITE_BL_PARTIAL",
	"FILE_FORMAT_GRP",
	"COPY",
	"PERM_WRITE_PROTECT",
	"TMP_WRITE_PROTECT",
	"FILE_FORMAT",
	"CRC",
	"NOT_USED",
};
static const char *const shared_by_sd[] = {
	"RESERVED_125_120", "ERASE_BLK_EN",   "SECTOR_SIZE", "WP_GRP_SIZE",
	"RESERVED_30_29",   "RESERVED_20_16", "WP_UPC",	     "RESERVED_8",
};
static const char *const shared_with_mmc[] = {
	"RESERVED_75_74", "C_SIZE",	    "VDD_R_CURR_MIN", "VDD_R_CURR_MAX",
	"VDD_W_CURR_MIN", "VDD_W_CURR_MAX", "C_SIZE_MULT",
};

static void assert_shared(const char *layout, const char *const *shared, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct ca_field *first = find_field("csd_v1", shared[i]);
		const struct ca_field *field = find_field(layout, shared[i]);

		ck_assert_msg(first && field, "%s has no %s", layout, shared[i]);
		ck_assert_uint_eq(field->msb, first->msb);
		ck_assert_uint_eq(field->lsb, first->lsb);
	}
}

START_TEST(csd_layouts_share_what_the_decoder_shares)
{
	assert_shared("csd_v2", shared_by_all, CA_ARRAY_LEN(shared_by_all));
	assert_shared("csd_v3", shared_by_all, CA_ARRAY_LEN(shared_by_all));
	assert_shared("csd_mmc", shared_by_all, CA_ARRAY_LEN(shared_by_all));
	assert_shared("csd_v2", shared_by_sd, CA_ARRAY_LEN(shared_by_sd));
	assert_shared("csd_v3", shared_by_sd, CA_ARRAY_LEN(shared_by_sd));
	assert_shared("csd_mmc", shared_with_mmc, CA_ARRAY_LEN(shared_with_mmc));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("registers");
	TCase *tcase = tcase_create("registers");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, each_register_has_a_name_and_a_place, 0,
			    (int)CA_ARRAY_LEN(names));
	tcase_add_test(tcase, places_are_the_members);
	tcase_add_test(tcase, a_card_decodes_as_a_whole);
	tcase_add_test(tcase, all_registers_are_reached);
	tcase_add_test(tcase, nothing_read_is_nothing_decoded);
	tcase_add_test(tcase, unknown_structures_are_marked);
	tcase_add_test(tcase, emmc_year_needs_the_ext_csd);
	tcase_add_test(tcase, the_first_mmc_cards_have_another_cid);
	tcase_add_loop_test(tcase, masking_blanks_the_serial_and_keeps_the_finding, 0,
			    (int)CA_ARRAY_LEN(masks));
	tcase_add_test(tcase, masking_blanks_what_tells_nvme_drives_apart);
	tcase_add_test(tcase, a_masked_state_that_is_none_is_ignored);
	tcase_add_loop_test(tcase, layouts_tile_their_register, 0, (int)CA_ARRAY_LEN(layouts));
	tcase_add_test(tcase, csd_layouts_share_what_the_decoder_shares);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
