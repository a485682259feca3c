/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fill writes W sectors once, in ascending order, so each behaviour leaves one shape behind.
 *
 * Wrap, modulus R < W: a cell keeps its newest writer, the highest LBA that maps to it. Sector x
 * therefore holds x + k R with the greatest k that stays below W: k = 0 (good) for x >= W - R and
 * k >= 1 below. So [0, W - R) is aliased, all distances are positive multiples of R, and [W - R, W)
 * is good. For R < W <= 2R there is one distance, R; above, the distances differ and two
 * neighbouring k occur, so that their greatest common divisor is R again. A write cache of C
 * sectors that never reached the cells leaves the last C sectors below W - R good as well; R stays.
 * Where the first P sectors are mapped to themselves and only the rest wraps with modulus m, [0, P)
 * is good, [P, W - m) aliased and P + m sectors are real.
 *
 * Limbo, R < W: [0, R) good, [R, W) lost: zeros, ones, noise, older data, or one same block over
 * and over, which is an alias with a negative distance (a wrap cannot make one: a lower LBA never
 * was the newer write). A cached tail [W - C, W) reads good and hides nothing but itself.
 *
 * Chain, modulus m of which only R < m sectors exist: x with x mod m >= R is lost, the rest wraps
 * with m.
 *
 * Errors: as limbo, with errors in place of lost data.
 *
 * Everything else (islands, rings, scattered faults) has no real capacity.
 */
#include "shape.h"

#include <errno.h>
#include <stdlib.h>

#define MIB_SECTORS (CA_MIB / CA_SECTOR_BYTES)
#define GIB_SECTORS (CA_GIB / CA_SECTOR_BYTES)

/* What a card lost at its end is a size, and not a bad page, from here on. */
#define TAIL_MIN_SECTORS MIB_SECTORS
#define TAIL_MIN_SHARE	 16U
/* With good data behind it, only a region of this size is taken for a cached limbo. */
#define HIDDEN_MIN_SECTORS (64 * MIB_SECTORS)
/* Bad ranges up to this share of the whole are damage beside the shape, not part of it. */
#define SPECK_MAX_SECTORS 2048U
#define SPECK_MIN_SHARE	  1000U

struct shape {
	const struct ca_segment *runs;
	size_t count;
	uint64_t sectors[CA_SECTOR_CLASS_COUNT];
	uint64_t total;	   /* W */
	bool without_gaps; /* [0, W) is covered */
};

static uint64_t end_of(const struct ca_segment *run)
{
	return run->lba + run->sectors;
}

static void survey(const struct ca_segment *runs, size_t count, struct shape *shape)
{
	*shape = (struct shape){.runs = runs, .count = count, .without_gaps = true};
	for (size_t i = 0; i < count; i++) {
		if (runs[i].lba != shape->total)
			shape->without_gaps = false;
		shape->total = end_of(&runs[i]);
		shape->sectors[runs[i].class_of] += runs[i].sectors;
	}
}

/* GOOD [0, P), ALIAS [P, P + A), GOOD to the end; P may be 0. */
static bool find_wrap(const struct shape *shape, uint64_t modulus, struct ca_shape *ret)
{
	const struct ca_segment *run = shape->runs;
	size_t left = shape->count;
	uint64_t head = 0;

	if (left > 0 && run->class_of == CA_SHAPE_GOOD) {
		head = run->sectors;
		run++;
		left--;
	}
	if (left == 0 || left > 2 || run->class_of != CA_SHAPE_ALIAS ||
	    (left == 2 && run[1].class_of != CA_SHAPE_GOOD))
		return false;
	if (modulus >= shape->total || run->sectors > shape->total - modulus)
		return false;
	/* with a head, a cache cannot be told from another modulus: the sums must meet */
	if (head > 0 && head + run->sectors + modulus != shape->total)
		return false;
	*ret = (struct ca_shape){CA_CAPACITY_KIND_WRAP, true, head + modulus};
	return true;
}

/* Lost where x mod m >= R, aliased only where x mod m < R. */
static bool find_chain(const struct shape *shape, uint64_t modulus, struct ca_shape *ret)
{
	uint64_t real = 0;

	for (size_t i = 0; i < shape->count && real == 0; i++)
		if (shape->runs[i].class_of == CA_SHAPE_LOST)
			real = shape->runs[i].lba;
	if (real == 0 || real >= modulus)
		return false;
	for (size_t i = 0; i < shape->count; i++) {
		const struct ca_segment *run = &shape->runs[i];
		uint64_t from = run->lba % modulus;

		if (run->class_of == CA_SHAPE_LOST &&
		    (from < real || run->sectors > modulus - from))
			return false;
		if (run->class_of == CA_SHAPE_ALIAS && from + run->sectors > real)
			return false;
		if (run->class_of == CA_SHAPE_ERROR || run->class_of == CA_SHAPE_SPECK)
			return false;
	}
	*ret = (struct ca_shape){CA_CAPACITY_KIND_CHAIN, true, real};
	return true;
}

