/* SPDX-License-Identifier: BSD-2-Clause */
#include "shape.h"

#include <check.h>
#include <stdlib.h>

#define G CA_SHAPE_GOOD
#define L CA_SHAPE_LOST
#define A CA_SHAPE_ALIAS
#define E CA_SHAPE_ERROR
#define S CA_SHAPE_SPECK

#define M (CA_MIB / CA_SECTOR_BYTES)

#define NO_SIZE UINT64_MAX

static const struct shape_case {
	const char *name;
	uint64_t modulus;
	struct {
		uint8_t sort;
		uint64_t sectors;
	} runs[8];
	bool gap_after_first;
	bool coarse;
	enum ca_capacity_kind kind;
	uint64_t real;
} cases[] = {
	{"limbo", 0, {{G, 100 * M}, {L, 28 * M}}, false, false, CA_CAPACITY_KIND_LIMBO, 100 * M},
	{"limbo to the odd sector",
	 0,
	 {{G, 1000007}, {L, 1000007}},
	 false,
	 false,
	 CA_CAPACITY_KIND_LIMBO,
	 1000007},
	{"limbo of real capacity 0", 0, {{L, 64 * M}}, false, false, CA_CAPACITY_KIND_LIMBO, 0},
	{"limbo, cached tail",
	 0,
	 {{G, 1024 * M}, {L, 768 * M}, {G, 256 * M}},
	 false,
	 false,
	 CA_CAPACITY_KIND_LIMBO,
	 1024 * M},
	{"all lost but the newest: a ring has no size",
	 0,
	 {{L, 768 * M}, {G, 256 * M}},
	 false,
	 false,
	 CA_CAPACITY_KIND_RING,
	 NO_SIZE},
	{"limbo and a bad page",
	 0,
	 {{G, 50 * M}, {L, 32}, {G, 50 * M}, {L, 100 * M}},
	 false,
	 false,
	 CA_CAPACITY_KIND_LIMBO,
	 100 * M + 32},
	{"islands",
	 0,
	 {{G, 50 * M}, {L, 30 * M}, {G, 20 * M}, {L, 100 * M}, {G, 5 * M}, {L, 5 * M}},
	 false,
	 false,
	 CA_CAPACITY_KIND_ISLANDS,
	 NO_SIZE},
	{"a bad block is no size",
	 0,
	 {{G, 3500 * M}, {L, 4 * M}, {G, 592 * M}},
	 false,
	 false,
	 CA_CAPACITY_KIND_DAMAGED,
	 NO_SIZE},
	{"a bad page at the very end",
	 0,
	 {{G, 4096 * M}, {L, 32}},
	 false,
	 false,
	 CA_CAPACITY_KIND_DAMAGED,
	 NO_SIZE},
	{"limbo not all read",
	 0,
	 {{G, 100 * M}, {L, 28 * M}},
	 true,
	 false,
	 CA_CAPACITY_KIND_LIMBO,
	 NO_SIZE},
	{"limbo, coarse map",
	 0,
	 {{G, 100 * M}, {L, 28 * M}},
	 false,
	 true,
	 CA_CAPACITY_KIND_LIMBO,
	 NO_SIZE},
	{"wrap, W between R and 2R",
	 1000007,
	 {{A, 48569}, {G, 1000007}},
	 false,
	 false,
	 CA_CAPACITY_KIND_WRAP,
	 1000007},
	{"wrap, W far above 2R",
	 1000,
	 {{A, 99000}, {G, 1000}},
	 false,
	 false,
	 CA_CAPACITY_KIND_WRAP,
	 1000},
	{"wrap by one sector",
	 999999,
	 {{A, 1}, {G, 999999}},
	 false,
	 false,
	 CA_CAPACITY_KIND_WRAP,
	 999999},
	{"wrap, cached tail",
	 1000,
	 {{A, 800}, {G, 1200}},
	 false,
	 false,
	 CA_CAPACITY_KIND_WRAP,
	 1000},
	{"wrap behind a head",
	 1000,
	 {{G, 64}, {A, 936}, {G, 1000}},
	 false,
	 false,
	 CA_CAPACITY_KIND_WRAP,
	 1064},
	{"wrap behind a head that does not add up",
	 1000,
	 {{G, 64}, {A, 900}, {G, 1036}},
	 false,
	 false,
	 CA_CAPACITY_KIND_WRAP,
	 NO_SIZE},
	{"wrap and a flipped bit",
	 100 * M,
	 {{A, 20 * M}, {S, 1}, {G, 120 * M - 1}},
	 false,
	 false,
	 CA_CAPACITY_KIND_WRAP,
	 100 * M},
	{"more aliased than the modulus allows",
	 1000,
	 {{A, 1500}, {G, 500}},
	 false,
	 false,
	 CA_CAPACITY_KIND_WRAP,
	 NO_SIZE},
	{"aliases without a period",
	 0,
	 {{A, 1000}, {G, 1000}},
	 false,
	 false,
	 CA_CAPACITY_KIND_WRAP,
	 NO_SIZE},
	{"one misplaced sector",
	 0,
	 {{G, 700000}, {A, 1}, {G, 700000}},
	 false,
	 false,
	 CA_CAPACITY_KIND_DAMAGED,
	 NO_SIZE},
	{"chain",
	 2000,
	 {{A, 1000}, {L, 1000}, {G, 1000}, {L, 1000}},
	 false,
	 false,
	 CA_CAPACITY_KIND_CHAIN,
	 1000},
	{"chain cut short",
	 2000,
	 {{A, 500}, {G, 500}, {L, 1000}, {G, 500}},
	 false,
	 false,
	 CA_CAPACITY_KIND_CHAIN,
	 1000},
	{"chain whose lost parts do not fit",
	 2000,
	 {{A, 1000}, {L, 1100}, {G, 1000}, {L, 900}},
	 false,
	 false,
	 CA_CAPACITY_KIND_CHAIN,
	 NO_SIZE},
	{"errors to the end",
	 0,
	 {{G, 200000}, {E, 135872}},
	 false,
	 false,
	 CA_CAPACITY_KIND_ERRORS,
	 200000},
	{"errors in the middle",
	 0,
	 {{G, 200000}, {E, 135872}, {G, 200000}},
	 false,
	 false,
	 CA_CAPACITY_KIND_DAMAGED,
	 NO_SIZE},
	{"one error at the end",
	 0,
	 {{G, 2000000}, {E, 8}},
	 false,
	 false,
	 CA_CAPACITY_KIND_DAMAGED,
	 NO_SIZE},
	{"flipped bits everywhere",
	 0,
	 {{S, 1000000}},
	 false,
	 false,
	 CA_CAPACITY_KIND_DAMAGED,
	 NO_SIZE},
};

