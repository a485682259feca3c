/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/registers.h"

#include "unit/field_case.h"

#include <errno.h>

/* ---- the short form, as the Raspberry Pi kernel shows it ------------------------------------- */

static const struct {
	uint8_t byte;
	bool fx, card, host, cache, queue;
} short_perfs[] = {
	{0x00, false, false, false, false, false}, {0x01, true, false, false, false, false},
	{0x02, false, true, false, false, false},  {0x04, false, false, true, false, false},
	{0x08, false, false, false, true, false},  {0x10, false, false, false, false, true},
	{0x1e, false, true, true, true, true},	   {0xe0, false, false, false, false, false},
};

START_TEST(perf_in_short)
{
	struct ca_ext_perf perf;

	memset(&perf, 0x5a, sizeof(perf));
	ck_assert_int_eq(ca_ext_perf_decode(&short_perfs[_i].byte, CA_EXT_BYTES, &perf), 0);
	ck_assert_int_eq(perf.fx_event, short_perfs[_i].fx);
	ck_assert_int_eq(perf.card_maintenance, short_perfs[_i].card);
	ck_assert_int_eq(perf.host_maintenance, short_perfs[_i].host);
	ck_assert_int_eq(perf.cache, short_perfs[_i].cache);
	ck_assert_int_eq(perf.command_queue, short_perfs[_i].queue);
	ck_assert_uint_eq(perf.queue_depth, 0); /* the short form does not tell it */
	ck_assert(!perf.cache_enabled && !perf.queue_enabled && perf.revision == 0);
}
END_TEST

START_TEST(power_in_short)
{
	struct ca_ext_power power;
	const uint8_t byte = 1U << _i;

	ck_assert_int_eq(ca_ext_power_decode(&byte, CA_EXT_BYTES, &power), 0);
	ck_assert_int_eq(power.off_notification, _i == 0);
	ck_assert_int_eq(power.sustenance, _i == 1);
	ck_assert_int_eq(power.down_mode, _i == 2);
}
END_TEST

/* ---- the sets, as CMD48 reads them ----------------------------------------------------------- */

START_TEST(perf_set)
{
	uint8_t data[CA_EXT_SET_BYTES] = {0};
	struct ca_ext_perf perf;

	data[0] = 3;
	data[2] = 2;
	data[4] = 1;
	data[6] = 0x1f;
	data[260] = 1;
	ck_assert_int_eq(ca_ext_perf_decode(data, sizeof(data), &perf), 0);
	ck_assert(!perf.fx_event && !perf.card_maintenance && perf.host_maintenance);
	ck_assert(perf.cache && perf.command_queue && perf.cache_enabled && !perf.queue_enabled);
	ck_assert_uint_eq(perf.queue_depth, 32);
	ck_assert_uint_eq(perf.revision, 3);
	/* bits 7 to 5 of the depth are reserved; code 0 is no queue, not a queue of one */
	data[6] = 0xe0;
	data[262] = 1;
	ck_assert_int_eq(ca_ext_perf_decode(data, sizeof(data), &perf), 0);
	ck_assert(!perf.command_queue && perf.queue_depth == 0 && perf.queue_enabled);
}
END_TEST

START_TEST(power_set)
{
	uint8_t data[CA_EXT_SET_BYTES] = {0};
	struct ca_ext_power power;

	data[0] = 0xf1;
	data[1] = 0x50;
	ck_assert_int_eq(ca_ext_power_decode(data, sizeof(data), &power), 0);
	ck_assert(power.off_notification && !power.sustenance && power.down_mode);
	ck_assert_uint_eq(power.revision, 1);
	data[1] = 0x2f; /* bit 0 is a state, not a feature */
	ck_assert_int_eq(ca_ext_power_decode(data, sizeof(data), &power), 0);
	ck_assert(!power.off_notification && power.sustenance && !power.down_mode);
}
END_TEST

static const size_t wrong[] = {0, 2, 511, 513};

START_TEST(other_lengths_are_refused)
{
	static const uint8_t data[600];
	struct ca_ext_perf perf = {.queue_depth = 9};
	struct ca_ext_power power = {.revision = 9};

	ck_assert_int_eq(ca_ext_perf_decode(data, wrong[_i], &perf), -EMSGSIZE);
	ck_assert_int_eq(ca_ext_power_decode(data, wrong[_i], &power), -EMSGSIZE);
	ck_assert_uint_eq(perf.queue_depth, 9);
	ck_assert_uint_eq(power.revision, 9);
}
END_TEST

