/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A ring of the sectors written last, in the order they came; a rewritten sector is held once. The
 * one written longest ago leaves first, and only then reaches the sink.
 */
#ifndef CA_DEVICE_SIM_RING_H
#define CA_DEVICE_SIM_RING_H

#include "sim.h"

struct ca_sim_ring;
int ca_sim_ring_new(uint64_t bytes, uint32_t sector_bytes, struct ca_sim_ring **ret_ring);
void ca_sim_ring_free(struct ca_sim_ring *ring);
int ca_sim_ring_write(struct ca_sim_ring *ring, uint64_t sector, uint64_t count,
		      const uint8_t *data, struct ca_sim_layer *sink, struct ca_sim_call *call);
/* Everything goes to the sink, the oldest first. */
int ca_sim_ring_drain(struct ca_sim_ring *ring, struct ca_sim_layer *sink,
		      struct ca_sim_call *call);
void ca_sim_ring_forget(struct ca_sim_ring *ring, uint64_t sector, uint64_t count);
/* How many sectors from `sector`, of `most`, are held, or are not. */
uint64_t ca_sim_ring_run(const struct ca_sim_ring *ring, uint64_t sector, uint64_t most,
			 bool *ret_held);
/* All of them must be held. */
int ca_sim_ring_read(const struct ca_sim_ring *ring, uint64_t sector, uint64_t count,
		     uint8_t *buffer, struct ca_error *error);

#endif
