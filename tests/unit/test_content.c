/* SPDX-License-Identifier: BSD-2-Clause */
/* What is on a card: content.c, content_fat.c, content_exfat.c. */
#include "content.h"

#include "device_test.h"
#include "fs_image.h"

#define SECTORS 262144U /* 128 MiB: enough for FAT32 with clusters of one sector */

static struct ram_device ram;

static void setup(void)
{
	ram_init(&ram, (uint64_t)SECTORS * 512, 512, 4);
}

static void teardown(void)
{
	ca_device_close(&ram.device);
}

static struct ca_content look(void)
{
	struct ca_content content = {.entries = 77};

	ck_assert_int_eq(ca_content_read(&ram.device, NULL, &content), 0);
	return content;
}

static const struct {
	unsigned int bits; /* 0 = exFAT */
	const char *name;
	uint32_t sectors;
} kinds[] = {
	{12, "FAT12", 4000}, {16, "FAT16", 32000}, {32, "FAT32", 200000}, {0, "exFAT", 100000}};

/* Makes the volume at this sector; gives where its first file would be. */
static uint8_t *make(size_t kind, uint32_t first)
{
	uint8_t *volume = ram.data + (size_t)first * 512;

	if (kinds[kind].bits == 0)
		return fs_exfat(volume, kinds[kind].sectors);
	fs_fat(volume, kinds[kind].sectors, kinds[kind].bits);
	return volume + fs_fat_root(volume);
}

/* The end of what an empty one needs. */
static uint64_t end_of(size_t kind, uint32_t first, const uint8_t *root)
{
	uint64_t at = (uint64_t)(root - ram.data);

	(void)first;
	if (kinds[kind].bits == 0)
		return at - 64 + 4096;
	return at + 512; /* 16 entries, or one cluster */
}

START_TEST(an_empty_one_is_a_head)
{
	const uint8_t *root = make((size_t)_i, 0);
	struct ca_content content = look();

	ck_assert_str_eq(content.filesystem, kinds[_i].name);
	ck_assert_uint_eq(content.entries, 0);
	ck_assert_uint_eq(content.others, 0);
	ck_assert_uint_eq(content.head_bytes, end_of((size_t)_i, 0, root));
	ck_assert_uint_eq(content.tail_bytes, 0);
}
END_TEST

START_TEST(in_a_partition_too)
{
	uint8_t *root = make((size_t)_i, 8192);
	struct ca_content content;

	fs_mbr(ram.data, 0x07, 8192, SECTORS - 8192);
	content = look();
	ck_assert_str_eq(content.filesystem, kinds[_i].name);
	ck_assert_uint_eq(content.entries + content.others, 0);
	ck_assert_uint_eq(content.head_bytes, end_of((size_t)_i, 8192, root));
}
END_TEST

static void add_file(size_t kind, uint8_t *root, unsigned int place, const char *name)
{
	char upper[12] = "           ";

	if (kinds[kind].bits == 0) {
		fs_exfat_file(root + (size_t)place * 96, name, place == 1, 1234567);
		return;
	}
	memcpy(upper, name, strlen(name));
	fs_fat_entry(root + (size_t)place * 32, upper, place == 1 ? 0x10 : 0x20, 1234567);
}

START_TEST(files_are_listed)
{
	uint8_t *root = make((size_t)_i, 0);
	struct ca_content content;

	add_file((size_t)_i, root, 0, "FIRST");
	add_file((size_t)_i, root, 1, "SECOND");
	content = look();
	ck_assert_uint_eq(content.entries, 2);
	ck_assert_uint_eq(content.name_count, 2);
	ck_assert_str_eq(content.names[0].name, "FIRST");
	ck_assert_uint_eq(content.names[0].bytes, 1234567);
	ck_assert(!content.names[0].directory);
	ck_assert_str_eq(content.names[1].name, "SECOND");
	ck_assert(content.names[1].directory);
	ck_assert_uint_eq(content.head_bytes, 0);
}
END_TEST

