/* SPDX-License-Identifier: BSD-2-Clause */
#include "journal_file.h"

#include "cardassay/fill.h"

#include <errno.h>
#include <string.h>

const char *ca_probe_phase_name(enum ca_probe_phase phase)
{
	switch (phase) {
	case CA_PROBE_PHASE_SAVE:
		return "saving";
	case CA_PROBE_PHASE_WRITE:
		return "writing";
	case CA_PROBE_PHASE_LOOK:
		return "looking";
	case CA_PROBE_PHASE_CHECK:
		return "checking";
	case CA_PROBE_PHASE_RESTORE:
		return "putting back";
	case CA_PROBE_PHASE_VERIFY:
		return "verifying";
	}
	return "";
}

static int on_progress(void *context, const struct ca_probe_progress *progress)
{
	struct ca_session *session = context;

	ca_progress_show(&session->progress, ca_probe_phase_name(progress->phase),
			 progress->done_bytes, progress->total_bytes, progress->elapsed_ns,
			 progress->done_bytes, 0, false, progress->bad_samples);
	return ca_interrupted();
}

void ca_journal_describe_card(const struct ca_session *session, enum ca_cipher cipher,
			      struct ca_journal_card *ret_card)
{
	const struct ca_evidence *evidence = &session->certificate.evidence;
	struct ca_journal_card *card = ret_card;

	*card = (struct ca_journal_card){
		.announced_bytes = session->device->geometry.bytes,
		.sector_bytes = session->device->geometry.sector_bytes,
		.cipher = cipher,
		.started_at = evidence->collected_at,
		.has_cid = evidence->registers.has[CA_REGISTER_CID] &&
			   !evidence->device.registers_lent,
	};
	memcpy(card->secret, session->secret, sizeof(card->secret));
	memcpy(card->run_id, session->run_id, sizeof(card->run_id));
	memcpy(card->device_id, session->device_id, sizeof(card->device_id));
	if (card->has_cid)
		memcpy(card->cid, evidence->registers.cid, sizeof(card->cid));
	/* for people: cut is fine */
	(void)ca_string_copy(card->node, sizeof(card->node), session->options->targets[0]);
	(void)ca_string_copy(card->model, sizeof(card->model), evidence->device.model);
	(void)ca_string_copy(card->serial, sizeof(card->serial), evidence->device.serial);
}

static int run_attended(struct ca_session *session, const struct ca_probe_options *options)
{
	struct ca_device *attended = NULL;
	int r = ca_session_attend(session, &attended);

	if (r < 0)
		return r;
	r = ca_probe_run(attended, options, &session->certificate.evidence.probe);
	ca_session_unattend(session, attended, r);
	return r;
}

static void say_kept(const struct ca_session *session, const struct ca_journal_file *file)
{
	const struct ca_probe_evidence *probe = &session->certificate.evidence.probe;

	if (!file->named)
		return;
	if (probe->unrestored_bytes)
		ca_report("%llu bytes of what was on %s could not be put back. They are in %s: "
			  "write nothing to the card, and try 'cardassay restore %s'.",
			  (unsigned long long)probe->unrestored_bytes, session->options->targets[0],
			  file->path, file->path);
	else
		ca_report("what was on %s is not all put back. It is in %s: write nothing to the "
			  "card, and as soon as it is there again, run 'cardassay restore %s'.",
			  session->options->targets[0], file->path, file->path);
}

static int run_journalled(struct ca_session *session, struct ca_probe_options *options,
			  struct ca_journal_file *file)
{
	struct ca_journal_card card;
	struct ca_error error = {0};
	bool keep;
	int r;

	ca_journal_describe_card(session, options->cipher, &card);
	r = ca_journal_create(file->fd, &card, &options->journal);
	if (r < 0) {
		(void)ca_error_set(&error, r, "cannot write the journal: %s. Nothing was written.",
				   strerror(-r));
		ca_journal_file_close(file, false);
		return ca_report_error(&error, r);
	}
	r = run_attended(session, options);
	ca_progress_done(&session->progress);
	keep = session->certificate.evidence.probe.journal_kept;
	if (keep)
		say_kept(session, file);
	ca_journal_free(options->journal);
	ca_journal_file_close(file, keep);
	if (r < 0) {
		ca_session_report_failure(session, "the check", r);
		return CA_EXIT_HOST_IO;
	}
	return 0;
}

int ca_session_probe(struct ca_session *session, bool *ret_begun)
{
	struct ca_probe_options options = {
		.seed = session->seed,
		.deep = session->options->deep,
		.progress = on_progress,
		.progress_context = session,
	};
	struct ca_probe_cost cost;
	struct ca_journal_file file;
	struct ca_error error = {0};
	int r = ca_session_recheck(session);

	if (r)
		return r;
	memcpy(options.secret, session->secret, sizeof(options.secret));
	memcpy(options.run_id, session->run_id, sizeof(options.run_id));
	memcpy(options.device_id, session->device_id, sizeof(options.device_id));
	options.cipher = ca_pattern_fastest();
	ca_probe_cost_of(&session->device->geometry, options.deep, &cost);
	r = ca_journal_file_open(session, cost.journal_bytes, &file, &error);
	if (r < 0)
		return ca_report_error(&error, r);
	*ret_begun = true;
	return run_journalled(session, &options, &file);
}
