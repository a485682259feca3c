/* SPDX-License-Identifier: BSD-2-Clause */
#include "register_parse.h"

#include "device_test.h"

#include <string.h>

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

START_TEST(all_forms)
{
	uint8_t page[CA_NVME_ID_BYTES];
	struct ca_nvme_ctrl ctrl;

	memset(page, 0xff, sizeof(page));
	ck_assert(ca_nvme_text_parse(forms[_i], strlen(forms[_i]), page));
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

	ck_assert(!ca_nvme_text_parse(not_identify[_i], strlen(not_identify[_i]), page));
	ck_assert_uint_eq(page[0], 77);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("nvme_text");

	tcase_add_loop_test(tests, all_forms, 0, (int)CA_ARRAY_LEN(forms));
	tcase_add_loop_test(tests, refused, 0, (int)CA_ARRAY_LEN(not_identify));
	return run_tests(tests);
}
