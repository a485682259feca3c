/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CARDASSAY_CLI_JOURNAL_FILE_H
#define CARDASSAY_CLI_JOURNAL_FILE_H

#include "session.h"

#include "cardassay/fill.h"

struct ca_journal_file {
	char directory[4096];
	char path[4200];
	int fd;
	bool named; /* it has a name to be removed */
};

/* A new file with room for so many bytes. Negative errno with error. */
int ca_journal_file_open(const struct ca_session *session, uint64_t bytes,
			 struct ca_journal_file *file, struct ca_error *error);
/* Takes what _open left, also after its failure. */
void ca_journal_file_close(struct ca_journal_file *file, bool keep);

/* Which card and which test data, for a restore after a crash. */
void ca_journal_describe_card(const struct ca_session *session, enum ca_cipher cipher,
			      struct ca_journal_card *ret_card);

#endif
