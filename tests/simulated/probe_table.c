/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The probe over simulated cards: the recipes (README.md), of which it must catch what their column
 * P says and accuse none that is sound, and cards of the sizes that are sold, with what it costs.
 * Each is probed with several seeds, which place the samples and whatever is random in the card;
 * the card must hold afterwards what it held before.
 */
#include "recipes.h"

#include "cardassay/fill.h"
#include "cardassay/host.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MIB	   CA_MIB
#define GIB	   CA_GIB
#define WITNESSES  600U
#define HEAD_BYTES (2 * MIB)

/* What a fill calls otherwise than a probe, or does not see as the probe does. */
static const struct {
	const char *name;
	enum ca_capacity_kind kind;
	uint64_t real; /* sectors; ANY: whatever it says */
} differs[] = {
	/* two writes of a probe are too far apart for what a fill writes in a stretch */
	{"chain, seen before it wraps", CA_CAPACITY_KIND_CHAIN, UINT64_C(204800)},
	/* an end behind a cache of half of what a probe writes */
	{"limbo behind a cache, whole map", CA_CAPACITY_KIND_LIMBO, ANY},
	{"shows an earlier run", CA_CAPACITY_KIND_WRITE_PROTECTED, NO_SIZE},
	/* one sector everywhere is also what a card says that has nothing to say */
	{"wrap of one sector", CA_CAPACITY_KIND_LIMBO, ANY},
	/* the sample at the end is larger than what is good there */
	{"regions, one sector at the end", CA_CAPACITY_KIND_LIMBO, UINT64_C(307199)},
	{"limbo, all of it in the cache", CA_CAPACITY_KIND_LIMBO, ANY},
	{"dies of being written past its end", CA_CAPACITY_KIND_NONE, NO_SIZE},
};

/* Of the sizes that are sold. real: bytes, NO_SIZE: none */
static const struct card {
	const char *name, *spec;
	enum ca_capacity_kind kind;
	uint64_t real;
} cards[] = {
	{"64 GiB, sound", "announced=64G,cache=32M", CA_CAPACITY_KIND_NONE, NO_SIZE},
	{"64 GiB wrapping at 7,249 MiB", "announced=64G,real=7249M,kind=wrap,cache=32M",
	 CA_CAPACITY_KIND_WRAP, 7249 * MIB},
	{"64 GiB wrapping at 61,440 MiB", "announced=64G,real=61440M,kind=wrap,cache=32M",
	 CA_CAPACITY_KIND_WRAP, 61440 * MIB},
	{"64 GiB, limbo behind 16 MiB", "announced=64G,real=8G,kind=limbo,cache=16M",
	 CA_CAPACITY_KIND_LIMBO, 8 * GIB},
	{"1 TiB, wrap of 100 GiB and a bit", "announced=1T,real=107374182912,kind=wrap,cache=32M",
	 CA_CAPACITY_KIND_WRAP, UINT64_C(107374182912)},
	{"1 TiB, limbo behind 32 MiB", "announced=1T,real=32G,kind=limbo,cache=32M",
	 CA_CAPACITY_KIND_LIMBO, 32 * GIB},
	{"2 TB, sound", "announced=2000398934016", CA_CAPACITY_KIND_NONE, NO_SIZE},
};

/* ---- what the card held -------------------------------------------------------------------- */

struct witness {
	const struct ca_sim_spec *spec;
	uint64_t *offsets;
	uint8_t *data; /* the head, then a sector a witness */
	size_t head;
};

static void read_sector(struct ca_device *device, uint64_t offset, size_t bytes, uint8_t *data)
{
	struct ca_io_fault fault;

	memset(data, 0, bytes);
	ck_assert_int_eq(ca_device_read(device, offset, bytes, data, &fault), 0);
}

static void read_all(struct ca_device *device, const struct witness *witness, uint8_t *data)
{
	uint32_t sector = device->geometry.sector_bytes;

	read_sector(device, 0, witness->head, data);
	for (size_t i = 0; i < WITNESSES; i++)
		read_sector(device, witness->offsets[i], sector, data + witness->head + i * sector);
}

static void write_random(struct ca_device *device, uint64_t offset, uint64_t bytes, uint64_t *seed)
{
	static uint64_t words[65536 / 8];
	struct ca_io_fault fault;

	for (uint64_t at = 0; at < bytes; at += sizeof(words)) {
		uint64_t left = bytes - at;
		size_t piece = left < sizeof(words) ? (size_t)left : sizeof(words);

		for (size_t i = 0; i < piece / 8; i++)
			words[i] = ca_rng_next(seed);
		ck_assert_int_eq(ca_device_write(device, offset + at, piece, words, &fault), 0);
	}
}

