/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fail sweep: whatever the program does is done again and again, and each time another
 * allocation, or another operation of the device, fails. It may then say less, but it may not
 * crash, keep memory, pass a counterfeit, or fail a sound card for one bad moment.
 */
#include "fail_alloc.h"
#include "fail_device.h"

#include "cardassay/certificate.h"
#include "cardassay/fill.h"
#include "cardassay/host.h"
#include "cardassay/speed.h"

#include <check.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOUND	     "announced=4M,queue-depth=4"
#define COUNTERFEIT  "announced=4M,real=1536K,kind=wrap,queue-depth=4"
#define CARD	     CA_FIXTURES "/cards/D0001"
#define CERTIFICATES CA_FIXTURES "/certificates/valid/"

/* An assertion that allocates nothing as long as it holds: check's own do. */
static void must(bool holds, const char *what)
{
	size_t live;

	if (holds)
		return;
	(void)fail_alloc_end(&live);
	ck_abort_msg("%s", what);
}

/* ---- a whole run on a simulated card --------------------------------------------------------- */

struct run {
	struct fail_device fail;
	struct ca_certificate certificate; /* done by the caller */
};

static int open_card(struct run *run, const char *text, uint64_t fail_at, enum fail_way way)
{
	struct ca_device *device = NULL;
	struct ca_sim_spec spec;
	int r = ca_sim_parse(text, &spec, NULL);

	must(r == 0, "the device string");
	r = ca_sim_open(&spec, &device, NULL);
	if (r < 0)
		return r;
	fail_device_init(&run->fail, device);
	run->fail.fail_at = fail_at;
	run->fail.way = way;
	return 0;
}

static void prepare(struct ca_certificate *certificate, const char *spec,
		    const struct ca_device *device)
{
	struct ca_evidence *evidence = &certificate->evidence;

	memset(certificate, 0, sizeof(*certificate));
	certificate->profile = CA_PROFILE_FULL;
	evidence->origin = CA_ORIGIN_SIMULATED;
	evidence->collected_at = UINT64_C(1767225600);
	evidence->device.bytes = device->geometry.bytes;
	evidence->device.sector_bytes = device->geometry.sector_bytes;
	(void)ca_string_copy(evidence->device.bus, sizeof(evidence->device.bus), "sim");
	(void)ca_string_copy(evidence->device.node, sizeof(evidence->device.node), spec);
	(void)ca_string_copy(certificate->label, sizeof(certificate->label), "4MB");
	memset(certificate->id, 'a', 32);
	memset(certificate->specs_sha256, '0', 64);
	(void)ca_string_copy(certificate->tool_version, sizeof(certificate->tool_version), "0");
}

/* Fill and speed, as certify does them. Own failures end the phase and are kept in *ret_failed. */
static void measure(struct ca_device *device, struct ca_evidence *evidence, int *ret_failed)
{
	const struct ca_fill_options fill = {.secret = {1},
					     .run_id = {2},
					     .device_id = {3},
					     .seed = 4,
					     .request_bytes = (uint32_t)(256 * CA_KIB)};
	const struct ca_speed_options options = {.seed = 5};
	const struct ca_speed_class_plan plan = {.random_ns = 30000000,
						 .sequential_bytes = CA_MIB,
						 .au_bytes = 512 * CA_KIB,
						 .preconditioned_ppm = 1000000};
	const struct ca_capacity_evidence *capacity = &evidence->capacity;
	bool gone = false;
	int r = ca_fill_run(device, &fill, &evidence->capacity);

	if (r == 0 && capacity->end == CA_FILL_COMPLETE && capacity->kind == CA_CAPACITY_KIND_SOUND)
		r = ca_speed_run_classes(device, &plan, &options, &evidence->speed, &gone);
	*ret_failed = r;
}

static int show(const struct ca_certificate *certificate)
{
	const struct ca_view_options view = {.all = true};
	CA_CLEANUP_FREE char *json = NULL;
	CA_CLEANUP_FREE char *text = NULL;
	CA_CLEANUP_FREE char *inspect = NULL;
	size_t len;
	int r = ca_certificate_to_json(certificate, true, &json, &len);

	if (r == 0)
		r = ca_certificate_to_text(certificate, &view, &text);
	return r < 0 ? r : ca_certificate_inspect_text(certificate, &view, &inspect);
}

