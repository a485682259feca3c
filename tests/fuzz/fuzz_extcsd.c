/* SPDX-License-Identifier: BSD-2-Clause */
#include "fuzz.h"

#include "cardassay/registers.h"

#include <errno.h>

static void check(const uint8_t *data, size_t size)
{
	struct ca_extcsd extcsd;
	int r;

	fuzz_prepare(&extcsd, sizeof(extcsd));
	r = ca_extcsd_decode(data, size, &extcsd);
	FUZZ_CHECK(r == (size == CA_EXTCSD_BYTES ? 0 : -EMSGSIZE));
	if (r < 0) {
		fuzz_check_untouched(&extcsd, sizeof(extcsd));
		return;
	}
	FUZZ_CHECK(extcsd.rev == data[192]);
	FUZZ_CHECK(extcsd.sec_count == ca_le32(data + 212));
	FUZZ_CHECK(extcsd.cmdq_depth <= 32);
	FUZZ_CHECK((extcsd.cmdq_depth != 0) == extcsd.cmdq_support);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t reg[CA_EXTCSD_BYTES];

	check(data, size);
	fuzz_fit(data, size, reg, sizeof(reg));
	check(reg, sizeof(reg));
	return 0;
}
