/* SPDX-License-Identifier: BSD-2-Clause */
#include "label_internal.h"

#include <string.h>

/* The words after the brand that no matcher knows, up to the next one it does: the product line. */
enum product_state {
	PRODUCT_NOT_YET, /* no brand so far */
	PRODUCT_OPEN,	 /* brand seen, the run may start or go on */
	PRODUCT_CLOSED,
};

struct label_reader {
	struct ca_claims *claims;
	enum ca_claim_source source;
	const char *brand_start, *brand_end; /* NULL: no brand */
	enum product_state product;
	const char *product_start, *product_end;
	const char *last_end;			 /* where the last word ended */
	unsigned int brackets;			 /* open before the word */
	const char *model_size, *model_size_end; /* NULL: none */
	struct ca_text unknown;
};

/* Longer than any label; what follows is not read. */
#define LABEL_BYTES_MAX 4096U

static void close_product(struct label_reader *reader)
{
	struct ca_claim claim = {.kind = CA_CLAIM_PRODUCT, .source = reader->source};

	if (reader->product != PRODUCT_OPEN || !reader->product_start)
		return;
	reader->product = PRODUCT_CLOSED;
	(void)ca_claims_add(reader->claims, &claim, reader->product_start, /* room is left for it */
			    (size_t)(reader->product_end - reader->product_start));
}

static void add_unknown(struct label_reader *reader, const char *word, const char *end)
{
	struct ca_text *unknown = &reader->unknown;

	if (unknown->cut)
		return; /* what stands behind a cut word would seem to be part of it */
	if (unknown->len)
		ca_text_add(unknown, " ");
	unknown->cut = unknown->size - 1 - unknown->len < (size_t)(end - word);
	ca_text_add_len(
		unknown, word,
		ca_claims_fit(word, (size_t)(end - word), unknown->size - 1 - unknown->len));
}

/* Punctuation behind which no product line begins. */
static bool has_clause_sign(const char *gap, const char *word)
{
	for (; gap < word; gap++)
		if (strchr(",;|*+:/", *gap))
			return true;
	return false;
}

/*
 * Does the word belong to the product line? It begins behind the brand in the same clause, outside
 * of brackets, and goes on while only blanks part its words.
 */
static bool goes_on_with_product(struct label_reader *reader, const char *word, const char *end)
{
	if (reader->product != PRODUCT_OPEN)
		return false;
	if (reader->product_start)
		return !ca_label_is_generic_word(word) && !ca_label_ends_product(word) &&
		       ca_label_skip_blank(reader->product_end) == word &&
		       (size_t)(end - reader->product_start) <
			       sizeof(reader->claims->claims[0].text);
	if (reader->brackets)
		return false;
	if (has_clause_sign(reader->last_end, word) || ca_label_ends_product(word)) {
		reader->product = PRODUCT_CLOSED;
		return false;
	}
	if (ca_label_is_generic_word(word))
		return false;
	return true;
}

static void count_brackets(struct label_reader *reader, const char *gap, const char *word)
{
	for (; gap < word; gap++) {
		if (*gap == '(' || *gap == '[')
			reader->brackets++;
		else if ((*gap == ')' || *gap == ']') && reader->brackets)
			reader->brackets--;
	}
}

/* "SDCS2/64GB": the size in a model number, which speaks only where nothing else does. */
static const char *eat_model_size(const char *word, const char *end, uint64_t *ret_bytes)
{
	unsigned int digits = 0, capitals = 0;

	for (const char *p = word; p < end; p++) {
		digits += ca_label_is_digit(*p);
		capitals += *p >= 'A' && *p <= 'Z';
	}
	if (*end != '/' || !capitals || (!digits && capitals < 4))
		return NULL;
	return ca_label_eat_capacity(end + 1, ret_bytes);
}

static const char *take_aside(struct label_reader *reader, const char *word)
{
	const char *end = ca_label_eat_ambiguous_figure(word, reader->claims, reader->source);
	uint64_t ignored;

	if (!end)
		end = ca_label_eat_aside(word);
	if (!end)
		end = ca_label_eat_capacity(word, &ignored); /* of something else: "16GB RAM" */
	if (!end)
		return NULL;
	close_product(reader);
	add_unknown(reader, word, end);
	return end;
}

static const char *unknown_word_end(struct label_reader *reader, const char *word)
{
	const char *end = ca_label_word_end(word), *size_end;
	struct label_number number;
	uint64_t bytes;

	size_end = ca_label_eat_number(word, &number);
	if (size_end && ca_label_is_word_end(size_end))
		return size_end; /* "5,000" is one word too */

	if (end[0] == '/' && end[1] == 's' && ca_label_is_word_end(end + 2))
		return end + 2; /* "6Gb/s" is one word */
	size_end = eat_model_size(word, end, &bytes);
	if (size_end) {
		if (!reader->model_size) {
			reader->model_size = end + 1;
			reader->model_size_end = size_end;
		}
		return size_end;
	}
	return reader->brand_start > word && reader->brand_start < end ? reader->brand_start : end;
}

