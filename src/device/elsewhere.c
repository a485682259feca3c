/* SPDX-License-Identifier: BSD-2-Clause */
/* Does a file lie on the device that is about to be written to? */
#include "sysfs.h"
#include "cardassay/host.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

/* Where sysfs has this device: a partition lies below its disk. */
static int place_of(const char *root, dev_t device, char *ret_path, size_t size)
{
	return ca_sysfs_real(root, ret_path, size, "sys/dev/block/%u:%u", major(device),
			     minor(device));
}

int ca_host_check_elsewhere(const char *root, const char *target, const char *directory,
			    struct ca_error *error)
{
	char disk[PATH_MAX], below[PATH_MAX];
	struct stat device, place;
	size_t len;

	if (stat(directory, &place) < 0)
		return ca_error_set(error, -errno, "cannot look at %s: %s", directory,
				    strerror(errno));
	if (stat(target, &device) < 0 || !S_ISBLK(device.st_mode))
		return 0; /* no block device: nothing lies on it */
	/* a file system without a device of its own (tmpfs, network) lies on none */
	if (place_of(root, device.st_rdev, disk, sizeof(disk)) < 0 ||
	    place_of(root, place.st_dev, below, sizeof(below)) < 0)
		return 0;
	len = strlen(disk);
	if (strncmp(below, disk, len) != 0 || (below[len] && below[len] != '/'))
		return 0;
	return ca_error_set(error, -EBUSY,
			    "refused: %s lies on %s itself; the journal must be on another disk "
			    "(--journal=FILE)",
			    directory, target);
}
