/* SPDX-License-Identifier: BSD-2-Clause */
#include "guard.h"

#include "disk_use.h"
#include "mounts.h"
#include "cardassay/host.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum ca_guard_answer examine_use(const char *root, const struct ca_disk *disk,
					struct ca_text *because)
{
	enum ca_guard_answer answer = CA_GUARD_FREE;
	struct ca_disk_use use;
	int rc;

	rc = ca_disk_use_read(root, disk, &use);
	if (rc < 0) {
		ca_text_add(because, "whether it is in use cannot be found out: ");
		ca_text_add(because, strerror(-rc));
		return CA_GUARD_UNKNOWN;
	}
	if (use.in_use) {
		answer = use.only_volumes ? CA_GUARD_VOLUMES : CA_GUARD_IN_USE;
		ca_text_add(because, use.system ? "the system works on it: " : "");
		ca_text_add(because, use.because);
		ca_text_add(because, use.only_volumes ? " (--unmount unmounts it)" : "");
	}
	ca_disk_use_done(&use);
	return answer;
}

enum ca_guard_answer ca_guard_examine(const char *root, const struct ca_disk *disk,
				      char *ret_because, size_t size)
{
	struct ca_text because;
	enum ca_guard_answer answer;

	ca_text_init(&because, ret_because, size);
	if (disk->part_of[0]) {
		ca_text_add(&because, "it is an area of the eMMC ");
		ca_text_add(&because, disk->part_of);
		return CA_GUARD_AREA;
	}
	if (disk->bytes == 0) {
		ca_text_add(&because, "it reports a size of 0: no medium, or a dead one");
		return CA_GUARD_EMPTY;
	}
	answer = examine_use(root, disk, &because);
	if (answer != CA_GUARD_FREE || !disk->read_only)
		return answer;
	ca_text_add(&because, "it is read-only (write protect switch, or set by blockdev --setro)");
	return CA_GUARD_READ_ONLY;
}

/* What a shell takes as one plain word; anything else becomes an underscore. */
static void add_plain(struct ca_text *text, const char *word)
{
	for (; *word; word++) {
		char c = isalnum((unsigned char)*word) || strchr("._:-", *word) ? *word : '_';

		ca_text_add_len(text, &c, 1);
	}
}

static void add_long_word(struct ca_text *text, const struct ca_disk *disk)
{
	add_plain(text, disk->serial);
	ca_text_add(text, disk->serial[0] ? "-" : "");
	add_plain(text, disk->name);
	ca_text_add(text, "-");
	ca_text_u64(text, disk->bytes);
}

/* Could `word` mean this disk too: as its serial number, or as its serial, name and size? */
static bool could_be_meant(const struct ca_disk *disk, const char *word)
{
	char other[160];
	struct ca_text text;

	ca_text_init(&text, other, sizeof(other));
	add_plain(&text, disk->serial);
	if (strcmp(other, word) == 0)
		return true;
	ca_text_init(&text, other, sizeof(other));
	add_long_word(&text, disk);
	return strcmp(other, word) == 0;
}

void ca_guard_word(const struct ca_disk *disk, const struct ca_disk *all, size_t count,
		   char *ret_word, size_t size)
{
	struct ca_text word;
	bool unique = disk->serial[0] != '\0';

	ca_text_init(&word, ret_word, size);
	add_plain(&word, disk->serial);
	/* an eMMC's boot areas carry its serial number, and are no devices of their own */
	for (size_t i = 0; unique && i < count; i++)
		unique = all[i].part_of[0] || strcmp(all[i].name, disk->name) == 0 ||
			 !could_be_meant(&all[i], ret_word);
	if (unique)
		return;
	ca_text_init(&word, ret_word, size);
	add_long_word(&word, disk);
}

static int refuse(const struct ca_disk *disk, enum ca_guard_answer answer, const char *because,
		  struct ca_error *error)
{
	int code = 0;

	switch (answer) {
	case CA_GUARD_FREE:
		return 0;
	case CA_GUARD_VOLUMES:
	case CA_GUARD_IN_USE:
	case CA_GUARD_UNKNOWN:
	case CA_GUARD_EMPTY:
	case CA_GUARD_AREA:
		code = -EBUSY;
		break;
	case CA_GUARD_READ_ONLY:
		code = -EROFS;
		break;
	}
	return ca_error_set(error, code, "refused to erase %s: %s", disk->node, because);
}

