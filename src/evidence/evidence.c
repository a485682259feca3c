/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/evidence.h"

#include <stdlib.h>
#include <string.h>

void ca_evidence_done(struct ca_evidence *evidence)
{
	if (!evidence)
		return;
	free(evidence->capacity.runs);
	memset(evidence, 0, sizeof(*evidence));
}

/* Did more than a stray one of the bad sectors differ between two reads? */
static bool is_unsettled(const struct ca_capacity_evidence *capacity)
{
	uint64_t bad = 0;

	for (size_t i = 0; i < CA_SECTOR_CLASS_COUNT; i++)
		bad += i == CA_SECTOR_GOOD ? 0 : capacity->classes[i];
	return capacity->unstable_sectors > bad / 100;
}

enum ca_certainty ca_capacity_certainty(const struct ca_capacity_evidence *capacity)
{
	bool sized = capacity->has_real_capacity && !capacity->coarsened_to_bytes;

	if (capacity->kind == CA_CAPACITY_KIND_NONE || capacity->kind == CA_CAPACITY_KIND_SOUND)
		return CA_CERTAINTY_NONE;
	if (is_unsettled(capacity))
		return CA_CERTAINTY_OPEN;
	switch (capacity->kind) {
	case CA_CAPACITY_KIND_LIMBO:
		/* what lies behind the place where the run stopped was not written */
		return sized && capacity->end != CA_FILL_PROOF ? CA_CERTAINTY_SURE
							       : CA_CERTAINTY_LIKELY;
	case CA_CAPACITY_KIND_WRAP:
	case CA_CAPACITY_KIND_CHAIN:
	case CA_CAPACITY_KIND_ERRORS:
		return sized ? CA_CERTAINTY_SURE : CA_CERTAINTY_LIKELY;
	case CA_CAPACITY_KIND_WRITE_PROTECTED:
		/* where nothing at all was kept, one place was asked once more */
		return capacity->good_bytes ? CA_CERTAINTY_SURE : CA_CERTAINTY_LIKELY;
	case CA_CAPACITY_KIND_REPLAY:
		return CA_CERTAINTY_SURE;
	case CA_CAPACITY_KIND_REGIONS:
	case CA_CAPACITY_KIND_ISLANDS:
	case CA_CAPACITY_KIND_RING:
	case CA_CAPACITY_KIND_THIN:
		return CA_CERTAINTY_LIKELY;
	case CA_CAPACITY_KIND_NONE:
	case CA_CAPACITY_KIND_SOUND:
	case CA_CAPACITY_KIND_DAMAGED:
	case CA_CAPACITY_KIND_TRANSPORT:
	case CA_CAPACITY_KIND_HOST_LIMIT:
		break;
	}
	return CA_CERTAINTY_OPEN;
}

/* 1.0 as a fraction of 2^31: products of two fit 64 bits. */
#define ONE	    (UINT64_C(1) << 31)
#define ONE_PERCENT UINT64_C(21474836)

/* base^exponent, rounded up. */
static uint64_t power_up(uint64_t base, uint64_t exponent)
{
	uint64_t result = ONE;

	for (; exponent; exponent >>= 1) {
		if (exponent & 1)
			result = (result * base + ONE - 1) / ONE;
		base = (base * base + ONE - 1) / ONE;
	}
	return result;
}

uint32_t ca_probe_missed_ppm(uint64_t samples)
{
	uint32_t low = 0, high = 1000000;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		uint64_t good = ((1000000 - middle) * ONE + 999999) / 1000000;

		if (samples && power_up(good, samples) <= ONE_PERCENT)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

void ca_evidence_mask(struct ca_evidence *evidence)
{
	ca_registers_mask(&evidence->registers);
	ca_vendor_mask(&evidence->vendor);
	memset(evidence->device.serial, 0, sizeof(evidence->device.serial));
	evidence->masked = true;
}
