/* SPDX-License-Identifier: BSD-2-Clause */
#include "unit/ram_device.h"

#include "cardassay/fill.h"

#include <check.h>

#define NO_SIZE UINT64_MAX

static const struct fill_case {
	const char *name;
	uint64_t sectors;
	uint32_t sector_bytes, request_bytes, queue_depth;
	uint64_t wrap, limbo;
	uint8_t limbo_byte;
	struct ram_range bad_write, bad_read;
	bool one_at_a_time, newest_first, map_all, limbo_noise, limbo_last;
	uint64_t restless, once_wrong, fail_once, dead_after, gone_after;
	bool changed;

	enum ca_fill_end end;
	enum ca_capacity_kind kind;
	uint64_t real;	    /* sectors, NO_SIZE = none */
	uint64_t first_bad; /* sector, NO_SIZE = none */
	enum ca_sector_class class_of;
	uint64_t class_sectors; /* NO_SIZE = not looked at */
	uint64_t unstable;
} cases[] = {
	{.name = "one sector",
	 .sectors = 1,
	 .sector_bytes = 512,
	 .end = CA_FILL_COMPLETE,
	 .kind = CA_CAPACITY_KIND_SOUND,
	 .real = NO_SIZE,
	 .first_bad = NO_SIZE,
	 .class_of = CA_SECTOR_GOOD,
	 .class_sectors = 1},
	{.name = "odd size",
	 .sectors = 70001,
	 .sector_bytes = 512,
	 .end = CA_FILL_COMPLETE,
	 .kind = CA_CAPACITY_KIND_SOUND,
	 .real = NO_SIZE,
	 .first_bad = NO_SIZE,
	 .class_of = CA_SECTOR_GOOD,
	 .class_sectors = 70001},
	{.name = "4096-byte sectors, small requests, reordered",
	 .sectors = 8 * 9001,
	 .sector_bytes = 4096,
	 .request_bytes = 12288,
	 .queue_depth = 7,
	 .newest_first = true,
	 .end = CA_FILL_COMPLETE,
	 .kind = CA_CAPACITY_KIND_SOUND,
	 .real = NO_SIZE,
	 .first_bad = NO_SIZE,
	 .class_of = CA_SECTOR_GOOD,
	 .class_sectors = 8 * 9001},
	{.name = "queue depth 1",
	 .sectors = 40000,
	 .sector_bytes = 512,
	 .queue_depth = 1,
	 .request_bytes = 65536,
	 .end = CA_FILL_COMPLETE,
	 .kind = CA_CAPACITY_KIND_SOUND,
	 .real = NO_SIZE,
	 .first_bad = NO_SIZE,
	 .class_of = CA_SECTOR_GOOD,
	 .class_sectors = 40000},
	{.name = "limbo",
	 .sectors = 262144,
	 .sector_bytes = 512,
	 .limbo = 40007,
	 .end = CA_FILL_PROOF,
	 .kind = CA_CAPACITY_KIND_LIMBO,
	 .real = 40007,
	 .first_bad = 40007,
	 .class_of = CA_SECTOR_ZEROS,
	 .class_sectors = NO_SIZE},
	{.name = "limbo of ones, whole map",
	 .sectors = 131072,
	 .sector_bytes = 512,
	 .limbo = 40007,
	 .limbo_byte = 0xff,
	 .map_all = true,
	 .end = CA_FILL_COMPLETE,
	 .kind = CA_CAPACITY_KIND_LIMBO,
	 .real = 40007,
	 .first_bad = 40007,
	 .class_of = CA_SECTOR_ONES,
	 .class_sectors = 131072 - 40007},
	{.name = "wrap",
	 .sectors = 262144,
	 .sector_bytes = 512,
	 .wrap = 50021,
	 .end = CA_FILL_PROOF,
	 .kind = CA_CAPACITY_KIND_WRAP,
	 .real = 50021,
	 .first_bad = 0,
	 .class_of = CA_SECTOR_GOOD,
	 .class_sectors = 50021},
	{.name = "wrap, whole map",
	 .sectors = 262144,
	 .sector_bytes = 512,
	 .wrap = 50021,
	 .map_all = true,
	 .end = CA_FILL_COMPLETE,
	 .kind = CA_CAPACITY_KIND_WRAP,
	 .real = 50021,
	 .first_bad = 0,
	 .class_of = CA_SECTOR_ALIAS,
	 .class_sectors = 262144 - 50021},
	{.name = "unwritable range, exact",
	 .sectors = 131072,
	 .sector_bytes = 512,
	 .bad_write = {1000, 3},
	 .end = CA_FILL_COMPLETE,
	 .kind = CA_CAPACITY_KIND_DAMAGED,
	 .real = NO_SIZE,
	 .first_bad = 1000,
	 .class_of = CA_SECTOR_UNWRITABLE,
	 .class_sectors = 3},
	{.name = "unwritable range across requests, told sector by sector",
	 .sectors = 131072,
	 .sector_bytes = 512,
	 .bad_write = {2001, 5000},
	 .one_at_a_time = true,
	 .newest_first = true,
	 .queue_depth = 8,
	 .end = CA_FILL_COMPLETE,
	 .kind = CA_CAPACITY_KIND_DAMAGED,
	 .real = NO_SIZE,
	 .first_bad = 2001,
	 .class_of = CA_SECTOR_UNWRITABLE,
	 .class_sectors = 5000},
	{.name = "unreadable range, told sector by sector",
	 .sectors = 131072,
	 .sector_bytes = 512,
	 .bad_read = {2001, 5000},
	 .one_at_a_time = true,
	 .end = CA_FILL_COMPLETE,
	 .kind = CA_CAPACITY_KIND_DAMAGED,
	 .real = NO_SIZE,
	 .first_bad = 2001,
	 .class_of = CA_SECTOR_UNREADABLE,
	 .class_sectors = 5000},
	{.name = "unreadable range, exact",
	 .sectors = 131072,
	 .sector_bytes = 512,
	 .bad_read = {70000, 9},
	 .end = CA_FILL_COMPLETE,
	 .kind = CA_CAPACITY_KIND_DAMAGED,
	 .real = NO_SIZE,
	 .first_bad = 70000,
	 .class_of = CA_SECTOR_UNREADABLE,
	 .class_sectors = 9},
	{.name = "write errors to the end, where reading works",
	 .sectors = 262144,
	 .sector_bytes = 512,
	 .bad_write = {60000, 202144},
	 .end = CA_FILL_PROOF,
	 .kind = CA_CAPACITY_KIND_THIN,
	 .real = NO_SIZE,
	 .first_bad = 60000,
	 .class_of = CA_SECTOR_GOOD,
	 .class_sectors = 60000},
	{.name = "a sector that never reads the same",
	 .sectors = 70000,
	 .sector_bytes = 512,
	 .restless = 1 + 4444,
	 .end = CA_FILL_COMPLETE,
	 .kind = CA_CAPACITY_KIND_TRANSPORT,
	 .real = NO_SIZE,
	 .first_bad = 4444,
	 .class_of = CA_SECTOR_BITFLIP,
	 .class_sectors = 1,
	 .unstable = 1},
	{.name = "a sector that was wrong once",
	 .sectors = 70000,
	 .sector_bytes = 512,
	 .once_wrong = 1 + 69999,
	 .end = CA_FILL_COMPLETE,
	 .kind = CA_CAPACITY_KIND_TRANSPORT,
	 .real = NO_SIZE,
	 .first_bad = NO_SIZE,
	 .class_of = CA_SECTOR_GOOD,
	 .class_sectors = 70000,
	 .unstable = 1},
	{.name = "limbo of fresh noise is no bad wire",
	 .sectors = 262144,
	 .sector_bytes = 512,
	 .limbo = 40007,
	 .limbo_noise = true,
	 .end = CA_FILL_PROOF,
	 .kind = CA_CAPACITY_KIND_LIMBO,
	 .real = 40007,
	 .first_bad = 40007,
	 .class_of = CA_SECTOR_NOISE,
	 .class_sectors = 131072 - 40007},
	{.name = "one sector of fresh noise may be the wire",
	 .sectors = 131072,
	 .sector_bytes = 512,
	 .limbo = 131071,
	 .limbo_noise = true,
	 .end = CA_FILL_COMPLETE,
	 .kind = CA_CAPACITY_KIND_TRANSPORT,
	 .real = NO_SIZE,
	 .first_bad = 131071,
	 .class_of = CA_SECTOR_NOISE,
	 .class_sectors = 1,
	 .unstable = 1},
	{.name = "limbo of what was written last",
	 .sectors = 262144,
	 .sector_bytes = 512,
	 .limbo = 40007,
	 .limbo_last = true,
	 .end = CA_FILL_PROOF,
	 .kind = CA_CAPACITY_KIND_LIMBO,
	 .real = 40007,
	 .first_bad = 40007,
	 .class_of = CA_SECTOR_ALIAS,
	 .class_sectors = 131072 - 40007 - 1},
	{.name = "a small limbo of what was written last",
	 .sectors = 131072,
	 .sector_bytes = 512,
	 .limbo = 128001,
	 .limbo_last = true,
	 .end = CA_FILL_COMPLETE,
	 .kind = CA_CAPACITY_KIND_LIMBO,
	 .real = 128001,
	 .first_bad = 128001,
	 .class_of = CA_SECTOR_GOOD,
	 .class_sectors = 128002},
	{.name = "read errors to the end",
	 .sectors = 262144,
	 .sector_bytes = 512,
	 .bad_read = {60000, 202144},
	 .one_at_a_time = true,
	 .end = CA_FILL_PROOF,
	 .kind = CA_CAPACITY_KIND_ERRORS,
	 .real = 60000,
	 .first_bad = 60000,
	 .class_of = CA_SECTOR_UNREADABLE,
	 .class_sectors = 131072 - 60000},
	{.name = "a write that failed once",
	 .sectors = 70000,
	 .sector_bytes = 512,
	 .fail_once = 5,
	 .end = CA_FILL_COMPLETE,
	 .kind = CA_CAPACITY_KIND_TRANSPORT,
	 .real = NO_SIZE,
	 .first_bad = NO_SIZE,
	 .class_of = CA_SECTOR_GOOD,
	 .class_sectors = 70000,
	 .unstable = 1},
	{.name = "a read that failed once",
	 .sectors = 20000,
	 .sector_bytes = 512,
	 .request_bytes = 65536,
	 .fail_once = 200,
	 .end = CA_FILL_COMPLETE,
	 .kind = CA_CAPACITY_KIND_TRANSPORT,
	 .real = NO_SIZE,
	 .first_bad = NO_SIZE,
	 .class_of = CA_SECTOR_GOOD,
	 .class_sectors = 20000,
	 .unstable = 1},
	{.name = "nothing but errors while writing",
	 .sectors = 262144,
	 .sector_bytes = 512,
	 .dead_after = 10,
	 .end = CA_FILL_LOST,
	 .kind = CA_CAPACITY_KIND_NONE,
	 .real = NO_SIZE,
	 .first_bad = NO_SIZE,
	 .class_of = CA_SECTOR_GOOD,
	 .class_sectors = 0},
	{.name = "nothing but errors while reading",
	 .sectors = 20000,
	 .sector_bytes = 512,
	 .request_bytes = 65536,
	 .dead_after = 200,
	 .end = CA_FILL_LOST,
	 .kind = CA_CAPACITY_KIND_NONE,
	 .real = NO_SIZE,
	 .first_bad = NO_SIZE,
	 .class_of = CA_SECTOR_ZEROS,
	 .class_sectors = 0},
	{.name = "gone while writing",
	 .sectors = 131072,
	 .sector_bytes = 512,
	 .gone_after = 10,
	 .end = CA_FILL_LOST,
	 .kind = CA_CAPACITY_KIND_NONE,
	 .real = NO_SIZE,
	 .first_bad = NO_SIZE,
	 .class_of = CA_SECTOR_GOOD,
	 .class_sectors = 0},
	{.name = "gone while checking",
	 .sectors = 131072,
	 .sector_bytes = 512,
	 .gone_after = 20,
	 .end = CA_FILL_LOST,
	 .kind = CA_CAPACITY_KIND_NONE,
	 .real = NO_SIZE,
	 .first_bad = NO_SIZE,
	 .class_of = CA_SECTOR_GOOD,
	 .class_sectors = 0},
	{.name = "gone while reading",
	 .sectors = 40000,
	 .sector_bytes = 512,
	 .gone_after = 180,
	 .request_bytes = 131072,
	 .end = CA_FILL_LOST,
	 .kind = CA_CAPACITY_KIND_NONE,
	 .real = NO_SIZE,
	 .first_bad = NO_SIZE,
	 .class_of = CA_SECTOR_ZEROS,
	 .class_sectors = 0},
	{.name = "another card",
	 .sectors = 131072,
	 .sector_bytes = 512,
	 .changed = true,
	 .end = CA_FILL_CHANGED,
	 .kind = CA_CAPACITY_KIND_NONE,
	 .real = NO_SIZE,
	 .first_bad = NO_SIZE,
	 .class_of = CA_SECTOR_GOOD,
	 .class_sectors = 0},
};

