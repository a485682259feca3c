/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One card measured on one host after another: what each host can settle of A1, A2, U3 and V30, in
 * which words, and how much of it the reviews saw that measured the same cards. The table prints
 * itself.
 */
#include "speed_case.h"

/* ---- the hosts ------------------------------------------------------------------------------ */

static void card_slot(struct judge_case *t, const char *timing, int64_t hz, int64_t milliwatts,
		      const char *governor)
{
	struct ca_evidence *e = &t->evidence;

	e->device.media = CA_MEDIA_SD;
	(void)ca_string_copy(e->device.bus, sizeof(e->device.bus), "mmc");
	set_fact(e, CA_HOST_BUS_TIMING, 0, timing);
	set_fact(e, CA_HOST_BUS_CLOCK_HZ, hz, "");
	set_fact(e, CA_HOST_BUS_WIDTH, 4, "4 bits");
	set_fact(e, CA_HOST_POWER_LIMIT_MW, milliwatts, "");
	set_fact(e, CA_HOST_MAX_REQUEST_BYTES, 512 << 10, "512 KiB");
	set_fact(e, CA_HOST_CPU_GOVERNOR, 0, governor);
	set_fact(e, CA_HOST_COMMAND_QUEUE, 0, "none: the driver has 64 tags (debugfs)");
	set_fact(e, CA_HOST_CACHE, 0, "write through (queue/write_cache)");
}

static void host_pi3(struct judge_case *t)
{
	card_slot(t, "sd high-speed", 50000000, 720, "ondemand");
}

static void host_pi4(struct judge_case *t)
{
	card_slot(t, "sd uhs DDR50", 50000000, 720, "ondemand");
}

static void host_pi5(struct judge_case *t)
{
	card_slot(t, "sd uhs SDR104", 200000000, 720, "ondemand");
}

static void host_pi5_queue(struct judge_case *t)
{
	host_pi5(t);
	set_fact(&t->evidence, CA_HOST_COMMAND_QUEUE, 1, "Command Queue Engine enabled, 31 tags");
	set_fact(&t->evidence, CA_HOST_CACHE, 1, "write back (queue/write_cache)");
}

static void host_pc(struct judge_case *t)
{
	card_slot(t, "sd uhs SDR104", 208000000, 1440, "performance");
}

static void usb_reader(struct judge_case *t, int64_t megabits)
{
	(void)ca_string_copy(t->evidence.device.bus, sizeof(t->evidence.device.bus), "usb");
	set_fact(&t->evidence, CA_HOST_USB_SPEED, megabits, "");
	set_fact(&t->evidence, CA_HOST_CPU_GOVERNOR, 0, "performance");
	set_fact(&t->evidence, CA_HOST_MAX_REQUEST_BYTES, 1 << 20, "1024 KiB");
}

static void host_usb2(struct judge_case *t)
{
	usb_reader(t, 480);
}

static void host_usb3(struct judge_case *t)
{
	usb_reader(t, 5000);
}

/* ---- the table ------------------------------------------------------------------------------ */

enum claim { A1, A2, U3, V30, CLAIM_COUNT };
static const char *const claims[CLAIM_COUNT] = {"A1", "A2", "U3", "V30"};

struct row {
	const char *host;
	void (*set_host)(struct judge_case *t);
	const char *card;
	uint64_t read, write;	/* IOPS */
	uint64_t sequential;	/* 1 GiB in 4 MiB requests, kB/s; 0 = not measured */
	uint64_t mean, slowest; /* a recording and its slowest window, kB/s; 0 = none */
	const char *expected[CLAIM_COUNT];
	const char *words[CLAIM_COUNT]; /* what the explanation holds; NULL = anything */
};

#define NO_QUEUE   "this host has no command queue. Use a host with SD command queueing"
#define UNSEEN	   "no command queue is known to run here"
#define TOO_NARROW "the bus of this host cannot carry it (25.0 MB/s at most). Use a UHS-I slot"

