/* SPDX-License-Identifier: BSD-2-Clause */
#include "view.h"

#include <string.h>

const char *ca_view_overprint(enum ca_origin origin)
{
	switch (origin) {
	case CA_ORIGIN_LIVE:
		return NULL;
	case CA_ORIGIN_VIRTUAL:
		return "VIRTUAL DEVICE: this is not a certificate of any real card";
	case CA_ORIGIN_IMAGE:
		return "IMAGE FILE: this is not a certificate of any real card";
	case CA_ORIGIN_SIMULATED:
		return "SIMULATED CARD: this is not a certificate of any real card";
	case CA_ORIGIN_RECORDED:
		return "RECORDED REGISTERS: read from a file, no card was tested";
	}
	return NULL;
}

static void overprint(struct ca_view *view, enum ca_origin origin)
{
	const char *text = ca_view_overprint(origin);

	if (text)
		ca_view_lead(view, 0, CA_STYLE_BAD, text, 0, "");
}

/* Only the verdict itself is coloured: "FAIL:" */
void ca_view_headline(struct ca_view *view, const struct ca_judgement *judgement)
{
	char lead[24];
	size_t len = strcspn(judgement->headline, " ");

	if (len >= sizeof(lead))
		len = 0;
	memcpy(lead, judgement->headline, len);
	lead[len] = '\0';
	ca_view_lead(view, 0, ca_view_verdict_style(judgement->verdict), lead, 2,
		     judgement->headline + len);
}

static void escaped_pair(struct ca_view *view, const char *label, const char *bytes)
{
	char escaped[1100];
	struct ca_text text;

	if (!bytes[0])
		return;
	ca_text_init(&text, escaped, sizeof(escaped));
	ca_text_escaped(&text, bytes, strlen(bytes));
	ca_view_pair(view, label, escaped);
}

/* How the maker stands to the label, and how sure that is. */
static void relation(struct ca_view *view, const struct ca_identity *identity)
{
	static const char *const words[] = {
		[CA_RELATION_NO_BRAND] = "the label names no brand",
		[CA_RELATION_OWN] = "the maker's own brand",
		[CA_RELATION_OEM] = "a known maker for this brand",
		[CA_RELATION_OTHER_BRAND] = "not known as a maker of this brand",
		[CA_RELATION_UNKNOWN_MAKER] = "unknown maker",
		[CA_RELATION_CONTRADICTION] = "contradicts the label",
	};
	struct ca_view_words line;
	struct ca_text *text = ca_view_start(&line);

	if (identity->relation == CA_RELATION_NOT_OBSERVABLE)
		return;
	ca_text_add(text, words[identity->relation]);
	if (identity->confidence != CA_CONFIDENCE_NONE) {
		ca_text_add(text, "; confidence ");
		ca_text_add(text, ca_confidence_name(identity->confidence));
	}
	ca_view_pair(view, "relation", line.buf);
}

static void sold_as(struct ca_view *view, const struct ca_identity *identity)
{
	char line[4000];
	struct ca_text text;

	ca_text_init(&text, line, sizeof(line));
	if (identity->candidate_count)
		(void)ca_identity_write_products(&text, identity, SIZE_MAX); /* counted already */
	else if (identity->maker)
		ca_text_add(&text, identity->maker->brands);
	if (text.len)
		ca_view_pair(view, "sold as", line);
	ca_text_init(&text, line, sizeof(line));
	for (size_t i = 0; i < identity->convention_count; i++) {
		ca_text_add(&text, i ? "; " : "");
		ca_text_add(&text, identity->conventions[i]->meaning);
		ca_text_add(&text, " (");
		ca_text_add(&text, identity->conventions[i]->field);
		ca_text_add(&text, ")");
	}
	if (text.len)
		ca_view_pair(view, "conventions", line);
}

/* "manufacturers.tsv (MID ad, OID 4c53, assigned): hekate p2-cards; ..." */
static void identity_rows(struct ca_view *view, const struct ca_identity *identity)
{
	struct ca_identity_row rows[CA_IDENTITY_ROWS_MAX];
	size_t count = ca_identity_rows(identity, rows);
	char line[4000];
	struct ca_text text;

	ca_text_init(&text, line, sizeof(line));
	for (size_t i = 0; i < count; i++) {
		ca_text_add(&text, i ? "; " : "");
		ca_text_add(&text, rows[i].table);
		ca_text_add(&text, " (");
		ca_text_add(&text, rows[i].row);
		ca_text_add(&text, "): ");
		ca_text_add(&text, rows[i].sources);
		if (view->all && rows[i].note[0]) {
			ca_text_add(&text, ", ");
			ca_text_add(&text, rows[i].note);
		}
	}
	if (count)
		ca_view_pair(view, "known from", line);
}

void ca_view_identity(struct ca_view *view, const struct ca_identity *identity)
{
	if (identity->summary[0])
		ca_view_pair(view, "maker", identity->summary);
	relation(view, identity);
	sold_as(view, identity);
	identity_rows(view, identity);
}

