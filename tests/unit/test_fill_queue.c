/* SPDX-License-Identifier: BSD-2-Clause */
#include "fill_job.h"
#include "unit/ram_device.h"

#include <check.h>

#define WHOLE (4 * CA_MIB)

static struct ram_device ram;
static struct ca_fill_options options;
static struct ca_fill_job job;

static void set_up(void)
{
	ram_init(&ram, WHOLE, CA_SECTOR_BYTES, 8);
	options = (struct ca_fill_options){.secret = {1}, .cipher = CA_CIPHER_CHACHA20};
	job = (struct ca_fill_job){.device = &ram.device,
				   .options = &options,
				   .bytes = WHOLE,
				   .sector_bytes = CA_SECTOR_BYTES};
	ck_assert_int_eq(ca_pattern_new(options.secret, options.run_id, options.device_id, 0,
					options.cipher, &job.pattern),
			 0);
	ck_assert_int_eq(ca_crew_new(job.pattern, &options, ram.device.clock, 0, &job.crew), 0);
}

static void tear_down(void)
{
	ca_fill_queue_done(&job);
	ca_crew_free(job.crew);
	ca_pattern_free(job.pattern);
	ca_device_close(&ram.device);
}

#define KIB UINT32_C(1024)
#define MIB ((uint32_t)CA_MIB)

static const struct {
	const char *name;
	uint32_t buffers, request, depth, most_depth, sector;
	uint64_t device;
	uint32_t expected_request, expected_depth, expected_slots;
} sizes[] = {
	{"nothing said", 0, 0, 0, 128, 512, CA_GIB, MIB, 4, 8},
	{"the least", 64 * KIB, 0, 0, 128, 512, CA_GIB, 16 * KIB, 2, 3},
	{"small", MIB, 0, 0, 128, 512, CA_GIB, 64 * KIB, 4, 8},
	{"no power of two", 5 * MIB, 0, 0, 128, 512, CA_GIB, 512 * KIB, 4, 8},
	{"a deep queue", 0, 0, 32, 128, 512, CA_GIB, 256 * KIB, 32, 36},
	{"too deep a queue", MIB, 0, 200, 256, 512, CA_GIB, 64 * KIB, 14, 15},
	{"the device takes one", 0, 0, 0, 1, 512, CA_GIB, MIB, 1, 5},
	{"a wish", 0, 4 * MIB, 0, 128, 512, CA_GIB, 4 * MIB, 2, 3},
	{"a wish too large", MIB, 4 * MIB, 0, 128, 512, CA_GIB, 340 * KIB, 1, 2},
	{"a small device", 0, 0, 0, 128, 4096, 12288, 12288, 4, 8},
	{"smaller than a page", 0, 0, 0, 128, 512, 1024, 4096, 4, 8},
};

START_TEST(buffers_stay_within_their_bound)
{
	uint64_t bytes;

	options.buffer_bytes = sizes[_i].buffers;
	options.request_bytes = sizes[_i].request;
	options.queue_depth = sizes[_i].depth;
	ram.device.geometry.max_queue_depth = sizes[_i].most_depth;
	job.bytes = sizes[_i].device;
	job.sector_bytes = sizes[_i].sector;
	ck_assert_int_eq(ca_fill_queue_init(&job), 0);
	ck_assert_msg(job.request_bytes == sizes[_i].expected_request, "%s: requests of %u",
		      sizes[_i].name, job.request_bytes);
	ck_assert_msg(job.queue_depth == sizes[_i].expected_depth, "%s: %u in flight",
		      sizes[_i].name, job.queue_depth);
	ck_assert_msg(job.slot_count == sizes[_i].expected_slots, "%s: %u slots", sizes[_i].name,
		      job.slot_count);
	bytes = (uint64_t)(job.slot_count + 1) * job.request_bytes;
	ck_assert_uint_le(bytes, sizes[_i].buffers ? sizes[_i].buffers : 16 * MIB);
	for (uint32_t i = 0; i < job.slot_count; i++)
		ck_assert_uint_eq((uintptr_t)job.slots[i].io.buffer % CA_BUFFER_ALIGN, 0);
	memset(job.memory, 0xa5, (size_t)bytes + CA_FILL_PIECE_BYTES); /* all of it is there */
}
END_TEST

