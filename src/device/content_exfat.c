/* SPDX-License-Identifier: BSD-2-Clause */
/* exFAT: the layout, the top directory, and how much is in use. */
#include "content.h"

#include <string.h>

#define ENTRY_BYTES 32U
#define ENTRIES_MAX 65536U
#define CHAIN_MAX   4096U
#define NAME_CHARS  63U

enum {
	TYPE_BITMAP = 0x81,
	TYPE_UPCASE = 0x82,
	TYPE_FILE = 0x85,
	TYPE_STREAM = 0xc0,
	TYPE_NAME = 0xc1,
	ATTRIBUTE_DIRECTORY = 0x10,
};

struct exfat {
	struct ca_content_reader *reader;
	uint64_t start;
	uint64_t fat_at, heap_at, cluster_bytes, clusters;
	uint32_t root_cluster;
	uint64_t own_clusters; /* of the bitmap, the table of capitals and the top directory */
	uint32_t bitmap_cluster;
	uint64_t bitmap_bytes;

	/* the file whose entries are being read */
	bool has_file, directory;
	uint64_t bytes;
	size_t name_len;
	char name[NAME_CHARS + 1];
};

static bool lay_out(struct exfat *exfat, const uint8_t *boot)
{
	uint32_t sector_shift = boot[108], cluster_shift = boot[109], fats = boot[110];
	uint64_t sectors = ca_le64(boot + 72), heap = ca_le32(boot + 88);
	uint64_t fat = ca_le32(boot + 80), fat_sectors = ca_le32(boot + 84);
	uint64_t room = exfat->reader->device->geometry.bytes - exfat->start;

	if (memcmp(boot + 3, "EXFAT   ", 8) != 0 || boot[510] != 0x55 || boot[511] != 0xaa ||
	    sector_shift < 9 || sector_shift > 12 || cluster_shift > 25 - sector_shift ||
	    fats < 1 || fats > 2 || sectors > room >> sector_shift)
		return false;
	exfat->clusters = ca_le32(boot + 92);
	exfat->root_cluster = ca_le32(boot + 96);
	exfat->cluster_bytes = UINT64_C(1) << (sector_shift + cluster_shift);
	exfat->fat_at = exfat->start + (fat << sector_shift);
	exfat->heap_at = exfat->start + (heap << sector_shift);
	return fat > 0 && fat + fats * fat_sectors <= heap &&
	       (exfat->clusters + 2) * 4 <= fat_sectors << sector_shift &&
	       heap + (exfat->clusters << cluster_shift) <= sectors;
}

static bool is_cluster(const struct exfat *exfat, uint64_t cluster)
{
	return cluster >= 2 && cluster - 2 < exfat->clusters;
}

static uint64_t place_of(const struct exfat *exfat, uint64_t cluster)
{
	return exfat->heap_at + (cluster - 2) * exfat->cluster_bytes;
}

static uint64_t next_of(const struct exfat *exfat, uint64_t cluster)
{
	const uint8_t *data = ca_content_get(exfat->reader, exfat->fat_at + cluster * 4, 4);

	return data ? ca_le32(data) : UINT32_MAX;
}

/* A cluster that an empty file system needs too. */
static void own(struct exfat *exfat, uint64_t cluster, struct ca_content_volume *volume)
{
	uint64_t end = place_of(exfat, cluster) + exfat->cluster_bytes;

	exfat->own_clusters++;
	if (end > volume->head_end)
		volume->head_end = end;
}

static void own_chain(struct exfat *exfat, const uint8_t *entry, struct ca_content_volume *volume)
{
	uint64_t cluster = ca_le32(entry + 20);

	for (uint32_t i = 0; is_cluster(exfat, cluster) && i < CHAIN_MAX; i++) {
		own(exfat, cluster, volume);
		cluster = next_of(exfat, cluster);
	}
}

static void finish_file(struct exfat *exfat, struct ca_content *content,
			struct ca_content_volume *volume)
{
	if (exfat->has_file)
		ca_content_add_entry(content, volume, exfat->name, exfat->directory, exfat->bytes);
	exfat->has_file = false;
}

