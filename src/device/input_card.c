/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The sorted pieces of input become cards, one after the other. What lspci and the kernel log say
 * is added where it can only mean that card.
 */
#include "host_facts.h"
#include "input_nvme.h"
#include "mmc_ios.h"
#include "register_dir.h"
#include "register_parse.h"
#include "vendor_dir.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A machine has few cards and drives: in a longer list nothing is beside them. */
#define BESIDE_CARDS_MAX 64U
#define BESIDE_LINES_MAX 20000U

/* ---- one piece ------------------------------------------------------------------------------ */

static uint16_t pci_id(struct ca_span text)
{
	uint64_t number;

	return ca_span_number(text, true, &number) && number <= UINT16_MAX ? (uint16_t)number : 0;
}

static void set_ocr(struct ca_span text, struct ca_raw_registers *registers)
{
	uint8_t ocr[4];
	size_t len;

	if (ca_hex_decode(text.at, text.len, ocr, sizeof(ocr), &len) < 0 || len != sizeof(ocr))
		return;
	registers->has_ocr = true;
	registers->ocr =
		(uint32_t)ocr[0] << 24 | (uint32_t)ocr[1] << 16 | (uint32_t)ocr[2] << 8 | ocr[3];
}

static void set_size(struct ca_span text, struct ca_device_facts *device)
{
	uint64_t sectors;

	if (!ca_span_number(text, false, &sectors) || sectors > UINT64_MAX / CA_SECTOR_BYTES)
		return;
	device->bytes = sectors * CA_SECTOR_BYTES;
	device->sector_bytes = CA_SECTOR_BYTES;
}

static void set_masked(struct ca_span text, struct ca_raw_registers *registers)
{
	registers->masked = true;
	registers->masked_cid_crc = (int)ca_register_dir_masked_crc(text.at, text.len);
}

static void set_ios(struct ca_span text, struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	char copy[2048];
	struct ca_mmc_ios ios;

	if (text.len >= sizeof(copy))
		return;
	memcpy(copy, text.at, text.len);
	copy[text.len] = '\0';
	ca_mmc_ios_parse(copy, &ios);
	ca_host_slot_set_ios(&ios, facts);
}

static int set_register(const struct ca_inputs *inputs, const struct ca_input *input,
			struct ca_raw_registers *registers, struct ca_error *error)
{
	enum ca_register reg = (enum ca_register)ca_input_register(input->kind);
	char place[96];

	(void)snprintf(place, sizeof(place), "%s %u: %s", inputs->unit, input->number,
		       ca_register_name(reg));
	if (input->bytes)
		return ca_register_set_bytes(registers, reg, place,
					     (const uint8_t *)input->value.at, input->value.len,
					     error);
	return ca_register_set_hex(registers, reg, place, input->value.at, input->value.len, error);
}

/* What a text leaves out is said once, beside what it gives. */
static void note(struct ca_evidence *card, const char *why)
{
	if (!card->device.hidden_because[0])
		(void)ca_string_copy(card->device.hidden_because,
				     sizeof(card->device.hidden_because),
				     why); /* cut: the whole is said elsewhere */
}

/* A page in the words of nvme-cli. */
static int set_page(const struct ca_inputs *inputs, const struct ca_input *input,
		    struct ca_evidence *card, struct ca_error *error)
{
	static const char *const commands[] = {
		[CA_REGISTER_NVME_CTRL] = "nvme id-ctrl",
		[CA_REGISTER_NVME_NS] = "nvme id-ns",
		[CA_REGISTER_NVME_SMART] = "nvme smart-log",
	};
	static const char *const cut[] = {
		[CA_REGISTER_NVME_CTRL] = "the output of nvme id-ctrl is cut: the fields that are "
					  "not in it read as zero",
		[CA_REGISTER_NVME_NS] = "the output of nvme id-ns ends before its lbaf lines: the "
					"size of the namespace is not known",
		[CA_REGISTER_NVME_SMART] = "the SMART log is cut: the counters that are not in it "
					   "read as zero",
	};
	enum ca_register reg = (enum ca_register)ca_input_register(input->kind);
	bool whole = false, json;

