/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/host.h"

#include "device_test.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define BYTES (4 * CA_MIB)

static char path[64], target[80];

static void make_image(uint64_t bytes)
{
	int fd;

	(void)strcpy(path, "/tmp/ca-image-XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, (off_t)bytes), 0);
	(void)close(fd);
	(void)snprintf(target, sizeof(target), "image:%s", path);
}

static void setup(void)
{
	make_image(BYTES);
}

static void teardown(void)
{
	(void)unlink(path);
}

static void *buffer_of(size_t bytes, uint8_t value)
{
	void *buffer = NULL;

	ck_assert_int_eq(posix_memalign(&buffer, CA_BUFFER_ALIGN, bytes), 0);
	memset(buffer, value, bytes);
	return buffer;
}

static struct ca_device *open_image(enum ca_open_mode mode)
{
	struct ca_device *device = NULL;
	struct ca_error error = {0};

	ck_assert_msg(ca_host_open(target, mode, &device, &error) == 0, "%s", error.text);
	return device;
}

START_TEST(read_and_write)
{
	struct ca_device *device = open_image(CA_OPEN_WRITE);
	uint8_t *out = buffer_of(CA_MIB, 0x5a), *in = buffer_of(CA_MIB, 0);
	struct ca_io_fault fault;
	struct stat st;

	ck_assert_uint_eq(device->geometry.bytes, BYTES);
	ck_assert_uint_eq(device->geometry.sector_bytes, 512);
	ck_assert(!device->geometry.read_only);
	ck_assert_int_eq(ca_device_write(device, BYTES - CA_MIB, CA_MIB, out, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_OK);
	ck_assert_int_eq(ca_device_write(device, 512, 512, out, &fault), 0); /* one sector */
	ck_assert_int_eq(ca_device_flush(device, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_OK);
	ck_assert_int_eq(ca_device_drop_cache(device), 0);
	ck_assert_int_eq(ca_device_read(device, BYTES - CA_MIB, CA_MIB, in, &fault), 0);
	ck_assert_mem_eq(in, out, CA_MIB);
	ck_assert_int_eq(ca_device_read(device, 0, 1536, in, &fault), 0);
	ck_assert(ca_bytes_is_all(in, 512, 0) && ca_bytes_is_all(in + 512, 512, 0x5a) &&
		  ca_bytes_is_all(in + 1024, 512, 0));
	ck_assert_int_eq(ca_device_check(device, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_OK);
	ca_device_close(device);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(st.st_size, BYTES); /* never extended */
	free(out);
	free(in);
}
END_TEST

#define IOS 96U

/* No descriptor is left for an io_uring: the queue has to do without. */
static struct ca_device *open_without_uring(void)
{
	struct ca_device *device;
	struct rlimit before, limit;
	int next = dup(0);

	ck_assert_int_gt(next, 0);
	(void)close(next);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
	limit = before;
	limit.rlim_cur = (rlim_t)next + 1;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	device = open_image(CA_OPEN_WRITE);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
	ck_assert_str_eq(ca_host_io_engine(device), "psync");
	return device;
}

/* 64 in flight at once, each handed back once, the data where it belongs; with and without
 * io_uring. */
START_TEST(queue)
{
	struct ca_device *device = _i ? open_without_uring() : open_image(CA_OPEN_WRITE);
	struct ca_io ios[IOS] = {0};
	unsigned int sent = 0, back = 0, depth = device->geometry.max_queue_depth;
	struct ca_io_fault fault;
	uint8_t *in;

	ck_assert_uint_ge(depth, 32);
	for (unsigned int i = 0; i < IOS; i++)
		ios[i] = (struct ca_io){.op = CA_IO_WRITE,
					.offset = i * UINT64_C(4096),
					.bytes = 4096,
					.buffer = buffer_of(4096, (uint8_t)(i + 1))};
	while (back < IOS) {
		struct ca_io *io = NULL;

		while (sent < IOS && sent - back < depth)
			ck_assert_int_eq(ca_device_submit(device, &ios[sent++]), 0);
		if (sent < IOS)
			ck_assert_int_eq(ca_device_submit(device, &ios[sent]), -EAGAIN);
		ck_assert_int_eq(ca_device_wait(device, &io), 0);
		ck_assert_int_eq(io->status, CA_IO_OK);
		ck_assert_uint_ge(io->completed_ns, io->submitted_ns);
		ck_assert_uint_gt(io->submitted_ns, 0);
		ck_assert_ptr_nonnull(io->buffer);
		free(io->buffer);
		io->buffer = NULL;
		back++;
	}
	ck_assert_int_eq(ca_device_wait(device, &(struct ca_io *){NULL}), -ENOENT);
	in = buffer_of(IOS * 4096, 0);
	ck_assert_int_eq(ca_device_read(device, 0, IOS * UINT64_C(4096), in, &fault), 0);
	for (unsigned int i = 0; i < IOS; i++)
		ck_assert(ca_bytes_is_all(in + i * 4096U, 4096, (uint8_t)(i + 1)));
	free(in);
	ca_device_close(device);
}
END_TEST

/* Closing with transfers in flight waits for them: their buffers are the caller's again after it.
 */
START_TEST(close_in_flight)
{
	struct ca_device *device = open_image(CA_OPEN_WRITE);
	struct ca_io ios[8] = {0};

	for (unsigned int i = 0; i < 8; i++) {
		ios[i] = (struct ca_io){.op = CA_IO_WRITE,
					.offset = i * UINT64_C(65536),
					.bytes = 65536,
					.buffer = buffer_of(65536, 3)};
		ck_assert_int_eq(ca_device_submit(device, &ios[i]), 0);
	}
	ca_device_close(device);
	for (unsigned int i = 0; i < 8; i++)
		free(ios[i].buffer);
}
END_TEST

/* Somebody makes the file shorter: data of the run, and it does not grow again. */
START_TEST(shrinks)
{
	struct ca_device *device = open_image(CA_OPEN_WRITE);
	uint8_t *out = buffer_of(8192, 1);
	struct ca_io_fault fault;
	struct stat st;

	ck_assert_int_eq(truncate(path, 8192), 0);
	ck_assert_int_eq(ca_device_write(device, 4096, 8192, out, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_ERROR);
	ck_assert_uint_eq(fault.offset, 8192);
	ck_assert_uint_eq(fault.bytes, 4096);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(st.st_size, 8192);
	ck_assert_int_eq(ca_device_check(device, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_ERROR);
	ck_assert_int_eq(truncate(path, 0), 0);
	ck_assert_int_eq(ca_device_read(device, 0, 512, out, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_GONE);
	ck_assert_int_eq(ca_device_check(device, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_GONE);
	ca_device_close(device);
	free(out);
}
END_TEST

/* No room below the image is our host's trouble, never the card's. */
START_TEST(host_is_full)
{
	const struct rlimit limit = {8192, 8192};
	struct ca_io_fault fault = {.offset = 77};
	struct ca_device *device = open_image(CA_OPEN_WRITE);
	uint8_t *out = buffer_of(4096, 1);

	/* A file size limit gives EFBIG, which goes the way of ENOSPC. */
	ck_assert_ptr_ne(signal(SIGXFSZ, SIG_IGN), SIG_ERR);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	ck_assert_int_eq(ca_device_write(device, 0, 4096, out, &fault), 0);
	fault.offset = 77;
	ck_assert_int_eq(ca_device_write(device, 65536, 4096, out, &fault), -EFBIG);
	ck_assert_uint_eq(fault.offset, 77);
	ca_device_close(device);
	free(out);
}
END_TEST

START_TEST(one_writer)
{
	struct ca_device *first = open_image(CA_OPEN_WRITE), *second = NULL;
	struct ca_error error = {0};

	ck_assert_int_eq(ca_host_open(target, CA_OPEN_WRITE, &second, &error), -EBUSY);
	ck_assert_ptr_nonnull(strstr(error.text, "in use by another run"));
	ca_device_close(first);
	second = open_image(CA_OPEN_READ);
	ck_assert(second->geometry.read_only);
	ca_device_close(second);
}
END_TEST

static const struct {
	const char *path;
	int bytes; /* of the file made there, -1 = none */
	int result;
	const char *says;
} refused[] = {
	{"/tmp/ca-no-such-image", -1, -ENOENT, "there is no image file"},
	{"/tmp", -1, -EINVAL, "not a regular file"},
	{"/dev/null", -1, -EINVAL, "not a regular file"},
	{"", 0, -EINVAL, "has 0 bytes"},
	{"", 511, -EINVAL, "has 511 bytes; a card has a multiple of 512"},
};

START_TEST(refusals)
{
	struct ca_device *device = NULL;
	struct ca_error error = {0};
	char name[80];

	if (refused[_i].bytes >= 0)
		ck_assert_int_eq(truncate(path, refused[_i].bytes), 0);
	(void)snprintf(name, sizeof(name), "image:%s",
		       refused[_i].bytes >= 0 ? path : refused[_i].path);
	ck_assert_int_eq(ca_host_open(name, CA_OPEN_READ, &device, &error), refused[_i].result);
	ck_assert_msg(strstr(error.text, refused[_i].says) != NULL, "%s", error.text);
	ck_assert_ptr_null(device);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("image");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, read_and_write);
	tcase_add_loop_test(tests, queue, 0, 2);
	tcase_add_test(tests, close_in_flight);
	tcase_add_test(tests, shrinks);
	tcase_add_test(tests, host_is_full);
	tcase_add_test(tests, one_writer);
	tcase_add_loop_test(tests, refusals, 0, (int)CA_ARRAY_LEN(refused));
	return run_tests(tests);
}
