/* SPDX-License-Identifier: BSD-2-Clause */
#include "fuzz.h"

#include "cardassay/registers.h"

#include <errno.h>

static void check_length(enum ca_card_type type, const uint8_t *data, size_t size)
{
	struct ca_cid cid;
	int r;

	fuzz_prepare(&cid, sizeof(cid));
	r = ca_cid_decode(type, data, size, &cid);
	FUZZ_CHECK(r == (size == CA_CID_BYTES ? 0 : -EMSGSIZE));
	if (r < 0)
		fuzz_check_untouched(&cid, sizeof(cid));
}

static struct ca_cid decode(enum ca_card_type type, const uint8_t *reg)
{
	struct ca_cid cid;

	FUZZ_CHECK(ca_cid_decode(type, reg, CA_CID_BYTES, &cid) == 0);
	FUZZ_CHECK(cid.type == type && cid.mdt_month <= 15);
	FUZZ_CHECK(cid.pnm_len == (type == CA_CARD_TYPE_SD ? 5 : 6));
	FUZZ_CHECK(cid.pnm[cid.pnm_len] == '\0' && cid.pnm[sizeof(cid.pnm) - 1] == '\0');
	FUZZ_CHECK(memcmp(cid.pnm, reg + 3, cid.pnm_len) == 0);
	return cid;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t reg[CA_CID_BYTES], again[CA_CID_BYTES];
	struct ca_cid sd, mmc;

	check_length(CA_CARD_TYPE_SD, data, size);
	check_length(CA_CARD_TYPE_MMC, data, size);
	fuzz_fit(data, size, reg, sizeof(reg));
	sd = decode(CA_CARD_TYPE_SD, reg);
	FUZZ_CHECK(sd.mdt_year >= 2000 && sd.mdt_year <= 2255);
	ca_cid_encode(&sd, again);
	FUZZ_CHECK(memcmp(again, reg, sizeof(reg) - 1) == 0);
	FUZZ_CHECK(ca_crc7_check(again) == (again[15] == 1 ? CA_CRC_ABSENT : CA_CRC_GOOD));
	mmc = decode(CA_CARD_TYPE_MMC, reg);
	FUZZ_CHECK(mmc.mdt_year >= 1997 && mmc.mdt_year <= 2012 && mmc.cbx <= 3);
	FUZZ_CHECK(mmc.crc == sd.crc);
	ca_cid_apply_extcsd_rev(&mmc, size ? data[0] : 0);
	FUZZ_CHECK(mmc.mdt_year >= 1997 && mmc.mdt_year <= 2025);
	return 0;
}
