/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The recipes: every way a card is known to lie or to fail, and the genuine cards that look like
 * one. recipes.c is the table; fault_table.c fills each card and prints it beside what was found;
 * whatever else has to tell cards apart runs the same table. README.md explains the columns.
 */
#ifndef CA_TEST_RECIPES_H
#define CA_TEST_RECIPES_H

#include "cardassay/evidence.h"
#include "cardassay/judge.h"

#define NO_SIZE UINT64_MAX
#define ANY	UINT64_MAX

/* By what it is caught; nothing of it: it is genuine, or only use will show it. */
#define BY_PROBE 1U /* a sparse check, without power cut */
#define BY_FILL	 2U /* everything written and read back while powered */
#define BY_POWER 4U /* the same with the power cut before reading */
#define ON_USE	 8U /* none of these */

/* How it is tested. */
#define MAP_ALL	    1U	/* the fill goes on after proof */
#define EARLIER_RUN 2U	/* the card was filled by another run before */
#define NEIGHBOUR   4U	/* another card is in the same reader, filled by a run of its own */
#define POWER_TOO   8U	/* filled a second time, with the power cut before reading */
#define TOO_LARGE   16U /* never filled here: its end lies too far out */
#define RESTLESS    32U /* some of its sectors read otherwise now and then, beside all else */

struct recipe {
	const char *name;
	const char *spec; /* what follows "sim:" */
	/* what a fill finds: */
	enum ca_fill_end end;
	enum ca_capacity_kind kind;
	uint64_t real;		       /* sectors; NO_SIZE: the behaviour has none */
	enum ca_sector_class class_of; /* as which its fault shows; GOOD: it has none */
	uint64_t class_sectors;	       /* of that class; ANY: at least one */
	uint64_t most_written;	       /* sectors; ANY: no bound */
	enum ca_verdict finding;       /* of CAPACITY */
	unsigned int caught, how;
};

extern const struct recipe recipes[];
extern const size_t recipe_count;

#endif
