/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reinit: the driver of a host controller lets go of it and takes it again, so that the kernel
 * finds the card in its slot anew. Only where the controller carries nothing else. The power of the
 * slot may stay on, so it is no loss of power.
 */
#ifndef CA_DEVICE_REINIT_H
#define CA_DEVICE_REINIT_H

#include "disk.h"
#include "cardassay/device.h"

struct ca_reinit_plan {
	struct ca_disk disk;	    /* as it is before */
	char device[CA_NAME_BYTES]; /* the controller as its driver knows it: "0000:00:10.0" */
	char driver[CA_PATH_BYTES]; /* directory of the driver, relative to root */
};

/*
 * May the controller of this disk be let go? Touches nothing. -EOPNOTSUPP with the reason in error,
 * a clause; -ENOENT there is no such disk.
 */
int ca_reinit_prepare(const char *root, const char *name, struct ca_reinit_plan *ret_plan,
		      struct ca_error *error);

/*
 * Lets the controller go and takes it again, with all signals blocked in between. `let_go` is
 * called between the two. -EOPNOTSUPP: it was not let go of, and let_go was not called. Any other
 * errno: it was, and could not be taken again. Both with error.
 */
int ca_reinit_rebind(const char *root, const struct ca_reinit_plan *plan,
		     void (*let_go)(void *context), void *context, struct ca_error *error);

/* The op of block devices and image files (cardassay/device.h). */
int ca_reinit_block(struct ca_device *device, struct ca_io_fault *ret_fault);

#endif
