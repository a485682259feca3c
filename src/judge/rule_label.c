/* SPDX-License-Identifier: BSD-2-Clause */
/* What a label says beside figures: brand, product, form, kind of card, bus; and --require. */
#include "judge_scope.h"
#include "judge_speed.h"

#include <string.h>
#include <strings.h>

static const struct ca_claim *printed(const struct ca_judge_case *c, enum ca_claim_kind kind)
{
	for (size_t i = 0; i < c->claims->count; i++)
		if (c->claims->claims[i].kind == kind && ca_judge_is_printed(&c->claims->claims[i]))
			return &c->claims->claims[i];
	return NULL;
}

typedef void judge_claim_function(const struct ca_judge_case *c, struct ca_judge_sink *sink,
				  const struct ca_claim *claim);

/* A label may say more than one: "SDXC ... SD Express", "NVMe PCIe 4.0". False when it says none.
 */
static bool judge_each_printed(const struct ca_judge_case *c, struct ca_judge_sink *sink,
			       enum ca_claim_kind kind, judge_claim_function *judge)
{
	bool any = false;

	for (size_t i = 0; i < c->claims->count; i++) {
		const struct ca_claim *claim = &c->claims->claims[i];

		if (claim->kind != kind || !ca_judge_is_printed(claim))
			continue;
		judge(c, sink, claim);
		any = true;
	}
	return any;
}

static struct ca_judge_draft *add_claim(struct ca_judge_sink *sink, const struct ca_claim *claim,
					enum ca_verdict verdict, const char *found, const char *why)
{
	struct ca_judge_draft *draft =
		ca_judge_add(sink, verdict, claim->id, ca_claim_source_name(claim->source));
	struct ca_text text = ca_judge_says(draft);

	ca_text_add(&text, claim->text);
	text = ca_judge_found(draft);
	ca_text_add(&text, found);
	if (why) {
		text = ca_judge_why(draft);
		ca_text_add(&text, why);
	}
	return draft;
}

/* ---- brand --------------------------------------------------------------------------------- */

/* Contradictions that do not follow from one another; a forged firmware is proof by itself. */
static unsigned int count_contradictions(const struct ca_judge_case *c)
{
	const struct ca_spec_nvme_vendor *vendor = c->identity->nvme_vendor;
	unsigned int count = 0;

	count += c->identity->relation == CA_RELATION_CONTRADICTION;
	/* a CID of ones is a bus that nobody drove: no second fact */
	count += ca_judge_pnm_is_filler(c);
	count += ca_judge_oui_contradicts(c) && vendor->oui_strict;
	/* of a model that is named after the brand */
	count += ca_judge_link_contradicts(c);
	count += ca_judge_memory_contradicts(c);
	if (ca_judge_firmware_is_forged(c))
		count += 2;
	return count;
}

/* What contradicts the label: a maker that agrees with it is not the news. */
static void add_contradictions(const struct ca_judge_case *c, struct ca_text *text)
{
	const struct ca_spec_nvme_vendor *vendor = c->identity->nvme_vendor;
	const struct {
		bool holds;
		const char *words;
	} facts[] = {
		{c->identity->relation == CA_RELATION_CONTRADICTION, c->identity->summary},
		{ca_judge_pnm_is_filler(c), "The product name is a factory filler."},
		{ca_judge_oui_contradicts(c) && vendor->oui_strict,
		 "The IEEE number is not that of the vendor."},
		{ca_judge_firmware_is_forged(c), "The firmware is that of known counterfeits."},
		{ca_judge_link_contradicts(c), "The link is below that of the model."},
		{ca_judge_memory_contradicts(c),
		 "It asks for memory of the host, which the model does not."},
	};

	for (size_t i = 0; i < CA_ARRAY_LEN(facts); i++) {
		if (!facts[i].holds)
			continue;
		ca_text_add(text, text->len ? " " : "");
		ca_text_add(text, facts[i].words);
	}
}

static void judge_contradictions(const struct ca_judge_case *c, struct ca_judge_sink *sink,
				 const struct ca_claim *claim)
{
	unsigned int count = count_contradictions(c);
	char found[256];
	struct ca_text text;

	ca_text_init(&text, found, sizeof(found));
	add_contradictions(c, &text);
	if (ca_judge_has(c, CA_REGISTER_CID) && ca_judge_cid_crc(c) == CA_CRC_BAD)
		(void)add_claim(
			sink, claim, CA_VERDICT_INCONCLUSIVE, found,
			"The checksum of the CID is wrong, so nothing it says is held against "
			"the brand. Read the registers again from the card.");
	else if (count >= 2 && c->evidence->device.registers_lent)
		(void)add_claim(
			sink, claim, CA_VERDICT_INCONCLUSIVE, found,
			"Two facts contradict the label, but the registers were lent and may be "
			"of another card. Read them in one slot with the test.");
	else if (count >= 2)
		(void)add_claim(
			sink, claim, CA_VERDICT_FAIL, found,
			"Two independent facts contradict the label, and no known genuine card "
			"of this brand shows either. Do not sell it as this brand.");
	else
		(void)add_claim(
			sink, claim, CA_VERDICT_INCONCLUSIVE, found,
			"One fact contradicts the label; that alone settles nothing. Compare "
			"with a card of the same brand from a trusted source.");
}

