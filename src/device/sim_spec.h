/* SPDX-License-Identifier: BSD-2-Clause */
/* The settings of a simulated card, while they are read. */
#ifndef CA_DEVICE_SIM_SPEC_H
#define CA_DEVICE_SIM_SPEC_H

#include "sim.h"

/* In the order of the table in sim_spec.c; bits of `seen`. */
enum ca_sim_key {
	CA_SIM_KEY_ANNOUNCED,
	CA_SIM_KEY_REAL,
	CA_SIM_KEY_KIND,
	CA_SIM_KEY_WRAP,
	CA_SIM_KEY_LIMBO,
	CA_SIM_KEY_EXTENT,
	CA_SIM_KEY_SHARE,
	CA_SIM_KEY_TAIL,
	CA_SIM_KEY_FULL,
	CA_SIM_KEY_CACHE,
	CA_SIM_KEY_CACHE_RANDOM,
	CA_SIM_KEY_READ_IOPS,
	CA_SIM_KEY_WRITE_IOPS,
	CA_SIM_KEY_READ_RATE,
	CA_SIM_KEY_WRITE_RATE,
	CA_SIM_KEY_CLIFF,
	CA_SIM_KEY_CLIFF_RATE,
	CA_SIM_KEY_QUEUE_DEPTH,
	CA_SIM_KEY_SECTOR,
	CA_SIM_KEY_SEED,
	CA_SIM_KEY_BAD,
	CA_SIM_KEY_FLIP,
	CA_SIM_KEY_NOISE,
	CA_SIM_KEY_WIRE_FLIP,
	CA_SIM_KEY_WIRE_PAGE,
	CA_SIM_KEY_CROSSTALK,
	CA_SIM_KEY_READER_LIMIT,
	CA_SIM_KEY_READER,
	CA_SIM_KEY_PROTECT_AFTER,
	CA_SIM_KEY_PROTECT,
	CA_SIM_KEY_REPLUG,
	CA_SIM_KEY_GONE_AFTER,
	CA_SIM_KEY_BAD_PAGE,
	CA_SIM_KEY_HEAL,
	CA_SIM_KEY_PROTECT_FIRST,
};
#define CA_SIM_KEYS 35U

/* The spec being read; what has its own type there is kept as a number here. */
struct ca_sim_draft {
	struct ca_sim_spec spec;
	uint64_t queue_depth;
	unsigned int kind, limbo, full, protect, reader, replug; /* the nth of their words */
	uint64_t seen;						 /* 1 << enum ca_sim_key */
};

const char *ca_sim_key_name(enum ca_sim_key key);
void ca_sim_kind_name(enum ca_sim_kind kind, char ret_name[16]);

static inline bool ca_sim_has_key(const struct ca_sim_draft *draft, enum ca_sim_key key)
{
	return draft->seen & UINT64_C(1) << key;
}

/* Fills in what was not given and sees that all of it goes together. -EINVAL, -ERANGE. */
int ca_sim_check_draft(struct ca_sim_draft *draft, struct ca_error *error);

#endif
