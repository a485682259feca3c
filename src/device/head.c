/* SPDX-License-Identifier: BSD-2-Clause */
#include "block.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PIECE_BYTES 65536U
#define KEPT_MAX    (16 * CA_MIB)
#define WIPE_HEAD   (16 * CA_MIB)
#define WIPE_TAIL   CA_MIB

struct piece {
	uint64_t offset;
	uint32_t bytes;
	uint8_t value; /* of all its bytes, where data is NULL */
	uint8_t *data;
};

struct ca_head {
	struct piece *pieces;
	size_t count, room;
	uint64_t kept_bytes;
	uint8_t *buffer; /* PIECE_BYTES */
};

static int new_head(struct ca_head **ret_head)
{
	struct ca_head *head = calloc(1, sizeof(*head));
	void *buffer;

	if (!head)
		return -ENOMEM;
	if (posix_memalign(&buffer, CA_BUFFER_ALIGN, PIECE_BYTES) != 0) {
		free(head);
		return -ENOMEM;
	}
	head->buffer = buffer;
	*ret_head = head;
	return 0;
}

void ca_head_free(struct ca_head *head)
{
	if (!head)
		return;
	for (size_t i = 0; i < head->count; i++)
		free(head->pieces[i].data);
	free(head->pieces);
	free(head->buffer);
	free(head);
}

static bool is_one_value(const uint8_t *data, size_t bytes)
{
	return memcmp(data, data + 1, bytes - 1) == 0;
}

