/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_certificate_sample.h"

static char *to_text(const struct ca_certificate *certificate, bool all)
{
	struct ca_view_options options = {.all = all};
	char *text;

	ck_assert_int_eq(ca_certificate_to_text(certificate, &options, &text), 0);
	return text;
}

static void has(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part) != NULL, "\"%s\" is not in:\n%s", part, text);
}

static void has_not(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part) == NULL, "\"%s\" is in:\n%s", part, text);
}

static bool starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

static bool ends_with(const char *text, const char *end)
{
	return strlen(text) >= strlen(end) && strcmp(text + strlen(text) - strlen(end), end) == 0;
}

/* Columns, not bytes; and nothing that steers a terminal. */
static void check_lines(const char *text)
{
	unsigned int column = 0;

	for (const char *p = text; *p; p++) {
		unsigned char c = (unsigned char)*p;

		if (c == '\n') {
			column = 0;
			continue;
		}
		ck_assert_msg(c >= 0x20 && c != 0x7f, "control byte %02x", c);
		column += (c & 0xc0) != 0x80;
		ck_assert_msg(column <= 80, "too wide: %.*s", (int)strcspn(p, "\n"), p - 79);
	}
	ck_assert(ends_with(text, "\n"));
}

START_TEST(holds_what_people_look_for)
{
	struct ca_certificate *certificate = sample_certificate();
	char *text = to_text(certificate, false);

	check_lines(text);
	has(text, "\nFAIL: capacity 64 GB announced, 1.1 GB real.\n");
	has(text, "Raspberry Pi 64GB A2 V30 U3 \xc3\xa9"
		  "clair\n");
	has(text, "  model             \\x1b[31mEVIL\\xff\\\\\"\\x0a\n");
	has(text, "Longsys");
	has(text, "  registers         cid, csd, scr, ssr (from sim)\n");
	has(text,
	    "  announced            63,864,569,856  63.9 GB (59.5 GiB)         124,735,488\n");
	has(text,
	    "  good                  1,073,741,824  1.1 GB (1 GiB)               2,097,152\n");
	has(text,
	    "  real capacity         1,073,741,824  1.1 GB (1 GiB)               2,097,152\n");
	has(text, "at byte 0x0000000040000000, sector 2,097,152\n");
	has(text, "  expected  abababababababababababababababababababababababababababababababab\n");
	has(text, "  found     cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd\n");
	has(text, "Addresses wrap round");
	has(text, "14,680,064 sectors hold what was written to another address");
	has(text, "2,097,152 sectors\n                    lower, 1.1 GB (1 GiB)\n");
	has(text, "  written at        30.0 MB/s, 4 min 46 s\n");
	has(text, "  read back at      90.0 MB/s, 1 min 35 s\n");
	has(text, "  sequential write  30.1 MB/s: 1 GiB in requests of 4 MiB");
	has(text, "slowest 4 MiB at 29.0 MB/s");
	has(text, "  random write      1,200 IOPS: 4 KiB blocks in 256 MiB written first");
	has(text,
	    "  fail           * capacity        label: 64GB; device: 63.9 GB; csd: 63.9 GB\n");
	has(text, "1 GiB is real [CID-CRC]\n");
	has(text, "  inconclusive   * A2");
	has(text, "  untested         V30");
	has(text, ":cid[7:1]: warning: the sum is wrong [CID-CRC]\n");
	has(text, "do: ");
	has(text, "  kernel            6.1.0\n");
	has(text, "  bus width         4\n");
	has(text, "  profile           full\n");
	has(text, "  collected         2024-10-27T03:16:40Z\n");
	has(text, "  operator          J. M\xc3\xbcller\n");
	has(text, "  reference         lot 7\n");
	has(text, "cardassay 0.1.0, rule tables aaaaaaaaaaaaaaaa\n");
	has(text, "  id                00112233445566778899aabbccddeeff\n");
	has(text, "cardassay verify FILE");
	free(text);
	sample_free(certificate);
}
END_TEST

