/* SPDX-License-Identifier: BSD-2-Clause */
#include "mounts.h"

#include "sysfs.h"

#include <errno.h>
#include <libmount.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/sysmacros.h>

void ca_mounts_done(struct ca_mounts *mounts)
{
	for (size_t i = 0; i < mounts->count; i++) {
		free(mounts->at[i].source);
		free(mounts->at[i].target);
	}
	free(mounts->at);
	mounts->at = NULL;
	mounts->count = 0;
}

static int copy_fs(struct libmnt_fs *fs, struct ca_mounts *mounts)
{
	const char *source = mnt_fs_get_source(fs), *target = mnt_fs_get_target(fs);
	struct ca_mount *mount = &mounts->at[mounts->count];
	dev_t dev = mnt_fs_get_devno(fs);

	if (!target)
		return 0;
	mount->source = strdup(source ? source : "");
	mount->target = strdup(target);
	mount->major = major(dev);
	mount->minor = minor(dev);
	mounts->count++;
	return mount->source && mount->target ? 0 : -ENOMEM;
}

static int copy_table(struct libmnt_table *table, struct ca_mounts *ret_mounts)
{
	struct ca_mounts mounts = {0};
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;
	int rc = 0;

	mounts.at = calloc((size_t)mnt_table_get_nents(table) + 1, sizeof(*mounts.at));
	if (!iter || !mounts.at)
		rc = -ENOMEM;
	while (rc == 0 && mnt_table_next_fs(table, iter, &fs) == 0)
		rc = copy_fs(fs, &mounts);
	mnt_free_iter(iter);
	if (rc < 0) {
		ca_mounts_done(&mounts);
		return rc;
	}
	*ret_mounts = mounts;
	return 0;
}

int ca_mounts_read(const char *root, struct ca_mounts *ret_mounts)
{
	struct libmnt_table *table;
	char path[CA_PATH_BYTES];
	int rc;

	rc = ca_sysfs_path(root, path, sizeof(path), "proc/self/mountinfo");
	if (rc < 0)
		return rc;
	if (!ca_sysfs_exists(root, "proc/self/mountinfo"))
		return -ENOENT;
	table = mnt_new_table_from_file(path);
	if (!table)
		return -EIO;
	rc = copy_table(table, ret_mounts);
	mnt_unref_table(table);
	return rc;
}

bool ca_path_is_below(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	if (strcmp(dir, "/") == 0)
		return path[0] == '/';
	return strncmp(path, dir, len) == 0 && (path[len] == '/' || path[len] == '\0');
}

const struct ca_mount *ca_mounts_find(const struct ca_mounts *mounts, const char *path)
{
	const struct ca_mount *best = NULL;

	for (size_t i = 0; i < mounts->count; i++) {
		const struct ca_mount *mount = &mounts->at[i];

		if (ca_path_is_below(path, mount->target) &&
		    (!best || strlen(mount->target) >= strlen(best->target)))
			best = mount;
	}
	return best;
}

int ca_mounts_unmount(const char *target)
{
	return umount2(target, UMOUNT_NOFOLLOW) < 0 ? -errno : 0;
}
