/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * content: what is on a card, as far as it takes to warn of files and to put an empty file system
 * back. All of it is hostile input: every number is checked against the card, every walk is
 * bounded. host.h has the contract.
 */
#ifndef CA_DEVICE_CONTENT_H
#define CA_DEVICE_CONTENT_H

#include "cardassay/host.h"

#define CA_CONTENT_WINDOW 65536U

/* Reads small pieces; the device is asked for whole windows. */
struct ca_content_reader {
	struct ca_device *device;
	uint8_t *window; /* CA_CONTENT_WINDOW bytes */
	uint64_t at;
	uint32_t filled;
	int own;	 /* negative errno of our own */
	bool unreadable; /* the card gave an error somewhere */
};

/*
 * `bytes` at `offset`, until the next call; NULL: beyond the end, or it could not be read. Not
 * across a multiple of CA_CONTENT_WINDOW.
 */
const uint8_t *ca_content_get(struct ca_content_reader *reader, uint64_t offset, uint32_t bytes);

/* What one volume turned out to be. */
struct ca_content_volume {
	const char *filesystem; /* NULL: none that is known here */
	uint64_t entries;	/* of its top directory, the name of the volume aside */
	uint64_t used_bytes;	/* beside what the file system itself needs */
	uint64_t head_end;	/* place on the card behind the last that an empty one needs */
};

/* The volume at `offset`. False: none of this kind; ret_volume is untouched. */
bool ca_content_fat(struct ca_content_reader *reader, uint64_t offset, struct ca_content *content,
		    struct ca_content_volume *ret_volume);
bool ca_content_exfat(struct ca_content_reader *reader, uint64_t offset, struct ca_content *content,
		      struct ca_content_volume *ret_volume);

/* An entry of a top directory: counted, and named while there is room. `name` is hostile, and what
 * is not ASCII in it is '?'. */
void ca_content_add_entry(struct ca_content *content, struct ca_content_volume *volume,
			  const char *name, bool directory, uint64_t bytes);

/* What libblkid finds there, "ext4" ...; "" = nothing it knows (content_other.c). */
void ca_content_other(const char *path, uint64_t offset, uint64_t bytes, char *ret_type,
		      size_t size);

/* With a device that is open; `path` is for libblkid, NULL = not asked. -ENOMEM ... */
int ca_content_read(struct ca_device *device, const char *path, struct ca_content *ret_content);

#endif
