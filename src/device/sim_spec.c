/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim_spec.h"

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
	VALUE_WORD,
	VALUE_SECTOR,
	VALUE_BAD,
	VALUE_FLIP,
	VALUE_NOISE,
};

/* In the order of their enums. */
static const char kinds[] = "sound limbo wrap chain table regions islands ring thin compress "
			    "errors brick volatile returning";
static const char limbos[] = "zeros ones noise last";
static const char fulls[] = "errors slow death";
static const char protects[] = "ignore error";
static const char readers[] = "wrap error";
static const char replugs[] = "same size identity gone";

struct key {
	const char *name;
	enum value_type type;
	size_t place; /* in the draft: of the uint64_t of SIZE, RATE and COUNT, else of the word */
	uint64_t min, max;
	const char *words;
};

#define IN_SPEC(field)	offsetof(struct ca_sim_draft, spec.field)
#define IN_DRAFT(field) offsetof(struct ca_sim_draft, field)
#define RATE_MAX	UINT64_C(1000000000000)

/* clang-format off */
static const struct key keys[CA_SIM_KEYS] = {
	[CA_SIM_KEY_ANNOUNCED]     = {"announced",     VALUE_SIZE,   IN_SPEC(announced_bytes), 512, CA_SIM_ANNOUNCED_MAX, NULL},
	[CA_SIM_KEY_REAL]          = {"real",          VALUE_SIZE,   IN_SPEC(real_bytes), 512, CA_SIM_ANNOUNCED_MAX, NULL},
	[CA_SIM_KEY_KIND]          = {"kind",          VALUE_WORD,   IN_DRAFT(kind), 0, 0, kinds},
	[CA_SIM_KEY_WRAP]          = {"wrap",          VALUE_SIZE,   IN_SPEC(wrap_bytes), 512, CA_SIM_ANNOUNCED_MAX, NULL},
	[CA_SIM_KEY_LIMBO]         = {"limbo",         VALUE_WORD,   IN_DRAFT(limbo), 0, 0, limbos},
	[CA_SIM_KEY_EXTENT]        = {"extent",        VALUE_SIZE,   IN_SPEC(extent_bytes), 512, CA_SIM_ANNOUNCED_MAX, NULL},
	[CA_SIM_KEY_SHARE]         = {"share",         VALUE_COUNT,  IN_SPEC(share), 1, 99, NULL},
	[CA_SIM_KEY_TAIL]          = {"tail",          VALUE_SIZE,   IN_SPEC(tail_bytes), 512, CA_SIM_ANNOUNCED_MAX, NULL},
	[CA_SIM_KEY_FULL]          = {"full",          VALUE_WORD,   IN_DRAFT(full), 0, 0, fulls},
	[CA_SIM_KEY_CACHE]         = {"cache",         VALUE_SIZE,   IN_SPEC(cache_bytes), 0, CA_SIM_CACHE_MAX, NULL},
	[CA_SIM_KEY_CACHE_RANDOM]  = {"cache-random",  VALUE_SIZE,   IN_SPEC(random_cache_bytes), 0, CA_SIM_CACHE_MAX, NULL},
	[CA_SIM_KEY_READ_IOPS]     = {"read-iops",     VALUE_COUNT,  IN_SPEC(read_iops), 0, 100000000, NULL},
	[CA_SIM_KEY_WRITE_IOPS]    = {"write-iops",    VALUE_COUNT,  IN_SPEC(write_iops), 0, 100000000, NULL},
	[CA_SIM_KEY_READ_RATE]     = {"read-rate",     VALUE_RATE,   IN_SPEC(read_rate), 0, RATE_MAX, NULL},
	[CA_SIM_KEY_WRITE_RATE]    = {"write-rate",    VALUE_RATE,   IN_SPEC(write_rate), 0, RATE_MAX, NULL},
	[CA_SIM_KEY_CLIFF]         = {"cliff",         VALUE_SIZE,   IN_SPEC(cliff_bytes), 0, UINT64_MAX, NULL},
	[CA_SIM_KEY_CLIFF_RATE]    = {"cliff-rate",    VALUE_RATE,   IN_SPEC(cliff_rate), 0, RATE_MAX, NULL},
	[CA_SIM_KEY_QUEUE_DEPTH]   = {"queue-depth",   VALUE_COUNT,  IN_DRAFT(queue_depth), 1, CA_SIM_QUEUE_MAX, NULL},
	[CA_SIM_KEY_SECTOR]        = {"sector",        VALUE_SECTOR, 0, 0, 0, NULL},
	[CA_SIM_KEY_SEED]          = {"seed",          VALUE_COUNT,  IN_SPEC(seed), 0, UINT64_MAX, NULL},
	[CA_SIM_KEY_BAD]           = {"bad",           VALUE_BAD,    0, 0, 0, NULL},
	[CA_SIM_KEY_FLIP]          = {"flip",          VALUE_FLIP,   0, 0, 0, NULL},
	[CA_SIM_KEY_NOISE]         = {"noise",         VALUE_NOISE,  0, 0, 0, NULL},
	[CA_SIM_KEY_WIRE_FLIP]     = {"wire-flip",     VALUE_COUNT,  IN_SPEC(wire_flip), 0, UINT64_MAX, NULL},
	[CA_SIM_KEY_WIRE_PAGE]     = {"wire-page",     VALUE_COUNT,  IN_SPEC(wire_page), 0, UINT64_MAX, NULL},
	[CA_SIM_KEY_CROSSTALK]     = {"crosstalk",     VALUE_COUNT,  IN_SPEC(crosstalk), 0, UINT64_MAX, NULL},
	[CA_SIM_KEY_READER_LIMIT]  = {"reader-limit",  VALUE_SIZE,   IN_SPEC(reader_limit_bytes), 512, CA_SIM_ANNOUNCED_MAX, NULL},
	[CA_SIM_KEY_READER]        = {"reader",        VALUE_WORD,   IN_DRAFT(reader), 0, 0, readers},
	[CA_SIM_KEY_PROTECT_AFTER] = {"protect-after", VALUE_SIZE,   IN_SPEC(protect_after_bytes), 0, UINT64_MAX, NULL},
	[CA_SIM_KEY_PROTECT]       = {"protect",       VALUE_WORD,   IN_DRAFT(protect), 0, 0, protects},
	[CA_SIM_KEY_REPLUG]        = {"replug",        VALUE_WORD,   IN_DRAFT(replug), 0, 0, replugs},
	[CA_SIM_KEY_GONE_AFTER]    = {"gone-after",    VALUE_SIZE,   IN_SPEC(gone_after_bytes), 0, UINT64_MAX, NULL},
	[CA_SIM_KEY_BAD_PAGE]      = {"bad-page",      VALUE_COUNT,  IN_SPEC(bad_page), 0, UINT64_MAX, NULL},
	[CA_SIM_KEY_HEAL]          = {"heal",          VALUE_COUNT,  IN_SPEC(heal), 0, UINT64_MAX, NULL},
	[CA_SIM_KEY_PROTECT_FIRST] = {"protect-first", VALUE_SIZE,   IN_SPEC(protect_first_bytes), 0, UINT64_MAX, NULL},
};
/* clang-format on */

