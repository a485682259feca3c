/* SPDX-License-Identifier: BSD-2-Clause */
/* A case for the judge's tests: a genuine 64 GB A2 card in a good slot, to be spoilt by each test.
 */
#ifndef CA_TEST_JUDGE_CASE_H
#define CA_TEST_JUDGE_CASE_H

#include "cardassay/judge.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOOD_LABEL "Kingston 64GB A2 V30 U3 C10"

struct judge_case {
	struct ca_evidence evidence;
	struct ca_judge_request request;
	struct ca_judgement judgement;
};

static inline void set_register(struct ca_evidence *evidence, enum ca_register reg, const char *hex)
{
	size_t len;

	ck_assert_int_eq(ca_hex_decode(hex, strlen(hex),
				       ca_register_data_mutable(&evidence->registers, reg),
				       ca_register_bytes(reg), &len),
			 0);
	evidence->registers.has[reg] = true;
}

static inline void set_fact(struct ca_evidence *evidence, enum ca_host_fact which, int64_t number,
			    const char *text)
{
	struct ca_fact *fact = &evidence->host[which];

	fact->present = true;
	fact->number = number;
	(void)ca_string_copy(fact->text, sizeof(fact->text), text);
}

/* Nothing but a device of 64 GB whose registers are hidden. */
static inline void case_bare(struct judge_case *t)
{
	memset(t, 0, sizeof(*t));
	t->evidence.collected_at = UINT64_C(1768435200); /* 2026-01-15 */
	t->evidence.clock_trusted = true;
	t->evidence.origin = CA_ORIGIN_LIVE;
	t->evidence.device.bytes = UINT64_C(62226694144);
	t->evidence.device.sector_bytes = 512;
	t->request.evidence = &t->evidence;
	t->request.label = "";
	t->request.profile = CA_PROFILE_INSPECT;
}

static inline void case_good(struct judge_case *t)
{
	struct ca_evidence *e = &t->evidence;

	case_bare(t);
	e->device.media = CA_MEDIA_SD;
	(void)ca_string_copy(e->device.bus, sizeof(e->device.bus), "mmc");
	e->registers.type = CA_CARD_TYPE_SD;
	set_register(e, CA_REGISTER_CID, "9f54495344363447614b1004af017400");
	set_register(e, CA_REGISTER_CSD, "400e00325b590001cf9f7f800a400000");
	set_register(e, CA_REGISTER_SCR, "0205848701006432");
	set_register(
		e, CA_REGISTER_SSR,
		"000000000800000004009000011b391e000800000002ff00030000000000000000000000000000"
		"00000000000000000000000000000000000000000000000000");
	t->request.label = GOOD_LABEL;
}

/* A slot in which the rule's conditions hold. */
static inline void case_good_host(struct judge_case *t)
{
	struct ca_evidence *e = &t->evidence;

	set_fact(e, CA_HOST_BUS_TIMING, 6, "sd uhs SDR104");
	set_fact(e, CA_HOST_BUS_CLOCK_HZ, 200000000, "200000000 Hz");
	set_fact(e, CA_HOST_BUS_WIDTH, 4, "4 bits");
	set_fact(e, CA_HOST_POWER_LIMIT_MW, 1440, "1.44 W");
	set_fact(e, CA_HOST_MAX_REQUEST_BYTES, 4 << 20, "4096 KiB");
	set_fact(e, CA_HOST_CPU_GOVERNOR, 0, "performance");
	set_fact(e, CA_HOST_THROTTLED, 0, "0x0");
	e->speed.erased_before = CA_YES;
	e->speed.cache_on = CA_NO;
	e->speed.command_queue_on = CA_NO;
	e->speed.bypass_page_cache = CA_YES;
}

/* The CRC is that of a host which strips it, unless a test sets one. */
static inline void set_bits(struct judge_case *t, enum ca_register reg, unsigned int msb,
			    unsigned int lsb, uint64_t value)
{
	ca_bits_set(ca_register_data_mutable(&t->evidence.registers, reg), ca_register_bytes(reg),
		    msb, lsb, value);
}

static inline void case_judge(struct judge_case *t)
{
	ck_assert_int_eq(ca_judge_run(&t->request, &t->judgement), 0);
}

static inline void case_done(struct judge_case *t)
{
	ca_judgement_done(&t->judgement);
}

static inline const struct ca_finding *find_rule(const struct judge_case *t, const char *rule)
{
	for (size_t i = 0; i < t->judgement.finding_count; i++)
		if (strcmp(t->judgement.findings[i].rule->id, rule) == 0)
			return &t->judgement.findings[i];
	return NULL;
}

static inline const struct ca_finding *find_claim(const struct judge_case *t, const char *claim)
{
	for (size_t i = 0; i < t->judgement.finding_count; i++) {
		const struct ca_finding *finding = &t->judgement.findings[i];

		if (strcmp(finding->claim, claim) == 0 && finding->verdict != CA_VERDICT_WARNING &&
		    finding->verdict != CA_VERDICT_NOTE)
			return finding;
	}
	return NULL;
}

/* "none" or the name of the verdict with which a rule spoke. */
static inline const char *rule_verdict(const struct judge_case *t, const char *rule)
{
	const struct ca_finding *finding = find_rule(t, rule);

	return finding ? ca_verdict_name(finding->verdict) : "none";
}

static inline const char *claim_verdict(const struct judge_case *t, const char *claim)
{
	const struct ca_finding *finding = find_claim(t, claim);

	return finding ? ca_verdict_name(finding->verdict) : "none";
}

/* One row: spoil some bits of the good card and see what one rule says. */
struct bits_case {
	const char *rule, *expected, *label; /* label NULL: the good one */
	struct {
		enum ca_register reg;
		unsigned int msb, lsb;
		uint64_t value;
	} set[5];
	unsigned int count;
};

static inline void check_bits_case(const struct bits_case *row)
{
	struct judge_case t;

	case_good(&t);
	if (row->label)
		t.request.label = row->label;
	for (unsigned int i = 0; i < row->count; i++)
		set_bits(&t, row->set[i].reg, row->set[i].msb, row->set[i].lsb, row->set[i].value);
	if (strcmp(row->rule, "X-SIZE") != 0) {
		struct ca_csd csd;

		/* the device follows the CSD, as it does in Linux */
		if (ca_csd_decode(CA_CARD_TYPE_SD, t.evidence.registers.csd, CA_CSD_BYTES, &csd) ==
		    0)
			t.evidence.device.bytes = csd.capacity_bytes;
	}
	case_judge(&t);
	ck_assert_msg(strcmp(rule_verdict(&t, row->rule), row->expected) == 0,
		      "%s: %s, expected %s (%s)", row->rule, rule_verdict(&t, row->rule),
		      row->expected, row->count ? "bits set" : "unchanged");
	case_done(&t);
}

/* None of these rules says anything about the good card, nor without registers. */
static inline void check_rules_silent(const char *const *rules, size_t count)
{
	static struct judge_case good, bare; /* too large for one frame */

	case_good(&good);
	case_bare(&bare);
	case_judge(&good);
	case_judge(&bare);
	for (size_t i = 0; i < count; i++) {
		ck_assert_msg(!find_rule(&good, rules[i]), "%s fires on the good card", rules[i]);
		ck_assert_msg(!find_rule(&bare, rules[i]), "%s fires without registers", rules[i]);
	}
	case_done(&good);
	case_done(&bare);
}

static inline int run_suite(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	int failed;

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
