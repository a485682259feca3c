/* SPDX-License-Identifier: BSD-2-Clause */
#include "input.h"

#include "device_test.h"

#include <string.h>

static const struct {
	const char *line;
	size_t digits;
} lines[] = {
	{"", 0},       {"0353", 4},	 {"03 53 44", 6}, {"03:53:44", 6}, {"0x03 0x53", 4},
	{"0x0353", 4}, {"0353 4453", 8}, {"035 344", 0},  {"1 2 3", 0},	   {"0353 44", 0},
	{"03g3", 0},   {"00-11-22", 6},	 {"mmc0", 0},	  {"0x", 0},
};

START_TEST(counted)
{
	ck_assert_uint_eq(
		ca_input_count_hex((struct ca_span){lines[_i].line, strlen(lines[_i].line)}),
		lines[_i].digits);
}
END_TEST

START_TEST(lengths)
{
	static char hex[8193];
	static const struct {
		size_t digits;
		unsigned int kind;
	} kinds[] = {{16, CA_REGISTER_SCR},	    {32, CA_INPUT_BARE_16},
		     {128, CA_REGISTER_SSR},	    {1024, CA_REGISTER_EXTCSD},
		     {8192, CA_REGISTER_NVME_CTRL}, {14, CA_INPUT_NONE},
		     {15, CA_INPUT_NONE},	    {0, CA_INPUT_NONE}};

	memset(hex, 'f', sizeof(hex) - 1);
	ck_assert_uint_eq(ca_input_kind_of_hex((struct ca_span){hex, kinds[_i].digits}),
			  kinds[_i].kind);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("input_hex");

	tcase_add_loop_test(tests, counted, 0, (int)CA_ARRAY_LEN(lines));
	tcase_add_loop_test(tests, lengths, 0, 8);
	return run_tests(tests);
}
