/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/host.h"

#include "device_test.h"
#include "loop_device.h"

#include <errno.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

#define BYTES (8 * CA_MIB)

static struct loop_device loop;

static void setup(void)
{
	ck_assert(loop_attach(&loop, BYTES, false));
}

static void teardown(void)
{
	loop_detach(&loop);
}

static uint8_t *buffer_of(size_t bytes, uint8_t value)
{
	void *buffer = NULL;

	ck_assert_int_eq(posix_memalign(&buffer, CA_BUFFER_ALIGN, bytes), 0);
	memset(buffer, value, bytes);
	return buffer;
}

static struct ca_device *open_loop(enum ca_open_mode mode)
{
	struct ca_device *device = NULL;
	struct ca_error error = {0};

	ck_assert_msg(ca_host_open(loop.node, mode, &device, &error) == 0, "%s", error.text);
	return device;
}

static void refuse(const char *node, enum ca_open_mode mode, int result, const char *says)
{
	struct ca_device *device = NULL;
	struct ca_error error = {0};
	int r = ca_host_open(node, mode, &device, &error);

	ck_assert_msg(r == result, "%s: %d, %s", node, r, error.text);
	ck_assert_msg(strstr(error.text, says) != NULL, "%s", error.text);
	ck_assert_ptr_null(device);
}

