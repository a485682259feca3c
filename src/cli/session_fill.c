/* SPDX-License-Identifier: BSD-2-Clause */
#include "session.h"

#include "cardassay/fill.h"

#include <errno.h>
#include <string.h>

static const char *phase_name(enum ca_fill_phase phase)
{
	switch (phase) {
	case CA_FILL_PHASE_WRITE:
		return "writing";
	case CA_FILL_PHASE_CHECK:
		return "checking";
	case CA_FILL_PHASE_READ:
		return "reading back";
	}
	return "";
}

static int on_progress(void *context, const struct ca_fill_progress *progress)
{
	struct ca_session *session = context;
	struct ca_progress_report report = {
		.what = phase_name(progress->phase),
		.done = progress->done_bytes,
		.total = progress->total_bytes,
		.elapsed_ns = progress->elapsed_ns,
		.bytes = progress->done_bytes,
		.bad_sectors = progress->bad_sectors,
		.device_bytes = session->device->geometry.bytes,
		.strip = progress->strip,
	};

	if (progress->phase == CA_FILL_PHASE_WRITE) {
		session->filled_bytes = progress->done_bytes;
		report.then_bytes = progress->total_bytes;
	}
	report.written_bytes = session->filled_bytes;
	ca_progress_tell(&session->progress, &report);
	return ca_interrupted();
}

int ca_session_check_reinit(const struct ca_session *session)
{
	const char *target = session->options->targets[0];
	char why[400];

	if (!session->options->reinit || ca_host_can_reinit(NULL, target, why, sizeof(why)))
		return 0;
	ca_report("refused: --reinit, and the host cannot take %s anew: %s. Nothing was written.",
		  target, why);
	return CA_EXIT_REFUSED;
}

/* Transfer errors that the host counted until now; 0 where it does not say. */
static int64_t count_errors(struct ca_session *session)
{
	struct ca_evidence *evidence = &session->certificate.evidence;
	const struct ca_fact *count = &evidence->host[CA_HOST_ERR_STATS_AFTER];

	ca_host_collect_after(NULL, session->options->targets[0], evidence);
	return count->present ? count->number : 0;
}

/* The host's counters begin at 0 again, and finding the card anew adds to them: neither is of the
 * run. */
static int on_reinit(void *context, struct ca_device *device, struct ca_io_fault *ret_fault)
{
	struct ca_session *session = context;
	int64_t before = count_errors(session);
	int r;

	(void)device; /* the one around it: what is said is said of ours */
	ca_progress_done(&session->progress);
	if (session->options->replug) {
		r = ca_session_replug(session, ret_fault);
		if (r == 0 && ret_fault->status == CA_IO_OK)
			session->errors_carried += before - count_errors(session);
		return r;
	}
	r = ca_device_reinit(session->device, ret_fault);
	if (r == -EOPNOTSUPP)
		ca_report("the host cannot take the card anew any more: %s. It is read back as it "
			  "is.",
			  session->device->failure.text);
	else if (r == 0 && ret_fault->status == CA_IO_OK)
		session->errors_carried += before - count_errors(session);
	else if (r == 0)
		ca_report("%s.", session->device->failure.code ? session->device->failure.text
							       : "the card is gone");
	return r;
}

/* What the fill takes for a new start by the host was the work of hands. */
static void note_replug(struct ca_session *session)
{
	struct ca_capacity_evidence *capacity = &session->certificate.evidence.capacity;
	struct ca_text text;

	/* out of its slot it is no lost device where nobody waits for it any more */
	if (ca_interrupted() && session->options->replug && capacity->end == CA_FILL_LOST &&
	    !capacity->verified_bytes)
		capacity->end = CA_FILL_INTERRUPTED;
	if (!session->replugged)
		return;
	capacity->reinit = CA_REINIT_REPLUG;
	if (capacity->end != CA_FILL_LOST || capacity->verified_bytes)
		return;
	ca_text_init(&text, capacity->lost_because, sizeof(capacity->lost_because));
	ca_text_add(&text, "put back, it does not answer; the last sector written was ");
	ca_text_u64(&text,
		    capacity->written_bytes / CA_SECTOR_BYTES - (capacity->written_bytes ? 1 : 0));
}

static int run_attended(struct ca_session *session, const struct ca_fill_options *options)
{
	struct ca_device *attended = NULL;
	int r = ca_session_attend(session, &attended);

	if (r < 0)
		return r;
	r = ca_fill_run(attended, options, &session->certificate.evidence.capacity);
	ca_session_unattend(session, attended, r);
	return r;
}

int ca_session_fill(struct ca_session *session)
{
	struct ca_fill_options options = {
		.seed = session->seed,
		.cipher = session->cipher,
		.map_all = session->options->map_all,
		.buffer_bytes = (uint32_t)(session->options->buffers_mib * CA_MIB),
		.progress = on_progress,
		.progress_context = session,
		.reinit = session->options->reinit || session->options->replug ? on_reinit : NULL,
		.reinit_context = session,
	};
	int r = ca_session_recheck(session);

	if (r)
		return r;
	memcpy(options.secret, session->secret, sizeof(options.secret));
	memcpy(options.run_id, session->run_id, sizeof(options.run_id));
	memcpy(options.device_id, session->device_id, sizeof(options.device_id));
	r = run_attended(session, &options);
	ca_progress_done(&session->progress);
	note_replug(session);
	if (r < 0) {
		ca_session_report_failure(session, "the fill", r);
		return CA_EXIT_HOST_IO;
	}
	return 0;
}
