/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli.h"

#include <errno.h>

static int copy(char *ret, size_t size, const char *value, const char *what, struct ca_error *error)
{
	if (!ca_string_copy(ret, size, value ? value : ""))
		return ca_error_set(error, -EINVAL, "--%s is too long: %zu bytes at most.", what,
				    size - 1);
	return 0;
}

int ca_certificate_prepare(const struct ca_options *options, enum ca_profile profile,
			   const uint8_t id[16], struct ca_certificate *certificate,
			   struct ca_error *error)
{
	bool trusted;
	int r = 0;

	ca_hex_encode(id, 16, certificate->id);
	certificate->profile = profile;
	certificate->issued = ca_host_wall_seconds(&trusted);
	certificate->evidence.collected_at = certificate->issued;
	certificate->evidence.clock_trusted = trusted;
	(void)ca_string_copy(certificate->tool_version, sizeof(certificate->tool_version),
			     CARDASSAY_VERSION); /* fits: it is our own */
	(void)ca_string_copy(certificate->specs_sha256, sizeof(certificate->specs_sha256),
			     ca_specs_sha256);
	r = copy(certificate->label, sizeof(certificate->label), options->label, "label", error);
	if (r == 0)
		r = copy(certificate->operator_name, sizeof(certificate->operator_name),
			 options->operator_name, "operator", error);
	if (r == 0)
		r = copy(certificate->organisation, sizeof(certificate->organisation),
			 options->organisation, "organisation", error);
	if (r == 0)
		r = copy(certificate->reference, sizeof(certificate->reference), options->reference,
			 "reference", error);
	for (size_t i = 0; r == 0 && i < options->claim_count; i++)
		r = copy(certificate->options[i], sizeof(certificate->options[i]),
			 options->claims[i], "claim", error);
	for (size_t i = 0; r == 0 && i < options->require_count; i++)
		r = copy(certificate->require[i], sizeof(certificate->require[i]),
			 options->require[i], "require", error);
	certificate->option_count = options->claim_count;
	certificate->require_count = options->require_count;
	return r;
}

int ca_certificate_lend_registers(const struct ca_options *options, struct ca_evidence *evidence,
				  struct ca_error *error)
{
	int r;

	if (!options->registers)
		return 0;
	for (size_t i = 0; i < CA_REGISTER_COUNT; i++)
		if (evidence->registers.has[i])
			return ca_error_set(
				error, -EINVAL,
				"%s shows its own registers: --registers is for a device "
				"whose reader hides them.",
				evidence->device.node);
	r = ca_host_read_register_dir(options->registers, &evidence->registers, error);
	if (r < 0)
		return r;
	evidence->device.registers_lent = true;
	(void)ca_string_copy(evidence->device.registers_from,
			     sizeof(evidence->device.registers_from),
			     options->registers); /* cut is fine */
	return 0;
}
