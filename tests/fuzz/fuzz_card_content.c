/* SPDX-License-Identifier: BSD-2-Clause */
/* What stands on a card: tables, FAT and exFAT volumes, names. The input is laid over a card of
 * zeros, after a file system that is one, as its third byte says. */
#include "fuzz.h"

#include "content.h"
#include "../unit/fs_image.h"

#define SECTORS 8192U
#define HEADER	3U

static void make(uint8_t *data, uint8_t kind)
{
	switch (kind % 4) {
	case 0:
		fs_fat(data, SECTORS, 12);
		break;
	case 1:
		fs_fat(data, SECTORS, 16);
		break;
	case 2:
		(void)fs_exfat(data, SECTORS);
		break;
	case 3:
		fs_mbr(data, 0x0c, 64, SECTORS - 64);
		fs_fat(data + (size_t)64 * 512, SECTORS - 64, 12);
		break;
	}
}

static void check(const struct ca_content *content, uint64_t bytes)
{
	FUZZ_CHECK(content->name_count <= CA_CONTENT_NAMES);
	FUZZ_CHECK(content->name_count <= content->entries);
	for (size_t i = 0; i < content->name_count; i++)
		FUZZ_CHECK(memchr(content->names[i].name, '\0', sizeof(content->names[i].name)));
	FUZZ_CHECK(content->head_bytes <= bytes && content->tail_bytes <= bytes);
	FUZZ_CHECK(!content->head_bytes || (!content->entries && !content->others));
	FUZZ_CHECK(!content->head_bytes || content->filesystem[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ca_content content;
	struct ram_device ram;
	size_t place, len;

	if (size < HEADER)
		return 0;
	ram_init(&ram, (uint64_t)SECTORS * 512, 512, 1);
	make(ram.data, data[2]);
	place = (size_t)ca_le16(data) * 16; /* within the first MiB, where all the tables are */
	len = size - HEADER;
	memcpy(ram.data + place, data + HEADER, len < CA_MIB ? len : CA_MIB);
	fuzz_prepare(&content, sizeof(content));
	FUZZ_CHECK(ca_content_read(&ram.device, NULL, &content) == 0);
	check(&content, (uint64_t)SECTORS * 512);
	/* a chain that has no end, or a size that lies, must not cost more than the card is worth
	 */
	FUZZ_CHECK(ram.transfers < 20000);
	ca_device_close(&ram.device);
	return 0;
}
