/* SPDX-License-Identifier: BSD-2-Clause */
#include "block.h"

#include <errno.h>
#include <string.h>

static int open_simulated(const char *text, struct ca_device **ret_device, struct ca_error *error)
{
	struct ca_sim_spec spec;
	int rc;

	rc = ca_sim_parse(text, &spec, error);
	return rc < 0 ? rc : ca_sim_open(&spec, ret_device, error);
}

int ca_host_open(const char *target, enum ca_open_mode mode, struct ca_device **ret_device,
		 struct ca_error *error)
{
	enum ca_target_kind kind;
	int rc;

	rc = ca_target_kind(target, &kind, error);
	if (rc < 0)
		return rc;
	switch (kind) {
	case CA_TARGET_BLOCK:
		return ca_linux_block_open(target, mode, ret_device, error);
	case CA_TARGET_IMAGE:
		return ca_image_open(target + strlen("image:"), mode, ret_device, error);
	case CA_TARGET_SIMULATED:
		return open_simulated(target + strlen("sim:"), ret_device, error);
	case CA_TARGET_NVME_CHAR:
		return ca_error_set(error, -EINVAL,
				    "%s is a controller; the drive's data is in a namespace such "
				    "as %sn1",
				    target, target);
	case CA_TARGET_DIRECTORY:
	case CA_TARGET_FILE:
		return ca_error_set(error, -EINVAL,
				    "%s is not a device; a disk image is written image:FILE",
				    target);
	}
	return ca_error_set(error, -EINVAL, "%s: no such kind of device", target);
}

const char *ca_host_io_engine(const struct ca_device *device)
{
	const struct ca_block *block = ca_block_of(device);

	if (!block)
		return "sim";
	return block->uring ? "io_uring" : "psync";
}
