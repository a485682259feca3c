/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * certificate: evidence + findings <-> JSON, the text and SARIF views, signature, verification.
 *
 * JSON "cardassay-certificate-1" is the record (specs/certificate.schema.json); everything else is
 * a view. Files are parsed as hostile input: bounded size, depth, counts and string lengths.
 */
#ifndef CARDASSAY_CERTIFICATE_H
#define CARDASSAY_CERTIFICATE_H

#include "cardassay/base.h"
#include "cardassay/evidence.h"
#include "cardassay/judge.h"

#define CA_CERTIFICATE_BYTES_MAX (16U * 1024U * 1024U)

struct ca_certificate {
	char id[40];	 /* 32 hex digits */
	uint64_t issued; /* seconds since 1970, UTC */
	enum ca_profile profile;
	char label[256];
	char options[CA_REQUIRE_MAX][64];
	size_t option_count;
	char require[CA_REQUIRE_MAX][20];
	size_t require_count;
	char operator_name[96], organisation[96], reference[96];
	char tool_version[32], specs_sha256[65];
	struct ca_evidence evidence;
	struct ca_judgement judgement; /* as judged now (made) or as the file says (read) */
};

void ca_certificate_done(struct ca_certificate *certificate);

/*
 * Judges certificate->evidence into certificate->judgement. What people typed (label, options,
 * operator ...) is made printable UTF-8 first, so that the document says what was judged. -EINVAL
 * with error when an option does not parse; the judgement is then as it was.
 */
int ca_certificate_judge(struct ca_certificate *certificate, struct ca_error *error);

/* ---- JSON (src/certificate/certificate_json.c, json_*.c) ----------------------------------- */

/*
 * Serialises; *ret_text is malloc'ed, NUL-terminated, ends in a newline, and the same bytes come
 * out for the same certificate on every machine. `pretty`: indented by two.
 */
int ca_certificate_to_json(const struct ca_certificate *certificate, bool pretty, char **ret_text,
			   size_t *ret_len);

/*
 * Parses. The judgement of the result holds what the file says (findings whose rule id is unknown
 * here are dropped and counted in *ret_unknown_rules). -EBADMSG with one clear sentence in error.
 */
int ca_certificate_from_json(const char *text, size_t len, struct ca_certificate *ret_certificate,
			     size_t *ret_unknown_rules, struct ca_error *error);

/*
 * Whether what the file repeats for its readers (identity, claims and their outcomes, decoded) is
 * what certificate, judged again, would repeat. text is what ca_certificate_from_json took.
 * -ENOMEM.
 */
int ca_certificate_repeats(const char *text, size_t len, const struct ca_certificate *certificate,
			   bool *ret_same);

/* ---- views (src/certificate/view_*.c) -------------------------------------------- */

struct ca_view_options {
	bool colour;
	unsigned int columns; /* 0 = 80 */
	bool all;	      /* passes and notes in full */
};

/* The text certificate: headline, what was found, H2testw-like block, claims, host. malloc'ed. */
int ca_certificate_to_text(const struct ca_certificate *certificate,
			   const struct ca_view_options *options, char **ret_text);

/* What `inspect` prints: registers decoded with meaning beside the value, then the findings. */
int ca_certificate_inspect_text(const struct ca_certificate *certificate,
				const struct ca_view_options *options, char **ret_text);

/*
 * The certificate with one member more at its end, "rules": what became of every rule that there
 * is, those that do not apply among them. malloc'ed, -ENOMEM.
 */
int ca_certificate_inspect_json(const struct ca_certificate *certificate, bool pretty,
				char **ret_text);

/* ---- SARIF 2.1.0 (src/certificate/sarif*.c) ------------------------------------------------- */

/*
 * One log with one run, a view like the others: every finding is a result, passes too, and so is
 * every rule that has none, as "pass" or "notApplicable" (of the first hundred cards; a notice says
 * so). It is made piece by piece, so that many cards need no more memory than one: _begin, _add
 * once a card, _finish; the pieces, one behind the other, are the log. *ret_text is malloc'ed.
 * -ENOMEM.
 */
