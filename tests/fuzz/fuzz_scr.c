/* SPDX-License-Identifier: BSD-2-Clause */
#include "fuzz.h"

#include "cardassay/registers.h"

#include <errno.h>

static void check(const uint8_t *data, size_t size)
{
	struct ca_scr scr;
	int r;

	fuzz_prepare(&scr, sizeof(scr));
	r = ca_scr_decode(data, size, &scr);
	if (size != CA_SCR_BYTES)
		FUZZ_CHECK(r == -EMSGSIZE);
	else
		FUZZ_CHECK(r == (data[0] >> 4 ? -EPROTO : 0));
	if (r < 0) {
		fuzz_check_untouched(&scr, sizeof(scr));
		return;
	}
	FUZZ_CHECK(scr.structure == 0 && scr.sd_spec <= 15 && scr.sd_specx <= 15);
	FUZZ_CHECK(scr.version_x100 <= 900);
	FUZZ_CHECK(scr.version_x100 < 300 || (scr.sd_spec3 && scr.sd_spec == 2));
	FUZZ_CHECK(scr.version_x100 < 500 || scr.sd_specx == scr.version_x100 / 100 - 4);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t reg[CA_SCR_BYTES];

	check(data, size);
	fuzz_fit(data, size, reg, sizeof(reg));
	check(reg, sizeof(reg));
	reg[0] &= 0x0f;
	check(reg, sizeof(reg));
	return 0;
}
