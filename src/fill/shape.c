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
 * was the newer write). A cached tail [W - C, W) reads good and hides nothing but itself: where the
 * run stopped before the announced end, a good tail is that, since it is only the newest data. At
 * the announced end it may as well be a region that the card keeps on purpose: then the head is no
 * size. Which of the two it is shows once more is written (fill_edge.c); what a memory had held
 * comes here as lost.
 *
 * Ring: nothing but the newest data, [W - N, W), is there.
 *
 * Chain, modulus m of which only R < m sectors exist: x with x mod m >= R is lost, the rest wraps
 * with m.
 *
 * Errors: as limbo, with errors in place of lost data.
 *
 * A card that takes no more writes at all leaves the same shapes as limbo and errors, and so does
 * thin provisioning whose store is full; what the card answers when it is asked again tells them
 * apart.
 *
 * Everything else (islands, scattered faults) has no real capacity.
 */
#include "shape.h"

#include <errno.h>
#include <stdlib.h>

#define MIB_SECTORS (CA_MIB / CA_SECTOR_BYTES)

/* What a card lost at its end is a size, and not a bad page, from here on. */
#define TAIL_MIN_SECTORS MIB_SECTORS
#define TAIL_MIN_SHARE	 16U
/* With good data behind it, only a region of this size is taken for a cached limbo. */
#define HIDDEN_MIN_SECTORS (64 * MIB_SECTORS)
/* Bad ranges up to this share of the whole are damage beside the shape, not part of it. */
#define SPECK_MAX_SECTORS 2048U
#define SPECK_MIN_SHARE	  1000U
/* No flash page is smaller, nor begins elsewhere: less at the very end is a size, not a bad page.
 */
#define PAGE_SECTORS 8U
/* Good pieces behind lost ones: what begins good is more than a beginning and an end from so many
 * on. And lost in pieces, so large a share of all is more than failing blocks. */
#define ISLANDS_MIN   2U
#define ISLANDS_SHARE 32U
/* Sizes in sectors at which addresses of 28 and of 32 bits end. */
#define LIMIT_28_BITS (UINT64_C(1) << 28)
#define LIMIT_32_BITS (UINT64_C(1) << 32)

struct shape {
	const struct ca_segment *runs;
	size_t count;
	uint64_t sectors[CA_SECTOR_CLASS_COUNT];
	uint64_t total;	     /* W */
	bool is_whole;	     /* W is the announced end */
	bool ends_blank;     /* the last sector is lost, and not as a failing page loses it */
	bool ends_elsewhere; /* and holds what belongs to another address: no page fails so */
	bool without_gaps;   /* [0, W) is covered */
};

static uint64_t end_of(const struct ca_segment *run)
{
	return run->lba + run->sectors;
}

/* A failing page reads as noise or not at all; zeros or other data are an answer. */
static bool is_blank(enum ca_sector_class class_of)
{
	switch (class_of) {
	case CA_SECTOR_ZEROS:
	case CA_SECTOR_ONES:
	case CA_SECTOR_ALIAS:
	case CA_SECTOR_STALE:
		return true;
	case CA_SECTOR_GOOD:
	case CA_SECTOR_BITFLIP:
	case CA_SECTOR_FOREIGN:
	case CA_SECTOR_NOISE:
	case CA_SECTOR_UNREADABLE:
	case CA_SECTOR_UNWRITABLE:
		break;
	}
	return false;
}

