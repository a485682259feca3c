/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What mmc-utils prints: "mmc cid read", "mmc csd read" with -v name every field by the standard's
 * own term and give the register back, but for its reserved bits. Without -v the maker's number
 * and most of the CSD are left out; then product, serial and size are kept as the device's, and the
 * registers stay unseen. The text of an SCR never holds what came after version 3.
 */
#include "input.h"

#include <ctype.h>
#include <string.h>

static const char left_out[] =
	"the tool's text leaves fields of them out: paste the files cid, csd and scr of sysfs";

unsigned int ca_input_mmc_begins(struct ca_span line, unsigned int *ret_marker)
{
	static const struct {
		const char *text;
		unsigned int kind, marker;
	} first[] = {{"======SD/CID", CA_INPUT_MMC_CID, 0},
		     {"======MMC/CID", CA_INPUT_MMC_CID, 0},
		     {"manufacturer: '", CA_INPUT_MMC_CID, 1},
		     {"manufacturer: 0x", CA_INPUT_MMC_CID, 1},
		     {"======SD/CSD", CA_INPUT_MMC_CSD, 0},
		     {"======MMC/CSD", CA_INPUT_MMC_CSD, 0},
		     {"card classes: ", CA_INPUT_MMC_CSD, 1},
		     {"version: MMC ", CA_INPUT_MMC_CSD, 2},
		     {"======SD/SCR", CA_INPUT_MMC_SCR, 0},
		     {"version: SD ", CA_INPUT_MMC_SCR, 1},
		     {"Extended CSD rev 1.", CA_INPUT_MMC_EXTCSD, 0}};

	for (size_t i = 0; i < CA_ARRAY_LEN(first); i++) {
		if (ca_span_starts_with(line, first[i].text)) {
			*ret_marker = first[i].marker;
			return first[i].kind;
		}
	}
	return CA_INPUT_NONE;
}

/* "NAME: VALUE" of one line; false when it is none. */
static bool split(struct ca_span *rest, struct ca_span *ret_name, struct ca_span *ret_value)
{
	struct ca_span line = ca_span_trim(ca_span_take_line(rest), " \t\r\b>");
	const char *colon = memchr(line.at, ':', line.len);

	if (!colon)
		return false;
	*ret_name = (struct ca_span){line.at, (size_t)(colon - line.at)};
	*ret_value = (struct ca_span){colon + 1, line.len - (size_t)(colon + 1 - line.at)};
	if (ret_value->len && ret_value->at[0] == ' ') {
		ret_value->at++;
		ret_value->len--;
	}
	return true;
}

static bool is_mmc(struct ca_span text)
{
	return ca_span_behind(text, "MMC/C").at || ca_span_behind(text, "'MMC'").at ||
	       ca_span_behind(text, "version: MMC").at;
}

static void set_type(struct ca_span text, struct ca_evidence *card, bool *ret_typed)
{
	card->registers.type = is_mmc(text) ? CA_CARD_TYPE_MMC : CA_CARD_TYPE_SD;
	*ret_typed = true;
}

static const struct ca_field *field_of(const char *layout, struct ca_span name)
{
	for (size_t i = 0; i < ca_fields_count; i++)
		if (strcmp(ca_fields[i].layout, layout) == 0 && ca_span_is(name, ca_fields[i].name))
			return &ca_fields[i];
	return NULL;
}

/* Sets the field of a 16-byte register if the number fits. */
static bool set_bits(uint8_t reg[16], const struct ca_field *field, uint64_t value)
{
	unsigned int width = field->msb - field->lsb + 1U;

	if (width < 64 && value >> width)
		return false;
	ca_bits_set(reg, 16, field->msb, field->lsb, value);
	return true;
}

/* ---- CID ------------------------------------------------------------------------------------ */

enum {
	SEEN_MID = 1,
	SEEN_OID = 2,
	SEEN_PNM = 4,
	SEEN_PRV = 8,
	SEEN_PSN = 16,
	SEEN_MDT = 32,
	SEEN_ALL = 63,
};

/* Characters as they stand; what was cut from the end of a line were spaces. */
static bool set_characters(uint8_t *at, size_t len, struct ca_span value)
{
	if (value.len > len)
		return false;
	memset(at, ' ', len);
	memcpy(at, value.at, value.len);
	return true;
}