START_TEST(what_is_in_use_is_counted)
{
	uint8_t *root = make((size_t)_i, 0);
	struct ca_content content;

	add_file((size_t)_i, root, 0, "FIRST");
	if (kinds[_i].bits == 0)
		ram.data[(size_t)FS_EXFAT_HEAP * 512 + 1] = 0x0f; /* four clusters */
	else if (kinds[_i].bits == 32)
		memset(ram.data + (size_t)32 * 512 + 12, 0x01, 16); /* entries 3 to 6 */
	else
		memset(ram.data + 512 + kinds[_i].bits / 4, 0x11, kinds[_i].bits / 2); /* 2 to 5 */
	content = look();
	ck_assert_uint_eq(content.used_bytes, 4 * (kinds[_i].bits == 0 ? 4096 : 512));
}
END_TEST

START_TEST(a_label_and_what_was_deleted_are_no_files)
{
	uint8_t *root = make((size_t)_i, 0);
	struct ca_content content;

	if (kinds[_i].bits == 0) {
		root[0] = 0x83;
		fs_exfat_file(root + 32, "GONE", false, 5);
		root[32] = 0x05;
		root[64] = 0x40;
		root[96] = 0x41;
	} else {
		fs_fat_entry(root, "MY CARD    ", 0x08, 0);
		fs_fat_entry(root + 32, "\xe5ONE    TXT", 0x20, 5);
	}
	content = look();
	ck_assert_uint_eq(content.entries, 0);
	ck_assert_uint_gt(content.head_bytes, 0);
}
END_TEST

START_TEST(long_and_hostile_names)
{
	uint8_t *root = make(2, 0);
	struct ca_content content;

	root[0] = 0x41; /* the last piece, and the only one: "a" ESC U+20AC */
	root[11] = 0x0f;
	put16(root + 1, 'a');
	put16(root + 3, 0x1b);
	put16(root + 5, 0x20ac);
	fs_fat_entry(root + 32, "A~1        ", 0x20, 9);
	fs_fat_entry(root + 64, "READ\x01ME TXT", 0x20, 9);
	content = look();
	ck_assert_uint_eq(content.entries, 2);
	ck_assert_str_eq(content.names[0].name, "a\x1b?");
	ck_assert_str_eq(content.names[1].name, "READ\x01ME.TXT");
}
END_TEST

START_TEST(only_the_first_names_are_kept)
{
	uint8_t *root = make(1, 0);
	struct ca_content content;

	for (unsigned int i = 0; i < 16; i++)
		fs_fat_entry(root + (size_t)i * 32, "FILE       ", 0x20, i);
	content = look();
	ck_assert_uint_eq(content.entries, 16);
	ck_assert_uint_eq(content.name_count, CA_CONTENT_NAMES);
}
END_TEST

START_TEST(a_blank_card_holds_nothing)
{
	struct ca_content content;

	memset(ram.data, _i ? 0xff : 0, 1024);
	content = look();
	ck_assert_str_eq(content.filesystem, "");
	ck_assert_uint_eq(content.entries + content.others + content.head_bytes, 0);
	ck_assert(!content.unreadable);
}
END_TEST

START_TEST(what_is_not_known_is_named)
{
	struct ca_content content;

	fs_mbr(ram.data, 0x83, 8192, 1000);
	content = look();
	ck_assert_uint_eq(content.others, 1);
	ck_assert_str_eq(content.other, "partition");
	/* a partition beyond the end of the card can hold nothing */
	fs_mbr(ram.data, 0x83, SECTORS, 1000);
	content = look();
	ck_assert_uint_eq(content.others, 0);
}
END_TEST

START_TEST(two_volumes_are_no_head)
{
	struct ca_content content;

	(void)make(0, 2048);
	(void)make(0, 20480);
	fs_mbr(ram.data, 0x01, 2048, 4000);
	memcpy(ram.data + 462, ram.data + 446, 16);
	ca_put_le32(ram.data + 462 + 8, 20480);
	content = look();
	ck_assert_uint_eq(content.others, 0);
	ck_assert_uint_eq(content.head_bytes, 0);
}
END_TEST

