/* SPDX-License-Identifier: BSD-2-Clause */
/* The layers of a simulated card without the device on top; sectors of 512 bytes, full of a number.
 */
#ifndef CA_TEST_SIM_RIG_H
#define CA_TEST_SIM_RIG_H

#include "sim.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR	 512U
#define RIG_MOST 64U /* sectors in one transfer */

static inline struct ca_sim_layer *new_stack(const char *text)
{
	struct ca_sim_spec spec;
	struct ca_sim_layer *top;
	struct ca_error error = {0};

	ck_assert_msg(ca_sim_parse(text, &spec, &error) == 0, "%s", error.text);
	ck_assert_int_eq(ca_sim_stack_new(&spec, &top), 0);
	return top;
}

/* `count` sectors, full of value, value + 1 ... */
static inline struct ca_sim_call put_many(struct ca_sim_layer *top, uint64_t lba, uint64_t count,
					  uint64_t value)
{
	static uint8_t data[RIG_MOST * SECTOR];
	struct ca_sim_call call = {0};

	for (size_t i = 0; i < count * SECTOR; i += 8)
		ca_put_le64(data + i, value + i / SECTOR);
	ck_assert_int_eq(ca_sim_write(top, lba * SECTOR, count * SECTOR, data, &call), 0);
	return call;
}

static inline void put(struct ca_sim_layer *top, uint64_t lba, uint64_t value)
{
	ck_assert_int_eq((int)put_many(top, lba, 1, value).fault.status, CA_IO_OK);
}

static inline struct ca_sim_call read_many(struct ca_sim_layer *top, uint64_t lba, uint64_t count,
					   uint8_t *data)
{
	struct ca_sim_call call = {0};

	ck_assert_int_eq(ca_sim_read(top, lba * SECTOR, count * SECTOR, data, &call), 0);
	return call;
}

static inline uint64_t get(struct ca_sim_layer *top, uint64_t lba)
{
	uint8_t data[SECTOR];

	ck_assert_int_eq((int)read_many(top, lba, 1, data).fault.status, CA_IO_OK);
	ck_assert(memcmp(data, data + 8, SECTOR - 8) == 0); /* one number throughout */
	return ca_le64(data);
}

static inline void check_call(struct ca_sim_call call, enum ca_io_status status, uint64_t lba,
			      uint64_t sectors)
{
	ck_assert_int_eq((int)call.fault.status, (int)status);
	ck_assert_uint_eq(call.fault.offset, lba * SECTOR);
	ck_assert_uint_eq(call.fault.bytes, sectors * SECTOR);
}

static inline int run_tests(TCase *tcase)
{
	Suite *suite = suite_create("sim");
	SRunner *runner = srunner_create(suite);
	int failed;

	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
