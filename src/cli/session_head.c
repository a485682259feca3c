/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The head of a card in a restore journal, the same that a probe keeps: a loss of power in the
 * midst of a run, or a card pulled out, leaves a file that 'cardassay restore' puts back.
 */
#include "journal_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct ca_head_journal {
	struct ca_journal_file file;
	struct ca_journal *journal;
};

static int save_piece(void *context, uint64_t offset, uint32_t bytes, const uint8_t *data)
{
	return ca_journal_save(context, offset, bytes, data);
}

static int begin(struct ca_session *session, struct ca_head_journal *kept, struct ca_error *error)
{
	const struct ca_content *content = &session->content;
	struct ca_journal_card card;
	int r = ca_journal_file_open(session, content->head_bytes + content->tail_bytes + CA_MIB,
				     &kept->file, error);

	if (r < 0)
		return r;
	session->cipher = ca_pattern_fastest(); /* restoring has to know the test data again */
	ca_journal_describe_card(session, session->cipher, &card);
	r = ca_journal_create(kept->file.fd, &card, &kept->journal);
	if (r == 0)
		r = ca_head_walk(session->head, save_piece, kept->journal);
	if (r == 0)
		r = ca_journal_sync(kept->journal);
	return r < 0 ? ca_error_set(error, r, "cannot write the journal %s: %s.", kept->file.path,
				    strerror(-r))
		     : 0;
}

void ca_head_journal_open(struct ca_session *session)
{
	struct ca_head_journal *kept = calloc(1, sizeof(*kept));
	struct ca_error error = {.text = "out of memory"};

	if (!kept)
		return; /* the head is in memory all the same */
	kept->file.fd = -1;
	session->head_journal = kept;
	if (begin(session, kept, &error) == 0)
		return;
	ca_report("its file system is kept in memory only, and would not outlive a loss of power: "
		  "%s",
		  error.text);
	ca_head_journal_close(session, false);
}

void ca_head_journal_close(struct ca_session *session, bool keep)
{
	struct ca_head_journal *kept = session->head_journal;

	if (!kept)
		return;
	if (keep)
		ca_report("the file system it came with is in %s: once the card is there again, "
			  "'cardassay restore %s' puts it back.",
			  kept->file.path, kept->file.path);
	ca_journal_free(kept->journal);
	ca_journal_file_close(&kept->file, keep);
	free(kept);
	session->head_journal = NULL;
}
