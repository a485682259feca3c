/* SPDX-License-Identifier: BSD-2-Clause */
/* The same device through the page cache: cached.c. */
#include "cardassay/host.h"

#include "device_test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[64], target[80];

static void set_up(void)
{
	int fd;

	strcpy(path, "/tmp/cardassay-cached-XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, 65536), 0);
	ck_assert_int_eq(close(fd), 0);
	(void)snprintf(target, sizeof(target), "image:%s", path); /* fits */
}

static void tear_down(void)
{
	(void)unlink(path);
}

START_TEST(it_is_the_same_device)
{
	struct ca_device *device, *cached;
	struct ca_io_fault fault;
	struct ca_error error = {0};
	uint8_t *data = aligned_alloc(CA_BUFFER_ALIGN, CA_BUFFER_ALIGN);

	ck_assert_ptr_nonnull(data);
	ck_assert_int_eq(ca_host_open(target, CA_OPEN_WRITE, &device, &error), 0);
	ck_assert_int_eq(ca_host_open_cached(device, &cached, &error), 0);
	ck_assert_uint_eq(cached->geometry.bytes, 65536);
	ck_assert_uint_eq(cached->geometry.sector_bytes, device->geometry.sector_bytes);
	memset(data, 0x5a, CA_BUFFER_ALIGN);
	ck_assert_int_eq(ca_device_write(cached, 4096, 4096, data, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_OK);
	ck_assert_int_eq(ca_device_flush(cached, &fault), 0);
	memset(data, 0, CA_BUFFER_ALIGN);
	ck_assert_int_eq(ca_device_read(device, 4096, 4096, data, &fault), 0);
	ck_assert_uint_eq(data[0], 0x5a);
	ck_assert_uint_eq(data[4095], 0x5a);
	ca_device_close(cached);
	/* the first is still open */
	ck_assert_int_eq(ca_device_read(device, 0, 4096, data, &fault), 0);
	ck_assert_uint_eq(data[0], 0);
	ca_device_close(device);
	free(data);
}
END_TEST

/* A name that is another file by now does not matter. */
START_TEST(it_goes_by_the_descriptor)
{
	struct ca_device *device, *cached;
	struct ca_error error = {0};

	ck_assert_int_eq(ca_host_open(target, CA_OPEN_READ, &device, &error), 0);
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(ca_host_open_cached(device, &cached, &error), 0);
	ck_assert(cached->geometry.read_only);
	ck_assert_uint_eq(cached->geometry.bytes, 65536);
	ca_device_close(cached);
	ca_device_close(device);
}
END_TEST

START_TEST(a_simulated_card_has_none)
{
	struct ca_device *device, *cached = NULL;
	struct ca_error error = {0};

	ck_assert_int_eq(ca_host_open("sim:announced=8M", CA_OPEN_WRITE, &device, &error), 0);
	ck_assert_int_eq(ca_host_open_cached(device, &cached, &error), -EOPNOTSUPP);
	ck_assert_ptr_null(cached);
	ck_assert_ptr_nonnull(strstr(error.text, "page cache"));
	ca_device_close(device);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("cached");
	TCase *tcase = tcase_create("cached");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, it_is_the_same_device);
	tcase_add_test(tcase, it_goes_by_the_descriptor);
	tcase_add_test(tcase, a_simulated_card_has_none);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
