/* SPDX-License-Identifier: BSD-2-Clause */
/* Do the settings of a simulated card go together? */
#include "sim_spec.h"

#include <errno.h>

#define BIT(key) (UINT64_C(1) << CA_SIM_KEY_##key)

/* Settings that only some kinds take. */
static const enum ca_sim_key of_kinds[] = {
	CA_SIM_KEY_REAL,  CA_SIM_KEY_WRAP, CA_SIM_KEY_LIMBO, CA_SIM_KEY_EXTENT,
	CA_SIM_KEY_SHARE, CA_SIM_KEY_TAIL, CA_SIM_KEY_FULL,
};

static const struct {
	uint64_t needed, taken; /* of those above */
} kinds[] = {
	[CA_SIM_SOUND] = {0, 0},
	[CA_SIM_LIMBO] = {BIT(REAL), BIT(LIMBO)},
	[CA_SIM_WRAP] = {BIT(REAL), 0},
	[CA_SIM_CHAIN] = {BIT(REAL) | BIT(WRAP), BIT(LIMBO)},
	[CA_SIM_TABLE] = {BIT(REAL), BIT(EXTENT)},
	[CA_SIM_REGIONS] = {BIT(REAL) | BIT(TAIL), BIT(LIMBO)},
	[CA_SIM_ISLANDS] = {0, BIT(EXTENT) | BIT(SHARE) | BIT(LIMBO)},
	[CA_SIM_RING] = {BIT(REAL), BIT(LIMBO)},
	[CA_SIM_THIN] = {BIT(REAL), BIT(FULL) | BIT(LIMBO)},
	[CA_SIM_COMPRESS] = {BIT(REAL), BIT(LIMBO)},
	[CA_SIM_ERRORS] = {BIT(REAL), 0},
	[CA_SIM_BRICK] = {BIT(REAL), BIT(LIMBO)},
	[CA_SIM_VOLATILE] = {BIT(REAL), BIT(LIMBO)},
	[CA_SIM_RETURNING] = {BIT(REAL), BIT(LIMBO)},
};

static int check_kind(const struct ca_sim_draft *draft, struct ca_error *error)
{
	char name[16];

	ca_sim_kind_name(draft->spec.kind, name);
	for (size_t i = 0; i < CA_ARRAY_LEN(of_kinds); i++) {
		enum ca_sim_key key = of_kinds[i];
		uint64_t bit = UINT64_C(1) << key;

		if ((kinds[draft->spec.kind].needed & bit) && !(draft->seen & bit))
			return ca_error_set(error, -EINVAL, "simulated card: kind=%s needs %s=SIZE",
					    name, ca_sim_key_name(key));
		if (!((kinds[draft->spec.kind].needed | kinds[draft->spec.kind].taken) & bit) &&
		    (draft->seen & bit))
			return ca_error_set(error, -EINVAL,
					    "simulated card: kind=%s takes no %s=", name,
					    ca_sim_key_name(key));
	}
	return 0;
}

/* Settings that mean nothing without another. */
static int check_pairs(const struct ca_sim_draft *draft, struct ca_error *error)
{
	static const enum ca_sim_key pairs[][2] = {
		{CA_SIM_KEY_READER, CA_SIM_KEY_READER_LIMIT},
		{CA_SIM_KEY_PROTECT, CA_SIM_KEY_PROTECT_AFTER},
	};

	for (size_t i = 0; i < CA_ARRAY_LEN(pairs); i++)
		if (ca_sim_has_key(draft, pairs[i][0]) && !ca_sim_has_key(draft, pairs[i][1]) &&
		    !(pairs[i][0] == CA_SIM_KEY_PROTECT &&
		      ca_sim_has_key(draft, CA_SIM_KEY_PROTECT_FIRST)))
			return ca_error_set(error, -EINVAL, "simulated card: %s= needs %s=SIZE",
					    ca_sim_key_name(pairs[i][0]),
					    ca_sim_key_name(pairs[i][1]));
	return 0;
}

