/* SPDX-License-Identifier: BSD-2-Clause */
#include "disk_use.h"

#include "mounts.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One block device that belongs to the disk: itself, a partition, or what is stacked on those. */
struct member {
	char name[CA_NAME_BYTES];
	char dir[CA_PATH_BYTES]; /* below sys/block */
	unsigned int major, minor;
	bool holder;
};

/* A stack deeper or wider than this is refused as a whole. */
#define MEMBERS_MAX 512U

struct members {
	struct member *at;
	size_t count;
};

static int add_member(const char *root, struct members *members, const char *dir, const char *name,
		      bool holder)
{
	struct member *member = &members->at[members->count];
	int rc;

	for (size_t i = 0; i < members->count; i++)
		if (strcmp(members->at[i].name, name) == 0)
			return 0;
	if (members->count == MEMBERS_MAX)
		return -E2BIG;
	if (!ca_string_copy(member->name, sizeof(member->name), name) ||
	    !ca_string_copy(member->dir, sizeof(member->dir), dir))
		return -ENAMETOOLONG;
	member->holder = holder;
	member->major = member->minor = 0; /* no device's number */
	rc = ca_sysfs_dev(root, &member->major, &member->minor, "sys/block/%s/dev", dir);
	if (rc < 0 && rc != -ENOENT)
		return rc;
	members->count++;
	return 0;
}

/* A disk and its partitions. */
static int add_disk(const char *root, struct members *members, const char *name, bool holder)
{
	struct ca_names parts = {0};
	int rc;

	rc = add_member(root, members, name, name, holder);
	if (rc == 0)
		rc = ca_disk_partitions(root, name, &parts);
	if (rc < 0)
		return rc == -ENOENT ? 0 : rc; /* gone meanwhile: nothing is on it */
	for (size_t i = 0; i < parts.count && rc == 0; i++) {
		char dir[CA_PATH_BYTES];

		(void)snprintf(dir, sizeof(dir), "%s/%s", name, parts.at[i]);
		rc = add_member(root, members, dir, parts.at[i], holder);
	}
	ca_names_done(&parts);
	return rc;
}

static bool is_member(const struct members *members, const char *name)
{
	for (size_t i = 0; i < members->count; i++)
		if (strcmp(members->at[i].name, name) == 0)
			return true;
	return false;
}

/* The device node `node` is one of the members. */
static bool is_member_node(const char *root, const struct members *members, const char *node)
{
	char name[CA_NAME_BYTES];

	return node[0] == '/' && ca_disk_node_name(root, node, name) == 0 &&
	       is_member(members, name);
}

static bool mount_is_on(const char *root, const struct members *members,
			const struct ca_mount *mount)
{
	for (size_t i = 0; i < members->count; i++)
		if (members->at[i].major == mount->major && members->at[i].minor == mount->minor &&
		    (mount->major || mount->minor))
			return true;
	/* btrfs mounts carry an anonymous device number: only the source names the disk */
	return strncmp(mount->source, "/dev/", 5) == 0 &&
	       is_member_node(root, members, mount->source);
}

/* Loop devices over a member itself, or over a file on a file system of a member. */
static int add_loops(const char *root, struct members *members, const struct ca_mounts *mounts)
{
	struct ca_names disks = {0};
	int rc;

	rc = ca_sysfs_list(root, &disks, "sys/block");
	for (size_t i = 0; rc == 0 && i < disks.count; i++) {
		const struct ca_mount *mount;
		char file[PATH_MAX];

		if (ca_sysfs_text(root, file, sizeof(file), "sys/block/%s/loop/backing_file",
				  disks.at[i]) < 0)
			continue;
		mount = ca_mounts_find(mounts, file);
		if (is_member_node(root, members, file) ||
		    (strncmp(file, "/dev/", 5) != 0 && mount && mount_is_on(root, members, mount)))
			rc = add_disk(root, members, disks.at[i], true);
	}
	ca_names_done(&disks);
	return rc;
}

static int add_holders(const char *root, struct members *members, size_t index)
{
	struct ca_names holders;
	int rc;

	rc = ca_sysfs_list(root, &holders, "sys/block/%s/holders", members->at[index].dir);
	if (rc < 0)
		return rc == -ENOENT ? 0 : rc; /* no such directory: nothing can be stacked */
	for (size_t i = 0; i < holders.count && rc == 0; i++)
		rc = add_disk(root, members, holders.at[i], true);
	ca_names_done(&holders);
	return rc;
}

/* Everything stacked on the disk, however high. */
static int find_members(const char *root, const char *name, const struct ca_mounts *mounts,
			struct members *members)
{
	size_t done = 0;
	int rc;

	rc = add_disk(root, members, name, false);
	while (rc == 0 && done < members->count) {
		while (rc == 0 && done < members->count)
			rc = add_holders(root, members, done++);
		if (rc == 0)
			rc = add_loops(root, members, mounts);
	}
	return rc;
}

bool ca_mount_point_is_system(const char *target)
{
	static const char *const whole[] = {
		"/boot", "/efi",  "/usr", "/etc", "/bin", "/sbin", "/lib",  "/lib64",  "/lib32",
		"/var",	 "/proc", "/sys", "/dev", "/nix", "/gnu",  "/snap", "/sysroot"};
	static const char *const itself[] = {"/",    "/home", "/root", "/tmp",
					     "/srv", "/opt",  "/run",  "/media"};

	for (size_t i = 0; i < CA_ARRAY_LEN(whole); i++)
		if (ca_path_is_below(target, whole[i]))
			return true;
	for (size_t i = 0; i < CA_ARRAY_LEN(itself); i++)
		if (strcmp(target, itself[i]) == 0)
			return true;
	return false;
}