/* Is `name`, whole, the word that begins at `word`? */
static bool is_word(const char *word, const char *name)
{
	size_t len = strlen(name);

	return len && !strncmp(word, name, len) && (word[len] == ' ' || !word[len]);
}

/* The nth of the words between blanks; -1 when it is none. */
static int index_of(const char *words, const char *name)
{
	for (int i = 0; words; i++) {
		if (is_word(words, name))
			return i;
		words = strchr(words, ' ');
		words = words ? words + 1 : NULL;
	}
	return -1;
}

void ca_sim_kind_name(enum ca_sim_kind kind, char ret_name[16])
{
	const char *word = kinds;

	for (unsigned int i = 0; i < kind; i++)
		word = strchr(word, ' ') + 1;
	(void)snprintf(ret_name, 16, "%.*s", (int)strcspn(word, " "), word); /* 9 at most */
}

const char *ca_sim_key_name(enum ca_sim_key key)
{
	return keys[key].name;
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

static int parse_word(const struct key *key, const char *value, unsigned int *ret_index,
		      struct ca_error *error)
{
	int index = index_of(key->words, value);

	if (index < 0)
		return ca_error_set(error, -EINVAL, "simulated card: %s=%s is none of: %s",
				    key->name, value, key->words);
	*ret_index = (unsigned int)index;
	return 0;
}

static int parse_sector_bytes(const char *value, struct ca_sim_draft *draft, struct ca_error *error)
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
				    value,
				    key->type == VALUE_BAD || key->type == VALUE_NOISE
					    ? " or a range FIRST-LAST"
					    : "");
	if (first > last)
		return ca_error_set(error, -EINVAL, "simulated card: %s=%s ends before it begins",
				    key->name, value);
	*ret_first = first;
	*ret_last = last;
	return 0;
}

static int parse_value(const struct key *key, const char *value, struct ca_sim_draft *draft,
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
	case VALUE_WORD:
		return parse_word(key, value, (unsigned int *)(void *)((char *)draft + key->place),
				  error);
	case VALUE_SECTOR:
		return parse_sector_bytes(value, draft, error);
	case VALUE_BAD:
		result = parse_range(key, value, &draft->spec.bad_first, &draft->spec.bad_last,
				     error);
		draft->spec.has_bad = !result;
		return result;
	case VALUE_NOISE:
		result = parse_range(key, value, &draft->spec.noise_first, &draft->spec.noise_last,
				     error);
		draft->spec.has_noise = !result;
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
	char names[480];

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
static int parse_settings(char *text, struct ca_sim_draft *draft, struct ca_error *error)
{
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
		if (ca_sim_has_key(draft, (enum ca_sim_key)index))
			return ca_error_set(error, -EINVAL, "simulated card: %s is given twice",
					    item);
		draft->seen |= UINT64_C(1) << index;
		result = parse_value(&keys[index], value, draft, error);
		if (result)
			return result;
	}
	return 0;
}

static const struct ca_spec_simulated *find_named(const char *name, struct ca_error *error)
{
	const char *nearest = NULL;
	unsigned int best = UINT_MAX;
	struct ca_text all;
	char names[480];

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
	struct ca_sim_draft draft = {.spec.sector_bytes = 512, .spec.seed = 1, .queue_depth = 1};
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
		result = ca_sim_check_draft(&draft, error);
	if (!result)
		*ret_spec = draft.spec;
	return result;
}
