/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the tests of what people paste: cards as one line of text each. */
#ifndef CA_TEST_INPUT_CASE_H
#define CA_TEST_INPUT_CASE_H

#include "cardassay/host.h"

#include "device_test.h"

#include <stdio.h>
#include <string.h>

/* What came out: "name type registers;", registers by their first byte. */
/* Large: keep it static. */
struct got {
	char text[1024];
	struct ca_text out;
	unsigned int cards;
	int answer;
	struct ca_evidence last;
};

static inline int got_card(void *context, const struct ca_evidence *card)
{
	const struct ca_raw_registers *registers = &card->registers;
	struct got *got = context;

	got->cards++;
	got->last = *card;
	ca_text_add(&got->out, card->device.node);
	ca_text_add(&got->out, card->device.media == CA_MEDIA_NVME   ? ""
			       : registers->type == CA_CARD_TYPE_MMC ? " MMC"
								     : " SD");
	for (unsigned int i = 0; i < CA_REGISTER_COUNT; i++) {
		if (!registers->has[i])
			continue;
		ca_text_add(&got->out, " ");
		ca_text_add(&got->out, ca_register_name((enum ca_register)i));
		ca_text_add(&got->out, "=");
		ca_text_hex(&got->out, ca_register_data(registers, (enum ca_register)i)[0], 2);
	}
	if (registers->has_ocr) {
		ca_text_add(&got->out, " ocr=");
		ca_text_hex(&got->out, registers->ocr, 8);
	}
	ca_text_add(&got->out, ";");
	return got->answer;
}

static inline int got_read(const char *text, size_t len, struct got *got, struct ca_error *error)
{
	memset(got, 0, sizeof(*got));
	memset(error, 0, sizeof(*error));
	ca_text_init(&got->out, got->text, sizeof(got->text));
	return ca_host_read_register_text(text, len, got_card, got, error);
}

/* A file below fixtures/inputs; `more` is put behind it. */
static inline int got_fixture(const char *name, const char *more, struct got *got,
			      struct ca_error *error)
{
	static char text[65536];
	char path[512];
	FILE *file;
	size_t len;

	(void)snprintf(path, sizeof(path), CA_FIXTURES "/inputs/%s", name);
	file = fopen(path, "r");
	ck_assert_msg(file != NULL, "%s", path);
	len = fread(text, 1, sizeof(text) / 2, file);
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_uint_lt(strlen(more), sizeof(text) / 2);
	memcpy(text + len, more, strlen(more));
	return got_read(text, len + strlen(more), got, error);
}

#endif
