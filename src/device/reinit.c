/* SPDX-License-Identifier: BSD-2-Clause */
#include "reinit.h"

#include "block.h"
#include "disk_use.h"
#include "guard.h"
#include "retake.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

/* A card is initialised in a second or two; a drive may take its time over a first start. Said in
 * words below. */
#define RETURN_WAIT_NS (30 * CA_NS_PER_SECOND)
#define BIND_PAUSE_NS  1000000000L

static void pause_ns(long ns)
{
	const struct timespec pause = {ns / 1000000000L, ns % 1000000000L};

	(void)nanosleep(&pause, NULL); /* an earlier end only means one more look */
}

/* ---- may it be let go of? ------------------------------------------------------------------- */

static int cannot(struct ca_error *error, const char *because)
{
	return ca_error_set(error, -EOPNOTSUPP, "%s", because);
}

static int also_drives(const char *controller, const char *what, struct ca_error *error)
{
	const char *slash = strrchr(controller, '/');

	return ca_error_set(error, -EOPNOTSUPP, "its host controller %s also drives %s",
			    slash ? slash + 1 : controller, what);
}

/* The part of the disk's place in the device tree before `mark`: the controller's directory. */
static int find_controller(const char *root, const char *name, const char *mark,
			   char ret_dir[CA_PATH_BYTES])
{
	char dir[CA_PATH_BYTES], *cut;
	int rc = ca_sysfs_real(root, dir, sizeof(dir), "sys/block/%s", name);

	if (rc < 0)
		return rc;
	cut = strstr(dir, mark);
	if (!cut || strstr(dir, "/devices/virtual/"))
		return -ENOENT;
	*cut = '\0';
	(void)ca_string_copy(ret_dir, CA_PATH_BYTES, dir + 1); /* shorter than the whole */
	return 0;
}

/* "mmc0:aaaa", and no file of the host "mmc0" itself. */
static bool is_card_of(const char *host, const char *name)
{
	size_t len = strlen(host);

	return strncmp(name, host, len) == 0 && name[len] == ':' &&
	       isxdigit((unsigned char)name[len + 1]);
}

/* One slot of the controller: holds it a card that is not ours, or more than memory? */
static int check_slot(const char *root, const char *controller, const char *host, const char *disk,
		      struct ca_error *error)
{
	struct ca_names entries;
	int rc = ca_sysfs_list(root, &entries, "%s/mmc_host/%s", controller, host);

	if (rc < 0)
		return rc;
	for (size_t i = 0; rc == 0 && i < entries.count; i++) {
		const char *card = entries.at[i];
		char type[16] = "";

		if (!is_card_of(host, card))
			continue;
		(void)ca_sysfs_text(root, type, sizeof(type), "%s/mmc_host/%s/%s/type", controller,
				    host, card); /* "" is neither of the two */
		if (strcmp(type, "SD") != 0 && strcmp(type, "MMC") != 0)
			rc = also_drives(controller, "an SDIO device (Wi-Fi and the like)", error);
		else if (!ca_sysfs_exists(root, "%s/mmc_host/%s/%s/block/%s", controller, host,
					  card, disk))
			rc = also_drives(controller, "another card", error);
	}
	ca_names_done(&entries);
	return rc;
}

static int check_slots(const char *root, const char *controller, const char *disk,
		       struct ca_error *error)
{
	struct ca_names hosts;
	int rc = ca_sysfs_list(root, &hosts, "%s/mmc_host", controller);

	if (rc < 0)
		return rc;
	for (size_t i = 0; rc == 0 && i < hosts.count; i++)
		rc = check_slot(root, controller, hosts.at[i], disk, error);
	ca_names_done(&hosts);
	return rc;
}

/* Namespaces without a block device have a character device only: ng0n2 beside nvme0n1. */
static int check_namespaces(const char *root, const char *controller, const char *disk,
			    struct ca_error *error)
{
	struct ca_names entries;
	char nvme[CA_NAME_BYTES];
	int rc;

