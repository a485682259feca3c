/* SPDX-License-Identifier: BSD-2-Clause */
/* The pages of an NVMe drive, from the same bytes: Identify Controller and Namespace, SMART log. */
#include "fuzz.h"

#include "cardassay/registers.h"

#include <errno.h>

static void check_ctrl(const uint8_t *data, size_t size)
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

static void check_ns(const uint8_t *data, size_t size)
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

/* 16 bytes, low byte first, cut to 64 bits at the top value */
static uint64_t counter(const uint8_t *p)
{
	return ca_le64(p + 8) ? UINT64_MAX : ca_le64(p);
}

static void check_smart(const uint8_t *data, size_t size)
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
	uint8_t page[CA_NVME_ID_BYTES];

	check_ctrl(data, size);
	check_ns(data, size);
	check_smart(data, size);
	fuzz_fit(data, size, page, sizeof(page));
	check_ctrl(page, sizeof(page));
	check_ns(page, sizeof(page));
	check_smart(page, CA_NVME_SMART_BYTES);
	return 0;
}
