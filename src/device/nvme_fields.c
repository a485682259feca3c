/* SPDX-License-Identifier: BSD-2-Clause */
/* Names as nvme-cli prints them, offsets of the pages (NVMe Base Specification, as in libnvme). */
#include "input_nvme.h"

#define NUMBER(name, offset, bytes)                                                                \
	{                                                                                          \
		name, name, offset, bytes, CA_NVME_NUMBER, false                                   \
	}

static const struct ca_nvme_field controller[] = {
	{"vid", "vid", 0, 2, CA_NVME_NUMBER, true},
	NUMBER("ssvid", 2, 2),
	{"sn", "sn", 4, 20, CA_NVME_TEXT, true},
	{"mn", "mn", 24, 40, CA_NVME_TEXT, true},
	{"fr", "fr", 64, 8, CA_NVME_TEXT, false},
	NUMBER("rab", 72, 1),
	{"ieee", "ieee", 73, 3, CA_NVME_HEX, false},
	NUMBER("cmic", 76, 1),
	NUMBER("mdts", 77, 1),
	{"cntlid", "cntlid", 78, 2, CA_NVME_HEX, false},
	{"ver", "ver", 80, 4, CA_NVME_HEX, false},
	{"rtd3r", "rtd3r", 84, 4, CA_NVME_HEX, false},
	{"rtd3e", "rtd3e", 88, 4, CA_NVME_HEX, false},
	NUMBER("oaes", 92, 4),
	NUMBER("ctratt", 96, 4),
	NUMBER("rrls", 100, 2),
	NUMBER("cntrltype", 111, 1),
	{"fguid", "fguid", 112, 16, CA_NVME_BYTES, false},
	NUMBER("crdt1", 128, 2),
	NUMBER("crdt2", 130, 2),
	NUMBER("crdt3", 132, 2),
	NUMBER("nvmsr", 253, 1),
	NUMBER("vwci", 254, 1),
	NUMBER("mec", 255, 1),
	NUMBER("oacs", 256, 2),
	NUMBER("acl", 258, 1),
	NUMBER("aerl", 259, 1),
	NUMBER("frmw", 260, 1),
	NUMBER("lpa", 261, 1),
	NUMBER("elpe", 262, 1),
	NUMBER("npss", 263, 1),
	NUMBER("avscc", 264, 1),
	NUMBER("apsta", 265, 1),
	NUMBER("wctemp", 266, 2),
	NUMBER("cctemp", 268, 2),
	NUMBER("mtfa", 270, 2),
	NUMBER("hmpre", 272, 4),
	NUMBER("hmmin", 276, 4),
	NUMBER("tnvmcap", 280, 16),
	NUMBER("unvmcap", 296, 16),
	NUMBER("rpmbs", 312, 4),
	NUMBER("edstt", 316, 2),
	NUMBER("dsto", 318, 1),
	NUMBER("fwug", 319, 1),
	NUMBER("kas", 320, 2),
	NUMBER("hctma", 322, 2),
	NUMBER("mntmt", 324, 2),
	NUMBER("mxtmt", 326, 2),
	NUMBER("sanicap", 328, 4),
	NUMBER("hmminds", 332, 4),
	NUMBER("hmmaxd", 336, 2),
	NUMBER("nsetidmax", 338, 2),
	NUMBER("endgidmax", 340, 2),
	NUMBER("anatt", 342, 1),
	NUMBER("anacap", 343, 1),
	NUMBER("anagrpmax", 344, 4),
	NUMBER("nanagrpid", 348, 4),
	NUMBER("pels", 352, 4),
	NUMBER("domainid", 356, 2),
	NUMBER("megcap", 368, 16),
	NUMBER("sqes", 512, 1),
	NUMBER("cqes", 513, 1),
	NUMBER("maxcmd", 514, 2),
	NUMBER("nn", 516, 4),
	NUMBER("oncs", 520, 2),
	NUMBER("fuses", 522, 2),
	NUMBER("fna", 524, 1),
	NUMBER("vwc", 525, 1),
	NUMBER("awun", 526, 2),
	NUMBER("awupf", 528, 2),
	NUMBER("icsvscc", 530, 1),
	NUMBER("nvscc", 530, 1),
	NUMBER("nwpc", 531, 1),
	NUMBER("acwu", 532, 2),
	NUMBER("ocfs", 534, 2),
	NUMBER("sgls", 536, 4),
	NUMBER("mnan", 540, 4),
	NUMBER("maxdna", 544, 16),
	NUMBER("maxcna", 560, 4),
	{"subnqn", "subnqn", 768, 256, CA_NVME_STRING, false},
};