static const char *take_unknown_word(struct label_reader *reader, const char *word)
{
	const char *end = take_aside(reader, word);

	if (end)
		return end;
	end = unknown_word_end(reader, word);
	if (goes_on_with_product(reader, word, end)) {
		if (!reader->product_start)
			reader->product_start = word;
		reader->product_end = end;
		return end;
	}
	close_product(reader);
	add_unknown(reader, word, end);
	return end;
}

/* Does the alias say the brand and no line of its products ("FireCuda")? Its name, its initials. */
static bool is_name_of_brand(const char *alias, const char *brand)
{
	if (ca_string_equal_nocase(alias, brand) || ca_label_is_east_asian(alias))
		return true;
	for (; *alias; alias++) {
		if (*alias != (*brand | 0x20))
			return false;
		brand += strcspn(brand, " ");
		brand += strspn(brand, " ");
	}
	return !*brand;
}

/* "Western Digital ... WD Blue", a second name in another script: the same brand once more. */
static const char *eat_brand_again(const struct label_reader *reader, const char *word)
{
	const struct ca_spec_brand *brand = reader->claims->brand;
	const char *alias = brand ? brand->aliases : "", *end = NULL;

	if (reader->product == PRODUCT_NOT_YET || reader->product_start)
		return NULL;
	while (*alias && !end) {
		size_t len = strcspn(alias, ";");
		char name[64];

		if (len < sizeof(name)) {
			memcpy(name, alias, len);
			name[len] = '\0';
			end = is_name_of_brand(name, brand->brand) ? ca_label_eat(word, name)
								   : NULL;
		}
		alias += len;
		alias += strspn(alias, "; ");
	}
	return end;
}

static void add_model_size(struct label_reader *reader)
{
	struct ca_claim claim = {.kind = CA_CLAIM_CAPACITY, .source = reader->source};

	if (!reader->model_size ||
	    ca_claims_find(reader->claims, CA_CLAIM_CAPACITY, (int)reader->source) ||
	    !ca_label_eat_capacity(reader->model_size, &claim.value))
		return;
	(void)ca_claims_add(reader->claims, &claim,
			    reader->model_size, /* a full list keeps it out */
			    (size_t)(reader->model_size_end - reader->model_size));
}

static const char *take_brand(struct label_reader *reader)
{
	struct ca_claim claim = {.kind = CA_CLAIM_BRAND, .source = reader->source};

	(void)ca_claims_add(reader->claims, &claim, reader->brand_start, /* room is left for it */
			    (size_t)(reader->brand_end - reader->brand_start));
	reader->product = PRODUCT_OPEN;
	return reader->brand_end;
}

static const char *take_claim(struct label_reader *reader, const char *p)
{
	static const char *(*const matchers[])(const char *, struct ca_claims *,
					       enum ca_claim_source) = {
		ca_label_match_figure,
		ca_label_match_class,
		ca_label_match_interface,
		ca_label_match_capacity,
	};

	/* One more for a product that is still open, one for the brand. */
	if (reader->claims->count + LABEL_CLAIMS_AT_ONCE + 2 > CA_CLAIMS_MAX)
		return NULL;
	for (size_t i = 0; i < CA_ARRAY_LEN(matchers); i++) {
		const char *end = matchers[i](p, reader->claims, reader->source);

		if (end)
			return end;
	}
	return NULL;
}

static void find_brand(struct label_reader *reader, const char *label)
{
	size_t start, len;
	const struct ca_spec_brand *brand = ca_identity_find_brand(label, &start, &len);

	if (!brand)
		return;
	reader->claims->brand = brand;
	reader->brand_start = label + start;
	reader->brand_end = label + start + len;
}

static const char *take_word(struct label_reader *reader, const char *p)
{
	const char *end;

	if (p == reader->brand_start)
		return take_brand(reader);
	end = eat_brand_again(reader, p);
	if (end)
		return end;
	end = take_claim(reader, p);
	if (!end)
		return take_unknown_word(reader, p);
	close_product(reader);
	return end;
}

void ca_label_parse(const char *label, enum ca_claim_source source, bool with_brand,
		    struct ca_claims *claims)
{
	struct label_reader reader = {.claims = claims, .source = source};
	char plain[LABEL_BYTES_MAX + 1];
	const char *p = plain;

	ca_label_make_plain(label, plain, sizeof(plain));
	/* Not ca_text_init: what an earlier label left there stays. */
	reader.unknown.buf = claims->not_understood;
	reader.unknown.size = sizeof(claims->not_understood);
	reader.unknown.len = strlen(claims->not_understood);
	if (with_brand)
		find_brand(&reader, plain);
	for (;;) {
		reader.last_end = p;
		p = ca_label_skip_gap(p);
		if (!*p)
			break;
		count_brackets(&reader, reader.last_end, p);
		p = take_word(&reader, p);
	}
	close_product(&reader);
	add_model_size(&reader);
}

void ca_claims_parse_label(const char *label, struct ca_claims *claims)
{
	ca_label_parse(label, CA_SOURCE_LABEL, true, claims);
}
