/* SPDX-License-Identifier: BSD-2-Clause */
/* judge_scope: from drafts to scope, verdict, order and headline. Internal. */
#ifndef CA_JUDGE_SCOPE_H
#define CA_JUDGE_SCOPE_H

#include "judge_rule.h"

/* True for outcomes of claims, false for warnings and notes. */
bool ca_judge_is_outcome(enum ca_verdict verdict);
/* Which claims decide under this profile (docs/ARCHITECTURE.md). */
void ca_judge_scope(const struct ca_judge_case *c, const struct ca_judge_sink *sink,
		    struct ca_judgement *judgement);
/* fail if any claim failed; else the worst of the scope, where untested counts as inconclusive. */
enum ca_verdict ca_judge_verdict(const struct ca_judge_case *c, const struct ca_judge_sink *sink,
				 const struct ca_judgement *judgement);
/* Claims in scope, other claims, warnings, notes; each with the most severe first. */
void ca_judge_sort(struct ca_judge_sink *sink, const struct ca_judgement *judgement);
/* One sentence or a few for the top of the certificate; judgement->verdict is set. */
void ca_judge_headline(const struct ca_judge_case *c, const struct ca_judge_sink *sink,
		       struct ca_judgement *judgement);

#endif
