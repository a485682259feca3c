/* SPDX-License-Identifier: BSD-2-Clause */
#include "label_internal.h"

#include <errno.h>
#include <string.h>

enum option_value {
	OPTION_TEXT,
	OPTION_CAPACITY,
	OPTION_CLASS,
	OPTION_RATE,
	OPTION_IOPS,
	OPTION_CARD_TYPE,
	OPTION_BUS,
	OPTION_FORM,
};

struct option_key {
	const char *key;
	enum ca_claim_kind kind; /* not of a class, whose value says it */
	enum option_value value;
};

static const struct option_key option_keys[] = {
	{"brand", CA_CLAIM_BRAND, OPTION_TEXT},
	{"product", CA_CLAIM_PRODUCT, OPTION_TEXT},
	{"form-factor", CA_CLAIM_FORM_FACTOR, OPTION_FORM},
	{"card-type", CA_CLAIM_CARD_TYPE, OPTION_CARD_TYPE},
	{"bus", CA_CLAIM_BUS, OPTION_BUS},
	{"capacity", CA_CLAIM_CAPACITY, OPTION_CAPACITY},
	{"class", CA_CLAIM_APP_CLASS, OPTION_CLASS},
	{"sequential-read", CA_CLAIM_SEQ_READ, OPTION_RATE},
	{"sequential-write", CA_CLAIM_SEQ_WRITE, OPTION_RATE},
	{"random-read", CA_CLAIM_RANDOM_READ, OPTION_IOPS},
	{"random-write", CA_CLAIM_RANDOM_WRITE, OPTION_IOPS},
};

/* True when the label parser made a claim that answers the key. */
static bool answers(const struct option_key *key, const struct ca_claim *claim)
{
	switch (key->value) {
	case OPTION_TEXT:
		return false;
	case OPTION_CLASS:
		return ca_claims_is_class(claim->kind);
	case OPTION_RATE:
		return claim->kind == CA_CLAIM_SEQ_READ || claim->kind == CA_CLAIM_SEQ_WRITE;
	case OPTION_IOPS:
		return claim->kind == CA_CLAIM_RANDOM_READ || claim->kind == CA_CLAIM_RANDOM_WRITE;
	case OPTION_CAPACITY:
	case OPTION_CARD_TYPE:
	case OPTION_BUS:
	case OPTION_FORM:
		return claim->kind == key->kind;
	}
	return false;
}

static int add_text_option(const struct option_key *key, const char *value,
			   struct ca_claims *claims)
{
	struct ca_claim claim = {.kind = key->kind, .source = CA_SOURCE_OPTION};
	size_t len = strlen(value);
	int r;

	if (len == 0)
		return -EBADMSG;
	if (len >= sizeof(claim.text))
		return -ERANGE;
	r = ca_claims_add(claims, &claim, value, len);
	if (r == 0 && key->kind == CA_CLAIM_BRAND)
		claims->brand = ca_identity_find_brand(value, NULL, NULL);
	return r;
}

/* A value that is a number too large or zero, rather than no value at all. */
static bool is_out_of_range(const char *value)
{
	size_t digits = strspn(value, "0123456789");
	bool zero = digits && strspn(value, "0") == digits && value[digits] != '.' &&
		    value[digits] != ',';

	return zero || digits > 15;
}

int ca_claims_parse_option(const char *option, struct ca_claims *claims)
{
	const char *equals = strchr(option, '=');
	const struct option_key *key = NULL;
	struct ca_claims read = {0};
	struct ca_claim claim = {0};
	size_t key_len;

	if (!equals)
		return -EINVAL;
	key_len = (size_t)(equals - option);
	for (size_t i = 0; i < CA_ARRAY_LEN(option_keys) && !key; i++)
		if (strlen(option_keys[i].key) == key_len &&
		    strncmp(option_keys[i].key, option, key_len) == 0)
			key = &option_keys[i];
	if (!key)
		return -EINVAL;
	if (key->value == OPTION_TEXT)
		return add_text_option(key, equals + 1, claims);

	ca_label_parse(equals + 1, CA_SOURCE_OPTION, false, &read);
	for (size_t i = 0; i < read.count && !claim.id[0]; i++)
		if (answers(key, &read.claims[i]))
			claim = read.claims[i];
	if (!claim.id[0] || read.not_understood[0])
		return is_out_of_range(equals + 1) ? -ERANGE : -EBADMSG;
	if (key->value != OPTION_CLASS)
		claim.kind = key->kind;
	return ca_claims_add(claims, &claim, claim.text, strlen(claim.text));
}
