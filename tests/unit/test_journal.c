/* SPDX-License-Identifier: BSD-2-Clause */
#include "journal.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK 512U

static const struct ca_journal_card card = {
	.announced_bytes = UINT64_C(1) << 30,
	.sector_bytes = 512,
	.cipher = CA_CIPHER_CHACHA20,
	.secret = {1, 2, 3},
	.run_id = {4, 5, 6},
	.device_id = {7, 8, 9},
	.has_cid = true,
	.cid = {10, 11},
	.node = "/dev/mmcblk0",
	.model = "model",
	.serial = "serial",
	.started_at = 1767225600,
};

static int new_file(void)
{
	char name[] = "/tmp/test-journal-XXXXXX";
	int fd = mkstemp(name);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(unlink(name), 0);
	return fd;
}

/* Three records, a mark, and a fourth that does not count: 4096 at 0, 512 at 8192, 1 MiB at 1 MiB.
 */
static int new_journal(void)
{
	struct ca_journal *journal;
	uint8_t *data = malloc(CA_JOURNAL_RECORD_MAX);
	int fd = new_file();

	ck_assert_ptr_nonnull(data);
	memset(data, 0xa5, CA_JOURNAL_RECORD_MAX);
	ck_assert_int_eq(ca_journal_create(fd, &card, &journal), 0);
	ck_assert_int_eq(ca_journal_save(journal, 0, 4096, data), 0);
	data[0] = 1;
	ck_assert_int_eq(ca_journal_save(journal, 8192, 512, data), 0);
	ck_assert_int_eq(ca_journal_save(journal, CA_MIB, CA_JOURNAL_RECORD_MAX, data), 0);
	ck_assert_int_eq(ca_journal_sync(journal), 0);
	ck_assert_int_eq(ca_journal_save(journal, 4 * CA_MIB, 512, data), 0);
	ck_assert_uint_eq(ca_journal_count(journal), 4);
	ca_journal_free(journal);
	free(data);
	return fd;
}

START_TEST(what_was_saved_comes_back)
{
	struct ca_journal *journal;
	struct ca_error error = {0};
	uint8_t *data = malloc(CA_JOURNAL_RECORD_MAX);
	int fd = new_journal();
	uint64_t offset;
	uint32_t bytes;
	size_t index = 77;

	ck_assert_ptr_nonnull(data);
	ck_assert_msg(ca_journal_open(fd, &journal, &error) == 0, "%s", error.text);
	ck_assert_uint_eq(ca_journal_count(journal),
			  3); /* the one behind the mark does not count */
	ck_assert_uint_eq(ca_journal_damaged(journal), 0);
	ck_assert_int_eq(memcmp(ca_journal_card_of(journal), &card, sizeof(card)), 0);
	ca_journal_place(journal, 1, &offset, &bytes);
	ck_assert_uint_eq(offset, 8192);
	ck_assert_uint_eq(bytes, 512);
	ck_assert_int_eq(ca_journal_load(journal, 1, data), 0);
	ck_assert(data[0] == 1 && ca_bytes_is_all(data + 1, 511, 0xa5));
	ck_assert_int_eq(ca_journal_load(journal, 2, data), 0);
	ck_assert(data[0] == 1 && ca_bytes_is_all(data + 1, CA_JOURNAL_RECORD_MAX - 1, 0xa5));
	ck_assert(ca_journal_find(journal, 8192 + 511, &index));
	ck_assert_uint_eq(index, 1);
	ck_assert(!ca_journal_find(journal, 8192 + 512, &index));
	ck_assert(!ca_journal_find(journal, 4096, &index));
	ck_assert(ca_journal_find(journal, 2 * CA_MIB - 1, &index));
	ck_assert_uint_eq(index, 2);
	ca_journal_free(journal);
	ca_journal_free(NULL);
	free(data);
	close(fd);
}
END_TEST

