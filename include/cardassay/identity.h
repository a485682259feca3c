/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * identity: who really made it, and which brands and products it may be sold as. Pure lookup over
 * the tables of specs/; the answer is a candidate set, never one guessed product, and never a
 * verdict. Sources: specs/manufacturers.tsv, oem_relations.tsv, nvme_vendors.tsv, brands.tsv,
 * nvme_conventions.tsv, nvme_models.tsv.
 */
#ifndef CARDASSAY_IDENTITY_H
#define CARDASSAY_IDENTITY_H

#include "cardassay/base.h"
#include "cardassay/registers.h"
#include "cardassay/specs.h"

/* How the brand on the label relates to the maker in the registers. */
enum ca_relation {
	CA_RELATION_NOT_OBSERVABLE, /* no CID and no Identify data */
	CA_RELATION_NO_BRAND,	    /* the label names no brand: maker only */
	CA_RELATION_OWN,	    /* the maker's own brand */
	CA_RELATION_OEM,	    /* a known OEM of that brand: relabelled, legitimate */
	CA_RELATION_OTHER_BRAND,    /* the maker is known, but not as a source of that brand */
	CA_RELATION_UNKNOWN_MAKER,  /* nobody is known to own these numbers */
	CA_RELATION_CONTRADICTION,  /* every genuine card of that brand carries other numbers */
};
const char *ca_relation_name(enum ca_relation relation); /* "own", "oem", "not observable" ... */

enum ca_confidence {
	CA_CONFIDENCE_NONE,
	CA_CONFIDENCE_LOW,    /* one source, a contested row, a white label by its model */
	CA_CONFIDENCE_MEDIUM, /* two or three independent sources */
	CA_CONFIDENCE_HIGH,   /* four or more, or the maker confirms */
};
const char *ca_confidence_name(enum ca_confidence confidence);

#define CA_CANDIDATES_MAX  64U
#define CA_CONVENTIONS_MAX 8U
struct ca_identity {
	enum ca_relation relation;
	enum ca_confidence confidence;
	/* The best maker row (exact MID/OID before MID with any OID), NULL when there is none. */
	const struct ca_spec_maker *maker;
	const struct ca_spec_nvme_vendor *nvme_vendor;
	/* The label's brand, NULL when it names none that specs know. */
	const struct ca_spec_brand *brand;
	/* Products that carry this identity (specs/oem_relations.tsv), those of the label's brand
	 * first. */
	const struct ca_spec_relation *candidates[CA_CANDIDATES_MAX];
	size_t candidate_count;
	/* What the form of model, firmware and subsystem vendor says of who a drive was made for.
	 */
	const struct ca_spec_nvme_convention *conventions[CA_CONVENTIONS_MAX];
	size_t convention_count;
	/* What every drive of this model name is built with, NULL when the tables do not know. */
	const struct ca_spec_nvme_model *nvme_model;
	/* "Longsys", or "" when nobody can be named. For unassigned rows the maker is "". */
	const char *maker_name;
	/* One plain sentence: who made it and what that means for the label. */
	char summary[320];
};

/* A row of specs/ that the answer rests on. Strings are those of the tables, `row` is its key. */
struct ca_identity_row {
	const char *table; /* "manufacturers.tsv" */
	char row[120];	   /* "MID ad, OID 4c53" */
	const char *note;
	const char *sources; /* tags of sources.tsv, separated by spaces */
};
#define CA_IDENTITY_ROWS_MAX (4U + CA_CONVENTIONS_MAX)

/*
 * The rows that decided relation, maker and confidence: the maker's, the brand's where its cards
 * always carry one number, the relation that joins the two, and the conventions. How many were
 * written.
 */
size_t ca_identity_rows(const struct ca_identity *identity,
			struct ca_identity_row ret_rows[CA_IDENTITY_ROWS_MAX]);

/*
 * "Raspberry Pi microSD A2; Amazon Basics microSDXC A2; and 3 more": each product once, at most
 * `max` by name. How many products there are; 0 writes nothing.
 */
size_t ca_identity_write_products(struct ca_text *text, const struct ca_identity *identity,
				  size_t max);

/*
 * Two conventions that name different customers, one by the model and one by the firmware: they
 * contradict each other. False when there is no such pair.
 */
bool ca_identity_conventions_clash(const struct ca_identity *identity,
				   const struct ca_spec_nvme_convention **ret_model,
				   const struct ca_spec_nvme_convention **ret_firmware);

/* `brand` is the label's brand as found by ca_identity_find_brand, or NULL. */
void ca_identity_resolve(const struct ca_raw_registers *raw, const struct ca_registers *registers,
			 const struct ca_spec_brand *brand, struct ca_identity *ret_identity);

/*
 * Finds a brand in free text ("SanDisk Extreme 64GB ..."): the first alias that stands as whole
 * words, case-insensitive, and does not name a use ("for Raspberry Pi"). ret_start/ret_len (may be
 * NULL) say where. NULL = none.
 */
const struct ca_spec_brand *ca_identity_find_brand(const char *text, size_t *ret_start,
						   size_t *ret_len);

/* Best maker row for a MID/OID, NULL = none. */
const struct ca_spec_maker *ca_identity_find_maker(bool emmc, uint8_t mid, uint16_t oid);
const struct ca_spec_nvme_vendor *ca_identity_find_nvme_vendor(uint16_t vid);

/* Of a spec pattern: * is any run, ? one character, # one digit; "" matches everything. */
bool ca_identity_pattern_matches(const char *pattern, const char *text);

/*
 * Capacity that a product name states ("SD16G" -> 16 GB, "SA32G", "SL128" -> 128 GB): decimal bytes
 * in *ret_bytes and true; false when the name states none (USD00, AGGCE, EB1QT) or when the number
 * could be megabytes (SD064, SD256 on a card below 4 GB by `card_bytes`).
 */
bool ca_identity_pnm_capacity(const char *pnm, uint64_t card_bytes, uint64_t *ret_bytes);

#endif
