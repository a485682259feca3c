/* SPDX-License-Identifier: BSD-2-Clause */
/* What holds of every certificate, however hostile the evidence in it. */
#ifndef CA_TESTS_CERTIFICATE_CHECKS_H
#define CA_TESTS_CERTIFICATE_CHECKS_H

#include "fuzz.h"

#include "cardassay/certificate.h"

#include <errno.h>

static inline void check_views(const struct ca_certificate *certificate)
{
	const struct ca_view_options all = {.all = true, .columns = 60}, brief = {0};
	char *text;
	size_t len;

	FUZZ_CHECK(ca_certificate_to_text(certificate, &all, &text) == 0);
	fuzz_check_shown(text);
	free(text);
	FUZZ_CHECK(ca_certificate_to_text(certificate, &brief, &text) == 0);
	fuzz_check_shown(text);
	free(text);
	FUZZ_CHECK(ca_certificate_inspect_text(certificate, &all, &text) == 0);
	fuzz_check_shown(text);
	free(text);
	FUZZ_CHECK(ca_certificate_to_json(certificate, true, &text, &len) == 0);
	FUZZ_CHECK(strlen(text) == len);
	fuzz_check_shown(text);
	free(text);
}

/* malloc'ed, with its length */
static inline char *write_json(const struct ca_certificate *certificate, size_t *ret_len)
{
	char *text;

	FUZZ_CHECK(ca_certificate_to_json(certificate, false, &text, ret_len) == 0);
	return text;
}

/* What is written is read again, and then stays as it is. The copy is the caller's. */
static inline struct ca_certificate *check_round_trip(const struct ca_certificate *certificate)
{
	struct ca_certificate *again = malloc(sizeof(*again));
	struct ca_error error = {0};
	size_t len, again_len, unknown;
	char *first = write_json(certificate, &len), *second;

	FUZZ_CHECK(again != NULL);
	if (ca_certificate_from_json(first, len, again, &unknown, &error) < 0)
		(void)fprintf(stderr, "what was written is not read: %s\n", error.text);
	FUZZ_CHECK(error.code == 0 && unknown == 0);
	second = write_json(again, &again_len);
	FUZZ_CHECK(len == again_len && memcmp(first, second, len) == 0);
	free(first);
	free(second);
	return again;
}

/* Missing evidence is never a pass (E4), and nothing that is not in scope passes for it. */
static inline void check_verdict(const struct ca_certificate *certificate)
{
	const struct ca_judgement *judgement = &certificate->judgement;
	const struct ca_capacity_evidence *capacity = &certificate->evidence.capacity;
	enum ca_verdict verdict = ca_judgement_claim_verdict(judgement, "capacity");

	FUZZ_CHECK(verdict != CA_VERDICT_PASS ||
		   (capacity->end == CA_FILL_COMPLETE && capacity->announced_bytes > 0 &&
		    capacity->written_bytes == capacity->announced_bytes &&
		    capacity->verified_bytes == capacity->announced_bytes &&
		    capacity->good_bytes == capacity->announced_bytes));
	for (size_t i = 0; i < judgement->scope_count && judgement->verdict == CA_VERDICT_PASS; i++)
		FUZZ_CHECK(ca_judgement_claim_verdict(judgement, judgement->scope[i]) ==
			   CA_VERDICT_PASS);
	FUZZ_CHECK(judgement->verdict != CA_VERDICT_PASS || judgement->scope_count > 0);
}

/*
 * Judges; false when a --claim in it cannot be understood. Judged twice the bytes are the same, and
 * judged again from what was written the findings are the same.
 */
static inline bool check_judging(struct ca_certificate *certificate)
{
	int r = ca_certificate_judge(certificate, NULL);
	size_t len, again_len;
	struct ca_certificate *again;
	char *first, *second;
	bool same;

	FUZZ_CHECK(r == 0 || r == -EINVAL);
	if (r < 0)
		return false;
	check_verdict(certificate);
	first = write_json(certificate, &len);
	FUZZ_CHECK(ca_certificate_judge(certificate, NULL) == 0);
	second = write_json(certificate, &again_len);
	FUZZ_CHECK(len == again_len && memcmp(first, second, len) == 0);
	again = check_round_trip(certificate);
	FUZZ_CHECK(ca_certificate_judge(again, NULL) == 0);
	FUZZ_CHECK(ca_judgement_is_same(&certificate->judgement, &again->judgement));
	FUZZ_CHECK(ca_certificate_repeats(first, len, again, &same) == 0 && same);
	ca_certificate_done(again);
	free(again);
	free(first);
	free(second);
	return true;
}

#endif
