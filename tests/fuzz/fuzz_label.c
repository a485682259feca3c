/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/claims.h"
#include "fuzz.h"

#define LABEL_MAX 512U

/* Kinds whose text is the label's own words; the others have a canonical form. */
static bool is_quoted(enum ca_claim_kind kind)
{
	return kind != CA_CLAIM_FORM_FACTOR && kind != CA_CLAIM_CARD_TYPE && kind != CA_CLAIM_BUS;
}

/* Letters of full width and odd blanks are read as plain ones: no quote then. */
static bool is_plain(const char *label)
{
	for (; *label; label++)
		if (*label < ' ' || *label > '~')
			return false;
	return true;
}

static void check_claims(const struct ca_claims *claims, const char *label)
{
	FUZZ_CHECK(claims->count <= CA_CLAIMS_MAX);
	FUZZ_CHECK(memchr(claims->not_understood, '\0', sizeof(claims->not_understood)) != NULL);
	for (size_t i = 0; i < claims->count; i++) {
		const struct ca_claim *claim = &claims->claims[i];

		FUZZ_CHECK(memchr(claim->id, '\0', sizeof(claim->id)) != NULL && claim->id[0]);
		FUZZ_CHECK(memchr(claim->text, '\0', sizeof(claim->text)) != NULL &&
			   claim->text[0]);
		for (const char *p = claim->text; *p; p++)
			FUZZ_CHECK((unsigned char)*p >= ' ' && *p != 0x7f);
		if (is_quoted(claim->kind) && is_plain(label))
			FUZZ_CHECK(strstr(label, claim->text) != NULL);
		for (size_t j = 0; j < i; j++)
			FUZZ_CHECK(memcmp(claim, &claims->claims[j], sizeof(*claim)) != 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct ca_claims claims, again;
	char label[LABEL_MAX];
	size_t len = size < LABEL_MAX - 1 ? size : LABEL_MAX - 1;

	memcpy(label, data, len);
	label[len] = '\0';
	memset(&claims, 0, sizeof(claims));
	ca_claims_parse_label(label, &claims);
	check_claims(&claims, label);

	memset(&again, 0, sizeof(again));
	ca_claims_parse_label(label, &again);
	FUZZ_CHECK(memcmp(&claims, &again, sizeof(claims)) == 0);

	if (ca_claims_parse_option(label, &again) < 0)
		FUZZ_CHECK(memcmp(&claims, &again, sizeof(claims)) == 0);
	else
		FUZZ_CHECK(again.count >= claims.count && again.count <= claims.count + 1);
	return 0;
}