/* Judges also what a failure of our own left behind; 0, or the first failure. */
static int judge_and_show(struct ca_certificate *certificate, int failed)
{
	int r = ca_certificate_judge(certificate, NULL);

	if (r == 0)
		r = show(certificate);
	return failed < 0 ? failed : r;
}

static enum ca_verdict capacity_verdict(const struct ca_certificate *certificate)
{
	return ca_judgement_claim_verdict(&certificate->judgement, "capacity");
}

/* The certificate is valid on return, even when nothing could be judged. */
static int run_card(const char *spec, uint64_t fail_at, enum fail_way way, uint64_t unreadable_lba,
		    struct run *run)
{
	int failed = open_card(run, spec, fail_at, way);

	if (failed < 0) {
		memset(&run->certificate, 0, sizeof(run->certificate));
		return failed;
	}
	run->fail.unreadable_lba = unreadable_lba;
	prepare(&run->certificate, spec, &run->fail.device);
	measure(&run->fail.device, &run->certificate.evidence, &failed);
	ca_device_close(&run->fail.device);
	return judge_and_show(&run->certificate, failed);
}

static struct run run; /* too large for the stack */

/* ---- allocations ------------------------------------------------------------------------------
 */

static int certify_counterfeit(void)
{
	int r = run_card(COUNTERFEIT, 0, FAIL_ERROR, UINT64_MAX, &run);

	must(capacity_verdict(&run.certificate) != CA_VERDICT_PASS, "a counterfeit passed");
	must(capacity_verdict(&run.certificate) != CA_VERDICT_SCREENED,
	     "a counterfeit is screened");
	must(r < 0 || capacity_verdict(&run.certificate) == CA_VERDICT_FAIL,
	     "a counterfeit got through");
	ca_certificate_done(&run.certificate);
	return r;
}

static int certify_sound(void)
{
	int r = run_card(SOUND, 0, FAIL_ERROR, UINT64_MAX, &run);

	must(capacity_verdict(&run.certificate) != CA_VERDICT_FAIL, "a sound card failed");
	must(r < 0 || capacity_verdict(&run.certificate) == CA_VERDICT_PASS,
	     "a sound card did not pass");
	ca_certificate_done(&run.certificate);
	return r;
}

static int inspect_directory(void)
{
	struct ca_certificate *certificate = &run.certificate;
	int r;

	memset(certificate, 0, sizeof(*certificate));
	(void)ca_string_copy(certificate->label, sizeof(certificate->label), "SanDisk 64GB A1 U1");
	r = ca_host_collect(NULL, CARD, &certificate->evidence, NULL);
	must(r < 0 || certificate->evidence.registers.has[CA_REGISTER_CID], "a register is lost");
	if (r == 0)
		r = judge_and_show(certificate, 0);
	ca_certificate_done(certificate);
	return r;
}

static int on_card(void *context, const struct ca_evidence *card)
{
	*(bool *)context = card->registers.has[CA_REGISTER_CID];
	return 0;
}

static int read_pasted(void)
{
	static const char text[] =
		"/sys/block/mmcblk0/device/cid:035344534c33324780e012b979002615\n"
		"/sys/block/mmcblk0/device/type:SD\n"
		"/sys/block/mmcblk1/device/cid:1b534d45423151543010b1c2d3012600\n";
	bool has_cid = false;
	int r = ca_host_read_register_text(text, sizeof(text) - 1, on_card, &has_cid, NULL);

	must(r < 0 || has_cid, "a register is lost");
	return r;
}

