/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A person takes the card out and puts it back, which is the one loss of power that every slot can
 * give. The device is let go of first: with it open, a reader would keep what it knew of the card.
 */
#include "block.h"

#include "retake.h"
#include "uevent.h"
#include "watch.h"

#include <errno.h>
#include <string.h>
#include <sys/sysmacros.h>

/* How long hands may take for each of the two, and the kernel to show what is there. */
#define HANDS_NS       (300 * CA_NS_PER_SECOND)
#define RETURN_WAIT_NS (30 * CA_NS_PER_SECOND)
#define TELL_MS	       1000U

struct replug {
	struct ca_block *block;
	struct ca_disk disk; /* as it is before */
	struct ca_watch *watch;
	int (*tell)(void *context, enum ca_replug_step step, uint64_t left_ns);
	void *context;
};

static int cannot(struct ca_error *error, const char *because)
{
	return ca_error_set(error, -EOPNOTSUPP, "%s", because);
}

static int prepare(const char *name, struct ca_disk *ret_disk, struct ca_error *error)
{
	struct ca_disk disk;

	if (ca_disk_read(NULL, name, &disk) < 0)
		return cannot(error, "its place in /sys is not known");
	if (!disk.host_path[0])
		return cannot(error, "the slot it is in is not known");
	*ret_disk = disk;
	return 0;
}

static int check_hearing(struct ca_error *error)
{
	struct ca_uevents *events = NULL;
	int rc = ca_uevent_open(CA_UEVENT_BUFFER_DISK, &events);

	if (rc < 0)
		return ca_error_set(error, -EOPNOTSUPP,
				    "the kernel does not tell this program of cards that come and "
				    "go (%s): run it outside the container",
				    strerror(-rc));
	ca_uevent_close(events);
	return 0;
}

bool ca_host_can_replug(const char *target, char *ret_why, size_t size)
{
	char name[CA_NAME_BYTES], partition[CA_NAME_BYTES];
	struct ca_error error = {0};
	struct ca_disk disk;
	int rc = 0;

	(void)ca_string_copy(ret_why, size, ""); /* size is 1 at least */
	if (strncmp(target, "sim:", 4) == 0)
		return true;
	if (strncmp(target, "image:", 6) == 0)
		rc = cannot(&error, "an image file is in no slot");
	if (rc == 0)
		rc = ca_disk_resolve(NULL, target, name, partition, &error);
	if (rc == 0)
		rc = prepare(name, &disk, &error);
	if (rc == 0)
		rc = check_hearing(&error);
	(void)ca_string_copy(ret_why, size, rc < 0 ? error.text : ""); /* cut for showing */
	return rc == 0;
}

/* Is the step done? 1 = yes, 0 = not within the time, -EINTR = tell wants an end. */
static int await_step(struct replug *replug, enum ca_replug_step step)
{
	enum ca_watch_kind wanted = step == CA_REPLUG_TAKE_OUT ? CA_WATCH_LEFT : CA_WATCH_APPEARED;
	uint64_t now = ca_clock_now_ns(ca_clock_real()), until = now + HANDS_NS;
	struct ca_watch_event event;

	for (; now < until; now = ca_clock_now_ns(ca_clock_real())) {
		int rc;

		if (replug->tell(replug->context, step, until - now) != 0)
			return -EINTR;
		rc = ca_watch_next(replug->watch, TELL_MS, &event);
		if (rc == 1 && event.kind == wanted &&
		    strcmp(event.host_path, replug->disk.host_path) == 0)
			return 1;
		if (rc < 0 && rc != -EINTR) /* tell knows whether the signal asks for an end */
			return rc;
	}
	return 0;
}

/* It is (still) in its slot: the run goes on with it as if nothing had been asked. */
static int go_on(struct replug *replug, const char *because)
{
	struct ca_error *failure = &replug->block->device.failure;
	int rc = ca_retake(replug->block, &replug->disk, RETURN_WAIT_NS);

	return rc < 0 ? rc : cannot(failure, because);
}

static int stay_away(struct replug *replug, const char *because)
{
	return ca_error_set(&replug->block->device.failure, -ENODEV, "%s", because);
}

/* 0 = it is back and open; -EOPNOTSUPP = it never left, and is open; else it is not. */
static int exchange(struct replug *replug)
{
	int rc = await_step(replug, CA_REPLUG_TAKE_OUT);

	if (rc == -EINTR)
		return go_on(replug, "interrupted before the card was taken out");
	if (rc < 0)
		return go_on(replug, "the kernel tells no more of cards that come and go");
	if (rc == 0)
		return go_on(replug, "nobody took the card out within 5 minutes");
	rc = await_step(replug, CA_REPLUG_PUT_BACK);
	if (rc == -EINTR)
		return stay_away(replug, "interrupted while the card was out");
	if (rc == 1)
		rc = ca_retake(replug->block, &replug->disk, RETURN_WAIT_NS);
	else
		rc = -ENODEV;
	if (rc == 0 || rc == -ESTALE)
		return rc;
	return stay_away(replug, rc == -ENODEV
					 ? "the card did not come back within 5 minutes"
					 : "the card came back, and cannot be opened any more");
}

static int replug_block(struct replug *replug, struct ca_error *failure)
{
	const struct ca_block_identity *identity = &replug->block->identity;
	struct ca_error error = {0};
	char name[CA_NAME_BYTES];
	int rc;

	if (replug->block->image)
		return cannot(failure, "an image file is in no slot");
	if (ca_sysfs_link_name(NULL, name, sizeof(name), "sys/dev/block/%u:%u",
			       major(identity->rdev), minor(identity->rdev)) < 0)
		return cannot(failure, "its place in /sys is not known");
	rc = prepare(name, &replug->disk, failure);
	if (rc < 0)
		return rc;
	rc = ca_watch_start(CA_UEVENT_BUFFER_WATCH, &replug->watch, &error);
	if (rc < 0)
		return cannot(failure, error.text);
	ca_retake_let_go(replug->block);
	rc = exchange(replug);
	ca_watch_free(replug->watch);
	return rc;
}

int ca_host_replug(struct ca_device *device,
		   int (*tell)(void *context, enum ca_replug_step step, uint64_t left_ns),
		   void *context, struct ca_io_fault *ret_fault)
{
	struct ca_io_fault fault = {.status = CA_IO_OK};
	struct replug replug = {.tell = tell, .context = context};
	int rc;

	device->failure = (struct ca_error){0}; /* of something earlier */
	if (!ca_block_of(device)) {
		/* a simulated card has hands of its own */
		return ca_sim_begin_anew(device, CA_REINIT_REPLUG, ret_fault);
	}
	replug.block = (struct ca_block *)device; /* device is the first member */
	rc = replug_block(&replug, &device->failure);
	if (rc == -EOPNOTSUPP)
		return rc;
	if (rc < 0) {
		fault.status = rc == -ESTALE ? CA_IO_ERROR : CA_IO_GONE;
		fault.error = -rc;
		fault.bytes = device->geometry.bytes;
	}
	*ret_fault = fault;
	return 0;
}
