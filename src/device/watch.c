/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An event only says which disk to look at; what is true stands in sysfs. So a forged, repeated or
 * lost event changes nothing: a disk is told from the one before by (name, diskseq, size).
 */
#include "watch.h"

#include "disk.h"
#include "uevent.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DISKS_MAX 4096U /* what is beyond is not watched */
/* How often readers are asked for a card where neither they nor the kernel say it themselves. */
#define ASK_NS (2 * CA_NS_PER_SECOND)

struct known {
	char name[CA_NAME_BYTES];
	struct ca_watch_event seen; /* as it appeared */
};

struct ca_watch {
	struct ca_uevents *events;
	struct known *known;
	size_t known_count;
	struct ca_names look; /* names to look at in sysfs, from look_at on */
	size_t look_at;
	bool asks; /* some reader has to be asked */
	uint64_t ask_ns;
};

static int want_look(struct ca_watch *watch, const char *name)
{
	char(*grown)[CA_NAME_BYTES];

	if (strlen(name) >= CA_NAME_BYTES)
		return 0; /* no disk has such a name */
	grown = realloc(watch->look.at, (watch->look.count + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	watch->look.at = grown;
	(void)ca_string_copy(grown[watch->look.count++], CA_NAME_BYTES, name);
	return 0;
}

/* Looks at all that is known and all that is there; many stand in both, which does no harm. */
static int want_look_at_all(struct ca_watch *watch)
{
	struct ca_names present;
	int rc;

	rc = ca_sysfs_list("", &present, "sys/block");
	if (rc < 0)
		return rc;
	for (size_t i = 0; rc == 0 && i < watch->known_count; i++)
		rc = want_look(watch, watch->known[i].name);
	for (size_t i = 0; rc == 0 && i < present.count; i++)
		rc = want_look(watch, present.at[i]);
	ca_names_done(&present);
	watch->asks = false; /* until one is met */
	watch->ask_ns = ca_clock_now_ns(ca_clock_real()) + ASK_NS;
	return rc;
}

/* Does the device say by itself, or the kernel ask it, whether its card was changed? */
static bool is_asked_already(const char *name)
{
	char text[64];

	if (ca_sysfs_text("", text, sizeof(text), "sys/block/%s/events", name) < 0 ||
	    !strstr(text, "media_change"))
		return true; /* there is nothing to ask */
	if (ca_sysfs_text("", text, sizeof(text), "sys/block/%s/events_async", name) == 0 &&
	    strstr(text, "media_change"))
		return true;
	if (ca_sysfs_text("", text, sizeof(text), "sys/block/%s/events_poll_msecs", name) < 0)
		return true;
	if (strcmp(text, "-1") == 0 &&
	    ca_sysfs_text("", text, sizeof(text), "sys/module/block/parameters/%s",
			  "events_dfl_poll_msecs") < 0)
		return true;
	return strcmp(text, "0") != 0;
}

/*
 * A reader tells the kernel only that its card was changed; the kernel asks for the size when
 * somebody opens the node. Opened for reading and without waiting, which an empty slot allows too.
 */
static void ask_reader(struct ca_watch *watch, struct ca_disk *disk)
{
	int fd;

	if (!disk->removable || disk->virtual_device || !disk->listed)
		return;
	if (!is_asked_already(disk->name))
		watch->asks = true;
	fd = open(disk->node, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return;	 /* then its size stays what it is */
	(void)close(fd); /* nothing was written through it */
	if (ca_disk_read("", disk->name, disk) < 0)
		disk->bytes = 0;
}

static struct known *find_known(struct ca_watch *watch, const char *name)
{
	for (size_t i = 0; i < watch->known_count; i++)
		if (strcmp(watch->known[i].name, name) == 0)
			return &watch->known[i];
	return NULL;
}

static int learn(struct ca_watch *watch, const struct ca_disk *disk,
		 struct ca_watch_event *ret_event)
{
	struct known *grown;

	if (watch->known_count == DISKS_MAX)
		return 0;
	grown = realloc(watch->known, (watch->known_count + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	watch->known = grown;
	grown += watch->known_count++;
	memset(grown, 0, sizeof(*grown));
	(void)ca_string_copy(grown->name, sizeof(grown->name), disk->name);
	grown->seen.kind = CA_WATCH_APPEARED;
	(void)ca_string_copy(grown->seen.node, sizeof(grown->seen.node), disk->node);
	(void)ca_string_copy(grown->seen.host_path, sizeof(grown->seen.host_path), disk->host_path);
	grown->seen.bytes = disk->bytes;
	grown->seen.diskseq = disk->diskseq;
	*ret_event = grown->seen;
	return 1;
}

static int forget(struct ca_watch *watch, struct known *known, struct ca_watch_event *ret_event)
{
	*ret_event = known->seen;
	ret_event->kind = CA_WATCH_LEFT;
	ret_event->bytes = 0;
	*known = watch->known[--watch->known_count];
	return 1;
}

/* 1 = it differs from what is known of it; a replaced one has to be looked at once more. */
static int look_at(struct ca_watch *watch, const char *name, struct ca_watch_event *ret_event)
{
	struct known *known = find_known(watch, name);
	struct ca_disk disk = {0};
	bool present;

	present = ca_disk_read("", name, &disk) == 0;
	if (present) {
		ask_reader(watch, &disk);
		present = disk.bytes > 0 && ca_disk_is_shown("", &disk);
	}
	if (known &&
	    (!present || known->seen.bytes != disk.bytes || known->seen.diskseq != disk.diskseq))
		return forget(watch, known, ret_event);
	return present && !known ? learn(watch, &disk, ret_event) : 0;
}

/* 1 = ret_event is set, 0 = nothing is left to look at. */
static int look(struct ca_watch *watch, struct ca_watch_event *ret_event)
{
	while (watch->look_at < watch->look.count) {
		int rc = look_at(watch, watch->look.at[watch->look_at], ret_event);

		if (rc != 0)
			return rc;
		watch->look_at++;
	}
	ca_names_done(&watch->look);
	memset(&watch->look, 0, sizeof(watch->look));
	watch->look_at = 0;
	return 0;
}

static int ms_until(uint64_t now, uint64_t then)
{
	uint64_t ms;

	if (then == UINT64_MAX)
		return -1;
	ms = then > now ? (then - now + 999999) / 1000000 : 0;
	return ms < INT_MAX ? (int)ms : INT_MAX;
}

/* Waits for what to look at next: 1 = there is something, 0 = time is up. */
static int hear(struct ca_watch *watch, uint64_t until_ns)
{
	uint64_t now = ca_clock_now_ns(ca_clock_real());
	bool ask_first = watch->asks && watch->ask_ns <= until_ns;
	struct ca_uevent event;
	int rc;

	rc = ca_uevent_next(watch->events, ms_until(now, ask_first ? watch->ask_ns : until_ns),
			    &event);
	if (rc == -ENOBUFS || (rc == 0 && ask_first))
		rc = want_look_at_all(watch);
	else if (rc == 1)
		rc = ca_uevent_is_disk(&event) ? want_look(watch, event.name) : 0;
	else
		return rc;
	return rc < 0 ? rc : 1;
}

int ca_watch_next(struct ca_watch *watch, int timeout_ms, struct ca_watch_event *ret_event)
{
	uint64_t until_ns = UINT64_MAX;
	int rc;

	if (timeout_ms >= 0)
		until_ns =
			ca_clock_now_ns(ca_clock_real()) + (uint64_t)timeout_ms * UINT64_C(1000000);
	for (bool late = false;; late = ca_clock_now_ns(ca_clock_real()) >= until_ns) {
		rc = look(watch, ret_event);
		if (rc != 0 || late)
			return rc;
		rc = hear(watch, until_ns);
		if (rc <= 0)
			return rc;
	}
}

static int learn_present(struct ca_watch *watch)
{
	struct ca_watch_event event;
	int rc;

	rc = want_look_at_all(watch);
	do
		rc = rc < 0 ? rc : look(watch, &event);
	while (rc > 0);
	return rc;
}

int ca_watch_start(size_t buffer_bytes, struct ca_watch **ret_watch, struct ca_error *error)
{
	struct ca_watch *watch = calloc(1, sizeof(*watch));
	int rc;

	if (!watch)
		return ca_error_set(error, -ENOMEM, "out of memory");
	/* listening comes first: what appears while the others are read is an event */
	rc = ca_uevent_open(buffer_bytes, &watch->events);
	if (rc == -EOPNOTSUPP)
		rc = ca_error_set(
			error, rc,
			"the kernel tells this container nothing of devices that come and "
			"go: run it outside, or with the machine's own network");
	else if (rc < 0)
		rc = ca_error_set(error, rc,
				  "cannot hear from the kernel which devices come and go: %s",
				  strerror(-rc));
	else if ((rc = learn_present(watch)) < 0)
		rc = ca_error_set(error, rc, "cannot list the disks in /sys/block: %s",
				  strerror(-rc));
	if (rc < 0) {
		ca_watch_free(watch);
		return rc;
	}
	*ret_watch = watch;
	return 0;
}

int ca_watch_new(struct ca_watch **ret_watch, struct ca_error *error)
{
	return ca_watch_start(CA_UEVENT_BUFFER_WATCH, ret_watch, error);
}

void ca_watch_free(struct ca_watch *watch)
{
	if (!watch)
		return;
	ca_uevent_close(watch->events);
	ca_names_done(&watch->look);
	free(watch->known);
	free(watch);
}
