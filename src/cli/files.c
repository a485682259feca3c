/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIPE_WAIT_MS 5000

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
	int r = ca_fd_write_all(file->fd, data, bytes);

	if (r == 0 && ftruncate(file->fd, (off_t)bytes) < 0) /* what was set aside and not needed */
		r = -errno;
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

/*
 * A named pipe may have nobody who writes to it: it is not waited for without end. Those of the
 * shell, "<(nvme id-ctrl ...)", have, however long the command takes.
 */
static int await_writer(const char *path, int fd, struct ca_error *error)
{
	bool of_shell = strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/proc/", 6) == 0;
	struct pollfd pipe = {.fd = fd, .events = POLLIN};
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISFIFO(st.st_mode))
		return 0;
	if (poll(&pipe, 1, of_shell ? -1 : PIPE_WAIT_MS) == 0)
		return ca_error_set(error, -ETIMEDOUT,
				    "nothing was written to the pipe %s for %d seconds.", path,
				    PIPE_WAIT_MS / 1000);
	(void)fcntl(fd, F_SETFL, 0); /* if it stays as it is, reading says so */
	return 0;
}

int ca_file_read(const char *path, size_t max, char **ret_data, size_t *ret_len,
		 struct ca_error *error)
{
	CA_CLEANUP_CLOSE int own_fd = -1;
	bool is_stdin = strcmp(path, "-") == 0;
	int r = 0;

	if (!is_stdin) {
		own_fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
		r = own_fd < 0 ? -errno : 0;
	}
	if (own_fd >= 0) {
		r = await_writer(path, own_fd, error);
		if (r < 0)
			return r;
	}
	if (r == 0)
		r = ca_fd_read_all(is_stdin ? STDIN_FILENO : own_fd, max, ret_data, ret_len);
	if (r == -EFBIG)
		return ca_error_set(error, r, "%s is larger than %zu MiB: this is not such a file.",
				    is_stdin ? "standard input" : path, max >> 20);
	if (r == -ENOMEM)
		return ca_error_set(error, r, "out of memory reading %s.", path);
	return r < 0 ? ca_error_set(error, r, "cannot read %s: %s.", path, strerror(-r)) : 0;
}

int ca_stdout_write(const char *data, size_t bytes, struct ca_error *error)
{
	if (fwrite(data, 1, bytes, stdout) != bytes || fflush(stdout) != 0 || ferror(stdout)) {
		int code = errno ? -errno : -EIO;

		return ca_error_set(error, code, "cannot write to standard output: %s.",
				    strerror(-code));
	}
	return 0;
}

int ca_stdout_finish(void)
{
	struct ca_error error = {0};

	return ca_stdout_write("", 0, &error) < 0 ? ca_report_error(&error, error.code)
						  : CA_EXIT_PASS;
}
