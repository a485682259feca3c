/* SPDX-License-Identifier: BSD-2-Clause */
/* The promise of a certificate: whoever judges its evidence again gets the same. */
#include "test_certificate_sample.h"

#include <errno.h>

static void nothing(struct ca_certificate *certificate)
{
	(void)certificate; /* as the sample is */
}

static void latin1_label(struct ca_certificate *certificate)
{
	strcpy(certificate->label, "Kingston Canvas S\xe9lect 64 Go A1\x1b[2J");
}

static void cut_label(struct ca_certificate *certificate)
{
	memset(certificate->label, 'x', sizeof(certificate->label));
	memcpy(certificate->label, "SanDisk 64GB A2 ", 16);
	/* a two-byte character cut in half by the end of the field */
	certificate->label[sizeof(certificate->label) - 2] = '\xc3';
	certificate->label[sizeof(certificate->label) - 1] = '\0';
}

static void hostile_name(struct ca_certificate *certificate)
{
	memcpy(certificate->evidence.registers.cid + 3, "\x1b[\xff\0\x80", 5);
}

static void hostile_host(struct ca_certificate *certificate)
{
	struct ca_fact *fact = &certificate->evidence.host[CA_HOST_BUS_TIMING];

	fact->present = true;
	memset(fact->text, 0xff, sizeof(fact->text) - 1);
}

static void masked(struct ca_certificate *certificate)
{
	ca_evidence_mask(&certificate->evidence);
}

static void masked_bad_crc(struct ca_certificate *certificate)
{
	certificate->evidence.registers.cid[15] ^= 2;
	ca_evidence_mask(&certificate->evidence);
}

static void hidden(struct ca_certificate *certificate)
{
	memset(&certificate->evidence.registers, 0, sizeof(certificate->evidence.registers));
	strcpy(certificate->evidence.device.hidden_because, "a USB reader hides them");
	strcpy(certificate->evidence.device.bus, "usb");
	certificate->evidence.origin = CA_ORIGIN_LIVE;
}

static void lent(struct ca_certificate *certificate)
{
	certificate->evidence.device.registers_lent = true;
	certificate->evidence.device.bytes /= 2;
}

static void nvme(struct ca_certificate *certificate)
{
	struct ca_raw_registers *raw = &certificate->evidence.registers;

	memset(raw, 0, sizeof(*raw));
	raw->has[CA_REGISTER_NVME_CTRL] = raw->has[CA_REGISTER_NVME_NS] = true;
	for (size_t i = 0; i < CA_NVME_ID_BYTES; i++)
		raw->nvme_ctrl[i] = raw->nvme_ns[i] = (uint8_t)(i * 37);
	raw->pci_vid = 0xffff;
}

static void lost(struct ca_certificate *certificate)
{
	certificate->evidence.capacity.end = CA_FILL_LOST;
	strcpy(certificate->evidence.capacity.lost_because, "mmc0: card \xfe removed");
}

static void inspect_only(struct ca_certificate *certificate)
{
	certificate->profile = CA_PROFILE_INSPECT;
	memset(&certificate->evidence.speed, 0, sizeof(certificate->evidence.speed));
	free(certificate->evidence.capacity.runs);
	memset(&certificate->evidence.capacity, 0, sizeof(certificate->evidence.capacity));
}

static void (*const variations[])(struct ca_certificate *) = {
	nothing,	latin1_label, cut_label, hostile_name, hostile_host, masked,
	masked_bad_crc, hidden,	      lent,	 nvme,	       lost,	     inspect_only,
};

START_TEST(judged_again_is_the_same)
{
	struct ca_certificate *certificate = sample_certificate();
	struct ca_certificate *again = calloc(1, sizeof(*again));
	struct ca_error error = {0};
	struct ca_judgement said;
	size_t len, unknown;
	char *text, *second;

	ck_assert_ptr_nonnull(again);
	variations[_i](certificate);
	ck_assert_msg(ca_certificate_judge(certificate, &error) == 0, "%s", error.text);
	text = sample_json(certificate, &len);
	ck_assert_msg(ca_certificate_from_json(text, len, again, &unknown, &error) == 0, "%s",
		      error.text);
	ck_assert_uint_eq(unknown, 0);
	ck_assert(ca_judgement_is_same(&certificate->judgement, &again->judgement));
	said = again->judgement;
	memset(&again->judgement, 0, sizeof(again->judgement));
	ck_assert_int_eq(ca_certificate_judge(again, &error), 0);
	ck_assert(ca_judgement_is_same(&said, &again->judgement));
	/* not only the findings: every byte of the document */
	second = sample_json(again, &len);
	ck_assert_str_eq(second, text);
	ca_judgement_done(&said);
	free(text);
	free(second);
	sample_free(again);
	sample_free(certificate);
}
END_TEST

START_TEST(bad_option_is_explained)
{
	struct ca_certificate *certificate = sample_certificate();
	struct ca_error error = {0};

	strcpy(certificate->options[0], "nonsense");
	ck_assert_int_eq(ca_certificate_judge(certificate, &error), -EINVAL);
	ck_assert_ptr_nonnull(strstr(error.text, "KEY=VALUE"));
	/* what was there before is still there */
	ck_assert_uint_eq(certificate->judgement.finding_count, 4);
	sample_free(certificate);
}
END_TEST

START_TEST(judging_cleans_what_people_typed)
{
	struct ca_certificate *certificate = sample_certificate();

	strcpy(certificate->label, "a\xff\x1b");
	strcpy(certificate->operator_name, "b\n");
	strcpy(certificate->organisation, "c\xe2\x80\xae");
	strcpy(certificate->reference, "M\xc3\xbcller");
	certificate->option_count = 0;
	ck_assert_int_eq(ca_certificate_judge(certificate, NULL), 0);
	ck_assert_str_eq(certificate->label, "a??");
	ck_assert_str_eq(certificate->operator_name, "b?");
	ck_assert_str_eq(certificate->organisation, "c?");
	ck_assert_str_eq(certificate->reference, "M\xc3\xbcller");
	sample_free(certificate);
}
END_TEST

START_TEST(done_takes_anything)
{
	struct ca_certificate *certificate = sample_certificate();

	ca_certificate_done(NULL);
	ca_certificate_done(certificate);
	ck_assert(ca_bytes_is_all(certificate, sizeof(*certificate), 0));
	ca_certificate_done(certificate);
	free(certificate);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("certificate");
	TCase *tcase = tcase_create("certificate");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, judged_again_is_the_same, 0, (int)CA_ARRAY_LEN(variations));
	tcase_add_test(tcase, bad_option_is_explained);
	tcase_add_test(tcase, judging_cleans_what_people_typed);
	tcase_add_test(tcase, done_takes_anything);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