static void add_word(struct ca_text *text, const char *before, const char *word)
{
	ca_text_add(text, text->len ? ", " : before);
	ca_text_escaped(text, word, strlen(word));
}

/* Where the working directory is, by the kernel's own link. */
static const struct ca_mount *working_mount(const char *root, const struct ca_mounts *mounts)
{
	char path[CA_PATH_BYTES], cwd[PATH_MAX];
	ssize_t len;

	if (ca_sysfs_path(root, path, sizeof(path), "proc/self/cwd") < 0)
		return NULL;
	len = readlink(path, cwd, sizeof(cwd) - 1);
	if (len <= 0)
		return NULL;
	cwd[len] = '\0';
	return ca_mounts_find(mounts, cwd);
}

static int note_mounts(const char *root, const struct members *members,
		       const struct ca_mounts *mounts, struct ca_disk_use *use,
		       struct ca_text *text)
{
	const struct ca_mount *working = working_mount(root, mounts);
	bool works_here = false;

	use->volumes = calloc(mounts->count + 1, sizeof(*use->volumes));
	if (!use->volumes)
		return -ENOMEM;
	for (size_t i = mounts->count; i-- > 0;) { /* the last mounted is the first to unmount */
		const struct ca_mount *mount = &mounts->at[i];

		if (!mount_is_on(root, members, mount))
			continue;
		if (!ca_string_copy(use->volumes[use->volume_count++], CA_PATH_BYTES,
				    mount->target) ||
		    ca_mount_point_is_system(mount->target))
			use->system = true;
		works_here |= mount == working;
		add_word(text, "mounted at ", mount->target);
	}
	if (works_here) {
		use->system = true;
		ca_text_add(text, "; the working directory is there");
	}
	return 0;
}

/* /proc/swaps: a heading, then "PATH TYPE SIZE ..." with octal escapes in PATH. */
static int note_swap(const char *root, const struct members *members,
		     const struct ca_mounts *mounts, struct ca_text *text)
{
	char swaps[8192], *line, *rest;
	size_t len;
	int rc;

	rc = ca_sysfs_bytes(root, swaps, sizeof(swaps) - 1, &len, "proc/swaps");
	if (rc == -ENOENT)
		return 0; /* a kernel without swap */
	if (rc < 0)
		return rc;
	if (len == sizeof(swaps) - 1)
		return -E2BIG; /* what was cut off could be on it */
	swaps[len] = '\0';
	line = strtok_r(swaps, "\n", &rest);
	while (line && (line = strtok_r(NULL, "\n", &rest))) {
		const struct ca_mount *mount;

		line[strcspn(line, " \t")] = '\0';
		mount = ca_mounts_find(mounts, line);
		if (is_member_node(root, members, line) ||
		    (strncmp(line, "/dev/", 5) != 0 && mount && mount_is_on(root, members, mount)))
			add_word(text, "swap on ", line);
	}
	return 0;
}

static void note_holders(const char *root, const struct members *members, struct ca_text *text)
{
	for (size_t i = 0; i < members->count; i++) {
		char what[CA_PATH_BYTES];

		if (!members->at[i].holder || strchr(members->at[i].dir, '/'))
			continue; /* partitions of a holder are told by the holder */
		add_word(text, "held by ", members->at[i].name);
		if (ca_sysfs_text(root, what, sizeof(what), "sys/block/%s/dm/name",
				  members->at[i].name) < 0 &&
		    ca_sysfs_text(root, what, sizeof(what), "sys/block/%s/loop/backing_file",
				  members->at[i].name) < 0)
			continue;
		ca_text_add(text, " (");
		ca_text_escaped(text, what, strlen(what));
		ca_text_add(text, ")");
	}
}

static int read_use(const char *root, const struct members *members, const struct ca_mounts *mounts,
		    struct ca_disk_use *use)
{
	char mounted[160], swap[128], held[160];
	struct ca_text mounted_text, swap_text, held_text, text;
	int rc;

	ca_text_init(&mounted_text, mounted, sizeof(mounted));
	ca_text_init(&swap_text, swap, sizeof(swap));
	ca_text_init(&held_text, held, sizeof(held));
	rc = note_mounts(root, members, mounts, use, &mounted_text);
	if (rc == 0)
		rc = note_swap(root, members, mounts, &swap_text);
	if (rc < 0)
		return rc;
	note_holders(root, members, &held_text);
	ca_text_init(&text, use->because, sizeof(use->because));
	ca_text_add(&text, mounted);
	ca_text_add(&text, mounted[0] && swap[0] ? "; " : "");
	ca_text_add(&text, swap);
	ca_text_add(&text, text.len && held[0] ? "; " : "");
	ca_text_add(&text, held);
	use->in_use = text.len > 0;
	use->only_volumes = mounted[0] && !swap[0] && !held[0] && !use->system;
	return 0;
}

void ca_disk_use_done(struct ca_disk_use *use)
{
	free(use->volumes);
	memset(use, 0, sizeof(*use));
}

int ca_disk_use_read(const char *root, const struct ca_disk *disk, struct ca_disk_use *ret_use)
{
	struct members members = {calloc(MEMBERS_MAX, sizeof(struct member)), 0};
	struct ca_mounts mounts = {0};
	struct ca_disk_use use = {0};
	int rc;

	rc = members.at ? ca_mounts_read(root, &mounts) : -ENOMEM;
	if (rc == 0)
		rc = find_members(root, disk->name, &mounts, &members);
	if (rc == 0)
		rc = read_use(root, &members, &mounts, &use);
	free(members.at);
	ca_mounts_done(&mounts);
	if (rc < 0) {
		ca_disk_use_done(&use);
		return rc;
	}
	*ret_use = use;
	return 0;
}
