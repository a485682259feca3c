/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Read-only. Every target, and every card in a pasted text, is judged by itself; the exit code is
 * that of the worst.
 */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct inspection {
	const struct ca_options *options;
	struct ca_certificate certificate; /* reused for every card */
	unsigned int shown;
	bool array; /* JSON: several cards in one array */
	int worst;  /* exit code */
};

static int show(struct inspection *inspection)
{
	const struct ca_options *options = inspection->options;
	struct ca_certificate *certificate = &inspection->certificate;
	struct ca_view_options view = {.colour = ca_stream_has_colour(options, stdout),
				       .all = options->all};
	CA_CLEANUP_FREE char *text = NULL;
	struct ca_error error = {0};
	size_t len;
	int r;

	if (options->mask)
		ca_evidence_mask(&certificate->evidence);
	r = ca_certificate_judge(certificate, &error);
	if (r < 0)
		return ca_report_error(&error, r);
	if (options->format == CA_FORMAT_JSON) {
		r = ca_certificate_to_json(certificate, true, &text, &len);
		if (r == 0 && inspection->array)
			r = ca_stdout_write(inspection->shown ? "," : "[", 1, &error);
	} else {
		r = ca_certificate_inspect_text(certificate, &view, &text);
		if (r == 0 && inspection->shown)
			r = ca_stdout_write("\n", 1, &error);
	}
	if (r == 0)
		r = ca_stdout_write(text, strlen(text), &error);
	if (r < 0)
		return ca_report_error(&error, r);
	inspection->shown++;
	if (certificate->judgement.verdict == CA_VERDICT_FAIL)
		inspection->worst = CA_EXIT_FAIL;
	return 0;
}

/* A fresh certificate for one card; its id is drawn anew. */
static int prepare(struct inspection *inspection)
{
	struct ca_error error = {0};
	uint8_t id[16];
	int r;

	ca_certificate_done(&inspection->certificate);
	r = ca_host_entropy(id, sizeof(id));
	if (r == 0)
		r = ca_certificate_prepare(inspection->options, CA_PROFILE_INSPECT, id,
					   &inspection->certificate, &error);
	return r < 0 ? ca_report_error(&error, r) : 0;
}

static int on_card(void *context, const char *name, const struct ca_raw_registers *registers)
{
	struct inspection *inspection = context;
	struct ca_evidence *evidence = &inspection->certificate.evidence;
	int r = prepare(inspection);

	if (r)
		return r;
	evidence->origin = CA_ORIGIN_RECORDED;
	evidence->registers = *registers;
	evidence->device.media = registers->has[CA_REGISTER_NVME_CTRL] ? CA_MEDIA_NVME
				 : registers->type == CA_CARD_TYPE_MMC ? CA_MEDIA_MMC
								       : CA_MEDIA_SD;
	(void)ca_string_copy(evidence->device.node, sizeof(evidence->device.node), name);
	(void)ca_string_copy(evidence->device.registers_from,
			     sizeof(evidence->device.registers_from), name);
	(void)ca_string_copy(evidence->device.bus, sizeof(evidence->device.bus), "files");
	return show(inspection);
}

static int count_card(void *context, const char *name, const struct ca_raw_registers *registers)
{
	(void)name;
	(void)registers;
	++*(size_t *)context;
	return 0;
}

#define PASTE_BYTES_MAX (16U * 1024U * 1024U)

static int inspect_text(struct inspection *inspection, const char *target)
{
	CA_CLEANUP_FREE char *text = NULL;
	struct ca_error error = {0};
	size_t len, cards = 0;
	int r = ca_file_read(target, PASTE_BYTES_MAX, &text, &len, &error);

	if (r < 0) /* says which file */
		return ca_report_error(&error, r);
	/* several cards in one paste are one JSON document too; what is wrong is said below */
	if (inspection->options->format == CA_FORMAT_JSON &&
	    ca_host_read_register_text(text, len, count_card, &cards, NULL) == 0 && cards > 1)
		inspection->array = true;
	r = ca_host_read_register_text(text, len, on_card, inspection, &error);
	if (r > 0) /* an exit code of on_card, already said */
		return r;
	if (r < 0 && error.code) {
		ca_report("%s: %s", strcmp(target, "-") == 0 ? "standard input" : target,
			  error.text);
		memset(&error, 0, sizeof(error));
		return CA_EXIT_DATA;
	}
	return r < 0 ? ca_report_error(&error, r) : 0;
}

static int inspect_one(struct inspection *inspection, const char *target)
{
	struct ca_error error = {0};
	enum ca_target_kind kind;
	int r = ca_target_kind(target, &kind, &error);

	if (r < 0)
		return ca_report_error(&error, r);
	if (kind == CA_TARGET_FILE)
		return inspect_text(inspection, target);
	r = prepare(inspection);
	if (r)
		return r;
	r = ca_host_collect(inspection->options->root, target, &inspection->certificate.evidence,
			    &error);
	if (r == 0)
		r = ca_certificate_lend_registers(inspection->options,
						  &inspection->certificate.evidence, &error);
	return r < 0 ? ca_report_error(&error, r) : show(inspection);
}

/* -o FILE holds the certificate of one card. */
static int write_output(struct inspection *inspection)
{
	struct ca_delivery delivery;
	struct ca_error error = {0};
	int r;

	if (!inspection->options->output || inspection->shown == 0)
		return 0;
	if (inspection->shown > 1) {
		ca_report("-o holds one card: redirect --format json for several.");
		return CA_EXIT_USAGE;
	}
	r = ca_delivery_begin(inspection->options, &delivery, &error);
	if (r == 0)
		r = ca_delivery_finish(&delivery, &inspection->certificate, &error);
	return r < 0 ? ca_report_error(&error, r) : 0;
}

int ca_cmd_inspect(const struct ca_options *options)
{
	struct inspection *inspection = calloc(1, sizeof(*inspection));
	struct ca_error error = {0};
	int failed = 0, r;

	if (!inspection)
		return ca_report_error(&error, -ENOMEM);
	inspection->options = options;
	inspection->array = options->format == CA_FORMAT_JSON && options->target_count > 1;
	for (size_t i = 0; i < options->target_count && !ca_interrupted(); i++) {
		r = inspect_one(inspection, options->targets[i]);
		/* One bad target does not hide the others; its exit code is kept. */
		if (r && !failed)
			failed = r;
	}
	if (inspection->array && ca_stdout_write(inspection->shown ? "]\n" : "[]\n",
						 inspection->shown ? 2 : 3, &error) < 0)
		failed = ca_report_error(&error, error.code);
	r = write_output(inspection);
	if (!failed)
		failed = r ? r : inspection->worst;
	ca_certificate_done(&inspection->certificate);
	free(inspection);
	return failed;
}
