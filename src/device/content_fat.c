/* SPDX-License-Identifier: BSD-2-Clause */
/* FAT12, FAT16 and FAT32: the layout, the top directory, and how much is in use. */
#include "content.h"

#include <stdio.h>
#include <string.h>

#define ENTRY_BYTES   32U
#define ENTRIES_MAX   65536U /* FAT allows no more in a directory */
#define CHAIN_MAX     4096U
#define LONG_NAME_MAX 63U

struct fat {
	struct ca_content_reader *reader;
	uint64_t start; /* of the volume */
	uint32_t bits;	/* 12, 16, 32 */
	uint64_t fat_at, fat_bytes;
	uint64_t root_at, root_bytes; /* 12 and 16 */
	uint64_t data_at, cluster_bytes, clusters;
	uint32_t root_cluster; /* 32 */
	char long_name[LONG_NAME_MAX + 1];
};

static bool is_power_of_two(uint32_t value)
{
	return value && (value & (value - 1)) == 0;
}

static bool lay_out(struct fat *fat, const uint8_t *boot)
{
	uint64_t sector_bytes = ca_le16(boot + 11), cluster_sectors = boot[13];
	uint64_t reserved = ca_le16(boot + 14), fats = boot[16], root_entries = ca_le16(boot + 17);
	uint64_t total = ca_le16(boot + 19) ? ca_le16(boot + 19) : ca_le32(boot + 32);
	uint64_t fat_sectors = ca_le16(boot + 22) ? ca_le16(boot + 22) : ca_le32(boot + 36);
	uint64_t root_sectors, data;

	if ((boot[0] != 0xeb && boot[0] != 0xe9) || boot[510] != 0x55 || boot[511] != 0xaa ||
	    sector_bytes < 512 || sector_bytes > 4096 || !is_power_of_two((uint32_t)sector_bytes) ||
	    !is_power_of_two((uint32_t)cluster_sectors) || !reserved || fats < 1 || fats > 2 ||
	    !fat_sectors)
		return false;
	root_sectors = (root_entries * ENTRY_BYTES + sector_bytes - 1) / sector_bytes;
	data = reserved + fats * fat_sectors + root_sectors;
	if (total <= data ||
	    total * sector_bytes > fat->reader->device->geometry.bytes - fat->start)
		return false;
	fat->clusters = (total - data) / cluster_sectors;
	fat->bits = fat->clusters < 4085 ? 12 : fat->clusters < 65525 ? 16 : 32;
	fat->fat_bytes = fat_sectors * sector_bytes;
	fat->cluster_bytes = cluster_sectors * sector_bytes;
	fat->fat_at = fat->start + reserved * sector_bytes;
	fat->root_at = fat->fat_at + fats * fat->fat_bytes;
	fat->root_bytes = root_entries * ENTRY_BYTES;
	fat->data_at = fat->start + data * sector_bytes;
	fat->root_cluster = ca_le32(boot + 44);
	return (fat->clusters + 2) * fat->bits <= fat->fat_bytes * 8 &&
	       (fat->bits == 32) == (root_entries == 0);
}

static bool is_cluster(const struct fat *fat, uint64_t cluster)
{
	return cluster >= 2 && cluster - 2 < fat->clusters;
}

/* The FAT's entry of a cluster; what cannot be read is the end of a chain. */
static uint32_t next_of(const struct fat *fat, uint64_t cluster)
{
	uint64_t at = fat->fat_at + cluster * fat->bits / 8;
	const uint8_t *data;
	uint32_t value;

	if (fat->bits == 32) {
		data = ca_content_get(fat->reader, at, 4);
		return data ? ca_le32(data) & 0x0fffffffU : UINT32_MAX;
	}
	if (fat->bits == 16) {
		data = ca_content_get(fat->reader, at, 2);
		return data ? ca_le16(data) : UINT32_MAX;
	}
	/* one and a half bytes, which may lie in two windows */
	data = ca_content_get(fat->reader, at, 1);
	value = data ? *data : 0;
	data = data ? ca_content_get(fat->reader, at + 1, 1) : NULL;
	if (!data)
		return UINT32_MAX;
	value |= (uint32_t)*data << 8;
	return cluster & 1 ? value >> 4 : value & 0xfff;
}

/* ---- names */