static struct ca_fill_options options(const struct fill_case *c)
{
	return (struct ca_fill_options){
		.secret = {1, 2, 3},
		.run_id = {4, 5, 6},
		.device_id = {7, 8, 9},
		.seed = 99,
		.request_bytes = c->request_bytes,
		.queue_depth = c->queue_depth,
		.map_all = c->map_all,
	};
}

static void set_up(struct ram_device *ram, const struct fill_case *c)
{
	ram_init(ram, c->sectors * 512, c->sector_bytes, 8);
	ram->wrap = c->wrap;
	ram->limbo = c->limbo;
	ram->limbo_byte = c->limbo_byte;
	ram->limbo_noise = c->limbo_noise;
	ram->limbo_last = c->limbo_last;
	ram->fail_once = c->fail_once;
	ram->dead_after = c->dead_after;
	ram->bad_write = c->bad_write;
	ram->bad_read = c->bad_read;
	ram->one_at_a_time = c->one_at_a_time;
	ram->newest_first = c->newest_first;
	ram->restless = c->restless;
	ram->once_wrong = c->once_wrong;
	ram->gone_after = c->gone_after;
	ram->changed = c->changed;
}

static void check_sums(const struct fill_case *c, const struct ca_capacity_evidence *capacity)
{
	uint64_t bytes = c->sectors * 512;
	uint64_t unwritable = capacity->classes[CA_SECTOR_UNWRITABLE] * 512;
	uint64_t seen = 0;

	for (size_t i = 0; i < CA_SECTOR_CLASS_COUNT; i++)
		seen += capacity->classes[i] * 512;
	ck_assert_uint_eq(capacity->announced_bytes, bytes);
	ck_assert_uint_eq(capacity->verified_bytes, seen - unwritable);
	ck_assert_uint_le(capacity->verified_bytes, capacity->written_bytes);
	ck_assert(capacity->coverage_ppm < 1000000 || capacity->verified_bytes == bytes);
	if (capacity->end == CA_FILL_COMPLETE) {
		ck_assert_uint_eq(seen, bytes);
		ck_assert_uint_eq(capacity->written_bytes, bytes - unwritable);
		ck_assert(bytes < 4096 || capacity->cache_overrun_bytes >= bytes / 2 - 512);
	}
	ck_assert(capacity->has_key ==
		  (capacity->end == CA_FILL_COMPLETE || capacity->end == CA_FILL_PROOF));
}

