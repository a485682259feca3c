/* SPDX-License-Identifier: BSD-2-Clause */
#include "inspection.h"

int ca_inspection_begin(const struct ca_options *options, struct ca_certificate *certificate,
			struct ca_error *error)
{
	uint8_t id[16];
	int r;

	ca_certificate_done(certificate);
	r = ca_host_entropy(id, sizeof(id));
	return r < 0 ? r
		     : ca_certificate_prepare(options, CA_PROFILE_INSPECT, id, certificate, error);
}

int ca_inspection_collect(const struct ca_options *options, const char *target,
			  struct ca_certificate *certificate, struct ca_error *error)
{
	int r = ca_inspection_begin(options, certificate, error);

	if (r == 0)
		r = ca_host_collect(options->root, target, &certificate->evidence, error);
	if (r == 0)
		r = ca_certificate_lend_registers(options, &certificate->evidence, error);
	if (r == 0 && options->vendor_health)
		ca_host_ask_vendor(options->root, target, &certificate->evidence);
	return r;
}

int ca_inspection_judge(const struct ca_options *options, struct ca_certificate *certificate,
			struct ca_error *error)
{
	if (options->mask)
		ca_evidence_mask(&certificate->evidence);
	return ca_certificate_judge(certificate, error);
}

int ca_inspection_render(const struct ca_options *options, const struct ca_certificate *certificate,
			 bool pretty, char **ret_text)
{
	struct ca_view_options view = {.colour = ca_stream_has_colour(options, stdout),
				       .all = options->all};

	if (options->format == CA_FORMAT_JSON)
		return ca_certificate_inspect_json(certificate, pretty, ret_text);
	return ca_certificate_inspect_text(certificate, &view, ret_text);
}
