/* SPDX-License-Identifier: BSD-2-Clause */
#include "vendor_query.h"

#include "vendor_page.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>

/* A card that answers each query in its own way, and counts them. */
struct card {
	int codes[CA_VENDOR_ANSWERS_MAX]; /* by index of the argument; 0 = an answer */
	uint8_t pages[CA_VENDOR_ANSWERS_MAX][CA_VENDOR_BYTES];
	uint32_t sent[2 * CA_VENDOR_ANSWERS_MAX];
	unsigned int count;
};
static struct card card;
static struct ca_vendor_health health;

static int answer(void *context, uint32_t argument, uint8_t ret_data[CA_VENDOR_BYTES])
{
	struct card *to = context;

	ck_assert_uint_lt(to->count, CA_ARRAY_LEN(to->sent));
	to->sent[to->count++] = argument;
	for (unsigned int i = 0; ca_vendor_argument_at(i); i++) {
		if (ca_vendor_argument_at(i) != argument)
			continue;
		if (to->codes[i] == 0)
			memcpy(ret_data, to->pages[i], CA_VENDOR_BYTES);
		return to->codes[i];
	}
	ck_abort_msg("a query that is not in the table");
	return 0;
}

static void reset(int code)
{
	memset(&card, 0, sizeof(card));
	memset(&health, 0, sizeof(health));
	for (size_t i = 0; i < CA_ARRAY_LEN(card.codes); i++)
		card.codes[i] = code;
}

START_TEST(a_deaf_card_is_asked_each_once)
{
	reset(-ETIMEDOUT);
	ck_assert_int_eq(ca_vendor_ask(answer, &card, NULL, &health), 0);
	ck_assert_uint_eq(card.count, 6);
	ck_assert_uint_eq(health.count, 6);
	for (unsigned int i = 0; i < 6; i++) {
		ck_assert_uint_eq(card.sent[i], ca_vendor_argument_at(i));
		ck_assert_int_eq(health.answers[i].result, CA_VENDOR_TIMEOUT);
	}
}
END_TEST

START_TEST(the_first_known_answer_ends_it)
{
	reset(-EILSEQ);
	card.codes[1] = 0;
	page_make(&ca_vendor_queries[3], card.pages[1]); /* Micron */
	ck_assert_int_eq(ca_vendor_ask(answer, &card, NULL, &health), 0);
	ck_assert_uint_eq(card.count, 2);
	ck_assert_int_eq(health.answers[0].result, CA_VENDOR_ERROR);
	ck_assert_int_eq(health.answers[1].result, CA_VENDOR_ANSWER);
	ck_assert_mem_eq(health.answers[1].data, card.pages[1], CA_VENDOR_BYTES);
}
END_TEST

START_TEST(an_unknown_answer_does_not_end_it)
{
	reset(-ETIMEDOUT);
	card.codes[0] = 0;
	card.pages[0][1] = 4;
	ck_assert_int_eq(ca_vendor_ask(answer, &card, NULL, &health), 0);
	ck_assert_uint_eq(card.count, 6);
	ck_assert_int_eq(health.answers[0].result, CA_VENDOR_ANSWER);
}
END_TEST

START_TEST(sector_0_is_no_answer_and_is_not_kept)
{
	static uint8_t sector[CA_VENDOR_BYTES];

	reset(0);
	page_make(&ca_vendor_queries[2], sector); /* even with a known signature */
	for (size_t i = 0; i < CA_ARRAY_LEN(card.pages); i++)
		memcpy(card.pages[i], sector, sizeof(sector));
	ck_assert_int_eq(ca_vendor_ask(answer, &card, sector, &health), 0);
	ck_assert_uint_eq(card.count, 6);
	for (unsigned int i = 0; i < 6; i++) {
		ck_assert_int_eq(health.answers[i].result, CA_VENDOR_ECHO);
		ck_assert(ca_bytes_is_all(health.answers[i].data, CA_VENDOR_BYTES, 0));
	}
	reset(0); /* an erased card: said to be blank, which is more */
	memset(sector, 0xff, sizeof(sector));
	memset(card.pages, 0xff, sizeof(card.pages));
	ck_assert_int_eq(ca_vendor_ask(answer, &card, sector, &health), 0);
	ck_assert_int_eq(health.answers[0].result, CA_VENDOR_ANSWER);
	ck_assert_str_eq(ca_vendor_worth_text(&health, 0), "no answer: one byte throughout");
}
END_TEST

START_TEST(a_card_that_is_gone_is_not_asked_again)
{
	static const int codes[] = {-ENODEV, -ENXIO, -ENOMEDIUM};

	reset(codes[_i]);
	ck_assert_int_eq(ca_vendor_ask(answer, &card, NULL, &health), 0);
	ck_assert_uint_eq(card.count, 1);
	ck_assert_int_eq(health.answers[0].result, CA_VENDOR_ERROR);
}
END_TEST