static int keep_piece(struct ca_head *head, uint64_t offset, uint32_t bytes)
{
	struct piece piece = {.offset = offset, .bytes = bytes, .value = head->buffer[0]};

	if (head->count == head->room) {
		size_t room = head->room ? 2 * head->room : 64;
		struct piece *grown = realloc(head->pieces, room * sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		head->pieces = grown;
		head->room = room;
	}
	if (!is_one_value(head->buffer, bytes)) {
		piece.data = malloc(bytes);
		if (!piece.data)
			return -ENOMEM;
		memcpy(piece.data, head->buffer, bytes);
		head->kept_bytes += bytes;
	}
	head->pieces[head->count++] = piece;
	return 0;
}

/* 1 = kept, 0 = it cannot be. */
static int keep_range(struct ca_head *head, struct ca_device *device, uint64_t offset, uint64_t end)
{
	while (offset < end) {
		struct ca_io_fault fault = {.status = CA_IO_OK};
		uint32_t bytes =
			end - offset < PIECE_BYTES ? (uint32_t)(end - offset) : PIECE_BYTES;
		int r = ca_device_read(device, offset, bytes, head->buffer, &fault);

		if (r == 0 && fault.status != CA_IO_OK)
			return 0;
		if (r == 0)
			r = keep_piece(head, offset, bytes);
		if (r < 0)
			return r;
		if (head->kept_bytes > KEPT_MAX)
			return 0;
		offset += bytes;
	}
	return 1;
}

int ca_head_save(struct ca_device *device, uint64_t head_bytes, uint64_t tail_bytes,
		 struct ca_head **ret_head)
{
	const struct ca_geometry *geometry = &device->geometry;
	uint64_t sector = geometry->sector_bytes, end = geometry->bytes - geometry->bytes % sector;
	struct ca_head *head = NULL;
	int r = new_head(&head);

	if (r < 0)
		return r;
	head_bytes = (head_bytes + sector - 1) / sector * sector;
	r = keep_range(head, device, 0, head_bytes);
	if (r == 1)
		r = keep_range(head, device, end - tail_bytes, end);
	if (r != 1) {
		ca_head_free(head);
		head = NULL;
	}
	if (r >= 0)
		*ret_head = head;
	return r < 0 ? r : 0;
}

static const uint8_t *data_of(const struct ca_head *head, const struct piece *piece)
{
	if (piece->data)
		memcpy(head->buffer, piece->data, piece->bytes);
	else
		memset(head->buffer, piece->value, piece->bytes);
	return head->buffer;
}

int ca_head_walk(const struct ca_head *head,
		 int (*each)(void *context, uint64_t offset, uint32_t bytes, const uint8_t *data),
		 void *context)
{
	int r = 0;

	for (size_t i = 0; i < head->count && r == 0; i++)
		r = each(context, head->pieces[i].offset, head->pieces[i].bytes,
			 data_of(head, &head->pieces[i]));
	return r;
}

static void fail_at(const struct piece *piece, struct ca_io_fault *ret_fault)
{
	*ret_fault = (struct ca_io_fault){.status = CA_IO_ERROR,
					  .error = EIO,
					  .offset = piece->offset,
					  .bytes = piece->bytes};
}

static bool is_as_kept(const struct piece *piece, const uint8_t *found)
{
	if (piece->data)
		return memcmp(piece->data, found, piece->bytes) == 0;
	return found[0] == piece->value && is_one_value(found, piece->bytes);
}

static int read_again(struct ca_device *device, const struct ca_head *head,
		      struct ca_io_fault *ret_fault)
{
	for (size_t i = 0; i < head->count; i++) {
		const struct piece *piece = &head->pieces[i];
		int r = ca_device_read(device, piece->offset, piece->bytes, head->buffer,
				       ret_fault);

		if (r < 0 || ret_fault->status != CA_IO_OK)
			return r;
		if (!is_as_kept(piece, head->buffer)) {
			fail_at(piece, ret_fault);
			return 0;
		}
	}
	return 0;
}

int ca_head_put_back(struct ca_device *device, const struct ca_head *head,
		     struct ca_io_fault *ret_fault)
{
	struct ca_io_fault fault = {.status = CA_IO_OK};
	int r = 0;

	/* the first sector, which makes a file system of the rest, comes last */
	for (size_t i = head->count; i > 0 && r == 0 && fault.status == CA_IO_OK; i--) {
		const struct piece *piece = &head->pieces[i - 1];

		r = ca_device_write(device, piece->offset, piece->bytes, data_of(head, piece),
				    &fault);
	}
	if (r == 0 && fault.status == CA_IO_OK)
		r = ca_device_flush(device, &fault);
	if (r == 0 && fault.status == CA_IO_OK)
		r = ca_device_drop_cache(device);
	if (r == 0 && fault.status == CA_IO_OK)
		r = read_again(device, head, &fault);
	if (r == 0)
		*ret_fault = fault;
	return r;
}

/* ---- forgetting all */

static int keep_zeros(struct ca_head *head, uint64_t offset, uint64_t end)
{
	int r = 0;

	head->buffer[0] = 0;
	memset(head->buffer, 0, PIECE_BYTES);
	while (offset < end && r == 0) {
		uint32_t bytes =
			end - offset < PIECE_BYTES ? (uint32_t)(end - offset) : PIECE_BYTES;

		r = keep_piece(head, offset, bytes);
		offset += bytes;
	}
	return r;
}

int ca_head_wipe(struct ca_device *device, bool *ret_discarded, struct ca_io_fault *ret_fault)
{
	uint64_t end =
		device->geometry.bytes - device->geometry.bytes % device->geometry.sector_bytes;
	uint64_t head_end = end < WIPE_HEAD ? end : WIPE_HEAD;
	uint64_t tail = end - head_end < WIPE_TAIL ? head_end : end - WIPE_TAIL;
	struct ca_head *head = NULL;
	/* not here, or not all: zeros are written all the same */
	bool discarded = ca_block_of(device) && ca_device_erase(device, ret_fault) == 0;
	int r = new_head(&head);

	if (r < 0)
		return r;
	r = keep_zeros(head, 0, head_end);
	if (r == 0)
		r = keep_zeros(head, tail, end);
	if (r == 0)
		r = ca_head_put_back(device, head, ret_fault);
	ca_head_free(head);
	if (r == 0)
		*ret_discarded = discarded;
	return r;
}
