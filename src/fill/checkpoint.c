/* SPDX-License-Identifier: BSD-2-Clause */
#include "checkpoint.h"

#include "cardassay/fill.h"

#include <assert.h>
#include <stdlib.h>

#define LEAST_INTERVAL (256 * CA_MIB)
#define MOST_INTERVAL  CA_GIB
#define STEP_BYTES     (64 * CA_MIB) /* the largest allocation unit */
#define FIRST_BYTES    (16 * CA_MIB)
#define LEAST_STRATA   16U /* of a card that has not seen four intervals yet */
#define LOW_STRATA     8U  /* of a quarter of the interval each */
#define RANDOM_SALT    UINT64_C(0x6c616e646d61726b) /* not the numbers of the strata */
#define HEAD_PIECES    2U
#define SMALL_ENDS     8U /* checkpoints that look before powers of two below a stratum */

uint64_t ca_checkpoint_interval(uint64_t announced_bytes)
{
	uint64_t interval = announced_bytes / 256;

	if (interval < LEAST_INTERVAL)
		return LEAST_INTERVAL;
	if (interval > MOST_INTERVAL)
		return MOST_INTERVAL;
	return interval - interval % STEP_BYTES;
}

uint64_t ca_checkpoint_next(uint64_t announced_bytes, uint64_t written)
{
	uint64_t interval = ca_checkpoint_interval(announced_bytes);
	uint64_t early = FIRST_BYTES;

	while (early < interval && early * LEAST_STRATA < announced_bytes)
		early *= 2;
	while (early < interval && early <= written)
		early *= 2;
	if (early < interval)
		return early;
	return (written / interval + 1) * interval;
}

struct choice {
	uint64_t pieces;  /* that are written */
	uint64_t stratum; /* pieces in each */
	uint64_t index, seed;
	uint64_t *places;
	size_t count;
};

static void choose(struct choice *choice, uint64_t place)
{
	assert(choice->count < CA_CHECKPOINT_PLACES);
	if (place < choice->pieces)
		choice->places[choice->count++] = place;
}

/*
 * One place of a stratum, another at each checkpoint until all were asked. Its first eighth and its
 * last quarter are left to head and ends.
 */
static void choose_in(struct choice *choice, uint64_t stratum)
{
	uint64_t first = choice->stratum / 8;
	uint64_t count = choice->stratum - first - choice->stratum / 4;
	struct ca_permutation order;

	ca_permutation_init(&order, count, choice->seed ^ stratum);
	choose(choice, stratum * choice->stratum + first +
			       ca_permutation_at(&order, choice->index % count));
}

static void choose_strata(struct choice *choice, uint64_t interval)
{
	uint64_t strata = choice->pieces / choice->stratum;
	uint64_t low = strata < LOW_STRATA ? strata : LOW_STRATA;
	uint64_t recent = (CA_FILL_MEMORY_MAX + 2 * interval) / (interval / 4) + 1;

	recent = recent < strata - low ? strata - recent : low;
	for (uint64_t i = 0; i < low; i++)
		choose_in(choice, i);
	for (uint64_t i = recent; i < strata; i++)
		choose_in(choice, i);
}

/* The first pieces of all, the last before each power of two bytes, and the last that was written.
 */
static void choose_ends(struct choice *choice, uint64_t piece)
{
	bool head = choice->index == 0 || choice->index < choice->stratum / 8 / HEAD_PIECES;

	for (uint64_t i = 0; head && i < HEAD_PIECES; i++)
		choose(choice, choice->index * HEAD_PIECES + i);
	for (uint64_t size = CA_MIB / piece; size > 1 && size <= choice->pieces; size *= 2) {
		uint64_t kept = size < choice->stratum ? SMALL_ENDS : choice->stratum / 4;

		if (choice->index == 0 || (choice->index < kept && choice->index < size))
			choose(choice, size - 1 - choice->index);
	}
	choose(choice, choice->pieces - 1);
}

static uint64_t choose_stratum(uint64_t interval, uint64_t pieces, uint64_t piece)
{
	uint64_t stratum = interval / 4 / piece;

	if (stratum > pieces / LEAST_STRATA)
		stratum = pieces / LEAST_STRATA;
	return stratum ? stratum : 1;
}

static int ascending(const void *a, const void *b)
{
	const uint64_t *left = a;
	const uint64_t *right = b;

	return (*left > *right) - (*left < *right);
}

size_t ca_checkpoint_places(uint64_t announced_bytes, uint64_t written, uint64_t piece,
			    uint64_t index, uint64_t seed,
			    uint64_t ret_places[CA_CHECKPOINT_PLACES])
{
	uint64_t interval = ca_checkpoint_interval(announced_bytes);
	struct choice choice = {.pieces = written / piece,
				.stratum = choose_stratum(interval, written / piece, piece),
				.index = index,
				.seed = seed,
				.places = ret_places};
	size_t kept = 0;

	if (choice.pieces == 0)
		return 0;
	choose_strata(&choice, interval);
	choose_ends(&choice, piece);
	qsort(ret_places, choice.count, sizeof(*ret_places), ascending);
	for (size_t i = 0; i < choice.count; i++)
		if (kept == 0 || ret_places[i] != ret_places[kept - 1])
			ret_places[kept++] = ret_places[i];
	return kept;
}

void ca_checkpoint_sectors(uint64_t written, uint32_t sector_bytes, uint64_t seed,
			   uint64_t ret_offsets[CA_CHECKPOINT_RANDOM])
{
	uint64_t state = seed ^ written ^ RANDOM_SALT;

	for (size_t i = 0; i < CA_CHECKPOINT_RANDOM; i++)
		ret_offsets[i] = ca_rng_below(&state, written / sector_bytes) * sector_bytes;
}
