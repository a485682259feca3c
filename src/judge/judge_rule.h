/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge_rule: what a rule sees, where its findings go, and the list of all rules. Internal.
 *
 * A rule reads the case and adds findings; it keeps no state and knows no other rule. Rules are run
 * in the order of specs/rules.tsv.
 */
#ifndef CA_JUDGE_RULE_H
#define CA_JUDGE_RULE_H

#include "cardassay/judge.h"

struct ca_judge_case {
	const struct ca_judge_request *request;
	const struct ca_evidence *evidence;
	const struct ca_registers *registers;
	const struct ca_identity *identity;
	const struct ca_claims *claims;
};

/* A finding while it is being judged: what only the headline and the scope need is beside it. */
struct ca_judge_draft {
	struct ca_finding finding;
	char brief[112];      /* short reason for the headline, "" = none */
	bool host_cannot;     /* nothing this host does can settle the claim */
	bool screens_at_best; /* no host can do all that the claim's rule asks */
};

struct ca_judge_sink {
	struct ca_judge_draft *drafts; /* owned */
	size_t count, room;
	const struct ca_spec_rule *rule; /* the one that is running */
	enum ca_rule_state state;	 /* of the one that is running */
	bool out_of_memory;
	struct ca_judge_draft spare; /* takes what found no memory */
};

/*
 * The running rule has all that it looks at: from here on it holds unless it fires. Without this
 * call, and without a finding, it does not apply to the case.
 */
void ca_judge_checks(struct ca_judge_sink *sink);
/*
 * Adds a finding of the running rule; says, where and why come from its row. Never NULL: without
 * memory the finding is lost and the sink says so. Valid until the next one is added.
 */
struct ca_judge_draft *ca_judge_add(struct ca_judge_sink *sink, enum ca_verdict verdict,
				    const char *claim, const char *source);
/* The same with verdict and claim of the rule's row. */
struct ca_judge_draft *ca_judge_fire(struct ca_judge_sink *sink);
/* ca_judge_fire and what was found, in one. */
void ca_judge_fire_text(struct ca_judge_sink *sink, const char *found);
/*
 * ca_judge_fire for contradictions inside a register: when its checksum is wrong it may be
 * mis-copied, so nothing that follows from it fails a card.
 */
struct ca_judge_draft *ca_judge_fire_hard(struct ca_judge_sink *sink, enum ca_crc crc);
/* Two sizes that should be one. Never a fail where the registers were lent. */
struct ca_judge_sizes {
	const char *first;
	uint64_t a;
	const char *second;
	uint64_t b;
};
void ca_judge_fire_sizes(const struct ca_judge_case *c, struct ca_judge_sink *sink, enum ca_crc crc,
			 const struct ca_judge_sizes *sizes);
void ca_judge_sink_done(struct ca_judge_sink *sink);

/* Writers that start at the beginning of a field. */
struct ca_text ca_judge_says(struct ca_judge_draft *draft);
struct ca_text ca_judge_found(struct ca_judge_draft *draft);
struct ca_text ca_judge_why(struct ca_judge_draft *draft);
struct ca_text ca_judge_brief(struct ca_judge_draft *draft);

/* ---- facts that several rules share (src/judge/judge_facts.c) ------------------------------- */