static void keep_name(struct exfat *exfat, const uint8_t *entry)
{
	for (size_t i = 2; i < ENTRY_BYTES && exfat->name_len < NAME_CHARS; i += 2) {
		uint16_t c = ca_le16(entry + i);

		if (c == 0)
			return;
		exfat->name[exfat->name_len++] = c < 0x80 ? (char)c : '?';
		exfat->name[exfat->name_len] = '\0';
	}
}

/* False: the end of the directory. */
static bool take_entry(struct exfat *exfat, const uint8_t *entry, struct ca_content *content,
		       struct ca_content_volume *volume)
{
	uint8_t copy[ENTRY_BYTES]; /* following a chain moves the window */

	memcpy(copy, entry, sizeof(copy));
	if (copy[0] != TYPE_STREAM && copy[0] != TYPE_NAME)
		finish_file(exfat, content, volume);
	switch (copy[0]) {
	case 0:
		return false;
	case TYPE_BITMAP:
		exfat->bitmap_cluster = ca_le32(copy + 20);
		exfat->bitmap_bytes = ca_le64(copy + 24);
		own_chain(exfat, copy, volume);
		break;
	case TYPE_UPCASE:
		own_chain(exfat, copy, volume);
		break;
	case TYPE_FILE:
		exfat->has_file = true;
		exfat->directory = ca_le16(copy + 4) & ATTRIBUTE_DIRECTORY;
		exfat->bytes = exfat->name_len = 0;
		exfat->name[0] = '\0';
		break;
	case TYPE_STREAM:
		exfat->bytes = ca_le64(copy + 24);
		break;
	case TYPE_NAME:
		keep_name(exfat, copy);
		break;
	default: /* labels, and what the standard lets be passed over */
		break;
	}
	return true;
}

static bool take_cluster(struct exfat *exfat, uint64_t cluster, struct ca_content *content,
			 struct ca_content_volume *volume)
{
	for (uint64_t i = 0; i < exfat->cluster_bytes; i += ENTRY_BYTES) {
		const uint8_t *entry =
			ca_content_get(exfat->reader, place_of(exfat, cluster) + i, ENTRY_BYTES);

		if (!entry || volume->entries >= ENTRIES_MAX ||
		    !take_entry(exfat, entry, content, volume))
			return false;
	}
	return true;
}

static void take_root(struct exfat *exfat, struct ca_content *content,
		      struct ca_content_volume *volume)
{
	uint64_t cluster = exfat->root_cluster;
	bool more = true;

	for (uint32_t i = 0; is_cluster(exfat, cluster) && i < CHAIN_MAX; i++) {
		more = more && take_cluster(exfat, cluster, content, volume);
		own(exfat, cluster, volume);
		cluster = next_of(exfat, cluster);
	}
	finish_file(exfat, content, volume);
}

static uint64_t count_used(const struct exfat *exfat)
{
	uint64_t used = 0, bytes = (exfat->clusters + 7) / 8;

	if (!is_cluster(exfat, exfat->bitmap_cluster))
		return 0;
	if (exfat->bitmap_bytes < bytes)
		bytes = exfat->bitmap_bytes;
	for (uint64_t i = 0; i < bytes; i++) {
		const uint8_t *byte = ca_content_get(exfat->reader,
						     place_of(exfat, exfat->bitmap_cluster) + i, 1);

		if (!byte)
			break; /* unreadable: what was counted so far */
		used += (uint64_t)__builtin_popcount(*byte);
	}
	return used;
}

bool ca_content_exfat(struct ca_content_reader *reader, uint64_t offset, struct ca_content *content,
		      struct ca_content_volume *ret_volume)
{
	struct exfat exfat = {.reader = reader, .start = offset};
	struct ca_content_volume volume = {.filesystem = "exFAT"};
	const uint8_t *boot = ca_content_get(reader, offset, CA_SECTOR_BYTES);
	uint64_t used;

	if (!boot || !lay_out(&exfat, boot))
		return false;
	volume.head_end = exfat.heap_at;
	take_root(&exfat, content, &volume);
	used = volume.entries ? count_used(&exfat) : 0;
	if (used > exfat.own_clusters)
		volume.used_bytes = (used - exfat.own_clusters) * exfat.cluster_bytes;
	*ret_volume = volume;
	return true;
}
