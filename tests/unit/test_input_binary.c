/* SPDX-License-Identifier: BSD-2-Clause */
#include "input_case.h"
#include "input_nvme.h"

#include <errno.h>

static void make_controller(char *page, char vid)
{
	memset(page, 0, CA_NVME_ID_BYTES);
	page[0] = vid;
	memset(page + 4, ' ', 68);
	memcpy(page + 24, "Samsung SSD 980", 15);
}

static void make_namespace(char *page, char blocks)
{
	memset(page, 0, CA_NVME_ID_BYTES);
	page[0] = page[8] = blocks;
	page[130] = 9;
}

static void make_smart(char *log)
{
	memset(log, 0, CA_NVME_SMART_BYTES);
	log[1] = 0x2c; /* 300 K */
	log[2] = 1;
	log[3] = 100;
}

static void make_extcsd(char *data)
{
	memset(data, 0, CA_EXTCSD_BYTES);
	data[192] = 8;
	data[504] = 1;
}

START_TEST(pages)
{
	static char data[4 * CA_NVME_ID_BYTES + 2 * CA_NVME_SMART_BYTES];
	struct ca_error error;
	static struct got got;

	make_controller(data, 1);
	ck_assert_int_eq(got_read(data, 4096, &got, &error), 0);
	ck_assert_str_eq(got.text, "card 1 id_ctrl=01;");
	make_namespace(data + 4096, 0x10);
	make_smart(data + 8192);
	ck_assert_int_eq(got_read(data, 8704, &got, &error), 0);
	ck_assert_str_eq(got.text, "card 1 id_ctrl=01 id_ns=10 smart_log=00;");
	/* the next drive */
	make_controller(data + 8704, 2);
	make_namespace(data + 12800, 0x20);
	ck_assert_int_eq(got_read(data, 16896, &got, &error), 0);
	ck_assert_str_eq(got.text, "card 1 id_ctrl=01 id_ns=10 smart_log=00;"
				   "card 2 id_ctrl=02 id_ns=20;");
	make_extcsd(data);
	ck_assert_int_eq(got_read(data, 512, &got, &error), 0);
	ck_assert_str_eq(got.text, "card 1 MMC ext_csd=00;");
}
END_TEST

/* nvme-cli prints pages as hex too. */
START_TEST(hex)
{
	static char data[CA_NVME_ID_BYTES], text[2 * CA_NVME_ID_BYTES + 1];
	struct ca_error error;
	static struct got got;

	make_namespace(data, 0x10);
	ca_hex_encode((const uint8_t *)data, sizeof(data), text);
	ck_assert_int_eq(got_read(text, strlen(text), &got, &error), 0);
	ck_assert_str_eq(got.text, "card 1 id_ns=10;");
	make_smart(data);
	ca_hex_encode((const uint8_t *)data, CA_NVME_SMART_BYTES, text);
	ck_assert_int_eq(got_read(text, strlen(text), &got, &error), 0);
	ck_assert_str_eq(got.text, "card 1 smart_log=00;");
}
END_TEST

static const struct {
	size_t len;
	const char *says;
	unsigned int cards; /* the page before what is none is read all the same */
} bad[] = {
	{4095, "offset 0: 4095 bytes of binary data", 0},
	{4097, "offset 4096: 1 bytes of binary data", 1},
	{8192, "offset 4096: 4096 bytes of binary data", 1},
};

START_TEST(refused)
{
	char data[8192];
	struct ca_error error;
	static struct got got;

	memset(data, 0xff, sizeof(data));
	make_controller(data, 1);
	ck_assert_int_eq(got_read(data, bad[_i].len, &got, &error), -EBADMSG);
	ck_assert_msg(strstr(error.text, bad[_i].says) != NULL, "%s", error.text);
	ck_assert_uint_eq(got.cards, bad[_i].cards);
}
END_TEST

START_TEST(told_apart)
{
	char data[CA_NVME_ID_BYTES];

	make_controller(data, 1);
	ck_assert(ca_input_is_controller((const uint8_t *)data));
	ck_assert(!ca_input_is_namespace((const uint8_t *)data));
	make_namespace(data, 1);
	ck_assert(!ca_input_is_controller((const uint8_t *)data));
	ck_assert(ca_input_is_namespace((const uint8_t *)data));
	make_smart(data);
	ck_assert(ca_input_is_smart((const uint8_t *)data));
	make_extcsd(data);
	ck_assert(!ca_input_is_smart((const uint8_t *)data));
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("input_binary");

	tcase_add_test(tests, pages);
	tcase_add_test(tests, hex);
	tcase_add_loop_test(tests, refused, 0, (int)CA_ARRAY_LEN(bad));
	tcase_add_test(tests, told_apart);
	return run_tests(tests);
}
