/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * segments: ranges of sectors with a class, added in any order, in bounded memory. Exact until more
 * than `max_runs` are needed; then whole cells of `unit` sectors that carry the worst class in
 * them.
 */
#ifndef CA_FILL_SEGMENTS_H
#define CA_FILL_SEGMENTS_H

#include "cardassay/evidence.h"

struct ca_segment {
	uint64_t lba, sectors;
	int64_t delta; /* alias: of the first sector */
	uint8_t class_of;
	uint8_t reads; /* enum ca_run_reads */
	bool constant; /* alias: every sector holds one and the same other LBA */
};

struct ca_cell {
	int64_t delta;
	uint64_t seen; /* sectors */
	uint8_t class_of;
	uint8_t reads;
};

struct ca_segments {
	uint64_t total;
	size_t max_runs;
	struct ca_segment *list; /* exact, until unit > 0 */
	size_t count, room;
	struct ca_cell *cells;
	uint64_t unit; /* sectors in a cell, 0 = still exact */
};

void ca_segments_init(struct ca_segments *segments, uint64_t total_sectors, size_t max_runs);
void ca_segments_done(struct ca_segments *segments);
/* -ENOMEM */
int ca_segments_add(struct ca_segments *segments, const struct ca_segment *add);
/* Ascending and merged, at most max_runs, in segments->list whatever `unit` is. -ENOMEM. */
int ca_segments_finish(struct ca_segments *segments);
/* Merges ascending neighbours that belong together; returns the new count. */
size_t ca_segments_merge(struct ca_segment *list, size_t count);

#endif
