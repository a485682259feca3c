/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/base.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define FIRST_ROOM 65536U

void ca_close_fd(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd); /* nothing was promised of a descriptor that goes out of scope */
	*fd = -1;
}

int ca_fd_write_all(int fd, const void *data, size_t bytes)
{
	const char *from = data;

	while (bytes) {
		ssize_t written = write(fd, from, bytes);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return written < 0 ? -errno : -EIO;
		from += written;
		bytes -= (size_t)written;
	}
	return 0;
}

/* Room for one byte more and the NUL. */
static int make_room(char **data, size_t len, size_t *room)
{
	size_t wanted = *room ? 2 * *room : FIRST_ROOM;
	char *grown;

	if (*room - len >= 2)
		return 0;
	grown = realloc(*data, wanted);
	if (!grown)
		return -ENOMEM;
	*data = grown;
	*room = wanted;
	return 0;
}

int ca_fd_read_all(int fd, size_t max, char **ret_data, size_t *ret_len)
{
	CA_CLEANUP_FREE char *data = NULL;
	size_t len = 0, room = 0;

	for (;;) {
		ssize_t got;
		int rc = make_room(&data, len, &room);

		if (rc < 0)
			return rc;
		got = read(fd, data + len, room - len - 1);
		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		len += (size_t)got;
		if (len > max)
			return -EFBIG;
	}
	data[len] = '\0';
	*ret_data = data;
	*ret_len = len;
	data = NULL;
	return 0;
}
