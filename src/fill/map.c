/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/fill.h"
#include "segments.h"
#include "shape.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Distances followed one by one; a table of more is an address scramble, not a wrap. */
#define DELTA_MAX 1024U

struct delta_count {
	int64_t delta;
	uint64_t sectors;
	uint64_t source; /* constant: the one LBA that all of them hold */
	bool constant;
};

struct ca_map {
	uint64_t total;
	uint64_t classes[CA_SECTOR_CLASS_COUNT];
	bool has_bad;
	uint64_t first_bad;
	struct ca_segments detail; /* what is shown */
	struct ca_segments shape;  /* what is reasoned about */
	struct delta_count deltas[DELTA_MAX];
	size_t delta_count;
	bool deltas_left_out;
	uint64_t forward;		     /* aliases of a higher LBA */
	uint64_t common_period, least_delta; /* of all of them */
	bool has_errors;
	uint64_t errors_from, errors_to;
	struct ca_map_edge edge;
	uint8_t strip[CA_MAP_STRIP_PARTS];
};

int ca_map_new(uint64_t total_sectors, size_t max_runs, struct ca_map **ret_map)
{
	struct ca_map *map = calloc(1, sizeof(*map));

	if (!map)
		return -ENOMEM;
	map->total = total_sectors;
	ca_segments_init(&map->detail, total_sectors, max_runs);
	ca_segments_init(&map->shape, total_sectors, max_runs);
	map->least_delta = UINT64_MAX;
	*ret_map = map;
	return 0;
}

void ca_map_free(struct ca_map *map)
{
	if (!map)
		return;
	ca_segments_done(&map->detail);
	ca_segments_done(&map->shape);
	free(map);
}

static uint64_t distance_of(int64_t delta)
{
	return delta < 0 ? (uint64_t)-delta : (uint64_t)delta;
}

/*
 * A lone sector may be one of many that all show the same block: those are counted together, by the
 * LBA they hold, since their distances all differ.
 */
static bool count_constant(struct ca_map *map, uint64_t source, int64_t delta)
{
	for (size_t i = 0; i < map->delta_count; i++) {
		struct delta_count *entry = &map->deltas[i];

		if (entry->source == source && (entry->constant || entry->sectors == 1)) {
			entry->constant = true;
			entry->sectors++;
			if (distance_of(delta) < distance_of(entry->delta))
				entry->delta = delta; /* the nearest stands for all */
			return true;
		}
	}
	return false;
}

static void count_delta(struct ca_map *map, uint64_t lba, uint64_t sectors, int64_t delta)
{
	uint64_t source = lba + (uint64_t)delta;

	if (delta > 0) {
		map->forward += sectors;
		map->common_period = ca_gcd((uint64_t)delta, map->common_period);
		if ((uint64_t)delta < map->least_delta)
			map->least_delta = (uint64_t)delta;
	}
	if (sectors == 1 && count_constant(map, source, delta))
		return;
	for (size_t i = 0; i < map->delta_count; i++) {
		if (map->deltas[i].delta == delta && !map->deltas[i].constant) {
			map->deltas[i].sectors += sectors;
			return;
		}
	}
	if (map->delta_count == DELTA_MAX) {
		map->deltas_left_out = map->deltas_left_out || delta > 0;
		return;
	}
	map->deltas[map->delta_count++] =
		(struct delta_count){.delta = delta, .sectors = sectors, .source = source};
}

static uint8_t shape_of(enum ca_sector_class class_of, int64_t delta)
{
	switch (class_of) {
	case CA_SECTOR_GOOD:
		return CA_SHAPE_GOOD;
	case CA_SECTOR_ALIAS:
		return delta > 0 ? CA_SHAPE_ALIAS : CA_SHAPE_LOST;
	case CA_SECTOR_ZEROS:
	case CA_SECTOR_ONES:
	case CA_SECTOR_STALE:
	case CA_SECTOR_NOISE:
		return CA_SHAPE_LOST;
	case CA_SECTOR_UNREADABLE:
	case CA_SECTOR_UNWRITABLE:
		return CA_SHAPE_ERROR;
	case CA_SECTOR_BITFLIP:
	case CA_SECTOR_FOREIGN:
		break;
	}
	return CA_SHAPE_SPECK;
}

static void mark_strip(struct ca_map *map, uint64_t lba, uint64_t sectors, uint8_t bit)
{
	uint64_t first = lba * CA_MAP_STRIP_PARTS / map->total;
	uint64_t last = (lba + sectors - 1) * CA_MAP_STRIP_PARTS / map->total;

	for (uint64_t part = first; part <= last && part < CA_MAP_STRIP_PARTS; part++)
		map->strip[part] |= bit;
}

