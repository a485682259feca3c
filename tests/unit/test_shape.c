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
	 CA_CAPACITY_KIND_LIMBO,
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
	 CA_CAPACITY_KIND_LIMBO,
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

START_TEST(shapes_are_told_apart)
{
	const struct shape_case *c = &cases[_i];
	struct ca_segment runs[8];
	struct ca_shape_input input = {.runs = runs, .exact = !c->coarse, .modulus = c->modulus};
	struct ca_shape shape;
	uint64_t lba = 0;

	for (; input.count < 8 && c->runs[input.count].sectors; input.count++) {
		runs[input.count] = (struct ca_segment){.lba = lba,
							.sectors = c->runs[input.count].sectors,
							.class_of = c->runs[input.count].sort};
		lba += c->runs[input.count].sectors;
		if (input.count == 0 && c->gap_after_first)
			lba += 8;
	}
	ck_assert_int_eq(ca_shape_find(&input, &shape), 0);
	ck_assert_msg(shape.kind == c->kind, "%s: %s", c->name, ca_capacity_kind_name(shape.kind));
	ck_assert_msg(shape.has_real == (c->real != NO_SIZE), "%s: size", c->name);
	if (shape.has_real)
		ck_assert_msg(shape.real_sectors == c->real, "%s: %llu", c->name,
			      (unsigned long long)shape.real_sectors);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("shape");
	TCase *tcase = tcase_create("shape");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, shapes_are_told_apart, 0, (int)CA_ARRAY_LEN(cases));
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
