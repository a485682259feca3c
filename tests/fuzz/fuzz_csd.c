/* SPDX-License-Identifier: BSD-2-Clause */
#include "fuzz.h"

#include "cardassay/registers.h"

#include <errno.h>

static void check(enum ca_card_type type, const uint8_t *data, size_t size)
{
	struct ca_csd csd;
	int r;

	fuzz_prepare(&csd, sizeof(csd));
	r = ca_csd_decode(type, data, size, &csd);
	if (size != CA_CSD_BYTES)
		FUZZ_CHECK(r == -EMSGSIZE);
	else if (type == CA_CARD_TYPE_SD && data[0] >> 6 == 3)
		FUZZ_CHECK(r == -EPROTO);
	else
		FUZZ_CHECK(r == 0);
	if (r < 0) {
		fuzz_check_untouched(&csd, sizeof(csd));
		return;
	}
	FUZZ_CHECK(csd.ccc <= 0xfff && csd.c_size < UINT32_C(1) << 28);
	FUZZ_CHECK(csd.capacity_bytes <= UINT64_C(128) << 40);
	FUZZ_CHECK(csd.capacity_bytes % 4 == 0);
	FUZZ_CHECK((csd.version == CA_CSD_MMC) == (type == CA_CARD_TYPE_MMC));
	FUZZ_CHECK(csd.capacity_bytes != 0 || csd.version == CA_CSD_MMC);
	FUZZ_CHECK(*ca_capacity_class_name(csd.capacity_class) != '\0');
}

static void check_encode(const uint8_t *reg)
{
	uint8_t made[CA_CSD_BYTES];
	uint64_t bytes = ca_le64(reg) >> reg[8] % 64;
	struct ca_csd csd;

	if (reg[9] & 1)
		bytes &= ~UINT64_C(0x7ffff);
	fuzz_prepare(made, sizeof(made));
	if (ca_csd_encode_v2(bytes, made) < 0) {
		fuzz_check_untouched(made, sizeof(made));
		return;
	}
	FUZZ_CHECK(ca_csd_decode(CA_CARD_TYPE_SD, made, sizeof(made), &csd) == 0);
	FUZZ_CHECK(csd.capacity_bytes == bytes && csd.version == CA_CSD_V2);
	FUZZ_CHECK(csd.capacity_class ==
		   (bytes >= UINT64_C(32) << 30 ? CA_CAPACITY_SDXC : CA_CAPACITY_SDHC));
	FUZZ_CHECK(ca_crc7_check(made) != CA_CRC_BAD);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t reg[CA_CSD_BYTES];

	check(CA_CARD_TYPE_SD, data, size);
	check(CA_CARD_TYPE_MMC, data, size);
	fuzz_fit(data, size, reg, sizeof(reg));
	check(CA_CARD_TYPE_SD, reg, sizeof(reg));
	check(CA_CARD_TYPE_MMC, reg, sizeof(reg));
	check_encode(reg);
	return 0;
}