/* ---- where the sets are ---------------------------------------------------------------------- */

static void put_record(uint8_t *general, unsigned int at, uint8_t function_code, unsigned int next,
		       uint8_t sets, uint32_t address)
{
	general[at] = function_code;
	general[at + 40] = (uint8_t)next;
	general[at + 41] = (uint8_t)(next >> 8);
	general[at + 42] = sets;
	ca_put_le32(general + at + 44, address);
}

/* Two records: power management in function 1, performance enhancement in function 2, page 1. */
static void two_extensions(uint8_t *general)
{
	memset(general, 0, CA_EXT_SET_BYTES);
	general[2] = 112;
	general[4] = 2;
	put_record(general, 16, 1, 64, 1, 1U << 18);
	put_record(general, 64, 2, 0, 1, 2U << 18 | 1U << 9 | 6);
}

START_TEST(records_are_found)
{
	uint8_t general[CA_EXT_SET_BYTES];
	struct ca_extension extension;

	two_extensions(general);
	ck_assert_int_eq(ca_extension_at(general, 0, &extension), 0);
	ck_assert_uint_eq(extension.standard_function, 1);
	ck_assert_uint_eq(extension.function, 1);
	ck_assert_uint_eq(extension.address, 0);
	ck_assert_int_eq(ca_extension_find(general, CA_EXTENSION_PERF, &extension), 0);
	ck_assert_uint_eq(extension.standard_function, 2);
	ck_assert_uint_eq(extension.register_sets, 1);
	ck_assert_uint_eq(extension.function, 2);
	ck_assert_uint_eq(extension.address, 1U << 9 | 6);
	ck_assert_int_eq(ca_extension_at(general, 2, &extension), -ENOENT);
	ck_assert_int_eq(ca_extension_find(general, 3, &extension), -ENOENT);
	ck_assert_uint_eq(extension.standard_function, 2); /* untouched */
}
END_TEST

START_TEST(a_record_without_registers_is_passed_over)
{
	uint8_t general[CA_EXT_SET_BYTES];
	struct ca_extension extension;

	two_extensions(general);
	put_record(general, 16, 2, 64, 0, 0);
	ck_assert_int_eq(ca_extension_find(general, CA_EXTENSION_PERF, &extension), 0);
	ck_assert_uint_eq(extension.function, 2);
}
END_TEST

/* Where the next record is said to be, and whether that can be. */
static const struct {
	unsigned int next;
	int rc;
} chains[] = {
	{64, 0},      {464, 0},	     {465, -ENOENT}, {511, -ENOENT},
	{0, -ENOENT}, {16, -ENOENT}, {63, -ENOENT},  {0xffff, -ENOENT},
};

START_TEST(a_list_stays_in_its_page)
{
	uint8_t general[CA_EXT_SET_BYTES];
	struct ca_extension extension;

	two_extensions(general);
	put_record(general, 16, 1, chains[_i].next, 1, 0);
	ck_assert_int_eq(ca_extension_at(general, 1, &extension), chains[_i].rc);
}
END_TEST

START_TEST(a_list_of_255_ends)
{
	uint8_t general[CA_EXT_SET_BYTES];
	struct ca_extension extension;

	memset(general, 0xff, sizeof(general));
	general[0] = general[1] = 0;
	ck_assert_int_eq(ca_extension_find(general, CA_EXTENSION_PERF, &extension), -ENOENT);
	general[1] = 1; /* another structure: nothing is known of it */
	ck_assert_int_eq(ca_extension_at(general, 0, &extension), -EPROTO);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ext");
	TCase *tcase = tcase_create("ext");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, perf_in_short, 0, CA_ARRAY_LEN(short_perfs));
	tcase_add_loop_test(tcase, power_in_short, 0, 8);
	tcase_add_test(tcase, perf_set);
	tcase_add_test(tcase, power_set);
	tcase_add_loop_test(tcase, other_lengths_are_refused, 0, CA_ARRAY_LEN(wrong));
	tcase_add_test(tcase, records_are_found);
	tcase_add_test(tcase, a_record_without_registers_is_passed_over);
	tcase_add_loop_test(tcase, a_list_stays_in_its_page, 0, CA_ARRAY_LEN(chains));
	tcase_add_test(tcase, a_list_of_255_ends);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
