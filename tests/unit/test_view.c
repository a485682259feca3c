/* SPDX-License-Identifier: BSD-2-Clause */
#include "view.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static char *lead(const struct ca_view_options *options, unsigned int indent, const char *first,
		  unsigned int hang, const char *text)
{
	struct ca_view view;
	char *out;

	ck_assert_int_eq(ca_view_begin(&view, options), 0);
	ca_view_lead(&view, indent, CA_STYLE_BAD, first, hang, text);
	ck_assert_int_eq(ca_view_finish(&view, &out), 0);
	return out;
}

static const struct ca_view_options narrow = {.columns = 60};

static const struct {
	unsigned int indent;
	const char *lead;
	unsigned int hang;
	const char *text, *out;
} cases[] = {
	{0, "", 0, "", "\n"},
	{2, "label", 10, "value", "  label   value\n"},
	{2, "a long label", 10, "value", "  a long label value\n"},
	{0, "only", 8, "", "only\n"},
	{4, "", 4, "text", "    text\n"},
	{2, "l", 6, "many   spaces  between", "  l   many spaces between\n"},
	{0, "", 2, "123456789 123456789 123456789 123456789 123456789 1234567890 end",
	 "123456789 123456789 123456789 123456789 123456789 1234567890\n  end\n"},
	{0, "", 2, "123456789 123456789 123456789 123456789 123456789 12345678901 end",
	 "123456789 123456789 123456789 123456789 123456789\n  12345678901 end\n"},
	/* a word longer than a line is broken */
	{0, "", 50, "123456789012345678901234567890123456789012345678901234567890abc",
	 "123456789012345678901234567890123456789012345678901234567890\n"
	 "                                                  abc\n"},
	/* a lead that reaches the hanging column: the word goes on to the next line */
	{0, "0123456789012345678901234567890123456789012345678901234567", 4, "word",
	 "0123456789012345678901234567890123456789012345678901234567 \n    word\n"},
	/* a lead longer than a line is wrapped too */
	{0, "0123456789012345678901234567890123456789012345678901234567890", 4, "word",
	 "012345678901234567890123456789012345678901234567890123456789\n    0\n    word\n"},
	/* characters, not bytes, are counted, and control characters do not get through */
	{0, "", 0,
	 "\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc"
	 " 0123456789 0123456789 0123456789 0123456789 01234",
	 "\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc"
	 " 0123456789 0123456789 0123456789 0123456789 01234\n"},
	{0, "\x1b[2J", 2, "a\nb\x9b\xff", "?[2J a?b??\n"},
};

START_TEST(lines)
{
	char *out = lead(&narrow, cases[_i].indent, cases[_i].lead, cases[_i].hang, cases[_i].text);

	ck_assert_str_eq(out, cases[_i].out);
	free(out);
}
END_TEST

START_TEST(no_line_is_too_wide)
{
	uint64_t state = 3;
	char text[500];

	for (unsigned int round = 0; round < 2000; round++) {
		size_t len = (size_t)ca_rng_below(&state, sizeof(text));
		unsigned int hang = (unsigned int)ca_rng_below(&state, 40);
		char *out;

		for (size_t i = 0; i < len; i++)
			text[i] = ca_rng_below(&state, 12) ? (char)('a' + i % 26) : ' ';
		text[len] = '\0';
		out = lead(&narrow, 0, round % 2 ? "lead" : "", hang, text);
		for (char *line = out; *line; line += strcspn(line, "\n") + 1)
			ck_assert_uint_le(strcspn(line, "\n"), 60);
		free(out);
	}
}
END_TEST

START_TEST(colour_only_when_asked_for)
{
	struct ca_view_options options = {.colour = true};
	char *out = lead(&options, 0, "fail", 6, "text");

	ck_assert_str_eq(out, "\033[1;31mfail\033[0m  text\n");
	free(out);
	options.colour = false;
	out = lead(&options, 0, "fail", 6, "text");
	ck_assert_str_eq(out, "fail  text\n");
	free(out);
	out = lead(NULL, 0, "fail", 6, "text");
	ck_assert_str_eq(out, "fail  text\n");
	free(out);
}
END_TEST

START_TEST(marked_line)
{
	struct ca_view_options options = {.colour = true, .columns = 60};
	struct ca_view view;
	char *out;

	ck_assert_int_eq(ca_view_begin(&view, &options), 0);
	ca_view_line(&view, "a\x1b:cid: ", CA_STYLE_DOUBT, "warning",
		     ": a text that is longer than the sixty columns of this view, in one\nline");
	ck_assert_int_eq(ca_view_finish(&view, &out), 0);
	ck_assert_str_eq(out, "a?:cid: \033[1;33mwarning\033[0m: a text that is longer than the "
			      "sixty columns of this view, in one?line\n");
	free(out);
}
END_TEST

static const struct {
	uint64_t value;
	const char *binary, *duration;
} numbers[] = {
	{0, "0 bytes", "0.00 ms"},
	{4096, "4 KiB", "0.00 ms"},
	{65537, "65,537 bytes", "0.07 ms"},
	{256 * CA_MIB, "256 MiB", "268 ms"},
	{CA_GIB * 3, "3 GiB", "3.2 s"},
	{UINT64_C(600000000000), "585,937,500 KiB", "10 min 0 s"},
	{UINT64_C(1) << 50, "1,024 TiB", "18764 min 59 s"},
};

START_TEST(number_words)
{
	char buf[64];
	struct ca_text text;

	ca_text_init(&text, buf, sizeof(buf));
	ca_view_binary(&text, numbers[_i].value);
	ck_assert_str_eq(buf, numbers[_i].binary);
	ca_text_init(&text, buf, sizeof(buf));
	ca_view_duration(&text, numbers[_i].value);
	ck_assert_str_eq(buf, numbers[_i].duration);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("view");
	TCase *tcase = tcase_create("view");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, lines, 0, (int)CA_ARRAY_LEN(cases));
	tcase_add_test(tcase, no_line_is_too_wide);
	tcase_add_test(tcase, colour_only_when_asked_for);
	tcase_add_test(tcase, marked_line);
	tcase_add_loop_test(tcase, number_words, 0, (int)CA_ARRAY_LEN(numbers));
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