static unsigned int set_cid_field(uint8_t cid[CA_CID_BYTES], bool mmc, struct ca_span name,
				  struct ca_span value)
{
	/* as it is printed, MDT is year and month in one; CBX: eMMC alone has it */
	static const struct {
		const char *name;
		unsigned int seen, bits, sd_lsb, mmc_lsb;
	} numbers[] = {{"MID", SEEN_MID, 8, 120, 120}, {"CBX", 0, 2, 112, 112},
		       {"PRV", SEEN_PRV, 8, 56, 48},   {"PSN", SEEN_PSN, 32, 24, 16},
		       {"MDT", SEEN_MDT, 0, 8, 8},     {"CRC", 0, 7, 1, 1}};
	uint64_t number;

	if (ca_span_is(name, "PNM"))
		return set_characters(cid + 3, mmc ? 6 : 5, value) ? SEEN_PNM : 0;
	if (ca_span_is(name, "OID") && !mmc)
		return set_characters(cid + 1, 2, value) ? SEEN_OID : 0;
	if (!ca_span_number(value, false, &number))
		return 0;
	if (ca_span_is(name, "OID") && number <= UINT8_MAX) {
		cid[2] = (uint8_t)number;
		return SEEN_OID;
	}
	for (size_t i = 0; i < CA_ARRAY_LEN(numbers); i++) {
		unsigned int bits = numbers[i].bits ? numbers[i].bits : mmc ? 8 : 12;
		unsigned int lsb = mmc ? numbers[i].mmc_lsb : numbers[i].sd_lsb;

		if (!ca_span_is(name, numbers[i].name) || number >> bits ||
		    (numbers[i].bits == 2 && !mmc))
			continue;
		ca_bits_set(cid, CA_CID_BYTES, lsb + bits - 1, lsb, number);
		return numbers[i].seen;
	}
	return 0;
}

/* 'SanDisk' 'SD' -> SanDisk/SD */
static void add_unquoted(struct ca_text *text, struct ca_span value)
{
	for (size_t i = 0; i < value.len; i++) {
		bool between = value.len - i > 2 && memcmp(value.at + i, "' '", 3) == 0;

		if (between)
			ca_text_add(text, "/");
		else if (value.at[i] != '\'')
			ca_text_add_len(text, value.at + i, 1);
		i += between ? 2 : 0;
	}
}

/* The form without -v: "manufacturer: 'SanDisk' 'SD'", "product: 'SD128' 8.5" ... */
static void set_product(struct ca_span text, struct ca_evidence *card)
{
	struct ca_device_facts *device = &card->device;
	struct ca_text model, serial;
	struct ca_span name, value;

	ca_text_init(&model, device->model, sizeof(device->model));
	ca_text_init(&serial, device->serial, sizeof(device->serial));
	while (text.len) {
		if (!split(&text, &name, &value))
			continue;
		if (ca_span_is(name, "serial")) {
			ca_text_add_len(&serial, value.at, value.len);
		} else if (ca_span_is(name, "manufacturer") || ca_span_is(name, "product") ||
			   ca_span_is(name, "manufacturing date")) {
			ca_text_add(&model, model.len ? ", " : "");
			add_unquoted(&model, value);
		}
	}
	(void)ca_string_copy(device->hidden_because, sizeof(device->hidden_because),
			     "mmc cid read without -v does not show the maker's number: paste the "
			     "output of mmc cid read -v, or the file cid of sysfs"); /* fits */
}

void ca_input_mmc_cid(struct ca_span text, struct ca_evidence *card, bool *ret_typed)
{
	uint8_t cid[CA_CID_BYTES] = {0};
	struct ca_span rest = text, name, value;
	bool mmc = is_mmc(text);
	unsigned int seen = 0;

	while (rest.len)
		if (split(&rest, &name, &value))
			seen |= set_cid_field(cid, mmc, name, value);
	set_type(text, card, ret_typed);
	if (seen != SEEN_ALL) {
		set_product(text, card);
		return;
	}
	if (cid[15]) /* a CRC ends in a one; without it the host did not pass it on */
		cid[15] |= 1;
	memcpy(card->registers.cid, cid, sizeof(cid));
	card->registers.has[CA_REGISTER_CID] = true;
}

/* ---- CSD ------------------------------------------------------------------------------------ */