/* Traffic that leaves in the cache only what is on the card as well: no address twice. */
static uint64_t pushed_bytes(const struct ca_sim_spec *spec, uint64_t least)
{
	uint64_t bytes = least + 2 * spec->cache_bytes;

	return bytes < spec->real_bytes ? bytes : spec->real_bytes / 65536 * 65536;
}

/* Somebody's files: every witness sector and the head get data of their own, and all of it leaves
 * the cache. */
static void prepare(struct ca_device *device, uint64_t seed, struct witness *witness)
{
	uint32_t sector = device->geometry.sector_bytes;
	uint64_t sectors = device->geometry.bytes / sector, pushed;

	witness->head = device->geometry.bytes < HEAD_BYTES
				? (size_t)(device->geometry.bytes / sector * sector)
				: HEAD_BYTES;
	pushed = pushed_bytes(witness->spec, witness->head);
	witness->offsets = calloc(WITNESSES, sizeof(*witness->offsets));
	witness->data = malloc(witness->head + (size_t)WITNESSES * sector);
	ck_assert(witness->offsets && witness->data);
	for (size_t i = 0; i < WITNESSES; i++) {
		witness->offsets[i] = ca_rng_below(&seed, sectors) * sector;
		write_random(device, witness->offsets[i], sector, &seed);
	}
	/* twice, so that what the cache still holds is on the card already */
	for (unsigned int i = 0; i < 2; i++) {
		uint64_t same = seed;

		write_random(device, 0, pushed, &same);
	}
	read_all(device, witness, witness->data);
}

/* Where nothing is kept, what reads there is of no matter. */
static bool is_kept(const struct ca_sim_spec *spec, uint64_t offset)
{
	if (spec->kind == CA_SIM_LIMBO || spec->kind == CA_SIM_ERRORS)
		return offset < spec->real_bytes;
	return spec->kind != CA_SIM_CHAIN || offset % spec->wrap_bytes < spec->real_bytes;
}

/* What the card still holds in its cache reaches the cells, as it would in time: writes back what
 * is there, elsewhere in memory. */
static void push_cache(struct ca_device *device, uint64_t bytes)
{
	static uint8_t data[65536];
	struct ca_io_fault fault;

	for (uint64_t at = 0; at + sizeof(data) <= bytes; at += sizeof(data)) {
		read_sector(device, at, sizeof(data), data);
		ck_assert_int_eq(ca_device_write(device, at, sizeof(data), data, &fault), 0);
	}
}

static uint64_t count_changes(struct ca_device *device, const struct witness *witness)
{
	uint32_t sector = device->geometry.sector_bytes;
	size_t bytes = witness->head + (size_t)WITNESSES * sector;
	uint8_t *now = malloc(bytes);
	uint64_t changes = 0;

	ck_assert_ptr_nonnull(now);
	push_cache(device, pushed_bytes(witness->spec, 0));
	read_all(device, witness, now);
	changes += memcmp(now, witness->data, witness->head) != 0;
	for (size_t i = 0, at = witness->head; i < WITNESSES; i++, at += sector)
		changes += is_kept(witness->spec, witness->offsets[i]) &&
			   memcmp(now + at, witness->data + at, sector) != 0;
	free(now);
	return changes;
}

/* ---- one probe ----------------------------------------------------------------------------- */

static int new_file(void)
{
	char shared[] = "/dev/shm/probe-table-XXXXXX", name[] = "/tmp/probe-table-XXXXXX";
	char *path = access("/dev/shm", W_OK) == 0 ? shared : name;
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(unlink(path), 0);
	return fd;
}

static void probe(struct ca_device *device, uint64_t seed, struct ca_probe_evidence *ret_probe)
{
	struct ca_probe_options options = {
		.run_id = {22}, .device_id = {33}, .seed = seed, .cipher = CA_CIPHER_AES128};
	struct ca_journal_card card = {.announced_bytes = device->geometry.bytes,
				       .sector_bytes = device->geometry.sector_bytes,
				       .cipher = CA_CIPHER_AES128};
	int fd = new_file();

	ca_put_le64(options.secret, seed);
	memcpy(card.secret, options.secret, sizeof(card.secret));
	memcpy(card.run_id, options.run_id, sizeof(card.run_id));
	memcpy(card.device_id, options.device_id, sizeof(card.device_id));
	ck_assert_int_eq(ca_journal_create(fd, &card, &options.journal), 0);
	ck_assert_int_eq(ca_probe_run(device, &options, ret_probe), 0);
	ca_journal_free(options.journal);
	close(fd);
}

