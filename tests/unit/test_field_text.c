/* SPDX-License-Identifier: BSD-2-Clause */
/* The kinds of the column `decode` on rows of our own, then every row of specs/fields.tsv. */
#include "cardassay/registers.h"

#include "unit/field_case.h"

static char buf[CA_FIELD_TEXT_BYTES];
static struct ca_text text;

static const char *raw_of(const struct ca_field *field, const uint8_t *data, size_t bytes)
{
	ca_text_init(&text, buf, sizeof(buf));
	ca_field_raw_text(field, data, bytes, &text);
	ck_assert(!text.cut);
	return buf;
}

static const char *value_of(const struct ca_field *field, const struct ca_registers *registers,
			    const uint8_t *data, size_t bytes)
{
	ca_text_init(&text, buf, sizeof(buf));
	ca_field_value_text(field, registers, data, bytes, &text);
	ck_assert(!text.cut);
	return buf;
}

static const struct {
	const char *decode, *value;
	uint8_t byte;
} kinds[] = {
	{"raw", "", 7},
	{"reserved", "clear", 0},
	{"reserved", "set, though reserved", 1},
	{"flag", "yes", 1},
	{"flag", "no", 0},
	{"codes|0=none|7=seven", "seven", 7},
	{"codes|0=none|7=seven", "reserved code 70", 70},
	{"codes|70=other|7=seven", "seven", 7},
	{"number", "200", 200},
	{"number ms", "200 ms", 200},
	{"number MB/s|255=infinite", "infinite", 255},
	{"number MB/s|255=infinite", "25 MB/s", 25},
	{"linear 100 0 ms", "300 ms", 3},
	{"linear 1 2000", "2019", 19},
	{"linear 1 1 commands|0=none", "32 commands", 31},
	{"linear 1 1 commands|0=none", "none", 0},
	{"size 131072 0|0=none", "4 MiB", 32},
	{"size 131072 0|0=none", "none", 0},
	{"size 1048576 1", "1 MiB", 0},
	{"size 512 0", "512 bytes", 1},
	{"size 512000 0", "500 KiB", 1},
	{"size 512000 0", "2560000 bytes, 2.6 MB (2.4 MiB)", 5},
	{"size 1048576 0", "200 MiB", 200},
	{"power2 bytes", "512 bytes", 9},
	{"power2", "more than 64 bits hold", 64},
	{"bits|0=a|3=b", "a, b", 9},
	{"bits|0=a|3=b", "a, bit 1, bit 7", 0x83},
	{"bits|0=a|3=b", "none", 0},
	{"bits off|0=on", "on", 1},
	{"bits off|0=on", "off", 0},
	{"bits|0=a|3:1=slots|4=b", "a, slots 3, b", 0x17},
	{"bits|3:0=least 2^|7:4=most 2^", "least 2^6, most 2^6", 0x66},
	{"bcd", "8.0", 0x80},
	{"bcd", "f.a", 0xfa},
	{"kelvin|0=absent", "absent", 0},
	{"kelvin|0=absent", "200 K, -73 degrees C", 200},
	{"hex", "c8", 0xc8},
	{"ascii", "\"A\"", 'A'},
	{"ascii", "\"\\x1b\"", 0x1b},
	{"ascii", "\"\\\\\"", '\\'},
	{"ascii", "\"\"", ' '},
};

START_TEST(kinds_of_values)
{
	static const struct ca_registers registers;
	const struct ca_field field = {.layout = "extcsd", .decode = kinds[_i].decode};
	const uint8_t data[CA_EXTCSD_BYTES] = {kinds[_i].byte};

	ck_assert_str_eq(value_of(&field, &registers, data, sizeof(data)), kinds[_i].value);
}
END_TEST

static const struct {
	const char *layout, *decode, *raw;
	uint16_t msb, lsb;
} raws[] = {
	{"cid_sd", "number", "0x0f1e2d3c", 55, 24},
	{"cid_sd", "number", "0x1", 1, 0},
	{"cid_sd", "number", "0x1e", 7, 1},
	{"cid_sd", "number", "0x0000000000000000", 119, 56},
	{"cid_sd", "number", "0x0", 120, 56},
	{"extcsd", "number", "0x04030201", 3, 0}, /* low byte first */
	{"extcsd", "ascii", "0x01020304", 3, 0},  /* as it is stored */
	{"extcsd", "hex", "0x0304", 3, 2},
	{"extcsd", "number", "0x0", 120, 100},
	{"extcsd", "number", "0x0000", 101, 100},
};

