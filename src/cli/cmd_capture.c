/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>

int ca_cmd_capture(const struct ca_options *options)
{
	struct ca_evidence *evidence = calloc(1, sizeof(*evidence));
	struct ca_error error = {0};
	char why[4 * sizeof(evidence->device.hidden_because) + 1];
	bool any = false;
	int r;

	if (!evidence)
		return ca_report_error(&error, -ENOMEM);
	if (!options->output) {
		ca_report("capture needs -o DIR, a directory for the registers.");
		free(evidence);
		return CA_EXIT_USAGE;
	}
	r = ca_host_collect(options->root, options->targets[0], evidence, &error);
	if (r == 0 && options->vendor_health)
		ca_host_ask_vendor(options->root, options->targets[0], evidence);
	if (r == 0 && options->mask)
		ca_evidence_mask(evidence);
	if (r == 0)
		r = ca_host_write_register_dir(options->output, evidence, &error);
	for (size_t i = 0; i < CA_REGISTER_COUNT; i++)
		any |= evidence->registers.has[i];
	if (r == 0) {
		(void)printf("%s: %s written to %s\n", options->targets[0],
			     any ? "registers and host facts" : "host facts", options->output);
		/* a recorded directory may say anything */
		ca_string_escape(why, sizeof(why), evidence->device.hidden_because);
		if (!any)
			(void)printf("No registers: %s\n", why);
		if (evidence->vendor.not_asked_because[0])
			(void)printf("No health page: %s\n", evidence->vendor.not_asked_because);
	}
	ca_evidence_done(evidence);
	free(evidence);
	return r < 0 ? ca_report_error(&error, r) : ca_stdout_finish();
}