	if (!ca_nvme_text_parse(reg, input->value, ca_register_data_mutable(&card->registers, reg),
				&whole))
		return ca_error_set(error, -EBADMSG,
				    "%s %u: %s needs %s, and one of them is missing or does not "
				    "fit: paste all that the command printed",
				    inputs->unit, input->number, commands[reg],
				    ca_nvme_text_needs(reg));
	/* without the block size a namespace has no size */
	card->registers.has[reg] = whole || reg != CA_REGISTER_NVME_NS;
	card->device.media = CA_MEDIA_NVME;
	json = ca_nvme_smartctl_is_json(input->value, reg);
	if (reg == CA_REGISTER_NVME_CTRL &&
	    (json || ca_span_starts_with(ca_span_trim(input->value, " >\t"), "Model Number:"))) {
		(void)(json ? ca_nvme_smartctl_json_size
			    : ca_nvme_smartctl_size)(input->value, &card->device.bytes,
						     &card->device.sector_bytes); /* else unknown */
		note(card, "smartctl shows some fields of the Identify page: the others read as "
			   "zero. nvme id-ctrl shows them all");
	} else if (!whole)
		note(card, cut[reg]);
	return 0;
}

static int set_extcsd(const struct ca_inputs *inputs, const struct ca_input *input,
		      struct ca_evidence *card, bool *ret_typed, struct ca_error *error)
{
	bool whole = false;

	if (!ca_input_mmc_extcsd(input->value, card->registers.extcsd, &whole))
		return ca_error_set(error, -EBADMSG,
				    "%s %u: mmc extcsd read begins with 'Extended CSD rev 1.' and "
				    "a number up to 9",
				    inputs->unit, input->number);
	card->registers.type = CA_CARD_TYPE_MMC;
	*ret_typed = true;
	/* without its sector count an eMMC would seem to have no size */
	card->registers.has[CA_REGISTER_EXTCSD] =
		!ca_bytes_is_all(card->registers.extcsd + 212, 4, 0);
	if (!card->registers.has[CA_REGISTER_EXTCSD])
		note(card, "the output of mmc extcsd read ends before its sector count: paste all "
			   "that the command printed");
	else if (!whole)
		note(card, "the output of mmc extcsd read is cut, or the tool is old: the fields "
			   "that are not in it read as zero");
	return 0;
}

static bool is_vendor(const struct ca_input *input)
{
	return input->kind >= CA_INPUT_CMD56 && input->kind <= CA_INPUT_CMD56_LAST;
}

static int set_vendor(const struct ca_inputs *inputs, const struct ca_input *input,
		      struct ca_evidence *card, struct ca_error *error)
{
	unsigned int index = input->kind - CA_INPUT_CMD56;
	char place[64], name[CA_VENDOR_NAME_BYTES];

	ca_vendor_dir_name(index, name);
	(void)snprintf(place, sizeof(place), "%s %u: %s", inputs->unit, input->number, name);
	return ca_vendor_dir_parse(place, index, input->value.at, input->value.len, &card->vendor,
				   error);
}

static int apply(const struct ca_inputs *inputs, const struct ca_input *input,
		 struct ca_evidence *card, bool *ret_typed, struct ca_error *error)
{
	struct ca_raw_registers *registers = &card->registers;
	struct ca_span value = ca_span_trim(input->value, " \t\r");

	switch (input->kind) {
	case CA_INPUT_TYPE:
		*ret_typed |= ca_register_parse_type(value.at, value.len, &registers->type);
		return 0;
	case CA_INPUT_OCR:
		set_ocr(value, registers);
		return 0;
	case CA_INPUT_MMC_ONLY:
		registers->type = *ret_typed ? registers->type : CA_CARD_TYPE_MMC;
		return 0;
	case CA_INPUT_SIZE:
		set_size(value, &card->device);
		return 0;
	case CA_INPUT_VENDOR:
		registers->pci_vid = pci_id(value);
		return 0;
	case CA_INPUT_SUBSYSTEM_VENDOR:
		registers->pci_ssvid = pci_id(value);
		return 0;
	case CA_INPUT_MASKED:
		set_masked(value, registers);
		return 0;
	case CA_INPUT_FACTS:
		ca_register_dir_parse_facts(input->value.at, input->value.len, card->host);
		return 0;
	case CA_INPUT_DEVICE:
		ca_register_dir_parse_device(input->value.at, input->value.len, &card->device);
		return 0;
	case CA_INPUT_IOS:
		set_ios(input->value, card->host);
		return 0;
	case CA_INPUT_MMC_CID:
		ca_input_mmc_cid(input->value, card, ret_typed);
		return 0;
	case CA_INPUT_MMC_CSD:
		ca_input_mmc_csd(input->value, card, ret_typed);
		return 0;
	case CA_INPUT_MMC_SCR: /* fields of later versions are not in it: not the register */
		return 0;
	case CA_INPUT_MMC_EXTCSD:
		return set_extcsd(inputs, input, card, ret_typed, error);
	case CA_INPUT_NVME_CTRL:
	case CA_INPUT_NVME_NS:
	case CA_INPUT_NVME_SMART:
		return set_page(inputs, input, card, error);
	default:
		return is_vendor(input) ? set_vendor(inputs, input, card, error)
					: set_register(inputs, input, registers, error);
	}
}