static int check_whole_sectors(const struct ca_sim_spec *spec, struct ca_error *error)
{
	const struct {
		enum ca_sim_key key;
		uint64_t bytes;
	} sizes[] = {
		{CA_SIM_KEY_ANNOUNCED, spec->announced_bytes},
		{CA_SIM_KEY_REAL, spec->real_bytes},
		{CA_SIM_KEY_WRAP, spec->wrap_bytes},
		{CA_SIM_KEY_EXTENT, spec->extent_bytes},
		{CA_SIM_KEY_TAIL, spec->tail_bytes},
		{CA_SIM_KEY_CACHE, spec->cache_bytes},
		{CA_SIM_KEY_CACHE_RANDOM, spec->random_cache_bytes},
		{CA_SIM_KEY_READER_LIMIT, spec->reader_limit_bytes},
		{CA_SIM_KEY_PROTECT_FIRST, spec->protect_first_bytes},
	};

	for (size_t i = 0; i < CA_ARRAY_LEN(sizes); i++)
		if (sizes[i].bytes % spec->sector_bytes)
			return ca_error_set(error, -EINVAL,
					    "simulated card: %s= is not a whole number of %u-byte "
					    "sectors",
					    ca_sim_key_name(sizes[i].key), spec->sector_bytes);
	return 0;
}

static int check_sizes(const struct ca_sim_draft *draft, struct ca_error *error)
{
	const struct ca_sim_spec *spec = &draft->spec;

	if (ca_sim_has_key(draft, CA_SIM_KEY_REAL) && spec->real_bytes >= spec->announced_bytes)
		return ca_error_set(error, -EINVAL,
				    "simulated card: real= must be smaller than announced=");
	if (spec->kind == CA_SIM_CHAIN &&
	    (spec->wrap_bytes <= spec->real_bytes || spec->wrap_bytes >= spec->announced_bytes))
		return ca_error_set(error, -EINVAL,
				    "simulated card: wrap= must lie between real= and announced=");
	if (spec->kind == CA_SIM_REGIONS && spec->tail_bytes >= spec->real_bytes)
		return ca_error_set(error, -EINVAL,
				    "simulated card: tail= must be smaller than real=, which holds "
				    "both ends");
	if (spec->kind == CA_SIM_TABLE && spec->real_bytes % spec->extent_bytes)
		return ca_error_set(error, -EINVAL,
				    "simulated card: real= is not a whole number of extents of "
				    "extent= bytes");
	return 0;
}

static int check_places(const struct ca_sim_spec *spec, struct ca_error *error)
{
	uint64_t sectors = spec->announced_bytes / spec->sector_bytes;
	const struct {
		enum ca_sim_key key;
		bool given;
		uint64_t last;
	} places[] = {
		{CA_SIM_KEY_BAD, spec->has_bad, spec->bad_last},
		{CA_SIM_KEY_FLIP, spec->has_flip, spec->flip_lba},
		{CA_SIM_KEY_NOISE, spec->has_noise, spec->noise_last},
	};

	for (size_t i = 0; i < CA_ARRAY_LEN(places); i++)
		if (places[i].given && places[i].last >= sectors)
			return ca_error_set(error, -ERANGE,
					    "simulated card: %s= lies past the last sector",
					    ca_sim_key_name(places[i].key));
	return 0;
}

static void take_words(struct ca_sim_draft *draft)
{
	struct ca_sim_spec *spec = &draft->spec;

	spec->kind = (enum ca_sim_kind)draft->kind;
	spec->limbo = (enum ca_sim_limbo)draft->limbo;
	spec->full = (enum ca_sim_full)draft->full;
	spec->protect = (enum ca_sim_protect)draft->protect;
	spec->reader = (enum ca_sim_reader)draft->reader;
	spec->replug = (enum ca_sim_replug)draft->replug;
}

static void take_defaults(struct ca_sim_draft *draft)
{
	struct ca_sim_spec *spec = &draft->spec;
	bool has_extents = spec->kind == CA_SIM_TABLE || spec->kind == CA_SIM_ISLANDS;

	spec->queue_depth = (uint32_t)draft->queue_depth;
	spec->has_random_cache = ca_sim_has_key(draft, CA_SIM_KEY_CACHE_RANDOM);
	if (!ca_sim_has_key(draft, CA_SIM_KEY_REAL))
		spec->real_bytes = spec->announced_bytes;
	if (has_extents && !spec->extent_bytes)
		spec->extent_bytes = CA_SIM_EXTENT;
	if (spec->kind == CA_SIM_ISLANDS && !spec->share)
		spec->share = CA_SIM_SHARE;
}

int ca_sim_check_draft(struct ca_sim_draft *draft, struct ca_error *error)
{
	int result;

	take_words(draft);
	if (!draft->spec.announced_bytes)
		return ca_error_set(error, -EINVAL, "simulated card: announced=SIZE is missing");
	result = check_kind(draft, error);
	if (result)
		return result;
	take_defaults(draft);
	result = check_pairs(draft, error);
	if (!result)
		result = check_whole_sectors(&draft->spec, error);
	if (!result)
		result = check_sizes(draft, error);
	return result ? result : check_places(&draft->spec, error);
}