static const struct {
	enum ca_origin origin;
	const char *overprint;
} origins[] = {
	{CA_ORIGIN_LIVE, NULL},
	{CA_ORIGIN_VIRTUAL, "VIRTUAL DEVICE: this is not a certificate of any real card\n"},
	{CA_ORIGIN_IMAGE, "IMAGE FILE: this is not a certificate of any real card\n"},
	{CA_ORIGIN_SIMULATED, "SIMULATED CARD: this is not a certificate of any real card\n"},
	{CA_ORIGIN_RECORDED, "RECORDED REGISTERS: read from a file, no card was tested\n"},
};

START_TEST(only_a_live_card_is_certified)
{
	struct ca_certificate *certificate = sample_certificate();
	char *text;

	certificate->evidence.origin = origins[_i].origin;
	text = to_text(certificate, false);
	if (origins[_i].overprint) {
		ck_assert(starts_with(text, origins[_i].overprint));
		ck_assert(ends_with(text, origins[_i].overprint));
	} else {
		ck_assert(starts_with(text, "FAIL: "));
		has_not(text, "not a certificate");
	}
	free(text);
	sample_free(certificate);
}
END_TEST

START_TEST(a_hostile_certificate_cannot_steer_the_terminal)
{
	struct ca_certificate *certificate = sample_certificate();
	struct ca_judgement *judgement = &certificate->judgement;
	char *text;

	for (unsigned int all = 0; all < 2; all++) {
		memset(certificate->evidence.device.node, 0x1b, 255);
		memset(certificate->evidence.device.host_path, 0x9b, 255);
		memset(certificate->evidence.device.hidden_because, '\n', 159);
		memset(certificate->evidence.capacity.lost_because, '\r', 159);
		memset(certificate->evidence.host[0].text, 0x07, 79);
		memset(certificate->label, 0x1b, 255);
		memset(certificate->operator_name, 0xff, 95);
		strcpy(certificate->organisation, "\xe2\x80\xae\xc2\x9b");
		memset(certificate->id, 0x1b, 39);
		memset(certificate->tool_version, 0x1b, 31);
		memset(judgement->headline, 0x1b, sizeof(judgement->headline) - 1);
		memset(judgement->identity.summary, 0x0a, sizeof(judgement->identity.summary) - 1);
		memset(judgement->findings[0].found, 0x1b, 255);
		memset(judgement->findings[0].why, 0x0d, 399);
		memset(judgement->findings[2].where, 0x1b, 47);
		memset(judgement->findings[2].found, 0x7f, 255);
		memset(judgement->claims.claims[0].text, 0x1b, 63);
		memset(judgement->claims.not_understood, 0x1b, 255);
		text = to_text(certificate, all);
		check_lines(text);
		has_not(text, "\xc2\x9b");
		has_not(text, "\xe2\x80\xae");
		free(text);
	}
	sample_free(certificate);
}
END_TEST

START_TEST(nothing_tested_is_said_plainly)
{
	struct ca_certificate *certificate = calloc(1, sizeof(*certificate));
	char *text;

	ck_assert_ptr_nonnull(certificate);
	text = to_text(certificate, true);
	check_lines(text);
	has(text, "Nothing was written: the capacity was not tested.\n");
	has(text, "  registers         not observable\n");
	has(text, "  label             none was given\n");
	has(text, "(this computer's clock was not known to");
	has_not(text, "Speed");
	has_not(text, "Warnings");
	free(text);
	free(certificate);
}
END_TEST

