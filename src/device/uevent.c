/* SPDX-License-Identifier: BSD-2-Clause */
#include "uevent.h"

#include <errno.h>
#include <fcntl.h>
#include <libmnl/libmnl.h>
#include <limits.h>
#include <linux/nsfs.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define GROUP_KERNEL 1U /* the multicast group the kernel sends to; udev has another */

struct ca_uevents {
	struct mnl_socket *socket;
	int fd; /* the socket's */
	char message[CA_UEVENT_BYTES_MAX];
};

/* Root may have more than the limit of the system; others get what they can. */
static int size_buffer(int fd, size_t bytes)
{
	int wanted = bytes < INT_MAX ? (int)bytes : INT_MAX;

	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &wanted, sizeof(wanted)) == 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &wanted, sizeof(wanted)) == 0)
		return 0;
	return -errno;
}

/*
 * The kernel tells network namespaces that a container's own user namespace owns nothing of its
 * devices (kobject_uevent_net_broadcast). The first user namespace has a fixed number
 * (PROC_USER_INIT_INO); one above ours, which may not be asked for, is taken for it.
 */
static bool is_deaf(void)
{
	CA_CLEANUP_CLOSE int net = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	CA_CLEANUP_CLOSE int owner = net < 0 ? -1 : ioctl(net, NS_GET_USERNS);
	struct stat st;

	return owner >= 0 && fstat(owner, &st) == 0 && st.st_ino != 0xeffffffdU;
}

int ca_uevent_open(size_t buffer_bytes, struct ca_uevents **ret_events)
{
	struct ca_uevents *events = calloc(1, sizeof(*events));
	int yes = 1, rc;

	if (!events)
		return -ENOMEM;
	if (is_deaf()) {
		free(events);
		return -EOPNOTSUPP;
	}
	events->socket = mnl_socket_open2(NETLINK_KOBJECT_UEVENT, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (!events->socket) {
		rc = -errno;
		free(events);
		return rc;
	}
	events->fd = mnl_socket_get_fd(events->socket);
	rc = size_buffer(events->fd, buffer_bytes);
	/* before it is bound: no message may come without its sender's credentials */
	if (rc == 0 && setsockopt(events->fd, SOL_SOCKET, SO_PASSCRED, &yes, sizeof(yes)) < 0)
		rc = -errno;
	if (rc == 0 && mnl_socket_bind(events->socket, GROUP_KERNEL, MNL_SOCKET_AUTOPID) < 0)
		rc = -errno;
	if (rc < 0) {
		ca_uevent_close(events);
		return rc;
	}
	*ret_events = events;
	return 0;
}

void ca_uevent_close(struct ca_uevents *events)
{
	if (!events)
		return;
	(void)mnl_socket_close(events->socket); /* only ever read from */
	free(events);
}

static bool has_root_credentials(struct msghdr *header)
{
	for (struct cmsghdr *part = CMSG_FIRSTHDR(header); part; part = CMSG_NXTHDR(header, part)) {
		struct ucred sender;

		if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_CREDENTIALS ||
		    part->cmsg_len < CMSG_LEN(sizeof(sender)))
			continue;
		memcpy(&sender, CMSG_DATA(part), sizeof(sender));
		return sender.uid == 0;
	}
	return false;
}

/*
 * After the buffer ran over, the kernel drops every event until it was emptied, and does not say so
 * again: only what is looked at after that is up to date.
 */
static void empty_buffer(const struct ca_uevents *events)
{
	char byte;

	while (recv(events->fd, &byte, sizeof(byte), 0) >= 0 || errno == ENOBUFS)
		;
}

/* One message that is there already: 1, 0 = there is none, -EAGAIN = one was dropped. */
static int receive(struct ca_uevents *events, struct ca_uevent *ret_event)
{
	union {
		char bytes[CMSG_SPACE(sizeof(struct ucred))];
		struct cmsghdr align;
	} control;
	struct sockaddr_nl sender = {.nl_family = AF_NETLINK};
	struct iovec part = {events->message, sizeof(events->message)};
	struct msghdr header = {
		.msg_name = &sender,
		.msg_namelen = sizeof(sender),
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	ssize_t len = recvmsg(events->fd, &header, 0);

	if (len < 0) {
		int rc = errno == EAGAIN ? 0 : -errno;

		if (rc == -ENOBUFS)
			empty_buffer(events);
		return rc;
	}
	if (header.msg_namelen != sizeof(sender) || sender.nl_pid != 0 ||
	    !has_root_credentials(&header))
		return -EAGAIN;
	if (header.msg_flags & MSG_TRUNC ||
	    ca_uevent_parse(events->message, (size_t)len, ret_event) < 0)
		return -ENOBUFS;
	return 1;
}

static uint64_t deadline_of(int timeout_ms)
{
	if (timeout_ms < 0)
		return UINT64_MAX;
	return ca_clock_now_ns(ca_clock_real()) + (uint64_t)timeout_ms * UINT64_C(1000000);
}

/* 1 = something may be there, 0 = time is up. */
static int wait_until(int fd, uint64_t deadline_ns)
{
	struct pollfd wanted = {.fd = fd, .events = POLLIN};
	int timeout_ms = -1, rc;

	if (deadline_ns != UINT64_MAX) {
		uint64_t now = ca_clock_now_ns(ca_clock_real());
		uint64_t left_ms = now < deadline_ns ? (deadline_ns - now + 999999) / 1000000 : 0;

		timeout_ms = left_ms < INT_MAX ? (int)left_ms : INT_MAX;
	}
	rc = poll(&wanted, 1, timeout_ms);
	return rc < 0 ? -errno : rc;
}

int ca_uevent_next(struct ca_uevents *events, int timeout_ms, struct ca_uevent *ret_event)
{
	uint64_t deadline_ns = deadline_of(timeout_ms);
	int rc;

	for (;;) {
		do
			rc = receive(events, ret_event);
		while (rc == -EAGAIN);
		if (rc != 0 || timeout_ms == 0)
			return rc;
		rc = wait_until(events->fd, deadline_ns);
		if (rc <= 0)
			return rc;
	}
}
