/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fs_image: the smallest file systems that are what they say, made in the memory of a ram_device,
 * for the tests that look at what is on a card.
 */
#ifndef CA_TEST_FS_IMAGE_H
#define CA_TEST_FS_IMAGE_H

#include "ram_device.h"

static inline void put16(uint8_t *p, uint32_t value)
{
	p[0] = (uint8_t)value;
	p[1] = (uint8_t)(value >> 8);
}

/* A FAT volume with sectors of 512 bytes and clusters of one. bits 12, 16 or 32. */
static inline void fs_fat(uint8_t *volume, uint32_t sectors, unsigned int bits)
{
	uint32_t fat_sectors = (sectors * bits / 8 + 1023) / 512, reserved = bits == 32 ? 32 : 1;

	memset(volume, 0, 512);
	volume[0] = 0xeb;
	put16(volume + 11, 512);
	volume[13] = 1;
	put16(volume + 14, reserved);
	volume[16] = 2;
	put16(volume + 17, bits == 32 ? 0 : 16);
	ca_put_le32(volume + 32, sectors);
	if (bits == 32) {
		ca_put_le32(volume + 36, fat_sectors);
		ca_put_le32(volume + 44, 2);
		ca_put_le32(volume + (size_t)reserved * 512 + 8,
			    0x0fffffff); /* its top directory */
	} else {
		put16(volume + 22, fat_sectors);
	}
	volume[510] = 0x55;
	volume[511] = 0xaa;
}

/* Where the top directory of such a volume begins. */
static inline size_t fs_fat_root(const uint8_t *volume)
{
	uint32_t fat_sectors = ca_le16(volume + 22) ? ca_le16(volume + 22) : ca_le32(volume + 36);

	return 512U * (ca_le16(volume + 14) + 2U * fat_sectors);
}

static inline void fs_fat_entry(uint8_t *entry, const char name[12], uint8_t attributes,
				uint32_t bytes)
{
	memcpy(entry, name, 11);
	entry[11] = attributes;
	ca_put_le32(entry + 28, bytes);
}

#define FS_EXFAT_FAT  24U /* sectors */
#define FS_EXFAT_HEAP 160U
/* An exFAT volume with sectors of 512 bytes and clusters of 4096: the bitmap in the first, the
 * table of capitals in the second, the top directory in the third. */
static inline uint8_t *fs_exfat(uint8_t *volume, uint32_t sectors)
{
	uint8_t *root = volume + (size_t)FS_EXFAT_HEAP * 512 + 2 * 4096;
	uint8_t *fat = volume + (size_t)FS_EXFAT_FAT * 512;

	memcpy(volume + 3, "EXFAT   ", 8);
	ca_put_le64(volume + 72, sectors);
	ca_put_le32(volume + 80, FS_EXFAT_FAT);
	ca_put_le32(volume + 84, FS_EXFAT_HEAP - FS_EXFAT_FAT);
	ca_put_le32(volume + 88, FS_EXFAT_HEAP);
	ca_put_le32(volume + 92, (sectors - FS_EXFAT_HEAP) / 8);
	ca_put_le32(volume + 96, 4);
	volume[108] = 9;
	volume[109] = 3;
	volume[110] = 1;
	volume[510] = 0x55;
	volume[511] = 0xaa;
	for (uint32_t i = 2; i < 5; i++)
		ca_put_le32(fat + (size_t)i * 4, UINT32_MAX);
	volume[(size_t)FS_EXFAT_HEAP * 512] = 7; /* three clusters in use */
	root[0] = 0x81;
	ca_put_le32(root + 20, 2);
	ca_put_le64(root + 24, ((sectors - FS_EXFAT_HEAP) / 8 + 7) / 8);
	root[32] = 0x82;
	ca_put_le32(root + 52, 3);
	ca_put_le64(root + 56, 60);
	return root + 64; /* where the first file would be */
}

static inline void fs_exfat_file(uint8_t *entry, const char *name, bool directory, uint64_t bytes)
{
	entry[0] = 0x85;
	entry[1] = 2;
	put16(entry + 4, directory ? 0x10 : 0x20);
	entry[32] = 0xc0;
	entry[35] = (uint8_t)strlen(name);
	ca_put_le64(entry + 56, bytes);
	entry[64] = 0xc1;
	for (size_t i = 0; name[i] && i < 15; i++)
		entry[66 + 2 * i] = (uint8_t)name[i];
}

/* A table with one partition. */
static inline void fs_mbr(uint8_t *sector, uint8_t type, uint32_t first, uint32_t sectors)
{
	sector[446 + 4] = type;
	ca_put_le32(sector + 446 + 8, first);
	ca_put_le32(sector + 446 + 12, sectors);
	sector[510] = 0x55;
	sector[511] = 0xaa;
}

#endif
