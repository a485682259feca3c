/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lines of a text view: wrapped, indented, optionally coloured. Whatever is printed passes
 * ca_text_clean here, so that no string of a card or a file can steer a terminal.
 */
#ifndef CA_CERTIFICATE_VIEW_H
#define CA_CERTIFICATE_VIEW_H

#include "cardassay/certificate.h"

#include <stdio.h>

enum ca_view_style {
	CA_STYLE_PLAIN,
	CA_STYLE_BOLD,
	CA_STYLE_GOOD,
	CA_STYLE_BAD,
	CA_STYLE_DOUBT,
};

struct ca_view {
	FILE *file;
	char *text;
	size_t bytes;
	unsigned int columns;
	bool colour, all;
};

/* Room for one line's text while it is put together. */
struct ca_view_words {
	char buf[200];
	struct ca_text text;
};
struct ca_text *ca_view_start(struct ca_view_words *words);

/* -ENOMEM. _finish hands the text over (malloc'ed) and closes the view, also on failure. */
int ca_view_begin(struct ca_view *view, const struct ca_view_options *options);
int ca_view_finish(struct ca_view *view, char **ret_text);

/*
 * `lead` in a style at column `indent`, then `text` wrapped from column `hang` on (or after the
 * lead where that is longer). `lead` and `text` may be "".
 */
void ca_view_lead(struct ca_view *view, unsigned int indent, enum ca_view_style style,
		  const char *lead, unsigned int hang, const char *text);
/* Label in two columns' indent, text from column 20 on. */
void ca_view_pair(struct ca_view *view, const char *label, const char *text);
/* Likewise: a number, grouped, and its unit (" KiB"). */
void ca_view_count(struct ca_view *view, const char *label, uint64_t value, const char *unit);
/* The first bytes of a sector, in hex. */
void ca_view_sample(struct ca_view *view, const char *label, const uint8_t bytes[32]);
void ca_view_heading(struct ca_view *view, const char *title);
void ca_view_blank(struct ca_view *view);
/* One line that is never wrapped; only `word` has the style. */
void ca_view_line(struct ca_view *view, const char *before, enum ca_view_style style,
		  const char *word, const char *after);

enum ca_view_style ca_view_verdict_style(enum ca_verdict verdict);

/* "4 KiB", "256 MiB", "65,537 bytes" */
void ca_view_binary(struct ca_text *text, uint64_t bytes);
/* "18 ms", "1.2 s", "10 min 0 s" */
void ca_view_duration(struct ca_text *text, uint64_t ns);

/* ---- sections ------------------------------------------------------------------------------ */

/* The line that says a view is not of a real card, NULL for a live one. */
const char *ca_view_overprint(enum ca_origin origin);

void ca_view_headline(struct ca_view *view, const struct ca_judgement *judgement);
void ca_view_capacity(struct ca_view *view, const struct ca_capacity_evidence *capacity);
/* "" where there is nothing to say; has_size: the real capacity is known. */
const char *ca_view_kind_sentence(enum ca_capacity_kind kind, bool has_size);
void ca_view_probe(struct ca_view *view, const struct ca_probe_evidence *probe);
void ca_view_speed(struct ca_view *view, const struct ca_speed_evidence *speed);
/* view_survey.c: the matrix, the rates over the addresses, other tools' figures beside ours */
void ca_view_survey(struct ca_view *view, const struct ca_evidence *evidence);
/* "label: 128 GB; csd: 127.9 GB": everyone who makes the claim `id` */
void ca_view_claim_sources(struct ca_text *text, const struct ca_claims *claims, const char *id);
void ca_view_claims(struct ca_view *view, const struct ca_judgement *judgement);
/* Warnings and notes, wrapped, with what to do. */
void ca_view_remarks(struct ca_view *view, const struct ca_certificate *certificate);
void ca_view_identity(struct ca_view *view, const struct ca_identity *identity);
void ca_view_registers(struct ca_view *view, const struct ca_certificate *certificate);
/* Every field of one register, where the view shows all. */
void ca_view_all_fields(struct ca_view *view, const struct ca_raw_registers *raw,
			const struct ca_registers *registers, enum ca_register reg);
/* What the card said of its own health, where it was to be asked. */
void ca_view_vendor(struct ca_view *view, const struct ca_vendor_health *health);
void ca_view_nvme(struct ca_view *view, const struct ca_evidence *evidence,
		  const struct ca_registers *registers);

#endif
