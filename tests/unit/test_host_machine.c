/* SPDX-License-Identifier: BSD-2-Clause */
#include "fact_tree.h"

#define CPU	 "sys/devices/system/cpu/"
#define FIRMWARE "sys/devices/platform/soc/soc:firmware/get_throttled"
#define SENSOR	 "sys/class/hwmon/hwmon0/"

static const struct {
	struct tree_file files[TREE_FILES_MAX];
	bool log_undervoltage;
	enum ca_host_fact fact;
	bool present;
	int64_t number;
	const char *text;
} cases[] = {
	/* the clock of the fastest CPU, and the most any has */
	{{{CPU "cpu0/cpufreq/scaling_cur_freq", "600000\n"},
	  {CPU "cpu0/cpufreq/cpuinfo_max_freq", "1800000\n"},
	  {CPU "cpu10/cpufreq/scaling_cur_freq", "2400000\n"},
	  {CPU "cpu10/cpufreq/cpuinfo_max_freq", "2400000\n"},
	  {CPU "cpufreq/scaling_cur_freq", "9900000\n"}},
	 false,
	 CA_HOST_CPU_CLOCK_HZ,
	 true,
	 2400000000,
	 "2400 MHz of 2400"},
	{{{CPU "cpu0/cpufreq/scaling_cur_freq", "700000\n"}},
	 false,
	 CA_HOST_CPU_CLOCK_HZ,
	 true,
	 700000000,
	 "700 MHz"},
	{{{CPU "cpu0/cpufreq/cpuinfo_max_freq", "700000\n"}},
	 false,
	 CA_HOST_CPU_CLOCK_HZ,
	 false,
	 0,
	 ""},
	{{{CPU "cpu0/cpufreq/scaling_cur_freq", "<unknown>\n"}},
	 false,
	 CA_HOST_CPU_CLOCK_HZ,
	 false,
	 0,
	 ""},
	/* a package is counted once, whichever of its CPUs is asked */
	{{{CPU "cpu0/thermal_throttle/core_throttle_count", "1\n"},
	  {CPU "cpu0/thermal_throttle/package_throttle_count", "5\n"},
	  {CPU "cpu0/topology/physical_package_id", "0\n"},
	  {CPU "cpu1/thermal_throttle/core_throttle_count", "2\n"},
	  {CPU "cpu1/thermal_throttle/package_throttle_count", "6\n"},
	  {CPU "cpu1/topology/physical_package_id", "0\n"}},
	 false,
	 CA_HOST_CPU_THROTTLED,
	 true,
	 9,
	 "cores 3 times, packages 6 times since boot"},
	{{{CPU "cpu0/thermal_throttle/core_throttle_count", "0\n"}},
	 false,
	 CA_HOST_CPU_THROTTLED,
	 true,
	 0,
	 "cores 0 times, packages 0 times since boot"},
	{{{CPU "cpu0/topology/physical_package_id", "0\n"}},
	 false,
	 CA_HOST_CPU_THROTTLED,
	 false,
	 0,
	 ""},
	/* undervoltage: whoever says yes is believed; no takes one who could see it */
	{{{FIRMWARE, "50000\n"}},
	 false,
	 CA_HOST_UNDERVOLTAGE,
	 true,
	 1,
	 "happened since boot (get_throttled 0x50000)"},
	{{{FIRMWARE, "40000\n"}}, false, CA_HOST_UNDERVOLTAGE, true, 0, "not seen (get_throttled)"},
	{{{FIRMWARE, "0\n"}, {SENSOR "name", "rpi_volt\n"}, {SENSOR "in0_lcrit_alarm", "1\n"}},
	 false,
	 CA_HOST_UNDERVOLTAGE,
	 true,
	 1,
	 "happens now (hwmon rpi_volt)"},
	{{{SENSOR "name", "rpi_volt\n"}, {SENSOR "in0_lcrit_alarm", "0\n"}},
	 false,
	 CA_HOST_UNDERVOLTAGE,
	 true,
	 0,
	 "not seen (hwmon rpi_volt)"},
	{{{SENSOR "name", "coretemp\n"}, {SENSOR "in0_lcrit_alarm", "1\n"}},
	 false,
	 CA_HOST_UNDERVOLTAGE,
	 false,
	 0,
	 ""},
	{{{FIRMWARE, "0\n"}}, true, CA_HOST_UNDERVOLTAGE, true, 1, "happened (kernel log)"},
	{{{NULL, NULL}}, true, CA_HOST_UNDERVOLTAGE, true, 1, "happened (kernel log)"},
	{{{NULL, NULL}}, false, CA_HOST_UNDERVOLTAGE, false, 0, ""},
	/* who the machine is */
	{{{"sys/firmware/devicetree/base/model", "Some Board\n"}},
	 false,
	 CA_HOST_MACHINE,
	 true,
	 0,
	 "Some Board"},
	{{{"sys/class/dmi/id/product_name", "X1\n"}}, false, CA_HOST_MACHINE, true, 0, "X1"},
};

START_TEST(facts)
{
	struct ca_kernel_log log = {.undervoltage = cases[_i].log_undervoltage};
	struct ca_fact all[CA_HOST_FACT_COUNT] = {0};
	const struct ca_fact *fact = &all[cases[_i].fact];

	tree_fill(cases[_i].files);
	ca_host_machine_read(tree_root, &log, all);
	ck_assert_int_eq(fact->present, cases[_i].present);
	ck_assert_int_eq(fact->number, cases[_i].number);
	ck_assert_str_eq(fact->text, cases[_i].text);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("host_machine");

	tcase_add_checked_fixture(tests, tree_make, tree_remove);
	tcase_add_loop_test(tests, facts, 0, (int)CA_ARRAY_LEN(cases));
	return run_tests(tests);
}
