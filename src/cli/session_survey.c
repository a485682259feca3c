/* SPDX-License-Identifier: BSD-2-Clause */
/* speed --matrix and speed --like: figures that reviewers print, and those of other tools. */
#include "session.h"

#include "cardassay/speed.h"

#include <errno.h>
#include <string.h>

#define RUN_SECONDS UINT64_C(3) /* of each of 120 runs */

/* What the thread of the phase works on: it may outlive the phase, and has its own results. */
static struct survey_phase {
	struct ca_device *device, *cached;
	struct ca_speed_options options;
	struct ca_speed_survey_plan plan;
	enum ca_like_tool tool;
	struct ca_survey_evidence survey;
	bool gone;
} phase;

static int run_matrix(void *context)
{
	struct survey_phase *survey = context;

	return ca_speed_run_survey(survey->device, &survey->plan, &survey->options, &survey->survey,
				   &survey->gone);
}

static int run_like(void *context)
{
	struct survey_phase *survey = context;

	return ca_speed_run_like(survey->device, survey->cached, survey->tool, &survey->options,
				 &survey->survey, &survey->gone);
}

uint64_t ca_session_survey_seconds(const struct ca_session *session)
{
	uint64_t seconds = session->options->seconds ? session->options->seconds : RUN_SECONDS;

	return seconds * CA_SURVEY_RUNS * CA_SURVEY_CELLS_MAX;
}

static int open_cached(struct ca_session *session)
{
	struct ca_error error = {0};
	int r;

	if (session->options->matrix || !ca_like_tool_is_cached(phase.tool))
		return 0;
	r = ca_host_open_cached(session->device, &phase.cached, &error);
	if (r == -EOPNOTSUPP) {
		ca_report("--like=%s goes through the page cache of the host, which a simulated "
			  "card has none of: name a device or an image.",
			  session->options->like);
		return CA_EXIT_USAGE;
	}
	return r < 0 ? ca_report_error(&error, r) : 0;
}

int ca_session_survey(struct ca_session *session)
{
	const struct ca_options *options = session->options;
	int r = ca_session_recheck(session);

	if (r)
		return r;
	if (session->device->geometry.bytes < 4 * CA_MIB) {
		ca_report("%s is too small to measure: 4 MiB is the least.", options->targets[0]);
		return CA_EXIT_USAGE;
	}
	phase = (struct survey_phase){
		.device = session->device,
		.options = ca_session_speed_options(session),
		.plan = {.run_ns = ca_session_survey_seconds(session) * CA_NS_PER_SECOND /
				   (CA_SURVEY_RUNS * CA_SURVEY_CELLS_MAX),
			 .queue_depth = options->queue_depth ? options->queue_depth : 1},
		.tool = options->like_tool,
	};
	r = open_cached(session);
	if (r)
		return r;
	ca_session_note_conditions(session);
	r = ca_session_run_phase(session, options->matrix ? run_matrix : run_like, &phase);
	session->certificate.evidence.survey = phase.survey;
	if (!session->stuck)
		ca_device_close(phase.cached);
	return ca_session_speed_end(session, r, phase.gone);
}
