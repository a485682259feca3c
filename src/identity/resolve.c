/* SPDX-License-Identifier: BSD-2-Clause */
#include "identity_internal.h"

#include <string.h>
#include <strings.h>

const char *ca_relation_name(enum ca_relation relation)
{
	switch (relation) {
	case CA_RELATION_NOT_OBSERVABLE:
		return "not observable";
	case CA_RELATION_NO_BRAND:
		return "no brand";
	case CA_RELATION_OWN:
		return "own";
	case CA_RELATION_OEM:
		return "oem";
	case CA_RELATION_OTHER_BRAND:
		return "other brand";
	case CA_RELATION_UNKNOWN_MAKER:
		return "unknown maker";
	case CA_RELATION_CONTRADICTION:
		return "contradiction";
	}
	return "";
}

const char *ca_confidence_name(enum ca_confidence confidence)
{
	switch (confidence) {
	case CA_CONFIDENCE_NONE:
		return "none";
	case CA_CONFIDENCE_LOW:
		return "low";
	case CA_CONFIDENCE_MEDIUM:
		return "medium";
	case CA_CONFIDENCE_HIGH:
		return "high";
	}
	return "";
}

/* Copies a register's text without the blanks and NULs it is padded with. */
static void copy_trimmed(char *ret, const char *text, size_t max)
{
	size_t len = 0;

	while (len < max && text[len])
		len++;
	while (len > 0 && text[len - 1] == ' ')
		len--;
	memcpy(ret, text, len);
	ret[len] = '\0';
}

static bool read_identity(const struct ca_raw_registers *raw, const struct ca_registers *registers,
			  struct shown_identity *shown)
{
	*shown = (struct shown_identity){.emmc = raw->type == CA_CARD_TYPE_MMC};
	if (registers->has[CA_REGISTER_CID]) {
		const struct ca_cid *cid = &registers->cid;

		shown->mid = cid->mid;
		shown->oid = cid->oid;
		copy_trimmed(shown->pnm, cid->pnm, sizeof(shown->pnm) - 1);
		return true;
	}
	shown->nvme = true;
	shown->vid = raw->pci_vid;
	if (registers->has[CA_REGISTER_NVME_CTRL]) {
		const struct ca_nvme_ctrl *ctrl = &registers->nvme_ctrl;

		if (ctrl->vid)
			shown->vid = ctrl->vid;
		shown->ssvid = ctrl->ssvid ? ctrl->ssvid : raw->pci_ssvid;
		copy_trimmed(shown->model, ctrl->mn, sizeof(shown->model) - 1);
		copy_trimmed(shown->firmware, ctrl->fr, sizeof(shown->firmware) - 1);
		return true;
	}
	return shown->vid != 0;
}

static bool relation_matches(const struct ca_spec_relation *row, const struct shown_identity *shown)
{
	if ((strcmp(row->kind, "nvme") == 0) != shown->nvme)
		return false;
	/*
	 * Without a vendor number only a model that is listed by name tells anything; without a
	 * model (lspci alone) all of the vendor's are possible.
	 */
	if (shown->nvme && !shown->model[0])
		return shown->vid && row->vid == shown->vid;
	if (shown->nvme)
		return (row->vid == shown->vid || (!shown->vid && row->model[0])) &&
		       ca_identity_pattern_matches(row->model, shown->model);
	/* The relations are of removable cards: eMMC numbers mean other makers. */
	return !shown->emmc && (row->mid < 0 || row->mid == shown->mid) &&
	       (row->oid < 0 || row->oid == shown->oid) &&
	       ca_identity_pattern_matches(row->pnm, shown->pnm);
}

static bool is_of_brand(const struct ca_spec_relation *row, const struct ca_spec_brand *brand)
{
	return brand && strcmp(row->brand, brand->brand) == 0;
}

static bool is_specific(const struct ca_spec_relation *row)
{
	return row->pnm[0] || row->model[0];
}

