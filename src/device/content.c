/* SPDX-License-Identifier: BSD-2-Clause */
#include "content.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MBR_ENTRIES	4U
#define MBR_TABLE	446U
#define MBR_ENTRY_BYTES 16U
#define GPT_ENTRIES_MAX 256U
#define GPT_ENTRY_BYTES 128U
/* The second header and its entries are the last sectors of the card. */
#define GPT_TAIL_SECTORS 34U
/* Cards of 2 TB begin their data there at the latest. */
#define HEAD_MAX (256 * CA_MIB)

struct survey {
	struct ca_content_reader reader;
	struct ca_content *content;
	const char *path; /* for libblkid, or NULL */
	uint32_t volumes; /* with a file system that is known here */
	uint64_t head_end;
};

const uint8_t *ca_content_get(struct ca_content_reader *reader, uint64_t offset, uint32_t bytes)
{
	uint64_t size = reader->device->geometry.bytes;
	uint64_t at = offset - offset % CA_CONTENT_WINDOW;
	struct ca_io_fault fault = {.status = CA_IO_OK};
	int r;

	if (reader->own || offset >= size || bytes > size - offset)
		return NULL;
	if (!reader->filled || at != reader->at) {
		reader->at = at;
		reader->filled =
			size - at < CA_CONTENT_WINDOW ? (uint32_t)(size - at) : CA_CONTENT_WINDOW;
		reader->filled -= reader->filled % reader->device->geometry.sector_bytes;
		r = ca_device_read(reader->device, at, reader->filled, reader->window, &fault);
		if (r < 0 || fault.status != CA_IO_OK) {
			reader->own = r;
			reader->unreadable = true;
			reader->filled = 0;
			return NULL;
		}
	}
	if (offset - at + bytes > reader->filled)
		return NULL;
	return reader->window + (offset - at);
}

void ca_content_add_entry(struct ca_content *content, struct ca_content_volume *volume,
			  const char *name, bool directory, uint64_t bytes)
{
	struct ca_content_name *kept;

	volume->entries++;
	if (content->name_count == CA_CONTENT_NAMES)
		return;
	kept = &content->names[content->name_count++];
	(void)ca_string_copy(kept->name, sizeof(kept->name), name); /* cut for showing */
	kept->directory = directory;
	kept->bytes = bytes;
}

/* ---- volumes */

static void add_other(struct survey *survey, uint64_t offset, uint64_t bytes, const char *otherwise)
{
	struct ca_content *content = survey->content;
	char type[sizeof(content->filesystem)] = "";

	if (survey->path)
		ca_content_other(survey->path, offset, bytes, type, sizeof(type));
	if (!type[0])
		(void)ca_string_copy(type, sizeof(type), otherwise); /* our own words, fit */
	if (!type[0])
		return;
	content->others++;
	(void)ca_string_copy(content->other, sizeof(content->other), type); /* of the same size */
}

/* False: no file system that is known here begins there. */
static bool take_volume(struct survey *survey, uint64_t offset)
{
	struct ca_content *content = survey->content;
	struct ca_content_volume volume = {.filesystem = NULL};

	if (!ca_content_exfat(&survey->reader, offset, content, &volume) &&
	    !ca_content_fat(&survey->reader, offset, content, &volume))
		return false;
	survey->volumes++;
	survey->head_end = volume.head_end;
	content->entries += volume.entries;
	content->used_bytes += volume.used_bytes;
	(void)ca_string_copy(content->filesystem, sizeof(content->filesystem),
			     volume.filesystem); /* our own words, fit */
	return true;
}

static void take_partition(struct survey *survey, uint64_t first, uint64_t sectors)
{
	const struct ca_geometry *geometry = &survey->reader.device->geometry;
	uint64_t all = geometry->bytes / geometry->sector_bytes;

	if (first == 0 || first >= all)
		return; /* it is not there: nothing can be in it */
	if (sectors > all - first)
		sectors = all - first;
	if (!take_volume(survey, first * geometry->sector_bytes))
		add_other(survey, first * geometry->sector_bytes, sectors * geometry->sector_bytes,
			  "partition");
}

/* ---- tables */

