/* SPDX-License-Identifier: BSD-2-Clause */
#include "selfcheck.h"

#include "host_facts.h"
#include "reinit.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void ca_selfcheck_add(struct ca_selfcheck *selfcheck, const char *name, enum ca_check_state state,
		      const char *format, ...)
{
	struct ca_check *check = &selfcheck->checks[selfcheck->count++];
	va_list args;

	assert(selfcheck->count <= CA_CHECK_MAX);
	*check = (struct ca_check){.name = name, .state = state};
	va_start(args, format);
	(void)vsnprintf(check->text, sizeof(check->text), format, args); /* cut is fine */
	va_end(args);
}

void ca_selfcheck_add_failure(struct ca_selfcheck *selfcheck, const char *name, int rc)
{
	const char *hint = "";

	if ((rc == -EACCES || rc == -EPERM) && geteuid() == 0)
		hint = ", even for root: a container or a lock of the system forbids it";
	else if (rc == -EACCES || rc == -EPERM)
		hint = ": run it with sudo";
	else if (rc == -ETIMEDOUT)
		hint = ": the card did not answer";
	ca_selfcheck_add(selfcheck, name, CA_CHECK_ABSENT, "%s%s", strerror(-rc), hint);
}

bool ca_selfcheck_is_recorded(struct ca_selfcheck *selfcheck, const char *name)
{
	if (ca_sysfs_is_live(selfcheck->root))
		return false;
	ca_selfcheck_add(selfcheck, name, CA_CHECK_NOT_APPLICABLE,
			 "a recorded machine cannot be asked, only its files be read");
	return true;
}

/* ---- of the kernel -------------------------------------------------------------------------- */

/* The file that is of use here: the bus state of a slot, the tags of any other queue. */
static int read_debugfs(const struct ca_selfcheck *selfcheck, char ret_file[CA_PATH_BYTES])
{
	const struct ca_disk *disk = &selfcheck->disk;
	char host[CA_NAME_BYTES], text[16];
	size_t len;

	if (strcmp(disk->bus, "mmc") == 0 &&
	    ca_host_facts_mmc_host(selfcheck->root, disk->name, host) == 0)
		(void)snprintf(ret_file, CA_PATH_BYTES, "%s/ios", host);
	else
		(void)snprintf(ret_file, CA_PATH_BYTES, "block/%s/hctx0/tags", disk->name);
	return ca_sysfs_bytes(selfcheck->root, text, sizeof(text), &len, "sys/kernel/debug/%s",
			      ret_file);
}

static void check_debugfs(struct ca_selfcheck *selfcheck)
{
	char file[CA_PATH_BYTES];
	struct ca_names names = {0};
	int rc = ca_sysfs_list(selfcheck->root, &names, "sys/kernel/debug");
	size_t count = names.count;

	ca_names_done(&names);
	if (rc == -EACCES || rc == -EPERM) {
		ca_selfcheck_add_failure(selfcheck, "debugfs", rc);
	} else if (rc < 0) {
		ca_selfcheck_add(selfcheck, "debugfs", CA_CHECK_ABSENT,
				 ca_sysfs_is_live(selfcheck->root)
					 ? "this kernel has none"
					 : "sys/kernel/debug was not recorded");
	} else if (!count) {
		ca_selfcheck_add(selfcheck, "debugfs", CA_CHECK_ABSENT,
				 "not mounted: mount -t debugfs none /sys/kernel/debug");
	} else {
		rc = read_debugfs(selfcheck, file);
		if (rc < 0)
			ca_selfcheck_add(selfcheck, "debugfs", CA_CHECK_ABSENT,
					 "mounted, but %s cannot be read: %s", file, strerror(-rc));
		else
			ca_selfcheck_add(selfcheck, "debugfs", CA_CHECK_WORKS, "%s was read", file);
	}
}

static void check_kernel_log(struct ca_selfcheck *selfcheck)
{
	struct ca_kernel_log log = {.forget_until = UINT64_MAX};
	int rc = ca_kernel_log_read(selfcheck->root, &log);

	if (rc == -ENOENT && !ca_sysfs_is_live(selfcheck->root))
		ca_selfcheck_add(selfcheck, "kernel-log", CA_CHECK_ABSENT,
				 "dev/kmsg was not recorded");
	else if (rc < 0)
		ca_selfcheck_add_failure(selfcheck, "kernel-log", rc);
	else
		ca_selfcheck_add(selfcheck, "kernel-log", CA_CHECK_WORKS, "/dev/kmsg was read");
}

static void check_uevents(struct ca_selfcheck *selfcheck)
{
	struct ca_error error = {0};
	struct ca_watch *watch;

	if (ca_selfcheck_is_recorded(selfcheck, "uevents"))
		return;
	if (ca_watch_new(&watch, &error) < 0) {
		ca_selfcheck_add(selfcheck, "uevents", CA_CHECK_ABSENT, "%s", error.text);
		return;
	}
	ca_watch_free(watch);
	ca_selfcheck_add(selfcheck, "uevents", CA_CHECK_WORKS,
			 "the kernel tells when a device comes and goes");
}