	(void)ca_string_copy(nvme, sizeof(nvme), disk); /* of the same size */
	nvme[strlen("nvme") + strspn(disk + strlen("nvme"), "0123456789")] = '\0';
	rc = ca_sysfs_list(root, &entries, "%s/nvme/%s", controller, nvme);
	if (rc < 0)
		return rc;
	for (size_t i = 0; rc == 0 && i < entries.count; i++)
		if (strncmp(entries.at[i], "ng", 2) == 0 &&
		    strcmp(entries.at[i] + 2, disk + strlen("nvme")) != 0)
			rc = also_drives(controller, "another namespace", error);
	ca_names_done(&entries);
	return rc;
}

static bool is_below(const char *root, const char *controller, const char *disk)
{
	char dir[CA_PATH_BYTES];
	size_t len = strlen(controller);

	return ca_sysfs_real(root, dir, sizeof(dir), "sys/block/%s", disk) == 0 &&
	       strncmp(dir + 1, controller, len) == 0 && dir[1 + len] == '/';
}

/* An area of the eMMC goes with it, unless somebody uses it. */
static int check_area(const char *root, const struct ca_disk *area, struct ca_error *error)
{
	struct ca_disk_use use;
	int rc = ca_disk_use_read(root, area, &use);

	if (rc < 0)
		return ca_error_set(error, -EOPNOTSUPP,
				    "whether its area %s is in use cannot be found out",
				    area->node);
	if (use.in_use)
		rc = ca_error_set(error, -EOPNOTSUPP, "its area %s is in use: %s", area->node,
				  use.because);
	ca_disk_use_done(&use);
	return rc;
}

static int check_disks(const char *root, const char *controller, const struct ca_disk *disk,
		       struct ca_error *error)
{
	CA_CLEANUP_FREE struct ca_disk *all = NULL;
	size_t count = 0;
	int rc = ca_disk_read_all(root, &all, &count);

	for (size_t i = 0; rc == 0 && i < count; i++) {
		if (strcmp(all[i].name, disk->name) == 0 ||
		    !is_below(root, controller, all[i].name))
			continue;
		if (strcmp(all[i].part_of, disk->name) == 0)
			rc = check_area(root, &all[i], error);
		else
			rc = also_drives(controller, all[i].node, error);
	}
	return rc;
}

static int find_driver(const char *root, const char *controller, struct ca_reinit_plan *plan,
		       struct ca_error *error)
{
	static const char *const files[] = {"unbind", "bind"};
	const char *slash = strrchr(controller, '/');
	char path[CA_PATH_BYTES];

	if (!slash || !ca_string_copy(plan->device, sizeof(plan->device), slash + 1) ||
	    ca_sysfs_real(root, path, sizeof(path), "%s/driver", controller) < 0)
		return cannot(error, "the driver of its host controller is not known");
	(void)ca_string_copy(plan->driver, sizeof(plan->driver), path + 1); /* shorter */
	for (size_t i = 0; i < CA_ARRAY_LEN(files); i++) {
		if (!ca_sysfs_exists(root, "%s/%s", plan->driver, files[i]))
			return cannot(error,
				      "the driver of its host controller cannot be made to let go");
		if (ca_sysfs_path(root, path, sizeof(path), "%s/%s", plan->driver, files[i]) < 0 ||
		    access(path, W_OK) < 0)
			return cannot(error, "that takes root and a writable /sys: run it with "
					     "sudo, outside a container");
	}
	return 0;
}

static int check_mmc(const char *root, const struct ca_disk *disk,
		     char ret_controller[CA_PATH_BYTES], struct ca_error *error)
{
	if (find_controller(root, disk->name, "/mmc_host/", ret_controller) < 0)
		return cannot(error, "its host controller is not known");
	return check_slots(root, ret_controller, disk->name, error);
}