void ca_judge_brand(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_claim *claim = printed(c, CA_CLAIM_BRAND);
	const char *hidden = c->evidence->device.hidden_because;

	if (!claim)
		return;
	if (count_contradictions(c)) {
		judge_contradictions(c, sink, claim);
		return;
	}
	switch (c->identity->relation) {
	case CA_RELATION_NOT_OBSERVABLE:
		add_claim(sink, claim, CA_VERDICT_UNTESTED, "not observable",
			  hidden[0] ? hidden : "No register that names the maker could be read.")
			->host_cannot = true;
		return;
	case CA_RELATION_OWN:
	case CA_RELATION_OEM:
		(void)add_claim(
			sink, claim, CA_VERDICT_SCREENED, c->identity->summary,
			"The registers agree with the label. Registers can be copied, so this is "
			"consistency and not proof.");
		return;
	case CA_RELATION_CONTRADICTION: /* counted above */
	case CA_RELATION_NO_BRAND:
	case CA_RELATION_OTHER_BRAND:
	case CA_RELATION_UNKNOWN_MAKER:
		break;
	}
	(void)add_claim(
		sink, claim, CA_VERDICT_INCONCLUSIVE, c->identity->summary,
		"No source connects this maker with the brand on the label. Brands buy from "
		"many makers: compare with a card of the same brand from a trusted source.");
}

/* ---- product, form, kind, bus -------------------------------------------------------------- */

/* "EVO Plus" and "EVO Plus MB-MC256KA": the one may say more than the other. */
static bool is_product(const char *known, const char *printed)
{
	size_t len = strlen(known);

	return strcasestr(known, printed) ||
	       (strncasecmp(printed, known, len) == 0 && printed[len] == ' ');
}

void ca_judge_product(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_claim *claim = printed(c, CA_CLAIM_PRODUCT);

	if (!claim)
		return;
	for (size_t i = 0; i < c->identity->candidate_count; i++) {
		const struct ca_spec_relation *candidate = c->identity->candidates[i];

		if (c->identity->brand &&
		    strcmp(candidate->brand, c->identity->brand->brand) == 0 &&
		    candidate->product[0] && is_product(candidate->product, claim->text)) {
			(void)add_claim(
				sink, claim, CA_VERDICT_SCREENED, candidate->product,
				"This product is known to carry such registers; so are others.");
			return;
		}
	}
	(void)add_claim(sink, claim, CA_VERDICT_UNTESTED, "no register names a product line", NULL);
}

static void judge_form(const struct ca_judge_case *c, struct ca_judge_sink *sink,
		       const struct ca_claim *claim)
{
	enum ca_media media = c->evidence->device.media;
	/* "SSD" is no SD */
	bool card = strstr(claim->text, "SD") && strcmp(claim->text, "SSD") != 0;

	if (media == CA_MEDIA_UNKNOWN || media == CA_MEDIA_MMC)
		(void)add_claim(sink, claim, CA_VERDICT_UNTESTED, "a form cannot be seen from here",
				NULL);
	else if (card == (media == CA_MEDIA_SD))
		(void)add_claim(
			sink, claim, CA_VERDICT_SCREENED,
			media == CA_MEDIA_SD ? "an SD memory card" : "an NVMe drive",
			"The kind fits; the form itself cannot be seen from here. Look at it.");
	else
		(void)add_claim(
			sink, claim, CA_VERDICT_INCONCLUSIVE,
			media == CA_MEDIA_SD ? "an SD memory card" : "an NVMe drive",
			"The label is of another kind of device. Check that it was typed as "
			"printed.");
}

void ca_judge_form_factor(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	(void)judge_each_printed(c, sink, CA_CLAIM_FORM_FACTOR, judge_form); /* none is fine */
}

/* "SDHC/SDXC": the card is one of them. */
static bool is_printed_type(const struct ca_judge_case *c, enum ca_capacity_class type)
{
	for (size_t i = 0; i < c->claims->count; i++) {
		const struct ca_claim *claim = &c->claims->claims[i];

		if (claim->kind == CA_CLAIM_CARD_TYPE && claim->value == type &&
		    ca_judge_is_printed(claim))
			return true;
	}
	return false;
}

static void judge_type(const struct ca_judge_case *c, struct ca_judge_sink *sink,
		       const struct ca_claim *claim)
{
	const struct ca_csd *csd = &c->registers->csd;
	const char *own;

	if (!ca_judge_is_sd(c) || !ca_judge_has(c, CA_REGISTER_CSD)) {
		(void)add_claim(sink, claim, CA_VERDICT_UNTESTED, "not observable",
				"The CSD, which says it, could not be read here.");
		return;
	}
	own = ca_capacity_class_name(csd->capacity_class);
	if (claim->value == csd->capacity_class)
		(void)add_claim(sink, claim, CA_VERDICT_PASS, own,
				"The card announces itself as this kind.");
	else if (is_printed_type(c, csd->capacity_class))
		(void)add_claim(sink, claim, CA_VERDICT_PASS, own,
				"The label names several kinds, as for a family of cards, and the "
				"card is one of them.");
	else
		(void)add_claim(sink, claim, CA_VERDICT_INCONCLUSIVE, own,
				"The card announces another kind than its label. Check what the "
				"packaging really says.");
}

