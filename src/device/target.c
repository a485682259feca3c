/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/host.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* "nvme0": the controller, not one of its namespaces. */
static bool is_nvme_controller(const char *target)
{
	const char *name = strrchr(target, '/');

	name = name ? name + 1 : target;
	if (strncmp(name, "nvme", 4) != 0 || !isdigit((unsigned char)name[4]))
		return false;
	name += 4;
	return name[strspn(name, "0123456789")] == '\0';
}

static int missing(const char *target, struct ca_error *error)
{
	char node[128];
	struct stat st;

	if (strncmp(target, "/dev/", 5) == 0)
		return ca_error_set(error, -ENOENT,
				    "there is no %s: 'cardassay list' shows what is there", target);
	(void)snprintf(node, sizeof(node), "/dev/%.100s", target);
	if (!strchr(target, '/') && stat(node, &st) == 0 && S_ISBLK(st.st_mode))
		return ca_error_set(error, -ENOENT, "there is no file %s here; the device is %s",
				    target, node);
	return ca_error_set(error, -ENOENT, "there is no file or directory %s", target);
}

int ca_target_kind(const char *target, enum ca_target_kind *ret_kind, struct ca_error *error)
{
	struct stat st;

	if (strncmp(target, "image:", 6) == 0)
		*ret_kind = CA_TARGET_IMAGE;
	else if (strncmp(target, "sim:", 4) == 0)
		*ret_kind = CA_TARGET_SIMULATED;
	else if (strcmp(target, "-") == 0)
		*ret_kind = CA_TARGET_FILE;
	else if (!target[0])
		return ca_error_set(error, -EINVAL, "the name of the device is empty");
	else if (stat(target, &st) < 0 && errno == EACCES)
		return ca_error_set(error, -EACCES, "no permission to look at %s: run it with sudo",
				    target);
	else if (stat(target, &st) < 0)
		return missing(target, error);
	else if (S_ISBLK(st.st_mode))
		*ret_kind = CA_TARGET_BLOCK;
	else if (S_ISDIR(st.st_mode))
		*ret_kind = CA_TARGET_DIRECTORY;
	else if (S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode))
		*ret_kind = CA_TARGET_FILE;
	else if (S_ISCHR(st.st_mode) && is_nvme_controller(target))
		*ret_kind = CA_TARGET_NVME_CHAR;
	else
		return ca_error_set(error, -EINVAL,
				    "%s is neither a block device nor a file or directory with "
				    "registers",
				    target);
	return 0;
}
