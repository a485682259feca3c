/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shape: what kind of fault a map shows, and where the real capacity ends. Pure arithmetic over
 * merged ranges of four sorts of sector.
 */
#ifndef CA_FILL_SHAPE_H
#define CA_FILL_SHAPE_H

#include "cardassay/fill.h"
#include "segments.h"

/* The sorts, named by one class each so that segments can carry them. */
#define CA_SHAPE_GOOD  CA_SECTOR_GOOD
#define CA_SHAPE_LOST  CA_SECTOR_ZEROS	    /* what was written is not there */
#define CA_SHAPE_ALIAS CA_SECTOR_ALIAS	    /* overwritten by a later write to a higher LBA */
#define CA_SHAPE_ERROR CA_SECTOR_UNREADABLE /* unreadable or unwritable */
#define CA_SHAPE_SPECK CA_SECTOR_BITFLIP    /* faults that never speak of a size */

struct ca_shape_input {
	const struct ca_segment *runs; /* ascending, merged; gaps = not verified */
	size_t count;
	bool exact;			   /* runs were not coarsened */
	uint64_t modulus;		   /* of the alias distances, 0 = none known */
	uint64_t announced;		   /* sectors; those behind the runs were not written */
	uint64_t good, lost, alias, stale; /* sectors: exact also where the runs are not */
	enum ca_sector_class last_class;   /* of the last sector of all, where runs are exact */
	struct ca_map_edge edge;
};

struct ca_shape {
	enum ca_capacity_kind kind;
	bool has_real;
	uint64_t real_sectors;
};

/* The map holds at least one bad sector. -ENOMEM. */
int ca_shape_find(const struct ca_shape_input *input, struct ca_shape *ret_shape);

#endif
