/* SPDX-License-Identifier: BSD-2-Clause */
#include "uevent.h"

#include "device_test.h"
#include "loop_device.h"
#include "uevent_sender.h"

#include <errno.h>
#include <signal.h>
#include <sys/time.h>

/* A disk that is not there: no event of another test is about it. */
#define FORGED(number)                                                                             \
	"add@/devices/virtual/block/ca-forged\0ACTION=add\0DEVPATH=/devices/virtual/block/"        \
	"ca-forged\0SUBSYSTEM=block\0DEVTYPE=disk\0DEVNAME=ca-forged\0" number

static struct ca_uevents *open_events(size_t bytes)
{
	struct ca_uevents *events = NULL;

	ck_assert_int_eq(ca_uevent_open(bytes, &events), 0);
	return events;
}

static uint64_t now_ms(void)
{
	return ca_clock_now_ns(ca_clock_real()) / 1000000;
}

/* Any event of this name within two seconds? Other tests cause events too. */
static bool hears(struct ca_uevents *events, const char *name, struct ca_uevent *ret_event)
{
	uint64_t end = now_ms() + 2000;

	while (now_ms() < end) {
		int rc = ca_uevent_next(events, 100, ret_event);

		ck_assert(rc == 0 || rc == 1 || rc == -ENOBUFS);
		if (rc == 1 && strcmp(ret_event->name, name) == 0)
			return true;
	}
	return false;
}

static bool write_uevent(const char *name, const char *text)
{
	char path[160];
	FILE *file;
	bool ok;

	(void)snprintf(path, sizeof(path), "/sys/block/%s/uevent", name);
	file = fopen(path, "w");
	ok = file && fputs(text, file) >= 0;
	return file && fclose(file) == 0 && ok;
}

START_TEST(kernel)
{
	struct ca_uevents *events = open_events(CA_UEVENT_BUFFER_WATCH);
	struct loop_device loop;
	struct ca_uevent event;

	ck_assert(loop_attach(&loop, CA_MIB, false));
	ck_assert(hears(events, loop.node + 5, &event));
	ck_assert_int_eq(event.action, CA_UEVENT_CHANGE);
	ck_assert(ca_uevent_is_disk(&event));
	ck_assert_uint_eq(event.major, 7);
	ck_assert(!event.synthetic);
	ck_assert(write_uevent(loop.node + 5, "remove"));
	do
		ck_assert(hears(events, loop.node + 5, &event));
	while (event.action != CA_UEVENT_REMOVE);
	ck_assert(event.synthetic);
	loop_detach(&loop);
	do
		ck_assert(hears(events, loop.node + 5, &event));
	while (!event.media_change);
	ca_uevent_close(events);
}
END_TEST

START_TEST(forged)
{
	struct ca_uevents *events = open_events(CA_UEVENT_BUFFER_WATCH);
	struct ca_uevent event;

	for (int i = 0; i < 5; i++)
		ck_assert(uevent_forge(FORGED("SEQNUM=1\0"), sizeof(FORGED("SEQNUM=1\0")) - 1));
	ck_assert(!hears(events, "ca-forged", &event));
	ca_uevent_close(events);
}
END_TEST

/* Root can make the kernel say it: then it is heard, and looked up in sysfs by who hears it. */
START_TEST(injected)
{
	struct ca_uevents *events = open_events(CA_UEVENT_BUFFER_WATCH);
	struct ca_uevent event;

	ck_assert(uevent_inject(FORGED(""), sizeof(FORGED("")) - 1));
	ck_assert(hears(events, "ca-forged", &event));
	ck_assert_int_eq(event.action, CA_UEVENT_ADD);
	ca_uevent_close(events);
}
END_TEST

START_TEST(not_understood)
{
	static const char nonsense[] = "add@/devices/virtual/block/ca-forged\0ACTION=add\0NONSENSE";
	struct ca_uevents *events = open_events(CA_UEVENT_BUFFER_WATCH);
	struct ca_uevent event;
	int rc;

	ck_assert(uevent_inject(nonsense, sizeof(nonsense)));
	do
		rc = ca_uevent_next(events, 2000, &event);
	while (rc == 1);
	ck_assert_int_eq(rc, -ENOBUFS);
	ca_uevent_close(events);
}
END_TEST

START_TEST(overrun)
{
	static const char after[] = "add@/devices/virtual/block/ca-after\0ACTION=add\0"
				    "DEVPATH=/devices/virtual/block/ca-after\0SUBSYSTEM=block\0";
	struct ca_uevents *events = open_events(4096);
	struct ca_uevent event;
	bool lost = false;

	for (int i = 0; i < 100; i++)
		ck_assert(uevent_inject(FORGED(""), sizeof(FORGED("")) - 1));
	for (int i = 0; i < 100 && !lost; i++)
		lost = ca_uevent_next(events, 0, &event) == -ENOBUFS;
	ck_assert(lost);
	/* what comes after the news of the loss is not lost too */
	ck_assert(uevent_inject(after, sizeof(after) - 1));
	ck_assert(hears(events, "ca-after", &event));
	ca_uevent_close(events);
}
END_TEST

static void on_alarm(int number)
{
	(void)number;
}

START_TEST(times)
{
	const struct itimerval soon = {.it_interval = {0, 50000}, .it_value = {0, 50000}};
	struct sigaction action = {.sa_handler = on_alarm, .sa_flags = (int)SA_RESTART};
	struct ca_uevents *events = open_events(CA_UEVENT_BUFFER_WATCH);
	struct ca_uevent event = {.seqnum = 77};
	uint64_t start = now_ms();
	int rc;

	do
		rc = ca_uevent_next(events, 200, &event);
	while (rc == 1);
	ck_assert_int_eq(rc, 0);
	ck_assert_uint_ge(now_ms() - start, 199);
	ck_assert_int_eq(sigaction(SIGALRM, &action, NULL), 0);
	ck_assert_int_eq(setitimer(ITIMER_REAL, &soon, NULL), 0);
	do
		rc = ca_uevent_next(events, -1, &event);
	while (rc == 1);
	ck_assert_int_eq(rc, -EINTR);
	ca_uevent_close(events);
	ca_uevent_close(NULL);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("uevent");

	if (loop_missing()) {
		printf("skipped: needs %s\n", loop_missing());
		return 77;
	}
	tcase_add_test(tests, kernel);
	tcase_add_test(tests, forged);
	tcase_add_test(tests, injected);
	tcase_add_test(tests, not_understood);
	tcase_add_test(tests, overrun);
	tcase_add_test(tests, times);
	return run_tests(tests);
}
