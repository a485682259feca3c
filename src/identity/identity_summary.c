/* SPDX-License-Identifier: BSD-2-Clause */
#include "identity_internal.h"

#include <string.h>

static const char *noun(const struct shown_identity *shown)
{
	return shown->nvme ? "drives" : "cards";
}

static bool is_printable(uint16_t oid)
{
	unsigned int high = oid >> 8, low = oid & 0xff;

	return high > 0x20 && high < 0x7f && low > 0x20 && low < 0x7f;
}

/* MID ad, OID "LS"  |  MID 05, OID 0x000c  |  PCI vendor 144d */
static void add_numbers(struct ca_text *text, const struct shown_identity *shown)
{
	char oid[2] = {(char)(shown->oid >> 8), (char)(shown->oid & 0xff)};

	if (shown->named_by_model) {
		ca_text_add(text, "by the model name alone");
		return;
	}
	if (shown->nvme) {
		ca_text_add(text, "PCI vendor ");
		ca_text_hex(text, shown->vid, 4);
		return;
	}
	ca_text_add(text, shown->emmc ? "eMMC MID " : "MID ");
	ca_text_hex(text, shown->mid, 2);
	ca_text_add(text, ", OID ");
	if (!shown->emmc && is_printable(shown->oid)) {
		ca_text_add(text, "\"");
		ca_text_escaped(text, oid, sizeof(oid));
		ca_text_add(text, "\"");
	} else {
		ca_text_add(text, "0x");
		ca_text_hex(text, shown->oid, 4);
	}
}

static void add_made_by(struct ca_text *text, const struct shown_identity *shown,
			const struct ca_identity *identity)
{
	bool contested = identity->maker && strcmp(identity->maker->standing, "contested") == 0;

	/* A controller maker's number on a drive says whose controller it is, no more. */
	if (identity->nvme_vendor && strcmp(identity->nvme_vendor->role, "controller") == 0)
		ca_text_add(text, "Built on a controller of ");
	else
		ca_text_add(text, contested ? "Perhaps made by " : "The registers name ");
	ca_text_add(text, identity->maker_name);
	ca_text_add(text, " (");
	add_numbers(text, shown);
	ca_text_add(text, ")");
}

static void add_unknown(struct ca_text *text, const struct shown_identity *shown,
			const struct ca_identity *identity)
{
	if (!shown->nvme && identity->maker &&
	    strcmp(identity->maker->standing, "unassigned") != 0) {
		ca_text_add(text, "Sources do not agree on, or do not know, who is behind ");
		add_numbers(text, shown);
	} else {
		ca_text_add(text, "The tables name no owner of ");
		add_numbers(text, shown);
	}
	ca_text_add(text, ": the maker cannot be named, which alone does not prove a counterfeit.");
}

static void add_contradiction(struct ca_text *text, const struct shown_identity *shown,
			      const struct ca_identity *identity)
{
	ca_text_add(text, "The label says ");
	ca_text_add(text, identity->brand->brand);
	ca_text_add(text, ", but the registers say ");
	add_numbers(text, shown);
	if (identity->maker_name[0]) {
		ca_text_add(text, " (");
		ca_text_add(text, identity->maker_name);
		ca_text_add(text, ")");
	}
	ca_text_add(text, ": every genuine one seen carries ");
	ca_text_add(text, shown->nvme ? "PCI vendor " : "MID ");
	if (shown->nvme)
		ca_text_hex(text, (uint64_t)identity->brand->strict_vid, 4);
	else
		ca_text_hex(text, (uint64_t)identity->brand->strict_mid, 2);
	ca_text_add(text, ".");
}

static void add_oem(struct ca_text *text, const struct shown_identity *shown,
		    const struct ca_identity *identity)
{
	if (shown->white_label) {
		add_made_by(text, shown, identity);
		ca_text_add(text, ", whose number white labels keep; the model calls itself ");
		ca_text_add(text, identity->brand->brand);
		ca_text_add(text, ".");
		return;
	}
	if (identity->maker_name[0]) {
		add_made_by(text, shown, identity);
		ca_text_add(text, ": a known maker of ");
		ca_text_add(text, identity->brand->brand);
		ca_text_add(text, " ");
		ca_text_add(text, noun(shown));
		ca_text_add(text, " sold under that name.");
		return;
	}
	if (shown->named_by_model) {
		ca_text_add(text, "The PCI vendor was not read, but ");
	} else {
		ca_text_add(text, "The maker behind ");
		add_numbers(text, shown);
		ca_text_add(text, " is not identified, but ");
	}
	ca_text_add(text, identity->brand->brand);
	ca_text_add(text, " is known to sell ");
	ca_text_add(text, noun(shown));
	ca_text_add(text, shown->named_by_model ? " of this name." : " that carry it.");
}

void ca_identity_summarise(const struct shown_identity *shown, struct ca_identity *identity)
{
	struct ca_text text;

	ca_text_init(&text, identity->summary, sizeof(identity->summary));
	switch (identity->relation) {
	case CA_RELATION_NOT_OBSERVABLE:
		ca_text_add(
			&text,
			shown->model[0]
				? "The PCI vendor was not read, and the model name alone does not "
				  "say who made this drive."
				: "This connection shows no identity registers, so the maker is "
				  "not observable.");
		return;
	case CA_RELATION_UNKNOWN_MAKER:
		add_unknown(&text, shown, identity);
		return;
	case CA_RELATION_CONTRADICTION:
		add_contradiction(&text, shown, identity);
		return;
	case CA_RELATION_NO_BRAND:
		add_made_by(&text, shown, identity);
		ca_text_add(&text, ".");
		break;
	case CA_RELATION_OWN:
		add_made_by(&text, shown, identity);
		ca_text_add(&text, ", which sells under the name ");
		ca_text_add(&text, identity->brand->brand);
		ca_text_add(&text, ".");
		break;
	case CA_RELATION_OEM:
		add_oem(&text, shown, identity);
		break;
	case CA_RELATION_OTHER_BRAND:
		add_made_by(&text, shown, identity);
		ca_text_add(&text, ", which is not known to make ");
		ca_text_add(&text, identity->brand->brand);
		ca_text_add(&text, " ");
		ca_text_add(&text, noun(shown));
		ca_text_add(&text, ".");
		break;
	}
}
