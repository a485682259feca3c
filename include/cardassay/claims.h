/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * claims: what is promised, by the label, by the registers, by Identify data, by options. A claim
 * is a quantity and who makes it; whether it holds is the judge's business. Pure.
 */
#ifndef CARDASSAY_CLAIMS_H
#define CARDASSAY_CLAIMS_H

#include "cardassay/base.h"
#include "cardassay/identity.h"
#include "cardassay/registers.h"

enum ca_claim_kind {
	CA_CLAIM_BRAND,	      /* text */
	CA_CLAIM_PRODUCT,     /* text: product line words ("Extreme PRO", "EXCERIA G2") */
	CA_CLAIM_FORM_FACTOR, /* text: "microSD", "SD", "M.2 2280", ... */
	CA_CLAIM_CARD_TYPE,   /* value: enum ca_capacity_class ("SDXC") */
	CA_CLAIM_CAPACITY,    /* value: bytes; label: decimal GB x 10^9; registers: exact bytes */
	CA_CLAIM_RETENTION, /* the data outlives a loss of power; always there for writable media */
	CA_CLAIM_APP_CLASS, /* value 1, 2: A1, A2 */
	CA_CLAIM_SPEED_CLASS,	/* value 2 4 6 10 */
	CA_CLAIM_UHS_GRADE,	/* value 1, 3 */
	CA_CLAIM_VIDEO_CLASS,	/* value 6 10 30 60 90 */
	CA_CLAIM_EXPRESS_CLASS, /* value 150 300 450 600 */
	CA_CLAIM_BUS,		/* text: "UHS-I" "UHS-II" "UHS-III" "NVMe" "PCIe 4.0" */
	CA_CLAIM_SEQ_READ,	/* value: B/s */
	CA_CLAIM_SEQ_WRITE,
	CA_CLAIM_RANDOM_READ, /* value: milli-IOPS; depth 0 = not stated */
	CA_CLAIM_RANDOM_WRITE,
};

enum ca_claim_source {
	CA_SOURCE_LABEL,
	CA_SOURCE_OPTION, /* --claim KEY=VALUE */
	CA_SOURCE_DEVICE, /* block device size */
	CA_SOURCE_CID,
	CA_SOURCE_CSD,
	CA_SOURCE_SCR,
	CA_SOURCE_SSR,
	CA_SOURCE_IDENTIFY,
};
const char *ca_claim_source_name(enum ca_claim_source source); /* "label" "ssr" ... */

struct ca_claim {
	enum ca_claim_kind kind;
	enum ca_claim_source source;
	uint64_t value;
	uint32_t queue_depth; /* random claims; 0 = not stated */
	/*
	 * The claim's short name, used in scope, --require and findings: "capacity" "retention"
	 * "brand" "product" "form-factor" "card-type" "bus" "A1" "C10" "U3" "V30" "E300"
	 * "sequential-read" "sequential-write" "random-read" "random-write".
	 */
	char id[20];
	/* What was said, as written but for full-width letters and odd blanks, which are plain
	 * here: "128 GB", "A2", "up to 200MB/s"; of form factor, card type and bus the canonical
	 * form: "microSD", "SDXC", "UHS-I". Whole UTF-8 characters, no control characters. */
	char text[64];
};

#define CA_CLAIMS_MAX 48U
struct ca_claims {
	size_t count;
	struct ca_claim claims[CA_CLAIMS_MAX];
	const struct ca_spec_brand *brand; /* of the label */
	char not_understood[256]; /* words of the label that no claim was made of, in order */
};

/*
 * Reads a label as people type it from packaging and shop titles: brand, product line, capacity
 * (GB, Go, TB, GiB, with . or , decimals), C/U/V/A/E classes in their written forms, bus, MB/s and
 * IOPS figures, form factor. Appends to `claims`. Never fails: the first 4 KiB count, whatever
 * bytes they are; what was not understood is kept in not_understood. Nothing is guessed: no claim
 * is better than a wrong one. So
 * - a figure whose direction is not said is the reading one, as makers mean it ("up to 200MB/s");
 * of two ("160/90 MB/s") the first reads and the second writes, unless "write/read" is said; a
 * second one apart from the first is no claim;
 * - a random rate in MB/s is no claim, its block size is open;
 * - the size in a model number ("SDCS2/64GB") counts only where no other size is said; sizes of
 *   memory, of a pack's total, of what is left to use, and limits ("up to 2TB") never count;
 * - "2 x 64GB" is a pack of cards of 64 GB each;
 * - a product line begins behind the brand, in the same clause and outside of brackets.
 */
void ca_claims_parse_label(const char *label, struct ca_claims *claims);

/*
 * One --claim KEY=VALUE: capacity=128GB, class=A2, brand=..., sequential-read=100MB/s,
 * random-read=40000IOPS[@QD]. -EINVAL (unknown key), -ERANGE or -EBADMSG (value), -ENOSPC.
 */
int ca_claims_parse_option(const char *option, struct ca_claims *claims);

/* What the registers and the device size promise. */
void ca_claims_from_registers(const struct ca_registers *registers, uint64_t device_bytes,
			      struct ca_claims *claims);

/* First claim of a kind (and source, -1 = any), NULL = none. */
const struct ca_claim *ca_claims_find(const struct ca_claims *claims, enum ca_claim_kind kind,
				      int source);

/* Is claims[index] the first with its id? */
bool ca_claims_is_first(const struct ca_claims *claims, size_t index);

#endif
