/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/registers.h"

#include "unit/field_case.h"

static const struct {
	enum ca_register reg;
	enum ca_card_type type;
	uint8_t first; /* byte 0 */
	const char *layout;
} layouts[] = {
	{CA_REGISTER_CID, CA_CARD_TYPE_SD, 0, "cid_sd"},
	{CA_REGISTER_CID, CA_CARD_TYPE_MMC, 0, "cid_mmc"},
	{CA_REGISTER_CSD, CA_CARD_TYPE_SD, 0x00, "csd_v1"},
	{CA_REGISTER_CSD, CA_CARD_TYPE_SD, 0x40, "csd_v2"},
	{CA_REGISTER_CSD, CA_CARD_TYPE_SD, 0x80, "csd_v3"},
	{CA_REGISTER_CSD, CA_CARD_TYPE_SD, 0xc0, NULL},
	{CA_REGISTER_CSD, CA_CARD_TYPE_MMC, 0xd0, "csd_mmc"},
	{CA_REGISTER_SCR, CA_CARD_TYPE_SD, 0, "scr"},
	{CA_REGISTER_SSR, CA_CARD_TYPE_SD, 0, "ssr"},
	{CA_REGISTER_EXTCSD, CA_CARD_TYPE_MMC, 0, "extcsd"},
	{CA_REGISTER_NVME_CTRL, CA_CARD_TYPE_SD, 0, "nvme_ctrl"},
	{CA_REGISTER_NVME_NS, CA_CARD_TYPE_SD, 0, "nvme_ns"},
	{CA_REGISTER_NVME_SMART, CA_CARD_TYPE_SD, 0, "nvme_smart"},
	{CA_REGISTER_EXT_PERF, CA_CARD_TYPE_SD, 0, "ext_perf"},
	{CA_REGISTER_EXT_POWER, CA_CARD_TYPE_SD, 0, "ext_power"},
	{CA_REGISTER_EXT_GENERAL, CA_CARD_TYPE_SD, 0, "ext_general"},
	{CA_REGISTER_EXT_POWER_SET, CA_CARD_TYPE_SD, 0, "ext_power_set"},
	{CA_REGISTER_EXT_PERF_SET, CA_CARD_TYPE_SD, 0, "ext_perf_set"},
};

START_TEST(each_register_has_its_layout)
{
	static struct ca_raw_registers raw;
	const struct ca_field *field;
	unsigned int units = 0;
	const char *layout;

	memset(&raw, 0, sizeof(raw));
	raw.type = layouts[_i].type;
	ca_register_data_mutable(&raw, layouts[_i].reg)[0] = layouts[_i].first;
	layout = ca_register_layout(&raw, layouts[_i].reg);
	if (!layouts[_i].layout) {
		ck_assert_ptr_null(layout);
		return;
	}
	ck_assert_str_eq(layout, layouts[_i].layout);
	field = ca_field_first(layout);
	ck_assert_ptr_nonnull(field);
	ck_assert(ca_field_is_bytes(field) == (ca_register_bytes(layouts[_i].reg) >= 512));
	/* every bit of the register is in one of the rows */
	for (; field; field = ca_field_next(field))
		units += field->msb - field->lsb + 1U;
	field = ca_field_first(layout);
	ck_assert_uint_eq(units,
			  ca_register_bytes(layouts[_i].reg) * (ca_field_is_bytes(field) ? 1 : 8));
}
END_TEST

START_TEST(ocr_is_a_layout_too)
{
	for (int type = CA_CARD_TYPE_SD; type <= CA_CARD_TYPE_MMC; type++) {
		const char *layout = ca_ocr_layout((enum ca_card_type)type);
		unsigned int bits = 0;

		for (const struct ca_field *f = ca_field_first(layout); f; f = ca_field_next(f))
			bits += f->msb - f->lsb + 1U;
		ck_assert_uint_eq(bits, 32);
	}
	ck_assert_ptr_null(ca_field_first("ocr"));
}
END_TEST

/* What masking blanks is what is said to be masked: fields of ones, masked, are then zeros. */
START_TEST(masked_fields_are_the_blanked_ones)
{
	static struct ca_raw_registers raw;
	size_t masked = 0;

	for (int type = CA_CARD_TYPE_SD; type <= CA_CARD_TYPE_MMC; type++) {
		memset(&raw, 0, sizeof(raw));
		raw.type = (enum ca_card_type)type;
		for (unsigned int i = 0; i < CA_REGISTER_COUNT; i++) {
			raw.has[i] = true;
			memset(ca_register_data_mutable(&raw, (enum ca_register)i), 0xff,
			       ca_register_bytes((enum ca_register)i));
		}
		raw.csd[0] = 0x40;
		ca_registers_mask(&raw);
		for (unsigned int i = 0; i < CA_REGISTER_COUNT; i++) {
			enum ca_register reg = (enum ca_register)i;
			const char *layout = ca_register_layout(&raw, reg);

			for (const struct ca_field *f = ca_field_first(layout); f;
			     f = ca_field_next(f)) {
				static char buf[CA_FIELD_TEXT_BYTES];
				struct ca_text text;
				bool zero;

				/* the end bit of the CID goes with its CRC; 0x40 was put */
				if (strcmp(f->name, "NOT_USED") == 0 || reg == CA_REGISTER_CSD)
					continue;
				ca_text_init(&text, buf, sizeof(buf));
				ca_field_raw_text(f, ca_register_data(&raw, reg),
						  ca_register_bytes(reg), &text);
				zero = strspn(buf + 2, "0") == strlen(buf + 2);
				ck_assert_msg(zero == ca_field_is_masked(f), "%s.%s", layout,
					      f->name);
				masked += zero;
			}
		}
	}
	ck_assert_uint_eq(masked, 2 * 2 + 2 * 5);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("field");
	TCase *tcase = tcase_create("field");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, each_register_has_its_layout, 0, CA_ARRAY_LEN(layouts));
	tcase_add_test(tcase, ocr_is_a_layout_too);
	tcase_add_test(tcase, masked_fields_are_the_blanked_ones);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
