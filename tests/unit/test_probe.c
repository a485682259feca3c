/* SPDX-License-Identifier: BSD-2-Clause */
/* The probe and the restore over a card in memory, every byte of which is compared afterwards. */
#include "cardassay/fill.h"

#include "ram_device.h"

#include <check.h>
#include <unistd.h>

#define BYTES	(16 * CA_MIB)
#define SECTORS (BYTES / 512)

static struct ram_device ram;
static uint8_t *before;
static int fd;
static struct ca_probe_options options;
static struct ca_journal_card card;

static void fill_random(uint8_t *data, size_t bytes, uint64_t seed)
{
	for (size_t i = 0; i < bytes; i += 8)
		ca_put_le64(data + i, ca_rng_next(&seed));
}

static void set_up(void)
{
	char name[] = "/tmp/test-probe-XXXXXX";

	ram_init(&ram, BYTES, 512, 4);
	fill_random(ram.data, BYTES, 3);
	before = malloc(BYTES);
	ck_assert_ptr_nonnull(before);
	memcpy(before, ram.data, BYTES);
	fd = mkstemp(name);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(unlink(name), 0);
	options = (struct ca_probe_options){.secret = {1},
					    .run_id = {2},
					    .device_id = {3},
					    .seed = 4,
					    .cipher = CA_CIPHER_CHACHA20};
	card = (struct ca_journal_card){
		.announced_bytes = BYTES, .sector_bytes = 512, .cipher = options.cipher};
	memcpy(card.secret, options.secret, sizeof(card.secret));
	memcpy(card.run_id, options.run_id, sizeof(card.run_id));
	memcpy(card.device_id, options.device_id, sizeof(card.device_id));
	ck_assert_int_eq(ca_journal_create(fd, &card, &options.journal), 0);
}

static void tear_down(void)
{
	ca_journal_free(options.journal);
	close(fd);
	free(before);
	ca_device_close(&ram.device);
}

static uint64_t changed_sectors(void)
{
	uint64_t changed = 0;

	for (size_t at = 0; at < BYTES; at += 512)
		changed += memcmp(before + at, ram.data + at, 512) != 0;
	return changed;
}

START_TEST(a_sound_card_is_as_before)
{
	struct ca_probe_evidence probe;

	ck_assert_int_eq(ca_probe_run(&ram.device, &options, &probe), 0);
	ck_assert_int_eq(probe.end, CA_FILL_COMPLETE);
	ck_assert_int_eq(probe.kind, CA_CAPACITY_KIND_NONE);
	ck_assert_uint_eq(probe.classes[CA_SECTOR_GOOD], probe.samples);
	ck_assert_uint_gt(probe.random_samples, 700);
	ck_assert_uint_eq(probe.run_bytes, 4 * CA_MIB);
	ck_assert_uint_eq(probe.cache_overrun_bytes, 4 * CA_MIB);
	ck_assert_uint_eq(probe.unrestored_bytes, 0);
	ck_assert(!probe.journal_kept && !probe.has_first_bad && probe.has_key);
	ck_assert_uint_eq(changed_sectors(), 0);
}
END_TEST

static uint64_t told, stop_at;

static int stop(void *context, const struct ca_probe_progress *progress)
{
	(void)context;
	ck_assert_uint_le(progress->done_bytes, progress->total_bytes);
	return ++told >= stop_at;
}

START_TEST(an_interruption_puts_everything_back)
{
	struct ca_probe_evidence probe;

	told = 0;
	stop_at = (uint64_t)_i;
	ram.op_ns = CA_NS_PER_SECOND / 100;
	options.progress = stop;
	ck_assert_int_eq(ca_probe_run(&ram.device, &options, &probe), 0);
	ck_assert_int_eq(probe.end, CA_FILL_INTERRUPTED);
	ck_assert_int_eq(probe.kind, CA_CAPACITY_KIND_NONE);
	ck_assert(!probe.journal_kept);
	ck_assert_uint_eq(changed_sectors(), 0);
}
END_TEST

