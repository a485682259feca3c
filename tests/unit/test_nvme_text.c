/* SPDX-License-Identifier: BSD-2-Clause */
#include "input_case.h"
#include "input_nvme.h"

static const char as_text[] = "NVME Identify Controller:\n"
			      "vid       : 0x144d\n"
			      "ssvid     : 0x144d\n"
			      "sn        : S649NF0R000001      \n"
			      "mn        : Samsung SSD 980 1TB\n"
			      "fr        : 1B4QFXO7\n"
			      "rab       : 2\n"
			      "ieee      : 002538\n"
			      "ver       : 0x10400\n"
			      "  [0:0] : 0x1 something\n"
			      "wctemp    : 355\n"
			      "tnvmcap   : 1000204886016\n"
			      "nn        : 1\n"
			      "subnqn    : nqn.1994-11.com.samsung:nvme:980\n"
			      "ps    0 : mp:5.24W operational enlat:0 exlat:0\n";

static const char as_json[] =
	"{\"vid\":5197,\"ssvid\":5197,\"sn\":\"S649NF0R000001\",\"mn\":\"Samsung SSD 980 1TB\","
	"\"fr\":\"1B4QFXO7\",\"rab\":2,\"ieee\":9528,\"ver\":66560,\"wctemp\":355,"
	"\"tnvmcap\":1000204886016,\"nn\":1,\"subnqn\":\"nqn.1994-11.com.samsung:nvme:980\","
	"\"psds\":[{\"max_power\":524,\"flags\":0}]}";

static const char pretty_json[] = "{\n  \"vid\" : 5197,\n  \"ssvid\" : 5197,\n"
				  "  \"sn\" : \"S649NF0R000001      \",\n"
				  "  \"mn\" : \"Samsung SSD 980 1TB\",\n  \"fr\" : \"1B4QFXO7\",\n"
				  "  \"rab\" : 2,\n  \"ieee\" : 9528,\n  \"ver\" : 66560,\n"
				  "  \"wctemp\" : 355,\n  \"tnvmcap\" : 1000204886016,\n"
				  "  \"nn\" : 1,\n"
				  "  \"subnqn\" : \"nqn.1994-11.com.samsung:nvme:980\"\n}\n";

/* nvme-cli before 2.0: hex without 0x */
static const char old_text[] = "NVME Identify Controller:\n"
			       "vid     : 0x144d\n"
			       "ssvid   : 0x144d\n"
			       "sn      : S649NF0R000001\n"
			       "mn      : Samsung SSD 980 1TB\n"
			       "fr      : 1B4QFXO7\n"
			       "rab     : 2\n"
			       "ieee    : 002538\n"
			       "ver     : 10400\n"
			       "rtd3r   : e4e1c0\n"
			       "wctemp  : 355\n"
			       "tnvmcap : 1000204886016\n"
			       "nn      : 1\n"
			       "subnqn  : nqn.1994-11.com.samsung:nvme:980\n";

static const char *const forms[] = {as_text, as_json, pretty_json, old_text};

static bool parse(enum ca_register reg, const char *text, uint8_t *page, bool *whole)
{
	return ca_nvme_text_parse(reg, (struct ca_span){text, strlen(text)}, page, whole);
}

START_TEST(all_forms)
{
	uint8_t page[CA_NVME_ID_BYTES];
	bool whole = true;
	struct ca_nvme_ctrl ctrl;

	memset(page, 0xff, sizeof(page));
	ck_assert(parse(CA_REGISTER_NVME_CTRL, forms[_i], page, &whole));
	ck_assert(!whole); /* vwc is missing */
	ck_assert_int_eq(ca_nvme_ctrl_decode(page, sizeof(page), &ctrl), 0);
	ck_assert_uint_eq(ctrl.vid, 0x144d);
	ck_assert_uint_eq(ctrl.ssvid, 0x144d);
	ck_assert_str_eq(ctrl.sn, "S649NF0R000001      ");
	ck_assert_int_eq(strncmp(ctrl.mn, "Samsung SSD 980 1TB     ", 24), 0);
	ck_assert_str_eq(ctrl.fr, "1B4QFXO7");
	ck_assert_uint_eq(ctrl.rab, 2);
	ck_assert_uint_eq(ctrl.ieee_oui, 0x002538);
	ck_assert_uint_eq(ctrl.ver, 0x10400);
	ck_assert_uint_eq(ctrl.wctemp_k, 355);
	ck_assert_uint_eq(ctrl.tnvmcap_bytes, 1000204886016);
	ck_assert_uint_eq(ctrl.nn, 1);
	ck_assert_str_eq(ctrl.subnqn, "nqn.1994-11.com.samsung:nvme:980");
	ck_assert_uint_eq(ctrl.oncs, 0); /* not printed */
}
END_TEST

static const char *const not_identify[] = {
	"",
	"{",
	"{}",
	"vid : 0x144d\n",
	"vid : 0x1144d\nsn : a\nmn : b\n", /* does not fit */
	"vid : 0x\nsn : a\nmn : b\n",
	"vid : 0x144d\nsn : 123456789012345678901\nmn : b\n", /* 21 characters */
	"{\"vid\":\"x\",\"sn\":\"a\",\"mn\":\"b\"}",
	"vid 0x144d\nsn a\nmn b\n",
	":::::\n\n:",
};

