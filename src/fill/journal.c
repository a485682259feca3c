/* SPDX-License-Identifier: BSD-2-Clause */
#include "journal.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

_Static_assert(sizeof(((struct ca_journal_card *)NULL)->node) == 256, "the head has 256");

uint32_t ca_journal_data_crc(const uint8_t *data, size_t bytes)
{
	return (uint32_t)crc32(0, data, (uInt)bytes); /* at most 1 MiB */
}

uint32_t ca_journal_block_crc(const uint8_t block[CA_JOURNAL_BLOCK])
{
	return ca_journal_data_crc(block, CA_JOURNAL_BLOCK - 4);
}

int ca_journal_new(int fd, struct ca_journal **ret_journal)
{
	struct ca_journal *journal = calloc(1, sizeof(*journal));

	if (!journal)
		return -ENOMEM;
	journal->fd = fd;
	journal->block = malloc(CA_JOURNAL_BLOCK + CA_JOURNAL_RECORD_MAX);
	if (!journal->block) {
		free(journal);
		return -ENOMEM;
	}
	*ret_journal = journal;
	return 0;
}

void ca_journal_free(struct ca_journal *journal)
{
	if (!journal)
		return;
	for (size_t i = 0; i < journal->count; i++)
		free(journal->records[i].data);
	free(journal->records);
	free(journal->block);
	explicit_bzero(journal, sizeof(*journal));
	free(journal);
}