/* GOOD [0, F), then only lost or failing sectors to the end or to a cached tail. */
static bool find_end(const struct shape *shape, struct ca_shape *ret)
{
	uint64_t lost = 0, failing = 0, tail = 0, bad;
	size_t first = 0, last = shape->count;

	if (shape->runs[0].class_of == CA_SHAPE_GOOD)
		first = 1;
	if (last > first && shape->runs[last - 1].class_of == CA_SHAPE_GOOD)
		tail = shape->runs[--last].sectors;
	for (size_t i = first; i < last; i++) {
		if (shape->runs[i].class_of == CA_SHAPE_LOST)
			lost += shape->runs[i].sectors;
		else if (shape->runs[i].class_of == CA_SHAPE_ERROR)
			failing += shape->runs[i].sectors;
		else
			return false;
	}
	bad = lost + failing;
	if (bad < TAIL_MIN_SECTORS && bad * TAIL_MIN_SHARE < shape->total)
		return false;
	if (tail > 0 && (failing > lost || bad < tail || tail > GIB_SECTORS ||
			 (bad < HIDDEN_MIN_SECTORS && bad * TAIL_MIN_SHARE < shape->total)))
		return false;
	ret->kind = failing > lost ? CA_CAPACITY_KIND_ERRORS : CA_CAPACITY_KIND_LIMBO;
	/* nothing good in front of a good tail: a ring of any size looks like that too */
	ret->has_real = tail == 0 || first > 0;
	ret->real_sectors = first > 0 ? shape->runs[0].sectors : 0;
	return true;
}

static bool find_exact(const struct shape *shape, uint64_t modulus, struct ca_shape *ret)
{
	if (!shape->without_gaps)
		return false;
	if (shape->sectors[CA_SHAPE_ALIAS] == 0)
		return find_end(shape, ret);
	if (modulus == 0)
		return false;
	return shape->sectors[CA_SHAPE_LOST] == 0 ? find_wrap(shape, modulus, ret)
						  : find_chain(shape, modulus, ret);
}

/* Turns small bad ranges into good ones, in a copy. */
static size_t without_specks(const struct shape *shape, struct ca_segment *ret_runs)
{
	for (size_t i = 0; i < shape->count; i++) {
		ret_runs[i] = shape->runs[i];
		if (ret_runs[i].sectors <= SPECK_MAX_SECTORS &&
		    ret_runs[i].sectors <= shape->total / SPECK_MIN_SHARE)
			ret_runs[i].class_of = CA_SHAPE_GOOD;
	}
	return ca_segments_merge(ret_runs, shape->count);
}

/* No size: only the manner. An eighth of all that was written is more than a failing page. */
static enum ca_capacity_kind kind_by_share(const struct shape *shape)
{
	uint64_t alias = shape->sectors[CA_SHAPE_ALIAS];
	uint64_t lost = shape->sectors[CA_SHAPE_LOST];

	if (alias < shape->total / 8 && lost < shape->total / 8)
		return CA_CAPACITY_KIND_DAMAGED;
	if (alias >= shape->total / 8 && lost >= shape->total / 8)
		return CA_CAPACITY_KIND_CHAIN;
	return alias > lost ? CA_CAPACITY_KIND_WRAP : CA_CAPACITY_KIND_LIMBO;
}

int ca_shape_find(const struct ca_shape_input *input, struct ca_shape *ret_shape)
{
	CA_CLEANUP_FREE struct ca_segment *copy = NULL;
	struct shape shape, smooth;

	survey(input->runs, input->count, &shape);
	if (input->exact) {
		if (find_exact(&shape, input->modulus, ret_shape))
			return 0;
		copy = calloc(input->count, sizeof(*copy));
		if (!copy)
			return -ENOMEM;
		survey(copy, without_specks(&shape, copy), &smooth);
		if (smooth.sectors[CA_SHAPE_GOOD] < smooth.total &&
		    find_exact(&smooth, input->modulus, ret_shape))
			return 0;
	}
	*ret_shape = (struct ca_shape){.kind = kind_by_share(&shape)};
	return 0;
}
