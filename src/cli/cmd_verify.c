/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Checks the signature and judges the evidence again. 0: signed, valid, same verdict.
 */
#include "cli.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define SIGNATURE_BYTES_MAX 65536U

enum signature_state {
	SIGNATURE_NONE,
	SIGNATURE_NOT_CHECKED, /* there is one, but no public key was given */
	SIGNATURE_GOOD,
	SIGNATURE_BAD,
};

/* How the file's judgement compares with the one that its evidence gives here. */
enum agreement {
	AGREEMENT_NONE,	    /* another verdict, or words that these tables do not give */
	AGREEMENT_OUTCOMES, /* other tables: the same outcomes, the words cannot be compared */
	AGREEMENT_WHOLE,
};

/* A file and its evidence judged here; large, so on the heap. */
struct verification {
	struct ca_certificate file; /* its judgement is what it says of itself */
	struct ca_judgement said;   /* the same, while the file's place is used */
	struct ca_judgement now;
	enum signature_state state;
	enum agreement agreement;
	size_t unknown_rules; /* findings of rules that these tables do not have */
};

static const char *agreement_name(enum agreement agreement)
{
	switch (agreement) {
	case AGREEMENT_NONE:
		return "nothing";
	case AGREEMENT_OUTCOMES:
		return "outcomes";
	case AGREEMENT_WHOLE:
		return "every word";
	}
	return "";
}

static const char *state_name(enum signature_state state)
{
	switch (state) {
	case SIGNATURE_NONE:
		return "none";
	case SIGNATURE_NOT_CHECKED:
		return "not checked";
	case SIGNATURE_GOOD:
		return "good";
	case SIGNATURE_BAD:
		return "bad";
	}
	return "";
}

/* --pubkey is a file or the base64 key itself. */
static int read_public_key(const char *pubkey, struct ca_public_key *ret_key,
			   struct ca_error *error)
{
	CA_CLEANUP_FREE char *text = NULL;
	struct ca_error ignored = {0};
	size_t len;

	if (ca_sign_parse_public(pubkey, strlen(pubkey), ret_key, &ignored) == 0)
		return 0;
	if (ca_file_read(pubkey, SIGNATURE_BYTES_MAX, &text, &len, error) < 0)
		return error->code;
	return ca_sign_parse_public(text, len, ret_key, error);
}

static int check_signature(const struct ca_options *options, const char *json, size_t json_len,
			   enum signature_state *ret_state, char *ret_comment, size_t comment_size,
			   struct ca_error *error)
{
	CA_CLEANUP_FREE char *signature = NULL;
	struct ca_public_key key;
	struct ca_error missing = {0};
	char name[4200];
	size_t len;
	int r;

	*ret_state = SIGNATURE_NONE;
	if (strcmp(options->targets[0], "-") == 0)
		return 0;
	(void)snprintf(name, sizeof(name), "%s.minisig", options->targets[0]);
	r = ca_file_read(name, SIGNATURE_BYTES_MAX, &signature, &len, &missing);
	if (r == -ENOENT)
		return 0;
	if (r < 0)
		return ca_error_set(error, r, "%s", missing.text);
	*ret_state = SIGNATURE_NOT_CHECKED;
	if (!options->pubkey)
		return 0;
	r = read_public_key(options->pubkey, &key, error);
	if (r < 0)
		return r;
	r = ca_sign_verify(&key, json, json_len, signature, len, ret_comment, comment_size, error);
	*ret_state = r == 0 ? SIGNATURE_GOOD : SIGNATURE_BAD;
	return 0;
}

static int exit_code(enum signature_state state, enum agreement agreement)
{
	if (state == SIGNATURE_BAD)
		return CA_EXIT_BAD_SIGNATURE;
	if (agreement == AGREEMENT_NONE)
		return CA_EXIT_JUDGED_DIFFERENTLY;
	return state == SIGNATURE_GOOD ? CA_EXIT_PASS : CA_EXIT_UNSIGNED;
}