static void count_sort(struct ca_shape_input *input, uint8_t sort, uint64_t sectors)
{
	input->good += sort == G ? sectors : 0;
	input->lost += sort == L ? sectors : 0;
	input->alias += sort == A ? sectors : 0;
}

START_TEST(shapes_are_told_apart)
{
	const struct shape_case *c = &cases[_i];
	struct ca_segment runs[8];
	struct ca_shape_input input = {.runs = runs,
				       .exact = !c->coarse,
				       .modulus = c->modulus,
				       .last_class = CA_SECTOR_NOISE};
	struct ca_shape shape;
	uint64_t lba = 0;

	for (; input.count < 8 && c->runs[input.count].sectors; input.count++) {
		count_sort(&input, c->runs[input.count].sort, c->runs[input.count].sectors);
		runs[input.count] = (struct ca_segment){.lba = lba,
							.sectors = c->runs[input.count].sectors,
							.class_of = c->runs[input.count].sort};
		lba += c->runs[input.count].sectors;
		if (input.count == 0 && c->gap_after_first)
			lba += 8;
	}
	/* cards whose end was not reached: a good tail is but the newest data */
	input.announced = 2 * lba;
	ck_assert_int_eq(ca_shape_find(&input, &shape), 0);
	ck_assert_msg(shape.kind == c->kind, "%s: %s", c->name, ca_capacity_kind_name(shape.kind));
	ck_assert_msg(shape.has_real == (c->real != NO_SIZE), "%s: size", c->name);
	if (shape.has_real)
		ck_assert_msg(shape.real_sectors == c->real, "%s: %llu", c->name,
			      (unsigned long long)shape.real_sectors);
}
END_TEST