bool ca_judge_has(const struct ca_judge_case *c, enum ca_register reg);
bool ca_judge_is_sd(const struct ca_judge_case *c);
/* An SD status that was really read. */
bool ca_judge_has_ssr(const struct ca_judge_case *c);
/* CSD layout of SDHC, SDXC and SDUC. */
bool ca_judge_has_csd2(const struct ca_judge_case *c);
/* CRC of the CID, as it was before serial numbers were blanked. */
enum ca_crc ca_judge_cid_crc(const struct ca_judge_case *c);
/* SDXC or SDUC by the CSD. */
bool ca_judge_is_xc(const struct ca_judge_case *c);
/* CID all 00 or all FF, whatever the checksum byte. */
bool ca_judge_cid_is_blank(const struct ca_judge_case *c);
bool ca_judge_pnm_is_filler(const struct ca_judge_case *c);
bool ca_judge_model_is_samsung(const struct ca_judge_case *c);
/* Of a SanDisk or WD drive, which carry one vendor number. */
bool ca_judge_model_is_wd(const struct ca_judge_case *c);
bool ca_judge_firmware_is_forged(const struct ca_judge_case *c);
bool ca_judge_oui_contradicts(const struct ca_judge_case *c);
/* Of a model in nvme_models.tsv: a slower link, or no memory of its own (rule_nvme_model.c). */
bool ca_judge_link_contradicts(const struct ca_judge_case *c);
bool ca_judge_memory_contradicts(const struct ca_judge_case *c);
/* Bytes the device announces: block device, else the registers; 0 = unknown. */
uint64_t ca_judge_announced_bytes(const struct ca_judge_case *c);
/* Bytes that CSD, EXT_CSD or Identify Namespace state; 0 = unknown. */
uint64_t ca_judge_register_bytes(const struct ca_judge_case *c);
/* The capacity that label or options state for this card; NULL = none. */
const struct ca_claim *ca_judge_label_capacity(const struct ca_judge_case *c);
/* Announced size in millionths of the label's; 0 = either is unknown. */
uint64_t ca_judge_label_ppm(const struct ca_judge_case *c);
/* Transfer errors that the host counted on the bus during the run; 0 = none, or not known. */
uint64_t ca_judge_transfer_errors(const struct ca_judge_case *c);
/* A claim of the label or an option, beside one of the card itself. */
bool ca_judge_is_printed(const struct ca_claim *claim);

/* ---- the rules ------------------------------------------------------------------------------ */

typedef void ca_judge_rule_function(const struct ca_judge_case *c, struct ca_judge_sink *sink);
struct ca_judge_rule {
	const char *id;
	ca_judge_rule_function *judge;
};
extern const struct ca_judge_rule ca_judge_rules[]; /* in the order of specs/rules.tsv */
extern const size_t ca_judge_rules_count;

