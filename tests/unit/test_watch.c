/* SPDX-License-Identifier: BSD-2-Clause */
#include "watch.h"

#include "uevent.h"

#include "device_test.h"
#include "loop_device.h"
#include "uevent_sender.h"

#include <errno.h>

static struct ca_watch *watch;
static struct loop_device loop;
static uint64_t diskseq; /* of what is in it; UINT64_MAX = of anything */

static void begin(size_t buffer_bytes)
{
	struct ca_error error = {0};

	ck_assert_msg(ca_watch_start(buffer_bytes, &watch, &error) == 0, "%s", error.text);
}

static void setup(void)
{
	begin(CA_UEVENT_BUFFER_WATCH);
}

static void teardown(void)
{
	ca_watch_free(watch);
	watch = NULL;
}

static uint64_t now_ms(void)
{
	return ca_clock_now_ns(ca_clock_real()) / 1000000;
}

static uint64_t diskseq_now(void)
{
	char path[160];
	unsigned long long number = 0;
	FILE *file;

	(void)snprintf(path, sizeof(path), "/sys/block/%s/diskseq", loop.node + 5);
	file = fopen(path, "r");
	if (!file) /* a kernel before 5.15 */
		return 0;
	ck_assert_int_eq(fscanf(file, "%llu", &number), 1);
	(void)fclose(file);
	return number;
}

static void attach(uint64_t bytes)
{
	ck_assert(loop_attach(&loop, bytes, false));
	diskseq = diskseq_now();
}

/* The next event of this test's device within so long. Other tests attach loop devices too, and
 * take this one's number when it is free. */
static bool next(unsigned int within_ms, struct ca_watch_event *ret_event)
{
	uint64_t end = now_ms() + within_ms;

	do {
		int rc = ca_watch_next(watch, 50, ret_event);

		ck_assert_int_ge(rc, 0);
		if (rc == 1 && strcmp(ret_event->node, loop.node) == 0 &&
		    (diskseq == UINT64_MAX || ret_event->diskseq == diskseq))
			return true;
	} while (now_ms() < end);
	return false;
}

static void expect(enum ca_watch_kind kind, uint64_t bytes)
{
	struct ca_watch_event event;
	char slot[160];

	ck_assert(next(5000, &event));
	ck_assert_int_eq(event.kind, kind);
	ck_assert_uint_eq(event.bytes, bytes);
	(void)snprintf(slot, sizeof(slot), "virtual/block/%s", loop.node + 5);
	ck_assert_str_eq(event.host_path, slot);
}

static void expect_nothing(void)
{
	struct ca_watch_event event;

	ck_assert(!next(400, &event));
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

START_TEST(comes_and_goes)
{
	attach(4 * CA_MIB);
	expect(CA_WATCH_APPEARED, 4 * CA_MIB);
	expect_nothing();
	loop_detach(&loop);
	expect(CA_WATCH_LEFT, 0);
	expect_nothing();
}
END_TEST

START_TEST(already_here)
{
	teardown();
	attach(4 * CA_MIB);
	setup();
	expect_nothing();
	loop_detach(&loop);
	expect(CA_WATCH_LEFT, 0);
}
END_TEST

START_TEST(synthetic)
{
	attach(4 * CA_MIB);
	expect(CA_WATCH_APPEARED, 4 * CA_MIB);
	for (int i = 0; i < 20; i++) {
		synthesize("change");
		synthesize("add");
		synthesize("remove");
	}
	expect_nothing();
	loop_detach(&loop);
	expect(CA_WATCH_LEFT, 0);
	synthesize("add");
	expect_nothing();
}
END_TEST

START_TEST(new_size)
{
	attach(4 * CA_MIB);
	expect(CA_WATCH_APPEARED, 4 * CA_MIB);
	ck_assert(loop_resize(&loop, 8 * CA_MIB, true));
	expect(CA_WATCH_LEFT, 0);
	expect(CA_WATCH_APPEARED, 8 * CA_MIB);
	loop_detach(&loop);
	expect(CA_WATCH_LEFT, 0);
}
END_TEST

/* Everything between two looks: the disk there now is another one. */
START_TEST(replaced)
{
	uint64_t second;
	char node[32];

	attach(4 * CA_MIB);
	expect(CA_WATCH_APPEARED, 4 * CA_MIB);
	(void)strcpy(node, loop.node);
	for (int i = 0; i < 20; i++) { /* others may take the free device first */
		loop_detach(&loop);
		ck_assert(loop_attach(&loop, 4 * CA_MIB, false));
		if (strcmp(node, loop.node) == 0)
			break;
	}
	second = diskseq_now();
	if (strcmp(node, loop.node) == 0 && second) { /* else nobody can tell them apart */
		expect(CA_WATCH_LEFT, 0);
		diskseq = second;
		expect(CA_WATCH_APPEARED, 4 * CA_MIB);
	}
	loop_detach(&loop);
}
END_TEST

#define FORGED(name, number)                                                                       \
	"add@/devices/virtual/block/" name "\0ACTION=add\0DEVPATH=/devices/virtual/block/" name    \
	"\0SUBSYSTEM=block\0DEVTYPE=disk\0DEVNAME=" name "\0" number

/* What is not in sysfs does not appear, whoever says so. */
START_TEST(forged)
{
	struct ca_watch_event event;

	ck_assert(uevent_forge(FORGED("ca-forged", "SEQNUM=1\0"),
			       sizeof(FORGED("ca-forged", "SEQNUM=1\0")) - 1));
	ck_assert(uevent_inject(FORGED("ca-forged", ""), sizeof(FORGED("ca-forged", "")) - 1));
	(void)strcpy(loop.node, "/dev/ca-forged");
	diskseq = UINT64_MAX;
	ck_assert(!next(500, &event));
}
END_TEST

/* Events of the attaching, and of the detaching, drown in others. */
START_TEST(overrun)
{
	teardown();
	begin(4096);
	for (int i = 0; i < 100; i++)
		ck_assert(
			uevent_inject(FORGED("ca-noise", ""), sizeof(FORGED("ca-noise", "")) - 1));
	attach(4 * CA_MIB);
	expect(CA_WATCH_APPEARED, 4 * CA_MIB);
	expect_nothing();
	for (int i = 0; i < 100; i++)
		synthesize("change");
	loop_detach(&loop);
	expect(CA_WATCH_LEFT, 0);
	expect_nothing();
}
END_TEST

START_TEST(time_is_up)
{
	struct ca_watch_event event = {.bytes = 77};
	uint64_t start = now_ms();
	int rc;

	do
		rc = ca_watch_next(watch, 200, &event);
	while (rc == 1 && now_ms() - start < 5000);
	ck_assert_int_eq(rc, 0);
	ck_assert_uint_ge(now_ms() - start, 199);
	ca_watch_free(NULL);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("watch");

	if (loop_missing()) {
		printf("skipped: needs %s\n", loop_missing());
		return 77;
	}
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, comes_and_goes);
	tcase_add_test(tests, already_here);
	tcase_add_test(tests, synthetic);
	tcase_add_test(tests, new_size);
	tcase_add_test(tests, replaced);
	tcase_add_test(tests, forged);
	tcase_add_test(tests, overrun);
	tcase_add_test(tests, time_is_up);
	return run_tests(tests);
}