int ca_journal_grow(struct ca_journal *journal)
{
	size_t room = journal->room ? 2 * journal->room : 256;
	struct ca_journal_record *grown;

	if (journal->count < journal->room)
		return 0;
	if (journal->count >= CA_JOURNAL_RECORDS)
		return -EFBIG;
	grown = realloc(journal->records, room * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	journal->records = grown;
	journal->room = room;
	return 0;
}

int ca_journal_pread(int fd, void *ret_data, size_t bytes, uint64_t at)
{
	uint8_t *data = ret_data;

	while (bytes) {
		ssize_t n = pread(fd, data, bytes, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -ENODATA;
		data += n;
		at += (uint64_t)n;
		bytes -= (size_t)n;
	}
	return 0;
}

static int append(struct ca_journal *journal, const uint8_t *data, size_t bytes)
{
	while (bytes) {
		ssize_t n = pwrite(journal->fd, data, bytes, (off_t)journal->file_end);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		data += n;
		journal->file_end += (uint64_t)n;
		bytes -= (size_t)n;
	}
	return 0;
}

static void seal(uint8_t *block)
{
	ca_put_le32(block + CA_JOURNAL_BLOCK - 4, ca_journal_block_crc(block));
}

static void begin_block(uint8_t *block, const char *magic)
{
	memset(block, 0, CA_JOURNAL_BLOCK);
	memcpy(block, magic, 8);
}

int ca_journal_create(int fd, const struct ca_journal_card *card, struct ca_journal **ret_journal)
{
	struct ca_journal *journal;
	uint8_t *block;
	int r = ca_journal_new(fd, &journal);

	if (r < 0)
		return r;
	journal->card = *card;
	block = journal->block;
	begin_block(block, CA_JOURNAL_MAGIC_HEAD);
	ca_put_le32(block + 8, card->sector_bytes);
	ca_put_le32(block + 12, (uint32_t)card->cipher);
	ca_put_le64(block + 16, card->announced_bytes);
	ca_put_le64(block + 24, card->started_at);
	memcpy(block + 32, card->secret, 32);
	memcpy(block + 64, card->run_id, 16);
	memcpy(block + 80, card->device_id, 16);
	ca_put_le32(block + 96, card->has_cid);
	memcpy(block + 100, card->cid, 16);
	memcpy(block + 128, card->node, 255);
	memcpy(block + 384, card->model, 63);
	(void)ca_string_copy((char *)block + 448, 60, card->serial); /* for people: cut is fine */
	seal(block);
	r = append(journal, block, CA_JOURNAL_BLOCK);
	if (r < 0) {
		ca_journal_free(journal);
		return r;
	}
	*ret_journal = journal;
	return 0;
}

const struct ca_journal_card *ca_journal_card_of(const struct ca_journal *journal)
{
	return &journal->card;
}

size_t ca_journal_count(const struct ca_journal *journal)
{
	return journal->count;
}

uint64_t ca_journal_damaged(const struct ca_journal *journal)
{
	return journal->damaged;
}

/* A record's or a mark's block. */
static void make_block(struct ca_journal *journal, const char *magic,
		       const struct ca_journal_record *record)
{
	uint8_t *block = journal->block;

	begin_block(block, magic);
	ca_put_le64(block + 8, journal->count);
	ca_put_le64(block + 16, record->offset);
	ca_put_le32(block + 24, record->bytes);
	ca_put_le32(block + 28, record->crc);
	memcpy(block + 32, journal->card.run_id, 16);
	seal(block);
}

int ca_journal_save(struct ca_journal *journal, uint64_t offset, uint32_t bytes,
		    const uint8_t *data)
{
	struct ca_journal_record record = {.offset = offset, .bytes = bytes};
	size_t padded = (size_t)ca_journal_padded(bytes);
	int r = ca_journal_grow(journal);

	assert(bytes > 0 && bytes <= CA_JOURNAL_RECORD_MAX);
	if (r < 0)
		return r;
	if (bytes <= CA_JOURNAL_SMALL) {
		record.data = malloc(bytes);
		if (!record.data)
			return -ENOMEM;
		memcpy(record.data, data, bytes);
	}
	record.crc = ca_journal_data_crc(data, bytes);
	record.file_at = journal->file_end + CA_JOURNAL_BLOCK;
	make_block(journal, CA_JOURNAL_MAGIC_RECORD, &record);
	memcpy(journal->block + CA_JOURNAL_BLOCK, data, bytes);
	memset(journal->block + CA_JOURNAL_BLOCK + bytes, 0, padded - bytes);
	r = append(journal, journal->block, CA_JOURNAL_BLOCK + padded);
	if (r < 0) {
		free(record.data);
		return r;
	}
	journal->records[journal->count++] = record;
	return 0;
}

static int settle(const struct ca_journal *journal)
{
	return fdatasync(journal->fd) < 0 ? -errno : 0;
}

int ca_journal_sync(struct ca_journal *journal)
{
	const struct ca_journal_record none = {0};
	int r = settle(journal);

	if (r < 0)
		return r;
	make_block(journal, CA_JOURNAL_MAGIC_MARK, &none);
	r = append(journal, journal->block, CA_JOURNAL_BLOCK);
	return r < 0 ? r : settle(journal);
}

void ca_journal_place(const struct ca_journal *journal, size_t index, uint64_t *ret_offset,
		      uint32_t *ret_bytes)
{
	*ret_offset = journal->records[index].offset;
	*ret_bytes = journal->records[index].bytes;
}

bool ca_journal_find(const struct ca_journal *journal, uint64_t offset, size_t *ret_index)
{
	for (size_t i = 0; i < journal->count; i++) {
		const struct ca_journal_record *record = &journal->records[i];

		if (offset >= record->offset && offset - record->offset < record->bytes) {
			*ret_index = i;
			return true;
		}
	}
	return false;
}

int ca_journal_load(struct ca_journal *journal, size_t index, uint8_t *ret_data)
{
	const struct ca_journal_record *record = &journal->records[index];
	int r;

	if (record->data) {
		memcpy(ret_data, record->data, record->bytes);
		return 0;
	}
	r = ca_journal_pread(journal->fd, ret_data, record->bytes, record->file_at);
	if (r == 0 && ca_journal_data_crc(ret_data, record->bytes) != record->crc)
		r = -EBADMSG;
	return r;
}
