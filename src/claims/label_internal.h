/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the files of the claims room share; nobody else includes it.
 *
 * Reading a label: at the start of each word the matchers are tried in turn. A matcher appends its
 * claims and returns the end of what it understood, or NULL and appends nothing.
 */
#ifndef CA_LABEL_INTERNAL_H
#define CA_LABEL_INTERNAL_H

#include "cardassay/claims.h"

/* A matcher makes at most this many claims of one place. */
#define LABEL_CLAIMS_AT_ONCE 3U

/* ---- claims.c ---- */

/*
 * Appends a claim whose text is text[0 .. len). The same claim by the same source is made once.
 * -ENOSPC.
 */
int ca_claims_add(struct ca_claims *claims, const struct ca_claim *claim, const char *text,
		  size_t len);
/* How much of text[0 .. len) fits into `room` bytes without cutting a UTF-8 character in two. */
size_t ca_claims_fit(const char *text, size_t len, size_t room);
/* The short name of a claim, "V30" or "capacity", from kind and value. */
void ca_claims_set_id(struct ca_claim *claim);
bool ca_claims_is_class(enum ca_claim_kind kind);
/* True for a value that the SD rules define for a class: 6 for V, not 7. */
bool ca_claims_has_class(enum ca_claim_kind kind, uint64_t value);

/* ---- label_plain.c ---- */

/*
 * Copies a label with full-width letters, odd blanks, dashes and quotes as plain ones (but U+202F
 * for a hard blank between digits), without control characters, footnote marks and signs of no
 * width, and U+FFFD for bytes that are no UTF-8. What does not fit in `size` is cut between
 * characters.
 */
void ca_label_make_plain(const char *label, char *ret_plain, size_t size);

/* ---- label_words.c ---- */

static inline bool ca_label_is_digit(char c)
{
	return c >= '0' && c <= '9';
}
bool ca_label_is_alnum(char c);			/* ASCII letters and digits */
const char *ca_label_skip_blank(const char *p); /* spaces, no-break spaces, (R) and (TM) signs */
const char *ca_label_skip_gap(const char *p);	/* blanks and punctuation between words */
const char *ca_label_word_end(const char *p);	/* where the word at p ends */
/* Chinese, Japanese and Korean letters: written without blanks, they end a Latin word. */
bool ca_label_is_east_asian(const char *p);
bool ca_label_is_word_end(const char *p); /* true when no word goes on at p */
/*
 * End of `phrase` at p as whole words, case-insensitive, or NULL. In a phrase ' ' stands for one or
 * more blanks or hyphens, '_' for any number of them, also none. ca_label_eat_prefix does not ask
 * for the end of a word.
 */
const char *ca_label_eat(const char *p, const char *phrase);
const char *ca_label_eat_prefix(const char *p, const char *phrase);

/* ---- label_number.c ---- */

/* A number as written: 0,5  1.600  40,000  1,024.5 */
struct label_number {
	uint64_t digits;       /* all of them, separators left out */
	unsigned int decimals; /* how many stand after the last separator, read as a decimal sign */
	bool maybe_thousands;  /* one separator before exactly three digits: 1.600 */
};
const char *ca_label_eat_number(const char *p, struct label_number *ret_number);
/*
 * number x scale. `decimal`: three digits after one separator are decimals ("1.024 TB"), else
 * thousands ("1.600 MB/s"). False when it does not fit or is 0.
 */
bool ca_label_number_scale(const struct label_number *number, uint64_t scale, bool decimal,
			   uint64_t *ret_value);
/* "128GB", "0,5 TB", "64 Go": a number and a unit of size. */
const char *ca_label_match_capacity(const char *p, struct ca_claims *claims,
				    enum ca_claim_source source);
/* The end of such a size, NULL when there is none; makes no claim. */
const char *ca_label_eat_capacity(const char *p, uint64_t *ret_bytes);

/* ---- label_figure.c ---- */

/* "up to 200MB/s", "read 100MB/s", "4K random 40,000/70,000 IOPS @QD32" */
const char *ca_label_match_figure(const char *p, struct ca_claims *claims,
				  enum ca_claim_source source);

/* End of a figure that says too little to be a claim beside those made ("random read 50MB/s"), else
 * NULL: its words belong together and none of them is a claim alone. */
const char *ca_label_eat_ambiguous_figure(const char *p, const struct ca_claims *claims,
					  enum ca_claim_source source);

/* ---- label_aside.c ---- */

/*
 * End of what does not speak of this card: the limit of a phone ("up to 2TB"), an adapter or
 * reader, a plug or a card of another kind ("USB 3.2 Gen 2", "CFexpress Type B"), how many are in
 * the pack; NULL when there is none.
 */
const char *ca_label_eat_aside(const char *p);
/* Words that say nothing of which product it is. */
bool ca_label_is_generic_word(const char *word);
/* "with", "for", "+": what follows is something else than the product. */
bool ca_label_ends_product(const char *word);

/* ---- label_class.c ---- */

/* "A2", "U3", "Class 10", "Video Speed Class 30" */
const char *ca_label_match_class(const char *p, struct ca_claims *claims,
				 enum ca_claim_source source);

/* ---- label_interface.c ---- */

/* "microSDXC", "UHS-I", "UHS-I Class 3", "NVMe", "PCIe 4.0 x4", "M.2 2280", "SSD" */
const char *ca_label_match_interface(const char *p, struct ca_claims *claims,
				     enum ca_claim_source source);

/* Reads `label` as made by `source`; `with_brand`: look for a brand and a product line too. */
void ca_label_parse(const char *label, enum ca_claim_source source, bool with_brand,
		    struct ca_claims *claims);

#endif
