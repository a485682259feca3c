/* SPDX-License-Identifier: BSD-2-Clause */
/* Where in a run the device begins anew, and what becomes of the run then. */
#include "unit/ram_device.h"

#include "cardassay/fill.h"

#include <check.h>

#define SECTORS UINT64_C(262144)
#define WHOLE	(SECTORS * CA_SECTOR_BYTES)

/* What the caller's hook answers, and what it saw. */
struct hook {
	int result;
	enum ca_io_status status;
	unsigned int calls;
	uint64_t written_bytes, read_bytes, flushes; /* when it was called */
};

static uint64_t written_bytes, read_bytes;
static bool forget_a_sector;

static void count(enum ca_io_op op, uint64_t offset, uint64_t bytes, const uint8_t *out)
{
	(void)offset;
	(void)out;
	if (op == CA_IO_WRITE)
		written_bytes += bytes;
	else if (bytes > CA_SECTOR_BYTES) /* single ones ask whether it still answers */
		read_bytes += bytes;
}

static int begin_anew(void *context, struct ca_device *device, struct ca_io_fault *ret_fault)
{
	struct ram_device *ram = (struct ram_device *)device;
	struct hook *hook = context;

	hook->calls++;
	hook->written_bytes = written_bytes;
	hook->read_bytes = read_bytes;
	hook->flushes = ram->flushes;
	ck_assert_uint_eq(ram->queued, 0);
	if (forget_a_sector)
		memset(ram->data + WHOLE / 2, 0, CA_SECTOR_BYTES);
	if (hook->result == 0)
		*ret_fault = (struct ca_io_fault){
			.status = hook->status,
			.error = hook->status == CA_IO_OK ? 0 : ENODEV,
		};
	return hook->result;
}

static int run(struct hook *hook, uint64_t limbo, bool map_all,
	       struct ca_capacity_evidence *ret_capacity)
{
	struct ca_fill_options options = {
		.cipher = CA_CIPHER_CHACHA20,
		.map_all = map_all,
		.reinit = hook ? begin_anew : NULL,
		.reinit_context = hook,
	};
	struct ram_device ram;
	int r;

	written_bytes = read_bytes = 0;
	ram_init(&ram, WHOLE, CA_SECTOR_BYTES, 8);
	ram.on_transfer = count;
	ram.limbo = limbo;
	r = ca_fill_run(&ram.device, &options, ret_capacity);
	ca_device_close(&ram.device);
	return r;
}

static const struct {
	const char *name;
	int result;
	enum ca_io_status status;
	int expected;
	enum ca_fill_end end;
	enum ca_reinit_kind reinit;
	const char *lost_because; /* a part of it */
	bool read_back;
} cases[] = {
	{"done", 0, CA_IO_OK, 0, CA_FILL_COMPLETE, CA_REINIT_HOST, "", true},
	{"cannot be done any more", -EOPNOTSUPP, CA_IO_OK, 0, CA_FILL_COMPLETE, CA_REINIT_NONE, "",
	 true},
	{"did not come back", 0, CA_IO_GONE, 0, CA_FILL_LOST, CA_REINIT_NONE,
	 "while initialising it anew at byte 134217728", false},
	{"another came", 0, CA_IO_ERROR, 0, CA_FILL_CHANGED, CA_REINIT_NONE,
	 "changed, while initialising it anew", false},
	{"our own failure", -ENOMEM, CA_IO_OK, -ENOMEM, CA_FILL_HOST_ERROR, CA_REINIT_NONE, "",
	 false},
};

START_TEST(the_run_follows_the_hook)
{
	struct hook hook = {.result = cases[_i].result, .status = cases[_i].status};
	struct ca_capacity_evidence capacity;

	forget_a_sector = false;
	ck_assert_int_eq(run(&hook, 0, false, &capacity), cases[_i].expected);
	ck_assert_msg(capacity.end == cases[_i].end, "%s: %s", cases[_i].name,
		      ca_fill_end_name(capacity.end));
	ck_assert_int_eq(capacity.reinit, cases[_i].reinit);
	ck_assert_msg(strstr(capacity.lost_because, cases[_i].lost_because) != NULL, "%s",
		      capacity.lost_because);
	ck_assert_uint_eq(capacity.written_bytes, WHOLE);
	ck_assert_uint_eq(capacity.verified_bytes, cases[_i].read_back ? WHOLE : 0);
	ck_assert(capacity.has_key == cases[_i].read_back);
	/* once, when all was written and flushed, and before anything was read back */
	ck_assert_uint_eq(hook.calls, 1);
	ck_assert_uint_eq(hook.written_bytes, WHOLE);
	ck_assert_uint_gt(hook.flushes, 0);
	ck_assert_uint_lt(hook.read_bytes, WHOLE / 2); /* landmarks */
	ck_assert_uint_eq(read_bytes - hook.read_bytes, cases[_i].read_back ? WHOLE : 0);
	free(capacity.runs);
}
END_TEST

START_TEST(what_is_lost_by_it_is_found)
{
	struct hook hook = {.status = CA_IO_OK};
	struct ca_capacity_evidence capacity;

	forget_a_sector = true;
	ck_assert_int_eq(run(&hook, 0, false, &capacity), 0);
	ck_assert_int_eq(capacity.reinit, CA_REINIT_HOST);
	ck_assert_uint_eq(capacity.classes[CA_SECTOR_ZEROS], 1);
	ck_assert_uint_eq(capacity.first_bad_offset, WHOLE / 2);
	free(capacity.runs);
}
END_TEST

START_TEST(without_a_hook_it_goes_on)
{
	struct ca_capacity_evidence capacity;

	ck_assert_int_eq(run(NULL, 0, false, &capacity), 0);
	ck_assert_int_eq(capacity.end, CA_FILL_COMPLETE);
	ck_assert_int_eq(capacity.reinit, CA_REINIT_NONE);
	free(capacity.runs);
}
END_TEST

/* A card that is proved a fake must not get lost before its map is read. */
START_TEST(a_proved_fake_is_left_alone)
{
	struct hook hook = {.status = CA_IO_GONE};
	struct ca_capacity_evidence capacity;

	forget_a_sector = false;
	ck_assert_int_eq(run(&hook, 40007, false, &capacity), 0);
	ck_assert_int_eq(capacity.end, CA_FILL_PROOF);
	ck_assert_uint_eq(hook.calls, 0);
	ck_assert(capacity.has_real_capacity);
	free(capacity.runs);
	/* who wants the whole map knows of no proof */
	hook.status = CA_IO_OK;
	ck_assert_int_eq(run(&hook, 40007, true, &capacity), 0);
	ck_assert_int_eq(capacity.end, CA_FILL_COMPLETE);
	ck_assert_uint_eq(hook.calls, 1);
	free(capacity.runs);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fill_job");
	TCase *tcase = tcase_create("fill_job");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, the_run_follows_the_hook, 0, (int)CA_ARRAY_LEN(cases));
	tcase_add_test(tcase, what_is_lost_by_it_is_found);
	tcase_add_test(tcase, without_a_hook_it_goes_on);
	tcase_add_test(tcase, a_proved_fake_is_left_alone);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
