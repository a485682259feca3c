/* SPDX-License-Identifier: BSD-2-Clause */
#include "fuzz.h"

#include "cardassay/registers.h"

#include <errno.h>

static void check(const uint8_t *data, size_t size)
{
	struct ca_nvme_ctrl ctrl;
	int r;

	fuzz_prepare(&ctrl, sizeof(ctrl));
	r = ca_nvme_ctrl_decode(data, size, &ctrl);
	FUZZ_CHECK(r == (size == CA_NVME_ID_BYTES ? 0 : -EMSGSIZE));
	if (r < 0) {
		fuzz_check_untouched(&ctrl, sizeof(ctrl));
		return;
	}
	FUZZ_CHECK(ctrl.sn[20] == '\0' && memcmp(ctrl.sn, data + 4, 20) == 0);
	FUZZ_CHECK(ctrl.mn[40] == '\0' && memcmp(ctrl.mn, data + 24, 40) == 0);
	FUZZ_CHECK(ctrl.fr[8] == '\0' && memcmp(ctrl.fr, data + 64, 8) == 0);
	FUZZ_CHECK(ctrl.subnqn[256] == '\0' && memcmp(ctrl.subnqn, data + 768, 256) == 0);
	FUZZ_CHECK(ctrl.ieee_oui <= 0xffffff);
	FUZZ_CHECK(ctrl.tnvmcap_bytes ==
		   (ca_bytes_is_all(data + 288, 8, 0) ? ca_le64(data + 280) : UINT64_MAX));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t page[CA_NVME_ID_BYTES];

	check(data, size);
	fuzz_fit(data, size, page, sizeof(page));
	check(page, sizeof(page));
	return 0;
}