const uint8_t *ca_map_strip(const struct ca_map *map)
{
	return map->strip;
}

/* The ends of all I/O errors. */
static void note_errors(struct ca_map *map, uint64_t lba, uint64_t sectors)
{
	if (!map->has_errors || lba < map->errors_from)
		map->errors_from = lba;
	if (!map->has_errors || lba + sectors > map->errors_to)
		map->errors_to = lba + sectors;
	map->has_errors = true;
}

int ca_map_add(struct ca_map *map, uint64_t lba, uint64_t sectors, enum ca_sector_class class_of,
	       enum ca_run_reads reads, int64_t delta)
{
	struct ca_segment detail = {.lba = lba,
				    .sectors = sectors,
				    .class_of = (uint8_t)class_of,
				    .reads = (uint8_t)reads};
	struct ca_segment shape = {.lba = lba, .sectors = sectors};
	int r;

	if (class_of == CA_SECTOR_ALIAS)
		detail.delta = delta;
	shape.class_of = shape_of(class_of, delta);
	r = ca_segments_add(&map->shape, &shape);
	if (r == 0)
		r = ca_segments_add(&map->detail, &detail);
	if (r < 0)
		return r; /* only what is kept is counted: the map is finished all the same */
	if (sectors > 0)
		mark_strip(map, lba, sectors,
			   class_of == CA_SECTOR_GOOD ? CA_MAP_STRIP_GOOD : CA_MAP_STRIP_BAD);
	if (class_of == CA_SECTOR_ALIAS)
		count_delta(map, lba, sectors, delta);
	if (class_of == CA_SECTOR_UNREADABLE || class_of == CA_SECTOR_UNWRITABLE)
		note_errors(map, lba, sectors);
	map->classes[class_of] += sectors;
	if (class_of != CA_SECTOR_GOOD && (!map->has_bad || lba < map->first_bad)) {
		map->has_bad = true;
		map->first_bad = lba;
	}
	return 0;
}

/*
 * The modulus behind the positive distances: their greatest common divisor, of those that are more
 * than a stray. 0 when it is not itself near the distances seen: then they have no common period.
 */
static uint64_t find_modulus(const struct ca_map *map)
{
	uint64_t modulus = 0, least = UINT64_MAX;

	/* a small modulus has more distances than are followed: then all of them have to agree */
	if (map->deltas_left_out)
		return map->common_period == map->least_delta ? map->least_delta : 0;
	for (size_t i = 0; i < map->delta_count; i++) {
		uint64_t delta = (uint64_t)map->deltas[i].delta;

		if (map->deltas[i].delta <= 0 || map->deltas[i].sectors < map->forward / 4096)
			continue;
		modulus = ca_gcd(delta, modulus);
		least = delta < least ? delta : least;
	}
	return modulus == least ? modulus : 0;
}

static int more_first(const void *a, const void *b)
{
	const struct delta_count *left = a;
	const struct delta_count *right = b;

	if (left->sectors != right->sectors)
		return left->sectors < right->sectors ? 1 : -1;
	return (left->delta > right->delta) - (left->delta < right->delta);
}

static void list_aliases(struct ca_map *map, struct ca_capacity_evidence *capacity)
{
	if (map->delta_count > 1)
		qsort(map->deltas, map->delta_count, sizeof(map->deltas[0]), more_first);
	capacity->alias_count = 0;
	for (size_t i = 0; i < map->delta_count && i < CA_ALIAS_MAX; i++)
		capacity->alias[capacity->alias_count++] = (struct ca_alias){
			.delta = map->deltas[i].delta, .sectors = map->deltas[i].sectors};
}

static int copy_runs(const struct ca_segments *detail, struct ca_capacity_evidence *capacity)
{
	struct ca_run *runs = calloc(detail->count ? detail->count : 1, sizeof(*runs));

	if (!runs)
		return -ENOMEM;
	for (size_t i = 0; i < detail->count; i++)
		runs[i] = (struct ca_run){
			.lba = detail->list[i].lba,
			.sectors = detail->list[i].sectors,
			.class_of = (enum ca_sector_class)detail->list[i].class_of,
			.reads = (enum ca_run_reads)detail->list[i].reads,
			.delta = detail->list[i].delta,
		};
	free(capacity->runs);
	capacity->runs = runs;
	capacity->run_count = detail->count;
	capacity->coarsened_to_bytes = detail->unit * CA_SECTOR_BYTES;
	return 0;
}

/* Exact, or at least so much where the map was coarsened. */
static uint64_t longest_good_run(const struct ca_segments *shape)
{
	uint64_t longest = 0;

	for (size_t i = 0; i < shape->count; i++)
		if (shape->list[i].class_of == CA_SHAPE_GOOD && shape->list[i].sectors > longest)
			longest = shape->list[i].sectors;
	return longest;
}