static void check_first_bad(const struct fill_case *c, const struct ca_fill_options *o,
			    const struct ca_capacity_evidence *capacity)
{
	struct ca_pattern *pattern;
	uint8_t sector[512];

	ck_assert_msg(capacity->has_first_bad == (c->first_bad != NO_SIZE), "%s", c->name);
	if (!capacity->has_first_bad)
		return;
	ck_assert_msg(capacity->first_bad_offset == c->first_bad * 512, "%s: first bad %llu",
		      c->name, (unsigned long long)capacity->first_bad_offset / 512);
	ck_assert_int_eq(ca_pattern_new(o->secret, o->run_id, o->device_id, 0, o->cipher, &pattern),
			 0);
	ca_pattern_generate(pattern, c->first_bad, 1, sector);
	ck_assert_mem_eq(capacity->expected, sector, sizeof(capacity->expected));
	ck_assert_mem_ne(capacity->found, sector, sizeof(capacity->found));
	ca_pattern_free(pattern);
}

START_TEST(cards_are_measured)
{
	const struct fill_case *c = &cases[_i];
	struct ca_fill_options o = options(c);
	struct ca_capacity_evidence capacity;
	struct ram_device ram;

	set_up(&ram, c);
	ck_assert_int_eq(ca_fill_run(&ram.device, &o, &capacity), 0);
	ck_assert_msg(capacity.end == c->end, "%s: end %s", c->name,
		      ca_fill_end_name(capacity.end));
	ck_assert_msg(capacity.kind == c->kind, "%s: kind %s", c->name,
		      ca_capacity_kind_name(capacity.kind));
	ck_assert_msg(capacity.has_real_capacity ==
			      (c->real != NO_SIZE || c->kind == CA_CAPACITY_KIND_SOUND),
		      "%s: size", c->name);
	if (c->kind == CA_CAPACITY_KIND_SOUND)
		ck_assert_uint_eq(capacity.real_capacity_bytes, ram.device.geometry.bytes);
	else if (capacity.has_real_capacity)
		ck_assert_msg(capacity.real_capacity_bytes == c->real * 512, "%s: real %llu",
			      c->name, (unsigned long long)capacity.real_capacity_bytes / 512);
	if (c->class_sectors != NO_SIZE)
		ck_assert_msg(capacity.classes[c->class_of] == c->class_sectors, "%s: %llu sectors",
			      c->name, (unsigned long long)capacity.classes[c->class_of]);
	ck_assert_uint_eq(capacity.unstable_sectors, c->unstable);
	ck_assert((capacity.lost_because[0] != '\0') ==
		  (c->end == CA_FILL_LOST || c->end == CA_FILL_CHANGED));
	check_sums(c, &capacity);
	check_first_bad(c, &o, &capacity);
	free(capacity.runs);
	ca_device_close(&ram.device);
}
END_TEST