/* The disk behind target, when it is a whole disk. */
static int whole_disk(const char *root, const char *target, struct ca_disk *ret_disk,
		      struct ca_error *error)
{
	char name[CA_NAME_BYTES], partition[CA_NAME_BYTES];
	int rc;

	rc = ca_disk_resolve(root, target, name, partition, error);
	if (rc < 0)
		return rc;
	rc = ca_disk_read(root, name, ret_disk);
	if (rc < 0)
		return ca_error_set(error, rc, "there is no %s any more", target);
	if (partition[0])
		return ca_error_set(error, -EBUSY,
				    "refused: %s is a partition; a test takes the whole card, "
				    "which is %s: give that instead",
				    target, ret_disk->node);
	return 0;
}

int ca_guard_allow(const char *root, const char *target, struct ca_disk *ret_disk,
		   struct ca_error *error)
{
	char because[320];
	enum ca_guard_answer answer;
	int rc;

	rc = whole_disk(root, target, ret_disk, error);
	if (rc < 0)
		return rc;
	answer = ca_guard_examine(root, ret_disk, because, sizeof(because));
	return refuse(ret_disk, answer, because, error);
}

/* Is `given` the word of this disk? Names the disk it does belong to. */
static int check_word(const struct ca_disk *disk, const struct ca_disk *all, size_t count,
		      const char *given, struct ca_error *error)
{
	char word[160];

	ca_guard_word(disk, all, count, word, sizeof(word));
	if (strcmp(given, word) == 0)
		return 0;
	if (disk->serial[0] && strcmp(given, disk->serial) == 0)
		return ca_error_set(
			error, -EINVAL,
			"refused: the word '%s' is ambiguous, several devices have that "
			"serial number; the word of %s is '%s'",
			given, disk->node, word);
	for (size_t i = 0; i < count; i++) {
		ca_guard_word(&all[i], all, count, word, sizeof(word));
		if (strcmp(given, word) == 0)
			return ca_error_set(error, -EINVAL,
					    "refused: '%s' is the confirm word of %s, not of %s",
					    given, all[i].node, disk->node);
	}
	return ca_error_set(error, -EINVAL,
			    "refused: that is not the confirm word of %s; 'cardassay list' shows "
			    "it (upper and lower case matter)",
			    disk->node);
}

/* The loop device over this file, "" for none. What stands on that is not known to this check. */
static int find_loop(const char *root, const struct stat *image, char ret_name[CA_NAME_BYTES])
{
	struct ca_names disks;
	int rc;

	ret_name[0] = '\0';
	rc = ca_sysfs_list(root, &disks, "sys/block");
	if (rc < 0)
		return rc == -ENOENT ? 0 : rc; /* no sysfs, no loop devices */
	for (size_t i = 0; i < disks.count && !ret_name[0]; i++) {
		char file[PATH_MAX];
		struct stat st;

		if (ca_sysfs_text(root, file, sizeof(file), "sys/block/%s/loop/backing_file",
				  disks.at[i]) == 0 &&
		    stat(file, &st) == 0 && st.st_dev == image->st_dev &&
		    st.st_ino == image->st_ino)
			(void)ca_string_copy(ret_name, CA_NAME_BYTES, disks.at[i]); /* same size */
	}
	ca_names_done(&disks);
	return 0;
}

/* A regular file that nothing else works on. */
static int check_image_use(const char *root, const char *path, const struct stat *st,
			   struct ca_error *error)
{
	char loop[CA_NAME_BYTES];
	int rc;

	if (S_ISBLK(st->st_mode))
		return ca_error_set(error, -EINVAL,
				    "refused: image: takes a file; to test the device write just "
				    "%s",
				    path);
	if (!S_ISREG(st->st_mode))
		return ca_error_set(error, -EINVAL, "refused: image:%s is not a regular file",
				    path);
	rc = find_loop(root, st, loop);
	if (rc < 0)
		return ca_error_set(error, rc, "cannot list the disks: %s", strerror(-rc));
	if (loop[0])
		return ca_error_set(error, -EBUSY,
				    "refused to erase image:%s: held by the loop device /dev/%s "
				    "(losetup -d detaches it)",
				    path, loop);
	return 0;
}

