/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli.h"

int ca_cmd_fill(const struct ca_options *options)
{
	struct ca_session *session;
	int r = ca_session_open(options, CA_PROFILE_FILL, true, &session);
	int ended, code;

	if (r)
		return r;
	ended = ca_session_fill(session);
	code = ca_session_finish(session);
	ca_session_close(session);
	return ca_exit_of_run(code, ended);
}
