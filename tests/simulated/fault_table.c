/* SPDX-License-Identifier: BSD-2-Clause */
/* Fills every card of the table, reads it back, has it judged, and prints what was found. */
#include "cardassay/fill.h"
#include "cardassay/host.h"
#include "recipes.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* CARDASSAY_SEEDS=20: that many of each, of what is random in the card and in the run. */
static uint64_t seeds = 1;

static struct ca_device *open_card(const char *text, uint64_t seed)
{
	struct ca_error error = {0};
	struct ca_device *device = NULL;
	struct ca_sim_spec spec;

	ck_assert_msg(ca_sim_parse(text, &spec, &error) == 0, "%s: %s", text, error.text);
	spec.seed = seed;
	ck_assert_msg(ca_sim_open(&spec, &device, &error) == 0, "%s: %s", text, error.text);
	return device;
}

static struct ca_fill_options options_of(const struct recipe *recipe, uint8_t run, uint8_t card)
{
	return (struct ca_fill_options){.secret = {run},
					.run_id = {run},
					.device_id = {card},
					.seed = 44,
					.map_all = recipe->how & MAP_ALL};
}

/* A run of its own: the one before, or that of the card beside it. */
static void fill_once(const struct recipe *recipe, struct ca_device *device, uint8_t run,
		      uint8_t card)
{
	struct ca_fill_options options = options_of(recipe, run, card);
	struct ca_capacity_evidence capacity;

	ck_assert_int_eq(ca_fill_run(device, &options, &capacity), 0);
	ck_assert_int_eq(capacity.end, CA_FILL_COMPLETE);
	free(capacity.runs);
}

static int cut_power(void *context, struct ca_device *device, struct ca_io_fault *ret_fault)
{
	(void)context; /* none */
	return ca_sim_begin_anew(device, CA_REINIT_REPLUG, ret_fault);
}

static void fill(const struct recipe *recipe, uint64_t seed, bool power,
		 struct ca_capacity_evidence *capacity)
{
	struct ca_fill_options options = options_of(recipe, 22, 33);
	struct ca_device *device = open_card(recipe->spec, seed), *neighbour = NULL;

	if (recipe->how & EARLIER_RUN)
		fill_once(recipe, device, 21, 33);
	if (recipe->how & NEIGHBOUR) {
		neighbour = open_card(recipe->spec, seed);
		fill_once(recipe, neighbour, 23, 34);
		ca_sim_join(device, neighbour);
	}
	options.seed += seed - 1;
	if (power) {
		options.reinit = cut_power;
		options.reinit_kind = CA_REINIT_REPLUG;
	}
	ck_assert_int_eq(ca_fill_run(device, &options, capacity), 0);
	ca_device_close(device);
	ca_device_close(neighbour);
}

/* What the judge makes of it. */
static enum ca_verdict judge(const struct recipe *recipe,
			     const struct ca_capacity_evidence *capacity)
{
	static struct ca_evidence evidence; /* large */
	struct ca_judge_request request = {
		.evidence = &evidence, .label = "", .profile = CA_PROFILE_FILL};
	static struct ca_judgement judgement;
	enum ca_verdict verdict;
	char target[300];

	memset(&evidence, 0, sizeof(evidence));
	(void)snprintf(target, sizeof(target), "sim:%s", recipe->spec);
	ck_assert_int_eq(ca_host_collect(NULL, target, &evidence, NULL), 0);
	evidence.capacity = *capacity; /* its runs stay the caller's */
	ck_assert_int_eq(ca_judge_run(&request, &judgement), 0);
	verdict = ca_judgement_claim_verdict(&judgement, "capacity");
	ca_judgement_done(&judgement);
	evidence.capacity.runs = NULL;
	ca_evidence_done(&evidence);
	return verdict;
}

static bool is_caught(enum ca_verdict verdict)
{
	return verdict == CA_VERDICT_FAIL || verdict == CA_VERDICT_INCONCLUSIVE;
}

static char mark(const struct recipe *recipe, unsigned int by)
{
	return recipe->caught & by ? 'x' : '.';
}

static void print_head(void)
{
	printf("%-38s %-11s %-15s %-10s %-10s %-12s P F W U  %s\n", "recipe", "end", "kind", "real",
	       "class", "capacity", "spec");
}

static void print(const struct recipe *recipe)
{
	char real[24] = "-";

	if (recipe->real != NO_SIZE)
		(void)snprintf(real, sizeof(real), "%" PRIu64, recipe->real);
	printf("%-38s %-11s %-15s %-10s %-10s %-12s %c %c %c %c  %s\n", recipe->name,
	       recipe->how & TOO_LARGE ? "not filled" : ca_fill_end_name(recipe->end),
	       ca_capacity_kind_name(recipe->kind), real, ca_sector_class_name(recipe->class_of),
	       ca_verdict_name(recipe->finding), mark(recipe, BY_PROBE), mark(recipe, BY_FILL),
	       mark(recipe, BY_POWER), mark(recipe, ON_USE), recipe->spec);
	(void)fflush(stdout);
}

