/* SPDX-License-Identifier: BSD-2-Clause */
#include "fuzz.h"

#include "cardassay/registers.h"

#include <errno.h>

static void check(const uint8_t *data, size_t size)
{
	struct ca_nvme_ns ns;
	int r;

	fuzz_prepare(&ns, sizeof(ns));
	r = ca_nvme_ns_decode(data, size, &ns);
	FUZZ_CHECK(r == (size == CA_NVME_ID_BYTES ? 0 : -EMSGSIZE));
	if (r < 0) {
		fuzz_check_untouched(&ns, sizeof(ns));
		return;
	}
	FUZZ_CHECK(ns.lbaf_index < CA_ARRAY_LEN(ns.lbaf));
	FUZZ_CHECK(ns.block_bytes == 0 ||
		   ns.block_bytes == UINT64_C(1) << ns.lbaf[ns.lbaf_index].lbads);
	FUZZ_CHECK(ns.block_bytes == 0 || ns.block_bytes >= 512);
	for (size_t i = 0; i < CA_ARRAY_LEN(ns.lbaf); i++)
		FUZZ_CHECK(ns.lbaf[i].rp <= 3);
	FUZZ_CHECK(memcmp(ns.nguid, data + 104, sizeof(ns.nguid)) == 0);
	FUZZ_CHECK(memcmp(ns.eui64, data + 120, sizeof(ns.eui64)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t page[CA_NVME_ID_BYTES];

	check(data, size);
	fuzz_fit(data, size, page, sizeof(page));
	check(page, sizeof(page));
	return 0;
}