/* "CID, CSD, SCR read (sysfs)", or why there is nothing. */
static void registers_seen(struct ca_view *view, const struct ca_evidence *evidence)
{
	const struct ca_device_facts *device = &evidence->device;
	char line[1500];
	struct ca_text text;
	bool any = false;

	ca_text_init(&text, line, sizeof(line));
	for (unsigned int i = 0; i < CA_REGISTER_COUNT; i++) {
		if (!evidence->registers.has[i])
			continue;
		ca_text_add(&text, any ? ", " : "");
		ca_text_add(&text, ca_register_name((enum ca_register)i));
		any = true;
	}
	if (!any) {
		ca_text_add(&text, "not observable");
		if (device->hidden_because[0]) {
			ca_text_add(&text, ": ");
			ca_text_escaped(&text, device->hidden_because,
					strlen(device->hidden_because));
		}
	} else if (device->registers_from[0]) {
		ca_text_add(&text, " (from ");
		ca_text_escaped(&text, device->registers_from, strlen(device->registers_from));
		ca_text_add(&text, ")");
	}
	if (device->registers_lent)
		ca_text_add(&text, "; lent: they were recorded elsewhere, not read from this "
				   "device");
	ca_view_pair(view, "registers", line);
}

static void card(struct ca_view *view, const struct ca_certificate *certificate)
{
	const struct ca_device_facts *device = &certificate->evidence.device;
	char line[1200];
	struct ca_text text;

	ca_view_heading(view, "Card");
	ca_text_init(&text, line, sizeof(line));
	ca_text_escaped(&text, device->node, strlen(device->node));
	if (device->bus[0]) {
		ca_text_add(&text, " (");
		ca_text_escaped(&text, device->bus, strlen(device->bus));
		ca_text_add(&text, ")");
	}
	ca_view_pair(view, "device", line);
	escaped_pair(view, "slot", device->host_path);
	escaped_pair(view, "model", device->model);
	if (certificate->evidence.masked)
		ca_view_pair(view, "serial", "masked on request");
	else
		escaped_pair(view, "serial", device->serial);
	ca_view_pair(view, "label", certificate->label[0] ? certificate->label : "none was given");
	ca_view_identity(view, &certificate->judgement.identity);
	registers_seen(view, &certificate->evidence);
}

/* What shapes a figure or tells of trouble; the rest is shown with --all. */
static bool is_shown(const struct ca_evidence *evidence, enum ca_host_fact which)
{
	const struct ca_fact *fact = &evidence->host[which];

	switch (which) {
	case CA_HOST_KERNEL:
	case CA_HOST_MACHINE:
	case CA_HOST_CPU_GOVERNOR:
	case CA_HOST_BUS_TIMING:
	case CA_HOST_BUS_CLOCK_HZ:
	case CA_HOST_BUS_WIDTH:
	case CA_HOST_SIGNAL_VOLTAGE:
	case CA_HOST_POWER_LIMIT_MW:
	case CA_HOST_CACHE:
	case CA_HOST_COMMAND_QUEUE:
	case CA_HOST_MAX_REQUEST_BYTES:
	case CA_HOST_IO_ENGINE:
	case CA_HOST_PCIE_SPEED:
	case CA_HOST_PCIE_WIDTH:
	case CA_HOST_PCIE_SPEED_MAX:
	case CA_HOST_PCIE_WIDTH_MAX:
	case CA_HOST_USB_SPEED:
	case CA_HOST_USB_BRIDGE:
	case CA_HOST_USB_DRIVER:
		return true;
	case CA_HOST_CPU_THROTTLED:
	case CA_HOST_THROTTLED:
	case CA_HOST_UNDERVOLTAGE:
	case CA_HOST_ERR_STATS:
	case CA_HOST_ERR_STATS_AFTER:
	case CA_HOST_LOG_ERRORS:
		return fact->present && fact->number; /* no news is good news */
	case CA_HOST_ARCH:
	case CA_HOST_CLOCK:
	case CA_HOST_CLOCK_SOURCE:
	case CA_HOST_CPU_CLOCK_HZ:
	case CA_HOST_DRIVER:
	case CA_HOST_LOG_CARD:
	case CA_HOST_QUEUE_TAGS:
	case CA_HOST_NR_REQUESTS:
	case CA_HOST_SCHEDULER:
	case CA_HOST_MAX_HW_REQUEST_BYTES:
	case CA_HOST_MAX_SEGMENTS:
	case CA_HOST_MAX_SEGMENT_BYTES:
	case CA_HOST_LOGICAL_BLOCK_BYTES:
	case CA_HOST_OPTIMAL_IO_BYTES:
	case CA_HOST_DISCARD_GRANULARITY_BYTES:
	case CA_HOST_DISCARD_MAX_BYTES:
	case CA_HOST_READ_AHEAD_BYTES:
	case CA_HOST_ROTATIONAL:
	case CA_HOST_READ_ONLY:
	case CA_HOST_USB_ID:
		return false;
	}
	return false;
}