static int print_json(const struct ca_certificate *file, const struct ca_judgement *now,
		      enum signature_state state, enum agreement agreement)
{
	json_t *object =
		json_pack("{s:s, s:s, s:s, s:s, s:b, s:s, s:s, s:s, s:s}", "id", file->id, "origin",
			  ca_origin_name(file->evidence.origin), "signature", state_name(state),
			  "verdict", ca_verdict_name(file->judgement.verdict), "judged_the_same",
			  agreement != AGREEMENT_NONE, "agrees_in", agreement_name(agreement),
			  "verdict_now", ca_verdict_name(now->verdict), "headline", now->headline,
			  "specs_sha256_now", ca_specs_sha256);
	CA_CLEANUP_FREE char *text = object ? json_dumps(object, JSON_INDENT(2)) : NULL;
	struct ca_error error = {0};

	json_decref(object);
	if (!text)
		return ca_report_error(&error, -ENOMEM);
	if (ca_stdout_write(text, strlen(text), &error) < 0 || ca_stdout_write("\n", 1, &error) < 0)
		return ca_report_error(&error, error.code);
	return 0;
}

/* The first line: may this file be relied on? */
static const char *answer(enum signature_state state, enum agreement agreement)
{
	if (state == SIGNATURE_BAD)
		return "BAD SIGNATURE: do not rely on this file.";
	if (agreement == AGREEMENT_NONE)
		return "JUDGED DIFFERENTLY: its evidence does not give what it states.";
	switch (state) {
	case SIGNATURE_NONE:
		return agreement == AGREEMENT_WHOLE
			       ? "UNSIGNED: its evidence gives the verdict it states, but anyone "
				 "can have made it."
			       : "UNSIGNED: its evidence gives the outcomes it states, but anyone "
				 "can have made it, and its words were not compared.";
	case SIGNATURE_NOT_CHECKED:
		return "NOT CHECKED: its evidence gives the verdict it states; the signature needs "
		       "--pubkey.";
	case SIGNATURE_GOOD:
	case SIGNATURE_BAD:
		break;
	}
	return "VALID: signed, and its evidence gives the verdict it states.";
}

static const char *answer_level(enum signature_state state, enum agreement agreement)
{
	if (state == SIGNATURE_BAD || agreement == AGREEMENT_NONE)
		return "error";
	return state == SIGNATURE_GOOD ? "note" : "warning";
}

/* The results are what the evidence gives now, never what the file says of itself. */
static int print_sarif(const struct ca_options *options, struct verification *v)
{
	CA_CLEANUP_FREE char *text = NULL;
	struct ca_error error = {0};
	struct ca_sarif_end end = {
		.exit_code = exit_code(v->state, v->agreement),
		.successful = true,
		.level = answer_level(v->state, v->agreement),
		.notice = answer(v->state, v->agreement),
	};
	int r;

	v->file.judgement = v->now;
	r = ca_certificate_to_sarif(&v->file, options->targets[0], CARDASSAY_VERSION, &end, &text);
	v->file.judgement = v->said;
	if (r == 0)
		r = ca_stdout_write(text, strlen(text), &error);
	return r < 0 ? ca_report_error(&error, r) : 0;
}

static int print_whole(const struct ca_options *options, const struct ca_certificate *file)
{
	struct ca_view_options view = {.colour = ca_stream_has_colour(options, stdout),
				       .all = true};
	CA_CLEANUP_FREE char *text = NULL;
	int r = ca_certificate_to_text(file, &view, &text);

	if (r == 0)
		(void)printf("\n%s", text); /* the stream keeps its error */
	return r;
}

