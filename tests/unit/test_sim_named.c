/* SPDX-License-Identifier: BSD-2-Clause */
/* The shipped cards of specs/simulated.tsv: their registers are what a faultless card shows. */
#include "sim.h"

#include "cardassay/registers.h"
#include "cardassay/specs.h"

#include <check.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct decoded {
	struct ca_cid cid;
	struct ca_csd csd;
	struct ca_scr scr;
	struct ca_ssr ssr;
};

static void decode(const char *hex, uint8_t *ret_data, size_t bytes)
{
	size_t len = 0;

	ck_assert_int_eq(ca_hex_decode(hex, strlen(hex), ret_data, bytes, &len), 0);
	ck_assert_uint_eq(len, bytes);
}

static struct decoded decode_card(const struct ca_spec_simulated *card)
{
	uint8_t data[CA_SSR_BYTES];
	struct decoded all;

	decode(card->cid, data, CA_CID_BYTES);
	ck_assert_int_eq(ca_cid_decode(CA_CARD_TYPE_SD, data, CA_CID_BYTES, &all.cid), 0);
	decode(card->csd, data, CA_CSD_BYTES);
	ck_assert_int_eq(ca_csd_decode(CA_CARD_TYPE_SD, data, CA_CSD_BYTES, &all.csd), 0);
	decode(card->scr, data, CA_SCR_BYTES);
	ck_assert_int_eq(ca_scr_decode(data, CA_SCR_BYTES, &all.scr), 0);
	decode(card->ssr, data, CA_SSR_BYTES);
	ck_assert_int_eq(ca_ssr_decode(data, CA_SSR_BYTES, &all.ssr), 0);
	return all;
}

START_TEST(string_parses_and_fits_the_registers)
{
	const struct ca_spec_simulated *card = &ca_spec_simulated_cards[_i];
	struct decoded all = decode_card(card);
	struct ca_sim_spec spec;
	struct ca_error error = {0};
	uint8_t csd[CA_CSD_BYTES], expected[CA_CSD_BYTES];

	ck_assert_msg(ca_sim_parse(card->name, &spec, &error) == 0, "%s", error.text);
	ck_assert_ptr_eq(spec.named, card);
	ck_assert_uint_eq(spec.announced_bytes, all.csd.capacity_bytes);
	decode(card->csd, csd, sizeof(csd));
	ck_assert_int_eq(ca_csd_encode_v2(spec.announced_bytes, expected), 0);
	ck_assert_mem_eq(csd, expected, sizeof(csd));
	ck_assert(strlen(card->label) > 0 && strlen(card->description) > 0);
}
END_TEST

START_TEST(cid_is_faultless)
{
	struct ca_cid cid = decode_card(&ca_spec_simulated_cards[_i]).cid;

	ck_assert_int_eq((int)cid.crc, CA_CRC_GOOD);
	ck_assert_uint_ne(cid.mid, 0);
	ck_assert(isprint(cid.oid >> 8) && isprint(cid.oid & 255));
	ck_assert_uint_eq(strlen(cid.pnm), 5);
	ck_assert(cid.prv >> 4 <= 9 && (cid.prv & 15) <= 9);
	ck_assert(cid.psn != 0 && cid.psn != UINT32_MAX);
	ck_assert_uint_eq(cid.reserved, 0);
	ck_assert(cid.mdt_month >= 1 && cid.mdt_month <= 12);
	ck_assert(cid.mdt_year >= 2018 && cid.mdt_year <= 2025); /* A1 exists since 2016 */
}
END_TEST

START_TEST(scr_and_ssr_agree)
{
	struct decoded all = decode_card(&ca_spec_simulated_cards[_i]);
	bool xc = all.csd.capacity_class == CA_CAPACITY_SDXC;

	ck_assert_int_eq((int)all.csd.crc, CA_CRC_GOOD);
	ck_assert(xc || all.csd.capacity_class == CA_CAPACITY_SDHC);
	ck_assert_uint_ge(all.scr.version_x100, 500);
	ck_assert_uint_eq(all.scr.sd_security, xc ? 4 : 3);
	ck_assert_uint_eq(all.scr.sd_bus_widths, 5);
	ck_assert(all.scr.cmd20 && all.scr.cmd23);
	ck_assert_uint_eq(all.ssr.speed_class, 10);
	ck_assert_uint_eq(all.ssr.performance_move, 0);
	ck_assert(all.ssr.uhs_speed_grade == 0 || all.ssr.uhs_au_bytes > 0);
	ck_assert((all.ssr.video_speed_class > 0) == (all.ssr.vsc_au_mib > 0));
	ck_assert(all.ssr.app_perf_class <= 1);
	ck_assert_uint_eq(all.ssr.au_bytes, 4 * CA_MIB);
	ck_assert_uint_eq(all.ssr.reserved_bits, 0);
}
END_TEST

/* Beyond what ships: every serial is its own. */
START_TEST(serials_differ)
{
	for (size_t i = 0; i < ca_spec_simulated_cards_count; i++)
		for (size_t j = 0; j < i; j++) {
			ck_assert_str_ne(ca_spec_simulated_cards[i].cid,
					 ca_spec_simulated_cards[j].cid);
			ck_assert_str_ne(ca_spec_simulated_cards[i].name,
					 ca_spec_simulated_cards[j].name);
		}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sim_named");
	TCase *tcase = tcase_create("sim_named");
	SRunner *runner = srunner_create(suite);
	int failed, count = (int)ca_spec_simulated_cards_count;

	tcase_add_loop_test(tcase, string_parses_and_fits_the_registers, 0, count);
	tcase_add_loop_test(tcase, cid_is_faultless, 0, count);
	tcase_add_loop_test(tcase, scr_and_ssr_agree, 0, count);
	tcase_add_test(tcase, serials_differ);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