/* A piece of a long name; pieces come last first. */
static void keep_long_name(struct fat *fat, const uint8_t *entry)
{
	static const uint8_t places[] = {1, 3, 5, 7, 9, 14, 16, 18, 20, 22, 24, 28, 30};
	size_t at = (size_t)((entry[0] & 0x3fU) - 1U) * CA_ARRAY_LEN(places);

	if ((entry[0] & 0x3f) == 0)
		return;
	if (entry[0] & 0x40)
		memset(fat->long_name, 0, sizeof(fat->long_name));
	for (size_t i = 0; i < CA_ARRAY_LEN(places) && at + i < LONG_NAME_MAX; i++) {
		uint16_t c = ca_le16(entry + places[i]);

		if (c == 0 || c == 0xffff)
			break;
		fat->long_name[at + i] = c < 0x80 ? (char)c : '?';
	}
}

/* "NAME.EXT" of eleven characters. */
static void short_name(const uint8_t *entry, char ret_name[13])
{
	size_t len = 0;

	for (size_t i = 0; i < 11; i++) {
		if (i == 8 && entry[8] != ' ')
			ret_name[len++] = '.';
		if (entry[i] != ' ')
			ret_name[len++] = entry[i] < 0x80 ? (char)entry[i] : '?';
	}
	ret_name[len] = '\0';
}

/* False: the end of the directory. */
static bool take_entry(struct fat *fat, const uint8_t *entry, struct ca_content *content,
		       struct ca_content_volume *volume)
{
	char name[13];

	if (entry[0] == 0)
		return false;
	if (entry[0] == 0xe5)
		return true;
	if ((entry[11] & 0x3f) == 0x0f) {
		keep_long_name(fat, entry);
		return true;
	}
	short_name(entry, name);
	if (!(entry[11] & 0x08))
		ca_content_add_entry(content, volume, fat->long_name[0] ? fat->long_name : name,
				     entry[11] & 0x10, ca_le32(entry + 28));
	memset(fat->long_name, 0, sizeof(fat->long_name));
	return true;
}

/* Entries of one piece of a directory; false: its end was among them, or it cannot be read. */
static bool take_piece(struct fat *fat, uint64_t at, uint64_t bytes, struct ca_content *content,
		       struct ca_content_volume *volume)
{
	for (uint64_t i = 0; i + ENTRY_BYTES <= bytes; i += ENTRY_BYTES) {
		const uint8_t *entry = ca_content_get(fat->reader, at + i, ENTRY_BYTES);

		if (!entry || volume->entries >= ENTRIES_MAX ||
		    !take_entry(fat, entry, content, volume))
			return false;
	}
	return true;
}

/* How many clusters the top directory has; its entries on the way. */
static uint64_t take_root(struct fat *fat, struct ca_content *content,
			  struct ca_content_volume *volume)
{
	uint64_t cluster = fat->root_cluster, count = 0;
	bool more = true;

	if (fat->bits != 32) {
		(void)take_piece(fat, fat->root_at, fat->root_bytes, content, volume);
		return 0; /* it lies before the clusters */
	}
	for (; is_cluster(fat, cluster) && count < CHAIN_MAX; count++) {
		uint64_t at = fat->data_at + (cluster - 2) * fat->cluster_bytes;

		more = more && take_piece(fat, at, fat->cluster_bytes, content, volume);
		if (at + fat->cluster_bytes > volume->head_end)
			volume->head_end = at + fat->cluster_bytes;
		cluster = next_of(fat, cluster);
	}
	return count;
}

static uint64_t count_used(const struct fat *fat)
{
	const uint32_t bad = fat->bits == 32 ? 0x0ffffff7U : fat->bits == 16 ? 0xfff7 : 0xff7;
	uint64_t used = 0;

	for (uint64_t i = 2; i < fat->clusters + 2; i++) {
		uint32_t next = next_of(fat, i);

		if (next == UINT32_MAX)
			break; /* unreadable: what was counted so far */
		used += next != 0 && next != bad;
	}
	return used;
}

bool ca_content_fat(struct ca_content_reader *reader, uint64_t offset, struct ca_content *content,
		    struct ca_content_volume *ret_volume)
{
	struct fat fat = {.reader = reader, .start = offset};
	struct ca_content_volume volume = {.filesystem = NULL};
	const uint8_t *boot = ca_content_get(reader, offset, CA_SECTOR_BYTES);
	uint64_t root, used;

	if (!boot || !lay_out(&fat, boot))
		return false;
	volume.filesystem = fat.bits == 12 ? "FAT12" : fat.bits == 16 ? "FAT16" : "FAT32";
	volume.head_end = fat.data_at;
	root = take_root(&fat, content, &volume);
	used = volume.entries ? count_used(&fat) : 0;
	volume.used_bytes = used > root ? (used - root) * fat.cluster_bytes : 0;
	*ret_volume = volume;
	return true;
}