/*
 * Does every alias hold the one block that was written last? Then nothing was overwritten: it is
 * what the card answers where it has nothing, and where that block itself reads good by chance.
 */
static bool is_last_block(const struct ca_map *map, uint64_t *ret_source)
{
	const struct ca_segments *shape = &map->shape;

	if (shape->count == 0 || shape->list[0].class_of != CA_SHAPE_GOOD)
		return false; /* with nothing in front it is a wrap of one sector as well */
	for (size_t i = 0; i < map->delta_count; i++) {
		const struct delta_count *entry = &map->deltas[i];

		if (entry->constant && entry->sectors == map->classes[CA_SECTOR_ALIAS]) {
			*ret_source = entry->source;
			return true;
		}
	}
	return false;
}

static void turn_into_lost(struct ca_segments *shape, uint64_t source)
{
	for (size_t i = 0; i < shape->count; i++) {
		struct ca_segment *run = &shape->list[i];

		if (run->class_of == CA_SHAPE_ALIAS || (run->lba == source && run->sectors == 1))
			run->class_of = CA_SHAPE_LOST;
	}
	shape->count = ca_segments_merge(shape->list, shape->count);
}

/* The end was read back right, and then it turned out that only a memory had held it. */
static void forget_end(struct ca_segments *shape, uint64_t sectors)
{
	struct ca_segment *last = shape->count ? &shape->list[shape->count - 1] : NULL;

	if (!last || last->sectors != sectors || last->class_of != CA_SHAPE_GOOD)
		return;
	last->class_of = CA_SHAPE_LOST;
	shape->count = ca_segments_merge(shape->list, shape->count);
}

static void describe(const struct ca_map *map, struct ca_shape_input *ret_input)
{
	const uint64_t *classes = map->classes;
	const struct ca_segments *detail = &map->detail;

	*ret_input = (struct ca_shape_input){
		.runs = map->shape.list,
		.count = map->shape.count,
		.exact = map->shape.unit == 0,
		.modulus = find_modulus(map),
		.announced = map->total,
		.good = classes[CA_SECTOR_GOOD],
		.lost = classes[CA_SECTOR_ZEROS] + classes[CA_SECTOR_ONES] +
			classes[CA_SECTOR_STALE] + classes[CA_SECTOR_NOISE] +
			classes[CA_SECTOR_ALIAS] - map->forward,
		.alias = map->forward,
		.stale = classes[CA_SECTOR_STALE],
		.edge = map->edge,
	};
	if (detail->count)
		ret_input->last_class =
			(enum ca_sector_class)detail->list[detail->count - 1].class_of;
	if (map->edge.memory_sectors)
		ret_input->last_class = map->edge.memory_class;
}

/*
 * What a memory hid is read after the beginning was written again: where addresses wrap round, it
 * holds that beginning, so much lower as the card is large.
 */
static bool is_wrapped_end(const struct ca_map *map, const struct ca_shape *shape)
{
	return shape->kind == CA_CAPACITY_KIND_LIMBO && shape->has_real && map->delta_count == 1 &&
	       !map->deltas[0].constant && map->deltas[0].delta < 0 &&
	       distance_of(map->deltas[0].delta) == shape->real_sectors;
}

static int find_kind(struct ca_map *map, uint64_t seen, struct ca_capacity_evidence *capacity)
{
	uint64_t good = map->classes[CA_SECTOR_GOOD];
	struct ca_shape shape = {.kind = CA_CAPACITY_KIND_NONE};
	int r = 0;

	if (good == map->total) {
		shape.kind = CA_CAPACITY_KIND_SOUND;
	} else if (good + map->classes[CA_SECTOR_FOREIGN] < seen) {
		/* foreign data alone is the host's fault and says nothing of the card */
		struct ca_shape_input input;
		uint64_t source;

		if (is_last_block(map, &source))
			turn_into_lost(&map->shape, source);
		if (map->edge.memory_sectors)
			forget_end(&map->shape, map->edge.memory_sectors);
		describe(map, &input);
		r = ca_shape_find(&input, &shape);
		if (r == 0 && is_wrapped_end(map, &shape))
			shape.kind = CA_CAPACITY_KIND_WRAP;
	}
	if (r < 0)
		return r;
	capacity->kind = shape.kind;
	capacity->has_real_capacity = shape.has_real;
	capacity->real_capacity_bytes = shape.real_sectors * CA_SECTOR_BYTES;
	return 0;
}

bool ca_map_is_all_good(const struct ca_map *map)
{
	return map->classes[CA_SECTOR_GOOD] == map->total;
}

