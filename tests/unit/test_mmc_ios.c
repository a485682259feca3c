/* SPDX-License-Identifier: BSD-2-Clause */
#include "mmc_ios.h"

#include "device_test.h"

static const struct {
	const char *text, *timing, *voltage;
	uint64_t clock_hz;
	uint32_t width, voltage_mv;
} cases[] = {
	{"clock:\t\t208000000 Hz\nactual clock:\t200000000 Hz\nvdd:\t\t21 (3.3 ~ 3.4 V)\n"
	 "bus mode:\t2 (push-pull)\nbus width:\t2 (4 bits)\ntiming spec:\t6 (sd uhs SDR104)\n"
	 "signal voltage:\t1 (1.80 V)\ndriver type:\t0 (driver type B)\n",
	 "sd uhs SDR104", "1.80 V", 200000000, 4, 1800},
	/* no actual clock: the one asked for */
	{"clock:\t\t50000000 Hz\nbus width:\t0 (1 bits)\ntiming spec:\t2 (sd high-speed)\n"
	 "signal voltage:\t0 (3.30 V)",
	 "sd high-speed", "3.30 V", 50000000, 1, 3300},
	{"clock:\t\t0 Hz\nbus width:\t3 (8 bits)\ntiming spec:\t9 (mmc HS200)\n", "mmc HS200", "",
	 0, 8, 0},
	/* without what is asked for, or garbled */
	{"", "", "", 0, 0, 0},
	{"timing spec:\t6\nbus width\nclock\nsignal voltage:\t1 (1.8V", "", "", 0, 0, 0},
	{"signal voltage:\t1 (unknown)\n", "", "unknown", 0, 0, 0},
	{"xclock:\t5 Hz\n", "", "", 0, 0, 0},
};

START_TEST(parse)
{
	struct ca_mmc_ios ios;

	ca_mmc_ios_parse(cases[_i].text, &ios);
	ck_assert_str_eq(ios.timing, cases[_i].timing);
	ck_assert_str_eq(ios.voltage, cases[_i].voltage);
	ck_assert_uint_eq(ios.clock_hz, cases[_i].clock_hz);
	ck_assert_uint_eq(ios.width, cases[_i].width);
	ck_assert_uint_eq(ios.voltage_mv, cases[_i].voltage_mv);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("mmc_ios");

	tcase_add_loop_test(tests, parse, 0, (int)CA_ARRAY_LEN(cases));
	return run_tests(tests);
}
