/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which pieces of input are of one card? What names its directory or device belongs to that; of the
 * rest, a register that comes again begins the next card.
 */
#include "input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compare_keys(const struct ca_input *a, const struct ca_input *b)
{
	size_t len = a->key.len < b->key.len ? a->key.len : b->key.len;
	int order = len ? memcmp(a->key.at, b->key.at, len) : 0;

	return order ? order : (a->key.len > b->key.len) - (a->key.len < b->key.len);
}

/* 0: a card's own; then what lspci says, then the log. */
static unsigned int beside(const struct ca_input *input)
{
	return input->kind == CA_INPUT_PCI ? 1 : input->kind == CA_INPUT_LOG ? 2 : 0;
}

static int by_order(const struct ca_input *a, const struct ca_input *b)
{
	return (a->order > b->order) - (a->order < b->order);
}

static int by_key(const void *one, const void *other)
{
	const struct ca_input *a = one, *b = other;
	int order = beside(a) || beside(b) ? (int)beside(a) - (int)beside(b) : compare_keys(a, b);

	return order ? order : by_order(a, b);
}

static int by_card(const void *one, const void *other)
{
	const struct ca_input *a = one, *b = other;

	if (a->card != b->card)
		return a->card > b->card ? 1 : -1;
	return by_order(a, b);
}

/*
 * A bare second line is the CSD of the first only if it can be one: lists of nothing but CIDs are
 * common. Its TRAN_SPEED is one of few codes, and the low bits of its first byte are reserved.
 */
static bool can_be_csd(const struct ca_input *input)
{
	static const uint8_t speeds[] = {0x32, 0x5a, 0x2b, 0x0b, 0x2a};
	uint8_t csd[CA_CSD_BYTES];
	size_t bytes;

	if (ca_hex_decode(input->value.at, input->value.len, csd, sizeof(csd), &bytes) < 0)
		return false;
	return !(csd[0] & 0x03) && memchr(speeds, csd[3], sizeof(speeds));
}

/* A CSD that stands alone: version 2.0 or 3.0 with its fixed beginning (S T5-16), which no CID has.
 */
static bool is_surely_csd(const struct ca_input *input)
{
	uint8_t csd[CA_CSD_BYTES];
	size_t bytes;

	return ca_hex_decode(input->value.at, input->value.len, csd, sizeof(csd), &bytes) == 0 &&
	       (csd[0] == 0x40 || csd[0] == 0x80) && csd[1] == 0x0e && csd[2] == 0x00 &&
	       can_be_csd(input);
}

static unsigned int bare_register(const struct ca_input *input, uint32_t seen)
{
	if (is_surely_csd(input))
		return CA_REGISTER_CSD;
	return seen & 1U << CA_REGISTER_CID && !(seen & 1U << CA_REGISTER_CSD) && can_be_csd(input)
		       ? CA_REGISTER_CSD
		       : CA_REGISTER_CID;
}

/* What begins the next card when it comes again: a register, and the type that stands before it. */
static uint32_t mark_of(const struct ca_input *input)
{
	unsigned int reg = ca_input_register(input->kind);

	if (reg < CA_REGISTER_COUNT)
		return UINT32_C(1) << reg;
	return input->kind == CA_INPUT_TYPE || input->kind == CA_INPUT_OCR
		       ? UINT32_C(1) << input->kind
		       : 0;
}

static const char *page_name(unsigned int reg)
{
	return reg == CA_REGISTER_NVME_NS ? "Identify Namespace" : "SMART log";
}

/*
 * Two drives one after the other, then a page that both still lack: whose it is cannot be known,
 * and the wrong one would be blamed for it.
 */
static int check_owner(const struct ca_inputs *inputs, const struct ca_input *input, uint32_t seen,
		       uint32_t before, struct ca_error *error)
{
	const uint32_t controller = UINT32_C(1) << CA_REGISTER_NVME_CTRL;
	uint32_t mark = mark_of(input);
	unsigned int reg = ca_input_register(input->kind);

	if ((reg != CA_REGISTER_NVME_NS && reg != CA_REGISTER_NVME_SMART) ||
	    !(seen & before & controller) || (seen | before) & mark)
		return 0;
	return ca_error_set(error, -EBADMSG,
			    "%s %u: this %s may be of either of the two drives before it: paste "
			    "one drive after the other, or with the commands (nvme id-ns "
			    "/dev/nvme0n1)",
			    inputs->unit, input->number, page_name(reg));
}

/* Registers of one kind, then those of another: the second of these begins no card of its own. */
static int check_list(const struct ca_inputs *inputs, const struct ca_input *input, uint32_t seen,
		      uint32_t before, struct ca_error *error)
{
	const uint32_t cid = UINT32_C(1) << CA_REGISTER_CID;
	uint32_t mark = mark_of(input);
	unsigned int reg = ca_input_register(input->kind);

	if ((reg != CA_REGISTER_CSD && reg != CA_REGISTER_SCR && reg != CA_REGISTER_SSR) ||
	    !(seen & mark) || !(seen & cid) || !(before & cid) || before & mark)
		return 0;
	return ca_error_set(error, -EBADMSG,
			    "%s %u: this %s may be of either of the two cards before it: paste "
			    "one card after the other, or with the directories of the files",
			    inputs->unit, input->number, ca_register_name((enum ca_register)reg));
}

/* Gives each of the first `count` pieces, sorted by key, its card. */
static int group(struct ca_inputs *inputs, size_t count, struct ca_error *error)
{
	uint32_t seen = 0, before = 0;
	unsigned int card = 0;

	for (size_t i = 0; i < count; i++) {
		struct ca_input *input = &inputs->at[i];
		bool first = i == 0 || compare_keys(input - 1, input) != 0;
		int rc;

		if (first)
			seen = before = 0;
		if (input->kind == CA_INPUT_BARE_16)
			input->kind = bare_register(input, seen);
		rc = check_owner(inputs, input, seen, before, error);
		if (rc < 0)
			return rc;
		rc = check_list(inputs, input, seen, before, error);
		if (rc < 0)
			return rc;
		if (seen & mark_of(input)) {
			first = true;
			before = seen;
			seen = 0;
		}
		if (first)
			card = input->order;
		input->card = card;
		seen |= mark_of(input);
	}
	return 0;
}

int ca_input_sort(struct ca_inputs *inputs, struct ca_input_sorted *ret_sorted,
		  struct ca_error *error)
{
	size_t counts[3] = {0};
	int rc;

	if (inputs->count)
		qsort(inputs->at, inputs->count, sizeof(*inputs->at), by_key);
	for (size_t i = 0; i < inputs->count; i++)
		counts[beside(&inputs->at[i])]++;
	rc = group(inputs, counts[0], error);
	if (rc < 0)
		return rc;
	if (counts[0])
		qsort(inputs->at, counts[0], sizeof(*inputs->at), by_card);
	*ret_sorted = (struct ca_input_sorted){counts[0], counts[1], counts[2]};
	return 0;
}
