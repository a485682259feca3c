/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli.h"

#include <string.h>

int ca_cmd_speed(const struct ca_options *options)
{
	bool writes = !options->only || strstr(options->only, "write") != NULL;
	struct ca_session *session;
	int r = ca_session_open(options, CA_PROFILE_SPEED, writes, &session);
	int ended, code;

	if (r)
		return r;
	ended = options->only ? ca_session_speed_only(session) : ca_session_speed_classes(session);
	if (ended == CA_EXIT_USAGE) {
		ca_session_close(session);
		return ended;
	}
	code = ca_session_finish(session);
	ca_session_close(session);
	return ca_exit_of_run(code, ended);
}