START_TEST(refused)
{
	uint8_t page[CA_NVME_ID_BYTES] = {77};
	bool whole;

	ck_assert(!parse(CA_REGISTER_NVME_CTRL, not_identify[_i], page, &whole));
	ck_assert_uint_eq(page[0], 77);
}
END_TEST

static const char power_text[] =
	"vid : 0x144d\nsn : a\nmn : b\nnn : 1\nvwc : 0x1\n"
	"ps    0 : mp:8.25W operational enlat:0 exlat:0 rrt:0 rrl:0\n"
	"          rwt:0 rwl:0 idle_power:- active_power:-\n"
	"ps    3 : mp:0.0250W non-operational enlat:5000 exlat:1900 rrt:3 rrl:3\n"
	"          rwt:4 rwl:5 idle_power:0.0810W active_power:0.00W\n";

/* The first form is that of version 2, the second that of version 1. */
static const char *const power_json[] = {
	"{\"vid\":1,\"sn\":\"a\",\"mn\":\"b\",\"nn\":1,\"vwc\":1,\"psds\":[{\"max_power\":825,"
	"\"max_power_scale\":0,\"non-operational_state\":0},{},{},{\"max_power\":250,"
	"\"max_power_scale\":1,\"non-operational_state\":1,\"entry_lat\":5000,\"exit_lat\":1900,"
	"\"read_tput\":3,\"read_lat\":3,\"write_tput\":4,\"write_lat\":5}]}",
	"{\"vid\":1,\"sn\":\"a\",\"mn\":\"b\",\"nn\":1,\"vwc\":1,\"psds\":[{\"max_power\":825,"
	"\"flags\":0},{},{},{\"max_power\":250,\"flags\":3,\"entry_lat\":5000,\"exit_lat\":1900,"
	"\"read_tput\":3,\"read_lat\":3,\"write_tput\":4,\"write_lat\":5}]}",
};

START_TEST(power_states)
{
	const char *text = _i ? power_json[_i - 1] : power_text;
	uint8_t page[CA_NVME_ID_BYTES];
	struct ca_nvme_ctrl ctrl;
	bool whole = false;

	ck_assert(parse(CA_REGISTER_NVME_CTRL, text, page, &whole));
	ck_assert(whole);
	ck_assert_int_eq(ca_nvme_ctrl_decode(page, sizeof(page), &ctrl), 0);
	ck_assert_uint_eq(ctrl.psd[0].max_power_raw, 825);
	ck_assert(!ctrl.psd[0].max_power_scale && !ctrl.psd[0].non_operational);
	ck_assert_uint_eq(ctrl.psd[3].max_power_raw, 250);
	ck_assert(ctrl.psd[3].max_power_scale && ctrl.psd[3].non_operational);
	ck_assert_uint_eq(ctrl.psd[3].entry_latency_us, 5000);
	ck_assert_uint_eq(ctrl.psd[3].exit_latency_us, 1900);
	ck_assert_mem_eq(page + 2048 + 3 * 32 + 12, "\3\3\4\5", 4);
}
END_TEST

static const char *const namespaces[] = {
	"NVME Identify Namespace 1:\nnsze    : 0x10\nncap    : 0x10\nnuse    : 0x8\nnlbaf   : 1\n"
	"flbas   : 0x1\nnvmcap  : 65536\nnguid   : 0123456789abcdef0123456789abcdef\n"
	"eui64   : 0025388891b0aefd\nlbaf  0 : ms:0   lbads:9  rp:0x2 \n"
	"lbaf  1 : ms:8   lbads:12 rp:0 (in use)\n",
	"nsze : 16\nncap : 16\nnuse : 8\nnlbaf : 1\nflbas : 0x1\n  [3:0] : 0x1\tx\nnvmcap : 65536\n"
	"nguid : 01234567-89ab-cdef-0123-456789abcdef\neui64 : 0025388891b0aefd\n"
	"LBA Format  0 : Metadata Size: 0   bytes - Data Size: 512 bytes - Relative Performance: "
	"0x2 Good\nLBA Format  1 : Metadata Size: 8   bytes - Data Size: 4096 bytes - Relative "
	"Performance: 0 Best (in use)\n",
	"{\"nsze\":16,\"ncap\":16,\"nuse\":8,\"nlbaf\":1,\"flbas\":1,\"nvmcap\":65536,"
	"\"nguid\":\"0123456789abcdef0123456789abcdef\",\"eui64\":\"0025388891b0aefd\","
	"\"lbafs\":[{\"ms\":0,\"ds\":9,\"rp\":2},{\"ms\":8,\"ds\":12,\"rp\":0}]}",
};

