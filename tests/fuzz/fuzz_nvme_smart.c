/* SPDX-License-Identifier: BSD-2-Clause */
#include "fuzz.h"

#include "cardassay/registers.h"

#include <errno.h>

/* 16 bytes, low byte first, cut to 64 bits at the top value */
static uint64_t counter(const uint8_t *p)
{
	return ca_le64(p + 8) ? UINT64_MAX : ca_le64(p);
}

static void check(const uint8_t *data, size_t size)
{
	struct ca_nvme_smart smart;
	int r;

	fuzz_prepare(&smart, sizeof(smart));
	r = ca_nvme_smart_decode(data, size, &smart);
	FUZZ_CHECK(r == (size == CA_NVME_SMART_BYTES ? 0 : -EMSGSIZE));
	if (r < 0) {
		fuzz_check_untouched(&smart, sizeof(smart));
		return;
	}
	FUZZ_CHECK(smart.data_units_read == counter(data + 32));
	FUZZ_CHECK(smart.data_units_written == counter(data + 48));
	FUZZ_CHECK(smart.host_reads == counter(data + 64));
	FUZZ_CHECK(smart.host_writes == counter(data + 80));
	FUZZ_CHECK(smart.busy_minutes == counter(data + 96));
	FUZZ_CHECK(smart.power_cycles == counter(data + 112));
	FUZZ_CHECK(smart.power_on_hours == counter(data + 128));
	FUZZ_CHECK(smart.unsafe_shutdowns == counter(data + 144));
	FUZZ_CHECK(smart.media_errors == counter(data + 160));
	FUZZ_CHECK(smart.error_log_entries == counter(data + 176));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t page[CA_NVME_SMART_BYTES];

	check(data, size);
	fuzz_fit(data, size, page, sizeof(page));
	check(page, sizeof(page));
	return 0;
}
