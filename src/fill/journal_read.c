/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading a journal: a file that may be cut short, damaged, or made to do harm. */
#include "journal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct scan {
	struct ca_journal *journal;
	struct ca_error *error;
	uint64_t at;	 /* of the next block */
	uint64_t number; /* records seen, the damaged ones too */
	uint64_t damaged_seen;
	/* as they were at the last mark */
	size_t marked;
	uint64_t marked_damaged;
};

static int bad(struct ca_error *error, const char *what)
{
	return ca_error_set(error, -EBADMSG, "this is no journal of a probe that can be used: %s.",
			    what);
}

static bool is_text(const uint8_t *bytes, size_t size)
{
	return memchr(bytes, '\0', size) != NULL;
}

static int read_head(struct ca_journal *journal, struct ca_error *error)
{
	struct ca_journal_card *card = &journal->card;
	const uint8_t *block = journal->block;
	uint32_t cipher;
	int r = ca_journal_pread(journal->fd, journal->block, CA_JOURNAL_BLOCK, 0);

	if (r < 0 && r != -ENODATA)
		return r;
	if (r == -ENODATA ? lseek(journal->fd, 0, SEEK_END) == 0
			  : ca_bytes_is_all(block, CA_JOURNAL_BLOCK, 0))
		return ca_error_set(
			error, -EBADMSG,
			"the probe of this journal was cut short before it wrote "
			"anything: the card is as it was, and the file can be removed.");
	if (r == -ENODATA)
		return bad(error, "it is too short");
	if (memcmp(block, CA_JOURNAL_MAGIC_HEAD, 8) != 0)
		return bad(error, "it does not begin like one");
	if (ca_le32(block + CA_JOURNAL_BLOCK - 4) != ca_journal_block_crc(block))
		return bad(error, "the checksum of its head is wrong");
	card->sector_bytes = ca_le32(block + 8);
	cipher = ca_le32(block + 12);
	card->announced_bytes = ca_le64(block + 16);
	card->started_at = ca_le64(block + 24);
	if ((card->sector_bytes != 512 && card->sector_bytes != 4096) ||
	    card->announced_bytes == 0 || card->announced_bytes > INT64_MAX ||
	    (cipher != CA_CIPHER_AES128 && cipher != CA_CIPHER_CHACHA20))
		return bad(error, "its head makes no sense");
	if (!is_text(block + 128, 256) || !is_text(block + 384, 64) || !is_text(block + 448, 60))
		return bad(error, "a name in its head has no end");
	card->cipher = (enum ca_cipher)cipher;
	memcpy(card->secret, block + 32, 32);
	memcpy(card->run_id, block + 64, 16);
	memcpy(card->device_id, block + 80, 16);
	card->has_cid = ca_le32(block + 96) != 0;
	memcpy(card->cid, block + 100, 16);
	memcpy(card->node, block + 128, 256);
	memcpy(card->model, block + 384, 64);
	(void)ca_string_copy(card->serial, sizeof(card->serial), (const char *)block + 448);
	return 0;
}

static bool is_ours(const struct scan *scan, const char *magic)
{
	const struct ca_journal *journal = scan->journal;

	return memcmp(journal->block, magic, 8) == 0 &&
	       memcmp(journal->block + 32, journal->card.run_id, 16) == 0 &&
	       ca_le32(journal->block + CA_JOURNAL_BLOCK - 4) ==
		       ca_journal_block_crc(journal->block);
}

/* The block is a record's. 0 = read, -ENODATA = it is cut short. */
static int take_record(struct scan *scan)
{
	struct ca_journal *journal = scan->journal;
	const struct ca_journal_card *card = &journal->card;
	struct ca_journal_record record = {
		.offset = ca_le64(journal->block + 16),
		.bytes = ca_le32(journal->block + 24),
		.crc = ca_le32(journal->block + 28),
		.file_at = scan->at + CA_JOURNAL_BLOCK,
	};
	uint8_t *data = journal->block + CA_JOURNAL_BLOCK;
	int r;

	if (record.bytes == 0 || record.bytes > CA_JOURNAL_RECORD_MAX ||
	    record.bytes % card->sector_bytes || record.offset % card->sector_bytes ||
	    record.bytes > card->announced_bytes ||
	    record.offset > card->announced_bytes - record.bytes)
		return bad(scan->error, "a record lies outside of its card");
	r = ca_journal_pread(journal->fd, data, record.bytes, record.file_at);
	if (r < 0)
		return r;
	scan->at = record.file_at + ca_journal_padded(record.bytes);
	scan->number++;
	if (ca_journal_data_crc(data, record.bytes) != record.crc) {
		scan->damaged_seen++;
		return 0;
	}
	r = ca_journal_grow(journal);
	if (r < 0)
		return r == -EFBIG ? bad(scan->error, "it has too many records") : r;
	journal->records[journal->count++] = record;
	return 0;
}

