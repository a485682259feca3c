/* SPDX-License-Identifier: BSD-2-Clause */
#include "label_internal.h"

static bool family_of_letter(char letter, enum ca_claim_kind *ret_kind)
{
	switch (letter) {
	case 'a':
	case 'A':
		*ret_kind = CA_CLAIM_APP_CLASS;
		return true;
	case 'c':
	case 'C':
		*ret_kind = CA_CLAIM_SPEED_CLASS;
		return true;
	case 'u':
	case 'U':
		*ret_kind = CA_CLAIM_UHS_GRADE;
		return true;
	case 'v':
	case 'V':
		*ret_kind = CA_CLAIM_VIDEO_CLASS;
		return true;
	case 'e':
	case 'E':
		*ret_kind = CA_CLAIM_EXPRESS_CLASS;
		return true;
	default:
		return false;
	}
}

/* "10" or "C10": where the number of a class starts, NULL when there is none. */
static const char *find_class_number(const char *p, enum ca_claim_kind *kind)
{
	if (ca_label_is_digit(p[0]))
		return p;
	return family_of_letter(p[0], kind) && ca_label_is_digit(p[1]) ? p + 1 : NULL;
}

/*
 * The written-out forms, up to the number; '_' stands for an optional blank or hyphen. A letter
 * before the number has the last word on the family: "Class A2".
 */
static const char *eat_class_words(const char *p, enum ca_claim_kind *ret_kind)
{
	static const struct {
		const char *words;
		enum ca_claim_kind kind;
	} forms[] = {
		{"application performance class_", CA_CLAIM_APP_CLASS},
		{"app performance class_", CA_CLAIM_APP_CLASS},
		{"application class_", CA_CLAIM_APP_CLASS},
		{"app class_", CA_CLAIM_APP_CLASS},
		{"video speed class_", CA_CLAIM_VIDEO_CLASS},
		{"video class_", CA_CLAIM_VIDEO_CLASS},
		{"uhs speed class_", CA_CLAIM_UHS_GRADE},
		{"uhs speed grade_", CA_CLAIM_UHS_GRADE},
		{"uhs class_", CA_CLAIM_UHS_GRADE},
		{"uhs grade_", CA_CLAIM_UHS_GRADE},
		{"sd express speed class_", CA_CLAIM_EXPRESS_CLASS},
		{"express speed class_", CA_CLAIM_EXPRESS_CLASS},
		{"speed class_", CA_CLAIM_SPEED_CLASS},
		{"classe_", CA_CLAIM_SPEED_CLASS}, /* before "class", whose E would follow */
		{"class_", CA_CLAIM_SPEED_CLASS},
		{"klasse_", CA_CLAIM_SPEED_CLASS},
		{"clase_", CA_CLAIM_SPEED_CLASS},
		{"klasa_", CA_CLAIM_SPEED_CLASS},
		{"klass_", CA_CLAIM_SPEED_CLASS},
		{"\xd0\xba\xd0\xbb\xd0\xb0\xd1\x81\xd1\x81_", CA_CLAIM_SPEED_CLASS},
		{"\xe3\x82\xaf\xe3\x83\xa9\xe3\x82\xb9_", CA_CLAIM_SPEED_CLASS},
		{"cl_", CA_CLAIM_SPEED_CLASS},
	};

	for (size_t i = 0; i < CA_ARRAY_LEN(forms); i++) {
		enum ca_claim_kind kind = forms[i].kind;
		const char *end = ca_label_eat_prefix(p, forms[i].words);

		end = end ? find_class_number(end, &kind) : NULL;
		if (end) {
			*ret_kind = kind;
			return end;
		}
	}
	return NULL;
}

/* Bytes per second that a class means, 0 = it means IOPS (S 4.13, 8.4). */
static uint64_t class_rate(const struct ca_claim *claim)
{
	uint64_t unit = claim->kind == CA_CLAIM_UHS_GRADE ? 10000000 : 1000000;

	return claim->kind == CA_CLAIM_APP_CLASS ? 0 : claim->value * unit;
}

/* "U3 (30MB/s)": the class in other words, and no figure of the card. */
static const char *eat_own_rate(const char *p, const struct ca_claim *claim)
{
	struct ca_claims own = {0};
	const char *open = ca_label_skip_blank(p), *end;

	if (*open != '(')
		return p;
	end = ca_label_match_figure(ca_label_skip_gap(open), &own, claim->source);
	if (end && ca_label_eat(end, " min"))
		end = ca_label_eat(end, " min");
	if (!end || *end != ')' || own.count != 1 || own.claims[0].value != class_rate(claim))
		return p;
	return end + 1;
}

const char *ca_label_match_class(const char *p, struct ca_claims *claims,
				 enum ca_claim_source source)
{
	struct ca_claim claim = {.source = source};
	const char *start = p, *digits, *end;

	digits = eat_class_words(p, &claim.kind);
	if (!digits && !ca_label_is_digit(*p))
		digits = find_class_number(p, &claim.kind);
	if (!digits || *digits == '0')
		return NULL;
	/* Three digits are the longest number of a class. */
	for (end = digits; ca_label_is_digit(*end) && end < digits + 4; end++)
		claim.value = claim.value * 10 + (uint64_t)(*end - '0');
	if (!ca_label_is_word_end(end) || !ca_claims_has_class(claim.kind, claim.value))
		return NULL;
	(void)ca_claims_add(claims, &claim, start,
			    (size_t)(end - start)); /* the caller left room */
	return eat_own_rate(end, &claim);
}
