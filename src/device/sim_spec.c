/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim.h"

#include "cardassay/specs.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define TEXT_MAX 1024U

enum value_type {
	VALUE_SIZE,  /* bytes: K M G are 2^10 ..., as everywhere for sizes */
	VALUE_RATE,  /* B/s: K M G are 10^3 ..., as everywhere for rates */
	VALUE_COUNT, /* a plain number */
	VALUE_KIND,
	VALUE_LIMBO,
	VALUE_SECTOR,
	VALUE_BAD,
	VALUE_FLIP,
};

struct key {
	const char *name;
	enum value_type type;
	size_t place; /* of the uint64_t in the draft, for SIZE, RATE and COUNT */
	uint64_t min, max;
};

/* The spec being read; what has its own width there is kept as 64 bits here. */
struct draft {
	struct ca_sim_spec spec;
	uint64_t queue_depth;
	bool has_real, has_wrap, has_limbo;
};

#define IN_SPEC(field) offsetof(struct draft, spec.field)

/* clang-format off */
static const struct key keys[] = {
	{"announced",   VALUE_SIZE,   IN_SPEC(announced_bytes), 512, CA_SIM_ANNOUNCED_MAX},
	{"real",        VALUE_SIZE,   IN_SPEC(real_bytes), 512, CA_SIM_ANNOUNCED_MAX},
	{"wrap",        VALUE_SIZE,   IN_SPEC(wrap_bytes), 512, CA_SIM_ANNOUNCED_MAX},
	{"cache",       VALUE_SIZE,   IN_SPEC(cache_bytes), 0, CA_SIM_CACHE_MAX},
	{"gone-after",  VALUE_SIZE,   IN_SPEC(gone_after_bytes), 0, UINT64_MAX},
	{"read-rate",   VALUE_RATE,   IN_SPEC(read_rate), 0, UINT64_C(1000000000000)},
	{"write-rate",  VALUE_RATE,   IN_SPEC(write_rate), 0, UINT64_C(1000000000000)},
	{"read-iops",   VALUE_COUNT,  IN_SPEC(read_iops), 0, 100000000},
	{"write-iops",  VALUE_COUNT,  IN_SPEC(write_iops), 0, 100000000},
	{"seed",        VALUE_COUNT,  IN_SPEC(seed), 0, UINT64_MAX},
	{"queue-depth", VALUE_COUNT,  offsetof(struct draft, queue_depth), 1, CA_SIM_QUEUE_MAX},
	{"kind",        VALUE_KIND,   0, 0, 0},
	{"limbo",       VALUE_LIMBO,  0, 0, 0},
	{"sector",      VALUE_SECTOR, 0, 0, 0},
	{"bad",         VALUE_BAD,    0, 0, 0},
	{"flip",        VALUE_FLIP,   0, 0, 0},
};
/* clang-format on */

static const char *const kinds[] = {"sound", "limbo", "wrap", "chain"}; /* by enum ca_sim_kind */
static const char *const limbos[] = {"zeros", "ones", "noise", "last"};

static int index_of(const char *const *names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(names[i], name))
			return (int)i;
	return -1;
}

static int parse_number(const struct key *key, const char *value, uint64_t *ret_number,
			struct ca_error *error)
{
	char text[32];
	uint64_t number = 0;
	size_t len = strlen(value);
	int result;

	if (len > sizeof(text) - 2)
		return ca_error_set(error, -ERANGE, "simulated card: %s=%s is out of range",
				    key->name, value);
	(void)ca_string_copy(text, sizeof(text), value); /* fits, and one more */
	if (key->type == VALUE_RATE && len && strchr("kKMGT", text[len - 1])) {
		text[len] = 'B'; /* 30M is 30MB here */
		text[len + 1] = '\0';
	}
	result = key->type == VALUE_COUNT ? ca_parse_u64(text, UINT64_MAX, &number)
					  : ca_parse_size(text, &number);
	if (result == -EINVAL)
		return ca_error_set(error, -EINVAL, "simulated card: %s=%s is not a %s", key->name,
				    value, key->type == VALUE_COUNT ? "number" : "size");
	if (result || number < key->min || number > key->max)
		return ca_error_set(error, -ERANGE, "simulated card: %s=%s is out of range",
				    key->name, value);
	*ret_number = number;
	return 0;
}

static int parse_word(const struct key *key, const char *value, struct draft *draft,
		      struct ca_error *error)
{
	bool is_kind = key->type == VALUE_KIND;
	int index = index_of(is_kind ? kinds : limbos, 4, value);

	if (index < 0)
		return ca_error_set(
			error, -EINVAL, "simulated card: %s=%s is none of %s", key->name, value,
			is_kind ? "sound, limbo, wrap, chain" : "zeros, ones, noise, last");
	if (is_kind) {
		draft->spec.kind = (enum ca_sim_kind)index;
	} else {
		(void)ca_string_copy(draft->spec.limbo, sizeof(draft->spec.limbo), value);
		draft->has_limbo = true;
	}
	return 0;
}

