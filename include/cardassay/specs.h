/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * specs: the facts of specs/ as constant tables, generated into the build tree from the TSV files
 * (cmake/specs.cmake, specs/generate.awk). Strings are UTF-8 of our own, never NULL; "" = empty
 * cell. A row says where it comes from: `sources` holds tags of specs/sources.tsv, separated by
 * spaces.
 */
#ifndef CARDASSAY_SPECS_H
#define CARDASSAY_SPECS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* SHA-256 over all spec files, lower-case hex: tool.specs_sha256 of every certificate. */
extern const char ca_specs_sha256[65];

/* manufacturers.tsv: who a MID/OID pair belongs to. */
struct ca_spec_maker {
	bool emmc;
	uint8_t mid;
	int32_t oid;	      /* -1: any */
	const char *maker;    /* "" = nobody is known to own the pair */
	const char *brands;   /* brands seen on such cards, separated by "; " */
	const char *pnm;      /* product names seen, separated by spaces */
	const char *standing; /* "assigned" "reported" "contested" "unassigned" */
	const char *note;
	unsigned int confidence; /* independent sources */
	const char *sources;
};
extern const struct ca_spec_maker ca_spec_makers[];
extern const size_t ca_spec_makers_count;

/* oem_relations.tsv: a brand's product and the register identities accepted under it. */
struct ca_spec_relation {
	const char *brand;    /* as on the label: "Raspberry Pi" */
	const char *product;  /* "microSD A2", "" = any */
	const char *kind;     /* "sd" or "nvme" */
	int32_t mid, oid;     /* sd; -1 = any */
	const char *pnm;      /* sd: exact PNM, a prefix ending in *, or "" = any */
	uint16_t vid;	      /* nvme */
	const char *model;    /* nvme: exact model, a prefix ending in *, or "" = any */
	const char *maker;    /* who really makes it */
	const char *relation; /* "own" or "oem" */
	const char *note;
	const char *sources;
};
extern const struct ca_spec_relation ca_spec_relations[];
extern const size_t ca_spec_relations_count;

/* brands.tsv: how a brand is written on labels, and whether its cards always carry its own MID. */
struct ca_spec_brand {
	const char *brand;
	const char *aliases; /* lower case, separated by "; " */
	int32_t strict_mid;  /* >= 0: every genuine row has this MID (SanDisk 03, Samsung 1b); -1 */
	int32_t strict_vid;  /* likewise for NVMe; -1 */
	const char *sources;
};
extern const struct ca_spec_brand ca_spec_brands[];
extern const size_t ca_spec_brands_count;

/* nvme_vendors.tsv */
struct ca_spec_nvme_vendor {
	uint16_t vid;
	const char *maker;
	const char *role; /* "drive" "controller" "oem" */
	const char *ouis; /* IEEE OUIs seen, 6 hex digits, separated by spaces */
	bool oui_strict;  /* a different OUI contradicts: only where every row agrees */
	const char *note;
	const char *sources;
};
extern const struct ca_spec_nvme_vendor ca_spec_nvme_vendors[];
extern const size_t ca_spec_nvme_vendors_count;

/*
 * nvme_conventions.tsv: what the form of a model name, of a firmware revision or of a subsystem
 * vendor says about who a drive was made for. In patterns * is any run, ? one character, # a digit.
 */
struct ca_spec_nvme_convention {
	uint16_t vid;	      /* 0 with an ssvid: any */
	const char *field;    /* "model" "firmware" "ssvid" */
	const char *pattern;  /* of the text without its padding; ssvid: four hex digits */
	const char *customer; /* "Lenovo" "HP" "retail" "channel" ...: rows of one say the same */
	const char *meaning;  /* "made for Lenovo computers" */
	const char *note;
	const char *sources;
};
extern const struct ca_spec_nvme_convention ca_spec_nvme_conventions[];
extern const size_t ca_spec_nvme_conventions_count;

/* nvme_models.tsv: what every drive that calls itself so is built with. */
struct ca_spec_nvme_model {
	uint16_t vid;
	const char *model; /* pattern as above */
	const char *name;  /* "Samsung 990 PRO" */
	uint32_t link_mts; /* the link it is able to, MT/s a lane; 0 = not known */
	uint32_t lanes;
	const char *dram; /* "yes" "no" "unknown" */
	const char *note;
	const char *sources;
};
extern const struct ca_spec_nvme_model ca_spec_nvme_models[];
extern const size_t ca_spec_nvme_models_count;

