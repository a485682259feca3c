/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * transfer: moves a whole range piece by piece, and when a piece fails finds out exactly which
 * sectors it is. Knows no descriptor: whoever calls gives the function that moves bytes.
 */
#ifndef CA_DEVICE_TRANSFER_H
#define CA_DEVICE_TRANSFER_H

#include "cardassay/device.h"

struct ca_transfer {
	/* Moves at most `bytes` once; returns how many it moved (0 = past the end) or -errno. */
	int64_t (*move)(void *context, enum ca_io_op op, uint64_t offset, uint64_t bytes,
			void *buffer);
	/* Asked after a failure: has the device left? May wait a moment for the answer. */
	bool (*is_gone)(void *context, int error);
	/* True for an errno that is our own failure and says nothing of the device. */
	bool (*is_own)(void *context, int error);
	void *context;
	struct ca_clock *clock;
	uint32_t sector_bytes;
};

/*
 * Moves offset .. offset + bytes. A piece that fails is cut in halves down to the first sector that
 * fails alone; the sectors right behind it that fail too are joined to the range while that takes
 * less than two seconds. 0 with ret_fault told, or the negative errno of an own failure.
 */
int ca_transfer_run(const struct ca_transfer *transfer, enum ca_io_op op, uint64_t offset,
		    uint64_t bytes, void *buffer, struct ca_io_fault *ret_fault);

#endif