static int parse_sector_bytes(const char *value, struct draft *draft, struct ca_error *error)
{
	if (strcmp(value, "512") != 0 && strcmp(value, "4096") != 0)
		return ca_error_set(error, -EINVAL,
				    "simulated card: sector=%s is neither 512 nor "
				    "4096",
				    value);
	draft->spec.sector_bytes = value[0] == '5' ? 512 : 4096;
	return 0;
}

/* FIRST-LAST, or one number; sectors of the card's own size. */
static int parse_range(const struct key *key, const char *value, uint64_t *ret_first,
		       uint64_t *ret_last, struct ca_error *error)
{
	const char *dash = strchr(value, '-');
	int len = (int)(dash ? (size_t)(dash - value) : strlen(value)); /* the text is bounded */
	char first_text[24];
	uint64_t first, last;

	(void)snprintf(first_text, sizeof(first_text), "%.*s", len, value); /* cut = too large */
	if (ca_parse_u64(first_text, UINT64_MAX, &first) ||
	    ca_parse_u64(dash ? dash + 1 : first_text, UINT64_MAX, &last))
		return ca_error_set(error, -EINVAL,
				    "simulated card: %s=%s is not a sector number%s", key->name,
				    value, key->type == VALUE_BAD ? " or a range FIRST-LAST" : "");
	if (first > last)
		return ca_error_set(error, -EINVAL, "simulated card: %s=%s ends before it begins",
				    key->name, value);
	*ret_first = first;
	*ret_last = last;
	return 0;
}

static int parse_value(const struct key *key, const char *value, struct draft *draft,
		       struct ca_error *error)
{
	uint64_t unused;
	int result;

	switch (key->type) {
	case VALUE_SIZE:
	case VALUE_RATE:
	case VALUE_COUNT:
		/* the table says where in the draft this uint64_t lies */
		return parse_number(key, value, (uint64_t *)(void *)((char *)draft + key->place),
				    error);
	case VALUE_KIND:
	case VALUE_LIMBO:
		return parse_word(key, value, draft, error);
	case VALUE_SECTOR:
		return parse_sector_bytes(value, draft, error);
	case VALUE_BAD:
		result = parse_range(key, value, &draft->spec.bad_first, &draft->spec.bad_last,
				     error);
		draft->spec.has_bad = !result;
		return result;
	case VALUE_FLIP:
		if (strchr(value, '-'))
			return ca_error_set(error, -EINVAL,
					    "simulated card: flip=%s is not a sector number",
					    value);
		result = parse_range(key, value, &draft->spec.flip_lba, &unused, error);
		draft->spec.has_flip = !result;
		return result;
	}
	return -EINVAL; /* not reached: the table holds no other type */
}

static int unknown(const char *what, const char *word, const char *nearest, unsigned int distance,
		   const char *all, struct ca_error *error)
{
	if (nearest && distance <= 2)
		return ca_error_set(error, -EINVAL,
				    "simulated card: there is no %s \"%s\"; did you mean \"%s\"?",
				    what, word, nearest);
	return ca_error_set(error, -EINVAL, "simulated card: there is no %s \"%s\"; there are: %s",
			    what, word, all);
}

static void list_word(struct ca_text *list, const char *word)
{
	ca_text_add(list, list->len ? ", " : "");
	ca_text_add(list, word);
}

static int find_key(const char *name, size_t *ret_index, struct ca_error *error)
{
	const char *nearest = NULL;
	unsigned int best = UINT_MAX;
	struct ca_text all;
	char names[300];

	ca_text_init(&all, names, sizeof(names));
	for (size_t i = 0; i < CA_ARRAY_LEN(keys); i++) {
		unsigned int distance = ca_string_distance(name, keys[i].name);

		if (distance == 0) {
			*ret_index = i;
			return 0;
		}
		if (distance < best) {
			best = distance;
			nearest = keys[i].name;
		}
		list_word(&all, keys[i].name);
	}
	return unknown("setting", name, nearest, best, names, error);
}

/* KEY=VALUE,KEY=VALUE...; cuts `text` up. */
static int parse_settings(char *text, struct draft *draft, struct ca_error *error)
{
	uint32_t seen = 0;
	char *rest = text;

	while (rest) {
		char *item = strsep(&rest, ",");
		char *value = strchr(item, '=');
		size_t index = 0;
		int result;

		if (!value)
			return ca_error_set(error, -EINVAL,
					    "simulated card: \"%s\" is not of the form KEY=VALUE",
					    item);
		*value++ = '\0';
		result = find_key(item, &index, error);
		if (result)
			return result;
		if (seen & 1U << index)
			return ca_error_set(error, -EINVAL, "simulated card: %s is given twice",
					    item);
		seen |= 1U << index;
		result = parse_value(&keys[index], value, draft, error);
		if (result)
			return result;
		draft->has_real = draft->has_real || !strcmp(item, "real");
		draft->has_wrap = draft->has_wrap || !strcmp(item, "wrap");
	}
	return 0;
}

