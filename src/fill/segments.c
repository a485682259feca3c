/* SPDX-License-Identifier: BSD-2-Clause */
#include "segments.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

/*
 * Stripes are read in a random order, so that even a sound card passes through a state of many
 * islands before its runs meet: the working list may grow to this much beyond the final one.
 */
#define WORKING_ROOM 65536U

void ca_segments_init(struct ca_segments *segments, uint64_t total_sectors, size_t max_runs)
{
	assert(total_sectors > 0 && max_runs > 0);
	*segments = (struct ca_segments){.total = total_sectors, .max_runs = max_runs};
}

void ca_segments_done(struct ca_segments *segments)
{
	free(segments->list);
	free(segments->cells);
	*segments = (struct ca_segments){0};
}

/* Lower is better; of two classes in one cell the worse is shown, of one class the less sure. */
static unsigned int severity(uint8_t class_of, uint8_t reads)
{
	static const uint8_t rank[CA_SECTOR_CLASS_COUNT] = {
		[CA_SECTOR_GOOD] = 0,	    [CA_SECTOR_BITFLIP] = 1, [CA_SECTOR_NOISE] = 2,
		[CA_SECTOR_STALE] = 3,	    [CA_SECTOR_ONES] = 4,    [CA_SECTOR_ZEROS] = 5,
		[CA_SECTOR_ALIAS] = 6,	    [CA_SECTOR_FOREIGN] = 7, [CA_SECTOR_UNREADABLE] = 8,
		[CA_SECTOR_UNWRITABLE] = 9,
	};

	return rank[class_of] * 4U + reads;
}

/* May `next`, which begins where `last` ends, be written as one run with it? */
static bool continues(const struct ca_segment *last, const struct ca_segment *next,
		      bool *ret_constant)
{
	bool single = last->sectors == 1 || last->constant;
	bool next_single = next->sectors == 1 || next->constant;

	if (last->lba + last->sectors != next->lba || last->class_of != next->class_of ||
	    last->reads != next->reads)
		return false;
	if (last->class_of != CA_SECTOR_ALIAS) {
		*ret_constant = false;
		return true;
	}
	if (last->delta == next->delta && !last->constant && !next->constant) {
		*ret_constant = false;
		return true;
	}
	if (!single || !next_single ||
	    (int64_t)last->lba + last->delta != (int64_t)next->lba + next->delta)
		return false;
	*ret_constant = true;
	return true;
}

static bool append(struct ca_segment *last, const struct ca_segment *next)
{
	bool constant;

	if (!continues(last, next, &constant))
		return false;
	last->constant = constant;
	last->sectors += next->sectors;
	return true;
}

size_t ca_segments_merge(struct ca_segment *list, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (kept == 0 || !append(&list[kept - 1], &list[i]))
			list[kept++] = list[i];
	return kept;
}

static int by_lba(const void *a, const void *b)
{
	const struct ca_segment *left = a;
	const struct ca_segment *right = b;

	return (left->lba > right->lba) - (left->lba < right->lba);
}

static void compact(struct ca_segments *segments)
{
	if (segments->count > 1)
		qsort(segments->list, segments->count, sizeof(*segments->list), by_lba);
	segments->count = ca_segments_merge(segments->list, segments->count);
}

static void add_to_cells(struct ca_segments *segments, const struct ca_segment *add)
{
	uint64_t lba = add->lba;
	uint64_t end = add->lba + add->sectors;

	while (lba < end) {
		struct ca_cell *cell = &segments->cells[lba / segments->unit];
		uint64_t cell_end = (lba / segments->unit + 1) * segments->unit;
		uint64_t stop = cell_end < end ? cell_end : end;

		if (cell->seen == 0 ||
		    severity(add->class_of, add->reads) > severity(cell->class_of, cell->reads)) {
			cell->class_of = add->class_of;
			cell->reads = add->reads;
			cell->delta = add->delta;
		}
		cell->seen += stop - lba;
		lba = stop;
	}
}

static int coarsen(struct ca_segments *segments)
{
	uint64_t unit = 1;
	struct ca_cell *cells;

	assert(segments->max_runs > 0);
	while ((segments->total + unit - 1) / unit > segments->max_runs)
		unit *= 2;
	cells = calloc(segments->max_runs, sizeof(*cells));
	if (!cells)
		return -ENOMEM;
	segments->cells = cells;
	segments->unit = unit;
	for (size_t i = 0; i < segments->count; i++)
		add_to_cells(segments, &segments->list[i]);
	segments->count = 0;
	return 0;
}

static int make_room(struct ca_segments *segments)
{
	size_t limit = 2 * segments->max_runs + WORKING_ROOM;
	size_t room = segments->room ? 2 * segments->room : 256;
	struct ca_segment *list;

	if (segments->count < segments->room)
		return 0;
	/* compacting pays only when it frees a good part, else the list is better grown */
	compact(segments);
	if (segments->count < segments->room / 2)
		return 0;
	if (segments->room >= limit)
		return segments->count > segments->room / 4 * 3 ? coarsen(segments) : 0;
	if (room > limit)
		room = limit;
	list = realloc(segments->list, room * sizeof(*list));
	if (!list)
		return -ENOMEM;
	segments->list = list;
	segments->room = room;
	return 0;
}

int ca_segments_add(struct ca_segments *segments, const struct ca_segment *add)
{
	int r;

	assert(add->sectors > 0 && add->lba < segments->total &&
	       add->sectors <= segments->total - add->lba);
	if (segments->unit == 0 && segments->count > 0 &&
	    append(&segments->list[segments->count - 1], add))
		return 0;
	r = segments->unit == 0 ? make_room(segments) : 0;
	if (r < 0)
		return r;
	if (segments->unit > 0)
		add_to_cells(segments, add);
	else
		segments->list[segments->count++] = *add;
	return 0;
}

/* A cell whose sectors were not all seen is shown only when it is bad: it proves nothing good. */
static size_t cells_to_list(const struct ca_segments *segments, struct ca_segment *list)
{
	uint64_t cells = (segments->total + segments->unit - 1) / segments->unit;
	size_t count = 0;

	for (uint64_t i = 0; i < cells; i++) {
		const struct ca_cell *cell = &segments->cells[i];
		uint64_t lba = i * segments->unit;
		uint64_t left = segments->total - lba;
		uint64_t sectors = left < segments->unit ? left : segments->unit;

		if (cell->seen == 0 || (cell->class_of == CA_SECTOR_GOOD && cell->seen < sectors))
			continue;
		list[count++] = (struct ca_segment){.lba = lba,
						    .sectors = sectors,
						    .delta = cell->delta,
						    .class_of = cell->class_of,
						    .reads = cell->reads};
	}
	return ca_segments_merge(list, count);
}

int ca_segments_finish(struct ca_segments *segments)
{
	struct ca_segment *list;

	if (segments->unit == 0) {
		int r;

		compact(segments);
		if (segments->count <= segments->max_runs)
			return 0;
		r = coarsen(segments);
		if (r < 0)
			return r;
	}
	list = realloc(segments->list, segments->max_runs * sizeof(*list));
	if (!list)
		return -ENOMEM;
	segments->list = list;
	segments->room = segments->max_runs;
	segments->count = cells_to_list(segments, list);
	return 0;
}
