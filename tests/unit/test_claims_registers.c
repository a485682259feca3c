/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/claims.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct ca_registers registers;
static struct ca_claims claims;

static void clear(void)
{
	memset(&registers, 0, sizeof(registers));
	memset(&claims, 0, sizeof(claims));
}

static void expect(size_t index, enum ca_claim_source source, const char *id, uint64_t value)
{
	ck_assert_uint_lt(index, claims.count);
	ck_assert_str_eq(claims.claims[index].id, id);
	ck_assert_int_eq(claims.claims[index].source, source);
	ck_assert(claims.claims[index].value == value);
	ck_assert(claims.claims[index].text[0] != '\0');
}

START_TEST(nothing_promises_nothing)
{
	clear();
	ca_claims_from_registers(&registers, 0, &claims);
	ck_assert_uint_eq(claims.count, 0);
}
END_TEST

START_TEST(device_size)
{
	clear();
	ca_claims_from_registers(&registers, 62277025792, &claims);
	ck_assert_uint_eq(claims.count, 2);
	expect(0, CA_SOURCE_DEVICE, "capacity", 62277025792);
	ck_assert_str_eq(claims.claims[0].text, "62.3 GB");
	expect(1, CA_SOURCE_DEVICE, "retention", 0);
}
END_TEST

START_TEST(card)
{
	clear();
	registers.has[CA_REGISTER_CSD] = true;
	registers.csd.version = CA_CSD_V2;
	registers.csd.capacity_class = CA_CAPACITY_SDXC;
	registers.csd.capacity_bytes = 62277025792;
	registers.has[CA_REGISTER_SSR] = true;
	registers.ssr.speed_class = 10;
	registers.ssr.uhs_speed_grade = 3;
	registers.ssr.video_speed_class = 30;
	registers.ssr.app_perf_class = 2;
	ca_claims_from_registers(&registers, 0, &claims);
	ck_assert_uint_eq(claims.count, 6);
	expect(0, CA_SOURCE_CSD, "card-type", CA_CAPACITY_SDXC);
	ck_assert_str_eq(claims.claims[0].text, "SDXC");
	expect(1, CA_SOURCE_CSD, "capacity", 62277025792);
	expect(2, CA_SOURCE_SSR, "C10", 10);
	expect(3, CA_SOURCE_SSR, "U3", 3);
	expect(4, CA_SOURCE_SSR, "V30", 30);
	expect(5, CA_SOURCE_SSR, "A2", 2);
	ck_assert_str_eq(claims.claims[5].text, "A2");
}
END_TEST

static const struct {
	bool all_zero;
	uint8_t speed, uhs, video, app;
	size_t claims;
} codes[] = {
	{true, 10, 3, 30, 2, 0}, {false, 0, 0, 0, 0, 0},     {false, 2, 1, 6, 1, 4},
	{false, 3, 2, 31, 3, 0}, {false, 0, 15, 255, 15, 0}, {false, 10, 0, 0, 1, 2},
};

START_TEST(class_codes)
{
	clear();
	registers.has[CA_REGISTER_SSR] = true;
	registers.ssr.all_zero = codes[_i].all_zero;
	registers.ssr.speed_class = codes[_i].speed;
	registers.ssr.uhs_speed_grade = codes[_i].uhs;
	registers.ssr.video_speed_class = codes[_i].video;
	registers.ssr.app_perf_class = codes[_i].app;
	ca_claims_from_registers(&registers, 0, &claims);
	ck_assert_uint_eq(claims.count, codes[_i].claims);
}
END_TEST

START_TEST(emmc_makes_no_card_type)
{
	clear();
	registers.has[CA_REGISTER_CSD] = true;
	registers.csd.version = CA_CSD_MMC;
	registers.csd.capacity_class = CA_CAPACITY_MMC;
	ca_claims_from_registers(&registers, 0, &claims);
	ck_assert_uint_eq(claims.count, 0);
}
END_TEST

START_TEST(drive)
{
	clear();
	registers.has[CA_REGISTER_NVME_NS] = true;
	registers.nvme_ns.nsze = 500118192;
	registers.nvme_ns.block_bytes = 512;
	ca_claims_from_registers(&registers, 256060514304, &claims);
	ck_assert_uint_eq(claims.count, 3);
	expect(0, CA_SOURCE_DEVICE, "capacity", 256060514304);
	expect(1, CA_SOURCE_DEVICE, "retention", 0);
	expect(2, CA_SOURCE_IDENTIFY, "capacity", 256060514304);

	clear();
	registers.has[CA_REGISTER_NVME_NS] = true;
	registers.nvme_ns.nsze = UINT64_MAX;
	registers.nvme_ns.block_bytes = 512;
	ca_claims_from_registers(&registers, 0, &claims);
	ck_assert_uint_eq(claims.count, 0); /* a size that does not fit 64 bits is none */
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("claims_registers");
	TCase *tcase = tcase_create("claims_registers");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, nothing_promises_nothing);
	tcase_add_test(tcase, device_size);
	tcase_add_test(tcase, card);
	tcase_add_loop_test(tcase, class_codes, 0, (int)CA_ARRAY_LEN(codes));
	tcase_add_test(tcase, emmc_makes_no_card_type);
	tcase_add_test(tcase, drive);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
