/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/registers.h"

#include "unit/field_case.h"

#include <stdlib.h>

/* Commands of S 4.5: five bytes and the byte that follows them. */
static const struct {
	const char *hex;
	uint8_t last;
} commands[] = {
	{"4000000000", 0x95},
	{"5100000000", 0x55},
	{"48000001aa", 0x87}, /* CMD8 as every host sends it */
};

START_TEST(commands_have_the_known_check_byte)
{
	uint8_t data[5];

	hex_bytes(commands[_i].hex, data, sizeof(data));
	ck_assert_uint_eq(ca_crc7(data, sizeof(data)) * 2U + 1, commands[_i].last);
}
END_TEST

static const struct {
	const char *hex;
	enum ca_crc state;
} cards[] = {
	{"035344534c33324780e012b979002615", CA_CRC_GOOD},
	{"400e00325b590000edc87f800a4040c3", CA_CRC_GOOD},
	{"275048534431364730da89b82900fb61", CA_CRC_GOOD},
	{"1501004d384731474303dc0db061506f", CA_CRC_GOOD},
	{"d02701320f5903fff6dbffef8e40400d", CA_CRC_GOOD},
	{"035344534331364780ecf4c851011b85", CA_CRC_GOOD},
	{"400e00325b59000076b27f800a404013", CA_CRC_GOOD},
	/* the end bit delivered as 0 */
	{"9f544953443634476136980065013b7e", CA_CRC_GOOD},
	{"400e00325b590001cfff7f800a4000fa", CA_CRC_GOOD},
	/* stripped by the host, whole or all but the end bit */
	{"1b534d474638533530d8466363a16700", CA_CRC_ABSENT},
	{"1b534d30303030301075a72c7e00a501", CA_CRC_ABSENT},
	{"00000000000000000000000000000000", CA_CRC_ABSENT},
	/* one bit changed in a good one: in the data, in the check, in the end bit (no change) */
	{"035344534c33324780e012b979002715", CA_CRC_BAD},
	{"035344534c33324780e012b979002617", CA_CRC_BAD},
	{"035344534c33324780e012b979002614", CA_CRC_GOOD},
	{"ffffffffffffffffffffffffffffffff", CA_CRC_GOOD}, /* so says the polynomial */
	{"00000000000000000000000000000002", CA_CRC_BAD},
};

START_TEST(cards_have_the_known_state)
{
	uint8_t data[CA_CID_BYTES];

	hex_bytes(cards[_i].hex, data, sizeof(data));
	ck_assert_int_eq(ca_crc7_check(data), cards[_i].state);
}
END_TEST

START_TEST(every_single_bit_error_is_seen)
{
	uint8_t data[CA_CID_BYTES];

	hex_bytes("035344534c33324780e012b979002615", data, sizeof(data));
	for (unsigned int bit = 0; bit < 127; bit++) { /* 127 is the end bit */
		data[bit / 8] ^= (uint8_t)(0x80U >> bit % 8);
		ck_assert_int_eq(ca_crc7_check(data), CA_CRC_BAD);
		data[bit / 8] ^= (uint8_t)(0x80U >> bit % 8);
	}
	ck_assert_int_eq(ca_crc7_check(data), CA_CRC_GOOD);
}
END_TEST

START_TEST(nothing_has_remainder_0)
{
	ck_assert_uint_eq(ca_crc7((const uint8_t *)"", 0), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("crc7");
	TCase *tcase = tcase_create("crc7");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, commands_have_the_known_check_byte, 0,
			    (int)CA_ARRAY_LEN(commands));
	tcase_add_loop_test(tcase, cards_have_the_known_state, 0, (int)CA_ARRAY_LEN(cards));
	tcase_add_test(tcase, every_single_bit_error_is_seen);
	tcase_add_test(tcase, nothing_has_remainder_0);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