/* The device goes at any transfer; what is left of the probe is put back from the journal. */
START_TEST(a_lost_card_is_restored_from_the_journal)
{
	struct ca_probe_evidence probe;
	struct ca_restore_result result;
	struct ca_journal *journal;
	struct ca_error error = {0};
	uint64_t dirty;

	ram.gone_after = 1100 + 210 * (uint64_t)_i;
	ck_assert_int_eq(ca_probe_run(&ram.device, &options, &probe), 0);
	ck_assert_int_eq(probe.end, CA_FILL_LOST);
	ck_assert(probe.journal_kept);
	ck_assert_uint_gt(strlen(probe.lost_because), 10);
	dirty = changed_sectors();
	ram.gone_after = 0;
	ck_assert_msg(ca_journal_open(fd, &journal, &error) == 0, "%s", error.text);
	ck_assert_int_eq(ca_restore_run(&ram.device, journal, NULL, NULL, &result), 0);
	ck_assert(!result.refused && !result.lost);
	ck_assert_uint_eq(result.put_back_sectors, dirty);
	ck_assert_uint_eq(result.other_sectors + result.failed_sectors, 0);
	ck_assert_uint_eq(changed_sectors(), 0);
	ca_journal_free(journal);
}
END_TEST

/* A probe that died in the midst: test data on the card, and the journal of it. */
static struct ca_journal *die(void)
{
	struct ca_probe_evidence probe;
	struct ca_journal *journal;
	struct ca_error error = {0};

	ram.gone_after = 2200;
	ck_assert_int_eq(ca_probe_run(&ram.device, &options, &probe), 0);
	ram.gone_after = 0;
	ck_assert_int_eq(ca_journal_open(fd, &journal, &error), 0);
	ck_assert_uint_gt(changed_sectors(), 1000);
	return journal;
}

START_TEST(another_card_is_refused)
{
	struct ca_journal *journal = die();
	struct ca_restore_result result;

	fill_random(ram.data, BYTES, 99);
	memcpy(before, ram.data, BYTES);
	ck_assert_int_eq(ca_restore_run(&ram.device, journal, NULL, NULL, &result), 0);
	ck_assert(result.refused);
	ck_assert_uint_eq(changed_sectors(), 0);
	ram.device.geometry.bytes -= 512;
	ck_assert_int_eq(ca_restore_run(&ram.device, journal, NULL, NULL, &result), -EINVAL);
	ca_journal_free(journal);
}
END_TEST

START_TEST(what_was_written_since_is_left_alone)
{
	struct ca_journal *journal = die();
	struct ca_restore_result result;

	fill_random(ram.data + 4096, 1024, 98); /* somebody's new file, in the run */
	memcpy(before + 4096, ram.data + 4096, 1024);
	ck_assert_int_eq(ca_restore_run(&ram.device, journal, NULL, NULL, &result), 0);
	ck_assert_uint_eq(result.other_sectors, 2);
	ck_assert_uint_eq(result.failed_sectors, 0);
	ck_assert_uint_eq(changed_sectors(), 0);
	ca_journal_free(journal);
}
END_TEST

START_TEST(what_cannot_be_put_back_is_counted)
{
	struct ca_journal *journal = die();
	struct ca_restore_result result;

	ram.bad_write = (struct ram_range){100, 3};
	ram.one_at_a_time = true;
	ck_assert_int_eq(ca_restore_run(&ram.device, journal, NULL, NULL, &result), 0);
	ck_assert_uint_eq(result.failed_sectors, 3);
	ck_assert_uint_eq(changed_sectors(), 3);
	ca_journal_free(journal);
}
END_TEST

static const struct {
	const char *name;
	uint64_t wrap, limbo;
	bool noise;
	enum ca_capacity_kind kind;
	uint64_t real; /* sectors */
} fakes[] = {
	{"wrap", 10007, 0, false, CA_CAPACITY_KIND_WRAP, 10007},
	{"wrap in the run", 1001, 0, false, CA_CAPACITY_KIND_WRAP, 1001},
	{"limbo", 0, 20001, false, CA_CAPACITY_KIND_LIMBO, 20001},
	{"limbo, new noise each time", 0, 20001, true, CA_CAPACITY_KIND_LIMBO, 20001},
};

START_TEST(fakes_are_found_and_keep_what_they_held)
{
	struct ca_probe_evidence probe;
	uint64_t real = fakes[_i].real * 512;

	ram.wrap = fakes[_i].wrap;
	ram.limbo = fakes[_i].limbo;
	ram.limbo_noise = fakes[_i].noise;
	ck_assert_int_eq(ca_probe_run(&ram.device, &options, &probe), 0);
	ck_assert_msg(probe.kind == fakes[_i].kind, "%s: %s", fakes[_i].name,
		      ca_capacity_kind_name(probe.kind));
	ck_assert(probe.has_real_capacity && probe.has_first_bad);
	ck_assert_uint_eq(probe.real_capacity_bytes, real);
	ck_assert_uint_eq(probe.unrestored_bytes, 0);
	ck_assert_int_eq(memcmp(ram.data, before, (size_t)real), 0);
}
END_TEST

