/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The file of the restore journal: by default in the user's state directory, never on the device it
 * is about, and removed once it is not needed any more. It holds the card's own data: nobody else
 * may read it.
 */
#include "journal_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define DIRECTORY_MODE 0700
#define FILE_MODE      0600

/* Each directory of the path that is not there yet. */
static int make_directories(char *path)
{
	for (char *p = path + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		if (mkdir(path, DIRECTORY_MODE) < 0 && errno != EEXIST)
			return -errno;
		*p = '/';
	}
	return mkdir(path, DIRECTORY_MODE) < 0 && errno != EEXIST ? -errno : 0;
}

static int state_directory(char *ret_path, size_t size, struct ca_error *error)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	int used;
	int r;

	if (state && state[0] == '/')
		used = snprintf(ret_path, size, "%s/cardassay", state);
	else if (home && home[0] == '/')
		used = snprintf(ret_path, size, "%s/.local/state/cardassay", home);
	else
		return ca_error_set(error, -ENOENT,
				    "there is no home directory for the journal: name a file on "
				    "another disk with --journal=FILE.");
	if (used < 0 || (size_t)used >= size)
		return ca_error_set(error, -ENAMETOOLONG, "the journal's name is too long.");
	r = make_directories(ret_path);
	return r < 0 ? ca_error_set(error, r, "cannot make %s for the journal: %s.", ret_path,
				    strerror(-r))
		     : 0;
}

static int choose_name(const struct ca_session *session, struct ca_journal_file *file,
		       struct ca_error *error)
{
	const char *given = session->options->journal;
	char id[2 * sizeof(session->run_id) + 1];
	const char *slash;
	int used;
	int r = 0;

	if (given) {
		if (!ca_string_copy(file->path, sizeof(file->path), given))
			return ca_error_set(error, -ENAMETOOLONG,
					    "the journal's name is too long.");
		slash = strrchr(given, '/');
		used = snprintf(file->directory, sizeof(file->directory), "%.*s",
				slash ? (int)(slash - given) + 1 : 1, slash ? given : ".");
	} else {
		r = state_directory(file->directory, sizeof(file->directory), error);
		ca_hex_encode(session->run_id, sizeof(session->run_id), id);
		used = snprintf(file->path, sizeof(file->path), "%s/probe-%.16s.journal",
				file->directory, id);
	}
	if (r == 0 && (used < 0 || (size_t)used >= sizeof(file->path)))
		r = ca_error_set(error, -ENAMETOOLONG, "the journal's name is too long.");
	return r;
}

/* The name must outlive a loss of power too. */
static int sync_directory(const char *directory)
{
	CA_CLEANUP_CLOSE int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 || fsync(fd) < 0 ? -errno : 0;
}

static int set_aside(struct ca_journal_file *file, uint64_t bytes, struct ca_error *error)
{
	int code = posix_fallocate(file->fd, 0, (off_t)bytes);

	/* not every file system can set aside */
	if (code == ENOSPC || code == EDQUOT || code == EFBIG)
		return ca_error_set(error, -code,
				    "there is no room for a journal of %llu MB in %s: %s. "
				    "--journal=FILE names another place.",
				    (unsigned long long)(bytes / 1000000), file->directory,
				    strerror(code));
	return 0;
}

static int open_named(const struct ca_session *session, struct ca_journal_file *file,
		      uint64_t bytes, struct ca_error *error)
{
	int r = choose_name(session, file, error);

	if (r == 0)
		r = ca_host_check_elsewhere(NULL, session->options->targets[0], file->directory,
					    error);
	if (r < 0)
		return r;
	file->fd = open(file->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, FILE_MODE);
	if (file->fd < 0 && errno == EEXIST)
		return ca_error_set(error, -EEXIST,
				    "%s is there already: an earlier journal? 'cardassay restore "
				    "%s' puts back what it holds; or name another file.",
				    file->path, file->path);
	if (file->fd < 0)
		return ca_error_set(error, -errno, "cannot write the journal %s: %s.", file->path,
				    strerror(errno));
	file->named = true;
	if (flock(file->fd, LOCK_EX | LOCK_NB) < 0)
		r = -errno;
	if (r == 0)
		r = sync_directory(file->directory);
	if (r < 0)
		return ca_error_set(error, r, "cannot secure the journal %s: %s.", file->path,
				    strerror(-r));
	return set_aside(file, bytes, error);
}

/* What a simulated card holds is gone with the program: no journal outlives it. */
static int open_nameless(struct ca_journal_file *file, struct ca_error *error)
{
	const char *directory = getenv("TMPDIR");
	int used = snprintf(file->path, sizeof(file->path), "%s/cardassay-XXXXXX",
			    directory && *directory ? directory : "/tmp");

	if (used < 0 || (size_t)used >= sizeof(file->path))
		return ca_error_set(error, -ENAMETOOLONG, "TMPDIR is too long.");
	file->fd = mkstemp(file->path);
	if (file->fd < 0 || unlink(file->path) < 0)
		return ca_error_set(error, -errno, "cannot write a temporary file %s: %s.",
				    file->path, strerror(errno));
	return 0;
}

int ca_journal_file_open(const struct ca_session *session, uint64_t bytes,
			 struct ca_journal_file *file, struct ca_error *error)
{
	int r;

	memset(file, 0, sizeof(*file));
	file->fd = -1;
	r = session->kind == CA_TARGET_SIMULATED && !session->options->journal
		    ? open_nameless(file, error)
		    : open_named(session, file, bytes, error);
	if (r < 0)
		ca_journal_file_close(file, false);
	return r;
}

void ca_journal_file_close(struct ca_journal_file *file, bool keep)
{
	if (file->fd < 0)
		return;
	if (file->named && !keep && unlink(file->path) < 0)
		ca_report("cannot remove the journal %s, which is not needed any more: %s.",
			  file->path, strerror(errno));
	ca_close_fd(&file->fd);
	file->fd = -1;
}