static void take_gpt(struct survey *survey)
{
	const struct ca_geometry *geometry = &survey->reader.device->geometry;
	const uint8_t *header = ca_content_get(&survey->reader, geometry->sector_bytes, 92);
	uint64_t at, count;

	if (!header || memcmp(header, "EFI PART", 8) != 0 ||
	    ca_le32(header + 84) != GPT_ENTRY_BYTES)
		return;
	at = ca_le64(header + 72);
	count = ca_le32(header + 80);
	survey->content->tail_bytes = (uint64_t)GPT_TAIL_SECTORS * geometry->sector_bytes;
	if (at > geometry->bytes / geometry->sector_bytes)
		return;
	for (uint64_t i = 0; i < count && i < GPT_ENTRIES_MAX; i++) {
		static const uint8_t unused[16];
		uint64_t place = at * geometry->sector_bytes + i * GPT_ENTRY_BYTES, first, last;
		const uint8_t *entry = ca_content_get(&survey->reader, place, GPT_ENTRY_BYTES);

		if (!entry)
			return;
		first = ca_le64(entry + 32);
		last = ca_le64(entry + 40);
		if (memcmp(entry, unused, sizeof(unused)) != 0 && last >= first)
			take_partition(survey, first, last - first + 1);
	}
}

/* False: there is no table. */
static bool take_table(struct survey *survey)
{
	const uint8_t *sector = ca_content_get(&survey->reader, 0, CA_SECTOR_BYTES);
	uint8_t table[MBR_ENTRIES * MBR_ENTRY_BYTES];
	bool any = false;

	if (!sector || sector[510] != 0x55 || sector[511] != 0xaa)
		return false;
	memcpy(table, sector + MBR_TABLE, sizeof(table));
	for (size_t i = 0; i < MBR_ENTRIES; i++)
		if (table[i * MBR_ENTRY_BYTES] & 0x7f) /* active or not; else no table at all */
			return false;
	for (size_t i = 0; i < MBR_ENTRIES; i++) {
		const uint8_t *entry = table + i * MBR_ENTRY_BYTES;

		if (entry[4] == 0)
			continue;
		any = true;
		if (entry[4] == 0xee)
			take_gpt(survey);
		else
			take_partition(survey, ca_le32(entry + 8), ca_le32(entry + 12));
	}
	return any;
}

/* ---- the whole */

static void survey_all(struct survey *survey)
{
	struct ca_content *content = survey->content;
	uint64_t bytes = survey->reader.device->geometry.bytes;

	/* a boot sector of a volume without partitions ends as a table does, so it comes first */
	if (!take_volume(survey, 0) && !take_table(survey))
		add_other(survey, 0, bytes, "");
	content->unreadable = survey->reader.unreadable;
	if (survey->volumes == 1 && !content->entries && !content->others && !content->unreadable &&
	    survey->head_end <= HEAD_MAX && content->tail_bytes < bytes &&
	    survey->head_end <= bytes - content->tail_bytes)
		content->head_bytes = survey->head_end;
}

int ca_content_read(struct ca_device *device, const char *path, struct ca_content *ret_content)
{
	struct ca_content content = {.entries = 0};
	struct survey survey = {.reader = {.device = device}, .content = &content, .path = path};
	void *window;

	if (posix_memalign(&window, CA_BUFFER_ALIGN, CA_CONTENT_WINDOW) != 0)
		return -ENOMEM;
	survey.reader.window = window;
	survey_all(&survey);
	free(window);
	if (survey.reader.own)
		return survey.reader.own;
	*ret_content = content;
	return 0;
}

int ca_host_look(const char *target, struct ca_content *ret_content, struct ca_error *error)
{
	struct ca_device *device;
	const char *path = strncmp(target, "image:", 6) == 0 ? target + 6 : target;
	int rc = ca_host_open(target, CA_OPEN_READ, &device, error);

	if (rc < 0)
		return rc;
	rc = ca_content_read(device, strncmp(target, "sim:", 4) == 0 ? NULL : path, ret_content);
	ca_device_close(device);
	return rc < 0 ? ca_error_set(error, rc, "what is on %s cannot be looked at: %s", target,
				     strerror(-rc))
		      : 0;
}
