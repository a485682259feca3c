/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli.h"

/* By the rule the fill goes to an erased card, and a drive is measured fresh as well. */
static int prepare(struct ca_session *session, enum ca_profile profile)
{
	int ended = 0;

	if (profile != CA_PROFILE_FULL)
		return 0;
	ended = ca_session_erase(session);
	if (!ended && ca_session_is_nvme(session) && !ca_interrupted())
		ended = ca_session_speed_fresh(session);
	return ended;
}

int ca_cmd_certify(const struct ca_options *options)
{
	struct ca_session *session;
	int ended, code, r;

	if (options->profile == CA_PROFILE_QUICK)
		return ca_cmd_probe(options);
	r = ca_session_open(options, options->profile, true, &session);
	if (r)
		return r;
	ended = prepare(session, options->profile);
	if (!ended && !ca_interrupted())
		ended = ca_session_fill(session);
	/* A fault of the capacity ends the run: speed claims stay untested. */
	if (!ended && ca_session_is_sound(session) && !ca_interrupted())
		ended = ca_session_speed_classes(session);
	code = ca_session_finish(session);
	ca_session_close(session);
	return ca_exit_of_run(code, ended);
}
