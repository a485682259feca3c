/* SPDX-License-Identifier: BSD-2-Clause */
#include "sysfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool ca_sysfs_is_live(const char *root)
{
	return !root || !root[0];
}

static int format_path(const char *root, char *ret_path, size_t size, const char *format,
		       va_list args)
{
	char path[PATH_MAX];
	int at, len;

	at = snprintf(path, sizeof(path), "%s/", root ? root : "");
	if (at < 0 || (size_t)at >= sizeof(path))
		return -ENAMETOOLONG;
	len = vsnprintf(path + at, sizeof(path) - (size_t)at, format, args);
	if (len < 0 || (size_t)len >= sizeof(path) - (size_t)at)
		return -ENAMETOOLONG;
	if (strlen(path) >= size) /* nothing is given of a path that does not fit */
		return -ENAMETOOLONG;
	return ca_string_copy(ret_path, size, path) ? 0 : -ENAMETOOLONG;
}

/* Evaluates to the error of format_path, with `path` filled on 0. */
#define FORMAT_PATH(path, root, format, ret_rc)                                                    \
	do {                                                                                       \
		va_list args_;                                                                     \
                                                                                                   \
		va_start(args_, format);                                                           \
		(ret_rc) = format_path(root, path, sizeof(path), format, args_);                   \
		va_end(args_);                                                                     \
	} while (0)

static int read_file(const char *path, void *data, size_t size, size_t *ret_len)
{
	/* not blocking: in a directory of anyone's a pipe may lie where a register should */
	CA_CLEANUP_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	size_t len = 0;

	if (fd < 0)
		return -errno;
	while (len < size) {
		ssize_t got = read(fd, (char *)data + len, size - len);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		len += (size_t)got;
	}
	*ret_len = len;
	return 0;
}

int ca_sysfs_path(const char *root, char *ret_path, size_t size, const char *format, ...)
{
	va_list args;
	int rc;

	va_start(args, format);
	rc = format_path(root, ret_path, size, format, args);
	va_end(args);
	return rc;
}

int ca_sysfs_bytes(const char *root, void *ret_data, size_t size, size_t *ret_len,
		   const char *format, ...)
{
	char path[PATH_MAX];
	int rc;

	FORMAT_PATH(path, root, format, rc);
	return rc < 0 ? rc : read_file(path, ret_data, size, ret_len);
}

static int read_text(const char *path, char *ret_text, size_t size)
{
	char text[4096];
	size_t len = 0;
	int rc;

	rc = read_file(path, text, sizeof(text) - 1, &len);
	if (rc < 0)
		return rc;
	text[len] = '\0';
	len = strlen(text);
	while (len && strchr(" \t\r\n", text[len - 1]))
		text[--len] = '\0';
	if (!len)
		return -ENODATA;
	(void)ca_string_copy(ret_text, size, text); /* a longer value is cut for showing */
	return 0;
}

int ca_sysfs_text(const char *root, char *ret_text, size_t size, const char *format, ...)
{
	char path[PATH_MAX];
	int rc;

	FORMAT_PATH(path, root, format, rc);
	return rc < 0 ? rc : read_text(path, ret_text, size);
}

int ca_sysfs_u64(const char *root, uint64_t *ret_value, const char *format, ...)
{
	char path[PATH_MAX], text[40], *end;
	unsigned long long value;
	int rc;

	FORMAT_PATH(path, root, format, rc);
	if (rc == 0)
		rc = read_text(path, text, sizeof(text));
	if (rc < 0)
		return rc;
	if (strncmp(text, "0x", 2) != 0)
		return ca_parse_u64(text, UINT64_MAX, ret_value);
	errno = 0;
	value = strtoull(text + 2, &end, 16);
	if (errno || *end || end == text + 2)
		return -EINVAL;
	*ret_value = value;
	return 0;
}

int ca_sysfs_dev(const char *root, unsigned int *ret_major, unsigned int *ret_minor,
		 const char *format, ...)
{
	char path[PATH_MAX], text[40], *colon;
	uint64_t major, minor;
	int rc;

	FORMAT_PATH(path, root, format, rc);
	if (rc == 0)
		rc = read_text(path, text, sizeof(text));
	if (rc < 0)
		return rc;
	colon = strchr(text, ':');
	if (!colon)
		return -EINVAL;
	*colon = '\0';
	if (ca_parse_u64(text, UINT_MAX, &major) < 0 ||
	    ca_parse_u64(colon + 1, UINT_MAX, &minor) < 0)
		return -EINVAL;
	*ret_major = (unsigned int)major;
	*ret_minor = (unsigned int)minor;
	return 0;
}

bool ca_sysfs_exists(const char *root, const char *format, ...)
{
	char path[PATH_MAX];
	int rc;

	FORMAT_PATH(path, root, format, rc);
	return rc == 0 && access(path, F_OK) == 0;
}

int ca_sysfs_link_name(const char *root, char *ret_name, size_t size, const char *format, ...)
{
	char path[PATH_MAX], link[PATH_MAX];
	const char *slash;
	ssize_t len;
	int rc;

	FORMAT_PATH(path, root, format, rc);
	if (rc < 0)
		return rc;
	len = readlink(path, link, sizeof(link) - 1);
	if (len < 0)
		return -errno;
	link[len] = '\0';
	slash = strrchr(link, '/');
	return ca_string_copy(ret_name, size, slash ? slash + 1 : link) ? 0 : -ENAMETOOLONG;
}

int ca_sysfs_real(const char *root, char *ret_path, size_t size, const char *format, ...)
{
	char path[PATH_MAX], real[PATH_MAX], real_root[PATH_MAX] = "";
	size_t skip;
	int rc;

	FORMAT_PATH(path, root, format, rc);
	if (rc < 0)
		return rc;
	if (!realpath(path, real) || (root && root[0] && !realpath(root, real_root)))
		return -errno;
	skip = strcmp(real_root, "/") ? strlen(real_root) : 0;
	if (strncmp(real, real_root, skip) != 0)
		return -EXDEV; /* a link that leaves the recorded tree */
	return ca_string_copy(ret_path, size, real + skip) ? 0 : -ENAMETOOLONG;
}

static int compare_names(const void *a, const void *b)
{
	return strverscmp(a, b);
}

void ca_names_done(struct ca_names *names)
{
	free(names->at);
	names->at = NULL;
	names->count = 0;
}

static int collect_names(DIR *dir, struct ca_names *names)
{
	struct dirent *entry;

	while (errno = 0, (entry = readdir(dir))) {
		char(*grown)[CA_NAME_BYTES];

		if (entry->d_name[0] == '.' || strlen(entry->d_name) >= CA_NAME_BYTES)
			continue;
		grown = realloc(names->at, (names->count + 1) * sizeof(*names->at));
		if (!grown)
			return -ENOMEM;
		names->at = grown;
		(void)ca_string_copy(names->at[names->count++], CA_NAME_BYTES, entry->d_name);
	}
	return -errno;
}

int ca_sysfs_list(const char *root, struct ca_names *ret_names, const char *format, ...)
{
	struct ca_names names = {0};
	char path[PATH_MAX];
	DIR *dir;
	int rc;

	FORMAT_PATH(path, root, format, rc);
	if (rc < 0)
		return rc;
	dir = opendir(path);
	if (!dir)
		return -errno;
	rc = collect_names(dir, &names);
	(void)closedir(dir); /* read only */
	if (rc < 0) {
		ca_names_done(&names);
		return rc;
	}
	if (names.count)
		qsort(names.at, names.count, sizeof(*names.at), compare_names);
	*ret_names = names;
	return 0;
}