static void check_clock(struct ca_selfcheck *selfcheck)
{
	if (ca_selfcheck_is_recorded(selfcheck, "clock"))
		return;
	if (ca_host_facts_is_clock_synchronised())
		ca_selfcheck_add(selfcheck, "clock", CA_CHECK_WORKS, "synchronised");
	else
		ca_selfcheck_add(selfcheck, "clock", CA_CHECK_ABSENT,
				 "nothing keeps it right: start a time service (timedatectl "
				 "set-ntp true), or the dates of certificates may be wrong");
}

static void check_reinit(struct ca_selfcheck *selfcheck)
{
	struct ca_reinit_plan plan;
	struct ca_error error = {0};
	int rc;

	if (ca_selfcheck_is_recorded(selfcheck, "reinit"))
		return;
	rc = ca_reinit_prepare(selfcheck->root, selfcheck->disk.name, &plan, &error);
	if (rc == 0)
		ca_selfcheck_add(selfcheck, "reinit", CA_CHECK_WORKS,
				 "the host can be made to take the device anew (--reinit)");
	else if (error.code)
		ca_selfcheck_add(selfcheck, "reinit",
				 selfcheck->disk.virtual_device ? CA_CHECK_NOT_APPLICABLE
								: CA_CHECK_ABSENT,
				 "%s", error.text);
	else
		ca_selfcheck_add_failure(selfcheck, "reinit", rc);
}

/* ---- all together --------------------------------------------------------------------------- */

static void check_disk(struct ca_selfcheck *selfcheck)
{
	ca_selfcheck_registers(selfcheck);
	ca_selfcheck_card_commands(selfcheck);
	ca_selfcheck_nvme(selfcheck);
	ca_selfcheck_io(selfcheck);
	check_debugfs(selfcheck);
	check_kernel_log(selfcheck);
	check_uevents(selfcheck);
	check_clock(selfcheck);
	check_reinit(selfcheck);
}

static int find_disk(struct ca_selfcheck *selfcheck, const char *target, struct ca_error *error)
{
	char name[CA_NAME_BYTES], partition[CA_NAME_BYTES];
	int rc = ca_disk_resolve(selfcheck->root, target, name, partition, error);

	if (rc < 0)
		return rc;
	rc = ca_disk_read(selfcheck->root, name, &selfcheck->disk);
	if (rc < 0)
		return ca_error_set(error, rc, "there is no %s any more", target);
	selfcheck->node = selfcheck->disk.node;
	return 0;
}

/* A controller is asked through its own node; its data is in its first namespace. */
static int find_namespace(struct ca_selfcheck *selfcheck, const char *target,
			  struct ca_error *error)
{
	const char *slash = strrchr(target, '/');
	char name[CA_NAME_BYTES];

	(void)snprintf(name, sizeof(name), "%.32sn1", slash ? slash + 1 : target);
	if (ca_disk_read(selfcheck->root, name, &selfcheck->disk) < 0)
		return ca_error_set(error, -ENODEV, "%s has no namespace: the drive shows no disk",
				    target);
	selfcheck->node = target;
	return 0;
}

int ca_host_selfcheck(const char *root, const char *target, struct ca_check checks[CA_CHECK_MAX],
		      size_t *ret_count, struct ca_error *error)
{
	struct ca_selfcheck selfcheck = {.root = root, .checks = checks};
	enum ca_target_kind kind = CA_TARGET_BLOCK;
	int rc = 0;

	/* in a recorded tree there are no nodes to look at: the name has to do */
	if (ca_sysfs_is_live(root) || strncmp(target, "/dev/", 5) != 0)
		rc = ca_target_kind(target, &kind, error);
	if (rc < 0)
		return rc;
	switch (kind) {
	case CA_TARGET_BLOCK:
		rc = find_disk(&selfcheck, target, error);
		break;
	case CA_TARGET_NVME_CHAR:
		rc = find_namespace(&selfcheck, target, error);
		break;
	case CA_TARGET_IMAGE:
	case CA_TARGET_SIMULATED:
		ca_selfcheck_add(&selfcheck, "host", CA_CHECK_NOT_APPLICABLE,
				 "no host stands between the program and %s: there is nothing of a "
				 "slot to check",
				 kind == CA_TARGET_IMAGE ? "an image file" : "a simulated card");
		break;
	case CA_TARGET_DIRECTORY:
	case CA_TARGET_FILE:
		return ca_error_set(error, -EINVAL,
				    "%s holds recorded registers, not a device: use 'cardassay "
				    "inspect %s'",
				    target, target);
	}
	if (rc < 0)
		return rc;
	if (kind == CA_TARGET_BLOCK || kind == CA_TARGET_NVME_CHAR)
		check_disk(&selfcheck);
	*ret_count = selfcheck.count;
	return 0;
}