/*
 * The label's brand first; within it rows that name a product before the general ones; within those
 * the maker's own brand before others'.
 */
static void collect_candidates(const struct shown_identity *shown, struct ca_identity *identity)
{
	for (unsigned int pass = 0; pass < 8; pass++) {
		bool of_brand = !(pass & 4), specific = !(pass & 2), own = !(pass & 1);

		for (size_t i = 0; i < ca_spec_relations_count; i++) {
			const struct ca_spec_relation *row = &ca_spec_relations[i];

			if (identity->candidate_count == CA_CANDIDATES_MAX)
				return;
			if (is_of_brand(row, identity->brand) == of_brand &&
			    is_specific(row) == specific &&
			    (strcmp(row->relation, "own") == 0) == own &&
			    relation_matches(row, shown))
				identity->candidates[identity->candidate_count++] = row;
		}
	}
}

static bool contradicts_brand(const struct shown_identity *shown, const struct ca_spec_brand *brand)
{
	if (!brand)
		return false;
	if (shown->nvme)
		return brand->strict_vid >= 0 && shown->vid != 0 && brand->strict_vid != shown->vid;
	return !shown->emmc && brand->strict_mid >= 0 && brand->strict_mid != shown->mid;
}

/* The form of the model or the firmware says that it was made for this brand. */
static bool is_made_for_brand(const struct ca_identity *identity)
{
	for (size_t i = 0; identity->brand && i < identity->convention_count; i++)
		if (strcmp(identity->conventions[i]->customer, identity->brand->brand) == 0)
			return true;
	return false;
}

/* A name of a list "SanDisk; WD" or "Longsys (FORESEE)": between the signs that part names. */
static bool list_has(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (const char *p = list; *p; p += strcspn(p, ";()"), p += strspn(p, ";() "))
		if (strncasecmp(p, name, len) == 0 && (!p[len] || strchr(" ;()", p[len])))
			return true;
	return false;
}

/* eMMC and NVMe makers sell under their own name, which for eMMC no relation row repeats. */
static bool maker_sells_as(const struct ca_identity *identity)
{
	const char *brand = identity->brand->brand;

	return list_has(identity->maker_name, brand) || (identity->maker && identity->maker->emmc &&
							 list_has(identity->maker->brands, brand));
}

/*
 * Cards of the brand with these numbers are known, and the product name is new; one that is known
 * of another brand's product is not.
 */
static bool maker_makes_for(const struct ca_identity *identity)
{
	const struct ca_spec_maker *maker = identity->maker;

	for (size_t i = 0; i < identity->candidate_count; i++)
		if (is_specific(identity->candidates[i]))
			return false;
	return maker && !maker->emmc && strcmp(maker->standing, "contested") != 0 &&
	       list_has(maker->brands, identity->brand->brand);
}

/* Drives of the brand carry a number of its own, or that of its owner. */
static bool has_own_number(const struct ca_spec_brand *brand)
{
	for (size_t i = 0; i < ca_spec_relations_count; i++) {
		const struct ca_spec_relation *row = &ca_spec_relations[i];

		if (is_of_brand(row, brand) && strcmp(row->kind, "nvme") == 0 &&
		    strcmp(row->relation, "own") == 0)
			return true;
	}
	return false;
}

/*
 * A drive that calls itself the label's brand under the number of a controller maker: white labels
 * are programmed so, and no table can list them all. Not of brands that have a number.
 */
static bool is_white_label(const struct shown_identity *shown, const struct ca_identity *identity)
{
	const struct ca_spec_nvme_vendor *vendor = identity->nvme_vendor;

	return vendor && strcmp(vendor->role, "controller") == 0 && !shown->named_by_model &&
	       identity->brand && !has_own_number(identity->brand) &&
	       ca_identity_find_brand(shown->model, NULL, NULL) == identity->brand;
}

