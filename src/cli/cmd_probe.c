/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli.h"

/* Of the probe command and of certify --profile=quick: the same run. */
int ca_cmd_probe(const struct ca_options *options)
{
	struct ca_session *session;
	int r = ca_session_open(options, CA_PROFILE_QUICK, true, &session);
	bool begun = false;
	int ended, code;

	if (r)
		return r;
	ended = ca_session_probe(session, &begun);
	/* without a place for its journal nothing was done that could be certified */
	code = begun ? ca_session_finish(session) : ended;
	ca_session_close(session);
	return ca_exit_of_run(code, ended);
}
