/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fail_device: a device over another one whose N-th operation fails. Reads, writes, hand-overs to
 * the queue and returns from it, flushes, checks and drops of the cache are counted alike.
 */
#ifndef CA_TEST_FAIL_DEVICE_H
#define CA_TEST_FAIL_DEVICE_H

#include "cardassay/device.h"

enum fail_way {
	FAIL_OWN_EIO,	 /* this side fails: -EIO */
	FAIL_OWN_ENOMEM, /* likewise, -ENOMEM */
	FAIL_ERROR,	 /* the device answers once with an error */
	FAIL_GONE,	 /* the device leaves and stays away */
	FAIL_WRONG,	 /* a read brings wrong data once; what is no read is left alone */
};
#define FAIL_WAYS 5U

struct fail_device {
	struct ca_device device; /* first */
	struct ca_device *inner; /* owned */
	enum fail_way way;
	uint64_t fail_at; /* 0 = never */
	/* reading this sector fails always; UINT64_MAX = none */
	uint64_t unreadable_lba;
	uint64_t operations;
	bool hit, gone;
	struct ca_io *struck; /* handed over while it failed, its return says so */
};

/* Takes `inner` over. */
void fail_device_init(struct fail_device *fail, struct ca_device *inner);

#endif
