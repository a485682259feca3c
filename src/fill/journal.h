/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The file of a restore journal. Blocks of 512 bytes, numbers little-endian:
 *
 *   head    8 "CAJOURN1", 4 logical sector bytes, 4 cipher, 8 announced bytes, 8 started at,
 *           32 secret, 16 run id, 16 device id, 4 has CID, 16 CID, ..., 256 node, 64 model,
 *           60 serial, 4 CRC32 of the block before it
 *   record  8 "CARECORD", 8 number from 0, 8 offset, 4 bytes, 4 CRC32 of the data, 16 run id,
 *           ..., 4 CRC32 of the block before it; then the data, filled up to whole blocks
 *   mark    8 "CAMARKED", 8 number of records before it, ..., as a record without data
 *
 * A block of zeros, or the end of the file, is the end.
 */
#ifndef CA_FILL_JOURNAL_H
#define CA_FILL_JOURNAL_H

#include "cardassay/fill.h"

#define CA_JOURNAL_BLOCK   512U
#define CA_JOURNAL_RECORDS 65536U
#define CA_JOURNAL_SMALL   4096U /* records up to here are kept in memory too */

#define CA_JOURNAL_MAGIC_HEAD	"CAJOURN1"
#define CA_JOURNAL_MAGIC_RECORD "CARECORD"
#define CA_JOURNAL_MAGIC_MARK	"CAMARKED"

struct ca_journal_record {
	uint64_t offset, file_at; /* file_at: of its data */
	uint32_t bytes, crc;
	uint8_t *data; /* NULL = in the file alone */
};

struct ca_journal {
	int fd;
	struct ca_journal_card card;
	struct ca_journal_record *records;
	size_t count, room;
	uint64_t file_end;
	uint64_t damaged;
	uint8_t *block; /* one block, and the data of one record behind it */
};

static inline uint64_t ca_journal_padded(uint64_t bytes)
{
	return (bytes + CA_JOURNAL_BLOCK - 1) / CA_JOURNAL_BLOCK * CA_JOURNAL_BLOCK;
}

/* Room for one more record. -ENOMEM, -EFBIG. */
int ca_journal_grow(struct ca_journal *journal);
int ca_journal_new(int fd, struct ca_journal **ret_journal);
/* CRC32 over the block before its last 4 bytes. */
uint32_t ca_journal_block_crc(const uint8_t block[CA_JOURNAL_BLOCK]);
uint32_t ca_journal_data_crc(const uint8_t *data, size_t bytes);
/* Reads exactly so many bytes. -ENODATA: the file ends before. */
int ca_journal_pread(int fd, void *ret_data, size_t bytes, uint64_t at);

#endif