/* classes.tsv: the limits of the SD rules (S 4.13, 4.16). One row a class and measured quantity. */
struct ca_spec_class {
	const char *id;	      /* "A1" "A2" "C10" "U3" "V30" ... */
	const char *quantity; /* "random-read" "random-write" "sequential-write" */
	uint64_t limit;	      /* milli-IOPS for random-*, B/s for sequential-* */
	uint64_t block_bytes; /* 4096; RU for C, U and V */
	uint64_t range_bytes; /* random: 256 MiB; A sequential: 1 GiB; else 0 = the card's AU */
	uint64_t duration_s;  /* random: 600; else 0 */
	const char *window;   /* "whole" "au" "su" */
	/* 0 = the mode does not count */
	uint32_t clock_hs_hz, clock_sdr50_hz, clock_sdr104_hz, clock_ddr50_hz;
	uint32_t power_mw;
	bool needs_queue; /* A2 */
	bool cache_off;	  /* A1: cache and command queue off */
	const char *clause;
	const char *sources;
};
extern const struct ca_spec_class ca_spec_classes[];
extern const size_t ca_spec_classes_count;

/* conditions.tsv: by how much a worse or unknown condition could at most have slowed the card. */
struct ca_spec_condition {
	const char *id; /* "bus-clock-low" "bus-unknown" "power-limit" "split-requests" ... */
	const char *applies_to; /* for the reader: "random" "sequential" "all" ... */
	const char *effect;	/* "slows": guards fail. "helps": caps pass at screened */
	/* at most this much faster under the rule's condition; 0 = unbounded */
	uint32_t factor_permille;
	const char *text;   /* for a finding: "the bus ran below the rule's clock" */
	const char *remedy; /* what would settle it */
	const char *reasoning;
	const char *sources;
};
extern const struct ca_spec_condition ca_spec_conditions[];
extern const size_t ca_spec_conditions_count;

/* quirks.tsv: SD cards that Linux treats apart for what they do. */
struct ca_spec_quirk {
	uint8_t mid;
	int32_t oid;	  /* -1: any */
	const char *pnm;  /* exact, "" = any */
	uint16_t year;	  /* of manufacture, 0 = any */
	uint8_t month;	  /* likewise */
	const char *only; /* "discard": only where the SD status announces it; "" = always */
	const char *text; /* for a finding: what is odd */
	const char *sources;
};
extern const struct ca_spec_quirk ca_spec_quirks[];
extern const size_t ca_spec_quirks_count;

/* rules.tsv: every rule the judge knows. */
struct ca_spec_rule {
	const char *id;	   /* "CID-CRC" */
	const char *claim; /* claim it speaks about: "identity" "brand" "capacity" "A1" ... */
	/* what it says when it fires: "fail" "warning" "note" "inconclusive" */
	const char *severity;
	const char *reg;   /* "cid" "csd" "scr" "ssr" "nvme" "device" "capacity" "speed" "label" */
	const char *bits;  /* "[127:120]" or "" */
	const char *title; /* one line: what must hold */
	const char *why;   /* why it matters, one sentence */
	const char *todo;  /* what to do when it fires, one sentence */
	/* real cards behind it, and how many genuine or unlabelled ones it hit */
	uint32_t cards_checked, cards_hit;
	const char *clause;
	const char *sources;
};
extern const struct ca_spec_rule ca_spec_rules[];
extern const size_t ca_spec_rules_count;
const struct ca_spec_rule *ca_spec_rule_find(const char *id); /* case-insensitive, NULL = none */

/* rules/<ID>.md, the page `explain` prints; same order as ca_spec_rules. */
extern const char *const ca_spec_rule_pages[];

/* sources.tsv */
struct ca_spec_source {
	const char *tag, *title, *where;
};
extern const struct ca_spec_source ca_spec_sources[];
extern const size_t ca_spec_sources_count;

/* simulated.tsv: the named cards of `sim:NAME`. Registers are hex as in sysfs, "" = none. */
struct ca_spec_simulated {
	const char *name, *spec, *label, *cid, *csd, *scr, *ssr, *description;
};
extern const struct ca_spec_simulated ca_spec_simulated_cards[];
extern const size_t ca_spec_simulated_cards_count;

#endif
