/* SPDX-License-Identifier: BSD-2-Clause */
/* What a device waits for, told to another thread: attend.c. */
#include "cardassay/host.h"

#include "device_test.h"
#include "ram_device.h"

#include <time.h>

static struct ram_device ram;
static struct ca_device *attended;
static struct ca_attended seen; /* in the midst of a transfer */

static void look(enum ca_io_op op, uint64_t offset, uint64_t bytes, const uint8_t *out)
{
	(void)op;
	(void)offset;
	(void)bytes;
	(void)out;
	ca_host_attended(attended, &seen);
}

static void setup(void)
{
	ram_init(&ram, CA_MIB, 512, 4);
	ram.on_transfer = look;
	ck_assert_int_eq(ca_host_attend(&ram.device, &attended), 0);
}

static void teardown(void)
{
	ca_device_close(attended); /* the device below stays */
	ca_device_close(&ram.device);
}

static struct ca_attended now(void)
{
	struct ca_attended attended_now = {.kind = CA_ATTENDED_FLUSH};

	ca_host_attended(attended, &attended_now);
	return attended_now;
}

START_TEST(blocking_calls_are_seen)
{
	uint8_t data[1024] = {7};
	struct ca_io_fault fault;

	ck_assert_int_eq(now().kind, CA_ATTENDED_IDLE);
	ck_assert_int_eq(ca_device_write(attended, 4096, sizeof(data), data, &fault), 0);
	ck_assert_int_eq(seen.kind, CA_ATTENDED_WRITE);
	ck_assert_uint_eq(seen.offset, 4096);
	ck_assert_uint_eq(ram.data[4096], 7);
	ck_assert_int_eq(ca_device_read(attended, 512, 512, data, &fault), 0);
	ck_assert_int_eq(seen.kind, CA_ATTENDED_READ);
	ck_assert_uint_eq(seen.offset, 512);
	ck_assert_int_eq(ca_device_flush(attended, &fault), 0);
	ck_assert_uint_eq(ram.flushes, 1);
	ck_assert_int_eq(ca_device_drop_cache(attended), 0);
	ck_assert_uint_eq(ram.drops, 1);
	ck_assert_int_eq(now().kind, CA_ATTENDED_IDLE);
}
END_TEST

START_TEST(the_oldest_in_flight_is_named)
{
	const struct timespec pause = {0, 20000000};
	uint8_t data[4][512];
	struct ca_io ios[4], *io;

	for (size_t i = 0; i < 4; i++) {
		ios[i] = (struct ca_io){.op = i == 3 ? CA_IO_READ : CA_IO_WRITE,
					.offset = 8192 * (i + 1),
					.bytes = 512,
					.buffer = data[i]};
		ck_assert_int_eq(ca_device_submit(attended, &ios[i]), 0);
		(void)nanosleep(&pause, NULL);
	}
	ck_assert_int_eq(now().kind, CA_ATTENDED_WRITE);
	ck_assert_uint_eq(now().offset, 8192);
	ck_assert_uint_ge(now().waiting_ns, 60000000);
	/* an answer to one is an answer: what waits longer is only slow */
	ram.newest_first = true;
	ck_assert_int_eq(ca_device_wait(attended, &io), 0);
	ck_assert_ptr_eq(io, &ios[3]);
	ck_assert_uint_eq(now().offset, 8192);
	ck_assert_uint_lt(now().waiting_ns, 60000000);
	ram.newest_first = false;
	for (size_t i = 0; i < 3; i++)
		ck_assert_int_eq(ca_device_wait(attended, &io), 0);
	ck_assert_int_eq(now().kind, CA_ATTENDED_IDLE);
	ck_assert_int_eq(ca_device_wait(attended, &io), -ENOENT);
}
END_TEST

START_TEST(what_was_refused_is_not_waited_for)
{
	uint8_t data[512];
	struct ca_io io = {.op = CA_IO_READ, .bytes = 512, .buffer = data};

	ram.submit_errno = -ENOMEM;
	(void)ca_error_set(&ram.device.failure, -ENOMEM, "no memory");
	ck_assert_int_eq(ca_device_submit(attended, &io), -ENOMEM);
	ck_assert_int_eq(now().kind, CA_ATTENDED_IDLE);
	ck_assert_str_eq(attended->failure.text, "no memory");
}
END_TEST

START_TEST(it_is_as_the_one_below)
{
	struct ca_io_fault fault = {.status = CA_IO_OK};

	ck_assert_uint_eq(attended->geometry.bytes, CA_MIB);
	ck_assert_uint_eq(attended->geometry.max_queue_depth, 4);
	ck_assert_ptr_eq(attended->clock, ram.device.clock);
	ram.changed = true;
	ck_assert_int_eq(ca_device_check(attended, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_ERROR);
	ck_assert_int_eq(ca_device_reinit(attended, &fault), -EOPNOTSUPP);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("attend");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, blocking_calls_are_seen);
	tcase_add_test(tests, the_oldest_in_flight_is_named);
	tcase_add_test(tests, what_was_refused_is_not_waited_for);
	tcase_add_test(tests, it_is_as_the_one_below);
	return run_tests(tests);
}
