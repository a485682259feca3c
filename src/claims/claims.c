/* SPDX-License-Identifier: BSD-2-Clause */
#include "label_internal.h"

#include <errno.h>
#include <string.h>

const char *ca_claim_source_name(enum ca_claim_source source)
{
	switch (source) {
	case CA_SOURCE_LABEL:
		return "label";
	case CA_SOURCE_OPTION:
		return "option";
	case CA_SOURCE_DEVICE:
		return "device";
	case CA_SOURCE_CID:
		return "cid";
	case CA_SOURCE_CSD:
		return "csd";
	case CA_SOURCE_SCR:
		return "scr";
	case CA_SOURCE_SSR:
		return "ssr";
	case CA_SOURCE_IDENTIFY:
		return "identify";
	}
	return "";
}

/* The name of a kind, or the letter before the number of a class. */
static const char *kind_name(enum ca_claim_kind kind)
{
	switch (kind) {
	case CA_CLAIM_BRAND:
		return "brand";
	case CA_CLAIM_PRODUCT:
		return "product";
	case CA_CLAIM_FORM_FACTOR:
		return "form-factor";
	case CA_CLAIM_CARD_TYPE:
		return "card-type";
	case CA_CLAIM_CAPACITY:
		return "capacity";
	case CA_CLAIM_RETENTION:
		return "retention";
	case CA_CLAIM_APP_CLASS:
		return "A";
	case CA_CLAIM_SPEED_CLASS:
		return "C";
	case CA_CLAIM_UHS_GRADE:
		return "U";
	case CA_CLAIM_VIDEO_CLASS:
		return "V";
	case CA_CLAIM_EXPRESS_CLASS:
		return "E";
	case CA_CLAIM_BUS:
		return "bus";
	case CA_CLAIM_SEQ_READ:
		return "sequential-read";
	case CA_CLAIM_SEQ_WRITE:
		return "sequential-write";
	case CA_CLAIM_RANDOM_READ:
		return "random-read";
	case CA_CLAIM_RANDOM_WRITE:
		return "random-write";
	}
	return "";
}

bool ca_claims_is_class(enum ca_claim_kind kind)
{
	return kind == CA_CLAIM_APP_CLASS || kind == CA_CLAIM_SPEED_CLASS ||
	       kind == CA_CLAIM_UHS_GRADE || kind == CA_CLAIM_VIDEO_CLASS ||
	       kind == CA_CLAIM_EXPRESS_CLASS;
}

bool ca_claims_has_class(enum ca_claim_kind kind, uint64_t value)
{
	/* S 4.13.1.1, 4.13.3.1, 4.13.4.1, 4.16.1, 8.1 */
	static const struct {
		enum ca_claim_kind kind;
		uint16_t values[6];
	} classes[] = {
		{CA_CLAIM_APP_CLASS, {1, 2}},
		{CA_CLAIM_SPEED_CLASS, {2, 4, 6, 10}},
		{CA_CLAIM_UHS_GRADE, {1, 3}},
		{CA_CLAIM_VIDEO_CLASS, {6, 10, 30, 60, 90}},
		{CA_CLAIM_EXPRESS_CLASS, {150, 300, 450, 600}},
	};

	if (value == 0)
		return false;
	for (size_t i = 0; i < CA_ARRAY_LEN(classes); i++)
		for (size_t j = 0; j < CA_ARRAY_LEN(classes[i].values); j++)
			if (classes[i].kind == kind && classes[i].values[j] == value)
				return true;
	return false;
}

void ca_claims_set_id(struct ca_claim *claim)
{
	struct ca_text id;

	ca_text_init(&id, claim->id, sizeof(claim->id));
	ca_text_add(&id, kind_name(claim->kind));
	if (ca_claims_is_class(claim->kind))
		ca_text_u64(&id, claim->value);
}

static bool is_same_claim(const struct ca_claim *a, const struct ca_claim *b)
{
	if (a->kind != b->kind || a->source != b->source || a->value != b->value ||
	    a->queue_depth != b->queue_depth)
		return false;
	/* Where the value says it all, "64GB" and "64 GB" are one claim. */
	return a->value != 0 || ca_string_equal_nocase(a->text, b->text);
}

size_t ca_claims_fit(const char *text, size_t len, size_t room)
{
	if (len <= room)
		return len;
	len = room;
	while (len > 0 && ((unsigned char)text[len] & 0xc0) == 0x80)
		len--;
	return len > 0 ? len : room; /* bytes of no character at all */
}

int ca_claims_add(struct ca_claims *claims, const struct ca_claim *claim, const char *text,
		  size_t len)
{
	struct ca_claim added = *claim;
	struct ca_text out;

	ca_text_init(&out, added.text, sizeof(added.text));
	ca_text_add_len(&out, text, ca_claims_fit(text, len, sizeof(added.text) - 1));
	ca_claims_set_id(&added);
	for (size_t i = 0; i < claims->count; i++)
		if (is_same_claim(&claims->claims[i], &added))
			return 0;
	if (claims->count == CA_CLAIMS_MAX)
		return -ENOSPC;
	claims->claims[claims->count++] = added;
	return 0;
}

const struct ca_claim *ca_claims_find(const struct ca_claims *claims, enum ca_claim_kind kind,
				      int source)
{
	for (size_t i = 0; i < claims->count; i++)
		if (claims->claims[i].kind == kind &&
		    (source < 0 || claims->claims[i].source == (enum ca_claim_source)source))
			return &claims->claims[i];
	return NULL;
}

bool ca_claims_is_first(const struct ca_claims *claims, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (strcmp(claims->claims[i].id, claims->claims[index].id) == 0)
			return false;
	return true;
}
