/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int write_all(int fd, const void *data, size_t bytes)
{
	const char *p = data;

	while (bytes > 0) {
		ssize_t n = write(fd, p, bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		p += n;
		bytes -= (size_t)n;
	}
	return 0;
}

int ca_output_begin(struct ca_output_file *file, const char *path, unsigned int mode,
		    struct ca_error *error)
{
	struct stat st;
	int used;

	file->fd = -1;
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return ca_error_set(error, -EINVAL,
				    "%s is not a regular file: name another output.", path);
	if (!ca_string_copy(file->path, sizeof(file->path), path))
		return ca_error_set(error, -ENAMETOOLONG, "the output name is too long.");
	used = snprintf(file->temporary, sizeof(file->temporary), "%s.tmp-%ld", path,
			(long)getpid());
	if (used < 0 || (size_t)used >= sizeof(file->temporary))
		return ca_error_set(error, -ENAMETOOLONG, "the output name is too long.");
	file->fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (mode_t)mode);
	if (file->fd < 0) {
		int code = -errno;

		return ca_error_set(error, code, "cannot write %s: %s.", path, strerror(-code));
	}
	return 0;
}

int ca_output_commit(struct ca_output_file *file, const void *data, size_t bytes,
		     struct ca_error *error)
{
	int r = write_all(file->fd, data, bytes);

	if (r == 0 && fsync(file->fd) < 0)
		r = -errno;
	if (close(file->fd) < 0 && r == 0)
		r = -errno;
	file->fd = -1;
	if (r == 0 && rename(file->temporary, file->path) < 0)
		r = -errno;
	if (r < 0) {
		(void)unlink(file->temporary); /* best effort: the error that matters is reported */
		return ca_error_set(error, r, "cannot write %s: %s.", file->path, strerror(-r));
	}
	return 0;
}

void ca_output_abandon(struct ca_output_file *file)
{
	if (file->fd < 0)
		return;
	ca_close_fd(&file->fd);
	(void)unlink(file->temporary); /* best effort */
}

int ca_file_read(const char *path, size_t max, char **ret_data, size_t *ret_len,
		 struct ca_error *error)
{
	CA_CLEANUP_CLOSE int own_fd = -1;
	CA_CLEANUP_FREE char *data = NULL;
	size_t len = 0, size = 0;
	int fd = STDIN_FILENO;

	if (strcmp(path, "-") != 0) {
		own_fd = open(path, O_RDONLY | O_CLOEXEC);
		if (own_fd < 0) {
			int code = -errno;

			return ca_error_set(error, code, "cannot read %s: %s.", path,
					    strerror(-code));
		}
		fd = own_fd;
	}
	for (;;) {
		ssize_t n;

		if (size - len < 2) {
			char *more;

			size = size ? size * 2 : 65536;
			more = realloc(data, size);
			if (!more)
				return ca_error_set(error, -ENOMEM, "out of memory reading %s.",
						    path);
			data = more;
		}
		n = read(fd, data + len, size - len - 1);
		if (n < 0 && errno == EINTR && !ca_interrupted())
			continue;
		if (n < 0) {
			int code = -errno;

			return ca_error_set(error, code, "cannot read %s: %s.", path,
					    strerror(-code));
		}
		if (n == 0)
			break;
		len += (size_t)n;
		if (len > max)
			return ca_error_set(error, -EFBIG,
					    "%s is larger than %zu MiB: this is not such a file.",
					    path, max >> 20);
	}
	data[len] = '\0';
	*ret_data = data;
	*ret_len = len;
	data = NULL;
	return 0;
}

int ca_stdout_write(const char *data, size_t bytes, struct ca_error *error)
{
	if (fwrite(data, 1, bytes, stdout) != bytes || fflush(stdout) != 0) {
		int code = errno ? -errno : -EIO;

		return ca_error_set(error, code, "cannot write to standard output: %s.",
				    strerror(-code));
	}
	return 0;
}