START_TEST(real_capacity_is_only_shown_where_there_is_one)
{
	struct ca_certificate *certificate = sample_certificate();
	char *text;

	certificate->evidence.capacity.has_real_capacity = false;
	certificate->evidence.capacity.kind = CA_CAPACITY_KIND_DAMAGED;
	text = to_text(certificate, false);
	has(text, "  real capacity     none: this kind of fault has no size\n");
	has(text, "Faults are scattered");
	has(text, "  how sure          open: another reader");
	free(text);
	certificate->evidence.capacity.has_first_bad = false;
	certificate->evidence.capacity.kind = CA_CAPACITY_KIND_NONE;
	certificate->evidence.capacity.end = CA_FILL_INTERRUPTED;
	text = to_text(certificate, false);
	has(text, "  real capacity     not determined\n");
	has(text, "Interrupted");
	has_not(text, "first error");
	free(text);
	sample_free(certificate);
}
END_TEST

START_TEST(all_tells_more)
{
	struct ca_certificate *certificate = sample_certificate();
	char *brief = to_text(certificate, false), *all = to_text(certificate, true);

	/* a simulated card is in no host: to list what that hides says nothing */
	has_not(brief, "not observable    machine");
	has_not(all, "not observable    machine");
	ck_assert_uint_gt(strlen(all), strlen(brief));
	check_lines(all);
	has(brief, "sold as");
	has(all, "known from");
	free(brief);
	free(all);
	sample_free(certificate);
}
END_TEST

/* What shapes a figure, and trouble; all the rest only when asked for. */
START_TEST(host_facts_by_weight)
{
	struct ca_certificate *certificate = sample_certificate();
	struct ca_fact *host = certificate->evidence.host;
	char *brief, *all;

	certificate->evidence.origin = CA_ORIGIN_LIVE;
	(void)strcpy(certificate->evidence.device.bus, "mmc");
	host[CA_HOST_MAX_SEGMENTS] = (struct ca_fact){true, 64, "64"};
	host[CA_HOST_ERR_STATS] = (struct ca_fact){true, 0, "none"};
	host[CA_HOST_ERR_STATS_AFTER] = (struct ca_fact){true, 3, "Data CRC Errors Occurred 3"};
	host[CA_HOST_LOG_ERRORS] = (struct ca_fact){true, 2, "mmcblk0: error -110\x1b"};
	brief = to_text(certificate, false);
	all = to_text(certificate, true);
	has(brief, "  err stats after   Data CRC Errors Occurred 3\n");
	has(brief, "  log errors        2 lines, the last: mmcblk0: error -110\\x1b\n");
	has_not(brief, "max segments");
	has_not(brief, "  err stats  ");
	has(all, "  max segments      64\n");
	has(all, "  err stats         none\n");
	has(brief, "  not observable    machine, cpu governor, bus timing, bus clock hz,");
	has(all, "  not observable    machine, arch, clock,");
	has_not(all, "usb speed"); /* no card slot has one */
	check_lines(all);
	free(brief);
	free(all);
	sample_free(certificate);
}
END_TEST

START_TEST(colour_is_only_escape_codes)
{
	struct ca_certificate *certificate = sample_certificate();
	struct ca_view_options options = {.colour = true};
	char *plain = to_text(certificate, false), *text, *to, *from;

	ck_assert_int_eq(ca_certificate_to_text(certificate, &options, &text), 0);
	has(text, "\033[1;31mFAIL:\033[0m ");
	for (to = from = text; *from;) {
		if (*from == '\033')
			from += strcspn(from, "m") + 1;
		else
			*to++ = *from++;
	}
	*to = '\0';
	ck_assert_str_eq(text, plain);
	free(plain);
	free(text);
	sample_free(certificate);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("view_certificate");
	TCase *tcase = tcase_create("view_certificate");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tcase, holds_what_people_look_for);
	tcase_add_loop_test(tcase, only_a_live_card_is_certified, 0, (int)CA_ARRAY_LEN(origins));
	tcase_add_test(tcase, a_hostile_certificate_cannot_steer_the_terminal);
	tcase_add_test(tcase, nothing_tested_is_said_plainly);
	tcase_add_test(tcase, real_capacity_is_only_shown_where_there_is_one);
	tcase_add_test(tcase, all_tells_more);
	tcase_add_test(tcase, host_facts_by_weight);
	tcase_add_test(tcase, colour_is_only_escape_codes);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