/* Cut at any length, it holds whole records up to a mark, or none. */
START_TEST(a_journal_cut_anywhere_is_read)
{
	const uint64_t whole = 512 + (512 + 4096) + (512 + 512) + (512 + CA_MIB) + 512 + 1024;
	const uint64_t mark_end = whole - 1024;
	int fd = new_journal();

	ck_assert_uint_eq((uint64_t)lseek(fd, 0, SEEK_END), whole);
	for (uint64_t size = whole; size > 511;
	     size -= size > 7000 && size < mark_end - 600 ? 65537 : 101) {
		struct ca_journal *journal;
		struct ca_error error = {0};

		ck_assert_int_eq(ftruncate(fd, (off_t)size), 0);
		if (size < 512)
			break;
		ck_assert_int_eq(ca_journal_open(fd, &journal, &error), 0);
		ck_assert_uint_eq(ca_journal_count(journal), size >= mark_end ? 3 : 0);
		ck_assert_uint_eq(ca_journal_damaged(journal), 0);
		ca_journal_free(journal);
		if (size < 700)
			break;
	}
	close(fd);
}
END_TEST

static void put(int fd, uint64_t at, const void *data, size_t bytes)
{
	ck_assert_int_eq(pwrite(fd, data, bytes, (off_t)at), (ssize_t)bytes);
}

/* Changes bytes of one block and makes its checksum right again. */
static void forge(int fd, uint64_t block, size_t at, const void *data, size_t bytes)
{
	uint8_t whole[BLOCK];

	ck_assert_int_eq(pread(fd, whole, BLOCK, (off_t)block), (ssize_t)BLOCK);
	memcpy(whole + at, data, bytes);
	ca_put_le32(whole + BLOCK - 4, ca_journal_block_crc(whole));
	put(fd, block, whole, BLOCK);
}

static void forge64(int fd, uint64_t block, size_t at, uint64_t value)
{
	uint8_t bytes[8];

	ca_put_le64(bytes, value);
	forge(fd, block, at, bytes, 8);
}

static void forge32(int fd, uint64_t block, size_t at, uint32_t value)
{
	uint8_t bytes[4];

	ca_put_le32(bytes, value);
	forge(fd, block, at, bytes, 4);
}

#define FIRST  512U
#define SECOND (512U + 512 + 4096)

static void bad_magic(int fd)
{
	put(fd, 0, "X", 1);
}
static void bad_head_sum(int fd)
{
	put(fd, 300, "X", 1);
}
static void no_sector_size(int fd)
{
	forge32(fd, 0, 8, 0);
}
static void odd_sector_size(int fd)
{
	forge32(fd, 0, 8, 513);
}
static void no_size(int fd)
{
	forge64(fd, 0, 16, 0);
}
static void huge_size(int fd)
{
	forge64(fd, 0, 16, UINT64_MAX);
}
static void no_cipher(int fd)
{
	forge32(fd, 0, 12, 99);
}
static void endless_node(int fd)
{
	uint8_t node[256];

	memset(node, 'x', sizeof(node));
	forge(fd, 0, 128, node, sizeof(node));
}
static void endless_serial(int fd)
{
	uint8_t serial[60];

	memset(serial, 'x', sizeof(serial));
	forge(fd, 0, 448, serial, sizeof(serial));
}
static void no_bytes(int fd)
{
	forge32(fd, FIRST, 24, 0);
}
static void huge_record(int fd)
{
	forge32(fd, FIRST, 24, UINT32_MAX / 512 * 512);
}
static void half_sector(int fd)
{
	forge32(fd, SECOND, 24, 100);
}
static void odd_offset(int fd)
{
	forge64(fd, FIRST, 16, 100);
}
static void outside(int fd)
{
	forge64(fd, FIRST, 16, card.announced_bytes - 512);
}
static void far_outside(int fd)
{
	forge64(fd, FIRST, 16, UINT64_MAX / 512 * 512);
}
static void overlap(int fd)
{
	forge64(fd, SECOND, 16, 3584);
}
static void empty(int fd)
{
	ck_assert_int_eq(ftruncate(fd, 0), 0);
}
static void zeros(int fd)
{
	static const uint8_t nothing[4096];

	empty(fd);
	put(fd, 0, nothing, sizeof(nothing));
}
static void short_file(int fd)
{
	ck_assert_int_eq(ftruncate(fd, 511), 0);
}

