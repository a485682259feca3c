/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine: what it is, how its clock and its processors run, whether it has enough power. */
#include "host_facts.h"

#include <ctype.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>
#include <sys/utsname.h>

#define CPUS "sys/devices/system/cpu"

/* ---- what it is ----------------------------------------------------------------------------- */

static void read_model(const char *root, struct ca_fact *fact)
{
	char vendor[40] = "", product[40] = "", model[80];

	if (ca_sysfs_text(root, model, sizeof(model), "proc/device-tree/model") == 0 ||
	    ca_sysfs_text(root, model, sizeof(model), "sys/firmware/devicetree/base/model") == 0) {
		ca_host_fact_set(fact, 0, "%s", model);
		return;
	}
	(void)ca_sysfs_text(root, vendor, sizeof(vendor), "sys/class/dmi/id/sys_vendor");
	(void)ca_sysfs_text(root, product, sizeof(product), "sys/class/dmi/id/product_name");
	if (vendor[0] || product[0])
		ca_host_fact_set(fact, 0, "%s%s%s", vendor, vendor[0] && product[0] ? " " : "",
				 product);
}

static void read_kernel(const char *root, struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	struct utsname names;
	char text[80];

	if (ca_sysfs_is_live(root) && uname(&names) == 0) {
		ca_host_fact_set(&facts[CA_HOST_KERNEL], 0, "%s", names.release);
		ca_host_fact_set(&facts[CA_HOST_ARCH], 0, "%s", names.machine);
		return;
	}
	if (ca_sysfs_text(root, text, sizeof(text), "proc/sys/kernel/osrelease") == 0)
		ca_host_fact_set(&facts[CA_HOST_KERNEL], 0, "%s", text);
	if (ca_sysfs_text(root, text, sizeof(text), "proc/sys/kernel/arch") == 0)
		ca_host_fact_set(&facts[CA_HOST_ARCH], 0, "%s", text);
}

/* ---- clocks --------------------------------------------------------------------------------- */

bool ca_host_facts_is_clock_synchronised(void)
{
	struct timex state = {.modes = 0};

	return adjtimex(&state) >= 0 && !(state.status & STA_UNSYNC);
}

static void read_clock(const char *root, struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	char text[80];
	bool synchronised;

	if (ca_sysfs_is_live(root)) { /* only a kernel that runs can be asked */
		synchronised = ca_host_facts_is_clock_synchronised();
		ca_host_fact_set(&facts[CA_HOST_CLOCK], synchronised, "%s",
				 synchronised ? "synchronised" : "not synchronised");
	}
	if (ca_sysfs_text(root, text, sizeof(text),
			  "sys/devices/system/clocksource/clocksource0/current_clocksource") == 0)
		ca_host_fact_set(&facts[CA_HOST_CLOCK_SOURCE], 0, "%s", text);
}

/* ---- processors ----------------------------------------------------------------------------- */

static bool is_cpu(const char *name)
{
	return strncmp(name, "cpu", 3) == 0 && isdigit((unsigned char)name[3]) &&
	       name[3 + strspn(name + 3, "0123456789")] == '\0';
}

/* The fastest one counts: the program may run there. cpufreq speaks in kHz. */
static void read_cpu_clock(const char *root, const struct ca_names *cpus, struct ca_fact *fact)
{
	uint64_t now = 0, most = 0, khz;

	for (size_t i = 0; i < cpus->count; i++) {
		if (!is_cpu(cpus->at[i]))
			continue;
		if (ca_sysfs_u64(root, &khz, CPUS "/%s/cpufreq/scaling_cur_freq", cpus->at[i]) ==
			    0 &&
		    khz > now)
			now = khz;
		if (ca_sysfs_u64(root, &khz, CPUS "/%s/cpufreq/cpuinfo_max_freq", cpus->at[i]) ==
			    0 &&
		    khz > most)
			most = khz;
	}
	if (!now || now > INT64_MAX / 1000)
		return;
	if (most)
		ca_host_fact_set(fact, (int64_t)now * 1000, "%" PRIu64 " MHz of %" PRIu64,
				 now / 1000, most / 1000);
	else
		ca_host_fact_set(fact, (int64_t)now * 1000, "%" PRIu64 " MHz", now / 1000);
}

#define PACKAGES_MAX 64U

/*
 * x86 counts each time a core or a whole package got too hot. Every CPU of a package repeats the
 * package's count: the highest of them stands for it.
 */