/* By the rule: ten minutes at 4 KiB, the card written before, erased, recordings in 512 KiB. */
static const struct row by_the_rule[] = {
	/* a card that has what it says */
	{"Pi 3",
	 host_pi3,
	 "sound",
	 2000,
	 800,
	 20000,
	 21000,
	 20000,
	 {"pass", "inconclusive", "inconclusive", "inconclusive"},
	 {NULL, NO_QUEUE, TOO_NARROW, TOO_NARROW}},
	{"Pi 4",
	 host_pi4,
	 "sound",
	 3200,
	 1200,
	 36000,
	 36000,
	 31000,
	 {"pass", "inconclusive", "screened", "screened"},
	 {NULL, NO_QUEUE, "not told of the recording", NULL}},
	{"Pi 5",
	 host_pi5,
	 "sound",
	 5000,
	 2000,
	 60000,
	 60000,
	 40000,
	 {"pass", "inconclusive", "screened", "screened"},
	 {NULL, "dtparam=sd_cqe=on", NULL, NULL}},
	{"Pi 5 + sd_cqe",
	 host_pi5_queue,
	 "sound",
	 5000,
	 2000,
	 60000,
	 60000,
	 40000,
	 {"screened", "pass", "screened", "screened"},
	 {"the cache of the card was on", NULL, NULL, NULL}},
	{"PC, PCIe",
	 host_pc,
	 "sound",
	 4200,
	 2100,
	 80000,
	 80000,
	 40000,
	 {"pass", "inconclusive", "screened", "screened"},
	 {NULL, NO_QUEUE, NULL, NULL}},
	{"USB 2 reader",
	 host_usb2,
	 "sound",
	 2000,
	 1000,
	 36000,
	 36000,
	 31000,
	 {"screened", "inconclusive", "screened", "screened"},
	 {"not known whether the cache", UNSEEN, NULL, NULL}},
	{"USB 3 reader",
	 host_usb3,
	 "sound",
	 2500,
	 1300,
	 80000,
	 80000,
	 40000,
	 {"screened", "inconclusive", "screened", "screened"},
	 {"not known whether the cache", UNSEEN, NULL, NULL}},
	/* a little too slow, which each of these hosts may have done to it */
	{"Pi 3",
	 host_pi3,
	 "below",
	 1400,
	 450,
	 9000,
	 9000,
	 8000,
	 {"inconclusive", "inconclusive", "inconclusive", "inconclusive"},
	 {"the bus mode is one in which the rule does not measure", NO_QUEUE, TOO_NARROW,
	  TOO_NARROW}},
	{"Pi 4",
	 host_pi4,
	 "below",
	 1400,
	 450,
	 9000,
	 25000,
	 24000,
	 {"inconclusive", "inconclusive", "inconclusive", "inconclusive"},
	 {"grants the card less power", NO_QUEUE, "was not announced", NULL}},
	{"Pi 5",
	 host_pi5,
	 "below",
	 1400,
	 450,
	 9000,
	 25000,
	 24000,
	 {"inconclusive", "inconclusive", "inconclusive", "inconclusive"},
	 {"grants the card less power", NO_QUEUE, NULL, NULL}},
	{"Pi 5 + sd_cqe",
	 host_pi5_queue,
	 "below",
	 4100,
	 1900,
	 60000,
	 25000,
	 24000,
	 {"screened", "inconclusive", "inconclusive", "inconclusive"},
	 {NULL, "one queued write at a time", NULL, NULL}},
	{"PC, PCIe",
	 host_pc,
	 "below",
	 1400,
	 450,
	 20000,
	 25000,
	 24000,
	 {"inconclusive", "inconclusive", "inconclusive", "inconclusive"},
	 {"each request spends time in the host", NO_QUEUE, NULL, NULL}},
	{"USB 3 reader",
	 host_usb3,
	 "below",
	 1400,
	 450,
	 9000,
	 25000,
	 24000,
	 {"inconclusive", "inconclusive", "inconclusive", "inconclusive"},
	 {"use a slot that Linux drives itself", UNSEEN, NULL, NULL}},
	/* so slow that no host explains it, but one of which nothing is known */
	{"Pi 3",
	 host_pi3,
	 "false",
	 250,
	 90,
	 1000,
	 1500,
	 1000,
	 {"fail", "inconclusive", "fail", "fail"},
	 {"a factor of 5.00 at most", NO_QUEUE, NULL, NULL}},
	{"Pi 4",
	 host_pi4,
	 "false",
	 250,
	 90,
	 1000,
	 1500,
	 1000,
	 {"fail", "inconclusive", "fail", "fail"},
	 {"a factor of 3.13 at most", NO_QUEUE, NULL, NULL}},
	{"Pi 5",
	 host_pi5,
	 "false",
	 250,
	 90,
	 1000,
	 1500,
	 1000,
	 {"fail", "inconclusive", "fail", "fail"},
	 {NULL, NO_QUEUE, NULL, NULL}},
	{"Pi 5 + sd_cqe",
	 host_pi5_queue,
	 "false",
	 250,
	 90,
	 1000,
	 1500,
	 1000,
	 {"fail", "fail", "fail", "fail"},
	 {NULL, NULL, NULL, NULL}},
	{"PC, PCIe",
	 host_pc,
	 "false",
	 1100,
	 390,
	 1000,
	 1500,
	 1000,
	 {"fail", "inconclusive", "fail", "fail"},
	 {"a factor of 1.25 at most", NO_QUEUE, NULL, NULL}},
	{"USB 2 reader",
	 host_usb2,
	 "false",
	 250,
	 90,
	 1000,
	 1500,
	 1000,
	 {"inconclusive", "inconclusive", "inconclusive", "inconclusive"},
	 {"mode and clock of the bus are not known", UNSEEN, NULL, NULL}},
	/* faster than the wire: memory answered */
	{"Pi 3",
	 host_pi3,
	 "page cache",
	 100000,
	 800,
	 20000,
	 21000,
	 20000,
	 {"inconclusive", "inconclusive", "inconclusive", "inconclusive"},
	 {"memory, not the card", NO_QUEUE, NULL, NULL}},
	{"USB 2 reader",
	 host_usb2,
	 "page cache",
	 2000,
	 800,
	 20000,
	 55000,
	 54500,
	 {"screened", "inconclusive", "inconclusive", "inconclusive"},
	 {NULL, UNSEEN, "memory, not the card", "memory, not the card"}},
};

