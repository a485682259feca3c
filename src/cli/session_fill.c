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

	ca_progress_show(&session->progress, phase_name(progress->phase), progress->done_bytes,
			 progress->total_bytes, progress->elapsed_ns, progress->done_bytes, 0,
			 false, progress->bad_sectors);
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

	ca_progress_done(&session->progress);
	r = ca_device_reinit(device, ret_fault);
	if (r == -EOPNOTSUPP)
		ca_report("the host cannot take the card anew any more: %s. It is read back as it "
			  "is.",
			  device->failure.text);
	else if (r == 0 && ret_fault->status == CA_IO_OK)
		session->errors_carried += before - count_errors(session);
	else if (r == 0)
		ca_report("%s.", device->failure.code ? device->failure.text : "the card is gone");
	return r;
}

int ca_session_fill(struct ca_session *session)
{
	struct ca_fill_options options = {
		.seed = session->seed,
		.map_all = session->options->map_all,
		.progress = on_progress,
		.progress_context = session,
		.reinit = session->options->reinit ? on_reinit : NULL,
		.reinit_context = session,
	};
	int r = ca_session_recheck(session);

	if (r)
		return r;
	memcpy(options.secret, session->secret, sizeof(options.secret));
	memcpy(options.run_id, session->run_id, sizeof(options.run_id));
	memcpy(options.device_id, session->device_id, sizeof(options.device_id));
	r = ca_fill_run(session->device, &options, &session->certificate.evidence.capacity);
	ca_progress_done(&session->progress);
	if (r < 0) {
		ca_session_report_failure(session, "the fill", r);
		return CA_EXIT_HOST_IO;
	}
	return 0;
}
