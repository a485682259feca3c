/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * checkpoint: when the writing pauses to look back, and where it looks. Pure arithmetic.
 *
 * A card with room for R bytes behind a write cache of C bytes shows itself at the latest when
 * R + C + 2 I are written, I being the interval, to the places chosen here:
 *
 * - What is lost lies behind R (limbo, dropped writes, errors): of what was written, [R, W - C).
 *   Places every I / 4 over the last 2 I + 1 GiB meet it, for no cache larger than 1 GiB is known.
 * - What is overwritten lies in front (wraps, rings): [0, W - R - C). Places every I / 4 over the
 *   first 2 I meet it.
 * - What is lost anywhere (tables, random eviction, islands) is met by chance: RANDOM sectors.
 *
 * A cache may still hold what was written last, and a card may keep what it was asked for before:
 * so no good answer counts, and no place is asked twice in a run. A bad answer counts always.
 */
#ifndef CA_FILL_CHECKPOINT_H
#define CA_FILL_CHECKPOINT_H

#include "cardassay/base.h"

#define CA_CHECKPOINT_PLACES 128U /* most that are chosen */
#define CA_CHECKPOINT_RANDOM 256U

/* I of a card that announces so many bytes. */
uint64_t ca_checkpoint_interval(uint64_t announced_bytes);
/*
 * Where to look back next, once `written` bytes are written; may lie behind the end. Multiples of
 * the interval and so of 64 MiB, which holds whole allocation units; before the first of them,
 * doublings, for small real sizes.
 */
uint64_t ca_checkpoint_next(uint64_t announced_bytes, uint64_t written);
/*
 * Pieces of `piece` bytes within [0, written), by number, ascending, each once; `index` counts the
 * checkpoints of the run. Returns how many.
 */
size_t ca_checkpoint_places(uint64_t announced_bytes, uint64_t written, uint64_t piece,
			    uint64_t index, uint64_t seed,
			    uint64_t ret_places[CA_CHECKPOINT_PLACES]);
/* CA_CHECKPOINT_RANDOM sectors of `sector_bytes` within [0, written), by offset. */
void ca_checkpoint_sectors(uint64_t written, uint32_t sector_bytes, uint64_t seed,
			   uint64_t ret_offsets[CA_CHECKPOINT_RANDOM]);

#endif
