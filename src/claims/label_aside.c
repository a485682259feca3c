/* SPDX-License-Identifier: BSD-2-Clause */
/* What stands on labels and speaks of something else. */
#include "label_internal.h"

#include <string.h>

static bool eat_any(const char *word, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (ca_label_eat(word, words[i]))
			return true;
	return false;
}

bool ca_label_is_generic_word(const char *word)
{
	static const char *const words[] = {
		"card",
		"cards",
		"memory",
		"flash",
		"drive",
		"disk",
		"new",
		"original",
		"genuine",
		"the",
		"carte",
		"karte",
		"tarjeta",
		"scheda",
		"ram",
		"adapter",
		"storage",
		"speicherkarte",
		"kit",
		"class",
		"classe",
		"adaptor",
		"up",
		"to",
		"full",
		"hd",
		"uhd",
		"4k",
		"5k",
		"8k",
		"internal",
		"external",
		"portable",
		"official",
		"solid",
		"state",
		"hard",
		"pack",
		"nand",
		"3d",
		"slc",
		"pslc",
		"mlc",
		"tlc",
		"qlc",
		"sdr104",
		"ddr50",
		"memoria",
		"m\xc3\xa9moire",
		"hat+",
		"heatsink",
		"speicher",
		"interne",
		"interno",
		"by",
		"read",
		"write",
		"speed",
		"high speed",
		"4g",
		"5g",
		"\xe5\x8d\xa1",
		"\xe5\xad\x98\xe5\x82\xa8\xe5\x8d\xa1",
		"\xe5\x86\x85\xe5\xad\x98\xe5\x8d\xa1",
		"\xe3\x82\xab\xe3\x83\xbc\xe3\x83\x89",
		"\xec\xb9\xb4\xeb\x93\x9c",
	};

	return eat_any(word, words, CA_ARRAY_LEN(words));
}

bool ca_label_ends_product(const char *word)
{
	static const char *const words[] = {
		"with", "w",   "for",	     "and",  "incl", "inkl",   "including", "mit",
		"avec", "s",   "con",	     "met",  "med",  "com",    "z",	    "para",
		"pour", "per", "f\xc3\xbcr", "voor", "dla",  "inclus", "adapter",   "adaptor",
	};

	return eat_any(word, words, CA_ARRAY_LEN(words));
}

/* "up to 2TB" is the limit of a reader or a phone. */
static const char *eat_limit(const char *word)
{
	static const char *const limits[] = {"up_to ",	    "supports ", "supports up to ",
					     "bis zu ",	    "bis ",	 "jusqu'\xc3\xa0 ",
					     "jusqu'a ",    "hasta ",	 "fino a ",
					     "at\xc3\xa9 ", "maximum ",	 "max. ",
					     "max "};
	const char *end = NULL;
	uint64_t ignored;

	for (size_t i = 0; i < CA_ARRAY_LEN(limits) && !end; i++) {
		end = ca_label_eat_prefix(word, limits[i]);
		end = end ? ca_label_eat_capacity(end, &ignored) : NULL;
	}
	return end;
}

/* Adapters in languages that put their form last, plugs, and cards of other kinds. */
static const char *eat_other_device(const char *word)
{
	static const char *const others[] = {
		"adaptateur sd",
		"adaptador sd",
		"adaptador de sd",
		"adattatore sd",
		"adapter sd",
		"cfexpress type a",
		"cfexpress type b",
		"cfexpress type c",
		"cfexpress",
		"cfast 2.0",
		"cfast",
		"compact_flash",
		"xqd",
		"memory stick",
		"nm card",
		"ufs card",
	};
	const char *end = NULL;

	for (size_t i = 0; i < CA_ARRAY_LEN(others) && !end; i++)
		end = ca_label_eat(word, others[i]);
	return end;
}

/* "USB 3.2 Gen 2x2": its generation is none of PCIe. */
static const char *eat_usb(const char *word)
{
	const char *end = ca_label_eat_prefix(word, "usb_"), *generation;

	if (!end)
		return NULL;
	while (ca_label_is_digit(*end) || (*end == '.' && ca_label_is_digit(end[1])))
		end++;
	if (!ca_label_is_word_end(end))
		return NULL;
	generation = ca_label_eat_prefix(end, "_gen_");
	if (!generation || !ca_label_is_digit(*generation))
		return end;
	for (end = generation; ca_label_is_alnum(*end);)
		end++;
	return end;
}

/* "2 x 64GB", "2x64GB", "3-pack", "2 Stück": so many cards, each of the size that is named. */
static const char *eat_count(const char *word)
{
	static const char *const packs[] = {"_packs", "_pack", "_pcs", "_er pack", "_st\303\274ck"};
	const char *digits = word, *end;

	while (ca_label_is_digit(*digits))
		digits++;
	if (digits == word || digits - word > 2)
		return NULL;
	for (size_t i = 0; i < CA_ARRAY_LEN(packs); i++) {
		end = ca_label_eat(digits, packs[i]);
		if (end)
			return end;
	}
	end = ca_label_eat_prefix(digits, "_x");
	return end && (ca_label_is_word_end(end) || ca_label_is_digit(*end)) ? end : NULL;
}

/* "170R/90W", "R100/W90": rates whose unit is not said are neither claims nor a product. */
static const char *eat_bare_rate(const char *word)
{
	const char *digits = *word == 'R' ? word + 1 : word, *end = digits;

	while (ca_label_is_digit(*end))
		end++;
	if (end - digits < 2 || end - digits > 5)
		return NULL;
	if (digits > word)
		return *end == '/' && end[1] == 'W' && ca_label_is_digit(end[2]) ? end : NULL;
	return (*end == 'R' || *end == 'W') && ca_label_is_word_end(end + 1) ? end + 1 : NULL;
}

const char *ca_label_eat_aside(const char *p)
{
	const char *end = eat_limit(p);

	if (!end)
		end = eat_other_device(p);
	if (!end)
		end = eat_usb(p);
	if (!end)
		end = eat_bare_rate(p);
	return end ? end : eat_count(p);
}
