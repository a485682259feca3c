/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How early a fill knows. Each card announces 8 GiB, where checkpoints lie I = 256 MiB apart, and
 * must be found out before so many bytes are written:
 *
 *   end     real size + largest cache + 2 I
 *   chance  1.05 x real size + largest cache + 1 GiB (of tables and evictions; in 999 runs of 1000,
 *           which test_checkpoint counts)
 */
#include "cardassay/fill.h"
#include "cardassay/host.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define INTERVAL (256 * CA_MIB)

static const struct card {
	const char *spec;
	uint64_t real_mib, cache_mib;
	bool by_chance;
} cards[] = {
	{"real=333M,kind=limbo", 333, 0, false},
	{"real=257M,kind=limbo,limbo=noise,cache=200M", 257, 200, false},
	{"real=301M,kind=wrap", 301, 0, false},
	{"real=209715712,kind=wrap,cache=150M", 201, 150, false},
	{"wrap=300M,real=270M,kind=chain", 270, 0, false},
	{"real=280M,kind=ring", 280, 0, false},
	{"real=300M,tail=8M,kind=regions", 300, 0, false},
	{"real=290M,kind=errors", 290, 0, false},
	{"protect-after=300M", 300, 0, false},
	{"real=260M,kind=thin", 260, 0, false},
	{"real=260M,kind=thin,full=slow", 260, 0, true},
	{"real=320M,kind=table,extent=64K", 320, 0, true},
	{"real=256M,kind=table,extent=16M,cache=64M", 256, 64, true},
	{"share=90,extent=1M,kind=islands", 0, 0, true},
};

static struct ca_capacity_evidence fill(const char *announced, const struct card *card)
{
	struct ca_fill_options options = {
		.secret = {1}, .run_id = {2}, .device_id = {3}, .seed = 4};
	struct ca_capacity_evidence capacity;
	struct ca_error error = {0};
	struct ca_device *device = NULL;
	struct ca_sim_spec spec;
	char text[128];

	(void)snprintf(text, sizeof(text), "announced=%s,%s", announced, card->spec); /* fits */
	ck_assert_msg(ca_sim_parse(text, &spec, &error) == 0, "%s: %s", text, error.text);
	ck_assert_msg(ca_sim_open(&spec, &device, &error) == 0, "%s: %s", text, error.text);
	ck_assert_int_eq(ca_fill_run(device, &options, &capacity), 0);
	ca_device_close(device);
	return capacity;
}

START_TEST(it_is_known_in_time)
{
	const struct card *card = &cards[_i];
	uint64_t bound = (card->real_mib + card->cache_mib) * CA_MIB + 2 * INTERVAL;
	struct ca_capacity_evidence capacity;

	if (card->by_chance)
		bound = card->real_mib * CA_MIB / 20 * 21 + card->cache_mib * CA_MIB + CA_GIB;
	capacity = fill("8G", card);
	printf("%-46s %-8s %-15s written %5" PRIu64 " MiB, at most %5" PRIu64 "\n", card->spec,
	       ca_fill_end_name(capacity.end), ca_capacity_kind_name(capacity.kind),
	       capacity.written_bytes / CA_MIB, bound / CA_MIB);
	(void)fflush(stdout);
	ck_assert_int_eq(capacity.end, CA_FILL_PROOF);
	ck_assert_uint_le(capacity.written_bytes, bound);
	ck_assert_uint_lt(capacity.good_bytes, capacity.announced_bytes);
	free(capacity.runs);
}
END_TEST

/* A sound card, and one that only becomes slow, are written to their end. */
START_TEST(a_slower_card_is_no_fault)
{
	static const struct card sound = {"cliff=512M,cliff-rate=8M", 1024, 0, false};
	struct ca_capacity_evidence capacity;

	capacity = fill("1G", &sound);
	ck_assert_int_eq(capacity.end, CA_FILL_COMPLETE);
	ck_assert_int_eq(capacity.kind, CA_CAPACITY_KIND_SOUND);
	ck_assert(capacity.has_rate_cliff);
	ck_assert_uint_eq(capacity.cliff_offset, 512 * CA_MIB);
	ck_assert_uint_gt(capacity.cliff_before_bytes_per_second, 20000000);
	ck_assert_uint_lt(capacity.cliff_after_bytes_per_second, 9000000);
	free(capacity.runs);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("early table");
	TCase *tcase = tcase_create("early table");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_set_timeout(tcase, 300);
	tcase_add_loop_test(tcase, it_is_known_in_time, 0, (int)CA_ARRAY_LEN(cards));
	tcase_add_test(tcase, a_slower_card_is_no_fault);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