START_TEST(namespace_forms)
{
	static const uint8_t nguid[] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef};
	uint8_t page[CA_NVME_ID_BYTES];
	struct ca_nvme_ns ns;
	bool whole = false;

	ck_assert(parse(CA_REGISTER_NVME_NS, namespaces[_i], page, &whole));
	ck_assert(whole);
	ck_assert_int_eq(ca_nvme_ns_decode(page, sizeof(page), &ns), 0);
	ck_assert_uint_eq(ns.nsze, 16);
	ck_assert_uint_eq(ns.nuse, 8);
	ck_assert_uint_eq(ns.nvmcap_bytes, 65536);
	ck_assert_mem_eq(ns.nguid, nguid, 8);
	ck_assert_uint_eq(ns.eui64[7], 0xfd);
	ck_assert_uint_eq(ns.lbaf_index, 1);
	ck_assert_uint_eq(ns.block_bytes, 4096);
	ck_assert_uint_eq(ns.lbaf[1].ms, 8);
	ck_assert_uint_eq(ns.lbaf[0].lbads, 9);
	ck_assert_uint_eq(ns.lbaf[0].rp, 2);
}
END_TEST

static const char *const smart_logs[] = {
	"critical_warning                    : 0x9\ntemperature                         : 39 C\n"
	"available_spare                     : 99%\navailable_spare_threshold           : 5%\n"
	"percentage_used                     : 1%\ndata_units_read                     : 1,234\n"
	"data_units_written                  : 28,871,767\npower_on_hours                      : "
	"5,219\nCritical Composite Temperature Time : 7\nTemperature Sensor 2                : 59 "
	"C\n",
	"critical_warning\t\t\t: 0x9\n      Available Spare[0]             : 1\n"
	"temperature\t\t\t\t: 39 °C (312 K)\navailable_spare\t\t\t\t: 99%\n"
	"available_spare_threshold\t\t: 5%\npercentage_used\t\t\t\t: 1%\n"
	"Data Units Read\t\t\t\t: 1234 (631.81 MB)\nData Units Written\t\t\t: 28871767 (14.78 TB)\n"
	"power_on_hours\t\t\t\t: 5219\nCritical Composite Temperature Time\t: 7\n"
	"Temperature Sensor 2           : 138 °F (332 K)\n",
	"{\"critical_warning\":9,\"temperature\":312,\"avail_spare\":99,\"spare_thresh\":5,"
	"\"percent_used\":1,\"data_units_read\":1234,\"data_units_written\":\"28871767\","
	"\"power_on_hours\":5219,\"critical_comp_time\":7,\"temperature_sensor_2\":332}",
	"{\"critical_warning\":{\"value\":9,\"available_spare\":1},\"temperature\":312,"
	"\"avail_spare\":99,\"spare_thresh\":5,\"percent_used\":1,\"data_units_read\":1234.0,"
	"\"data_units_written\":28871767,\"power_on_hours\":5219,\"critical_comp_time\":7,"
	"\"temperature_sensor_2\":332}",
};

START_TEST(smart_forms)
{
	uint8_t log[CA_NVME_SMART_BYTES];
	struct ca_nvme_smart smart;
	bool whole;

	ck_assert(parse(CA_REGISTER_NVME_SMART, smart_logs[_i], log, &whole));
	ck_assert_int_eq(ca_nvme_smart_decode(log, sizeof(log), &smart), 0);
	ck_assert_uint_eq(smart.critical_warning, 9);
	ck_assert_uint_eq(smart.temperature_k, 312);
	ck_assert_uint_eq(smart.available_spare, 99);
	ck_assert_uint_eq(smart.spare_threshold, 5);
	ck_assert_uint_eq(smart.percentage_used, 1);
	ck_assert_uint_eq(smart.data_units_read, 1234);
	ck_assert_uint_eq(smart.data_units_written, 28871767);
	ck_assert_uint_eq(smart.power_on_hours, 5219);
	ck_assert_uint_eq(smart.critical_temp_minutes, 7);
	ck_assert_uint_eq(smart.sensor_k[1], 332);
}
END_TEST

/* What is cut off is not zero: the size of a namespace needs the format in use. */
START_TEST(cut)
{
	uint8_t page[CA_NVME_ID_BYTES];
	bool whole = true;

	ck_assert(parse(CA_REGISTER_NVME_NS,
			"nsze : 1\nncap : 1\nnuse : 1\nflbas : 1\nlbaf  0 : "
			"ms:0 lbads:9 rp:0\n",
			page, &whole));
	ck_assert(!whole);
	ck_assert(!parse(CA_REGISTER_NVME_SMART, "critical_warning : 0\npercentage_used : 1%\n",
			 page, &whole));
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("nvme_text");

	tcase_add_loop_test(tests, all_forms, 0, (int)CA_ARRAY_LEN(forms));
	tcase_add_loop_test(tests, refused, 0, (int)CA_ARRAY_LEN(not_identify));
	tcase_add_loop_test(tests, power_states, 0, 1 + (int)CA_ARRAY_LEN(power_json));
	tcase_add_loop_test(tests, namespace_forms, 0, (int)CA_ARRAY_LEN(namespaces));
	tcase_add_loop_test(tests, smart_forms, 0, (int)CA_ARRAY_LEN(smart_logs));
	tcase_add_test(tests, cut);
	return run_tests(tests);
}
