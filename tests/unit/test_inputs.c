/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/host.h"

#include "device_test.h"

#include <time.h>

START_TEST(entropy)
{
	uint8_t one[64] = {0}, other[64] = {0}, big[1024] = {0};

	ck_assert_int_eq(ca_host_entropy(one, sizeof(one)), 0);
	ck_assert_int_eq(ca_host_entropy(other, sizeof(other)), 0);
	ck_assert_mem_ne(one, other, sizeof(one));
	/* more than getrandom promises in one piece: filled to the end */
	ck_assert_int_eq(ca_host_entropy(big, sizeof(big)), 0);
	ck_assert(!ca_bytes_is_all(big + 960, 64, 0));
	ck_assert_int_eq(ca_host_entropy(one, 0), 0);
}
END_TEST

START_TEST(clock_now)
{
	bool trusted = false;
	uint64_t now = (uint64_t)time(NULL), seconds;

	ck_assert_int_eq(unsetenv("SOURCE_DATE_EPOCH"), 0);
	seconds = ca_host_wall_seconds(&trusted);
	ck_assert_uint_ge(seconds, now);
	ck_assert_uint_le(seconds, now + 5);
}
END_TEST

START_TEST(clock_given)
{
	bool trusted = true;

	ck_assert_int_eq(setenv("SOURCE_DATE_EPOCH", "1700000000", 1), 0);
	ck_assert_uint_eq(ca_host_wall_seconds(&trusted), 1700000000);
	ck_assert(!trusted); /* somebody said so, no clock did */
	ck_assert_int_eq(setenv("SOURCE_DATE_EPOCH", "yesterday", 1), 0);
	ck_assert_uint_ne(ca_host_wall_seconds(&trusted), 0);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("inputs");

	tcase_add_test(tests, entropy);
	tcase_add_test(tests, clock_now);
	tcase_add_test(tests, clock_given);
	return run_tests(tests);
}