static uint64_t order[16];
static size_t ordered;

static void note_order(enum ca_io_op op, uint64_t offset, uint64_t bytes, const uint8_t *out)
{
	(void)op;
	(void)bytes;
	(void)out;
	order[ordered++] = offset;
}

START_TEST(what_is_posted_first_is_submitted_first)
{
	struct ca_io *io;

	options.request_bytes = 64 * KIB;
	ram.on_transfer = note_order;
	ordered = 0;
	ck_assert_int_eq(ca_fill_queue_init(&job), 0);
	for (uint32_t i = 0; ca_fill_has_idle(&job); i++)
		ca_fill_post_write(&job, i * UINT64_C(65536), 65536);
	ck_assert_uint_eq(job.posted_count, 8);
	while (job.posted_count > 0) {
		while (job.posted_count > 0 && ca_fill_can_submit(&job))
			ck_assert_int_eq(ca_fill_submit_posted(&job), 0);
		ck_assert_int_eq(ca_fill_wait(&job, &io), 0);
		ck_assert_int_eq(io->status, CA_IO_OK);
		ca_fill_release(&job, io);
	}
	while (ca_fill_has_flight(&job)) {
		ck_assert_int_eq(ca_fill_wait(&job, &io), 0);
		ca_fill_release(&job, io);
	}
	ck_assert_uint_eq(job.idle_count, job.slot_count);
	for (size_t i = 0; i < ordered; i++)
		ck_assert_uint_eq(order[i], i * 65536);
	ck_assert_uint_eq(ordered, 8);

	/* and it was the pattern: read back, but for one flipped bit */
	ram.data[3 * 65536 + 77] ^= 4;
	for (uint64_t i = 2; i < 5; i++) {
		ck_assert_int_eq(ca_fill_submit_read(&job, i * 65536, 65536), 0);
		ck_assert_int_eq(ca_fill_wait(&job, &io), 0);
		ca_fill_post_read(&job, io);
		io = ca_fill_take_posted(&job);
		ck_assert_uint_eq(io->offset, i * 65536);
		ck_assert(ca_fill_was_intact(io) == (i != 3));
		ca_fill_release(&job, io);
	}
}
END_TEST

START_TEST(our_own_failure_loses_no_slot)
{
	ck_assert_int_eq(ca_fill_queue_init(&job), 0);
	ram.submit_errno = -ENOMEM;
	ca_fill_post_write(&job, 0, 65536);
	ck_assert_int_eq(ca_fill_submit_posted(&job), -ENOMEM);
	ck_assert_int_eq(ca_fill_submit_read(&job, 0, 65536), -ENOMEM);
	ck_assert_uint_eq(job.idle_count, job.slot_count);
	ck_assert(!ca_fill_has_flight(&job));
}
END_TEST

/* As when a run is interrupted: chunks that were made, and transfers that are under way. */
START_TEST(an_end_in_the_midst_lets_go_of_all)
{
	ck_assert_int_eq(ca_fill_queue_init(&job), 0);
	for (uint64_t i = 0; i < 3; i++)
		ca_fill_post_write(&job, i * 65536, 65536);
	ck_assert_int_eq(ca_fill_submit_posted(&job), 0);
	ck_assert_int_eq(ca_fill_submit_read(&job, 1048576, 65536), 0);
	ca_fill_drop_posted(&job);
	ck_assert_uint_eq(job.posted_count, 0);
	ck_assert_uint_eq(job.in_flight, 2);
	ck_assert_uint_eq(job.idle_count, job.slot_count - 2);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fill_queue");
	TCase *tcase = tcase_create("fill_queue");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_loop_test(tcase, buffers_stay_within_their_bound, 0,
			    (int)(sizeof(sizes) / sizeof(sizes[0])));
	tcase_add_test(tcase, what_is_posted_first_is_submitted_first);
	tcase_add_test(tcase, our_own_failure_loses_no_slot);
	tcase_add_test(tcase, an_end_in_the_midst_lets_go_of_all);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