/*
 * The chain of blocks is broken: all behind it is lost, unless it never counted. Only a later mark
 * tells that it did.
 */
static int look_for_marks(struct scan *scan)
{
	struct ca_journal *journal = scan->journal;
	uint64_t most = scan->number;
	int r;

	for (;;) {
		r = ca_journal_pread(journal->fd, journal->block, CA_JOURNAL_BLOCK, scan->at);
		if (r < 0)
			break;
		if (is_ours(scan, CA_JOURNAL_MAGIC_MARK) && ca_le64(journal->block + 8) > most &&
		    ca_le64(journal->block + 8) <= CA_JOURNAL_RECORDS)
			most = ca_le64(journal->block + 8);
		scan->at += CA_JOURNAL_BLOCK;
	}
	if (most > scan->number) {
		scan->marked = journal->count;
		scan->marked_damaged = scan->damaged_seen + most - scan->number;
	}
	return r == -ENODATA ? 0 : r;
}

static int read_records(struct scan *scan)
{
	struct ca_journal *journal = scan->journal;

	for (scan->at = CA_JOURNAL_BLOCK;;) {
		int r = ca_journal_pread(journal->fd, journal->block, CA_JOURNAL_BLOCK, scan->at);

		if (r == -ENODATA ||
		    (r == 0 && ca_bytes_is_all(journal->block, CA_JOURNAL_BLOCK, 0)))
			return 0;
		if (r < 0)
			return r;
		if (ca_le64(journal->block + 8) == scan->number &&
		    is_ours(scan, CA_JOURNAL_MAGIC_MARK)) {
			scan->marked = journal->count;
			scan->marked_damaged = scan->damaged_seen;
			scan->at += CA_JOURNAL_BLOCK;
			continue;
		}
		if (ca_le64(journal->block + 8) != scan->number ||
		    !is_ours(scan, CA_JOURNAL_MAGIC_RECORD))
			return look_for_marks(scan);
		r = take_record(scan);
		if (r < 0)
			return r == -ENODATA ? 0 : r;
	}
}

static int by_offset(const void *a, const void *b)
{
	const struct ca_journal_record *const *left = a, *const *right = b;

	return ((*left)->offset > (*right)->offset) - ((*left)->offset < (*right)->offset);
}

static int check_overlaps(const struct ca_journal *journal, struct ca_error *error)
{
	const struct ca_journal_record **order;
	int r = 0;

	order = calloc(journal->count + 1, sizeof(const struct ca_journal_record *));
	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < journal->count; i++)
		order[i] = &journal->records[i];
	qsort(order, journal->count, sizeof(const struct ca_journal_record *), by_offset);
	for (size_t i = 1; r == 0 && i < journal->count; i++)
		if (order[i]->offset - order[i - 1]->offset < order[i - 1]->bytes)
			r = bad(error, "two records are of one place");
	free(order);
	return r;
}

int ca_journal_open(int fd, struct ca_journal **ret_journal, struct ca_error *error)
{
	struct scan scan = {.error = error};
	int r = ca_journal_new(fd, &scan.journal);

	if (r < 0)
		return r;
	r = read_head(scan.journal, error);
	if (r == 0)
		r = read_records(&scan);
	if (r == 0) {
		scan.journal->count = scan.marked;
		scan.journal->damaged = scan.marked_damaged;
		r = check_overlaps(scan.journal, error);
	}
	if (r < 0) {
		ca_journal_free(scan.journal);
		return r;
	}
	*ret_journal = scan.journal;
	return 0;
}
