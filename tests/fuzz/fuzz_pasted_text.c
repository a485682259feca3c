/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers as people paste or pack them: every format of ca_host_read_register_text. */
#include "fuzz.h"

#include "cardassay/host.h"

#include <errno.h>

struct cards {
	unsigned int count, stop_at;
};

static int on_card(void *context, const struct ca_evidence *card)
{
	const struct ca_raw_registers *registers = &card->registers;
	struct cards *cards = context;
	unsigned int present = 0;

	FUZZ_CHECK(card->device.node[0] && memchr(card->device.node, 0, sizeof(card->device.node)));
	FUZZ_CHECK(registers->type == CA_CARD_TYPE_SD || registers->type == CA_CARD_TYPE_MMC);
	FUZZ_CHECK(card->origin == CA_ORIGIN_RECORDED && card->masked == registers->masked);
	for (size_t i = 0; i < CA_REGISTER_COUNT; i++)
		present += registers->has[i];
	FUZZ_CHECK(present > 0 || card->device.hidden_because[0]);
	for (size_t i = 0; i < CA_HOST_FACT_COUNT; i++)
		FUZZ_CHECK(memchr(card->host[i].text, 0, sizeof(card->host[i].text)));
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
		FUZZ_CHECK((r == -EBADMSG || r == -EFBIG || r == -E2BIG) && error.code == r &&
			   error.text[0]);
	return 0;
}
