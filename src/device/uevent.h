/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uevent: what the kernel tells of devices that come, go and change (NETLINK_KOBJECT_UEVENT).
 * uevent_parse.c reads one message and touches nothing else; uevent.c listens.
 */
#ifndef CA_DEVICE_UEVENT_H
#define CA_DEVICE_UEVENT_H

#include "cardassay/base.h"

/* The kernel makes no longer one (UEVENT_BUFFER_SIZE, and the "action@path" before it). */
#define CA_UEVENT_BYTES_MAX 8192U

enum ca_uevent_action {
	CA_UEVENT_ADD,
	CA_UEVENT_REMOVE,
	CA_UEVENT_CHANGE,
	CA_UEVENT_OTHER, /* move, online, offline, bind, unbind */
};

/* Strings point into the message; "" and 0 = not in it. */
struct ca_uevent {
	enum ca_uevent_action action;
	const char *devpath;   /* below /sys, with its leading slash */
	const char *name;      /* its last component, as in /sys/block */
	const char *subsystem; /* "block" */
	const char *devtype;   /* "disk", "partition" */
	const char *devname;   /* node below /dev */
	uint64_t major, minor;
	uint64_t diskseq, seqnum;
	bool media_change; /* DISK_MEDIA_CHANGE: a card came or went, its size is not known yet */
	bool synthetic;	   /* somebody wrote to a uevent file: nothing happened to the device */
};

/*
 * Parses "action@devpath\0KEY=VALUE\0..." of the kernel. -EBADMSG: udev's own messages ("libudev"),
 * and whatever the kernel does not write: no final NUL, a header that ACTION and DEVPATH
 * contradict, a key twice, a number that is none, no SUBSYSTEM or SEQNUM.
 */
int ca_uevent_parse(const char *message, size_t len, struct ca_uevent *ret);

/* True for an event of a whole disk. */
bool ca_uevent_is_disk(const struct ca_uevent *event);

/* ---- listening (uevent.c) -------------------------------------------------------------------- */

#define CA_UEVENT_BUFFER_WATCH (1024U * 1024U) /* a hub full of readers at once */
#define CA_UEVENT_BUFFER_DISK  (64U * 1024U)   /* one device's fate */

struct ca_uevents;

/*
 * Listens from now on; the kernel keeps up to buffer_bytes of events until they are asked for, and
 * loses what is more. Needs no privilege. -EPERM, -EMFILE, -EPROTONOSUPPORT ...; -EOPNOTSUPP:
 * in this container none would ever come.
 */
int ca_uevent_open(size_t buffer_bytes, struct ca_uevents **ret_events);
void ca_uevent_close(struct ca_uevents *events);

/*
 * The next event that the kernel itself sent: from port 0, with root's credentials. All others are
 * dropped. Waits up to timeout_ms (0 = not at all, -1 = for ever). 1 = ret_event is
 * set, its strings live until the next call; 0 = time is up; -EINTR a signal came; -ENOBUFS events
 * were lost or not understood: look at everything again.
 */
int ca_uevent_next(struct ca_uevents *events, int timeout_ms, struct ca_uevent *ret_event);

#endif
