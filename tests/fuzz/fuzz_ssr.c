/* SPDX-License-Identifier: BSD-2-Clause */
#include "fuzz.h"

#include "cardassay/registers.h"

#include <errno.h>

static void check(const uint8_t *data, size_t size)
{
	struct ca_ssr ssr;
	int r;

	fuzz_prepare(&ssr, sizeof(ssr));
	r = ca_ssr_decode(data, size, &ssr);
	FUZZ_CHECK(r == (size == CA_SSR_BYTES ? 0 : -EMSGSIZE));
	if (r < 0) {
		fuzz_check_untouched(&ssr, sizeof(ssr));
		return;
	}
	FUZZ_CHECK(ssr.all_zero == ca_bytes_is_all(data, size, 0));
	FUZZ_CHECK(ssr.speed_class <= 10 && ssr.cq_depth <= 32 && ssr.cq_depth != 1);
	FUZZ_CHECK((ssr.au_bytes == 0) == (ssr.au_size_code == 0));
	FUZZ_CHECK((ssr.uhs_au_bytes == 0) == (ssr.uhs_au_size_code < 7));
	FUZZ_CHECK(ssr.au_bytes <= 64 * CA_MIB && ssr.uhs_au_bytes <= 64 * CA_MIB);
	FUZZ_CHECK(ssr.vsc_su_mib == 0 || ssr.vsc_au_mib % ssr.vsc_su_mib == 0);
	FUZZ_CHECK(ssr.vsc_au_mib <= 1023 && ssr.sus_addr < UINT32_C(1) << 22);
	FUZZ_CHECK(ssr.reserved_bits < 1 << 12 && ssr.reserved_501_499 <= 7);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t reg[CA_SSR_BYTES];

	check(data, size);
	fuzz_fit(data, size, reg, sizeof(reg));
	check(reg, sizeof(reg));
	return 0;
}