/* ---- what stands beside --------------------------------------------------------------------- */

struct drive {
	unsigned int card;
	uint16_t vendor, subsystem_vendor;
};

/* Sorted pieces and what is beside them. */
struct cards {
	struct ca_inputs *inputs;
	struct ca_input_sorted sorted;
	unsigned int card_count, mmc_count;
	unsigned int drive_count; /* in `drives`; 0 when they are not looked at */
	struct drive drives[BESIDE_CARDS_MAX];
};

static void note_drive(struct cards *cards, const struct ca_input *input, struct ca_evidence *room)
{
	const uint8_t *page = room->registers.nvme_ctrl;
	int rc = input->kind == CA_INPUT_NVME_CTRL
			 ? set_page(cards->inputs, input, room, NULL)
			 : set_register(cards->inputs, input, &room->registers, NULL);

	if (rc == 0) /* what is wrong with a page is said when its card's turn comes */
		cards->drives[cards->drive_count++] =
			(struct drive){input->card, ca_le16(page), ca_le16(page + 2)};
}

static void count_cards(struct cards *cards, struct ca_evidence *room)
{
	unsigned int mmc_card = 0;

	for (size_t i = 0; i < cards->sorted.own; i++) {
		const struct ca_input *input = &cards->inputs->at[i];
		unsigned int reg = ca_input_register(input->kind);

		cards->card_count += i == 0 || input[-1].card != input->card;
		if (reg <= CA_REGISTER_EXTCSD && mmc_card != input->card) {
			mmc_card = input->card;
			cards->mmc_count++;
		}
	}
	if (!cards->sorted.pci || cards->card_count > BESIDE_CARDS_MAX)
		return;
	for (size_t i = 0; i < cards->sorted.own; i++)
		if (ca_input_register(cards->inputs->at[i].kind) == CA_REGISTER_NVME_CTRL)
			note_drive(cards, &cards->inputs->at[i], room);
}

static bool fits(const struct ca_input_pci *pci, const struct drive *drive)
{
	if (!pci->has_ids)
		return false;
	return pci->vendor == drive->vendor &&
	       (!pci->subsystem_vendor || pci->subsystem_vendor == drive->subsystem_vendor);
}

/* One drive and one device of lspci belong together; of several, those whose ids fit. */
static bool may_be(const struct cards *cards, const struct ca_input_pci *pci,
		   const struct drive *drive)
{
	return (cards->sorted.pci == 1 && cards->drive_count == 1) || fits(pci, drive);
}

/* Adds the only device that may be the drive, unless it may be another drive too. */
static void add_pci(const struct cards *cards, unsigned int number, struct ca_evidence *card)
{
	const struct ca_input *at = cards->inputs->at + cards->sorted.own;
	struct ca_input_pci pci, found = {0};
	unsigned int devices = 0, others = 0;

	for (size_t i = 0; i < cards->sorted.pci && cards->sorted.pci <= BESIDE_CARDS_MAX; i++) {
		bool mine = false;
		unsigned int drives = 0;

		ca_input_pci_parse(at[i].value, &pci);
		for (unsigned int j = 0; j < cards->drive_count; j++) {
			drives += may_be(cards, &pci, &cards->drives[j]);
			mine |= cards->drives[j].card == number &&
				may_be(cards, &pci, &cards->drives[j]);
		}
		if (!mine)
			continue;
		devices++;
		others += drives > 1;
		found = pci;
	}
	if (devices == 1 && !others)
		ca_input_pci_apply(&found, card);
}