/* Whether what it repeats is ours depends on the rules it was judged by, but not on memory. */
static int verify(const char *path, bool repeats)
{
	static char text[1 << 18];
	struct ca_certificate *certificate = &run.certificate;
	FILE *file = fopen(path, "rb");
	struct ca_error error = {0};
	size_t len;
	bool same = false;
	int r;

	must(file != NULL, path);
	len = fread(text, 1, sizeof(text), file);
	(void)fclose(file); /* only read */
	r = ca_certificate_from_json(text, len, certificate, NULL, &error);
	must(r == 0 || r == -ENOMEM, error.text);
	if (r < 0)
		return r;
	r = ca_certificate_judge(certificate, NULL);
	if (r == 0)
		r = ca_certificate_repeats(text, len, certificate, &same);
	must(r < 0 || same == repeats, "no memory makes another certificate of it");
	if (r == 0)
		r = show(certificate);
	ca_certificate_done(certificate);
	return r;
}

static int verify_measured(void)
{
	return verify(CERTIFICATES "virtual-sound.json", true);
}

static int verify_packed(void)
{
	return verify(CERTIFICATES "packed-map.json", false);
}

/* A disk in use stays in use, and what cannot be known is refused. */
static int guard(void)
{
	static const char *const in_use[] = {"/dev/sdb", "/dev/nvme0n1"};
	struct ca_device_entry *entries = NULL;
	size_t count = 0;
	int r = ca_host_list(CA_FIXTURES "/sysfs/pc", &entries, &count, NULL);

	for (size_t i = 0; r == 0 && i < count; i++)
		for (size_t j = 0; j < CA_ARRAY_LEN(in_use); j++)
			must(strcmp(entries[i].node, in_use[j]) != 0 ||
				     entries[i].refused_because[0],
			     in_use[j]);
	free(entries);
	for (size_t i = 0; i < CA_ARRAY_LEN(in_use); i++) {
		char confirm[160] = "";

		must(ca_guard_check(CA_FIXTURES "/sysfs/pc", in_use[i], NULL, confirm,
				    sizeof(confirm), NULL) < 0,
		     in_use[i]);
	}
	return r;
}

/* Made once: libgcrypt ends the program where it gets no memory for large numbers. */
static struct ca_secret_key secret_key;

static int key_files(void)
{
	const struct ca_public_key public_key = {.id = {1}, .key = {2}};
	CA_CLEANUP_FREE char *secret_text = NULL;
	CA_CLEANUP_FREE char *public_text = NULL;
	struct ca_public_key public_again;
	int r = ca_sign_format_secret(&secret_key, &secret_text);

	if (r == 0)
		r = ca_sign_format_public(&public_key, &public_text);
	if (r == 0)
		r = ca_sign_parse_public(public_text, strlen(public_text), &public_again, NULL);
	must(r < 0 || memcmp(&public_again, &public_key, sizeof(public_key)) == 0,
	     "another key was read");
	return r;
}

/* Where there are more allocations than `most`, half as many fail from the first on, and then every
 * n-th. */
static const struct scenario {
	const char *name;
	int (*run)(void);
	size_t most;
} scenarios[] = {
	{"certify a counterfeit", certify_counterfeit, 250},
	{"certify a sound card", certify_sound, 250},
	{"inspect a directory", inspect_directory, 250},
	{"read pasted registers", read_pasted, 250},
	{"verify a measured card", verify_measured, 250},
	{"verify a packed map", verify_packed, 100},
	{"list and guard", guard, 60},
	{"key files", key_files, 250},
};

static size_t run_once(const struct scenario *scenario, size_t fail_at, int *ret_result)
{
	size_t live, asked;

	fail_alloc_begin(fail_at);
	*ret_result = scenario->run();
	asked = fail_alloc_end(&live);
	ck_assert_msg(live == 0, "%s: %zu blocks are kept when allocation %zu fails",
		      scenario->name, live, fail_at);
	return asked;
}

START_TEST(allocations_fail)
{
	const struct scenario *scenario = &scenarios[_i];
	size_t asked, step, failures = 0, refused = 0;
	int r;

	ck_assert_int_eq(scenario->run(), 0); /* what is made once for good is made now */
	asked = run_once(scenario, 0, &r);
	ck_assert_int_eq(r, 0);
	ck_assert_uint_gt(asked, 0);
	step = asked / scenario->most + 1;
	for (size_t n = 1; n <= asked; n += n < scenario->most / 2 ? 1 : step) {
		(void)run_once(scenario, n, &r);
		ck_assert_msg(r == 0 || r == -ENOMEM, "%s: %s when allocation %zu fails",
			      scenario->name, strerror(-r), n);
		failures++;
		refused += r < 0;
	}
	printf("%-24s %6zu allocations, %4zu of them failed, %4zu runs said so\n", scenario->name,
	       asked, failures, refused);
	(void)fflush(stdout);
}
END_TEST