/* one function a rule; its contract is the page specs/rules/<ID>.md */
ca_judge_rule_function ca_judge_cid_checksum;
ca_judge_rule_function ca_judge_cid_all;
ca_judge_rule_function ca_judge_cid_mid0;
ca_judge_rule_function ca_judge_cid_oid;
ca_judge_rule_function ca_judge_cid_pnm_filler;
ca_judge_rule_function ca_judge_cid_pnm;
ca_judge_rule_function ca_judge_cid_pnm_00000;
ca_judge_rule_function ca_judge_cid_pnm_smi;
ca_judge_rule_function ca_judge_cid_pnm_as;
ca_judge_rule_function ca_judge_cid_oid_42;
ca_judge_rule_function ca_judge_cid_prv;
ca_judge_rule_function ca_judge_cid_psn;
ca_judge_rule_function ca_judge_cid_psn_low;
ca_judge_rule_function ca_judge_cid_reserved;
ca_judge_rule_function ca_judge_cid_month;
ca_judge_rule_function ca_judge_cid_future;
ca_judge_rule_function ca_judge_cid_past;
ca_judge_rule_function ca_judge_csd_crc;
ca_judge_rule_function ca_judge_csd_structure;
ca_judge_rule_function ca_judge_csd2_fixed;
ca_judge_rule_function ca_judge_csd1_block;
ca_judge_rule_function ca_judge_csd_ccc;
ca_judge_rule_function ca_judge_csd_speed;
ca_judge_rule_function ca_judge_csd_size;
ca_judge_rule_function ca_judge_csd_copy;
ca_judge_rule_function ca_judge_csd_write_protect;
ca_judge_rule_function ca_judge_scr_structure;
ca_judge_rule_function ca_judge_scr_version;
ca_judge_rule_function ca_judge_ssr_zero;
ca_judge_rule_function ca_judge_ssr_reserved;
ca_judge_rule_function ca_judge_ssr_type;
ca_judge_rule_function ca_judge_ssr_move;
ca_judge_rule_function ca_judge_ssr_erase;
ca_judge_rule_function ca_judge_ssr_au;
ca_judge_rule_function ca_judge_extcsd_life;
ca_judge_rule_function ca_judge_extcsd_spare;
ca_judge_rule_function ca_judge_extcsd_size;
ca_judge_rule_function ca_judge_x_capacity_type;
ca_judge_rule_function ca_judge_x_size;
ca_judge_rule_function ca_judge_x_label_size;
ca_judge_rule_function ca_judge_x_version;
ca_judge_rule_function ca_judge_x_security;
ca_judge_rule_function ca_judge_x_cmd20;
ca_judge_rule_function ca_judge_x_cmd23;
ca_judge_rule_function ca_judge_x_speed_class;
ca_judge_rule_function ca_judge_x_uhs;
ca_judge_rule_function ca_judge_x_u3;
ca_judge_rule_function ca_judge_x_video;
ca_judge_rule_function ca_judge_x_families;
ca_judge_rule_function ca_judge_x_app;
ca_judge_rule_function ca_judge_x_a2;
ca_judge_rule_function ca_judge_x_cqssr;
ca_judge_rule_function ca_judge_x_ccc;
ca_judge_rule_function ca_judge_x_cmd58;
ca_judge_rule_function ca_judge_x_discard;
ca_judge_rule_function ca_judge_x_label_class;
ca_judge_rule_function ca_judge_x_changed;
ca_judge_rule_function ca_judge_x_express;
ca_judge_rule_function ca_judge_known_odd;
ca_judge_rule_function ca_judge_pnm_capacity;
ca_judge_rule_function ca_judge_size_round;
ca_judge_rule_function ca_judge_maker_unknown;
ca_judge_rule_function ca_judge_maker_other;
ca_judge_rule_function ca_judge_maker_strict;
ca_judge_rule_function ca_judge_maker_oem;
ca_judge_rule_function ca_judge_maker_contested;
ca_judge_rule_function ca_judge_identity;
ca_judge_rule_function ca_judge_not_observable;
ca_judge_rule_function ca_judge_masked;
ca_judge_rule_function ca_judge_lent;
ca_judge_rule_function ca_judge_nvme_text;
ca_judge_rule_function ca_judge_nvme_namespace;
ca_judge_rule_function ca_judge_nvme_capacity;
ca_judge_rule_function ca_judge_nvme_size;
ca_judge_rule_function ca_judge_nvme_vendor;
ca_judge_rule_function ca_judge_nvme_oui;
ca_judge_rule_function ca_judge_nvme_model;
ca_judge_rule_function ca_judge_nvme_firmware;
ca_judge_rule_function ca_judge_nvme_model_link;
ca_judge_rule_function ca_judge_nvme_model_memory;
ca_judge_rule_function ca_judge_nvme_convention;
ca_judge_rule_function ca_judge_nvme_id;
ca_judge_rule_function ca_judge_nvme_nqn;
ca_judge_rule_function ca_judge_nvme_version;
ca_judge_rule_function ca_judge_nvme_link;
ca_judge_rule_function ca_judge_nvme_used;
ca_judge_rule_function ca_judge_nvme_health;
ca_judge_rule_function ca_judge_vendor_maker;
ca_judge_rule_function ca_judge_vendor_health;
ca_judge_rule_function ca_judge_bus_errors;
ca_judge_rule_function ca_judge_capacity;
ca_judge_rule_function ca_judge_retention;
ca_judge_rule_function ca_judge_brand;
ca_judge_rule_function ca_judge_product;
ca_judge_rule_function ca_judge_form_factor;
ca_judge_rule_function ca_judge_card_type;
ca_judge_rule_function ca_judge_bus;
ca_judge_rule_function ca_judge_class_a;
ca_judge_rule_function ca_judge_class_c;
ca_judge_rule_function ca_judge_class_u;
ca_judge_rule_function ca_judge_class_v;
ca_judge_rule_function ca_judge_class_e;
ca_judge_rule_function ca_judge_rate_read;
ca_judge_rule_function ca_judge_rate_write;
ca_judge_rule_function ca_judge_iops_read;
ca_judge_rule_function ca_judge_iops_write;
ca_judge_rule_function ca_judge_required;
ca_judge_rule_function ca_judge_label_words;
ca_judge_rule_function ca_judge_measured;

#endif