/* As the reviews took them: seconds in a file, nothing erased, nothing written before. */
static const struct row reviewed[] = {
	{"Pi 4",
	 host_pi4,
	 "SanDisk Extreme",
	 1882,
	 947,
	 36300,
	 0,
	 0,
	 {"screened", "inconclusive", "screened", "screened"},
	 {"shorter than the rule's ten minutes", NO_QUEUE, "window was wider", NULL}},
	{"Pi 4",
	 host_pi4,
	 "Pro Endurance",
	 2613,
	 724,
	 0,
	 0,
	 0,
	 {"screened", "inconclusive", "untested", "untested"},
	 {"shorter than the rule's ten minutes", NO_QUEUE, NULL, NULL}},
	{"Pi 4",
	 host_pi4,
	 "Lexar A2",
	 2470,
	 653,
	 0,
	 0,
	 0,
	 {"screened", "inconclusive", "untested", "untested"},
	 {"shorter than the rule's ten minutes", NO_QUEUE, NULL, NULL}},
	{"Pi 4",
	 host_pi4,
	 "Raspberry Pi A2",
	 3200,
	 1200,
	 0,
	 0,
	 0,
	 {"screened", "inconclusive", "untested", "untested"},
	 {NULL, NO_QUEUE, NULL, NULL}},
	{"Pi 5 + sd_cqe",
	 host_pi5_queue,
	 "Raspberry Pi A2",
	 5000,
	 2000,
	 0,
	 0,
	 0,
	 {"screened", "screened", "untested", "untested"},
	 {NULL, "shorter than the rule's ten minutes", NULL, NULL}},
	/* posted writes are limited: 3 % less than the limit with the queue on is no verdict */
	{"Pi 5 + sd_cqe",
	 host_pi5_queue,
	 "posted writes",
	 5000,
	 1940,
	 0,
	 0,
	 0,
	 {"screened", "inconclusive", "untested", "untested"},
	 {NULL, "one queued write at a time", NULL, NULL}},
	/* dd of a slot that carries 25 MB/s: writes it can settle nothing of, reads from memory */
	{"Pi 3",
	 host_pi3,
	 "dd write",
	 0,
	 0,
	 16500,
	 0,
	 0,
	 {"screened", "inconclusive", "inconclusive", "inconclusive"},
	 {NULL, NO_QUEUE, TOO_NARROW, TOO_NARROW}},
	{"Pi 3",
	 host_pi3,
	 "dd, page cache",
	 0,
	 0,
	 549000,
	 0,
	 0,
	 {"inconclusive", "inconclusive", "inconclusive", "inconclusive"},
	 {"memory, not the card", NO_QUEUE, NULL, NULL}},
};

