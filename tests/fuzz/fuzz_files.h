/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For targets whose input is a directory. The input is text in sections: a line "@NAME" begins the
 * file of that name, and its bytes follow up to the line feed before the next such line. Only names
 * that a target knows become files.
 */
#ifndef CA_TESTS_FUZZ_FILES_H
#define CA_TESTS_FUZZ_FILES_H

#include "fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

static char fuzz_directory_path[200];

static inline int fuzz_remove_one(const char *path, const struct stat *status, int kind,
				  struct FTW *walk)
{
	(void)status;
	(void)kind;
	(void)walk;
	return remove(path);
}

static inline void fuzz_directory_remove(void)
{
	(void)nftw(fuzz_directory_path, fuzz_remove_one, 8, FTW_DEPTH | FTW_PHYS); /* at exit */
}

/* A directory of this process below $TMPDIR, in memory where there is /dev/shm; removed at exit. */
static inline const char *fuzz_directory(void)
{
	const char *base = getenv("TMPDIR");

	if (fuzz_directory_path[0])
		return fuzz_directory_path;
	if (!base || !*base)
		base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	(void)snprintf(fuzz_directory_path, sizeof(fuzz_directory_path), "%s/cardassay-fuzz-XXXXXX",
		       base);
	FUZZ_CHECK(mkdtemp(fuzz_directory_path) != NULL);
	FUZZ_CHECK(atexit(fuzz_directory_remove) == 0);
	return fuzz_directory_path;
}

/* Directories on the way are made. */
static inline void fuzz_file_write(const char *dir, const char *name, const void *data, size_t len)
{
	char path[600];
	int fd;

	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	for (char *slash = path + strlen(dir) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		FUZZ_CHECK(mkdir(path, 0700) == 0 || errno == EEXIST);
		*slash = '/';
	}
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	FUZZ_CHECK(fd >= 0 && write(fd, data, len) == (ssize_t)len && close(fd) == 0);
}

static inline void fuzz_file_remove(const char *dir, const char *name)
{
	char path[600];

	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	FUZZ_CHECK(unlink(path) == 0 || errno == ENOENT);
}

static inline const uint8_t *fuzz_next_section(const uint8_t *from, const uint8_t *end)
{
	for (const uint8_t *p = from; p < end; p++)
		if (*p == '@' && (p == from || p[-1] == '\n'))
			return p;
	return end;
}

static inline const char *fuzz_known_name(const uint8_t *name, size_t len, const char *const *names,
					  size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0)
			return names[i];
	return NULL;
}

/* Writes the files of the input and removes those of `names` that are not in it. */
static inline void fuzz_files_lay_out(const char *dir, const char *const *names, size_t count,
				      const uint8_t *data, size_t size)
{
	const uint8_t *end = data + size, *at;

	for (size_t i = 0; i < count; i++)
		fuzz_file_remove(dir, names[i]);
	for (at = size ? fuzz_next_section(data, end) : end; at < end;) {
		const uint8_t *name = at + 1;
		const uint8_t *line_end = memchr(name, '\n', (size_t)(end - name));
		const char *known;

		if (!line_end)
			return;
		known = fuzz_known_name(name, (size_t)(line_end - name), names, count);
		at = fuzz_next_section(line_end + 1, end);
		if (known)
			fuzz_file_write(dir, known, line_end + 1, (size_t)(at - line_end - 1));
	}
}

#endif
