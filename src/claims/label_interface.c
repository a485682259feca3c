/* SPDX-License-Identifier: BSD-2-Clause */
#include "label_internal.h"

#include <string.h>

static void add_text(struct ca_claims *claims, enum ca_claim_kind kind, enum ca_claim_source source,
		     uint64_t value, const char *text)
{
	struct ca_claim claim = {.kind = kind, .source = source, .value = value};

	(void)ca_claims_add(claims, &claim, text, strlen(text)); /* the caller left room */
}

/* ---- cards: form factor and capacity class -------------------------------------------------- */

struct card_form {
	const char *words;
	const char *form; /* NULL: "SDXC" alone does not say how large the card is */
	const char *bus;
	int card_type; /* enum ca_capacity_class, -1 = not said */
};

static const struct card_form card_forms[] = {
	{"micro_sd express", "microSD", "SD Express", -1},
	{"micro_sd_xc express", "microSD", "SD Express", CA_CAPACITY_SDXC},
	{"micro_sd_xc", "microSD", NULL, CA_CAPACITY_SDXC},
	{"micro_sd_hc", "microSD", NULL, CA_CAPACITY_SDHC},
	{"micro_sduc", "microSD", NULL, CA_CAPACITY_SDUC},
	{"micro_sdsc", "microSD", NULL, CA_CAPACITY_SDSC},
	{"micro_sd", "microSD", NULL, -1},
	{"micro_sd_7.0 express", "microSD", "SD Express", -1},
	{"micro_sd_7.1 express", "microSD", "SD Express", -1},
	{"\xc2\xb5sdxc", "microSD", NULL, CA_CAPACITY_SDXC},
	{"\xc2\xb5sdhc", "microSD", NULL, CA_CAPACITY_SDHC},
	{"\xc2\xb5sd", "microSD", NULL, -1},
	{"mini_sdhc", "miniSD", NULL, CA_CAPACITY_SDHC},
	{"mini_sd", "miniSD", NULL, -1},
	{"tf", "microSD", NULL, -1},
	/* micro in Katakana, Hangul and Cyrillic letters */
	{"\xe3\x83\x9e\xe3\x82\xa4\xe3\x82\xaf\xe3\x83\xad_sd", "microSD", NULL, -1},
	{"\xeb\xa7\x88\xec\x9d\xb4\xed\x81\xac\xeb\xa1\x9c_sd", "microSD", NULL, -1},
	{"\xd0\xbc\xd0\xb8\xd0\xba\xd1\x80\xd0\xbe_sd", "microSD", NULL, -1},
	{"sd_7.0 express", "SD", "SD Express", -1},
	{"sd_7.1 express", "SD", "SD Express", -1},
	{"sd_8.0 express", "SD", "SD Express", -1},
	{"sd express", "SD", "SD Express", -1},
	{"sd_xc", NULL, NULL, CA_CAPACITY_SDXC},
	{"sd_hc", NULL, NULL, CA_CAPACITY_SDHC},
	{"sduc", NULL, NULL, CA_CAPACITY_SDUC},
	{"sdsc", NULL, NULL, CA_CAPACITY_SDSC},
	{"sd", "SD", NULL, -1},
	/* the version of the standard is no product */
	{"emmc_5.1", "eMMC", NULL, -1},
	{"emmc_v5.1", "eMMC", NULL, -1},
	{"emmc_5.0", "eMMC", NULL, -1},
	{"emmc_4.5", "eMMC", NULL, -1},
	{"emmc_4.51", "eMMC", NULL, -1},
	{"emmc_4.41", "eMMC", NULL, -1},
	{"emmc", "eMMC", NULL, -1},
	{"mmc", "MMC", NULL, -1},
};

/* "SDXC I", "microSDHC II": the mark of the bus as it is printed on cards; "i" is a word. */
static const char *match_bus_mark(const char *p, struct ca_claims *claims,
				  enum ca_claim_source source)
{
	const char *mark = ca_label_skip_blank(p), *end = mark;

	while (*end == 'I')
		end++;
	if (end == mark || end - mark > 2 || !ca_label_is_word_end(end))
		return p;
	add_text(claims, CA_CLAIM_BUS, source, 0, end - mark == 2 ? "UHS-II" : "UHS-I");
	return end;
}