static void check_size(const struct recipe *recipe, const struct ca_capacity_evidence *capacity)
{
	uint64_t real = capacity->real_capacity_bytes / CA_SECTOR_BYTES;

	ck_assert_msg(capacity->has_real_capacity == (recipe->real != NO_SIZE), "%s: real %" PRIu64,
		      recipe->name, real);
	if (capacity->has_real_capacity)
		ck_assert_msg(real == recipe->real, "%s: real %" PRIu64, recipe->name, real);
}

static void check_classes(const struct recipe *recipe, const struct ca_capacity_evidence *capacity)
{
	uint64_t found = capacity->classes[recipe->class_of];

	ck_assert_msg(recipe->class_sectors == ANY ? found > 0 : found == recipe->class_sectors,
		      "%s: %" PRIu64 " sectors", recipe->name, found);
	if (recipe->kind == CA_CAPACITY_KIND_TRANSPORT)
		ck_assert_msg(capacity->unstable_sectors > 0, "%s: stable", recipe->name);
	else
		ck_assert_msg(capacity->unstable_sectors == 0 || (recipe->how & RESTLESS),
			      "%s: unstable", recipe->name);
}

/* What a fill with the power on says of it, all of it. */
static void check_powered(const struct recipe *recipe, uint64_t seed,
			  const struct ca_capacity_evidence *capacity)
{
	enum ca_verdict verdict = judge(recipe, capacity);

	/* with other numbers, what is found by chance is found at another time */
	ck_assert_msg(capacity->end == recipe->end || (seed > 1 && recipe->real == NO_SIZE &&
						       capacity->end != CA_FILL_LOST),
		      "%s: %s", recipe->name, ca_fill_end_name(capacity->end));
	ck_assert_msg(capacity->kind == recipe->kind, "%s: %s", recipe->name,
		      ca_capacity_kind_name(capacity->kind));
	check_size(recipe, capacity);
	check_classes(recipe, capacity);
	if (recipe->most_written != ANY)
		ck_assert_msg(capacity->written_bytes <= recipe->most_written * CA_SECTOR_BYTES,
			      "%s: %" PRIu64 " bytes written", recipe->name,
			      capacity->written_bytes);
	ck_assert(capacity->coverage_ppm < 1000000 ||
		  capacity->verified_bytes == capacity->announced_bytes);
	ck_assert_msg(verdict == recipe->finding, "%s: %s", recipe->name, ca_verdict_name(verdict));
	ck_assert(is_caught(verdict) == !!(recipe->caught & BY_FILL));
}

static void check_recipe(const struct recipe *recipe, uint64_t seed)
{
	struct ca_capacity_evidence capacity;

	if (seed == 1)
		print(recipe);
	if (recipe->how & TOO_LARGE)
		return;
	fill(recipe, seed, false, &capacity);
	check_powered(recipe, seed, &capacity);
	free(capacity.runs);
	if (!(recipe->how & POWER_TOO))
		return;
	fill(recipe, seed, true, &capacity);
	ck_assert_msg(is_caught(judge(recipe, &capacity)) == !!(recipe->caught & BY_POWER),
		      "%s, power cut: %s", recipe->name, ca_capacity_kind_name(capacity.kind));
	free(capacity.runs);
}

START_TEST(recipes_are_what_they_are)
{
	for (uint64_t seed = 1; seed <= seeds; seed++)
		check_recipe(&recipes[_i], seed);
}
END_TEST

/* What each row says of itself agrees. */
START_TEST(rows_are_consistent)
{
	for (size_t i = 0; i < recipe_count; i++) {
		const struct recipe *recipe = &recipes[i];
		bool power_matters = !!(recipe->caught & BY_FILL) != !!(recipe->caught & BY_POWER);

		/* without a test of its own, cutting the power must change nothing */
		ck_assert_msg(!power_matters || (recipe->how & (POWER_TOO | TOO_LARGE)), "%s",
			      recipe->name);
		ck_assert_msg(!(recipe->caught & ON_USE) || recipe->caught == ON_USE, "%s",
			      recipe->name);
		for (size_t j = 0; j < i; j++)
			ck_assert_str_ne(recipes[j].name, recipe->name);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fault table");
	TCase *tcase = tcase_create("fault table");
	SRunner *runner = srunner_create(suite);
	const char *wanted = getenv("CARDASSAY_SEEDS");
	int failed;

	if (wanted && ca_parse_u64(wanted, 1000, &seeds) < 0)
		return EXIT_FAILURE;
	print_head();
	(void)fflush(stdout);
	tcase_set_timeout(tcase, 300);
	tcase_add_loop_test(tcase, recipes_are_what_they_are, 0, (int)recipe_count);
	tcase_add_test(tcase, rows_are_consistent);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