static void print(const char *name, const struct ca_probe_evidence *found, const char *verdict)
{
	char real[24] = "-";

	if (found->has_real_capacity)
		(void)snprintf(real, sizeof(real), "%" PRIu64, found->real_capacity_bytes);
	else if (found->real_most_bytes)
		(void)snprintf(real, sizeof(real), "<%" PRIu64, found->real_most_bytes);
	printf("%-38s %-9s %-15s real %-13s %-12s %3" PRIu64 " MB, %5" PRIu64 " reads, %3" PRIu64
	       ".%" PRIu64 " s\n",
	       name, ca_fill_end_name(found->end), ca_capacity_kind_name(found->kind), real,
	       verdict, found->written_bytes / 1000000, found->reads,
	       found->elapsed_ns / 1000000000, found->elapsed_ns / 100000000 % 10);
	(void)fflush(stdout);
}

/* Where reads differ, some of what was put back is written twice. */
static void check_cost(uint64_t announced, const struct ca_probe_evidence *found)
{
	uint64_t most = announced > 64 * GIB ? 300000000 : 150000000;

	if (found->unstable_samples)
		most += most / 4;

	ck_assert_uint_le(found->written_bytes, most);
	if (announced <= UINT64_C(2000398934016))
		ck_assert_uint_le(found->reads, 22000);
}

static struct ca_device *open_card(const char *text, uint64_t seed, struct ca_sim_spec *ret_spec)
{
	struct ca_device *device = NULL;
	struct ca_error error = {0};

	ck_assert_msg(ca_sim_parse(text, ret_spec, &error) == 0, "%s", error.text);
	ret_spec->seed = seed;
	ck_assert_msg(ca_sim_open(ret_spec, &device, &error) == 0, "%s", error.text);
	return device;
}

/* What the judge makes of it. */
static enum ca_verdict judge(const char *text, const struct ca_probe_evidence *found)
{
	static struct ca_evidence evidence; /* large */
	struct ca_judge_request request = {
		.evidence = &evidence, .label = "", .profile = CA_PROFILE_QUICK};
	static struct ca_judgement judgement;
	enum ca_verdict verdict;
	char target[300];

	memset(&evidence, 0, sizeof(evidence));
	(void)snprintf(target, sizeof(target), "sim:%s", text);
	ck_assert_int_eq(ca_host_collect(NULL, target, &evidence, NULL), 0);
	evidence.probe = *found;
	ck_assert_int_eq(ca_judge_run(&request, &judgement), 0);
	verdict = ca_judgement_claim_verdict(&judgement, "capacity");
	ca_judgement_done(&judgement);
	ca_evidence_done(&evidence);
	return verdict;
}

/* ---- the recipes --------------------------------------------------------------------------- */

/* Only what is there before and can be told to stay is compared. */
static bool is_witnessed(const struct ca_sim_spec *spec)
{
	switch (spec->kind) {
	case CA_SIM_SOUND:
	case CA_SIM_LIMBO:
	case CA_SIM_WRAP:
	case CA_SIM_CHAIN:
	case CA_SIM_TABLE:
	case CA_SIM_ERRORS:
		return !spec->protect_after_bytes && !spec->gone_after_bytes && !spec->wire_flip &&
		       !spec->wire_page && !spec->crosstalk && !spec->has_bad && !spec->has_noise &&
		       !spec->has_flip && !spec->reader_limit_bytes && !spec->bad_page &&
		       !spec->protect_first_bytes;
	case CA_SIM_REGIONS:
	case CA_SIM_ISLANDS:
	case CA_SIM_RING:
	case CA_SIM_THIN:
	case CA_SIM_COMPRESS:
	case CA_SIM_BRICK:
	case CA_SIM_VOLATILE:
	case CA_SIM_RETURNING:
		break;
	}
	return false;
}

static void fill_once(struct ca_device *device, uint8_t run, uint8_t id)
{
	struct ca_fill_options options = {
		.secret = {run}, .run_id = {run}, .device_id = {id}, .seed = 44};
	struct ca_capacity_evidence capacity;

	ck_assert_int_eq(ca_fill_run(device, &options, &capacity), 0);
	free(capacity.runs);
}

static void expect(const struct recipe *recipe, enum ca_capacity_kind *ret_kind, uint64_t *ret_real)
{
	*ret_kind = recipe->kind;
	*ret_real = recipe->real;
	for (size_t i = 0; i < CA_ARRAY_LEN(differs); i++)
		if (strcmp(differs[i].name, recipe->name) == 0) {
			*ret_kind = differs[i].kind;
			*ret_real = differs[i].real;
		}
}

static void check_caught(const struct recipe *recipe, const struct ca_probe_evidence *found,
			 enum ca_verdict verdict, uint64_t seed)
{
	enum ca_capacity_kind kind;
	uint64_t real;

	expect(recipe, &kind, &real);
	ck_assert_msg(verdict == recipe->finding, "%s, seed %" PRIu64 ": %s", recipe->name, seed,
		      ca_verdict_name(verdict));
	ck_assert_msg(found->kind == kind, "%s, seed %" PRIu64 ": %s", recipe->name, seed,
		      ca_capacity_kind_name(found->kind));
	if (real == ANY)
		return;
	ck_assert_msg(found->has_real_capacity && found->real_capacity_bytes == real * 512,
		      "%s, seed %" PRIu64 ": %" PRIu64 " to %" PRIu64, recipe->name, seed,
		      found->real_least_bytes, found->real_most_bytes);
}