bool ca_map_has_good(const struct ca_map *map)
{
	return map->classes[CA_SECTOR_GOOD] > 0;
}

int ca_map_forget_from(struct ca_map *map, uint64_t lba)
{
	size_t max_runs = map->detail.max_runs;

	assert(ca_map_is_all_good(map) && lba < map->total);
	ca_segments_done(&map->detail);
	ca_segments_done(&map->shape);
	ca_segments_init(&map->detail, map->total, max_runs);
	ca_segments_init(&map->shape, map->total, max_runs);
	map->classes[CA_SECTOR_GOOD] = 0;
	memset(map->strip, 0, sizeof(map->strip));
	return lba ? ca_map_add(map, 0, lba, CA_SECTOR_GOOD, CA_RUN_READS_ALIKE, 0) : 0;
}

static bool is_failed(const struct ca_segment *run)
{
	return run->class_of == CA_SECTOR_UNREADABLE || run->class_of == CA_SECTOR_UNWRITABLE;
}

uint64_t ca_map_failed_sectors(const struct ca_map *map)
{
	return map->classes[CA_SECTOR_UNREADABLE] + map->classes[CA_SECTOR_UNWRITABLE];
}

int ca_map_sort(struct ca_map *map)
{
	return ca_segments_finish(&map->detail);
}

bool ca_map_next_failed(const struct ca_map *map, size_t *index, uint64_t *ret_lba,
			uint64_t *ret_sectors)
{
	const struct ca_segments *detail = &map->detail;

	if (detail->unit)
		return false;
	while (*index < detail->count && !is_failed(&detail->list[*index]))
		(*index)++;
	if (*index == detail->count)
		return false;
	*ret_lba = detail->list[*index].lba;
	*ret_sectors = detail->list[*index].sectors;
	(*index)++;
	return true;
}

bool ca_map_starts_lost(const struct ca_map *map)
{
	const struct ca_segments *detail = &map->detail;

	if (detail->unit || detail->count == 0)
		return false;
	return detail->list[0].lba == 0 && detail->list[0].class_of != CA_SECTOR_ALIAS &&
	       shape_of((enum ca_sector_class)detail->list[0].class_of, 0) == CA_SHAPE_LOST;
}

void ca_map_mark_mixed(struct ca_map *map, size_t index)
{
	assert(index < map->detail.count && is_failed(&map->detail.list[index]));
	map->detail.list[index].reads = CA_RUN_READS_MIXED;
}

int ca_map_find_doubtful_end(struct ca_map *map, uint64_t *ret_sectors)
{
	const struct ca_segments *shape = &map->shape;
	const struct ca_segment *last;
	int r = ca_segments_finish(&map->shape);

	if (r < 0)
		return r;
	*ret_sectors = 0;
	if (shape->unit || shape->count < 3)
		return 0;
	last = &shape->list[shape->count - 1];
	if (shape->list[0].class_of == CA_SHAPE_GOOD && last->class_of == CA_SHAPE_GOOD &&
	    last[-1].class_of == CA_SHAPE_LOST && last->lba + last->sectors == map->total &&
	    last[-1].lba + last[-1].sectors == last->lba)
		*ret_sectors = last->sectors;
	return 0;
}

void ca_map_note_edge(struct ca_map *map, const struct ca_map_edge *edge)
{
	map->edge = *edge;
}

int ca_map_finish(struct ca_map *map, struct ca_capacity_evidence *capacity)
{
	uint64_t seen = 0;
	int r;

	r = ca_segments_finish(&map->detail);
	if (r == 0)
		r = ca_segments_finish(&map->shape);
	if (r == 0)
		r = copy_runs(&map->detail, capacity);
	if (r < 0)
		return r;
	for (size_t i = 0; i < CA_SECTOR_CLASS_COUNT; i++) {
		capacity->classes[i] = map->classes[i];
		seen += map->classes[i];
	}
	capacity->good_bytes = map->classes[CA_SECTOR_GOOD] * CA_SECTOR_BYTES;
	capacity->has_first_bad = map->has_bad;
	capacity->first_bad_offset = map->first_bad * CA_SECTOR_BYTES;
	capacity->alias_period_sectors = map->common_period;
	capacity->has_errors = map->has_errors;
	capacity->errors_offset = map->errors_from * CA_SECTOR_BYTES;
	capacity->errors_end_offset = map->errors_to * CA_SECTOR_BYTES;
	capacity->memory_bytes = map->edge.memory_sectors * CA_SECTOR_BYTES;
	capacity->longest_good_run_bytes = longest_good_run(&map->shape) * CA_SECTOR_BYTES;
	r = find_kind(map, seen, capacity);
	if (r == 0)
		list_aliases(map, capacity);
	return r;
}
