/* SPDX-License-Identifier: BSD-2-Clause */
#include "input_dump.h"

#include "device_test.h"

#include <string.h>

/* Lines up to the first that is no part of the dump; hex: what it holds, "" for no dump. */
static const struct {
	const char *text, *hex;
	bool words;
} dumps[] = {
	{"00000000: 2750 4853 4431 3647 30da 89b8 2900 fb61  'PHSD16G0...)..a",
	 "275048534431364730da89b82900fb61", false},
	{"00000000: 2750 48  abcd", "275048", false},
	{"00000000: 27 50 48 53  'PHS", "27504853", false},
	{"00000000  27 50 48 53 44 31 36 47  30 da 89 b8 29 00 fb 61  |'PHSD16G0...)..a|\n00000010",
	 "275048534431364730da89b82900fb61", false},
	{"0000000 27 50 48 53 44 31 36 47 30 da 89 b8 29 00 fb 61\n0000020 01 02\n0000022",
	 "275048534431364730da89b82900fb610102", false},
	{"000000 27 50\n000002 48", "275048", false},
	{"0000: 44 14 \"D.\"", "4414", false},
	/* rows again */
	{"00000000  00 01 02 03 04 05 06 07  08 09 0a 0b 0c 0d 0e 0f  |x|\n*\n00000030  ff",
	 "000102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f"
	 "000102030405060708090a0b0c0d0e0fff",
	 false},
	/* an address instead of an offset */
	{"80000000: 03 53\n80000002: 44", "035344", false},
	/* it ends where the offset does not fit */
	{"00000000: 0353\n00000010: 44", "0353", false},
	{"00000000: 0353\nhello", "0353", false},
	/* the machine's order of bytes */
	{"0000000 5027 5348 3144 4736 da30 b889 0029 61fb", "50275348314447 36da30b889002961fb",
	 true},
	/* no dumps */
	{"00000000 00000000 00000000", "", false},
	{"275048534431364730da89b82900fb61", "", false},
	{"0235 8002 0100 0000", "", false},
	{"01:00.0 Non-Volatile", "", false},
	{"00: 86 80", "", false},
	{"cid: 27 50", "", false},
	{"00000000:", "", false},
	{"12345678901234567: 00", "", false},
};

START_TEST(rows)
{
	static struct ca_input_dump dump;
	struct ca_span rest = {dumps[_i].text, strlen(dumps[_i].text)};
	char hex[2 * 64 + 1], wanted[2 * 64 + 1] = "";

	if (!ca_input_dump_begins(ca_span_take_line(&rest), &dump)) {
		ck_assert_str_eq(dumps[_i].hex, "");
		return;
	}
	while (rest.len && ca_input_dump_goes_on(ca_span_take_line(&rest), &dump))
		;
	ck_assert_uint_le(dump.len, 64);
	ca_hex_encode(dump.data, dump.len, hex);
	for (const char *from = dumps[_i].hex; *from; from++)
		if (*from != ' ')
			strncat(wanted, from, 1);
	ck_assert_str_eq(hex, wanted);
	ck_assert_int_eq(dump.words, dumps[_i].words);
}
END_TEST

/* '*' stands for as much as the next offset says, but no memory is taken for it. */
START_TEST(endless)
{
	static struct ca_input_dump dump;
	static const char *const more[] = {"*", "ffffffffffffff00  01"};

	ck_assert(ca_input_dump_begins(
		(struct ca_span){"00000000  00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f", 57},
		&dump));
	for (size_t i = 0; i < CA_ARRAY_LEN(more); i++)
		(void)ca_input_dump_goes_on((struct ca_span){more[i], strlen(more[i])}, &dump);
	ck_assert_uint_eq(dump.len, sizeof(dump.data));
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("input_dump");

	tcase_add_loop_test(tests, rows, 0, (int)CA_ARRAY_LEN(dumps));
	tcase_add_test(tests, endless);
	return run_tests(tests);
}
