/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli.h"

#include <signal.h>
#include <string.h>

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
	(void)number;
	interrupted = 1;
}

void ca_interrupt_install(void)
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = on_signal;
	/* The first signal asks for an orderly end; a second one ends the program at once. */
	action.sa_flags = SA_RESTART | (int)SA_RESETHAND;
	(void)sigaction(SIGINT, &action, NULL); /* cannot fail: valid signals and pointers */
	(void)sigaction(SIGTERM, &action, NULL);
	(void)sigaction(SIGHUP, &action, NULL);
	(void)signal(SIGPIPE, SIG_IGN);
}

bool ca_interrupted(void)
{
	return interrupted;
}