/* ---- running it ----------------------------------------------------------------------------- */

static void add_figures(struct judge_case *t, const struct row *row)
{
	bool queue = row->set_host == host_pi5_queue;
	uint32_t depth = queue ? 32 : 1;

	if (row->read)
		add_random(t, false, row->read * 1000)->queue_depth = depth;
	if (row->write)
		add_random(t, true, row->write * 1000)->queue_depth = depth;
	if (row->sequential)
		(void)add_sequential(t, true, row->sequential * 1000);
	if (row->mean)
		(void)add_recording(t, row->mean * 1000, row->slowest * 1000, 4 * CA_MIB);
	t->evidence.speed.bypass_page_cache = CA_YES;
}

static void as_reviewers_do(struct judge_case *t)
{
	struct ca_speed_evidence *speed = &t->evidence.speed;

	speed->erased_before = CA_UNKNOWN;
	for (unsigned int i = 0; i < speed->random_count; i++) {
		speed->random[i].duration_ns = 5 * CA_NS_PER_SECOND;
		speed->random[i].preconditioned_ppm = 0;
	}
	for (unsigned int i = 0; i < speed->sequential_count; i++)
		speed->sequential[i].preconditioned_ppm = 0;
}

static void check_row(struct judge_case *t, const struct row *row)
{
	case_judge(t);
	(void)printf("%-14s %-16s", row->host, row->card);
	for (unsigned int i = 0; i < CLAIM_COUNT; i++)
		(void)printf(" %s %-13s", claims[i], claim_verdict(t, claims[i]));
	(void)putchar('\n');
	for (unsigned int i = 0; i < CLAIM_COUNT; i++) {
		const struct ca_finding *finding = find_claim(t, claims[i]);

		ck_assert_ptr_nonnull(finding);
		(void)printf("    %-3s %s\n", claims[i], finding->why);
		ck_assert_msg(strcmp(ca_verdict_name(finding->verdict), row->expected[i]) == 0,
			      "%s, %s, %s: %s, expected %s (%s)", row->host, row->card, claims[i],
			      ca_verdict_name(finding->verdict), row->expected[i], finding->why);
		ck_assert_msg(!row->words[i] || strstr(finding->why, row->words[i]),
			      "%s, %s, %s: \"%s\" lacks \"%s\"", row->host, row->card, claims[i],
			      finding->why, row->words[i]);
	}
	(void)fflush(stdout);
	case_done(t);
}

static void begin(struct judge_case *t, const struct row *row)
{
	case_bare(t);
	t->request.label = "Kingston 64GB A2 A1 U3 V30";
	t->request.profile = CA_PROFILE_FULL;
	t->evidence.speed.erased_before = CA_YES;
	row->set_host(t);
	add_figures(t, row);
}

START_TEST(rows_by_the_rule)
{
	static struct judge_case t;

	begin(&t, &by_the_rule[_i]);
	check_row(&t, &by_the_rule[_i]);
}
END_TEST

START_TEST(rows_of_reviews)
{
	static struct judge_case t;

	begin(&t, &reviewed[_i]);
	as_reviewers_do(&t);
	check_row(&t, &reviewed[_i]);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("hosts_table");
	TCase *tcase = tcase_create("hosts_table");

	tcase_add_loop_test(tcase, rows_by_the_rule, 0, (int)CA_ARRAY_LEN(by_the_rule));
	tcase_add_loop_test(tcase, rows_of_reviews, 0, (int)CA_ARRAY_LEN(reviewed));
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