/* "microSDXC memory card" is one thing. */
static const char *skip_card_noun(const char *p)
{
	static const char *const nouns[] = {" memory card", " flash card", " card",
					    " karte",	    " kaart",	   " speicherkarte"};

	for (size_t i = 0; i < CA_ARRAY_LEN(nouns); i++) {
		const char *end = ca_label_eat(p, nouns[i]);

		if (end)
			return end;
	}
	return p;
}

/* "with SD adapter" and "SD card reader" say nothing about the card itself. */
static bool is_of_adapter(const char *end)
{
	return ca_label_eat(end, " adapter") || ca_label_eat(end, " adaptor") ||
	       ca_label_eat(end, " card adapter") || ca_label_eat(end, " reader") ||
	       ca_label_eat(end, " card reader") || ca_label_eat(end, " kaartadapter") ||
	       ca_label_eat(end, " karten adapter") || ca_label_eat(end, " kartenadapter") ||
	       ca_label_eat(end, " card slot") || ca_label_eat(end, " slot");
}

/* "microSD ... SD card" and "SD card ... microSD": the narrower word says which form it is. */
static void say_card_form(struct ca_claims *claims, enum ca_claim_source source, const char *form)
{
	for (size_t i = 0; i < claims->count; i++) {
		struct ca_claim *claim = &claims->claims[i];

		if (claim->kind != CA_CLAIM_FORM_FACTOR || claim->source != source)
			continue;
		if (strcmp(form, "SD") == 0 && strstr(claim->text, "SD"))
			return;
		if (strcmp(claim->text, "SD") == 0) {
			(void)ca_string_copy(claim->text, sizeof(claim->text), form); /* fits */
			return;
		}
	}
	add_text(claims, CA_CLAIM_FORM_FACTOR, source, 0, form);
}

static const char *match_card_form(const char *p, struct ca_claims *claims,
				   enum ca_claim_source source)
{
	for (size_t i = 0; i < CA_ARRAY_LEN(card_forms); i++) {
		const struct card_form *form = &card_forms[i];
		const char *end = ca_label_eat(p, form->words);

		if (!end)
			continue;
		if (is_of_adapter(end))
			return NULL;
		if (form->form)
			say_card_form(claims, source, form->form);
		if (form->bus)
			add_text(claims, CA_CLAIM_BUS, source, 0, form->bus);
		if (form->card_type >= 0)
			add_text(claims, CA_CLAIM_CARD_TYPE, source, (uint64_t)form->card_type,
				 ca_capacity_class_name((enum ca_capacity_class)form->card_type));
		if (form->card_type >= 0 && !form->bus)
			end = match_bus_mark(end, claims, source);
		return skip_card_noun(end);
	}
	return NULL;
}

/* ---- drives ---------------------------------------------------------------------------------- */

/* A drive's form is said in pieces, "SSD ... M.2 ... 2280": later pieces complete the claim. */
static void say_drive_form(struct ca_claims *claims, enum ca_claim_source source, const char *form)
{
	for (size_t i = 0; i < claims->count; i++) {
		struct ca_claim *claim = &claims->claims[i];

		if (claim->kind != CA_CLAIM_FORM_FACTOR || claim->source != source)
			continue;
		if (strcmp(form, "SSD") == 0 || strncmp(claim->text, form, strlen(form)) == 0)
			return;
		if (strcmp(claim->text, "SSD") == 0 ||
		    strncmp(form, claim->text, strlen(claim->text)) == 0) {
			(void)ca_string_copy(claim->text, sizeof(claim->text), form);
			return;
		}
	}
	add_text(claims, CA_CLAIM_FORM_FACTOR, source, 0, form);
}

static bool has_form(const struct ca_claims *claims, enum ca_claim_source source, const char *form)
{
	for (size_t i = 0; i < claims->count; i++)
		if (claims->claims[i].kind == CA_CLAIM_FORM_FACTOR &&
		    claims->claims[i].source == source && strcmp(claims->claims[i].text, form) == 0)
			return true;
	return false;
}

/* "NVMe SSD 2230": a size that stands alone means M.2 only where a drive was said. */
static bool is_drive(const struct ca_claims *claims, enum ca_claim_source source)
{
	for (size_t i = 0; i < claims->count; i++) {
		const struct ca_claim *claim = &claims->claims[i];

		if (claim->source == source && claim->kind == CA_CLAIM_BUS &&
		    (strcmp(claim->text, "NVMe") == 0 || strncmp(claim->text, "PCIe", 4) == 0))
			return true;
	}
	return has_form(claims, source, "M.2");
}