static enum ca_relation find_relation(const struct shown_identity *shown,
				      const struct ca_identity *identity)
{
	/* a known source of the brand contradicts nothing */
	if (identity->candidate_count && is_of_brand(identity->candidates[0], identity->brand))
		return strcmp(identity->candidates[0]->relation, "own") == 0 ? CA_RELATION_OWN
									     : CA_RELATION_OEM;
	if (is_made_for_brand(identity))
		return CA_RELATION_OEM;
	if (contradicts_brand(shown, identity->brand))
		return CA_RELATION_CONTRADICTION;
	if (shown->white_label)
		return CA_RELATION_OEM;
	if (!identity->maker_name[0])
		return CA_RELATION_UNKNOWN_MAKER;
	if (!identity->brand)
		return CA_RELATION_NO_BRAND;
	if (maker_sells_as(identity))
		return CA_RELATION_OWN;
	return maker_makes_for(identity) ? CA_RELATION_OEM : CA_RELATION_OTHER_BRAND;
}

static unsigned int count_words(const char *text)
{
	unsigned int count = 0;

	for (; *text; text++)
		if (*text != ' ' && (text[1] == ' ' || !text[1]))
			count++;
	return count;
}

static enum ca_confidence rate_confidence(const struct ca_identity *identity)
{
	const struct ca_spec_maker *maker = identity->maker;
	unsigned int sources;

	if (!identity->maker_name[0])
		return identity->relation == CA_RELATION_OEM ? CA_CONFIDENCE_LOW
							     : CA_CONFIDENCE_NONE;
	if (maker && strcmp(maker->standing, "contested") == 0)
		return CA_CONFIDENCE_LOW;
	sources = maker ? maker->confidence : count_words(identity->nvme_vendor->sources);
	if (sources >= 4)
		return CA_CONFIDENCE_HIGH;
	return sources >= 2 ? CA_CONFIDENCE_MEDIUM : CA_CONFIDENCE_LOW;
}

/* The one vendor of all candidates that the model name left, 0 when they differ. */
static uint16_t vendor_of_candidates(const struct ca_identity *identity)
{
	uint16_t vid = identity->candidate_count ? identity->candidates[0]->vid : 0;

	for (size_t i = 1; i < identity->candidate_count; i++)
		if (identity->candidates[i]->vid != vid)
			return 0;
	return vid;
}

static void find_maker(struct shown_identity *shown, struct ca_identity *identity)
{
	collect_candidates(shown, identity);
	if (shown->nvme && !shown->vid) {
		shown->vid = vendor_of_candidates(identity);
		shown->named_by_model = true;
	}
	if (shown->nvme) {
		identity->nvme_vendor = ca_identity_find_nvme_vendor(shown->vid);
		ca_identity_read_conventions(shown, identity);
	} else {
		identity->maker = ca_identity_find_maker(shown->emmc, shown->mid, shown->oid);
	}
	if (identity->nvme_vendor)
		identity->maker_name = identity->nvme_vendor->maker;
	else if (identity->maker)
		identity->maker_name = identity->maker->maker;
}

void ca_identity_resolve(const struct ca_raw_registers *raw, const struct ca_registers *registers,
			 const struct ca_spec_brand *brand, struct ca_identity *ret_identity)
{
	struct ca_identity identity = {.brand = brand, .maker_name = ""};
	struct shown_identity shown;

	if (read_identity(raw, registers, &shown))
		find_maker(&shown, &identity);
	shown.white_label = !identity.candidate_count && is_white_label(&shown, &identity);
	identity.relation = find_relation(&shown, &identity);
	/* what was not read is no maker that nobody knows */
	if (shown.nvme && !shown.vid && identity.relation == CA_RELATION_UNKNOWN_MAKER)
		identity.relation = CA_RELATION_NOT_OBSERVABLE;
	identity.confidence = rate_confidence(&identity);
	if ((shown.named_by_model || shown.white_label) && identity.confidence > CA_CONFIDENCE_LOW)
		identity.confidence = CA_CONFIDENCE_LOW;
	ca_identity_summarise(&shown, &identity);
	*ret_identity = identity;
}