START_TEST(a_gpt_has_an_end_too)
{
	const uint8_t *root = make(3, 8192);
	struct ca_content content;

	fs_mbr(ram.data, 0xee, 1, SECTORS - 1);
	memcpy(ram.data + 512, "EFI PART", 8);
	ca_put_le64(ram.data + 512 + 72, 2);
	ca_put_le32(ram.data + 512 + 80, 128);
	ca_put_le32(ram.data + 512 + 84, 128);
	ram.data[1024] = 0xa2; /* some type */
	ca_put_le64(ram.data + 1024 + 32, 8192);
	ca_put_le64(ram.data + 1024 + 40, 8192 + 99999);
	content = look();
	ck_assert_str_eq(content.filesystem, "exFAT");
	ck_assert_uint_eq(content.head_bytes, end_of(3, 8192, root));
	ck_assert_uint_eq(content.tail_bytes, 34 * 512);
}
END_TEST

START_TEST(what_cannot_be_read_is_said)
{
	struct ca_content content;

	(void)make((size_t)_i, 0);
	ram.bad_read = (struct ram_range){0, 1};
	content = look();
	ck_assert(content.unreadable);
	ck_assert_uint_eq(content.head_bytes, 0);
}
END_TEST

/* Numbers that lie: each of these made so much time or memory of a careless reader. */
static const struct {
	size_t kind;
	size_t at; /* in the boot sector */
	uint8_t bytes[8];
	size_t len;
} lies[] = {
	{0, 11, {0, 0}, 2},
	{0, 11, {1, 2}, 2},
	{0, 13, {0}, 1},
	{0, 13, {3}, 1},
	{0, 14, {0, 0}, 2},
	{0, 16, {0}, 1},
	{0, 16, {255}, 1},
	{0, 32, {255, 255, 255, 255}, 4},
	{0, 22, {1, 0}, 2},
	{1, 32, {1, 0, 0, 0}, 4},
	{2, 36, {255, 255, 255, 255}, 4},
	{2, 36, {1, 0, 0, 0}, 4},
	{3, 72, {255, 255, 255, 255, 255, 255, 255, 255}, 8},
	{3, 80, {255, 255, 255, 255}, 4},
	{3, 84, {1, 0, 0, 0}, 4},
	{3, 88, {255, 255, 255, 255}, 4},
	{3, 92, {255, 255, 255, 255}, 4},
	{3, 108, {8}, 1},
	{3, 108, {255}, 1},
	{3, 109, {255}, 1},
	{3, 109, {25}, 1},
	{3, 110, {0}, 1},
};

START_TEST(lies_are_no_file_system)
{
	struct ca_content content;

	(void)make(lies[_i].kind, 0);
	memcpy(ram.data + lies[_i].at, lies[_i].bytes, lies[_i].len);
	content = look();
	ck_assert_msg(content.head_bytes == 0, "row %d: %s", _i, content.filesystem);
}
END_TEST

START_TEST(loops_end)
{
	uint8_t *root = make((size_t)_i, 0);

	/* a top directory that follows itself, and has no end */
	if (kinds[_i].bits == 0) {
		ca_put_le32(ram.data + (size_t)FS_EXFAT_FAT * 512 + 16, 4);
		memset(root, 0x83, 4096 - 64);
	} else {
		ca_put_le32(ram.data + (size_t)32 * 512 + 8, 2);
		memset(root, 0x41, 512);
	}
	(void)look();
	ck_assert_uint_lt(ram.transfers, 100000);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("content");
	int all = CA_ARRAY_LEN(kinds);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_loop_test(tests, an_empty_one_is_a_head, 0, all);
	tcase_add_loop_test(tests, in_a_partition_too, 0, all);
	tcase_add_loop_test(tests, files_are_listed, 0, all);
	tcase_add_loop_test(tests, what_is_in_use_is_counted, 0, all);
	tcase_add_loop_test(tests, a_label_and_what_was_deleted_are_no_files, 0, all);
	tcase_add_test(tests, long_and_hostile_names);
	tcase_add_test(tests, only_the_first_names_are_kept);
	tcase_add_loop_test(tests, a_blank_card_holds_nothing, 0, 2);
	tcase_add_test(tests, what_is_not_known_is_named);
	tcase_add_test(tests, two_volumes_are_no_head);
	tcase_add_test(tests, a_gpt_has_an_end_too);
	tcase_add_loop_test(tests, what_cannot_be_read_is_said, 0, all);
	tcase_add_loop_test(tests, lies_are_no_file_system, 0, CA_ARRAY_LEN(lies));
	tcase_add_loop_test(tests, loops_end, 2, all);
	return run_tests(tests);
}