START_TEST(without_permission_nothing_is_told_of_the_card)
{
	reset(_i ? -EACCES : -EPERM);
	ck_assert_int_eq(ca_vendor_ask(answer, &card, NULL, &health), -EPERM);
	ck_assert_uint_eq(card.count, 1);
	ck_assert_uint_eq(health.count, 0);
}
END_TEST

static const struct {
	const char *root;
	enum ca_origin origin;
	enum ca_media media;
	const char *bus, *words; /* NULL: it can be asked */
} whom[] = {
	{NULL, CA_ORIGIN_LIVE, CA_MEDIA_SD, "mmc", NULL},
	{"", CA_ORIGIN_LIVE, CA_MEDIA_SD, "mmc", NULL},
	{"/rec", CA_ORIGIN_LIVE, CA_MEDIA_SD, "mmc", "recorded machine"},
	{NULL, CA_ORIGIN_LIVE, CA_MEDIA_MMC, "mmc", "EXT_CSD"},
	{NULL, CA_ORIGIN_LIVE, CA_MEDIA_NVME, "nvme", "NVMe drive has none"},
	{NULL, CA_ORIGIN_LIVE, CA_MEDIA_UNKNOWN, "usb", "USB reader does not pass"},
	{NULL, CA_ORIGIN_LIVE, CA_MEDIA_UNKNOWN, "scsi", "no commands of SD cards"},
	{NULL, CA_ORIGIN_VIRTUAL, CA_MEDIA_UNKNOWN, "loop", "not observable"},
	{NULL, CA_ORIGIN_IMAGE, CA_MEDIA_UNKNOWN, "image", "not observable"},
	{NULL, CA_ORIGIN_SIMULATED, CA_MEDIA_SD, "sim", "not observable: a simulated card"},
	{NULL, CA_ORIGIN_RECORDED, CA_MEDIA_SD, "files", "capture it again"},
};

START_TEST(who_can_be_asked)
{
	static struct ca_evidence evidence;
	const char *why;

	memset(&evidence, 0, sizeof(evidence));
	evidence.origin = whom[_i].origin;
	evidence.device.media = whom[_i].media;
	(void)ca_string_copy(evidence.device.bus, sizeof(evidence.device.bus), whom[_i].bus);
	why = ca_vendor_cannot_ask(whom[_i].root, &evidence);
	if (!whom[_i].words) {
		ck_assert_ptr_null(why);
		return;
	}
	ck_assert_ptr_nonnull(why);
	ck_assert_ptr_nonnull(strstr(why, whom[_i].words));
	ca_host_ask_vendor(whom[_i].root, "/nowhere", &evidence);
	ck_assert(evidence.vendor.asked);
	ck_assert_uint_eq(evidence.vendor.count, 0);
	ck_assert_str_eq(evidence.vendor.not_asked_because, why); /* not cut */
}
END_TEST

START_TEST(a_card_that_is_not_there_is_said_to_be)
{
	static struct ca_evidence evidence;

	memset(&evidence, 0, sizeof(evidence));
	evidence.device.media = CA_MEDIA_SD;
	memcpy(evidence.device.bus, "mmc", 4);
	ca_host_ask_vendor(NULL, "/dev/mmcblk99", &evidence);
	ck_assert_str_eq(evidence.vendor.not_asked_because, "the card could not be opened");
}
END_TEST

START_TEST(recorded_answers_stay)
{
	static struct ca_evidence evidence;

	memset(&evidence, 0, sizeof(evidence));
	evidence.origin = CA_ORIGIN_RECORDED;
	ck_assert(ca_vendor_add(&evidence.vendor, 1, CA_VENDOR_TIMEOUT, NULL));
	ca_host_ask_vendor(NULL, "card", &evidence);
	ck_assert_uint_eq(evidence.vendor.count, 1);
	ck_assert_str_eq(evidence.vendor.not_asked_because, "");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("vendor_query");
	TCase *tcase = tcase_create("vendor_query");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tcase, a_deaf_card_is_asked_each_once);
	tcase_add_test(tcase, the_first_known_answer_ends_it);
	tcase_add_test(tcase, an_unknown_answer_does_not_end_it);
	tcase_add_test(tcase, sector_0_is_no_answer_and_is_not_kept);
	tcase_add_loop_test(tcase, a_card_that_is_gone_is_not_asked_again, 0, 3);
	tcase_add_loop_test(tcase, without_permission_nothing_is_told_of_the_card, 0, 2);
	tcase_add_loop_test(tcase, who_can_be_asked, 0, (int)CA_ARRAY_LEN(whom));
	tcase_add_test(tcase, a_card_that_is_not_there_is_said_to_be);
	tcase_add_test(tcase, recorded_answers_stay);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
