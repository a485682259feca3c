/* SPDX-License-Identifier: BSD-2-Clause */
/* What follows "sim:", and a card made of it: sectors written are read back where they can be. */
#include "fuzz.h"

#include "cardassay/host.h"

#include <errno.h>

#define TEXT_MAX 600U

static _Alignas(CA_BUFFER_ALIGN) uint8_t out[4096], in[4096];

static void check_spec(const struct ca_sim_spec *spec)
{
	FUZZ_CHECK(spec->sector_bytes == 512 || spec->sector_bytes == 4096);
	FUZZ_CHECK(spec->announced_bytes > 0 && spec->announced_bytes % spec->sector_bytes == 0);
	FUZZ_CHECK(spec->real_bytes > 0 && spec->real_bytes <= spec->announced_bytes);
	FUZZ_CHECK((spec->real_bytes == spec->announced_bytes) ==
		   (spec->kind == CA_SIM_SOUND || spec->kind == CA_SIM_ISLANDS));
	FUZZ_CHECK(spec->kind != CA_SIM_TABLE || spec->real_bytes % spec->extent_bytes == 0);
	FUZZ_CHECK(spec->kind != CA_SIM_REGIONS || spec->tail_bytes < spec->real_bytes);
	FUZZ_CHECK(spec->kind != CA_SIM_ISLANDS || (spec->share >= 1 && spec->share <= 99));
	FUZZ_CHECK(spec->kind != CA_SIM_CHAIN || (spec->wrap_bytes > spec->real_bytes &&
						  spec->wrap_bytes < spec->announced_bytes));
	FUZZ_CHECK(spec->queue_depth >= 1);
	FUZZ_CHECK(!spec->has_bad || (spec->bad_first <= spec->bad_last &&
				      spec->bad_last < spec->announced_bytes / spec->sector_bytes));
}

/* One sector at `offset`, written and read. A sound card that has no fault gives it back. */
static void check_sector(struct ca_device *device, const struct ca_sim_spec *spec, uint64_t offset)
{
	bool faultless = spec->kind == CA_SIM_SOUND && !spec->has_bad && !spec->has_flip &&
			 !spec->has_noise && !spec->wire_flip && !spec->wire_page &&
			 !spec->reader_limit_bytes && !spec->protect_after_bytes &&
			 !spec->gone_after_bytes;
	struct ca_io_fault fault = {0};

	memset(out, 0xa5, sizeof(out));
	FUZZ_CHECK(ca_device_write(device, offset, spec->sector_bytes, out, &fault) == 0);
	FUZZ_CHECK(!faultless || fault.status == CA_IO_OK);
	FUZZ_CHECK(ca_device_read(device, offset, spec->sector_bytes, in, &fault) == 0);
	FUZZ_CHECK(!faultless ||
		   (fault.status == CA_IO_OK && memcmp(in, out, spec->sector_bytes) == 0));
	FUZZ_CHECK(fault.status == CA_IO_OK || (fault.offset == offset && fault.bytes > 0));
}

static void check_card(const struct ca_sim_spec *spec)
{
	struct ca_device *device = NULL;
	struct ca_error error = {0};
	struct ca_io_fault fault = {0};
	struct ca_sim_spec again = *spec;
	int r = ca_sim_open(spec, &device, &error);

	FUZZ_CHECK(r == 0 || (r == -ENOMEM && device == NULL));
	if (r < 0)
		return;
	FUZZ_CHECK(device->geometry.bytes == spec->announced_bytes);
	FUZZ_CHECK(device->geometry.sector_bytes == spec->sector_bytes);
	FUZZ_CHECK(device->geometry.max_queue_depth >= 1);
	check_sector(device, spec, 0);
	check_sector(device, spec, spec->announced_bytes - spec->sector_bytes);
	check_sector(device, spec, spec->real_bytes - spec->sector_bytes);
	if (spec->replug != CA_SIM_REPLUG_SAME)
		again.gone_after_bytes = 1; /* another card may be there, or none */
	FUZZ_CHECK(ca_sim_begin_anew(device, CA_REINIT_REPLUG, &fault) == 0);
	check_sector(device, &again, 0);
	FUZZ_CHECK(ca_device_flush(device, &fault) == 0);
	FUZZ_CHECK(ca_device_check(device, &fault) == 0);
	ca_device_close(device);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t len = size < TEXT_MAX - 1 ? size : TEXT_MAX - 1;
	struct ca_error error = {0};
	struct ca_sim_spec spec;
	char text[TEXT_MAX];
	int r;

	if (len)
		memcpy(text, data, len);
	text[len] = '\0';
	fuzz_prepare(&spec, sizeof(spec));
	r = ca_sim_parse(text, &spec, &error);
	if (r < 0) {
		FUZZ_CHECK((r == -EINVAL || r == -ERANGE) && error.code == r && error.text[0]);
		fuzz_check_untouched(&spec, sizeof(spec));
		return 0;
	}
	FUZZ_CHECK(error.code == 0);
	check_spec(&spec);
	check_card(&spec);
	return 0;
}
