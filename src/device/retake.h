/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * retake: a device that was let go of, by its host or by hand, is found again in its slot and
 * opened in place of what was open, if it is the same card.
 */
#ifndef CA_DEVICE_RETAKE_H
#define CA_DEVICE_RETAKE_H

#include "disk.h"
#include "cardassay/device.h"

struct ca_block;

/* The disk that is in the slot of `then` now, whatever its name; -ENOENT none (yet). */
int ca_retake_find(const char *root, const struct ca_disk *then, struct ca_disk *ret_disk);

/* Is it the one of before by all that sysfs tells of it? */
bool ca_retake_is_same(const struct ca_disk *then, const struct ca_disk *now);

/* Closes what is open of a device with nothing in flight; ca_retake opens it again. */
void ca_retake_let_go(struct ca_block *block);

/*
 * Waits for the disk of the slot, for its node, and for others (udev looks at it) to close that,
 * and takes it. -ESTALE: another card is there, which was not written to, and the device's failure
 * says so. Another errno: nothing could be opened in that time; -ENODEV, nothing was there.
 */
int ca_retake(struct ca_block *block, const struct ca_disk *then, uint64_t wait_ns);

#endif