/* mmc-utils prints neither reserved bits nor WP_UPC; of the CRC nothing else depends. */
static bool is_needed(const struct ca_field *field)
{
	return strcmp(field->name, "CRC") != 0 && strncmp(field->name, "RESERVED", 8) != 0 &&
	       strcmp(field->name, "NOT_USED") != 0 && strcmp(field->name, "WP_UPC") != 0;
}

/* "capacity: 119.1Gbyte (127865454592 bytes, ..." */
static void set_capacity(struct ca_span text, struct ca_evidence *card)
{
	struct ca_span behind = ca_span_behind(text, "byte (");
	uint64_t bytes;

	if (!behind.at || !ca_span_number(behind, false, &bytes) || !bytes)
		return;
	card->device.bytes = bytes;
	card->device.sector_bytes = CA_SECTOR_BYTES;
}

void ca_input_mmc_csd(struct ca_span text, struct ca_evidence *card, bool *ret_typed)
{
	const char *layout = is_mmc(text) ? "csd_mmc" : "csd_v2";
	struct ca_span rest = text, name, value;
	uint8_t csd[CA_CSD_BYTES] = {0};
	unsigned int seen = 0, needed = 0;
	uint64_t number;

	for (size_t i = 0; i < ca_fields_count; i++)
		needed += strcmp(ca_fields[i].layout, layout) == 0 && is_needed(&ca_fields[i]);
	while (rest.len) {
		const struct ca_field *field;

		if (!split(&rest, &name, &value))
			continue;
		field = field_of(layout, name);
		if (field && ca_span_number(value, false, &number))
			seen += set_bits(csd, field, number) && is_needed(field);
	}
	set_type(text, card, ret_typed);
	/* version 1 is not printed in full */
	if (seen == needed && (csd[0] >> 6 == 1 || is_mmc(text))) {
		csd[15] |= csd[15] ? 1 : 0;
		memcpy(card->registers.csd, csd, sizeof(csd));
		card->registers.has[CA_REGISTER_CSD] = true;
		return;
	}
	/* of an eMMC above 2 GB this size is that of a full field */
	if (!is_mmc(text))
		set_capacity(text, card);
	if (!card->device.hidden_because[0])
		(void)ca_string_copy(card->device.hidden_because,
				     sizeof(card->device.hidden_because), left_out); /* fits */
}

/* ---- EXT_CSD -------------------------------------------------------------------------------- */

