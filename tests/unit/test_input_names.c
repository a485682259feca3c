/* SPDX-License-Identifier: BSD-2-Clause */
#include "input_names.h"

#include "device_test.h"

#include <string.h>

#define CID "275048534431364730da89b82900fb61"
#define CSD "400e00325b59000073a77f800a4000eb"

static struct ca_span span(const char *text)
{
	return (struct ca_span){text, strlen(text)};
}

/* The kinds that a line names, in order, 9 where there is none. */
static const struct {
	const char *line;
	unsigned int kinds[3];
} named[] = {
	{"| CID | `" CID "` |", {CA_REGISTER_CID, 9}},
	{"* **csd:** " CSD, {CA_REGISTER_CSD, 9}},
	{"cid=0x" CID " csd=" CSD, {CA_REGISTER_CID, CA_REGISTER_CSD, 9}},
	{"\"scr\": \"0235800201000000\",", {CA_REGISTER_SCR, 9}},
	{"the CID of mine is " CID ".", {9}}, /* a word that ends in a full stop is none */
	{"cid: " CID "0", {9}},
	{"cid: 0235800201000000", {9}},
	{CID " cid", {9}},
	{"acid: " CID, {9}},
	{"", {9}},
};

START_TEST(names)
{
	struct ca_span rest = span(named[_i].line), value;
	unsigned int kind;

	for (size_t i = 0; named[_i].kinds[i] != 9; i++) {
		ck_assert(ca_input_take_named(&rest, &kind, &value));
		ck_assert_uint_eq(kind, named[_i].kinds[i]);
		ck_assert_uint_eq(value.len, 2 * ca_register_bytes((enum ca_register)kind));
	}
	ck_assert(!ca_input_take_named(&rest, &kind, &value));
}
END_TEST

START_TEST(udev)
{
	struct ca_span path, name, value;

	ck_assert(ca_input_udev_device(span("looking at parent device '/devices/mmc0:1':"), &path));
	ck_assert(ca_span_is(path, "/devices/mmc0:1"));
	ck_assert(ca_input_udev_device(span("looking at device '/devices/x':"), &path));
	ck_assert(!ca_input_udev_device(span("looking at device"), &path));
	ck_assert(!ca_input_udev_device(span("looking at device '/x"), &path));
	ck_assert(!ca_input_udev_device(span(""), &path));
	ck_assert(ca_input_udev_attribute(span("ATTRS{cid}==\"27\""), &name, &value));
	ck_assert(ca_span_is(name, "cid"));
	ck_assert(ca_span_is(value, "27"));
	ck_assert(ca_input_udev_attribute(span("ATTR{size}==\"\""), &name, &value));
	ck_assert(ca_span_is(value, ""));
	ck_assert(!ca_input_udev_attribute(span("ATTRS{cid}"), &name, &value));
	ck_assert(!ca_input_udev_attribute(span("KERNELS==\"mmc0\""), &name, &value));
}
END_TEST

/* "DIRECTORY:kind " of each file, kinds by number, - for a line of no use. */
static const struct {
	const char *line, *files;
} commands[] = {
	{"root@pi:~# cat /sys/block/mmcblk0/device/cid", "/sys/block/mmcblk0/device:0 "},
	{"$ sudo cat cid csd", ":0 :1 "},
	{"cat /d/name /d/cid", "/d:- /d:0 "},
	{"$ cat /d/{cid,csd,scr}", "/d:0 /d:1 /d:2 "},
	{"xxd -g1 /d/csd | head", "/d:1 "},
	{"hexdump -C \"/d/scr\"; echo", "/d:2 "},
	{"cat cid 2>/dev/null", ":0 "},
	{"cat /proc/cpuinfo", NULL},
	{"cat", NULL},
	{"the concat cid", NULL},
	{"", NULL},
};

START_TEST(files)
{
	static struct ca_input_files got;
	char buf[256];
	struct ca_text text;

	ca_text_init(&text, buf, sizeof(buf));
	if (!ca_input_files_of_command(span(commands[_i].line), &got)) {
		ck_assert_ptr_null(commands[_i].files);
		return;
	}
	for (size_t i = 0; i < got.count; i++) {
		ca_text_add_len(&text, got.at[i].directory.at, got.at[i].directory.len);
		ca_text_add(&text, ":");
		if (got.at[i].kind == CA_INPUT_NONE)
			ca_text_add(&text, "-");
		else
			ca_text_u64(&text, got.at[i].kind);
		ca_text_add(&text, " ");
	}
	ck_assert_ptr_nonnull(commands[_i].files);
	ck_assert_str_eq(buf, commands[_i].files);
}
END_TEST

/* Of a pattern nobody knows how many files there were: all that fit, and no directory. */
START_TEST(pattern)
{
	static struct ca_input_files got;

	ck_assert(ca_input_files_of_command(span("cat /sys/block/mmcblk*/device/csd"), &got));
	ck_assert_uint_eq(got.count, CA_ARRAY_LEN(got.at));
	ck_assert_uint_eq(got.at[15].kind, CA_REGISTER_CSD);
	ck_assert_uint_eq(got.at[15].directory.len, 0);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("input_names");

	tcase_add_loop_test(tests, names, 0, (int)CA_ARRAY_LEN(named));
	tcase_add_test(tests, udev);
	tcase_add_loop_test(tests, files, 0, (int)CA_ARRAY_LEN(commands));
	tcase_add_test(tests, pattern);
	return run_tests(tests);
}