/* In an error region the card is asked a few times a request, not once a sector. */
START_TEST(error_regions_are_crossed_quickly)
{
	struct fill_case c = {.sectors = 131072,
			      .sector_bytes = 512,
			      .map_all = true,
			      .bad_write = {30000, 100000},
			      .one_at_a_time = true};
	struct ca_fill_options o = options(&c);
	struct ca_capacity_evidence capacity;
	struct ram_device ram;

	set_up(&ram, &c);
	ck_assert_int_eq(ca_fill_run(&ram.device, &o, &capacity), 0);
	ck_assert_uint_eq(capacity.classes[CA_SECTOR_UNWRITABLE], 100000);
	ck_assert_uint_lt(ram.sync_transfers, 1300);
	free(capacity.runs);
	ca_device_close(&ram.device);
}
END_TEST

START_TEST(the_seed_sets_the_order_and_the_tail_is_last)
{
	struct fill_case c = {.sectors = 131072, .sector_bytes = 512, .map_all = true};
	uint64_t first[64] = {0};

	for (unsigned int run = 0; run < 3; run++) {
		struct ca_fill_options o = options(&c);
		struct ca_capacity_evidence capacity;
		struct ram_device ram;

		o.seed = run < 2 ? 5 : 6;
		set_up(&ram, &c);
		ck_assert_int_eq(ca_fill_run(&ram.device, &o, &capacity), 0);
		ck_assert_uint_eq(ram.read_count, 64);
		for (size_t i = 0; i < 32; i++) /* 1 MiB requests: the first half in time */
			ck_assert_uint_lt(ram.read_order[i], 32 * CA_MIB);
		if (run == 0)
			memcpy(first, ram.read_order, sizeof(first));
		else
			ck_assert((memcmp(first, ram.read_order, sizeof(first)) == 0) ==
				  (run == 1));
		free(capacity.runs);
		ca_device_close(&ram.device);
	}
}
END_TEST