static const struct {
	void (*spoil)(int fd);
	const char *says;
} hostile[] = {
	{bad_magic, "does not begin like one"},
	{bad_head_sum, "checksum of its head"},
	{no_sector_size, "makes no sense"},
	{odd_sector_size, "makes no sense"},
	{no_size, "makes no sense"},
	{huge_size, "makes no sense"},
	{no_cipher, "makes no sense"},
	{endless_node, "has no end"},
	{endless_serial, "has no end"},
	{no_bytes, "outside of its card"},
	{huge_record, "outside of its card"},
	{half_sector, "outside of its card"},
	{odd_offset, "outside of its card"},
	{outside, "outside of its card"},
	{far_outside, "outside of its card"},
	{overlap, "of one place"},
	{empty, "before it wrote anything"},
	{zeros, "before it wrote anything"},
	{short_file, "too short"},
};

START_TEST(hostile_journals_are_refused)
{
	struct ca_journal *journal = NULL;
	struct ca_error error = {0};
	int fd = new_journal();

	hostile[_i].spoil(fd);
	ck_assert_int_eq(ca_journal_open(fd, &journal, &error), -EBADMSG);
	ck_assert_msg(strstr(error.text, hostile[_i].says) != NULL, "%s", error.text);
	ck_assert_ptr_null(journal);
	close(fd);
}
END_TEST

/* A record of which the mark says that it counted, and that is not whole any more. */
static const struct {
	uint64_t at;
	uint64_t count, damaged;
} wounds[] = {
	{FIRST + 512 + 7, 2, 1}, /* its data */
	{SECOND + 512 + 7, 2, 1},
	{FIRST + 20, 0, 3},  /* its block: what is behind it cannot be found */
	{SECOND + 20, 1, 2}, /* but what is before it can */
};

START_TEST(damage_is_counted)
{
	struct ca_journal *journal;
	struct ca_error error = {0};
	int fd = new_journal();

	put(fd, wounds[_i].at, "X", 1);
	ck_assert_msg(ca_journal_open(fd, &journal, &error) == 0, "%s", error.text);
	ck_assert_uint_eq(ca_journal_count(journal), wounds[_i].count);
	ck_assert_uint_eq(ca_journal_damaged(journal), wounds[_i].damaged);
	ca_journal_free(journal);
	close(fd);
}
END_TEST

START_TEST(data_changed_since_are_not_given)
{
	struct ca_journal *journal;
	struct ca_error error = {0};
	uint8_t *data = malloc(CA_JOURNAL_RECORD_MAX);
	int fd = new_journal();

	ck_assert_ptr_nonnull(data);
	ck_assert_int_eq(ca_journal_open(fd, &journal, &error), 0);
	put(fd, FIRST + 512 + 7, "X", 1);
	ck_assert_int_eq(ca_journal_load(journal, 0, data), -EBADMSG);
	ca_journal_free(journal);
	free(data);
	close(fd);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("journal");
	TCase *tcase = tcase_create("journal");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tcase, what_was_saved_comes_back);
	tcase_add_test(tcase, a_journal_cut_anywhere_is_read);
	tcase_add_loop_test(tcase, hostile_journals_are_refused, 0, (int)CA_ARRAY_LEN(hostile));
	tcase_add_loop_test(tcase, damage_is_counted, 0, (int)CA_ARRAY_LEN(wounds));
	tcase_add_test(tcase, data_changed_since_are_not_given);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
