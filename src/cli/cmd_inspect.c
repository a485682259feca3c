/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Read-only. Every target, and every card in a pasted text, is judged by itself; the exit code is
 * that of the worst.
 */
#include "inspection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct inspection {
	const struct ca_options *options;
	struct ca_certificate certificate; /* reused for every card */
	struct ca_sarif sarif;
	const char *target; /* that is being looked at */
	unsigned int shown;
	bool array;   /* JSON: several cards in one array */
	bool several; /* --fields: each line names its card */
	int worst;    /* exit code */
};

/* Every field of the registers: they are shown, not judged. */
static int show_fields(struct inspection *inspection)
{
	struct ca_fields_options options = {
		.json = inspection->options->format == CA_FORMAT_JSON,
		.named = inspection->several,
	};
	struct ca_evidence *evidence = &inspection->certificate.evidence;
	CA_CLEANUP_FREE char *text = NULL;
	struct ca_error error = {0};
	int r;

	if (inspection->options->mask)
		ca_evidence_mask(evidence);
	r = ca_certificate_fields(evidence, &options, &text);
	if (r == 0 && !*text) {
		ca_report("%s: %s", evidence->device.node,
			  evidence->device.hidden_because[0] ? evidence->device.hidden_because
							     : "it shows no registers");
		return CA_EXIT_NO_INPUT;
	}
	if (r == 0 && options.json)
		r = ca_stdout_write(inspection->shown ? "," : "[", 1, &error);
	if (r == 0)
		r = ca_stdout_write(text, strlen(text), &error);
	if (r < 0)
		return ca_report_error(&error, r);
	inspection->shown++;
	return 0;
}

static int render(struct inspection *inspection, char **ret_text)
{
	if (inspection->options->format == CA_FORMAT_SARIF)
		return ca_sarif_add(&inspection->sarif, &inspection->certificate,
				    inspection->target, ret_text);
	return ca_inspection_render(inspection->options, &inspection->certificate, true, ret_text);
}

static int show(struct inspection *inspection)
{
	struct ca_certificate *certificate = &inspection->certificate;
	bool json = inspection->options->format == CA_FORMAT_JSON;
	bool text_view = inspection->options->format == CA_FORMAT_TEXT;
	CA_CLEANUP_FREE char *text = NULL;
	struct ca_error error = {0};
	int r;

	if (inspection->options->fields)
		return show_fields(inspection);
	r = ca_inspection_judge(inspection->options, certificate, &error);
	if (r == 0)
		r = render(inspection, &text);
	if (r == 0 && json && inspection->array)
		r = ca_stdout_write(inspection->shown ? "," : "[", 1, &error);
	if (r == 0 && text_view && inspection->shown)
		r = ca_stdout_write("\n", 1, &error);
	if (r == 0)
		r = ca_stdout_write(text, strlen(text), &error);
	if (r < 0)
		return ca_report_error(&error, r);
	inspection->shown++;
	if (certificate->judgement.verdict == CA_VERDICT_FAIL)
		inspection->worst = CA_EXIT_FAIL;
	return 0;
}

static int on_card(void *context, const struct ca_evidence *card)
{
	struct inspection *inspection = context;
	struct ca_evidence *evidence = &inspection->certificate.evidence;
	struct ca_error error = {0};
	int r = ca_inspection_begin(inspection->options, &inspection->certificate, &error);

	if (r < 0)
		return ca_report_error(&error, r);
	ca_host_adopt_recorded(card, evidence);
	if (inspection->options->vendor_health)
		ca_host_ask_vendor(inspection->options->root, inspection->target, evidence);
	(void)ca_string_copy(
		evidence->device.registers_from, sizeof(evidence->device.registers_from),
		strcmp(inspection->target, "-") == 0 ? "standard input" : inspection->target);
	return show(inspection);
}

static int count_card(void *context, const struct ca_evidence *card)
{
	(void)card; /* only their number counts */
	++*(size_t *)context;
	return 0;
}

static int inspect_text(struct inspection *inspection, const char *target)
{
	CA_CLEANUP_FREE char *text = NULL;
	struct ca_error error = {0};
	size_t len, cards = 0;
	int r = ca_file_read(target, CA_REGISTER_TEXT_MAX, &text, &len, &error);

	if (r < 0) /* says which file */
		return ca_report_error(&error, r);
	/* several cards in one paste are one JSON document too; what is wrong is said below */
	if (inspection->options->format == CA_FORMAT_JSON || inspection->options->fields)
		(void)ca_host_read_register_text(text, len, count_card, &cards, NULL);
	if (cards > 1)
		inspection->array = inspection->several = true;
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
	/* a recorded machine has no nodes to look at */
	bool recorded = inspection->options->root && strncmp(target, "/dev/", 5) == 0;
	int r = recorded ? 0 : ca_target_kind(target, &kind, &error);

	inspection->target = target;
	if (r < 0)
		return ca_report_error(&error, r);
	if (!recorded && kind == CA_TARGET_FILE)
		return inspect_text(inspection, target);
	r = ca_inspection_collect(inspection->options, target, &inspection->certificate, &error);
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
	r = ca_delivery_begin(inspection->options, &inspection->certificate.evidence, &delivery,
			      &error);
	if (r == 0)
		r = ca_delivery_finish(&delivery, &inspection->certificate, &error);
	return r < 0 ? ca_report_error(&error, r) : 0;
}

static int begin_log(struct inspection *inspection)
{
	CA_CLEANUP_FREE char *text = NULL;
	struct ca_error error = {0};
	int r = ca_sarif_begin(&inspection->sarif, CARDASSAY_VERSION, &text);

	if (r == 0)
		r = ca_stdout_write(text, strlen(text), &error);
	return r < 0 ? ca_report_error(&error, r) : 0;
}

static int finish_log(const struct inspection *inspection, int code)
{
	CA_CLEANUP_FREE char *text = NULL;
	struct ca_error error = {0};
	bool whole = ca_exit_is_success(code);
	struct ca_sarif_end end = {
		.exit_code = code,
		.successful = whole,
		.level = "error",
		.notice = whole ? NULL
				: "Not everything could be inspected: standard error says what and "
				  "why.",
	};
	int r = ca_sarif_finish(&inspection->sarif, &end, &text);

	if (r == 0)
		r = ca_stdout_write(text, strlen(text), &error);
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
	inspection->several = options->target_count > 1;
	inspection->array =
		options->format == CA_FORMAT_JSON && (options->fields || inspection->several);
	if (options->format == CA_FORMAT_SARIF)
		failed = begin_log(inspection);
	for (size_t i = 0; i < options->target_count && !ca_interrupted(); i++) {
		r = inspect_one(inspection, options->targets[i]);
		/* One bad target does not hide the others; its exit code is kept. */
		if (r && !failed)
			failed = r;
	}
	if (inspection->array && options->format == CA_FORMAT_JSON &&
	    ca_stdout_write(inspection->shown ? "]\n" : "[]\n", inspection->shown ? 2 : 3, &error) <
		    0)
		failed = ca_report_error(&error, error.code);
	r = write_output(inspection);
	if (!failed)
		failed = r ? r : inspection->worst;
	if (options->format == CA_FORMAT_SARIF) {
		r = finish_log(inspection, failed);
		failed = failed ? failed : r;
	}
	ca_certificate_done(&inspection->certificate);
	free(inspection);
	return failed;
}