struct ca_sarif {
	uint64_t cards, failed, results;
	uint64_t cards_without_states; /* of them only findings are in the log */
	unsigned int origins;	       /* bit n: a card of the n-th enum ca_origin */
	enum ca_verdict verdict;       /* of the first card */
	char headline[512];
};

struct ca_sarif_end {
	int exit_code;	   /* of the program */
	bool successful;   /* it did what it was asked to; a card that fails does not change that */
	const char *level; /* of the notice: "error" "warning" "note" */
	const char *notice; /* what must be known of the run, NULL or "" = nothing */
};

int ca_sarif_begin(struct ca_sarif *sarif, const char *version, char **ret_text);
/* `artifact`: what was looked at, as the user named it: a device string, a directory, a file, "-"
 */
int ca_sarif_add(struct ca_sarif *sarif, const struct ca_certificate *certificate,
		 const char *artifact, char **ret_text);
int ca_sarif_finish(const struct ca_sarif *sarif, const struct ca_sarif_end *end, char **ret_text);

/* The whole log of one card. */
int ca_certificate_to_sarif(const struct ca_certificate *certificate, const char *artifact,
			    const char *version, const struct ca_sarif_end *end, char **ret_text);

struct ca_fields_options {
	bool json;  /* objects, each but the first behind a comma: the caller puts the brackets */
	bool named; /* lines of several cards: each begins with its device and a colon */
};

/*
 * What `inspect --fields` prints: every field of every register that was read, one line each, five
 * columns separated by tabs: REGISTER.FIELD, [hi:lo], raw, decoded, (clause). Nothing is
 * judged. malloc'ed; "" when there is no register.
 */
int ca_certificate_fields(const struct ca_evidence *evidence,
			  const struct ca_fields_options *options, char **ret_text);

/* ---- signature, minisign format (src/certificate/minisign.c, sign.c) ------------------------- */

#define CA_SIGN_KEY_ID_BYTES 8U
struct ca_public_key {
	uint8_t id[CA_SIGN_KEY_ID_BYTES];
	uint8_t key[32];
};
struct ca_secret_key {
	uint8_t id[CA_SIGN_KEY_ID_BYTES];
	uint8_t seed[32];
	uint8_t key[32]; /* public half */
};

/* From 40 bytes of entropy (8 id, 32 seed), so that tests are reproducible. */
int ca_sign_keygen(const uint8_t entropy[40], struct ca_secret_key *ret_secret);

/* File texts, malloc'ed: minisign public key, unencrypted minisign secret key (as minisign -W). */
int ca_sign_format_public(const struct ca_public_key *key, char **ret_text);
int ca_sign_format_secret(const struct ca_secret_key *key, char **ret_text);
/* -EBADMSG malformed; -ENOKEY an encrypted secret key (error says what to do). `text` of a public
 * key may be the file or the bare base64 line. */
int ca_sign_parse_public(const char *text, size_t len, struct ca_public_key *ret_key,
			 struct ca_error *error);
int ca_sign_parse_secret(const char *text, size_t len, struct ca_secret_key *ret_key,
			 struct ca_error *error);

/* Detached .minisig text over `data` (prehashed, BLAKE2b-512). `trusted_comment` is one line. */
int ca_sign_data(const struct ca_secret_key *key, const void *data, size_t bytes,
		 const char *trusted_comment, char **ret_text, struct ca_error *error);
/* 0 good; -EKEYREJECTED wrong signature; -ENOKEY another key id; -EBADMSG malformed. Accepts
 * prehashed ("ED") and legacy ("Ed") signatures. */
int ca_sign_verify(const struct ca_public_key *key, const void *data, size_t bytes,
		   const char *signature, size_t signature_len, char *ret_trusted_comment,
		   size_t trusted_comment_size, struct ca_error *error);

#endif
