/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers as people paste them: hex, labels, grep output, nvme id-ctrl as text and JSON. */
#include "fuzz.h"

#include "cardassay/host.h"

#include <errno.h>

struct cards {
	unsigned int count, stop_at;
};

static int on_card(void *context, const char *name, const struct ca_raw_registers *registers)
{
	struct cards *cards = context;
	unsigned int present = 0;

	FUZZ_CHECK(name[0] != '\0' && strlen(name) < 256);
	FUZZ_CHECK(registers->type == CA_CARD_TYPE_SD || registers->type == CA_CARD_TYPE_MMC);
	FUZZ_CHECK(!registers->masked);
	for (size_t i = 0; i < CA_REGISTER_COUNT; i++)
		present += registers->has[i];
	FUZZ_CHECK(present > 0);
	cards->count++;
	return cards->count == cards->stop_at ? 99 : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cards cards = {0, size ? data[0] % 4U : 0};
	struct ca_error error = {0};
	int r;

	r = ca_host_read_register_text((const char *)data, size, on_card, &cards, &error);
	if (r == 0)
		FUZZ_CHECK(cards.count > 0 && error.code == 0);
	else if (r == 99)
		FUZZ_CHECK(cards.count == cards.stop_at);
	else
		FUZZ_CHECK(r == -EBADMSG && error.code == r && error.text[0]);
	return 0;
}