struct watch {
	unsigned int calls, phases[3], stop_after;
	uint64_t last_done;
	enum ca_fill_phase last_phase;
};

static int watch(void *context, const struct ca_fill_progress *progress)
{
	struct watch *seen = context;

	if (seen->calls > 0 && progress->phase == seen->last_phase)
		ck_assert_uint_ge(progress->done_bytes, seen->last_done);
	ck_assert_uint_le(progress->done_bytes, progress->total_bytes);
	seen->phases[progress->phase]++;
	seen->last_phase = progress->phase;
	seen->last_done = progress->phase == CA_FILL_PHASE_CHECK ? 0 : progress->done_bytes;
	return ++seen->calls == seen->stop_after;
}

START_TEST(progress_comes_ten_times_a_second)
{
	struct fill_case c = {.sectors = 131072, .sector_bytes = 512};
	struct ca_fill_options o = options(&c);
	struct ca_capacity_evidence capacity;
	struct watch seen = {0};
	struct ram_device ram;

	set_up(&ram, &c);
	ram.byte_ns_x1000 = 100 * 1000; /* 10 MB/s: 6.7 s each way */
	o.progress = watch;
	o.progress_context = &seen;
	ck_assert_int_eq(ca_fill_run(&ram.device, &o, &capacity), 0);
	ck_assert_uint_ge(seen.phases[CA_FILL_PHASE_WRITE], 50);
	ck_assert_uint_le(seen.phases[CA_FILL_PHASE_WRITE], 75);
	ck_assert_uint_ge(seen.phases[CA_FILL_PHASE_READ], 50);
	ck_assert_uint_le(seen.phases[CA_FILL_PHASE_READ], 75);
	ck_assert_uint_ge(seen.phases[CA_FILL_PHASE_CHECK], 1);
	/* writing is timed without the checks */
	ck_assert_uint_ge(capacity.write_ns, UINT64_C(6710000000));
	ck_assert_uint_le(capacity.write_ns, UINT64_C(6720000000));
	free(capacity.runs);
	ca_device_close(&ram.device);
}
END_TEST

