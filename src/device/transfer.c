/* SPDX-License-Identifier: BSD-2-Clause */
#include "transfer.h"

#include <errno.h>

/* Looking at a dead region sector by sector can take seconds a sector: not longer than this. */
#define EXTEND_NS (2 * CA_NS_PER_SECOND)

/* A range under way. */
struct range {
	const struct ca_transfer *transfer;
	enum ca_io_op op;
	uint64_t offset, bytes;
	char *buffer;
};

static bool is_own(const struct ca_transfer *transfer, int rc)
{
	return rc < 0 && transfer->is_own(transfer->context, -rc);
}

static bool is_gone(const struct ca_transfer *transfer, int rc)
{
	return rc < 0 && !is_own(transfer, rc) && transfer->is_gone(transfer->context, -rc);
}

/* Moves the first `bytes` of the range and drops them from it. 0, or -errno with the part that
 * went well dropped. */
static int move_some(struct range *range, uint64_t bytes)
{
	const struct ca_transfer *transfer = range->transfer;

	while (bytes) {
		int64_t moved = transfer->move(transfer->context, range->op, range->offset, bytes,
					       range->buffer);
		uint64_t whole;

		if (moved == -EINTR)
			continue;
		if (moved < 0)
			return (int)moved;
		whole = (uint64_t)moved - (uint64_t)moved % transfer->sector_bytes;
		if (!whole)
			return -EIO; /* the device ends before its announced size */
		range->offset += whole;
		range->buffer += whole;
		range->bytes -= whole;
		bytes -= whole;
	}
	return 0;
}

/*
 * Halves the front of the range until a single sector fails. Returns its errno, or 0 when all of
 * it went well at the second try.
 */
static int find_first(struct range *range)
{
	uint64_t sector = range->transfer->sector_bytes, suspect = range->bytes;

	while (range->bytes) {
		uint64_t half, before = range->bytes;
		int rc;

		/* the failing sector lies in the first `suspect` bytes, unless it recovered */
		half = suspect > sector ? suspect / 2 / sector * sector : sector;
		rc = move_some(range, half);
		suspect -= before - range->bytes;
		if (is_own(range->transfer, rc) || (rc < 0 && half == sector))
			return rc;
		if (rc < 0)
			suspect = half - (before - range->bytes);
		else if (!suspect)
			suspect = range->bytes;
	}
	return 0;
}

/* The sectors right behind the first bad one that fail as well. */
static uint64_t extend(struct range range)
{
	uint64_t sector = range.transfer->sector_bytes, bad = sector;
	uint64_t start = ca_clock_now_ns(range.transfer->clock);

	while (bad < range.bytes) {
		struct range next = range;
		int rc;

		next.offset += bad;
		next.buffer += bad;
		next.bytes -= bad;
		rc = move_some(&next, sector);
		if (rc == 0 || is_own(range.transfer, rc))
			break;
		bad += sector;
		if (ca_clock_now_ns(range.transfer->clock) - start > EXTEND_NS)
			break;
	}
	return bad;
}

int ca_transfer_run(const struct ca_transfer *transfer, enum ca_io_op op, uint64_t offset,
		    uint64_t bytes, void *buffer, struct ca_io_fault *ret_fault)
{
	struct range range = {transfer, op, offset, bytes, buffer};
	struct ca_io_fault fault = {.status = CA_IO_OK};
	bool gone;
	int rc;

	rc = move_some(&range, bytes);
	gone = is_gone(transfer, rc);
	if (rc < 0 && !gone && !is_own(transfer, rc)) {
		rc = find_first(&range);
		if (rc < 0 && !is_own(transfer, rc))
			fault.bytes = extend(range);
		gone = is_gone(transfer, rc); /* it may have left while it was looked at */
	}
	if (is_own(transfer, rc))
		return rc;
	if (rc < 0) {
		fault.status = gone ? CA_IO_GONE : CA_IO_ERROR;
		fault.bytes = gone ? range.bytes : fault.bytes;
		fault.error = -rc;
		fault.offset = range.offset;
	}
	*ret_fault = fault;
	return 0;
}
