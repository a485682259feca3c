/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli.h"

#include <string.h>

static bool is_writing(const struct ca_options *options)
{
	if (options->only)
		return strstr(options->only, "write") != NULL;
	return !options->like || ca_like_tool_writes(options->like_tool);
}

static int measure(const struct ca_options *options, struct ca_session *session)
{
	if (options->matrix || options->like)
		return ca_session_survey(session);
	return options->only ? ca_session_speed_only(session) : ca_session_speed_classes(session);
}

int ca_cmd_speed(const struct ca_options *options)
{
	struct ca_session *session;
	int r = ca_session_open(options, CA_PROFILE_SPEED, is_writing(options), &session);
	int ended, code;

	if (r)
		return r;
	ended = measure(options, session);
	if (ended == CA_EXIT_USAGE) {
		ca_session_close(session);
		return ended;
	}
	code = ca_session_finish(session);
	ca_session_close(session);
	return ca_exit_of_run(code, ended);
}