START_TEST(an_interrupt_keeps_what_was_seen)
{
	struct fill_case c = {.sectors = 131072, .sector_bytes = 512};
	struct ca_fill_options o = options(&c);
	struct ca_capacity_evidence capacity;
	struct watch seen = {.stop_after = _i ? 100 : 20};
	struct ram_device ram;

	set_up(&ram, &c);
	ram.byte_ns_x1000 = 100 * 1000;
	o.progress = watch;
	o.progress_context = &seen;
	ck_assert_int_eq(ca_fill_run(&ram.device, &o, &capacity), 0);
	ck_assert_int_eq(capacity.end, CA_FILL_INTERRUPTED);
	ck_assert(!capacity.has_key && !capacity.has_real_capacity);
	ck_assert_uint_gt(capacity.written_bytes, 0);
	ck_assert((capacity.verified_bytes > 0) == (_i == 1));
	ck_assert_uint_eq(seen.calls, seen.stop_after);
	free(capacity.runs);
	ca_device_close(&ram.device);
}
END_TEST

START_TEST(our_own_failure_is_an_error_with_evidence)
{
	struct fill_case c = {.sectors = 1024, .sector_bytes = 512};
	struct ca_fill_options o = options(&c);
	struct ca_capacity_evidence capacity;
	struct ram_device ram;

	set_up(&ram, &c);
	ram.submit_errno = -EIO;
	ck_assert_int_eq(ca_fill_run(&ram.device, &o, &capacity), -EIO);
	ck_assert_int_eq(capacity.end, CA_FILL_HOST_ERROR);
	ck_assert_uint_eq(capacity.announced_bytes, 1024 * 512);
	free(capacity.runs);
	ca_device_close(&ram.device);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fill");
	TCase *tcase = tcase_create("fill");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, cards_are_measured, 0, (int)CA_ARRAY_LEN(cases));
	tcase_add_test(tcase, error_regions_are_crossed_quickly);
	tcase_add_test(tcase, the_seed_sets_the_order_and_the_tail_is_last);
	tcase_add_test(tcase, progress_comes_ten_times_a_second);
	tcase_add_loop_test(tcase, an_interrupt_keeps_what_was_seen, 0, 2);
	tcase_add_test(tcase, our_own_failure_is_an_error_with_evidence);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
