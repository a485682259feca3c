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
	{"micro_sdxc express", "microSD", "SD Express", CA_CAPACITY_SDXC},
	{"micro_sdxc", "microSD", NULL, CA_CAPACITY_SDXC},
	{"micro_sdhc", "microSD", NULL, CA_CAPACITY_SDHC},
	{"micro_sduc", "microSD", NULL, CA_CAPACITY_SDUC},
	{"micro_sdsc", "microSD", NULL, CA_CAPACITY_SDSC},
	{"micro_sd", "microSD", NULL, -1},
	{"\xc2\xb5sdxc", "microSD", NULL, CA_CAPACITY_SDXC},
	{"\xc2\xb5sdhc", "microSD", NULL, CA_CAPACITY_SDHC},
	{"\xc2\xb5sd", "microSD", NULL, -1},
	{"mini_sdhc", "miniSD", NULL, CA_CAPACITY_SDHC},
	{"mini_sd", "miniSD", NULL, -1},
	{"tf", "microSD", NULL, -1},
	{"sd express", "SD", "SD Express", -1},
	{"sdxc", NULL, NULL, CA_CAPACITY_SDXC},
	{"sdhc", NULL, NULL, CA_CAPACITY_SDHC},
	{"sduc", NULL, NULL, CA_CAPACITY_SDUC},
	{"sdsc", NULL, NULL, CA_CAPACITY_SDSC},
	{"sd", "SD", NULL, -1},
	{"emmc", "eMMC", NULL, -1},
	{"mmc", "MMC", NULL, -1},
};

/* "microSDXC-Karte": the hyphen of a compound does not hide the word before it. */
static const char *eat_card_form(const char *p, const char *words)
{
	const char *end = ca_label_eat(p, words);

	if (end)
		return end;
	end = ca_label_eat_prefix(p, words);
	return end && *end == '-' &&
			       (ca_label_eat(end + 1, "karte") || ca_label_eat(end + 1, "card") ||
				ca_label_eat(end + 1, "kaart"))
		       ? end
		       : NULL;
}

/* "microSDXC memory card" is one thing. */
static const char *skip_card_noun(const char *p)
{
	static const char *const nouns[] = {" memory card", " flash card", " card", " karte",
					    " kaart"};

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
	       ca_label_eat(end, " card reader") || ca_label_eat(end, " kaartadapter");
}

static const char *match_card_form(const char *p, struct ca_claims *claims,
				   enum ca_claim_source source)
{
	for (size_t i = 0; i < CA_ARRAY_LEN(card_forms); i++) {
		const struct card_form *form = &card_forms[i];
		const char *end = eat_card_form(p, form->words);

		if (!end)
			continue;
		if (is_of_adapter(end))
			return NULL;
		if (form->form)
			add_text(claims, CA_CLAIM_FORM_FACTOR, source, 0, form->form);
		if (form->bus)
			add_text(claims, CA_CLAIM_BUS, source, 0, form->bus);
		if (form->card_type >= 0)
			add_text(claims, CA_CLAIM_CARD_TYPE, source, (uint64_t)form->card_type,
				 ca_capacity_class_name((enum ca_capacity_class)form->card_type));
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
		if (strcmp(form, "SSD") == 0)
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

static const char *match_m2(const char *p, struct ca_claims *claims, enum ca_claim_source source)
{
	static const struct {
		const char *size, *form;
	} sizes[] = {
		{"2230", "M.2 2230"}, {"2242", "M.2 2242"},   {"2260", "M.2 2260"},
		{"2280", "M.2 2280"}, {"22110", "M.2 22110"},
	};
	const char *m2 = ca_label_eat_prefix(p, "m.2");
	/* "M.2 NVMe 2280": a size that stands alone means one only when M.2 was said. */
	const char *size = m2 ? ca_label_eat_prefix(m2, "_") : p;

	if (!m2 && !has_form(claims, source, "M.2"))
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

/* " x4" behind a PCIe generation; nothing when it is not there. */
static const char *eat_lanes(const char *p, struct ca_text *text)
{
	const char *x = ca_label_eat_prefix(p, "_x");

	if (!x || !ca_label_is_digit(x[0]) || !ca_label_is_word_end(x + 1))
		return p;
	ca_text_add(text, " x");
	ca_text_add_len(text, x, 1);
	return x + 1;
}

/* "PCIe", "PCIe 4.0", "PCIe Gen4 x4", "PCI Express 3.0 x2", "PCIe Gen 3x4" */
static const char *match_pcie(const char *p, struct ca_claims *claims, enum ca_claim_source source)
{
	static const char *const names[] = {"pci express", "pcie", "pci-e"};
	struct ca_text text;
	const char *name = NULL, *end, *generation;
	char buf[16];

	for (size_t i = 0; i < CA_ARRAY_LEN(names) && !name; i++)
		name = ca_label_eat_prefix(p, names[i]);
	if (!name)
		return NULL;
	ca_text_init(&text, buf, sizeof(buf));
	ca_text_add(&text, "PCIe");
	end = ca_label_eat_prefix(name, "_gen_");
	if (!end)
		end = ca_label_eat_prefix(name, "_");
	if (end && *end >= '1' && *end <= '7') {
		generation = end++;
		if (strncmp(end, ".0", 2) == 0)
			end += 2;
		if (ca_label_is_word_end(end) || *end == 'x' || *end == 'X') {
			ca_text_add(&text, " ");
			ca_text_add_len(&text, generation, 1);
			ca_text_add(&text, ".0");
			name = eat_lanes(end, &text);
		}
	}
	if (!ca_label_is_word_end(name))
		return NULL;
	add_text(claims, CA_CLAIM_BUS, source, 0, buf);
	return name;
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