static void show_fact(struct ca_view *view, enum ca_host_fact which, const struct ca_fact *fact,
		      const char *label)
{
	char line[560];
	struct ca_text text;

	ca_text_init(&text, line, sizeof(line));
	if (which == CA_HOST_LOG_ERRORS && fact->number > 1) {
		ca_text_i64(&text, fact->number);
		ca_text_add(&text, " lines, the last: ");
	}
	ca_text_escaped(&text, fact->text, strnlen(fact->text, sizeof(fact->text)));
	if (!fact->text[0])
		ca_text_i64(&text, fact->number);
	ca_view_pair(view, label, line);
}

static void view_host(struct ca_view *view, const struct ca_evidence *evidence)
{
	char label[40], absent[1200];
	struct ca_text missing;

	ca_view_heading(view, "Host");
	ca_text_init(&missing, absent, sizeof(absent));
	for (unsigned int i = 0; i < CA_HOST_FACT_COUNT; i++) {
		enum ca_host_fact which = (enum ca_host_fact)i;
		const struct ca_fact *fact = &evidence->host[i];

		if (!view->all && !is_shown(evidence, which))
			continue;
		(void)ca_string_copy(label, sizeof(label), /* the longest name has 25 bytes */
				     ca_host_fact_name(which));
		for (char *p = label; *p; p++)
			if (*p == '_')
				*p = ' ';
		if (fact->present) {
			show_fact(view, which, fact, label);
		} else if (ca_host_fact_is_of_bus(which, evidence->device.bus)) {
			ca_text_add(&missing, missing.len ? ", " : "");
			ca_text_add(&missing, label);
		}
	}
	if (missing.len)
		ca_view_pair(view, "not observable", absent);
}

static void add_time(struct ca_text *text, uint64_t seconds)
{
	char when[CA_TIME_TEXT_MAX];

	ca_time_format(seconds, when);
	ca_text_add(text, when);
}

static void record(struct ca_view *view, const struct ca_certificate *certificate)
{
	char line[256];
	struct ca_text text;

	ca_view_heading(view, "Certificate");
	ca_view_pair(view, "id", certificate->id);
	ca_view_pair(view, "profile", ca_profile_name(certificate->profile));
	ca_text_init(&text, line, sizeof(line));
	add_time(&text, certificate->evidence.collected_at);
	if (!certificate->evidence.clock_trusted)
		ca_text_add(&text, " (this computer's clock was not known to be right)");
	ca_view_pair(view, "collected", line);
	ca_text_init(&text, line, sizeof(line));
	add_time(&text, certificate->issued);
	ca_view_pair(view, "issued", line);
	if (certificate->operator_name[0])
		ca_view_pair(view, "operator", certificate->operator_name);
	if (certificate->organisation[0])
		ca_view_pair(view, "organisation", certificate->organisation);
	if (certificate->reference[0])
		ca_view_pair(view, "reference", certificate->reference);
	ca_text_init(&text, line, sizeof(line));
	ca_text_add(&text, "cardassay ");
	ca_text_add(&text, certificate->tool_version);
	ca_text_add(&text, ", rule tables ");
	ca_text_add_len(&text, certificate->specs_sha256, strnlen(certificate->specs_sha256, 16));
	ca_view_pair(view, "made with", line);
	ca_view_pair(view, "check it",
		     "cardassay verify FILE.json, FILE being the JSON record; this "
		     "text is only a view of it");
}

int ca_certificate_to_text(const struct ca_certificate *certificate,
			   const struct ca_view_options *options, char **ret_text)
{
	const struct ca_judgement *judgement = &certificate->judgement;
	enum ca_origin origin = certificate->evidence.origin;
	struct ca_view view;
	int r = ca_view_begin(&view, options);

	if (r < 0)
		return r;
	overprint(&view, origin);
	ca_view_headline(&view, judgement);
	card(&view, certificate);
	if (certificate->evidence.probe.end != CA_FILL_NOT_RUN)
		ca_view_probe(&view, &certificate->evidence.probe);
	if (certificate->evidence.probe.end == CA_FILL_NOT_RUN ||
	    certificate->evidence.capacity.end != CA_FILL_NOT_RUN)
		ca_view_capacity(&view, &certificate->evidence.capacity);
	ca_view_speed(&view, &certificate->evidence.speed);
	ca_view_survey(&view, &certificate->evidence);
	ca_view_claims(&view, judgement);
	ca_view_remarks(&view, certificate);
	view_host(&view, &certificate->evidence);
	record(&view, certificate);
	if (ca_view_overprint(origin)) {
		ca_view_blank(&view);
		overprint(&view, origin);
	}
	return ca_view_finish(&view, ret_text);
}
