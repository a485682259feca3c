/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge_case.h"
#include "vendor_page.h"

static struct judge_case t;
static uint8_t page[CA_VENDOR_BYTES];

/* The row of specs/vendor_health.tsv with this signature. */
static const struct ca_vendor_query *query_of(uint16_t signature)
{
	for (size_t i = 0; i < ca_vendor_queries_count; i++)
		if (ca_vendor_queries[i].signature == signature)
			return &ca_vendor_queries[i];
	ck_abort_msg("no signature %04x", signature);
	return NULL;
}

/* A card of this MID and OID that gives a healthy page. */
static const struct ca_vendor_query *begin(uint16_t signature, uint8_t mid, uint16_t oid)
{
	const struct ca_vendor_query *query = query_of(signature);

	case_good(&t);
	set_bits(&t, CA_REGISTER_CID, 127, 120, mid);
	set_bits(&t, CA_REGISTER_CID, 119, 104, oid);
	page_make(query, page);
	return query;
}

static void judge_page(const struct ca_vendor_query *query)
{
	ck_assert(ca_vendor_add(&t.evidence.vendor, query->argument, CA_VENDOR_ANSWER, page));
	case_judge(&t);
}

static const char *found(const char *rule)
{
	const struct ca_finding *finding = find_rule(&t, rule);

	return finding ? finding->found : "";
}

/* ---- who made it ---------------------------------------------------------------------------- */

static const struct {
	uint16_t signature;
	uint8_t mid;
	uint16_t oid;
	const char *verdict, *words;
} makers[] = {
	{0x4453, 0x03, 0x5344, "note", "registers name it too"},
	{0x4457, 0x03, 0x5344, "note", "SanDisk (Western Digital), and the registers"},
	{0x7058, 0xad, 0x4c53, "note", "Longsys, and the registers name it too"},
	{0x5377, 0x5d, 0x5342, "note", "Swissbit, and"},
	{0x7058, 0x03, 0x5344, "warning", "Longsys, but the registers name SanDisk"},
	{0x4453, 0x1b, 0x534d, "warning", "but the registers name Samsung"},
	{0x4d45, 0x5d, 0x5342, "warning", "Micron, but the registers name Swissbit"},
	{0x4d45, 0xf1, 0x7777, "note", "name nobody for certain"},
	{0x7058, 0x1c, 0x5356, "note", "name nobody for certain"}, /* contested */
	/* signatures of a controller: never against anybody */
	{0x0941, 0x1d, 0x4144, "none", ""},
	{0x0941, 0x03, 0x5344, "note", "several makers give (ADATA; Transcend; PNY)"},
	{0x4c58, 0xad, 0x4c53, "none", ""},
	{0x5472, 0x27, 0x5048, "note", "it names no maker"},
};

START_TEST(the_maker_is_named)
{
	judge_page(begin(makers[_i].signature, makers[_i].mid, makers[_i].oid));
	ck_assert_str_eq(rule_verdict(&t, "VENDOR-MAKER"), makers[_i].verdict);
	ck_assert_msg(strstr(found("VENDOR-MAKER"), makers[_i].words) != NULL, "%s",
		      found("VENDOR-MAKER"));
	ck_assert_int_ne(t.judgement.verdict, CA_VERDICT_FAIL);
	case_done(&t);
}
END_TEST

START_TEST(the_sources_stand_behind_it)
{
	judge_page(begin(0x7058, 0xad, 0x4c53));
	ck_assert_ptr_nonnull(strstr(found("VENDOR-MAKER"), "CMD56 00000001h"));
	ck_assert_ptr_nonnull(strstr(found("VENDOR-MAKER"), "confidence medium; sources: sdmon"));
	case_done(&t);
}
END_TEST

/* ---- wear ----------------------------------------------------------------------------------- */

static const struct {
	uint16_t signature;
	struct {
		const char *name; /* NULL: unchanged */
		uint64_t value;
	} set[2];
	const char *verdict, *words;
} wears[] = {
	{0x7058, {{NULL, 0}, {NULL, 0}}, "none", ""},
	{0x7058, {{"life_left", 98}, {NULL, 0}}, "none", ""},
	{0x7058, {{"life_left", 97}, {NULL, 0}}, "note", "3 % of its life is used, 46 spare"},
	{0x7058, {{"life_left", 11}, {NULL, 0}}, "note", "89 %"},
	{0x7058, {{"life_left", 10}, {NULL, 0}}, "warning", "90 % of its life is used"},
	{0x7058, {{"spare_blocks", 2}, {NULL, 0}}, "note", "2 spare blocks are left, 0 went bad"},
	{0x7058, {{"spare_blocks", 3}, {NULL, 0}}, "none", ""},
	{0x7058, {{"spare_blocks", 0}, {"grown_bad_blocks", 7}}, "warning", "0 spare blocks"},
	{0x7058, {{"grown_bad_blocks", 7}, {NULL, 0}}, "none", ""},
	{0x4453, {{"life_used", 2}, {NULL, 0}}, "none", ""},
	{0x4453, {{"life_used", 12}, {NULL, 0}}, "note", "12 % of its life is used, by the"},
	{0x4457, {{"life_used", 120}, {NULL, 0}}, "warning", "120 %"},
	{0x4d45, {{"slc_used", 95}, {"life_used", 1}}, "warning", "95 %"}, /* the worst area */
	{0x5377, {{"system_spare_blocks", 1}, {"grown_bad_blocks", 5}}, "warning", "1 spare"},
	{0x0941, {{"life_left", 50}, {NULL, 0}}, "note", "50 %"},
	{0x0941, {{"spare_blocks", 0}, {NULL, 0}}, "none", ""}, /* new ones say so */
	{0x5472, {{"life_left", 5}, {NULL, 0}}, "warning", "95 %"},
	{0x4c58, {{"spare_blocks", 1}, {"grown_bad_blocks", 45}}, "warning", "1 spare blocks"},
};