static int print_text(const struct ca_options *options, const struct verification *v,
		      const char *comment)
{
	const struct ca_certificate *file = &v->file;
	char issued[CA_TIME_TEXT_MAX], says[4 * sizeof(file->judgement.headline)];
	struct ca_text escaped;

	/* the file's words, perhaps forged: no control byte reaches the terminal */
	ca_text_init(&escaped, says, sizeof(says));
	ca_text_escaped(&escaped, file->judgement.headline, strlen(file->judgement.headline));
	ca_time_format(file->issued, issued);
	(void)printf("%s\n\n", answer(v->state, v->agreement));
	(void)printf("Certificate  %s, issued %s\n", file->id, issued);
	if (file->evidence.origin != CA_ORIGIN_LIVE)
		(void)printf("Origin       %s: this is not a certificate of a real card\n",
			     ca_origin_name(file->evidence.origin));
	switch (v->state) {
	case SIGNATURE_NONE:
		(void)printf("Signature    none: nothing says who made this file\n");
		break;
	case SIGNATURE_NOT_CHECKED:
		(void)printf("Signature    there is one, not checked: give --pubkey=KEY\n");
		break;
	case SIGNATURE_GOOD:
		(void)printf("Signature    good (%s)\n", comment);
		break;
	case SIGNATURE_BAD:
		(void)printf(
			"Signature    BAD: the file or the signature was changed, or the key is "
			"another\n");
		break;
	}
	(void)printf("Says         %s\n", says);
	if (v->agreement == AGREEMENT_WHOLE)
		(void)printf("Judged again the same\n");
	else if (v->agreement == AGREEMENT_OUTCOMES)
		(void)printf("Judged again the same outcomes: %s\n", v->now.headline);
	else if (strcmp(file->judgement.headline, v->now.headline) == 0)
		(void)printf("Judged again DIFFERENTLY: the same headline, but other findings or "
			     "details\n");
	else
		(void)printf("Judged again DIFFERENTLY: %s\n", v->now.headline);
	if (v->agreement != AGREEMENT_WHOLE && strcmp(file->specs_sha256, ca_specs_sha256) != 0)
		(void)printf("             It was judged by other rule tables (%.12s...; here are "
			     "%.12s...)\n",
			     file->specs_sha256, ca_specs_sha256);
	if (v->unknown_rules)
		(void)printf("             %zu findings are of rules this version does not know\n",
			     v->unknown_rules);
	return options->all ? print_whole(options, file) : 0;
}

/* Judges the evidence here, and compares. */
static int judge_again(const char *json, size_t len, struct verification *v, struct ca_error *error)
{
	bool repeats = false;
	int r;

	v->said = v->file.judgement;
	memset(&v->file.judgement, 0, sizeof(v->file.judgement));
	r = ca_certificate_judge(&v->file, error);
	v->now = v->file.judgement;
	if (r == 0)
		r = ca_certificate_repeats(json, len, &v->file, &repeats);
	v->file.judgement = v->said;
	if (r < 0)
		return r;
	if (repeats && v->unknown_rules == 0 && ca_judgement_is_same(&v->said, &v->now))
		v->agreement = AGREEMENT_WHOLE;
	else if (strcmp(v->file.specs_sha256, ca_specs_sha256) != 0 &&
		 ca_judgement_has_same_outcomes(&v->said, &v->now))
		v->agreement = AGREEMENT_OUTCOMES;
	return 0;
}

static int verify(const struct ca_options *options, struct verification *v, struct ca_error *error)
{
	CA_CLEANUP_FREE char *json = NULL;
	char comment[256] = "", escaped[1024];
	size_t len;
	struct ca_text text;
	int r = ca_file_read(options->targets[0], CA_CERTIFICATE_BYTES_MAX, &json, &len, error);

	if (r == 0)
		r = ca_certificate_from_json(json, len, &v->file, &v->unknown_rules, error);
	if (r == 0)
		r = check_signature(options, json, len, &v->state, comment, sizeof(comment), error);
	if (r == 0)
		r = judge_again(json, len, v, error);
	if (r < 0)
		return r;
	ca_text_init(&text, escaped, sizeof(escaped));
	ca_text_escaped(&text, comment, strlen(comment));
	if (options->format == CA_FORMAT_JSON)
		r = print_json(&v->file, &v->now, v->state, v->agreement);
	else if (options->format == CA_FORMAT_SARIF)
		r = print_sarif(options, v);
	else
		r = print_text(options, v, escaped);
	if (!r)
		r = ca_stdout_finish();
	return r ? r : exit_code(v->state, v->agreement);
}

int ca_cmd_verify(const struct ca_options *options)
{
	struct verification *v = calloc(1, sizeof(*v));
	struct ca_error error = {0};
	int r;

	if (!v)
		return ca_report_error(&error, -ENOMEM);
	r = verify(options, v, &error);
	ca_judgement_done(&v->now);
	ca_certificate_done(&v->file);
	free(v);
	return r < 0 ? ca_report_error(&error, r) : r;
}
