/* SPDX-License-Identifier: BSD-2-Clause */
/* What a label says, as one line of words, for tests that compare it. */
#ifndef CA_TEST_LABEL_WORDS_H
#define CA_TEST_LABEL_WORDS_H

#include "cardassay/claims.h"

/*
 * "id=value" for numbers, "id@depth=value" where a queue depth is stated, "id:text" for words;
 * parted by blanks, in the order of the claims.
 */
static inline void label_words(const struct ca_claims *claims, struct ca_text *text)
{
	for (size_t i = 0; i < claims->count; i++) {
		const struct ca_claim *claim = &claims->claims[i];

		ca_text_add(text, i ? " " : "");
		ca_text_add(text, claim->id);
		if (claim->queue_depth) {
			ca_text_add(text, "@");
			ca_text_u64(text, claim->queue_depth);
		}
		if (claim->value && claim->kind != CA_CLAIM_CARD_TYPE) {
			ca_text_add(text, "=");
			ca_text_u64(text, claim->value);
		} else {
			ca_text_add(text, ":");
			ca_text_add(text, claim->text);
		}
	}
}

#endif