START_TEST(wear_is_judged)
{
	const struct ca_vendor_query *query = begin(wears[_i].signature, 0x9f, 0x5449);

	for (size_t i = 0; i < 2; i++)
		if (wears[_i].set[i].name)
			page_set(page, page_field(query->layout, wears[_i].set[i].name),
				 wears[_i].set[i].value);
	judge_page(query);
	ck_assert_msg(strcmp(rule_verdict(&t, "VENDOR-HEALTH"), wears[_i].verdict) == 0, "%s: %s",
		      rule_verdict(&t, "VENDOR-HEALTH"), found("VENDOR-HEALTH"));
	ck_assert_msg(strstr(found("VENDOR-HEALTH"), wears[_i].words) != NULL, "%s",
		      found("VENDOR-HEALTH"));
	case_done(&t);
}
END_TEST

/* ---- no page -------------------------------------------------------------------------------- */

START_TEST(nobody_asked_nothing_is_said)
{
	static const char *const rules[] = {"VENDOR-MAKER", "VENDOR-HEALTH"};

	check_rules_silent(rules, 2);
}
END_TEST

START_TEST(what_did_not_come_is_listed)
{
	case_good(&t);
	ck_assert(ca_vendor_add(&t.evidence.vendor, 1, CA_VENDOR_ECHO, NULL));
	ck_assert(ca_vendor_add(&t.evidence.vendor, 0x110005fb, CA_VENDOR_TIMEOUT, NULL));
	ck_assert(ca_vendor_add(&t.evidence.vendor, 0x53420001, CA_VENDOR_TIMEOUT, NULL));
	case_judge(&t);
	ck_assert_str_eq(rule_verdict(&t, "VENDOR-HEALTH"), "note");
	ck_assert_str_eq(found("VENDOR-HEALTH"),
			 "no health page that is known, as with most cards; CMD56 00000001h: no "
			 "answer: the card sent its sector 0, 110005fbh, 53420001h: the card does "
			 "not answer");
	ck_assert_ptr_null(find_rule(&t, "VENDOR-MAKER"));
	case_done(&t);
}
END_TEST

START_TEST(an_implausible_page_names_nobody)
{
	const struct ca_vendor_query *query = begin(0x7058, 0x03, 0x5344);

	page_set(page, page_field("longsys", "life_left"), 101);
	judge_page(query);
	ck_assert_ptr_null(find_rule(&t, "VENDOR-MAKER"));
	ck_assert_str_eq(rule_verdict(&t, "VENDOR-HEALTH"), "note");
	ck_assert_ptr_nonnull(strstr(found("VENDOR-HEALTH"), "values that cannot be"));
	case_done(&t);
}
END_TEST

START_TEST(who_cannot_be_asked_is_told)
{
	case_bare(&t);
	t.evidence.vendor.asked = true;
	(void)ca_string_copy(t.evidence.vendor.not_asked_because,
			     sizeof(t.evidence.vendor.not_asked_because), "no such command");
	case_judge(&t);
	ck_assert_str_eq(found("VENDOR-HEALTH"), "not asked: no such command");
	ck_assert_str_eq(rule_verdict(&t, "VENDOR-HEALTH"), "note");
	case_done(&t);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rule_vendor");
	TCase *tcase = tcase_create("rule_vendor");

	tcase_add_loop_test(tcase, the_maker_is_named, 0, (int)CA_ARRAY_LEN(makers));
	tcase_add_test(tcase, the_sources_stand_behind_it);
	tcase_add_loop_test(tcase, wear_is_judged, 0, (int)CA_ARRAY_LEN(wears));
	tcase_add_test(tcase, nobody_asked_nothing_is_said);
	tcase_add_test(tcase, what_did_not_come_is_listed);
	tcase_add_test(tcase, an_implausible_page_names_nobody);
	tcase_add_test(tcase, who_cannot_be_asked_is_told);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
