/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a device that fails has left: what the kernel says, and what only looks like it. */
#include "cardassay/host.h"

#include "device_test.h"
#include "loop_device.h"
#include "uevent_sender.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define BYTES	   (8 * CA_MIB)
#define GOOD_BYTES CA_MIB /* the rest fails: the file behind it ends */

static struct loop_device loop;
static struct ca_device *device;
static uint8_t *buffer;

static void setup(void)
{
	struct ca_error error = {0};
	void *memory = NULL;

	ck_assert_int_eq(posix_memalign(&memory, CA_BUFFER_ALIGN, 4096), 0);
	buffer = memory;
	ck_assert(loop_attach(&loop, BYTES, true));
	ck_assert_msg(ca_host_open(loop.node, CA_OPEN_READ, &device, &error) == 0, "%s",
		      error.text);
	ck_assert(loop_resize(&loop, GOOD_BYTES, false));
}

static void teardown(void)
{
	ca_device_close(device);
	device = NULL;
	loop_detach(&loop);
	free(buffer);
}

static uint64_t now_ms(void)
{
	return ca_clock_now_ns(ca_clock_real()) / 1000000;
}

/* Reads where it fails; how long it took. */
static uint64_t read_fails(enum ca_io_status status)
{
	uint64_t start = now_ms();
	struct ca_io_fault fault;

	ck_assert_int_eq(ca_device_read(device, GOOD_BYTES, 4096, buffer, &fault), 0);
	ck_assert_int_eq(fault.status, status);
	ck_assert_int_eq(fault.error, EIO);
	return now_ms() - start;
}

static void synthesize(const char *text)
{
	char path[160];
	FILE *file;

	(void)snprintf(path, sizeof(path), "/sys/block/%s/uevent", loop.node + 5);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

/* Lines of an event about this device, without a SEQNUM. */
static size_t make_event(const char *action, const char *more, char message[512])
{
	const char *name = loop.node + 5;
	int len = snprintf(message, 512,
			   "%s@/devices/virtual/block/%s%cACTION=%s%cDEVPATH=/devices/virtual/"
			   "block/%s%cSUBSYSTEM=block%cDEVTYPE=disk%cMAJOR=7%cMINOR=%s%c%s",
			   action, name, 0, action, 0, name, 0, 0, 0, 0, name + 4, 0, more);

	ck_assert(len > 0 && len < 512);
	/* with the NUL that ends the last of them */
	return (size_t)len + (*more ? 1 : 0);
}

START_TEST(bad_sectors)
{
	ck_assert_uint_ge(read_fails(CA_IO_ERROR), 999); /* it was waited for */
	ck_assert_uint_lt(read_fails(CA_IO_ERROR), 500); /* not again so soon */
}
END_TEST

/* Nothing happened to the device, whoever says so. */
START_TEST(false_alarms)
{
	char message[512];
	size_t len = make_event("remove", "SEQNUM=1", message);

	synthesize("remove");
	synthesize("change");
	ck_assert(uevent_forge(message, len));
	ck_assert_uint_ge(read_fails(CA_IO_ERROR), 999);
}
END_TEST

/* The events about it drown in others. */
START_TEST(overrun)
{
	char message[512];
	size_t len = make_event("change", "", message);

	for (int i = 0; i < 500; i++)
		ck_assert(uevent_inject(message, len));
	(void)read_fails(CA_IO_ERROR);
}
END_TEST

/* It, or the card in it. */
START_TEST(removed)
{
	char message[512];
	size_t len = _i ? make_event("change", "DISK_MEDIA_CHANGE=1", message)
			: make_event("remove", "", message);

	ck_assert(uevent_inject(message, len));
	ck_assert_uint_lt(read_fails(CA_IO_GONE), 500);
}
END_TEST

/* I/O fails first, the kernel says why a little later. */
START_TEST(removed_later)
{
	char message[512];
	size_t len = make_event("remove", "", message);
	int status = 1;
	uint64_t took;
	pid_t child = fork();

	ck_assert_int_ge(child, 0);
	if (child == 0) {
		(void)usleep(300000);
		_exit(uevent_inject(message, len) ? 0 : 1);
	}
	took = read_fails(CA_IO_GONE);
	ck_assert_uint_ge(took, 200);
	ck_assert_uint_lt(took, 900);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
}
END_TEST

/* Another disk that leaves is not this one, nor is one of its partitions. */
START_TEST(another)
{
	static const char *const changes[] = {"MAJOR=6", "DEVTYPE=part"};
	char message[512];
	size_t len = make_event("remove", "", message), at = 0;
	size_t same = strcspn(changes[_i], "=") + 1;

	while (memcmp(message + at, changes[_i], same) != 0)
		at++;
	memcpy(message + at, changes[_i], strlen(changes[_i])); /* as long as what was there */
	ck_assert(uevent_inject(message, len));
	(void)read_fails(CA_IO_ERROR);
}
END_TEST

/* Another card in the same slot, of the same size: the kernel says that the medium was changed. */
START_TEST(exchanged)
{
	char file[] = "/dev/shm/ca-loop-XXXXXX";
	int other = mkostemp(file, O_CLOEXEC);
	struct ca_io_fault fault;

	ck_assert_int_ge(other, 0);
	(void)unlink(file);
	ck_assert_int_eq(ftruncate(other, (off_t)GOOD_BYTES), 0);
	if (ioctl(loop.fd, LOOP_CHANGE_FD, other) == 0) {
		ck_assert_uint_lt(read_fails(CA_IO_GONE), 500);
		ck_assert_int_eq(ca_device_check(device, &fault), 0);
		ck_assert_int_ne(fault.status, CA_IO_OK);
	}
	(void)close(other);
}
END_TEST

/* Without a socket its size still tells. */
START_TEST(no_socket)
{
	struct rlimit limit, old;
	struct ca_error error = {0};
	struct ca_io_fault fault;
	int next;

	ca_device_close(device);
	device = NULL;
	ck_assert(loop_resize(&loop, BYTES, false));
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &old), 0);
	next = open("/dev/null", O_RDONLY | O_CLOEXEC); /* the lowest that is free */
	ck_assert_int_ge(next, 0);
	(void)close(next);
	limit = old;
	limit.rlim_cur = (rlim_t)next + 1; /* room for the device alone */
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	ck_assert_msg(ca_host_open(loop.node, CA_OPEN_READ, &device, &error) == 0, "%s",
		      error.text);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &old), 0);
	ck_assert_str_eq(ca_host_io_engine(device), "psync");
	ck_assert(loop_resize(&loop, GOOD_BYTES, false));
	ck_assert_uint_ge(read_fails(CA_IO_ERROR), 999);
	ck_assert(loop_resize(&loop, 0, true));
	ck_assert_int_eq(ca_device_read(device, GOOD_BYTES, 4096, buffer, &fault), 0);
	ck_assert_int_eq(fault.status, CA_IO_GONE);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("block");

	if (loop_missing()) {
		(void)printf("skipped: needs %s\n", loop_missing());
		return 77;
	}
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, bad_sectors);
	tcase_add_test(tests, false_alarms);
	tcase_add_test(tests, overrun);
	tcase_add_loop_test(tests, removed, 0, 2);
	tcase_add_test(tests, removed_later);
	tcase_add_loop_test(tests, another, 0, 2);
	tcase_add_test(tests, exchanged);
	tcase_add_test(tests, no_socket);
	return run_tests(tests);
}