static const struct ca_map_edge refuses = {.asked = true};
static const struct ca_map_edge takes = {.asked = true, .takes_writes = true};
static const struct ca_map_edge reads_on = {
	.asked = true, .takes_writes = true, .reads_unwritten = true};

/* Maps of whole cards, and what else is known of them. */
static const struct whole_case {
	const char *name;
	struct {
		uint8_t sort;
		uint64_t sectors;
	} runs[8];
	enum ca_sector_class last_class;
	bool stale;
	const struct ca_map_edge *edge;
	enum ca_capacity_kind kind;
	uint64_t real;
} whole[] = {
	{"good head, lost middle, good tail",
	 {{G, 1024 * M}, {L, 768 * M}, {G, 256 * M}},
	 CA_SECTOR_GOOD,
	 false,
	 &takes,
	 CA_CAPACITY_KIND_REGIONS,
	 NO_SIZE},
	{"a long tail",
	 {{G, 100 * M}, {L, 900 * M}, {G, 3000 * M}},
	 CA_SECTOR_GOOD,
	 false,
	 &takes,
	 CA_CAPACITY_KIND_REGIONS,
	 NO_SIZE},
	{"ring",
	 {{L, 900 * M}, {G, 100 * M}},
	 CA_SECTOR_GOOD,
	 false,
	 &takes,
	 CA_CAPACITY_KIND_RING,
	 NO_SIZE},
	{"the last sector reads zeros",
	 {{G, 256 * M - 1}, {L, 1}},
	 CA_SECTOR_ZEROS,
	 false,
	 &takes,
	 CA_CAPACITY_KIND_LIMBO,
	 256 * M - 1},
	{"the last sector holds another's data",
	 {{G, 256 * M - 1}, {L, 1}},
	 CA_SECTOR_ALIAS,
	 false,
	 &takes,
	 CA_CAPACITY_KIND_LIMBO,
	 256 * M - 1},
	{"the last sector is noise",
	 {{G, 256 * M - 1}, {L, 1}},
	 CA_SECTOR_NOISE,
	 false,
	 &takes,
	 CA_CAPACITY_KIND_DAMAGED,
	 NO_SIZE},
	{"the last page reads zeros",
	 {{G, 256 * M - 32}, {L, 32}},
	 CA_SECTOR_ZEROS,
	 false,
	 &takes,
	 CA_CAPACITY_KIND_DAMAGED,
	 NO_SIZE},
	{"a page and a sector, which no page is",
	 {{G, 256 * M - 33}, {L, 33}},
	 CA_SECTOR_ZEROS,
	 false,
	 &takes,
	 CA_CAPACITY_KIND_LIMBO,
	 256 * M - 33},
	{"the last sector cannot be read",
	 {{G, 256 * M - 1}, {E, 1}},
	 CA_SECTOR_UNREADABLE,
	 false,
	 &takes,
	 CA_CAPACITY_KIND_DAMAGED,
	 NO_SIZE},
	{"writes were ignored from a time on",
	 {{G, 100 * M}, {L, 100 * M}},
	 CA_SECTOR_ZEROS,
	 false,
	 &refuses,
	 CA_CAPACITY_KIND_WRITE_PROTECTED,
	 NO_SIZE},
	{"writes were ignored over old data",
	 {{G, 100 * M}, {L, 100 * M}},
	 CA_SECTOR_STALE,
	 true,
	 &refuses,
	 CA_CAPACITY_KIND_WRITE_PROTECTED,
	 NO_SIZE},
	{"writes were refused from a time on",
	 {{G, 100 * M}, {E, 100 * M}},
	 CA_SECTOR_UNWRITABLE,
	 false,
	 &refuses,
	 CA_CAPACITY_KIND_WRITE_PROTECTED,
	 NO_SIZE},
	{"nothing but an earlier run",
	 {{L, 200 * M}},
	 CA_SECTOR_STALE,
	 true,
	 &refuses,
	 CA_CAPACITY_KIND_REPLAY,
	 NO_SIZE},
	{"full: refuses new places only",
	 {{G, 100 * M}, {E, 100 * M}},
	 CA_SECTOR_UNWRITABLE,
	 false,
	 &reads_on,
	 CA_CAPACITY_KIND_THIN,
	 NO_SIZE},
	{"errors past the end",
	 {{G, 100 * M}, {E, 100 * M}},
	 CA_SECTOR_UNWRITABLE,
	 false,
	 &takes,
	 CA_CAPACITY_KIND_ERRORS,
	 100 * M},
	{"ends at 28 bits",
	 {{G, 131072 * M}, {E, 100000 * M}},
	 CA_SECTOR_UNREADABLE,
	 false,
	 &takes,
	 CA_CAPACITY_KIND_HOST_LIMIT,
	 131072 * M},
	{"ends at 32 bits",
	 {{G, 2097152 * M}, {L, 100000 * M}},
	 CA_SECTOR_ZEROS,
	 false,
	 &takes,
	 CA_CAPACITY_KIND_HOST_LIMIT,
	 2097152 * M},
	{"ends one sector later",
	 {{G, 131072 * M + 1}, {L, 100000 * M}},
	 CA_SECTOR_ZEROS,
	 false,
	 &takes,
	 CA_CAPACITY_KIND_LIMBO,
	 131072 * M + 1},
};