static void survey(const struct ca_shape_input *input, const struct ca_segment *runs, size_t count,
		   struct shape *shape)
{
	*shape = (struct shape){.runs = runs, .count = count, .without_gaps = true};
	for (size_t i = 0; i < count; i++) {
		if (runs[i].lba != shape->total)
			shape->without_gaps = false;
		shape->total = end_of(&runs[i]);
		shape->sectors[runs[i].class_of] += runs[i].sectors;
	}
	shape->is_whole = shape->total == input->announced;
	shape->ends_blank = shape->is_whole && is_blank(input->last_class);
	shape->ends_elsewhere = shape->is_whole && input->last_class == CA_SECTOR_ALIAS;
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

/* What lies between the good head and the good tail. */
struct middle {
	uint64_t head, tail, lost, failing;
};

static bool find_middle(const struct shape *shape, struct middle *ret)
{
	size_t first = 0, last = shape->count;
	struct middle middle = {0};

	if (shape->runs[0].class_of == CA_SHAPE_GOOD)
		middle.head = shape->runs[first++].sectors;
	if (last > first && shape->runs[last - 1].class_of == CA_SHAPE_GOOD)
		middle.tail = shape->runs[--last].sectors;
	for (size_t i = first; i < last; i++) {
		if (shape->runs[i].class_of == CA_SHAPE_LOST)
			middle.lost += shape->runs[i].sectors;
		else if (shape->runs[i].class_of == CA_SHAPE_ERROR)
			middle.failing += shape->runs[i].sectors;
		else
			return false;
	}
	*ret = middle;
	return true;
}

/* GOOD [0, F), then only lost or failing sectors to the end. */
static bool find_end(const struct shape *shape, const struct middle *middle, struct ca_shape *ret)
{
	uint64_t bad = middle->lost + middle->failing;
	bool is_page = !shape->ends_elsewhere && bad % PAGE_SECTORS == 0 &&
		       middle->head % PAGE_SECTORS == 0;
	bool is_answer = shape->ends_blank && !middle->failing && !is_page;

	if (bad < TAIL_MIN_SECTORS && bad * TAIL_MIN_SHARE < shape->total && !is_answer)
		return false;
	ret->kind =
		middle->failing > middle->lost ? CA_CAPACITY_KIND_ERRORS : CA_CAPACITY_KIND_LIMBO;
	ret->has_real = true;
	ret->real_sectors = middle->head;
	return true;
}

/* GOOD, lost, GOOD: a cached tail, a region kept at the end, or with nothing before it a ring. */
static bool find_tail(const struct shape *shape, const struct middle *middle, struct ca_shape *ret)
{
	if (middle->failing > middle->lost ||
	    (middle->lost < HIDDEN_MIN_SECTORS && middle->lost * TAIL_MIN_SHARE < shape->total))
		return false;
	if (middle->head == 0) {
		*ret = (struct ca_shape){.kind = CA_CAPACITY_KIND_RING};
		return true;
	}
	if (shape->is_whole) {
		*ret = (struct ca_shape){.kind = CA_CAPACITY_KIND_REGIONS};
		return true;
	}
	if (middle->lost < middle->tail || middle->tail > CA_FILL_MEMORY_MAX / CA_SECTOR_BYTES)
		return false;
	*ret = (struct ca_shape){CA_CAPACITY_KIND_LIMBO, true, middle->head};
	return true;
}

static bool find_lost(const struct shape *shape, struct ca_shape *ret)
{
	struct middle middle;

	if (!find_middle(shape, &middle))
		return false;
	return middle.tail ? find_tail(shape, &middle, ret) : find_end(shape, &middle, ret);
}

static bool find_exact(const struct shape *shape, uint64_t modulus, struct ca_shape *ret)
{
	if (!shape->without_gaps)
		return false;
	if (shape->sectors[CA_SHAPE_ALIAS] == 0)
		return find_lost(shape, ret);
	if (modulus == 0)
		return false;
	return shape->sectors[CA_SHAPE_LOST] == 0 ? find_wrap(shape, modulus, ret)
						  : find_chain(shape, modulus, ret);
}

static bool is_speck(const struct shape *shape, size_t i)
{
	return shape->runs[i].sectors <= SPECK_MAX_SECTORS &&
	       shape->runs[i].sectors <= shape->total / SPECK_MIN_SHARE;
}

/* What the next range is that is no speck; GOOD behind the last of them. */
static uint8_t class_behind(const struct shape *shape, size_t i)
{
	while (++i < shape->count)
		if (!is_speck(shape, i))
			return shape->runs[i].class_of;
	return CA_SHAPE_GOOD;
}

/*
 * A speck of errors or wrong bits belongs to what lies before it. So does any other, but where it
 * is the begin of what follows. A good one stays, save amid what was overwritten: there it is a
 * page that could not be.
 */
static uint8_t class_around(const struct shape *shape, const struct ca_segment *done, size_t i)
{
	uint8_t own = shape->runs[i].class_of, behind = class_behind(shape, i);
	bool is_fault = own == CA_SHAPE_ERROR || own == CA_SHAPE_SPECK;

	if (i == 0)
		return is_fault ? behind : CA_SHAPE_GOOD;
	if (own == CA_SHAPE_GOOD)
		return behind == CA_SHAPE_ALIAS ? done[i - 1].class_of : own;
	return !is_fault && own == behind ? own : done[i - 1].class_of;
}

/* Turns specks, in a copy, into what is around them. */
static size_t without_specks(const struct shape *shape, struct ca_segment *ret_runs)
{
	for (size_t i = 0; i < shape->count; i++) {
		ret_runs[i] = shape->runs[i];
		if (is_speck(shape, i))
			ret_runs[i].class_of = class_around(shape, ret_runs, i);
	}
	return ca_segments_merge(ret_runs, shape->count);
}

/* Are there several good pieces with lost ones before each of them? */
static bool has_islands(const struct ca_shape_input *input)
{
	uint64_t shown = 0;
	unsigned int islands = 0;

	for (size_t i = 0; i < input->count; i++) {
		if (input->runs[i].class_of != CA_SHAPE_GOOD)
			continue;
		shown += input->runs[i].sectors;
		islands += i > 0 && input->runs[i - 1].class_of == CA_SHAPE_LOST;
	}
	/* in a coarse map the good pieces lie hidden in bad cells */
	if (islands && input->runs[0].class_of == CA_SHAPE_LOST)
		islands++;
	return islands >= ISLANDS_MIN ||
	       (!input->exact && input->good > shown && input->good - shown > input->lost / 64);
}

/* No size: only the manner. An eighth of all that was written is more than a failing page. */
static enum ca_capacity_kind kind_by_share(const struct ca_shape_input *input,
					   const struct shape *shape)
{
	uint64_t least = shape->total / 8;

	if (input->alias < least && input->lost < least)
		return input->lost >= shape->total / ISLANDS_SHARE && has_islands(input)
			       ? CA_CAPACITY_KIND_ISLANDS
			       : CA_CAPACITY_KIND_DAMAGED;
	if (input->alias >= least && input->lost >= least)
		return CA_CAPACITY_KIND_CHAIN;
	if (input->alias > input->lost)
		return CA_CAPACITY_KIND_WRAP;
	return has_islands(input) ? CA_CAPACITY_KIND_ISLANDS : CA_CAPACITY_KIND_LIMBO;
}

static int find_shape(const struct ca_shape_input *input, struct ca_shape *ret_shape)
{
	CA_CLEANUP_FREE struct ca_segment *copy = NULL;
	struct shape shape, smooth;

	survey(input, input->runs, input->count, &shape);
	if (input->exact) {
		if (find_exact(&shape, input->modulus, ret_shape))
			return 0;
		copy = calloc(input->count, sizeof(*copy));
		if (!copy)
			return -ENOMEM;
		survey(input, copy, without_specks(&shape, copy), &smooth);
		if (smooth.sectors[CA_SHAPE_GOOD] < smooth.total &&
		    find_exact(&smooth, input->modulus, ret_shape))
			return 0;
	}
	*ret_shape = (struct ca_shape){.kind = kind_by_share(input, &shape)};
	return 0;
}

/* Lost to no address, but to the card's state; or to an address that is not the card's. */
static enum ca_capacity_kind rename_kind(const struct ca_shape_input *input,
					 const struct ca_shape *shape)
{
	const struct ca_map_edge *edge = &input->edge;
	bool is_old = input->stale > input->lost / 2;
	bool is_limit = shape->has_real && (shape->real_sectors == LIMIT_28_BITS ||
					    shape->real_sectors == LIMIT_32_BITS);

	switch (shape->kind) {
	case CA_CAPACITY_KIND_RING:
		if (edge->start_is_barred)
			return CA_CAPACITY_KIND_ISLANDS;
		break;
	case CA_CAPACITY_KIND_LIMBO:
	case CA_CAPACITY_KIND_ERRORS:
		if (edge->asked && !edge->takes_writes && !(is_old && input->good == 0))
			return CA_CAPACITY_KIND_WRITE_PROTECTED;
		if (is_old)
			return CA_CAPACITY_KIND_REPLAY;
		if (shape->kind == CA_CAPACITY_KIND_LIMBO && edge->asked && input->good == 0)
			return CA_CAPACITY_KIND_ISLANDS; /* it took a write elsewhere */
		if (shape->kind == CA_CAPACITY_KIND_ERRORS && edge->asked && edge->reads_unwritten)
			return CA_CAPACITY_KIND_THIN;
		return is_limit ? CA_CAPACITY_KIND_HOST_LIMIT : shape->kind;
	case CA_CAPACITY_KIND_WRAP:
		return is_limit ? CA_CAPACITY_KIND_HOST_LIMIT : shape->kind;
	case CA_CAPACITY_KIND_NONE:
	case CA_CAPACITY_KIND_SOUND:
	case CA_CAPACITY_KIND_CHAIN:
	case CA_CAPACITY_KIND_DAMAGED:
	case CA_CAPACITY_KIND_REGIONS:
	case CA_CAPACITY_KIND_ISLANDS:
	case CA_CAPACITY_KIND_THIN:
	case CA_CAPACITY_KIND_WRITE_PROTECTED:
	case CA_CAPACITY_KIND_REPLAY:
	case CA_CAPACITY_KIND_TRANSPORT:
	case CA_CAPACITY_KIND_HOST_LIMIT:
		break;
	}
	return shape->kind;
}

int ca_shape_find(const struct ca_shape_input *input, struct ca_shape *ret_shape)
{
	struct ca_shape shape;
	enum ca_capacity_kind kind;
	int r = find_shape(input, &shape);

	if (r < 0)
		return r;
	kind = rename_kind(input, &shape);
	if (kind != shape.kind && kind != CA_CAPACITY_KIND_HOST_LIMIT)
		shape = (struct ca_shape){.kind = kind};
	shape.kind = kind;
	*ret_shape = shape;
	return 0;
}