static const char *match_m2(const char *p, struct ca_claims *claims, enum ca_claim_source source)
{
	static const struct {
		const char *size, *form;
	} sizes[] = {
		{"2230", "M.2 2230"}, {"2242", "M.2 2242"},   {"2260", "M.2 2260"},
		{"2280", "M.2 2280"}, {"22110", "M.2 22110"},
	};
	const char *m2 = ca_label_eat_prefix(p, "m.2");
	const char *size = m2 ? ca_label_eat_prefix(m2, "_") : p;

	if (!m2 && !is_drive(claims, source))
		return NULL;
	for (size_t i = 0; i < CA_ARRAY_LEN(sizes); i++) {
		const char *end = ca_label_eat(size, sizes[i].size);

		if (end) {
			say_drive_form(claims, source, sizes[i].form);
			return end;
		}
	}
	if (!m2 || !ca_label_is_word_end(m2))
		return NULL;
	say_drive_form(claims, source, "M.2");
	return m2;
}

static const char *match_drive_form(const char *p, struct ca_claims *claims,
				    enum ca_claim_source source)
{
	static const struct {
		const char *words, *form;
	} forms[] = {{"u.2", "U.2"}, {"u.3", "U.3"}, {"ssd", "SSD"}};
	const char *end = match_m2(p, claims, source);

	for (size_t i = 0; i < CA_ARRAY_LEN(forms) && !end; i++) {
		end = ca_label_eat(p, forms[i].words);
		if (end)
			say_drive_form(claims, source, forms[i].form);
	}
	return end;
}

/* ---- bus ------------------------------------------------------------------------------------- */

/* What is said of a PCIe link, in any order: "PCIe 4.0 x4", "Gen4 x4 PCIe", "PCI Express x2 Gen 3"
 */
struct pcie_link {
	bool named; /* the word PCIe is there */
	char generation, lanes;
};

static const char *eat_pcie_name(const char *p)
{
	static const char *const names[] = {"pci express", "pcie", "pci-e"};
	const char *end = NULL;

	for (size_t i = 0; i < CA_ARRAY_LEN(names) && !end; i++)
		end = ca_label_eat_prefix(p, names[i]);
	return end;
}

/* "x4" */
static const char *eat_lanes(const char *p, struct pcie_link *link)
{
	if ((*p != 'x' && *p != 'X') || !ca_label_is_digit(p[1]) || !ca_label_is_word_end(p + 2) ||
	    link->lanes)
		return NULL;
	link->lanes = p[1];
	return p + 2;
}

/* "4.0", "Gen4", "Gen 4.0", "Gen3x4" */
static const char *eat_generation(const char *p, struct pcie_link *link)
{
	const char *digit = ca_label_eat_prefix(p, "gen_"), *end;
	uint64_t ignored;

	if (!digit)
		digit = ca_label_eat_prefix(p, "gen.");
	if (!digit && link->named && !link->generation && !ca_label_eat_capacity(p, &ignored))
		digit = p; /* but "PCIe 2 TB" */
	if (!digit || *digit < '1' || *digit > '7' ||
	    (link->generation && link->generation != *digit))
		return NULL;
	end = digit + 1;
	if (strncmp(end, ".0", 2) == 0)
		end += 2;
	if (!ca_label_is_word_end(end) && *end != 'x' && *end != 'X')
		return NULL;
	link->generation = *digit;
	return end;
}

static const char *eat_pcie_part(const char *p, struct pcie_link *link)
{
	const char *end = link->named ? NULL : eat_pcie_name(p);

	if (end) {
		/* "PCIe4.0" is said too */
		if (!ca_label_is_word_end(end) && !ca_label_is_digit(*end))
			return NULL;
		link->named = true;
		return end;
	}
	end = eat_generation(p, link);
	return end ? end : eat_lanes(p, link);
}

/* "PCIe NVMe Gen3": the generation comes later and completes what was said; a bare name says less.
 */