static int check_nvme(const char *root, const struct ca_disk *disk,
		      char ret_controller[CA_PATH_BYTES], struct ca_error *error)
{
	char driver[CA_NAME_BYTES] = "";

	if (find_controller(root, disk->name, "/nvme/", ret_controller) < 0)
		return cannot(error, "it may be reached through more than one controller");
	(void)ca_sysfs_link_name(root, driver, sizeof(driver), "%s/driver",
				 ret_controller); /* "" is another driver */
	if (strcmp(driver, "nvme") != 0)
		return cannot(error, "it is no drive in a PCIe slot of its own");
	if (!disk->serial[0])
		return cannot(error, "it has no serial number to know it again by");
	return check_namespaces(root, ret_controller, disk->name, error);
}

static int check_kind(const char *root, const struct ca_disk *disk,
		      char ret_controller[CA_PATH_BYTES], struct ca_error *error)
{
	if (strcmp(disk->bus, "mmc") == 0)
		return check_mmc(root, disk, ret_controller, error);
	if (strcmp(disk->bus, "nvme") == 0)
		return check_nvme(root, disk, ret_controller, error);
	if (strcmp(disk->bus, "usb") == 0)
		return cannot(error, "resetting a USB reader does not empty the cache of the card "
				     "in it; use a slot that Linux drives itself");
	if (disk->virtual_device)
		return cannot(error, "it is a virtual device without a host controller");
	return cannot(error, "only SD and MMC slots and NVMe drives can be taken anew");
}

int ca_reinit_prepare(const char *root, const char *name, struct ca_reinit_plan *ret_plan,
		      struct ca_error *error)
{
	struct ca_reinit_plan plan = {.disk = {.bytes = 0}};
	char controller[CA_PATH_BYTES], because[320];
	int rc = ca_disk_read(root, name, &plan.disk);

	if (rc < 0)
		return ca_error_set(error, rc, "there is no %s any more", name);
	rc = plan.disk.host_path[0] ? check_kind(root, &plan.disk, controller, error)
				    : cannot(error, "the slot it is in is not known");
	if (rc == 0 &&
	    ca_guard_examine(root, &plan.disk, because, sizeof(because)) != CA_GUARD_FREE)
		rc = cannot(error, because);
	if (rc == 0)
		rc = check_disks(root, controller, &plan.disk, error);
	if (rc == 0)
		rc = find_driver(root, controller, &plan, error);
	if (rc < 0 && rc != -EOPNOTSUPP)
		rc = ca_error_set(error, -EOPNOTSUPP,
				  "what else its host controller drives cannot be found out: %s",
				  strerror(-rc));
	if (rc == 0)
		*ret_plan = plan;
	return rc;
}

bool ca_host_can_reinit(const char *root, const char *target, char *ret_why, size_t size)
{
	char name[CA_NAME_BYTES], partition[CA_NAME_BYTES];
	struct ca_reinit_plan plan;
	struct ca_error error = {0};
	int rc = 0;

	if (strncmp(target, "sim:", 4) == 0) {
		(void)ca_string_copy(ret_why, size, ""); /* size is 1 at least */
		return true;
	}
	if (strncmp(target, "image:", 6) == 0)
		rc = cannot(&error, "an image file has no host controller");
	if (rc == 0)
		rc = ca_disk_resolve(root, target, name, partition, &error);
	if (rc == 0 && partition[0])
		rc = cannot(&error, "it is a partition");
	if (rc == 0)
		rc = ca_reinit_prepare(root, name, &plan, &error);
	(void)ca_string_copy(ret_why, size, rc < 0 ? error.text : ""); /* cut for showing */
	return rc == 0;
}

/* ---- letting go and taking again ------------------------------------------------------------ */

static int tell_driver(const char *root, const struct ca_reinit_plan *plan, const char *file)
{
	CA_CLEANUP_CLOSE int fd = -1;
	size_t len = strlen(plan->device);
	char path[CA_PATH_BYTES];
	ssize_t written;
	int rc = ca_sysfs_path(root, path, sizeof(path), "%s/%s", plan->driver, file);

	if (rc < 0)
		return rc;
	fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return -errno;
	written = write(fd, plan->device, len);
	if (written < 0)
		return -errno;
	return (size_t)written == len ? 0 : -EIO;
}