/* Nothing that a probe need find: it may come upon what a fill would, but accuses no sound card. */
static void check_spared(const struct recipe *recipe, enum ca_verdict verdict, uint64_t seed)
{
	bool is_bad = recipe->finding == CA_VERDICT_FAIL;

	ck_assert_msg(verdict == CA_VERDICT_SCREENED || verdict == CA_VERDICT_INCONCLUSIVE ||
			      (verdict == CA_VERDICT_FAIL && is_bad),
		      "%s, seed %" PRIu64 ": %s", recipe->name, seed, ca_verdict_name(verdict));
}

static void probe_recipe(const struct recipe *recipe, uint64_t seed)
{
	struct ca_device *neighbour = NULL, *device;
	struct ca_sim_spec spec;
	struct witness witness = {.spec = &spec};
	struct ca_probe_evidence found;
	enum ca_verdict verdict;
	bool witnessed;

	device = open_card(recipe->spec, seed, &spec);
	witnessed = is_witnessed(&spec);
	if (witnessed)
		prepare(device, seed, &witness);
	if (recipe->how & EARLIER_RUN)
		fill_once(device, 21, 33);
	if (recipe->how & NEIGHBOUR) {
		neighbour = open_card(recipe->spec, seed, &spec);
		fill_once(neighbour, 23, 34);
		ca_sim_join(device, neighbour);
	}
	probe(device, seed, &found);
	verdict = judge(recipe->spec, &found);
	if (seed == 1)
		print(recipe->name, &found, ca_verdict_name(verdict));
	if (recipe->caught & BY_PROBE)
		check_caught(recipe, &found, verdict, seed);
	else
		check_spared(recipe, verdict, seed);
	check_cost(device->geometry.bytes, &found);
	if (witnessed) {
		ck_assert_msg(count_changes(device, &witness) == 0, "%s, seed %" PRIu64 ": changed",
			      recipe->name, seed);
		ck_assert_uint_eq(found.unrestored_bytes, 0);
		ck_assert(!found.journal_kept);
	}
	free(witness.offsets);
	free(witness.data);
	ca_device_close(device);
	ca_device_close(neighbour);
}

/* Small cards are quick. CARDASSAY_SEEDS=20 for more of them. */
static uint64_t seeds = 3;

static uint64_t seeds_of(const struct recipe *recipe)
{
	struct ca_sim_spec spec;

	ck_assert_int_eq(ca_sim_parse(recipe->spec, &spec, NULL), 0);
	return spec.announced_bytes > 256 * MIB ? 1 : spec.announced_bytes > 64 * MIB ? 2 : seeds;
}

START_TEST(recipes_are_caught_by_what_they_say)
{
	for (uint64_t seed = 1; seed <= seeds_of(&recipes[_i]); seed++)
		probe_recipe(&recipes[_i], seed);
}
END_TEST

START_TEST(sizes_that_are_sold)
{
	const struct card *card = &cards[_i];
	struct ca_sim_spec spec;
	struct ca_device *device = open_card(card->spec, 1, &spec);
	struct witness witness = {.spec = &spec};
	struct ca_probe_evidence found;

	prepare(device, 1, &witness);
	probe(device, 1, &found);
	print(card->name, &found, ca_verdict_name(judge(card->spec, &found)));
	ck_assert_int_eq(found.end, CA_FILL_COMPLETE);
	ck_assert_int_eq(found.kind, card->kind);
	ck_assert_int_eq(found.has_real_capacity, card->real != NO_SIZE);
	if (found.has_real_capacity)
		ck_assert_uint_eq(found.real_capacity_bytes, card->real);
	check_cost(device->geometry.bytes, &found);
	ck_assert_uint_eq(count_changes(device, &witness), 0);
	ck_assert(!found.journal_kept && found.unstable_samples == 0);
	free(witness.offsets);
	free(witness.data);
	ca_device_close(device);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("probe table");
	TCase *tcase = tcase_create("probe table");
	SRunner *runner = srunner_create(suite);
	const char *wanted = getenv("CARDASSAY_SEEDS");
	int failed;

	if (wanted && ca_parse_u64(wanted, 1000, &seeds) < 0)
		return EXIT_FAILURE;
	tcase_set_timeout(tcase, 300);
	tcase_add_loop_test(tcase, recipes_are_caught_by_what_they_say, 0, (int)recipe_count);
	tcase_add_loop_test(tcase, sizes_that_are_sold, 0, (int)CA_ARRAY_LEN(cards));
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