START_TEST(read_and_write)
{
	struct ca_device *device = open_loop(CA_OPEN_WRITE);
	uint8_t *out = buffer_of(CA_MIB, 0x5a), *in = buffer_of(CA_MIB, 0), back[512];
	struct ca_io_fault fault;

	ck_assert_uint_eq(device->geometry.bytes, BYTES);
	ck_assert_uint_eq(device->geometry.sector_bytes, 512);
	ck_assert(!device->geometry.read_only);
	ck_assert_int_eq(ca_device_write(device, BYTES - CA_MIB, CA_MIB, out, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_OK);
	ck_assert_int_eq(ca_device_flush(device, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_OK);
	ck_assert_int_eq(ca_device_read(device, BYTES - CA_MIB, CA_MIB, in, &fault), 0);
	ck_assert_mem_eq(in, out, CA_MIB);
	ck_assert_int_eq(pread(loop.backing, back, sizeof(back), BYTES - 512), 512);
	ck_assert(ca_bytes_is_all(back, sizeof(back), 0x5a));
	ck_assert_int_eq(ca_device_check(device, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_OK);
	ca_device_close(device);
	free(out);
	free(in);
}
END_TEST

START_TEST(queue)
{
	struct ca_device *device = open_loop(CA_OPEN_WRITE);
	struct ca_io ios[32] = {0};
	struct ca_io_fault fault;
	uint8_t *in = buffer_of(32 * 4096, 0);

	for (unsigned int i = 0; i < 32; i++) {
		ios[i] = (struct ca_io){.op = CA_IO_WRITE,
					.offset = (31 - i) * UINT64_C(4096),
					.bytes = 4096,
					.buffer = buffer_of(4096, (uint8_t)(i + 1))};
		ck_assert_int_eq(ca_device_submit(device, &ios[i]), 0);
	}
	for (unsigned int i = 0; i < 32; i++) {
		struct ca_io *io = NULL;

		ck_assert_int_eq(ca_device_wait(device, &io), 0);
		ck_assert_int_eq(io->status, CA_IO_OK);
		free(io->buffer);
	}
	ck_assert_int_eq(ca_device_read(device, 0, 32 * UINT64_C(4096), in, &fault), 0);
	for (unsigned int i = 0; i < 32; i++)
		ck_assert(ca_bytes_is_all(in + (31 - i) * 4096U, 4096, (uint8_t)(i + 1)));
	ca_device_close(device);
	free(in);
}
END_TEST

START_TEST(exclusive)
{
	struct ca_device *first = open_loop(CA_OPEN_WRITE);

	refuse(loop.node, CA_OPEN_WRITE, -EBUSY, "in use by another program");
	ca_device_close(first);
	ca_device_close(open_loop(CA_OPEN_WRITE));
}
END_TEST

/* The file behind it ends early, as a card does: the kernel says EIO from there on. */
START_TEST(exact_fault)
{
	struct ca_device *device = open_loop(CA_OPEN_READ);
	uint64_t end = CA_MIB + 5 * UINT64_C(4096);
	uint8_t *in = buffer_of(2 * CA_MIB, 0);
	struct ca_io io = {
		.op = CA_IO_READ, .offset = 0, .bytes = (uint32_t)(2 * CA_MIB), .buffer = in};
	struct ca_io *back = NULL;
	struct ca_io_fault fault;

	ck_assert(device->geometry.read_only);
	ck_assert(loop_resize(&loop, end, false));
	ck_assert_int_eq(ca_device_read(device, 0, 2 * CA_MIB, in, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_ERROR);
	ck_assert_int_eq(fault.error, EIO);
	ck_assert_uint_eq(fault.offset, end);
	ck_assert_uint_eq(fault.bytes, 2 * CA_MIB - end);
	/* the queue only says that it failed */
	ck_assert_int_eq(ca_device_submit(device, &io), 0);
	ck_assert_int_eq(ca_device_wait(device, &back), 0);
	ck_assert_ptr_eq(back, &io);
	ck_assert_int_eq(io.status, CA_IO_ERROR);
	ck_assert_int_eq(io.error, EIO);
	ca_device_close(device);
	free(in);
}
END_TEST

/* The kernel gives a device that left the size 0. */
START_TEST(leaves)
{
	struct ca_device *device = open_loop(CA_OPEN_WRITE);
	uint8_t *buffer = buffer_of(65536, 1);
	struct ca_io io = {.op = CA_IO_READ, .offset = 0, .bytes = 4096, .buffer = buffer};
	struct ca_io *back = NULL;
	struct ca_io_fault fault;

	ck_assert(loop_resize(&loop, 0, true));
	ck_assert_int_eq(ca_device_read(device, 4096, 65536, buffer, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_GONE);
	ck_assert_uint_eq(fault.offset, 4096);
	ck_assert_uint_eq(fault.bytes, 65536);
	/* ENOSPC from a device is not a full disk */
	ck_assert_int_eq(ca_device_write(device, 4096, 65536, buffer, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_GONE);
	ck_assert_int_eq(fault.error, ENOSPC);
	ck_assert_int_eq(ca_device_submit(device, &io), 0);
	ck_assert_int_eq(ca_device_wait(device, &back), 0);
	ck_assert_int_eq(io.status, CA_IO_GONE);
	ck_assert_int_eq(ca_device_check(device, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_GONE);
	ca_device_close(device);
	free(buffer);
}
END_TEST

START_TEST(changes_size)
{
	struct ca_device *device = open_loop(CA_OPEN_WRITE);
	struct ca_io_fault fault;

	ck_assert(loop_resize(&loop, BYTES / 2, true));
	ck_assert_int_eq(ca_device_check(device, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_ERROR);
	ca_device_close(device);
}
END_TEST

START_TEST(empty)
{
	ck_assert(loop_resize(&loop, 0, true));
	refuse(loop.node, CA_OPEN_WRITE, -EBUSY, "size of 0");
	refuse(loop.node, CA_OPEN_READ, -ENOENT, "no card in");
}
END_TEST

START_TEST(read_only)
{
	struct loop_device locked;

	ck_assert(loop_attach(&locked, BYTES, true));
	refuse(locked.node, CA_OPEN_WRITE, -EROFS, "read-only");
	loop_detach(&locked);
}
END_TEST

START_TEST(no_permission)
{
	ck_assert_int_eq(chmod(loop.node, 0600), 0);
	ck_assert_int_eq(seteuid(65534), 0);
	refuse(loop.node, CA_OPEN_READ, -EACCES, "run it with sudo");
	refuse(loop.node, CA_OPEN_WRITE, -EACCES, "run it with sudo");
	ck_assert_int_eq(seteuid(0), 0);
}
END_TEST

/* In a mount namespace of its own, which ends with the test. */
START_TEST(mounted)
{
	char dir[] = "/tmp/ca-mount-XXXXXX", command[128];
	struct ca_error error = {0};
	char confirm[160];

	(void)snprintf(command, sizeof(command), "mke2fs -q %s >/dev/null 2>&1", loop.node);
	if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    !mkdtemp(dir) || system(command) != 0 || mount(loop.node, dir, "ext2", 0, NULL) < 0) {
		(void)rmdir(dir);
		return; /* this machine cannot mount one */
	}
	refuse(loop.node, CA_OPEN_WRITE, -EBUSY, dir);
	ck_assert_int_eq(ca_guard_check(NULL, loop.node, "wrong", confirm, sizeof(confirm), NULL),
			 -EINVAL);
	ck_assert_msg(ca_guard_unmount(loop.node, &error) == 0, "%s", error.text);
	ck_assert_int_eq(ca_guard_check(NULL, loop.node, NULL, confirm, sizeof(confirm), &error),
			 0);
	ca_device_close(open_loop(CA_OPEN_WRITE));
	ck_assert_int_eq(rmdir(dir), 0);
}
END_TEST

/* A loop device over the loop device: no holder in sysfs, no O_EXCL, found all the same. */
START_TEST(loop_on_loop)
{
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC), below, above, number;
	char node[32];

	ck_assert_int_ge(control, 0);
	number = ioctl(control, LOOP_CTL_GET_FREE);
	(void)snprintf(node, sizeof(node), "/dev/loop%d", number);
	below = open(loop.node, O_RDWR | O_CLOEXEC);
	above = open(node, O_RDWR | O_CLOEXEC);
	if (below >= 0 && above >= 0 && ioctl(above, LOOP_SET_FD, below) == 0) {
		refuse(loop.node, CA_OPEN_WRITE, -EBUSY, node + 5);
		ck_assert_int_eq(ioctl(above, LOOP_CLR_FD, 0), 0);
	}
	(void)close(above);
	(void)close(below);
	(void)close(control);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("linux_block");

	if (loop_missing()) {
		(void)printf("skipped: needs %s\n", loop_missing());
		return 77;
	}
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_set_timeout(tests, 30);
	tcase_add_test(tests, read_and_write);
	tcase_add_test(tests, queue);
	tcase_add_test(tests, exclusive);
	tcase_add_test(tests, exact_fault);
	tcase_add_test(tests, leaves);
	tcase_add_test(tests, changes_size);
	tcase_add_test(tests, empty);
	tcase_add_test(tests, read_only);
	tcase_add_test(tests, no_permission);
	tcase_add_test(tests, mounted);
	tcase_add_test(tests, loop_on_loop);
	return run_tests(tests);
}
