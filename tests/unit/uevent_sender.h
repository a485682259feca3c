/* SPDX-License-Identifier: BSD-2-Clause */
/* Sends forged events to everybody who listens to the kernel's. */
#ifndef CA_TEST_UEVENT_SENDER_H
#define CA_TEST_UEVENT_SENDER_H

#include <linux/netlink.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* To the multicast group, from a port of this process. False without the privilege to. */
static inline bool uevent_forge(const char *message, size_t len)
{
	struct sockaddr_nl group = {.nl_family = AF_NETLINK, .nl_groups = 1};
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT);
	bool sent = fd >= 0 && sendto(fd, message, len, 0, (struct sockaddr *)&group,
				      sizeof(group)) == (ssize_t)len;

	if (fd >= 0)
		(void)close(fd);
	return sent;
}

/* Through the kernel, which sends it on as its own and adds SEQNUM (Linux 4.17). */
static inline bool uevent_inject(const char *message, size_t len)
{
	struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
	struct {
		struct nlmsghdr header;
		char message[2048];
	} request = {.header = {.nlmsg_len = (unsigned int)(NLMSG_HDRLEN + len),
				.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK,
				.nlmsg_type = NLMSG_MIN_TYPE}};
	struct {
		struct nlmsghdr header;
		struct nlmsgerr error;
	} answer;
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT);
	bool sent;

	memcpy(request.message, message, len);
	sent = fd >= 0 &&
	       sendto(fd, &request, request.header.nlmsg_len, 0, (struct sockaddr *)&kernel,
		      sizeof(kernel)) > 0 &&
	       recv(fd, &answer, sizeof(answer), 0) > 0 &&
	       answer.header.nlmsg_type == NLMSG_ERROR && answer.error.error == 0;
	if (fd >= 0)
		(void)close(fd);
	return sent;
}

#endif
