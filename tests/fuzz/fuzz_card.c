/* SPDX-License-Identifier: BSD-2-Clause */
/* Each register of a card, from the same bytes: CID, CSD, SCR, SSR, EXT_CSD, extension registers.
 */
#include "fuzz.h"

#include "cardassay/registers.h"

#include <errno.h>

/* ---- CID ------------------------------------------------------------------------------------- */

static void check_cid_length(enum ca_card_type type, const uint8_t *data, size_t size)
{
	struct ca_cid cid;
	int r;

	fuzz_prepare(&cid, sizeof(cid));
	r = ca_cid_decode(type, data, size, &cid);
	FUZZ_CHECK(r == (size == CA_CID_BYTES ? 0 : -EMSGSIZE));
	if (r < 0)
		fuzz_check_untouched(&cid, sizeof(cid));
}

static struct ca_cid decode_cid(enum ca_card_type type, const uint8_t *reg)
{
	struct ca_cid cid;

	FUZZ_CHECK(ca_cid_decode(type, reg, CA_CID_BYTES, &cid) == 0);
	FUZZ_CHECK(cid.type == type && cid.mdt_month <= 15);
	FUZZ_CHECK(cid.pnm_len == (type == CA_CARD_TYPE_SD ? 5 : 6));
	FUZZ_CHECK(cid.pnm[cid.pnm_len] == '\0' && cid.pnm[sizeof(cid.pnm) - 1] == '\0');
	FUZZ_CHECK(memcmp(cid.pnm, reg + 3, cid.pnm_len) == 0);
	return cid;
}

static void check_cid(const uint8_t *reg, uint8_t extcsd_rev)
{
	uint8_t again[CA_CID_BYTES];
	struct ca_cid sd = decode_cid(CA_CARD_TYPE_SD, reg);
	struct ca_cid mmc = decode_cid(CA_CARD_TYPE_MMC, reg);

	FUZZ_CHECK(sd.mdt_year >= 2000 && sd.mdt_year <= 2255);
	ca_cid_encode(&sd, again);
	FUZZ_CHECK(memcmp(again, reg, sizeof(again) - 1) == 0);
	FUZZ_CHECK(ca_crc7_check(again) == (again[15] == 1 ? CA_CRC_ABSENT : CA_CRC_GOOD));
	FUZZ_CHECK(mmc.mdt_year >= 1997 && mmc.mdt_year <= 2012 && mmc.cbx <= 3);
	FUZZ_CHECK(mmc.crc == sd.crc);
	ca_cid_apply_extcsd_rev(&mmc, extcsd_rev);
	FUZZ_CHECK(mmc.mdt_year >= 1997 && mmc.mdt_year <= 2025);
}

/* ---- CSD ------------------------------------------------------------------------------------- */

static void check_csd(enum ca_card_type type, const uint8_t *data, size_t size)
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

static void check_csd_encode(const uint8_t *reg)
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

/* ---- SCR, SSR, EXT_CSD ----------------------------------------------------------------------- */

static void check_scr(const uint8_t *data, size_t size)
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

static void check_ssr(const uint8_t *data, size_t size)
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

static void check_extcsd(const uint8_t *data, size_t size)
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

/* ---- extension registers ----------------------------------------------------------------------
 */

static void check_ext(const uint8_t *data, size_t size)
{
	bool fits = size == CA_EXT_BYTES || size == CA_EXT_SET_BYTES;
	struct ca_ext_perf perf;
	struct ca_ext_power power;

	fuzz_prepare(&perf, sizeof(perf));
	fuzz_prepare(&power, sizeof(power));
	FUZZ_CHECK(ca_ext_perf_decode(data, size, &perf) == (fits ? 0 : -EMSGSIZE));
	FUZZ_CHECK(ca_ext_power_decode(data, size, &power) == (fits ? 0 : -EMSGSIZE));
	if (!fits) {
		fuzz_check_untouched(&perf, sizeof(perf));
		fuzz_check_untouched(&power, sizeof(power));
		return;
	}
	FUZZ_CHECK(perf.queue_depth <= 32 && perf.queue_depth != 1);
	FUZZ_CHECK(perf.command_queue || perf.queue_depth == 0);
}

/* A list of records that ends, however it points. */
static void check_extensions(const uint8_t *page)
{
	unsigned int index = 0;

	for (;; index++) {
		struct ca_extension extension;
		int r;

		fuzz_prepare(&extension, sizeof(extension));
		r = ca_extension_at(page, index, &extension);
		if (r < 0) {
			FUZZ_CHECK(r == -ENOENT || r == -EPROTO);
			fuzz_check_untouched(&extension, sizeof(extension));
			break;
		}
		FUZZ_CHECK(extension.function <= 15 && extension.address < UINT32_C(1) << 17);
	}
	FUZZ_CHECK(index <= CA_EXT_SET_BYTES / 48);
}

/* ---- all of them ------------------------------------------------------------------------------
 */

/* The input as it is, of whatever length. */
static void check_lengths(const uint8_t *data, size_t size)
{
	check_cid_length(CA_CARD_TYPE_SD, data, size);
	check_cid_length(CA_CARD_TYPE_MMC, data, size);
	check_csd(CA_CARD_TYPE_SD, data, size);
	check_csd(CA_CARD_TYPE_MMC, data, size);
	check_scr(data, size);
	check_ssr(data, size);
	check_extcsd(data, size);
	check_ext(data, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t reg[CA_EXTCSD_BYTES];

	check_lengths(data, size);
	fuzz_fit(data, size, reg, sizeof(reg));
	check_cid(reg, size ? data[size - 1] : 0);
	check_csd(CA_CARD_TYPE_SD, reg, CA_CSD_BYTES);
	check_csd(CA_CARD_TYPE_MMC, reg, CA_CSD_BYTES);
	check_csd_encode(reg);
	check_ssr(reg, CA_SSR_BYTES);
	check_extcsd(reg, sizeof(reg));
	check_ext(reg, CA_EXT_BYTES);
	check_ext(reg, CA_EXT_SET_BYTES);
	check_extensions(reg);
	check_scr(reg, CA_SCR_BYTES);
	reg[0] &= 0x0f;
	check_scr(reg, CA_SCR_BYTES);
	return 0;
}