static int take_again(const char *root, const struct ca_reinit_plan *plan, struct ca_error *error)
{
	const char *driver = strrchr(plan->driver, '/');
	int rc = tell_driver(root, plan, "bind");

	if (rc < 0) {
		pause_ns(BIND_PAUSE_NS);
		rc = tell_driver(root, plan, "bind");
	}
	if (rc == 0)
		return 0;
	return ca_error_set(
		error, rc == -EOPNOTSUPP ? -EIO : rc,
		"the driver %s did not take the host controller %s again (%s): the slot "
		"stays dead until that driver is loaded anew or the machine is "
		"restarted",
		driver ? driver + 1 : plan->driver, plan->device, strerror(-rc));
}

int ca_reinit_rebind(const char *root, const struct ca_reinit_plan *plan,
		     void (*let_go)(void *context), void *context, struct ca_error *error)
{
	sigset_t all, before;
	int rc;

	/* Ctrl-C, or the end of the terminal, must not leave the slot without its driver */
	(void)sigfillset(&all); /* cannot fail */
	if (sigprocmask(SIG_SETMASK, &all, &before) < 0)
		return ca_error_set(error, -EOPNOTSUPP, "signals cannot be blocked");
	rc = tell_driver(root, plan, "unbind");
	if (rc < 0) {
		rc = ca_error_set(error, -EOPNOTSUPP,
				  "its driver does not let go of the host controller: %s",
				  strerror(-rc));
	} else {
		let_go(context);
		rc = take_again(root, plan, error);
	}
	(void)sigprocmask(SIG_SETMASK, &before, NULL); /* what could be set can be set back */
	return rc;
}

/* ---- the op ---------------------------------------------------------------------------------- */

static void let_go(void *context)
{
	ca_retake_let_go(context);
}

/* Takes what came back in place of what was open, if it is the same card. */
static int adopt(struct ca_block *block, const struct ca_reinit_plan *plan)
{
	int rc = ca_retake(block, &plan->disk, RETURN_WAIT_NS);

	if (rc == 0 || rc == -ESTALE)
		return rc;
	return ca_error_set(&block->device.failure, rc,
			    "the card did not come back within 30 seconds of the host "
			    "taking it anew (%s): take it out and put it back; if it stays "
			    "away, it has failed",
			    strerror(-rc));
}

int ca_reinit_block(struct ca_device *device, struct ca_io_fault *ret_fault)
{
	struct ca_block *block = (struct ca_block *)device; /* device is the first member */
	struct ca_io_fault fault = {.status = CA_IO_OK};
	struct ca_reinit_plan plan = {.disk = {.bytes = 0}};
	char name[CA_NAME_BYTES];
	int rc;

	device->failure = (struct ca_error){0}; /* of something earlier */
	if (block->image)
		return cannot(&device->failure, "an image file has no host controller");
	if (ca_sysfs_link_name(NULL, name, sizeof(name), "sys/dev/block/%u:%u",
			       major(block->identity.rdev), minor(block->identity.rdev)) < 0)
		return cannot(&device->failure, "its place in /sys is not known");
	rc = ca_reinit_prepare(NULL, name, &plan, &device->failure);
	if (rc == 0)
		rc = ca_reinit_rebind(NULL, &plan, let_go, block, &device->failure);
	if (rc == -EOPNOTSUPP)
		return rc;
	if (rc == 0)
		rc = adopt(block, &plan);
	if (rc < 0) {
		fault.status = rc == -ESTALE ? CA_IO_ERROR : CA_IO_GONE;
		fault.error = -rc;
		fault.bytes = device->geometry.bytes;
	}
	*ret_fault = fault;
	return 0;
}