START_TEST(whole_cards)
{
	const struct whole_case *c = &whole[_i];
	struct ca_segment runs[8];
	struct ca_shape_input input = {
		.runs = runs, .exact = true, .last_class = c->last_class, .edge = *c->edge};
	struct ca_shape shape;

	for (; input.count < 8 && c->runs[input.count].sectors; input.count++) {
		runs[input.count] = (struct ca_segment){.lba = input.announced,
							.sectors = c->runs[input.count].sectors,
							.class_of = c->runs[input.count].sort};
		count_sort(&input, c->runs[input.count].sort, c->runs[input.count].sectors);
		input.announced += c->runs[input.count].sectors;
	}
	input.stale = c->stale ? input.lost : 0;
	ck_assert_int_eq(ca_shape_find(&input, &shape), 0);
	ck_assert_msg(shape.kind == c->kind, "%s: %s", c->name, ca_capacity_kind_name(shape.kind));
	ck_assert_msg(shape.has_real == (c->real != NO_SIZE), "%s: size", c->name);
	if (shape.has_real)
		ck_assert_msg(shape.real_sectors == c->real, "%s: %llu", c->name,
			      (unsigned long long)shape.real_sectors);
}
END_TEST

/* Too many pieces to be shown one by one: cells are bad where one sector in them is. */
START_TEST(islands_of_a_coarse_map)
{
	struct ca_segment runs[] = {{.lba = 0, .sectors = 1000 * M, .class_of = L}};
	struct ca_shape_input input = {.runs = runs,
				       .count = 1,
				       .announced = 1000 * M,
				       .good = 300 * M,
				       .lost = 700 * M,
				       .last_class = CA_SECTOR_ZEROS};
	struct ca_shape shape;

	ck_assert_int_eq(ca_shape_find(&input, &shape), 0);
	ck_assert_int_eq((int)shape.kind, CA_CAPACITY_KIND_ISLANDS);
	input.good = 999 * M; /* and a failing card whose faults are strewn over it */
	input.lost = M;
	ck_assert_int_eq(ca_shape_find(&input, &shape), 0);
	ck_assert_int_eq((int)shape.kind, CA_CAPACITY_KIND_DAMAGED);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("shape");
	TCase *tcase = tcase_create("shape");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, shapes_are_told_apart, 0, (int)CA_ARRAY_LEN(cases));
	tcase_add_loop_test(tcase, whole_cards, 0, (int)CA_ARRAY_LEN(whole));
	tcase_add_test(tcase, islands_of_a_coarse_map);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
