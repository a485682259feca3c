/* SPDX-License-Identifier: BSD-2-Clause */
#include "session.h"

#include "cardassay/fill.h"

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

int ca_session_fill(struct ca_session *session)
{
	struct ca_fill_options options = {
		.seed = session->seed,
		.map_all = session->options->map_all,
		.progress = on_progress,
		.progress_context = session,
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