START_TEST(scattered_errors_are_no_size)
{
	struct ca_probe_evidence probe;

	ram.bad_read = (struct ram_range){20000, 16};
	ck_assert_int_eq(ca_probe_run(&ram.device, &options, &probe), 0);
	ck_assert(probe.kind == CA_CAPACITY_KIND_DAMAGED || probe.kind == CA_CAPACITY_KIND_NONE);
	ck_assert(!probe.has_real_capacity);
	ram.bad_read.sectors = 0;
	ck_assert_uint_eq(changed_sectors(), 0);
}
END_TEST

START_TEST(a_dead_card_is_lost_and_not_bad)
{
	struct ca_probe_evidence probe;

	ram.bad_read = (struct ram_range){0, SECTORS};
	ck_assert_int_eq(ca_probe_run(&ram.device, &options, &probe), 0);
	ck_assert_int_eq(probe.end, CA_FILL_LOST);
	ck_assert_uint_eq(probe.written_bytes, 0);
}
END_TEST

/* The disk of the journal fails before anything is written. */
START_TEST(without_a_journal_nothing_is_written)
{
	struct ca_probe_evidence probe;

	ck_assert_int_eq(close(fd), 0);
	ck_assert_int_eq(ca_probe_run(&ram.device, &options, &probe), -EBADF);
	ck_assert_int_eq(probe.end, CA_FILL_HOST_ERROR);
	ck_assert_uint_eq(probe.written_bytes, 0);
	ck_assert_uint_eq(changed_sectors(), 0);
	fd = dup(STDERR_FILENO);
}
END_TEST

static int lose_journal(void *context, const struct ca_probe_progress *progress)
{
	int *journal = context;

	if (progress->phase == CA_PROBE_PHASE_LOOK && *journal >= 0) {
		(void)close(*journal); /* that is the point */
		*journal = -1;
	}
	return 0;
}

/* It fails later: the samples are in memory too, of the run is said what is missing. */
START_TEST(what_a_lost_journal_held_is_told)
{
	struct ca_probe_evidence probe;
	int journal = fd;

	options.progress = lose_journal;
	options.progress_context = &journal;
	ck_assert_int_eq(ca_probe_run(&ram.device, &options, &probe), -EBADF);
	ck_assert_int_eq(probe.end, CA_FILL_HOST_ERROR);
	ck_assert(probe.journal_kept);
	ck_assert_uint_ge(probe.unrestored_bytes, probe.run_bytes);
	ck_assert_int_eq(memcmp(before + probe.run_bytes, ram.data + probe.run_bytes,
				(size_t)(BYTES - probe.run_bytes)),
			 0);
	fd = dup(STDERR_FILENO);
}
END_TEST

START_TEST(a_changed_device_is_not_written_to)
{
	struct ca_probe_evidence probe;

	ram.changed = true;
	ck_assert_int_eq(ca_probe_run(&ram.device, &options, &probe), 0);
	ck_assert_int_eq(probe.end, CA_FILL_CHANGED);
	ck_assert_uint_eq(probe.written_bytes, 0);
	ck_assert_uint_eq(changed_sectors(), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("probe");
	TCase *tcase = tcase_create("probe");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, a_sound_card_is_as_before);
	tcase_add_loop_test(tcase, an_interruption_puts_everything_back, 1, 12);
	tcase_add_loop_test(tcase, a_lost_card_is_restored_from_the_journal, 0, 17);
	tcase_add_test(tcase, another_card_is_refused);
	tcase_add_test(tcase, what_was_written_since_is_left_alone);
	tcase_add_test(tcase, what_cannot_be_put_back_is_counted);
	tcase_add_loop_test(tcase, fakes_are_found_and_keep_what_they_held, 0,
			    (int)CA_ARRAY_LEN(fakes));
	tcase_add_test(tcase, scattered_errors_are_no_size);
	tcase_add_test(tcase, a_dead_card_is_lost_and_not_bad);
	tcase_add_test(tcase, without_a_journal_nothing_is_written);
	tcase_add_test(tcase, what_a_lost_journal_held_is_told);
	tcase_add_test(tcase, a_changed_device_is_not_written_to);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