/* Names as mmc-utils prints them, bytes of JESD84-B51 table 120. */
static const struct {
	const char *name;
	uint16_t offset;
	uint8_t bytes;
} ext_csd[] = {
	{"S_CMD_SET", 504, 1},
	{"HPI_FEATURE", 503, 1},
	{"BKOPS_SUPPORT", 502, 1},
	{"MAX_PACKED_READS", 501, 1},
	{"MAX_PACKED_WRITES", 500, 1},
	{"DATA_TAG_SUPPORT", 499, 1},
	{"TAG_UNIT_SIZE", 498, 1},
	{"TAG_RES_SIZE", 497, 1},
	{"CONTEXT_CAPABILITIES", 496, 1},
	{"LARGE_UNIT_SIZE_M1", 495, 1},
	{"EXT_SUPPORT", 494, 1},
	{"CMDQ_SUPPORT", 308, 1},
	{"EXT_CSD_DEVICE_LIFE_TIME_EST_TYP_B", 269, 1},
	{"EXT_CSD_DEVICE_LIFE_TIME_EST_TYP_A", 268, 1},
	{"EXT_CSD_PRE_EOL_INFO", 267, 1},
	{"DEVICE_LIFE_TIME_EST_TYP_B", 269, 1},
	{"DEVICE_LIFE_TIME_EST_TYP_A", 268, 1},
	{"PRE_EOL_INFO", 267, 1},
	{"CACHE_SIZE", 249, 4},
	{"GENERIC_CMD6_TIME", 248, 1},
	{"POWER_OFF_LONG_TIME", 247, 1},
	{"BKOPS_STATUS", 246, 1},
	{"INI_TIMEOUT_AP", 241, 1},
	{"PWR_CL_DDR_52_360", 239, 1},
	{"PWR_CL_DDR_52_195", 238, 1},
	{"PWR_CL_200_360", 237, 1},
	{"PWR_CL_200_195", 236, 1},
	{"MIN_PERF_DDR_W_8_52", 235, 1},
	{"MIN_PERF_DDR_R_8_52", 234, 1},
	{"TRIM_MULT", 232, 1},
	{"SEC_FEATURE_SUPPORT", 231, 1},
	{"SEC_ERASE_MULT", 230, 1},
	{"SEC_TRIM_MULT", 229, 1},
	{"BOOT_INFO", 228, 1},
	{"BOOT_SIZE_MULTI", 226, 1},
	{"ACC_SIZE", 225, 1},
	{"HC_ERASE_GRP_SIZE", 224, 1},
	{"ERASE_TIMEOUT_MULT", 223, 1},
	{"REL_WR_SEC_C", 222, 1},
	{"HC_WP_GRP_SIZE", 221, 1},
	{"S_C_VCC", 220, 1},
	{"S_C_VCCQ", 219, 1},
	{"S_A_TIMEOUT", 217, 1},
	{"SEC_COUNT", 212, 4},
	{"MIN_PERF_W_8_52", 210, 1},
	{"MIN_PERF_R_8_52", 209, 1},
	{"MIN_PERF_W_8_26_4_52", 208, 1},
	{"MIN_PERF_R_8_26_4_52", 207, 1},
	{"MIN_PERF_W_4_26", 206, 1},
	{"MIN_PERF_R_4_26", 205, 1},
	{"PWR_CL_26_360", 203, 1},
	{"PWR_CL_52_360", 202, 1},
	{"PWR_CL_26_195", 201, 1},
	{"PWR_CL_52_195", 200, 1},
	{"PARTITION_SWITCH_TIME", 199, 1},
	{"OUT_OF_INTERRUPT_TIME", 198, 1},
	{"DRIVER_STRENGTH", 197, 1},
	{"CARD_TYPE", 196, 1},
	{"CSD_STRUCTURE", 194, 1},
	{"CMD_SET", 191, 1},
	{"CMD_SET_REV", 189, 1},
	{"POWER_CLASS", 187, 1},
	{"HS_TIMING", 185, 1},
	{"STROBE_SUPPORT", 184, 1},
	{"ERASED_MEM_CONT", 181, 1},
	{"PARTITION_CONFIG", 179, 1},
	{"BOOT_CONFIG_PROT", 178, 1},
	{"BOOT_BUS_CONDITIONS", 177, 1},
	{"ERASE_GROUP_DEF", 175, 1},
	{"BOOT_WP_STATUS", 174, 1},
	{"BOOT_WP", 173, 1},
	{"USER_WP", 171, 1},
	{"FW_CONFIG", 169, 1},
	{"RPMB_SIZE_MULT", 168, 1},
	{"WR_REL_SET", 167, 1},
	{"WR_REL_PARAM", 166, 1},
	{"BKOPS_EN", 163, 1},
	{"RST_N_FUNCTION", 162, 1},
	{"HPI_MGMT", 161, 1},
	{"PARTITIONING_SUPPORT", 160, 1},
	{"MAX_ENH_SIZE_MULT", 157, 3},
	{"PARTITIONS_ATTRIBUTE", 156, 1},
	{"PARTITION_SETTING_COMPLETED", 155, 1},
	{"GP_SIZE_MULT_4", 152, 3},
	{"GP_SIZE_MULT_3", 149, 3},
	{"GP_SIZE_MULT_2", 146, 3},
	{"GP_SIZE_MULT_1", 143, 3},
	{"ENH_SIZE_MULT", 140, 3},
	{"ENH_START_ADDR", 136, 4},
	{"SEC_BAD_BLK_MGMNT", 134, 1},
	{"PERIODIC_WAKEUP", 131, 1},
	{"PROGRAM_CID_CSD_DDR_SUPPORT", 130, 1},
	{"NATIVE_SECTOR_SIZE", 63, 1},
	{"USE_NATIVE_SECTOR", 62, 1},
	{"DATA_SECTOR_SIZE", 61, 1},
	{"INI_TIMEOUT_EMU", 60, 1},
	{"CLASS_6_CTRL", 59, 1},
	{"DYNCAP_NEEDED", 58, 1},
	{"EXCEPTION_EVENTS_CTRL", 56, 2},
	{"EXCEPTION_EVENTS_STATUS", 54, 2},
	{"EXT_PARTITIONS_ATTRIBUTE", 52, 2},
	{"PACKED_COMMAND_STATUS", 36, 1},
	{"PACKED_FAILURE_INDEX", 35, 1},
	{"POWER_OFF_NOTIFICATION", 34, 1},
	{"CACHE_CTRL", 33, 1},
	{"BARRIER_CTRL", 31, 1},
};

