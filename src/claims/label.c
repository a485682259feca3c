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
	struct ca_text unknown;
};

static void close_product(struct label_reader *reader)
{
	struct ca_claim claim = {.kind = CA_CLAIM_PRODUCT, .source = reader->source};

	if (reader->product != PRODUCT_OPEN || !reader->product_start)
		return;
	reader->product = PRODUCT_CLOSED;
	(void)ca_claims_add(reader->claims, &claim, reader->product_start, /* room is left for it */
			    (size_t)(reader->product_end - reader->product_start));
}

/* Words that say nothing of which product it is. */
static bool is_generic_word(const char *word)
{
	static const char *const words[] = {
		"card",	    "cards",   "memory", "flash",   "drive",   "disk",	  "new",
		"original", "genuine", "with",	 "for",	    "and",     "the",	  "carte",
		"karte",    "tarjeta", "scheda", "ram",	    "adapter", "storage", "speicherkarte",
		"kit",	    "class",   "classe", "adaptor", "up",      "mit",	  "avec",
		"con",	    "met",     "to",
	};

	for (size_t i = 0; i < CA_ARRAY_LEN(words); i++)
		if (ca_label_eat(word, words[i]))
			return true;
	return false;
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

/* True when only blanks part the word from the product run so far. */
static bool goes_on_with_product(const struct label_reader *reader, const char *word,
				 const char *end)
{
	if (reader->product != PRODUCT_OPEN || is_generic_word(word))
		return false;
	if (!reader->product_start)
		return true;
	return ca_label_skip_blank(reader->product_end) == word &&
	       (size_t)(end - reader->product_start) < sizeof(reader->claims->claims[0].text);
}

/*
 * What does not speak of this card: the limit of a reader or phone ("up to 2TB"), the form of an
 * adapter in languages that put it last.
 */
static const char *eat_aside(const char *word)
{
	static const char *const limits[] = {
		"up_to ", "supports ", "supports up to ", "bis zu ",  "jusqu'\xc3\xa0 ", "jusqu'a ",
		"hasta ", "fino a ",   "at\xc3\xa9 ",	  "maximum ", "max. ",		 "max "};
	static const char *const adapters[] = {"adaptateur sd", "adaptador sd", "adaptador de sd",
					       "adattatore sd", "adapter sd"};
	const char *end = NULL;
	uint64_t ignored;

	for (size_t i = 0; i < CA_ARRAY_LEN(limits) && !end; i++) {
		end = ca_label_eat_prefix(word, limits[i]);
		end = end ? ca_label_eat_capacity(end, &ignored) : NULL;
	}
	for (size_t i = 0; i < CA_ARRAY_LEN(adapters) && !end; i++)
		end = ca_label_eat(word, adapters[i]);
	return end;
}

static const char *take_unknown_word(struct label_reader *reader, const char *word)
{
	const char *end = ca_label_eat_ambiguous_figure(word);

	if (!end)
		end = eat_aside(word);

	if (end) {
		close_product(reader);
		add_unknown(reader, word, end);
		return end;
	}
	end = ca_label_word_end(word);
	if (end[0] == '/' && end[1] == 's' && ca_label_is_word_end(end + 2))
		end += 2; /* "6Gb/s" is one word */
	if (reader->brand_start > word && reader->brand_start < end)
		end = reader->brand_start;
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

void ca_label_parse(const char *label, enum ca_claim_source source, bool with_brand,
		    struct ca_claims *claims)
{
	struct label_reader reader = {.claims = claims, .source = source};
	const char *p = label;

	/* Not ca_text_init: what an earlier label left there stays. */
	reader.unknown.buf = claims->not_understood;
	reader.unknown.size = sizeof(claims->not_understood);
	reader.unknown.len = strlen(claims->not_understood);
	if (with_brand)
		find_brand(&reader, label);
	for (;;) {
		const char *end;

		p = ca_label_skip_gap(p);
		if (!*p)
			break;
		if (p == reader.brand_start) {
			p = take_brand(&reader);
			continue;
		}
		end = take_claim(&reader, p);
		if (end)
			close_product(&reader);
		p = end ? end : take_unknown_word(&reader, p);
	}
	close_product(&reader);
}

void ca_claims_parse_label(const char *label, struct ca_claims *claims)
{
	ca_label_parse(label, CA_SOURCE_LABEL, true, claims);
}
