/* SPDX-License-Identifier: BSD-2-Clause */
/* A whole card: the type, two bytes of which registers are there, then their bytes. */
#include "fuzz.h"

#include "cardassay/registers.h"

static struct ca_raw_registers raw;

static void take_registers(const uint8_t *data, size_t size)
{
	memset(&raw, 0, sizeof(raw));
	if (size < 3)
		return;
	raw.type = data[0] & 1 ? CA_CARD_TYPE_MMC : CA_CARD_TYPE_SD;
	for (unsigned int i = 0; i < CA_REGISTER_COUNT; i++)
		raw.has[i] = (data[1] | data[2] << 8) >> i & 1;
	data += 3;
	size -= 3;
	for (unsigned int i = 0; i < CA_REGISTER_COUNT; i++) {
		size_t bytes = ca_register_bytes((enum ca_register)i);

		if (!raw.has[i])
			continue;
		fuzz_fit(data, size, ca_register_data_mutable(&raw, (enum ca_register)i), bytes);
		data += size < bytes ? size : bytes;
		size -= size < bytes ? size : bytes;
	}
}

/* The same bytes as an answer to one of the health queries, after another answer. */
static void check_vendor(const uint8_t *data, size_t size)
{
	static struct ca_vendor_health health, masked;
	const struct ca_vendor_query *query, *row;
	uint8_t page[CA_VENDOR_BYTES];
	unsigned int index;

	if (!size)
		return;
	memset(&health, 0, sizeof(health));
	fuzz_fit(data + 1, size - 1, page, sizeof(page));
	FUZZ_CHECK(ca_vendor_add(&health, 0, CA_VENDOR_TIMEOUT, NULL));
	FUZZ_CHECK(
		ca_vendor_add(&health, ca_vendor_argument_at(data[0] % 6), CA_VENDOR_ANSWER, page));
	for (size_t i = 0; i < ca_vendor_fields_count; i++) {
		char value[2 * CA_VENDOR_BYTES];
		struct ca_text text;

		ca_text_init(&text, value, sizeof(value));
		ca_vendor_field_text(&ca_vendor_fields[i], page, &text);
		for (const char *p = value; *p; p++)
			FUZZ_CHECK(*p >= 0x20 && *p <= 0x7e);
	}
	masked = health;
	ca_vendor_mask(&masked);
	FUZZ_CHECK(ca_vendor_find(&health, &index, &query) ==
		   (ca_vendor_weigh(&health, 1, &row) == CA_VENDOR_KNOWN));
	FUZZ_CHECK(ca_vendor_find(&masked, &index, &query) ==
		   (ca_vendor_weigh(&health, 1, &row) == CA_VENDOR_KNOWN));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct ca_registers before, after;
	static struct ca_raw_registers unmasked;

	check_vendor(data, size);
	take_registers(data, size);
	fuzz_prepare(&before, sizeof(before));
	ca_registers_decode(&raw, &before);
	for (unsigned int i = 0; i < CA_REGISTER_COUNT; i++)
		FUZZ_CHECK((before.has[i] || before.undecodable[i]) == raw.has[i] &&
			   !(before.has[i] && before.undecodable[i]));
	unmasked = raw;
	ca_registers_mask(&raw);
	ca_registers_decode(&raw, &after);
	FUZZ_CHECK(memcmp(before.has, after.has, sizeof(after.has)) == 0);
	FUZZ_CHECK(after.cid.psn == 0 && after.cid.crc == before.cid.crc);
	FUZZ_CHECK(memcmp(after.cid.pnm, before.cid.pnm, sizeof(after.cid.pnm)) == 0);
	FUZZ_CHECK(after.cid.mdt_year == before.cid.mdt_year);
	FUZZ_CHECK(memcmp(raw.csd, unmasked.csd, sizeof(raw.csd)) == 0);
	FUZZ_CHECK(memcmp(raw.scr, unmasked.scr, sizeof(raw.scr)) == 0);
	FUZZ_CHECK(memcmp(raw.ssr, unmasked.ssr, sizeof(raw.ssr)) == 0);
	FUZZ_CHECK(memcmp(raw.extcsd, unmasked.extcsd, sizeof(raw.extcsd)) == 0);
	FUZZ_CHECK(after.nvme_ctrl.sn[0] == '\0' && after.nvme_ctrl.subnqn[0] == '\0');
	FUZZ_CHECK(ca_bytes_is_all(after.nvme_ns.nguid, sizeof(after.nvme_ns.nguid), 0));
	FUZZ_CHECK(ca_bytes_is_all(after.nvme_ns.eui64, sizeof(after.nvme_ns.eui64), 0));
	FUZZ_CHECK(memcmp(raw.nvme_smart, unmasked.nvme_smart, sizeof(raw.nvme_smart)) == 0);
	return 0;
}