START_TEST(raw_values)
{
	const struct ca_field field = {.layout = raws[_i].layout,
				       .decode = raws[_i].decode,
				       .msb = raws[_i].msb,
				       .lsb = raws[_i].lsb};
	const uint8_t page[CA_EXTCSD_BYTES] = {1, 2, 3, 4};
	uint8_t cid[CA_CID_BYTES];
	bool is_page = ca_field_is_bytes(&field);

	hex_bytes("0000000000000000000f1e2d3c00003d", cid, sizeof(cid));
	ck_assert_str_eq(raw_of(&field, is_page ? page : cid, is_page ? sizeof(page) : sizeof(cid)),
			 raws[_i].raw);
}
END_TEST

START_TEST(wide_numbers)
{
	static const struct ca_registers registers;
	const struct ca_field field = {
		.layout = "nvme_smart", .decode = "number h", .msb = 15, .lsb = 0};
	uint8_t data[CA_NVME_SMART_BYTES] = {0};

	data[7] = 0x80;
	ck_assert_str_eq(value_of(&field, &registers, data, sizeof(data)), "9223372036854775808 h");
	data[8] = 1;
	ck_assert_str_eq(value_of(&field, &registers, data, sizeof(data)),
			 "more than 64 bits hold");
	ck_assert_str_eq(raw_of(&field, data, sizeof(data)), "0x00000000000000018000000000000000");
}
END_TEST

/* Every row puts zeros, ones and patterns into words, printable and whole. */
static const uint8_t fills[] = {0x00, 0xff, 0x55, 0xaa, 0x01, 0x80, 0x1b, 0x09};

START_TEST(every_row)
{
	static struct ca_raw_registers raw;
	static struct ca_registers registers;
	size_t rows = 0;

	memset(&raw, 0, sizeof(raw));
	raw.type = _i & 1 ? CA_CARD_TYPE_MMC : CA_CARD_TYPE_SD;
	for (unsigned int i = 0; i < CA_REGISTER_COUNT; i++) {
		raw.has[i] = true;
		memset(ca_register_data_mutable(&raw, (enum ca_register)i), fills[_i / 2],
		       ca_register_bytes((enum ca_register)i));
	}
	ca_registers_decode(&raw, &registers);
	for (size_t i = 0; i < ca_fields_count; i++) {
		const struct ca_field *field = &ca_fields[i];
		const char *value, *digits;
		/* any page will do: the rows of a layout lie within 4096 bytes or 512 bits */
		size_t bytes = ca_field_is_bytes(field) ? CA_NVME_ID_BYTES : CA_SSR_BYTES;

		if (!ca_field_is_bytes(field) && field->msb < 128)
			bytes = CA_CID_BYTES;
		value = value_of(field, &registers, raw.nvme_ctrl, bytes);
		ck_assert_msg(strncmp(field->decode, "raw", 3) == 0 || *value, "%s.%s: no words",
			      field->layout, field->name);
		for (const char *p = value; *p; p++)
			ck_assert_msg(*p >= 0x20 && *p < 0x7f, "%s.%s: byte %02x", field->layout,
				      field->name, (unsigned char)*p);
		digits = raw_of(field, raw.nvme_ctrl, bytes);
		ck_assert(strncmp(digits, "0x", 2) == 0 && digits[2]);
		ck_assert_uint_eq(strspn(digits + 2, "0123456789abcdef"), strlen(digits + 2));
		rows++;
	}
	ck_assert_uint_gt(rows, 600);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("field_text");
	TCase *tcase = tcase_create("field_text");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, kinds_of_values, 0, CA_ARRAY_LEN(kinds));
	tcase_add_loop_test(tcase, raw_values, 0, CA_ARRAY_LEN(raws));
	tcase_add_test(tcase, wide_numbers);
	tcase_add_loop_test(tcase, every_row, 0, 2 * CA_ARRAY_LEN(fills));
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