static void add_beside(const struct cards *cards, const struct ca_input *first,
		       struct ca_evidence *card)
{
	if (card->registers.has[CA_REGISTER_NVME_CTRL])
		add_pci(cards, first->card, card);
	else if (cards->sorted.log <= BESIDE_LINES_MAX && cards->card_count <= BESIDE_CARDS_MAX)
		ca_input_log_apply(cards->inputs->at + cards->sorted.own + cards->sorted.pci,
				   cards->sorted.log, first->key, cards->mmc_count == 1, card);
}

/* ---- cards ---------------------------------------------------------------------------------- */

static bool has_any(const struct ca_raw_registers *registers)
{
	for (size_t i = 0; i < CA_REGISTER_COUNT; i++)
		if (registers->has[i])
			return true;
	return false;
}

static void name_card(const struct ca_input *first, unsigned int number,
		      struct ca_device_facts *device)
{
	if (first->shown.len)
		(void)snprintf(device->node, sizeof(device->node), "%.*s",
			       (int)(first->shown.len < sizeof(device->node)
					     ? first->shown.len
					     : sizeof(device->node)),
			       first->shown.at);
	else
		(void)snprintf(device->node, sizeof(device->node), "card %u", number);
	(void)ca_string_copy(device->registers_from, sizeof(device->registers_from),
			     device->node); /* of the same length */
	(void)ca_string_copy(device->bus, sizeof(device->bus), "files");
}

/* Fills a card from its pieces; false in ret_useful: nothing of it is a card's. */
static int fill(const struct cards *cards, const struct ca_input *first, size_t count,
		struct ca_evidence *card, bool *ret_useful, struct ca_error *error)
{
	struct ca_raw_registers *registers = &card->registers;
	bool typed = false, damaged = false;

	memset(card, 0, sizeof(*card));
	for (size_t i = 0; i < count; i++) {
		int rc = apply(cards->inputs, &first[i], card, &typed, error);

		if (rc == -EBADMSG) {
			damaged |= !card->device.hidden_because[0];
			note(card, error->text);
		}
		rc = ca_inputs_excuse(cards->inputs, rc, error);
		if (rc < 0)
			return rc;
	}
	*ret_useful = has_any(registers) || (card->device.hidden_because[0] && !damaged);
	if (!typed && ca_register_is_mmc(registers))
		registers->type = CA_CARD_TYPE_MMC;
	card->origin = CA_ORIGIN_RECORDED;
	card->masked = registers->masked;
	if (has_any(registers) || typed)
		card->device.media = ca_register_media(registers);
	add_beside(cards, first, card);
	return 0;
}

static int deliver_all(const struct cards *cards, struct ca_evidence *card,
		       int (*each)(void *context, const struct ca_evidence *card), void *context,
		       unsigned int *ret_cards, struct ca_error *error)
{
	const struct ca_input *at = cards->inputs->at;
	size_t first = 0;
	int rc = 0;

	while (first < cards->sorted.own && rc == 0) {
		size_t end = first + 1;
		bool useful = false;

		while (end < cards->sorted.own && at[end].card == at[first].card)
			end++;
		rc = fill(cards, &at[first], end - first, card, &useful, error);
		if (rc == 0 && useful) {
			name_card(&at[first], ++*ret_cards, &card->device);
			rc = each(context, card);
		}
		first = end;
	}
	return rc;
}

int ca_input_deliver(struct ca_inputs *inputs,
		     int (*each)(void *context, const struct ca_evidence *card), void *context,
		     unsigned int *ret_cards, struct ca_error *error)
{
	CA_CLEANUP_FREE struct ca_evidence *card = NULL; /* reused for each */
	struct cards cards = {.inputs = inputs};
	int rc = ca_input_sort(inputs, &cards.sorted, error);

	if (rc < 0 || !cards.sorted.own)
		return rc;
	card = malloc(sizeof(*card));
	if (!card)
		return ca_error_set(error, -ENOMEM, "out of memory");
	count_cards(&cards, card);
	return deliver_all(&cards, card, each, context, ret_cards, error);
}
