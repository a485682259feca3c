/* SPDX-License-Identifier: BSD-2-Clause */
/* What the two halves of CAPACITY share: rule_capacity.c judges the fill, rule_probe.c the probe.
 */
#ifndef CA_JUDGE_CAPACITY_H
#define CA_JUDGE_CAPACITY_H

#include "judge_speed.h"

/* A label may exceed the announced size by this much before it is plainly of another size. */
#define CA_JUDGE_LABEL_PPM_FAIL 900000U
#define CA_JUDGE_LABEL_PPM_LOW	960000U

const char *ca_judge_kind_text(enum ca_capacity_kind kind);
/* May a reader stand before the card, whose addresses end earlier than the card's? */
bool ca_judge_may_be_reader(const struct ca_device_facts *device);
void ca_judge_say_capacity(const struct ca_judge_case *c, struct ca_judge_draft *draft);
/* The capacity finding where only the probe was run. */
void ca_judge_probe(const struct ca_judge_case *c, struct ca_judge_sink *sink);

#endif