void ca_judge_card_type(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	const struct ca_claim *own = ca_claims_find(c->claims, CA_CLAIM_CARD_TYPE, -1);

	if (!judge_each_printed(c, sink, CA_CLAIM_CARD_TYPE, judge_type) && own)
		judge_type(c, sink, own);
}

static int64_t pcie_mts(const char *text)
{
	const char *version = strcasestr(text, "PCIe");

	if (!version)
		return 0;
	version += 4;
	if (version[0] != ' ' || version[1] == 'x') /* no generation said, only lanes */
		return 0;
	switch (version[1]) {
	case '2':
		return 5000;
	case '3':
		return 8000;
	case '4':
		return 16000;
	case '5':
		return 32000;
	case '6':
		return 64000;
	default:
		return 0;
	}
}

static void judge_uhs(const struct ca_judge_case *c, struct ca_judge_sink *sink,
		      const struct ca_claim *claim)
{
	const struct ca_fact *timing = &c->evidence->host[CA_HOST_BUS_TIMING];
	bool beyond = strcasestr(claim->text, "UHS-II") != NULL; /* and UHS-III */

	if (!beyond && timing->present && strstr(timing->text, "uhs"))
		(void)add_claim(sink, claim, CA_VERDICT_PASS, timing->text,
				"The card runs in a UHS-I mode here.");
	else if (!beyond && ca_judge_has_ssr(c) && c->registers->ssr.uhs_speed_grade)
		(void)add_claim(sink, claim, CA_VERDICT_SCREENED,
				"a UHS speed grade in the SD status",
				"The card says so; a UHS-I host would show it running.");
	else
		(void)add_claim(sink, claim, CA_VERDICT_UNTESTED, "not seen on this host", NULL);
}

static void judge_bus(const struct ca_judge_case *c, struct ca_judge_sink *sink,
		      const struct ca_claim *claim)
{
	const struct ca_fact *link = &c->evidence->host[CA_HOST_PCIE_SPEED_MAX];
	int64_t wanted;

	if (strcasestr(claim->text, "UHS")) {
		judge_uhs(c, sink, claim);
		return;
	}
	wanted = pcie_mts(claim->text);
	if (c->evidence->device.media != CA_MEDIA_NVME || (wanted && !link->present))
		(void)add_claim(sink, claim, CA_VERDICT_UNTESTED, "not observable here", NULL);
	else if (!wanted || link->number >= wanted)
		(void)add_claim(sink, claim, CA_VERDICT_PASS, wanted ? link->text : "an NVMe drive",
				"The drive itself offers it.");
	else
		(void)add_claim(
			sink, claim, CA_VERDICT_INCONCLUSIVE, link->text,
			"The drive offers a slower link than its label. Some slots and adapters "
			"hide what a drive offers: look at it in another slot.");
}

void ca_judge_bus(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	(void)judge_each_printed(c, sink, CA_CLAIM_BUS, judge_bus); /* none is fine */
}

/* ---- --require ----------------------------------------------------------------------------- */

static bool is_judged(const struct ca_judge_sink *sink, const char *id)
{
	for (size_t i = 0; i < sink->count; i++) {
		const struct ca_finding *finding = &sink->drafts[i].finding;

		if (ca_judge_is_outcome(finding->verdict) &&
		    ca_string_equal_nocase(finding->claim, id))
			return true;
	}
	return false;
}

void ca_judge_required(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	if (c->request->require_count)
		ca_judge_checks(sink);
	for (size_t i = 0; i < c->request->require_count; i++) {
		const char *id = c->request->require[i];
		struct ca_judge_draft *draft;
		struct ca_text text;

		if (is_judged(sink, id))
			continue;
		draft = ca_judge_add(sink, CA_VERDICT_UNTESTED, id, "");
		sink->state = CA_RULE_FIRED; /* what is missing is the promise, not a test */
		text = ca_judge_says(draft);
		ca_text_add(&text, "required: ");
		ca_text_add(&text, id);
		text = ca_judge_found(draft);
		ca_text_add(&text, "neither the card nor its label claims it");
	}
}

/* ---- words --------------------------------------------------------------------------------- */

void ca_judge_label_words(const struct ca_judge_case *c, struct ca_judge_sink *sink)
{
	struct ca_text found;

	if (!c->request->label || !c->request->label[0])
		return;
	ca_judge_checks(sink);
	if (!c->claims->not_understood[0])
		return;
	found = ca_judge_found(ca_judge_fire(sink));
	ca_text_add(&found, "not understood: ");
	ca_text_add(&found, c->claims->not_understood);
}