/* "[NAME: 0x01]", "[NAME]: 0x01", "[NAME] is 65536 KiB", "[NAME[67]]: 0x00". */
static bool split_brackets(struct ca_span line, struct ca_span *ret_name, struct ca_span *ret_value)
{
	struct ca_span open = ca_span_behind(line, "[");
	size_t len = 0;

	if (!open.at)
		return false;
	while (len < open.len && (isalnum((unsigned char)open.at[len]) || open.at[len] == '_'))
		len++;
	*ret_name = (struct ca_span){open.at, len};
	open.at += len;
	open.len -= len;
	if (ca_span_starts_with(open, "] is"))
		open = (struct ca_span){open.at + 4, open.len - 4};
	*ret_value = ca_span_trim(open, "]: ");
	return true;
}

/* "[VENDOR_SPECIFIC_FIELD[67]]: 0x00", "[CONTEXT_CONF[51]]: 0x00": the byte is in the name. */
static void set_indexed(uint8_t extcsd[CA_EXTCSD_BYTES], struct ca_span value)
{
	struct ca_span behind = ca_span_behind(value, "]]:");
	uint64_t index, number;

	if (value.len < 2 || value.at[0] != '[' || !behind.at ||
	    !ca_span_number((struct ca_span){value.at + 1, value.len - 1}, false, &index) ||
	    !ca_span_number(ca_span_trim(behind, " "), false, &number) || number > UINT8_MAX)
		return;
	if ((index >= 64 && index <= 127) || (index >= 37 && index <= 51))
		extcsd[index] = (uint8_t)number;
}

static void set_extcsd_field(uint8_t extcsd[CA_EXTCSD_BYTES], struct ca_span name,
			     struct ca_span value)
{
	uint64_t number;

	if (ca_span_is(name, "VENDOR_SPECIFIC_FIELD") || ca_span_is(name, "CONTEXT_CONF")) {
		set_indexed(extcsd, value);
		return;
	}
	if (!ca_span_number(value, false, &number))
		return;
	/* printed as the depth it stands for */
	if (ca_span_is(name, "CMDQ_DEPTH") && number >= 1 && number <= 32)
		extcsd[307] = (uint8_t)(number - 1);
	for (size_t i = 0; i < CA_ARRAY_LEN(ext_csd); i++) {
		if (!ca_span_is(name, ext_csd[i].name) ||
		    (ext_csd[i].bytes < 8 && number >> 8 * ext_csd[i].bytes))
			continue;
		for (size_t j = 0; j < ext_csd[i].bytes; j++)
			extcsd[ext_csd[i].offset + j] = (uint8_t)(number >> 8 * j);
	}
}

bool ca_input_mmc_extcsd(struct ca_span text, uint8_t ret_extcsd[CA_EXTCSD_BYTES], bool *ret_whole)
{
	static const char firmware[] = "eMMC Firmware Version:";
	struct ca_span revision = ca_span_behind(text, "Extended CSD rev 1.");
	uint8_t extcsd[CA_EXTCSD_BYTES] = {0};
	uint64_t number;

	if (!revision.at || !ca_span_number(revision, false, &number) || number > 9)
		return false;
	extcsd[192] = (uint8_t)number;
	/* the last of use: life times from revision 7, the queue from 8; old tools know neither */
	*ret_whole = number < 7 ? ca_span_behind(text, "[PARTITION_CONFIG: ").at != NULL
				: ca_span_behind(text, "PRE_EOL_INFO").at != NULL &&
					  (number < 8 || ca_span_behind(text, "[CMDQ_DEPTH").at);
	while (text.len) {
		struct ca_span line = ca_span_trim(ca_span_take_line(&text), " \t\r>");
		struct ca_span name, value = ca_span_behind(line, firmware);

		if (value.at) {
			value = ca_span_trim(value, " ");
			memcpy(extcsd + 254, value.at, value.len < 8 ? value.len : 8);
		} else if (split_brackets(line, &name, &value)) {
			set_extcsd_field(extcsd, name, value);
		}
	}
	memcpy(ret_extcsd, extcsd, sizeof(extcsd));
	return true;
}