static const struct ca_nvme_field namespace[] = {
	{"nsze", "nsze", 0, 8, CA_NVME_NUMBER, true},
	{"ncap", "ncap", 8, 8, CA_NVME_NUMBER, true},
	{"nuse", "nuse", 16, 8, CA_NVME_NUMBER, true},
	NUMBER("nsfeat", 24, 1),
	NUMBER("nlbaf", 25, 1),
	NUMBER("flbas", 26, 1),
	NUMBER("mc", 27, 1),
	NUMBER("dpc", 28, 1),
	NUMBER("dps", 29, 1),
	NUMBER("nmic", 30, 1),
	NUMBER("rescap", 31, 1),
	NUMBER("fpi", 32, 1),
	NUMBER("dlfeat", 33, 1),
	NUMBER("nawun", 34, 2),
	NUMBER("nawupf", 36, 2),
	NUMBER("nacwu", 38, 2),
	NUMBER("nabsn", 40, 2),
	NUMBER("nabo", 42, 2),
	NUMBER("nabspf", 44, 2),
	NUMBER("noiob", 46, 2),
	NUMBER("nvmcap", 48, 16),
	NUMBER("npwg", 64, 2),
	NUMBER("npwa", 66, 2),
	NUMBER("npdg", 68, 2),
	NUMBER("npda", 70, 2),
	NUMBER("nows", 72, 2),
	NUMBER("mssrl", 74, 2),
	NUMBER("mcl", 76, 4),
	NUMBER("msrc", 80, 1),
	NUMBER("nulbaf", 82, 1),
	NUMBER("anagrpid", 92, 4),
	NUMBER("nsattr", 99, 1),
	NUMBER("nvmsetid", 100, 2),
	NUMBER("endgid", 102, 2),
	{"nguid", "nguid", 104, 16, CA_NVME_BYTES, false},
	{"eui64", "eui64", 120, 8, CA_NVME_BYTES, false},
};

static const struct ca_nvme_field smart[] = {
	{"critical_warning", "critical_warning", 0, 1, CA_NVME_NUMBER, true},
	{"temperature", "temperature", 1, 2, CA_NVME_KELVIN, false},
	{"available_spare", "avail_spare", 3, 1, CA_NVME_NUMBER, false},
	{"available_spare_threshold", "spare_thresh", 4, 1, CA_NVME_NUMBER, false},
	{"percentage_used", "percent_used", 5, 1, CA_NVME_NUMBER, true},
	{"endurance_group_critical_warning_summary", "endurance_grp_critical_warning_summary", 6, 1,
	 CA_NVME_NUMBER, false},
	{"data_units_read", "data_units_read", 32, 16, CA_NVME_NUMBER, false},
	{"data_units_written", "data_units_written", 48, 16, CA_NVME_NUMBER, true},
	NUMBER("host_read_commands", 64, 16),
	NUMBER("host_write_commands", 80, 16),
	NUMBER("controller_busy_time", 96, 16),
	NUMBER("power_cycles", 112, 16),
	{"power_on_hours", "power_on_hours", 128, 16, CA_NVME_NUMBER, true},
	NUMBER("unsafe_shutdowns", 144, 16),
	NUMBER("media_errors", 160, 16),
	NUMBER("num_err_log_entries", 176, 16),
	{"warning_temperature_time", "warning_temp_time", 192, 4, CA_NVME_NUMBER, false},
	{"critical_composite_temperature_time", "critical_comp_time", 196, 4, CA_NVME_NUMBER,
	 false},
	{"temperature_sensor_1", "temperature_sensor_1", 200, 2, CA_NVME_KELVIN, false},
	{"temperature_sensor_2", "temperature_sensor_2", 202, 2, CA_NVME_KELVIN, false},
	{"temperature_sensor_3", "temperature_sensor_3", 204, 2, CA_NVME_KELVIN, false},
	{"temperature_sensor_4", "temperature_sensor_4", 206, 2, CA_NVME_KELVIN, false},
	{"temperature_sensor_5", "temperature_sensor_5", 208, 2, CA_NVME_KELVIN, false},
	{"temperature_sensor_6", "temperature_sensor_6", 210, 2, CA_NVME_KELVIN, false},
	{"temperature_sensor_7", "temperature_sensor_7", 212, 2, CA_NVME_KELVIN, false},
	{"temperature_sensor_8", "temperature_sensor_8", 214, 2, CA_NVME_KELVIN, false},
	{"thermal_management_t1_trans_count", "thm_temp1_trans_count", 216, 4, CA_NVME_NUMBER,
	 false},
	{"thermal_management_t2_trans_count", "thm_temp2_trans_count", 220, 4, CA_NVME_NUMBER,
	 false},
	{"thermal_management_t1_total_time", "thm_temp1_total_time", 224, 4, CA_NVME_NUMBER, false},
	{"thermal_management_t2_total_time", "thm_temp2_total_time", 228, 4, CA_NVME_NUMBER, false},
};

const struct ca_nvme_field *ca_nvme_fields(enum ca_register reg, size_t *ret_count)
{
	if (reg == CA_REGISTER_NVME_NS) {
		*ret_count = CA_ARRAY_LEN(namespace);
		return namespace;
	}
	if (reg == CA_REGISTER_NVME_SMART) {
		*ret_count = CA_ARRAY_LEN(smart);
		return smart;
	}
	*ret_count = CA_ARRAY_LEN(controller);
	return controller;
}

const char *ca_nvme_text_needs(enum ca_register reg)
{
	if (reg == CA_REGISTER_NVME_NS)
		return "nsze, ncap and nuse";
	if (reg == CA_REGISTER_NVME_SMART)
		return "critical_warning, percentage_used, data_units_written and power_on_hours";
	return "vid, sn and mn";
}