/* Which of real=, wrap= and limbo= a kind takes. */
static int check_kind(const struct draft *draft, struct ca_error *error)
{
	const char *kind = kinds[draft->spec.kind];
	bool takes_limbo = draft->spec.kind == CA_SIM_LIMBO || draft->spec.kind == CA_SIM_CHAIN;

	if (draft->spec.kind == CA_SIM_SOUND && draft->has_real)
		return ca_error_set(error, -EINVAL,
				    "simulated card: kind=sound takes no real=: it holds what it "
				    "announces (kind=wrap, limbo or chain do not)");
	if (draft->spec.kind != CA_SIM_SOUND && !draft->has_real)
		return ca_error_set(error, -EINVAL, "simulated card: kind=%s needs real=SIZE",
				    kind);
	if ((draft->spec.kind == CA_SIM_CHAIN) != draft->has_wrap)
		return ca_error_set(error, -EINVAL,
				    draft->has_wrap
					    ? "simulated card: kind=%s takes no wrap=, only "
					      "kind=chain does"
					    : "simulated card: kind=%s needs wrap=SIZE",
				    kind);
	if (draft->has_limbo && !takes_limbo)
		return ca_error_set(error, -EINVAL,
				    "simulated card: kind=%s takes no limbo=: it loses nothing",
				    kind);
	return 0;
}

static int check_sizes(const struct ca_sim_spec *spec, struct ca_error *error)
{
	const uint64_t sizes[] = {spec->announced_bytes, spec->real_bytes, spec->wrap_bytes,
				  spec->cache_bytes};
	static const char *const names[] = {"announced", "real", "wrap", "cache"};
	uint64_t sectors;

	for (size_t i = 0; i < CA_ARRAY_LEN(sizes); i++)
		if (sizes[i] % spec->sector_bytes)
			return ca_error_set(error, -EINVAL,
					    "simulated card: %s= is not a whole number of %u-byte "
					    "sectors",
					    names[i], spec->sector_bytes);
	if (spec->kind != CA_SIM_SOUND && spec->real_bytes >= spec->announced_bytes)
		return ca_error_set(error, -EINVAL,
				    "simulated card: real= must be smaller than announced=");
	if (spec->kind == CA_SIM_CHAIN &&
	    (spec->wrap_bytes <= spec->real_bytes || spec->wrap_bytes >= spec->announced_bytes))
		return ca_error_set(error, -EINVAL,
				    "simulated card: wrap= must lie between real= and announced=");
	sectors = spec->announced_bytes / spec->sector_bytes;
	if ((spec->has_bad && spec->bad_last >= sectors) ||
	    (spec->has_flip && spec->flip_lba >= sectors))
		return ca_error_set(error, -ERANGE, "simulated card: %s= lies past the last sector",
				    spec->has_bad && spec->bad_last >= sectors ? "bad" : "flip");
	return 0;
}

static int finish(struct draft *draft, struct ca_error *error)
{
	struct ca_sim_spec *spec = &draft->spec;
	int result;

	if (!spec->announced_bytes)
		return ca_error_set(error, -EINVAL, "simulated card: announced=SIZE is missing");
	result = check_kind(draft, error);
	if (result)
		return result;
	if (!spec->limbo[0])
		(void)ca_string_copy(spec->limbo, sizeof(spec->limbo), "zeros");
	if (spec->kind == CA_SIM_SOUND)
		spec->real_bytes = spec->announced_bytes;
	spec->queue_depth = (uint32_t)draft->queue_depth;
	return check_sizes(spec, error);
}

static const struct ca_spec_simulated *find_named(const char *name, struct ca_error *error)
{
	const char *nearest = NULL;
	unsigned int best = UINT_MAX;
	struct ca_text all;
	char names[300];

	ca_text_init(&all, names, sizeof(names));
	for (size_t i = 0; i < ca_spec_simulated_cards_count; i++) {
		const struct ca_spec_simulated *card = &ca_spec_simulated_cards[i];
		unsigned int distance = ca_string_distance(name, card->name);

		if (distance == 0)
			return card;
		if (distance < best) {
			best = distance;
			nearest = card->name;
		}
		list_word(&all, card->name);
	}
	(void)unknown("named card", name, nearest, best, names,
		      error); /* -EINVAL, as the caller knows */
	return NULL;
}

int ca_sim_parse(const char *text, struct ca_sim_spec *ret_spec, struct ca_error *error)
{
	struct draft draft = {.spec.sector_bytes = 512, .spec.seed = 1, .queue_depth = 1};
	char settings[TEXT_MAX];
	int result;

	if (!strchr(text, '=')) {
		draft.spec.named = find_named(text, error);
		if (!draft.spec.named)
			return -EINVAL;
		text = draft.spec.named->spec;
	}
	if (!ca_string_copy(settings, sizeof(settings), text))
		return ca_error_set(error, -EINVAL,
				    "simulated card: the text is longer than %u "
				    "characters",
				    TEXT_MAX - 1);
	result = parse_settings(settings, &draft, error);
	if (!result)
		result = finish(&draft, error);
	if (!result)
		*ret_spec = draft.spec;
	return result;
}