/* An image file is confirmed by its name and size; whoever may write it may test on it. */
static int check_image(const char *root, const char *path, const char *word, char *ret_confirm,
		       size_t confirm_size, struct ca_error *error)
{
	const char *name = strrchr(path, '/');
	char expected[160];
	struct ca_text text;
	struct stat st;
	int rc;

	if (stat(path, &st) < 0)
		return ca_error_set(error, -errno, "cannot look at the image file %s: %s", path,
				    strerror(errno));
	rc = check_image_use(root, path, &st, error);
	if (rc < 0)
		return rc;
	if (access(path, W_OK) < 0)
		return ca_error_set(error, errno == EROFS ? -EROFS : -EACCES,
				    "no permission to write the image file %s", path);
	if (st.st_size <= 0 || st.st_size % CA_SECTOR_BYTES)
		return ca_error_set(error, -EBUSY,
				    "refused: the image file %s has %lld bytes; a card has a whole "
				    "number of sectors of 512 bytes (truncate -s 4G makes one)",
				    path, (long long)st.st_size);
	ca_text_init(&text, expected, sizeof(expected));
	add_plain(&text, name ? name + 1 : path);
	ca_text_add(&text, "-");
	ca_text_u64(&text, st.st_size > 0 ? (uint64_t)st.st_size : 0);
	if (word && strcmp(word, expected) != 0)
		return ca_error_set(error, -EINVAL,
				    "refused: that is not the confirm word of %s; it is '%s'", path,
				    expected);
	if (ret_confirm)
		(void)ca_string_copy(ret_confirm, confirm_size, expected); /* callers have 160 */
	return 0;
}

int ca_guard_check(const char *root, const char *target, const char *word, char *ret_confirm,
		   size_t confirm_size, struct ca_error *error)
{
	CA_CLEANUP_FREE struct ca_disk *all = NULL;
	char because[320];
	enum ca_guard_answer answer;
	struct ca_disk disk;
	size_t count = 0;
	int rc;

	if (strncmp(target, "image:", 6) == 0)
		return check_image(root, target + 6, word, ret_confirm, confirm_size, error);
	rc = whole_disk(root, target, &disk, error);
	if (rc < 0)
		return rc;
	rc = ca_disk_read_all(root, &all, &count);
	if (rc < 0)
		return ca_error_set(error, rc, "cannot list the disks: %s", strerror(-rc));
	answer = ca_guard_examine(root, &disk, because, sizeof(because));
	/* A wrong word comes before mounted volumes, so that nothing is unmounted by mistake. */
	if (word && (answer == CA_GUARD_FREE || answer == CA_GUARD_VOLUMES))
		rc = check_word(&disk, all, count, word, error);
	if (rc == 0)
		rc = refuse(&disk, answer, because, error);
	if (rc == 0 && ret_confirm)
		ca_guard_word(&disk, all, count, ret_confirm, confirm_size);
	return rc;
}

int ca_guard_unmount(const char *target, struct ca_error *error)
{
	struct ca_disk_use use;
	struct ca_disk disk;
	int rc;

	rc = whole_disk(NULL, target, &disk, error);
	if (rc < 0)
		return rc;
	rc = ca_disk_use_read(NULL, &disk, &use);
	if (rc < 0)
		return ca_error_set(error, rc, "cannot find out what is mounted of %s: %s",
				    disk.node, strerror(-rc));
	if (use.in_use && !use.only_volumes)
		rc = ca_error_set(error, -EBUSY, "refused to unmount %s: %s%s", disk.node,
				  use.system ? "the system works on it: " : "", use.because);
	for (size_t i = 0; i < use.volume_count && rc == 0; i++) {
		rc = ca_mounts_unmount(use.volumes[i]);
		if (rc < 0)
			(void)ca_error_set(error, rc, "cannot unmount %s: %s", use.volumes[i],
					   strerror(-rc));
	}
	ca_disk_use_done(&use);
	return rc;
}