static bool complete_pcie(struct ca_claims *claims, enum ca_claim_source source, const char *link)
{
	for (size_t i = 0; i < claims->count; i++) {
		struct ca_claim *claim = &claims->claims[i];

		if (claim->kind != CA_CLAIM_BUS || claim->source != source ||
		    strncmp(claim->text, "PCIe", 4) != 0)
			continue;
		if (strcmp(link, "PCIe") == 0)
			return true;
		if (strcmp(claim->text, "PCIe") != 0)
			continue;
		(void)ca_string_copy(claim->text, sizeof(claim->text), link); /* fits */
		return true;
	}
	return false;
}

/* A drive was called NVMe: "Gen4" beside it can only mean PCIe. */
static bool is_nvme(const struct ca_claims *claims, enum ca_claim_source source)
{
	for (size_t i = 0; i < claims->count; i++)
		if (claims->claims[i].kind == CA_CLAIM_BUS && claims->claims[i].source == source &&
		    strcmp(claims->claims[i].text, "NVMe") == 0)
			return true;
	return false;
}

static const char *match_pcie(const char *p, struct ca_claims *claims, enum ca_claim_source source)
{
	struct pcie_link link = {0};
	const char *end = NULL, *next = p;
	struct ca_text text;
	char buf[16];

	if (*p == 'x' || *p == 'X') /* lanes alone are none of a link */
		return NULL;
	while ((next = eat_pcie_part(next, &link)) != NULL) {
		end = next;
		next = ca_label_eat_prefix(next, "_");
	}
	if (!end || !ca_label_is_word_end(end))
		return NULL;
	ca_text_init(&text, buf, sizeof(buf));
	ca_text_add(&text, "PCIe");
	if (link.generation) {
		ca_text_add(&text, " ");
		ca_text_add_len(&text, &link.generation, 1);
		ca_text_add(&text, ".0");
	}
	if (link.lanes) {
		ca_text_add(&text, " x");
		ca_text_add_len(&text, &link.lanes, 1);
	}
	if (complete_pcie(claims, source, buf))
		return end;
	if (!link.named && !is_nvme(claims, source))
		return NULL;
	add_text(claims, CA_CLAIM_BUS, source, 0, buf);
	return end;
}

/* "UHS-I Class 3" and "UHS-I Speed Class 1" say the grade; "UHS-I Class 10" says C10. */
static const char *match_grade_after_bus(const char *p, struct ca_claims *claims,
					 enum ca_claim_source source)
{
	static const char *const words[] = {" speed class_", " speed grade_", " class_", " grade_"};
	struct ca_claim claim = {.kind = CA_CLAIM_UHS_GRADE, .source = source};

	for (size_t i = 0; i < CA_ARRAY_LEN(words); i++) {
		const char *end = ca_label_eat_prefix(p, words[i]);

		if (!end || (*end != '1' && *end != '3') || !ca_label_is_word_end(end + 1))
			continue;
		claim.value = (uint64_t)(*end - '0');
		p = ca_label_skip_blank(p);
		(void)ca_claims_add(claims, &claim, p, (size_t)(end + 1 - p));
		return end + 1;
	}
	return p;
}

static const char *match_uhs(const char *p, struct ca_claims *claims, enum ca_claim_source source)
{
	/* "UHS-3" is missing on purpose: it is used for UHS-III and for grade U3 alike. */
	static const struct {
		const char *words, *bus;
	} buses[] = {
		{"uhs_iii", "UHS-III"}, {"uhs_ii", "UHS-II"}, {"uhs_i", "UHS-I"},
		{"uhs_2", "UHS-II"},	{"uhs_1", "UHS-I"},
	};

	for (size_t i = 0; i < CA_ARRAY_LEN(buses); i++) {
		const char *end = ca_label_eat(p, buses[i].words);

		if (!end)
			continue;
		add_text(claims, CA_CLAIM_BUS, source, 0, buses[i].bus);
		return match_grade_after_bus(end, claims, source);
	}
	return NULL;
}

const char *ca_label_match_interface(const char *p, struct ca_claims *claims,
				     enum ca_claim_source source)
{
	const char *end = match_card_form(p, claims, source);

	if (!end)
		end = match_drive_form(p, claims, source);
	if (!end)
		end = match_pcie(p, claims, source);
	if (!end)
		end = match_uhs(p, claims, source);
	if (!end) {
		end = ca_label_eat(p, "nvme");
		if (end)
			add_text(claims, CA_CLAIM_BUS, source, 0, "NVMe");
	}
	return end;
}