/* ---- operations of the device -----------------------------------------------------------------
 */

static const char *const way_names[] = {"own failure EIO", "own failure ENOMEM", "one error",
					"gone for good", "wrong data once"};

/* One run; the operations it took. */
static uint64_t run_device(const char *spec, uint64_t fail_at, enum fail_way way,
			   enum ca_verdict *ret_verdict)
{
	size_t live;
	int r;

	fail_alloc_begin(0);
	r = run_card(spec, fail_at, way, UINT64_MAX, &run);
	must(r == 0 || (way == FAIL_OWN_EIO && r == -EIO) ||
		     (way == FAIL_OWN_ENOMEM && r == -ENOMEM),
	     "another error than the one that was made");
	*ret_verdict = capacity_verdict(&run.certificate);
	ca_certificate_done(&run.certificate);
	(void)fail_alloc_end(&live);
	ck_assert_uint_eq(live, 0);
	return run.fail.operations;
}

static void sweep_device(const char *spec, enum fail_way way, bool sound)
{
	unsigned int verdicts[7] = {0};
	enum ca_verdict verdict;
	uint64_t operations = run_device(spec, 0, way, &verdict);

	ck_assert_int_eq(verdict, sound ? CA_VERDICT_PASS : CA_VERDICT_FAIL);
	for (uint64_t n = 1; n <= operations; n++) {
		(void)run_device(spec, n, way, &verdict);
		ck_assert_msg(verdict != (sound ? CA_VERDICT_FAIL : CA_VERDICT_PASS),
			      "%s, operation %" PRIu64 " of %" PRIu64 ", %s: %s", spec, n,
			      operations, way_names[way], ca_verdict_name(verdict));
		verdicts[verdict]++;
	}
	printf("%-11s %-18s %4" PRIu64 " operations: pass %u, screened %u, inconclusive %u, "
	       "fail %u\n",
	       sound ? "sound" : "counterfeit", way_names[way], operations,
	       verdicts[CA_VERDICT_PASS], verdicts[CA_VERDICT_SCREENED],
	       verdicts[CA_VERDICT_INCONCLUSIVE], verdicts[CA_VERDICT_FAIL]);
	(void)fflush(stdout);
}

START_TEST(operations_fail)
{
	sweep_device(SOUND, (enum fail_way)_i, true);
	sweep_device(COUNTERFEIT, (enum fail_way)_i, false);
}
END_TEST

START_TEST(unreadable_sector_never_passes)
{
	static const uint64_t lbas[] = {0, 1, 511, 512, 4095, 4096, 6173, 8191};

	for (size_t i = 0; i < CA_ARRAY_LEN(lbas); i++) {
		ck_assert_int_eq(run_card(SOUND, 0, FAIL_ERROR, lbas[i], &run), 0);
		ck_assert_int_eq(capacity_verdict(&run.certificate), CA_VERDICT_FAIL);
		ca_certificate_done(&run.certificate);
	}
}
END_TEST

int main(void)
{
	static const uint8_t entropy[40] = {1, 2, 3};
	Suite *suite = suite_create("fail sweep");
	TCase *tcase = tcase_create("fail sweep");
	SRunner *runner = srunner_create(suite);
	int failed;

	fail_alloc_init();
	if (ca_sign_keygen(entropy, &secret_key) < 0)
		return EXIT_FAILURE;
	tcase_set_timeout(tcase, 300);
	tcase_add_loop_test(tcase, allocations_fail, 0, (int)CA_ARRAY_LEN(scenarios));
	tcase_add_loop_test(tcase, operations_fail, 0, FAIL_WAYS);
	tcase_add_test(tcase, unreadable_sector_never_passes);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
