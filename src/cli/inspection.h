/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * inspection: one card read, judged and shown without any I/O on its data. What `inspect` and
 * `station --inspect` share.
 */
#ifndef CARDASSAY_CLI_INSPECTION_H
#define CARDASSAY_CLI_INSPECTION_H

#include "cli.h"

/* A fresh certificate of the profile inspect; its id is drawn anew. What it held is freed. */
int ca_inspection_begin(const struct ca_options *options, struct ca_certificate *certificate,
			struct ca_error *error);

/* Reads registers and facts of a device or a directory into it, with what --registers lends. */
int ca_inspection_collect(const struct ca_options *options, const char *target,
			  struct ca_certificate *certificate, struct ca_error *error);

/* Masks where it was asked for, and judges. */
int ca_inspection_judge(const struct ca_options *options, struct ca_certificate *certificate,
			struct ca_error *error);

/* As text, or as JSON, which is `pretty` or one line. *ret_text is malloc'ed and ends in a newline.
 */
int ca_inspection_render(const struct ca_options *options, const struct ca_certificate *certificate,
			 bool pretty, char **ret_text);

#endif