static void read_cpu_throttled(const char *root, const struct ca_names *cpus, struct ca_fact *fact)
{
	uint64_t package[PACKAGES_MAX] = {0}, cores = 0, packages = 0, count, id;
	bool any = false;

	for (size_t i = 0; i < cpus->count; i++) {
		const char *cpu = cpus->at[i];

		if (!is_cpu(cpu) ||
		    ca_sysfs_u64(root, &count, CPUS "/%s/thermal_throttle/core_throttle_count",
				 cpu) < 0)
			continue;
		any = true;
		cores += count;
		if (ca_sysfs_u64(root, &id, CPUS "/%s/topology/physical_package_id", cpu) == 0 &&
		    id < PACKAGES_MAX &&
		    ca_sysfs_u64(root, &count, CPUS "/%s/thermal_throttle/package_throttle_count",
				 cpu) == 0 &&
		    count > package[id])
			package[id] = count;
	}
	for (size_t i = 0; i < PACKAGES_MAX; i++)
		packages += package[i];
	if (any && cores <= INT64_MAX && packages <= INT64_MAX - cores)
		ca_host_fact_set(fact, (int64_t)(cores + packages),
				 "cores %" PRIu64 " times, packages %" PRIu64 " times since boot",
				 cores, packages);
}

static void read_cpus(const char *root, struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	struct ca_names cpus;
	char text[80];

	if (ca_sysfs_text(root, text, sizeof(text), CPUS "/cpu0/cpufreq/scaling_governor") == 0)
		ca_host_fact_set(&facts[CA_HOST_CPU_GOVERNOR], 0, "%s", text);
	if (ca_sysfs_list(root, &cpus, CPUS) < 0)
		return;
	read_cpu_clock(root, &cpus, &facts[CA_HOST_CPU_CLOCK_HZ]);
	read_cpu_throttled(root, &cpus, &facts[CA_HOST_CPU_THROTTLED]);
	ca_names_done(&cpus);
}

/* ---- power ---------------------------------------------------------------------------------- */

/* The Raspberry Pi firmware's flags: undervoltage, frequency capped, throttled; now and ever. */
static void read_throttled(const char *root, struct ca_fact *fact)
{
	static const char *const places[] = {"sys/devices/platform/soc*/*firmware*/get_throttled",
					     "sys/devices/platform/*firmware*/get_throttled"};

	for (size_t i = 0; i < CA_ARRAY_LEN(places) && !fact->present; i++) {
		char pattern[CA_PATH_BYTES], text[24];
		glob_t found = {0};

		if (ca_sysfs_path(root, pattern, sizeof(pattern), "%s", places[i]) == 0 &&
		    glob(pattern, 0, NULL, &found) == 0 &&
		    ca_sysfs_text("", text, sizeof(text), "%s", found.gl_pathv[0]) == 0) {
			unsigned long bits = strtoul(text, NULL, 16);

			ca_host_fact_set(fact, (int64_t)(bits & 0xffffffffUL), "0x%lx", bits);
		}
		globfree(&found);
	}
}

/* The alarm of the voltage sensor that raspberrypi-hwmon registers. */
static bool read_voltage_alarm(const char *root, uint64_t *ret_alarm)
{
	struct ca_names sensors;
	bool found = false;
	char name[24];

	if (ca_sysfs_list(root, &sensors, "sys/class/hwmon") < 0)
		return false;
	for (size_t i = 0; i < sensors.count && !found; i++)
		found = ca_sysfs_text(root, name, sizeof(name), "sys/class/hwmon/%s/name",
				      sensors.at[i]) == 0 &&
			strcmp(name, "rpi_volt") == 0 &&
			ca_sysfs_u64(root, ret_alarm, "sys/class/hwmon/%s/in0_lcrit_alarm",
				     sensors.at[i]) == 0;
	ca_names_done(&sensors);
	return found;
}

/*
 * Whoever says that it happened is believed. The driver of the sensor clears the firmware's memory
 * of it, and the log of a machine without a sensor says nothing: that it did not happen takes one.
 */
static void read_undervoltage(const char *root, const struct ca_kernel_log *log,
			      const struct ca_fact *throttled, struct ca_fact *fact)
{
	const int64_t now_or_ever = 1 << 0 | 1 << 16;
	uint64_t alarm = 0;
	bool has_sensor = read_voltage_alarm(root, &alarm);

	if (throttled->present && (throttled->number & now_or_ever))
		ca_host_fact_set(fact, 1, "happened since boot (get_throttled %s)",
				 throttled->text);
	else if (alarm)
		ca_host_fact_set(fact, 1, "happens now (hwmon rpi_volt)");
	else if (log->undervoltage)
		ca_host_fact_set(fact, 1, "happened (kernel log)");
	else if (throttled->present || has_sensor)
		ca_host_fact_set(fact, 0, "not seen (%s)",
				 throttled->present ? "get_throttled" : "hwmon rpi_volt");
}

void ca_host_machine_read(const char *root, const struct ca_kernel_log *log,
			  struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	read_kernel(root, facts);
	read_model(root, &facts[CA_HOST_MACHINE]);
	read_clock(root, facts);
	read_cpus(root, facts);
	read_throttled(root, &facts[CA_HOST_THROTTLED]);
	read_undervoltage(root, log, &facts[CA_HOST_THROTTLED], &facts[CA_HOST_UNDERVOLTAGE]);
}
